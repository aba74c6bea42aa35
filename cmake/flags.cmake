# SPDX-License-Identifier: Apache-2.0
# Compiler and linker flags, as interface targets that the others link: tessera_flags for every
# file, tessera_posix for what is no library, tessera_lto for what is linked as a whole,
# tessera_no_lto for what is linked at once, tessera_short for tests that do not run long.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT DEFINED CMAKE_COMPILE_WARNING_AS_ERROR)
    set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
# Lines for profiles and backtraces: -g would make a build a third longer; `debug` has variables.
set(CMAKE_C_FLAGS_RELEASE "-O3 -g1")
set(CMAKE_C_FLAGS_DEBUG "-Og -g3")

add_library(tessera_flags INTERFACE)
target_compile_options(tessera_flags INTERFACE -Wall -Wextra -Wvla)
# For the command, the tests and the benchmarks. The library gets by with C17;
# src/base/fresh_pages.c asks for what it needs.
add_library(tessera_posix INTERFACE)
target_compile_definitions(tessera_posix INTERFACE _POSIX_C_SOURCE=200809L)

if(TESSERA_SANITIZE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(tessera_flags INTERFACE ${sanitizers})
    target_link_options(tessera_flags INTERFACE ${sanitizers})
endif()

# Only the library is worth it: it exists both ways, apart (CMakeLists.txt), and the command's own
# files are compiled once, for the command and for the tests that call them.
set(has_lto OFF)
add_library(tessera_lto INTERFACE)
add_library(tessera_no_lto INTERFACE)
if(TESSERA_LTO)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT has_lto OUTPUT lto_reason LANGUAGES C)
    if(has_lto AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        target_link_options(tessera_lto INTERFACE -flto=auto -O3)
        target_link_options(tessera_no_lto INTERFACE -fno-lto)
    else()
        set(has_lto OFF)
        message(STATUS "No link-time optimisation with this compiler: ${lto_reason}")
    endif()
endif()
# What a compiled kernel runs of the library is larger than a processor's cache for instructions;
# gcc lays it out better when it knows what is hot. With MAKE the library writes that down, below
# raw/, when a program ends; with USE it is compiled with what TESSERA_PROFILE_FOLDER has, if that
# is there. A function that has changed since is compiled as without. tools/build_release.sh does
# one after the other. Only tessera_whole and the kernels are compiled so.
set(TESSERA_PROFILE OFF CACHE STRING "Profile-guided optimisation with gcc: OFF, MAKE or USE")
set_property(CACHE TESSERA_PROFILE PROPERTY STRINGS OFF MAKE USE)
set(TESSERA_PROFILE_FOLDER "${PROJECT_SOURCE_DIR}/build-profile/data" CACHE PATH
    "Where the profile is")
set(profile_flags)
set(profile_link_flags)
if(NOT TESSERA_PROFILE STREQUAL "OFF" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    include(CheckCCompilerFlag)
    # By this option of gcc 12 a profile fits another build folder.
    check_c_compiler_flag("-fprofile-prefix-path=/" TESSERA_HAS_PROFILE)
    if(TESSERA_HAS_PROFILE AND TESSERA_PROFILE STREQUAL "MAKE")
        set(profile_flags "-fprofile-generate=${PROJECT_BINARY_DIR}/raw")
        add_link_options(-fprofile-generate)
    elseif(TESSERA_HAS_PROFILE AND EXISTS "${TESSERA_PROFILE_FOLDER}")
        set(profile_flags "-fprofile-use=${TESSERA_PROFILE_FOLDER}" -fprofile-partial-training
            -fprofile-correction -Wno-missing-profile -Wno-coverage-mismatch)
        # All that ran is hot: else matrix products, which run the longest by far, make all that is
        # between them cold, and a compiled kernel takes 7 % more instructions.
        set(profile_link_flags --param=hot-bb-count-ws-permille=1000)
    endif()
    if(profile_flags)
        list(APPEND profile_flags "-fprofile-prefix-path=${PROJECT_BINARY_DIR}")
    endif()
endif()

# For tests that are over as soon as they begin: compiling them is what takes the time. The library
# that they test is the one that users get.
add_library(tessera_short INTERFACE)
if(TESSERA_SANITIZE OR CMAKE_C_COMPILER_ID STREQUAL "Clang") # whose warnings need no optimiser
    target_compile_options(tessera_short INTERFACE -O0)
else()
    target_compile_options(tessera_short INTERFACE $<$<CONFIG:Release>:-O1>)
endif()

# Kernels are optimised file by file: whole-program optimisation makes the element-wise loops more
# than twice as slow (gcc 12). A kernel file NAME_avx2.c is compiled for AVX2 where the compiler
# knows it, NAME_avx512.c for AVX-512; on other machines they are empty. The
# kernel table asks the processor before it uses the file.
function(tessera_simd_flags)
    include(CheckCCompilerFlag)
    set(kernels ${ARGN})
    list(FILTER kernels INCLUDE REGEX "/src/kernels/")
    set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS -fno-lto)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
        return()
    endif()
    check_c_compiler_flag(-mavx2 TESSERA_HAS_MAVX2)
    set(files ${ARGN})
    list(FILTER files INCLUDE REGEX "_avx2\\.c$")
    if(files AND TESSERA_HAS_MAVX2)
        set_property(SOURCE ${files} APPEND PROPERTY COMPILE_OPTIONS -mavx2)
    endif()
    set(avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512cd)
    set(files ${ARGN})
    list(FILTER files INCLUDE REGEX "_avx512\\.c$")
    set_property(SOURCE ${files} APPEND PROPERTY COMPILE_OPTIONS ${avx512})
endfunction()
