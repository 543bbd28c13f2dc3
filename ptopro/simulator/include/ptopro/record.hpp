// The plain records that flow from a kernel's instruction calls to the pipes of the simulated machine.
//
// The instruction templates of pto/pto-inst.hpp describe their operands by value in a Record and push it on the
// queue of the pipe that executes it; the instruction bodies in simulator/library read nothing but the Record and
// the memories of the core.  Everything here is a trivially copyable aggregate: no templates, no allocation.
#pragma once

#include <cstdint>

namespace ptopro::sim {

enum class Pipe : uint8_t { S, MTE1, MTE2, MTE3, V, M, FIX, ALL };

// On-chip memories of one core.  Vec is the unified buffer (UB), Mat is L1.
enum class Memory : uint8_t { Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight, Count };

// clang-format off
enum class DType : uint8_t {
  Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64,
  Half, BFloat16, Float, Float8E4M3, Float8E5M2, Float8E8M0, Float4E2M1, Float4E1M2, HiFloat8, Count
};
// clang-format on

// A tile as it was when the instruction was issued.  addr is in bytes from the start of its memory.
// Element (r, c) lies where `layout.hpp` says for (boxed_major, inner_major, fractal):
//   ND row/none, DN col/none, NZ col/row, ZN row/col, ZZ row/row, NN col/col (outer order / order inside a fractal).
struct TileDesc {
  uint64_t addr = 0;
  int32_t rows = 0, cols = 0;    // physical shape, elements
  int32_t vrows = 0, vcols = 0;  // valid shape, elements
  uint16_t fractal = 512;        // bytes of one fractal where inner != none
  Memory memory = Memory::Vec;
  DType dtype = DType::Float;
  uint8_t outer = 0;    // BLayout: 0 row major, 1 column major
  uint8_t inner = 0;    // SLayout: 0 none, 1 row major, 2 column major
  uint8_t pad = 0;      // PadValue: 0 null, 1 zero, 2 max, 3 min
  uint8_t compact = 0;  // CompactMode: 0 null, 1 normal, 2 row plus one
};

// A window of global memory: five axes, outermost first; shape and stride in elements.
struct GlobalDesc {
  uint8_t* base = nullptr;
  int64_t shape[5] = {1, 1, 1, 1, 1};
  int64_t stride[5] = {0, 0, 0, 0, 0};
  DType dtype = DType::Float;
  uint8_t layout = 0;  // Layout: 0 ND, 1 DN, 2 NZ
};

// A scalar operand, widened without loss: integers to int64, floats to double (a float is exact in a double).
struct ScalarDesc {
  double f = 0;
  int64_t i = 0;
  DType dtype = DType::Float;
};

// clang-format off: a line is a group
enum class Opcode : uint16_t {
  // synchronisation: executed by the machine itself
  SetFlag, WaitFlag, GetBuf, RlsBuf, PipeBarrier, SetIntraBlock, WaitIntraBlock, FftsSync, WaitFlagDev, SyncAll,
  // data movement
  Load, Store, StoreFp, Move, MoveFp, Extract, Insert,
  // matrix
  Matmul, MatmulAcc, MatmulBias, Gemv, GemvAcc, GemvBias, MatmulMx, MatmulMxAcc,
  // elementwise, tile and tile
  Add, Sub, Mul, Div, Rem, Max, Min, And, Or, Xor, Shl, Shr, AddC, SubC,
  // elementwise, tile and scalar
  AddS, SubS, MulS, DivS, RemS, MaxS, MinS, AndS, OrS, XorS, ShlS, ShrS, AddSC, SubSC, Axpy, LRelu,
  // elementwise, one tile
  Neg, Abs, Exp, Log, Sqrt, Rsqrt, Recip, Relu, Not, Cast, ExpandS, FillIndex,
  // comparison and selection
  Cmp, CmpS, Sel, SelS,
  // reductions
  RowSum, RowMax, RowMin, RowProd, RowArgMax, RowArgMin, ColSum, ColMax, ColMin, ColProd, ColArgMax, ColArgMin,
  // broadcasts
  RowExpand, RowExpandAdd, RowExpandSub, RowExpandMul, RowExpandDiv, RowExpandMax, RowExpandMin, RowExpandExpDif,
  ColExpand, ColExpandAdd, ColExpandSub, ColExpandMul, ColExpandDiv, ColExpandMax, ColExpandMin, ColExpandExpDif,
  // fill, layout
  FillPad, FillPadExpand, FillPadInplace, Transpose, Reshape,
  // partial, gather, sort, quantisation
  PartAdd, PartMul, PartMax, PartMin, Gather, GatherCmp, GatherB, GatherMask, Scatter, Sort32, MrgSort, MrgSortList,
  Histogram, Quant, Dequant,
  // code: a vector function, a SIMT launch
  VectorFunction, Threads,
  Count
};
// clang-format on

// Instruction modifiers; what is not named by an instruction stays 0.
struct Modifiers {
  uint8_t phase = 0;         // AccPhase / STPhase: 0 unspecified, 2 partial, 3 final
  uint8_t relu = 0;          // ReluPreMode: 1 = relu
  uint8_t atomic = 0;        // into global memory: 1 add, 2 max, 3 min
  uint8_t acc_to_vec = 255;  // AccToVecMode: 0 vec0, 1 vec1, 2 split M, 3 split N, 255 not given
  uint8_t round = 0;         // RoundMode
  uint8_t saturate = 1;
  uint8_t compare = 0;  // CmpMode: EQ NE LT LE GT GE
  // One more number of some instructions: scalar op tile instead of tile op scalar (TDIVS(d, k, s)), descending (TCI),
  // mask pattern (TGATHER), counted byte (THISTOGRAM), stop at an exhausted list (TMRGSORT), QuantType (TQUANT).
  uint8_t reverse = 0;
  bool has_scale = false;
};

// Code that an instruction runs, with the state that it was issued with; the machine drops it.
struct Code {
  void (*run)(void* state) = nullptr;
  void (*drop)(void* state) = nullptr;
  void* state = nullptr;
};

struct Record {
  Opcode op = Opcode::Count;
  Pipe pipe = Pipe::S;   // the pipe whose queue holds the record
  Pipe other = Pipe::S;  // the second pipe of a flag
  uint8_t tiles = 0;     // how many of `tile` are used; tile[0] is the destination unless the instruction is a store
  bool uses_global = false;
  Modifiers mod;
  uint32_t line = 0;  // source line of the call (kernel.py under #line, else kernel.cpp)
  const char* file = nullptr;
  int32_t id = 0;            // flag, lock or event id; FFTS mode in `row`
  int32_t row = 0, col = 0;  // offsets of extract, insert
  uint64_t scale = 0;        // fixpipe pre-quantisation word
  ScalarDesc scalar;
  TileDesc tile[6];
  GlobalDesc global;
  Code code;
};

// What an instruction body may touch: the memories of its own core, and the UBs of its block's vector cores
// (a FIX move in dual mode writes both; a vector core inserts into the cube's L1).
struct CoreMemory {
  uint8_t* bytes[static_cast<int>(Memory::Count)] = {};
  uint64_t size[static_cast<int>(Memory::Count)] = {};
  uint8_t* vector_ub[2] = {};
  uint8_t* cube_l1 = nullptr;
  int subblock = 0;  // of this core, when it is a vector core
  bool is_cube = false;
};

using Body = void (*)(const CoreMemory&, const Record&);

// library/instructions.cpp: the body of every opcode that is not synchronisation; nullptr where there is none.
Body body_of(Opcode op);

}  // namespace ptopro::sim
