// SPDX-License-Identifier: Apache-2.0
// A program of the build: prints the soc_descriptor.yaml that lies beside a library, in the schema
// of tt-umd (docs/yaml_schemas/soc_descriptor.yaml), from the grid of the chip, and with the banks
// of DRAM that tt-metal looks for in the same file. usage: soc_descriptor CHIP
#include <tessera/chip.h>

#include <stdio.h>

enum { MOST_NODES = 512 };

struct grid {
    tsr_arch arch;
    unsigned columns, rows;
    int count;
    tsr_node_info node[MOST_NODES];
};

static bool comes_before(const tsr_node_info *a, const tsr_node_info *b)
{
    return a->unit != b->unit ? a->unit < b->unit : a->port < b->port;
}

// Blackhole's second PCI Express tile leads nowhere, and hosts take what is listed as in use.
static bool is_listed(const tsr_node_info *node)
{
    return node->kind != TSR_NODE_PCIE || node->unit == 0;
}

// Nodes of a kind by unit and port.
static int collect(const struct grid *grid, tsr_node_kind kind, const tsr_node_info *found[])
{
    int count = 0;
    for (int i = 0; i < grid->count; i++) {
        if (grid->node[i].kind != kind || !is_listed(&grid->node[i]))
            continue;
        int at = count++;
        for (; at > 0 && comes_before(&grid->node[i], found[at - 1]); at--)
            found[at] = found[at - 1];
        found[at] = &grid->node[i];
    }
    return count;
}

static void print_list(const struct grid *grid, const char *name, tsr_node_kind kind)
{
    const tsr_node_info *found[MOST_NODES];
    int count = collect(grid, kind, found);
    printf("%s: [", name);
    for (int i = 0; i < count; i++)
        printf("%s%s%u-%u", i ? "," : "",
               i % 14 == 0 && count > 14 ? "\n  "
               : i                       ? " "
                                         : "",
               found[i]->x, found[i]->y);
    printf("]\n");
}

// A list of channels, each of which is a list of its ports.
static void print_dram(const struct grid *grid)
{
    const tsr_node_info *found[MOST_NODES];
    int count = collect(grid, TSR_NODE_DRAM, found);
    printf("dram:\n");
    for (int i = 0; i < count; i++) {
        bool first = i == 0 || found[i]->unit != found[i - 1]->unit;
        bool last = i + 1 == count || found[i]->unit != found[i + 1]->unit;
        printf("%s%u-%u%s", first ? "  - [" : "", found[i]->x, found[i]->y, last ? "]\n" : ", ");
    }
}

static uint64_t memory_of(const struct grid *grid, tsr_node_kind kind)
{
    for (int i = 0; i < grid->count; i++)
        if (grid->node[i].kind == kind)
            return grid->node[i].memory;
    return 0;
}

// The banks that tt-metal allocates in: two halves of each channel on Wormhole, whole channels on
// Blackhole, without what its hosts, which keep sizes in 32 bits, cannot count. Endpoints are ports
// for NoC 0 and for NoC 1; any leads to all of the channel.
static void print_dram_views(const struct grid *grid)
{
    const tsr_node_info *found[MOST_NODES];
    int count = collect(grid, TSR_NODE_DRAM, found);
    unsigned views = grid->arch == TSR_WORMHOLE_B0 ? 2 : 1;
    uint64_t size = found[0]->memory / views;
    printf("dram_views:\n");
    for (int i = 0; i < count; i++)
        for (unsigned view = 0; found[i]->port == 0 && view < views; view++) {
            unsigned port[2] = {views == 2 ? 1 + view : 0, 1 + view};
            printf("  - {channel: %u, eth_endpoint: [%u, %u], worker_endpoint: [%u, %u], "
                   "address_offset: %llu}\n",
                   found[i]->unit, port[0], port[1], port[0], port[1],
                   (unsigned long long)(view * size));
        }
    printf("dram_view_size: %llu\n",
           (unsigned long long)(size > UINT32_MAX ? UINT32_MAX & ~0xffffffu : size));
}

static void print_reversed(const char *name, unsigned count)
{
    printf("%s: [", name);
    for (unsigned i = count; i-- > 0;)
        printf("%u%s", i, i ? ", " : "]\n");
}

static void print_descriptor(const struct grid *grid)
{
    printf("# %s, as Tessera simulates it\n", tsr_arch_name(grid->arch));
    printf("arch_name: %s\n", grid->arch == TSR_WORMHOLE_B0 ? "WORMHOLE_B0" : "BLACKHOLE");
    printf("grid: {x_size: %u, y_size: %u}\n", grid->columns, grid->rows);
    print_list(grid, "arc", TSR_NODE_ARC);
    print_list(grid, "pcie", TSR_NODE_PCIE);
    print_dram(grid);
    print_dram_views(grid);
    print_list(grid, "eth", TSR_NODE_ETHERNET);
    print_list(grid, "functional_workers", TSR_NODE_TENSIX);
    print_list(grid, "router_only", TSR_NODE_ROUTER);
    print_list(grid, "security", TSR_NODE_SECURITY);
    print_list(grid, "l2cpu", TSR_NODE_L2CPU);
    print_reversed("noc0_x_to_noc1_x", grid->columns);
    print_reversed("noc0_y_to_noc1_y", grid->rows);
    printf("worker_l1_size: %llu\n", (unsigned long long)memory_of(grid, TSR_NODE_TENSIX));
    printf("dram_bank_size: %llu\n", (unsigned long long)memory_of(grid, TSR_NODE_DRAM));
    printf("eth_l1_size: %llu\n", (unsigned long long)memory_of(grid, TSR_NODE_ETHERNET));
    printf("features:\n"
           "  unpacker: {version: 2, inline_srca_trans_without_srca_trans_instr: true}\n"
           "  math: {dst_size_alignment: 32768}\n"
           "  packer: {version: 2}\n"
           "  overlay: {version: 2}\n");
}

int main(int argc, char **argv)
{
    static struct grid grid;
    if (argc != 2 || tsr_arch_from_name(argv[1], &grid.arch) != TSR_OK) {
        fprintf(stderr, "usage: soc_descriptor CHIP\n");
        return 2;
    }
    grid.columns = tsr_grid_columns(grid.arch);
    grid.rows = tsr_grid_rows(grid.arch);
    for (unsigned i = 0; i < grid.columns * grid.rows && i < MOST_NODES; i++)
        if (tsr_node_at(grid.arch, i % grid.columns, i / grid.columns, &grid.node[i]) == TSR_OK)
            grid.count++;
    print_descriptor(&grid);
    return 0;
}
