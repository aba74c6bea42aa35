// SPDX-License-Identifier: Apache-2.0
// The modifiers of vector instructions and the LRegs as enumerators, from machine/vector_modes.def:
// modifiers by the names of the ISA pages, LRegs by those of tt-llk. A name has one value, which
// means nothing on a chip that lacks it. Pages: SFP*.md of each chip, LReg.md.
#ifndef TESSERA_BASE_VECTOR_MODES_H
#define TESSERA_BASE_VECTOR_MODES_H

enum {
#define VECTOR_MODE_sfpu(name, value) name = (value),
#define VECTOR_MODE_p_sfpu(name, value) TSR_##name = (value),
#define VECTOR_MODE_p_sfpswap(name, value)         // SFPSWAP_MOD1_*, by another name
#define VECTOR_MODE_InstrModLoadStore(name, value) // MOD0_FMT_*, by another name
#define VECTOR_MODE(prefix, name, operand, wh, bh, text) VECTOR_MODE_##prefix(name, bh)
#include "machine/vector_modes.def"
#undef VECTOR_MODE_sfpu
#undef VECTOR_MODE_p_sfpu
#undef VECTOR_MODE_p_sfpswap
#undef VECTOR_MODE_InstrModLoadStore
};

#endif
