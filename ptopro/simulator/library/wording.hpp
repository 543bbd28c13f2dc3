// How findings name instructions and addresses.
#pragma once

#include <cstdint>
#include <string>

#include "memories.hpp"
#include "sites.hpp"

namespace ptopro::sim {

constexpr Memory kGlobalMemory = Memory::Count;  // where an address is not in an on-chip memory
constexpr size_t kMostFindings = 64;             // of the checks, per block

std::string operation_of(const Site& site);
std::string hex(int64_t value);

// The bytes of an on-chip memory, or the elements (`bits` each) of a tensor.  low, high: as in a Footprint.
std::string address_text(const Tensors& tensors, Memory memory, int64_t low, int64_t high, int bits);

}  // namespace ptopro::sim
