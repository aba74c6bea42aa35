// SPDX-License-Identifier: Apache-2.0
// Writing under a temporary name in the same folder, then renaming.
#include "common/out_file.h"

#include "common/in_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40, MAX_TARGET = 4096 };

static void forget(struct out_file *out)
{
    free(out->path);
    free(out->temporary);
    *out = (struct out_file){0};
}

// What a link at `path` names: its text, after the folder of the link unless it is absolute. A null
// pointer if there is no link.
static char *link_target(const char *path)
{
    char text[MAX_TARGET];
    ssize_t length = readlink(path, text, sizeof text - 1);

    if (length < 0)
        return NULL;
    text[length] = '\0';
    const char *slash = strrchr(path, '/');
    size_t folder = slash == NULL || text[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    char *target = malloc(folder + (size_t)length + 1);
    if (target != NULL) {
        memcpy(target, path, folder);
        memcpy(target + folder, text, (size_t)length + 1);
    }
    return target;
}

// The file behind symbolic links, which renaming would replace. It need not be there yet. A null
// pointer, errno being set, if links lead in a circle.
static char *behind_links(const char *path)
{
    char *place = strdup(path);

    for (int i = 0; place != NULL && i < MAX_LINKS; i++) {
        char *target = link_target(place);
        if (target == NULL)
            return place;
        free(place);
        place = target;
    }
    int error = place == NULL ? ENOMEM : ELOOP;
    free(place);
    errno = error;
    return NULL;
}

static bool open_temporary(struct out_file *out)
{
    size_t size = strlen(out->path) + sizeof ".tessera-XXXXXX";

    out->temporary = malloc(size);
    if (out->temporary == NULL)
        return false;
    snprintf(out->temporary, size, "%s.tessera-XXXXXX", out->path);
    int descriptor = mkstemp(out->temporary);
    if (descriptor < 0)
        return false;
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(descriptor, 0666 & ~mask); // mkstemp gives 0600
    out->file = fdopen(descriptor, "wb");
    if (out->file != NULL)
        return true;
    close(descriptor);
    unlink(out->temporary);
    return false;
}

bool out_open(struct out_file *out, const char *path, struct message *why)
{
    struct stat present;

    if (is_standard_stream(path)) {
        *out = (struct out_file){.file = stdout};
        return true;
    }
    if (*path == '\0')
        return message_io(why, path, "written", ENOENT);
    // The file is replaced at the end, which must not happen to a folder or a device.
    if (stat(path, &present) == 0 && !S_ISREG(present.st_mode))
        return message_set(why, "%s: this is not a regular file", path);
    *out = (struct out_file){.path = behind_links(path)};
    if (out->path != NULL && open_temporary(out))
        return true;
    int error = errno;
    forget(out);
    return message_io(why, path, "written", error);
}

bool out_commit(struct out_file *out, struct message *why)
{
    bool ok = ferror(out->file) == 0;

    errno = 0;
    if (out->path == NULL) {
        ok = fflush(out->file) == 0 && ok;
        if (!ok)
            message_io(why, "-", "written", errno);
        forget(out);
        return ok;
    }
    ok = fclose(out->file) == 0 && ok;
    ok = ok && rename(out->temporary, out->path) == 0;
    if (!ok) {
        message_io(why, out->path, "written", errno);
        unlink(out->temporary);
    }
    forget(out);
    return ok;
}

bool output_arrives(FILE *file, struct message *why)
{
    errno = 0;
    return (fflush(file) == 0 && ferror(file) == 0) || message_io(why, "-", "written", errno);
}

void out_discard(struct out_file *out)
{
    if (out->file == NULL)
        return;
    if (out->path != NULL) {
        fclose(out->file);
        unlink(out->temporary);
    }
    forget(out);
}
