// SPDX-License-Identifier: Apache-2.0
// Prints storages. What was never written and is zero is left out, so that an empty tile gives
// short dumps; what was tainted is marked.
#include "run/state_dump.h"

#include "run/number_dump.h"

#include <inttypes.h>
#include <string.h>

enum { GPRS = 64, SEMAPHORES = 8, ADC_AGENTS = 3 };

// ---------------------------------------------------------------- Dst, SrcA, SrcB

static void dump_dst(FILE *file, const tsr_tile *tile, const struct dump_order *order)
{
    fputs("dst: stored bits, row by row; rows never written are left out\n", file);
    for (uint32_t row = order->first; row <= order->last; row++) {
        tsr_dst_row view;
        if (tsr_view_dst(tile, (int)row, &view) != TSR_OK || view.written == 0)
            continue;
        fprintf(file, "%4u%s", (unsigned)row, view.valid ? " " : "!");
        for (int col = 0; col < 16; col++)
            fprintf(file, " %04x", view.bits[col]);
        if (!view.valid)
            fputs("  invalid", file);
        dump_marks(file, view.written, view.tainted);
        dump_dst_writer(file, tile, (int)row);
    }
}

static void dump_src_bits(FILE *file, const tsr_src_row *row)
{
    for (int col = 0; col < 16; col++)
        fprintf(file, " %05" PRIx32, row->datum[col]);
}

static void dump_src(FILE *file, const tsr_tile *tile, const struct dump_order *order)
{
    int which = order->kind == DUMP_SRCA ? 0 : 1;
    tsr_src_banks banks;

    fprintf(file, "src%c", which == 0 ? 'a' : 'b');
    if (order->numbers)
        fprintf(file, " as %s: rows never written are left out\n", tsr_format_name(order->format));
    else
        fputs(": sign, exponent, mantissa (19 bits); rows never written are left out\n", file);
    if (tsr_view_src_banks(tile, which, &banks) == TSR_OK)
        fprintf(file, "unpacker works on bank %d, matrix unit on bank %d\n", banks.unpacker_bank,
                banks.matrix_bank);
    for (int bank = 0; bank < 2; bank++) {
        fprintf(file, "bank %d belongs to the %s\n", bank,
                banks.matrix_owns[bank] ? "matrix unit" : "unpacker");
        for (uint32_t row = order->first; row <= order->last; row++) {
            tsr_src_row view;
            if (tsr_view_src(tile, which, bank, (int)row, &view) != TSR_OK || view.written == 0)
                continue;
            fprintf(file, "%4u ", (unsigned)row);
            if (order->numbers)
                dump_src_numbers(file, order, &view);
            else
                dump_src_bits(file, &view);
            dump_marks(file, view.written, view.tainted);
            dump_src_writer(file, tile, which, bank, (int)row);
        }
    }
}

// ---------------------------------------------------------------- configuration, counters

static void print_writer(FILE *file, const tsr_tile *tile, const char *name, int instance)
{
    tsr_field_writer writer;

    if (tsr_view_field_writer(tile, name, instance, &writer) != TSR_OK || !writer.known)
        return;
    if (writer.core >= 0)
        fprintf(file, "  by core %s", tsr_core_name((tsr_core)writer.core));
    else
        fprintf(file, "  by thread %d", writer.thread);
    if (writer.sequence != 0) {
        char text[256];
        tsr_disassemble(tsr_tile_arch(tile), writer.word, text, sizeof text);
        fprintf(file, " #%" PRIu64 " %.*s", writer.sequence, (int)strcspn(text, " "), text);
    }
    if (tsr_cycle(tile) != 0) // else the clock stands
        fprintf(file, " cycle %" PRIu64, writer.cycle);
}

static void dump_field(FILE *file, const tsr_tile *tile, const tsr_field_info *field)
{
    static const int instances[] = {
        [TSR_SCOPE_THREAD] = 3, [TSR_SCOPE_BANKED] = 2, [TSR_SCOPE_UNBANKED] = 1};
    static const char *const what[] = {
        [TSR_SCOPE_THREAD] = "thread", [TSR_SCOPE_BANKED] = "bank", [TSR_SCOPE_UNBANKED] = ""};

    for (int i = 0; i < instances[field->scope]; i++) {
        uint32_t value;
        bool written;
        if (tsr_view_field(tile, field->name, i, &value, &written) != TSR_OK ||
            (!written && value == 0))
            continue;
        fprintf(file, "%s", field->name);
        if (field->scope != TSR_SCOPE_UNBANKED)
            fprintf(file, " (%s %d)", what[field->scope], i);
        fprintf(file, " = 0x%" PRIx32, value);
        print_writer(file, tile, field->name, i);
        fputc('\n', file);
    }
}

static void dump_cfg(FILE *file, const tsr_tile *tile)
{
    tsr_arch arch = tsr_tile_arch(tile);

    fputs("cfg: fields never written are left out; behind each value, who wrote it last\n", file);
    for (int i = 0; i < tsr_field_count(arch); i++)
        if (tsr_field_at(arch, i)->width <= 32) // of wider ones the parts are fields too
            dump_field(file, tile, tsr_field_at(arch, i));
}

static void dump_adc(FILE *file, const tsr_tile *tile)
{
    static const char *const agents[ADC_AGENTS] = {"unpacker 0", "unpacker 1", "packer"};

    fputs("adc: value/carriage return of each counter\n", file);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        for (int agent = 0; agent < ADC_AGENTS; agent++)
            for (int channel = 0; channel < 2; channel++) {
                tsr_adc_channel c;
                if (tsr_view_adc(tile, thread, agent, channel, &c) != TSR_OK)
                    continue;
                fprintf(file, "thread %d %s channel %d: x %u/%u  y %u/%u  z %u/%u  w %u/%u\n",
                        thread, agents[agent], channel, c.x, c.x_cr, c.y, c.y_cr, c.z, c.z_cr, c.w,
                        c.w_cr);
            }
}

static void dump_rwc(FILE *file, const tsr_tile *tile)
{
    fputs("rwc: value/carriage return of each counter\n", file);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        tsr_rwc rwc;
        if (tsr_view_rwc(tile, thread, &rwc) == TSR_OK)
            fprintf(file,
                    "thread %d: srca %u/%u  srcb %u/%u  dst %u/%u  fidelity %u  extra modifier "
                    "%u\n",
                    thread, rwc.srca, rwc.srca_cr, rwc.srcb, rwc.srcb_cr, rwc.dst, rwc.dst_cr,
                    rwc.fidelity, rwc.extra_addr_mod);
    }
}

static void dump_gpr(FILE *file, const tsr_tile *tile)
{
    fputs("gpr: registers never written are left out\n", file);
    for (int thread = 0; thread < TSR_THREADS; thread++)
        for (int i = 0; i < GPRS; i++) {
            uint32_t value;
            bool written;
            if (tsr_view_gpr(tile, thread, i, &value, &written) == TSR_OK &&
                (written || value != 0))
                fprintf(file, "thread %d gpr %d = 0x%08" PRIx32 "\n", thread, i, value);
        }
}

static void dump_semaphores(FILE *file, const tsr_tile *tile)
{
    fputs("sem: value of maximum\n", file);
    for (int i = 0; i < SEMAPHORES; i++) {
        uint8_t value, max;
        if (tsr_view_semaphore(tile, i, &value, &max) == TSR_OK)
            fprintf(file, "semaphore %d: %u of %u\n", i, value, max);
    }
}

// ---------------------------------------------------------------- the vector unit

// Four lines of eight lanes, as LReg.md draws them.
static void dump_lreg(FILE *file, const tsr_lreg *view, int lreg)
{
    for (int row = 0; row < 4; row++) {
        fprintf(file, "lreg %d lanes %d to %d =", lreg, 8 * row, 8 * row + 7);
        for (int lane = 8 * row; lane < 8 * row + 8; lane++)
            fprintf(file, " %08" PRIx32, view->value[lane]);
        uint32_t lanes = 0xffu << (8 * row);
        if ((view->written & lanes) != lanes)
            fprintf(file, "  written in 0x%08" PRIx32, view->written & lanes);
        if (view->tainted & lanes)
            fprintf(file, "  tainted in 0x%08" PRIx32, view->tainted & lanes);
        fputc('\n', file);
    }
}

static void dump_lanes(FILE *file, const tsr_lanes *lanes)
{
    fprintf(file, "lanes enabled = 0x%08" PRIx32 "\n", lanes->enabled);
    fprintf(file, "lane flags = 0x%08" PRIx32 ", used in 0x%08" PRIx32 "\n", lanes->flags,
            lanes->use_flags);
    for (int i = 0; i < 8 && lanes->stack_used[i] != 0; i++)
        fprintf(file,
                "flag stack %d = 0x%08" PRIx32 ", used in 0x%08" PRIx32 ", of lanes 0x%08" PRIx32
                "\n",
                i, lanes->stack_flags[i], lanes->stack_use_flags[i], lanes->stack_used[i]);
    for (int i = 0; i < 8; i++)
        if (lanes->config[i] != 0)
            fprintf(file, "lane config of column %d = 0x%05" PRIx32 "\n", i, lanes->config[i]);
}

static void dump_vector(FILE *file, const tsr_tile *tile)
{
    tsr_lreg view;
    tsr_lanes lanes;

    fputs("lreg: registers never written are left out; masks have a bit for each lane\n", file);
    for (int lreg = 0; tsr_view_lreg(tile, lreg, &view) == TSR_OK; lreg++)
        if (view.written != 0 && (lreg < 8 || lreg > 10) && lreg != 15)
            dump_lreg(file, &view, lreg);
    if (tsr_view_lanes(tile, &lanes) == TSR_OK)
        dump_lanes(file, &lanes);
}

// ---------------------------------------------------------------- L1

static void dump_l1(FILE *file, const tsr_tile *tile, const struct dump_order *order)
{
    fprintf(file, "l1: %u bytes at 0x%x\n", order->size, order->address);
    for (uint32_t done = 0; done < order->size; done += 16) {
        uint8_t bytes[16];
        uint32_t length = order->size - done < 16 ? order->size - done : 16;
        if (tsr_l1_read(tile, order->address + done, bytes, length) != TSR_OK)
            return;
        fprintf(file, "%06x ", order->address + done);
        for (uint32_t i = 0; i < length; i++)
            fprintf(file, " %02x", bytes[i]);
        fputc('\n', file);
    }
}

static void dump_one(FILE *file, const struct dump_order *order, const tsr_tile *tile)
{
    switch (order->kind) {
    case DUMP_DST:
        if (order->numbers)
            dump_dst_numbers(file, tile, order);
        else
            dump_dst(file, tile, order);
        break;
    case DUMP_SRCA:
    case DUMP_SRCB:
        dump_src(file, tile, order);
        break;
    case DUMP_CFG:
        dump_cfg(file, tile);
        break;
    case DUMP_ADC:
        dump_adc(file, tile);
        break;
    case DUMP_RWC:
        dump_rwc(file, tile);
        break;
    case DUMP_GPR:
        dump_gpr(file, tile);
        break;
    case DUMP_SEM:
        dump_semaphores(file, tile);
        break;
    case DUMP_LREG:
        dump_vector(file, tile);
        break;
    case DUMP_L1:
        if (order->numbers)
            dump_l1_numbers(file, tile, order);
        else
            dump_l1(file, tile, order);
        break;
    }
}

void dump_write(FILE *file, const struct dump_list *list, const tsr_tile *tile)
{
    for (int i = 0; i < list->count; i++) {
        if (i > 0)
            fputc('\n', file);
        dump_one(file, &list->orders[i], tile);
    }
}
