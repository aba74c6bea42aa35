// SPDX-License-Identifier: Apache-2.0
// The PCI Express tile's own state: TLB entries, address translation, DMA engines, the host's
// memory.
#ifndef TESSERA_CHIP_PCIE_STATE_H
#define TESSERA_CHIP_PCIE_STATE_H

#include <tessera/chip.h>

enum { TSR_TLB_BYTES = 0xa58, TSR_IATU_BYTES = 0x2000, TSR_DMA_BYTES = 0x1200 };

struct tsr_pcie {
    uint8_t tlb[TSR_TLB_BYTES];
    uint32_t iatu[TSR_IATU_BYTES / 4];
    uint32_t dma[TSR_DMA_BYTES / 4];
    tsr_host_memory host;
};

#endif
