#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_layers.sh [ROOT [CIRCLES]]
# Refuses an include that goes against the direction of docs/architecture.md: each folder of src/
# sees itself and the folders named in the table below. The command sees the public headers only; of
# its rooms (folders of cli/) each sees those of the second table, and the commands see all of them.
# ttsim/, the vendor's interface over the public one, sees the public headers only, too.
# Refuses circles between files, too. `x.c` and `x.h` are one file here: if x.c includes y.h and
# y.c includes x.h, neither can be read without the other. It is the same if x.c names a function of
# y.c, whichever header declares it, and y.c one of x.c.
set -eu
code_of=$(cat "$(dirname "$0")/c_code.awk")

# Circles that are still there: one a line, its files without their endings. CIRCLES replaces it.
# A listed circle may be smaller than its line, but a line without any is refused.
still_allowed='
'
cd "${1:-.}"
ALLOWED=${2-$still_allowed}
LC_ALL=C
export ALLOWED LC_ALL

find src cli ttsim include machine -type f \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' \) 2>/dev/null | sort |
awk "$code_of"'
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
    sees["riscv"] = "riscv isa base"
    sees["observe"] = "observe isa base"
    sees["tile"] = "tile riscv observe " sees["frontend"]
    sees["chip"] = "chip " sees["tile"]

    room_sees["common"] = "common"
    room_sees["tensor"] = "tensor common"
    room_sees["ttasm"] = "ttasm tensor common"
    room_sees["run"] = "run elf ttasm tensor common"
    room_sees["chip"] = "chip run elf tensor common"
    room_sees["check"] = "check common"
    room_sees["explain"] = "explain common"
    room_sees["pages"] = "pages common"
    room_sees["kernel"] = "kernel common"
    room_sees["elf"] = "elf common"

    # Rows of the machine are read where tables are made of them, and nowhere else.
    reads_rows = " base isa state frontend riscv tile chip "
    system_headers = " assert.h ctype.h inttypes.h limits.h stdalign.h stdarg.h stdbool.h" \
        " stddef.h stdint.h stdio.h stdlib.h string.h stdatomic.h threads.h "
    intrinsics = " immintrin.h arm_neon.h "
    maps_memory = "src/base/fresh_pages.c"
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
        if (file == maps_memory && name == "sys/mman.h") return
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
        if (name ~ /\// && name !~ /^(tessera|sys|elfutils)\/[a-z0-9_]+\.h$/)
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
function check_ttsim() {
    if (angle ? name ~ /\// && name !~ /^tessera\/[a-z0-9_]+\.h$/ : name !~ /^[a-z0-9_]+\.h$/)
        refuse("ttsim/ sees <tessera/...>, system headers and its own files only")
}
function check_include() {
    if (!angle || (name !~ /^tessera\// && name !~ /^std(bool|def|int)\.h$/))
        refuse("a public header includes <tessera/...>, stdbool.h, stddef.h and stdint.h only")
}
function check_machine() {
    if (angle || name !~ /^(machine\/)?[a-z0-9_]+\.def$/)
        refuse("rows include rows only")
}

# ---------------------------------------------------------------- circles

function stem_of(path) { sub(/\.[a-z]*$/, "", path); return path }

# Functions that others can see: a definition stands in the first column, without `static`, and its
# body begins with a brace in the first column. Names that may be such functions are kept for later.
function note_names(code,    name) {
    if (code ~ /^[a-z].*[ *][a-z0-9_]+\(/) {
        defined = code
        sub(/\(.*/, "", defined)
        sub(/.*[ *]/, "", defined)
        if (code ~ /^(static|typedef|extern) /) {
            own[file, defined] = 1
            defined = ""
        }
    }
    if (code ~ /;[ ]*$/) defined = ""
    if (code ~ /^\{/ && defined != "" && !(defined in home)) home[defined] = stem_of(file)
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*\(?/)) {
        name = substr(code, RSTART, RLENGTH)
        code = substr(code, RSTART + RLENGTH)
        if (name !~ /_/ && name !~ /\($/) continue
        sub(/\($/, "", name)
        if ((file, name) in named) continue
        named[file, name] = 1
        name_file[++name_count] = file
        name_line[name_count] = line
        name_text[name_count] = name
    }
}

function add_edge(from, to, shown, how) {
    if (to == "" || from == to || (from, to) in place) return
    place[from, to] = how
    header[from, to] = shown
    next_of[from, ++degree[from]] = to
}

# The file of this tree that an include in `from` means, or "" for a header of the system.
function resolved(from, target,    near) {
    near = from
    sub(/[^\/]*$/, "", near)
    sub(/^(\.\.\/)+/, "", target)
    if (near target in seen) return near target
    if ("src/" target in seen) return "src/" target
    if ("cli/" target in seen) return "cli/" target
    if ("include/" target in seen) return "include/" target
    return target in seen ? target : ""
}

# Fills `reached` (a list), `before` and `distance` with what can be reached from `start`, nearest
# first, inside the circle `inside` if that is not 0.
function search(start, inside,    list, head, n, to, i) {
    split("", before)
    split("", distance)
    reached = start
    distance[start] = 0
    list[1] = start
    n = 1
    for (head = 1; head <= n; head++)
        for (i = 1; i <= degree[list[head]]; i++) {
            to = next_of[list[head], i]
            if (to in distance || gone[to] || (inside && circle[to] != inside)) continue
            distance[to] = distance[list[head]] + 1
            before[to] = list[head]
            list[++n] = to
            reached = reached " " to
        }
}

# Leaves the files that stand in a circle or between two: others have no way in or no way out.
function drop_the_rest(    dropped, stem, i, n) {
    do {
        dropped = 0
        split("", entered)
        for (stem in stems) if (!gone[stem])
            for (i = 1; i <= degree[stem]; i++) entered[next_of[stem, i]] = 1
        for (stem in stems) if (!gone[stem]) {
            n = 0
            for (i = 1; i <= degree[stem]; i++) n += !gone[next_of[stem, i]]
            if (n && stem in entered) continue
            gone[stem] = 1
            dropped = 1
        }
    } while (dropped)
}

# Gives all files that can reach each other one number in `circle`.
function number_circles(    i, j, n, word) {
    for (i = 1; i <= stem_count; i++) if (!gone[order[i]]) {
        search(order[i], 0)
        n = split(reached, word, " ")
        for (j = 1; j <= n; j++) reaches[order[i], word[j]] = 1
    }
    for (i = 1; i <= stem_count; i++) {
        if (gone[order[i]] || circle[order[i]]) continue
        for (j = i + 1; j <= stem_count; j++)
            if ((order[i], order[j]) in reaches && (order[j], order[i]) in reaches) {
                if (!circle[order[i]]) members[circle[order[i]] = ++circles] = order[i]
                circle[order[j]] = circles
                members[circles] = members[circles] " " order[j]
            }
    }
}

# Prints the shortest way around circle `which`.
function show(which,    best, start, i, n, word, names, places, stem, size) {
    n = split(members[which], word, " ")
    for (i = 1; i <= n; i++) {
        search(word[i], which)
        for (stem in distance)
            if ((stem, word[i]) in place && (!size || distance[stem] < size)) {
                size = distance[stem]
                best = word[i]
            }
    }
    search(best, which)
    for (stem in distance)
        if (distance[stem] == size && (stem, best) in place) break
    names = header[stem, best]
    start = names
    places = "    " place[stem, best]
    for (; stem != best; stem = before[stem]) {
        names = header[before[stem], stem] " -> " names
        places = "    " place[before[stem], stem] "\n" places
    }
    printf "circle of %d files: %s -> %s\n%s\n", n, start, names, places
}

function check_circles(    i, j, from, to, to_file, n, row, rows, word, words, used, all, allowed) {
    for (i = 1; i <= include_count; i++) {
        to_file = resolved(from_file[i], to_name[i])
        add_edge(stem_of(from_file[i]), stem_of(to_file), to_file,
                 from_file[i] ":" at_line[i] " includes " to_name[i])
    }
    for (i = 1; i <= name_count; i++) {
        from = name_file[i]
        to = name_text[i]
        if (!(to in home) || (from, to) in own) continue
        add_edge(stem_of(from), home[to], home[to] ".c",
                 from ":" name_line[i] " names " to "() of " home[to] ".c")
    }
    drop_the_rest()
    number_circles()
    allowed = ENVIRON["ALLOWED"]
    gsub(/\\\n/, "", allowed)
    rows = split(allowed, row, "\n")
    for (i = 1; i <= circles; i++) {
        n = split(members[i], word, " ")
        for (j = 1; j <= rows; j++) {
            all = 1
            for (words = 1; words <= n; words++) all = all && one_of(word[words], row[j])
            if (all) break
        }
        if (j <= rows) { used[j] = 1; continue }
        show(i)
        bad++
    }
    for (j = 1; j <= rows; j++)
        if (row[j] != "" && !used[j]) {
            printf "stale: no circle any more: %s\n", row[j]
            bad++
        }
}

{
    seen[$0] = 1
    if (!(stem_of($0) in stems)) {
        stems[stem_of($0)] = 1
        order[++stem_count] = stem_of($0)
    }
    file = $0
    line = in_comment = 0
    defined = ""
    while ((getline text < file) > 0) {
        line++
        if (file ~ /\.c$/ && text !~ /^#/) note_names(code_of(text))
        if (text !~ /^[ \t]*#[ \t]*include/) continue
        target = text
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
        sub(/[ \t]*(\/\/|\/\*).*$/, "", target)
        if (target !~ /^(<[^>]*>|"[^"]*")[ \t]*$/) continue # a macro or #include inside text
        angle = target ~ /^</
        name = target
        gsub(/[<>" \t]/, "", name)
        from_file[++include_count] = file
        at_line[include_count] = line
        to_name[include_count] = name
        if (file ~ /^src\//) check_src()
        else if (file ~ /^cli\//) check_cli()
        else if (file ~ /^ttsim\//) check_ttsim()
        else if (file ~ /^include\//) check_include()
        else check_machine()
    }
    close(file)
    files++
}
END {
    if (!files) { print "check_layers: no source here"; exit 1 }
    check_circles()
    printf "check_layers: %d files, %d circles, %d refused\n", files, circles, bad
    exit bad > 0
}'
