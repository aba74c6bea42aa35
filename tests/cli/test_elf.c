// SPDX-License-Identifier: Apache-2.0
// ELF files for the cores: where their segments go on each chip, and what is refused, each with a
// sentence of its own.
#include "elf/elf_image.h"
#include "elf/elf_lines.h"

#include "cli/elf_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static bool parse(struct elf_image *image, const struct elf_build *build, tsr_arch arch,
                  tsr_core core, struct message *why)
{
    return elf_parse(image, "x.elf", build_copy(build), sizeof *build, arch, core, why);
}

static void accepts(struct elf_image *image, const struct elf_build *build, tsr_arch arch,
                    tsr_core core)
{
    struct message why = {.text = ""};

    if (!parse(image, build, arch, core, &why))
        fail_msg("refused: %s", why.text);
}

static void refuses_of(const struct elf_build *build, tsr_arch arch, tsr_core core,
                       const char *sentence)
{
    struct elf_image image;
    struct message why = {.text = ""};

    assert_false(parse(&image, build, arch, core, &why));
    assert_string_equal(why.text, sentence);
    assert_int_equal(why.status, STATUS_BAD_INPUT);
    elf_free(&image);
}

static void refuses(const struct elf_build *build, const char *sentence)
{
    refuses_of(build, TSR_WORMHOLE_B0, TSR_CORE_T0, sentence);
}

static void test_places(void **state)
{
    (void)state;
    struct elf_image image;
    struct elf_build build;

    build_plain(&build);
    build.header.e_entry = 0x6020;
    build_segment(&build, 1, 0xffb00010, 0x7000, 32); // a load address in L1
    build.segments[1].p_memsz = 64;                   // and some that is cleared by the program
    accepts(&image, &build, TSR_WORMHOLE_B0, TSR_CORE_T0);
    assert_int_equal(image.entry, 0x6020);
    assert_int_equal(image.piece_count, 2);
    assert_int_equal(image.pieces[1].room, ELF_L1);
    assert_int_equal(image.pieces[1].address, 0x7000);
    assert_int_equal(image.pieces[1].size, 32);
    assert_int_equal(image.pieces[1].bytes[0], 64);
    elf_free(&image);

    build_segment(&build, 1, 0xffb00010, 0xffb00010, 32); // none: the RAM itself
    accepts(&image, &build, TSR_BLACKHOLE_A0, TSR_CORE_T2);
    assert_int_equal(image.pieces[1].room, ELF_RAM);
    assert_int_equal(image.pieces[1].address, 0x10);
    elf_free(&image);

    build.sections[1].sh_addr = 0xa000; // .loader_init
    build.sections[1].sh_size = 0x800;
    accepts(&image, &build, TSR_BLACKHOLE_A0, TSR_CORE_T2);
    assert_int_equal(image.pieces[1].room, ELF_L1);
    assert_int_equal(image.pieces[1].address, 0xa000);
    elf_free(&image);
    build_segment(&build, 2, 0xffb00040, 0xffb00040, 16); // all of it, from the first on
    accepts(&image, &build, TSR_BLACKHOLE_A0, TSR_CORE_T2);
    assert_int_equal(image.pieces[2].address, 0xa030);
    elf_free(&image);
}

static void test_instruction_ram(void **state)
{
    (void)state;
    struct elf_image image;
    struct elf_build build;

    build_plain(&build);
    build_segment(&build, 0, 0xffc00100, 0xffc00100, 64);
    build.header.e_entry = 0xffc00100;
    accepts(&image, &build, TSR_WORMHOLE_B0, TSR_CORE_NC);
    assert_int_equal(image.pieces[0].room, ELF_IRAM);
    assert_int_equal(image.pieces[0].address, 0x100);
    elf_free(&image);
    refuses_of(&build, TSR_BLACKHOLE_A0, TSR_CORE_NC,
               "x.elf: a segment of 64 bytes at 0xffc00100 lies in no memory of the core");
    refuses(&build, "x.elf: a segment of 64 bytes at 0xffc00100 lies in no memory of the core");
}

static void test_headers_refused(void **state)
{
    (void)state;
    struct elf_build build;

    build_plain(&build);
    build.header.e_ident[0] = 'x';
    refuses(&build, "x.elf: the file is no ELF file");
    build_plain(&build);
    build.header.e_ident[EI_CLASS] = ELFCLASS64;
    refuses(&build, "x.elf: the file is a 64-bit ELF file; the cores have 32 bits");
    build_plain(&build);
    build.header.e_ident[EI_DATA] = ELFDATA2MSB;
    refuses(&build, "x.elf: the file is big-endian; the cores are little-endian");
    build_plain(&build);
    build.header.e_machine = EM_386;
    refuses(&build, "x.elf: the file is for another machine than RISC-V (number 3)");
    build_plain(&build);
    build.header.e_type = ET_REL;
    refuses(&build, "x.elf: the file is no executable (has it been linked?)");
    build_plain(&build);
    build.header.e_flags = EF_RISCV_RVC;
    refuses(&build,
            "x.elf: the file may have compressed instructions, which the cores do not have; "
            "compile it with -march=rv32im");
    struct elf_image image;
    struct message why;
    assert_false(elf_parse(&image, "x.elf", calloc(1, 1), 0, TSR_WORMHOLE_B0, TSR_CORE_B, &why));
    assert_string_equal(why.text, "x.elf: the file is no ELF file");
    elf_free(&image);
    assert_false(elf_read(&image, "/nowhere/x.elf", TSR_WORMHOLE_B0, TSR_CORE_B, &why));
    assert_int_equal(why.status, STATUS_IO);
    elf_free(&image);
}

static void test_segments_refused(void **state)
{
    (void)state;
    struct elf_build build;

    build_plain(&build);
    build.header.e_phnum = 0;
    refuses(&build, "x.elf: the file has nothing to load");
    build_plain(&build);
    build.segments[0].p_type = PT_NOTE;
    refuses(&build, "x.elf: the file has nothing to load");
    build_plain(&build);
    build.segments[0].p_filesz = build.segments[0].p_memsz = 0x2000;
    refuses(&build, "x.elf: a segment is cut short");
    build_plain(&build);
    build.segments[0].p_memsz = 32;
    refuses(&build, "x.elf: a segment is cut short");
    build_plain(&build);
    build.header.e_entry = 0x6040;
    refuses(&build, "x.elf: there is no instruction at the entry 0x00006040");
    build.header.e_entry = 0x6002;
    refuses(&build, "x.elf: there is no instruction at the entry 0x00006002");
    build_plain(&build);
    build_segment(&build, 1, 0x16dff0, 0x16dff0, 32);
    refuses(&build, "x.elf: a segment of 32 bytes at 0x0016dff0 lies in no memory of the core");
    build_segment(&build, 1, 0xffb007f0, 0xffb007f0, 32);
    refuses(&build, "x.elf: a segment of 32 bytes at 0xffb007f0 lies in no memory of the core");
    build_segment(&build, 1, 0x603f, 0x603f, 32);
    refuses(&build, "x.elf: two segments overlap at address 0x603f");
    build_segment(&build, 1, 0xffb00000, 0xffb00000, 64);
    build.sections[1].sh_addr = 0xa000;
    build.sections[1].sh_size = 32;
    refuses(&build, "x.elf: the image of private RAM has 64 bytes, and .loader_init has room for "
                    "32");
}

static void test_images_apart(void **state)
{
    (void)state;
    struct elf_image one, other;
    struct elf_build build;
    struct message why;

    build_plain(&build);
    build_segment(&build, 1, 0xffb00000, 0xffb00000, 32); // of its own core only
    accepts(&one, &build, TSR_WORMHOLE_B0, TSR_CORE_T0);
    build_segment(&build, 0, 0x6040, 0x6040, 64);
    build.header.e_entry = 0x6040;
    accepts(&other, &build, TSR_WORMHOLE_B0, TSR_CORE_T1);
    assert_true(elf_apart(&one, &other, &why));
    elf_free(&other);
    build_segment(&build, 0, 0x603c, 0x603c, 64);
    accepts(&other, &build, TSR_WORMHOLE_B0, TSR_CORE_T1);
    other.path = "y.elf";
    assert_false(elf_apart(&one, &other, &why));
    assert_string_equal(why.text, "y.elf: the file and x.elf overlap at address 0x603c");
    elf_free(&other);
    elf_free(&one);
}

// A file without debug information has no lines, which is no mistake.
static void test_no_lines(void **state)
{
    (void)state;
    struct elf_image image;
    struct elf_build build;
    struct elf_frame frames[MAX_FRAMES];
    uint32_t address;

    build_plain(&build);
    accepts(&image, &build, TSR_WORMHOLE_B0, TSR_CORE_T0);
    struct elf_lines *lines = elf_lines_open(&image);
    assert_int_equal(elf_frames(lines, 0x6000, frames), 0);
    assert_int_equal(elf_place(lines, 0x6000).line, 0);
    assert_string_equal(elf_place(lines, 0x6000).file, "");
    assert_int_equal(elf_addresses(lines, "main", &address, 1), 0);
    assert_int_equal(elf_addresses(lines, "x.c:3", &address, 1), 0);
    elf_lines_close(lines);
    elf_free(&image);
    elf_lines_close(NULL);
    assert_int_equal(elf_frames(NULL, 0, frames), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),          cmocka_unit_test(test_instruction_ram),
        cmocka_unit_test(test_headers_refused), cmocka_unit_test(test_segments_refused),
        cmocka_unit_test(test_images_apart),    cmocka_unit_test(test_no_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
