#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_layers.sh [ROOT]
# Refuses an include that goes against the direction of docs/architecture.md: each folder of src/
# sees itself and the folders named in the table below. The command sees the public headers only; of
# its rooms (folders of cli/) each sees those of the second table, and the commands see all of them.
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

    room_sees["common"] = "common"
    room_sees["tensor"] = "tensor common"
    room_sees["ttasm"] = "ttasm tensor common"
    room_sees["run"] = "run ttasm tensor common"
    room_sees["check"] = "check common"
    room_sees["explain"] = "explain common"

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
function check_cli(    room, other) {
    room = ""
    if (split(file, part, "/") > 2) {
        room = part[2]
        if (!(room in room_sees)) {
            refuse("cli/" room " has no place in the table of rooms")
            return
        }
    }
    if (angle) {
        if (name ~ /\// && name !~ /^(tessera|sys)\/[a-z0-9_]+\.h$/)
            refuse("the command sees <tessera/...> and system headers only")
    } else if (room == "" && name ~ /^[a-z0-9_]+\.h$/) {
        return
    } else if (name !~ /^[a-z0-9_]+\/[a-z0-9_]+\.(h|def)$/) {
        refuse("write \"room/file.h\", relative to cli/")
    } else {
        other = name
        sub(/\/.*/, "", other)
        if (!(other in room_sees)) refuse("cli/ has no room " other)
        else if (room != "" && !one_of(other, room_sees[room]))
            refuse("cli/" room " must not see cli/" other)
    }
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
