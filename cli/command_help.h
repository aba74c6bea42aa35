// SPDX-License-Identifier: Apache-2.0
// What `tessera COMMAND --help` prints. docs/cli.md says the same at more length.
#ifndef CLI_COMMAND_HELP_H
#define CLI_COMMAND_HELP_H

extern const char help_run[], help_check[], help_disasm[], help_asm[], help_explain[],
    help_status[];

#endif
