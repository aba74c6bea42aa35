#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: TESSERA=COMMAND tour.sh FILE.md >NEW.md
# Prints FILE.md with the output of each command in it ("    $ COMMAND") as it is now. Output that
# is shortened with a line of three dots is left as it stands. Commands run in a folder of their
# own that holds examples, tests and the command as build/tessera.
set -eu
: "${TESSERA:?}"
root=$(cd "$(dirname "$0")/.." && pwd)
page=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
command=$(cd "$(dirname "$TESSERA")" && pwd)/$(basename "$TESSERA")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/build"
ln -s "$command" "$work/build/tessera"
ln -s "$root/examples" "$root/tests" "$work"
cd "$work"

awk '
function run(    line) {
    if (command == "")
        return
    if (old ~ /\n    [.][.][.]\n/) {
        printf "%s", substr(old, 2)
    } else {
        command = "{ " command "; } 2>/dev/null"
        while ((command | getline line) > 0)
            print line == "" ? "" : "    " line
        close(command)
        if (old ~ /\n\n$/)
            print ""
    }
    command = ""
}
/^    [$] / || more {
    if (!more)
        run()
    print
    text = more ? $0 : substr($0, 7)
    more = sub(/\\$/, "", text)
    command = command text
    old = ""
    if (!more)
        old = "\n"
    next
}
command != "" && ($0 == "" || /^    /) {
    old = old $0 "\n"
    next
}
{ run(); print }
END { run() }' "$page"
