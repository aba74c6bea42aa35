#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_style.sh [ROOT]
# Refuses what CONTRIBUTING.md rules out and a script can see: licence line, header comment, width,
# tabs, trailing blanks, long files and functions; in src/ also printing, exiting, host floating
# point and conditional compilation on the chip. Functions over 60 lines are listed,
# over 100 refused.
set -eu
code_of=$(cat "$(dirname "$0")/c_code.awk")
cd "${1:-.}"
LC_ALL=C
export LC_ALL

find src cli ttsim include machine tests bench fuzz tools cmake examples \
    CMakeLists.txt Makefile .ci \
    -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' -o -name '*.sh' -o -name '*.awk' \
    -o -name '*.cmake' -o -name '*.ttasm' -o -name CMakeLists.txt -o -name Makefile \
    -o -path '.ci/*' \) 2>/dev/null |
sort |
awk "$code_of"'
function refuse(why) { printf "%s:%d: %s\n", file, line, why; bad++ }

function calls(code, names) { return code ~ ("(^|[^A-Za-z0-9_])(" names ")[ ]*\\(") }

function check_header(text) {
    if (!is_c && line == 1 && text ~ /^#!/) { shift = 1; return }
    if (line == 1 + shift) {
        licensed = text ~ /^(\/\/|#|;) SPDX-License-Identifier: Apache-2\.0$/
        if (!licensed) refuse("no SPDX-License-Identifier: Apache-2.0 at the top")
    }
    if (line == 2 + shift && licensed && text !~ /^(\/\/|#|;) ?[^ ]/)
        refuse("no header comment that says what the file owns")
}

function check_text(text,    shown) {
    shown = text
    gsub(/[\200-\277]/, "", shown) # bytes after the first of a character
    if (length(shown) > 100) refuse("over 100 columns (" length(shown) ")")
    if (text ~ /\t/ && file !~ /(^|\/)Makefile$/) refuse("tab")
    if (text ~ /[ \t\r]$/) refuse("blank at the end of the line")
}

function check_library(code) {
    if (calls(code, "printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|putc|fputc|fwrite|perror"))
        refuse("the library does not print")
    if (calls(code, "exit|_Exit|quick_exit|abort|assert"))
        refuse("the library does not end the process")
    if (code ~ /(^|[^A-Za-z0-9_])(float|double)([^A-Za-z0-9_]|$)/)
        refuse("no host floating point in the library")
    if (code ~ /^ *# *(if|elif).*(WORMHOLE|BLACKHOLE|_WH|_BH|ARCH)/)
        refuse("the chip is chosen by data, not by the preprocessor")
}

# A function body stands between a brace in the first column, or a definition that ends in `) {`,
# and the next closing brace in the first column.
function check_function(code,    size) {
    if (code ~ /^[A-Za-z_].*\(/) what = code
    if (code ~ /^\{/ || (what != "" && code ~ /\) *\{ *$/)) {
        if (!opened) opened = line
    } else if (code ~ /^\}/ && opened) {
        size = line - opened - 1
        sub(/\(.*/, "", what)
        if (size > 100) refuse("the function that ends here has " size " lines: " what)
        else if (size > 60) printf "%s:%d: note: %d lines: %s\n", file, opened, size, what
        opened = 0
    }
    if (!opened && code ~ /[;}]/) what = ""
}

{
    file = $0
    line = shift = in_comment = opened = 0
    what = ""
    is_c = file ~ /\.(c|h|def|inc)$/
    while ((getline text < file) > 0) {
        line++
        check_header(text)
        check_text(text)
        if (!is_c) continue
        code = code_of(text)
        if (file ~ /^src\//) check_library(code)
        if (file ~ /\.c$/) check_function(code)
    }
    close(file)
    if (line > 700 && file !~ /^machine\/.*\.def$/) refuse("over 700 lines")
    files++
}
END {
    if (!files) { print "check_style: no source here"; exit 1 }
    printf "check_style: %d files, %d refused\n", files, bad
    exit bad > 0
}'
