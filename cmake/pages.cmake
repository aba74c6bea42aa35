# SPDX-License-Identifier: Apache-2.0
# Run after the command is linked: cmake -DTOOL=COMMAND -DFOLDER=PLACE -P pages.cmake writes its
# manual pages and completion scripts below FOLDER, as they lie below share/ when installed, and
# what kernels in C need of each chip: headers in include/, linker scripts in tessera/CHIP/.
function(write_page file)
    execute_process(COMMAND "${TOOL}" ${ARGN} OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}/man/man1" "${FOLDER}/bash-completion/completions"
     "${FOLDER}/zsh/site-functions" "${FOLDER}/fish/vendor_completions.d")
execute_process(COMMAND "${TOOL}" man --list OUTPUT_VARIABLE pages COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" pages "${pages}")
foreach(page IN LISTS pages)
    string(REGEX REPLACE "^tessera-?" "" command "${page}")
    write_page("${FOLDER}/man/man1/${page}.1" man ${command})
endforeach()
write_page("${FOLDER}/bash-completion/completions/tessera" completion bash)
write_page("${FOLDER}/zsh/site-functions/_tessera" completion zsh)
write_page("${FOLDER}/fish/vendor_completions.d/tessera.fish" completion fish)

file(MAKE_DIRECTORY "${FOLDER}/include")
foreach(chip IN ITEMS wormhole_b0 blackhole_a0)
    write_page("${FOLDER}/include/${chip}.h" kernel-header --arch ${chip})
    file(MAKE_DIRECTORY "${FOLDER}/tessera/${chip}")
    foreach(core IN ITEMS brisc trisc0 trisc1 trisc2 ncrisc)
        write_page("${FOLDER}/tessera/${chip}/${core}.ld"
                   kernel-header --arch ${chip} --linker-script ${core})
    endforeach()
endforeach()
