// SPDX-License-Identifier: Apache-2.0
// Macros of the files that make tables of the rows in machine/. Such a file defines PICK(wh, bh),
// which chooses the column of one chip, before it includes rows.
#ifndef TESSERA_ISA_ROW_MACROS_H
#define TESSERA_ISA_ROW_MACROS_H

// PICK between columns that stand in parentheses, which are taken off.
#define LIST(wh, bh) RESCAN(BARE PICK(wh, bh))
#define BARE(...) __VA_ARGS__
#define RESCAN(...) __VA_ARGS__

// An element of a list if `flag`, which may be a macro, is 1; nothing if it is 0.
#define KEEP_IF(flag, element) KEEP_CAT(flag, element)
#define KEEP_CAT(flag, element) KEEP_##flag(element)
#define KEEP_0(element)
#define KEEP_1(element) element,

#endif
