// SPDX-License-Identifier: Apache-2.0
// A tile whose threads get instruction words: 3 + 2 in the vector unit, then an instruction that
// waits for ever. docs/embedding.md goes through it.
//
//   run_words wh|bh
#include <tessera/tessera.h>

#include <inttypes.h>
#include <stdio.h>

struct stream {
    uint32_t words[1024];
    int count, next;
};

static bool append(struct stream *stream, tsr_arch arch, const char *text)
{
    char error[200];

    if (tsr_assemble(arch, text, &stream->words[stream->count], error, sizeof error) == TSR_OK) {
        stream->count++;
        return true;
    }
    fprintf(stderr, "%s: %s\n", text, error);
    return false;
}

// A FIFO takes some words; the rest comes when the tile has run until nothing moves. While words
// are left that is no deadlock, which is what `external` says. If then no FIFO takes one more, it
// is: a last run, without `external`, finds out who waits for what.
static tsr_end run(tsr_tile *tile, struct stream streams[TSR_THREADS])
{
    tsr_limits limits = tsr_limits_default();
    tsr_end end;
    bool given;

    do {
        given = limits.external = false;
        for (int thread = 0; thread < TSR_THREADS; thread++) {
            struct stream *stream = &streams[thread];
            while (stream->next < stream->count &&
                   tsr_push(tile, thread, stream->words[stream->next]) == TSR_OK) {
                stream->next++;
                given = true;
            }
            limits.external |= stream->next < stream->count;
        }
        limits.external &= given;
        end = tsr_run(tile, &limits);
    } while (limits.external && end != TSR_END_STOPPED);
    return end;
}

static void tell(const tsr_tile *tile, tsr_end end)
{
    tsr_wait waits[16];
    int count = end == TSR_END_IDLE ? 0 : tsr_waits(tile, waits, 16);

    printf("the run ends: %s\n", tsr_end_name(end));
    for (int i = 0; i < count && i < 16; i++)
        printf("%s, instruction %" PRIu64 ": %s; %s would release it\n", waits[i].who,
               waits[i].sequence, waits[i].what, waits[i].release);
    for (int i = 0; i < tsr_diagnostic_count(tile); i++) {
        const tsr_diagnostic *finding = tsr_diagnostic_at(tile, i);
        printf("%s (%s): %s\n", tsr_category_name(finding->category), finding->code,
               finding->sentence);
    }
}

int main(int argc, char **argv)
{
    static const char *const sum[] = {
        "SFPLOADI lreg_ind=0 imm16=0x4040", // the upper half of an FP32: 3
        "SFPLOADI lreg_ind=1 imm16=0x4000", // 2
        "SFPADD lreg_src_a=10 lreg_src_b=0 lreg_src_c=1 lreg_dest=2", // 1 * L0 + L1; L10 is 1
        "SFPNOP",
    };
    static struct stream streams[TSR_THREADS];
    tsr_arch arch;
    tsr_tile *tile;
    tsr_lreg lreg;

    if (argc != 2 || tsr_arch_from_name(argv[1], &arch) != TSR_OK)
        return 2;
    tsr_options options = tsr_options_default(arch);
    if (tsr_tile_create(&options, &tile) != TSR_OK)
        return 3;
    for (int round = 0; round < 100; round++) // more than a FIFO holds
        for (size_t i = 0; i < sizeof sum / sizeof sum[0]; i++)
            if (!append(&streams[1], arch, sum[i]))
                return 2;
    tell(tile, run(tile, streams));
    tsr_view_lreg(tile, 2, &lreg);
    printf("L2 of lane 0: 0x%08" PRIx32 "\n", lreg.value[0]);
    if (!append(&streams[1], arch, "ELWADD"))
        return 2;
    tell(tile, run(tile, streams));
    tsr_tile_destroy(tile);
    return 0;
}
