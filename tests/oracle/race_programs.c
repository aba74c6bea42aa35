// SPDX-License-Identifier: Apache-2.0
// Random programs for the comparison of races; see race_programs.h.
// Pages: STALLWAIT.md of each chip, SEMWAIT.md, TTSync.md, PCBufs.md, Mailboxes.md, MOPExpander.md.
#include "race_programs.h"

#include "rig/face_rig.h"

struct random {
    uint64_t state;
};

static uint32_t draw(struct random *random, uint32_t below)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random->state >> 33) % below;
}

// ---------------------------------------------------------------- instructions

// A %u is a number below the limit, or one of these.
enum pick { A_BLOCK = 1000, A_CONDITION, A_WORD, A_SEMAPHORE };
struct phrase {
    const char *text;
    uint16_t of[3];
};

#define UNPACR0 "UNPACR Unpack_block_selection=0 OvrdThreadId=1 "
#define UNPACR1 "UNPACR Unpack_block_selection=1 OvrdThreadId=1 "

static const struct phrase ordering[] = {
    {"STALLWAIT stall_res=%u wait_res=%u", {A_BLOCK, A_CONDITION}},
    {"STALLWAIT stall_res=%u wait_res=%u", {A_BLOCK, A_CONDITION}},
    {"STALLWAIT stall_res=%u wait_res=%u", {A_BLOCK, A_CONDITION}},
    {"STALLWAIT stall_res=511 wait_res=%u", {A_CONDITION}},
    {"SEMPOST sem_sel=%u", {A_SEMAPHORE}},
    {"SEMPOST sem_sel=%u", {A_SEMAPHORE}},
    {"SEMGET sem_sel=%u", {A_SEMAPHORE}},
    {"SEMWAIT sem_sel=%u wait_sem_cond=1 stall_res=%u", {A_SEMAPHORE, A_BLOCK}},
    {"SEMWAIT sem_sel=%u wait_sem_cond=1 stall_res=511", {A_SEMAPHORE}},
    {"SEMWAIT sem_sel=%u wait_sem_cond=2 stall_res=%u", {A_SEMAPHORE, A_BLOCK}},
    {"ATGETM mutex_index=0", {0}},
    {"ATRELM mutex_index=0", {0}},
};
static const struct phrase unpacking[] = {
    {UNPACR0 "SetDatValid=1 AddrMode=%u", {4}},
    {UNPACR1 "SetDatValid=1 AddrMode=%u", {4}},
    {UNPACR0 "AddrMode=%u", {4}},
    {UNPACR0 "CfgContextId=%u", {2}},
    {"UNPACR_NOP Unpack_block_selection=%u NoOp=1", {2}},
    {"SETDVALID setvalid=%u", {4}},
};
static const struct phrase computing[] = {
    {"ELWADD dst=%u addr_mode=0", {16}},
    {"ELWADD clear_dvalid=%u dst=%u", {4, 16}},
    {"MVMUL dst=%u", {16}},
    {"MOVA2D instr_mod=2 dst=%u", {16}},
    {"MOVD2A instr_mod=2 dst=%u", {16}},
    {"ZEROACC dst=%u", {16}},
    {"ZEROACC where=%u", {16}},
    {"ZEROACC clear_mode=%u", {4}},
    {"ZEROSRC src_mask=%u bank_mask=1", {4}},
    {"CLEARDVALID cleardvalid=%u", {4}},
    {"SETRWC clear_ab_vld=%u", {4}},
    {"SFPLOAD lreg_ind=0 instr_mod0=0 dest_reg_addr=%u", {16}},
    {"SFPSTORE lreg_ind=0 instr_mod0=0 dest_reg_addr=%u", {16}},
};
static const struct phrase packing[] = {
    {"PACR PackSel=1 Last=%u", {2}}, {"PACR PackSel=1 AddrMode=%u", {4}},
    {"PACR PackSel=2 Last=%u", {2}}, {"XMOV Last=%u", {2}},
    {"XMOV Last=%u", {2}},
};
static const struct phrase registers[] = {
    {"SETDMAREG RegIndex16b=%u Payload_SigSel=%u", {24, 8}},
    {"ADDDMAREG OpBisConst=1 ResultRegIndex=%u OpBRegIndex=2 OpARegIndex=%u", {12, 12}},
    {"WRCFG GprAddress=%u CfgReg=%u", {12, A_WORD}},
    {"RDCFG GprAddress=%u CfgReg=%u", {12, A_WORD}},
    {"RMWCIB0 Mask=%u Data=%u CfgRegAddr=%u", {256, 256, A_WORD}},
    {"RMWCIB1 Mask=%u Data=%u CfgRegAddr=%u", {256, 256, A_WORD}},
    {"SETC16 setc16_reg=%u setc16_value=%u", {8, 4}},
    {"LOADIND AddrRegIndex=0 DataRegIndex=%u OffsetIndex=%u SizeSel=1", {12, 24}},
    {"STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 AddrRegIndex=0 DataRegIndex=%u OffsetIndex=2",
     {12}},
    {"ATINCGET MemHierSel=1 WrapVal=31 Sel32b=%u DataRegIndex=%u AddrRegIndex=0", {4, 12}},
    {"ATSWAP MemHierSel=1 SwapMask=255 DataRegIndex=%u AddrRegIndex=0", {12}},
    {"FLUSHDMA FlushSpec=%u", {16}},
    {"FLUSHDMA FlushSpec=%u", {16}},
    {"MOP mop_type=1", {0}},
    {"NOP", {0}},
};

static const enum tsr_field fields[] = {
    FIELD_THCON_SEC0_REG3_Base_address,   FIELD_THCON_SEC1_REG3_Base_address,
    FIELD_THCON_SEC0_REG1_L1_Dest_addr,   FIELD_THCON_SEC0_REG2_Out_data_format,
    FIELD_ALU_FORMAT_SPEC_REG0_SrcA,      FIELD_THCON_SEC0_REG1_Out_data_format,
    FIELD_PCK0_ADDR_CTRL_XY_REG_0_Ystride};

static uint32_t config_word(const tsr_tile *tile, struct random *random)
{
    uint32_t which = draw(random, 8);
    return which == 7 ? 80 : tile->engine.env.isa->field[fields[which]].addr32;
}

static uint32_t condition(const tsr_tile *tile, struct random *random)
{
    static const uint8_t often[] = {
        CONDITION_UNPACKER0,   CONDITION_UNPACKER1,     CONDITION_MATRIX,
        CONDITION_VECTOR,      CONDITION_PACKER0,       CONDITION_PACKER0,
        CONDITION_PACKER1,     CONDITION_SCALAR_MEMORY, CONDITION_MOVER,
        CONDITION_SRCA_MATRIX, CONDITION_SRCB_UNPACKER, CONDITION_CONFIG};
    uint32_t mask = 0;
    for (int i = draw(random, 3) == 0 ? 2 : 1; i > 0 || mask == 0; i--) {
        unsigned bit = tile->engine.env.isa->condition_bit[often[draw(random, sizeof often)]];
        if (bit != CONDITION_ABSENT)
            mask |= 1u << bit;
    }
    return mask;
}

static uint32_t number(const tsr_tile *tile, struct random *random, uint32_t of)
{
    switch (of) {
    case 0:
        return 0;
    case A_BLOCK:
        return 1u << draw(random, 9) | (draw(random, 3) == 0 ? 1u << draw(random, 9) : 0);
    case A_CONDITION:
        return condition(tile, random);
    case A_WORD:
        return config_word(tile, random);
    case A_SEMAPHORE:
        return 1u << draw(random, 2);
    default:
        return draw(random, of);
    }
}

#define ONE_OF(random, phrases) &(phrases)[draw(random, sizeof(phrases) / sizeof *(phrases))]

static const struct phrase *any_phrase(struct random *random, int thread)
{
    uint32_t kind = draw(random, 10);
    if (kind < 4)
        return ONE_OF(random, ordering);
    if (kind < 6)
        return ONE_OF(random, registers);
    switch (draw(random, 4) == 0 ? (int)draw(random, 3) : thread) {
    case 0:
        return ONE_OF(random, unpacking);
    case 1:
        return ONE_OF(random, computing);
    default:
        return ONE_OF(random, packing);
    }
}

static void any_line(const tsr_tile *tile, struct random *random, int thread, char *line,
                     size_t size)
{
    const struct phrase *phrase = any_phrase(random, thread);
    uint32_t numbers[3], word;
    char error[200];
    for (int i = 0; i < 3; i++)
        numbers[i] = number(tile, random, phrase->of[i]);
    snprintf(line, size, phrase->text, (unsigned)numbers[0], (unsigned)numbers[1],
             (unsigned)numbers[2]);
    if (tsr_assemble(tsr_tile_arch(tile), line, &word, error, sizeof error) != TSR_OK)
        snprintf(line, size, "NOP"); // an operand that only the other chip has
}

// ---------------------------------------------------------------- cores

struct place {
    uint32_t address;
    bool store, load;
};

// What one core may touch: few places, which units touch, too.
static struct place any_place(tsr_tile *tile, struct random *random, tsr_core core)
{
    const struct tsr_region *region = tile_env(tile)->isa->region;
    static const uint32_t memory[] = {FACE_A,      FACE_A + 16, FACE_B, FACE_C,
                                      FACE_C + 16, 0x1000,      0x1004, 0x1000};
    bool has_thread = core >= TSR_CORE_T0 && core <= TSR_CORE_T2;
    uint32_t which = draw(random, core == TSR_CORE_NC ? 2 : has_thread ? 10 : 5);
    switch (which) {
    case 2:
        return (struct place){region[REGION_MAILBOXES].base + 0x1000 * draw(random, 4), true, true};
    case 3:
        return (struct place){region[REGION_CONFIG].base + 4 * config_word(tile, random), true,
                              true};
    case 4:
        return core == TSR_CORE_B
                   ? (struct place){region[REGION_PC_BUFFER0].base + 0x10000 * draw(random, 3),
                                    true, true}
                   : (struct place){region[REGION_PC_BUFFER_T].base, false, true};
    case 5:
        return (struct place){region[REGION_GPRS].base + 4 * draw(random, 12), true, true};
    case 6:
        return (struct place){region[REGION_SEMAPHORES].base + 4 * draw(random, 2), true, true};
    case 7:
        return (struct place){region[REGION_TTSYNC].base, false, true};
    case 8:
        return (struct place){region[REGION_TTSYNC].base + 4, false, true};
    case 9:
        return (struct place){region[REGION_MOP_CONFIG].base, true, false};
    default:
        return (struct place){memory[draw(random, sizeof memory / sizeof *memory)], true, true};
    }
}

static void act(tsr_tile *tile, struct random *random, FILE *text)
{
    tsr_core core = (tsr_core)draw(random, 5);
    struct place place = any_place(tile, random, core);
    uint32_t value = draw(random, 4), found;
    bool stores = place.store && (!place.load || draw(random, 2));
    if (place.address == tile_env(tile)->isa->region[REGION_MOP_CONFIG].base)
        value = 1 + value / 2; // loops
    tsr_status status = stores ? tsr_store(tile, core, place.address, value, 4)
                               : tsr_load(tile, core, place.address, &found, 4);
    if (text)
        fprintf(text, "    core %d %s 0x%08x%s\n", (int)core, stores ? "stores to" : "loads",
                (unsigned)place.address, status == TSR_OK ? "" : " (not taken)");
}

// ---------------------------------------------------------------- scenes

// A step of two or more who meet, of which each may be left out: what a thread is pushed, or a
// core's access; one that waits until it is taken.
enum core_step { A_STORE = 1, A_LOAD, A_LOAD_UNTIL };
struct step {
    int who; // a thread, or a core
    enum core_step does;
    const char *text;
    uint32_t address, value;
};
enum { SCENE_STEPS = 14 };

#define BOX(other) (0xffec0000u + 0x1000u * (other))
#define SEMAPHORE(index) (0xffe80020u + 4u * (index))
enum {
    DATA = 0x1000,
    FLAG = 0x1004,
    GPR = 0xffe00014,
    PC_BUFFER = 0xffe80000,
    TTSYNC = 0xffe80004,
    MOP_WORD = 0xffb80000,
    CONFIG_WORD = 0xffef0000 + 4 * 80,
    TDMA = 0xffb11000 // parameters 0 to 3, a command, the status
};
#define STORE_DATA                                                                                 \
    "STOREIND MemHierSel=1 SizeSel=0 RegSizeSel=1 AddrRegIndex=0 DataRegIndex=9 OffsetIndex=2"

static const struct step scenes[][SCENE_STEPS] = {
    // Mailboxes.
    {{1, A_STORE, NULL, DATA, 7},
     {1, A_STORE, NULL, BOX(2), 1},
     {2, A_LOAD_UNTIL, NULL, BOX(1), 0},
     {2, A_STORE, NULL, DATA, 8},
     {2, A_STORE, NULL, BOX(3), 1},
     {3, A_LOAD_UNTIL, NULL, BOX(2), 0},
     {3, A_STORE, NULL, DATA, 9}},
    // A PC buffer, and core B's wait for the thread.
    {{0, A_STORE, NULL, CONFIG_WORD, 1},
     {0, A_STORE, NULL, PC_BUFFER, 5},
     {1, A_LOAD_UNTIL, NULL, PC_BUFFER, 0},
     {1, A_STORE, NULL, CONFIG_WORD, 2},
     {0, 0, "WRCFG GprAddress=9 CfgReg=80", 0, 0},
     {1, A_LOAD, NULL, PC_BUFFER, 0},
     {0, A_LOAD_UNTIL, NULL, PC_BUFFER, 0},
     {0, A_STORE, NULL, CONFIG_WORD, 3}},
    // A flag in L1.
    {{4, A_STORE, NULL, DATA, 7},
     {4, A_STORE, NULL, FLAG, 7},
     {2, A_LOAD, NULL, FLAG, 0},
     {2, A_STORE, NULL, DATA, 7},
     {1, 0, STORE_DATA, 0, 0}},
    // TTSync.
    {{1, 0, "WRCFG GprAddress=5 CfgReg=80", 0, 0},
     {1, 0, STORE_DATA, 0, 0},
     {2, A_LOAD_UNTIL, NULL, TTSYNC, 0},
     {2, A_STORE, NULL, GPR, 3},
     {2, A_STORE, NULL, DATA, 3}},
    // A MOP, and when its configuration may change.
    {{2, A_STORE, NULL, MOP_WORD, 1},
     {1, 0, "MOP mop_type=1", 0, 0},
     {2, A_LOAD_UNTIL, NULL, TTSYNC + 4, 0},
     {2, A_STORE, NULL, MOP_WORD, 2}},
    {{1, 0, "MOP mop_type=1", 0, 0},
     {1, 0, "SEMINIT sem_sel=1 init_value=0 max_value=2", 0, 0},
     {1, 0, "SEMPOST sem_sel=1", 0, 0},
     {2, A_LOAD_UNTIL, NULL, SEMAPHORE(0), 0},
     {2, A_STORE, NULL, MOP_WORD, 2}},
    // A mutex.
    {{0, 0, "ATGETM mutex_index=2", 0, 0},
     {0, 0, "RMWCIB0 Mask=255 Data=1 CfgRegAddr=80", 0, 0},
     {0, 0, "ATRELM mutex_index=2", 0, 0},
     {2, 0, "ATGETM mutex_index=2", 0, 0},
     {2, 0, "RMWCIB0 Mask=255 Data=2 CfgRegAddr=80", 0, 0},
     {2, 0, "ATRELM mutex_index=2", 0, 0},
     {1, 0, "ATGETM mutex_index=2", 0, 0},
     {1, 0, "RMWCIB0 Mask=255 Data=3 CfgRegAddr=80", 0, 0},
     {1, 0, "ATRELM mutex_index=2", 0, 0}},
    // A ring of one place: posts and gets.
    {{1, 0, "SEMINIT sem_sel=4 init_value=0 max_value=1", 0, 0},
     {1, 0, "SFPSTORE lreg_ind=0 instr_mod0=0 dest_reg_addr=0", 0, 0},
     {1, 0, "STALLWAIT stall_res=2 wait_res=%u", CONDITION_VECTOR, 0},
     {1, 0, "SEMPOST sem_sel=4", 0, 0},
     {2, 0, "SEMWAIT sem_sel=4 wait_sem_cond=1 stall_res=0x106", 0, 0},
     {2, 0, "SFPLOAD lreg_ind=0 instr_mod0=0 dest_reg_addr=0", 0, 0},
     {2, 0, "STALLWAIT stall_res=2 wait_res=%u", CONDITION_VECTOR, 0},
     {2, 0, "SEMGET sem_sel=4", 0, 0},
     {1, 0, "SEMWAIT sem_sel=4 wait_sem_cond=2 stall_res=0x102", 0, 0},
     {1, 0, "SFPSTORE lreg_ind=0 instr_mod0=0 dest_reg_addr=0", 0, 0},
     {1, 0, "STALLWAIT stall_res=2 wait_res=%u", CONDITION_VECTOR, 0},
     {1, 0, "SEMPOST sem_sel=4", 0, 0},
     {2, 0, "SEMWAIT sem_sel=4 wait_sem_cond=1 stall_res=0x106", 0, 0},
     {2, 0, "SFPLOAD lreg_ind=0 instr_mod0=0 dest_reg_addr=0", 0, 0}},
    // Banks of SrcA, with a wait at the gate.
    {{0, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=1", 0, 0},
     {1, 0, "STALLWAIT stall_res=0x80 wait_res=%u", CONDITION_SRCA_MATRIX, 0},
     {1, 0, "RMWCIB0 Mask=255 Data=1 CfgRegAddr=80", 0, 0},
     {1, 0, "SETRWC clear_ab_vld=1", 0, 0},
     {0, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=1", 0, 0},
     {0, 0, "UNPACR OvrdThreadId=1 SetDatValid=1 AddrMode=1", 0, 0},
     {0, 0, "STALLWAIT stall_res=0x80 wait_res=%u", CONDITION_SRCA_UNPACKER, 0},
     {0, 0, "RMWCIB0 Mask=255 Data=2 CfgRegAddr=80", 0, 0}},
    // TDMA-RISC moves a line, and tells when it is done.
    {{0, A_STORE, NULL, TDMA, FACE_B / 16},
     {0, A_STORE, NULL, TDMA + 4, DATA / 16},
     {0, A_STORE, NULL, TDMA + 8, 1},
     {0, A_STORE, NULL, TDMA + 12, 3},
     {0, A_STORE, NULL, TDMA + 16, 0x40},
     {0, A_LOAD_UNTIL, NULL, TDMA + 20, 0},
     {0, A_LOAD, NULL, DATA, 0},
     {0, A_STORE, NULL, FACE_B, 9},
     {0, A_STORE, NULL, BOX(1), 1},
     {1, A_LOAD_UNTIL, NULL, BOX(0), 0},
     {1, A_STORE, NULL, TDMA, FACE_A / 16},
     {1, A_STORE, NULL, TDMA + 16, 0x40}},
    // ... and a thread waits for the mover.
    {{1, A_STORE, NULL, TDMA, FACE_B / 16},
     {1, A_STORE, NULL, TDMA + 4, FACE_A / 16},
     {1, A_STORE, NULL, TDMA + 8, 1},
     {1, A_STORE, NULL, TDMA + 12, 3},
     {1, A_STORE, NULL, TDMA + 16, 0x40},
     {0, 0, "STALLWAIT stall_res=8 wait_res=%u", CONDITION_MOVER, 0},
     {0, 0, "UNPACR OvrdThreadId=1 AddrMode=1", 0, 0},
     {1, A_LOAD, NULL, TDMA + 20, 0},
     {1, A_STORE, NULL, FACE_B, 9}},
    // Everything is over where the tile is idle and the host writes.
    {{1, 0, STORE_DATA, 0, 0}, {5, 0, NULL, 0, 0}, {2, A_STORE, NULL, DATA, 1}},
};

static void host_writes(tsr_tile *tile)
{
    static const uint8_t zeros[16];
    tile_run(tile);
    tsr_l1_write(tile, 0x3000, zeros, sizeof zeros);
}

static void push_word(tsr_tile *tile, int thread, const char *line, FILE *text)
{
    uint32_t word = tile_word(tile, line);
    tsr_status status = tsr_push(tile, thread, word);
    for (int k = 0; status == TSR_BUSY && k < 40 && tsr_step(tile); k++)
        status = tsr_push(tile, thread, word);
    if (text)
        fprintf(text, "    T%d %s%s\n", thread, line, status == TSR_OK ? "" : " (not taken)");
}

static void do_step(tsr_tile *tile, const struct step *step, FILE *text)
{
    char line[160];
    tsr_status status;
    uint32_t value;
    if (step->text) {
        unsigned bit = tile_env(tile)->isa->condition_bit[step->address];
        snprintf(line, sizeof line, step->text, 1u << bit);
        push_word(tile, step->who, line, text);
        return;
    }
    if (step->does == 0) {
        host_writes(tile);
        return;
    }
    tsr_core core = (tsr_core)step->who;
    for (int k = 0; k < 60; k++) {
        status = step->does == A_STORE ? tsr_store(tile, core, step->address, step->value, 4)
                                       : tsr_load(tile, core, step->address, &value, 4);
        if (step->does != A_LOAD_UNTIL || (status == TSR_OK && (value != 0 || k > 30)))
            break;
        tsr_step(tile);
    }
    if (text)
        fprintf(text, "    core %d %s 0x%08x%s\n", (int)core,
                step->does == A_STORE ? "stores to" : "loads", (unsigned)step->address,
                status == TSR_OK ? "" : " (not taken)");
}

static void run_scene(tsr_tile *tile, struct random *random, FILE *text)
{
    const struct step *scene = scenes[draw(random, sizeof scenes / sizeof *scenes)];
    for (int i = 0; i < SCENE_STEPS; i++) {
        const struct step *step = &scene[i];
        if ((step->text || step->does || step->who == 5) && draw(random, 10) != 0)
            do_step(tile, step, text);
        for (uint32_t k = draw(random, 8); k > 4; k--)
            tsr_step(tile);
    }
}

// ---------------------------------------------------------------- tiles

tsr_tile *race_program_tile(int arch, bool timing, tsr_schedule schedule)
{
    tsr_options options = tsr_options_default((tsr_arch)arch);
    options.profile = TSR_PROFILE_SILICON;
    options.timing = timing;
    options.find_races = true;
    options.schedule = timing ? TSR_SCHEDULE_CARD : schedule;
    tsr_tile *tile = tile_with(&options);
    static const uint8_t zeros[0x2000];
    assert_int_equal(tsr_l1_write(tile, 0, zeros, sizeof zeros), TSR_OK);
    face_put(tile, FACE_A, face_a, 4 * FACE, 1);
    face_put(tile, FACE_B, face_b, 4 * FACE, 1);
    for (int thread = 0; thread < TSR_THREADS; thread++) {
        tsr_core core = (tsr_core)(TSR_CORE_T0 + thread);
        for (uint32_t i = 0; i < 64; i++)
            tile_set_gpr(tile, thread, (int)i, i == 0 ? 0x100 : i);
        uint32_t nop = tile_word(tile, "NOP"), loop = tile_word(tile, "MOVA2D instr_mod=2 dst=8");
        const uint32_t words[TSR_MOP_WORDS] = {1, 2, nop, nop, nop, loop, nop, loop, loop};
        for (uint32_t i = 0; i < TSR_MOP_WORDS; i++)
            tsr_store(tile, core, tile_env(tile)->isa->region[REGION_MOP_CONFIG].base + 4 * i,
                      words[i], 4);
    }
    face_unpacker(tile);
    face_matrix(tile, arch);
    face_packer(tile, arch);
    const struct {
        enum tsr_field field;
        uint32_t value;
    } settings[] = {{FIELD_THCON_SEC0_REG6_Source_address, FACE_A / 16},
                    {FIELD_THCON_SEC0_REG6_Destination_address, FACE_C / 16 + 1},
                    {FIELD_THCON_SEC0_REG6_Buffer_size, 2},
                    {FIELD_THCON_SEC0_REG6_Transfer_direction, 0},
                    {FIELD_THCON_SEC0_REG2_Unpack_if_sel_cntx1, 1}, // to Dst
                    {FIELD_THCON_SEC0_REG5_Tile_x_dim_cntx1, FACE},
                    {FIELD_THCON_SEC0_REG3_Base_cntx1_address, FACE_A / 16 - 1}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        tile_field(tile, 0, settings[i].field, settings[i].value);
    tile_push(tile, 0, "SEMINIT sem_sel=1 init_value=0 max_value=1");
    tile_push(tile, 1, "SEMINIT sem_sel=2 init_value=1 max_value=2");
    tile_idle(tile);
    return tile;
}

void race_program_run(tsr_tile *tile, uint64_t seed, FILE *text)
{
    struct random random = {seed * 0x9e3779b97f4a7c15u + 1};
    draw(&random, 2);
    uint32_t steps = 2 + draw(&random, draw(&random, 3) == 0 ? 60 : 20);
    const bool acts = draw(&random, 2), meets = draw(&random, 2);
    for (uint32_t i = 0; i < steps; i++) {
        char line[160];
        int thread = (int)draw(&random, TSR_THREADS);
        if (acts && draw(&random, 4) == 0)
            act(tile, &random, text);
        if (meets && draw(&random, 4) == 0)
            run_scene(tile, &random, text);
        any_line(tile, &random, thread, line, sizeof line);
        if (!meets || draw(&random, 3) == 0)
            push_word(tile, thread, line, text);
        for (uint32_t k = draw(&random, 8); k > 4; k--)
            tsr_step(tile);
    }
    tile_run(tile);
    for (uint32_t i = draw(&random, 4); acts && i > 0; i--)
        act(tile, &random, text);
}
