// SPDX-License-Identifier: Apache-2.0
// Files in a folder of their own; see cli_fixtures.h.
#include "cli/cli_fixtures.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_FILES = 8 };

static char folder[64];
static char paths[MAX_FILES][128];
static int next_path;

const char *fixture_file(const char *name, const void *bytes, size_t size)
{
    char *path = paths[next_path++ % MAX_FILES];

    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "/tmp/tessera-test.XXXXXX");
        if (mkdtemp(folder) == NULL)
            abort();
    }
    if (path[0] != '\0')
        unlink(path);
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

void fixture_remove_all(void)
{
    for (int i = 0; i < MAX_FILES; i++)
        if (paths[i][0] != '\0')
            unlink(paths[i]);
    if (folder[0] != '\0')
        rmdir(folder);
}

uint32_t fixture_random(void)
{
    static uint32_t state = 88675123u;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}
