// SPDX-License-Identifier: Apache-2.0
// How fast the matrix unit simulates: products of tiles of 32x32 in BF16 at each fidelity and in
// INT8, on both chips, with timing off and on, with the best kernels and with the reference ones;
// and the kernel of MVMUL alone beside the host's own product of floats of the same shape.
// usage: bench_matrix [RUNS [WORD...]]   only the rows of the table that contain all the words
//
// All instructions come from thread 0. Every product unpacks both of its tiles; four are summed in
// Dst before they are packed, as in a matrix product of 128 columns. The sixteen MVMULs of a phase
// come from the replay buffer. What arrives in L1 is checked.
// Pages: MVMUL.md, SrcASrcB.md ("Fidelity phases"), UNPACR_Regular.md, PACR.md of each chip.
#include "tile_set_up.h"

#include "kernels/dot_block.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 32, DATUMS = SIDE * SIDE, PRODUCTS = 64, SUMMED = 4, SUMS = PRODUCTS / SUMMED };
enum { MACS = SIDE * SIDE * SIDE };
enum { INPUT_A = 0x10000, INPUT_B = 0x40000, OUTPUT = 0x80000 };

struct job {
    const char *name;
    unsigned phases;
    bool int8;
};

static const struct job jobs[] = {
    {"lofi", 1, false},  {"hifi2", 2, false}, {"hifi3", 3, false},
    {"hifi4", 4, false}, {"int8", 4, true},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

// ---------------------------------------------------------------- data

// Tiles lie face by face.
static int at(int row, int column)
{
    return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

// -1, 0 and 1, so that every sum is exact in whatever bits.
struct data {
    int a[PRODUCTS][DATUMS], b[PRODUCTS][DATUMS], sums[SUMS][DATUMS];
    uint8_t bytes_a[2 * PRODUCTS * DATUMS], bytes_b[2 * PRODUCTS * DATUMS];
    uint8_t expected[4 * SUMS * DATUMS], got[4 * SUMS * DATUMS];
};

static void fill(int *values, uint32_t seed)
{
    for (int i = 0; i < PRODUCTS * DATUMS; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (int)(seed >> 16) % 3 - 1;
    }
}

static void multiply(struct data *data)
{
    memset(data->sums, 0, sizeof data->sums);
    for (int product = 0; product < PRODUCTS; product++)
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                for (int k = 0; k < SIDE; k++)
                    data->sums[product / SUMMED][at(i, j)] +=
                        data->a[product][at(i, k)] * data->b[product][at(k, j)];
}

static struct data *make_data(void)
{
    struct data *data = calloc(1, sizeof *data);
    if (!data)
        fatal("no memory");
    fill(data->a[0], 1);
    fill(data->b[0], 2);
    multiply(data);
    return data;
}

// As the job has it in L1: sign and magnitude in one byte or, of sums, four; or BF16.
static void encode(uint8_t *bytes, const int *values, int count, const struct job *job, bool sums)
{
    size_t size = job->int8 ? (sums ? 4 : 1) : 2;
    for (int i = 0; i < count; i++, bytes += size) {
        uint32_t bits = (uint32_t)abs(values[i]);
        if (job->int8) {
            bits |= (uint32_t)(values[i] < 0) << (8 * size - 1);
        } else {
            float real = (float)values[i];
            memcpy(&bits, &real, sizeof bits);
            bits >>= 16;
        }
        for (size_t byte = 0; byte < size; byte++)
            bytes[byte] = (uint8_t)(bits >> (8 * byte));
    }
}

// ---------------------------------------------------------------- the program

static size_t tile_bytes(const struct job *job, bool sums)
{
    return DATUMS * (job->int8 ? (sums ? 4u : 1u) : 2u);
}

static void add_inputs(struct program *program, const struct job *job, unsigned product)
{
    bool odd = product & 1;
    uint32_t units = (uint32_t)tile_bytes(job, false) / 16 * product;
    program_wrcfg(program,
                  odd ? "THCON_SEC0_REG3_Base_cntx1_address" : "THCON_SEC0_REG3_Base_address", 0,
                  INPUT_B / 16 + units - 1);
    program_wrcfg(program,
                  odd ? "THCON_SEC1_REG3_Base_cntx1_address" : "THCON_SEC1_REG3_Base_address", 1,
                  INPUT_A / 16 + units - 1);
    program_setc16(program, "UNPACK_MISC_CFG_CfgContextOffset_0", odd ? 0x0101 : 0);
    for (int unpacker = 0; unpacker < 2; unpacker++)
        program_add(program, "UNPACR Unpack_block_selection=%d OvrdThreadId=1 SetDatValid=1 Last=1",
                    unpacker);
}

static void add_product(struct program *program, const struct job *job, unsigned product)
{
    add_inputs(program, job, product);
    for (unsigned phase = 0; phase < job->phases; phase++) {
        program_setc16(program, "FIDELITY_BASE_Phase", phase);
        program_add(program, "REPLAY len=%d", MVMULS);
        program_add(program, "SETRWC BitMask=3 clear_ab_vld=%d", phase + 1 == job->phases ? 3 : 0);
    }
}

// The matrix unit must not overwrite what the packers have yet to read, nor they read early.
static void add_sum(struct program *program, const struct job *job, unsigned sum)
{
    bool wormhole = program->arch == TSR_WORMHOLE_B0;
    uint32_t place = OUTPUT / 16 + (uint32_t)tile_bytes(job, true) / 16 * sum - 1;
    program_add(program, "STALLWAIT stall_res=64 wait_res=%d", wormhole ? 0x78 : 0x08);
    program_add(program, "ZEROACC clear_mode=3");
    for (unsigned i = 0; i < SUMMED; i++)
        add_product(program, job, SUMMED * sum + i);
    program_wrcfg(program, "THCON_SEC0_REG1_L1_Dest_addr", 2, place | (wormhole ? 1u << 31 : 0));
    program_add(program, "STALLWAIT stall_res=4 wait_res=%d", wormhole ? 0x80 : 0x10);
    program_pack_tile(program);
}

static struct program make_pass(tsr_arch arch, const struct job *job)
{
    struct program program = program_new(arch);
    for (unsigned sum = 0; sum < SUMS; sum++)
        add_sum(&program, job, sum);
    return program;
}

static void put_inputs(tsr_tile *tile, struct data *data, const struct job *job)
{
    encode(data->bytes_a, data->a[0], PRODUCTS * DATUMS, job, false);
    encode(data->bytes_b, data->b[0], PRODUCTS * DATUMS, job, false);
    encode(data->expected, data->sums[0], SUMS * DATUMS, job, true);
    tsr_l1_write(tile, INPUT_A, data->bytes_a, PRODUCTS * tile_bytes(job, false));
    tsr_l1_write(tile, INPUT_B, data->bytes_b, PRODUCTS * tile_bytes(job, false));
}

static tsr_tile *make_tile(tsr_arch arch, bool timing, const char *kernels, const struct job *job,
                           struct data *data)
{
    unsigned format = job->int8 ? FORMAT_INT8 : FORMAT_BF16;
    tsr_tile *tile = bench_tile_new(arch, timing, kernels);
    put_inputs(tile, data, job);
    configure_unpackers(tile, format, DATUMS);
    configure_matrix(tile, format, job->int8);
    configure_packers(tile, job->int8 ? FORMAT_INT32 : FORMAT_BF16);
    struct program set_up = program_new(arch);
    set_up_thread(&set_up, DATUMS);
    set_up_product(&set_up);
    feed(tile, set_up.words, set_up.count);
    finish(tile);
    program_free(&set_up);
    return tile;
}

// ---------------------------------------------------------------- measuring

enum { MOST_RUNS = 99 };

static void check(const tsr_tile *tile, const struct job *job, struct data *data)
{
    size_t size = SUMS * tile_bytes(job, true);
    tsr_l1_read(tile, OUTPUT, data->got, size);
    for (size_t i = 0; i < size; i++)
        if (data->got[i] != data->expected[i])
            fatal("%s on %s: byte %zu is 0x%02x and should be 0x%02x", job->name,
                  tsr_arch_name(tsr_tile_arch(tile)), i, data->got[i], data->expected[i]);
}

// Seconds and cycles of a pass.
static double measure(tsr_tile *tile, const struct program *pass, const struct job *job,
                      struct data *data, int runs, uint64_t *cycles)
{
    static const uint8_t nothing[4 * SUMS * DATUMS];
    double seconds[MOST_RUNS];
    int passes = (int)(0.02 / (time_passes(tile, pass, 1) + 1e-9)) + 1;
    for (int run = 0; run < runs; run++) {
        uint64_t before = tsr_cycle(tile);
        tsr_l1_write(tile, OUTPUT, nothing, sizeof nothing);
        seconds[run] = time_passes(tile, pass, passes) / passes;
        check(tile, job, data);
        *cycles = (tsr_cycle(tile) - before) / (uint64_t)passes;
    }
    return median(seconds, runs);
}

// A row of the table: what is measured and, once it is, how long a pass took.
struct row {
    tsr_arch arch;
    bool timing;
    const char *kernels;
    const struct job *job;
    double seconds; // 0: not chosen
};

static void bench(struct row *row, struct data *data, int runs)
{
    struct program pass = make_pass(row->arch, row->job);
    tsr_tile *tile = make_tile(row->arch, row->timing, row->kernels, row->job, data);
    uint64_t cycles = 0;
    row->seconds = measure(tile, &pass, row->job, data, runs, &cycles);
    double product = row->seconds / PRODUCTS;
    printf("%-14s %-7s %-6s %-10s %10.0f %9.3f %8.2f", tsr_arch_name(row->arch), row->job->name,
           row->timing ? "on" : "off", row->kernels, 1 / product, 1e6 * product,
           1e-9 * MACS * row->job->phases / product);
    if (row->timing)
        printf(" %8.1f\n", (double)cycles / PRODUCTS);
    else
        printf(" %8s\n", "-");
    fflush(stdout);
    tsr_tile_destroy(tile);
    program_free(&pass);
}

static bool chosen(const struct row *row, char **words, int count)
{
    for (int i = 0; i < count; i++) {
        tsr_arch arch;
        bool fits = tsr_arch_from_name(words[i], &arch) == TSR_OK
                        ? arch == row->arch
                        : strcmp(words[i], row->job->name) == 0 ||
                              strcmp(words[i], row->timing ? "on" : "off") == 0 ||
                              strcmp(words[i], row->kernels) == 0;
        if (!fits)
            return false;
    }
    return true;
}

enum { MODES = 3, ROWS = 2 * JOBS * MODES };

static void bench_products(int runs, char **words, int count)
{
    static struct row rows[ROWS];
    struct data *data = make_data();
    for (int i = 0; i < ROWS; i++) {
        int mode = i % MODES; // auto, reference, auto with timing
        rows[i] = (struct row){i / (JOBS * MODES) ? TSR_BLACKHOLE_A0 : TSR_WORMHOLE_B0, mode == 2,
                               mode == 1 ? "reference" : "auto", &jobs[i / MODES % JOBS], 0};
        if (chosen(&rows[i], words, count))
            bench(&rows[i], data, runs);
    }
    putchar('\n');
    for (int i = 0; i < ROWS; i += MODES)
        if (rows[i].seconds > 0 && rows[i + 1].seconds > 0)
            printf("%s %s, timing off: kernels auto are %.1f times as fast as reference\n",
                   tsr_arch_name(rows[i].arch), rows[i].job->name,
                   rows[i + 1].seconds / rows[i].seconds);
    free(data);
}

// ---------------------------------------------------------------- the kernel alone

// A 32x32 product as sixteen blocks of MVMUL, or of floats.
struct operands {
    uint32_t a[2][2][16][16], rows[4][2][8][16]; // blocks of SrcA and of SrcB
    uint16_t high[8][128], low[8][128];
    float x[SIDE][SIDE], y[SIDE][SIDE], z[SIDE][SIDE];
};

static void product_of_kernels(struct operands *o, const struct tsr_kernels *kernels,
                               tsr_element_mode mode, unsigned phases, tsr_dot_block blocks[4])
{
    static tsr_dot_rows kept[2][4]; // as the unit keeps them
    for (mode.fpu.phase = 0; mode.fpu.phase < phases; mode.fpu.phase++) {
        const tsr_dot_kernel *kernel = tsr_kernels_dot(kernels, &mode);
        for (int i = 0; i < MVMULS; i++) { // k, c, and eight rows of the result
            int k = i / 8, c = i / 4 % 2, r = i % 4;
            tsr_dot_block *block = &blocks[2 * k + c];
            kernel->prepare(block, (const uint32_t(*)[16])o->a[k][c], &mode);
            kernel->run(o->high[2 * r + c], mode.fpu.acc32 ? o->low[2 * r + c] : NULL, block,
                        &kept[k][r], (const uint32_t(*)[16])o->rows[r][k], 8, true, &mode);
        }
    }
}

__attribute__((noinline)) static void product_of_floats(struct operands *o)
{
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < SIDE; j++)
                o->z[i][j] += o->x[i][k] * o->y[k][j];
}

#if defined(__x86_64__)
__attribute__((noinline, target("avx2,fma"))) static void product_of_floats_avx2(struct operands *o)
{
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < SIDE; j++)
                o->z[i][j] += o->x[i][k] * o->y[k][j];
}
#endif

static void host_product(struct operands *o)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        product_of_floats_avx2(o);
        return;
    }
#endif
    product_of_floats(o);
}

static double macs_of_kernels(struct operands *o, const char *kernels, bool wide, bool int8,
                              int runs)
{
    static tsr_dot_block blocks[4];
    unsigned format = int8 ? FORMAT_INT8 : FORMAT_BF16;
    const struct tsr_kernels *set = tsr_kernels_select(kernels);
    tsr_element_mode mode = {.fpu = {.e8 = !int8, .acc32 = wide},
                             .accumulate = true,
                             .int8 = int8,
                             .flush_b = true,
                             .format_a = (uint8_t)format,
                             .format_b = (uint8_t)format};
    double seconds[MOST_RUNS];
    int repeats = strcmp(kernels, "reference") == 0 ? 10 : 200;
    memset(blocks, 0, sizeof blocks);
    for (int run = 0; run < runs; run++) {
        double start = seconds_now();
        for (int i = 0; i < repeats; i++)
            product_of_kernels(o, set, mode, 4, blocks);
        seconds[run] = (seconds_now() - start) / repeats;
    }
    return 4.0 * MACS / median(seconds, runs);
}

static double macs_of_host(struct operands *o, int runs)
{
    enum { REPEATS = 2000 };
    double seconds[MOST_RUNS];
    for (int run = 0; run < runs; run++) {
        double start = seconds_now();
        for (int i = 0; i < REPEATS; i++)
            host_product(o);
        seconds[run] = (seconds_now() - start) / REPEATS;
    }
    return MACS / median(seconds, runs);
}

static void bench_kernels(int runs)
{
    static struct operands o;
    uint32_t seed = 3, *cells = &o.a[0][0][0][0];
    for (size_t i = 0; i < (sizeof o.a + sizeof o.rows) / sizeof *cells; i++) {
        seed = seed * 1664525u + 1013904223u;
        cells[i] = (seed >> 8 & 0x403f8) | (120 + (seed >> 27)) << 10;
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        o.x[i / SIDE][i % SIDE] = o.y[i / SIDE][i % SIDE] = 1.0f / (float)(1 + i);
    double host = macs_of_host(&o, runs);
    printf("\nThe kernel of MVMUL alone, four phases of a 32x32x32 product, beside the host's own "
           "product of floats:\nfloat on this host %27.2f GMAC/s\n",
           1e-9 * host);
    static const char *const sets[] = {"auto", "reference"};
    for (int i = 0; i < 6; i++) {
        double macs = macs_of_kernels(&o, sets[i % 2], i >= 2, i >= 4, runs);
        printf("%-22s %-10s %11.3f GMAC/s, %7.4f of the host's\n",
               i < 2   ? "BF16, 16 bits of Dst"
               : i < 4 ? "BF16, 32 bits of Dst"
                       : "INT8",
               sets[i % 2], 1e-9 * macs, macs / host);
    }
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 9;
    if (runs < 1 || runs > MOST_RUNS)
        fatal("usage: bench_matrix [RUNS [WORD...]]; RUNS from 1 to %d", MOST_RUNS);
    printf("Medians of %d runs, in processor time; kernel sets of this build: %s. A pass has %d "
           "products.\n\n",
           runs, tsr_kernel_sets(), PRODUCTS);
    printf("%-14s %-7s %-6s %-10s %10s %9s %8s %8s\n", "chip", "job", "timing", "kernels",
           "products/s", "us each", "GMAC/s", "cycles");
    bench_products(runs, argv + 2, argc - 2);
    if (argc <= 2)
        bench_kernels(runs);
    return 0;
}
