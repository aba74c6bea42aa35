// SPDX-License-Identifier: Apache-2.0
// A linker script for each baby core; see kernel_header.h. Cores stand one after the other in L1,
// each with its code and the image of its private RAM, which start.h copies: where the vendor's
// test kernels have them, too. On Wormhole NC's code is in its instruction RAM.
#include "kernel/kernel_header.h"

#include <inttypes.h>
#include <string.h>

enum { CODE_SIZE = 0x4000 };

static bool find_region(tsr_arch arch, const char *name, tsr_memory_info *region)
{
    for (int i = 0; tsr_memory_at(arch, i, region) == TSR_OK; i++)
        if (strcmp(region->name, name) == 0)
            return true;
    return false;
}

static tsr_memory_info ram_of(tsr_arch arch, tsr_core core)
{
    bool thread = core >= TSR_CORE_T0 && core <= TSR_CORE_T2;
    tsr_memory_info region = {.size = 0};

    find_region(arch, thread ? "LOCAL_RAM_T" : "LOCAL_RAM", &region);
    return region;
}

static void print_memory(FILE *file, tsr_arch arch, tsr_core core)
{
    tsr_memory_info ram = ram_of(arch, core), iram;
    uint32_t code = 0, size = CODE_SIZE;

    for (int before = TSR_CORE_B; before < (int)core; before++)
        code += CODE_SIZE + ram_of(arch, (tsr_core)before).size;
    uint32_t image = code + CODE_SIZE;
    if (core == TSR_CORE_NC && find_region(arch, "IRAM", &iram)) {
        image = code;
        code = iram.base;
    }
    fprintf(file,
            "MEMORY\n{\n"
            "    CODE (rx) : ORIGIN = 0x%08" PRIx32 ", LENGTH = 0x%" PRIx32 "\n"
            "    IMAGE (r) : ORIGIN = 0x%08" PRIx32 ", LENGTH = 0x%" PRIx32 "\n"
            "    RAM (rw) : ORIGIN = 0x%08" PRIx32 ", LENGTH = 0x%" PRIx32 "\n}\n",
            code, size, image, ram.size, ram.base, ram.size);
}

// What is constant goes to the RAM, too: loads from there take two cycles, those from L1 eight. Two
// segments and no more: a linker that chooses by itself may put the file's own headers in front of
// one, where no memory is. The vendor's debugger does not load by segments: it puts .ldm_data where
// a section .loader_init begins.
static const char sections[] =
    "ENTRY(_start)\n"
    "PHDRS\n{\n"
    "    code PT_LOAD FLAGS(5);\n"
    "    data PT_LOAD FLAGS(6);\n"
    "}\n"
    "SECTIONS\n{\n"
    "    .init : { KEEP(*(.init)) } > CODE :code\n"
    "    .text : { *(.text .text.*) } > CODE :code\n"
    "    .loader_init : { . = .; } > IMAGE :data\n"
    "    .ldm_data :\n    {\n"
    "        . = ALIGN(4);\n"
    "        __ldm_data_start = .;\n"
    "        *(.rodata .rodata.* .srodata .srodata.*)\n"
    "        *(.data .data.*)\n"
    "        __global_pointer$ = . + 0x400;\n"
    "        *(.sdata .sdata.*)\n"
    "        . = ALIGN(4);\n"
    "        __ldm_data_end = .;\n"
    "    } > RAM AT> IMAGE :data\n"
    "    __ldm_data_load = LOADADDR(.ldm_data);\n"
    "    .bss (NOLOAD) :\n    {\n"
    "        __ldm_bss_start = .;\n"
    "        *(.sbss .sbss.* .bss .bss.* COMMON)\n"
    "        . = ALIGN(4);\n"
    "        __ldm_bss_end = .;\n"
    "    } > RAM :data\n"
    "    __stack_top = ORIGIN(RAM) + LENGTH(RAM);\n"
    "    ASSERT(__ldm_bss_end + 256 <= __stack_top, \"no room is left for the stack\")\n"
    "    /DISCARD/ : { *(.eh_frame .eh_frame_hdr .comment .note.*) }\n"
    "}\n";

void linker_script_print(FILE *file, tsr_arch arch, tsr_core core)
{
    fprintf(file,
            "/* SPDX-License-Identifier: Apache-2.0\n"
            "   %s of %s: made by `tessera kernel-header` of Tessera %s. */\n",
            tsr_core_program_name(core), tsr_arch_name(arch), tsr_version());
    print_memory(file, arch, core);
    fputs(sections, file);
}
