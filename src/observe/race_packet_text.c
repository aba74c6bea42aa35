// SPDX-License-Identifier: Apache-2.0
// Races over the NoC in words: who has sent what, and the wait that is missing, as functions of
// <tessera/kernel/noc.h> and as registers. Pages: NoC/Counters.md, NoC/Ordering.md.
#include "observe/race_packet.h"

#include "base/port.h"

#include <stdio.h>
#include <string.h>

void tsr_race_packet_place(const struct tsr_race_record *record, const struct tsr_race_entry *entry,
                           struct tsr_race_place *place)
{
    static const char *const requests[RACE_NOCS][TSR_RACE_NOC_KINDS] = {
        {"read on NoC 0", "write on NoC 0", "atomic on NoC 0"},
        {"read on NoC 1", "write on NoC 1", "atomic on NoC 1"}};
    static const char *const by_stream[RACE_NOCS] = {"write on NoC 0 by a stream",
                                                     "write on NoC 1 by a stream"};
    const struct tsr_race_packet *packet = tsr_race_packet_of(record->chip, entry->count);
    place->core = TSR_AGENT_HOST;
    if (!packet || (entry->until & RACE_ENTRY_HOST))
        return;
    const struct tsr_race_request *request = &packet->request;
    place->request =
        request->stream ? by_stream[request->noc] : requests[request->noc][request->kind];
    place->core = request->agent;
    if (request->agent >= TSR_AGENT_TENSIX) {
        place->core = -1;
        place->thread = request->agent - TSR_AGENT_TENSIX;
        place->unit = TSR_UNIT_COUNT;
    }
    place->pc = request->has_pc ? request->at : 0;
}

// Until the request is complete.
static void barrier(const struct tsr_race_packet *packet, char *text, size_t size)
{
    static const char *const names[TSR_RACE_NOC_KINDS] = {"read", "write", "atomic"};
    const struct tsr_race_request *request = &packet->request;
    if (request->stream)
        snprintf(text, size,
                 "a load of the receiving stream's registers that says that the message has come");
    else if (request->broadcast)
        snprintf(text, size,
                 "tt_noc_wait_acks(%u, before, receivers): NIU_MST_WR_ACK_RECEIVED has gone up by "
                 "the number of receivers (noc_async_%s_barrier)",
                 request->noc, names[request->kind]);
    else if (!request->answered)
        snprintf(text, size,
                 "NOC_CMD_RESP_MARKED in the request and tt_noc_wait(%u, %u), or a flag of the "
                 "receiver's",
                 request->noc, request->transaction);
    else
        snprintf(text, size,
                 "tt_noc_wait(%u, %u): NIU_MST_REQS_OUTSTANDING_ID(%u) of NoC %u is 0 "
                 "(noc_async_%s_barrier)",
                 request->noc, request->transaction, request->transaction, request->noc,
                 names[request->kind]);
}

// Until the data of a write have been read.
static void flush(const struct tsr_race_packet *packet, char *text, size_t size)
{
    const struct tsr_race_request *request = &packet->request;
    if (request->stream)
        snprintf(text, size,
                 "a load of a register of stream %u that says that the message has been sent",
                 request->stream - 1u);
    else
        snprintf(text, size,
                 "tt_noc_wait_sent(%u, %u): NIU_MST_WRITE_REQS_OUTGOING_ID(%u) of NoC %u is 0 "
                 "(noc_async_writes_flushed)",
                 request->noc, request->transaction, request->transaction, request->noc);
}

// Whether the core that has sent the request does the other access, too, by a request or itself.
static bool is_by_sender(const struct tsr_race_record *record,
                         const struct tsr_race_request *request, const struct tsr_race_entry *other)
{
    const struct tsr_race_packet *packet =
        other->agent == RACE_PACKET ? tsr_race_packet_of(record->chip, other->count) : NULL;
    if (packet)
        return packet->request.node == request->node && packet->request.agent == request->agent;
    return record->node == request->node && other->agent == RACE_CORE + request->agent;
}

// Whether the sender has told who acts how far it was behind the request.
static bool has_told(const struct tsr_race_record *record, const struct tsr_race_packet *packet)
{
    const struct tsr_race_request *request = &packet->request;
    return record->node == request->node ||
           tsr_race_far_upto(record->actor.clock->far, tsr_race_release_key(request)) >
               packet->number;
}

// The request is the earlier one: its sender has to wait for it and, unless both are its own, to
// tell the other.
static void wait_behind(const struct tsr_race_record *record, struct tsr_race_found *race,
                        const struct tsr_race_entry *earlier, const struct tsr_race_entry *later)
{
    const struct tsr_race_packet *packet = tsr_race_packet_of(record->chip, earlier->count);
    char text[200], sender[48];
    const char *tells = "";
    if (!packet)
        return;
    if ((earlier->until & RACE_ROLE) == TSR_RACE_AT_SOURCE)
        flush(packet, text, sizeof text);
    else
        barrier(packet, text, sizeof text);
    tsr_race_agent_text(&race->earlier, true, sender, sizeof sender);
    if (!packet->request.stream && !is_by_sender(record, &packet->request, later))
        tells = has_told(record, packet) ? ", before it tells the other by a flag or semaphore"
                                         : "; then a flag or semaphore that the other waits for "
                                           "(tt_noc_increment(), noc_semaphore_inc)";
    snprintf(race->wait, sizeof race->wait, "%s (%s, behind its %s)%s", text, sender,
             race->earlier.request, tells);
}

// The request is the later one: its core has to know that the other is done.
static void wait_before(const struct tsr_race_record *record, struct tsr_race_found *race,
                        const struct tsr_race_entry *earlier)
{
    const struct tsr_race_packet *packet = record->actor.packet;
    char sender[48];
    if (packet == &record->chip->host) {
        snprintf(race->wait, sizeof race->wait,
                 "a flag, set behind the %s, that the host waits for",
                 earlier->write ? "write" : "read");
        return;
    }
    tsr_race_agent_text(&race->later, true, sender, sizeof sender);
    if (tsr_race_store_order(record, earlier) == RACE_RELIED_ON)
        snprintf(race->wait, sizeof race->wait,
                 "tt_wait_for(tt_load(address)): load what was stored last to L1 (%s, before its "
                 "%s)",
                 sender, race->later.request);
    else if (packet->request.node == record->node)
        snprintf(race->wait, sizeof race->wait,
                 "a wait of %s, before its %s, for a semaphore or flag that is set behind the %s",
                 sender, race->later.request, earlier->write ? "write" : "read");
    else
        snprintf(race->wait, sizeof race->wait,
                 "a flag or semaphore of tile %u-%u, set behind the %s there, that %s waits for "
                 "before its %s (tt_noc_increment(), noc_semaphore_inc)",
                 record->node % record->chip->columns, record->node / record->chip->columns,
                 earlier->write ? "write" : "read", sender, race->later.request);
}

void tsr_race_packet_wait(const struct tsr_race_record *record, struct tsr_race_found *race,
                          const struct tsr_race_entry *earlier, const struct tsr_race_entry *later)
{
    if (earlier->agent == RACE_PACKET)
        wait_behind(record, race, earlier, later);
    else if (record->actor.packet)
        wait_before(record, race, earlier);
}
