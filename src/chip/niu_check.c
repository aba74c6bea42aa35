// SPDX-License-Identifier: Apache-2.0
// The pages' rules, in the order in which a request is looked at. Whether the receiver has the
// address is not known here; it answers itself (noc_perform.c).
// Pages: NoC/MemoryMap.md, NoC/Alignment.md of each chip, NoC/Atomics.md.
#include "chip/niu_check.h"

#include "base/finding_codes.h"
#include "chip/noc_fault.h"
#include "chip/noc_route.h"

// What the steps work on.
struct check {
    const struct tsr_noc *noc;
    const struct tsr_noc_node *node;
    const struct tsr_niu *niu;
    const struct tsr_niu_request *request;
    const struct tsr_noc_packet *packet;
    struct tsr_noc_access *access;
    int which;
    unsigned receiver; // of a broadcast: any Tensix tile
};

#define ASK(check, code, ...) tsr_noc_fault((check)->access, code, __VA_ARGS__)

enum tsr_noc_space tsr_noc_space_of(const struct tsr_noc *noc, unsigned node, uint64_t address)
{
    enum { MMIO_FROM = 0xff };
    tsr_node_kind kind = noc->node[node].place.info.kind;
    if (kind != TSR_NODE_TENSIX && kind != TSR_NODE_ETHERNET)
        return TSR_SPACE_OTHER;
    return (address >> 24 & 0xff) == MMIO_FROM ? TSR_SPACE_MMIO : TSR_SPACE_L1;
}

static const char *name(const struct tsr_noc_packet *packet)
{
    static const char *const names[] = {"read", "write", "atomic"};
    return packet->inline_data ? "inline write" : names[packet->kind];
}

// ---------------------------------------------------------------- kind and place

static enum tsr_niu_verdict check_kind(const struct check *check)
{
    uint32_t control = check->request->control;
    if (NOC_BITS(control, REQUEST_TYPE) == NOC_CMD_RESERVED)
        return ASK(check, FINDING_NOC_REQUEST,
                   "NOC_CTRL=0x%08x has request type 3, which is "
                   "reserved; nothing is sent.",
                   (unsigned)control)
                   ? TSR_NIU_ASK
                   : TSR_NIU_DROP;
    if (check->packet->kind == NOC_READ && NOC_BITS(control, NOC_CMD_BRCST_PACKET) &&
        ASK(check, FINDING_NOC_REQUEST,
            "NOC_CTRL=0x%08x asks for a read by broadcast; it is sent to one tile.",
            (unsigned)control))
        return TSR_NIU_ASK;
    const uint32_t known = (2u << EXCLUDE_ENABLED_FIRST) - (1u << EXCLUDE_START_X_FIRST);
    if (check->packet->broadcast && check->packet->exclude & ~known &&
        ASK(check, FINDING_UNDOCUMENTED_MODE,
            "NOC_BRCST_EXCLUDE=0x%08x has bits that neither a page nor vendor software names.",
            (unsigned)check->packet->exclude))
        return TSR_NIU_ASK;
    return TSR_NIU_SEND;
}

static bool outside(const struct check *check, unsigned x, unsigned y)
{
    return tsr_noc_node_at(check->noc, check->which, x, y) == TSR_NOC_NOWHERE;
}

static enum tsr_niu_verdict check_place(struct check *check)
{
    const struct tsr_noc_packet *packet = check->packet;
    bool lost = outside(check, packet->x, packet->y);
    if (lost || (packet->broadcast && outside(check, packet->start_x, packet->start_y)))
        return ASK(check, FINDING_NOC_COORDINATE,
                   "The %s request goes to (%u, %u) of NoC %d, which has %u columns and %u rows; "
                   "nothing is sent.",
                   name(packet), lost ? packet->x : packet->start_x,
                   lost ? packet->y : packet->start_y, check->which, check->noc->width,
                   check->noc->height)
                   ? TSR_NIU_ASK
                   : TSR_NIU_DROP;
    if (packet->marked && outside(check, packet->response_x, packet->response_y))
        return ASK(check, FINDING_NOC_COORDINATE,
                   "The response to a %s request goes to (%u, %u) of NoC %d, which has %u columns "
                   "and %u rows; nothing is sent.",
                   name(packet), packet->response_x, packet->response_y, check->which,
                   check->noc->width, check->noc->height)
                   ? TSR_NIU_ASK
                   : TSR_NIU_DROP;
    check->receiver = tsr_noc_node_at(check->noc, check->which, packet->x, packet->y);
    if (packet->broadcast)
        check->receiver = tsr_noc_some_receiver(check->noc, packet);
    if (check->receiver == TSR_NOC_NOWHERE)
        return ASK(check, FINDING_NOC_BROADCAST,
                   "No tile takes the broadcast to (%u, %u) - (%u, %u) of NoC %d.", packet->start_x,
                   packet->start_y, packet->x, packet->y, check->which)
                   ? TSR_NIU_ASK
                   : TSR_NIU_DROP;
    return TSR_NIU_SEND;
}

// ---------------------------------------------------------------- virtual channels

static bool check_channel(const struct check *check)
{
    const struct tsr_noc_packet *packet = check->packet;
    uint32_t control = check->request->control;
    unsigned class_bits = check->request->virtual_channel >> 1;
    if (NOC_BITS(control, NOC_CMD_VC_STATIC) &&
        (packet->broadcast ? class_bits != 2 : class_bits > 1) &&
        ASK(check, FINDING_NOC_VIRTUAL_CHANNEL,
            "NOC_CTRL=0x%08x has virtual channel %u for a %s; %s.", (unsigned)control,
            check->request->virtual_channel, packet->broadcast ? "broadcast" : "unicast request",
            packet->broadcast ? "only 4 and 5 are" : "only 0 to 3 are"))
        return false;
    const struct tsr_niu *niu = check->niu;
    uint32_t to = packet->kind == NOC_WRITE && !packet->inline_data ? check->request->ret_place
                                                                    : check->request->targ_place;
    if (niu->linked &&
        (niu->linked_to != to || niu->linked_broadcast != packet->broadcast ||
         niu->linked_y_major != packet->y_major) &&
        ASK(check, FINDING_NOC_VIRTUAL_CHANNEL,
            "A %s request to (%u, %u) follows one with NOC_CMD_VC_LINKED that went elsewhere: all "
            "of a transaction go to the same place.",
            name(packet), packet->x, packet->y))
        return false;
    unsigned channel = tsr_niu_chosen_channel(check->request);
    if (niu->linked && niu->linked_channel && channel && niu->linked_channel != channel &&
        ASK(check, FINDING_NOC_VIRTUAL_CHANNEL,
            "A %s request on virtual channel %u follows one with NOC_CMD_VC_LINKED on %u: all of a "
            "transaction take the same.",
            name(packet), channel - 1, niu->linked_channel - 1u))
        return false;
    return true;
}

// ---------------------------------------------------------------- lengths and addresses

static bool misaligned(const struct check *check, uint64_t source, uint64_t destination,
                       const char *rule)
{
    return ASK(check, FINDING_NOC_ALIGNMENT,
               "A %s request of %llu bytes from 0x%llx to 0x%llx: %s.", name(check->packet),
               (unsigned long long)check->request->length, (unsigned long long)source,
               (unsigned long long)destination, rule);
}

// The table of requests with a length. False: leave.
static bool check_congruence(const struct check *check, enum tsr_noc_space from, uint64_t source,
                             enum tsr_noc_space to, uint64_t destination)
{
    uint64_t length = check->request->length, distance = source ^ destination;
    unsigned other = check->noc->layout->fact[NOC_OTHER_CONGRUENCE];
    if (to == TSR_SPACE_MMIO) {
        if (length != 4 &&
            ASK(check, FINDING_NOC_LENGTH,
                "A %s request of %llu bytes goes to register 0x%llx, which takes 4.",
                name(check->packet), (unsigned long long)length, (unsigned long long)destination))
            return false;
        if (((source | destination) % 4 != 0 || (from != TSR_SPACE_MMIO && distance % 16 != 0)) &&
            misaligned(check, source, destination,
                       "both must be multiples of 4, and congruent modulo 16 unless both are "
                       "registers"))
            return false;
        return true;
    }
    if (from == TSR_SPACE_MMIO) {
        if (length > 4 - source % 4 &&
            ASK(check, FINDING_NOC_LENGTH,
                "A %s request of %llu bytes comes from register 0x%llx, which has 4.",
                name(check->packet), (unsigned long long)length, (unsigned long long)source))
            return false;
        return distance % 4 == 0 ||
               !misaligned(check, source, destination, "both must be congruent modulo 4");
    }
    unsigned modulus = from == TSR_SPACE_OTHER ? other : 16;
    if (distance % modulus == 0)
        return true;
    return !misaligned(check, source, destination,
                       modulus == 16   ? "both must be congruent modulo 16"
                       : modulus == 32 ? "both must be congruent modulo 32"
                                       : "both must be congruent modulo 64");
}

static bool check_length(const struct check *check, uint64_t source, uint64_t destination)
{
    const uint16_t *fact = check->noc->layout->fact;
    uint64_t length = check->request->length;
    uint64_t most = tsr_niu_packet_bytes(check->noc->layout);
    if (length == 0 &&
        ASK(check, FINDING_NOC_LENGTH, "A %s request has a length of 0.", name(check->packet)))
        return false;
    if (length > most * UINT8_MAX &&
        ASK(check, FINDING_NOC_LENGTH,
            "A %s request of %llu bytes is more than the %llu that counters of 8 bits can count.",
            name(check->packet), (unsigned long long)length, (unsigned long long)most * UINT8_MAX))
        return false;
    // What is split needs more (Counters.md).
    return length <= most || (source | destination) % fact[NOC_FLIT_BYTES] == 0 ||
           !misaligned(check, source, destination,
                       "a request that is split needs multiples of 32 (Blackhole: 64)");
}

// Masks of bytes.
static bool check_mask(const struct check *check, enum tsr_noc_space from, enum tsr_noc_space to)
{
    const struct tsr_noc_packet *packet = check->packet;
    uint64_t source = check->request->source, destination = packet->address;
    unsigned mask = check->noc->layout->fact[NOC_MASK_BYTES];
    if (packet->inline_data) // L1 is rounded down to 16 bytes
        return to != TSR_SPACE_MMIO || destination % 4 == 0 ||
               !misaligned(check, 0, destination, "a register's address is a multiple of 4");
    if (to == TSR_SPACE_MMIO && from == TSR_SPACE_MMIO)
        return (source | destination) % 4 == 0 ||
               !misaligned(check, source, destination, "registers' addresses are multiples of 4");
    if (to == TSR_SPACE_MMIO)
        return (destination % 4 == 0 && (source ^ destination) % 16 == 0) ||
               !misaligned(check, source, destination,
                           "a register's address is a multiple of 4, and congruent to the data's "
                           "modulo 16");
    bool right =
        destination % mask == 0 && (from == TSR_SPACE_MMIO ? source % 4 == 0 : source % mask == 0);
    return right || !misaligned(check, source, destination,
                                "with a mask of bytes both begin where the mask does");
}

static bool check_addresses(const struct check *check)
{
    const struct tsr_noc_packet *packet = check->packet;
    enum tsr_noc_space at = tsr_noc_space_of(check->noc, check->receiver, packet->address);
    if (packet->kind == NOC_READ) {
        unsigned back =
            tsr_noc_node_at(check->noc, check->which, packet->response_x, packet->response_y);
        enum tsr_noc_space to = tsr_noc_space_of(check->noc, back, packet->response_address);
        return check_length(check, packet->address, packet->response_address) &&
               check_congruence(check, at, packet->address, to, packet->response_address);
    }
    if (packet->kind == NOC_ATOMIC)
        return true;
    enum tsr_noc_space from =
        tsr_noc_space_of(check->noc, check->node->index, check->request->source);
    if (packet->inline_data || packet->masked)
        return check_mask(check, from, at);
    return check_length(check, check->request->source, packet->address) &&
           check_congruence(check, from, check->request->source, at, packet->address);
}

// ---------------------------------------------------------------- what some tiles do not take

static bool is_atomic(unsigned code)
{
    switch (code) {
#define NOC_ATOMIC(name, code) case NOC_ATOMIC_##name:
#include "machine/noc_registers.def"
        return true;
    default:
        return false;
    }
}

static enum tsr_niu_verdict check_atomic(const struct check *check)
{
    const struct tsr_noc_packet *packet = check->packet;
    unsigned code = NOC_BITS(packet->operation, NOC_AT_INS);
    if (tsr_noc_space_of(check->noc, check->receiver, packet->address) != TSR_SPACE_L1)
        return ASK(check, FINDING_NOC_REQUEST,
                   "An atomic request goes to 0x%llx of (%u, %u), which is not L1; nothing is "
                   "sent.",
                   (unsigned long long)packet->address, packet->x, packet->y)
                   ? TSR_NIU_ASK
                   : TSR_NIU_DROP;
    if (!is_atomic(code))
        return ASK(check, FINDING_NOC_REQUEST,
                   "NOC_AT_LEN_BE=0x%08x has atomic operation %u, which no page has; nothing is "
                   "sent.",
                   (unsigned)packet->operation, code)
                   ? TSR_NIU_ASK
                   : TSR_NIU_DROP;
    unsigned back =
        tsr_noc_node_at(check->noc, check->which, packet->response_x, packet->response_y);
    if (packet->marked &&
        tsr_noc_space_of(check->noc, back, packet->response_address) != TSR_SPACE_L1 &&
        ASK(check, FINDING_NOC_REQUEST,
            "The result of an atomic request goes to 0x%llx of (%u, %u), which is not L1.",
            (unsigned long long)packet->response_address, packet->response_x, packet->response_y))
        return TSR_NIU_ASK;
    if (packet->marked && packet->response_address % 4 != 0 &&
        ASK(check, FINDING_NOC_ALIGNMENT,
            "The result of an atomic request goes to 0x%llx, which is no multiple of 4.",
            (unsigned long long)packet->response_address))
        return TSR_NIU_ASK;
    return TSR_NIU_SEND;
}

static enum tsr_niu_verdict check_receiver(const struct check *check)
{
    const struct tsr_noc_packet *packet = check->packet;
    tsr_node_kind kind = check->noc->node[check->receiver].place.info.kind;
    enum tsr_noc_space at = tsr_noc_space_of(check->noc, check->receiver, packet->address);
    bool blackhole = check->noc->arch == TSR_BLACKHOLE_A0;
    if (packet->kind == NOC_ATOMIC)
        return check_atomic(check);
    if (packet->inline_data && at == TSR_SPACE_OTHER)
        return ASK(check, FINDING_NOC_REQUEST,
                   "An inline write goes to (%u, %u), a tile that takes none; nothing is sent.",
                   packet->x, packet->y)
                   ? TSR_NIU_ASK
                   : TSR_NIU_DROP;
    if (packet->inline_data && blackhole && at == TSR_SPACE_L1 &&
        ASK(check, FINDING_NOC_ERRATUM,
            "An inline write goes to L1 at 0x%llx, which Blackhole does not do safely.",
            (unsigned long long)packet->address))
        return TSR_NIU_ASK;
    if (blackhole && NOC_BITS(check->request->control, NOC_CMD_L1_ACC_AT_EN) &&
        ASK(check, FINDING_NOC_ERRATUM,
            "NOC_CMD_L1_ACC_AT_EN cannot be used safely; data are stored, not accumulated."))
        return TSR_NIU_ASK;
    if (!blackhole && packet->kind == NOC_WRITE && packet->marked && packet->transaction != 0 &&
        (kind == TSR_NODE_PCIE || kind == TSR_NODE_ARC) &&
        ASK(check, FINDING_NOC_ERRATUM,
            "A write to (%u, %u) has transaction %u; its acknowledgement decrements the counter "
            "of transaction 0.",
            packet->x, packet->y, packet->transaction))
        return TSR_NIU_ASK;
    return TSR_NIU_SEND;
}

enum tsr_niu_verdict tsr_niu_check(const struct tsr_noc_node *node, int which,
                                   const struct tsr_niu_request *request,
                                   struct tsr_noc_access *access)
{
    struct check check = {.noc = node->noc,
                          .node = node,
                          .niu = &node->niu[which],
                          .request = request,
                          .packet = &request->packet,
                          .access = access,
                          .which = which};
    enum tsr_niu_verdict verdict = check_kind(&check);
    if (verdict == TSR_NIU_SEND)
        verdict = check_place(&check);
    if (verdict == TSR_NIU_SEND && !check_channel(&check))
        verdict = TSR_NIU_ASK;
    if (verdict == TSR_NIU_SEND)
        verdict = check_receiver(&check);
    if (verdict == TSR_NIU_SEND && !check_addresses(&check))
        verdict = TSR_NIU_ASK;
    return verdict;
}
