// Default figures per chip and the cost of each kind of instruction.
#include "costs.hpp"

#include <algorithm>
#include <cmath>

#include "ptopro/numbers.hpp"

extern "C" void ptopro_sim_costs(int32_t chip, PtoproCosts* costs) {
  // Rates are platform figures, latencies and factors estimates; each is in reference/hardware.yaml with its source.
  // The vector figures of a5 are a published fit: cycles = 1.25 x registers + 55 for an addition.
  PtoproCosts c{};
  c.struct_size = sizeof c;
  c.cube_m = 16, c.cube_k_bytes = 32, c.cube_n = 16;
  c.vector_bytes = 256;
  c.transcendental = 4, c.reduce = 4;
  c.mte1 = 60, c.mte2 = 400, c.mte3 = 300, c.fix = 80, c.m = 30;
  c.flag = 10, c.mutex = 10, c.cross_core = 120;
  c.issue = 4, c.scalar_access = 20;
  c.ub_to_ub = 256;
  if (chip == PTOPRO_A3) {
    c.cores = 24;
    c.gm_to_l1 = 32, c.gm_to_ub = 32, c.ub_to_gm = 64, c.l0c_to_gm = 64;
    c.l1_to_l0a = 512, c.l1_to_l0b = 256, c.l1_to_ub = 128, c.l0c_to_ub = 256, c.l0c_to_l1 = 256, c.ub_to_l1 = 128;
    c.vector_start = 20, c.vector_register = 2;
  } else {
    c.cores = 28;
    c.gm_to_l1 = 80, c.gm_to_ub = 40, c.ub_to_gm = 40, c.l0c_to_gm = 80;
    c.l1_to_l0a = 256, c.l1_to_l0b = 256, c.l1_to_ub = 128, c.l0c_to_ub = 128, c.l0c_to_l1 = 128, c.ub_to_l1 = 128;
    c.vector_start = 55, c.vector_register = 1.25;
  }
  *costs = c;
}

namespace ptopro::sim {

namespace {

double tile_bytes(const TileDesc& tile) {
  return static_cast<double>(tile.vrows) * tile.vcols * dtype_bits(tile.dtype) / 8;
}

double window_bytes(const GlobalDesc& window) {
  double count = 1;
  for (const int64_t extent : window.shape) count *= static_cast<double>(std::max<int64_t>(extent, 0));
  return count * dtype_bits(window.dtype) / 8;
}

double move_rate(Memory to, Memory from, const PtoproCosts& c) {
  if (from == Memory::Acc) return to == Memory::Mat ? c.l0c_to_l1 : c.l0c_to_ub;
  if (from == Memory::Mat) return to == Memory::Vec ? c.l1_to_ub : to == Memory::Right ? c.l1_to_l0b : c.l1_to_l0a;
  return to == Memory::Mat ? c.ub_to_l1 : c.ub_to_ub;
}

double vector_factor(Opcode op, const PtoproCosts& c) {
  switch (op) {
    case Opcode::Exp:
    case Opcode::Log:
    case Opcode::Sqrt:
    case Opcode::Rsqrt:
    case Opcode::Recip:
    case Opcode::Div:
    case Opcode::DivS:
    case Opcode::Rem:
    case Opcode::RemS:
    case Opcode::RowExpandDiv:
    case Opcode::RowExpandExpDif:
    case Opcode::ColExpandDiv:
    case Opcode::ColExpandExpDif:
      return c.transcendental;
    case Opcode::RowSum:
    case Opcode::RowMax:
    case Opcode::RowMin:
    case Opcode::RowProd:
    case Opcode::RowArgMax:
    case Opcode::RowArgMin:
    case Opcode::Sort32:
    case Opcode::MrgSort:
    case Opcode::MrgSortList:
    case Opcode::Transpose:
    case Opcode::Gather:
    case Opcode::Scatter:
      return c.reduce;
    default:
      return 1;
  }
}

double units(int32_t count, double unit) { return std::ceil(count / unit); }

Cost matrix_cost(const TileDesc& left, const TileDesc& right, const PtoproCosts& c) {
  const int bits = dtype_bits(left.dtype);
  const double k_unit = c.cube_k_bytes * 8 / bits;
  const double factor = left.dtype == DType::Float ? 2 : 1;  // FP32 runs at a quarter of the rate of FP16
  return {factor * units(left.vrows, c.cube_m) * units(left.vcols, k_unit) * units(right.vcols, c.cube_n), c.m};
}

}  // namespace

// A tile operation loads, computes and stores every register; its figure per register is for these three.
Cost cost_of_code(uint64_t instructions, const PtoproCosts& c) {
  return {std::ceil(static_cast<double>(instructions) * c.vector_register / 3), c.vector_start};
}

Cost cost_of(const Record& record, const PtoproCosts& c) {
  switch (record.op) {
    case Opcode::Load: {
      const double rate = record.tile[0].memory == Memory::Vec ? c.gm_to_ub : c.gm_to_l1;
      return {window_bytes(record.global) / rate, c.mte2};
    }
    case Opcode::Store:
    case Opcode::StoreFp: {
      const bool fix = record.pipe == Pipe::FIX;
      return {window_bytes(record.global) / (fix ? c.l0c_to_gm : c.ub_to_gm), fix ? c.fix : c.mte3};
    }
    case Opcode::Matmul:
    case Opcode::MatmulBias:
    case Opcode::Gemv:
    case Opcode::GemvBias:
      return matrix_cost(record.tile[1], record.tile[2], c);
    case Opcode::MatmulAcc:
    case Opcode::GemvAcc:
      return matrix_cost(record.tile[2], record.tile[3], c);
    case Opcode::MatmulMx:
      return matrix_cost(record.tile[1], record.tile[3], c);
    case Opcode::MatmulMxAcc:
      return matrix_cost(record.tile[2], record.tile[4], c);
    default:
      break;
  }
  double bytes = 0;
  for (int i = 0; i < std::min<int>(record.tiles, 2); ++i) bytes = std::max(bytes, tile_bytes(record.tile[i]));
  switch (record.pipe) {
    case Pipe::MTE1:
    case Pipe::MTE3:
    case Pipe::FIX: {
      const double moved = std::min(tile_bytes(record.tile[0]), tile_bytes(record.tile[1]));
      const double rate = move_rate(record.tile[0].memory, record.tile[1].memory, c);
      return {moved / rate, record.pipe == Pipe::MTE1 ? c.mte1 : record.pipe == Pipe::MTE3 ? c.mte3 : c.fix};
    }
    default:
      return {std::ceil(bytes / c.vector_bytes) * c.vector_register * vector_factor(record.op, c), c.vector_start};
  }
}

}  // namespace ptopro::sim
