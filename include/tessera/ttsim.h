// SPDX-License-Identifier: Apache-2.0
// The interface of libttsim_wh.so and libttsim_bh.so: that of the vendor's simulator, as its public
// document docs/libttsim_api.md (tenstorrent/ttsim) has it, so that hosts that drive that one drive
// Tessera without a change. One simulator a library and process, of one chip or, as TESSERA_CHIPS
// says, of several, each a device; one thread at a time.
//
// What differs: nothing here ends the process, unless TESSERA_ON_FINDING=exit says so. What has no
// effect, and what a kernel does that it should not, is said on stderr, once.
// docs/running-real-kernels.md has the environment variables.
#ifndef TESSERA_TTSIM_H
#define TESSERA_TTSIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// After libttsim_exit() the simulator may begin anew.
void libttsim_init(void);
void libttsim_exit(void);

// For what the device reads and writes in the host's memory; kept until they are set again.
void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t paddr, void *dst, uint32_t size),
                                        void (*write)(uint64_t paddr, const void *src,
                                                      uint32_t size));

// Ones for a device that is not there. Writes do nothing.
uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset);
void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data);

// At addresses of the BARs, as the configuration space has them.
void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *dst, uint32_t size);
void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *src, uint32_t size);

// At the address of a node of device 0, in NoC 0 coordinates.
void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void *dst, uint32_t size);
void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void *src, uint32_t size);

void libttsim_clock(uint32_t n_clocks);

#ifdef __cplusplus
}
#endif
#endif
