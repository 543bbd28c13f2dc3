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
CrossFlag& incoming(Block& block, const Core& core, int id) {
  return core.place.is_cube ? block.to_cube[id / kFlagIds][id % kFlagIds] : block.to_vector[core.place.subblock][id];
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
    case Opcode::SetIntraBlock:
    case Opcode::FftsSync:
      // A full counter: the receiver goes on first.  If nothing goes on any more it is a fault, see stand_still.
      for (const CrossFlag* flag : targets(core, entry))
        if (!flag->has_room()) return false;
      return true;
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

std::vector<CrossFlag*> Block::targets(Core& core, const Entry& entry) {
  const int id = entry.id % kFlagIds, lane = core.place.subblock;
  if (entry.op == Opcode::SetIntraBlock)
    return {core.place.is_cube ? &to_vector[entry.id / kFlagIds][id] : &to_cube[lane][id]};
  if (entry.mode == 0) return {};
  if (!core.place.is_cube) return {entry.mode == 1 ? &half_to_both[lane][id] : &half_to_cube[lane][id]};
  std::vector<CrossFlag*> flags;
  for (int v = 1; v <= launch.vectors; ++v) flags.push_back(&cores_[v]->device_flags[id]);
  return flags;
}

void Block::fail_overflow(const Core& core, const Entry& entry, const CrossFlag& flag) {
  fail(describe(PTOPRO_SYNC_FAULT, "flag_overflow",
                "id " + std::to_string(entry.id % kFlagIds) + " is set while " + std::to_string(kPendingMax) +
                    " sets of it are not waited for yet (" + std::to_string(flag.sets) + " sets, " +
                    std::to_string(flag.waits) + " waits so far); the counter of the hardware is then full",
                core, entry.op, entry.pipe, entry.file, entry.line));
}

void Block::send_message(Core& core, const Entry& entry, Cycles done) {
  const int id = entry.id;
  const Cycles arrival = done + launch.costs.cross_core;
  if (entry.mode == 0) return launch.send_to_all(core, id, arrival);
  const bool known = core.place.is_cube ? entry.mode == 2 && mixed() : entry.mode == 1 || (entry.mode == 2 && mixed());
  if (!known)
    return fail(describe(PTOPRO_SYNC_FAULT, "message_mode",
                         "mode " + std::to_string(entry.mode) + " has no receiver from this core", core, entry.op,
                         entry.pipe, entry.file, entry.line));
  for (CrossFlag* flag : targets(core, entry)) {
    if (flag->was_full(arrival)) return fail_overflow(core, entry, *flag);
    flag->set(arrival, entry);
  }
  if (core.place.is_cube) return;
  // From a vector core: it counts when every vector core of the block has sent it.
  CrossFlag(&halves)[2][kFlagIds] = entry.mode == 1 ? half_to_both : half_to_cube;
  for (int v = 0; v < launch.vectors; ++v)
    if (halves[v][id].pending() == 0) return;
  Cycles latest = 0;
  for (int v = 0; v < launch.vectors; ++v) {
    latest = std::max(latest, halves[v][id].take());
    halves[v][id].taken_at(latest);
  }
  for (Core* receiver : list_)
    if (receiver->place.is_cube == (entry.mode == 2)) receiver->device_flags[id].set(latest, entry);
}

void Block::execute_sync(Core& core, const Entry& entry) {
  PipeState& pipe = core.pipe(entry.pipe);
  const PtoproCosts& costs = launch.costs;
  const Cycles start = std::max(pipe.free, entry.issued);
  const Cycles done = std::max(start, pipe.complete);  // everything before on this pipe has completed
  Cycles next = start;                                 // when the pipe goes on
  switch (entry.op) {
    case Opcode::SetFlag:
      core.flag(entry.pipe, entry.other, entry.id).set(done + costs.flag, entry);
      break;
    case Opcode::WaitFlag:
      next = std::max(start, core.flag(entry.other, entry.pipe, entry.id).take());
      break;
    case Opcode::GetBuf:
      if (entry.lock_pipe != kNoPipe)
        next = std::max(start, core.locks[entry.id].time[index_of(entry.lock_pipe)] + costs.mutex);
      break;
    case Opcode::RlsBuf: {
      Lock& lock = core.locks[entry.id];
      lock.time[index_of(entry.pipe)] = done;
      ++lock.released[index_of(entry.pipe)];
      break;
    }
    case Opcode::PipeBarrier:
      next = done;
      break;
    case Opcode::SetIntraBlock: {
      CrossFlag& flag = *targets(core, entry).front();
      const Cycles arrival = done + costs.cross_core;
      if (flag.was_full(arrival)) return fail_overflow(core, entry, flag);
      flag.set(arrival, entry);
      break;
    }
    case Opcode::WaitIntraBlock: {
      CrossFlag& flag = incoming(*this, core, entry.id);
      next = std::max(start, flag.take());
      flag.taken_at(next);
      break;
    }
    case Opcode::FftsSync:
      send_message(core, entry, done);
      break;
    case Opcode::WaitFlagDev: {
      CrossFlag& flag = core.device_flags[entry.id];
      if (flag.pending() > 0) {
        next = std::max(start, flag.take());
        flag.taken_at(next);
      } else {
        next = std::max(start, launch.take_device_flag(core, entry.id));
      }
      break;
    }
    default:
      break;
  }
  pipe.free = next;
  account(core, entry, start, next, 0);
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
