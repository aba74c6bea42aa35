// SPDX-License-Identifier: Apache-2.0
// When windows go to host threads: told what they would take, which they do is counted.
#include "chip/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { THREADS = 2, TILES = 8, MANY = 100000 };

static struct tsr_pace made(unsigned threads, bool always)
{
    struct tsr_pace pace;
    tsr_pace_begin(&pace, threads, always);
    tsr_pace_call(&pace, UINT64_MAX / 64);
    return pace;
}

// So many windows, which take so many nanoseconds on one thread or on all; how many went to all.
static unsigned windows(struct tsr_pace *pace, unsigned count, unsigned tiles, uint64_t alone,
                        uint64_t together)
{
    unsigned gone = 0;
    bool running = false;
    for (unsigned i = 0; i < count; i++) {
        bool goes = tsr_pace_next(pace, tiles, running);
        running |= goes;
        gone += goes;
        if (tsr_pace_watches(pace, tiles))
            tsr_pace_took(pace, tiles, goes, goes ? together : alone);
    }
    return gone;
}

static void test_one_thread(void **state)
{
    (void)state;
    struct tsr_pace one = made(1, true), lone = made(THREADS, true);
    assert_int_equal(windows(&one, 100, TILES, 1000000, 1), 0);
    assert_int_equal(windows(&lone, 100, 1, 1000000, 1), 0);
}

static void test_always(void **state)
{
    (void)state;
    struct tsr_pace pace = made(THREADS, true);
    assert_int_equal(windows(&pace, 100, TILES, 100, 1000000), 100);
}

static void test_short_windows(void **state)
{
    (void)state;
    struct tsr_pace pace = made(THREADS, false);
    assert_int_equal(windows(&pace, MANY, TILES, 2000, 1), 0);
    // They get longer.
    assert_in_range(windows(&pace, MANY, TILES, 20000, 11000), MANY * 98 / 100, MANY);
}

// The first ones take long, as tiles are new.
static void test_new_tiles(void **state)
{
    (void)state;
    struct tsr_pace pace = made(THREADS, false);
    assert_int_equal(windows(&pace, 4, TILES, 500000, 1), 0);
    assert_int_equal(windows(&pace, MANY, TILES, 2000, 1), 0);
}

static void test_faster(void **state)
{
    (void)state;
    struct tsr_pace pace = made(THREADS, false);
    assert_in_range(windows(&pace, MANY, TILES, 20000, 11000), MANY * 98 / 100, MANY);
}

// A host that is busy: the threads wait for each other. Then it is not.
static void test_slower(void **state)
{
    (void)state;
    struct tsr_pace pace = made(THREADS, false);
    assert_in_range(windows(&pace, MANY, TILES, 20000, 25000), 1, MANY / 200);
    assert_in_range(windows(&pace, MANY, TILES, 20000, 11000), MANY * 90 / 100, MANY);
    assert_in_range(windows(&pace, MANY, TILES, 20000, 4000000), 1, MANY / 200);
}

// Nobody starts threads for what is over before they run.
static void test_short_calls(void **state)
{
    (void)state;
    struct tsr_pace pace = made(THREADS, false);
    unsigned gone = 0;
    for (int i = 0; i < 1000; i++) {
        tsr_pace_call(&pace, 8);
        gone += windows(&pace, 8, TILES, 20000, 11000);
    }
    assert_int_equal(gone, 0);
    tsr_pace_call(&pace, 1000);
    assert_in_range(windows(&pace, 1000, TILES, 20000, 11000), 900, 1000);
    // Threads that take long to start are for longer calls.
    tsr_pace_threads_took(&pace, 20000000);
    tsr_pace_call(&pace, 1000);
    pace.together = false;
    pace.spell = 0;
    assert_int_equal(windows(&pace, 1000, TILES, 20000, 11000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread),    cmocka_unit_test(test_always),
        cmocka_unit_test(test_short_windows), cmocka_unit_test(test_new_tiles),
        cmocka_unit_test(test_faster),        cmocka_unit_test(test_slower),
        cmocka_unit_test(test_short_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
