// SPDX-License-Identifier: Apache-2.0
// Writing under a temporary name in the same folder, then renaming.
#include "common/out_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct out_file *out)
{
    free(out->path);
    free(out->temporary);
    *out = (struct out_file){0};
}

bool out_open(struct out_file *out, const char *path, struct message *why)
{
    size_t size = strlen(path) + sizeof ".tessera-XXXXXX";
    int descriptor = -1;
    struct stat present;

    // The file is replaced at the end, which must not happen to a folder or a device.
    if (stat(path, &present) == 0 && !S_ISREG(present.st_mode))
        return message_set(why, "%s: this is not a regular file", path);
    *out = (struct out_file){.path = strdup(path), .temporary = malloc(size)};
    if (out->path != NULL && out->temporary != NULL) {
        snprintf(out->temporary, size, "%s.tessera-XXXXXX", path);
        descriptor = mkstemp(out->temporary);
    }
    if (descriptor >= 0) {
        mode_t mask = umask(0);
        umask(mask);
        (void)fchmod(descriptor, 0666 & ~mask); // mkstemp gives 0600
        out->file = fdopen(descriptor, "wb");
    }
    if (out->file != NULL)
        return true;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(out->temporary);
    }
    forget(out);
    return message_set(why, "%s: the file cannot be written", path);
}

bool out_commit(struct out_file *out, struct message *why)
{
    bool ok = ferror(out->file) == 0;

    ok = fclose(out->file) == 0 && ok;
    ok = ok && rename(out->temporary, out->path) == 0;
    if (!ok) {
        unlink(out->temporary);
        message_set(why, "%s: the file cannot be written", out->path);
    }
    forget(out);
    return ok;
}

void out_discard(struct out_file *out)
{
    if (out->file == NULL)
        return;
    fclose(out->file);
    unlink(out->temporary);
    forget(out);
}
