// Enumerations of the tile instruction set, with the values that the public documentation gives them.
#pragma once

#include <cstdint>

namespace pto {

// In the order of ptopro::sim::Memory.
enum class TileType { Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight };

enum class BLayout { RowMajor = 0, ColMajor = 1 };
enum class SLayout { NoneBox = 0, RowMajor = 1, ColMajor = 2 };

// How a tensor lies in global memory; only ND, DN and NZ name an order, the others a purpose.
enum class Layout {
  ND,
  DN,
  NZ,
  SCALE,
  MX_A_ND,
  MX_A_DN,
  MX_A_ZZ,
  MX_B_ND,
  MX_B_DN,
  MX_B_NN,
};

enum class PadValue : uint64_t { Null = 0, Zero = 1, Max = 2, Min = 3 };
enum class CompactMode { Null, Normal, RowPlusOne };

enum class RoundMode : uint8_t {
  CAST_NONE = 0,
  CAST_RINT = 1,   // nearest, ties to even
  CAST_ROUND = 2,  // nearest, ties away from zero
  CAST_FLOOR = 3,
  CAST_CEIL = 4,
  CAST_TRUNC = 5,
  CAST_ODD = 6,
};
enum class SaturationMode : uint8_t { ON = 0, OFF = 1 };

enum class CmpMode : uint8_t { EQ = 0, NE = 1, LT = 2, LE = 3, GT = 4, GE = 5 };

// Unit flag: Partial and Final order a matmul and the store of its result without flags or locks.
enum class AccPhase : uint8_t { Unspecified = 0, Unknown = Unspecified, Partial = 2, Final = 3 };
enum class STPhase : uint8_t { Unspecified = 0, Partial = 2, Final = 3 };

enum class AtomicType : uint8_t { AtomicNone = 0, AtomicAdd = 1 };
enum class ReluPreMode : uint8_t { NoRelu = 0, NormalRelu = 1 };

// Which vector core of the block receives an Acc tile, or how it is split over both.
enum class AccToVecMode : uint8_t { SingleModeVec0 = 0, SingleModeVec1 = 1, DualModeSplitM = 2, DualModeSplitN = 3 };

// Which elements of each group of two or four are taken; bit 0 is the first.
enum class MaskPattern : uint8_t { P0101 = 1, P1010 = 2, P0001 = 3, P0010 = 4, P0100 = 5, P1000 = 6, P1111 = 7 };

enum class QuantType { MXFP8 = 0, MXFP4_E2M1 = 1, INT8_SYM = 2, INT8_ASYM = 3 };
enum class HistByte : uint8_t { BYTE_0 = 0, BYTE_1 = 1, BYTE_2 = 2, BYTE_3 = 3 };
enum class TFillPadMode : uint8_t { Normal = 0, InPlace = 1, Expand = 2 };

enum class SyncAllMode : uint8_t { Hard = 0, Soft = 1 };
enum class SyncCoreType : uint8_t { AIVOnly = 0, AICOnly = 1, Mix = 2 };

constexpr int DYNAMIC = -1;

namespace TileConfig {
constexpr int alignedSize = 32;     // bytes
constexpr int fractalABSize = 512;  // bytes of one fractal of an operand
constexpr int fractalCSize = 1024;  // of an accumulator of 32-bit elements
constexpr int fractalMxSize = 32;   // of MX scales
}  // namespace TileConfig

namespace GlobalTensorDim {
constexpr int DIM_0 = 0;
constexpr int DIM_1 = 1;
constexpr int DIM_2 = 2;
constexpr int DIM_3 = 3;
constexpr int DIM_4 = 4;
constexpr int TOTAL_DIM = 5;
}  // namespace GlobalTensorDim

struct MrgSortExecutedNumList {
  uint16_t mrgSortList0, mrgSortList1, mrgSortList2, mrgSortList3;
};

}  // namespace pto
