#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The scripts of the examples say in one sentence what is missing: the command, the compiler for
# RISC-V, the library. They find what was built in the tree without being told.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$SOURCE_DIR/examples" "$SOURCE_DIR/include" "$work"
cd "$work/examples"
command=$TESSERA
unset TESSERA
export PKG_CONFIG_PATH="$work" PKG_CONFIG_LIBDIR="$work"
PATH=$(echo "$PATH" | tr ':' '\n' | while read -r folder; do
    [ -x "$folder/tessera" ] || printf '%s:' "$folder"
done)

# lacks SENTENCE SCRIPT [ARGUMENT…]
lacks()
{
    sentence=$1
    shift
    status=0
    "$@" >out 2>err || status=$?
    [ "$status" = 1 ] && [ "$(wc -l <err)" = 1 ] || fail "$*: status $status, $(cat err)"
    [ ! -s out ] || fail "$*: $(cat out)"
    has err "$sentence"
}

for script in */run*.sh; do
    case $script in
    *run_pingpong.sh) ;;
    *) lacks "there is no command tessera; 'make build' makes it" "$script" ;;
    esac
done
TESSERA=nowhere/tessera lacks 'there is no command nowhere/tessera' eltwise_c/build.sh wh out
export RISCV_CC=no-gcc
lacks 'there is no compiler no-gcc' ethernet_pingpong/run_pingpong.sh
mkdir -p ../build
ln -s "$command" ../build/tessera
lacks 'there is no compiler no-gcc' eltwise_c/build.sh wh out
unset RISCV_CC
for script in eltwise_c/build.sh grid_matmul/build_grid.sh ethernet_pingpong/build_ball.sh; do
    lacks "usage: ${script#*/} wh|bh F" $script
    lacks "no chip is called 'gs' (wh or bh)" $script gs out
done
for script in embedding/run_embedding.sh ethernet_pingpong/run_pingpong.sh; do
    lacks "there is no library tessera; 'ninja -C build tessera'" $script
done

# What is in the tree is taken, and a relative name is as good as an absolute one.
add/run.sh >out
ethernet_pingpong/run_described.sh >out
TESSERA=../build/tessera ethernet_pingpong/run_described.sh >out
has out 'bh: all numbers are right'
echo "what is missing is said"
