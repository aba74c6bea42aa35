// SPDX-License-Identifier: Apache-2.0
// `tessera disasm` and `tessera asm`: words to text and back. Neither knows an encoding;
// tsr_disassemble() and the assembler of .ttasm derive it from the rows of the machine.
#include "commands.h"
#include "common/cli_options.h"
#include "common/in_file.h"
#include "ttasm/ttasm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row line_options[] = {
    {"arch", "wh|bh", "the chip", "wh bh", false},
};

const struct command command_disasm = {
    .name = "disasm",
    .run = cmd_disasm,
    .summary = "instruction words to text",
    .usage = "--arch wh|bh FILE",
    .text = "FILE (- is the standard input) holds hexadecimal words, one a line; # begins a "
            "comment. Prints `MNEMONIC name=value …`, or `.word 0x…` for what is not an "
            "instruction.",
    .options = line_options,
    .option_count = 1,
    .operands = OPERAND_FILES,
};

const struct command command_asm = {
    .name = "asm",
    .run = cmd_asm,
    .summary = ".ttasm without tensors to instruction words",
    .usage = "--arch wh|bh FILE",
    .text = "The inverse of disasm: FILE (- is the standard input) holds instructions in the "
            "language .ttasm without tensors (docs/ttasm.md). Prints a hexadecimal word for each; "
            "if threads 1 or 2 have words, those of each thread follow a line `# thread N`.",
    .options = line_options,
    .option_count = 1,
    .operands = OPERAND_FILES,
};

struct line_job {
    const char *path; // "-" is stdin
    tsr_arch arch;
    int line;
    const char *word; // the line without comment and blanks around
};

static int disassemble_line(const struct line_job *job)
{
    const char *digits = job->word;
    char text[TSR_INSTRUCTION_TEXT], number[24];
    uint64_t word;

    if (strncmp(digits, "0x", 2) == 0 || strncmp(digits, "0X", 2) == 0)
        digits += 2;
    snprintf(number, sizeof number, "0x%.20s", digits);
    if (strlen(digits) > 8 || !parse_number(number, &word))
        return report_bad_input("%s:%d: this is not a word of up to eight hexadecimal digits "
                                "'%.80s'",
                                job->path, job->line, job->word);
    tsr_disassemble(job->arch, (uint32_t)word, text, sizeof text);
    puts(text);
    return STATUS_OK;
}

// Cuts the comment (from # on) and blanks; returns where the rest begins.
static const char *trim(char *line)
{
    line[strcspn(line, "#\r\n")] = '\0';
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        line[--length] = '\0';
    return line;
}

static int disassemble_file(const char *path, tsr_arch arch)
{
    struct line_job job = {.path = path, .arch = arch};
    struct message why;
    FILE *file = in_open(path, &why);
    int status = STATUS_OK;
    char *line = NULL;
    size_t size = 0;

    if (file == NULL)
        return report_message(&why);
    for (job.line = 1; status == STATUS_OK; job.line++) {
        ssize_t length = getline(&line, &size, file);
        if (length < 0)
            break;
        if (strlen(line) < (size_t)length) {
            status = report_bad_input("%s:%d: a NUL byte stands here", path, job.line);
            break;
        }
        job.word = trim(line);
        if (*job.word != '\0')
            status = disassemble_line(&job);
    }
    int error = errno;
    free(line);
    if (status == STATUS_OK && ferror(file) != 0) {
        message_io(&why, path, "read", error);
        status = report_message(&why);
    }
    in_close(file);
    return status;
}

static int assemble_file(const char *path, tsr_arch arch)
{
    struct ttasm_program program;
    struct message why;

    if (!ttasm_assemble_words(path, arch, &program, &why))
        return report_message(&why);
    bool threads = program.threads[1].count + program.threads[2].count > 0;
    for (int i = 0; i < TSR_THREADS; i++) {
        const struct ttasm_stream *words = &program.threads[i];
        if (threads && words->count > 0)
            printf("# thread %d\n", i);
        for (size_t word = 0; word < words->count; word++)
            printf("0x%08x\n", words->words[word]);
    }
    ttasm_free(&program);
    return STATUS_OK;
}

static int file_command(const struct command *command, int argc, char **argv,
                        int (*run)(const char *path, tsr_arch arch))
{
    struct tile_choice choice = {.arch_given = false};
    struct message why;

    for (int option; (option = next_option(command, argc, argv)) != OPTION_END;) {
        if (option == OPTION_BAD)
            return STATUS_BAD_INPUT;
        if (option == OPTION_HELP)
            return STATUS_OK;
        if (!choose_arch(&choice, optarg, &why))
            return report_bad_input("%s", why.text);
    }
    if (optind + 1 != argc)
        return report_bad_input("%s: exactly one FILE is needed", command->name);
    if (!choice.arch_given)
        return report_bad_input("%s: the architecture is missing: --arch wh or --arch bh",
                                command->name);
    return run(argv[optind], choice.options.arch);
}

int cmd_disasm(int argc, char **argv)
{
    return file_command(&command_disasm, argc, argv, disassemble_file);
}

int cmd_asm(int argc, char **argv)
{
    return file_command(&command_asm, argc, argv, assemble_file);
}
