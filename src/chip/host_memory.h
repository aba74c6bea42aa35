// SPDX-License-Identifier: Apache-2.0
// The host's memory as the device reaches it.
#ifndef TESSERA_CHIP_HOST_MEMORY_H
#define TESSERA_CHIP_HOST_MEMORY_H

#include "chip/chip_state.h"

// `offset` counts from the base of the PCI Express tile's window to the host. False: the host
// offers no memory; a read gives zeros.
bool tsr_host_memory_read(tsr_chip *chip, uint64_t offset, void *bytes, size_t size);
bool tsr_host_memory_write(tsr_chip *chip, uint64_t offset, const void *bytes, size_t size);

#endif
