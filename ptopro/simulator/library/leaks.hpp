// What a block leaves set when it ends.
#pragma once

#include <vector>

#include "machine.hpp"

namespace ptopro::sim {

// Flags, counters between cores, locks and unit flags that are still set, one finding each.
void find_leaks(Block& block, std::vector<Finding>& findings);

}  // namespace ptopro::sim
