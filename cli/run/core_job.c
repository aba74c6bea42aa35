// SPDX-License-Identifier: Apache-2.0
// Words and files of a run on the baby cores; see core_job.h. The command does what the host of the
// vendor's test kernels does: it says where the T cores begin, and releases core B.
// Page: SoftReset.md of each chip.
#include "run/core_job.h"

#include "common/boot_words.h"
#include "common/cli_options.h"
#include "common/in_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int find_core(const char *name, size_t length)
{
    for (int i = 0; i < CORE_COUNT; i++) {
        const char *core = tsr_core_program_name((tsr_core)i);
        if (strlen(core) == length && strncmp(core, name, length) == 0)
            return i;
    }
    return -1;
}

const char *core_job_path(const struct core_job *job)
{
    for (int i = 0; i < CORE_COUNT; i++)
        if (job->paths[i] != NULL)
            return job->paths[i];
    return "";
}

// ---------------------------------------------------------------- words

static bool add_elf(struct core_job *job, char *word, struct message *why)
{
    char *equals = strchr(word, '=');
    int core = equals == NULL ? -1 : find_core(word, (size_t)(equals - word));

    if (equals == NULL || equals[1] == '\0')
        return message_set(why, "--elf: this is not CORE=FILE '%s'", word);
    if (core < 0)
        return message_set(why,
                           "--elf: no core is called '%.*s' (brisc, trisc0, trisc1, trisc2 or "
                           "ncrisc)",
                           (int)(equals - word), word);
    if (job->paths[core] != NULL)
        return message_set(why, "--elf: two files for %s '%s'",
                           tsr_core_program_name((tsr_core)core), equals + 1);
    job->paths[core] = equals + 1;
    return true;
}

bool core_job_elf(struct core_job *job, const char *word, struct message *why)
{
    const size_t name = strcspn(word, ":=");
    int slot = 0;

    if (word[name] == ':')
        return message_set(why,
                           "--elf: a tile stands before CORE=FILE only with --chip or --grid, and "
                           "once: '%s'",
                           word);
    job->given = true;
    while (slot < CORE_COUNT && job->words[slot] != NULL)
        slot++;
    if (slot == CORE_COUNT)
        return message_set(why, "--elf: more than %d times", CORE_COUNT);
    job->words[slot] = strdup(word);
    if (job->words[slot] == NULL)
        return message_no_memory(why, "--elf");
    for (char *next = job->words[slot]; next != NULL;) {
        char *comma = strchr(next, ',');
        if (comma != NULL)
            *comma = '\0';
        if (!add_elf(job, next, why))
            return false;
        next = comma == NULL ? NULL : comma + 1;
    }
    return true;
}

// The text before `end` as a number of 32 bits.
static bool number_before(const char *word, const char *end, uint32_t *value)
{
    uint64_t number;

    if (parse_digits(word, (size_t)(end - word), &number) != NUMBER_OK || number > UINT32_MAX)
        return false;
    *value = (uint32_t)number;
    return true;
}

bool core_job_load(struct core_job *job, const char *word, struct message *why)
{
    const char *at = strrchr(word, '@');
    struct core_load *load = &job->loads[job->load_count];

    if (job->load_count == MAX_LOADS)
        return message_set(why, "--load: more than %d files", MAX_LOADS);
    if (at == NULL || at == word || !number_before(at + 1, at + strlen(at), &load->address))
        return message_set(why, "--load: this is not FILE@ADDRESS '%s'", word);
    load->path = strndup(word, (size_t)(at - word));
    if (load->path == NULL)
        return message_no_memory(why, "--load");
    job->load_count++;
    return true;
}

bool core_job_dump(struct core_job *job, const char *word, struct message *why)
{
    const char *colon = strchr(word, ':'), *equals = strchr(word, '=');
    struct core_file_dump *dump = &job->dumps[job->dump_count];

    if (job->dump_count == MAX_FILE_DUMPS)
        return message_set(why, "--dump: more than %d files", MAX_FILE_DUMPS);
    if (colon == NULL || equals == NULL || colon > equals || equals[1] == '\0' ||
        !number_before(word, colon, &dump->address) ||
        !number_before(colon + 1, equals, &dump->size))
        return message_set(why, "--dump: this is not ADDRESS:LENGTH=FILE '%s'", word);
    if (dump->size == 0)
        return message_set(why, "--dump: no bytes are asked for '%s'", word);
    dump->path = equals + 1;
    for (int i = 0; i < job->dump_count; i++)
        if (strcmp(job->dumps[i].path, dump->path) == 0)
            return message_set(why, "--dump: two dumps go to the same file '%s'", dump->path);
    job->dump_count++;
    return true;
}

bool core_job_until(struct core_job *job, const char *word, struct message *why)
{
    const char *equals = strchr(word, '=');

    if (equals == NULL || !number_before(word, equals, &job->until_address) ||
        !number_before(equals + 1, equals + strlen(equals), &job->until_value))
        return message_set(why, "--until: this is not ADDRESS=VALUE '%s'", word);
    if (job->until_address % 4 != 0)
        return message_set(why, "--until: a word of L1 begins at a multiple of 4, not at '%s'",
                           word);
    job->until = true;
    return true;
}

// ---------------------------------------------------------------- ELF files

static bool check_ranges(const struct core_job *job, tsr_arch arch, struct message *why)
{
    size_t l1 = tsr_l1_size(arch);

    for (int i = 0; i < job->dump_count; i++)
        if (job->dumps[i].address > l1 || job->dumps[i].size > l1 - job->dumps[i].address)
            return message_set(why, "--dump: L1 has 0x%zx bytes, and '%s' leaves it", l1,
                               job->dumps[i].path);
    return !job->until || job->until_address < l1 ||
           message_set(why, "--until: L1 has 0x%zx bytes, and 0x%" PRIx32 " is none of them", l1,
                       job->until_address);
}

bool core_job_read(struct core_job *job, tsr_arch arch, struct message *why)
{
    if (!check_ranges(job, arch, why))
        return false;
    for (int i = 0; i < CORE_COUNT; i++) {
        if (job->paths[i] == NULL)
            continue;
        if (!elf_read(&job->images[i], job->paths[i], arch, (tsr_core)i, why))
            return false;
        for (int k = 0; k < i; k++)
            if (!elf_apart(&job->images[k], &job->images[i], why))
                return false;
        job->lines[i] = elf_lines_open(&job->images[i]);
    }
    return true;
}

bool core_job_stop_at(struct core_job *job, const char *option, const char *word,
                      struct message *why)
{
    const char *colon = strchr(word, ':');
    int only = colon == NULL ? -1 : find_core(word, (size_t)(colon - word));
    const char *place = only < 0 ? word : colon + 1;

    job->stop_count = 0;
    for (int i = 0; i < CORE_COUNT; i++) {
        uint32_t addresses[MAX_STOPS];
        if (job->lines[i] == NULL || (only >= 0 && i != only))
            continue;
        int count = elf_addresses(job->lines[i], place, addresses, MAX_STOPS);
        for (int k = 0; k < count && k < MAX_STOPS && job->stop_count < MAX_STOPS; k++)
            job->stops[job->stop_count++] = (struct core_stop){(tsr_core)i, addresses[k]};
    }
    return job->stop_count > 0 ||
           message_set(why,
                       "%s: no program has code of that function or line (with its symbols and "
                       "debug information?) '%s'",
                       option, word);
}

// ---------------------------------------------------------------- loading

static bool load_file(const struct core_load *load, tsr_tile *tile, struct message *why)
{
    size_t size, l1 = tsr_l1_size(tsr_tile_arch(tile));
    char *bytes = in_read(load->path, l1, &size, why);

    if (bytes == NULL)
        return false;
    bool ok = tsr_l1_write(tile, load->address, bytes, size) == TSR_OK;
    free(bytes);
    return ok ||
           message_set(why, "--load: L1 has 0x%zx bytes, and %s has %zu, too many at 0x%" PRIx32,
                       l1, load->path, size, load->address);
}

static bool load_image(const struct elf_image *image, enum elf_room room, tsr_tile *tile)
{
    tsr_status status = TSR_OK;

    for (int i = 0; i < image->piece_count && status == TSR_OK; i++) {
        const struct elf_piece *piece = &image->pieces[i];
        if (piece->room != room)
            continue;
        if (room == ELF_L1)
            status = tsr_l1_write(tile, piece->address, piece->bytes, piece->size);
        else if (room == ELF_IRAM)
            status = tsr_iram_write(tile, piece->address, piece->bytes, piece->size);
        else
            status =
                tsr_core_ram_write(tile, image->core, piece->address, piece->bytes, piece->size);
    }
    return status == TSR_OK;
}

static bool has_ram_piece(const struct elf_image *image)
{
    for (int i = 0; i < image->piece_count; i++)
        if (image->pieces[i].room == ELF_RAM)
            return true;
    return false;
}

static uint32_t register_address(tsr_arch arch, const char *name)
{
    tsr_register_info info;

    for (int i = 0; tsr_register_at(arch, i, &info) == TSR_OK; i++)
        if (strcmp(info.name, name) == 0)
            return info.address;
    return 0;
}

static bool set_register(tsr_tile *tile, const char *name, uint32_t value)
{
    return tsr_host_store(tile, register_address(tsr_tile_arch(tile), name), value, 4) == TSR_OK;
}

// Blackhole clears a core's RAM when the core leaves reset, unless a bit says not to.
static bool keep_rams(const struct core_job *job, tsr_tile *tile)
{
    static const uint8_t bits[CORE_COUNT] = {6, 0, 2, 4, 8}; // DISABLE_RESET
    uint32_t value = 0;

    for (int i = 0; i < CORE_COUNT; i++)
        if (job->paths[i] != NULL && has_ram_piece(&job->images[i]))
            value |= 1u << bits[i];
    return value == 0 || tsr_tile_arch(tile) == TSR_WORMHOLE_B0 ||
           set_register(tile, "DISABLE_RESET", value);
}

// Where the cores begin that core B is to start: words in L1, registers on Blackhole.
static bool set_starts(const struct core_job *job, tsr_tile *tile)
{
    static const char *const registers[CORE_COUNT] = {NULL, "TRISC0_RESET_PC", "TRISC1_RESET_PC",
                                                      "TRISC2_RESET_PC", "NCRISC_RESET_PC"};
    bool wormhole = tsr_tile_arch(tile) == TSR_WORMHOLE_B0, ok = true;
    uint32_t threads = 0;

    for (int i = TSR_CORE_T0; i < CORE_COUNT && ok; i++) {
        uint32_t entry = job->images[i].entry;
        if (job->paths[i] == NULL || (wormhole && i == TSR_CORE_NC))
            continue;
        if (wormhole) {
            uint32_t word = BOOT_START_WORDS + 4 * (uint32_t)(i - TSR_CORE_T0);
            ok = tsr_host_store(tile, word, entry, 4) == TSR_OK;
            continue;
        }
        ok = set_register(tile, registers[i], entry);
        if (i != TSR_CORE_NC)
            threads |= 1u << (i - TSR_CORE_T0);
        else
            ok = ok && set_register(tile, "NCRISC_RESET_PC_OVERRIDE", 1);
    }
    return ok && (threads == 0 || set_register(tile, "TRISC_RESET_PC_OVERRIDE", threads));
}

// A jump from 0, where core B begins, if no program has something there.
static bool lead_to_entry(const struct core_job *job, tsr_tile *tile, struct message *why)
{
    uint32_t entry = job->images[TSR_CORE_B].entry;
    uint8_t first;
    uint32_t jump = elf_jump_to(entry);

    if (entry == 0)
        return true;
    for (int i = 0; i < CORE_COUNT; i++)
        for (int k = 0; k < job->images[i].piece_count; k++)
            if (job->images[i].pieces[k].room == ELF_L1 && job->images[i].pieces[k].address < 4)
                return message_set(why,
                                   "%s: core B begins at address 0, where %s has something, and "
                                   "its entry is 0x%" PRIx32,
                                   job->paths[TSR_CORE_B], job->paths[i], entry);
    if (entry >= 1u << 20 || tsr_l1_read(tile, 0, &first, 1) != TSR_OK)
        return message_set(why, "%s: no jump leads from address 0 to the entry 0x%" PRIx32,
                           job->paths[TSR_CORE_B], entry);
    const uint8_t bytes[4] = {(uint8_t)jump, (uint8_t)(jump >> 8), (uint8_t)(jump >> 16),
                              (uint8_t)(jump >> 24)};
    return tsr_l1_write(tile, 0, bytes, sizeof bytes) == TSR_OK;
}

static bool place_stops(const struct core_job *job, tsr_tile *tile)
{
    static const uint8_t ebreak[4] = {0x73, 0x00, 0x10, 0x00};
    tsr_memory_info iram = {.base = UINT32_MAX};

    for (int i = 0; tsr_memory_at(tsr_tile_arch(tile), i, &iram) == TSR_OK; i++)
        if (strcmp(iram.name, "IRAM") == 0)
            break;
    bool has_iram = strcmp(iram.name, "IRAM") == 0;
    for (int i = 0; i < job->stop_count; i++) {
        uint32_t pc = job->stops[i].pc;
        tsr_status status = has_iram && pc >= iram.base
                                ? tsr_iram_write(tile, pc - iram.base, ebreak, sizeof ebreak)
                                : tsr_l1_write(tile, pc, ebreak, sizeof ebreak);
        if (status != TSR_OK)
            return false;
    }
    return true;
}

bool core_job_begin(struct core_job *job, tsr_tile *tile, struct message *why)
{
    bool ok = true;

    for (int i = 0; i < job->load_count; i++)
        if (!load_file(&job->loads[i], tile, why))
            return false;
    for (int i = 0; i < CORE_COUNT; i++)
        ok = ok && load_image(&job->images[i], ELF_L1, tile) &&
             load_image(&job->images[i], ELF_IRAM, tile);
    ok = ok && place_stops(job, tile) && keep_rams(job, tile);
    for (int i = 0; i < CORE_COUNT; i++)
        ok = ok && load_image(&job->images[i], ELF_RAM, tile);
    if (!ok)
        return message_set(why, "%s: the programs cannot be loaded", core_job_path(job));
    if (job->paths[TSR_CORE_B] != NULL) {
        if (!lead_to_entry(job, tile, why))
            return false;
        ok = set_starts(job, tile) && tsr_core_start(tile, TSR_CORE_B, 0) == TSR_OK;
    }
    for (int i = TSR_CORE_T0; i < CORE_COUNT && job->paths[TSR_CORE_B] == NULL; i++)
        if (job->paths[i] != NULL)
            ok = ok && tsr_core_start(tile, (tsr_core)i, job->images[i].entry) == TSR_OK;
    return ok || message_set(why, "%s: the cores cannot be started", core_job_path(job));
}

// ---------------------------------------------------------------- files of --dump

bool core_job_open_dumps(struct core_job *job, struct message *why)
{
    for (int i = 0; i < job->dump_count; i++)
        if (!out_open(&job->dumps[i].out, job->dumps[i].path, why))
            return false;
    return true;
}

bool core_job_write_dumps(struct core_job *job, const tsr_tile *tile, struct message *why)
{
    for (int i = 0; i < job->dump_count; i++) {
        struct core_file_dump *dump = &job->dumps[i];
        uint8_t *bytes = malloc(dump->size + 1);
        if (bytes == NULL)
            return message_no_memory(why, dump->path);
        tsr_l1_read(tile, dump->address, bytes, dump->size);
        bool written = fwrite(bytes, 1, dump->size, dump->out.file) == dump->size ||
                       message_io(why, dump->path, "written", errno);
        free(bytes);
        if (!written || !out_commit(&dump->out, why))
            return false;
    }
    return true;
}

void core_job_free(struct core_job *job)
{
    for (int i = 0; i < CORE_COUNT; i++) {
        elf_lines_close(job->lines[i]);
        elf_free(&job->images[i]);
        free(job->words[i]);
    }
    for (int i = 0; i < job->load_count; i++)
        free((void *)(uintptr_t)job->loads[i].path);
    for (int i = 0; i < job->dump_count; i++)
        out_discard(&job->dumps[i].out);
}
