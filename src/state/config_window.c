// SPDX-License-Identifier: Apache-2.0
// Where in the window a word of configuration lies. Loads of Blackhole's dual-write copy give bank
// 0. Page: BackendConfiguration.md of each chip.
#include "state/config_window.h"

#include "state/config_write.h"

static unsigned copies(const struct tsr_env *env)
{
    return env->chip->dual_write_window ? 3 : 2;
}

bool tsr_config_window_read(const struct tsr_env *env, uint32_t offset, uint32_t *value)
{
    const struct tsr_layout *layout = &env->isa->layout;
    const struct tsr_config *config = &env->state->config;
    unsigned word = offset / 4, banked = copies(env) * layout->banked_words;
    if (word < banked) {
        unsigned copy = word / layout->banked_words;
        *value = config->bank[copy == 2 ? 0 : copy][word % layout->banked_words];
        return true;
    }
    uint32_t thread_offset = offset - banked * 4u;
    unsigned index = thread_offset / layout->thread_stride;
    if (index >= TSR_THREADS * layout->thread_words)
        return false;
    *value = thread_offset % layout->thread_stride
                 ? 0
                 : config->thread[index / layout->thread_words][index % layout->thread_words];
    return true;
}

bool tsr_config_window_write(struct tsr_env *env, uint32_t offset, uint32_t value)
{
    const struct tsr_layout *layout = &env->isa->layout;
    unsigned word = offset / 4;
    unsigned copy = word / layout->banked_words, addr32 = word % layout->banked_words;
    if (copy >= copies(env))
        return false;
    for (unsigned state_id = 0; state_id < 2; state_id++)
        if (copy == state_id || copy == 2)
            tsr_config_write(env, (int)state_id, addr32, value, 0xffffffffu);
    return true;
}
