// Elementwise operations on two tiles, on a tile and a scalar, and their three-operand forms.
//
// In: tile[0] destination, tile[1], tile[2] (and tile[3] for the carry forms) operands, `scalar`.  Out: the valid
// region of the destination.  mod.reverse swaps tile and scalar.  The part* forms take operands of different valid
// shapes: where only one is valid it is copied.
#include <array>

#include "bodies.hpp"
#include "elements.hpp"

namespace ptopro::sim {

namespace {

using Pointers2 = std::array<uint8_t*, 2>;
using Pointers3 = std::array<uint8_t*, 3>;

// dst[i] = Op(a[i], b[i]) over n contiguous elements of the type.
template <typename Op, typename T>
void binary_run(T* dst, const T* a, const T* b, int64_t n) {
  PTOPRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) dst[i] = Op::template of<T>(a[i], b[i]);
}

template <typename Op, typename T>
void binary_run_scalar(T* dst, const T* a, T b, bool reverse, int64_t n) {
  if (reverse) {
    PTOPRO_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) dst[i] = Op::template of<T>(b, a[i]);
  } else {
    PTOPRO_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) dst[i] = Op::template of<T>(a[i], b);
  }
}

template <typename Op>
constexpr bool on_integers_only =
    std::is_same_v<Op, op::And> || std::is_same_v<Op, op::Or> || std::is_same_v<Op, op::Xor> ||
    std::is_same_v<Op, op::Shl> || std::is_same_v<Op, op::Shr>;

// Bit operations take any element as the integer of its width; arithmetic the element's own type.
template <typename Op, typename F>
void with_operation_type(DType type, F&& visit) {
  if constexpr (on_integers_only<Op>) {
    if (is_float_type(type)) return with_bits_type(type, visit);
    with_arithmetic_type(type, [&](auto tag) {
      if constexpr (std::is_integral_v<typename decltype(tag)::type>) visit(tag);
    });
  } else {
    with_arithmetic_type(type, visit);
  }
}

// Runs Op on contiguous elements of any type; narrow floats through float buffers.
template <typename Op>
void binary_elements(DType type, uint8_t* dst, const uint8_t* a, const uint8_t* b, int64_t n) {
  if (is_direct(type) || on_integers_only<Op>) {
    with_operation_type<Op>(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      binary_run<Op, T>(reinterpret_cast<T*>(dst), reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b), n);
    });
    return;
  }
  if constexpr (!on_integers_only<Op>) {
    float left[kChunk], right[kChunk];
    const int64_t size = dtype_bits(type) / 8;
    for (int64_t i = 0; i < n; i += kChunk) {
      const int64_t part = std::min(kChunk, n - i);
      to_float(type, a + i * size, left, part);
      to_float(type, b + i * size, right, part);
      binary_run<Op, float>(left, left, right, part);
      from_float(type, left, dst + i * size, part);
    }
  }
}

template <typename Op>
void binary(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  const std::array<Plane, 3> planes{plane_of(core, dst), plane_of(core, record.tile[1]),
                                    plane_of(core, record.tile[2])};
  walk(planes, dst.vrows, dst.vcols, false,
       [&](const Pointers3& at, int64_t n) { binary_elements<Op>(dst.dtype, at[0], at[1], at[2], n); });
}

template <typename Op>
void binary_scalar(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  const DType type = dst.dtype;
  const bool reverse = record.mod.reverse != 0;
  const std::array<Plane, 2> planes{plane_of(core, dst), plane_of(core, record.tile[1])};
  walk(planes, dst.vrows, dst.vcols, false, [&](const Pointers2& at, int64_t n) {
    if (is_direct(type) || on_integers_only<Op>) {
      with_operation_type<Op>(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        binary_run_scalar<Op, T>(reinterpret_cast<T*>(at[0]), reinterpret_cast<const T*>(at[1]),
                                 scalar_as<T>(record.scalar), reverse, n);
      });
      return;
    }
    if constexpr (!on_integers_only<Op>) {
      float values[kChunk];
      const float scalar = narrow_scalar(type, record.scalar);
      const int64_t size = dtype_bits(type) / 8;
      for (int64_t i = 0; i < n; i += kChunk) {
        const int64_t part = std::min(kChunk, n - i);
        to_float(type, at[1] + i * size, values, part);
        binary_run_scalar<Op, float>(values, values, scalar, reverse, part);
        from_float(type, values, at[0] + i * size, part);
      }
    }
  });
}

// dst = Op(a, b) + c, or Op(a, scalar) + c, rounded once.
template <typename Op, bool WithScalar>
void carry(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  const DType type = dst.dtype;
  const Plane middle = plane_of(core, record.tile[2]);
  const Plane last = WithScalar ? middle : plane_of(core, record.tile[3]);
  const std::array<Plane, 4> planes{plane_of(core, dst), plane_of(core, record.tile[1]), middle, last};
  walk(planes, dst.vrows, dst.vcols, false, [&](const std::array<uint8_t*, 4>& at, int64_t n) {
    if (is_direct(type)) {
      with_arithmetic_type(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T scalar = scalar_as<T>(record.scalar);
        T* to = reinterpret_cast<T*>(at[0]);
        const T *a = reinterpret_cast<const T*>(at[1]), *b = reinterpret_cast<const T*>(at[2]),
                *c = reinterpret_cast<const T*>(at[3]);
        PTOPRO_INDEPENDENT
        for (int64_t i = 0; i < n; ++i)
          to[i] = op::Add::of<T>(Op::template of<T>(a[i], WithScalar ? scalar : b[i]), c[i]);
      });
      return;
    }
    float a[kChunk], b[kChunk], c[kChunk];
    const float scalar = narrow_scalar(type, record.scalar);
    const int64_t size = dtype_bits(type) / 8;
    for (int64_t i = 0; i < n; i += kChunk) {
      const int64_t part = std::min(kChunk, n - i);
      to_float(type, at[1] + i * size, a, part);
      to_float(type, at[2] + i * size, b, part);
      to_float(type, at[3] + i * size, c, part);
      for (int64_t k = 0; k < part; ++k) a[k] = Op::template of<float>(a[k], WithScalar ? scalar : b[k]) + c[k];
      from_float(type, a, at[0] + i * size, part);
    }
  });
}

// dst = scalar * src + dst, the product and the sum each rounded in float; src may be narrower than dst.
void axpy(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const float scalar = narrow_scalar(src.dtype, record.scalar);
  const std::array<Plane, 2> planes{plane_of(core, dst), plane_of(core, src)};
  walk(planes, dst.vrows, dst.vcols, true, [&](const Pointers2& at, int64_t n) {
    float sum[kChunk], product[kChunk];
    const int64_t dst_size = dtype_bits(dst.dtype) / 8, src_size = dtype_bits(src.dtype) / 8;
    for (int64_t i = 0; i < n; i += kChunk) {
      const int64_t part = std::min(kChunk, n - i);
      to_float(dst.dtype, at[0] + i * dst_size, sum, part);
      to_float(src.dtype, at[1] + i * src_size, product, part);
      for (int64_t k = 0; k < part; ++k) sum[k] = product[k] * scalar + sum[k];
      from_float(dst.dtype, sum, at[0] + i * dst_size, part);
    }
  });
}

// Leaky ReLU as an operation of the value and the slope.
struct Leaky {
  template <typename T>
  static T of(T a, T slope) {
    return a > 0 ? a : op::Mul::of<T>(a, slope);
  }
};

// Four regions of the destination: both operands valid, only the first, only the second, none.
template <typename Op>
void partial(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &a = record.tile[1], &b = record.tile[2];
  const Plane to = plane_of(core, dst), first = plane_of(core, a), second = plane_of(core, b);
  const int64_t rows = std::min(dst.vrows, std::min(a.vrows, b.vrows));
  const int64_t columns = std::min(dst.vcols, std::min(a.vcols, b.vcols));
  // The operand that covers the destination is copied where the other ends.
  auto copy_rest = [&](const Plane& src, const TileDesc& tile) {
    const int64_t r1 = std::min(tile.vrows, dst.vrows), c1 = std::min(tile.vcols, dst.vcols);
    auto part = [&](int64_t r0, int64_t r_end, int64_t c0, int64_t c_end) {
      for (int64_t r = r0; r < r_end; ++r)
        for (int64_t c = c0; c < c_end; ++c) store_bits(to, r, c, load_bits(src, r, c));
    };
    part(0, std::min(rows, r1), columns, c1);
    part(rows, r1, 0, c1);
  };
  copy_rest(first, a);
  copy_rest(second, b);
  walk(std::array<Plane, 3>{to, first, second}, rows, columns, false,
       [&](const Pointers3& at, int64_t n) { binary_elements<Op>(dst.dtype, at[0], at[1], at[2], n); });
}

}  // namespace

float narrow_scalar(DType type, const ScalarDesc& scalar) {
  const float value = scalar_as<float>(scalar);
  float narrow = value;
  uint64_t bits = 0;
  if (dtype_bits(type) < 8) return value;
  from_float(type, &value, &bits, 1);
  to_float(type, &bits, &narrow, 1);
  return narrow;
}

Body elementwise_body(Opcode op) {
  switch (op) {
    case Opcode::Add:
      return binary<op::Add>;
    case Opcode::Sub:
      return binary<op::Sub>;
    case Opcode::Mul:
      return binary<op::Mul>;
    case Opcode::Div:
      return binary<op::Div>;
    case Opcode::Rem:
      return binary<op::Rem>;
    case Opcode::Max:
      return binary<op::Max>;
    case Opcode::Min:
      return binary<op::Min>;
    case Opcode::And:
      return binary<op::And>;
    case Opcode::Or:
      return binary<op::Or>;
    case Opcode::Xor:
      return binary<op::Xor>;
    case Opcode::Shl:
      return binary<op::Shl>;
    case Opcode::Shr:
      return binary<op::Shr>;
    case Opcode::AddC:
      return carry<op::Add, false>;
    case Opcode::SubC:
      return carry<op::Sub, false>;
    case Opcode::AddS:
      return binary_scalar<op::Add>;
    case Opcode::SubS:
      return binary_scalar<op::Sub>;
    case Opcode::MulS:
      return binary_scalar<op::Mul>;
    case Opcode::DivS:
      return binary_scalar<op::Div>;
    case Opcode::RemS:
      return binary_scalar<op::Rem>;
    case Opcode::MaxS:
      return binary_scalar<op::Max>;
    case Opcode::MinS:
      return binary_scalar<op::Min>;
    case Opcode::AndS:
      return binary_scalar<op::And>;
    case Opcode::OrS:
      return binary_scalar<op::Or>;
    case Opcode::XorS:
      return binary_scalar<op::Xor>;
    case Opcode::ShlS:
      return binary_scalar<op::Shl>;
    case Opcode::ShrS:
      return binary_scalar<op::Shr>;
    case Opcode::AddSC:
      return carry<op::Add, true>;
    case Opcode::SubSC:
      return carry<op::Sub, true>;
    case Opcode::Axpy:
      return axpy;
    case Opcode::LRelu:
      return binary_scalar<Leaky>;
    case Opcode::PartAdd:
      return partial<op::Add>;
    case Opcode::PartMul:
      return partial<op::Mul>;
    case Opcode::PartMax:
      return partial<op::Max>;
    case Opcode::PartMin:
      return partial<op::Min>;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
