// SPDX-License-Identifier: Apache-2.0
// The program that run_elf puts on core T0: the sum of what lies in its private RAM, to L1.
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

static volatile uint32_t numbers[4] = {1, 20, 300, 4000};

int main(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += numbers[i];
    tt_store(0x20000, sum);
    TT_PUSH(TT(SETDMAREG, RegIndex16b(4), Payload_SigSel(sum & 0xff)));
    tt_wait_coprocessor();
    return 0;
}
