// SPDX-License-Identifier: Apache-2.0
// Does to the libraries with the vendor's interface what no host should: random accesses of BARs,
// TLB windows and their entries, DMA, tiles and registers, random kernels, requests, resets,
// clocks. Nothing may crash, hang or trip a sanitizer, and what is read must be the same however
// many host threads step the tiles. A canary shows that the comparison is awake. Usage: fuzz_ttsim
// SECONDS [SEED]
#include "random_source.h"

#include "rig/ttsim_host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 4096, MOST_CYCLES = 1500 };

struct fuzz {
    struct host host; // its BARs: those of one of the devices
    uint64_t stride;  // from the first one's to the second one's; 0: there is one
    struct source source;
    uint64_t seen; // a hash of all that was read
    unsigned long accesses;
};

static void note(struct fuzz *fuzz, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++)
        fuzz->seen = (fuzz->seen ^ byte[i]) * 0x100000001b3u;
}

static uint64_t wide(struct source *source)
{
    return next(source) | (uint64_t)next(source) << 32;
}

static uint32_t random_size(struct source *source)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 4, 4, 4, 4, 8, 12, 16, 32, 64, 333};
    uint32_t size = sizes[below(source, sizeof sizes / sizeof *sizes)];
    return below(source, 40) == 0 ? below(source, MOST_BYTES + 1) : size;
}

// Mostly where a Tensix tile has something.
static uint64_t random_local(struct source *source)
{
    static const uint32_t bases[] = {0xffb00000, 0xffb11000, 0xffb12000, 0xffb121b0, 0xffb13000,
                                     0xffb14000, 0xffb20000, 0xffb30000, 0xffb40000, 0xffb80000,
                                     0xffe00000, 0xffe40000, 0xffec0000, 0xffef0000};
    switch (below(source, 6)) {
    case 0:
    case 1:
        return below(source, 0x180100);
    case 2:
        return below(source, 0x1000);
    case 3:
    case 4:
        return bases[below(source, sizeof bases / sizeof *bases)] + below(source, 0x1000);
    default:
        return wide(source) >> below(source, 64);
    }
}

static uint64_t random_physical(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    struct host *host = &fuzz->host;
    static const uint32_t parts[] = {0,          0x09c00000, 0x0b000000, 0x1e000000, 0x1f000000,
                                     0x1fc00000, 0x1fd04000, 0x1fd20000, 0x1fda0000, 0x1fe80000,
                                     0x1ff00000, 0x1ff30060, 0x1ffffff0};
    switch (below(source, 12)) {
    case 0:
        return host->bar2 + below(source, 0x4000);
    case 1:
        return host->bar4 + (wide(source) >> below(source, 64));
    case 2:
        return wide(source) >> below(source, 64);
    case 3:
        return host->bar0 + below(source, 0x20000000);
    default:
        return host->bar0 + parts[below(source, sizeof parts / sizeof *parts)] +
               below(source, 0x2000);
    }
}

// An entry of any window: any bits, or those of a node.
static void set_window(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    bool wormhole = fuzz->host.arch == TSR_WORMHOLE_B0;
    unsigned bytes = wormhole ? 8 : 12, count = wormhole ? 186 : 210;
    unsigned index = below(source, 2) ? 0 : below(source, count);
    uint8_t entry[12];
    for (unsigned i = 0; i < sizeof entry; i++)
        entry[i] = (uint8_t)next(source);
    if (below(source, 4)) {
        uint64_t place = below(source, 17) | below(source, 12) << 6;
        uint64_t local = below(source, 2) ? 0 : 0xffb00000u >> (wormhole ? 20 : 21);
        uint64_t low = wormhole ? local | place << 16 : local | place << 43;
        uint32_t high = (uint32_t)(place >> 21);
        memcpy(entry, &low, 8);
        memcpy(entry + 8, &high, 4);
    }
    fuzz->host.write(fuzz->host.bar0 + 0x1fc00000 + index * bytes, entry, bytes);
}

// Words that are mostly instructions, some with arguments that lead somewhere, and a core to run
// them.
static void start_kernel(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    static const uint32_t often[] = {0x00000013, 0xffb00537, 0xffb205b7, 0xffe40637, 0x0002a283,
                                     0x00b52023, 0x00052583, 0xff5ff06f, 0x00108093, 0x0ff0000f,
                                     0x00100073, 0xfe0008e3, 0x02c5d533};
    uint32_t program[64];
    for (unsigned i = 0; i < 64; i++)
        program[i] = below(source, 3) ? often[below(source, sizeof often / sizeof *often)]
                                      : next(source) | (below(source, 2) ? 3 : 0);
    unsigned x = 1 + below(source, 4), y = 2 + below(source, 3);
    static const uint32_t begins[] = {0, 0x6000, 0xa000, 0xe000, 0x12000};
    for (unsigned i = 0; i < 5; i++)
        fuzz->host.tile_write(x, y, begins[i], program, 4 * (1 + below(source, 64)));
    uint32_t reset = next(source) & 0x47800;
    fuzz->host.tile_write(x, y, 0xffb121b0, &reset, 4);
}

// The same for the cores of an Ethernet tile, whose queues are likely, too.
static void start_ethernet(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    static const uint32_t often[] = {0x00000013, 0xffb00537, 0xffb20537, 0xffb12537, 0xffb905b7,
                                     0xffb945b7, 0x0002a283, 0x00b52023, 0x00052583, 0x1f052583,
                                     0xff5ff06f, 0x0045a603, 0x00c5a223, 0x0ff0000f, 0xfe0008e3,
                                     0xffc00067, 0x1ab52823, 0x00000073, 0x02c5d533};
    bool wormhole = fuzz->host.arch == TSR_WORMHOLE_B0;
    unsigned x = 1 + below(source, 3), y = wormhole ? 0 : 1;
    uint32_t program[64], reset = next(source) & 0x1800, begins[] = {0, 0, 0x80, 0};
    for (unsigned i = 0; i < 64; i++)
        program[i] = below(source, 4) ? often[below(source, sizeof often / sizeof *often)]
                                      : next(source) | 3;
    fuzz->host.tile_read(x, y, 0, program, 16);
    note(fuzz, program, 16);
    fuzz->host.tile_write(x, y, 0, program, 4 * (1 + below(source, 64)));
    fuzz->host.tile_write(x, y, 0xffb14000, begins, sizeof begins);
    fuzz->host.tile_write(x, y, 0xffb121b0, &reset, 4);
    if (wormhole && below(source, 4) == 0) // instruction RAM
        fuzz->host.tile_write(x, y, 0xffb94098, begins, 4);
}

// A phase of a stream of the NoC overlay, of which most is likely, and what feeds and empties it.
static void stir_stream(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    static const uint16_t wormhole[] = {10, 11, 36, 6,  7,  8,  26, 0,  1,  2,  3,  4, 9,
                                        12, 13, 14, 17, 27, 27, 29, 30, 21, 22, 34, 32};
    static const uint16_t blackhole[] = {3,  29, 34, 17, 18,  22,  23, 4, 5,   7,   8,   10, 13,
                                         31, 24, 25, 33, 267, 267, 0,  1, 265, 266, 270, 2};
    enum { REGISTERS = sizeof wormhole / sizeof *wormhole };
    const uint16_t *index = fuzz->host.arch == TSR_WORMHOLE_B0 ? wormhole : blackhole;
    unsigned x = 1 + below(source, 3), y = 2 + below(source, 2), id = below(source, 12);
    for (unsigned i = 0; i < REGISTERS; i++) {
        uint32_t value = next(source) >> below(source, 32);
        if (index[i] == 2 + 5 * (index == blackhole)) // the receiver
            value = (1 + below(source, 3)) | (2 + below(source, 2)) << 6 | below(source, 12) << 12;
        if (below(source, 3))
            fuzz->host.tile_write(x, y, 0xffb40000 + id * 0x1000 + 4 * index[i], &value, 4);
    }
}

// A request of a tile's interface between places that mostly exist.
static void send_request(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    bool wormhole = fuzz->host.arch == TSR_WORMHOLE_B0;
    unsigned x = 1 + below(source, 4), y = 2 + below(source, 3);
    uint64_t base = 0xffb20000u + below(source, 2) * 0x10000 + below(source, 4) * 0x800;
    uint32_t words[17] = {0};
    for (unsigned to = 0; to < 2; to++) { // target, then return
        uint32_t place = below(source, 17) | below(source, 12) << 6;
        if (below(source, 4) == 0)
            place |= below(source, 17) << 12 | below(source, 12) << 18;
        words[3 * to] = below(source, 2) ? below(source, 0x4000) * 16 : next(source);
        words[3 * to + 1] = wormhole ? place << 4 : 0;
        words[3 * to + 2] = wormhole ? 0 : place;
    }
    words[6] = next(source) >> below(source, 32);
    words[7] = below(source, 2) ? below(source, 3) | 1 << 4 : next(source);
    words[8] = below(source, 4) ? 16u << below(source, 10) : next(source);
    for (unsigned i = 0; i < 9; i++)
        fuzz->host.tile_write(x, y, base + 4 * i, &words[i], 4);
    uint32_t start = 1;
    fuzz->host.tile_write(x, y, base + (wormhole ? 0x28 : 0x40), &start, 4);
}

// Some of a DMA channel's registers, and its doorbell.
static void ring_dma(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    static const uint16_t wormhole[] = {0x08, 0x10, 0x14, 0x18, 0x00, 0x0c};
    static const uint16_t blackhole[] = {0x1c, 0x24, 0x28, 0x2c, 0x34, 0x20, 0x88};
    bool hdma = fuzz->host.arch != TSR_WORMHOLE_B0;
    const uint16_t *own = hdma ? blackhole : wormhole;
    unsigned number = below(source, 9), reading = below(source, 2);
    uint64_t channel = (hdma ? 0 : 0x200) + number * 0x200 + reading * 0x100;
    uint64_t enable = hdma ? channel : reading ? 0x2c : 0x0c;
    uint64_t doorbell = hdma ? channel + 4 : reading ? 0x30 : 0x10;
    uint32_t value;
    for (unsigned i = 0; i < (hdma ? 7u : 6u); i++) {
        value = i == 0 ? below(source, 0x3000) : next(source) >> below(source, 33) % 32;
        fuzz->host.write(fuzz->host.bar2 + channel + own[i], &value, 4);
    }
    value = below(source, 8) != 0;
    fuzz->host.write(fuzz->host.bar2 + enable, &value, 4);
    value = hdma ? 1 : number;
    fuzz->host.write(fuzz->host.bar2 + doorbell, &value, 4);
}

static void access_once(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    struct host *host = &fuzz->host;
    uint32_t size = random_size(source);
    uint8_t *bytes = malloc(size ? size : 1); // its end is watched
    for (uint32_t i = 0; bytes && i < size; i++)
        bytes[i] = (uint8_t)(below(source, 2) ? next(source) : 0);
    unsigned x = below(source, 18), y = below(source, 13);
    switch (bytes ? below(source, 4) : 4) {
    case 0:
        host->read(random_physical(fuzz), bytes, size);
        note(fuzz, bytes, size);
        break;
    case 1:
        host->write(random_physical(fuzz), bytes, size);
        break;
    case 2:
        host->tile_read(x, y, random_local(source), bytes, size);
        note(fuzz, bytes, size);
        break;
    case 3:
        host->tile_write(x, y, random_local(source), bytes, size);
        break;
    default:
        break;
    }
    free(bytes);
}

static void act(struct fuzz *fuzz)
{
    struct source *source = &fuzz->source;
    struct host *host = &fuzz->host;
    uint32_t value;
    fuzz->accesses++;
    switch (below(source, 64)) {
    case 0:
    case 1:
        host->clock(below(source, MOST_CYCLES));
        break;
    case 2:
        value = host->config_read(below(source, 3), below(source, 0x1100));
        note(fuzz, &value, sizeof value);
        break;
    case 3:
        host->config_write(0, below(source, 64), next(source));
        break;
    case 4:
        start_kernel(fuzz);
        break;
    case 5:
    case 6:
    case 7:
        set_window(fuzz);
        break;
    case 8:
        stir_stream(fuzz);
        break;
    case 9:
    case 10:
        send_request(fuzz);
        break;
    case 11:
        ring_dma(fuzz);
        break;
    case 12:
        start_ethernet(fuzz);
        break;
    default:
        access_once(fuzz);
        break;
    }
}

static void read_memory(uint64_t address, void *bytes, uint32_t size)
{
    memset(bytes, (int)(address & 0xff), size);
}

static void write_memory(uint64_t address, const void *bytes, uint32_t size)
{
    (void)address;
    (void)bytes;
    (void)size;
}

// Two chips now and then, with links.
static void choose_chips(struct source *source)
{
    bool two = below(source, 4) == 0;
    setenv("TESSERA_CHIPS", two ? "2" : "1", 1);
    setenv("TESSERA_LINKS", two ? "0:1-1:0,0:0-0:2,1:1-1:1" : "", 1);
}

static void find_stride(struct fuzz *fuzz)
{
    uint32_t high = fuzz->host.config_read(1 << 3, 0x14);
    if (high != UINT32_MAX)
        fuzz->stride = ((uint64_t)high << 32) - (fuzz->host.bar0 & 0xffffffff00000000u);
}

static void turn_to(struct fuzz *fuzz, bool second)
{
    uint64_t by = second ? fuzz->stride : 0u - fuzz->stride;
    fuzz->host.bar0 += by;
    fuzz->host.bar2 += by;
    fuzz->host.bar4 += by;
}

// One life of a simulator; returns the hash of what was read, 0 if there is no library.
static uint64_t live(int arch, uint64_t seed, const char *threads, unsigned actions,
                     unsigned long *accesses)
{
    struct fuzz fuzz = {.source = {seed}, .seen = 0xcbf29ce484222325u};
    setenv("TESSERA_THREADS", threads, 1);
    setenv("TESSERA_TIMING", below(&fuzz.source, 3) ? "off" : "on", 1);
    if (below(&fuzz.source, 4))
        unsetenv("TESSERA_HARVESTED");
    else
        setenv("TESSERA_HARVESTED", arch == TSR_WORMHOLE_B0 ? "0x806" : "0x1400c", 1);
    choose_chips(&fuzz.source);
    if (host_open(&fuzz.host, arch, host_library_path(arch)))
        return 0;
    if (below(&fuzz.source, 2))
        fuzz.host.set_memory(read_memory, write_memory);
    host_start(&fuzz.host);
    find_stride(&fuzz);
    for (unsigned i = 0; i < actions; i++) {
        bool second = below(&fuzz.source, 2);
        if (second)
            turn_to(&fuzz, true);
        act(&fuzz);
        if (second)
            turn_to(&fuzz, false);
    }
    fuzz.host.exit();
    dlclose(fuzz.host.library);
    *accesses += fuzz.accesses;
    return fuzz.seen;
}

int main(int argc, char **argv)
{
    enum { ACTIONS = 4000 };
    if (argc < 2) {
        fprintf(stderr, "usage: fuzz_ttsim SECONDS [SEED]\n");
        return 2;
    }
    long seconds = strtol(argv[1], NULL, 10);
    struct source source = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1u};
    int nowhere = open("/dev/null", O_WRONLY), terminal = dup(2);
    time_t end = time(NULL) + seconds;
    unsigned long lives = 0, accesses = 0;
    uint64_t before = 0;
    do {
        int arch = (int)below(&source, TSR_ARCH_COUNT);
        uint64_t seed = (uint64_t)next(&source) << 32 | next(&source);
        dup2(nowhere, 2); // where findings are told
        uint64_t one = live(arch, seed, "1", ACTIONS, &accesses);
        uint64_t two = live(arch, seed, "2,always", ACTIONS, &accesses);
        dup2(terminal, 2);
        if (one == 0 || one != two || one == before) {
            fprintf(stderr, "fuzz_ttsim: %s (chip %d, seed 0x%llx)\n",
                    one == 0     ? "no library"
                    : one != two ? "threads change what is read"
                                 : "another seed reads the same",
                    arch, (unsigned long long)seed);
            return 1;
        }
        before = one;
        lives++;
    } while (time(NULL) < end);
    printf("fuzz_ttsim: %lu lives, %lu accesses, no fault\n", lives, accesses);
    return 0;
}
