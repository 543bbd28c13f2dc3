// The tile: a type that carries memory, element, shape and layout, and an object that carries address and valid shape.
//
// Nothing is stored in a tile.  Its data() is the address inside its memory (as on the device), its elements live in
// the machine's memories and are reached through instructions, or by the scalar unit with GetValue and SetValue.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ptopro/enums.hpp"
#include "ptopro/issue.hpp"
#include "ptopro/numbers.hpp"

namespace pto {

template <TileType Loc_, typename Element_, int Rows_, int Cols_, BLayout BFractal_ = BLayout::RowMajor,
          int RowValid_ = Rows_, int ColValid_ = Cols_, SLayout SFractal_ = SLayout::NoneBox,
          int SFractalSize_ = TileConfig::fractalABSize, PadValue PadVal_ = PadValue::Null,
          CompactMode Compact_ = CompactMode::Null>
struct Tile {
  using DType = Element_;
  using TileDType = DType*;

  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_;
  static constexpr int Cols = Cols_;
  static constexpr int ValidRow = RowValid_;
  static constexpr int ValidCol = ColValid_;
  static constexpr BLayout BFractal = BFractal_;
  static constexpr SLayout SFractal = SFractal_;
  static constexpr int SFractalSize = SFractalSize_;
  static constexpr PadValue PadVal = PadVal_;
  static constexpr CompactMode Compact = Compact_;
  static constexpr int Numel = Rows * Cols;
  static constexpr bool isRowMajor = BFractal == BLayout::RowMajor;
  static constexpr bool isBoxedLayout = SFractal != SLayout::NoneBox;
  static constexpr bool isInnerRowMajor = SFractal == SLayout::RowMajor;
  static constexpr bool isInnerColMajor = SFractal == SLayout::ColMajor;
  static constexpr int RowStride = isRowMajor ? Cols : 1;
  static constexpr int ColStride = isRowMajor ? 1 : Rows;

  static constexpr ptopro::sim::DType ElementType = ptopro::sim::dtype_of<DType>();
  static constexpr int ElementBits = ptopro::sim::dtype_bits(ElementType);
  // Elements along the 32-byte side of a fractal, and along the other.
  static constexpr int FractalLong = SFractalSize == TileConfig::fractalCSize    ? 16
                                     : SFractalSize == TileConfig::fractalMxSize ? 2
                                                                                 : 256 / ElementBits;
  static constexpr int InnerRows = isInnerRowMajor ? 16 : isInnerColMajor ? FractalLong : 1;
  static constexpr int InnerCols = isInnerRowMajor ? FractalLong : isInnerColMajor ? 16 : 1;

  static_assert(ElementType != ptopro::sim::DType::Count, "a tile cannot hold elements of this type");
  static_assert(Rows > 0 && Cols > 0, "a tile has at least one row and one column");
  static_assert(ValidRow <= Rows && ValidCol <= Cols, "the valid shape of a tile is at most its shape");
  static_assert(SFractalSize == TileConfig::fractalABSize || SFractalSize == TileConfig::fractalCSize ||
                    SFractalSize == TileConfig::fractalMxSize,
                "a fractal has 512 bytes, 1024 (32-bit accumulators) or 32 (MX scales)");
  static_assert(isBoxedLayout || !isRowMajor || Cols * ElementBits % 256 == 0,
                "each row of a row-major tile must be a multiple of 32 bytes");
  static_assert(isBoxedLayout || isRowMajor || Rows * ElementBits % 256 == 0,
                "each column of a column-major tile must be a multiple of 32 bytes");
  static_assert(!isBoxedLayout || Cols % InnerCols == 0, "the columns of a tile must fill whole fractals");
  static_assert(!isBoxedLayout || Loc == TileType::Vec || Rows == 1 || Rows % InnerRows == 0,
                "the rows of a tile must fill whole fractals");

  Tile() = default;
  Tile(unsigned rows, unsigned cols)
    requires(ValidRow == DYNAMIC && ValidCol == DYNAMIC)
      : valid_row_(rows), valid_col_(cols) {}
  explicit Tile(unsigned rows)
    requires(ValidRow == DYNAMIC && ValidCol != DYNAMIC)
      : valid_row_(rows) {}
  explicit Tile(unsigned cols)
    requires(ValidRow != DYNAMIC && ValidCol == DYNAMIC)
      : valid_col_(cols) {}

  template <int V = ValidRow>
    requires(V != DYNAMIC)
  static constexpr unsigned GetValidRow() {
    return V;
  }
  template <int V = ValidRow>
    requires(V == DYNAMIC)
  unsigned GetValidRow() const {
    return valid_row_;
  }
  template <int V = ValidCol>
    requires(V != DYNAMIC)
  static constexpr unsigned GetValidCol() {
    return V;
  }
  template <int V = ValidCol>
    requires(V == DYNAMIC)
  unsigned GetValidCol() const {
    return valid_col_;
  }

  void SetValidRow(unsigned rows) {
    static_assert(ValidRow == DYNAMIC, "the valid rows of this tile are fixed by its type");
    valid_row_ = rows;
  }
  void SetValidCol(unsigned cols) {
    static_assert(ValidCol == DYNAMIC, "the valid columns of this tile are fixed by its type");
    valid_col_ = cols;
  }
  void SetValidShape(unsigned rows, unsigned cols) {
    SetValidRow(rows);
    SetValidCol(cols);
  }

  TileDType& data() { return data_; }
  const TileDType& data() const { return data_; }

  DType GetValue(uint32_t offset, ptopro::sim::Where where = ptopro::sim::Where::here()) const {
    static_assert(Loc == TileType::Vec, "the scalar unit reads elements of Vec tiles only");
    DType value{};
    ptopro::sim::scalar_read(describe(), offset, &value, where);
    return value;
  }
  void SetValue(uint32_t offset, DType value, ptopro::sim::Where where = ptopro::sim::Where::here()) {
    static_assert(Loc == TileType::Vec, "the scalar unit writes elements of Vec tiles only");
    ptopro::sim::scalar_write(describe(), offset, &value, where);
  }

  // The tile as an instruction that is issued now sees it.
  ptopro::sim::TileDesc describe() const {
    ptopro::sim::TileDesc tile;
    tile.addr = reinterpret_cast<uint64_t>(data_);
    tile.rows = Rows;
    tile.cols = Cols;
    tile.vrows = static_cast<int32_t>(GetValidRow());
    tile.vcols = static_cast<int32_t>(GetValidCol());
    tile.fractal = static_cast<uint16_t>(SFractalSize);
    tile.memory = static_cast<ptopro::sim::Memory>(Loc);
    tile.dtype = ElementType;
    tile.outer = static_cast<uint8_t>(BFractal);
    tile.inner = static_cast<uint8_t>(SFractal);
    tile.pad = static_cast<uint8_t>(PadVal);
    tile.compact = static_cast<uint8_t>(Compact);
    return tile;
  }

 private:
  TileDType data_ = nullptr;
  unsigned valid_row_ = Rows;
  unsigned valid_col_ = Cols;
};

template <typename T>
inline constexpr bool is_tile_v = false;
template <TileType L, typename E, int R, int C, BLayout B, int VR, int VC, SLayout S, int F, PadValue P, CompactMode M>
inline constexpr bool is_tile_v<Tile<L, E, R, C, B, VR, VC, S, F, P, M>> = true;

template <typename T>
concept AnyTile = is_tile_v<std::remove_cv_t<T>>;

// The layouts that the matrix unit of A5 takes.
template <typename T, int R, int C, int VR = R, int VC = C>
using TileLeft = Tile<TileType::Left, T, R, C, BLayout::ColMajor, VR, VC, SLayout::RowMajor>;
template <typename T, int R, int C, int VR = R, int VC = C>
using TileRight = Tile<TileType::Right, T, R, C, BLayout::RowMajor, VR, VC, SLayout::ColMajor>;
template <typename T, int R, int C, int VR = R, int VC = C>
using TileAcc = Tile<TileType::Acc, T, R, C, BLayout::ColMajor, VR, VC, SLayout::RowMajor, TileConfig::fractalCSize>;

// Binds a tile to a byte address of its memory.
template <AnyTile T, typename Address>
inline void TASSIGN(T& tile, Address address) {
  tile.data() = reinterpret_cast<typename T::TileDType>(static_cast<uintptr_t>((uint64_t)address));
}
template <std::size_t Address, AnyTile T>
inline void TASSIGN(T& tile) {
  static_assert(Address % 32 == 0, "the address of a tile must be a multiple of 32 bytes");
  TASSIGN(tile, Address);
}

}  // namespace pto
