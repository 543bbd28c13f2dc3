// Which queued instruction of a block starts next.
//
// The order of execution never changes the virtual times (those follow from the queues alone), only what an unordered
// access sees: eager runs what starts first in virtual time (producers with a head start), late runs
// consumers first, random takes any head that may start, slow leaves one pipe behind.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine.hpp"

namespace ptopro::sim {

class Schedule {
 public:
  virtual ~Schedule() = default;
  // Starts at least one instruction if any can start; false if none can.
  virtual bool step(Block& block) = 0;
  // How many instructions a scalar unit queues before its pipes run; it goes beyond that when nothing else moves.
  virtual size_t window() const = 0;
  // Whether a scalar access sees everything that can have been done.
  virtual bool settles() const { return false; }
  virtual void reset(Block&) {}
};

std::unique_ptr<Schedule> make_schedule(const PtoproLaunch& options);

}  // namespace ptopro::sim
