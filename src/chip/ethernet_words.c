// SPDX-License-Identifier: Apache-2.0
// The registers as an array, and the classifier's commands: reading, writing and flushing rows of
// the TCAM and of the flow table. Page: BlackholeA0/EthernetTile/EthernetRxClassifier.md.
#include "chip/ethernet_words.h"

#include <string.h>

enum rule { KEPT, READ_ONLY, ROW_UPDATE, FLUSH, TCAM_UPDATE, FLOW_UPDATE };

static const struct row {
    uint32_t address, keeps;
    uint16_t first, step;
    uint8_t entries, words, word_step, rule;
} row_of[] = {
#define FRAME(name, address, entries, step, words, word_step, rule, keeps)                         \
    {address, keeps, FRAME_##name, step, entries, words, word_step, rule},
#include "machine/ethernet_frames.def"
};

static const struct first {
    uint16_t at;
    uint32_t value;
} first_of[] = {
#define FRAME_FIRST(name, word, value) {FRAME_##name + (word), value},
#include "machine/ethernet_frames.def"
};

static void flush(struct tsr_frame_words *words)
{
    words->enabled = 0;
    memset(words->value, 0xff, sizeof words->value);
    memset(words->mask, 0xff, sizeof words->mask);
}

void tsr_frame_words_reset(struct tsr_frame_words *words)
{
    *words = (struct tsr_frame_words){0};
    for (size_t i = 0; i < sizeof first_of / sizeof *first_of; i++)
        words->word[first_of[i].at] = first_of[i].value;
    flush(words);
}

// The row at the address, and which of its words; NULL: none.
static const struct row *find(uint32_t address, unsigned *at)
{
    for (size_t i = 0; i < sizeof row_of / sizeof *row_of; i++) {
        const struct row *row = &row_of[i];
        for (unsigned word = 0; word < row->words; word++) {
            uint32_t from = address - row->address - word * row->word_step;
            if (from % row->step != 0 || from / row->step >= row->entries)
                continue;
            *at = row->first + from / row->step * row->words + word;
            return row;
        }
    }
    return NULL;
}

bool tsr_frame_word_at(uint32_t address)
{
    unsigned at;
    return find(address, &at) != NULL;
}

uint32_t tsr_frame_words_load(const struct tsr_frame_words *words, uint32_t address)
{
    unsigned at;
    return find(address, &at) ? words->word[at] : 0;
}

// ---------------------------------------------------------------- commands

static void update_row(struct tsr_frame_words *words, uint32_t command)
{
    unsigned row = FRAME_FIELD(command, TCAM_ROW);
    uint64_t bit = UINT64_C(1) << row;
    if (FRAME_FIELD(command, TCAM_ROW_WRITE))
        words->enabled =
            FRAME_FIELD(command, TCAM_ENABLE) ? words->enabled | bit : words->enabled & ~bit;
    else
        words->word[FRAME_TCAM_ROW_STATUS] = row | (uint32_t)(words->enabled >> row & 1)
                                                       << FRAME_TCAM_ENABLE_FIRST;
}

static void copy(uint32_t *to, const uint32_t *from, unsigned count)
{
    memcpy(to, from, count * sizeof *to);
}

static void read_pattern(struct tsr_frame_words *words, const struct tsr_tcam_pattern *from,
                         uint32_t kind)
{
    uint32_t *word = words->word;
    word[FRAME_TCAM_TUPLE_TYPE_READ] = from->kind;
    copy(&word[FRAME_TCAM_SA_READ], from->source, 4);
    copy(&word[FRAME_TCAM_DA_READ], from->destination, 4);
    if (kind == TCAM_NOT_IP) {
        word[FRAME_TCAM_ETHERTYPE_READ] = from->ethertype;
        word[FRAME_TCAM_NON_IP_ADDR_FLAGS_READ] = from->flags;
        word[FRAME_TCAM_PRIORITY_READ] = from->priority;
        return;
    }
    word[FRAME_TCAM_PROTOCOL_READ] = from->protocol;
    word[FRAME_TCAM_SRC_PORT_READ] = from->source_port;
    word[FRAME_TCAM_DST_PORT_READ] = from->destination_port;
}

static void write_pattern(const struct tsr_frame_words *words, uint32_t command,
                          struct tsr_tcam_pattern *to)
{
    enum { SOURCE_FLAGS = 0xffff0000 };
    const uint32_t *word = words->word;
    bool not_ip = FRAME_FIELD(command, TCAM_IS_NOT_IP);
    uint32_t flags = word[FRAME_TCAM_NON_IP_ADDR_FLAGS_WRITE];
    if (FRAME_FIELD(command, TCAM_ROW_KIND))
        to->kind = word[FRAME_TCAM_TUPLE_TYPE_WRITE];
    if (FRAME_FIELD(command, TCAM_DESTINATION)) {
        copy(to->destination, &word[FRAME_TCAM_DA_WRITE], 4);
        if (not_ip)
            to->flags = (to->flags & SOURCE_FLAGS) | (flags & ~(uint32_t)SOURCE_FLAGS);
    }
    if (FRAME_FIELD(command, TCAM_SOURCE)) {
        copy(to->source, &word[FRAME_TCAM_SA_WRITE], 4);
        if (not_ip)
            to->flags = (to->flags & ~(uint32_t)SOURCE_FLAGS) | (flags & SOURCE_FLAGS);
    }
    if (not_ip) {
        if (FRAME_FIELD(command, TCAM_ETHERTYPE))
            to->ethertype = word[FRAME_TCAM_ETHERTYPE_WRITE];
        if (FRAME_FIELD(command, TCAM_L2_PRIORITY))
            to->priority = word[FRAME_TCAM_PRIORITY_WRITE];
        return;
    }
    if (FRAME_FIELD(command, TCAM_PROTOCOL))
        to->protocol = word[FRAME_TCAM_PROTOCOL_WRITE];
    if (FRAME_FIELD(command, TCAM_SRC_PORT))
        to->source_port = word[FRAME_TCAM_SRC_PORT_WRITE];
    if (FRAME_FIELD(command, TCAM_DST_PORT))
        to->destination_port = word[FRAME_TCAM_DST_PORT_WRITE];
}

static void update_tcam(struct tsr_frame_words *words, uint32_t command)
{
    unsigned row = FRAME_FIELD(command, TCAM_ROW);
    struct tsr_tcam_pattern *pattern =
        FRAME_FIELD(command, TCAM_MASK) ? &words->mask[row] : &words->value[row];
    if (FRAME_FIELD(command, TCAM_WRITE))
        write_pattern(words, command, pattern);
    else
        read_pattern(words, pattern, words->value[row].kind & 3);
}

static void update_flow(struct tsr_frame_words *words, uint32_t command)
{
    struct tsr_flow *flow = &words->flow[FRAME_FIELD(command, TCAM_ROW)];
    uint32_t *word = words->word;
    if (FRAME_FIELD(command, FTABLE_WRITE)) {
        *flow = (struct tsr_flow){.actions = word[FRAME_FTABLE_ACTIONS],
                                  .vlan = word[FRAME_FTABLE_VLAN],
                                  .labels = word[FRAME_FTABLE_LABELS],
                                  .metadata = word[FRAME_FTABLE_SW_METADATA]};
        return;
    }
    word[FRAME_FTABLE_ACTIONS] = flow->actions;
    word[FRAME_FTABLE_VLAN] = flow->vlan;
    word[FRAME_FTABLE_LABELS] = flow->labels;
    word[FRAME_FTABLE_SW_METADATA] = flow->metadata;
}

void tsr_frame_words_store(struct tsr_frame_words *words, uint32_t address, uint32_t value)
{
    unsigned at;
    const struct row *row = find(address, &at);
    if (!row)
        return;
    bool go = FRAME_FIELD(value, TCAM_GO);
    if (row->rule != READ_ONLY)
        words->word[at] = value & row->keeps;
    if (row->rule == FLUSH && value == 1)
        flush(words);
    else if (row->rule == ROW_UPDATE && go)
        update_row(words, value);
    else if (row->rule == TCAM_UPDATE && go)
        update_tcam(words, value);
    else if (row->rule == FLOW_UPDATE && go)
        update_flow(words, value);
}
