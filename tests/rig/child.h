// SPDX-License-Identifier: Apache-2.0
// A part of a test in a process of its own, and what it says on stderr.
#ifndef TESSERA_TESTS_RIG_CHILD_H
#define TESSERA_TESTS_RIG_CHILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char said[20000]; // by the last child
static int said_torn;    // pieces of it that do not end a line

// Runs `body` in a child, takes what it says on stderr through `ends`, and returns its status.
static inline int child_through(int ends[2], int arch, void (*body)(int arch))
{
    int status = -1;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        body(arch);
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    said_torn = 0;
    for (ssize_t got; (got = read(ends[0], said + used, sizeof said - 1 - used)) > 0;) {
        used += (size_t)got;
        said_torn += said[used - 1] != '\n';
    }
    said[used] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline int child(int arch, void (*body)(int arch))
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    return child_through(ends, arch, body);
}

static inline int count_of(const char *text)
{
    int count = 0;
    for (const char *at = said; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

static inline void assert_said(const char *text)
{
    if (!strstr(said, text))
        fail_msg("no '%s' in: %s", text, said);
}

#endif
