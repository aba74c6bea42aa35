// SPDX-License-Identifier: Apache-2.0
// Making, resetting and destroying a chip.
// Page: WormholeB0/README.md.
#include "chip/chip_findings.h"
#include "chip/chip_noc.h"
#include "chip/ethernet_links.h"
#include "chip/ethernet_tile.h"
#include "chip/noc_delivery.h"
#include "chip/node_memory.h"
#include "kernels/kernels.h"
#include "observe/race_chip.h"
#include "tile/window.h"

#include <stdlib.h>
#include <string.h>

tsr_chip_options tsr_chip_options_default(tsr_arch arch)
{
    tsr_chip_options options = {.tile = tsr_options_default(arch), .threads = 1};
    options.tile.profile = TSR_PROFILE_SILICON;
    options.tile.cores = true;
    return options;
}

static unsigned node_count(const tsr_chip *chip)
{
    return chip->columns * chip->rows;
}

// Tensix tiles that are fused off, by rows on Wormhole and by columns on Blackhole.
static void harvest(tsr_chip *chip)
{
    const tsr_chip_options *options = &chip->options;
    for (unsigned i = 0; i < node_count(chip); i++) {
        struct tsr_node *node = &chip->node[i];
        node->harvested = tsr_grid_fused_off(options->tile.arch, &node->info, options->harvested);
    }
}

static bool make_nodes(tsr_chip *chip)
{
    tsr_node_info infos[TSR_GRID_COLUMNS * TSR_GRID_ROWS];
    tsr_grid_fill(chip->options.tile.arch, infos);
    chip->node = calloc(node_count(chip), sizeof *chip->node);
    if (!chip->node)
        return false;
    for (unsigned i = 0; i < node_count(chip); i++) {
        chip->node[i].info = infos[i];
        chip->node[i].chip = chip;
    }
    harvest(chip);
    tsr_chip_links_begin(chip);
    return tsr_node_memories_create(chip);
}

// Tiles are made later, and must not fail then.
static bool tile_options_hold(const tsr_options *options)
{
    return (unsigned)options->arch < TSR_ARCH_COUNT &&
           (unsigned)options->profile <= TSR_PROFILE_CONFORMANCE &&
           (unsigned)options->pipeline <= TSR_PIPELINE_STAGED &&
           (unsigned)options->schedule <= TSR_SCHEDULE_RANDOM &&
           !(options->timing && options->schedule != TSR_SCHEDULE_CARD) &&
           tsr_kernels_select(options->kernels) != NULL;
}

static char *copy_of(const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? malloc(size) : NULL;
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

tsr_status tsr_chip_create(const tsr_chip_options *options, tsr_chip **out)
{
    if (!options || !out || !tile_options_hold(&options->tile) ||
        options->device >= TSR_CHIP_DEVICES)
        return TSR_BAD_ARGUMENT;
    tsr_chip *chip = calloc(1, sizeof *chip);
    if (!chip)
        return TSR_NO_MEMORY;
    chip->options = *options;
    chip->options.tile.cores = true;
    if (options->threads > TSR_CHIP_THREADS)
        chip->options.threads = TSR_CHIP_THREADS;
    chip->own = calloc(1, sizeof *chip->own);
    chip->kernels = copy_of(options->tile.kernels);
    chip->options.tile.kernels = chip->kernels;
    chip->columns = tsr_grid_columns(options->tile.arch);
    chip->rows = tsr_grid_rows(options->tile.arch);
    chip->tables = tsr_tile_tables_create(options->tile.arch);
    if (!chip->own || !chip->tables || (options->tile.kernels && !chip->kernels) ||
        !make_nodes(chip) || !tsr_chip_noc_create(chip)) {
        tsr_chip_destroy(chip);
        return TSR_NO_MEMORY;
    }
    tsr_chip_findings_begin(chip);
    tsr_chip_noc_reset(chip);
    *out = chip;
    return TSR_OK;
}

void tsr_chip_destroy(tsr_chip *chip)
{
    if (!chip)
        return;
    tsr_chip_links_destroy(chip);
    for (unsigned i = 0; chip->node && i < node_count(chip); i++) {
        tsr_tile_destroy(chip->node[i].tile);
        tsr_ethernet_free(chip->node[i].ethernet);
    }
    tsr_node_memories_destroy(chip);
    tsr_race_chip_destroy(chip->noc.races);
    tsr_noc_destroy(&chip->noc);
    free(chip->node);
    free(chip->found);
    free(chip->own);
    free(chip->kernels);
    tsr_tile_tables_free(chip->tables);
    free(chip);
}

void tsr_chip_reset(tsr_chip *chip)
{
    if (!chip)
        return;
    chip->now = chip->target = 0;
    chip->touched = true;
    for (unsigned i = 0; i < node_count(chip); i++) {
        tsr_tile_reset(chip->node[i].tile);
        tsr_ethernet_free(chip->node[i].ethernet);
        chip->node[i].ethernet = NULL;
        chip->node[i].active = chip->node[i].tile != NULL;
    }
    (void)tsr_node_memories_reset(chip);
    tsr_chip_links_reset(chip);
    memset(chip->pcie.tlb, 0, sizeof chip->pcie.tlb);
    memset(chip->pcie.iatu, 0, sizeof chip->pcie.iatu);
    memset(chip->pcie.dma, 0, sizeof chip->pcie.dma);
    tsr_chip_findings_clear(chip);
    tsr_chip_noc_reset(chip);
}

tsr_arch tsr_chip_arch(const tsr_chip *chip)
{
    return chip ? chip->options.tile.arch : TSR_WORMHOLE_B0;
}
