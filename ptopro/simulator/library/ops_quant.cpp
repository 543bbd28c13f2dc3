// Quantisation of float rows to bytes and back, with one scale (and one offset) per row.
//
//  * Quant: tile[0] = clamp(rint(tile[1] * scale[r])); with a fourth tile: clamp(rint(tile[1] * scale[r]) + offset[r]).
//    INT8 clamps to -128..127, UINT8 to 0..255.
//  * Dequant: tile[0] = (tile[1] - offset[r]) * scale[r].
#include "bodies.hpp"
#include "rows.hpp"

namespace ptopro::sim {

namespace {

void quant(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1], &scale = record.tile[2];
  const bool with_offset = record.tiles > 3;
  const Plane scales = plane_of(core, scale);
  const Plane offsets = with_offset ? plane_of(core, record.tile[3]) : scales;
  const Plane out = plane_of(core, dst);
  RowSource<float> rows(core, src, dst.vcols);
  std::vector<float> values(static_cast<size_t>(dst.vcols));
  std::vector<uint8_t> bytes(values.size());
  for (int64_t r = 0; r < dst.vrows; ++r) {
    const float factor = load_value<float>(scales, scale.dtype, r, 0);
    const float offset = with_offset ? load_value<float>(offsets, record.tile[3].dtype, r, 0) : 0.0f;
    const float* row = rows(r);
    for (size_t c = 0; c < values.size(); ++c) values[c] = round_to_integral(row[c] * factor, Round::Rint) + offset;
    from_float(dst.dtype, values.data(), bytes.data(), dst.vcols, Round::Rint, true);
    for (int64_t c = 0; c < dst.vcols; ++c) *out.at(r, c) = bytes[static_cast<size_t>(c)];
  }
}

void dequant(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1], &scale = record.tile[2], &offset = record.tile[3];
  const Plane scales = plane_of(core, scale), offsets = plane_of(core, offset), codes = plane_of(core, src);
  RowSink<float> out(core, dst, dst.vcols);
  for (int64_t r = 0; r < dst.vrows; ++r) {
    const float factor = load_value<float>(scales, scale.dtype, r, 0);
    const float zero = load_value<float>(offsets, offset.dtype, r, 0);
    float* row = out(r);
    for (int64_t c = 0; c < dst.vcols; ++c) {
      float code;
      to_float(src.dtype, codes.at(r, c), &code, 1);
      row[c] = (code - zero) * factor;
    }
    out.commit(r);
  }
}

}  // namespace

Body quant_body(Opcode op) {
  switch (op) {
    case Opcode::Quant:
      return quant;
    case Opcode::Dequant:
      return dequant;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
