// SPDX-License-Identifier: Apache-2.0
// The DMA engines of the PCI Express tile: their registers, and what a doorbell has them copy.
#ifndef TESSERA_CHIP_PCIE_DMA_H
#define TESSERA_CHIP_PCIE_DMA_H

#include "chip/chip_state.h"

// An access of the device at an address of BAR 0: a read into `to`, or a write of what is at
// `from`. False: something there has nothing.
typedef bool tsr_dma_device(tsr_chip *chip, uint64_t address, uint8_t *to, const uint8_t *from,
                            size_t size);

// Aligned words, from the engines' first register. False: none of the registers.
bool tsr_dma_load(tsr_chip *chip, uint32_t offset, uint32_t *value);
bool tsr_dma_store(tsr_chip *chip, uint32_t offset, uint32_t value, tsr_dma_device *device);

#endif
