// The small binary floats as formats: how a float is rounded to one of them, and what a code of one is worth.
//
// In: a float, a Round mode, saturation.  Out: the code, correctly rounded; and back, exactly.  HiFloat8 and E8M0,
// which are no binary floats, have functions of their own.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace ptopro {

// Rounding of a conversion, numbered as the instruction's RoundMode.  None is Rint where digits are lost.
enum class Round : uint8_t { None, Rint, Away, Floor, Ceil, Trunc, Odd };

// Layout of a small binary float: 1 sign bit, `exponent` bits, `mantissa` bits.
struct FloatFormat {
  int exponent, mantissa, bias;
  uint32_t max_code;  // largest finite magnitude
  uint32_t overflow;  // magnitude that stands for "too large" (infinity or NaN; max_code if there is neither)
  uint32_t nan;       // magnitude of the canonical NaN (0 if there is none)
};

inline constexpr FloatFormat kHalf{5, 10, 15, 0x7bff, 0x7c00, 0x7e00};
inline constexpr FloatFormat kBFloat16{8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0};
inline constexpr FloatFormat kE4M3{4, 3, 7, 0x7e, 0x7f, 0x7f};
inline constexpr FloatFormat kE5M2{5, 2, 15, 0x7b, 0x7c, 0x7e};
inline constexpr FloatFormat kE2M1{2, 1, 1, 0x7, 0x7, 0};
inline constexpr FloatFormat kE1M2{1, 2, 1, 0x7, 0x7, 0};

namespace detail {

// Whether the magnitude kept has to be increased by one unit; `rest` are the digits lost, `half` half a unit.
constexpr bool rounds_up(Round mode, bool negative, uint64_t keep, uint64_t rest, uint64_t half) {
  switch (mode) {
    case Round::None:
    case Round::Rint:
      return rest > half || (rest == half && (keep & 1));
    case Round::Away:
      return rest >= half;
    case Round::Floor:
      return negative && rest != 0;
    case Round::Ceil:
      return !negative && rest != 0;
    case Round::Trunc:
      return false;
    case Round::Odd:
      return rest != 0 && !(keep & 1);
  }
  return false;
}

// Whether a magnitude above the largest finite one becomes the overflow code (else the largest finite one).
constexpr bool overflows(Round mode, bool negative) {
  switch (mode) {
    case Round::None:
    case Round::Rint:
    case Round::Away:
      return true;
    case Round::Floor:
      return negative;
    case Round::Ceil:
      return !negative;
    case Round::Trunc:
    case Round::Odd:
      return false;
  }
  return true;
}

// A double rounded to float such that a second rounding to a narrower type gives the correctly rounded result.
constexpr float to_float_odd(double value) {
  float nearest = static_cast<float>(value);
  double back = nearest;
  if (back == value || value != value) return nearest;
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if ((bits & 0x7fffffff) == 0x7f800000) return nearest;
  double magnitude = value < 0 ? -value : value;
  double kept = back < 0 ? -back : back;
  if (kept > magnitude) --bits;  // towards zero, then the last digit records that something was lost
  return std::bit_cast<float>(bits | 1);
}

template <typename T>
constexpr float arithmetic_to_float(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else if constexpr (std::is_floating_point_v<T>) {
    return to_float_odd(static_cast<double>(value));
  } else if constexpr (sizeof(T) <= 4) {
    return to_float_odd(static_cast<double>(value));
  } else {
    bool negative = value < 0;
    uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    if (magnitude >> 53) magnitude = (magnitude & ~uint64_t{0x7ff}) | ((magnitude & 0x7ff) ? 0x800 : 0);
    double wide = static_cast<double>(magnitude);
    return to_float_odd(negative ? -wide : wide);
  }
}

}  // namespace detail

// The code of `value` in the format, correctly rounded.
template <const FloatFormat& F>
constexpr uint32_t encode(float value, Round mode = Round::Rint, bool saturate = false) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const bool negative = bits >> 31;
  const uint32_t sign = negative ? 1u << (F.exponent + F.mantissa) : 0u;
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) {
    if constexpr (F.nan == 0) return 0;
    uint32_t payload = F.mantissa >= 7 ? (magnitude & 0x7fffff) >> (23 - F.mantissa) : 0;
    return sign | F.nan | payload;
  }
  if (magnitude == 0x7f800000) return sign | (saturate ? F.max_code : F.overflow);
  const int biased = static_cast<int>(magnitude >> 23);
  const uint64_t digits = (magnitude & 0x7fffff) | (biased ? 0x800000u : 0u);
  const int exponent = (biased ? biased : 1) - 127;
  const int scale = exponent > 1 - F.bias ? exponent : 1 - F.bias;
  int shift = scale - exponent + 23 - F.mantissa;
  if (shift > 40) shift = 40;
  const uint64_t keep = digits >> shift;
  const uint64_t rest = digits & ((uint64_t{1} << shift) - 1);
  const uint64_t half = shift ? uint64_t{1} << (shift - 1) : 1;
  uint64_t code = (static_cast<uint64_t>(scale + F.bias - 1) << F.mantissa) + keep;
  if (detail::rounds_up(mode, negative, keep, rest, half)) ++code;
  if (code > F.max_code) code = saturate || !detail::overflows(mode, negative) ? F.max_code : F.overflow;
  return sign | static_cast<uint32_t>(code);
}

// The value of a code, exact.
template <const FloatFormat& F>
constexpr float decode(uint32_t code) {
  const uint32_t sign = (code >> (F.exponent + F.mantissa)) & 1;
  const uint32_t magnitude = code & ((1u << (F.exponent + F.mantissa)) - 1);
  const uint32_t out_sign = sign << 31;
  if (magnitude > F.max_code) {
    const bool infinite = F.overflow != F.nan && magnitude == F.overflow;
    const uint32_t payload = F.mantissa >= 7 ? (magnitude & ((1u << F.mantissa) - 1)) << (23 - F.mantissa) : 0;
    return std::bit_cast<float>(out_sign | (infinite ? 0x7f800000u : 0x7fc00000u | payload));
  }
  uint32_t biased = magnitude >> F.mantissa;
  uint32_t digits = magnitude & ((1u << F.mantissa) - 1);
  if constexpr (F.exponent == 8) return std::bit_cast<float>(out_sign | (magnitude << (23 - F.mantissa)));
  if (biased == 0) {
    if (digits == 0) return std::bit_cast<float>(out_sign);
    int exponent = 1 - F.bias;
    while (!(digits >> F.mantissa)) {
      digits <<= 1;
      --exponent;
    }
    digits &= (1u << F.mantissa) - 1;
    return std::bit_cast<float>(out_sign | (static_cast<uint32_t>(exponent + 127) << 23) |
                                (digits << (23 - F.mantissa)));
  }
  return std::bit_cast<float>(out_sign | ((biased - F.bias + 127) << 23) | (digits << (23 - F.mantissa)));
}

namespace detail {

// HiFloat8: a prefix code tells how many bits the exponent has; more exponent, fewer digits.
//   11: 4 exponent bits, 1 digit   10: 3, 2   01: 2, 3   001: 1, 3   0001: 0, 3   0000: powers of two 2^(d-23)
// Exponents are sign and magnitude with a hidden leading one.  0x00 zero, 0x80 NaN, 0x6f and 0xef infinities.
constexpr float decode_hif8(uint32_t code) {
  const bool negative = code & 0x80;
  const uint32_t body = code & 0x7f;
  const uint32_t sign = negative ? 0x80000000u : 0u;
  if (body == 0) return std::bit_cast<float>(negative ? 0x7fc00000u : 0u);
  if (body == 0x6f) return std::bit_cast<float>(sign | 0x7f800000u);
  int exponent_bits = 0, digits_bits = 3;
  uint32_t rest = 0;
  if (body >> 5 == 3) {
    exponent_bits = 4, digits_bits = 1, rest = body & 0x1f;
  } else if (body >> 5 == 2) {
    exponent_bits = 3, digits_bits = 2, rest = body & 0x1f;
  } else if (body >> 5 == 1) {
    exponent_bits = 2, rest = body & 0x1f;
  } else if (body >> 4 == 1) {
    exponent_bits = 1, rest = body & 0xf;
  } else if (body >> 3 == 1) {
    rest = body & 0x7;
  } else {
    const int exponent = static_cast<int>(body) - 23;
    return std::bit_cast<float>(sign | (static_cast<uint32_t>(exponent + 127) << 23));
  }
  const uint32_t digits = rest & ((1u << digits_bits) - 1);
  int exponent = 0;
  if (exponent_bits > 0) {
    const uint32_t field = rest >> digits_bits;
    const uint32_t low = exponent_bits - 1;
    exponent = static_cast<int>((1u << low) | (field & ((1u << low) - 1)));
    if (field >> low) exponent = -exponent;
  }
  return std::bit_cast<float>(sign | (static_cast<uint32_t>(exponent + 127) << 23) | (digits << (23 - digits_bits)));
}

// Finite magnitudes of HiFloat8 in ascending order with their codes.
struct Hif8Order {
  std::array<float, 128> value{};
  std::array<uint8_t, 128> code{};
  int count = 0;
};

constexpr Hif8Order order_hif8() {
  Hif8Order order;
  for (int code = 0; code < 128; ++code) {
    if (code == 0x6f) continue;
    const float value = decode_hif8(static_cast<uint32_t>(code));
    int at = order.count++;
    for (; at > 0 && order.value[at - 1] > value; --at) {
      order.value[at] = order.value[at - 1];
      order.code[at] = order.code[at - 1];
    }
    order.value[at] = value;
    order.code[at] = static_cast<uint8_t>(code);
  }
  return order;
}

inline constexpr Hif8Order kHif8Order = order_hif8();

}  // namespace detail

// Ties of Rint go to the neighbour with an even code; HiFloat8 hardware rounds ties away from zero.
constexpr uint32_t encode_hif8(float value, Round mode = Round::Away, bool saturate = false) {
  const auto& order = detail::kHif8Order;
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const bool negative = bits >> 31;
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x80;
  const float magnitude = std::bit_cast<float>(bits & 0x7fffffff);
  const int last = order.count - 1;
  uint32_t code = 0;
  // One more step of the top binade would be infinity: 2^15 is followed by 1.5 * 2^15.
  const float above = 49152.0f;
  if (magnitude >= above) {
    code =
        saturate || (magnitude < std::bit_cast<float>(0x7f800000u) && !detail::overflows(mode, negative)) ? 0x6e : 0x6f;
  } else {
    int low = 0, high = last;  // the largest entry that is not above the magnitude
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (order.value[middle] <= magnitude)
        low = middle;
      else
        high = middle - 1;
    }
    const float under = order.value[low], over = low == last ? above : order.value[low + 1];
    uint64_t rest = 0;
    const uint64_t half = 2;
    if (magnitude != under) {
      const double middle = (static_cast<double>(under) + static_cast<double>(over)) / 2;
      rest = magnitude < middle ? 1 : magnitude == middle ? 2 : 3;
    }
    const bool up = detail::rounds_up(mode, negative, order.code[low], rest, half);
    if (!up)
      code = order.code[low];
    else if (low < last)
      code = order.code[low + 1];
    else
      code = saturate || !detail::overflows(mode, negative) ? 0x6e : 0x6f;
  }
  if (code == 0) return 0;  // there is no negative zero
  return code | (negative ? 0x80u : 0u);
}

// E8M0 is a power of two without sign: code e is 2^(e-127), 255 is NaN.
constexpr float decode_e8m0(uint32_t code) {
  if (code == 255) return std::bit_cast<float>(0x7fc00000u);
  return code == 0 ? std::bit_cast<float>(0x00400000u) : std::bit_cast<float>(code << 23);
}

constexpr uint32_t encode_e8m0(float value, Round mode = Round::Rint, bool saturate = false) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (bits >> 31 || bits > 0x7f800000) return 255;
  if (bits == 0x7f800000) return saturate ? 254 : 255;
  if (bits < 0x00400000) return 0;
  uint32_t code = bits >> 23;
  uint32_t rest = bits & 0x7fffff;
  if (code == 0) {
    rest = (rest - 0x400000) * 2;  // between 2^-127 and 2^-126
  }
  const bool up = detail::rounds_up(mode, false, code, rest, 0x400000);
  code += up;
  return code > 254 ? (saturate ? 254 : 255) : code;
}

}  // namespace ptopro
