# SPDX-License-Identifier: Apache-2.0
# For the tests of the checks, each of which reads this file: a check proves nothing until it has
# refused something, so every rule is first shown a small tree that breaks it, and that alone.

work=$(mktemp -d "$BUILD_DIR/canary.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
cd "$work/tree"
: >"$work/failures" # a file, since canaries also stand in pipelines

# put FILE: standard input becomes FILE, below the usual two lines.
put()
{
    mkdir -p "$(dirname "$1")"
    case $1 in
    *.sh) printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n# A sample.\n' >"$1" ;;
    *) printf '// SPDX-License-Identifier: Apache-2.0\n// A sample.\n' >"$1" ;;
    esac
    cat >>"$1"
}

# passes COMMAND…: the command must succeed.
passes()
{
    if ! "$@" >"$work/output" 2>&1; then
        echo "FAIL: refused, though nothing is wrong: $*"
        cat "$work/output"
        echo failure >>"$work/failures"
    fi
}

# refuses TEXT COMMAND…: the command must fail, refuse one thing, and say TEXT.
refuses()
{
    text=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        echo "FAIL: accepted, though it should say '$text': $*"
    elif ! grep -qF -- "$text" "$work/output" || ! grep -q ' 1 refused$' "$work/output"; then
        echo "FAIL: does not say '$text' alone: $*"
        cat "$work/output"
    else
        return 0
    fi
    echo failure >>"$work/failures"
}

# judge COMMAND…: after the canaries, the project itself.
judge()
{
    if [ -s "$work/failures" ]; then
        echo "$(wc -l <"$work/failures") canaries did not do what they should"
        exit 1
    fi
    cd "$SOURCE_DIR"
    "$@"
}
