// SPDX-License-Identifier: Apache-2.0
// Streams of the NoC overlay: what a load of a register of theirs tells. A register whose value is
// the one that was loaded before says nothing of what happened since (docs/errata.md, 526, 558).
// Pages: NoC/Overlay/README.md, TransferBetweenTiles.md, STREAMWAIT.md.
#include "observe/race_packet.h"

void tsr_race_join_stream(struct tsr_race_record *record, unsigned stream,
                          struct tsr_race_clock *to)
{
    struct tsr_race_chip *chip = record->chip;
    tsr_race_join(to, &record->stream[stream]);
    if (!chip || chip->last == 0)
        return;
    const struct tsr_race_fact sent = {
        .key = tsr_race_fact_key(FACT_SENT_STREAM, record->node, 0, stream + 1),
        .upto = chip->last};
    to->far = tsr_race_far_with(&chip->pool, to->far, &sent);
}

// NULL: there is no room.
static struct tsr_race_stream_load *find(struct tsr_race_record *record, uint16_t reg)
{
    enum { TRIES = 8 };
    for (unsigned i = 0; i < TRIES; i++) {
        unsigned at = (reg * 0x9e3779b1u >> 16) + i;
        struct tsr_race_stream_load *load = &record->stream_load[at % RACE_STREAM_LOADS];
        if (!load->there || load->reg == reg)
            return load;
    }
    return NULL;
}

void tsr_race_load_stream(struct tsr_race_record *record, unsigned stream, unsigned reg,
                          uint32_t value)
{
    enum { REGISTERS = 1024 };
    uint16_t key = (uint16_t)(stream * REGISTERS + reg % REGISTERS);
    struct tsr_race_stream_load *load = find(record, key);
    if (!load) {
        tsr_race_join_stream(record, stream, record->actor.clock);
        return;
    }
    if (!load->there || load->value != value)
        tsr_race_join_stream(record, stream, &load->told);
    load->there = true;
    load->reg = key;
    load->value = value;
    tsr_race_join(record->actor.clock, &load->told);
}
