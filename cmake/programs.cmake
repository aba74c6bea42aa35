# SPDX-License-Identifier: Apache-2.0
# Test programs, benchmarks and fuzz drivers, found by name:
#   tests/**/test_*.c    one cmocka program each, a CTest test FOLDER/NAME
#   tests/**/test_*.sh   one CTest test each; tests/habits and tests/install look at the tree
#   bench/bench_*.c      one program each; `make bench` runs them
#   fuzz/fuzz_*.c        one program each: fuzz_NAME SECONDS SEED; a test in the sanitizer build
# Any other .c file below tests/NAME, bench or fuzz is compiled once, into a library of helpers from
# which the programs there take what they need; bench/faces is for baby cores. Targets
# bench_programs, fuzz_programs and oracle_programs build what `make bench`, `make fuzz` and
# `make long` run, and no more.

find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

set(sanitizer_environment
    "ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1" "UBSAN_OPTIONS=print_stacktrace=1")

# What programs and their helpers compile and link with.
function(tessera_program_flags target)
    target_include_directories(${target} PRIVATE
        "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}")
    target_compile_definitions(${target} PRIVATE
        "TESSERA_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\""
        "TESSERA_BINARY_DIR=\"${PROJECT_BINARY_DIR}\"")
    target_link_libraries(${target} PRIVATE tessera_flags tessera_posix ${ARGN}
                          Threads::Threads m)
endfunction()

# The helpers below `folder`, a library HELPERS_FOLDER, unless there are none.
function(tessera_helpers folder)
    file(GLOB_RECURSE helpers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.c")
    list(FILTER helpers EXCLUDE REGEX "/((test|bench|fuzz)_[^/]*|bench/faces/[^/]*)$")
    if(helpers)
        string(MAKE_C_IDENTIFIER "helpers_${folder}" target)
        add_library(${target} STATIC EXCLUDE_FROM_ALL ${helpers})
        tessera_program_flags(${target} ${ARGN})
    endif()
endfunction()

# One program from `source` and the helpers of `folder`, at the same place in the build folder.
function(tessera_program target source folder)
    get_filename_component(name "${source}" NAME_WE)
    get_filename_component(place "${source}" DIRECTORY)
    file(RELATIVE_PATH place "${PROJECT_SOURCE_DIR}" "${place}")
    add_executable(${target} "${source}")
    string(MAKE_C_IDENTIFIER "helpers_${folder}" helpers)
    if(TARGET ${helpers})
        target_link_libraries(${target} PRIVATE ${helpers})
    endif()
    tessera_program_flags(${target} ${ARGN})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${place}")
endfunction()

# Long tests begin first, so that no core waits at the end.
function(tessera_test_properties test timeout cost)
    if(test MATCHES "(install|kernels|oracle|programs)/")
        set(cost 100)
    endif()
    set_tests_properties("${test}" PROPERTIES
        TIMEOUT ${timeout} COST ${cost} ENVIRONMENT "${sanitizer_environment};${ARGN}")
endfunction()

# ---------------------------------------------------------------- tests/**/test_*.c

file(GLOB_RECURSE test_programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/test_*.c")
if(NOT TARGET tessera_commands)
    list(FILTER test_programs EXCLUDE REGEX "/tests/cli/")
endif()
if(NOT TARGET ttsim_wh)
    list(FILTER test_programs EXCLUDE REGEX "/tests/ttsim/")
endif()
set(test_folders "${test_programs}")
list(TRANSFORM test_folders REPLACE "^.*/(tests/[^/]*)/.*$" "\\1")
list(REMOVE_DUPLICATES test_folders)
foreach(folder IN LISTS test_folders)
    set(libraries tessera tessera_no_lto PkgConfig::cmocka)
    if(NOT folder MATCHES "^tests/(kernels|oracle)$")
        list(APPEND libraries tessera_short)
    endif()
    if(folder STREQUAL "tests/cli")
        list(APPEND libraries tessera_commands)
    endif()
    tessera_helpers("${folder}" ${libraries})
    set(folder_programs ${test_programs})
    list(FILTER folder_programs INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${folder}/")
    foreach(source IN LISTS folder_programs)
        get_filename_component(target "${source}" NAME_WE)
        file(RELATIVE_PATH test "${PROJECT_SOURCE_DIR}/tests" "${source}")
        string(REGEX REPLACE "test_([^/]*)\\.c$" "\\1" test "${TESSERA_TEST_PREFIX}${test}")
        tessera_program(${target} "${source}" "${folder}" ${libraries})
        if(folder STREQUAL "tests/ttsim") # loads them
            target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
            add_dependencies(${target} ttsim_wh ttsim_bh)
        endif()
        add_test(NAME "${test}" COMMAND ${target})
        tessera_test_properties("${test}" 180 1)
        if(target STREQUAL "test_run_oracle") # this seed has found what the first one did not
            add_test(NAME "${test}_5" COMMAND ${target} 6000 5)
            tessera_test_properties("${test}_5" 180 1)
        endif()
        if(folder STREQUAL "tests/oracle" OR target STREQUAL "test_kernels_vector")
            list(APPEND oracle_programs ${target})
        endif()
    endforeach()
endforeach()
add_custom_target(oracle_programs DEPENDS ${oracle_programs})

# ---------------------------------------------------------------- tests/**/test_*.sh

# What reads the tree alone (habits, tables) says the same in every build, and what is installed can
# be judged only where no sanitizer has added its own.
file(GLOB_RECURSE test_scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/test_*.sh")
if(NOT TARGET ttsim_wh)
    list(FILTER test_scripts EXCLUDE REGEX "/tests/ttsim/")
endif()
if(NOT TESSERA_HABITS)
    list(FILTER test_scripts EXCLUDE REGEX "/tests/(habits|tables)/")
endif()
# The long ones that compare what runs print run the same code as others that sanitizers look at.
if(TESSERA_SANITIZE)
    list(FILTER test_scripts EXCLUDE REGEX "/tests/install/")
    list(FILTER test_scripts EXCLUDE REGEX
         "/test_(schedules|case_races|pasted_waits|example_races|explain|deletions)\\.sh$")
    list(FILTER test_scripts EXCLUDE REGEX "/test_example_(grid_)?matmul\\.sh$")
endif()
foreach(source IN LISTS test_scripts)
    file(RELATIVE_PATH test "${PROJECT_SOURCE_DIR}/tests" "${source}")
    string(REGEX REPLACE "test_([^/]*)\\.sh$" "\\1" test "${TESSERA_TEST_PREFIX}${test}")
    add_test(NAME "${test}" COMMAND sh "${source}")
    tessera_test_properties("${test}" 300 1
        "TESSERA=${PROJECT_BINARY_DIR}/tessera" "SOURCE_DIR=${PROJECT_SOURCE_DIR}"
        "BUILD_DIR=${PROJECT_BINARY_DIR}" "CC=${CMAKE_C_COMPILER}" "VERSION=${PROJECT_VERSION}")
    # A script that cannot look at what it compares with says so and leaves with 77.
    set_tests_properties("${test}" PROPERTIES SKIP_RETURN_CODE 77)
endforeach()

# ---------------------------------------------------------------- bench/ and fuzz/

# Optimised as a whole, each takes as long to link as the command: then only `make bench` does it.
tessera_helpers(bench ${fast_library} tessera_lto)
file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/bench_*.c")
foreach(source IN LISTS bench_sources)
    get_filename_component(target "${source}" NAME_WE)
    set(libraries ${fast_library} tessera_lto)
    if(target STREQUAL "bench_compiled") # programs are read as the command reads them
        if(NOT TARGET tessera_commands)
            continue()
        endif()
        list(PREPEND libraries tessera_commands)
    endif()
    tessera_program(${target} "${source}" bench ${libraries})
    if(target STREQUAL "bench_compiled")
        add_dependencies(${target} tessera_tool)
    endif()
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ${TESSERA_LTO})
    list(APPEND bench_programs ${target})
endforeach()
add_custom_target(bench_programs DEPENDS ${bench_programs})

tessera_helpers(fuzz tessera tessera_no_lto)
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c")
foreach(source IN LISTS fuzz_sources)
    get_filename_component(target "${source}" NAME_WE)
    set(libraries tessera tessera_no_lto)
    if(target MATCHES "^fuzz_(elf|grid)$") # what the command reads
        if(NOT TARGET tessera_commands)
            continue()
        endif()
        list(APPEND libraries tessera_commands)
    endif()
    if(target STREQUAL "fuzz_ttsim" AND NOT TARGET ttsim_wh)
        continue()
    endif()
    tessera_program(${target} "${source}" fuzz ${libraries})
    if(target STREQUAL "fuzz_ttsim") # loads them
        target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
        add_dependencies(${target} ttsim_wh ttsim_bh)
    endif()
    list(APPEND fuzz_programs ${target})
    if(TESSERA_SANITIZE)
        set(test "${TESSERA_TEST_PREFIX}fuzz/${target}")
        add_test(NAME "${test}" COMMAND ${target} ${TESSERA_FUZZ_SECONDS} 1)
        math(EXPR limit "${TESSERA_FUZZ_SECONDS} + 60")
        tessera_test_properties("${test}" ${limit} 1000)
    endif()
endforeach()
add_custom_target(fuzz_programs DEPENDS ${fuzz_programs})
