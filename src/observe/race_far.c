// SPDX-License-Identifier: Apache-2.0
// Lists of facts; see race_far.h. Pages: NoC/Ordering.md, NoC/Counters.md.
#include "observe/race_far.h"

#include <stdlib.h>
#include <string.h>

static struct tsr_race_far *make(struct tsr_race_far_pool *pool, unsigned room)
{
    struct tsr_race_far *far = malloc(sizeof *far + room * sizeof far->fact[0]);
    if (!far)
        return NULL;
    *far = (struct tsr_race_far){.next = pool->all, .pool = pool};
    pool->all = far;
    pool->count++;
    return far;
}

static bool same(const struct tsr_race_far *a, const struct tsr_race_far *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (a->fact[i].key != b->fact[i].key || a->fact[i].upto != b->fact[i].upto)
            return false;
    return true;
}

// The list that was made last goes away again.
static void unmake(struct tsr_race_far_pool *pool, struct tsr_race_far *far)
{
    pool->all = far->next;
    pool->count--;
    free(far);
}

static void merge(struct tsr_race_far *to, const struct tsr_race_far *a,
                  const struct tsr_race_far *b)
{
    unsigned i = 0, j = 0;
    while (i < a->count || j < b->count) {
        const struct tsr_race_fact *one = i < a->count ? &a->fact[i] : NULL;
        const struct tsr_race_fact *other = j < b->count ? &b->fact[j] : NULL;
        bool both = one && other && one->key == other->key;
        bool first = !other || (one && one->key < other->key) || (both && one->upto >= other->upto);
        to->fact[to->count++] = first ? *one : *other;
        i += both || first;
        j += both || !first;
    }
}

const struct tsr_race_far *tsr_race_far_join(const struct tsr_race_far *a,
                                             const struct tsr_race_far *b)
{
    if (!a || !b || a == b)
        return a ? a : b;
    struct tsr_race_far_pool *pool = a->pool;
    if (pool->joined && pool->left == a && pool->right == b)
        return pool->joined;
    struct tsr_race_far *joined = make(pool, a->count + b->count);
    const struct tsr_race_far *result = joined;
    if (!joined)
        return a;
    merge(joined, a, b);
    if (same(joined, a))
        result = a;
    else if (same(joined, b))
        result = b;
    if (result != joined)
        unmake(pool, joined);
    pool->left = a;
    pool->right = b;
    pool->joined = result;
    return result;
}

unsigned tsr_race_far_from(const struct tsr_race_far *far, uint64_t key)
{
    unsigned low = 0, high = far ? far->count : 0;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (far->fact[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t tsr_race_far_upto(const struct tsr_race_far *far, uint64_t key)
{
    unsigned at = tsr_race_far_from(far, key);
    return far && at < far->count && far->fact[at].key == key ? far->fact[at].upto : 0;
}

const struct tsr_race_far *tsr_race_far_with(struct tsr_race_far_pool *pool,
                                             const struct tsr_race_far *far,
                                             const struct tsr_race_fact *fact)
{
    unsigned count = far ? far->count : 0, at = tsr_race_far_from(far, fact->key);
    bool there = at < count && far->fact[at].key == fact->key;
    if (there && far->fact[at].upto >= fact->upto)
        return far;
    struct tsr_race_far *more = make(pool, count + !there);
    if (!more)
        return far;
    more->count = count + !there;
    if (far) {
        memcpy(more->fact, far->fact, at * sizeof more->fact[0]);
        memcpy(more->fact + at + 1, far->fact + at + there,
               (count - at - there) * sizeof more->fact[0]);
    }
    more->fact[at] = *fact;
    return more;
}

void tsr_race_far_mark(const struct tsr_race_far *far)
{
    if (far)
        ((struct tsr_race_far *)far)->marked = true;
}

void tsr_race_far_sweep(struct tsr_race_far_pool *pool)
{
    struct tsr_race_far **link = &pool->all;
    pool->left = pool->right = pool->joined = NULL;
    while (*link) {
        struct tsr_race_far *far = *link;
        if (far->marked) {
            far->marked = false;
            link = &far->next;
        } else {
            *link = far->next;
            pool->count--;
            free(far);
        }
    }
}
