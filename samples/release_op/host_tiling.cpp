// The host's part of operator matmul_epilogue: from the sizes of a product to its tiling key, tiling data and blocks.
//
//   host_tiling M N K FLOOR OUTPUT
//
// writes the tiling struct's bytes to OUTPUT and prints the packed key and the number of blocks.  An operator package
// does the same in its tiling function; the two headers are what `ptopro build --release` writes into host/.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "MatmulKey_tilingkey.h"
#include "MatmulTiling_tiling.h"

namespace {

constexpr int64_t kColumns = 128;  // of a block
constexpr int64_t kCores = 4;

bool Fill(int64_t m, int64_t n, int64_t k, float floor, MatmulTiling& tiling, uint64_t& key) {
  if (m % 32 != 0 || n % kColumns != 0 || k % 64 != 0) {
    return false;
  }
  // Tall blocks where the rows allow it; the accumulation is as deep as L0 holds.
  const int64_t block_m = m % 128 == 0 ? 128 : 32;
  const int64_t block_k = k % 128 == 0 ? 128 : 64;
  const int64_t n_blocks = n / kColumns;
  const int64_t group = (n_blocks + 7) / 8 * kColumns;
  tiling = {};
  tiling.sizes[0] = m;
  tiling.sizes[1] = n;
  tiling.sizes[2] = k;
  tiling.n_blocks = n_blocks;
  tiling.blocks = m / block_m * n_blocks;
  tiling.group = group;
  for (int i = 0; i < 8; ++i) {
    tiling.scale[i] = 0.5F + static_cast<float>(i);
  }
  tiling.floor = floor;
  key = GET_TPL_TILING_KEY(block_m, block_k, 1);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: host_tiling M N K FLOOR OUTPUT\n");
    return 2;
  }
  MatmulTiling tiling;
  uint64_t key = 0;
  if (!Fill(std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]), std::strtof(argv[4], nullptr), tiling,
            key)) {
    std::fprintf(stderr, "M must be a multiple of 32, N of 128, K of 64\n");
    return 1;
  }
  std::ofstream(argv[5], std::ios::binary).write(reinterpret_cast<const char*>(&tiling), sizeof(tiling));
  std::printf("%llu %lld\n", static_cast<unsigned long long>(key),
              static_cast<long long>(std::min(kCores, tiling.blocks)));
  return 0;
}
