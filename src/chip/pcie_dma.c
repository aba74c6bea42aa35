// SPDX-License-Identifier: Apache-2.0
// The DMA engines of the PCI Express tile. A doorbell copies at once; the host is told by a write
// of its memory, as a message-signalled interrupt is one. Page: PCIExpressTile/README.md, which
// leaves the registers to tt-umd (machine/pcie_dma.def).
#include "chip/pcie_dma.h"

#include "chip/chip_findings.h"

#include <string.h>

enum name {
    ENABLE,
    DOORBELL,
    STATUS,
    MASK,
    CLEAR,
    DONE_LOW,
    DONE_HIGH,
    ABORT_LOW,
    ABORT_HIGH,
    DATA_01,
    DATA_23,
    DATA_45,
    DATA_67,
    CONTROL,
    SIZE,
    FROM_LOW,
    FROM_HIGH,
    TO_LOW,
    TO_HIGH,
    LIST_LOW,
    LIST_HIGH,
    STATE,
    NAMES
};

enum { CHANNELS = 8 };

// Of eDMA's lists: places of words in an element, lengths of elements, bits.
enum {
#define DMA_ELEMENT(name, offset) AT_##name = (offset),
#define DMA_BYTES(name, bytes) BYTES_OF_##name = (bytes),
#define DMA_BIT(name, bit) name = 1 << (bit),
#include "machine/pcie_dma.def"
};

struct place {
    bool own, shared; // a word of each channel, or of each engine
    uint16_t at[2];   // shared: of the engine that writes to the host, of the one that reads it
};

static const struct place place_of[TSR_ARCH_COUNT][NAMES] = {
#define DMA_SHARED(chip, name, writing, reading)                                                   \
    [TSR_##chip][name] = {.shared = true, .at = {writing, reading}},
#define DMA_OWN(chip, name, offset) [TSR_##chip][name] = {.own = true, .at = {offset, offset}},
#include "machine/pcie_dma.def"
};

static const struct {
    uint16_t first, bytes, reading;
} channels_of[TSR_ARCH_COUNT] = {
#define DMA_CHANNELS(chip, first, bytes, reading) [TSR_##chip] = {first, bytes, reading},
#include "machine/pcie_dma.def"
};

struct channel {
    tsr_chip *chip;
    tsr_arch arch;
    bool reading; // the engine reads the host's memory
    unsigned number;
};

static uint32_t offset_of(const struct channel *channel, enum name name)
{
    const struct place *place = &place_of[channel->arch][name];
    uint32_t offset = place->at[channel->reading];
    if (place->own)
        offset += channels_of[channel->arch].first +
                  channel->number * channels_of[channel->arch].bytes +
                  (channel->reading ? channels_of[channel->arch].reading : 0);
    return offset;
}

static uint32_t *word(const struct channel *channel, enum name name)
{
    return &channel->chip->pcie.dma[offset_of(channel, name) / 4];
}

static uint64_t two_words(const struct channel *channel, enum name low)
{
    return *word(channel, low) | (uint64_t)*word(channel, low + 1) << 32;
}

// Which register is at the offset; NAMES: none.
static enum name find(tsr_chip *chip, uint32_t offset, struct channel *channel)
{
    *channel = (struct channel){.chip = chip, .arch = chip->options.tile.arch};
    for (int name = 0; name < NAMES; name++) {
        const struct place *place = &place_of[channel->arch][name];
        unsigned count = place->own ? CHANNELS : place->shared ? 1 : 0;
        for (unsigned i = 0; i < 2 * count; i++) {
            channel->reading = i % 2 == 1;
            channel->number = i / 2;
            if (offset_of(channel, name) == offset)
                return name;
        }
    }
    return NAMES;
}

// ---------------------------------------------------------------- a transfer

static bool host_copies(const struct channel *channel, uint64_t address, uint8_t *bytes,
                        size_t size)
{
    const tsr_host_memory *host = &channel->chip->pcie.host;
    if (channel->reading ? host->read != NULL : host->write != NULL) {
        if (channel->reading)
            host->read(host->user, address, bytes, size);
        else
            host->write(host->user, address, bytes, size);
        return true;
    }
    tsr_chip_report(channel->chip, NULL, FINDING_HOST_MEMORY, address,
                    "DMA channel %u %s %zu bytes at 0x%llx of the host's memory.", channel->number,
                    channel->reading ? "reads" : "writes", size, (unsigned long long)address);
    return false;
}

// What the registers say, or an element of a list has put there.
static bool copy(const struct channel *channel, tsr_dma_device *device)
{
    uint8_t bytes[4096];
    uint64_t from = two_words(channel, FROM_LOW), to = two_words(channel, TO_LOW);
    uint32_t *left = word(channel, SIZE);
    while (*left > 0) {
        size_t size = *left < sizeof bytes ? *left : sizeof bytes;
        bool done = channel->reading ? host_copies(channel, from, bytes, size) &&
                                           device(channel->chip, to, NULL, bytes, size)
                                     : device(channel->chip, from, bytes, NULL, size) &&
                                           host_copies(channel, to, bytes, size);
        if (!done)
            return false;
        from += size;
        to += size;
        *left -= (uint32_t)size;
    }
    return true;
}

static uint32_t message(const struct channel *channel)
{
    if (channel->arch == TSR_BLACKHOLE_A0)
        return *word(channel, DATA_01);
    return *word(channel, DATA_01 + channel->number / 2) >> channel->number % 2 * 16 & 0xffff;
}

// A bit of STATUS, and the write that tells the host.
static void note_end(const struct channel *channel, bool done, unsigned bit, bool tells)
{
    *word(channel, STATUS) |= 1u << bit;
    if (!tells || *word(channel, MASK) >> bit & 1)
        return;
    struct channel telling = *channel;
    telling.reading = false;
    uint32_t value = message(channel);
    (void)host_copies(&telling, two_words(channel, done ? DONE_LOW : ABORT_LOW), (uint8_t *)&value,
                      sizeof value);
}

enum { STOPPED = 3, HALTED = 2 };

// eDMA: `asked` has LOCAL and REMOTE where they say what to do.
static void note_edma(const struct channel *channel, bool done, uint32_t asked)
{
    enum { ABORTED = 16 };
    if (asked & (LOCAL | REMOTE))
        note_end(channel, done, channel->number + (done ? 0 : ABORTED), asked & REMOTE);
}

static void set_edma_state(const struct channel *channel, bool done)
{
    enum { STATE_FIRST = 5 };
    uint32_t *control = word(channel, CONTROL);
    *control = (*control & ~(3u << STATE_FIRST)) | (done ? STOPPED : HALTED) << STATE_FIRST;
}

// What the registers say of the end.
static void end(const struct channel *channel, bool done)
{
    enum { STOP = 0, ABORT = 2, REMOTE_STOP = 3, REMOTE_ABORT = 5 }; // HDMA's words
    if (channel->arch == TSR_WORMHOLE_B0) {
        set_edma_state(channel, done);
        note_edma(channel, done, *word(channel, CONTROL));
        return;
    }
    *word(channel, STATE) = done ? STOPPED : HALTED;
    note_end(channel, done, done ? STOP : ABORT,
             *word(channel, MASK) >> (done ? REMOTE_STOP : REMOTE_ABORT) & 1);
}

// ---------------------------------------------------------------- lists of eDMA

static uint32_t element_word(const uint8_t *element, unsigned at)
{
    uint32_t value;
    memcpy(&value, element + at, sizeof value);
    return value;
}

static void set_two_words(const struct channel *channel, enum name low, const uint8_t *from)
{
    *word(channel, low) = element_word(from, 0);
    *word(channel, low + 1) = element_word(from, 4);
}

// An element that is the engine's. *asked is what it wants noted.
static bool perform(const struct channel *channel, const uint8_t *element, tsr_dma_device *device,
                    uint32_t *asked)
{
    uint64_t next = two_words(channel, LIST_LOW) + BYTES_OF_COPY;
    uint32_t head = element_word(element, AT_HEAD);
    if (head & TOGGLE)
        *word(channel, CONTROL) ^= CONTROL_CYCLE;
    *asked = head & LEADS ? 0 : head;
    if (head & LEADS) {
        set_two_words(channel, LIST_LOW, element + AT_NEXT);
        return true;
    }
    *word(channel, SIZE) = element_word(element, AT_BYTES);
    set_two_words(channel, FROM_LOW, element + AT_SOURCE);
    set_two_words(channel, TO_LOW, element + AT_TARGET);
    if (!copy(channel, device))
        return false;
    *word(channel, LIST_LOW) = (uint32_t)next;
    *word(channel, LIST_HIGH) = (uint32_t)(next >> 32);
    return true;
}

// Element after element of the device's memory, as long as they are the engine's (errata 640).
static void run_list(const struct channel *channel, tsr_dma_device *device)
{
    enum { MOST_ELEMENTS = 1 << 16 };
    uint8_t element[BYTES_OF_COPY];
    uint64_t bytes = 0;
    for (unsigned i = 0; i < MOST_ELEMENTS && bytes <= UINT32_MAX; i++) {
        uint64_t at = two_words(channel, LIST_LOW);
        uint32_t asked = *word(channel, CONTROL);
        memset(element, 0, sizeof element);
        bool done = device(channel->chip, at, element, NULL, BYTES_OF_LINK);
        uint32_t head = element_word(element, AT_HEAD);
        bool own = head & LEADS || !(head & CYCLE) == !(asked & CONTROL_CYCLE);
        if (done && !own) {
            set_edma_state(channel, true);
            return;
        }
        if (done && !(head & LEADS))
            done = device(channel->chip, at + BYTES_OF_LINK, element + BYTES_OF_LINK, NULL,
                          BYTES_OF_COPY - BYTES_OF_LINK);
        bytes += head & LEADS ? 0 : element_word(element, AT_BYTES);
        done = done && perform(channel, element, device, &asked);
        note_edma(channel, done, asked);
        if (!done) {
            set_edma_state(channel, false);
            return;
        }
    }
    set_edma_state(channel, false);
    tsr_chip_report(channel->chip, NULL, FINDING_HOST_DMA, offset_of(channel, DOORBELL),
                    "The list of DMA channel %u has no end: %d elements, or 4 GiB, and the next "
                    "one is still the engine's.",
                    channel->number, MOST_ELEMENTS);
}

// Why the engine does not do what it is told; NULL: it does.
static const char *missing(const struct channel *channel)
{
    enum { HDMA_LIST = 1 };
    bool hdma = channel->arch == TSR_BLACKHOLE_A0;
    if (hdma && *word(channel, CONTROL) & HDMA_LIST)
        return "take a list of transfers from memory";
    if (hdma && !channel->reading)
        return "write to the host on Blackhole, which tt-umd says is not supported";
    return NULL;
}

static void ring(struct channel *channel, uint32_t value, tsr_dma_device *device)
{
    enum { EDMA_STOP = 31, HDMA_START = 1 };
    tsr_chip *chip = channel->chip;
    if (channel->arch == TSR_BLACKHOLE_A0) {
        if (!(value & HDMA_START))
            return;
    } else if (value >> EDMA_STOP) {
        return;
    } else {
        channel->number = value % CHANNELS;
    }
    const char *why = missing(channel);
    if (why) {
        tsr_chip_report(chip, NULL, FINDING_UNIMPLEMENTED_MODE, offset_of(channel, DOORBELL),
                        "The host has DMA channel %u %s; this is unimplemented.", channel->number,
                        why);
        return;
    }
    if (!(*word(channel, ENABLE) & 1)) {
        tsr_chip_report(chip, NULL, FINDING_HOST_DMA, offset_of(channel, DOORBELL),
                        "The host rings the doorbell of DMA channel %u, whose engine is not "
                        "enabled.",
                        channel->number);
        return;
    }
    if (channel->arch == TSR_WORMHOLE_B0 && *word(channel, CONTROL) & CONTROL_LIST)
        run_list(channel, device);
    else
        end(channel, copy(channel, device));
}

// ---------------------------------------------------------------- registers

bool tsr_dma_load(tsr_chip *chip, uint32_t offset, uint32_t *value)
{
    struct channel channel;
    if (find(chip, offset, &channel) == NAMES)
        return false;
    *value = chip->pcie.dma[offset / 4];
    return true;
}

bool tsr_dma_store(tsr_chip *chip, uint32_t offset, uint32_t value, tsr_dma_device *device)
{
    struct channel channel;
    switch (find(chip, offset, &channel)) {
    case NAMES:
        return false;
    case CLEAR:
        *word(&channel, STATUS) &= ~value;
        return true;
    case STATUS:
    case STATE:
        return true;
    case DOORBELL:
        ring(&channel, value, device);
        return true;
    default:
        chip->pcie.dma[offset / 4] = value;
        return true;
    }
}
