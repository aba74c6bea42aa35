#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The include directions hold; each rule of tools/check_layers.sh refuses its canary.
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
passes "$check" .

# canary MESSAGE FILE INCLUDE: the include, added to the good tree in FILE.
canary()
{
    printf '#include %s\n' "$3" | put "$2"
    refuses "$1" "$check" .
    rm "$2"
}
canary 'src/unpack must not see src/pack' src/unpack/extra.c '"pack/plan.h"'
canary 'src/state must not see src/matrix' src/state/extra.c '"matrix/move.h"'
canary 'src/base must not see src/isa' src/base/extra.h '"isa/isa.h"'
canary 'src/isa must not see src/numerics' src/isa/extra.c '"numerics/add.h"'
canary 'src/riscv must not see src/tile' src/riscv/extra.c '"tile/tile.h"'
canary 'src/frontend must not see src/tile' src/frontend/extra.c '"tile/tile.h"'
canary 'src/tile must not see src/chip' src/tile/extra.c '"chip/noc.h"'
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
canary 'a public header includes' include/tessera/extra.h '<stdio.h>'
canary 'a public header includes' include/tessera/extra.h '"base/low.h"'
canary 'rows include rows only' machine/extra.def '"base/low.h"'

judge "$check" .
