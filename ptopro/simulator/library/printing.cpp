// TPRINT: the elements of a tile or of a window of global memory, as text of the block.
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "launch.hpp"
#include "machine.hpp"
#include "ptopro/issue.hpp"
#include "ptopro/layout.hpp"
#include "ptopro/numbers.hpp"

namespace ptopro::sim {

namespace {

template <typename T>
T load(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void put_element(std::string& out, const uint8_t* base, int64_t offset, DType dtype) {
  char text[32];
  const uint8_t* at = base + offset * dtype_bits(dtype) / 8;
  double value = 0;
  switch (dtype) {
    case DType::Int64:
      std::snprintf(text, sizeof text, " %" PRId64, load<int64_t>(at));
      out += text;
      return;
    case DType::UInt64:
      std::snprintf(text, sizeof text, " %" PRIu64, load<uint64_t>(at));
      out += text;
      return;
    case DType::Int8:
      value = load<int8_t>(at);
      break;
    case DType::Int16:
      value = load<int16_t>(at);
      break;
    case DType::Int32:
      value = load<int32_t>(at);
      break;
    case DType::UInt16:
      value = load<uint16_t>(at);
      break;
    case DType::UInt32:
      value = load<uint32_t>(at);
      break;
    case DType::Half:
      value = load<half>(at);
      break;
    case DType::BFloat16:
      value = load<bfloat16_t>(at);
      break;
    case DType::Float:
      value = load<float>(at);
      break;
    case DType::Float8E4M3:
      value = load<float8_e4m3_t>(at);
      break;
    case DType::Float8E5M2:
      value = load<float8_e5m2_t>(at);
      break;
    case DType::Float8E8M0:
      value = load<float8_e8m0_t>(at);
      break;
    case DType::HiFloat8:
      value = load<hifloat8_t>(at);
      break;
    case DType::Float4E2M1:
      value = offset % 2 ? load<float4_e2m1x2_t>(at).high() : load<float4_e2m1x2_t>(at).low();
      break;
    case DType::Float4E1M2:
      value = offset % 2 ? load<float4_e1m2x2_t>(at).high() : load<float4_e1m2x2_t>(at).low();
      break;
    default:
      value = load<uint8_t>(at);
  }
  std::snprintf(text, sizeof text, " %.6g", value);
  out += text;
}

std::string heading(const char* what, Where where) {
  const Place& here = place();
  return std::string(what) + " at " + where.file + ":" + std::to_string(where.line) + ", block " +
         std::to_string(here.block) + (here.is_cube ? ", cube" : ", vector " + std::to_string(here.subblock)) + "\n";
}

}  // namespace

void print_tile(const TileDesc& tile, Where where) {
  Core& core = *running_core;
  core.inside = true;
  if (core.queued > 0 && core.block.settles()) core.wait(Wait::Settle);
  const int m = static_cast<int>(tile.memory);
  if (core.memory->bytes[m] == nullptr || tile.addr + footprint_of(tile) > core.memory->size[m])
    core.fail(PTOPRO_OUT_OF_BOUNDS, "out_of_bounds", "TPRINT of a tile outside its memory", Opcode::Count, Pipe::S,
              where);
  std::string& out = core.block.output;
  out += heading(name_of(tile.memory), where);
  const Layout layout = layout_of(tile);
  for (int r = 0; r < tile.vrows; ++r) {
    for (int c = 0; c < tile.vcols; ++c)
      put_element(out, core.memory->bytes[m] + tile.addr, layout.at(r, c), tile.dtype);
    out += '\n';
  }
  core.inside = false;
}

void print_global(const GlobalDesc& global, Where where) {
  Core& core = *running_core;
  core.inside = true;
  if (core.queued > 0 && core.block.settles()) core.wait(Wait::Settle);
  const std::string wrong = core.block.launch.tensors.check(global, false);
  if (!wrong.empty())
    core.fail(PTOPRO_OUT_OF_BOUNDS, "out_of_bounds", "TPRINT " + wrong, Opcode::Count, Pipe::S, where);
  std::string& out = core.block.output;
  out += heading("tensor", where);
  const int64_t* n = global.shape;
  const int64_t* s = global.stride;
  for (int64_t row = 0; row < n[0] * n[1] * n[2] * n[3]; ++row) {
    int64_t rest = row, offset = 0;
    for (int axis = 3; axis >= 0; --axis) {
      offset += rest % n[axis] * s[axis];
      rest /= n[axis];
    }
    for (int64_t c = 0; c < n[4]; ++c) put_element(out, global.base, offset + c * s[4], global.dtype);
    out += '\n';
  }
  core.inside = false;
}

}  // namespace ptopro::sim
