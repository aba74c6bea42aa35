// SPDX-License-Identifier: Apache-2.0
// The chip as a PCI Express device: configuration space, and what lies behind its BARs.
// Pages: PCIExpressTile/README.md, PCIExpressTile/TLBs.md, Blackhole's
// PCIExpressTile/HostToDeviceTLBs.md, ARCTile/README.md.
#include "chip/chip_findings.h"
#include "chip/chip_noc.h"
#include "chip/noc_route.h"
#include "chip/node_access.h"
#include "chip/pcie_dma.h"
#include "chip/tlb.h"

#include <string.h>

enum part { NOTHING, TLB_CONFIG, NIU, ARC, BAR0, IATU, DMA };

struct bar {
    uint64_t address, size;
    uint8_t attributes;
};

struct bar_part {
    uint8_t arch, bar, what;
    uint64_t base, size, argument;
};

enum { BARS = 6, BAR_CONFIG = 0x10, CONFIG_BYTES = 0x1000 };

#define DEVICE_STRIDE(bytes) static const uint64_t device_stride = bytes;
#include "machine/pcie.def"

static const struct bar bar_of[TSR_ARCH_COUNT][BARS] = {
#define BAR(chip, number, address, size, attributes)                                               \
    [TSR_##chip][number] = {address, size, attributes},
#include "machine/pcie.def"
};

static const struct bar_part part_of[] = {
#define BAR_PART(chip, bar, base, size, what, argument)                                            \
    {TSR_##chip, bar, what, base, size, argument},
#include "machine/pcie.def"
};

static const uint32_t id_of[TSR_ARCH_COUNT] = {
#define PCI_ID(chip, value) [TSR_##chip] = value,
#include "machine/pcie.def"
};

// One access of the host, or a piece of one.
struct access {
    tsr_chip *chip;
    unsigned bar;
    uint64_t offset;
    uint8_t *to;         // of a read; NULL: a write
    const uint8_t *from; // of a write
    size_t size;
};

// ---------------------------------------------------------------- configuration space

static bool config_at(tsr_chip *chip, uint32_t offset)
{
    if (offset % 4 == 0 && offset < CONFIG_BYTES)
        return true;
    tsr_chip_report(
        chip, NULL, FINDING_HOST_ACCESS_WIDTH, offset,
        "The host accesses the configuration space at 0x%x, where no word of it begins.",
        (unsigned)offset);
    return false;
}

tsr_status tsr_chip_config_read(tsr_chip *chip, uint32_t offset, uint32_t *value)
{
    enum { COMMAND = 4, MEMORY_AND_MASTER = 6, CLASS = 8, ACCELERATOR = 0x12000000 };
    if (!chip || !value)
        return TSR_BAD_ARGUMENT;
    *value = UINT32_MAX;
    if (!config_at(chip, offset))
        return TSR_UNMAPPED;
    const struct bar *bars = bar_of[chip->options.tile.arch];
    const uint64_t first = chip->options.device * device_stride;
    unsigned number = (offset - BAR_CONFIG) / 4;
    *value = 0;
    if (offset == 0)
        *value = id_of[chip->options.tile.arch];
    else if (offset == COMMAND)
        *value = MEMORY_AND_MASTER;
    else if (offset == CLASS)
        *value = ACCELERATOR;
    else if (number < BARS)
        *value = number % 2 ? (uint32_t)((first + bars[number - 1].address) >> 32)
                            : (uint32_t)bars[number].address | bars[number].attributes;
    return TSR_OK;
}

tsr_status tsr_chip_config_write(tsr_chip *chip, uint32_t offset, uint32_t value)
{
    if (!chip)
        return TSR_BAD_ARGUMENT;
    if (!config_at(chip, offset))
        return TSR_UNMAPPED;
    tsr_chip_report(chip, NULL, FINDING_HOST_CONFIG_WRITE, offset,
                    "The host writes 0x%x to the configuration space at 0x%x.", (unsigned)value,
                    (unsigned)offset);
    return TSR_OK;
}

tsr_status tsr_chip_bar(tsr_arch arch, int number, uint64_t *address, uint64_t *size)
{
    if ((unsigned)arch >= TSR_ARCH_COUNT || !address || !size)
        return TSR_BAD_ARGUMENT;
    if (number < 0 || number >= BARS || bar_of[arch][number].size == 0)
        return TSR_NOT_FOUND;
    *address = bar_of[arch][number].address;
    *size = bar_of[arch][number].size;
    return TSR_OK;
}

unsigned tsr_chip_device_at(uint64_t address)
{
    uint64_t device = address / device_stride;
    return device < TSR_CHIP_DEVICES ? (unsigned)device : 0;
}

// ---------------------------------------------------------------- through a TLB window

static tsr_status one_node(struct access *access, struct tsr_node *node, unsigned noc,
                           uint64_t address)
{
    return access->to
               ? tsr_host_read_node(access->chip, node, noc, address, access->to, access->size)
               : tsr_host_write_node(access->chip, node, noc, address, access->from, access->size);
}

static void put_raw(const tsr_chip *chip, unsigned noc, unsigned x, unsigned y, unsigned raw[2])
{
    raw[0] = noc ? chip->columns - 1 - x : x;
    raw[1] = noc ? chip->rows - 1 - y : y;
}

static struct tsr_tlb_rectangle rectangle_of(const tsr_chip *chip,
                                             const struct tsr_tlb_target *target)
{
    struct tsr_tlb_rectangle in = {.size = {chip->columns, chip->rows}};
    unsigned start[2] = {target->start_x, target->start_y}, end[2] = {target->x, target->y};
    tsr_chip_noc_place(chip, target->noc, &start[0], &start[1]);
    tsr_chip_noc_place(chip, target->noc, &end[0], &end[1]);
    put_raw(chip, target->noc, start[0], start[1], in.start);
    put_raw(chip, target->noc, end[0], end[1], in.end);
    return in;
}

// Only Tensix tiles take part.
static bool takes_part(const tsr_chip *chip, const struct tsr_node *node,
                       const struct tsr_tlb_target *target, const struct tsr_tlb_rectangle *in)
{
    unsigned at[2];
    put_raw(chip, target->noc, node->info.x, node->info.y, at);
    return node->info.kind == TSR_NODE_TENSIX && !node->harvested &&
           tsr_noc_in_span(at[0], in->start[0], in->end[0]) &&
           tsr_noc_in_span(at[1], in->start[1], in->end[1]) &&
           !tsr_tlb_leaves_out(target->strided, in, at);
}

static tsr_status multicast(struct access *access, const struct tsr_tlb_target *target)
{
    tsr_chip *chip = access->chip;
    tsr_status status = TSR_UNMAPPED;
    struct tsr_tlb_rectangle in = rectangle_of(chip, target);
    unsigned receivers = 0;
    for (unsigned i = 0; !access->to && i < chip->columns * chip->rows; i++) {
        struct tsr_node *node = &chip->node[i];
        if (!takes_part(chip, node, target, &in))
            continue;
        tsr_status one = one_node(access, node, target->noc, target->address);
        status = status == TSR_UNMAPPED || one != TSR_OK ? one : status;
        receivers++;
    }
    if (receivers == 0 || !tsr_tlb_is_right(target->strided, &in, receivers))
        tsr_chip_report(chip, NULL, FINDING_HOST_MULTICAST, access->offset,
                        "The host %s through a TLB window that is set to multicast to %u-%u .. "
                        "%u-%u of NoC %u, with 0x%08x for what to leave out; %u tiles receive.",
                        access->to ? "reads" : "writes", target->start_x, target->start_y,
                        target->x, target->y, target->noc, (unsigned)target->strided, receivers);
    if (access->to)
        memset(access->to, 0xff, access->size);
    return status;
}

static tsr_status through_window(struct access *access, const struct tsr_tlb_target *target)
{
    tsr_chip *chip = access->chip;
    if (target->multicast)
        return multicast(access, target);
    unsigned x = target->x, y = target->y;
    tsr_chip_noc_place(chip, target->noc, &x, &y);
    struct tsr_node *node = tsr_chip_node(chip, x, y);
    if (node)
        return one_node(access, node, target->noc, target->address);
    tsr_chip_report(chip, NULL, FINDING_HOST_UNMAPPED,
                    access->offset ^ (uint64_t)target->y << 56 ^ (uint64_t)target->x << 48,
                    "The host accesses a TLB window that is set to %u-%u of NoC %u, where no node "
                    "is.",
                    target->x, target->y, target->noc);
    if (access->to)
        memset(access->to, 0xff, access->size);
    return TSR_UNMAPPED;
}

// ---------------------------------------------------------------- the other parts

static const struct bar_part *part_at(tsr_arch arch, unsigned bar, uint64_t offset)
{
    for (size_t i = 0; i < sizeof part_of / sizeof *part_of; i++) {
        const struct bar_part *part = &part_of[i];
        if (part->arch == arch && part->bar == bar && offset >= part->base &&
            offset - part->base < part->size)
            return part;
    }
    return NULL;
}

static void copy(struct access *access, uint8_t *own)
{
    if (access->to)
        memcpy(access->to, own, access->size);
    else
        memcpy(own, access->from, access->size);
}

static tsr_status refuse(struct access *access, enum tsr_finding code, const char *why)
{
    tsr_chip_report(access->chip, NULL, code, access->offset,
                    "The host %s %zu bytes at 0x%llx of BAR %u, %s.",
                    access->to ? "reads" : "writes", access->size,
                    (unsigned long long)access->offset, access->bar, why);
    if (access->to)
        memset(access->to, 0xff, access->size);
    return TSR_UNMAPPED;
}

static tsr_status nothing(struct access *access, const char *why)
{
    return refuse(access, FINDING_HOST_UNMAPPED, why);
}

// Aligned words alone.
static tsr_status words(struct access *access, uint32_t *own, uint64_t at)
{
    if (at % 4 != 0 || access->size % 4 != 0)
        return refuse(access, FINDING_HOST_ACCESS_WIDTH, "which takes aligned words of 32 bits");
    copy(access, (uint8_t *)own + at);
    return TSR_OK;
}

static tsr_status registers_of_noc(struct access *access, unsigned which, uint64_t offset)
{
    struct tsr_node *node = tsr_chip_node_of(access->chip, TSR_NODE_PCIE);
    for (size_t i = 0; i < access->size; i += 4) {
        uint32_t value = 0;
        if (offset % 4 != 0 || access->size % 4 != 0)
            return nothing(access, "no whole word of the NoC's interface");
        if (!access->to)
            memcpy(&value, access->from + i, 4);
        if (!tsr_chip_noc_register(access->chip, node, which, (uint32_t)(offset + i),
                                   access->to == NULL, &value))
            return nothing(access, "where the NoC's interface has no register");
        if (access->to)
            memcpy(access->to + i, &value, 4);
    }
    return TSR_OK;
}

// The driver has set the inbound regions up when a host comes, and BAR 4 shows what it has them
// show.
static tsr_status translation(struct access *access, uint64_t at)
{
    enum { DIRECTION = 0x100 };
    if (!access->to && at / DIRECTION % 2 == 1)
        return refuse(access, FINDING_NODE_MISSING,
                      "inbound address translation, which is unimplemented");
    return words(access, access->chip->pcie.iatu, at);
}

static tsr_status in_bar(struct access access, uint64_t bar_size);

// The engines see BAR 0 as a host does.
static bool by_dma(tsr_chip *chip, uint64_t address, uint8_t *to, const uint8_t *from, size_t size)
{
    struct access access = {.chip = chip, .offset = address, .to = to, .from = from, .size = size};
    uint64_t bar_size = bar_of[chip->options.tile.arch][0].size;
    if (address >= bar_size || size > bar_size - address)
        return nothing(&access, "where the DMA engine finds no BAR 0") == TSR_OK;
    return in_bar(access, bar_size) == TSR_OK;
}

static tsr_status dma_engines(struct access *access, uint64_t at)
{
    if (at % 4 != 0 || access->size % 4 != 0)
        return words(access, access->chip->pcie.dma, at);
    for (size_t i = 0; i < access->size; i += 4) {
        uint32_t value = 0;
        if (!access->to)
            memcpy(&value, access->from + i, 4);
        if (!(access->to ? tsr_dma_load(access->chip, (uint32_t)(at + i), &value)
                         : tsr_dma_store(access->chip, (uint32_t)(at + i), value, by_dma)))
            return refuse(access, FINDING_NODE_MISSING,
                          "a register of the DMA engines that is unimplemented");
        if (access->to)
            memcpy(access->to + i, &value, 4);
    }
    return TSR_OK;
}

static tsr_status in_part(struct access *access, const struct bar_part *part)
{
    uint64_t at = access->offset - part->base;
    switch (part->what) {
    case TLB_CONFIG:
        copy(access, access->chip->pcie.tlb + at);
        return TSR_OK;
    case IATU:
        return translation(access, at);
    case NIU:
        return registers_of_noc(access, (unsigned)part->argument, at);
    case ARC:
        return one_node(access, tsr_chip_node_of(access->chip, TSR_NODE_ARC), 0,
                        part->argument + at);
    default:
        return dma_engines(access, at);
    }
}

// ---------------------------------------------------------------- a BAR

// Up to where something else begins.
static uint64_t next_part(tsr_arch arch, unsigned bar, uint64_t offset, uint64_t end)
{
    for (size_t i = 0; i < sizeof part_of / sizeof *part_of; i++) {
        const struct bar_part *part = &part_of[i];
        if (part->arch == arch && part->bar == bar && part->base > offset && part->base < end)
            end = part->base;
    }
    return end;
}

static void advance(struct access *access, size_t bytes)
{
    access->offset += bytes;
    access->to = access->to ? access->to + bytes : NULL;
    access->from = access->from ? access->from + bytes : NULL;
    access->size -= bytes;
}

// Piece by piece: each window has its own target.
static tsr_status in_bar(struct access access, uint64_t bar_size)
{
    tsr_arch arch = access.chip->options.tile.arch;
    tsr_status status = TSR_OK;
    while (access.size > 0) {
        struct access piece = access;
        struct tsr_tlb_target target;
        const struct bar_part *part = part_at(arch, access.bar, access.offset);
        if (part && part->what == BAR0) {
            access.offset += part->argument - part->base;
            access.bar = 0;
            bar_size = bar_of[arch][0].size;
            continue;
        }
        bool window = !part && tsr_tlb_find(access.chip, access.bar, access.offset, &target);
        uint64_t left = part ? part->base + part->size - access.offset
                        : window
                            ? target.left
                            : next_part(arch, access.bar, access.offset, bar_size) - access.offset;
        if (piece.size > left)
            piece.size = (size_t)left;
        tsr_status one = part     ? in_part(&piece, part)
                         : window ? through_window(&piece, &target)
                                  : nothing(&piece, "where nothing is");
        status = status == TSR_OK ? one : status;
        advance(&access, piece.size);
    }
    tsr_chip_collect_own(access.chip);
    return status;
}

static tsr_status at_physical(struct access access, uint64_t address)
{
    const struct bar *bars = bar_of[access.chip->options.tile.arch];
    const uint64_t first = access.chip->options.device * device_stride;
    for (unsigned i = 0; i < BARS; i++) {
        uint64_t offset = address - first - bars[i].address;
        if (offset < bars[i].size && access.size <= bars[i].size - offset) {
            access.bar = i;
            access.offset = offset;
            return in_bar(access, bars[i].size);
        }
    }
    tsr_chip_report(access.chip, NULL, FINDING_HOST_UNMAPPED, address,
                    "The host %s %zu bytes at physical address 0x%llx, in no BAR.",
                    access.to ? "reads" : "writes", access.size, (unsigned long long)address);
    tsr_chip_collect_own(access.chip);
    if (access.to)
        memset(access.to, 0xff, access.size);
    return TSR_UNMAPPED;
}

tsr_status tsr_chip_host_read(tsr_chip *chip, uint64_t address, void *bytes, size_t size)
{
    if (!chip || (!bytes && size > 0))
        return TSR_BAD_ARGUMENT;
    struct access access = {.chip = chip, .to = bytes, .size = size};
    return size > 0 ? at_physical(access, address) : TSR_OK;
}

tsr_status tsr_chip_host_write(tsr_chip *chip, uint64_t address, const void *bytes, size_t size)
{
    if (!chip || (!bytes && size > 0))
        return TSR_BAD_ARGUMENT;
    struct access access = {.chip = chip, .from = bytes, .size = size};
    return size > 0 ? at_physical(access, address) : TSR_OK;
}

tsr_status tsr_chip_set_host_memory(tsr_chip *chip, const tsr_host_memory *memory)
{
    if (!chip)
        return TSR_BAD_ARGUMENT;
    chip->pcie.host = memory ? *memory : (tsr_host_memory){0};
    return TSR_OK;
}
