#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_symbols.sh OBJECT-OR-ARCHIVE
# Judges the library by its symbols: no variable that can change, every name that others can see
# begins with tsr_, and nothing is called that prints, ends the process or computes in floats.
set -eu
LC_ALL=C
export LC_ALL

# objdump and not nm: nm shows constant tables of pointers like variables, and asks LTO plug-ins.
symbols=$(objdump -t "$1")
printf '%s\n' "$symbols" | awk '
function refuse(why) { printf "%s: %s: %s\n", object, name, why; bad++ }
/file format/ { object = $1; sub(/:$/, "", object); next }
# VALUE FLAGS(7 columns) SECTION SIZE NAME
!/^[0-9a-f]+ / { next }
{
    match($0, /^[0-9a-f]+ /)
    flags = substr($0, RLENGTH + 1, 7)
    rest = substr($0, RLENGTH + 9)
    split(rest, part, /[ \t]+/)
    section = part[1]
    name = part[3]
    if (name == ".hidden") name = part[4]
    if (flags ~ /[df]/ || name ~ /^__gnu_lto_/ || section ~ /^\.gnu\.debuglto_/) next
    seen++
    writable = section == "*COM*" || section ~ /^\.(data|bss|tdata|tbss|sdata|sbss)/
    if (writable && section !~ /^\.data\.rel\.ro/) refuse("variable in " section)
    if (flags ~ /^[gu!]/ || flags ~ /w/) {
        if (section != "*UND*" && name !~ /^tsr_/) refuse("a visible name begins with tsr_")
    }
    if (section == "*UND*" && name ~ forbidden) refuse("the library must not call this")
}
BEGIN {
    forbidden = "^(v?f?printf|puts|fputs|putchar|putc|fputc|fwrite|perror|stdout|stderr" \
        "|__v?f?printf_chk|exit|_exit|_Exit|quick_exit|abort|__assert_fail" \
        "|rand|srand|strtok|setlocale|sqrtf?|powf?|expf?|exp2f?|logf?|log2f?|floorf?|ceilf?" \
        "|fmaf?|ldexpf?|frexpf?|rintf?|nearbyintf?|roundf?)$"
}
END {
    if (!seen) { print "check_symbols: no symbol here"; exit 1 }
    printf "check_symbols: %d symbols, %d refused\n", seen, bad
    exit bad > 0
}'
