// Elementwise operations on one tile.
//
// In: tile[1].  Out: the valid region of tile[0].  Integers wrap (-min is min, |min| is min); exp, log and the roots
// are those of math.hpp, for narrow floats computed in float and rounded once.
#include <array>

#include "bodies.hpp"
#include "elements.hpp"
#include "ptopro/math.hpp"

namespace ptopro::sim {

namespace {

struct Neg {
  template <typename T>
  PTOPRO_INLINE static T of(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return -a;
    else
      return Wrapping<T>::sub(0, a);
  }
};
struct Abs {
  template <typename T>
  PTOPRO_INLINE static T of(T a) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(a);
    else
      return a < 0 ? Wrapping<T>::sub(0, a) : a;
  }
};
struct Relu {
  template <typename T>
  PTOPRO_INLINE static T of(T a) {
    return a < 0 ? T{0} : a;
  }
};
struct Not {
  template <typename T>
  PTOPRO_INLINE static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct Exp {
  PTOPRO_INLINE static float of(float a) { return math::exp(a); }
};
struct Log {
  PTOPRO_INLINE static float of(float a) { return math::log(a); }
};
struct Sqrt {
  PTOPRO_INLINE static float of(float a) { return math::sqrt(a); }
};
struct Rsqrt {
  PTOPRO_INLINE static float of(float a) { return math::rsqrt(a); }
};
struct Recip {
  PTOPRO_INLINE static float of(float a) { return math::recip(a); }
};

template <typename Op, typename T>
void unary_run(T* dst, const T* src, int64_t n) {
  PTOPRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) dst[i] = Op::of(src[i]);
}

template <typename Op>
void float_elements(DType type, uint8_t* dst, const uint8_t* src, int64_t n) {
  if (type == DType::Float)
    return unary_run<Op, float>(reinterpret_cast<float*>(dst), reinterpret_cast<const float*>(src), n);
  float values[kChunk];
  const int64_t size = dtype_bits(type) / 8;
  for (int64_t i = 0; i < n; i += kChunk) {
    const int64_t part = std::min(kChunk, n - i);
    to_float(type, src + i * size, values, part);
    unary_run<Op, float>(values, values, part);
    from_float(type, values, dst + i * size, part);
  }
}

// An operation of floats only.  Integer tiles go through float as well; the device refuses them.
template <typename Op>
void unary_float(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  walk(std::array<Plane, 2>{plane_of(core, dst), plane_of(core, record.tile[1])}, dst.vrows, dst.vcols, false,
       [&](const std::array<uint8_t*, 2>& at, int64_t n) { float_elements<Op>(dst.dtype, at[0], at[1], n); });
}

template <typename Op>
void unary(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  const DType type = dst.dtype;
  walk(std::array<Plane, 2>{plane_of(core, dst), plane_of(core, record.tile[1])}, dst.vrows, dst.vcols, false,
       [&](const std::array<uint8_t*, 2>& at, int64_t n) {
         if (!is_direct(type)) return float_elements<Op>(type, at[0], at[1], n);
         with_arithmetic_type(type, [&](auto tag) {
           using T = typename decltype(tag)::type;
           unary_run<Op, T>(reinterpret_cast<T*>(at[0]), reinterpret_cast<const T*>(at[1]), n);
         });
       });
}

void complement(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  walk(std::array<Plane, 2>{plane_of(core, dst), plane_of(core, record.tile[1])}, dst.vrows, dst.vcols, false,
       [&](const std::array<uint8_t*, 2>& at, int64_t n) {
         with_bits_type(dst.dtype, [&](auto tag) {
           using T = typename decltype(tag)::type;
           unary_run<Not, T>(reinterpret_cast<T*>(at[0]), reinterpret_cast<const T*>(at[1]), n);
         });
       });
}

}  // namespace

Body unary_body(Opcode op) {
  switch (op) {
    case Opcode::Neg:
      return unary<Neg>;
    case Opcode::Abs:
      return unary<Abs>;
    case Opcode::Relu:
      return unary<Relu>;
    case Opcode::Not:
      return complement;
    case Opcode::Exp:
      return unary_float<Exp>;
    case Opcode::Log:
      return unary_float<Log>;
    case Opcode::Sqrt:
      return unary_float<Sqrt>;
    case Opcode::Rsqrt:
      return unary_float<Rsqrt>;
    case Opcode::Recip:
      return unary_float<Recip>;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
