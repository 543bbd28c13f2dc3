// The matrix unit: L0C = L0A x L0B, with bias, accumulation or MX scales.
//
// In: tile[0] Acc destination; matmul and gemv: tile[1] Left, tile[2] Right; with accumulation tile[1] Acc input,
// tile[2] Left, tile[3] Right; with bias tile[3] Bias; MX: Left, its scale, Right, its scale, in that order after the
// Acc tiles. Out: the region m x n of the destination, m and k from Left's valid shape, n from Right's (gemv: m = 1, k
// from Right).
//
// The unit knows m, k, n and base addresses, nothing of the tiles' physical shapes: it expects its operands packed to
// m and n rounded up to the fractal, and packs the result likewise.  A tile moved in without its compact mode is read
// wrongly here exactly as on the device.
//
// Sums: every output element starts from 0, the bias or the accumulator and adds a[k] * b[k] for ascending k in FP32
// (INT32 that wraps, for integers), one rounding per product and one per addition.  The result does not depend on
// blocking.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "bodies.hpp"
#include "convert.hpp"
#include "windows.hpp"

namespace ptopro::sim {

namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;  // elements of one vector register
constexpr int kVectors = 2;
constexpr int kRows = 8;
#elif defined(__AVX__)
constexpr int kLanes = 8;
constexpr int kVectors = 2;
constexpr int kRows = 6;
#else
constexpr int kLanes = 4;
constexpr int kVectors = 2;
constexpr int kRows = 6;
#endif
constexpr int kColumns = kLanes * kVectors;  // of one register block

// Register blocks are only registers if the loops over them are unrolled.
#if defined(__clang__)
#define PTOPRO_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PTOPRO_UNROLL _Pragma("GCC unroll 8")
#endif

template <typename T>
struct VectorOf {
  typedef T type __attribute__((vector_size(kLanes * sizeof(T)), aligned(4), may_alias));
};

// c[rows][kColumns] += a[rows][depth] * b[depth][kColumns]; rows of a are `lda`, of b `ldb`, of c `ldc` apart.
template <typename T, int Rows>
void block(const T* a, int64_t lda, const T* b, int64_t ldb, int64_t depth, T* c, int64_t ldc) {
  using Vector = typename VectorOf<T>::type;
  Vector sum[Rows][kVectors];
  PTOPRO_UNROLL
  for (int r = 0; r < Rows; ++r) {
    PTOPRO_UNROLL
    for (int v = 0; v < kVectors; ++v) sum[r][v] = *reinterpret_cast<const Vector*>(c + r * ldc + v * kLanes);
  }
  for (int64_t k = 0; k < depth; ++k) {
    Vector right[kVectors];
    PTOPRO_UNROLL
    for (int v = 0; v < kVectors; ++v) right[v] = *reinterpret_cast<const Vector*>(b + k * ldb + v * kLanes);
    PTOPRO_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const T left = a[r * lda + k];
      PTOPRO_UNROLL
      for (int v = 0; v < kVectors; ++v) sum[r][v] += right[v] * left;
    }
  }
  PTOPRO_UNROLL
  for (int r = 0; r < Rows; ++r) {
    PTOPRO_UNROLL
    for (int v = 0; v < kVectors; ++v) *reinterpret_cast<Vector*>(c + r * ldc + v * kLanes) = sum[r][v];
  }
}

template <typename T, int Rows>
void tail_block(int64_t rows, const T* a, int64_t lda, const T* b, int64_t ldb, int64_t depth, T* c, int64_t ldc) {
  if (rows == Rows) return block<T, Rows>(a, lda, b, ldb, depth, c, ldc);
  if constexpr (Rows > 1) tail_block<T, Rows - 1>(rows, a, lda, b, ldb, depth, c, ldc);
}

// Plain row-major operands: c[m][ldc] += a[m][lda] * b[depth][ldb]; ldb and ldc are multiples of kColumns.
template <typename T>
void multiply(const T* a, int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc, int64_t m, int64_t depth,
              int64_t n) {
  for (int64_t column = 0; column < n; column += kColumns)
    for (int64_t row = 0; row < m; row += kRows)
      tail_block<T, kRows>(std::min<int64_t>(kRows, m - row), a + row * lda, lda, b + column, ldb, depth,
                           c + row * ldc + column, ldc);
}

// Scratch of the calling thread that grows to what the largest instruction needs; 64-byte aligned.
template <typename T>
T* scratch(int slot, int64_t elements) {
  struct Buffer {
    std::unique_ptr<T[]> storage;
    int64_t size = 0;
  };
  static thread_local Buffer buffers[4];
  Buffer& buffer = buffers[slot];
  if (buffer.size < elements) {
    buffer.storage.reset(new T[static_cast<size_t>(elements) + 64 / sizeof(T)]);
    buffer.size = elements;
  }
  T* start = buffer.storage.get();
  return start + (64 - reinterpret_cast<uintptr_t>(start) % 64) % 64 / sizeof(T);
}

template <typename T>
void unpack_run(DType type, const uint8_t* src, int64_t first, T* dst, int64_t n) {
  if constexpr (std::is_same_v<T, float>) {
    to_float(type, src + first * dtype_bits(type) / 8, dst, n);
  } else {
    const int8_t* values = reinterpret_cast<const int8_t*>(src) + first;
    for (int64_t i = 0; i < n; ++i) dst[i] = static_cast<T>(static_cast<int32_t>(values[i]));
  }
}

// One operand as `lines` lines of `depth` k-contiguous elements: both L0A and L0B keep 32 bytes of k together.
struct Operand {
  const uint8_t* base;
  DType type;
  int64_t pitch;         // lines between two 32-byte columns of k; along_k: elements of k in a row of fractals
  bool along_k = false;  // fractals follow each other along k: L0A of A2 and A3
  int64_t box() const { return 256 / dtype_bits(type); }
  int64_t offset(int64_t line, int64_t k) const {
    if (along_k) return line / 16 * 16 * pitch + k / box() * 16 * box() + line % 16 * box() + k % box();
    return k / box() * pitch * box() + line * box() + k % box();
  }
};

template <typename T>
void unpack_left(const Operand& left, T* dst, int64_t m, int64_t depth) {
  const int64_t box = left.box();
  for (int64_t k = 0; k < depth; k += box) {
    const int64_t n = std::min(box, depth - k);
    for (int64_t row = 0; row < m; ++row)
      unpack_run(left.type, left.base, left.offset(row, k), dst + row * depth + k, n);
  }
}

// Right is stored line by line along k; the kernel wants n contiguous, so each fractal is turned around.
template <typename T>
void unpack_right(const Operand& right, T* dst, int64_t ldb, int64_t n, int64_t depth) {
  const int64_t box = right.box();
  T lines[16 * 64];
  for (int64_t k = 0; k < depth; k += box) {
    const int64_t count = std::min(box, depth - k);
    for (int64_t column = 0; column < n; column += 16) {
      const int64_t width = std::min<int64_t>(16, n - column);
      unpack_run(right.type, right.base, right.offset(column, k), lines, width * box);
      for (int64_t i = 0; i < count; ++i) {
        T* to = dst + (k + i) * ldb + column;
        if (width == 16)
          for (int64_t j = 0; j < 16; ++j) to[j] = lines[j * box + i];
        else
          for (int64_t j = 0; j < width; ++j) to[j] = lines[j * box + i];
      }
    }
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = n; j < ldb; ++j) dst[(k + i) * ldb + j] = 0;
  }
}

// L0C holds 16 columns of n together: rows of plain memory to fractal lines and back.
template <typename T>
void load_acc(const uint8_t* base, int64_t pitch, T* dst, int64_t ldc, int64_t m, int64_t n) {
  const T* acc = reinterpret_cast<const T*>(base);
  for (int64_t column = 0; column < n; column += 16)
    for (int64_t row = 0; row < m; ++row)
      std::memcpy(dst + row * ldc + column, acc + column * pitch + row * 16,
                  static_cast<size_t>(std::min<int64_t>(16, n - column)) * sizeof(T));
}

template <typename T>
void store_acc(uint8_t* base, int64_t pitch, const T* src, int64_t ldc, int64_t m, int64_t n) {
  T* acc = reinterpret_cast<T*>(base);
  for (int64_t column = 0; column < n; column += 16)
    for (int64_t row = 0; row < m; ++row)
      std::memcpy(acc + column * pitch + row * 16, src + row * ldc + column,
                  static_cast<size_t>(std::min<int64_t>(16, n - column)) * sizeof(T));
}

// Multiplies groups of 32 k-values of each line by the power of two that the scale tile holds for the group.
void scale_groups(const Plane& scale, bool lines_are_rows, float* data, int64_t line_step, int64_t k_step,
                  int64_t lines, int64_t depth) {
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t group = 0; group * 32 < depth; ++group) {
      const float factor = decode_e8m0(
          static_cast<uint32_t>(lines_are_rows ? load_bits(scale, line, group) : load_bits(scale, group, line)));
      for (int64_t k = group * 32; k < std::min(depth, group * 32 + 32); ++k)
        data[line * line_step + k * k_step] *= factor;
    }
}

// The power of two of a scale: NaN for the code 255.
uint32_t scale_code(const Plane& scale, int64_t row, int64_t column) {
  return static_cast<uint32_t>(load_bits(scale, row, column));
}

// Whether a factor is so large that an operand times it may leave the range of FP32 though the product does not.
bool is_extreme(const Plane& scale, int64_t rows, int64_t columns) {
  constexpr uint32_t kLargest = 127 + 111;  // times the largest FP8 value, below 2^16
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      if (const uint32_t code = scale_code(scale, r, c); code > kLargest && code < 255) return true;
  return false;
}

// c += a * b with both factors of a group applied to each product, which without them is exact.
void multiply_scaled(const float* a, const float* b, int64_t ldb, float* c, int64_t ldc, const Plane& left_scale,
                     const Plane& right_scale, int64_t m, int64_t depth, int64_t n) {
  for (int64_t row = 0; row < m; ++row)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t column = 0; column < n; ++column) {
        const uint32_t left = scale_code(left_scale, row, k / 32), right = scale_code(right_scale, k / 32, column);
        const float product = a[row * depth + k] * b[k * ldb + column];
        const bool defined = left < 255 && right < 255;
        c[row * ldc + column] += defined ? std::ldexp(product, static_cast<int>(left + right) - 254) : NAN;
      }
}

template <typename T>
void run(const CoreMemory& core, const MatrixRoles& roles, const MatrixShape& shape) {
  const int64_t m = shape.m, depth = shape.depth, n = shape.n, acc_pitch = shape.acc_pitch();
  const int64_t ld = round_up(n, kColumns);
  auto address = [&](const TileDesc& tile) { return memory_of(core, tile) + tile.addr; };

  T* a = scratch<T>(0, m * depth);
  T* b = scratch<T>(1, depth * ld);
  T* c = scratch<T>(2, m * ld);
  const bool along_k = shape.left_along_k(*roles.left);
  unpack_left<T>({address(*roles.left), roles.left->dtype, shape.left_pitch(*roles.left), along_k}, a, m, depth);
  unpack_right<T>({address(*roles.right), roles.right->dtype, shape.right_pitch()}, b, ld, n, depth);
  Plane left_scale, right_scale;
  bool extreme = false;
  if constexpr (std::is_same_v<T, float>) {
    if (roles.left_scale) {
      left_scale = plane_of(core, scale_window(*roles.left_scale, *roles.left, m, depth, depth));
      right_scale = plane_of(core, scale_window(*roles.right_scale, *roles.right, depth, n, depth));
      extreme = is_extreme(left_scale, m, depth / 32) || is_extreme(right_scale, depth / 32, n);
      if (!extreme) {
        scale_groups(left_scale, true, a, depth, 1, m, depth);
        scale_groups(right_scale, false, b, 1, ld, n, depth);
      }
    }
  }
  std::memset(c, 0, static_cast<size_t>(m * ld) * sizeof(T));
  if (roles.acc) load_acc(address(*roles.acc), acc_pitch, c, ld, m, n);
  if (roles.bias)
    for (int64_t row = 0; row < m; ++row)
      std::memcpy(c + row * ld, address(*roles.bias), static_cast<size_t>(n) * sizeof(T));
  if constexpr (std::is_same_v<T, float>)
    if (extreme) multiply_scaled(a, b, ld, c, ld, left_scale, right_scale, m, depth, n);
  if (!extreme) multiply(a, depth, b, ld, c, ld, m, depth, n);
  store_acc(address(*roles.dst), acc_pitch, c, ld, m, n);
}

void matmul(const CoreMemory& core, const Record& record) {
  const MatrixRoles roles = matrix_roles(record);
  const MatrixShape shape = matrix_shape(record, roles);
  if (roles.dst->dtype == DType::Int32)
    run<uint32_t>(core, roles, shape);
  else
    run<float>(core, roles, shape);
}

}  // namespace

Body matmul_body(Opcode op) {
  switch (op) {
    case Opcode::Matmul:
    case Opcode::MatmulAcc:
    case Opcode::MatmulBias:
    case Opcode::Gemv:
    case Opcode::GemvAcc:
    case Opcode::GemvBias:
    case Opcode::MatmulMx:
    case Opcode::MatmulMxAcc:
      return matmul;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
