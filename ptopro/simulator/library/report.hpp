// What went wrong in a launch, as data, and its JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptopro/launch.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

// The public name of an instruction, as in kernel.cpp.
const char* name_of(Opcode op);
const char* name_of(Pipe pipe);
const char* name_of(Memory memory);

// A pipe or scalar unit that cannot go on, and for what.
struct WaitReport {
  int block = 0;
  std::string core, pipe, operation, file;
  uint32_t line = 0;
  std::string what;  // "flag MTE2 -> V, id 0: 3 sets, 4 waits"
  std::string peer;  // the other side: who should set it, and where that one is
};

// An instruction that a finding is about, and what it does.
struct PlaceReport {
  int block = -1;  // of the finding if negative
  std::string core, pipe, operation, file;
  uint32_t line = 0;
  uint32_t execution = 0;  // the how manyth time that its line ran, from 1; 0 if it does not matter
  std::string what;        // "writes Vec bytes [0x0, 0x2000)"
};

struct Finding {
  int code = PTOPRO_OK;
  std::string kind, message;
  int block = 0;
  std::string core, pipe, operation, file;
  uint32_t line = 0;
  std::vector<WaitReport> waits;
  std::vector<PlaceReport> places;  // both sides of a race, the earlier one first
  uint32_t distance = 0;            // instructions between the two sides of a race, in one core's program
  std::string hint;                 // what would be right
};

// The report's text for `capacity` bytes with the terminator: waits, then findings are dropped until it fits.
std::string to_json(const std::vector<Finding>& findings, uint64_t capacity, uint64_t* full_length);

}  // namespace ptopro::sim
