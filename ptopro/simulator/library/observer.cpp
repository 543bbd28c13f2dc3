// The observer's hooks: clocks, regions and shadows follow what the machine does.
#include "observer.hpp"

#include <algorithm>

#include "launch.hpp"
#include "leaks.hpp"
#include "ptopro/numbers.hpp"
#include "wording.hpp"

namespace ptopro::sim {

namespace {

constexpr int kTileBucket = 12, kGlobalBucket = 19;  // log2 of the addresses of a bucket
constexpr size_t kTileRegions = 4096, kGlobalRegions = size_t{1} << 16;
constexpr int kMessageKind = 3;  // of the first kind of rounds that are messages

bool checks(const Launch& launch, uint32_t bit) { return (launch.options.checks & bit) != 0; }

Kind kind_of(const Record& record) { return record.mod.atomic != 0 ? Kind::Atomic : Kind::Write; }

}  // namespace

Observer::Observer(Block& block)
    : block_(block),
      races_(checks(block.launch, PTOPRO_CHECK_RACES) && !block.launch.serial()),
      leaks_(checks(block.launch, PTOPRO_CHECK_LEAKS) && !block.launch.serial()),
      undefined_(checks(block.launch, PTOPRO_CHECK_UNDEFINED)),
      overlaps_(checks(block.launch, PTOPRO_CHECK_BLOCKS) && !block.launch.serial() && block.launch.blocks > 1),
      trace_(checks(block.launch, PTOPRO_TRACE)),
      digests_(checks(block.launch, PTOPRO_DIGEST)),
      global_(kGlobalBucket, kGlobalRegions),
      definedness_(block.memory) {
  for (int core = 0; core < kCores; ++core)
    for (int m = 0; m < kMemories; ++m)
      if (block.memory.core(core).bytes[m] != nullptr)
        regions_[core][m] = std::make_unique<Regions>(kTileBucket, kTileRegions);
}

Observer::~Observer() = default;

void Observer::reset() {
  findings.clear();
  uses.clear();
  trace.clear();
  order_.reset();
  sites_.clear();
  for (auto& core : regions_)
    for (auto& regions : core)
      if (regions) regions->clear();
  global_.clear();
  global_uses_.clear();
  if (undefined_) definedness_.reset();
  reported_.clear();
  for (auto& core : locks_)
    for (auto& lock : core) lock.fill(Token{});
  units_.assign(units_.size(), Token{});
  for (int core = 0; core < kCores; ++core) {
    issued_[core] = sent_[core] = 0;
    for (auto& ids : sent_ids_[core]) ids.clear();
  }
  marks_.clear();
  epochs_.assign(1, {});
}

void Observer::issued(Core& core, Entry& entry) {
  entry.order = ++issued_[core.index];
  order_.issued(core, entry.pipe, entry.order);
}

void Observer::drained(Core& core, Cycles before, Cycles after, Where where) {
  order_.drained(core.index);
  if (!trace_ || after <= before) return;
  PtoproTraceEvent event{};
  event.ready = event.issued = event.start = before, event.end = after;
  event.from = trace.longest(core);
  event.file = where.file, event.line = where.line;
  event.opcode = static_cast<uint16_t>(Opcode::PipeBarrier);
  event.core = static_cast<uint8_t>(core.index);
  event.cause = PTOPRO_CAUSE_COMPLETION;
  trace.add(core, event);
}

RoundMark& Observer::mark(int kind, uint32_t round) {
  for (RoundMark& mark : marks_)
    if (mark.kind == kind && mark.round == round) return mark;
  return marks_.emplace_back(RoundMark{kind, round, {}});
}

void Observer::arrived_at_barrier(Core& core, int type, uint32_t round) {
  mark(type, round + 1).before.join(order_.now(core.index, Pipe::S));
}

void Observer::left_barrier(Core& core, int type, uint32_t round, Cycles before, Cycles after, Where where) {
  order_.join(core.index, Pipe::S, mark(type, round + 1).before);
  order_.passed_round(core.index, Pipe::S, type, round + 1);
  if (!trace_) return;
  PtoproTraceEvent event{};
  event.ready = event.issued = event.start = before, event.end = after;
  event.from = trace.last(core, Pipe::S);
  event.file = where.file, event.line = where.line;
  event.opcode = static_cast<uint16_t>(Opcode::SyncAll);
  event.core = static_cast<uint8_t>(core.index);
  event.cause = PTOPRO_CAUSE_ALL_CORES;
  trace.add(core, event);
}

void Observer::started(Core& core, const Entry& entry) {
  order_.arrive(core, entry.pipe, entry.order);
  cause_event_ = -1;
}

void Observer::set(Core& core, Pipe pipe, const Flag* flag) {
  order_.set(flag, {order_.completed(core.index, pipe), trace.next()});
}

void Observer::take(Core& core, Pipe pipe, const Flag* flag) {
  const Token token = order_.take(flag);
  order_.join(core.index, pipe, token.clock);
  cause_event_ = token.event;
}

void Observer::unite(const std::vector<const Flag*>& taken, const std::vector<const Flag*>& given) {
  Token token;
  for (const Flag* flag : taken) {
    const Token one = order_.take(flag);
    token.clock.join(one.clock);
    token.event = std::max(token.event, one.event);
  }
  for (const Flag* flag : given) order_.set(flag, token);
}

void Observer::released(Core& core, const Entry& entry) {
  locks_[core.index][entry.id][index_of(entry.pipe)] = {order_.completed(core.index, entry.pipe), trace.next()};
}

void Observer::acquired(Core& core, const Entry& entry) {
  if (entry.lock_pipe == kNoPipe) return;
  const Token& token = locks_[core.index][entry.id][index_of(entry.lock_pipe)];
  order_.join(core.index, entry.pipe, token.clock);
  cause_event_ = token.event;
}

void Observer::barrier(Core& core, const Entry& entry) {
  order_.join(core.index, entry.pipe, order_.completed(core.index, entry.pipe));
}

void Observer::sent_to_all(Core& core, const Entry& entry) {
  const int kind = kMessageKind + core.place.is_cube;
  const uint32_t round = ++sent_[core.index];
  sent_ids_[core.index][entry.id].push_back(round);
  mark(kind, round).before.join(order_.completed(core.index, entry.pipe));
}

void Observer::took_from_all(Core& core, const Entry& entry) {
  std::deque<uint32_t>& sent = sent_ids_[core.index][entry.id];
  if (sent.empty()) return;
  const int kind = kMessageKind + core.place.is_cube;
  order_.join(core.index, entry.pipe, mark(kind, sent.front()).before);
  order_.passed_round(core.index, entry.pipe, kind, sent.front());
  sent.pop_front();
}

void Observer::joined_unit(Core& core, Pipe pipe, size_t unit) {
  if (unit >= units_.size()) return;
  order_.join(core.index, pipe, units_[unit].clock);
  cause_event_ = std::max(cause_event_, units_[unit].event);
}

void Observer::passed_unit(Core& core, Pipe pipe, size_t unit) {
  if (unit >= units_.size()) units_.resize(unit + 1);
  units_[unit] = {order_.completed(core.index, pipe), trace.next()};
}

void Observer::ended(Core& core, const Entry& entry, Cycles free, Cycles start, Cycles end) {
  if (!trace_) return;
  PtoproTraceEvent event{};
  event.ready = free, event.issued = entry.issued, event.start = start, event.end = end;
  event.file = entry.file, event.line = entry.line, event.id = entry.id;
  event.opcode = static_cast<uint16_t>(entry.op);
  event.digest = entry.record != nullptr ? digest_ : 0;
  event.core = static_cast<uint8_t>(core.index);
  event.pipe = static_cast<uint8_t>(entry.pipe), event.other = static_cast<uint8_t>(entry.other);
  const auto cause = [&](int32_t why, int64_t from) { event.cause = why, event.from = from; };
  if (end > start && entry.op == Opcode::WaitFlag)
    cause(PTOPRO_CAUSE_FLAG, cause_event_);
  else if (end > start && entry.op == Opcode::GetBuf)
    cause(PTOPRO_CAUSE_LOCK, cause_event_);
  else if (end > start && (entry.op == Opcode::WaitIntraBlock || entry.op == Opcode::WaitFlagDev))
    cause(PTOPRO_CAUSE_CROSS_CORE, cause_event_);
  else if (end > start && entry.record == nullptr)
    cause(PTOPRO_CAUSE_COMPLETION, trace.longest(core, entry.pipe));
  else if (start > std::max(free, entry.issued))
    cause(PTOPRO_CAUSE_UNIT_FLAG, cause_event_);
  else if (entry.issued > free)
    cause(PTOPRO_CAUSE_ISSUE, trace.last(core, Pipe::S));
  else
    cause(PTOPRO_CAUSE_QUEUE, trace.last(core, entry.pipe));
  trace.add(core, event);
}

// The memory that a window lies in, as its instruction sees it (compare memory_of).
Observer::Space Observer::space_of(const Core& core, const TileWindow& window) const {
  const Memory memory = window.tile.memory;
  if (core.place.is_cube && memory == Memory::Vec) return {1 + window.lane, memory};
  if (!core.place.is_cube && memory == Memory::Mat) return {0, memory};
  return {core.index, memory};
}

uint16_t Observer::epoch_of(const VectorClock& clock) {
  Rounds5 rounds;
  std::copy(std::begin(clock.rounds), std::end(clock.rounds), rounds.begin());
  for (size_t i = epochs_.size(); i-- > 0;)
    if (epochs_[i] == rounds) return static_cast<uint16_t>(i);
  epochs_.push_back(rounds);
  return static_cast<uint16_t>(epochs_.size() - 1);
}

Touch Observer::touch_of(Core& core, Pipe pipe, const VectorClock& clock, uint32_t site, uint32_t order) {
  Touch touch;
  touch.component = static_cast<uint8_t>(component_of(core.index, pipe));
  touch.epoch = epoch_of(clock);
  touch.operation = order_.begin(core.index, pipe);
  touch.site = site;
  touch.execution = ++sites_[site].executions;
  touch.order = order;
  return touch;
}

void Observer::data(Core& core, const Entry& entry) {
  if (!races_ && !undefined_ && !overlaps_) return;
  const Record& record = *entry.record;
  const VectorClock& clock = order_.now(core.index, entry.pipe);
  const uint32_t site = sites_.of({entry.file, entry.line, entry.op, false, core.index, entry.pipe, 0});
  Touch touch = touch_of(core, entry.pipe, clock, site, entry.order);
  accesses_of(record, accesses_);

  Space spaces[Accesses::kMost];
  uint32_t ids[Accesses::kMost];
  for (int i = 0; i < accesses_.count; ++i) {
    spaces[i] = space_of(core, accesses_.list[i].window);
    Regions& regions = regions_of(spaces[i]);
    if (regions.is_full()) regions.forget_oldest([](Region&) {});
  }
  for (int i = 0; i < accesses_.count; ++i) ids[i] = regions_of(spaces[i]).of(accesses_.list[i].window);
  const auto region = [&](int i) -> Region& { return regions_of(spaces[i])[ids[i]]; };

  bool raced = false;
  if (races_)
    for (int i = 0; i < accesses_.count; ++i) {
      touch.kind = writes(accesses_.list[i].use) ? Kind::Write : Kind::Read;
      raced |= access(regions_of(spaces[i]), ids[i], touch, clock, spaces[i].memory);
    }
  if (undefined_) {
    for (int i = 0; i < accesses_.count; ++i) {
      const Access& access = accesses_.list[i];
      if (access.use != Use::Read || raced) continue;  // data that nobody waited for may be there or not
      const int64_t byte = definedness_.first_undefined(spaces[i].core, spaces[i].memory, region(i));
      if (byte >= 0) report_undefined(core, access, touch, byte);
    }
    for (int i = 0; i < accesses_.copied; ++i) {
      const int to = accesses_.copies[i].to, from = accesses_.copies[i].from;
      definedness_.copy({spaces[to].core, accesses_.list[to].window, region(to)},
                        {spaces[from].core, accesses_.list[from].window, region(from)});
    }
    for (int i = 0; i < accesses_.count; ++i)
      if (accesses_.list[i].use == Use::Write) definedness_.define(spaces[i].core, spaces[i].memory, region(i));
  }
  if (accesses_.global_rows <= 0 || accesses_.global_columns <= 0) return;
  touch.kind = accesses_.global_written ? kind_of(record) : Kind::Read;
  if (global_.is_full()) global_.forget_oldest([&](Region& forgotten) { keep_uses(forgotten); });
  const uint32_t id = global_.of(record.global, accesses_.global_rows, accesses_.global_columns);
  global_[id].bits = static_cast<uint8_t>(dtype_bits(record.global.dtype));
  access(global_, id, touch, clock, kGlobalMemory);
}

void Observer::scalar_access(Core& core, const TileDesc& tile, uint64_t offset, bool write, Where where) {
  if (!races_ && !undefined_) return;
  const VectorClock& clock = order_.now(core.index, Pipe::S);
  const uint32_t site = sites_.of({where.file, where.line, Opcode::Count, write, core.index, Pipe::S, 0});
  Touch touch = touch_of(core, Pipe::S, clock, site, ++issued_[core.index]);
  touch.kind = write ? Kind::Write : Kind::Read;
  Access one;
  one.use = write ? Use::Write : Use::Read;
  TileDesc& element = one.window.tile;
  element = tile;
  element.addr += offset * static_cast<uint64_t>(dtype_bits(tile.dtype)) / 8;
  element.rows = element.cols = element.vrows = element.vcols = 1;
  element.outer = element.inner = element.compact = 0;
  one.window = window_of(element, 1, 1);
  const Space space = space_of(core, one.window);
  Regions& regions = regions_of(space);
  if (regions.is_full()) regions.forget_oldest([](Region&) {});
  const uint32_t id = regions.of(one.window);
  const bool raced = races_ && access(regions, id, touch, clock, space.memory);
  if (undefined_ && !write && !raced) {
    const int64_t byte = definedness_.first_undefined(space.core, space.memory, regions[id]);
    if (byte >= 0) report_undefined(core, one, touch, byte);
  }
  if (undefined_ && write) definedness_.define(space.core, space.memory, regions[id]);
}

bool Observer::access(Regions& regions, uint32_t id, const Touch& touch, const VectorClock& clock, Memory memory) {
  const bool global = memory == kGlobalMemory;
  if (touch.kind != Kind::Read) regions.will_be_written(id);
  const auto conflicts = [&](const Touch& old) {
    if (old.kind == touch.kind && touch.kind != Kind::Write) return false;  // two reads, two atomic additions
    if (old.component == touch.component) {
      if (old.operation == touch.operation) return false;
      if (!overlaps_itself(static_cast<Pipe>(touch.component % kPipes))) return false;
    }
    return clock.operations[old.component] < old.operation;
  };
  Region& region = regions[id];
  bool raced = false;
  const auto compare = [&](const Region& with) {
    for (const Touch& old : with.touches) {
      if (!conflicts(old)) continue;
      raced = true;
      report_race(with, old, region, touch, memory);
    }
  };
  if (races_) {
    compare(region);
    for (const uint32_t other : region.meets) compare(regions[other]);
  }
  for (Touch& old : region.touches) {
    if (old.component != touch.component || old.kind != touch.kind) continue;
    if (global && overlaps_ && old.epoch != touch.epoch) global_uses_.add(region, old);
    old = touch;
    return raced;
  }
  region.touches.push_back(touch);
  return raced;
}

void Observer::keep_uses(Region& region) {
  if (!overlaps_) return;
  for (const Touch& touch : region.touches) global_uses_.add(region, touch);
}

void Observer::finished() {
  if (leaks_) find_leaks(block_, findings);
  if (!overlaps_) return;
  for (uint32_t id = 0; id < global_.size(); ++id) keep_uses(global_[id]);
  uses = global_uses_.finish(block_.index, sites_, marks_, epochs_);
}

}  // namespace ptopro::sim
