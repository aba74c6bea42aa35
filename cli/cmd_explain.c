// SPDX-License-Identifier: Apache-2.0
// `tessera explain NAME`: an instruction with its modes, a configuration field, a finding's code, a
// category of findings or a data format, from the rows of the machine and those beside this file.
// Without --arch both chips are shown.
#include "commands.h"
#include "common/cli_options.h"
#include "common/format_list.h"
#include "common/nearest.h"
#include "explain/explain_tables.h"
#include "explain/meanings.h"
#include "explain/modes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum explain_option { EXPLAIN_ARCH, EXPLAIN_LIST, EXPLAIN_OPTIONS };

static const struct option_row explain_options[EXPLAIN_OPTIONS] = {
    [EXPLAIN_ARCH] = {"arch", "wh|bh", "only that chip", "wh bh", false},
    [EXPLAIN_LIST] = {"list", NULL, "print all names", NULL, false},
};

const struct command command_explain = {
    .name = "explain",
    .run = cmd_explain,
    .summary = "an instruction, field, finding or format",
    .usage = "NAME [--arch wh|bh]\n--list [--arch wh|bh]",
    .text = "Describes an instruction, a configuration field, the code of a finding, a category "
            "of findings or a data format: bits, unit, page, and whether and how far it is "
            "implemented; of UNPACR, UNPACR_NOP, PACR and PACR_SETREG also the modes, of STALLWAIT "
            "and its like, and of the vector unit's instructions, the names of operands' values, "
            "of a field what it means and what reads it.",
    .options = explain_options,
    .option_count = EXPLAIN_OPTIONS,
    .operands = OPERAND_NAMES,
};

enum { MAX_HINTS = 8 };

struct explain_job {
    const char *name;
    bool archs[TSR_ARCH_COUNT];
    bool found;
};

static const char *implemented_text(tsr_implemented implemented)
{
    static const char *const texts[] = {
        [TSR_IMPLEMENTED_NONE] = "no",
        [TSR_IMPLEMENTED_PART] = "in part",
        [TSR_IMPLEMENTED_FULL] = "in full",
        [TSR_IMPLEMENTED_REFUSED] = "refused",
    };

    return texts[implemented];
}

static void begin(struct explain_job *job)
{
    if (job->found)
        putchar('\n');
    job->found = true;
}

// ---------------------------------------------------------------- instructions

struct bits_text {
    char text[32];
};

static struct bits_text bits_text(int first_bit, int width)
{
    struct bits_text bits;

    if (width == 1)
        snprintf(bits.text, sizeof bits.text, "%d", first_bit);
    else
        snprintf(bits.text, sizeof bits.text, "%d:%d", first_bit + width - 1, first_bit);
    return bits;
}

static void explain_instruction(struct explain_job *job, tsr_arch arch)
{
    const tsr_instruction_info *info = tsr_instruction_find(arch, job->name);

    if (info == NULL)
        return;
    begin(job);
    printf("%s: instruction of %s\n", info->mnemonic, tsr_arch_name(arch));
    printf("  does         %s\n", mnemonic_does(info->mnemonic));
    printf("  opcode       0x%02x (bits 31:24)\n", info->opcode);
    printf("  unit         %s\n", info->unit);
    printf("  implemented  %s%s%s\n", implemented_text(info->implemented),
           info->note[0] != '\0' ? ": " : "", info->note);
    printf("  page         %s\n", info->page);
    if (info->operand_count > 0)
        puts("  operands     bits  name");
    for (int i = 0; i < info->operand_count; i++) {
        const tsr_operand_info *operand = &info->operands[i];
        printf("               %-6s%s\n", bits_text(operand->first_bit, operand->width).text,
               operand->name);
    }
    print_constants(info, arch);
}

// ---------------------------------------------------------------- modes

static void print_words(const char *title, const char *list)
{
    char word[MODE_WORD];
    const char *separator = title;

    while (mode_word(&list, word)) {
        printf("%s%s", separator, word);
        separator = ", ";
    }
    if (separator != title)
        putchar('\n');
}

static void explain_mode(const struct explain_job *job, const struct mode *mode)
{
    const char *alone = "";

    if (job->archs[TSR_WORMHOLE_B0] && job->archs[TSR_BLACKHOLE_A0])
        alone = mode->chips == 1u << TSR_WORMHOLE_B0    ? " (wormhole_b0)"
                : mode->chips == 1u << TSR_BLACKHOLE_A0 ? " (blackhole_a0)"
                                                        : "";
    printf("  %s%s\n", mode->name, alone);
    printf("    does         %s\n", mode->does);
    print_words("    selected by  ", mode->selected_by);
    print_words("    findings     ", mode->findings);
    printf("    page         %s\n", mode->page);
}

static void explain_modes(struct explain_job *job)
{
    unsigned chips = 0;
    bool any = false;

    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        chips |= (unsigned)job->archs[arch] << arch;
    for (int i = 0; i < mode_count(); i++) {
        const struct mode *mode = mode_at(i);
        if (strcasecmp(mode->mnemonic, job->name) != 0 || !(mode->chips & chips))
            continue;
        if (!any)
            printf("\n%s: modes\n", mode->mnemonic);
        any = true;
        explain_mode(job, mode);
    }
}

// ---------------------------------------------------------------- fields

static void print_format_codes(void)
{
    const char *separator = "";

    for (uint8_t code = 0; code < FORMAT_CODES; code++) {
        if (!is_format(code))
            continue;
        printf("%s%u %s", separator, code, tsr_format_name(code));
        separator = "; ";
    }
    putchar('\n');
}

static void explain_meaning(const tsr_field_info *field)
{
    const struct meaning *meaning = field_meaning(field->name);

    if (meaning == NULL)
        return;
    printf("  meaning      %s\n", meaning->means);
    if (meaning->values[0] != '\0') {
        fputs("  values       ", stdout);
        if (meaning->values == value_is_format)
            print_format_codes();
        else
            puts(meaning->values);
    }
    if (field->implemented != TSR_IMPLEMENTED_NONE)
        printf("  read by      %s\n", meaning->readers);
}

static void explain_field(struct explain_job *job, tsr_arch arch)
{
    static const char *const scopes[] = {
        [TSR_SCOPE_THREAD] = "one a thread, written by SETC16",
        [TSR_SCOPE_BANKED] = "one a bank; CFG_STATE_ID_StateID of a thread chooses",
        [TSR_SCOPE_UNBANKED] = "one",
    };
    const tsr_field_info *field = tsr_field_find(arch, job->name);

    static const char *const field_text[] = {[TSR_IMPLEMENTED_NONE] = "no unit reads it",
                                             [TSR_IMPLEMENTED_PART] =
                                                 "some of its values are refused as unimplemented",
                                             [TSR_IMPLEMENTED_FULL] = "in full"};
    if (field == NULL)
        return;
    begin(job);
    printf("%s: configuration field of %s\n", field->name, tsr_arch_name(arch));
    printf("  word         %u (addr32)\n", field->addr32);
    printf("  bits         %s\n", bits_text(field->first_bit, field->width).text);
    printf("  scope        %s\n", scopes[field->scope]);
    printf("  section      %s\n", field->section);
    explain_meaning(field);
    printf("  implemented  %s\n", field_text[field->implemented]);
    if (field->plan_group[0] != '\0')
        printf("  plan group   %s\n", field->plan_group);
    printf("  page         %s\n", field->page);
}

// ---------------------------------------------------------------- findings and formats

static void explain_finding(struct explain_job *job)
{
    const tsr_finding_info *info = tsr_finding_find(job->name);

    if (info == NULL)
        return;
    begin(job);
    printf("%s: finding\n", info->code);
    printf("  category     %s\n", tsr_category_name(info->category));
    printf("  meaning      %s\n", info->text);
    printf("  page         %s\n", info->page);
    print_legal_pairs(info->code, job->archs);
}

static void print_stops(tsr_category category)
{
    static const char *const profiles[] = {[TSR_PROFILE_STRICT] = "strict",
                                           [TSR_PROFILE_SILICON] = "silicon",
                                           [TSR_PROFILE_CONFORMANCE] = "conformance"};
    const char *separator = "  stops in     ";

    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++)
        if (tsr_profile_action((tsr_profile)i, category) == TSR_ACTION_STOP) {
            printf("%s%s", separator, profiles[i]);
            separator = ", ";
        }
    puts(separator[0] == ' ' ? "  stops in     none" : "");
}

static void explain_category(struct explain_job *job)
{
    static const char *const meanings[TSR_CATEGORY_COUNT] = {
        [TSR_UNDEFINED_BEHAVIOUR] = "the page gives no result",
        [TSR_UNPREDICTABLE_VALUE] = "a value was used that nothing has set, or that came out of "
                                    "undefined behaviour",
        [TSR_NON_CONTRACTUAL] = "it works on today's silicon and is not promised",
        [TSR_MISSING_SPECIFICATION] = "it works and no page says how",
        [TSR_UNIMPLEMENTED_FEATURE] = "the chip can do it, Tessera cannot yet, or nothing says how",
        [TSR_BAD_INPUT] = "a word that is no instruction of the chip",
        [TSR_DEADLOCK] = "nothing can move any more",
        [TSR_RACE] = "nothing orders two accesses that conflict (run --races)",
        [TSR_UNGUARANTEED_ORDER] = "hardware orders two accesses, and no page says so (run "
                                   "--races); told in profile strict",
    };
    int category = 0;

    while (category < TSR_CATEGORY_COUNT &&
           strcmp(job->name, tsr_category_name((tsr_category)category)) != 0)
        category++;
    if (category == TSR_CATEGORY_COUNT)
        return;
    begin(job);
    printf("%s: category of findings\n", job->name);
    printf("  meaning      %s\n", meanings[category]);
    print_stops((tsr_category)category);
    puts("  codes");
    for (int i = 0; i < tsr_finding_count(); i++)
        if ((int)tsr_finding_at(i)->category == category)
            printf("    %s\n", tsr_finding_at(i)->code);
}

static void explain_format(struct explain_job *job)
{
    static const char *const sizes[] = {"32 bits", "16 bits", "8 bits", "4 or 2 bits"};
    uint8_t code;

    if (tsr_format_find(job->name, &code) != TSR_OK)
        return;
    begin(job);
    printf("%s: data format\n", tsr_format_name(code));
    printf("  code         %u\n", code);
    printf("  size in L1   %s\n", sizes[code & 3]);
}

// ---------------------------------------------------------------- names

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);

    for (; *text != '\0'; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

static void hint(const char *name, const char *part, int *count)
{
    if (*part == '\0' || *count == MAX_HINTS || !contains(name, part))
        return;
    fprintf(stderr, "%s%s", *count == 0 ? "names that contain it: " : ", ", name);
    ++*count;
}

static void print_hints(const struct explain_job *job)
{
    int count = 0;

    for (int arch = 0; arch < TSR_ARCH_COUNT && count == 0; arch++) {
        if (!job->archs[arch])
            continue;
        for (int i = 0; i < tsr_instruction_count((tsr_arch)arch); i++)
            hint(tsr_instruction_at((tsr_arch)arch, i)->mnemonic, job->name, &count);
        for (int i = 0; i < tsr_field_count((tsr_arch)arch); i++)
            hint(tsr_field_at((tsr_arch)arch, i)->name, job->name, &count);
    }
    for (int i = 0; i < tsr_finding_count(); i++)
        hint(tsr_finding_at(i)->code, job->name, &count);
    if (count > 0)
        fputc('\n', stderr);
}

static void offer_all(const struct explain_job *job, struct nearest *nearest)
{
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        if (!job->archs[arch])
            continue;
        for (int i = 0; i < tsr_instruction_count((tsr_arch)arch); i++)
            nearest_offer(nearest, tsr_instruction_at((tsr_arch)arch, i)->mnemonic);
        for (int i = 0; i < tsr_field_count((tsr_arch)arch); i++)
            nearest_offer(nearest, tsr_field_at((tsr_arch)arch, i)->name);
    }
    for (int i = 0; i < tsr_finding_count(); i++)
        nearest_offer(nearest, tsr_finding_at(i)->code);
    for (int i = 0; i < TSR_CATEGORY_COUNT; i++)
        nearest_offer(nearest, tsr_category_name((tsr_category)i));
}

static int explain(struct explain_job *job)
{
    struct nearest nearest = nearest_to(job->name);

    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        if (job->archs[arch])
            explain_instruction(job, (tsr_arch)arch);
    if (job->found)
        explain_modes(job);
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++)
        if (job->archs[arch])
            explain_field(job, (tsr_arch)arch);
    explain_finding(job);
    explain_category(job);
    explain_format(job);
    if (job->found)
        return STATUS_OK;
    offer_all(job, &nearest);
    report_bad_input("explain: there is no such instruction, field, finding, category or format "
                     "'%s'%s",
                     job->name, nearest_text(&nearest).text);
    print_hints(job);
    return STATUS_BAD_INPUT;
}

static int list_all(const struct explain_job *job)
{
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        if (!job->archs[arch])
            continue;
        const char *name = tsr_arch_name((tsr_arch)arch);
        for (int i = 0; i < tsr_instruction_count((tsr_arch)arch); i++)
            printf("%s instruction %s\n", name, tsr_instruction_at((tsr_arch)arch, i)->mnemonic);
        for (int i = 0; i < tsr_field_count((tsr_arch)arch); i++)
            printf("%s field %s\n", name, tsr_field_at((tsr_arch)arch, i)->name);
    }
    for (int i = 0; i < tsr_finding_count(); i++)
        printf("finding %s\n", tsr_finding_at(i)->code);
    for (int i = 0; i < TSR_CATEGORY_COUNT; i++)
        printf("category %s\n", tsr_category_name((tsr_category)i));
    for (uint8_t code = 0; code < FORMAT_CODES; code++)
        if (is_format(code))
            printf("format %s\n", tsr_format_name(code));
    return STATUS_OK;
}

int cmd_explain(int argc, char **argv)
{
    struct explain_job job = {.archs = {true, true}};
    struct tile_choice choice = {.arch_given = false};
    struct message why;
    bool list = false;

    for (int option; (option = next_option(&command_explain, argc, argv)) != OPTION_END;) {
        if (option == OPTION_BAD)
            return STATUS_BAD_INPUT;
        if (option == OPTION_HELP)
            return STATUS_OK;
        if (option == EXPLAIN_ARCH && !choose_arch(&choice, optarg, &why))
            return report_message(&why);
        list = list || option == EXPLAIN_LIST;
    }
    for (int arch = 0; choice.arch_given && arch < TSR_ARCH_COUNT; arch++)
        job.archs[arch] = arch == (int)choice.options.arch;
    if (optind + (list ? 0 : 1) != argc)
        return report_bad_input("explain: exactly one NAME, or --list, is needed");
    if (list)
        return list_all(&job);
    job.name = argv[optind];
    return explain(&job);
}
