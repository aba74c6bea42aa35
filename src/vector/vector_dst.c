// SPDX-License-Identifier: Apache-2.0
// SFPLOAD and SFPSTORE: 32 datums between an LReg and the even or odd columns of four rows of Dst,
// in every format, with the counters that the matrix unit steps, too. SFPLOADMACRO begins as
// SFPLOAD. Pages: SFPLOAD.md and SFPSTORE.md of each chip, RWCs.md, Dst.md.
#include "vector/vector_dst.h"

#include "numerics/sfpu.h"
#include "state/dst_rules.h"
#include "state/races.h"
#include "vector/vector_plan.h"

enum { ROWS = 4, ADDRESS_MASK = TSR_DST_ROWS - 1, ODD_COLUMNS = 2 };

// ---------------------------------------------------------------- when it is accepted

// MOD0_FMT_INT32_ALL counts rows from another counter: Wormhole has none, so only the low bits of
// Dst's remain; Blackhole has a stack pointer that it steps.
static uint32_t address_of(struct tsr_env *env, int thread, const struct tsr_vector_args *args,
                           unsigned mode, const struct tsr_vector_plan *plan)
{
    uint32_t immediate = args->imm & ADDRESS_MASK, address = immediate + plan->math_offset;
    uint32_t dst = env->state->rwcs.thread[thread].dst + plan->dst_base;
    if (env->chip->arch == TSR_WORMHOLE_B0)
        return address + (mode == MOD0_FMT_INT32_ALL ? dst & 3 : dst);
    uint16_t *pointer = &env->state->vector.stack_pointer[thread];
    bool loads = args->op != OP_SFPSTORE;
    if (mode != MOD0_FMT_INT32_ALL)
        return address + dst + ((*pointer + plan->stack_base) & 3);
    if (loads && *pointer != 0)
        *pointer = (uint16_t)((*pointer - plan->stack_step) & ADDRESS_MASK);
    address += *pointer + plan->stack_base + (dst & 3);
    if (!loads)
        *pointer = (uint16_t)((*pointer + plan->stack_step) & ADDRESS_MASK);
    return address;
}

void tsr_vector_sample_dst(struct tsr_env *env, const struct tsr_inflight *inst,
                           const struct tsr_vector_args *args, struct tsr_vector_job *job)
{
    int thread = inst->thread;
    const struct tsr_vector_plan *plan = tsr_vector_plan_for(env, thread);
    unsigned mode = args->mod;
    if (mode == MOD0_FMT_SRCB)
        mode = plan->srcb_mode;
    job->before = env->state->rwcs.thread[thread];
    job->stack_pointer_before = env->state->vector.stack_pointer[thread];
    job->mode = (uint8_t)mode;
    job->order = (uint8_t)(plan->order | tsr_dst_high_halves(&env->state->debug));
    job->address = (uint16_t)(address_of(env, thread, args, mode, plan) & ADDRESS_MASK);
    tsr_vector_step_counters(env, plan, &env->state->rwcs.thread[thread], args->addr_mode);
}

void tsr_vector_restore(struct tsr_env *env, const struct tsr_inflight *inst,
                        const struct tsr_vector_job *job)
{
    env->state->rwcs.thread[inst->thread] = job->before;
    env->state->vector.stack_pointer[inst->thread] = job->stack_pointer_before;
}

// ---------------------------------------------------------------- what both need

// The four rows, which lie together in every order, and the column of each lane.
struct place {
    struct tsr_dst_view view; // of the first row
    uint32_t odd;             // lanes that use odd columns
    bool wide;
};

static unsigned column_of(const struct place *place, unsigned lane)
{
    return (lane & 7) * 2 + (place->odd >> lane & 1);
}

static struct tsr_dst_view row_of(const struct place *place, unsigned row)
{
    struct tsr_dst_view view = place->view;
    view.physical += row;
    view.high += (size_t)row * TSR_COLUMNS;
    if (view.low)
        view.low += (size_t)row * TSR_COLUMNS;
    return view;
}

static struct place place_of(const struct tsr_vector_call *call, bool wide,
                             enum tsr_lane_config_bit exchange)
{
    const struct tsr_vector_job *job = call->job;
    struct place place = {.wide = wide};
    place.view = tsr_dst_at(&call->env->state->dst, job->order, job->address & ~3u, wide);
    place.odd = job->address & ODD_COLUMNS ? ~0u : call->vector->lane_bit[exchange];
    return place;
}

// Accesses that have no place of their own, as of the matrix unit.
static bool check_place(const struct tsr_vector_call *call, bool wide)
{
    const struct tsr_vector_job *job = call->job;
    if (!wide && job->order & TSR_DST_HIGH_HALVES &&
        tsr_report(call->env, FINDING_LEGACY_MODE, call->inst, NULL,
                   "%s accesses Dst in 16 bits, which bit 11 of DBG_FEATURE_DISABLE turns into "
                   "the high halves of 32-bit datums.",
                   tsr_vector_name(call)) == TSR_HALT)
        return false;
    if (!tsr_dst_folds(job->order, wide) || job->address < TSR_DST_ROWS / 2)
        return true;
    return tsr_report(call->env, FINDING_DST_ROW_RANGE, call->inst, NULL,
                      "%s accesses Dst in 32 bits from row %u, beyond row 511; it gets the "
                      "physical row %u.",
                      tsr_vector_name(call), job->address & ~3u,
                      tsr_dst_place(job->order, job->address & ~3u, wide)) != TSR_HALT;
}

// The columns of each row that the lanes of a mask use.
static uint16_t columns_of(const struct place *place, unsigned row, uint32_t lanes)
{
    uint16_t columns = 0;
    for (unsigned lane = row * TSR_LANE_COLUMNS; lane < (row + 1) * TSR_LANE_COLUMNS; lane++)
        if (lanes >> lane & 1)
            columns |= (uint16_t)(1u << column_of(place, lane));
    return columns;
}

static uint32_t lanes_of(const struct place *place, unsigned row, uint16_t columns)
{
    uint32_t lanes = 0;
    for (unsigned lane = row * TSR_LANE_COLUMNS; lane < (row + 1) * TSR_LANE_COLUMNS; lane++)
        if (columns >> column_of(place, lane) & 1)
            lanes |= 1u << lane;
    return lanes;
}

static bool is_uniform(uint32_t lanes)
{
    return lanes == 0 || lanes == ~0u;
}

// The columns of every row where no column is exchanged.
static uint16_t whole_columns(const struct place *place)
{
    return place->odd ? 0xaaaa : 0x5555;
}

static bool rows_valid(const struct tsr_dst *dst, const struct place *place)
{
    static const bool all[ROWS] = {true, true, true, true};
    return memcmp(&dst->valid[place->view.physical], all, sizeof all) == 0;
}

// Every datum that all lanes would read is there, written and not tainted.
static bool columns_clean(const struct tsr_dst *dst, const struct place *place)
{
    uint64_t wanted = 0x0001000100010001u * whole_columns(place), written, tainted;
    unsigned row = place->view.physical;
    if (!is_uniform(place->odd) || !rows_valid(dst, place))
        return false;
    memcpy(&written, &dst->written[row], sizeof written);
    memcpy(&tainted, &dst->tainted[row], sizeof tainted);
    uint64_t missing = (~written | tainted) & wanted;
    if (place->wide) {
        memcpy(&written, &dst->written[row + TSR_DST_LOW], sizeof written);
        memcpy(&tainted, &dst->tainted[row + TSR_DST_LOW], sizeof tainted);
        missing |= (~written | tainted) & wanted;
    }
    return missing == 0;
}

// ---------------------------------------------------------------- SFPLOAD

// What a row holds that nobody has written, or that is tainted. A row that is not valid reads as 0,
// which no page promises to the vector unit.
static bool check_row(const struct tsr_vector_call *call, const struct place *place, unsigned row,
                      uint32_t lanes, uint32_t *taint)
{
    const struct tsr_dst *dst = &call->env->state->dst;
    struct tsr_dst_view view = row_of(place, row);
    uint16_t columns = columns_of(place, row, lanes);
    bool valid = tsr_dst_valid(dst, &view);
    uint16_t unwritten = valid ? (uint16_t)(columns & ~tsr_dst_written(dst, &view)) : columns;
    if (valid)
        *taint |= lanes_of(place, row, tsr_dst_tainted(dst, &view) & columns);
    if (!unwritten)
        return true;
    enum tsr_verdict verdict = tsr_report(
        call->env, FINDING_UNINITIALISED_DST, call->inst, NULL,
        valid ? "%s reads physical row %u of Dst, where nothing has written the columns of "
                "mask 0x%04x."
              : "%s reads physical row %u of Dst, in the columns of mask 0x%04x, which ZEROACC "
                "has left undefined: 0 for packers and the matrix unit alone.",
        tsr_vector_name(call), view.physical, (unsigned)unwritten);
    if (verdict == TSR_GO_TAINTED)
        *taint |= lanes_of(place, row, unwritten);
    return verdict != TSR_HALT;
}

// No hardware holds a load after the matrix unit's writes. Who wrote a row is known where it is
// watched; another thread's instruction may have been waited for.
static bool check_matrix(const struct tsr_vector_call *call, const struct place *place)
{
    const struct tsr_env *env = call->env;
    const struct tsr_inflight *inst = call->inst;
    unsigned least = env->isa->rate[RATE_SFPLOAD_AFTER_FPU];
    for (unsigned row = 0; row < ROWS; row++) {
        const struct tsr_origin *writer = &env->state->dst.writer[place->view.physical + row];
        enum tsr_op op = tsr_op_of(env->isa, writer->word);
        if (writer->kind != TSR_ORIGIN_THREAD || writer->which != inst->thread ||
            env->isa->issue_unit[op] != ISSUE_MATRIX || inst->sequence > writer->sequence + least)
            continue;
        unsigned between = (unsigned)(inst->sequence - writer->sequence - 1);
        return tsr_report(call->env, FINDING_VECTOR_DST_EARLY, inst, NULL,
                          "%s reads physical row %u of Dst, which %s (instruction %llu) has "
                          "written: %u instructions come between them, and %u must.",
                          tsr_vector_name(call), place->view.physical + row, tsr_op_name(op),
                          (unsigned long long)writer->sequence, between, least) != TSR_HALT;
    }
    return true;
}

static void read_row(uint32_t to[TSR_LANE_COLUMNS], const uint16_t from[TSR_COLUMNS], bool odd)
{
    if (odd)
        for (unsigned i = 0; i < TSR_LANE_COLUMNS; i++)
            to[i] = from[2 * i + 1];
    else
        for (unsigned i = 0; i < TSR_LANE_COLUMNS; i++)
            to[i] = from[2 * i];
}

// Stored bits of all lanes, wherever the columns lie.
static void read_lanes(const struct place *place, const struct tsr_dst *dst,
                       uint32_t stored[TSR_LANES])
{
    for (unsigned row = 0; row < ROWS; row++) {
        struct tsr_dst_view view = row_of(place, row);
        uint32_t *to = stored + row * TSR_LANE_COLUMNS, low[TSR_LANE_COLUMNS];
        uint32_t odd = place->odd >> (row * TSR_LANE_COLUMNS) & 0xff;
        if (!tsr_dst_valid(dst, &view)) {
            memset(to, 0, TSR_LANE_COLUMNS * sizeof *to);
            continue;
        }
        if (odd != 0 && odd != 0xff) { // some columns exchanged
            for (unsigned i = 0; i < TSR_LANE_COLUMNS; i++) {
                unsigned column = 2 * i + (odd >> i & 1);
                to[i] = view.low ? (uint32_t)view.high[column] << 16 | view.low[column]
                                 : view.high[column];
            }
            continue;
        }
        read_row(to, view.high, odd != 0);
        if (!view.low)
            continue;
        read_row(low, view.low, odd != 0);
        for (unsigned i = 0; i < TSR_LANE_COLUMNS; i++)
            to[i] = to[i] << 16 | low[i];
    }
}

// The place of each datum, for argmin and argmax: LaneConfig's CAPTURE_DEFAULT_DEST_INDEX.
static void capture_index(const struct tsr_vector_call *call, const struct place *place,
                          uint32_t lanes)
{
    const struct tsr_vector *vector = call->vector;
    lanes &= vector->lane_bit[TSR_LANE_DEST_INDEX] & vector->lane_bit[TSR_LANE_CAPTURE_INDEX];
    uint32_t index[TSR_LANES];
    if (!lanes || call->args->vd >= 4)
        return;
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        unsigned row = ((call->job->address & ~3u) + lane / TSR_LANE_COLUMNS) & ADDRESS_MASK;
        index[lane] = row << 4 | column_of(place, lane);
    }
    tsr_vector_put(call, call->args->vd + 4u, index, lanes);
}

// Wormhole's modes that convert between two's complement and sign-magnitude do not on Blackhole.
static bool check_mode(const struct tsr_vector_call *call)
{
    unsigned mode = call->job->mode;
    bool kept = mode != MOD0_FMT_INT32_SM && mode != MOD0_FMT_INT8_COMP;
    return call->env->chip->arch == TSR_WORMHOLE_B0 || kept ||
           tsr_report(call->env, FINDING_VECTOR_MODE_DIFFERS, call->inst, NULL,
                      "%s with instr_mod0=%u converts to or from two's complement on Wormhole; "
                      "on Blackhole it does not, and SFPCAST has to.",
                      tsr_vector_name(call), mode) != TSR_HALT;
}

// Lane by lane: columns that are exchanged, rows that are not valid.
static void load_lanes(const struct tsr_vector_call *call, const struct place *place,
                       uint32_t lanes)
{
    const struct tsr_vector *vector = call->vector;
    unsigned vd = call->args->vd;
    uint32_t stored[TSR_LANES], d[TSR_LANES];
    read_lanes(place, &call->env->state->dst, stored);
    for (unsigned i = 0; i < TSR_LANES; i++)
        d[i] = tsr_sfpu_load(call->env->chip->arch, call->job->mode, stored[i], call->in[vd][i],
                             vector->lane_bit[TSR_LANE_FP16A_INF] >> i & 1);
    tsr_vector_put(call, vd, d, lanes);
}

// Rows that are valid and columns that are not exchanged, through a kernel.
static void load_rows(const struct tsr_vector_call *call, const struct place *place, uint32_t lanes,
                      uint32_t taint)
{
    struct tsr_vector *vector = call->vector;
    const struct tsr_vector_dst_mode *how = tsr_vector_dst_mode(call->env, call->job->mode);
    tsr_vector_mode mode = how->mode;
    mode.fp16a_inf = vector->lane_bit[TSR_LANE_FP16A_INF] != 0;
    how->load(vector->lreg[call->args->vd], place->view.high, place->view.low, place->odd != 0,
              lanes, &mode);
    tsr_vector_wrote(vector, call->args->vd, lanes, taint);
}

static bool check_rows(struct tsr_vector_call *call, const struct place *place, uint32_t lanes)
{
    if (call->env->watch && !check_matrix(call, place))
        return false;
    if (columns_clean(&call->env->state->dst, place) || call->job->mode == MOD0_FMT_ZERO)
        return true;
    for (unsigned row = 0; row < ROWS; row++)
        if (!check_row(call, place, row, lanes, &call->taint))
            return false;
    return true;
}

bool tsr_vector_run_load(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    const struct tsr_vector *vector = call->vector;
    unsigned mode = call->job->mode;
    if (args->vd >= TSR_LREGS_PLAIN)
        return true;
    bool wide = tsr_sfpu_load_is_32(mode);
    uint32_t lanes = mode == MOD0_FMT_INT32_ALL ? call->able : call->lanes;
    lanes &= ~vector->lane_bit[TSR_LANE_BLOCK_READ];
    if (!check_mode(call) || !check_place(call, wide))
        return false;
    struct place place = place_of(call, wide, TSR_LANE_READ_EXCHANGE);
    tsr_race_dst_rows(call->env, false, call->job->order, call->job->address & ~3u, ROWS, wide);
    struct tsr_vector_call out = *call;
    if (!check_rows(&out, &place, lanes))
        return false;
    bool plain = is_uniform(place.odd) && is_uniform(vector->lane_bit[TSR_LANE_FP16A_INF]) &&
                 call->in == (const uint32_t(*)[TSR_LANES])vector->lreg;
    if (plain && rows_valid(&call->env->state->dst, &place))
        load_rows(&out, &place, lanes, out.taint);
    else
        load_lanes(&out, &place, lanes);
    capture_index(call, &place, lanes);
    return true;
}

// ---------------------------------------------------------------- SFPSTORE

// The shadow state of a row that was written in some lanes.
static void wrote_row(const struct tsr_vector_call *call, const struct place *place, unsigned row,
                      uint32_t lanes)
{
    struct tsr_dst_view view = row_of(place, row);
    bool whole = is_uniform(place->odd) && lanes == ~0u;
    uint16_t columns = whole ? whole_columns(place) : columns_of(place, row, lanes);
    if (!columns)
        return;
    uint16_t tainted = call->taint ? columns_of(place, row, lanes & call->taint) : 0;
    tsr_dst_note_write(call->env, &view);
    tsr_dst_wrote(&call->env->state->dst, &view, columns, tainted);
}

// The same of all lanes of four rows that are valid, and nothing is tainted.
static void wrote_rows(const struct tsr_vector_call *call, const struct place *place)
{
    struct tsr_dst *dst = &call->env->state->dst;
    uint64_t columns = 0x0001000100010001u * whole_columns(place), written, tainted;
    tsr_dst_note_write(call->env, &place->view); // four rows lie in one block
    for (unsigned half = 0; half <= (unsigned)place->wide; half++) {
        unsigned row = place->view.physical + half * TSR_DST_LOW;
        memcpy(&written, &dst->written[row], sizeof written);
        memcpy(&tainted, &dst->tainted[row], sizeof tainted);
        written |= columns;
        tainted &= ~columns;
        memcpy(&dst->written[row], &written, sizeof written);
        memcpy(&dst->tainted[row], &tainted, sizeof tainted);
        tsr_dst_mark(dst, row, ROWS);
    }
}

static void store_lanes(const struct tsr_vector_call *call, const struct place *place,
                        const uint32_t from[TSR_LANES], uint32_t lanes)
{
    for (unsigned lane = 0; lane < TSR_LANES; lane++) {
        struct tsr_dst_view view = row_of(place, lane / TSR_LANE_COLUMNS);
        uint32_t stored = tsr_sfpu_store(call->env->chip->arch, call->job->mode, from[lane]);
        unsigned column = column_of(place, lane);
        if (!(lanes >> lane & 1))
            continue;
        view.high[column] = (uint16_t)(view.low ? stored >> 16 : stored);
        if (view.low)
            view.low[column] = (uint16_t)stored;
    }
}

bool tsr_vector_run_store(const struct tsr_vector_call *call)
{
    const struct tsr_vector_args *args = call->args;
    unsigned mode = call->job->mode;
    bool wide = tsr_sfpu_store_is_32(mode);
    uint32_t lanes = mode == MOD0_FMT_INT32_ALL ? call->able : call->lanes;
    lanes &= ~call->vector->lane_bit[TSR_LANE_BLOCK_WRITE];
    if (!check_mode(call) || !check_place(call, wide))
        return false;
    struct place place = place_of(call, wide, TSR_LANE_WRITE_EXCHANGE);
    const uint32_t *from = call->in[args->vd];
    if (is_uniform(place.odd)) {
        const struct tsr_vector_dst_mode *how = tsr_vector_dst_mode(call->env, mode);
        how->store(place.view.high, place.view.low, from, place.odd != 0, lanes, &how->mode);
    } else {
        store_lanes(call, &place, from, lanes);
    }
    if (lanes == ~0u && !call->taint && is_uniform(place.odd) &&
        rows_valid(&call->env->state->dst, &place) && !place.view.spoils_low) {
        wrote_rows(call, &place);
        return true;
    }
    for (unsigned row = 0; row < ROWS; row++)
        wrote_row(call, &place, row, lanes);
    return true;
}

// ---------------------------------------------------------------- in a run of words

bool tsr_vector_quiet_dst(struct tsr_vector_call *call, struct tsr_vector_job *job)
{
    struct tsr_env *env = call->env;
    const struct tsr_vector *vector = call->vector;
    const struct tsr_vector_args *args = call->args;
    bool stores = args->op == OP_SFPSTORE;
    tsr_vector_sample_dst(env, call->inst, args, job);
    if (!stores && args->vd >= TSR_LREGS_PLAIN)
        return true;
    call->job = job;
    bool wide = stores ? tsr_sfpu_store_is_32(job->mode) : tsr_sfpu_load_is_32(job->mode);
    struct place place =
        place_of(call, wide, stores ? TSR_LANE_WRITE_EXCHANGE : TSR_LANE_READ_EXCHANGE);
    bool differs = job->mode == MOD0_FMT_INT32_SM || job->mode == MOD0_FMT_INT8_COMP;
    bool folds = tsr_dst_folds(job->order, wide);
    if ((differs && env->chip->arch != TSR_WORMHOLE_B0) || (folds && !wide) ||
        (folds && job->address >= TSR_DST_ROWS / 2) || job->mode == MOD0_FMT_INT32_ALL ||
        !is_uniform(vector->lane_bit[TSR_LANE_FP16A_INF]) ||
        (!stores && !columns_clean(&env->state->dst, &place))) {
        tsr_vector_restore(env, call->inst, job);
        return false;
    }
    if (stores)
        return tsr_vector_run_store(call);
    load_rows(call, &place, call->lanes & ~vector->lane_bit[TSR_LANE_BLOCK_READ], 0);
    return true;
}
