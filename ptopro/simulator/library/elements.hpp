// Element types as C++ types: how the bodies turn a DType into code.
//
// Integers compute in their own width and wrap.  The narrow floats compute in float and are rounded once, to nearest
// even.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "convert.hpp"
#include "ptopro/math.hpp"
#include "ptopro/numbers.hpp"
#include "ptopro/record.hpp"
#include "walk.hpp"

namespace ptopro::sim {

template <typename T>
struct TypeTag {
  using type = T;
};

// Calls visit with the type that an element is computed in: float for every float type, else the integer type.
template <typename F>
decltype(auto) with_arithmetic_type(DType type, F&& visit) {
  switch (type) {
    case DType::Int8:
      return visit(TypeTag<int8_t>{});
    case DType::Int16:
      return visit(TypeTag<int16_t>{});
    case DType::Int32:
      return visit(TypeTag<int32_t>{});
    case DType::Int64:
      return visit(TypeTag<int64_t>{});
    case DType::Bool:
    case DType::UInt8:
      return visit(TypeTag<uint8_t>{});
    case DType::UInt16:
      return visit(TypeTag<uint16_t>{});
    case DType::UInt32:
      return visit(TypeTag<uint32_t>{});
    case DType::UInt64:
      return visit(TypeTag<uint64_t>{});
    default:
      return visit(TypeTag<float>{});
  }
}

// Calls visit with an unsigned type as wide as the element: for operations on bits.
template <typename F>
decltype(auto) with_bits_type(DType type, F&& visit) {
  switch (dtype_bits(type)) {
    case 16:
      return visit(TypeTag<uint16_t>{});
    case 32:
      return visit(TypeTag<uint32_t>{});
    case 64:
      return visit(TypeTag<uint64_t>{});
    default:
      return visit(TypeTag<uint8_t>{});
  }
}

constexpr bool is_float_type(DType type) {
  return type == DType::Half || type == DType::BFloat16 || type == DType::Float || type >= DType::Float8E4M3;
}

// Elements are stored as they are computed: integers and float.
constexpr bool is_direct(DType type) { return !is_float_type(type) || type == DType::Float; }

template <typename T>
constexpr T scalar_as(const ScalarDesc& scalar) {
  if constexpr (std::is_floating_point_v<T>)
    return is_float_type(scalar.dtype) ? static_cast<T>(scalar.f) : static_cast<T>(scalar.i);
  else
    return static_cast<T>(is_float_type(scalar.dtype) ? static_cast<int64_t>(scalar.f) : scalar.i);
}

// A scalar operand of a narrow float tile has that tile's precision.
float narrow_scalar(DType type, const ScalarDesc& scalar);

constexpr int64_t kChunk = 256;  // elements that a conversion buffer holds

// Integer arithmetic that wraps.
template <typename T>
struct Wrapping {
  using U = std::conditional_t<sizeof(T) < 4, uint32_t, std::make_unsigned_t<T>>;
  static constexpr T add(T a, T b) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(b)); }
  static constexpr T sub(T a, T b) { return static_cast<T>(static_cast<U>(a) - static_cast<U>(b)); }
  static constexpr T mul(T a, T b) { return static_cast<T>(static_cast<U>(a) * static_cast<U>(b)); }
  static constexpr T div(T a, T b) {
    if (b == 0) return static_cast<T>(-1);  // the device's result is undefined
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return sub(0, a);
    return static_cast<T>(a / b);
  }
  // The remainder has the sign of the divisor.
  static constexpr T rem(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    const T r = static_cast<T>(a % b);
    return r != 0 && (r < 0) != (b < 0) ? static_cast<T>(r + b) : r;
  }
};

// The elementwise operations.  Max and min return NaN if an operand is NaN.
namespace op {

struct Add {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return Wrapping<T>::add(a, b);
  }
};
struct Sub {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a - b;
    else
      return Wrapping<T>::sub(a, b);
  }
};
struct Mul {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return Wrapping<T>::mul(a, b);
  }
};
struct Div {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a / b;
    else
      return Wrapping<T>::div(a, b);
  }
};
struct Rem {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T r = std::fmod(a, b);
      return r != 0 && (r < 0) != (b < 0) ? r + b : r;
    } else {
      return Wrapping<T>::rem(a, b);
    }
  }
};
struct Max {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return math::choose(a != a, a, math::choose(a > b, a, b));
    } else {
      return a > b ? a : b;
    }
  }
};
struct Min {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return math::choose(a != a, a, math::choose(a < b, a, b));
    } else {
      return a < b ? a : b;
    }
  }
};
struct And {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
// A shift by the width or more leaves nothing (of a negative number: -1 to the right).
struct Shl {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const auto count = static_cast<U>(b);
    return count >= sizeof(T) * 8 ? T{0} : static_cast<T>(static_cast<U>(a) << count);
  }
};
struct Shr {
  template <typename T>
  PTOPRO_INLINE static T of(T a, T b) {
    using U = std::make_unsigned_t<T>;
    const auto count = static_cast<U>(b);
    const U most = sizeof(T) * 8 - 1;
    if (std::is_unsigned_v<T> && count > most) return 0;
    return static_cast<T>(a >> (count > most ? most : count));
  }
};

}  // namespace op

}  // namespace ptopro::sim
