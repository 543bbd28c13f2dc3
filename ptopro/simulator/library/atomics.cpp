// The log of atomic stores and the arithmetic of applying one.
#include "atomics.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "memories.hpp"
#include "ptopro/numbers.hpp"

namespace ptopro::sim {

bool order_matters(DType dtype, uint8_t operation) {
  if (operation != 1) return false;
  return dtype == DType::Float || dtype == DType::Half || dtype == DType::BFloat16;
}

GlobalDesc dense(const GlobalDesc& window, std::vector<uint8_t>& values) {
  GlobalDesc packed = window;
  int64_t stride = 1;
  for (int axis = 4; axis >= 0; --axis) {
    packed.stride[axis] = stride;
    stride *= std::max<int64_t>(window.shape[axis], 0);
  }
  values.assign(static_cast<size_t>(stride * dtype_bits(window.dtype) / 8), 0);
  packed.base = values.data();
  return packed;
}

namespace {

template <typename T, typename Wide>
void combine(const GlobalDesc& window, uint8_t operation, const uint8_t* values) {
  const int64_t* n = window.shape;
  const int64_t* s = window.stride;
  for (int64_t a = 0; a < n[0]; ++a)
    for (int64_t b = 0; b < n[1]; ++b)
      for (int64_t c = 0; c < n[2]; ++c)
        for (int64_t d = 0; d < n[3]; ++d)
          for (int64_t e = 0; e < n[4]; ++e) {
            uint8_t* at =
                window.base + (a * s[0] + b * s[1] + c * s[2] + d * s[3] + e * s[4]) * static_cast<int64_t>(sizeof(T));
            T old, given;
            std::memcpy(&old, at, sizeof(T));
            std::memcpy(&given, values, sizeof(T));
            values += sizeof(T);
            const Wide x = static_cast<Wide>(old), y = static_cast<Wide>(given);
            const Wide z = operation == 1 ? static_cast<Wide>(x + y) : operation == 2 ? std::max(x, y) : std::min(x, y);
            const T result = static_cast<T>(z);
            std::memcpy(at, &result, sizeof(T));
          }
}

}  // namespace

void apply_atomic(const GlobalDesc& window, uint8_t operation, const uint8_t* values) {
  switch (window.dtype) {
    case DType::Float:
      return combine<float, float>(window, operation, values);
    case DType::Half:
      return combine<half, float>(window, operation, values);
    case DType::BFloat16:
      return combine<bfloat16_t, float>(window, operation, values);
    case DType::Int8:
      return combine<int8_t, int>(window, operation, values);
    case DType::UInt8:
      return combine<uint8_t, unsigned>(window, operation, values);
    case DType::Int16:
      return combine<int16_t, int>(window, operation, values);
    case DType::UInt16:
      return combine<uint16_t, unsigned>(window, operation, values);
    case DType::Int32:  // unsigned arithmetic wraps; the order of int32 is that of int64
      return combine<int32_t, int64_t>(window, operation, values);
    case DType::UInt32:
      return combine<uint32_t, uint64_t>(window, operation, values);
    default:
      return;
  }
}

void AtomicLog::add(int core, const GlobalDesc& window, uint8_t operation, std::vector<uint8_t> values) {
  logs_[core].push_back(Store{window, operation, std::move(values)});
}

void AtomicLog::close_all() {
  for (int core = 0; core < 3; ++core) close(core);
}

void AtomicLog::apply_closed() {
  for (int core = 0; core < 3; ++core) {
    auto& log = logs_[core];
    for (size_t i = 0; i < closed_[core]; ++i) apply_atomic(log[i].window, log[i].operation, log[i].values.data());
    log.erase(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(closed_[core]));
    closed_[core] = 0;
  }
}

void AtomicLog::apply_overlapping(const GlobalDesc& window) {
  const uint8_t *low = nullptr, *high = nullptr;
  if (empty() || !extent_of(window, &low, &high)) return;
  for (const auto& log : logs_)
    for (const Store& store : log) {
      const uint8_t *from = nullptr, *to = nullptr;
      if (!extent_of(store.window, &from, &to) || from >= high || to <= low) continue;
      close_all();
      apply_closed();
      return;
    }
}

}  // namespace ptopro::sim
