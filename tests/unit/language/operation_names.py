"""The names of the language's operations on tiles, tensors and scalars."""

_EXPORTED = """
    load load_tile store store_tile move insert ssbuf_store ssbuf_load add sub mul div and_ maximum minimum shl
    shr xor expands fill_index neg abs exp log sqrt rsqrt recip relu fillpad cast add_relu_cast sub_relu_cast
    mul_cast eq ne lt le gt ge select add_relu sub_relu addc mul_add_dst fused_mul_add fused_mul_add_relu axpy
    partadd partmax partmin partmul matmul matmul_acc matmul_mx matmul_mx_acc transpose sum argmax argmin
    expand_max expand_min expand_mul expand_sub expand_div gather gatherb gathermask scatter mrgsort mrgsort2
    sort32 histogram quant dequant getval setval set_validshape set_stride set_mask_count set_mask_norm
    set_vec_mask reset_mask pto_assert printf dump_data trap min max const get_block_idx get_block_num
    get_subblock_idx get_subblock_num TileType make_tile make_tile_group make_tensor make_ptr addptr struct
    struct_array make_tuple system.sync_src system.sync_dst system.bar_m system.bar_mte1 system.bar_mte2
    system.bar_mte3 system.bar_fix system.bar_all system.set_cross_core system.wait_cross_core system.sync_all
    system.mutex_lock system.mutex_unlock mutex.mutex_lock mutex.mutex_unlock system.dcci
    system.set_mm_layout_transform simt.thread_idx simt.block_dim simt.block_idx simt.grid_dim
    simt.linear_thread_idx simt.warp_size simt.launch
"""

# Spellings that programs use though the language does not list them.
_HIDDEN = """
    constexpr get_spr adds subs muls divs rems ands ors shls shrs maxs mins rem xors subc addsc subsc full
    reshape ub_copy row_sum col_sum row_max col_max row_min col_min row_prod col_prod row_expand row_expand_add
    row_expand_sub row_expand_mul row_expand_div row_expand_max row_expand_min row_expand_expdif row_argmax
    row_argmin col_expand col_expand_add col_expand_sub col_expand_mul col_expand_div col_expand_max
    col_expand_min col_expand_expdif col_argmax col_argmin cmp cmps sel sels gemv gemv_acc gemv_bias matmul_bias
    store_fp move_fp fillpad_expand fillpad_inplace
"""

EXPORTED, HIDDEN = set(_EXPORTED.split()), set(_HIDDEN.split())
