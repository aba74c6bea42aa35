# SPDX-License-Identifier: Apache-2.0
# Test programs, benchmarks and fuzz drivers, found by name:
#   tests/**/test_*.c    one cmocka program each, a CTest test FOLDER/NAME
#   tests/**/test_*.sh   one CTest test each; tests/habits and tests/install look at the tree
#   bench/bench_*.c      one program each; `make bench` runs them
#   fuzz/fuzz_*.c        one program each: fuzz_NAME SECONDS SEED; a test in the sanitizer build
# Any other .c file is linked into all programs of its folder.

find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

set(sanitizer_environment
    "ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1" "UBSAN_OPTIONS=print_stacktrace=1")

# One program from `source` and its folder's helper files, at the same place in the build folder.
function(tessera_program target source)
    get_filename_component(folder "${source}" DIRECTORY)
    get_filename_component(name "${source}" NAME_WE)
    file(RELATIVE_PATH place "${PROJECT_SOURCE_DIR}" "${folder}")
    file(GLOB helpers CONFIGURE_DEPENDS "${folder}/*.c")
    list(FILTER helpers EXCLUDE REGEX "/(test|bench|fuzz)_[^/]*$")
    add_executable(${target} "${source}" ${helpers})
    target_include_directories(${target} PRIVATE
        "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}")
    target_compile_definitions(${target} PRIVATE
        "TESSERA_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
    target_link_libraries(${target} PRIVATE tessera tessera_flags tessera_posix
                          Threads::Threads m)
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${place}")
endfunction()

function(tessera_test_properties test timeout)
    set_tests_properties("${test}" PROPERTIES
        TIMEOUT ${timeout} ENVIRONMENT "${sanitizer_environment};${ARGN}")
endfunction()

# ---------------------------------------------------------------- tests/**/test_*.c

file(GLOB_RECURSE test_programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/test_*.c")
if(NOT TARGET tessera_commands)
    list(FILTER test_programs EXCLUDE REGEX "/tests/cli/")
endif()
foreach(source IN LISTS test_programs)
    get_filename_component(target "${source}" NAME_WE)
    file(RELATIVE_PATH test "${PROJECT_SOURCE_DIR}/tests" "${source}")
    string(REGEX REPLACE "test_([^/]*)\\.c$" "\\1" test "${TESSERA_TEST_PREFIX}${test}")
    tessera_program(${target} "${source}")
    target_link_libraries(${target} PRIVATE PkgConfig::cmocka)
    if(TARGET tessera_no_lto)
        target_link_libraries(${target} PRIVATE tessera_no_lto)
    endif()
    if(source MATCHES "/tests/cli/")
        target_link_libraries(${target} PRIVATE tessera_commands)
    endif()
    add_test(NAME "${test}" COMMAND ${target})
    tessera_test_properties("${test}" 180)
endforeach()

# ---------------------------------------------------------------- tests/**/test_*.sh

# The library's symbols can be judged only where no sanitizer has added its own.
file(GLOB_RECURSE test_scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/test_*.sh")
if(NOT TESSERA_HABITS)
    list(FILTER test_scripts EXCLUDE REGEX "/tests/(habits|install)/")
endif()
foreach(source IN LISTS test_scripts)
    file(RELATIVE_PATH test "${PROJECT_SOURCE_DIR}/tests" "${source}")
    string(REGEX REPLACE "test_([^/]*)\\.sh$" "\\1" test "${TESSERA_TEST_PREFIX}${test}")
    add_test(NAME "${test}" COMMAND sh "${source}")
    tessera_test_properties("${test}" 300
        "TESSERA=${PROJECT_BINARY_DIR}/tessera" "SOURCE_DIR=${PROJECT_SOURCE_DIR}"
        "BUILD_DIR=${PROJECT_BINARY_DIR}" "CC=${CMAKE_C_COMPILER}" "VERSION=${PROJECT_VERSION}")
    # A script that cannot look at what it compares with says so and leaves with 77.
    set_tests_properties("${test}" PROPERTIES SKIP_RETURN_CODE 77)
endforeach()

# ---------------------------------------------------------------- bench/ and fuzz/

file(GLOB bench_programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/bench_*.c")
foreach(source IN LISTS bench_programs)
    get_filename_component(target "${source}" NAME_WE)
    tessera_program(${target} "${source}")
    target_link_libraries(${target} PRIVATE tessera_lto)
endforeach()

file(GLOB fuzz_programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c")
foreach(source IN LISTS fuzz_programs)
    get_filename_component(target "${source}" NAME_WE)
    tessera_program(${target} "${source}")
    if(TARGET tessera_no_lto)
        target_link_libraries(${target} PRIVATE tessera_no_lto)
    endif()
    if(TESSERA_SANITIZE)
        set(test "${TESSERA_TEST_PREFIX}fuzz/${target}")
        add_test(NAME "${test}" COMMAND ${target} ${TESSERA_FUZZ_SECONDS} 1)
        math(EXPR limit "${TESSERA_FUZZ_SECONDS} + 60")
        tessera_test_properties("${test}" ${limit})
        # The longest tests: begin with them.
        set_tests_properties("${test}" PROPERTIES COST 1000)
    endif()
endforeach()
