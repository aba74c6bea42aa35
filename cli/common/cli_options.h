// SPDX-License-Identifier: Apache-2.0
// What the commands share in reading their options: getopt_long with this tool's sentences,
// numbers, and the options that make a tile (--arch, --timing, --policy, --kernels, --pipeline,
// --seed); and what stopped such a tile.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "common/command.h"
#include "common/message.h"

#include <tessera/tessera.h>

#include <getopt.h>

enum { MAX_POLICIES = 64 };

struct policy_word {
    char what[96]; // a finding's code or a category
    tsr_action action;
};

struct tile_choice {
    tsr_options options;
    bool arch_given, profile_given, schedule_seed_given;
    int policy_count;
    struct policy_word policies[MAX_POLICIES];
};

enum { OPTION_END = -1, OPTION_BAD = -2, OPTION_HELP = -3 };

// The next option's index in command->options, its value being in `optarg`, which is a null pointer
// without a value; OPTION_END after the last one; OPTION_BAD after an error, which has been
// reported then; OPTION_HELP for --help and -h, which has been printed then.
int next_option(const struct command *command, int argc, char **argv);

// 0 to 15 in either case; -1 for what is no hexadecimal digit.
int hex_digit(char digit);
// A whole number, decimal or 0x…, of `length` characters. Anything else is none, a sign included;
// NUMBER_TOO_LARGE: it has more than 64 bits.
enum number_status { NUMBER_OK, NUMBER_TOO_LARGE, NUMBER_NONE };
enum number_status parse_digits(const char *text, size_t length, uint64_t *value);
// The same of a whole text. False: it is none, or too large.
bool parse_number(const char *text, uint64_t *value);
// The same for the value of an option, with the reason why not.
bool take_number(uint64_t *value, const char *option, const char *word, struct message *why);

bool choose_arch(struct tile_choice *choice, const char *word, struct message *why);
bool choose_timing(struct tile_choice *choice, const char *word, struct message *why);
bool choose_pipeline(struct tile_choice *choice, const char *word, struct message *why);
// eager, late, random or random:SEED.
bool choose_schedule(struct tile_choice *choice, const char *word, struct message *why);
// TESSERA_RACES, before the options.
bool choose_races_by_environment(struct tile_choice *choice, struct message *why);
bool schedule_fits(const struct tile_choice *choice, struct message *why);
// After all options: a seed that was given with the schedule random is the schedule's.
void settle_seed(struct tile_choice *choice);
// A profile's name, or CODE=ACTION; several may be given, separated by commas.
bool choose_policy(struct tile_choice *choice, const char *word, struct message *why);
// Why a tile or a chip refused a rule.
void policy_refused(const char *what, tsr_status status, struct message *why);
// A tile with all of that. `why` is set if the kernels or a policy are not known.
tsr_tile *make_tile(const struct tile_choice *choice, struct message *why);
// The newest finding that stopped the tile; a null pointer if there is none.
const tsr_diagnostic *stopping_finding(const tsr_tile *tile);

#endif
