// SPDX-License-Identifier: Apache-2.0
// The findings of a chip: of its tiles, and of accesses that concern none.
#ifndef TESSERA_CHIP_CHIP_FINDINGS_H
#define TESSERA_CHIP_CHIP_FINDINGS_H

#include "chip/chip_state.h"

#if defined(__GNUC__)
#define TSR_CHIP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TSR_CHIP_PRINTF(text, first)
#endif

// A finding about a node (NULL: about none) that is not its tile's, once for each address. False:
// it stops the chip.
bool tsr_chip_report(tsr_chip *chip, const struct tsr_node *node, enum tsr_finding code,
                     uint64_t address, const char *format, ...) TSR_CHIP_PRINTF(5, 6);
// The list of the node's tile; NULL: it has none yet.
struct tsr_findings *tsr_chip_findings_of(const struct tsr_node *node);
// Takes what is new in the node's tile, or in the chip's own list, into the list of all.
void tsr_chip_collect(tsr_chip *chip, struct tsr_node *node);
void tsr_chip_collect_own(tsr_chip *chip);
// The chip's own list when it is made.
void tsr_chip_findings_begin(tsr_chip *chip);
void tsr_chip_findings_clear(tsr_chip *chip);

#endif
