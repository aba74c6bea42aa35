// SPDX-License-Identifier: Apache-2.0
// How Blackhole's T cores access Dst: how RISC_DEST_ACCESS_CTRL_SEC converts what a load or a store
// in the window at 0xffbd8000 moves. T0 and T1 access one datum, T2 as many as its access has bytes
// for. Beside it, what the debug registers read of Dst, which is on no page (docs/errata.md, 543).
// Page: BlackholeA0 Dst.md, "RISCV access to Dst".
#include "tile/dst_window.h"

#include "state/dst_rules.h"
#include "state/races.h"

enum { FMT_FP32, FMT_INT32, FMT_FP16, FMT_BF16, FMT_INT16, FMT_INT8, FMT_COUNT };

struct window {
    struct tsr_env *env;
    const struct tsr_access *access;
    unsigned format, order;
    bool no_swizzle, unsigned_int;
};

// ---------------------------------------------------------------- layouts

// Between sign, exponent, mantissa (a core's order) and sign, mantissa, exponent (Dst's).
static uint32_t from_dst32(uint32_t value)
{
    return (value & 0x8000ffff) | (value & 0x7f000000) >> 8 | (value & 0x00ff0000) << 7;
}

static uint32_t to_dst32(uint32_t value)
{
    return (value & 0x8000ffff) | (value & 0x7f800000) >> 7 | (value & 0x007f0000) << 8;
}

static uint32_t from_dst16(uint32_t value, unsigned exponent_bits)
{
    uint32_t exponent = value & tsr_mask32(exponent_bits);
    return (value & 0x8000) | (value & 0x7fff) >> exponent_bits | exponent << (15 - exponent_bits);
}

static uint32_t to_dst16(uint32_t value, unsigned exponent_bits)
{
    uint32_t mantissa = value & tsr_mask32(15 - exponent_bits);
    return (value & 0x8000) | (value & 0x7fff) >> (15 - exponent_bits) | mantissa << exponent_bits;
}

// -0 becomes +0.
static uint32_t to_twos_complement(uint32_t value, unsigned bits)
{
    uint32_t sign = 1u << (bits - 1);
    return value & sign ? (0u - (value & (sign - 1))) & tsr_mask32(bits) : value;
}

// The least number, which has no counterpart, becomes the least but one.
static uint32_t to_sign_magnitude(uint32_t value, unsigned bits)
{
    uint32_t sign = 1u << (bits - 1);
    return value & sign ? sign | ((0u - (value + (value == sign))) & tsr_mask32(bits)) : value;
}

static uint32_t int8_of(const struct window *w, uint32_t stored)
{
    uint32_t magnitude = stored >> 5;
    if (w->no_swizzle || w->unsigned_int)
        return magnitude & 0xff;
    return (stored & 0x8000 ? 0u - (magnitude & 0x7f) : magnitude & 0x7f) & 0xff;
}

// The magnitude of a negative number comes out 128 too large, as the page documents of silicon; a
// signed load, which reads seven bits of it, returns the number all the same.
static uint32_t int8_to_dst(const struct window *w, uint32_t value)
{
    enum { EXPONENT = 16 };
    if (w->no_swizzle || w->unsigned_int || value < 0x80)
        return value << 5 | (value ? EXPONENT : 0);
    uint32_t magnitude = (0x180 - value - (value == 0x80)) & 0xff;
    return 0x8000 | magnitude << 5 | EXPONENT;
}

static uint32_t to_core(const struct window *w, uint32_t stored)
{
    switch (w->format) {
    case FMT_FP32:
        return w->no_swizzle ? stored : from_dst32(stored);
    case FMT_INT32:
        return w->no_swizzle ? stored : to_twos_complement(from_dst32(stored), 32);
    case FMT_FP16:
        return w->no_swizzle ? stored : from_dst16(stored, 5);
    case FMT_BF16:
        return w->no_swizzle ? stored : from_dst16(stored, 8);
    case FMT_INT16:
        return w->no_swizzle || w->unsigned_int ? stored : to_twos_complement(stored, 16);
    default:
        return int8_of(w, stored);
    }
}

static uint32_t to_dst(const struct window *w, uint32_t value)
{
    switch (w->format) {
    case FMT_FP32:
        return w->no_swizzle ? value : to_dst32(value);
    case FMT_INT32:
        return w->no_swizzle ? value : to_dst32(to_sign_magnitude(value, 32));
    case FMT_FP16:
        return w->no_swizzle ? value : to_dst16(value, 5);
    case FMT_BF16:
        return w->no_swizzle ? value : to_dst16(value, 8);
    case FMT_INT16:
        return w->no_swizzle || w->unsigned_int ? value : to_sign_magnitude(value, 16);
    default:
        return int8_to_dst(w, value);
    }
}

// ---------------------------------------------------------------- one datum

static unsigned datum_bytes(const struct window *w)
{
    return w->format <= FMT_INT32 ? 4 : w->format <= FMT_INT16 ? 2 : 1;
}

static struct tsr_dst_view view_of(const struct window *w, unsigned index)
{
    return tsr_dst_at(&w->env->state->dst, w->order, index / 16, w->format <= FMT_INT32);
}

// False: the tile stops.
static bool read_shadow(const struct window *w, const struct tsr_dst_view *view, unsigned column)
{
    const struct tsr_dst *dst = &w->env->state->dst;
    if (!(tsr_dst_written(dst, view) >> column & 1) &&
        TSR_ACCESS_REPORT(w->access, FINDING_UNINITIALISED_DST,
                          "%s loads column %u of Dst's physical row %u, which was never written.",
                          tsr_access_who(w->access), column, view->physical) == TSR_HALT)
        return false;
    return !(tsr_dst_tainted(dst, view) >> column & 1) ||
           TSR_ACCESS_REPORT(w->access, FINDING_TAINTED_DATUM_USED,
                             "%s loads column %u of Dst's physical row %u, which came out of "
                             "undefined behaviour.",
                             tsr_access_who(w->access), column, view->physical) != TSR_HALT;
}

static void tell(const struct window *w, const struct tsr_dst_view *view, unsigned column,
                 bool write)
{
    tsr_race_access(w->env, TSR_RACE_DST, write, view->physical, 1, 1u << column);
    if (view->wide)
        tsr_race_access(w->env, TSR_RACE_DST, write, view->physical + TSR_DST_LOW, 1, 1u << column);
}

// An invalid row reads as 0, as for all others that read it (docs/errata.md).
static bool load(const struct window *w, unsigned index, uint32_t *value)
{
    struct tsr_dst_view view = view_of(w, index);
    unsigned column = index % 16;
    uint32_t stored = 0;
    tell(w, &view, column, false);
    if (tsr_dst_valid(&w->env->state->dst, &view)) {
        if (!read_shadow(w, &view, column))
            return false;
        stored = view.high[column];
        if (view.wide)
            stored = stored << 16 | view.low[column];
    }
    *value = to_core(w, stored);
    return true;
}

static void store(const struct window *w, unsigned index, uint32_t value)
{
    struct tsr_dst_view view = view_of(w, index);
    unsigned column = index % 16;
    uint32_t stored = to_dst(w, value);
    tell(w, &view, column, true);
    view.high[column] = (uint16_t)(view.wide ? stored >> 16 : stored);
    if (view.wide)
        view.low[column] = (uint16_t)stored;
    tsr_dst_wrote(&w->env->state->dst, &view, (uint16_t)(1u << column), 0);
}

// ---------------------------------------------------------------- an access

static struct window open_window(const struct tsr_access *access)
{
    static const enum tsr_field fields[TSR_THREADS][3] = {
        {FIELD_RISC_DEST_ACCESS_CTRL_SEC0_fmt, FIELD_RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle,
         FIELD_RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int},
        {FIELD_RISC_DEST_ACCESS_CTRL_SEC1_fmt, FIELD_RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle,
         FIELD_RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int},
        {FIELD_RISC_DEST_ACCESS_CTRL_SEC2_fmt, FIELD_RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle,
         FIELD_RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int}};
    struct tsr_env *env = access->env;
    unsigned thread = (unsigned)(access->agent - TSR_CORE_T0);
    int state_id = tsr_state_id(env, (int)thread);
    return (struct window){.env = env,
                           .access = access,
                           .format = tsr_cfg(env, state_id, fields[thread][0]),
                           .order = tsr_dst_order(env),
                           .no_swizzle = tsr_cfg(env, state_id, fields[thread][1]) != 0,
                           .unsigned_int = tsr_cfg(env, state_id, fields[thread][2]) != 0};
}

tsr_status tsr_access_dst_window(struct tsr_access *access)
{
    struct window w = open_window(access);
    unsigned width = (unsigned)access->width, bytes = datum_bytes(&w);
    bool fits = width == bytes || (access->agent == TSR_CORE_T2 && width > bytes);
    if (w.format >= FMT_COUNT || !fits || access->offset / bytes / 16 >= TSR_DST_ROWS) {
        TSR_ACCESS_REPORT(access, FINDING_DST_WINDOW_ACCESS,
                          "%s %s %d bytes at byte 0x%04x of Dst, where its format is %u.",
                          tsr_access_who(access), access->store ? "stores" : "loads", access->width,
                          (unsigned)access->offset, w.format);
        access->value = access->store ? access->value : 0;
        return tsr_access_status(access);
    }
    if (w.format > FMT_INT32 && (w.order & TSR_DST_HIGH_HALVES) &&
        TSR_ACCESS_REPORT(access, FINDING_LEGACY_MODE,
                          "%s accesses Dst in 16 bits, which bit 11 of DBG_FEATURE_DISABLE turns "
                          "into the high halves of 32-bit datums.",
                          tsr_access_who(access)) == TSR_HALT)
        return TSR_STOPPED;
    uint32_t whole = 0;
    for (unsigned done = 0; done < width; done += bytes) {
        unsigned index = (access->offset + done) / bytes;
        uint32_t part = access->value >> (8 * done) & tsr_mask32(8 * bytes);
        if (access->store)
            store(&w, index, part);
        else if (!load(&w, index, &part))
            return TSR_STOPPED;
        whole |= part << (8 * done);
    }
    if (!access->store)
        access->value = whole;
    return TSR_OK;
}

tsr_status tsr_load_dst_columns(struct tsr_access *access, unsigned row, unsigned column)
{
    struct window w = {
        .env = access->env, .access = access, .format = FMT_INT16, .no_swizzle = true};
    uint32_t first, second;
    if (TSR_ACCESS_REPORT(access, FINDING_UNDOCUMENTED_MODE,
                          "%s reads columns %u and %u of Dst's physical row %u by the debug "
                          "registers, which no page describes: it gets their bits as Dst has them.",
                          tsr_access_who(access), column, column + 1, row) == TSR_HALT ||
        !load(&w, row * 16 + column, &first) || !load(&w, row * 16 + column + 1, &second))
        return TSR_STOPPED;
    access->value = first | second << 16;
    return TSR_OK;
}
