// SPDX-License-Identifier: Apache-2.0
// Reading options; see cli_options.h.
#include "common/cli_options.h"

#include "common/help.h"
#include "common/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 40, FIRST_OPTION = 256 };

static void refuse_option(const struct command *command, const char *word)
{
    char name[NEAREST_NAME], option[NEAREST_NAME + 2];
    size_t length = strcspn(word, "=");

    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             word);
    struct nearest nearest = nearest_to(name);
    for (int i = 0; i < command->option_count; i++) {
        snprintf(option, sizeof option, "--%s", command->options[i].name);
        nearest_offer(&nearest, option);
    }
    report_bad_input("%s: unknown option '%s'%s", command->name, word, nearest_text(&nearest).text);
}

int next_option(const struct command *command, int argc, char **argv)
{
    struct option options[MAX_OPTIONS] = {{0}};

    for (int i = 0; i < command->option_count; i++) {
        const struct option_row *row = &command->options[i];
        int has_value = row->value == NULL ? no_argument : required_argument;
        options[i] = (struct option){row->name, row->may_lack_value ? optional_argument : has_value,
                                     NULL, FIRST_OPTION + i};
    }
    options[command->option_count] = (struct option){"help", no_argument, NULL, 'h'};
    opterr = 0;
    int index = optind == 0 ? 1 : optind;
    int option = getopt_long(argc, argv, ":h", options, NULL);
    switch (option) {
    case -1:
        return OPTION_END;
    case 'h':
        help_print(command);
        return OPTION_HELP;
    case ':':
        report_bad_input("%s: a value is missing after '%s'", command->name, argv[optind - 1]);
        return OPTION_BAD;
    case '?':
        if (optopt >= FIRST_OPTION || optopt == 'h') // it is one, with =VALUE behind it
            report_bad_input("%s: this option takes no value '%s'", command->name,
                             argv[optind - 1]);
        else
            refuse_option(command, optind > index ? argv[optind - 1] : argv[index]);
        return OPTION_BAD;
    default:
        return option - FIRST_OPTION;
    }
}

int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

enum number_status parse_digits(const char *text, size_t length, uint64_t *value)
{
    bool hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t first = hex ? 2 : 0;
    uint64_t result = 0;
    bool fits = true;

    for (size_t i = first; i < length; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0 || (!hex && digit > 9))
            return NUMBER_NONE;
        fits = fits && !__builtin_mul_overflow(result, hex ? 16u : 10u, &result) &&
               !__builtin_add_overflow(result, (uint64_t)digit, &result);
    }
    if (length == 0)
        return NUMBER_NONE;
    if (fits)
        *value = result;
    return fits ? NUMBER_OK : NUMBER_TOO_LARGE;
}

bool parse_number(const char *text, uint64_t *value)
{
    return parse_digits(text, strlen(text), value) == NUMBER_OK;
}

bool take_number(uint64_t *value, const char *option, const char *word, struct message *why)
{
    switch (parse_digits(word, strlen(word), value)) {
    case NUMBER_OK:
        return true;
    case NUMBER_TOO_LARGE:
        return message_set(why, "%s: this number has more than 64 bits '%s'", option, word);
    default:
        return message_set(why, "%s: this is not a number '%s'", option, word);
    }
}

bool choose_arch(struct tile_choice *choice, const char *word, struct message *why)
{
    tsr_arch arch;

    if (tsr_arch_from_name(word, &arch) != TSR_OK)
        return message_set(why, "--arch: no architecture is called '%s' (wh or bh)", word);
    choice->options.arch = arch;
    choice->arch_given = true;
    return true;
}

bool choose_timing(struct tile_choice *choice, const char *word, struct message *why)
{
    if (strcmp(word, "on") != 0 && strcmp(word, "off") != 0)
        return message_set(why, "--timing: neither on nor off: '%s'", word);
    choice->options.timing = strcmp(word, "on") == 0;
    return true;
}

bool choose_pipeline(struct tile_choice *choice, const char *word, struct message *why)
{
    if (strcmp(word, "auto") != 0 && strcmp(word, "staged") != 0)
        return message_set(why, "--pipeline: neither auto nor staged: '%s'", word);
    choice->options.pipeline =
        strcmp(word, "staged") == 0 ? TSR_PIPELINE_STAGED : TSR_PIPELINE_AUTO;
    return true;
}

bool choose_schedule(struct tile_choice *choice, const char *word, struct message *why)
{
    static const char *const names[] = {"card", "eager", "late", "random"};

    for (int kind = TSR_SCHEDULE_CARD; kind <= TSR_SCHEDULE_RANDOM; kind++)
        if (strcmp(word, names[kind]) == 0) {
            choice->options.schedule = (tsr_schedule)kind;
            return true;
        }
    if (strncmp(word, "random:", 7) != 0 || !parse_number(word + 7, &choice->options.schedule_seed))
        return message_set(
            why, "--schedule: none of card, eager, late, random and random:SEED '%s'", word);
    choice->options.schedule = TSR_SCHEDULE_RANDOM;
    choice->schedule_seed_given = true;
    return true;
}

bool choose_races_by_environment(struct tile_choice *choice, struct message *why)
{
    static const char *const words[] = {"", "0", "off", "1", "on"};
    enum { COUNT = sizeof words / sizeof words[0], FIRST_ON = 3 };
    const char *value = getenv("TESSERA_RACES");
    int i = 0;

    while (value != NULL && i < COUNT && strcmp(value, words[i]) != 0)
        i++;
    choice->options.find_races = i >= FIRST_ON;
    return i < COUNT || message_set(why, "TESSERA_RACES: neither on nor off: '%s'", value);
}

bool schedule_fits(const struct tile_choice *choice, struct message *why)
{
    return !choice->options.timing || choice->options.schedule == TSR_SCHEDULE_CARD ||
           message_set(why, "--schedule: with --timing on the costs decide what comes first");
}

void settle_seed(struct tile_choice *choice)
{
    if (choice->options.schedule != TSR_SCHEDULE_RANDOM || choice->schedule_seed_given)
        return;
    choice->options.schedule_seed = choice->options.seed;
    choice->options.seed = 0;
}

static bool find_profile(const char *word, tsr_profile *profile)
{
    static const struct {
        const char *name;
        tsr_profile profile;
    } profiles[] = {
        {"strict", TSR_PROFILE_STRICT},
        {"silicon", TSR_PROFILE_SILICON},
        {"conformance", TSR_PROFILE_CONFORMANCE},
    };

    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++)
        if (strcmp(word, profiles[i].name) == 0) {
            *profile = profiles[i].profile;
            return true;
        }
    return false;
}

static bool find_action(const char *word, tsr_action *action)
{
    for (int i = TSR_ACTION_STOP; i <= TSR_ACTION_IGNORE; i++)
        if (strcmp(word, tsr_action_name((tsr_action)i)) == 0) {
            *action = (tsr_action)i;
            return true;
        }
    return false;
}

static bool choose_one_policy(struct tile_choice *choice, char *word, struct message *why)
{
    char *equals = strchr(word, '=');
    struct policy_word *policy = &choice->policies[choice->policy_count];

    if (equals == NULL) {
        if (find_profile(word, &choice->options.profile)) {
            choice->profile_given = true;
            return true;
        }
        return message_set(why,
                           "--policy: no profile is called '%s' "
                           "(strict, silicon, conformance, or CODE=stop|record|use|ignore)",
                           word);
    }
    if (!find_action(equals + 1, &policy->action))
        return message_set(why, "--policy: no action is called '%s' (stop, record, use or ignore)",
                           equals + 1);
    *equals = '\0';
    if (choice->policy_count == MAX_POLICIES - 1)
        return message_set(why, "--policy: more than %d rules", MAX_POLICIES - 1);
    snprintf(policy->what, sizeof policy->what, "%s", word);
    choice->policy_count++;
    return true;
}

void policy_refused(const char *what, tsr_status status, struct message *why)
{
    if (status == TSR_NOT_FOUND)
        message_set(why, "--policy: no finding or category is called '%s'%s", what,
                    nearest_finding(what).text);
    else
        message_set(why, "--policy: only %s can be ignored, not '%s'",
                    tsr_category_name(TSR_UNGUARANTEED_ORDER), what);
}

bool choose_policy(struct tile_choice *choice, const char *word, struct message *why)
{
    while (true) {
        char part[96];
        size_t length = strcspn(word, ",");
        snprintf(part, sizeof part, "%.*s", (int)(length < 90 ? length : 90), word);
        if (!choose_one_policy(choice, part, why))
            return false;
        if (word[length] == '\0')
            return true;
        word += length + 1;
    }
}

tsr_tile *make_tile(const struct tile_choice *choice, struct message *why)
{
    tsr_tile *tile = NULL;
    if (!schedule_fits(choice, why))
        return NULL;
    tsr_status status = tsr_tile_create(&choice->options, &tile);

    if (status == TSR_BAD_ARGUMENT && choice->options.kernels != NULL) {
        message_set(why, "--kernels: this build has no such kernel set '%s' (it has %s)",
                    choice->options.kernels, tsr_kernel_sets());
        return NULL;
    }
    if (status == TSR_NO_MEMORY) {
        message_no_memory(why, "a tile");
        return NULL;
    }
    if (status != TSR_OK) {
        message_set(why, "a tile cannot be made: %s", tsr_status_text(status));
        return NULL;
    }
    for (int i = 0; i < choice->policy_count; i++) {
        status = tsr_tile_set_policy(tile, choice->policies[i].what, choice->policies[i].action);
        if (status == TSR_OK)
            continue;
        policy_refused(choice->policies[i].what, status, why);
        tsr_tile_destroy(tile);
        return NULL;
    }
    return tile;
}

const tsr_diagnostic *stopping_finding(const tsr_tile *tile)
{
    for (int i = tsr_diagnostic_count(tile) - 1; i >= 0; i--) {
        const tsr_diagnostic *finding = tsr_diagnostic_at(tile, i);
        if (finding->action == TSR_ACTION_STOP)
            return finding;
    }
    return NULL;
}
