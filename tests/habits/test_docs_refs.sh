#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the documents refer to is there; each rule of tools/check_docs.sh refuses its canary.
set -eu
. "$SOURCE_DIR/tests/habits/canary.sh"
check="$SOURCE_DIR/tools/check_docs.sh"

put src/unit/move.c <<'END'
// move_of_old() is gone. Page: Unit/MoveThings.md.
int tsr_move(struct tsr_thing *thing) { return step_on(thing->place); }
END
put include/tessera/thing.h </dev/null
put machine/rows.def <<'END'
PAGE(Known, "WormholeB0/Unit/README.md")
END
put tests/unit/move/test_move.c <<'END'
static void test_sideways(void **state) {}
END
put tools/run.sh </dev/null
mkdir docs
cat >README.md <<'END'
Files: `src/unit/move.c`, `unit/move.c`, `move.c`, `move.c:tsr_move`, `test_*.c`,
`<tessera/thing.h>`, `tests/unit/UNIT/`, `src/FOLDER/*.c`, `"../../machine/rows.def"`,
`sh tools/run.sh FILE.csv`, `*.inc`.
Names: `tsr_move()`, `struct tsr_thing`, `tsr_move`, `step_on()` in `thing.h`, `src/unit/move.c`,
`test_sideways`, `test_side*`, `test_move`,
`tsr_thing.place`, `THCON_SEC0`, `--option=gone.x`, `a | b`.
Pages: `Unit/MoveThings.md`, `MoveThings.md`, `WormholeB0/Other.md`, `BlackholeA0/Other.md`.
Links: [page](docs/page.md), [part](docs/page.md#part), [web](https://example.org/x.md).

    sh tools/gone.sh

```
`gone.c`
```
END
echo '[back](../README.md)' >docs/page.md
passes "$check" .

# canary WHAT TEXT: refused with `WHAT` in a document that has TEXT.
canary()
{
    echo "$2" >docs/bad.md
    refuses "docs/bad.md:1: \`$1\`: " "$check" .
    rm docs/bad.md
}
canary 'src/unit/gone.c' 'See `src/unit/gone.c`.'
canary 'other/move.c' 'See `other/move.c`.'
canary 'ove.c' 'See `ove.c`.'
canary 'move.h' 'See `move.h`.'
canary 'test_gone.c' '| a | `test_move.c`, `test_gone.c` |'
canary 'gone_*.c' '`gone_*.c`'
canary 'move.c:tsr_gone' '`move.c:tsr_gone`'
canary 'tools/gone.sh' '`sh tools/gone.sh FILE`'
canary 'src/gone/' '`src/gone/`'
canary 'tests/gone' '`tests/gone`'
canary 'Gone.md' 'Page `Gone.md`.'
canary 'move_of_old()' '`move_of_old()`'
canary 'move_of_old()' '`move_of_old(thing)` and `move_of_old()`'
canary 'step_on()' '`step_on()` in `thing.h`, `test_move.c`'
canary 'tsr_gone' '`tsr_gone`'
canary 'TSR_GONE' '`TSR_GONE`'
canary 'gone' '`struct gone`'
canary 'tsr_thing.gone' '`tsr_thing.gone`'
canary 'test_gone' '`test_gone`'
canary 'test_gone*' '`test_gone*`'
canary 'gone.md' '[page](gone.md)'

judge "$check" .
