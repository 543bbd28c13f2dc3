"""Where the names of `pl` that are not operations come from: module of ptopro.language -> names."""

from __future__ import annotations

MODULES: dict[str, tuple[str, ...]] = {
    "dtypes": (
        "DT_BOOL", "DT_INT4", "DT_INT8", "DT_INT16", "DT_INT32", "DT_INT64", "DT_UINT4", "DT_UINT8", "DT_UINT16",
        "DT_UINT32", "DT_UINT64", "DT_FP16", "DT_BF16", "DT_FP32", "DT_FP8E4M3FN", "DT_FP8E5M2", "DT_FP8E8M0", "DT_HF8",
        "DT_HF4", "DT_FP4", "DT_FP4E2M1", "DT_FP4E1M2",
    ),
    "enums": (
        "MemorySpace", "PipeType", "TensorLayout", "TilePad", "ReluPreMode", "AtomicType", "STPhase", "AccPhase",
        "AccToVecMode", "RoundMode", "QuantMode", "CrossCoreSyncMode", "SyncCoreType", "SyncAllMode", "CacheLine",
        "DcciDst", "FillPadMode", "CompareMode", "ReduceMode", "MaskPattern", "MergeMode", "DuplicatePos", "CastLayout",
        "VFRoundMode", "SaturateMode", "BinType", "HistType", "SqueezeMode", "PackPart", "MaskWidth", "LoadDist",
        "StoreDist", "DataCopyMode", "IndexOrder", "MemBarMode", "FunctionType", "CompactMode",
    ),
    "surface.layout_names": ("ND", "DN", "NZ", "ZN", "NN", "ZZ"),
    "surface.annotations": ("DYNAMIC", "STATIC", "Tensor", "Tile", "Ptr", "Scalar", "MemRef"),
    "surface.tile_type": ("TileType",),
    "surface.control": ("range", "section_vector", "section_cube", "section_vf"),
    "surface.decorators": ("jit", "kernel", "function", "program", "inline", "vector_function"),
    "surface.namespaces": ("system", "mutex", "simt", "pipeline", "Vf", "vf"),
    "surface.tiling": ("TilingKeyField",),
}  # fmt: skip
