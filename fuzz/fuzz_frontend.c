// SPDX-License-Identifier: Apache-2.0
// The expanders and the wait gate of both chips against the model of tests/oracle on random
// streams, until the time is over: trials are counted, and the seed of one that differs is named.
// Usage: fuzz_frontend SECONDS [SEED]
#include "oracle/frontend_trials.h"

#include <time.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: fuzz_frontend SECONDS [SEED]\n");
        return 2;
    }
    double seconds = atof(argv[1]);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) << 32 : 1ull << 32;
    struct trials *t = trials_new();
    time_t begin = time(NULL);
    const char *wrong = NULL;
    uint64_t trials = 0;
    while (t && !wrong && difftime(time(NULL), begin) < seconds) {
        for (int i = 0; i < 100 && !wrong; i++, trials++) {
            seed++;
            wrong = trial_expansion(t, seed);
            if (!wrong)
                wrong = trial_gate(t, seed);
        }
    }
    if (!t || trials == 0 || wrong) {
        fprintf(stderr, "fuzz_frontend: trial 0x%llx: %s\n", (unsigned long long)seed,
                wrong ? wrong : "none was made");
        return 1;
    }
    printf("%llu trials: %llu words expanded, %llu instructions let pass, %llu rests\n",
           (unsigned long long)trials, (unsigned long long)t->words, (unsigned long long)t->passes,
           (unsigned long long)t->rests);
    trials_free(t);
    return 0;
}
