// SPDX-License-Identifier: Apache-2.0
// Bytes of a trace to a file; see trace_output.h.
#include "run/trace_output.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { GZIP_WINDOW = 15 + 16, CHUNK = 16384, LONGEST = 2048 };

bool trace_output_open(struct trace_output *output, FILE *file, bool compress)
{
    *output = (struct trace_output){.file = file, .compress = compress};
    return !compress || deflateInit2(&output->zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                                     8, Z_DEFAULT_STRATEGY) == Z_OK;
}

static void put(struct trace_output *output, const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, output->file) == size)
        return;
    if (!output->failed)
        output->error = errno;
    output->failed = true;
}

static void squeeze(struct trace_output *output, int flush)
{
    unsigned char chunk[CHUNK];

    do {
        output->zip.next_out = chunk;
        output->zip.avail_out = CHUNK;
        if (deflate(&output->zip, flush) == Z_STREAM_ERROR) {
            output->failed = true;
            return;
        }
        put(output, chunk, CHUNK - output->zip.avail_out);
    } while (output->zip.avail_out == 0);
}

void trace_output_write(struct trace_output *output, const char *text, size_t size)
{
    if (!output->compress) {
        put(output, text, size);
        return;
    }
    output->zip.next_in = (z_const Bytef *)text;
    output->zip.avail_in = (uInt)size;
    squeeze(output, Z_NO_FLUSH);
}

void trace_output_print(struct trace_output *output, const char *format, ...)
{
    char text[LONGEST];
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= LONGEST)
        output->failed = true; // a half entry would make the whole file unreadable
    else
        trace_output_write(output, text, (size_t)length);
}

void trace_output_string(struct trace_output *output, const char *text)
{
    trace_output_write(output, "\"", 1);
    while (*text != '\0') {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\')
            plain++;
        trace_output_write(output, text, plain);
        text += plain;
        if (*text != '\0')
            trace_output_print(output, "\\u%04x", (unsigned)(unsigned char)*text++);
    }
    trace_output_write(output, "\"", 1);
}

bool trace_output_close(struct trace_output *output)
{
    if (output->compress) {
        output->zip.next_in = NULL;
        output->zip.avail_in = 0;
        squeeze(output, Z_FINISH);
        deflateEnd(&output->zip);
    }
    return !output->failed;
}
