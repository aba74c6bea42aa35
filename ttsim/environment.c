// SPDX-License-Identifier: Apache-2.0
// The environment variables: TESSERA_ON_FINDING, _FINDINGS, _WAITS, _POLICY, _TIMING, _TRACE,
// _THREADS, _HARVESTED, _ACCESS_CYCLES, _RACES, _CHIPS, _LINKS and TTSIM_SEMIHOSTING. Refused is
// what is misspelt, with the words that would do, and a name that none of them has.
#include "environment.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

static void refuse(const char *name, const char *value, const char *expected)
{
    fprintf(stderr, "tessera: %s=%s is ignored; expected %s.\n", name, value, expected);
}

// A name that is misspelt would otherwise be as if it were not set.
static void refuse_unknown(void)
{
    static const char *const known[] = {"ON_FINDING", "FINDINGS", "WAITS",         "POLICY",
                                        "TIMING",     "TRACE",    "THREADS",       "HARVESTED",
                                        "RACES",      "LINKS",    "ACCESS_CYCLES", "CHIPS"};
    enum { COUNT = sizeof known / sizeof *known };
    static const char prefix[] = "TESSERA_";
    for (char **at = environ; at && *at; at++) {
        const char *name = *at + strlen(prefix);
        if (strncmp(*at, prefix, strlen(prefix)) != 0)
            continue;
        int i = 0;
        size_t length = strcspn(name, "=");
        while (i < COUNT && (strlen(known[i]) != length || memcmp(name, known[i], length) != 0))
            i++;
        if (i == COUNT)
            fprintf(stderr, "tessera: no variable is called TESSERA_%.*s; it is ignored.\n",
                    (int)length, name);
    }
}

// The index of the variable's value among `words`, which end with NULL; -1: not set, or none.
static int choice(const char *name, const char *const *words, const char *expected)
{
    const char *value = getenv(name);
    if (!value || !*value)
        return -1;
    for (int i = 0; words[i]; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    refuse(name, value, expected);
    return -1;
}

static FILE *file_of(const char *name)
{
    const char *value = getenv(name);
    FILE *file = value && *value ? fopen(value, "w") : NULL;
    if (value && *value && !file)
        refuse(name, value, "a file that can be written");
    return file;
}

// The variable's number; `otherwise`, if it is not set or none from `least` to `most`.
static unsigned number(const char *name, unsigned least, unsigned most, unsigned otherwise)
{
    const char *value = getenv(name);
    char expected[64], *end = NULL;
    if (!value || !*value)
        return otherwise;
    unsigned long found = strtoul(value, &end, 10);
    if (*end == 0 && *value != '-' && found >= least && found <= most)
        return (unsigned)found;
    snprintf(expected, sizeof expected, "a number from %u to %u", least, most);
    refuse(name, value, expected);
    return otherwise;
}

// A number, or one with ",always".
static void read_threads(tsr_chip_options *options)
{
    static const char always[] = ",always";
    const char *name = "TESSERA_THREADS", *value = getenv(name);
    char expected[64], *end = NULL;
    if (!value || !*value)
        return;
    unsigned long found = strtoul(value, &end, 10);
    bool each = strcmp(end, always) == 0;
    if ((*end == 0 || each) && *value != '-' && found >= 1 && found <= TSR_CHIP_THREADS) {
        options->threads = (unsigned)found;
        options->threads_always = each;
    } else {
        snprintf(expected, sizeof expected, "a number from 1 to %d, or that and %s",
                 TSR_CHIP_THREADS, always);
        refuse(name, value, expected);
    }
}

// A bit for each row or column of Tensix tiles that is fused off.
static uint32_t harvested(tsr_arch arch)
{
    const char *value = getenv("TESSERA_HARVESTED");
    bool by_rows = arch == TSR_WORMHOLE_B0;
    unsigned lines = by_rows ? tsr_grid_rows(arch) : tsr_grid_columns(arch);
    char expected[64], *end = NULL;
    if (!value || !*value)
        return 0;
    unsigned long mask = strtoul(value, &end, 0);
    if (*end == 0 && *value != '-' && mask >> lines == 0)
        return (uint32_t)mask;
    snprintf(expected, sizeof expected, "a bit for each of %u %s", lines,
             by_rows ? "rows" : "columns");
    refuse("TESSERA_HARVESTED", value, expected);
    return 0;
}

// A profile, then exceptions, which stay for ttsim_environment_apply().
static void read_policy(struct ttsim_environment *environment)
{
    static const char *const profiles[] = {"strict", "silicon", "conformance"};
    const char *value = getenv("TESSERA_POLICY");
    if (!value || !*value)
        return;
    size_t first = strcspn(value, ",");
    environment->policy = value;
    for (int i = 0; i < 3; i++)
        if (strlen(profiles[i]) == first && strncmp(value, profiles[i], first) == 0) {
            environment->options.tile.profile = (tsr_profile)i;
            environment->policy = value[first] ? value + first + 1 : NULL;
        }
}

struct ttsim_environment ttsim_environment_read(tsr_arch arch)
{
    static const char *const endings[] = {"go-on", "exit", NULL};
    static const char *const switches[] = {"off", "0", "on", "1", NULL};
    struct ttsim_environment environment = {.options = tsr_chip_options_default(arch)};
    refuse_unknown();
    environment.exits = choice("TESSERA_ON_FINDING", endings, "go-on or exit") == 1;
    environment.options.tile.timing = choice("TESSERA_TIMING", switches, "on or off") >= 2;
    environment.options.tile.find_races = choice("TESSERA_RACES", switches, "on or off") >= 2;
    read_threads(&environment.options);
    environment.options.harvested = harvested(arch);
    environment.access_cycles = number("TESSERA_ACCESS_CYCLES", 0, 1000000, 0);
    environment.chips = number("TESSERA_CHIPS", 1, TSR_CHIP_DEVICES, 1);
    environment.links = getenv("TESSERA_LINKS");
    environment.findings = file_of("TESSERA_FINDINGS");
    environment.waits = file_of("TESSERA_WAITS");
    environment.trace = file_of("TESSERA_TRACE");
    read_policy(&environment);
    const char *semihosting = getenv("TTSIM_SEMIHOSTING");
    if (semihosting && *semihosting)
        refuse("TTSIM_SEMIHOSTING", semihosting,
               "nothing, as Tessera has no semihosting: ebreak pauses a core");
    return environment;
}

static bool apply_one(tsr_chip *chip, const char *text, size_t length)
{
    char what[80];
    if (length >= sizeof what)
        return false;
    memcpy(what, text, length);
    what[length] = 0;
    char *action = strchr(what, '=');
    if (!action)
        return false;
    *action++ = 0;
    for (int i = TSR_ACTION_STOP; i <= TSR_ACTION_IGNORE; i++)
        if (strcmp(action, tsr_action_name((tsr_action)i)) == 0)
            return tsr_chip_set_policy(chip, what, (tsr_action)i) == TSR_OK;
    return false;
}

void ttsim_environment_apply(const struct ttsim_environment *environment, tsr_chip *chip, bool says)
{
    for (const char *at = environment->policy; at && *at;) {
        size_t length = strcspn(at, ",");
        if (!apply_one(chip, at, length) && says)
            fprintf(stderr,
                    "tessera: %.*s of TESSERA_POLICY is ignored; expected strict, silicon or "
                    "conformance, then CODE=stop, =record, =use or =ignore.\n",
                    (int)length, at);
        at += length;
        at += *at == ',';
    }
}

// CHIP:TILE, up to `end`. Moves *text behind it.
static bool read_end(const char **text, char end, unsigned *chip, unsigned *tile)
{
    unsigned *const number[2] = {chip, tile};
    const char after[2] = {':', end};
    for (int i = 0; i < 2; i++) {
        char *stop = NULL;
        unsigned long found = strtoul(*text, &stop, 10);
        if (**text < '0' || **text > '9' || found > 999 || *stop != after[i])
            return false;
        *number[i] = (unsigned)found;
        *text = stop + (*stop != 0);
    }
    return true;
}

static void join(unsigned *group, unsigned chips, unsigned one, unsigned other)
{
    const unsigned first = one < other ? one : other, last = one < other ? other : one;
    for (unsigned i = 0; i < chips; i++)
        if (group[i] == last)
            group[i] = first;
}

static bool link_one(const struct ttsim_environment *environment, tsr_chip *const *chips,
                     unsigned *group, const char *text, size_t length)
{
    unsigned chip[2], tile[2];
    char copy[40];
    const char *at = copy;
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (!read_end(&at, '-', &chip[0], &tile[0]) || !read_end(&at, 0, &chip[1], &tile[1]) ||
        chip[0] >= environment->chips || chip[1] >= environment->chips ||
        tsr_chip_connect(chips[chip[0]], tile[0], chips[chip[1]], tile[1], NULL) != TSR_OK)
        return false;
    join(group, environment->chips, group[chip[0]], group[chip[1]]);
    return true;
}

void ttsim_environment_link(const struct ttsim_environment *environment, tsr_chip *const *chips,
                            unsigned *group)
{
    for (unsigned i = 0; i < environment->chips; i++)
        group[i] = i;
    for (const char *at = environment->links; at && *at;) {
        size_t length = strcspn(at, ",");
        if (!link_one(environment, chips, group, at, length))
            fprintf(stderr,
                    "tessera: %.*s of TESSERA_LINKS is ignored; expected CHIP:TILE-CHIP:TILE, "
                    "chips below %u (TESSERA_CHIPS), Ethernet tiles that have no link.\n",
                    (int)length, at, environment->chips);
        at += length;
        at += *at == ',';
    }
}

static void close_file(FILE *file, const char *name)
{
    bool whole = !file || ferror(file) == 0;
    if (file && (fclose(file) != 0 || !whole))
        fprintf(stderr, "tessera: %s: not all of the file could be written.\n", name);
}

void ttsim_environment_close(struct ttsim_environment *environment)
{
    close_file(environment->findings, "TESSERA_FINDINGS");
    close_file(environment->waits, "TESSERA_WAITS");
    close_file(environment->trace, "TESSERA_TRACE");
    environment->findings = environment->waits = environment->trace = NULL;
}
