// SPDX-License-Identifier: Apache-2.0
// Coordinate translation, and what firmware leaves in the interfaces' configuration: the tables,
// each interface's own logical coordinates, who takes no broadcasts, which tiles are off.
// Pages: NoC/Coordinates.md, NoC/MemoryMap.md of each chip; Blackhole: errata 550.
#include "chip/noc_route.h"

enum axis { AXIS_X, AXIS_Y };
enum { LOGICAL = 32 };                // coordinates before translation
enum { WH_TRANSLATED = LOGICAL / 2 }; // Wormhole's translated ones begin here
// Blackhole's, of tiles around the Tensix ones (machine/noc_tiles.def); …_END is behind the last.
enum {
    BH_DRAM_X = 17,
    BH_DRAM_X_END = 19,
    BH_DRAM_Y = 12,
    BH_DRAM_Y_END = 24,
    BH_PCIE_X = 19,
    BH_PCIE_Y = 24,
    BH_ETHERNET_X = 20,
    BH_ETHERNET_Y = 25,
    BH_OTHERS_Y = 26, // L2CPU and security tiles
    BH_OTHERS_Y_END = 31
};

static const struct fixed {
    uint8_t arch, axis, logical, physical;
} fixed[] = {
#define WH TSR_WORMHOLE_B0
#define BH TSR_BLACKHOLE_A0
#define NOC_LOGICAL_X(chip, logical, x) {chip, AXIS_X, logical, x},
#define NOC_LOGICAL_Y(chip, logical, y) {chip, AXIS_Y, logical, y},
#include "machine/noc_tiles.def"
};
static const struct slots {
    uint8_t arch, axis, first, count;
} slots[] = {
#define X AXIS_X
#define Y AXIS_Y
#define NOC_TENSIX_SLOTS(chip, axis, first, count) {chip, axis, first, count},
#include "machine/noc_tiles.def"
#undef WH
#undef BH
#undef X
#undef Y
};

// ---------------------------------------------------------------- the tables' words

static uint32_t table_at(const struct tsr_noc *noc, const struct tsr_niu *niu, enum axis axis,
                         unsigned logical)
{
    const struct tsr_niu_layout *layout = noc->layout;
    unsigned word =
        layout->config[axis == AXIS_X ? NOC_X_ID_TRANSLATE_TABLE_0 : NOC_Y_ID_TRANSLATE_TABLE_0];
    unsigned bits = layout->fact[NOC_TRANSLATE_BITS], entries = layout->fact[NOC_TRANSLATE_ENTRIES];
    return niu->config[word + logical / entries] >> logical % entries * bits & tsr_mask32(bits);
}

static void table_put(const struct tsr_noc *noc, struct tsr_niu *niu, enum axis axis,
                      unsigned logical, unsigned physical)
{
    const struct tsr_niu_layout *layout = noc->layout;
    unsigned word =
        layout->config[axis == AXIS_X ? NOC_X_ID_TRANSLATE_TABLE_0 : NOC_Y_ID_TRANSLATE_TABLE_0];
    unsigned bits = layout->fact[NOC_TRANSLATE_BITS], entries = layout->fact[NOC_TRANSLATE_ENTRIES];
    uint32_t *config = &niu->config[word + logical / entries];
    unsigned shift = logical % entries * bits;
    *config = (*config & ~(tsr_mask32(bits) << shift)) | (physical & tsr_mask32(bits)) << shift;
}

static bool masked(const struct tsr_noc *noc, const struct tsr_niu *niu, enum tsr_noc_config mask,
                   unsigned logical)
{
    unsigned word = noc->layout->config[mask];
    return word != NOC_NONE && niu->config[word] >> logical & 1;
}

// Blackhole: rows of NOC_ID_TRANSLATE_ROW_MASK keep their x, columns of …_COL_MASK their y.
void tsr_noc_translate(const struct tsr_noc *noc, const struct tsr_niu *niu, unsigned *x,
                       unsigned *y)
{
    uint32_t cfg = niu->config[noc->layout->config[NIU_CFG_0]];
    if (!NOC_BITS(cfg, NIU_CFG_0_NOC_ID_TRANSLATE_EN))
        return;
    unsigned from_x = *x, from_y = *y;
    if (from_x < LOGICAL && !masked(noc, niu, NOC_ID_TRANSLATE_ROW_MASK, from_y % LOGICAL))
        *x = table_at(noc, niu, AXIS_X, from_x);
    if (from_y < LOGICAL && !masked(noc, niu, NOC_ID_TRANSLATE_COL_MASK, from_x % LOGICAL))
        *y = table_at(noc, niu, AXIS_Y, from_y);
}

// ---------------------------------------------------------------- firmware

static bool live_tensix(const struct tsr_noc *noc, unsigned x, unsigned y)
{
    const struct tsr_noc_place *place = &noc->node[y * noc->width + x].place;
    return place->info.kind == TSR_NODE_TENSIX && !place->harvested;
}

static bool any_tensix(const struct tsr_noc *noc, enum axis axis, unsigned at, bool live)
{
    unsigned count = axis == AXIS_X ? noc->height : noc->width;
    for (unsigned i = 0; i < count; i++) {
        unsigned x = axis == AXIS_X ? at : i, y = axis == AXIS_X ? i : at;
        if (live ? live_tensix(noc, x, y)
                 : noc->node[y * noc->width + x].place.info.kind == TSR_NODE_TENSIX)
            return true;
    }
    return false;
}

static bool holds_tensix(const struct tsr_noc *noc, enum axis axis, int at, bool live)
{
    return any_tensix(noc, axis, (unsigned)at, false) &&
           any_tensix(noc, axis, (unsigned)at, true) == live;
}

// Where Blackhole's die has a column of Tensix tiles: NoC 0 goes through every second one and back.
static int die_place(const struct tsr_noc *noc, int column)
{
    int from_end = (int)noc->width - column;
    return column < from_end ? 2 * column : 2 * from_end + 1;
}

// Live rows or columns are in ascending order, and Wormhole's that are harvested, too.
static bool stands_behind(const struct tsr_noc *noc, bool live, int a, int b)
{
    return live || noc->arch == TSR_WORMHOLE_B0 ? a > b : die_place(noc, a) < die_place(noc, b);
}

// The next row or column of Tensix tiles behind `after` (-1: the first) that is live, or is not.
static int next_tensix(const struct tsr_noc *noc, enum axis axis, int after, bool live)
{
    int count = (int)(axis == AXIS_X ? noc->width : noc->height), next = -1;
    for (int at = 0; at < count; at++)
        if (holds_tensix(noc, axis, at, live) &&
            (after < 0 || stands_behind(noc, live, at, after)) &&
            (next < 0 || stands_behind(noc, live, next, at)))
            next = at;
    return next;
}

// In NoC 0 coordinates.
static void logical_table(const struct tsr_noc *noc, enum axis axis, uint8_t table[LOGICAL])
{
    unsigned size = axis == AXIS_X ? noc->width : noc->height;
    // Wormhole's tables have the identity up to 15, beyond the grid too.
    unsigned identity = noc->arch == TSR_WORMHOLE_B0 ? WH_TRANSLATED : size;
    for (unsigned i = 0; i < LOGICAL; i++)
        table[i] = (uint8_t)(i < identity ? i : 0);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].arch == noc->arch && fixed[i].axis == axis)
            table[fixed[i].logical] = fixed[i].physical;
    int tensix = -1;
    bool live = true;
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        for (unsigned slot = 0; slot < slots[i].count; slot++) {
            if (slots[i].arch != noc->arch || slots[i].axis != axis)
                continue;
            tensix = next_tensix(noc, axis, tensix, live);
            if (tensix < 0 && live) {
                live = false;
                tensix = next_tensix(noc, axis, -1, false);
            }
            if (tensix >= 0)
                table[slots[i].first + slot] = (uint8_t)tensix;
        }
}

// The lowest coordinate of those from `first` on, before `end`, that leads there, which is what the
// pages call the tile's own one; the physical one if none does.
static unsigned logical_of(const uint8_t table[LOGICAL], unsigned first, unsigned end,
                           unsigned physical)
{
    for (unsigned i = first; i < end; i++)
        if (table[i] == physical)
            return i;
    return physical;
}

// NoC 1's tables lead to its own coordinates, but Wormhole's keep those that are not translated,
// and entries that lead nowhere, which are 0 (the first translated one leads to 0 indeed).
static unsigned entry(const struct tsr_noc *noc, int which, unsigned logical, unsigned physical,
                      unsigned size)
{
    bool kept = noc->arch == TSR_WORMHOLE_B0 &&
                (logical < WH_TRANSLATED || (logical > WH_TRANSLATED && physical == 0));
    return which == 0 || kept ? physical : size - 1 - physical;
}

static void put_tables(struct tsr_noc *noc, struct tsr_niu *niu, int which,
                       const uint8_t x[LOGICAL], const uint8_t y[LOGICAL])
{
    for (unsigned i = 0; i < LOGICAL; i++) {
        table_put(noc, niu, AXIS_X, i, entry(noc, which, i, x[i], noc->width));
        table_put(noc, niu, AXIS_Y, i, entry(noc, which, i, y[i], noc->height));
    }
}

// On Blackhole Tensix tiles keep raw coordinates, and what is around them has its own ranges, all
// behind the grid's rows; x 8, where ARC, L2CPU and security tiles are, is never translated.
static uint32_t logical_place(const struct tsr_noc *noc, const struct tsr_noc_node *node,
                              const uint8_t x[LOGICAL], const uint8_t y[LOGICAL])
{
    unsigned at_x, at_y;
    tsr_noc_coordinates(noc, 0, node->index, &at_x, &at_y);
    if (noc->arch == TSR_WORMHOLE_B0) {
        at_x = logical_of(x, WH_TRANSLATED, LOGICAL, at_x);
        at_y = logical_of(y, WH_TRANSLATED, LOGICAL, at_y);
    } else if (node->place.info.kind == TSR_NODE_TENSIX) {
        at_x = logical_of(x, 0, noc->width, at_x);
    } else if (node->place.info.kind == TSR_NODE_DRAM) {
        at_x = logical_of(x, BH_DRAM_X, BH_DRAM_X_END, at_x);
        at_y = logical_of(y, BH_DRAM_Y, BH_DRAM_Y_END, at_y);
    } else if (node->place.info.kind == TSR_NODE_PCIE && x[BH_PCIE_X] == at_x) {
        at_x = BH_PCIE_X;
        at_y = BH_PCIE_Y;
    } else if (node->place.info.kind == TSR_NODE_ETHERNET) {
        unsigned logical = logical_of(x, BH_ETHERNET_X, LOGICAL, at_x);
        at_y = logical >= BH_ETHERNET_X ? BH_ETHERNET_Y : at_y;
        at_x = logical;
    } else if (node->place.info.kind == TSR_NODE_L2CPU ||
               node->place.info.kind == TSR_NODE_SECURITY) {
        at_y = logical_of(y, BH_OTHERS_Y, BH_OTHERS_Y_END, at_y);
    }
    return at_y << NOC_COORDINATE_BITS | at_x;
}

// What firmware writes is made of the same facts for all interfaces, in NoC 0 coordinates.
struct facts {
    uint8_t x[LOGICAL], y[LOGICAL];
    bool tensix_column[TSR_GRID_COLUMNS], tensix_row[TSR_GRID_ROWS]; // that live
};

static void find_facts(const struct tsr_noc *noc, struct facts *facts)
{
    for (unsigned x = 0; x < noc->width; x++)
        facts->tensix_column[x] = any_tensix(noc, AXIS_X, x, true);
    for (unsigned y = 0; y < noc->height; y++)
        facts->tensix_row[y] = any_tensix(noc, AXIS_Y, y, true);
    logical_table(noc, AXIS_X, facts->x);
    logical_table(noc, AXIS_Y, facts->y);
}

static void configure(struct tsr_noc *noc, struct tsr_noc_node *node, int which, bool translation,
                      const struct facts *facts)
{
    struct tsr_niu *niu = &node->niu[which];
    const uint16_t *word = noc->layout->config;
    unsigned own_x, own_y;
    tsr_noc_coordinates(noc, which, node->index, &own_x, &own_y);
    niu->config[word[NOC_ID_LOGICAL]] = own_y << NOC_COORDINATE_BITS | own_x;
    for (unsigned x = 0; x < noc->width; x++)
        if (!facts->tensix_column[x])
            niu->config[word[ROUTER_CFG_1]] |= 1u << (which ? noc->width - 1 - x : x);
    for (unsigned y = 0; y < noc->height; y++)
        if (!facts->tensix_row[y])
            niu->config[word[ROUTER_CFG_3]] |= 1u << (which ? noc->height - 1 - y : y);
    if (node->place.harvested)
        niu->config[word[NIU_CFG_0]] |= 1u << NIU_CFG_0_TILE_CLK_OFF_FIRST;
    if (!translation)
        return;
    put_tables(noc, niu, which, facts->x, facts->y);
    niu->config[word[NOC_ID_LOGICAL]] = logical_place(noc, node, facts->x, facts->y);
    niu->config[word[NIU_CFG_0]] |= 1u << NIU_CFG_0_NOC_ID_TRANSLATE_EN_FIRST;
    if (word[NOC_ID_TRANSLATE_ROW_MASK] != NOC_NONE)
        niu->config[word[NOC_ID_TRANSLATE_ROW_MASK]] = 3; // rows 0 and 1: PCIe's and Ethernet's
}

void tsr_noc_configure(struct tsr_noc *noc, bool translation)
{
    struct facts facts;
    find_facts(noc, &facts);
    for (unsigned i = 0; i < noc->width * noc->height; i++)
        for (int which = 0; which < TSR_NOCS; which++)
            configure(noc, &noc->node[i], which, translation, &facts);
}
