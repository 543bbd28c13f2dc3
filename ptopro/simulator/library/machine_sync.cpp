// Synchronisation in virtual time: when an instruction may start, what it sets, and the clocks that it joins.
#include <algorithm>

#include "launch.hpp"
#include "machine.hpp"

namespace ptopro::sim {

namespace {

// The accumulator tile that an instruction with a phase writes (matrix unit) or reads (fixpipe).
const TileDesc* phased_tile(const Record& record) {
  if (record.mod.phase == 0) return nullptr;
  for (int i = 0; i < record.tiles; ++i)
    if (record.tile[i].memory == Memory::Acc) return &record.tile[i];
  return nullptr;
}

template <typename Visit>
void each_unit(Core& core, const TileDesc& tile, Visit visit) {
  const uint64_t first = tile.addr / kUnitBytes;
  const uint64_t last = (tile.addr + footprint_of(tile) + kUnitBytes - 1) / kUnitBytes;
  for (uint64_t unit = first; unit < last && unit < core.units.size(); ++unit) visit(core.units[unit]);
}

// The flag that carries sets to this core from the other side of its block; `id` 16 to 31 on the cube is lane 1.
Flag& incoming(Block& block, const Core& core, int id) {
  return core.place.is_cube ? block.to_cube[id / kFlagIds][id % kFlagIds] : block.to_vector[core.place.subblock][id];
}
Flag& outgoing(Block& block, const Core& core, int id) {
  return core.place.is_cube ? block.to_vector[id / kFlagIds][id % kFlagIds] : block.to_cube[core.place.subblock][id];
}

}  // namespace

bool Block::ready(Core& core, const Entry& entry) {
  switch (entry.op) {
    case Opcode::WaitFlag:
      return core.flag(entry.other, entry.pipe, entry.id).pending() > 0;
    case Opcode::GetBuf:
      return entry.lock_pipe == kNoPipe || core.locks[entry.id].released[index_of(entry.lock_pipe)] >= entry.lock_count;
    case Opcode::WaitIntraBlock:
      return incoming(*this, core, entry.id).pending() > 0;
    case Opcode::WaitFlagDev:
      return core.device_flags[entry.id].pending() > 0 || launch.device_flag_ready(core, entry.id);
    default:
      break;
  }
  if (entry.record == nullptr || entry.record->mod.phase == 0) return true;
  const TileDesc* tile = phased_tile(*entry.record);
  bool ready = true;
  const bool wanted = entry.pipe == Pipe::FIX;
  if (tile != nullptr) each_unit(core, *tile, [&](const UnitFlag& unit) { ready = ready && unit.full == wanted; });
  return ready;
}

void Block::set_cross(Core& core, const Entry& entry, Flag& flag, Cycles time) {
  if (flag.pending() >= kPendingMax)
    return fail(describe(PTOPRO_SYNC_FAULT, "flag_overflow",
                         "id " + std::to_string(entry.id % kFlagIds) + " is set a 16th time before a wait (" +
                             std::to_string(flag.sets) + " sets, " + std::to_string(flag.waits) + " waits so far)",
                         core, entry.op, entry.pipe, entry.file, entry.line));
  flag.set(time, entry);
}

void Block::send_message(Core& core, const Entry& entry, Cycles time) {
  const int id = entry.id;
  if (entry.mode == 0) return launch.send_to_all(core, id, time);
  if (entry.mode == 2 && core.place.is_cube) {
    for (int v = 1; v <= launch.vectors; ++v) set_cross(core, entry, cores_[v]->device_flags[id], time);
    return;
  }
  if (core.place.is_cube || (entry.mode != 1 && entry.mode != 2) || (entry.mode == 2 && !mixed()))
    return fail(describe(PTOPRO_SYNC_FAULT, "message_mode",
                         "mode " + std::to_string(entry.mode) + " has no receiver from this core", core, entry.op,
                         entry.pipe, entry.file, entry.line));
  // From a vector core: it counts when every vector core of the block has sent it.
  Flag(&halves)[2][kFlagIds] = entry.mode == 1 ? half_to_both : half_to_cube;
  set_cross(core, entry, halves[core.place.subblock][id], time);
  for (int v = 0; v < launch.vectors; ++v)
    if (failed || halves[v][id].pending() == 0) return;
  Cycles latest = 0;
  for (int v = 0; v < launch.vectors; ++v) latest = std::max(latest, halves[v][id].take());
  if (entry.mode == 2) return set_cross(core, entry, cores_[0]->device_flags[id], latest);
  for (int v = 1; v <= launch.vectors; ++v) set_cross(core, entry, cores_[v]->device_flags[id], latest);
}

void Block::execute_sync(Core& core, const Entry& entry) {
  PipeState& pipe = core.pipe(entry.pipe);
  const PtoproCosts& costs = launch.costs;
  const Cycles start = std::max(pipe.free, entry.issued);
  const Cycles done = std::max(start, pipe.complete);  // everything before on this pipe has completed
  pipe.free = start;
  switch (entry.op) {
    case Opcode::SetFlag:
      core.flag(entry.pipe, entry.other, entry.id).set(done + costs.flag, entry);
      break;
    case Opcode::WaitFlag:
      pipe.free = std::max(start, core.flag(entry.other, entry.pipe, entry.id).take());
      break;
    case Opcode::GetBuf:
      if (entry.lock_pipe != kNoPipe)
        pipe.free = std::max(start, core.locks[entry.id].time[index_of(entry.lock_pipe)] + costs.mutex);
      break;
    case Opcode::RlsBuf: {
      Lock& lock = core.locks[entry.id];
      lock.time[index_of(entry.pipe)] = done;
      ++lock.released[index_of(entry.pipe)];
      break;
    }
    case Opcode::PipeBarrier:
      pipe.free = done;
      break;
    case Opcode::SetIntraBlock:
      set_cross(core, entry, outgoing(*this, core, entry.id), done + costs.cross_core);
      break;
    case Opcode::WaitIntraBlock:
      pipe.free = std::max(start, incoming(*this, core, entry.id).take());
      break;
    case Opcode::FftsSync:
      send_message(core, entry, done + costs.cross_core);
      break;
    case Opcode::WaitFlagDev: {
      Flag& flag = core.device_flags[entry.id];
      pipe.free = std::max(start, flag.pending() > 0 ? flag.take() : launch.take_device_flag(core, entry.id));
      break;
    }
    default:
      break;
  }
}

Cycles join_units(Core& core, const Record& record, Cycles start) {
  const TileDesc* tile = phased_tile(record);
  if (tile != nullptr) each_unit(core, *tile, [&](const UnitFlag& unit) { start = std::max(start, unit.time); });
  return start;
}

void pass_units(Core& core, const Record& record, Cycles complete) {
  constexpr uint8_t kFinal = 3;
  const TileDesc* tile = phased_tile(record);
  if (tile == nullptr || record.mod.phase != kFinal) return;
  each_unit(core, *tile, [&](UnitFlag& unit) { unit = UnitFlag{record.pipe != Pipe::FIX, complete}; });
}

}  // namespace ptopro::sim
