// SPDX-License-Identifier: Apache-2.0
// The file that `tessera run --trace` writes: viewers drop slices of a track that overlap in part,
// so there are none; findings and pending waits are in it; it is there however the run ended, and
// nothing else is.
#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>
#include <jansson.h>

enum { MAX_WORDS = 32, MAX_SLICES = 400000 };

static char folder[] = "/tmp/tessera-trace.XXXXXX";

// ---------------------------------------------------------------- runs

// `tessera` with these words, separated by blanks, in the folder; gives the child.
static pid_t begin_command(const char *format, ...)
{
    char line[1024], *words[MAX_WORDS + 1];
    int count = 0;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *word = strtok(line, " "); word != NULL && count < MAX_WORDS;
         word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        optind = 1;
        exit(cmd_run(count, words));
    }
    assert_true(child > 0);
    return child;
}

static int end_command(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return status;
}

static int exit_status(pid_t child)
{
    int status = end_command(child);

    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#define RUN(...) exit_status(begin_command(__VA_ARGS__))
#define ADD(chip, timing)                                                                          \
    "run " TESSERA_SOURCE_DIR "/examples/add/add.ttasm --in A=" TESSERA_SOURCE_DIR                 \
    "/examples/add/a.npy --in B=" TESSERA_SOURCE_DIR "/examples/add/b.npy --arch " chip            \
    " --timing " timing

#define MATMUL TESSERA_SOURCE_DIR "/examples/matmul/"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// What is in the folder beside the trace and the programs.
static int other_files(void)
{
    DIR *entries = opendir(".");
    int others = 0;

    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        others += entry->d_name[0] != '.' && strcmp(entry->d_name, "t.json") != 0 &&
                  strstr(entry->d_name, ".ttasm") == NULL;
    closedir(entries);
    return others;
}

// ---------------------------------------------------------------- what a trace says

// Compressed or not.
static json_t *load(const char *name)
{
    json_error_t error;
    size_t size = 0, room = 1 << 20;
    char *text = malloc(room);
    gzFile file = gzopen(name, "rb");

    assert_non_null(file);
    for (int got; (got = gzread(file, text + size, (unsigned)(room - size))) > 0;) {
        size += (size_t)got;
        if (size == room)
            text = realloc(text, room *= 2);
    }
    gzclose(file);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("%s:%d: %s", name, error.line, error.text);
    free(text);
    return root;
}

struct slice {
    int process, track;
    json_int_t begin, end;
};

static int compare_slices(const void *left, const void *right)
{
    const struct slice *a = left, *b = right;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

static json_int_t number(const json_t *event, const char *key)
{
    return json_integer_value(json_object_get(event, key));
}

static const char *string(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));

    return text == NULL ? "" : text;
}

static size_t take_slices(const json_t *root, struct slice *slices)
{
    const json_t *event;
    size_t index, count = 0;

    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        if (strcmp(string(event, "ph"), "X") != 0)
            continue;
        assert_true(count < MAX_SLICES);
        assert_true(number(event, "dur") > 0);
        slices[count++] =
            (struct slice){(int)number(event, "pid"), (int)number(event, "tid"),
                           number(event, "ts"), number(event, "ts") + number(event, "dur")};
    }
    qsort(slices, count, sizeof slices[0], compare_slices);
    return count;
}

static bool track_has_name(const json_t *root, const struct slice *slice)
{
    const json_t *event;
    size_t index;

    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        if (strcmp(string(event, "ph"), "M") == 0 &&
            strcmp(string(event, "name"), "thread_name") == 0 &&
            number(event, "pid") == slice->process && number(event, "tid") == slice->track)
            return true;
    }
    return false;
}

// Slices of a track come by their begin: each lies inside of all that are open then. Gives the
// number of slices of the units and of what threads issued.
static void check_slices(const json_t *root, size_t *of_units, size_t *issued)
{
    static struct slice slices[MAX_SLICES];
    json_int_t open[64];
    size_t count = take_slices(root, slices);
    int depth = 0;

    *of_units = *issued = 0;
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        const struct slice *slice = &slices[i];
        if (i == 0 || slice->process != slice[-1].process || slice->track != slice[-1].track) {
            depth = 0;
            assert_true(track_has_name(root, slice));
        }
        while (depth > 0 && open[depth - 1] <= slice->begin)
            depth--;
        if (depth > 0 && slice->end > open[depth - 1])
            fail_msg("process %d track %d: a slice from %d to %d, another one to %d",
                     slice->process, slice->track, (int)slice->begin, (int)slice->end,
                     (int)open[depth - 1]);
        assert_true(depth < 64);
        open[depth++] = slice->end;
        *of_units += slice->process == 1;
        *issued += slice->process == 2 && slice->track % 2 == 1;
    }
}

static const json_t *find_event(const json_t *root, const char *key, const char *value)
{
    const json_t *event;
    size_t index;

    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        if (strcmp(string(event, key), value) == 0)
            return event;
    }
    return NULL;
}

// ---------------------------------------------------------------- tests

static void check_whole(const char *name)
{
    size_t of_units, issued;
    json_t *root = load(name);

    check_slices(root, &of_units, &issued);
    assert_true(of_units > 100);
    assert_int_equal(of_units, issued); // an instruction is on both tracks
    assert_null(find_event(root, "cat", "pending"));
    json_decref(root);
}

static void test_slices_nest_or_are_apart(void **state)
{
    static const char *const chips[] = {"wh", "bh"}, *const timings[] = {"on", "off"};

    (void)state;
    for (int i = 0; i < 4; i++) {
        const char *timing = timings[i / 2], *chip = chips[i % 2];
        assert_int_equal(RUN(ADD("%s", "%s") " --out C=c.npy --trace t.json", chip, timing), 0);
        check_whole("t.json");
        assert_int_equal(RUN("run " MATMUL "matmul.ttasm --in A=" MATMUL "left.npy --in B=" MATMUL
                             "right.npy --out LOFI=c.npy --out HIFI2=d.npy --out HIFI4=e.npy "
                             "--trace t.json --arch %s --timing %s",
                             chip, timing),
                         0);
        check_whole("t.json");
    }
    remove("c.npy");
    remove("d.npy");
    remove("e.npy");
    remove("t.json");
}

// Thread 0 takes from an empty semaphore and then waits for it, thread 1 for operands.
static const char deadlock[] = ".thread 0\nSEMINIT sem_sel=1 max_value=1\n"
                               "SEMGET sem_sel=1\n"
                               "SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2\nSEMPOST sem_sel=1\n"
                               ".thread 1\nELWADD\n";

static void test_deadlock_shows_its_waits(void **state)
{
    (void)state;
    write_file("dead.ttasm", deadlock);
    for (int timing = 0; timing < 2; timing++) {
        size_t of_units, issued;
        write_file("t.json", "old");
        assert_int_equal(
            RUN("run dead.ttasm --arch bh --trace t.json --timing %s", timing ? "on" : "off"), 1);
        json_t *root = load("t.json");
        check_slices(root, &of_units, &issued);
        const json_t *pending = find_event(root, "cat", "pending");
        assert_non_null(pending);
        assert_int_equal(number(pending, "tid"), 2);
        pending = json_object_get(pending, "args");
        assert_non_null(strstr(string(pending, "what"), "SEMPOST is held by a SEMWAIT"));
        assert_non_null(strstr(string(pending, "release"), "a SEMPOST of semaphore"));
        const json_t *finding = find_event(root, "name", "instruction-deadlock");
        assert_string_equal(string(finding, "ph"), "i");
        assert_string_equal(string(finding, "s"), "g");
        // One that did not end the run, at its thread and before what came after it.
        finding = find_event(root, "name", "semaphore-at-zero");
        assert_string_equal(string(finding, "s"), "t");
        assert_int_equal(number(finding, "tid"), 1);
        assert_int_equal(number(json_object_get(finding, "args"), "sequence"), 2);
        assert_true(number(finding, "ts") <= number(find_event(root, "name", "SEMWAIT"), "ts"));
        json_decref(root);
    }
    remove("t.json");
}

static void test_window(void **state)
{
    enum { FROM = 300, TO = 400 };
    static struct slice whole[MAX_SLICES], part[MAX_SLICES];
    size_t inside = 0;

    (void)state;
    assert_int_equal(RUN(ADD("wh", "on") " --out C=c.npy --trace t.json"), 0);
    assert_int_equal(
        RUN(ADD("wh", "on") " --out C=c.npy --trace p.json --trace-from %d --trace-to %d", FROM,
            TO),
        0);
    json_t *all = load("t.json"), *some = load("p.json");
    size_t all_count = take_slices(all, whole), count = take_slices(some, part);
    for (size_t i = 0; i < all_count; i++)
        inside += whole[i].begin <= TO && whole[i].end > FROM;
    assert_int_equal(count, inside);
    assert_true(count > 0 && count < all_count);
    for (size_t i = 0; i < count; i++)
        assert_true(part[i].begin <= TO && part[i].end > FROM);
    json_decref(all);
    json_decref(some);
    remove("c.npy");
    remove("t.json");
    remove("p.json");
}

static void test_compressed(void **state)
{
    unsigned char magic[2];

    (void)state;
    assert_int_equal(RUN(ADD("bh", "on") " --out C=c.npy --trace t.json"), 0);
    assert_int_equal(RUN(ADD("bh", "on") " --out C=c.npy --trace t.json.gz"), 0);
    FILE *file = fopen("t.json.gz", "rb");
    assert_int_equal(fread(magic, 1, 2, file), 2);
    fclose(file);
    assert_true(magic[0] == 0x1f && magic[1] == 0x8b);
    json_t *plain = load("t.json"), *packed = load("t.json.gz");
    assert_true(json_equal(plain, packed));
    json_decref(plain);
    json_decref(packed);
    remove("c.npy");
    remove("t.json");
    remove("t.json.gz");
}

// True if a file under a temporary name has anything in it.
static bool has_begun(void)
{
    DIR *entries = opendir(".");
    bool begun = false;

    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        struct stat file;
        if (strstr(entry->d_name, "t.json.tessera-") != NULL && stat(entry->d_name, &file) == 0)
            begun = file.st_size > 0;
    }
    closedir(entries);
    return begun;
}

static void stop_by(int signal_number, const char *timing)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    pid_t child =
        begin_command("run long.ttasm --arch wh --timing %s --out T=x.npy --trace t.json", timing);

    while (!has_begun())
        nanosleep(&pause, NULL);
    assert_int_equal(kill(child, signal_number), 0);
    int status = end_command(child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), signal_number);
    assert_int_equal(other_files(), 0);
    json_t *root = load("t.json");
    assert_non_null(find_event(root, "name", "SETADCXX"));
    json_decref(root);
    remove("t.json");
}

static void test_signal_leaves_the_trace_only(void **state)
{
    (void)state;
    write_file("long.ttasm",
               ".tensor T, bf16, tiled 32x32, 0x1000, out, shape 32x32\n.thread 0\n.rep 400000\n"
               "SETADCXX CntSetMask=1 x_end2=9\n.endr\n");
    stop_by(SIGINT, "on");
    stop_by(SIGTERM, "off");
    remove("long.ttasm");
}

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave_folder(void **state)
{
    (void)state;
    remove("dead.ttasm");
    return chdir("/") != 0 || rmdir(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_nest_or_are_apart),
        cmocka_unit_test(test_deadlock_shows_its_waits),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_signal_leaves_the_trace_only),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
