// SPDX-License-Identifier: Apache-2.0
// Core E or E0 of an Ethernet tile: waits for the ball, adds the number of the turn to each of its
// numbers, and sends it back over the link by queue 0.
// Pages: EthernetTile/EthernetTxRx.md, EthernetTile/BabyRISCV/README.md of each chip.
#include "ball_job.h"

#include <stdint.h>

enum { TXQ_CMD = 0x04, TXQ_STATUS = 0x08, TXQ_START = 0x14, TXQ_SIZE = 0x18, TXQ_DEST = 0x1c };
enum { L1_WRITE = 2, CMD_ONGOING = 1 << 16 };
enum { RXQ_OUTSTANDING = 0x50 };
#define TXQ_BASE 0xffb90000u
#define RXQ_BASE 0xffb94000u // Blackhole's
#define WALL_CLOCK_L 0xffb121f0u

static uint32_t load(uint32_t address)
{
    return *(volatile uint32_t *)(uintptr_t)address;
}

static void store(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

// What was there before may still be in Blackhole's data cache.
static void fence(void)
{
    __asm__ volatile("fence" ::: "memory");
}

static void wait_for_turn(uint32_t turn)
{
    enum { UNIT_WORDS = 4, MARKS_AT = BALL_IN + 4 * NUMBERS };
    for (int unit = 0; unit < MARKS / UNIT_WORDS; unit++)
        while (load((uint32_t)(MARKS_AT + 16 * unit)) != turn)
            fence();
#ifdef ARCH_BLACKHOLE
    while (load(RXQ_BASE + RXQ_OUTSTANDING) != 0)
        ;
#endif
    fence();
}

// The queue has latched the last command, and takes the next one.
static void wait_for_queue(void)
{
#ifdef ARCH_BLACKHOLE
    while (load(TXQ_BASE + TXQ_STATUS) & CMD_ONGOING)
        ;
#else
    while (load(TXQ_BASE + TXQ_CMD) != 0)
        ;
#endif
}

// The core's stores come to L1 before the command comes to the queue: the last one is read back.
static void send(void)
{
    uint32_t last = load(BALL_OUT + BALL_BYTES - 4);
    __asm__ volatile("and zero, %0, %0" ::"r"(last) : "memory");
    wait_for_queue();
    store(TXQ_BASE + TXQ_START, BALL_OUT);
    store(TXQ_BASE + TXQ_SIZE, BALL_BYTES);
    store(TXQ_BASE + TXQ_DEST, BALL_IN);
    store(TXQ_BASE + TXQ_CMD, L1_WRITE);
}

int main(void)
{
    uint32_t turns = load(TURNS), begun = load(WALL_CLOCK_L);
    for (uint32_t turn = load(FIRST); turn <= turns; turn += 2) {
        if (turn > 1)
            wait_for_turn(turn - 1);
        for (uint32_t i = 0; i < 4 * NUMBERS; i += 4)
            store(BALL_OUT + i, load(BALL_IN + i) + turn);
        for (uint32_t i = 0; i < 4 * MARKS; i += 4)
            store(BALL_OUT + 4 * NUMBERS + i, turn);
        send();
    }
    if (load(FIRST) == 1) {
        wait_for_turn(turns);
        store(CYCLES, load(WALL_CLOCK_L) - begun);
    }
    return 0;
}

__asm__(".pushsection .init, \"ax\"\n"
        "    .globl _start\n"
        "_start:\n"
        "    lui sp, 0xffb01\n" // the end of Wormhole's data RAM
        "    call main\n"
        "1:  j 1b\n"
        "    .popsection\n");
