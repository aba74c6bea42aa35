# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Compiles programs of the baby cores, to be read with `.` behind needs.sh; RISCV_CC is the
# compiler, LEVEL its optimisation. `here` is the folder of the script.

# kernel_headers wh|bh FOLDER: what they include, and linker scripts, in FOLDER. `make install`
# leaves these below its prefix, too.
kernel_headers()
{
    needs_tessera
    needs_riscv_compiler
    case $1 in
    wh) chip=wormhole_b0 define=ARCH_WORMHOLE ;;
    bh) chip=blackhole_a0 define=ARCH_BLACKHOLE ;;
    *) missing "no chip is called '$1' (wh or bh)" ;;
    esac
    mkdir -p "$2/include/tessera/kernel"
    cp "$here"/../../include/tessera/kernel/*.h "$2/include/tessera/kernel"
    "$tessera" kernel-header --arch "$1" >"$2/include/tessera/kernel/$chip.h"
    for core in brisc ncrisc trisc0 trisc1 trisc2; do
        "$tessera" kernel-header --arch "$1" --linker-script "$core" >"$2/$core.ld"
    done
}

# compile_kernel FOLDER CORE SOURCE ELF [OPTION...]: with the headers of FOLDER, for that core.
compile_kernel()
{
    folder=$1 core=$2 source=$3 elf=$4
    shift 4
    "$riscv_cc" -march=rv32im -mabi=ilp32 "${LEVEL:--O2}" -g \
        -Wall -Wextra -ffreestanding -nostdlib "-D$define" "-I$folder/include" "$@" \
        -T "$folder/$core.ld" -o "$folder/$elf.elf" "$source"
}
