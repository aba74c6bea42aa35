#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The headers for kernels in C: words that they make are those that the assembler makes, fields are
# where `explain` says, and a program for each core of both chips can be linked, with C and C++.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
. "$SOURCE_DIR/tests/programs/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p include/tessera/kernel
cp "$SOURCE_DIR"/include/tessera/kernel/*.h include/tessera/kernel

"$TESSERA" kernel-header --arch wh >include/tessera/kernel/wormhole_b0.h
"$TESSERA" kernel-header --arch bh >include/tessera/kernel/blackhole_a0.h

# ---------------------------------------------------------------- words

# Each opcode with a few patterns of bits: what is an instruction is written again with TT().
awk 'BEGIN {
    split("000000 ffffff 555555 aaaaaa 000001 00ff00 7f0f0f 800080", bits, " ")
    for (op = 1; op < 192; op++) for (i = 1; i <= 8; i++) printf "%02x%s\n", op, bits[i]
}' >words
for arch in wh bh; do
    define=ARCH_$([ $arch = wh ] && echo WORMHOLE || echo BLACKHOLE)
    "$TESSERA" disasm --arch $arch words | paste words - | grep -v '\.word' >text
    [ "$(wc -l <text)" -gt 500 ] || fail "$arch: few words are instructions"
    {
        echo '#include <stdio.h>'
        echo '#include <tessera/kernel/kernel.h>'
        echo 'static const uint32_t words[] = {'
        sed 's/^[0-9a-f]*\t//; s/ \([A-Za-z0-9_]*\)=\([0-9]*\)/, \1(\2)/g; s/.*/TT(&),/' text
        cat <<'END'
};

int main(void)
{
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        printf("%08x\n", (unsigned)words[i]);
    return 0;
}
END
    } >words.c
    "$CC" -std=c17 -Wall -Wextra -Werror -D$define -Iinclude -fsyntax-only words.c ||
        fail "$arch: words.c"
    "$CC" -std=c17 -O0 -D$define -Iinclude -o print words.c
    cut -f 1 text >wanted
    ./print | cmp - wanted || fail "$arch: TT() makes other words"
done

# ---------------------------------------------------------------- numbers

# None of the headers that are written by hand has a bit or an offset of the machine itself.
for arch in wormhole_b0 blackhole_a0; do
    for line in 'RESET_B 0x800u' 'RESET_T1 0x2000u' 'RESET_NC 0x40000u' \
        'NOC_CMD_BRCST_XY 0x10000u' 'NIU_SLV_POSTED_WR_REQ_RECEIVED 0x3bu'; do
        grep -qx "#define TT_$line" include/tessera/kernel/$arch.h || fail "$arch lacks TT_$line"
    done
done
cd include/tessera/kernel
grep -qx '#define TT_NOC_CMD_CTRL 0x28u' wormhole_b0.h || fail "Wormhole's NOC_CMD_CTRL"
grep -qx '#define TT_NOC_CMD_CTRL 0x40u' blackhole_a0.h || fail "Blackhole's NOC_CMD_CTRL"
cd "$work"

# ---------------------------------------------------------------- programs

command -v riscv64-unknown-elf-gcc >/dev/null || {
    echo "no compiler for RISC-V: programs are not linked"
    exit 77
}
cat >program.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

static const uint32_t constants[] = {1, 2, 3};
uint32_t start = 7, sum;

int main(void)
{
    TT_CFG(THCON_SEC0_REG2_Out_data_format, TT_FORMAT_BF16);
    for (uint32_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        sum += constants[i] * start;
        TT_PUSH(TT(SETDMAREG, RegIndex16b(sum)));
        TTI(STALLWAIT, stall_res(p_stall_STALL_CFG), wait_res(p_stall_UNPACK));
    }
    tt_set_starts();
    tt_wait_done(tt_mailbox_read(1));
    tt_done(2);
    return 0;
}
END
for arch in wh bh; do
    define=ARCH_$([ $arch = wh ] && echo WORMHOLE || echo BLACKHOLE)
    for core in brisc trisc0 trisc1 trisc2 ncrisc; do
        "$TESSERA" kernel-header --arch $arch --linker-script $core >$core.ld
        for language in 'c -std=c17 -O0' 'c -std=c17 -Os' 'c++ -std=c++17 -O2'; do
            # shellcheck disable=SC2086 # several words
            riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -x $language -g -Wall -Wextra \
                -Werror -ffreestanding -nostdlib -D$define -Iinclude -T $core.ld program.c \
                -o program.elf || fail "$arch $core: a program cannot be linked"
        done
        # Loaders that go by sections find the RAM's image at .loader_init, others in a segment.
        riscv64-unknown-elf-objdump -h program.elf |
            awk '$2 == ".loader_init" { at = $4 } $2 == ".ldm_data" { image = $5 }
                END { exit at == "" || at != image }' ||
            fail "$arch $core: the image of the RAM is not at .loader_init"
    done
done
# A Tensix instruction has the line that it stands on.
riscv64-unknown-elf-objdump -d --show-raw-insn program.elf |
    sed -n 's/^ *\([0-9a-f]*\):.*\.2byte.*/0x\1/p' |
    riscv64-unknown-elf-addr2line -e program.elf | sed 's/.*://' >lines
grep -qx 9 lines && grep -q '^13' lines || fail "lines of Tensix instructions: $(cat lines)"

# ---------------------------------------------------------------- wrong options

refused()
{
    want=$1
    shift
    if "$TESSERA" kernel-header "$@" >out 2>err; then fail "accepted: $*"; fi
    grep -qF "$want" err || fail "$*: $(cat err)"
}
refused 'the architecture is missing'
refused "no core is called 'erisc'" --arch wh --linker-script erisc
refused "it reads no file 'x.h'" --arch wh x.h
echo "kernel headers serve"
