// How the host calls kernel matmul_softmax, written by ptopro.
#include <cstdint>
#include <pto/pto-inst.hpp>

#if defined(PTOPRO_SIMULATOR)
#include <ptopro/launch.hpp>
#endif

#if defined(PTOPRO_SIMULATOR)
// The simulator runs the halves of the kernel as functions of their own.
#define __DAV_CUBE__
#define matmul_softmax matmul_softmax_cube
namespace ptopro_cube {
#include "kernel.cpp"
}  // namespace ptopro_cube
#undef matmul_softmax
#undef __DAV_CUBE__

#define __DAV_VEC__
#define matmul_softmax matmul_softmax_vector
namespace ptopro_vector {
#include "kernel.cpp"
}  // namespace ptopro_vector
#undef matmul_softmax
#undef __DAV_VEC__

namespace {

void run_cube(void* const* args) {
  ptopro_cube::matmul_softmax_cube(*static_cast<__gm__ half**>(args[0]), *static_cast<__gm__ half**>(args[1]),
                                   *static_cast<__gm__ float**>(args[2]), *static_cast<int64_t*>(args[3]),
                                   *static_cast<int64_t*>(args[4]));
}

void run_vector(void* const* args) {
  ptopro_vector::matmul_softmax_vector(*static_cast<__gm__ half**>(args[0]), *static_cast<__gm__ half**>(args[1]),
                                       *static_cast<__gm__ float**>(args[2]), *static_cast<int64_t*>(args[3]),
                                       *static_cast<int64_t*>(args[4]));
}

}  // namespace

extern "C" int ptopro_launch_matmul_softmax(const PtoproLaunch* options, void* const* args, PtoproReport* report) {
  return ptopro_sim_launch(options, run_cube, run_vector, args, report);
}

#else
#include "kernel.cpp"

extern "C" void ptopro_launch_matmul_softmax(uint32_t block_dim, void* stream, uint8_t* a, uint8_t* b, uint8_t* out,
                                             int64_t a_shape0, int64_t out_shape0) {
  // clang-format off
  matmul_softmax<<<block_dim, nullptr, stream>>>(
      reinterpret_cast<__gm__ half*>(a),
      reinterpret_cast<__gm__ half*>(b),
      reinterpret_cast<__gm__ float*>(out),
      a_shape0,
      out_shape0);
  // clang-format on
}
#endif
