// SPDX-License-Identifier: Apache-2.0
// `tessera status`: what is implemented, from the rows of the machine, as the Markdown that
// docs/status.md holds; `tessera status NAME`: an instruction's modes and their tests, as
// docs/unpackers.md and docs/packers.md have them. Tests compare.
#include "commands.h"
#include "common/cli_options.h"
#include "explain/modes.h"

#include <tessera/chip.h>

#include <stdio.h>
#include <string.h>

const struct command command_status = {
    .name = "status",
    .run = cmd_status,
    .summary = "what is implemented, as Markdown",
    .usage = "[NAME]",
    .text = "Prints docs/status.md: what is implemented of each chip, from the rows of the "
            "machine. With the NAME of an instruction that has modes: the table of its modes and "
            "their tests.",
    .operands = OPERAND_WORDS,
    .words = "UNPACR UNPACR_NOP PACR PACR_SETREG",
};

enum { MAX_UNITS = 32, STATES = 4 };

struct tally {
    const char *names[MAX_UNITS];
    int counts[MAX_UNITS][STATES]; // by tsr_implemented
    int count;
};

static const char *implemented_word(tsr_implemented implemented)
{
    static const char *const words[] = {
        [TSR_IMPLEMENTED_NONE] = "unimplemented",
        [TSR_IMPLEMENTED_PART] = "partial",
        [TSR_IMPLEMENTED_FULL] = "full",
        [TSR_IMPLEMENTED_REFUSED] = "refused",
    };

    return words[implemented];
}

static void tally_add(struct tally *tally, const char *name, tsr_implemented implemented)
{
    int i = 0;

    while (i < tally->count && strcmp(tally->names[i], name) != 0)
        i++;
    if (i == MAX_UNITS)
        return;
    if (i == tally->count)
        tally->names[tally->count++] = name;
    tally->counts[i][implemented]++;
}

// Fields are never refused and have no column for it.
static void print_tally_row(const char *name, const int counts[STATES], bool refusals)
{
    int sum = 0;

    for (int k = 0; k < STATES; k++)
        sum += counts[k];
    printf("| %s | %d | %d | %d | ", name, sum, counts[TSR_IMPLEMENTED_FULL],
           counts[TSR_IMPLEMENTED_PART]);
    if (refusals)
        printf("%d | ", counts[TSR_IMPLEMENTED_REFUSED]);
    printf("%d |\n", counts[TSR_IMPLEMENTED_NONE]);
}

static void print_tally(const struct tally *tally, bool refusals)
{
    int all[STATES] = {0};

    for (int i = 0; i < tally->count; i++) {
        print_tally_row(tally->names[i], tally->counts[i], refusals);
        for (int k = 0; k < STATES; k++)
            all[k] += tally->counts[i][k];
    }
    print_tally_row("**all**", all, refusals);
}

// ---------------------------------------------------------------- instructions

static void print_unit_rows(tsr_arch arch, const char *unit)
{
    for (int i = 0; i < tsr_instruction_count(arch); i++) {
        const tsr_instruction_info *info = tsr_instruction_at(arch, i);
        if (strcmp(info->unit, unit) == 0)
            printf("| %s | `%s` | %s | %s |\n", unit, info->mnemonic,
                   implemented_word(info->implemented), info->note);
    }
}

static void print_instructions(tsr_arch arch)
{
    struct tally tally = {.count = 0};

    for (int i = 0; i < tsr_instruction_count(arch); i++) {
        const tsr_instruction_info *info = tsr_instruction_at(arch, i);
        tally_add(&tally, info->unit, info->implemented);
    }
    printf("### Instructions\n\nRefused: neither a page nor vendor software says what it does. It "
           "is reported (`no-specification`, which stops); going on, it does nothing.\n\n"
           "| unit | instructions | full | partial | refused | unimplemented |\n"
           "|---|---|---|---|---|---|\n");
    print_tally(&tally, true);
    printf("\n| unit | instruction | implemented | what is missing |\n|---|---|---|---|\n");
    for (int i = 0; i < tally.count; i++)
        print_unit_rows(arch, tally.names[i]);
    putchar('\n');
}

// ---------------------------------------------------------------- fields

static void print_read_fields(tsr_arch arch, const char *section)
{
    const char *separator = "";

    for (int i = 0; i < tsr_field_count(arch); i++) {
        const tsr_field_info *field = tsr_field_at(arch, i);
        if (strcmp(field->section, section) != 0 || field->implemented == TSR_IMPLEMENTED_NONE)
            continue;
        printf("%s`%s`%s", separator, field->name,
               field->implemented == TSR_IMPLEMENTED_PART ? " (partial)" : "");
        separator = ", ";
    }
}

static void print_fields(tsr_arch arch)
{
    struct tally tally = {.count = 0};

    for (int i = 0; i < tsr_field_count(arch); i++) {
        const tsr_field_info *field = tsr_field_at(arch, i);
        tally_add(&tally, field->section, field->implemented);
    }
    printf("### Configuration fields\n\nA field counts as implemented when a unit reads it.\n\n"
           "| section | fields | full | partial | not read |\n|---|---|---|---|---|\n");
    print_tally(&tally, false);
    putchar('\n');
    for (int i = 0; i < tally.count; i++) {
        if (tally.counts[i][TSR_IMPLEMENTED_FULL] + tally.counts[i][TSR_IMPLEMENTED_PART] == 0)
            continue;
        printf("Read in %s: ", tally.names[i]);
        print_read_fields(arch, tally.names[i]);
        printf("\n\n");
    }
}

// ---------------------------------------------------------------- the data path

static void print_state(tsr_arch arch, const char *mnemonic)
{
    const tsr_instruction_info *info = tsr_instruction_find(arch, mnemonic);

    printf(" %s |", info == NULL ? "–" : implemented_word(info->implemented));
}

static void print_data_path(void)
{
#define ENTRY(mnemonic, tests) {#mnemonic, tests},
    static const struct {
        const char *mnemonic, *tests;
    } entries[] = {
#include "explain/data_path.def"
    };

    printf("## The data path's instructions\n\nWhat unpackers, packers and their counters are "
           "steered with (`cli/explain/data_path.def`), and where each is tested: files under "
           "`tests/`, "
           "conformance cases.\n\n| instruction | opcode | unit | wormhole_b0 | blackhole_a0 | "
           "test |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        // Blackhole has every instruction that Wormhole has.
        const tsr_instruction_info *info =
            tsr_instruction_find(TSR_BLACKHOLE_A0, entries[i].mnemonic);
        if (info == NULL)
            continue;
        printf("| %s | 0x%02x | %s |", info->mnemonic, info->opcode, info->unit);
        print_state(TSR_WORMHOLE_B0, info->mnemonic);
        print_state(TSR_BLACKHOLE_A0, info->mnemonic);
        printf(" %s |\n", entries[i].tests[0] != '\0' ? entries[i].tests : "–");
    }
    putchar('\n');
}

// ---------------------------------------------------------------- modes

static void print_code_words(const char *list)
{
    char word[MODE_WORD];
    const char *separator = " ";

    while (mode_word(&list, word)) {
        printf("%s`%s`", separator, word);
        separator = ", ";
    }
    printf(" |");
}

// False: no mode of that instruction has a row.
static bool print_modes(const char *mnemonic)
{
    static const char *const chips[] = {"", "WH", "BH", "both"};
    bool any = false;

    for (int i = 0; i < mode_count(); i++) {
        const struct mode *mode = mode_at(i);
        if (strcmp(mode->mnemonic, mnemonic) != 0)
            continue;
        if (!any)
            printf("| mode | chip | what it does | selected by | findings | tests |\n"
                   "|---|---|---|---|---|---|\n");
        any = true;
        printf("| %s | %s | %s |", mode->name, chips[mode->chips & 3], mode->does);
        print_code_words(mode->selected_by);
        print_code_words(mode->findings);
        print_code_words(mode->tests);
        putchar('\n');
    }
    return any;
}

// ---------------------------------------------------------------- the baby cores

static const char *who_has(const tsr_core_instruction_info *info)
{
    const uint8_t t2 = 1 << TSR_CORE_T2, every = 0x1f;
    if (info->cores[TSR_WORMHOLE_B0] && info->cores[TSR_BLACKHOLE_A0])
        return "both chips";
    if (info->cores[TSR_WORMHOLE_B0])
        return "wormhole_b0";
    if (!info->cores[TSR_BLACKHOLE_A0])
        return "no core";
    return info->cores[TSR_BLACKHOLE_A0] == every ? "blackhole_a0"
           : info->cores[TSR_BLACKHOLE_A0] == t2  ? "blackhole_a0, T2"
                                                  : "blackhole_a0, B and NC";
}

static bool same_row(const tsr_core_instruction_info *a, const tsr_core_instruction_info *b)
{
    return strcmp(a->extension, b->extension) == 0 && strcmp(who_has(a), who_has(b)) == 0 &&
           a->implemented == b->implemented;
}

// A row for neighbours of an extension that the same cores have.
static void print_core_instructions(void)
{
    printf(
        "## Instructions of the baby cores\n\n"
        "What no core has is known by name only: it is reported (`core-lacks-instruction`) and not "
        "executed. `.ttinsn` is a row of no extension; all cores have it.\n\n"
        "| extension | cores | implemented | instructions |\n|---|---|---|---|\n");
    tsr_core_instruction_info info, first = {0};
    for (int i = 0; tsr_core_instruction_at(i, &info); i++) {
        if (i > 0 && same_row(&info, &first)) {
            printf(", %s", info.mnemonic);
            continue;
        }
        bool known = info.cores[TSR_WORMHOLE_B0] | info.cores[TSR_BLACKHOLE_A0];
        printf("%s| %s | %s | %s | %s", i > 0 ? " |\n" : "", info.extension, who_has(&info),
               info.implemented ? "full"
               : known          ? "no"
                                : "-",
               info.mnemonic);
        first = info;
    }
    printf(" |\n\n");
}

// ---------------------------------------------------------------- findings

static void print_chip_parts(void)
{
    tsr_chip_part_info part;
    printf("## The chip around its tiles\n\n| part | implemented | how, or what is missing | page "
           "|\n|---|---|---|---|\n");
    for (int i = 0; tsr_chip_part_at(i, &part) == TSR_OK; i++)
        printf("| %s | %s | %s | %s |\n", part.name, implemented_word(part.implemented), part.note,
               part.page);
    printf("\n");
}

static void print_findings(void)
{
    printf("## Findings\n\n| code | category | page |\n|---|---|---|\n");
    for (int i = 0; i < tsr_finding_count(); i++) {
        const tsr_finding_info *info = tsr_finding_at(i);
        printf("| `%s` | %s | %s |\n", info->code, tsr_category_name(info->category), info->page);
    }
}

static void print_all(void)
{
    printf("# What is implemented\n\nMade by `tessera status` from the rows in `machine/`; do not "
           "edit it by hand.\n\n");
    for (int arch = 0; arch < TSR_ARCH_COUNT; arch++) {
        printf("## %s\n\n", tsr_arch_name((tsr_arch)arch));
        print_instructions((tsr_arch)arch);
        print_fields((tsr_arch)arch);
    }
    print_data_path();
    print_core_instructions();
    print_chip_parts();
    print_findings();
}

int cmd_status(int argc, char **argv)
{
    for (int option; (option = next_option(&command_status, argc, argv)) != OPTION_END;)
        return option == OPTION_BAD ? STATUS_BAD_INPUT : STATUS_OK;
    if (argc - optind > 1)
        return report_bad_input("status: one NAME at most");
    if (argc == optind)
        print_all();
    else if (!print_modes(argv[optind]))
        return report_bad_input("status: no instruction with a table of modes is called '%s'",
                                argv[optind]);
    return STATUS_OK;
}
