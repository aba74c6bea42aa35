# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, so that CMake (find_package) and pkg-config find the library,
# man(1) the pages, shells the completion of the command, and compilers what kernels need.
# Nothing that is installed holds an absolute path: the prefix may be chosen at installation.
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/tessera")
install(TARGETS tessera EXPORT tesseraTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/tessera DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
install(EXPORT tesseraTargets NAMESPACE tessera:: FILE tesseraConfig.cmake
        DESTINATION "${package_folder}")
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake" DESTINATION "${package_folder}")

file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(tessera.pc.in tessera.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tessera.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# The command makes its manual pages and completion scripts itself, if it runs here.
if(TARGET tessera_tool AND NOT CMAKE_CROSSCOMPILING)
    set(pages "${PROJECT_BINARY_DIR}/share")
    add_custom_command(TARGET tessera_tool POST_BUILD
        COMMAND "${CMAKE_COMMAND}" "-DTOOL=$<TARGET_FILE:tessera_tool>" "-DFOLDER=${pages}"
                -P "${PROJECT_SOURCE_DIR}/cmake/pages.cmake"
        COMMENT "Manual pages, completion and headers for kernels" VERBATIM)
    install(DIRECTORY "${pages}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
    install(DIRECTORY "${pages}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tessera/kernel")
    install(DIRECTORY "${pages}/tessera" DESTINATION "${CMAKE_INSTALL_DATADIR}")
    foreach(shell IN ITEMS bash-completion zsh fish)
        install(DIRECTORY "${pages}/${shell}" DESTINATION "${CMAKE_INSTALL_DATADIR}")
    endforeach()
endif()
