// SPDX-License-Identifier: Apache-2.0
// The debug timestamper: the wall clock, which is the tile's cycle counter, and streams of events
// that go to L1 in lines of 16 bytes. With timing off the clock stands at 0.
// Page: DebugTimestamper.md.
#include "tile/timestamper.h"

#include "tile/map_interrupts.h"

enum register_offset {
    WALL_CLOCK_L = 0x1f0,
    WALL_CLOCK_1 = 0x1f4,
    WALL_CLOCK_H = 0x1f8,
    TIMESTAMP = 0x1fc,
    CONTROL = 0x200,
    STATUS = 0x204,
    BUFFERS = 0x208 // start and end of each
};

enum { IRQ_BUFFER0_FULL = 17, LINE = TSR_L1_GRANULE };

static bool held(const struct tsr_timestamps *stamps)
{
    return stamps->control >> 31;
}

// To the first buffer in use that has room; if none has, those in use have overflown.
static void flush(struct tsr_access *access)
{
    struct tsr_state *state = access->env->state;
    struct tsr_timestamps *stamps = &state->debug.timestamps;
    uint8_t bytes[LINE] = {0};
    for (unsigned i = 0; i < 4u * stamps->words; i++)
        bytes[i] = (uint8_t)(stamps->word[i / 4] >> (i % 4 * 8));
    stamps->words = stamps->event_bits = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct tsr_timestamp_buffer *buffer = &stamps->buffer[i];
        uint64_t line = (uint64_t)buffer->start + buffer->position;
        if (!(stamps->control >> i & 1) || line > buffer->end)
            continue;
        if (tsr_l1_holds(&state->l1, line * LINE, LINE))
            tsr_l1_put(&state->l1, (uint32_t)line * LINE, bytes, LINE, false);
        else
            TSR_ACCESS_REPORT(access, FINDING_L1_OUT_OF_RANGE,
                              "A timestamp goes to line 0x%x of 16 bytes, behind L1's %u bytes.",
                              (unsigned)line, (unsigned)state->l1.size);
        buffer->position++;
        if (line + 1 > buffer->end && !buffer->full) {
            buffer->full = true;
            tsr_interrupt_raise(access->env, IRQ_BUFFER0_FULL + i);
        }
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        if (stamps->control >> i & 1)
            stamps->buffer[i].overflow = true;
}

static bool set_size(struct tsr_access *access, unsigned bits)
{
    struct tsr_timestamps *stamps = &access->env->state->debug.timestamps;
    if (stamps->event_bits != 0 && stamps->event_bits != bits) {
        TSR_ACCESS_REPORT(access, FINDING_TIMESTAMP_EVENT,
                          "%s asks for a timestamp of %u bits behind those of %u bits; it is left "
                          "out.",
                          tsr_access_who(access), bits, stamps->event_bits);
        return false;
    }
    stamps->event_bits = (uint8_t)bits;
    return true;
}

static void append(struct tsr_access *access, uint32_t word)
{
    struct tsr_timestamps *stamps = &access->env->state->debug.timestamps;
    stamps->word[stamps->words++] = word;
    if (stamps->words == TSR_TIMESTAMP_WORDS)
        flush(access);
}

// Streams are held in reset: each cycle begins them anew. What fills a line at once gets through.
static void begin_anew(struct tsr_timestamps *stamps)
{
    for (unsigned i = 0; i < 2; i++)
        stamps->buffer[i].full = stamps->buffer[i].overflow = false;
    stamps->words = stamps->event_bits = 0;
}

static tsr_status command(struct tsr_access *access)
{
    static const uint8_t bits[8] = {128, 64, 32, 64, 96, 0, 0, 96}; // 3 and 7 flush
    uint64_t clock = tsr_now(access->env);
    uint32_t value = access->value, low = (uint32_t)clock;
    unsigned kind = value & 7;
    if (bits[kind] == 0) {
        TSR_ACCESS_REPORT(access, FINDING_TIMESTAMP_EVENT,
                          "%s stores 0x%08x to RISCV_DEBUG_REG_TIMESTAMP, whose low bits choose no "
                          "size of event; it is left out.",
                          tsr_access_who(access), (unsigned)value);
        return tsr_access_status(access);
    }
    if (!set_size(access, bits[kind]))
        return tsr_access_status(access);
    if (kind == 3 || kind == 7) {
        flush(access);
    } else if (kind == 2) {
        append(access, (value & 0xffff) | (low & 0x001fffe0) << 11);
    } else {
        append(access, value);
        append(access, low);
        if (bits[kind] >= 96)
            append(access, (uint32_t)(clock >> 32));
        if (bits[kind] == 128)
            append(access, 0);
    }
    if (held(&access->env->state->debug.timestamps))
        begin_anew(&access->env->state->debug.timestamps);
    return tsr_access_status(access);
}

static uint32_t status(const struct tsr_timestamps *stamps)
{
    const struct tsr_timestamp_buffer *buffer = stamps->buffer;
    uint32_t result = (uint32_t)buffer[0].full | (uint32_t)buffer[1].full << 1 |
                      (uint32_t)buffer[0].overflow << 4 | (uint32_t)buffer[1].overflow << 5;
    if (stamps->event_bits == 64)
        result |= (stamps->words / 2u & 1) << 8;
    if (stamps->event_bits == 32)
        result |= (stamps->words & 3u) << 9;
    if (stamps->event_bits == 96)
        result |= ((4u - stamps->words) & 3) << 11;
    return result | (buffer[0].position & 0x3ffff) << 14;
}

static void clear_status(struct tsr_timestamps *stamps, uint32_t value)
{
    for (unsigned i = 0; i < 2; i++) {
        if (value >> i & 1) {
            stamps->buffer[i].full = false;
            stamps->buffer[i].position = 0;
        }
        if (value >> (4 + i) & 1)
            stamps->buffer[i].overflow = false;
    }
}

static void set_control(struct tsr_timestamps *stamps, uint32_t value)
{
    stamps->control = value;
    if (held(stamps))
        begin_anew(stamps);
}

static uint32_t *buffer_word(struct tsr_timestamps *stamps, uint32_t offset)
{
    struct tsr_timestamp_buffer *buffer = &stamps->buffer[(offset - BUFFERS) / 8 & 1];
    return offset & 4 ? &buffer->end : &buffer->start;
}

static tsr_status load_register(struct tsr_access *access, uint32_t offset)
{
    struct tsr_timestamps *stamps = &access->env->state->debug.timestamps;
    uint64_t clock = tsr_now(access->env);
    access->value = 0;
    switch (offset) {
    case WALL_CLOCK_L:
        stamps->clock_high_at = (uint32_t)(clock >> 32);
        access->value = (uint32_t)clock;
        break;
    case WALL_CLOCK_1:
        access->value = (uint32_t)(clock >> 32);
        break;
    case WALL_CLOCK_H:
        access->value = stamps->clock_high_at;
        break;
    case CONTROL:
        access->value = stamps->control;
        break;
    case STATUS:
        access->value = status(stamps);
        break;
    case TIMESTAMP:
        break;
    default:
        access->value = *buffer_word(stamps, offset);
        break;
    }
    return TSR_OK;
}

tsr_status tsr_access_timestamper(struct tsr_access *access)
{
    struct tsr_timestamps *stamps = &access->env->state->debug.timestamps;
    uint32_t offset = access->offset & ~3u;
    if (!access->store)
        return load_register(access, offset);
    switch (offset) {
    case WALL_CLOCK_L:
        stamps->clock_high_at = (uint32_t)(tsr_now(access->env) >> 32);
        break;
    case WALL_CLOCK_1:
    case WALL_CLOCK_H:
        break;
    case TIMESTAMP:
        return command(access);
    case CONTROL:
        set_control(stamps, access->value);
        break;
    case STATUS:
        clear_status(stamps, access->value);
        break;
    default:
        *buffer_word(stamps, offset) = access->value;
        break;
    }
    return TSR_OK;
}

struct tsr_riscv_clock tsr_wall_clock(const struct tsr_env *env)
{
    uint32_t base = env->isa->region[REGION_DEBUG].base;
    return (struct tsr_riscv_clock){.low_at = base + WALL_CLOCK_L,
                                    .high_at = base + WALL_CLOCK_H,
                                    .high = &env->state->debug.timestamps.clock_high_at};
}
