// SPDX-License-Identifier: Apache-2.0
// Who wrote each configuration field last, and what follows from that: a write that takes
// another's fields along, a write while an instruction in flight depends on the field, and reads of
// what nothing has written. All of it only where env->watch is set. Page: BackendConfiguration.md.
#ifndef TESSERA_STATE_CONFIG_WATCH_H
#define TESSERA_STATE_CONFIG_WATCH_H

#include "base/race_events.h"
#include "state/state.h"

enum tsr_config_reader {
    TSR_READER_UNPACKER0,
    TSR_READER_UNPACKER1,
    TSR_READER_MATRIX,
    TSR_READER_PACKER,
    TSR_READER_COUNT,
    TSR_READER_VECTOR = TSR_READER_COUNT, // for races alone
    TSR_RACE_READER_COUNT
};

enum { TSR_DESCRIPTOR_EXTRA = 8 }; // a TileDescriptor has four words

// Which fields each word has, and which bits of it each unit's instructions depend on.
struct tsr_config_watch {
    uint16_t first_of_word[TSR_CONFIG_WORDS + 1];
    uint16_t first_of_thread_word[TSR_THREAD_CONFIG_WORDS + 1];
    uint16_t field[FIELD_COUNT + TSR_DESCRIPTOR_EXTRA];
    uint32_t bank_reads[TSR_READER_COUNT][TSR_CONFIG_WORDS];
    uint16_t thread_reads[TSR_READER_COUNT][TSR_THREAD_CONFIG_WORDS];
    uint32_t race_reads[TSR_RACE_READER_COUNT][TSR_CONFIG_WORDS]; // and what they take
    // The bits of fields that an unpacker's context has for itself.
    uint32_t of_context[TSR_RACE_CONTEXTS][TSR_CONFIG_WORDS];
};

void tsr_config_watch_fill(struct tsr_config_watch *watch, const struct tsr_isa *isa);

// The field of a word with bits in `mask`; FIELD_COUNT if there is none.
enum tsr_field tsr_config_field_at(const struct tsr_config_watch *watch, const struct tsr_isa *isa,
                                   bool thread_scope, unsigned addr32, uint32_t mask);

// Before a write to a bank or, with `thread_scope`, to a thread's words: `changed` are the bits
// that will be different. False: a finding stops the tile, and nothing may be written.
bool tsr_config_watch_before(struct tsr_env *env, bool thread_scope, int instance, unsigned addr32,
                             uint32_t changed);
// Notes who wrote the fields with bits in `mask`.
void tsr_config_watch_note(struct tsr_env *env, bool thread_scope, int instance, unsigned addr32,
                           uint32_t mask);
// An instruction that is about to write the whole of a word. False: stopped.
bool tsr_config_watch_whole_word(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                                 unsigned addr32, uint32_t value);
// An instruction depends on its unit's fields of that bank, and `needed` (`count` of them) have no
// useful value after reset. False: stopped.
bool tsr_config_watch_reads(struct tsr_env *env, const struct tsr_inflight *inst, int state_id,
                            enum tsr_config_reader reader, const enum tsr_field *needed,
                            unsigned count);

#endif
