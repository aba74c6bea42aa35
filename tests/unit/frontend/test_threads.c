// SPDX-License-Identifier: Apache-2.0
// Sixty-four tiles in four threads of the host at once: nothing is shared, so each gives what it
// would give alone. Under a thread sanitizer this test is the one that matters.
#include "rig/face_rig.h"

#include <pthread.h>

enum { TILES = 64, WORKERS = 4 };

struct work {
    int first;
    bool right[TILES / WORKERS];
    uint64_t cycles[TILES / WORKERS];
};

static int arch_of(int number)
{
    return number % 2 ? BH : WH;
}

// The tiles of a worker live at the same time, and their runs are mixed.
static void *run_tiles(void *user)
{
    struct work *work = user;
    tsr_tile *tile[TILES / WORKERS];
    for (int i = 0; i < TILES / WORKERS; i++) {
        int number = work->first + i;
        tile[i] = tile_new(arch_of(number), number % 4 < 2, TSR_PROFILE_STRICT);
        face_load(tile[i], arch_of(number), (unsigned)number);
    }
    bool more = true;
    while (more) {
        more = false;
        tsr_limits limits = tsr_limits_default();
        limits.max_steps = 7;
        for (int i = 0; i < TILES / WORKERS; i++)
            more |= tsr_run(tile[i], &limits) == TSR_END_TIMEOUT;
    }
    for (int i = 0; i < TILES / WORKERS; i++) {
        work->right[i] = face_right(tile[i], (unsigned)(work->first + i));
        work->cycles[i] = tsr_cycle(tile[i]);
        tsr_tile_destroy(tile[i]);
    }
    return NULL;
}

static void test_many_tiles(void **state)
{
    (void)state;
    struct work work[WORKERS];
    pthread_t thread[WORKERS];
    uint64_t alone[2];
    for (int arch = WH; arch <= BH; arch++) {
        tsr_tile *tile = tile_new(arch, true, TSR_PROFILE_STRICT);
        face_load(tile, arch, 0);
        tile_idle(tile);
        alone[arch] = tsr_cycle(tile);
        tsr_tile_destroy(tile);
    }
    for (int i = 0; i < WORKERS; i++) {
        work[i] = (struct work){.first = i * TILES / WORKERS};
        assert_int_equal(pthread_create(&thread[i], NULL, run_tiles, &work[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < TILES; i++) {
        const struct work *w = &work[i / (TILES / WORKERS)];
        assert_true(w->right[i % (TILES / WORKERS)]);
        assert_int_equal(w->cycles[i % (TILES / WORKERS)], i % 4 < 2 ? alone[arch_of(i)] : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_tiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
