// SPDX-License-Identifier: Apache-2.0
// The version, which the build takes from project() in CMakeLists.txt.
#include <tessera/tessera.h>

const char *tsr_version(void)
{
    return TESSERA_VERSION;
}
