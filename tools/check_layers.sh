#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_layers.sh [ROOT]
# Refuses an include that goes against the direction of docs/architecture.md: each folder of src/
# sees itself and the folders named in the table below, the command sees the public headers only.
set -eu
cd "${1:-.}"
LC_ALL=C
export LC_ALL

find src cli include machine -type f \( -name '*.[ch]' -o -name '*.def' \) 2>/dev/null | sort |
awk '
BEGIN {
    sees["base"] = "base"
    sees["numerics"] = "numerics base"
    sees["kernels"] = "kernels numerics base"
    sees["isa"] = "isa base"
    sees["state"] = "state isa base"
    split("unpack matrix vector pack control", units, " ")
    for (i in units) {
        sees[units[i]] = units[i] " state isa kernels numerics base"
        all_units = all_units " " units[i]
    }
    sees["frontend"] = "frontend" all_units " state isa kernels numerics base"
    sees["riscv"] = "riscv base"
    sees["observe"] = "observe isa base"
    sees["tile"] = "tile riscv observe " sees["frontend"]
    sees["chip"] = "chip " sees["tile"]

    # Rows of the machine are read where tables are made of them, and nowhere else.
    reads_rows = " base isa state frontend tile "
    system_headers = " assert.h ctype.h inttypes.h limits.h stdalign.h stdarg.h stdbool.h" \
        " stddef.h stdint.h stdio.h stdlib.h string.h stdatomic.h threads.h "
    intrinsics = " immintrin.h arm_neon.h "
}
function refuse(why) {
    printf "%s:%d: #include %s: %s\n", file, line, target, why
    bad++
}
function one_of(word, list) { return index(" " list " ", " " word " ") > 0 }
function exists(path,    answer, text) {
    answer = (getline text < path) >= 0
    close(path)
    return answer
}
function check_src(    layer, other) {
    split(file, part, "/")
    layer = part[2]
    if (!(layer in sees)) {
        refuse("src/" layer " has no place in the table of layers")
    } else if (angle) {
        if (name ~ /^tessera\/[a-z0-9_]+\.h$/ || one_of(name, system_headers)) return
        if (layer == "kernels" && one_of(name, intrinsics)) return
        refuse("the library includes public headers and the C library only")
    } else if (name ~ /^(\.\.\/\.\.\/)?machine\/[a-z0-9_]+\.def$/) {
        if (!one_of(layer, reads_rows)) refuse("src/" layer " does not read rows of machine/")
    } else if (name !~ /^[a-z0-9_]+\/[a-z0-9_\/]+\.(h|def|inc)$/) {
        refuse("write \"folder/file.h\", relative to src/")
    } else {
        other = name
        sub(/\/.*/, "", other)
        if (!one_of(other, sees[layer])) refuse("src/" layer " must not see src/" other)
    }
}
function check_cli(    near) {
    if (angle) {
        if (name ~ /\// && name !~ /^(tessera|sys)\/[a-z0-9_]+\.h$/)
            refuse("the command sees <tessera/...> and system headers only")
        return
    }
    near = file
    sub(/[^\/]*$/, "", near)
    if (name ~ /\.\./ || !(exists(near name) || exists("cli/" name)))
        refuse("no header of the command")
}
function check_include() {
    if (!angle || (name !~ /^tessera\// && name !~ /^std(bool|def|int)\.h$/))
        refuse("a public header includes <tessera/...>, stdbool.h, stddef.h and stdint.h only")
}
function check_machine() {
    if (angle || name !~ /^(machine\/)?[a-z0-9_]+\.def$/)
        refuse("rows include rows only")
}
{
    file = $0
    line = 0
    while ((getline text < file) > 0) {
        line++
        if (text !~ /^[ \t]*#[ \t]*include/) continue
        target = text
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
        sub(/[ \t]*(\/\/|\/\*).*$/, "", target)
        if (target !~ /^(<[^>]*>|"[^"]*")[ \t]*$/) continue # a macro or #include inside text
        angle = target ~ /^</
        name = target
        gsub(/[<>" \t]/, "", name)
        if (file ~ /^src\//) check_src()
        else if (file ~ /^cli\//) check_cli()
        else if (file ~ /^include\//) check_include()
        else check_machine()
    }
    close(file)
    files++
}
END {
    if (!files) { print "check_layers: no source here"; exit 1 }
    printf "check_layers: %d files, %d refused\n", files, bad
    exit bad > 0
}'
