// SPDX-License-Identifier: Apache-2.0
// The DMA engines of the PCI Express tile. A doorbell copies at once; the host is told by a write
// of its memory, as a message-signalled interrupt is one. Page: PCIExpressTile/README.md, which
// leaves the registers to tt-umd (machine/pcie_dma.def).
#include "chip/pcie_dma.h"

#include "chip/chip_findings.h"

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
    STATE,
    NAMES
};

enum { CHANNELS = 8 };

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

// What the registers say of the end, and the write that tells the host.
static void end(const struct channel *channel, bool done)
{
    enum { STOPPED = 3, HALTED = 2 };
    enum { LOCAL = 1 << 3, REMOTE = 1 << 4, STATE_FIRST = 5 };                  // eDMA's CONTROL
    enum { STOP = 0, ABORT = 2, REMOTE_STOP = 3, REMOTE_ABORT = 5, NONE = 16 }; // HDMA's words
    uint32_t state = done ? STOPPED : HALTED, mask = *word(channel, MASK);
    bool tells, noted = true;
    unsigned bit;
    if (channel->arch == TSR_BLACKHOLE_A0) {
        *word(channel, STATE) = state;
        bit = done ? STOP : ABORT;
        tells = mask >> (done ? REMOTE_STOP : REMOTE_ABORT) & 1;
    } else {
        uint32_t *control = word(channel, CONTROL);
        *control = (*control & ~(3u << STATE_FIRST)) | state << STATE_FIRST;
        bit = channel->number + (done ? 0 : NONE);
        tells = *control & REMOTE;
        noted = *control & (LOCAL | REMOTE);
    }
    if (noted)
        *word(channel, STATUS) |= 1u << bit;
    if (!tells || mask >> bit & 1)
        return;
    struct channel telling = *channel;
    telling.reading = false;
    uint32_t value = message(channel);
    (void)host_copies(&telling, two_words(channel, done ? DONE_LOW : ABORT_LOW), (uint8_t *)&value,
                      sizeof value);
}

// Why the engine does not do what it is told; NULL: it does.
static const char *missing(const struct channel *channel)
{
    enum { EDMA_LIST = 1 << 9, HDMA_LIST = 1 };
    bool hdma = channel->arch == TSR_BLACKHOLE_A0;
    if (*word(channel, CONTROL) & (hdma ? HDMA_LIST : EDMA_LIST))
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
