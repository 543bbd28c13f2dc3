// See loop_guard.cpp.
#pragma once

#include <cstdint>

namespace ptopro::sim {

class Launch;

// Basic blocks that the code that runs on this thread may still run.
extern thread_local uint64_t blocks_left;

uint64_t block_limit(const Launch& launch);

}  // namespace ptopro::sim
