// SPDX-License-Identifier: Apache-2.0
// The configuration that PACR's pages read: the model's name, then the field's. Included with some
// of the macros defined, for the group that a PACR_FIELDS_… macro asks for.
// Pages: as pacr_model.h.
#ifdef PACR_FIELDS_OF_PACKERS // THCON_SECn_REG1 and _REG8, PACK_COUNTERS_SECn, THCON_SECn_REG9
PACR_PACKER(IN, In_data_format)
PACR_PACKER(OUT, Out_data_format)
PACR_PACKER(NO_COMPRESSION, Disable_zero_compress)
PACR_PACKER(DEST, L1_Dest_addr)
PACR_PACKER(NO_HEADER, Sub_l1_tile_header_size)
PACR_PACKER(ADD_OFFSET, Add_l1_dest_addr_offset)
PACR_PACKER(ROW_STARTS, Row_start_section_size)
PACR_PACKER(EXPONENTS, Exp_section_size)
PACR_PACKER(DOWNSAMPLE, Downsample_mask)
PACR_PACKER(THRESHOLD_ON, Exp_threshold_en)
PACR_PACKER(THRESHOLD, Exp_threshold)
PACR_PACKER(FROM_L1, Source_interface_selection)
PACR_PACKER(L1_SOURCE, L1_source_addr)
PACR_PACKER(ACCUMULATE, Pack_L1_Acc)
PACR_PACKER(ADD_HEADER, Add_tile_header_size)
PACR_PACKER(OUT_FIFO, Enable_out_fifo)
PACR_PACKER(NO_FLAGS, Disable_pack_zero_flags)
PACR_PACKER_WH(ADC, Addr_cnt_context)
PACR_PACKER_BH(E4M3, Pac_LF8_4b_exp)
PACR_PACKER(AUTO_SELECT, Auto_set_last_pacr_intf_sel)
PACR_COUNTER(READS, pack_reads_per_xy_plane)
PACR_COUNTER(TRANSPOSED, pack_yz_transposed)
PACR_COUNTER(PLANES, auto_ctxt_inc_xys_cnt)
PACR_CIRCLE(LIMIT, limit_address)
PACR_CIRCLE(FIFO_SIZE, fifo_size)
#undef PACR_FIELDS_OF_PACKERS
#endif
#ifdef PACR_FIELDS_SHARED
PACR_SHARED(BASE0, PCK0_ADDR_BASE_REG_0_Base)
PACR_SHARED(XSTRIDE0, PCK0_ADDR_CTRL_XY_REG_0_Xstride)
PACR_SHARED(YSTRIDE0, PCK0_ADDR_CTRL_XY_REG_0_Ystride)
PACR_SHARED(ZSTRIDE0, PCK0_ADDR_CTRL_ZW_REG_0_Zstride)
PACR_SHARED(WSTRIDE0, PCK0_ADDR_CTRL_ZW_REG_0_Wstride)
PACR_SHARED(BASE1, PCK0_ADDR_BASE_REG_1_Base)
PACR_SHARED(YSTRIDE1, PCK0_ADDR_CTRL_XY_REG_1_Ystride)
PACR_SHARED(ZSTRIDE1, PCK0_ADDR_CTRL_ZW_REG_1_Zstride)
PACR_SHARED(WSTRIDE1, PCK0_ADDR_CTRL_ZW_REG_1_Wstride)
PACR_SHARED(WIDE, PCK_DEST_RD_CTRL_Read_32b_data)
PACR_SHARED(UNSIGNED, PCK_DEST_RD_CTRL_Read_unsigned)
PACR_SHARED(RAW, PCK_DEST_RD_CTRL_Read_int8)
PACR_SHARED(ROUND10, PCK_DEST_RD_CTRL_Round_10b_mant)
PACR_SHARED(BETWEEN, ALU_FORMAT_SPEC_REG2_Dstacc)
PACR_SHARED(OVERRIDE, ALU_FORMAT_SPEC_REG_Dstacc_override)
PACR_SHARED(OVERRIDDEN, ALU_FORMAT_SPEC_REG_Dstacc_val)
PACR_SHARED(DESCALE, INT_DESCALE_Enable)
PACR_SHARED(DESCALE_BY_Z, INT_DESCALE_Mode)
PACR_SHARED(RELU, STACC_RELU_ApplyRelu)
PACR_SHARED(RELU_THRESHOLD, STACC_RELU_ReluThreshold)
PACR_SHARED(MASK0, PCK_EDGE_OFFSET_SEC0_mask)
PACR_SHARED(MASK1, PCK_EDGE_OFFSET_SEC1_mask)
PACR_SHARED(MASK2, PCK_EDGE_OFFSET_SEC2_mask)
PACR_SHARED(MASK3, PCK_EDGE_OFFSET_SEC3_mask)
PACR_SHARED(MINUS_INFINITY, PCK_EDGE_MODE_mode)
PACR_SHARED(ROW_SELECT, PCK_EDGE_TILE_ROW_SET_SELECT_select)
PACR_SHARED(FACE_SELECT, PCK_EDGE_TILE_FACE_SET_SELECT_select)
PACR_SHARED(FACES, PCK_EDGE_TILE_FACE_SET_SELECT_enable)
PACR_SHARED(ALL_COMPRESSION, THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd)
PACR_SHARED_WH(NONE_COMPRESSES, THCON_SEC0_REG1_All_pack_disable_zero_compress)
#undef PACR_FIELDS_SHARED
#endif
#ifdef PACR_FIELDS_GLOBAL
PACR_GLOBAL_BH(REMAP, DEST_ACCESS_CFG_remap_addrs)
PACR_GLOBAL_BH(SWIZZLE, DEST_ACCESS_CFG_swizzle_32b)
#undef PACR_FIELDS_GLOBAL
#endif
#ifdef PACR_FIELDS_OF_THREADS
PACR_THREAD(STATE, CFG_STATE_ID_StateID)
PACR_THREAD(STATISTICS, ENABLE_ACC_STATS_Enable)
#define PACR_ADDR_MOD(n)                                                                           \
    PACR_THREAD(MOD##n, ADDR_MOD_PACK_SEC##n##_YsrcIncr)                                           \
    PACR_THREAD(MOD##n##_YSRC_CR, ADDR_MOD_PACK_SEC##n##_YsrcCR)                                   \
    PACR_THREAD(MOD##n##_YSRC_CLEAR, ADDR_MOD_PACK_SEC##n##_YsrcClear)                             \
    PACR_THREAD(MOD##n##_YDST, ADDR_MOD_PACK_SEC##n##_YdstIncr)                                    \
    PACR_THREAD(MOD##n##_YDST_CR, ADDR_MOD_PACK_SEC##n##_YdstCR)                                   \
    PACR_THREAD(MOD##n##_YDST_CLEAR, ADDR_MOD_PACK_SEC##n##_YdstClear)                             \
    PACR_THREAD(MOD##n##_ZSRC, ADDR_MOD_PACK_SEC##n##_ZsrcIncr)                                    \
    PACR_THREAD(MOD##n##_ZSRC_CLEAR, ADDR_MOD_PACK_SEC##n##_ZsrcClear)                             \
    PACR_THREAD(MOD##n##_ZDST, ADDR_MOD_PACK_SEC##n##_ZdstIncr)                                    \
    PACR_THREAD(MOD##n##_ZDST_CLEAR, ADDR_MOD_PACK_SEC##n##_ZdstClear)
PACR_ADDR_MOD(0)
PACR_ADDR_MOD(1)
PACR_ADDR_MOD(2)
PACR_ADDR_MOD(3)
#undef PACR_ADDR_MOD
#undef PACR_FIELDS_OF_THREADS
#endif
