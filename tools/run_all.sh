#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: run_all.sh FOLDER PREFIX [ARGUMENT...]
# Runs every program FOLDER/PREFIX* with the arguments; the first that fails ends it.
set -eu
folder=$1 prefix=$2
shift 2
ran=0
for program in "$folder/$prefix"*; do
    if [ ! -f "$program" ] || [ ! -x "$program" ]; then
        continue
    fi
    echo "== $(basename "$program")${1:+ $*}"
    "$program" "$@"
    ran=$((ran + 1))
done
if [ "$ran" -eq 0 ]; then
    echo "run_all: no program $folder/$prefix*" >&2
    exit 1
fi
