// Synchronisation in virtual time: when an instruction may start, what it sets, and the clocks that it joins.
#include <algorithm>

#include "launch.hpp"
#include "machine.hpp"
#include "observer.hpp"

namespace ptopro::sim {

namespace {

constexpr uint8_t kFinal = 3;

// The accumulator tile that an instruction writes (matrix unit) or reads (fixpipe).
const TileDesc* accumulator_of(const Record& record) {
  for (int i = 0; i < record.tiles; ++i)
    if (record.tile[i].memory == Memory::Acc) return &record.tile[i];
  return nullptr;
}

const TileDesc* phased_tile(const Record& record) { return record.mod.phase == 0 ? nullptr : accumulator_of(record); }

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
  if (entry.mode == 0) {
    if (observer) observer->sent_to_all(core, entry);
    return launch.send_to_all(core, id, arrival);
  }
  const bool known = core.place.is_cube ? entry.mode == 2 && mixed() : entry.mode == 1 || (entry.mode == 2 && mixed());
  if (!known)
    return fail(describe(PTOPRO_SYNC_FAULT, "message_mode",
                         "mode " + std::to_string(entry.mode) + " has no receiver from this core", core, entry.op,
                         entry.pipe, entry.file, entry.line));
  for (CrossFlag* flag : targets(core, entry)) {
    if (flag->was_full(arrival)) return fail_overflow(core, entry, *flag);
    flag->set(arrival, entry);
    if (observer) observer->set(core, entry.pipe, flag);
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
  std::vector<const Flag*> given;
  for (Core* receiver : list_) {
    if (receiver->place.is_cube != (entry.mode == 2)) continue;
    receiver->device_flags[id].set(latest, entry);
    given.push_back(&receiver->device_flags[id]);
  }
  if (!observer) return;
  std::vector<const Flag*> taken;
  for (int v = 0; v < launch.vectors; ++v) taken.push_back(&halves[v][id]);
  observer->unite(taken, given);
}

void Block::execute_sync(Core& core, const Entry& entry) {
  PipeState& pipe = core.pipe(entry.pipe);
  const PtoproCosts& costs = launch.costs;
  const Cycles free = pipe.free, start = std::max(free, entry.issued);
  const Cycles done = std::max(start, pipe.complete);  // everything before on this pipe has completed
  Cycles next = start;                                 // when the pipe goes on
  if (observer) observer->started(core, entry);
  switch (entry.op) {
    case Opcode::SetFlag: {
      Flag& flag = core.flag(entry.pipe, entry.other, entry.id);
      flag.set(done + costs.flag, entry);
      if (observer) observer->set(core, entry.pipe, &flag);
      break;
    }
    case Opcode::WaitFlag: {
      Flag& flag = core.flag(entry.other, entry.pipe, entry.id);
      next = std::max(start, flag.take());
      if (observer) observer->take(core, entry.pipe, &flag);
      break;
    }
    case Opcode::GetBuf:
      if (observer) observer->acquired(core, entry);
      if (entry.lock_pipe != kNoPipe)
        next = std::max(start, core.locks[entry.id].time[index_of(entry.lock_pipe)] + costs.mutex);
      break;
    case Opcode::RlsBuf: {
      Lock& lock = core.locks[entry.id];
      lock.time[index_of(entry.pipe)] = done;
      ++lock.released[index_of(entry.pipe)];
      if (observer) observer->released(core, entry);
      break;
    }
    case Opcode::PipeBarrier:
      next = done;
      if (observer) observer->barrier(core, entry);
      break;
    case Opcode::SetIntraBlock: {
      CrossFlag& flag = *targets(core, entry).front();
      const Cycles arrival = done + costs.cross_core;
      if (flag.was_full(arrival)) return fail_overflow(core, entry, flag);
      flag.set(arrival, entry);
      if (observer) observer->set(core, entry.pipe, &flag);
      break;
    }
    case Opcode::WaitIntraBlock: {
      CrossFlag& flag = incoming(*this, core, entry.id);
      next = std::max(start, flag.take());
      flag.taken_at(next);
      if (observer) observer->take(core, entry.pipe, &flag);
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
        if (observer) observer->take(core, entry.pipe, &flag);
      } else {
        next = std::max(start, launch.take_device_flag(core, entry.id));
        if (observer) observer->took_from_all(core, entry);
      }
      break;
    }
    default:
      break;
  }
  pipe.free = next;
  const bool gives = entry.op == Opcode::SetFlag || entry.op == Opcode::RlsBuf || entry.op == Opcode::SetIntraBlock ||
                     entry.op == Opcode::FftsSync;
  account(core, entry, free, start, gives ? done : next, 0);
}

Cycles join_units(Core& core, const Record& record, Cycles start) {
  const TileDesc* tile = phased_tile(record);
  if (tile != nullptr) each_unit(core, *tile, [&](const UnitFlag& unit) { start = std::max(start, unit.time); });
  return start;
}

void pass_units(Core& core, const Record& record, Cycles complete) {
  const TileDesc* tile = phased_tile(record);
  if (record.pipe == Pipe::FIX && record.mod.phase == 0 && (tile = accumulator_of(record)) != nullptr)
    return each_unit(core, *tile, [&](UnitFlag& unit) {
      if (unit.full) unit.passed_by = record.op, unit.passed_file = record.file, unit.passed_line = record.line;
    });
  if (tile == nullptr || record.mod.phase != kFinal) return;
  UnitFlag passed;
  passed.full = record.pipe != Pipe::FIX, passed.time = complete;
  passed.op = record.op, passed.file = record.file, passed.line = record.line;
  each_unit(core, *tile, [&](UnitFlag& unit) { unit = passed; });
}

std::string describe_units(Core& core, const Record& record) {
  std::string text;
  const auto at = [](Opcode op, const char* file, uint32_t line) {
    return std::string(name_of(op)) + " at " + (file ? file : "?") + ":" + std::to_string(line);
  };
  const TileDesc* tile = phased_tile(record);
  if (tile == nullptr) return text;
  each_unit(core, *tile, [&](const UnitFlag& unit) {
    if (!text.empty() || unit.op == Opcode::Count || unit.full == (record.pipe == Pipe::FIX)) return;
    text = at(unit.op, unit.file, unit.line) + (unit.full ? " has set it" : " has cleared it");
    if (unit.passed_by != Opcode::Count)
      text += ", and " + at(unit.passed_by, unit.passed_file, unit.passed_line) + " has no STPhase, so it stayed set";
  });
  return text;
}

void Block::observe_units(Core& core, const Record& record, bool passed) {
  const TileDesc* tile = phased_tile(record);
  if (tile == nullptr || (passed && record.mod.phase != kFinal)) return;
  each_unit(core, *tile, [&](UnitFlag& unit) {
    const auto index = static_cast<size_t>(&unit - core.units.data());
    if (passed)
      observer->passed_unit(core, record.pipe, index);
    else
      observer->joined_unit(core, record.pipe, index);
  });
}

}  // namespace ptopro::sim
