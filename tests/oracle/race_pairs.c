// SPDX-License-Identifier: Apache-2.0
// Which accesses of a log are a race, given the order of its events; see race_model.h.
// Pages: Dst.md, SFPLOAD.md, SFPSTORE.md.
#include "race_model.h"

// Dst.md, SFPLOAD.md, "Instruction scheduling": docs/errata.md, 512. A load of the vector unit may
// come after three other instructions of its thread, and a store behind it.
static bool dst_in_order(const struct race_model *model, const struct race_node *earlier,
                         const struct race_node *later)
{
    if (model->without == RACE_EDGE_DST || earlier->accepted < 0 || later->accepted < 0 ||
        !race_model_before(model, earlier->accepted, later->accepted))
        return false;
    if (later->unit == TSR_UNIT_VECTOR)
        return earlier->unit == TSR_UNIT_MATRIX && later->thread == earlier->thread &&
               later->sequence > earlier->sequence + 3;
    if (later->unit == TSR_UNIT_UNPACKER0)
        return earlier->unit == TSR_UNIT_MATRIX;
    return (earlier->unit == TSR_UNIT_MATRIX || earlier->unit == TSR_UNIT_VECTOR) &&
           (later->unit == TSR_UNIT_MATRIX || later->unit == TSR_UNIT_PACKER);
}

// docs/errata.md, 529.
static bool src_in_order(const struct race_model *model, const struct race_use *earlier,
                         const struct race_use *later)
{
    const struct race_node *one = &model->node[earlier->node], *two = &model->node[later->node];
    return model->without != RACE_EDGE_SRC && earlier->access.write &&
           one->unit == TSR_UNIT_MATRIX && one->accepted >= 0 && two->accepted >= 0 &&
           (two->unit == TSR_UNIT_UNPACKER0 || two->unit == TSR_UNIT_UNPACKER1) &&
           race_model_before(model, one->accepted, two->accepted);
}

// The bits of a word that an instruction uses.
static uint32_t used_bits(const struct race_model *model, const struct race_use *use, uint32_t cell)
{
    const struct tsr_race_setup *setup = &model->log->setup;
    if (cell / TSR_RACE_BANK_CELLS != use->state_id)
        return 0;
    unsigned word = cell % TSR_RACE_BANK_CELLS;
    uint32_t bits = setup->reads[use->reader][word];
    for (unsigned context = 0; context < TSR_RACE_CONTEXTS; context++)
        if (context != use->context)
            bits &= ~setup->of_context[context][word];
    return bits;
}

bool race_model_shared(const struct race_model *model, int earlier, int later, uint32_t *first,
                       uint32_t *count)
{
    const struct race_use *one = &model->use[earlier], *two = &model->use[later];
    const struct tsr_race_access *a = &one->access, *b = &two->access;
    if (a->storage != b->storage || !(a->write || b->write))
        return false;
    if (one->reader >= 0 || two->reader >= 0) {
        const struct race_use *use = one->reader >= 0 ? one : two;
        *first = use == one ? b->first : a->first;
        *count = 1;
        return (used_bits(model, use, *first) & (use == one ? b->mask : a->mask)) != 0;
    }
    uint32_t end =
        a->first + a->count < b->first + b->count ? a->first + a->count : b->first + b->count;
    *first = a->first > b->first ? a->first : b->first;
    *count = end > *first ? end - *first : 0;
    return *count > 0 && (a->mask & b->mask) != 0;
}

// By pages, or by what units are known to do.
static bool is_in_order(const struct race_model *model, int earlier, int later)
{
    int one = model->use[earlier].node, two = model->use[later].node;
    return race_model_before(model, one, two) ||
           dst_in_order(model, &model->node[one], &model->node[two]);
}

// Somebody has written the whole row in between, behind the one and before the other.
static bool is_row_over(const struct race_model *model, int earlier, int later, uint32_t row)
{
    for (int i = earlier + 1; i < later; i++) {
        const struct tsr_race_access *access = &model->use[i].access;
        if (access->storage == TSR_RACE_DST && access->write && access->mask == TSR_RACE_ALL &&
            row - access->first < access->count && is_in_order(model, earlier, i) &&
            is_in_order(model, i, later))
            return true;
    }
    return false;
}

static bool is_written_over(const struct race_model *model, int earlier, int later)
{
    uint32_t first, count, row = 0;
    bool shared = race_model_shared(model, earlier, later, &first, &count);
    while (shared && row < count && is_row_over(model, earlier, later, first + row))
        row++;
    return shared && row == count;
}

bool race_model_races(const struct race_model *model, int earlier, int later,
                      enum tsr_race_kind *kind)
{
    const struct race_use *one = &model->use[earlier], *two = &model->use[later];
    int from = one->reader >= 0 ? one->until : one->node;
    bool told = race_model_tells(model, one);
    if (one->loads || (two->loads && told))
        return false;
    if (one->access.atomic && two->access.atomic)
        return false;
    // A bank may be given back before it is handed over, for all that races say, and not handed
    // over before the matrix unit has done with it.
    if (two->gives || one->hands ||
        (two->hands && (one->access.write || model->node[one->node].unit != TSR_UNIT_MATRIX)))
        return false;
    if (one->node == two->node || (from >= 0 && race_model_before(model, from, two->node)))
        return false;
    if (one->access.storage == TSR_RACE_DST &&
        dst_in_order(model, &model->node[one->node], &model->node[two->node]))
        return false;
    if (one->access.storage == TSR_RACE_SRC && src_in_order(model, one, two))
        return false;
    if (one->access.storage == TSR_RACE_DST && is_written_over(model, earlier, later))
        return false;
    if (one->reader >= 0 || two->reader >= 0)
        *kind = TSR_RACE_CONFIG_IN_FLIGHT;
    else if (one->access.write && two->access.write)
        *kind = TSR_RACE_WRITES;
    else if (one->access.storage == TSR_RACE_CONFIG && !one->access.value && !two->access.value)
        *kind = TSR_RACE_ADDRESS_IN_FLIGHT;
    else
        *kind = TSR_RACE_READ_WRITE;
    return true;
}
