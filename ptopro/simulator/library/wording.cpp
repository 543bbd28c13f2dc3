#include "wording.hpp"

#include <cstdio>

#include "footprint.hpp"
#include "report.hpp"

namespace ptopro::sim {

std::string hex(int64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string operation_of(const Site& site) {
  if (site.op == Opcode::Count) return site.writes_element ? "SetValue" : "GetValue";
  return name_of(site.op);
}

std::string address_text(const Tensors& tensors, Memory memory, int64_t low, int64_t high, int bits) {
  const int64_t first = low / kUnitsPerByte, end = (high + kUnitsPerByte - 1) / kUnitsPerByte;
  if (memory != kGlobalMemory) return std::string(name_of(memory)) + " bytes [" + hex(first) + ", " + hex(end) + ")";
  const PtoproTensor* tensor = tensors.at(reinterpret_cast<const uint8_t*>(static_cast<intptr_t>(first)));
  if (tensor == nullptr) return "global memory [" + hex(first) + ", " + hex(end) + ")";
  const auto origin = static_cast<int64_t>(reinterpret_cast<intptr_t>(tensor->base)) * kUnitsPerByte;
  const int64_t unit = bits / 4;
  return "elements [" + std::to_string((low - origin) / unit) + ", " + std::to_string((high - origin) / unit) +
         ") of " + (tensor->name ? tensor->name : "a tensor");
}

}  // namespace ptopro::sim
