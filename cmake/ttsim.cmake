# SPDX-License-Identifier: Apache-2.0
# The libraries with the vendor's interface, one a chip, and the soc_descriptor.yaml that hosts look
# for in the folder of the library that they load:
#   libttsim_wh.so, libttsim_bh.so                                in the build folder
#   CHIP/libttsim_wh.so (a link to it), CHIP/soc_descriptor.yaml  below ttsim/
# Targets ttsim_wh and ttsim_bh. Installed, both files lie in LIBDIR/tessera/CHIP.
#
# They differ by the chip's name in one section. Only Wormhole's is linked, since optimising the
# library as a whole takes longer than all else; Blackhole's is a copy with the other name.
add_executable(soc_descriptor "${PROJECT_SOURCE_DIR}/ttsim/soc_descriptor.c")
target_link_libraries(soc_descriptor PRIVATE tessera tessera_flags tessera_no_lto)
file(GLOB ttsim_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ttsim/*.c")
list(FILTER ttsim_sources EXCLUDE REGEX "/soc_descriptor\\.c$")
set(ttsim_exports "${PROJECT_SOURCE_DIR}/ttsim/exports.map")

add_library(ttsim_wh MODULE ${ttsim_sources})
target_include_directories(ttsim_wh PRIVATE "${PROJECT_SOURCE_DIR}/ttsim")
target_compile_options(ttsim_wh PRIVATE -Wstrict-prototypes -Wmissing-prototypes)
target_link_libraries(ttsim_wh PRIVATE ${fast_library} tessera_flags tessera_posix tessera_lto)
target_link_options(ttsim_wh PRIVATE "LINKER:--version-script=${ttsim_exports}")
if(NOT TESSERA_SANITIZE)
    target_link_options(ttsim_wh PRIVATE "LINKER:-z,defs")
endif()
# A shared libtessera lies beside them in the build folder, and two folders up when installed.
set_target_properties(ttsim_wh PROPERTIES
    OUTPUT_NAME ttsim_wh PREFIX lib SUFFIX .so POSITION_INDEPENDENT_CODE ON
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}" LINK_DEPENDS "${ttsim_exports}"
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN;$ORIGIN/../..")

set(bh_library "${PROJECT_BINARY_DIR}/libttsim_bh.so")
set(bh_name "${PROJECT_BINARY_DIR}/ttsim/blackhole_a0/name")
file(WRITE "${bh_name}" "blackhole_a0\n\n\n\n") # as long as the section
add_custom_command(OUTPUT "${bh_library}"
    COMMAND "${CMAKE_OBJCOPY}" --update-section ".tessera_chip=${bh_name}"
            "$<TARGET_FILE:ttsim_wh>" "${bh_library}"
    DEPENDS ttsim_wh "${bh_name}" VERBATIM)
add_custom_target(ttsim_bh ALL DEPENDS "${bh_library}")

function(tessera_ttsim short chip)
    set(folder "${PROJECT_BINARY_DIR}/ttsim/${chip}")
    file(MAKE_DIRECTORY "${folder}")
    file(CREATE_LINK "${PROJECT_BINARY_DIR}/libttsim_${short}.so" "${folder}/libttsim_${short}.so"
         SYMBOLIC)
    add_custom_command(OUTPUT "${folder}/soc_descriptor.yaml"
        COMMAND soc_descriptor ${chip} > "${folder}/soc_descriptor.yaml"
        DEPENDS soc_descriptor VERBATIM)
    add_custom_target(ttsim_${short}_yaml ALL DEPENDS "${folder}/soc_descriptor.yaml")
    add_dependencies(ttsim_${short} ttsim_${short}_yaml)
    install(FILES "${PROJECT_BINARY_DIR}/libttsim_${short}.so" "${folder}/soc_descriptor.yaml"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/tessera/${chip}")
endfunction()

tessera_ttsim(wh wormhole_b0)
tessera_ttsim(bh blackhole_a0)
