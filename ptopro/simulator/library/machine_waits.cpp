// Who waits for what: the text of a standstill, with both sides named.
#include "launch.hpp"
#include "machine.hpp"

namespace ptopro::sim {

namespace {

std::string at(const Entry& entry) {
  return std::string(name_of(entry.op)) + " at " + (entry.file ? entry.file : "?") + ":" + std::to_string(entry.line);
}

std::string counts(const Flag& flag) {
  return std::to_string(flag.sets) + (flag.sets == 1 ? " set, " : " sets, ") + std::to_string(flag.waits) +
         (flag.waits == 1 ? " wait" : " waits") + " so far";
}

// What a core's scalar unit is doing.
std::string scalar_state(const Core& core) {
  if (core.waiting == Wait::Finished) return std::string(core.name()) + " has issued all its instructions";
  return std::string("the scalar unit of ") + core.name() + " is at line " + std::to_string(core.scalar_entry.line);
}

// The instruction in the queues of a core that would do it, and what is in front of it.
template <typename Match>
std::string provider(Core& core, Match matches) {
  for (const PipeState& pipe : core.pipes)
    for (size_t i = 0; i < pipe.queue.size(); ++i) {
      const Entry& entry = pipe.queue.at(i);
      if (!matches(entry)) continue;
      std::string text = at(entry) + " on " + core.name() + " " + name_of(entry.pipe);
      if (i > 0) text += " is queued behind " + at(pipe.queue.at(0));
      return text;
    }
  return {};
}

std::string last_set(const Flag& flag) {
  if (flag.set_file == nullptr) return {};
  return "; the last set was at " + std::string(flag.set_file) + ":" + std::to_string(flag.set_line);
}

}  // namespace

std::string describe_cause(Block& block, Core& core, const Entry& entry, std::string* peer) {
  const std::string id = std::to_string(entry.id % kFlagIds);
  switch (entry.op) {
    case Opcode::WaitFlag: {
      const Flag& flag = core.flag(entry.other, entry.pipe, entry.id);
      *peer = provider(core, [&](const Entry& e) {
        return e.op == Opcode::SetFlag && e.pipe == entry.other && e.other == entry.pipe && e.id == entry.id;
      });
      if (peer->empty())
        *peer = std::string("no set_flag of it is queued on ") + core.name() + " " + name_of(entry.other) + ", " +
                scalar_state(core) + last_set(flag);
      return std::string("flag ") + name_of(entry.other) + " -> " + name_of(entry.pipe) + ", id " + id + ": " +
             counts(flag);
    }
    case Opcode::GetBuf: {
      const Lock& lock = core.locks[entry.id];
      *peer = provider(core, [&](const Entry& e) {
        return e.op == Opcode::RlsBuf && e.pipe == entry.lock_pipe && e.id == entry.id;
      });
      return "the release of lock id " + std::to_string(entry.id) + " by pipe " + name_of(entry.lock_pipe) + ": " +
             std::to_string(lock.released[index_of(entry.lock_pipe)]) + " of " + std::to_string(entry.lock_count) +
             " releases done";
    }
    case Opcode::WaitIntraBlock: {
      const bool cube = core.place.is_cube;
      const int lane = cube ? entry.id / kFlagIds : core.place.subblock;
      const Flag& flag = cube ? block.to_cube[lane][entry.id % kFlagIds] : block.to_vector[lane][entry.id];
      Core& other = *block.core(cube ? 1 + lane : 0);
      const int set_id = cube ? entry.id % kFlagIds : entry.id + lane * kFlagIds;
      *peer = provider(other, [&](const Entry& e) { return e.op == Opcode::SetIntraBlock && e.id == set_id; });
      if (peer->empty())
        *peer = "no set_intra_block(.., " + std::to_string(set_id) + ") of it is queued on " + other.name() + ", " +
                scalar_state(other) + last_set(flag);
      return std::string("set_intra_block from ") + other.name() + " to " + core.name() + ", id " + id + ": " +
             counts(flag);
    }
    case Opcode::WaitFlagDev: {
      const Flag& flag = core.device_flags[entry.id];
      for (Core* other : block.cores()) {
        const std::string found =
            provider(*other, [&](const Entry& e) { return e.op == Opcode::FftsSync && e.id == entry.id; });
        if (!found.empty()) *peer += (peer->empty() ? "" : "; ") + found;
      }
      if (peer->empty()) *peer = "no ffts_cross_core_sync of it is queued in this block";
      for (int v = 0; v < block.launch.vectors; ++v)
        if (block.half_to_cube[v][entry.id].pending() + block.half_to_both[v][entry.id].pending() > 0)
          *peer += "; vector " + std::to_string(v) + " has sent it, its twin has not";
      return "a message with id " + id + ": " + counts(flag);
    }
    case Opcode::SetIntraBlock:
    case Opcode::FftsSync:
      return "room in the counter of id " + id + ", which holds 15 pending sets";
    case Opcode::SyncAll:
      *peer = "other cores of the launch have not arrived";
      return "all cores at SYNCALL";
    default:
      break;
  }
  if (entry.record != nullptr && entry.record->mod.phase != 0) {
    *peer = describe_units(core, *entry.record);
    return entry.pipe == Pipe::FIX ? "the unit flag of its accumulator: no matmul with AccPhase::Final has filled it"
                                   : "the unit flag of its accumulator: no store with STPhase::Final has emptied it";
  }
  return "nothing";
}

std::vector<WaitReport> Block::waits() {
  std::vector<WaitReport> all;
  const auto add = [&](Core& core, const Entry& entry, std::string what, std::string peer) {
    WaitReport report;
    report.block = index;
    report.core = core.name();
    report.pipe = name_of(entry.pipe);
    report.operation = entry.op < Opcode::Count ? name_of(entry.op) : "";
    report.file = entry.file ? entry.file : "";
    report.line = entry.line;
    report.what = std::move(what);
    report.peer = std::move(peer);
    all.push_back(std::move(report));
  };
  for (Core* core : cores()) {
    for (PipeState& pipe : core->pipes) {
      if (pipe.queue.empty() || ready(*core, pipe.queue.front())) continue;
      std::string peer;
      std::string what = describe_cause(*this, *core, pipe.queue.front(), &peer);
      add(*core, pipe.queue.front(), std::move(what), std::move(peer));
    }
    Entry entry = core->scalar_entry;
    std::string what, peer;
    switch (core->waiting) {
      case Wait::Finished:
        continue;
      case Wait::Sync:
      case Wait::SyncAll:
        what = describe_cause(*this, *core, entry, &peer);
        break;
      case Wait::Drain:
        what = "its pipes to finish";
        break;
      case Wait::Turn:
        what = "the token at marker " + std::to_string(core->turn);
        break;
      case Wait::Window:
      case Wait::Settle:
        what = "its pipes to go on";
        break;
      case Wait::None:
        what = "nothing: it is running, this was its last instruction";
        break;
    }
    entry.pipe = Pipe::S;
    add(*core, entry, std::move(what), std::move(peer));
  }
  return all;
}

Finding deadlock_of(std::vector<WaitReport> waits) {
  Finding found;
  found.code = PTOPRO_DEADLOCK;
  found.kind = "deadlock";
  found.message = "deadlock: no pipe of any core can go on";
  if (!waits.empty()) {
    const WaitReport& first = waits.front();
    found.message = "deadlock: " + first.core + " " + first.pipe + " waits for " + first.what +
                    (first.peer.empty() ? "" : "; " + first.peer);
    found.block = first.block;
    found.core = first.core, found.pipe = first.pipe, found.operation = first.operation;
    found.file = first.file, found.line = first.line;
  }
  found.waits = std::move(waits);
  return found;
}

}  // namespace ptopro::sim
