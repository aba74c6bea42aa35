// SPDX-License-Identifier: Apache-2.0
// Each word of each stream's registers, in Tensix and Ethernet tiles of both chips: it is what the
// first row of machine/noc_streams.def that has it says.
// Page: WormholeB0/NoC/Overlay/README.md.
#include "chip/stream_registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const uint16_t first_word[STREAM_REGISTERS][TSR_ARCH_COUNT] = {
#define STREAM(name, wh, bh, width, streams, rule) [name] = {wh, bh},
#include "machine/noc_streams.def"
};

static unsigned words_of(unsigned reg, unsigned stream, bool ethernet)
{
    enum { INFOS = 16, INFO_WORDS = 6 };
    if (reg == STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE)
        return stream < (ethernet ? 2 : 4) ? STREAM_DESTINATIONS : 1;
    return reg == STREAM_RECEIVER_ENDPOINT_MSG_INFO ? INFOS * INFO_WORDS : 1;
}

static void compare(struct tsr_noc_node *node, tsr_arch arch, bool ethernet)
{
    unsigned streams = ethernet ? STREAM_ETHERNET_STREAMS : STREAM_TENSIX_STREAMS;
    unsigned found = 0;
    for (unsigned offset = 0; offset < (streams + 1) * STREAM_BYTES; offset += 4) {
        unsigned stream = offset / STREAM_BYTES, word = offset % STREAM_BYTES / 4, reg = 0;
        while (reg < STREAM_REGISTERS &&
               (word < first_word[reg][arch] ||
                word >= first_word[reg][arch] + words_of(reg, stream, ethernet)))
            reg++;
        if (stream == streams)
            reg = STREAM_REGISTERS;
        struct tsr_stream_place place = tsr_stream_find(node, offset);
        assert_int_equal(place.reg, reg);
        if (reg == STREAM_REGISTERS)
            continue;
        assert_int_equal(place.stream, stream);
        assert_int_equal(place.at, word - first_word[reg][arch]);
        found++;
    }
    assert_true(found > 100 * streams);
}

static void test_places(void **state)
{
    (void)state;
    struct tsr_noc *noc = calloc(1, sizeof *noc);
    assert_non_null(noc);
    for (unsigned i = 0; i < 2 * TSR_ARCH_COUNT; i++) {
        bool ethernet = i % 2;
        struct tsr_noc_node node = {.noc = noc};
        node.place.info.kind = ethernet ? TSR_NODE_ETHERNET : TSR_NODE_TENSIX;
        noc->arch = (tsr_arch)(i / 2);
        tsr_stream_index(noc);
        compare(&node, noc->arch, ethernet);
    }
    free(noc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
