// The time model: what an instruction costs, from the figures of the chip.
#pragma once

#include "ptopro/launch.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

using Cycles = double;

// `busy` is how long the pipe is occupied, `latency` how much later the result is there.
struct Cost {
  Cycles busy = 0, latency = 0;
};

Cost cost_of(const Record& record, const PtoproCosts& costs);
// Of code that issued this many instructions of the vector unit.
Cost cost_of_code(uint64_t instructions, const PtoproCosts& costs);

}  // namespace ptopro::sim
