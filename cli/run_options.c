// SPDX-License-Identifier: Apache-2.0
// The rows of `tessera run`'s options; see run_options.h and docs/cli.md.
#include "run_options.h"

#include <stddef.h>

const struct option_row run_options[RUN_OPTIONS] = {
    [RUN_ARCH] = {"arch", "wh|bh", "the chip", "wh bh", false},
    [RUN_CHIP] = {"chip", "wh|bh", "a whole chip, instead of --arch; places are X,Y then", "wh bh",
                  false},
    [RUN_GRID] = {"grid", "FILE.yaml",
                  "a description of what runs on which tiles of a chip, and of its arrays", NULL,
                  false},
    [RUN_ELF] =
        {"elf", "CORE=FILE[,CORE=FILE…]",
         "compiled programs instead of PROGRAM.ttasm; CORE is brisc, trisc0, trisc1, trisc2 "
         "or ncrisc; may be repeated; with --chip X,Y:CORE=FILE, X and Y a tile's NoC 0 "
         "coordinates, or ranges as 1-4; of an Ethernet tile CORE is erisc or erisc1",
         "brisc= trisc0= trisc1= trisc2= ncrisc=", false},
    [RUN_LOAD] = {"load", "FILE@ADDRESS",
                  "bytes for L1 (--elf); may be repeated; with --chip "
                  "FILE@X,Y:ADDRESS",
                  NULL, false},
    [RUN_NOC_WRITE] = {"noc-write", "X,Y:ADDRESS=FILE",
                       "bytes for a node, as the NoC would write them (--chip); may be repeated",
                       NULL, false},
    [RUN_HARVESTED] =
        {"harvested", "MASK",
         "Tensix tiles that are fused off (--chip): a bit for each row (wh) or column "
         "(bh) of NoC 0 coordinates",
         "", false},
    [RUN_LINKS] =
        {"links", "CHIP:TILE-CHIP:TILE[,…]",
         "Ethernet tiles of several chips (--chip), by their numbers, that links connect; places "
         "are CHIP/X,Y then",
         "", false},
    [RUN_UNTIL] = {"until", "ADDRESS=VALUE",
                   "end the run when that word of L1 has the value (--elf); with --chip "
                   "X,Y:ADDRESS=VALUE, also of DRAM",
                   "", false},
    [RUN_IN] = {"in", "NAME=FILE", "the array (.npy) of a tensor; may be repeated", NULL, false},
    [RUN_OUT] = {"out", "NAME=FILE",
                 "where a tensor is written after a run that completed; may be repeated", NULL,
                 false},
    [RUN_TIMING] = {"timing", "on|off", "count cycles (default: off)", "on off", false},
    [RUN_POLICY] = {"policy", "WORD[,WORD…]",
                    "strict (default), silicon (default with --elf), conformance, or "
                    "CODE=stop|record|use|ignore, CODE being a finding or a category",
                    "strict silicon conformance", false},
    [RUN_FINDINGS_FAIL] = {"findings-fail", "CATEGORY",
                           "exit status 1 if a run that completed has a finding; with CATEGORY, "
                           "which may be a code and several with commas, one of those",
                           "undefined-behaviour unpredictable-value non-contractual "
                           "missing-specification unimplemented bad-input deadlock race "
                           "unguaranteed-order",
                           true},
    [RUN_TRACE] = {"trace", "FILE",
                   "events as JSON for Perfetto or chrome://tracing, also of a run that fails; "
                   "compressed if the name ends in .gz; with --chip X,Y=FILE, of that tile",
                   NULL, false},
    [RUN_TRACE_FROM] = {"trace-from", "CYCLE",
                        "leave out what was over before that cycle (--timing on)", "", false},
    [RUN_TRACE_TO] = {"trace-to", "CYCLE", "leave out what began after that cycle (--timing on)",
                      "", false},
    [RUN_STOP_AT] = {"stop-at", "PLACE",
                     "THREAD:NUMBER or THREAD:LABEL: before that instruction; a number alone: at "
                     "that cycle (--timing on); with --elf [CORE:]FUNCTION or "
                     "[CORE:]FILE:LINE. Writes no arrays.",
                     "", false},
    [RUN_DUMP] = {"dump", "WHAT[,WHAT…]",
                  "dst, srca, srcb, cfg, adc, rwc, gpr, sem, lreg, l1:ADDRESS:LENGTH; as numbers "
                  "dst:FORMAT, srca:FORMAT, l1:ADDRESS:FORMAT[:TILES]; rows of dst, srca and srcb "
                  "last: dst:fp32:0-63; with --elf also ADDRESS:LENGTH=FILE: bytes of L1 to a "
                  "file, after a run that completed; with --chip X,Y:WHAT[,WHAT…] or "
                  "X,Y:ADDRESS:LENGTH=FILE",
                  "dst srca srcb cfg adc rwc gpr sem lreg l1:", false},
    [RUN_DUMP_AT] = {"dump-at", "PLACE[,PLACE…]",
                     "dump at these places, too; a PLACE is one of --stop-at", "", false},
    [RUN_JSON] = {"json", NULL, "the report as JSON", NULL, false},
    [RUN_KERNELS] = {"kernels", "SETS", "auto (default), reference, or names of kernel sets",
                     "auto reference portable avx2 avx512", false},
    [RUN_PIPELINE] = {"pipeline", "auto|staged",
                      "auto (default), or staged: without shortcuts, slower", "auto staged", false},
    [RUN_SCHEDULE] = {"schedule", "card|eager|late|random",
                      "the order of what nothing orders (--timing off): as on a card (default), "
                      "units done at once, as late as can be, or as --seed says; random:N is the "
                      "same as random with --seed N",
                      "card eager late random", false},
    [RUN_MAX_CYCLES] = {"max-cycles", "N",
                        "a run that takes longer is a time-out (--timing on, or --elf)", "", false},
    [RUN_SEED] =
        {"seed", "N",
         "of the tile's random numbers, or with --schedule random of the order (default: 0)", "",
         false},
    [RUN_THREADS] = {"threads", "N",
                     "host threads that step the tiles of a chip, at most 64 (default: 1)", "",
                     false},
    [RUN_RACES] = {"races", NULL,
                   "find accesses that conflict and that no wait orders; a run that completed "
                   "with one has exit status 1; TESSERA_RACES=on in the environment does the same",
                   NULL, false},
    [RUN_WAITS] = {"waits", NULL,
                   "say of each wait what it orders; runs the program once more for each, and "
                   "looks for races in each run",
                   NULL, false},
    [RUN_DELETIONS] = {"deletions", NULL,
                       "remove each wait, semaphore step and mutex, one at a time, and say how "
                       "that shows; runs the programs once more for each, and looks for races in "
                       "each run (--elf)",
                       NULL, false},
};

bool run_choice(struct tile_choice *choice, int option, const char *word, bool *taken,
                struct message *why)
{
    *taken = true;
    switch ((enum run_option)option) {
    case RUN_TIMING:
        return choose_timing(choice, word, why);
    case RUN_POLICY:
        return choose_policy(choice, word, why);
    case RUN_KERNELS:
        choice->options.kernels = word;
        return true;
    case RUN_PIPELINE:
        return choose_pipeline(choice, word, why);
    case RUN_SCHEDULE:
        return choose_schedule(choice, word, why);
    case RUN_SEED:
        return take_number(&choice->options.seed, "--seed", word, why);
    case RUN_RACES:
    case RUN_WAITS:
    case RUN_DELETIONS:
        choice->options.find_races = true;
        return true;
    default:
        *taken = false;
        return false;
    }
}
