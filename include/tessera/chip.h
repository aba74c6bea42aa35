// SPDX-License-Identifier: Apache-2.0
// A whole chip: the grid of Tensix tiles, DRAM, Ethernet, ARC and PCI Express tiles on its two
// NoCs, and what a host reaches of it.
//
// A Tensix tile is made when it is first touched, DRAM takes memory where something was written,
// and what is idle costs no time. Nothing prints or exits; a chip is used by one thread at a time,
// and any number of chips may live in one process. As in <tessera/tessera.h>, no function crashes
// on NULL or on an index outside its range; what returns a tsr_status gives TSR_BAD_ARGUMENT for
// them and writes nothing, unless its comment allows it.
//
// Time goes in windows of 64 cycles, counted from reset. In a window every tile that has something
// to do runs on its own; what it has sent over the NoC arrives at a window's end. So neither the
// number of host threads nor the way in which a run is cut changes anything.
//
// Pages: WormholeB0/README.md, WormholeB0/NoC/README.md.
#ifndef TESSERA_CHIP_H
#define TESSERA_CHIP_H

#include <tessera/tessera.h>
#include <tessera/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_chip tsr_chip;

// ---------------------------------------------------------------- the grid

typedef enum tsr_node_kind {
    TSR_NODE_ROUTER = 0, // nothing but the NoC's
    TSR_NODE_TENSIX = 1,
    TSR_NODE_DRAM = 2,
    TSR_NODE_ETHERNET = 3,
    TSR_NODE_ARC = 4,
    TSR_NODE_PCIE = 5,
    TSR_NODE_SECURITY = 6, // Blackhole
    TSR_NODE_L2CPU = 7,    // Blackhole
    TSR_NODE_KIND_COUNT = 8
} tsr_node_kind;

typedef struct tsr_node_info {
    tsr_node_kind kind;
    unsigned x, y;   // NoC 0 coordinates
    unsigned unit;   // the DRAM channel, the number of the Tensix or Ethernet tile; otherwise 0
    unsigned port;   // which one it is of the nodes that show the same DRAM channel; otherwise 0
    uint64_t memory; // bytes of its L1 or DRAM channel; 0: none
} tsr_node_info;

const char *tsr_node_kind_name(tsr_node_kind kind); // "tensix", "dram", ...; "" for what is none
// Columns and rows of the grid; 0 if there is no such chip.
unsigned tsr_grid_columns(tsr_arch arch);
unsigned tsr_grid_rows(tsr_arch arch);
// TSR_NOT_FOUND outside the grid.
tsr_status tsr_node_at(tsr_arch arch, unsigned x, unsigned y, tsr_node_info *out);

// How far a part of the chip around its Tensix tiles is simulated, on both chips.
typedef struct tsr_chip_part_info {
    const char *name;
    tsr_implemented implemented;
    const char *page;
    const char *note; // what is missing, or how it does; may be ""
} tsr_chip_part_info;
// TSR_NOT_FOUND beyond the last part; TSR_BAD_ARGUMENT below 0.
tsr_status tsr_chip_part_at(int index, tsr_chip_part_info *out);

// ---------------------------------------------------------------- chips

enum {
    TSR_CHIP_DEVICES = 32, // of a host, at most: those of a PCI bus
    TSR_CHIP_THREADS = 64  // of the host that step tiles, at most
};

typedef struct tsr_chip_options {
    tsr_options tile; // of every Tensix tile, which all interpret their cores
    // Host threads that step tiles, where that turns out to be faster than one; 0 and 1: the
    // caller's alone; more than TSR_CHIP_THREADS are as so many. `threads_always`: everywhere, for
    // tests of what could differ.
    unsigned threads;
    bool threads_always;
    // Tensix tiles that are fused off: a bit for each row of NoC 0 coordinates (Wormhole) or each
    // column (Blackhole). Bits of rows and columns without such tiles mean nothing.
    uint32_t harvested;
    unsigned device; // its number among the devices of a host, below TSR_CHIP_DEVICES: where its
                     // BARs lie
} tsr_chip_options;

// Timing off, profile silicon, one thread, device 0; the rest as tsr_options_default() has it.
tsr_chip_options tsr_chip_options_default(tsr_arch arch);
// `out` is owned by the caller, who gives it to tsr_chip_destroy. TSR_BAD_ARGUMENT as for
// tsr_tile_create(), and for a device's number that no host has.
tsr_status tsr_chip_create(const tsr_chip_options *options, tsr_chip **out);
void tsr_chip_destroy(tsr_chip *chip); // NULL is allowed
// Power-on state, DRAM included; options, policies, links, the observer and the host's memory stay.
// NULL is allowed.
void tsr_chip_reset(tsr_chip *chip);
tsr_arch tsr_chip_arch(const tsr_chip *chip); // TSR_WORMHOLE_B0 for NULL

// The Tensix tile at NoC 0 coordinates, owned by the chip, at the chip's cycle. The caller may act
// on it and look at it, but leaves its clock to the chip. TSR_NOT_FOUND if there is none.
tsr_status tsr_chip_tile(tsr_chip *chip, unsigned x, unsigned y, tsr_tile **out);
// Whether there is one that was touched already. False for NULL.
bool tsr_chip_has_tile(const tsr_chip *chip, unsigned x, unsigned y);

// A core of the tile there: of a Tensix tile, or of an Ethernet tile (TSR_CORE_E, _E0, _E1).
// TSR_NOT_FOUND: there is no such core, or nobody has done anything with the tile yet.
tsr_status tsr_chip_view_core(const tsr_chip *chip, unsigned x, unsigned y, tsr_core core,
                              tsr_core_state *out);

// Where a host finds what lets a core of an Ethernet tile go: the registers' addresses in the tile.
typedef struct tsr_ethernet_core_info {
    uint64_t soft_reset;     // a bit of it holds the core,
    unsigned soft_reset_bit; // this one
    uint64_t pc;             // says where the core begins
} tsr_ethernet_core_info;
// TSR_NOT_FOUND: the chip has no such core.
tsr_status tsr_ethernet_core_at(tsr_arch arch, tsr_core core, tsr_ethernet_core_info *out);

// What a host reads and writes at a node's address as the NoC has it, effective at once. x and y
// are NoC 0 coordinates, or, outside of the grid, translated ones.
// TSR_NOT_FOUND: no such node, and `bytes` stays as it is. TSR_UNMAPPED: something of it is
// nowhere; a finding says so, what comes before may have been written, and a read gives ones
// throughout. Otherwise as tsr_host_load() and tsr_host_store() for a Tensix tile's registers.
tsr_status tsr_chip_read(tsr_chip *chip, unsigned x, unsigned y, uint64_t address, void *bytes,
                         size_t size);
tsr_status tsr_chip_write(tsr_chip *chip, unsigned x, unsigned y, uint64_t address,
                          const void *bytes, size_t size);

// ---------------------------------------------------------------- PCI Express

// The device's configuration space, in aligned words. The BARs are 64 bits wide; their addresses
// are the simulator's own. Writes are ignored, with a finding. TSR_UNMAPPED: no such word; a read
// gives ones.
tsr_status tsr_chip_config_read(tsr_chip *chip, uint32_t offset, uint32_t *value);
tsr_status tsr_chip_config_write(tsr_chip *chip, uint32_t offset, uint32_t value);
// Where BAR 0, 2 or 4 of device 0 is. TSR_NOT_FOUND for other numbers.
tsr_status tsr_chip_bar(tsr_arch arch, int number, uint64_t *address, uint64_t *size);
// The number of the device whose BARs lie in that part of the physical addresses; what is in none
// of them belongs to one, too.
unsigned tsr_chip_device_at(uint64_t address);
// What the host reads and writes at a physical address, in a BAR: TLB windows and their
// configuration, address translation, ARC, effective at once. TSR_UNMAPPED: something of it is
// nowhere; a finding says so, and a read gives ones there.
tsr_status tsr_chip_host_read(tsr_chip *chip, uint64_t address, void *bytes, size_t size);
tsr_status tsr_chip_host_write(tsr_chip *chip, uint64_t address, const void *bytes, size_t size);

// The host's memory, for what the device reads and writes there, in the caller's thread and inside
// a call of a function here. They must not act on the chip.
typedef struct tsr_host_memory {
    void *user;
    void (*read)(void *user, uint64_t address, void *bytes, size_t size);
    void (*write)(void *user, uint64_t address, const void *bytes, size_t size);
} tsr_host_memory;
tsr_status tsr_chip_set_host_memory(tsr_chip *chip, const tsr_host_memory *memory); // NULL: none

// ---------------------------------------------------------------- links

// A link connects two Ethernet tiles, by their numbers (tsr_node_info.unit), of two chips or of one
// with itself; a tile may be connected with itself, too. Chips that links connect, directly or
// through others, share one clock: whichever of them is clocked or run, the windows of all of them
// end together, and what they send each other goes over there. So clocking two connected chips by
// 64 cycles each lets both pass 128. Each counts its own cycles since its reset.
//
// The caller owns the chips; a link is owned by both, and ends with the first one that is
// destroyed, or disconnected. A chip that is reset keeps its links, loses what is on its way to it,
// and has sequence numbers that begin at 0, which its peers do not hear of: reset all of a group.
typedef struct tsr_link_options {
    unsigned drop_every; // each n-th of the frames that enter at an end is lost; 0: none
} tsr_link_options;

tsr_link_options tsr_link_options_default(void); // no frame is lost
// `options` NULL: those of tsr_link_options_default(). TSR_BAD_ARGUMENT: no such tile, other chips,
// or one has timing on and the other has not. TSR_BUSY: a tile has a link. Not for callbacks.
tsr_status tsr_chip_connect(tsr_chip *a, unsigned ethernet_a, tsr_chip *b, unsigned ethernet_b,
                            const tsr_link_options *options);
// What is on its way, and packets that have not been acknowledged, are lost. TSR_NOT_FOUND: the
// tile has no link.
tsr_status tsr_chip_disconnect(tsr_chip *chip, unsigned ethernet);
// What a tile is connected with. `peer` and `peer_ethernet` may be NULL. TSR_NOT_FOUND: nothing.
tsr_status tsr_chip_peer(const tsr_chip *chip, unsigned ethernet, tsr_chip **peer,
                         unsigned *peer_ethernet);

// ---------------------------------------------------------------- time

// Adds to the cycle up to which the chip runs, and runs the windows that end by then. A tile that a
// finding has stopped stands still, the others go on. TSR_BAD_ARGUMENT: that would be beyond
// cycle 2^63 - 1.
tsr_status tsr_chip_clock(tsr_chip *chip, uint64_t cycles);
uint64_t tsr_chip_cycle(const tsr_chip *chip); // where the last window ended; 0 for NULL

typedef struct tsr_chip_limits {
    // 0: none; counted from this call, up to the end of a window. There is no limit of words as
    // tsr_limits.max_words is one for a tile: a call returns only when all tiles have come to the
    // end of a window, so it cannot end within a MOP, however long that is.
    uint64_t max_cycles;
    bool external;       // something outside may still act: what waits is blocked, no deadlock
    bool break_at_pause; // stop at the end of the window in which an ebreak pauses a core
    // Stop when the word at this address of a Tensix or DRAM node has until_value in the bits of
    // until_mask; 0: no such end. It is looked at between windows.
    unsigned until_x, until_y;
    uint64_t until_address;
    uint32_t until_value, until_mask;
    // Tiles that stop, cores that pause and work that is left count on whichever chip of those that
    // links connect, not on this one alone; the word is this chip's.
    bool group;
} tsr_chip_limits;

// No limit, not external, no break, no word to wait for, this chip alone.
tsr_chip_limits tsr_chip_limits_default(void);
// Runs windows until nothing moves, a limit is reached, or a finding stops a tile. `limits` NULL:
// those of tsr_chip_limits_default(). TSR_END_NO_TILE if `chip` is NULL.
tsr_end tsr_chip_run(tsr_chip *chip, const tsr_chip_limits *limits);

// Called as tsr_observer is for a tile, with the node. A chip that is observed runs on one thread.
typedef void tsr_chip_observer(void *user, const tsr_node_info *node, const tsr_event *event);
// Of all tiles; `observer` NULL: nobody is called any more. `user` is handed on and may be NULL.
tsr_status tsr_chip_observe(tsr_chip *chip, tsr_chip_observer *observer, void *user);

// ---------------------------------------------------------------- findings

// `what` is a finding's code or a category's name; for all tiles of the chip, touched or not, and
// for what concerns none of them, as a host's access of nothing: that is recorded in each profile,
// and with TSR_ACTION_STOP stops the whole chip until it is reset. TSR_NOT_FOUND for any other
// word; TSR_BAD_ARGUMENT as for tsr_tile_set_policy().
tsr_status tsr_chip_set_policy(tsr_chip *chip, const char *what, tsr_action action);

typedef struct tsr_chip_finding {
    tsr_node_info node;
    const tsr_diagnostic *diagnostic; // until the chip or the tile is reset
} tsr_chip_finding;

// The findings of all tiles and of the host's accesses since the last reset, in the order of the
// windows in which they were found, of one window by node. 0 for NULL.
int tsr_chip_finding_count(tsr_chip *chip);
// TSR_NOT_FOUND outside 0 .. count-1.
tsr_status tsr_chip_finding_at(tsr_chip *chip, int index, tsr_chip_finding *out);

#ifdef __cplusplus
}
#endif
#endif
