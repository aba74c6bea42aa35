// SPDX-License-Identifier: Apache-2.0
// The MOP expander: one word into the words of its MOP. Page: MOPExpander.md.
#ifndef TESSERA_FRONTEND_MOP_EXPANDER_H
#define TESSERA_FRONTEND_MOP_EXPANDER_H

#include "state/state.h"

#include <string.h>

enum { TSR_MOP_EXPANSION = 64 };

// How the last MOP of which there was nothing to report began, and all that this depends on.
struct tsr_mop_beginning {
    uint32_t word; // 0: nothing is known
    uint16_t mask_high, written;
    uint32_t config[TSR_MOP_WORDS];
    struct tsr_mop mop;
};

// The words that a MOP becomes, from some place in it on, and where the expander stands before each
// of them and after the last.
struct tsr_mop_expansion {
    uint32_t config[TSR_MOP_WORDS];
    uint32_t made; // counts those that were made of this thread's MOPs
    uint8_t count, at;
    uint8_t places; // at which the MOP may stand: its end, too, unless more follow than there is
                    // room for; 0: nothing is kept
    uint8_t alike[TSR_MOP_EXPANSION]; // words from here on that one block may take; 0: not known
    uint8_t lane[TSR_MOP_EXPANSION];  // to which unpacker the word goes (bank_turns.c)
    uint32_t word[TSR_MOP_EXPANSION];
    struct tsr_mop after[TSR_MOP_EXPANSION + 1];
    struct tsr_mop end; // once it is found that there are no more, if there is room for all
    struct tsr_mop_beginning beginning;
};

// The MOP stands where the expansion does.
static inline bool tsr_mop_stands(const struct tsr_frontend *frontend,
                                  const struct tsr_mop_expansion *expansion)
{
    return expansion->at < expansion->places &&
           tsr_same_words(&expansion->after[expansion->at], &frontend->mop, sizeof frontend->mop) &&
           tsr_same_words(expansion->config, frontend->mop_config, sizeof expansion->config);
}

// The active MOP has no more words, as is known from those that are kept.
static inline bool tsr_mop_at_end(const struct tsr_frontend *frontend,
                                  const struct tsr_mop_expansion *expansion)
{
    return expansion->at == expansion->count && tsr_mop_stands(frontend, expansion);
}

// Hands on at most one word towards the replay expander, and says whether anything moved.
bool tsr_mop_step(struct tsr_env *env, int thread);

// How many more words such a MOP has, counted up to `most`; `most` + 1 if one of them is a REPLAY.
unsigned tsr_mop_words_left(const struct tsr_env *env, const uint32_t *config, struct tsr_mop mop,
                            unsigned most);
// The MOP that the word would begin. False: there is something to report about it.
bool tsr_mop_peek(const struct tsr_env *env, const struct tsr_frontend *frontend, uint32_t word,
                  struct tsr_mop *mop);

// Without the stages: begins the MOP, or keeps the mask of the MOP_CFG, that is next in the FIFO.
// False: a finding stopped the tile.
bool tsr_mop_begin(struct tsr_env *env, int thread, struct tsr_mop_expansion *expansion);
// Makes the expansion stand where the active MOP does.
void tsr_mop_find_words(const struct tsr_env *env, const struct tsr_frontend *frontend,
                        struct tsr_mop_expansion *expansion);
// The next words of the active MOP; *count 0: it has no more. They are kept for the next time.
static inline const uint32_t *tsr_mop_words(const struct tsr_env *env,
                                            const struct tsr_frontend *frontend,
                                            struct tsr_mop_expansion *expansion, unsigned *count)
{
    if (!tsr_mop_stands(frontend, expansion))
        tsr_mop_find_words(env, frontend, expansion);
    *count = expansion->count - (unsigned)expansion->at;
    return expansion->word + expansion->at;
}
// Ends the active MOP, which has no more. The next one is most often the same again.
void tsr_mop_end(struct tsr_frontend *frontend, struct tsr_mop_expansion *expansion);
// The active MOP goes on by `count` of the words that tsr_mop_words() gives.
void tsr_mop_take(struct tsr_frontend *frontend, struct tsr_mop_expansion *expansion,
                  unsigned count);

#endif
