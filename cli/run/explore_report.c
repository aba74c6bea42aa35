// SPDX-License-Identifier: Apache-2.0
// The report of `tessera explore`; see explore_report.h.
#include "run/explore_report.h"

#include "run/core_run.h"
#include "run/run_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool words_add(struct explore_words *words, const char *option, const char *value)
{
    if (words->count == MAX_EXPLORE_WORDS)
        return false;
    words->word[words->count].option = option;
    words->word[words->count++].value = value;
    return true;
}

static void print_end(const struct outcome *outcome)
{
    printf("%s%s%s%s%s", tsr_end_name(outcome->end), outcome->finding[0] == '\0' ? "" : " by ",
           outcome->finding, outcome->sentence[0] == '\0' ? "" : ": ", outcome->sentence);
}

void explore_same(const struct explore_program *program, uint64_t runs,
                  const struct outcome *wanted)
{
    printf("%s on %s: %" PRIu64 " orders, and each leaves the same as that of a card (",
           program->path, tsr_arch_name(program->choice.options.arch), runs);
    print_end(wanted);
    printf(")\n");
}

// ---------------------------------------------------------------- the bytes

static void print_bytes(const char *label, const uint8_t *l1, uint32_t from, unsigned count)
{
    printf("    %s", label);
    for (unsigned i = 0; i < count; i++)
        printf(" %02x", l1[from + i]);
    printf("\n");
}

static const struct tensor *tensor_at(const struct explore_program *program, uint32_t address)
{
    for (size_t i = 0; i < program->program.tensor_count; i++) {
        const struct tensor *tensor = &program->program.tensors[i];
        if (address >= tensor->address && address - tensor->address < tensor->bytes)
            return tensor;
    }
    return NULL;
}

static void print_l1(const struct explore_program *program, const struct explore_result *result)
{
    enum { LINE = 16 };
    struct l1_difference difference = l1_differs(program, result->wanted, result->got);
    const struct tensor *tensor = tensor_at(program, difference.first);
    uint32_t from = difference.first & ~(uint32_t)(LINE - 1);

    if (difference.count == 0)
        return;
    printf("  L1: %zu bytes differ, the first at 0x%05" PRIx32, difference.count, difference.first);
    if (tensor != NULL)
        printf(", byte %" PRIu32 " of %s", difference.first - tensor->address, tensor->name);
    printf("\n");
    printf("    at 0x%05" PRIx32 "\n", from);
    print_bytes("card: ", result->wanted->l1, from, LINE);
    print_bytes("here: ", result->got->l1, from, LINE);
}

static int line_length(const char *text)
{
    return (int)strcspn(text, "\n");
}

static void print_dump(const struct explore_result *result)
{
    const char *wanted = result->wanted->dump, *got = result->got->dump;

    if (wanted == NULL || strcmp(wanted, got) == 0)
        return;
    while (*wanted != '\0' && *got != '\0' && line_length(wanted) == line_length(got) &&
           strncmp(wanted, got, (size_t)line_length(wanted)) == 0) {
        wanted += line_length(wanted) + (wanted[line_length(wanted)] == '\n');
        got += line_length(got) + (got[line_length(got)] == '\n');
    }
    printf("  the dump differs from here on:\n    card: %.*s\n    here: %.*s\n",
           line_length(wanted), wanted, line_length(got), got);
}

// ---------------------------------------------------------------- the steps

// "FILE:LINE: ", of a compiled program with the function; nothing if no line is known.
static void print_place(const struct explore_program *program, const tsr_diagnostic *at)
{
    struct finding_place place = program->cores.given ? core_finding_place(&program->cores, at)
                                                      : program_place(&program->program, at);
    if (place.line > 0)
        printf("%s:%d: ", place.file, place.line);
    if (place.line > 0 && place.function != NULL)
        printf("%s(): ", place.function);
}

static void print_step(const struct explore_program *program, const tsr_schedule_step *step)
{
    static const char *const verbs[] = {[TSR_STEP_ISSUE] = "is issued",
                                        [TSR_STEP_EXECUTE] = "executes",
                                        [TSR_STEP_COMPLETE] = "completes"};
    char text[TSR_INSTRUCTION_TEXT];

    if (step->thread < 0 || step->sequence == 0) {
        printf("%s", step->kind == TSR_STEP_LOADS  ? "loads of the scalar unit come back"
                     : step->kind == TSR_STEP_TDMA ? "TDMA-RISC takes a command"
                                                   : "a word comes to the gate");
        return;
    }
    if (tsr_disassemble(program->choice.options.arch, step->word, text, sizeof text) <= 0)
        snprintf(text, sizeof text, ".word 0x%08" PRIx32, step->word);
    const tsr_diagnostic at = {.thread = step->thread,
                               .sequence = step->sequence,
                               .pushed = step->pushed,
                               .pushed_core = step->pushed_core,
                               .pushed_pc = step->pushed_pc};
    print_place(program, &at);
    printf("thread %d #%" PRIu64 " %s %s", step->thread, step->sequence, text, verbs[step->kind]);
}

static void print_culprit(const struct explore_program *program, const struct culprit *culprit)
{
    if (culprit->eager_differs) {
        printf("  units that are done at once, with threads in turn, suffice for it\n");
        return;
    }
    if (!culprit->found)
        return;
    printf("  it is there after %" PRIu64 " steps of that order, when\n    ", culprit->steps);
    print_step(program, &culprit->early);
    if (culprit->both) {
        printf("\n  before\n    ");
        print_step(program, &culprit->late);
    } else {
        printf("\n  too early");
    }
    printf("\n");
}

// The two instructions of a race, in any order.
static bool is_pair(const tsr_diagnostic *race, const struct culprit *culprit)
{
    const tsr_schedule_step *one = &culprit->early, *two = &culprit->late;
    bool same = race->thread == one->thread && race->sequence == one->sequence &&
                race->other.thread == two->thread && race->other.sequence == two->sequence;
    bool swapped = race->thread == two->thread && race->sequence == two->sequence &&
                   race->other.thread == one->thread && race->other.sequence == one->sequence;

    return culprit->both && (same || swapped);
}

// Of the races of the run that of the two steps, or the first.
static void print_race(const struct explore_program *program, const struct explore_result *result)
{
    const tsr_diagnostic *races = result->raced->races, *race = races;

    for (int i = 0; i < result->raced->race_count; i++)
        if (is_pair(&races[i], result->culprit)) {
            race = &races[i];
            break;
        }
    if (result->raced->race_count == 0)
        return;
    const tsr_diagnostic other = other_place(&race->other);
    printf("  %s: %s\n    ", race->code, race->sentence);
    print_place(program, race);
    printf("%s\n    ", race->instruction[0] ? race->instruction : "an access of a core");
    print_place(program, &other);
    printf("%s\n", race->other.instruction[0] ? race->other.instruction : "an access of a core");
    if (race->wait[0] != '\0')
        printf("    missing: %s\n", race->wait);
}

// ---------------------------------------------------------------- the command

static bool is_plain(const char *word)
{
    return word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_-./=,:@+%")] == '\0';
}

static void print_word(const char *word)
{
    if (is_plain(word)) {
        printf(" %s", word);
        return;
    }
    printf(" '");
    for (const char *at = word; *at != '\0'; at++)
        printf(*at == '\'' ? "'\\''" : "%c", *at);
    printf("'");
}

static void print_command(const struct explore_program *program,
                          const struct explore_result *result)
{
    static const char *const names[] = {"card", "eager", "late", "random"};

    printf("  again: tessera run");
    if (!program->cores.given)
        print_word(program->path);
    for (int i = 0; i < result->words->count; i++) {
        printf(" --%s", result->words->word[i].option);
        print_word(result->words->word[i].value);
    }
    for (size_t i = 0; i < program->program.tensor_count; i++) {
        const struct tensor *tensor = &program->program.tensors[i];
        if ((tensor->use == TENSOR_OUT || tensor->use == TENSOR_INOUT) && tensor->out_path == NULL)
            printf(" --out %s=%s.npy", tensor->name, tensor->name);
    }
    printf(" --schedule %s", names[result->choice->schedule]);
    if (result->choice->schedule == TSR_SCHEDULE_RANDOM)
        printf(" --seed %" PRIu64, result->choice->seed);
    printf("\n");
}

void explore_difference(const struct explore_program *program, const struct explore_result *result)
{
    printf("%s on %s: %zu of %" PRIu64 " orders leave something else than that of a card; the "
           "shortest difference:\n",
           program->path, tsr_arch_name(program->choice.options.arch), result->differing,
           result->runs);
    if (result->wanted->end != result->got->end ||
        strcmp(result->wanted->finding, result->got->finding) != 0) {
        printf("  the run ends otherwise\n    card: ");
        print_end(result->wanted);
        printf("\n    here: ");
        print_end(result->got);
        printf("\n");
    }
    print_l1(program, result);
    print_dump(result);
    print_culprit(program, result->culprit);
    print_race(program, result);
    print_command(program, result);
}
