"""A small kernel as codegen would write it, by hand, so that build and launch are tested without the stages before."""

from dataclasses import dataclass, field

KERNEL = r"""#include <pto/pto-inst.hpp>

using namespace pto;

#if defined(__DAV_VEC__)
AICORE inline void scale_impl_vector(__gm__ float* x, __gm__ float* y, float k, int64_t rows) {
  Tile<TileType::Vec, float, 8, 64, BLayout::RowMajor, -1, -1> tile(8, 64);
  TASSIGN(tile, 0);
  for (int64_t i = get_block_idx(); i < rows / 8; i += get_block_num()) {
    GlobalTensor<float, Shape<1, 1, 1, 8, 64>, Stride<64, 64, 64, 64, 1>> xv(x + i * 512);
    GlobalTensor<float, Shape<1, 1, 1, 8, 64>, Stride<64, 64, 64, 64, 1>> yv(y + i * 512);
    get_buf(PIPE_MTE2, 0, 0);
    TLOAD(tile, xv);
    rls_buf(PIPE_MTE2, 0, 0);
    get_buf(PIPE_V, 0, 0);
    TMULS(tile, tile, k);
    rls_buf(PIPE_V, 0, 0);
    get_buf(PIPE_MTE3, 0, 0);
    TSTORE(yv, tile);
    rls_buf(PIPE_MTE3, 0, 0);
  }
}
#endif

extern "C" __global__ AICORE void scale(__gm__ float* x, __gm__ float* y, float k, int64_t rows) {
#if defined(__DAV_VEC__)
  scale_impl_vector(x, y, k, rows);
#endif
}
"""

LAUNCHER = r"""#include <pto/pto-inst.hpp>
#include <ptopro/launch.hpp>

#define scale scale_vector
#define __DAV_VEC__
namespace ptopro_vector {
#include "kernel.cpp"
}
#undef scale

namespace {
void vector_entry(void* const* args) {
  ptopro_vector::scale_vector(*static_cast<float* const*>(args[0]), *static_cast<float* const*>(args[1]),
                              *static_cast<const float*>(args[2]), *static_cast<const int64_t*>(args[3]));
}
}  // namespace

extern "C" int ptopro_launch_scale(const PtoproLaunch* options, void* const* args, PtoproReport* report) {
  return ptopro_sim_launch(options, nullptr, vector_entry, args, report);
}
"""


@dataclass(frozen=True)
class Handmade:
    kernel: str = "scale"
    files: dict = field(default_factory=lambda: {"kernel.cpp": KERNEL, "launcher.cpp": LAUNCHER})


def edited(old, new):
    """The kernel with a piece of its text replaced, which must be there."""
    assert old in KERNEL
    return Handmade(files={"kernel.cpp": KERNEL.replace(old, new), "launcher.cpp": LAUNCHER})
