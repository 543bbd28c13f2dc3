// What instructions that run code have touched, told to the checks when they have ended.
#include "observer.hpp"
#include "ptopro/numbers.hpp"
#include "wording.hpp"

namespace ptopro::sim {

namespace {

// Rows of bytes from an address on.
TileWindow bytes_window(const Strip& strip) {
  TileDesc tile;
  tile.addr = strip.first;
  tile.memory = Memory::Vec;
  tile.dtype = DType::UInt8;
  tile.rows = tile.vrows = static_cast<int32_t>(strip.count);
  tile.cols = static_cast<int32_t>(strip.count > 1 ? strip.pitch : strip.bytes);
  tile.vcols = static_cast<int32_t>(strip.bytes);
  return window_of(tile, static_cast<int64_t>(strip.count), static_cast<int64_t>(strip.bytes));
}

GlobalDesc global_window(const Strip& strip) {
  GlobalDesc window;
  window.base = reinterpret_cast<uint8_t*>(strip.first);  // NOLINT: where the threads were
  window.dtype = DType::UInt8;
  window.shape[3] = static_cast<int64_t>(strip.count), window.shape[4] = static_cast<int64_t>(strip.bytes);
  window.stride[3] = static_cast<int64_t>(strip.pitch), window.stride[4] = 1;
  return window;
}

}  // namespace

CodeLog* Observer::begin_code(Core&, const Entry& entry) {
  if (!races_ && !undefined_ && !overlaps_ && !digests_) return nullptr;
  code_.begin(entry.op == Opcode::Threads);
  return &code_;
}

void Observer::end_code(Core& core, const Entry& entry) {
  if (!races_ && !undefined_ && !overlaps_) return;
  const VectorClock& clock = order_.now(core.index, entry.pipe);
  const uint32_t site = sites_.of({entry.file, entry.line, entry.op, false, core.index, entry.pipe, 0});
  Touch touch = touch_of(core, entry.pipe, clock, site, entry.order);
  for (const CodeLog::Kind kind : {CodeLog::kRead, CodeLog::kWrite, CodeLog::kAtomic}) {
    touch.kind = kind == CodeLog::kRead ? Kind::Read : kind == CodeLog::kWrite ? Kind::Write : Kind::Atomic;
    for (const Strip& strip : code_.strips(CodeLog::kUb, kind)) {
      const TileWindow window = bytes_window(strip);
      const Space space = space_of(core, window);
      Regions& regions = regions_of(space);
      if (regions.is_full()) regions.forget_oldest([](Region&) {});
      const uint32_t id = regions.of(window);
      access(regions, id, touch, clock, space.memory);
      // A register may hold bytes that nothing has written, as long as its mask leaves them out: reads are not judged.
      if (undefined_ && kind != CodeLog::kRead) definedness_.define(space.core, space.memory, regions[id]);
    }
    for (const Strip& strip : code_.strips(CodeLog::kGlobal, kind)) {
      if (global_.is_full()) global_.forget_oldest([&](Region& forgotten) { keep_uses(forgotten); });
      const uint32_t id =
          global_.of(global_window(strip), static_cast<int64_t>(strip.count), static_cast<int64_t>(strip.bytes));
      global_[id].bits = 8;
      access(global_, id, touch, clock, kGlobalMemory);
    }
  }
  if (!races_) return;
  report_code(core, entry, code_.missing_barrier());
  report_code(core, entry, code_.between_threads());
}

void Observer::report_code(const Core& core, const Entry& entry, const CodeConflict& conflict) {
  constexpr uint64_t kInside = uint64_t{1} << 62;
  if (!conflict.found || findings.size() >= kMostFindings) return;
  const uint32_t site = sites_.of({entry.file, entry.line, entry.op, false, core.index, entry.pipe, 0});
  if (!reported_.try_emplace(kInside | site, findings.size()).second) return;
  const bool threads = entry.op == Opcode::Threads;
  const std::string byte = hex(static_cast<int64_t>(conflict.byte));
  const std::string message =
      threads ? "threads " + std::to_string(conflict.first_thread) + " and " + std::to_string(conflict.second_thread) +
                    " of a SIMT launch access byte " + byte + ", one of them writes, and nothing orders them"
              : "a vector function loads byte " + byte + " of Vec, which it has stored with no mem_bar between";
  const Where at = threads || conflict.second.file == nullptr ? Where{entry.file, entry.line} : conflict.second;
  Finding found = block_.describe(PTOPRO_RACE, threads ? "thread_race" : "missing_mem_bar", message, core, entry.op,
                                  entry.pipe, at.file, at.line);
  found.hint = threads ? "give each thread bytes of its own, or use pl.simt.atomic_*"
                       : "vf.mem_bar(pl.MemBarMode.VST_VLD) between the store and the load";
  const auto add_place = [&](const Where& where, const char* what) {
    if (where.file == nullptr) return;
    PlaceReport place;
    place.core = core.name();
    place.pipe = name_of(entry.pipe);
    place.operation = name_of(entry.op);
    place.file = where.file;
    place.line = where.line;
    place.what = what + byte;
    found.places.push_back(std::move(place));
  };
  add_place(conflict.first, threads ? "accesses byte " : "stores byte ");
  add_place(conflict.second, threads ? "accesses byte " : "loads byte ");
  findings.push_back(std::move(found));
}

}  // namespace ptopro::sim
