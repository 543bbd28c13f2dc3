#include "leaks.hpp"

#include <string>

#include "launch.hpp"

namespace ptopro::sim {

namespace {

std::string times(uint32_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

class Search {
 public:
  Search(Block& block, std::vector<Finding>& findings) : block_(block), findings_(findings) {}

  // `by`: the core that sets it.
  void flag(const Flag& flag, const Core& by, Opcode set, Pipe pipe, const std::string& what, const std::string& wait) {
    if (flag.pending() == 0) return;
    add("flag_leak", by, set, pipe, flag.set_file, flag.set_line,
        what + " is still set when the kernel ends: " + times(flag.sets, "set") + ", " + times(flag.waits, "wait"),
        "every set needs its wait (" + wait + "): a flag that stays set lets the next kernel run too early");
  }
  void add(const char* kind, const Core& core, Opcode op, Pipe pipe, const char* file, uint32_t line,
           std::string message, std::string hint) {
    Finding found = block_.describe(PTOPRO_LEAK, kind, std::move(message), core, op, pipe, file, line);
    found.hint = std::move(hint);
    findings_.push_back(std::move(found));
  }

 private:
  Block& block_;
  std::vector<Finding>& findings_;
};

}  // namespace

void find_leaks(Block& block, std::vector<Finding>& findings) {
  Search search(block, findings);
  for (Core* core : block.cores()) {
    for (int from = 0; from < kPipes; ++from)
      for (int to = 0; to < kPipes; ++to)
        for (int id = 0; id < kFlagIds; ++id) {
          const Pipe source = static_cast<Pipe>(from), target = static_cast<Pipe>(to);
          const std::string pair = std::string(name_of(source)) + " -> " + name_of(target);
          search.flag(core->flag(source, target, id), *core, Opcode::SetFlag, source,
                      "flag " + pair + ", id " + std::to_string(id) + ",", "wait_flag of " + pair);
        }
    for (int id = 0; id < kFlagIds; ++id)
      search.flag(core->device_flags[static_cast<size_t>(id)], *core, Opcode::FftsSync, Pipe::S,
                  "message id " + std::to_string(id) + " to " + core->name(), "wait_flag_dev");
    for (int id = 0; id < kLockIds; ++id) {
      const Lock& lock = core->locks[static_cast<size_t>(id)];
      if (!lock.held) continue;
      search.add(
          "lock_leak", *core, Opcode::GetBuf, lock.pipe, lock.file, lock.line,
          "lock id " + std::to_string(id) + " is still held by pipe " + name_of(lock.pipe) + " when the kernel ends",
          "every get_buf needs its rls_buf on the same pipe");
    }
    const UnitFlag* last = nullptr;
    for (const UnitFlag& unit : core->units) {
      const bool again = last != nullptr && last->file == unit.file && last->line == unit.line;
      if (!unit.full || again) continue;
      last = &unit;
      search.add("unit_flag_leak", *core, unit.op, Pipe::M, unit.file, unit.line,
                 "the unit flag of its accumulator is still set when the kernel ends",
                 "a matrix instruction with AccPhase::Final needs a store or move with STPhase::Final after it");
    }
  }
  if (!block.mixed()) return;
  Core& cube = *block.core(0);
  for (int lane = 0; lane < block.launch.vectors; ++lane) {
    Core& vector = *block.core(1 + lane);
    for (int id = 0; id < kFlagIds; ++id) {
      const std::string number = ", id " + std::to_string(id) + ",";
      const auto direction = [&](const Core& from, const Core& to) {
        return std::string("the flag from ") + from.name() + " to " + to.name() + number;
      };
      search.flag(block.to_vector[lane][id], cube, Opcode::SetIntraBlock, block.to_vector[lane][id].set_pipe,
                  direction(cube, vector), std::string("wait_intra_block on ") + vector.name());
      search.flag(block.to_cube[lane][id], vector, Opcode::SetIntraBlock, block.to_cube[lane][id].set_pipe,
                  direction(vector, cube), "wait_intra_block on the cube");
      for (CrossFlag(&halves)[2][kFlagIds] : {std::ref(block.half_to_cube), std::ref(block.half_to_both)})
        search.flag(halves[lane][id], vector, Opcode::FftsSync, halves[lane][id].set_pipe,
                    std::string("the message of ") + vector.name() + number, "the other vector core has not sent it");
    }
  }
}

}  // namespace ptopro::sim
