// SPDX-License-Identifier: Apache-2.0
// Random numbers of the drivers that compare tiles: the same for the same seed.
#ifndef TESSERA_FUZZ_RANDOM_SOURCE_H
#define TESSERA_FUZZ_RANDOM_SOURCE_H

#include <stdint.h>

struct source {
    uint64_t state;
};

static inline uint32_t next(struct source *source)
{
    uint64_t z = (source->state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}

static inline uint32_t below(struct source *source, uint32_t limit)
{
    return next(source) % limit;
}

#endif
