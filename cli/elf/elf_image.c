// SPDX-License-Identifier: Apache-2.0
// Segments of an ELF file as pieces of the tile's memories. What has its place in L1 goes there.
// The image of private RAM goes where a start-up file copies it from: to the segment's load
// address, or to the section .loader_init that vendor's test kernels have; a file without either
// has its RAM filled at once. Pages: BabyRISCV/README.md, InstructionRAM.md of each chip.
#include "elf/elf_image.h"

#include "common/in_file.h"

#include <tessera/chip.h>

#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 28 };

// What the parts of the core's memory are.
struct core_memory {
    uint32_t base, size;
};

struct elf_reader {
    struct elf_image *image;
    Elf *elf;
    const Elf32_Ehdr *header;
    struct core_memory l1, ram, iram;
    uint32_t loader, loader_size; // .loader_init
    uint32_t ram_first;           // the least address of an image of private RAM
};

// L1 of an Ethernet tile, whose cores have the data RAM of core B.
static uint64_t ethernet_memory(tsr_arch arch)
{
    tsr_node_info node;

    for (unsigned x = 0; x < tsr_grid_columns(arch); x++)
        for (unsigned y = 0; y < tsr_grid_rows(arch); y++)
            if (tsr_node_at(arch, x, y, &node) == TSR_OK && node.kind == TSR_NODE_ETHERNET)
                return node.memory;
    return 0;
}

static bool find_memories(struct elf_reader *reader, tsr_arch arch)
{
    tsr_memory_info info;
    bool ethernet = reader->image->core >= TSR_CORE_E;

    for (int i = 0; tsr_memory_at(arch, i, &info) == TSR_OK; i++) {
        struct core_memory memory = {info.base, info.size};
        if ((info.cores >> (ethernet ? TSR_CORE_B : reader->image->core) & 1) == 0)
            continue;
        if (strcmp(info.name, "L1") == 0)
            reader->l1 = memory;
        else if (strncmp(info.name, "LOCAL_RAM", 9) == 0)
            reader->ram = memory;
        else if (strcmp(info.name, "IRAM") == 0)
            reader->iram = memory;
    }
    if (ethernet)
        reader->l1.size = (uint32_t)ethernet_memory(arch);
    return reader->l1.size > 0 && reader->ram.size > 0;
}

// ---------------------------------------------------------------- the header

static bool check_header(struct elf_reader *reader, struct message *why)
{
    const char *path = reader->image->path;
    size_t size;
    const char *ident = elf_getident(reader->elf, &size);

    if (elf_kind(reader->elf) != ELF_K_ELF || ident == NULL || size < EI_NIDENT)
        return message_set(why, "%s: the file is no ELF file", path);
    if (ident[EI_CLASS] != ELFCLASS32)
        return message_set(why, "%s: the file is a 64-bit ELF file; the cores have 32 bits", path);
    if (ident[EI_DATA] != ELFDATA2LSB)
        return message_set(why, "%s: the file is big-endian; the cores are little-endian", path);
    reader->header = elf32_getehdr(reader->elf);
    if (reader->header == NULL)
        return message_set(why, "%s: the header of the file is cut short", path);
    if (reader->header->e_machine != EM_RISCV)
        return message_set(why, "%s: the file is for another machine than RISC-V (number %u)", path,
                           (unsigned)reader->header->e_machine);
    if (reader->header->e_type != ET_EXEC)
        return message_set(why, "%s: the file is no executable (has it been linked?)", path);
    // To the cores it would be Tensix instructions (PushTensixInstruction.md).
    if (reader->header->e_flags & EF_RISCV_RVC)
        return message_set(why,
                           "%s: the file may have compressed instructions, which the cores do "
                           "not have; compile it with -march=rv32im",
                           path);
    return true;
}

// ---------------------------------------------------------------- sections

static void find_loader(struct elf_reader *reader)
{
    size_t names;

    if (elf_getshdrstrndx(reader->elf, &names) != 0)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(reader->elf, section)) != NULL;) {
        GElf_Shdr header; // a copy: in a broken file the table may stand at any address
        const char *name = gelf_getshdr(section, &header) == NULL
                               ? NULL
                               : elf_strptr(reader->elf, names, header.sh_name);
        if (name != NULL && strcmp(name, ".loader_init") == 0) {
            reader->loader = (uint32_t)header.sh_addr;
            reader->loader_size = (uint32_t)header.sh_size;
        }
    }
}

// ---------------------------------------------------------------- segments

static bool inside(const struct core_memory *memory, uint32_t address, uint32_t size)
{
    return address >= memory->base && address - memory->base <= memory->size &&
           size <= memory->size - (address - memory->base);
}

static bool overlaps(const struct elf_piece *one, const struct elf_piece *other)
{
    return one->room == other->room && one->size > 0 && other->size > 0 &&
           one->address < other->address + other->size && other->address < one->address + one->size;
}

static bool add_piece(struct elf_reader *reader, enum elf_room room, uint32_t address,
                      const Elf32_Phdr *segment, struct message *why)
{
    struct elf_image *image = reader->image;
    struct elf_piece piece = {room, address, segment->p_filesz,
                              (const uint8_t *)image->file + segment->p_offset};

    if (image->piece_count == MAX_PIECES)
        return message_set(why, "%s: the file has more than %d segments to load", image->path,
                           MAX_PIECES);
    for (int i = 0; i < image->piece_count; i++)
        if (overlaps(&piece, &image->pieces[i]))
            return message_set(why, "%s: two segments overlap at address 0x%" PRIx32, image->path,
                               piece.address > image->pieces[i].address ? piece.address
                                                                        : image->pieces[i].address);
    if (piece.size > 0)
        image->pieces[image->piece_count++] = piece;
    return true;
}

// The image of private RAM: its load address, .loader_init, or the RAM itself.
static bool add_ram(struct elf_reader *reader, const Elf32_Phdr *segment, struct message *why)
{
    uint32_t offset = segment->p_vaddr - reader->ram.base;

    if (segment->p_paddr != segment->p_vaddr &&
        inside(&reader->l1, segment->p_paddr, segment->p_filesz))
        return add_piece(reader, ELF_L1, segment->p_paddr, segment, why);
    if (reader->loader_size == 0 && segment->p_filesz > 0 && reader->image->core >= TSR_CORE_E)
        return message_set(why,
                           "%s: nobody but the core reaches the data RAM of an Ethernet core; its "
                           "image wants a load address in L1 or a section .loader_init",
                           reader->image->path);
    if (reader->loader_size == 0)
        return add_piece(reader, ELF_RAM, offset, segment, why);
    uint32_t after = segment->p_vaddr - reader->ram_first; // the start-up file copies all as one
    if (segment->p_filesz > reader->loader_size ||
        after > reader->loader_size - segment->p_filesz ||
        !inside(&reader->l1, reader->loader, reader->loader_size))
        return message_set(why,
                           "%s: the image of private RAM has %" PRIu32
                           " bytes, and .loader_init has room for %" PRIu32,
                           reader->image->path, segment->p_filesz + after, reader->loader_size);
    return add_piece(reader, ELF_L1, reader->loader + after, segment, why);
}

static bool add_segment(struct elf_reader *reader, const Elf32_Phdr *segment, struct message *why)
{
    const char *path = reader->image->path;

    if (segment->p_type != PT_LOAD || segment->p_memsz == 0)
        return true;
    if (segment->p_offset > reader->image->size ||
        segment->p_filesz > reader->image->size - segment->p_offset ||
        segment->p_filesz > segment->p_memsz)
        return message_set(why, "%s: a segment is cut short", path);
    if (inside(&reader->l1, segment->p_vaddr, segment->p_memsz))
        return add_piece(reader, ELF_L1, segment->p_vaddr, segment, why);
    if (inside(&reader->ram, segment->p_vaddr, segment->p_memsz))
        return add_ram(reader, segment, why);
    if (reader->iram.size > 0 && inside(&reader->iram, segment->p_vaddr, segment->p_memsz))
        return add_piece(reader, ELF_IRAM, segment->p_vaddr - reader->iram.base, segment, why);
    return message_set(
        why, "%s: a segment of %" PRIu32 " bytes at 0x%08" PRIx32 " lies in no memory of the core",
        path, segment->p_memsz, segment->p_vaddr);
}

// Somewhere in what is loaded.
static bool entry_is_loaded(const struct elf_reader *reader)
{
    const struct elf_image *image = reader->image;

    for (int i = 0; i < image->piece_count; i++) {
        const struct elf_piece *piece = &image->pieces[i];
        uint32_t base = piece->room == ELF_IRAM ? reader->iram.base : 0;
        if (piece->room != ELF_RAM && image->entry % 4 == 0 &&
            image->entry - base - piece->address < piece->size)
            return true;
    }
    return false;
}

static Elf32_Phdr segment_at(const struct elf_reader *reader, size_t index)
{
    GElf_Phdr segment;

    if (gelf_getphdr(reader->elf, (int)index, &segment) == NULL)
        return (Elf32_Phdr){.p_type = PT_NULL};
    return (Elf32_Phdr){.p_type = segment.p_type,
                        .p_offset = (uint32_t)segment.p_offset,
                        .p_vaddr = (uint32_t)segment.p_vaddr,
                        .p_paddr = (uint32_t)segment.p_paddr,
                        .p_filesz = (uint32_t)segment.p_filesz,
                        .p_memsz = (uint32_t)segment.p_memsz};
}

static bool read_segments(struct elf_reader *reader, struct message *why)
{
    struct elf_image *image = reader->image;
    size_t count;

    if (elf_getphdrnum(reader->elf, &count) != 0)
        count = 0;
    if (count < reader->header->e_phnum)
        return message_set(why, "%s: the file ends within its program headers", image->path);
    reader->ram_first = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        Elf32_Phdr segment = segment_at(reader, i);
        if (segment.p_type == PT_LOAD && segment.p_filesz > 0 &&
            inside(&reader->ram, segment.p_vaddr, 1) && segment.p_vaddr < reader->ram_first)
            reader->ram_first = segment.p_vaddr;
    }
    for (size_t i = 0; i < count; i++) {
        Elf32_Phdr segment = segment_at(reader, i);
        if (!add_segment(reader, &segment, why))
            return false;
    }
    image->entry = reader->header->e_entry;
    if (image->piece_count == 0)
        return message_set(why, "%s: the file has nothing to load", image->path);
    return entry_is_loaded(reader) ||
           message_set(why, "%s: there is no instruction at the entry 0x%08" PRIx32, image->path,
                       image->entry);
}

bool elf_parse(struct elf_image *image, const char *path, char *file, size_t size, tsr_arch arch,
               tsr_core core, struct message *why)
{
    struct elf_reader reader = {.image = image};

    *image = (struct elf_image){.path = path, .core = core, .file = file, .size = size};
    elf_version(EV_CURRENT);
    if (!find_memories(&reader, arch))
        return message_set(why, "%s: such a core has no memory", path);
    reader.elf = elf_memory(file, size);
    if (reader.elf == NULL)
        return message_set(why, "%s: the file is no ELF file", path);
    bool ok = check_header(&reader, why);
    if (ok)
        find_loader(&reader);
    ok = ok && read_segments(&reader, why);
    elf_end(reader.elf);
    return ok;
}

bool elf_read(struct elf_image *image, const char *path, tsr_arch arch, tsr_core core,
              struct message *why)
{
    size_t size;
    char *file = in_read(path, FILE_LIMIT, &size, why);

    *image = (struct elf_image){.path = path};
    return file != NULL && elf_parse(image, path, file, size, arch, core, why);
}

void elf_free(struct elf_image *image)
{
    free(image->file);
    *image = (struct elf_image){.piece_count = 0};
}

uint32_t elf_jump_to(uint32_t entry)
{
    enum { JAL = 0x6f };

    return JAL | (entry >> 12 & 0xff) << 12 | (entry >> 11 & 1) << 20 | (entry >> 1 & 0x3ff) << 21;
}

bool elf_apart(const struct elf_image *one, const struct elf_image *other, struct message *why)
{
    for (int i = 0; i < one->piece_count; i++)
        for (int k = 0; k < other->piece_count; k++)
            if (one->pieces[i].room == ELF_L1 && overlaps(&one->pieces[i], &other->pieces[k]))
                return message_set(why, "%s: the file and %s overlap at address 0x%" PRIx32,
                                   other->path, one->path,
                                   one->pieces[i].address > other->pieces[k].address
                                       ? one->pieces[i].address
                                       : other->pieces[k].address);
    return true;
}
