// Atomic stores into global memory, applied in the order (block, core, issue) whatever the order of execution.
//
// Floating-point additions do not commute in their last bit, so they are logged per core and applied when no core can
// still add before them: at a sync_all, at the end of the launch, or when the same block reads the bytes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptopro/record.hpp"

namespace ptopro::sim {

class AtomicLog {
 public:
  // Adds a store whose values lie densely (in the order of the window's axes) in `values`.
  void add(int core, const GlobalDesc& window, uint8_t operation, std::vector<uint8_t> values);
  // Every store so far of a core may be applied.
  void close(int core) { closed_[core] = logs_[core].size(); }
  void close_all();
  // Applies what is closed, in order.
  void apply_closed();
  bool empty() const { return logs_[0].empty() && logs_[1].empty() && logs_[2].empty(); }
  // Applies everything if a logged store touches one of the window's bytes.
  void apply_overlapping(const GlobalDesc& window);

 private:
  struct Store {
    GlobalDesc window;
    uint8_t operation;
    std::vector<uint8_t> values;
  };
  std::vector<Store> logs_[3];
  size_t closed_[3] = {};
};

// The window's elements laid out densely, for a body to write to.
GlobalDesc dense(const GlobalDesc& window, std::vector<uint8_t>& values);

// memory = memory (operation) value for every element: 1 add, 2 max, 3 min.
void apply_atomic(const GlobalDesc& window, uint8_t operation, const uint8_t* values);

// Whether the order of additions matters to the result.
bool order_matters(DType dtype, uint8_t operation);

}  // namespace ptopro::sim
