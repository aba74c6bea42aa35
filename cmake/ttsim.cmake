# SPDX-License-Identifier: Apache-2.0
# The libraries with the vendor's interface, one a chip, and the soc_descriptor.yaml that hosts look
# for in the folder of the library that they load:
#   libttsim_wh.so, libttsim_bh.so                                in the build folder
#   CHIP/libttsim_wh.so (a link to it), CHIP/soc_descriptor.yaml  below ttsim/
# Targets ttsim_wh and ttsim_bh. Installed, both files lie in LIBDIR/tessera/CHIP.
add_executable(soc_descriptor "${PROJECT_SOURCE_DIR}/ttsim/soc_descriptor.c")
target_link_libraries(soc_descriptor PRIVATE tessera tessera_flags tessera_no_lto)
file(GLOB ttsim_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ttsim/*.c")
list(FILTER ttsim_sources EXCLUDE REGEX "/soc_descriptor\\.c$")
set(ttsim_exports "${PROJECT_SOURCE_DIR}/ttsim/exports.map")

function(tessera_ttsim short chip arch)
    set(target "ttsim_${short}")
    set(folder "${PROJECT_BINARY_DIR}/ttsim/${chip}")
    add_library(${target} MODULE ${ttsim_sources})
    target_compile_definitions(${target} PRIVATE TTSIM_ARCH=${arch})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/ttsim")
    target_compile_options(${target} PRIVATE -Wstrict-prototypes -Wmissing-prototypes)
    target_link_libraries(${target} PRIVATE ${fast_library} tessera_flags tessera_posix tessera_lto)
    target_link_options(${target} PRIVATE "LINKER:--version-script=${ttsim_exports}")
    if(NOT TESSERA_SANITIZE)
        target_link_options(${target} PRIVATE "LINKER:-z,defs")
    endif()
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME "ttsim_${short}" PREFIX lib SUFFIX .so POSITION_INDEPENDENT_CODE ON
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}" LINK_DEPENDS "${ttsim_exports}"
        INSTALL_RPATH "$ORIGIN/../..")
    install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tessera/${chip}")
    file(MAKE_DIRECTORY "${folder}")
    file(CREATE_LINK "${PROJECT_BINARY_DIR}/libttsim_${short}.so" "${folder}/libttsim_${short}.so"
         SYMBOLIC)
    add_custom_command(OUTPUT "${folder}/soc_descriptor.yaml"
        COMMAND soc_descriptor ${chip} > "${folder}/soc_descriptor.yaml"
        DEPENDS soc_descriptor VERBATIM)
    add_custom_target(${target}_yaml DEPENDS "${folder}/soc_descriptor.yaml")
    add_dependencies(${target} ${target}_yaml)
    install(FILES "${folder}/soc_descriptor.yaml"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/tessera/${chip}")
endfunction()

tessera_ttsim(wh wormhole_b0 TSR_WORMHOLE_B0)
tessera_ttsim(bh blackhole_a0 TSR_BLACKHOLE_A0)
