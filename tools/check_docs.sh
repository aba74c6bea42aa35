#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_docs.sh [ROOT]
# Refuses a reference in README.md, CONTRIBUTING.md or docs/ to something that is not there: a link
# to a file, or in backticks a file (`x.c`, `folder/x.h`, `x_*.c`, `x.c:name`), a folder of the
# project, a `function()` (also whether it is in the files of "`function()` in `x.c`, `y.c`"), or
# a name that begins with tsr_, TSR_ or test_ or stands after `struct`. A word in capitals stands
# for any (`tests/unit/UNIT`). Pages of the ISA documentation begin with their chip, or are cited in
# src/ or machine/.
set -eu
cd "${1:-.}"
LC_ALL=C
export LC_ALL

sources=$(ls -d src cli ttsim include machine tests tools bench fuzz examples cmake \
    2>/dev/null || :)
documents=$(ls README.md CONTRIBUTING.md docs/*.md 2>/dev/null || :)
if [ -z "$documents" ]; then
    echo 'check_docs: no document here'
    exit 1
fi

{
    # shellcheck disable=SC2086 # lists of names
    find $sources $documents Makefile CMakeLists.txt CMakePresets.json .clang-format \
        2>/dev/null | sed 's/^/file /'
    grep -rhoE '[A-Za-z0-9_/-]+\.md' src machine 2>/dev/null | sort -u | sed 's/^/page /'
    # shellcheck disable=SC2086
    grep -rhvE --include='*.[ch]' --include='*.def' --include='*.inc' --include='*.sh' '^ *//' \
        $sources /dev/null |
        grep -oE '[A-Za-z_][A-Za-z0-9_]*\(?' | awk '!seen[$0]++ { print "word " $0 }'
    echo "$documents" | sed 's/^/document /'
} |
awk '
BEGIN {
    kinds = "c|h|def|inc|sh|awk|cmake|ttasm|list|md|txt|csv"
    folders = "src|cli|ttsim|include|machine|tests|tools|bench|fuzz|examples|cmake|docs"
    file_name = "^[A-Za-z0-9_./*-]+\\.(" kinds ")(:[a-z0-9_*]+)?$"
    placed = "`[A-Za-z0-9_]+[(][)]` in `[^` ]+[.][ch]`(, `[^` ]+[.][ch]`)*"
    folder_name = "^(" folders ")/[A-Za-z0-9_./*-]*$"
}
function refuse(what, why) { printf "%s:%d: `%s`: %s\n", document, line, what, why; bad++ }

# The regular expression for paths that `text` names: * and words in capitals stand for anything.
function pattern_of(text) {
    while (match(text, /(^|[\/_])[A-Z][A-Z]+([.\/_]|$)/)) {
        sub(/[A-Z][A-Z]+/, "*", text)
    }
    gsub(/[.+?()\[\]]/, "[&]", text)
    gsub(/\*+/, "[^ ]*", text)
    return "(^|/)" text "$"
}

# The first file or folder that `text` names, by its path or the end of it; "" if none does.
function path_of(text,    pattern, i) {
    sub(/^(\.\.?\/)+/, "", text)
    sub(/\/$/, "", text)
    if (text in path) return text
    if (text in found) return found[text]
    if (text ~ /^README\.md$|^CMakeLists\.txt$|^Makefile$/) return text
    found[text] = ""
    pattern = pattern_of(text)
    for (i = 1; i <= files && found[text] == ""; i++)
        if (file[i] ~ pattern) found[text] = file[i]
    return found[text]
}
function page_named(text,    i) {
    if (text ~ /^(WormholeB0|BlackholeA0)\//) return 1
    for (i = 1; i <= pages; i++)
        if (("/" page[i]) ~ ("/" text "$")) return 1
    return 0
}
function has_word(path, word,    text, answer) {
    while (!answer && (getline text < path) > 0)
        answer = text ~ ("(^|[^A-Za-z0-9_])" word "([^A-Za-z0-9_]|$)")
    close(path)
    return answer
}

function check_file(text, name,    where) {
    if (text ~ /^(\.\.\/shared\/|([*.]*|[A-Z]+)\.[a-z]+$)/) return # outside, or any file of a kind
    where = path_of(text)
    if (where == "" && text ~ /\.md$/ && page_named(text)) return
    if (where == "") refuse(text, "there is no such file")
    else if (name != "" && !has_word(where, name)) refuse(text ":" name, "not in that file")
}

function known(name) { return name in word || (name "(") in word }

function starts_word(text,    name) {
    if (!sub(/\*$/, "", text)) return known(text)
    for (name in word)
        if (index(name, text) == 1) return 1
    return 0
}

function check_token(text, after,    part) {
    gsub(/^[("\047<]+|[)"\047>,;]+$/, "", text)
    if (text ~ file_name) {
        split(text, part, ":")
        if (part[2] ~ /[^a-z0-9_]|^[0-9]+$/) part[2] = ""
        check_file(part[1], part[2])
    } else if (text ~ folder_name) {
        if (path_of(text) == "") refuse(text, "there is no such folder or file")
    } else if (text ~ /^[a-z_][A-Za-z0-9_]*\($/) {
        if (!(text in word)) refuse(text ")", "there is no such function")
    } else if (text ~ /^test_[a-z0-9_*]+$/) {
        if (!starts_word(text) && path_of(text ".c") == "") refuse(text, "there is no such test")
    } else if (text ~ /^(tsr|TSR)_[A-Za-z0-9_]+(\.[a-z0-9_]+)*$/ || after == "struct") {
        split(text, part, ".")
        for (after = 1; after in part; after++)
            if (part[after] ~ /^[A-Za-z0-9_]+$/ && !known(part[after]))
                refuse(text, "there is no such name")
    }
}

function check_span(text,    n, i, token) {
    spans++
    gsub(/\(\)/, "( ", text) # so that the name of a function ends with its bracket
    n = split(text, token, /[ \t]+/)
    for (i = 1; i <= n; i++)
        check_token(token[i], i > 1 ? token[i - 1] : "")
}

# `text` is "`name()` in `a.c`, `b.c`": the function must be in one of the files.
function check_place(text,    half, place, n, i, where) {
    split(text, half, /\(\)` in /)
    gsub(/[`,]/, "", half[1])
    gsub(/[`,]/, "", half[2])
    if (!((half[1] "(") in word)) return # refused already
    n = split(half[2], place, " ")
    for (i = 1; i <= n; i++) {
        where = path_of(place[i])
        if (where != "" && has_word(where, half[1])) return
    }
    refuse(half[1] "()", "not in " half[2])
}

function check_link(text,    folder, shown) {
    shown = text
    sub(/#.*/, "", text)
    if (text == "" || text ~ /^[a-z]+:/) return
    folder = document
    sub(/[^\/]*$/, "", folder)
    text = folder text
    while (sub(/[^\/.]+\/\.\.\//, "", text)) { }
    if (!(text in path)) refuse(shown, "the link leads nowhere")
}

$1 == "file" { path[$2] = 1; file[++files] = $2; next }
$1 == "page" { page[++pages] = $2; next }
$1 == "word" { word[$2] = 1; next }
{
    document = $2
    line = fenced = 0
    documents++
    while ((getline text < document) > 0) {
        line++
        if (text ~ /^```/) fenced = !fenced
        if (fenced || text ~ /^(    |```)/) continue
        rest = text
        while (match(rest, placed)) {
            span = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            check_place(span)
        }
        rest = text
        while (match(rest, /`[^`]+`/)) {
            span = substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            check_span(span)
        }
        while (match(text, /\]\([^)]+\)/)) {
            span = substr(text, RSTART + 2, RLENGTH - 3)
            text = substr(text, RSTART + RLENGTH)
            check_link(span)
        }
    }
    close(document)
}
END {
    printf "check_docs: %d documents, %d spans, %d refused\n", documents, spans, bad
    exit bad > 0
}'
