// SPDX-License-Identifier: Apache-2.0
// The help texts; see command_help.h.
#include "command_help.h"

const char help_run[] =
    "usage: tessera run PROGRAM.ttasm --arch wh|bh [OPTION…]\n\n"
    "Assembles the program, puts its arrays into L1, runs it and reports.\n\n"
    "  --arch wh|bh           the chip\n"
    "  --in NAME=FILE.npy     the array of a tensor; may be repeated\n"
    "  --out NAME=FILE.npy    where a tensor is written after a run that ended well\n"
    "  --timing on|off        count cycles (default: off)\n"
    "  --policy WORD[,WORD…]  strict (default), silicon, conformance, or CODE=stop|record|use,\n"
    "                         CODE being a finding or a category\n"
    "  --trace FILE.json      events for Perfetto or chrome://tracing\n"
    "  --stop-at PLACE        THREAD:NUMBER or THREAD:LABEL: before that instruction;\n"
    "                         a number alone: at that cycle (--timing on). Writes no arrays.\n"
    "  --dump WHAT[,WHAT…]    dst, srca, srcb, cfg, adc, rwc, gpr, sem, l1:ADDRESS:LENGTH\n"
    "  --json                 the report as JSON\n"
    "  --kernels SETS         auto (default), reference, or names of kernel sets\n"
    "  --pipeline WAY         auto (default), or staged: without the bypass of timing off\n"
    "  --max-cycles N         a run that takes longer is a time-out\n"
    "  --seed N               of the tile's random numbers (default: 0)\n\n"
    "Exit status: 0 the run ended well or stopped where it was told to, 1 a finding stopped it, a\n"
    "deadlock, a time-out, 2 wrong input, 3 internal fault.\n";

const char help_check[] =
    "usage: tessera check FILE|FOLDER… [OPTION…]\n\n"
    "Runs conformance cases (.json; .jsonl with one a line) and numeric vectors (.txt); looks\n"
    "into folders for them. Prints a line for each failure, then what was skipped because it is\n"
    "unimplemented, then `N passed, N failed, N skipped`.\n\n"
    "  --timing on|off        with or without the costs in time (default: off)\n"
    "  --kernels SETS         auto (default), reference, or names of kernel sets\n"
    "  --pipeline WAY         auto (default), or staged: without the bypass of timing off\n"
    "  --policy WORD[,WORD…]  conformance (default), strict, silicon, or CODE=stop|record|use\n"
    "  --jobs N               cases at a time (default: the number of processors)\n"
    "  --quiet                only failures and the counts\n"
    "  --verbose              a line for what passed and for what was skipped, too\n\n"
    "docs/conformance.md describes the files and how a failure reads. Exit status: 0 nothing\n"
    "failed, 1 something failed, 2 wrong input, 3 internal fault.\n";

const char help_disasm[] =
    "usage: tessera disasm --arch wh|bh FILE\n\n"
    "FILE (- is the standard input) holds hexadecimal words, one a line; # begins a comment.\n"
    "Prints `MNEMONIC name=value …`, or `.word 0x…` for what is no instruction.\n";

const char help_asm[] =
    "usage: tessera asm --arch wh|bh FILE\n\n"
    "The inverse of disasm: FILE (- is the standard input) holds an instruction a line, # begins\n"
    "a comment. Prints a hexadecimal word for each.\n";

const char help_explain[] =
    "usage: tessera explain NAME [--arch wh|bh]\n"
    "       tessera explain --list [--arch wh|bh]\n\n"
    "Describes an instruction, a configuration field, the code of a finding or a data format:\n"
    "bits, unit, page, and whether and how far it is implemented; of UNPACR, UNPACR_NOP, PACR and\n"
    "PACR_SETREG also the modes. --list prints all names.\n";

const char help_status[] =
    "usage: tessera status [NAME]\n\n"
    "Prints docs/status.md: what is implemented of each chip, from the rows of the machine. With\n"
    "the NAME of an instruction that has modes: the table of its modes and their tests.\n";
