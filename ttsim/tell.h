// SPDX-License-Identifier: Apache-2.0
// What a simulator tells about what happens in it.
#ifndef TTSIM_TELL_H
#define TTSIM_TELL_H

#include <tessera/chip.h>
#include <tessera/trace.h>

#include <stdio.h>

// `device`: the chip's number, where there are several; -1: there is one.

// A finding in words: where, what and which page.
void ttsim_tell_finding(FILE *file, int device, const tsr_chip_finding *finding);
// The same as one line of JSON.
void ttsim_tell_json(FILE *file, int device, tsr_arch arch, const tsr_chip_finding *finding);
// Who waits for what on the tile of a node, as lines of JSON.
void ttsim_tell_waits(FILE *file, int device, const tsr_node_info *node, const tsr_tile *tile);
// An event of a tile as one line of tab-separated words.
void ttsim_tell_event(FILE *file, int device, tsr_arch arch, const tsr_node_info *node,
                      const tsr_event *event);

#endif
