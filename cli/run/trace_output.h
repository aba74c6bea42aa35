// SPDX-License-Identifier: Apache-2.0
// Where a trace is written: a file as it is, or compressed by zlib on the way.
#ifndef CLI_TRACE_OUTPUT_H
#define CLI_TRACE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <zlib.h>

struct trace_output {
    FILE *file;
    bool compress, failed;
    int error; // of errno, of the first write that failed; 0 if none did
    z_stream zip;
};

// False if there is no memory for zlib. The file stays the caller's.
bool trace_output_open(struct trace_output *output, FILE *file, bool compress);
void trace_output_write(struct trace_output *output, const char *text, size_t size);
__attribute__((format(printf, 2, 3))) void trace_output_print(struct trace_output *output,
                                                              const char *format, ...);
// `text` as a JSON string, with its quotes.
void trace_output_string(struct trace_output *output, const char *text);
// Writes what is left. False if anything could not be written.
bool trace_output_close(struct trace_output *output);

#endif
