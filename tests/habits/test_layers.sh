#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The include directions hold and no files include each other in a circle; each rule of
# tools/check_layers.sh refuses its canary.
set -eu
. "$SOURCE_DIR/tests/habits/canary.sh"
check="$SOURCE_DIR/tools/check_layers.sh"

put src/base/low.h </dev/null
put src/state/cell.h <<'END'
#include "base/low.h"
#include "machine/row.def"
#include "../../machine/row.def"
#include <tessera/tessera.h>
#include <stdint.h>
END
put src/matrix/move.c <<'END'
#include "numerics/add.h"
#include "state/cell.h"
END
put cli/own.h </dev/null
put cli/common/message.h </dev/null
put cli/run/report.c <<'END'
#include "run/report.h"
#include "tensor/npy.h"
#include "common/message.h"
#include <sys/stat.h>
END
put cli/main.c <<'END'
#include "own.h"
#include "run/report.h"
#include "explain/modes.def"
#include <jansson.h>
#include <tessera/tessera.h>
END
put include/tessera/tessera.h <<'END'
#include <stdint.h>
END
put ttsim/tell.h </dev/null
put ttsim/entry.c <<'END'
#include "tell.h"
#include <tessera/tessera.h>
#include <stdio.h>
END
put src/base/fresh_pages.c <<'END'
#include <sys/mman.h>
END
passes "$check" . ''

# canary MESSAGE FILE INCLUDE: the include, added to the good tree in FILE.
canary()
{
    printf '#include %s\n' "$3" | put "$2"
    refuses "$1" "$check" . ''
    rm "$2"
}
canary 'src/unpack must not see src/pack' src/unpack/extra.c '"pack/plan.h"'
canary 'src/state must not see src/matrix' src/state/extra.c '"matrix/move.h"'
canary 'the library includes public headers' src/base/extra.c '<sys/mman.h>'
canary 'src/base must not see src/isa' src/base/extra.h '"isa/isa.h"'
canary 'src/isa must not see src/numerics' src/isa/extra.c '"numerics/add.h"'
canary 'src/riscv must not see src/tile' src/riscv/extra.c '"tile/tile.h"'
canary 'src/frontend must not see src/tile' src/frontend/extra.c '"tile/tile.h"'
canary 'src/tile must not see src/chip' src/tile/extra.c '"chip/noc_delivery.h"'
canary 'has no place in the table' src/other/extra.c '"base/low.h"'
canary 'does not read rows' src/vector/extra.c '"machine/row.def"'
canary 'does not read rows' src/pack/extra.c '"../../machine/row.def"'
canary 'relative to src/' src/tile/extra.c '"extra.h"'
canary 'relative to src/' src/tile/extra.c '"../base/low.h"'
canary 'relative to src/' src/tile/extra.c '"../../machine/../src/base/low.h"'
canary 'the C library only' src/tile/extra.c '<pthread.h>'
canary 'the C library only' src/tile/extra.c '<math.h>'
canary 'the C library only' src/tile/extra.c '<immintrin.h>'
canary 'has no room base' cli/extra.c '"base/low.h"'
canary 'relative to cli/' cli/extra.c '"../src/base/low.h"'
canary 'relative to cli/' cli/run/extra.c '"report.h"'
canary 'relative to cli/' cli/run/extra.c '"own.h"'
canary 'relative to cli/' cli/run/extra.c '"../common/message.h"'
canary 'cli/tensor must not see cli/run' cli/tensor/extra.h '"run/report.h"'
canary 'cli/check must not see cli/run' cli/check/extra.c '"run/report.h"'
canary 'the table of rooms' cli/other/extra.c '"common/message.h"'
canary 'system headers only' cli/run/extra.c '<base/low.h>'
canary 'its own files only' ttsim/extra.c '"chip/chip_state.h"'
canary 'its own files only' ttsim/extra.c '<base/low.h>'
canary 'a public header includes' include/tessera/extra.h '<stdio.h>'
canary 'a public header includes' include/tessera/extra.h '"base/low.h"'
canary 'rows include rows only' machine/extra.def '"base/low.h"'

# Circles. A chain is none, nor is a file that includes its own header.
echo '#include "base/low.h"' | put src/state/one.h
echo '#include "state/one.h"' | put src/state/two.h
printf '#include "state/two.h"\n#include "state/cell.h"\n' | put src/state/two.c
echo '#include "state/two.h"' | put src/matrix/three.h
passes "$check" . ''

# Two files: a header and a source are enough.
echo '#include "state/two.h"' | put src/state/one.c
refuses 'src/state/one.h -> src/state/two.h -> src/state/one.h' "$check" . ''
refuses 'src/state/two.h:3 includes state/one.h' "$check" . ''
refuses 'src/state/one.c:3 includes state/two.h' "$check" . ''
passes "$check" . 'src/state/one src/state/two'
rm src/state/one.c
refuses 'stale: no circle any more: src/state/one' "$check" . 'src/state/one src/state/two'

# Three files, one of them of rows; what hangs on the circle is no part of it.
echo '#include "state/four.def"' | put src/state/one.c
echo '#include "state/two.h"' | put src/state/four.def
echo '#include "state/four.def"' | put src/state/five.c
refuses 'src/state/four.def -> src/state/two.h -> src/state/one.h -> src/state/four.def' \
    "$check" . ''
# The shortest way is shown.
echo '#include "state/two.h"' | put src/state/one.c
refuses 'src/state/one.h -> src/state/two.h -> src/state/one.h' "$check" . ''
rm src/state/one.c src/state/four.def src/state/five.c

# Functions that another file defines count as well, whichever header declares them. Comments,
# static functions of the same name and prototypes in headers do not.
put src/state/six.c <<'END'
int tsr_six(int a,
            int b)
{
    return a + tsr_seven(b); // tsr_two()
}
END
put src/state/seven.c <<'END'
static int near_six(int a)
{
    return a;
}
int tsr_seven(int a)
{
    return near_six(a); /* tsr_six() */
}
END
put src/state/eight.c <<'END'
int near_six(int a)
{
    return tsr_seven(a);
}
END
echo 'int tsr_six(int a, int b);' | put src/state/seven.h
passes "$check" . ''
put src/state/seven.c <<'END'
int tsr_seven(int a)
{
    return a;
}
const struct tsr_ops ops = {.six = tsr_six};
END
refuses 'src/state/seven.c -> src/state/six.c -> src/state/seven.c' "$check" . ''
refuses 'src/state/six.c:6 names tsr_seven() of src/state/seven.c' "$check" . ''
refuses 'src/state/seven.c:7 names tsr_six() of src/state/six.c' "$check" . ''
rm src/state/six.c src/state/seven.? src/state/eight.c

# In a room of the command, and in rows.
echo '#include "run/far.h"' | put cli/run/deep.h
echo '#include "run/near.h"' | put cli/run/far.h
echo '#include "run/deep.h"' | put cli/run/near.h
refuses 'cli/run/deep.h -> cli/run/far.h -> cli/run/near.h -> cli/run/deep.h' "$check" . ''
rm cli/run/near.h
passes "$check" . ''
echo '#include "machine/other.def"' | put machine/row.def
echo '#include "row.def"' | put machine/other.def
refuses 'machine/other.def -> machine/row.def -> machine/other.def' "$check" . ''

judge "$check" .
