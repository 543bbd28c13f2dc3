// A window of a tensor in global memory: a pointer and five axes of shape and stride, static or dynamic (-1) each.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "ptopro/enums.hpp"
#include "ptopro/numbers.hpp"
#include "ptopro/record.hpp"

namespace pto {

namespace detail {

// Five numbers of which some are known to the type.  A constructor takes all five, or just the dynamic ones in order.
template <int64_t... N>
struct FiveAxes {
  static_assert(sizeof...(N) == 5);
  static constexpr int64_t kStatic[5] = {N...};
  static constexpr int kDynamic = (0 + ... + (N == DYNAMIC));

  FiveAxes() = default;
  template <std::convertible_to<int64_t>... V>
    requires(sizeof...(V) >= 1 && (sizeof...(V) == 5 || sizeof...(V) == kDynamic))
  FiveAxes(V... given) {
    const int64_t values[] = {static_cast<int64_t>(given)...};
    for (int axis = 0, next = 0; axis < 5; ++axis) {
      const int at = sizeof...(V) == 5 ? axis : next;
      if (kStatic[axis] != DYNAMIC) continue;
      value[axis] = values[at];
      ++next;
    }
  }

  int64_t value[5] = {(N == DYNAMIC ? 1 : N)...};
};

constexpr int64_t times(int64_t a, int64_t b) { return a == DYNAMIC || b == DYNAMIC ? DYNAMIC : a * b; }
constexpr int64_t over(int64_t a, int64_t b) { return a == DYNAMIC ? DYNAMIC : a / b; }

}  // namespace detail

// Elements along each axis, outermost first; a dynamic axis that is not given is 1.
template <int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC, int64_t N5 = DYNAMIC>
struct Shape : detail::FiveAxes<N1, N2, N3, N4, N5> {
  static constexpr int64_t staticShape[5] = {N1, N2, N3, N4, N5};
  using detail::FiveAxes<N1, N2, N3, N4, N5>::FiveAxes;
};

// Elements from one index of an axis to the next.
template <int64_t N1 = DYNAMIC, int64_t N2 = DYNAMIC, int64_t N3 = DYNAMIC, int64_t N4 = DYNAMIC, int64_t N5 = DYNAMIC>
struct Stride : detail::FiveAxes<N1, N2, N3, N4, N5> {
  static constexpr int64_t staticStride[5] = {N1, N2, N3, N4, N5};
  using detail::FiveAxes<N1, N2, N3, N4, N5>::FiveAxes;
};

template <typename Element_, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND>
struct GlobalTensor {
  using Shape = Shape_;
  using Stride = Stride_;
  using RawDType = std::remove_cv_t<Element_>;
  using DType = RawDType;
  static constexpr Layout layout = Layout_;

  GlobalTensor() = default;
  GlobalTensor(DType* data, const Shape& shape = Shape(), const Stride& stride = Stride())
      : data_(data), shape_(shape), stride_(stride) {}

  int64_t GetShape(int axis) const { return axis >= 0 && axis < 5 ? shape_.value[axis] : -1; }
  int64_t GetStride(int axis) const { return axis >= 0 && axis < 5 ? stride_.value[axis] : -1; }
  template <int Axis>
  static constexpr int64_t GetShape() {
    static_assert(Axis >= 0 && Axis < 5 && Shape::staticShape[Axis] != DYNAMIC, "the axis has no static size");
    return Shape::staticShape[Axis];
  }
  template <int Axis>
  static constexpr int64_t GetStride() {
    static_assert(Axis >= 0 && Axis < 5 && Stride::staticStride[Axis] != DYNAMIC, "the axis has no static stride");
    return Stride::staticStride[Axis];
  }

  template <int... Axis, std::convertible_to<int64_t>... V>
    requires(sizeof...(Axis) == sizeof...(V) && sizeof...(V) >= 1)
  void SetShape(V... sizes) {
    static_assert(((Axis >= 0 && Axis < 5 && Shape::staticShape[Axis] == DYNAMIC) && ...),
                  "only dynamic axes can be set");
    ((shape_.value[Axis] = static_cast<int64_t>(sizes)), ...);
  }
  template <int... Axis, std::convertible_to<int64_t>... V>
    requires(sizeof...(Axis) == sizeof...(V) && sizeof...(V) >= 1)
  void SetStride(V... strides) {
    static_assert(((Axis >= 0 && Axis < 5 && Stride::staticStride[Axis] == DYNAMIC) && ...),
                  "only dynamic strides can be set");
    ((stride_.value[Axis] = static_cast<int64_t>(strides)), ...);
  }

  DType* data() const { return data_; }
  void SetAddress(DType* data) { data_ = data; }

  ptopro::sim::GlobalDesc describe() const {
    ptopro::sim::GlobalDesc global;
    global.base = reinterpret_cast<uint8_t*>(data_);
    for (int axis = 0; axis < 5; ++axis) {
      global.shape[axis] = shape_.value[axis];
      global.stride[axis] = stride_.value[axis];
    }
    global.dtype = ptopro::sim::dtype_of<RawDType>();
    global.layout = static_cast<uint8_t>(Layout_);
    return global;
  }

 private:
  DType* data_ = nullptr;
  Shape shape_;
  Stride stride_;
};

template <typename T>
inline constexpr bool is_global_v = false;
template <typename E, typename Sh, typename St, Layout L>
inline constexpr bool is_global_v<GlobalTensor<E, Sh, St, L>> = true;

template <typename T>
concept AnyGlobal = is_global_v<std::remove_cv_t<T>>;

// Binds a tensor to another address; shape and strides stay.
template <AnyGlobal G>
inline void TASSIGN(G& global, typename G::DType* address) {
  global.SetAddress(address);
}

// The shape of a two-dimensional tensor.  In NZ the rows come in groups of 16, the columns in groups of 32 bytes.
template <typename T, int64_t Rows = DYNAMIC, int64_t Cols = DYNAMIC, Layout L = Layout::ND>
struct TileShape2D : Shape<1, 1, 1, Rows, Cols> {
  using Parent = Shape<1, 1, 1, Rows, Cols>;
  TileShape2D() = default;
  template <std::convertible_to<int64_t> R, std::convertible_to<int64_t> C>
  TileShape2D(R rows, C cols) : Parent(1, 1, 1, rows, cols) {}
  using Parent::Parent;
};
template <typename T, int64_t Rows, int64_t Cols>
struct TileShape2D<T, Rows, Cols, Layout::NZ>
    : Shape<1, detail::over(Cols, 32 / sizeof(T)), detail::over(Rows, 16), 16, 32 / sizeof(T)> {
  static constexpr int64_t C0Size = 32 / sizeof(T);
  using Parent = Shape<1, detail::over(Cols, C0Size), detail::over(Rows, 16), 16, C0Size>;
  static_assert(Rows == DYNAMIC || Rows % 16 == 0, "the rows of an NZ tensor must be a multiple of 16");
  static_assert(Cols == DYNAMIC || Cols % C0Size == 0, "the columns of an NZ tensor must be a multiple of 32 bytes");
  TileShape2D() = default;
  TileShape2D(int64_t rows, int64_t cols) : Parent(1, cols / C0Size, rows / 16, 16, C0Size) {}
};

// The strides of a contiguous two-dimensional tensor (a stride in spite of its name, as in PTO-ISA).
template <typename T, int64_t Rows = DYNAMIC, int64_t Cols = DYNAMIC, Layout L = Layout::ND>
struct BaseShape2D : Stride<detail::times(Rows, Cols), detail::times(Rows, Cols), detail::times(Rows, Cols), Cols, 1> {
  using Parent = Stride<detail::times(Rows, Cols), detail::times(Rows, Cols), detail::times(Rows, Cols), Cols, 1>;
  BaseShape2D() = default;
  BaseShape2D(int64_t rows, int64_t cols) : Parent(rows * cols, rows * cols, rows * cols, cols, 1) {}
};
template <typename T, int64_t Rows, int64_t Cols>
struct BaseShape2D<T, Rows, Cols, Layout::DN>
    : Stride<detail::times(Rows, Cols), detail::times(Rows, Cols), detail::times(Rows, Cols), 1, Rows> {
  using Parent = Stride<detail::times(Rows, Cols), detail::times(Rows, Cols), detail::times(Rows, Cols), 1, Rows>;
  BaseShape2D() = default;
  BaseShape2D(int64_t rows, int64_t cols) : Parent(rows * cols, rows * cols, rows * cols, 1, rows) {}
};
template <typename T, int64_t Rows, int64_t Cols>
struct BaseShape2D<T, Rows, Cols, Layout::NZ>
    : Stride<detail::times(Rows, Cols), detail::times(Rows, 32 / sizeof(T)), 16 * (32 / sizeof(T)), 32 / sizeof(T), 1> {
  static constexpr int64_t C0Size = 32 / sizeof(T);
  using Parent = Stride<detail::times(Rows, Cols), detail::times(Rows, C0Size), 16 * C0Size, C0Size, 1>;
  BaseShape2D() = default;
  BaseShape2D(int64_t rows, int64_t cols) : Parent(rows * cols, rows * C0Size, 16 * C0Size, C0Size, 1) {}
};

}  // namespace pto
