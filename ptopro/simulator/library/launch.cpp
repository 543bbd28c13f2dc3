// A launch: workers take blocks, park those that wait for others, and the results are put together in block order.
#include "launch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "atomics.hpp"
#include "faults.hpp"
#include "observer.hpp"

namespace ptopro::sim {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kVectorOnly = 0, kCubeOnly = 1;
constexpr double kDefaultWatchdog = 600;
constexpr size_t kReportedWaits = 48;
constexpr uint64_t kMostEvents = uint64_t{1} << 22;

std::atomic<uint64_t> interrupts{0};

PtoproCosts costs_of(const PtoproLaunch& options) {
  PtoproCosts costs;
  ptopro_sim_costs(options.chip, &costs);
  if (options.costs != nullptr)
    std::memcpy(&costs, options.costs, std::min<uint64_t>(sizeof costs, options.costs->struct_size));
  return costs;
}

int worker_count(const PtoproLaunch& options, int blocks) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  const int wanted = options.threads > 0 ? options.threads : std::max(cores, 1);
  return std::clamp(wanted, 1, std::max(blocks, 1));
}

}  // namespace

// One thread's share of the launch.
class Worker {
 public:
  explicit Worker(Launch& launch) : launch_(launch) {}

  void run() {
    const SignalStack stack;
    while (true) {
      if (resume_parked()) continue;
      std::unique_ptr<Block> block = take();
      if (block) {
        advance(std::move(block));
      } else if (parked_.empty() || !sleep()) {
        break;
      }
    }
    const std::lock_guard<std::mutex> lock(launch_.mutex);
    --launch_.workers_;
    for (auto& block : parked_) launch_.finish(*block, BlockState::Parked);
    launch_.changed_.notify_all();
  }

 private:
  std::unique_ptr<Block> take() {
    const int index = launch_.next_block_.fetch_add(1);
    if (index >= launch_.blocks || launch_.cancelled(index)) return nullptr;
    std::unique_ptr<Block> block;
    if (spare_.empty()) {
      block = std::make_unique<Block>(launch_);
    } else {
      block = std::move(spare_.back());
      spare_.pop_back();
    }
    block->reset(index);
    return block;
  }

  void advance(std::unique_ptr<Block> block) {
    block->seen_generation = launch_.generation_.load();
    const BlockState state = block->run();
    if (state == BlockState::Parked) {
      parked_.push_back(std::move(block));
      return;
    }
    {
      const std::lock_guard<std::mutex> lock(launch_.mutex);
      launch_.finish(*block, state);
    }
    if (state == BlockState::Failed) launch_.block_failed(block->index);
    spare_.push_back(std::move(block));
  }

  // Runs a parked block for which something may have changed.
  bool resume_parked() {
    for (size_t i = 0; i < parked_.size(); ++i) {
      const bool cancelled = launch_.cancelled(parked_[i]->index);
      if (!cancelled && parked_[i]->seen_generation == launch_.generation_.load()) continue;
      std::unique_ptr<Block> block = std::move(parked_[i]);
      parked_.erase(parked_.begin() + static_cast<std::ptrdiff_t>(i));
      advance(std::move(block));
      return true;
    }
    return false;
  }

  // Waits until something changes; false when nothing can change any more.
  bool sleep() {
    std::unique_lock<std::mutex> lock(launch_.mutex);
    const auto news = [&] {
      return std::any_of(parked_.begin(), parked_.end(), [&](const auto& block) {
        return launch_.cancelled(block->index) || block->seen_generation != launch_.generation_.load();
      });
    };
    while (!launch_.stuck_ && !news()) {
      const uint64_t seen = launch_.generation_.load();
      ++launch_.idle_;
      launch_.changed_.wait(lock, [&] {
        return launch_.stuck_ || launch_.generation_.load() != seen || launch_.idle_ == launch_.workers_;
      });
      if (launch_.generation_.load() != seen || launch_.stuck_) continue;
      launch_.stuck_ = true;
      launch_.changed_.notify_all();
    }
    return !launch_.stuck_;
  }

  Launch& launch_;
  std::vector<std::unique_ptr<Block>> parked_, spare_;
};

Launch::Launch(const PtoproLaunch& given, PtoproEntry cube_entry, PtoproEntry vector_entry, void* const* arguments)
    : options(given),
      cube(cube_entry),
      vector(vector_entry),
      args(arguments),
      costs(costs_of(given)),
      tensors(given.tensors, given.tensor_count),
      blocks(given.block_dim),
      vectors(vector_entry == nullptr ? 0
              : cube_entry == nullptr ? 1
                                      : 2),
      results(static_cast<size_t>(given.block_dim)),
      atomics(static_cast<size_t>(given.block_dim)) {}

void Launch::run() {
  const FaultHandlers handlers;
  const int count = worker_count(options, blocks);
  workers_ = count;
  std::vector<std::thread> threads;
  std::vector<pthread_t> ids{pthread_self()};
  for (int i = 1; i < count; ++i) {
    threads.emplace_back([this] { Worker(*this).run(); });
    ids.push_back(threads.back().native_handle());
  }

  std::mutex done_mutex;
  std::condition_variable done_changed;
  bool done = false;
  std::thread watchdog([&] {
    const double seconds = options.watchdog_seconds == 0 ? kDefaultWatchdog : options.watchdog_seconds;
    const auto start = Clock::now();
    const uint64_t before = interrupts.load();
    std::unique_lock<std::mutex> lock(done_mutex);
    while (!done_changed.wait_for(lock, std::chrono::milliseconds(20), [&] { return done; })) {
      if (interrupts.load() != before) request_stop(PTOPRO_INTERRUPTED);
      if (seconds > 0 && std::chrono::duration<double>(Clock::now() - start).count() > seconds)
        request_stop(PTOPRO_WATCHDOG);
      if (stop.load() == 0) continue;
      for (const pthread_t id : ids) interrupt_thread(id);
    }
  });

  Worker(*this).run();
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed_.wait(lock, [&] { return workers_ == 0; });
  }
  {
    const std::lock_guard<std::mutex> lock(done_mutex);
    done = true;
  }
  done_changed.notify_all();
  watchdog.join();
  for (std::thread& thread : threads) thread.join();
  for (AtomicLog& log : atomics) {
    log.close_all();
    log.apply_closed();
  }
}

void Launch::finish(Block& block, BlockState state) {
  Result& result = results[static_cast<size_t>(block.index)];
  result.state = state;
  result.finding = block.finding;
  if (state == BlockState::Parked || state == BlockState::Stopped) result.finding.waits = block.waits();
  result.finding.block = block.index;
  result.output = std::move(block.output);
  result.cycles = 0;
  result.instructions = result.syncs = 0;
  result.busy.fill(0);
  result.core_busy = {};
  for (Core* core : block.cores()) {
    result.instructions += core->instructions;
    result.syncs += core->syncs;
    for (int p = 0; p < kPipes; ++p) {
      const PipeState& pipe = core->pipes[static_cast<size_t>(p)];
      const Cycles busy = p == 0 ? pipe.free : pipe.busy;
      result.busy[static_cast<size_t>(p)] += busy;
      result.core_busy[static_cast<size_t>(core->index)][static_cast<size_t>(p)] = busy;
      result.cycles = std::max({result.cycles, pipe.free, pipe.complete});
    }
  }
  if (state == BlockState::Done) atomics[static_cast<size_t>(block.index)].close_all();
  if (!block.observer) return;
  Observer& observer = *block.observer;
  result.checks = std::move(observer.findings);
  if (state == BlockState::Done)
    uses.insert(uses.end(), std::make_move_iterator(observer.uses.begin()),
                std::make_move_iterator(observer.uses.end()));
  if (events_ + observer.trace.events.size() > kMostEvents) {
    events_dropped += observer.trace.events.size();
    return;
  }
  events_ += observer.trace.events.size();
  result.events = observer.trace.events;
}

void Launch::advance() {
  generation_.fetch_add(1);
  idle_ = 0;  // who sleeps has to look again
  changed_.notify_all();
}

void Launch::block_failed(int block) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (block < first_failed.load()) first_failed = block;
  advance();
}

void Launch::request_stop(int code) {
  const std::lock_guard<std::mutex> lock(mutex);
  int none = 0;
  if (stop.compare_exchange_strong(none, code)) advance();
}

int Launch::participants(int type, int cores) const {
  const int per_block = type == kVectorOnly ? vectors : type == kCubeOnly ? 1 : vectors + (cube ? 1 : 0);
  if (cores <= 0) return blocks * per_block;
  return type == kVectorOnly || type == kCubeOnly ? cores : cores * per_block;
}

void Launch::arrive(Core& core, int type, int cores) {
  const std::lock_guard<std::mutex> lock(mutex);
  Rounds& barrier = barriers_[type];
  const uint32_t number = core.sync_rounds[type];
  if (barrier.rounds.size() <= number) barrier.rounds.resize(number + 1);
  Rounds::Round& round = barrier.rounds[number];
  round.time = std::max(round.time, core.clock() + costs.cross_core);
  atomics[static_cast<size_t>(core.block.index)].close(core.index);
  met = true;
  if (++round.arrived < participants(type, cores)) return;
  for (AtomicLog& log : atomics) log.apply_closed();
  barrier.complete = number + 1;
  advance();
}

Cycles Launch::release_time(int type, uint32_t round) {
  const std::lock_guard<std::mutex> lock(mutex);
  return barriers_[type].rounds[round].time;
}

void Launch::send_to_all(Core& core, int id, Cycles time) {
  const std::lock_guard<std::mutex> lock(mutex);
  Rounds& device = device_[!core.place.is_cube][id];
  const uint32_t number = core.device_sets[static_cast<size_t>(id)]++;
  if (device.rounds.size() <= number) device.rounds.resize(number + 1);
  Rounds::Round& round = device.rounds[number];
  round.time = std::max(round.time, time);
  met = true;
  if (++round.arrived < blocks * (core.place.is_cube ? 1 : vectors)) return;
  device.complete = number + 1;
  advance();
}

Cycles Launch::take_device_flag(Core& core, int id) {
  const std::lock_guard<std::mutex> lock(mutex);
  return device_[!core.place.is_cube][id].rounds[core.device_taken[static_cast<size_t>(id)]++].time;
}

namespace {

// When a block starts, and on which group of cores.
struct Slot {
  Cycles start = 0;
  int32_t group = 0;
};

// The time of a launch: blocks that meet run together; others take the first free core group in block order.
Cycles makespan(const Launch& launch, std::vector<Slot>& slots) {
  const auto groups = static_cast<size_t>(std::max(1.0, launch.costs.cores));
  const size_t width = launch.met ? launch.results.size() : groups * (launch.cube == nullptr ? 2 : 1);
  std::vector<Cycles> free(std::max<size_t>(1, std::min(width, launch.results.size())), 0);
  for (const Launch::Result& result : launch.results) {
    auto first = std::min_element(free.begin(), free.end());
    slots.push_back({*first, static_cast<int32_t>(first - free.begin())});
    *first += result.cycles;
  }
  return *std::max_element(free.begin(), free.end());
}

// What ended the launch, if anything did.
std::vector<Finding> faults_of(const Launch& launch) {
  std::vector<Finding> findings;
  const int stop = launch.stop.load();
  for (const Launch::Result& result : launch.results)
    if (result.state == BlockState::Failed && stop == 0) {
      findings.push_back(result.finding);
      return findings;
    }
  std::vector<WaitReport> waits;
  for (const Launch::Result& result : launch.results)
    if ((result.state == BlockState::Parked || result.state == BlockState::Stopped) && waits.size() < kReportedWaits)
      waits.insert(waits.end(), result.finding.waits.begin(), result.finding.waits.end());
  if (waits.empty() && stop == 0) return findings;
  findings.push_back(deadlock_of(std::move(waits)));
  if (stop == 0) return findings;
  Finding& stopped = findings.back();
  stopped.code = stop;
  stopped.kind = stop == PTOPRO_WATCHDOG ? "watchdog" : "interrupted";
  stopped.message = stop == PTOPRO_WATCHDOG ? "the launch ran too long and was stopped" : "the launch was interrupted";
  return findings;
}

// The findings of a block, the likeliest cause first: of the races those that are closest to each other.  What data a
// racing block sees depends on the order of execution, so undefined data counts only where nothing races.
std::vector<Finding> checks_of(const Launch::Result& result) {
  std::vector<Finding> findings = result.checks;
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.distance < b.distance; });
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.code == PTOPRO_RACE; }))
    std::erase_if(findings, [](const Finding& f) { return f.code == PTOPRO_UNDEFINED; });
  return findings;
}

// The findings of the checks, one per kind and pair of source lines, of the first block that has it.
void add_checks(const Launch& launch, std::vector<Finding>& findings) {
  std::set<std::string> known;
  const auto add = [&](const Finding& finding) {
    std::string key = finding.kind;
    // A race is known by its lines; which is the earlier one may differ from block to block.
    std::set<std::string> lines{finding.file + ":" + std::to_string(finding.line)};
    for (const PlaceReport& place : finding.places) lines.insert(place.file + ":" + std::to_string(place.line));
    for (const std::string& line : lines) key += "|" + line;
    if (finding.code == PTOPRO_LEAK || finding.code == PTOPRO_UNDEFINED) key += "|" + finding.message;
    if (known.insert(std::move(key)).second) findings.push_back(finding);
  };
  const int last = launch.stop.load() == 0 ? launch.first_failed.load() : INT_MAX;
  for (size_t block = 0; block < launch.results.size() && static_cast<int>(block) <= last; ++block)
    for (const Finding& finding : checks_of(launch.results[block])) add(finding);
  if (last != INT_MAX || launch.uses.empty()) return;
  for (const Finding& finding : overlaps_of(launch.uses, launch.tensors)) add(finding);
}

std::vector<Finding> findings_of(const Launch& launch) {
  std::vector<Finding> checks;
  add_checks(launch, checks);
  // A race may be the cause of what else is found.
  std::stable_sort(checks.begin(), checks.end(), [](const Finding& a, const Finding& b) { return a.code < b.code; });
  std::vector<Finding> findings = faults_of(launch);
  findings.insert(findings.end(), std::make_move_iterator(checks.begin()), std::make_move_iterator(checks.end()));
  return findings;
}

// The events of all blocks in launch time.
void write_events(Launch& launch, const std::vector<Slot>& slots, PtoproReport* report) {
  size_t count = 0;
  for (const Launch::Result& result : launch.results) count += result.events.size();
  report->events_dropped = launch.events_dropped;
  report->event_count = count;
  report->events = nullptr;
  if (count == 0) return;
  report->events = new PtoproTraceEvent[count];
  size_t next = 0;
  for (size_t block = 0; block < launch.results.size(); ++block) {
    const auto base = static_cast<int64_t>(next);
    for (PtoproTraceEvent event : launch.results[block].events) {
      for (double* time : {&event.ready, &event.issued, &event.start, &event.end}) *time += slots[block].start;
      if (event.from >= 0) event.from += base;
      event.block = static_cast<int32_t>(block);
      event.group = slots[block].group;
      report->events[next++] = event;
    }
  }
}

Finding option_error(const char* message) {
  Finding found;
  found.code = PTOPRO_INTERNAL;
  found.kind = "options";
  found.message = message;
  return found;
}

const char* wrong_options(const PtoproLaunch& options, PtoproEntry cube, PtoproEntry vector) {
  if (options.struct_size != sizeof(PtoproLaunch)) return "the launch options are those of another version";
  if (cube == nullptr && vector == nullptr) return "the kernel has neither a cube nor a vector half";
  if (options.block_dim < 1) return "a launch needs at least one block";
  if (options.chip != PTOPRO_A5 && options.chip != PTOPRO_A3) return "the chip is not known";
  if (options.schedule == PTOPRO_SLOW && options.seed >= kPipes) return "the slow pipe is not known";
  if (options.tensor_count > 0 && options.tensors == nullptr) return "the tensor table is missing";
  return nullptr;
}

void write_report(const std::vector<Finding>& findings, PtoproReport* report) {
  report->code = findings.empty() ? PTOPRO_OK : findings.front().code;
  report->findings = static_cast<int32_t>(findings.size());
  if (report->text == nullptr || report->text_capacity == 0) return;
  const std::string text = to_json(findings, report->text_capacity, &report->text_length);
  std::memcpy(report->text, text.c_str(), text.size() + 1);
}

}  // namespace

}  // namespace ptopro::sim

extern "C" int ptopro_sim_launch(const PtoproLaunch* options, PtoproEntry cube, PtoproEntry vector, void* const* args,
                                 PtoproReport* report) {
  using namespace ptopro::sim;
  if (const char* wrong = wrong_options(*options, cube, vector)) {
    write_report({option_error(wrong)}, report);
    return report->code;
  }
  const auto start = Clock::now();
  try {
    Launch launch(*options, cube, vector, args);
    launch.run();
    std::vector<Slot> slots;
    report->cycles = makespan(launch, slots);
    write_events(launch, slots, report);
    report->instructions = report->syncs = 0;
    std::fill(std::begin(report->busy), std::end(report->busy), 0.0);
    for (auto& core : report->core_busy) std::fill(std::begin(core), std::end(core), 0.0);
    for (const Launch::Result& result : launch.results) {
      report->instructions += result.instructions;
      report->syncs += result.syncs;
      for (int p = 0; p < kPipes; ++p) {
        report->busy[p] += result.busy[static_cast<size_t>(p)];
        for (size_t core = 0; core < 3; ++core)
          report->core_busy[core][p] += result.core_busy[core][static_cast<size_t>(p)];
      }
      std::fwrite(result.output.data(), 1, result.output.size(), stdout);
    }
    std::fflush(stdout);
    write_report(findings_of(launch), report);
  } catch (const std::bad_alloc&) {
    write_report({option_error("the host has not enough memory for the launch")}, report);
  } catch (const std::exception& error) {
    write_report({option_error(error.what())}, report);
  }
  report->seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return report->code;
}

extern "C" void ptopro_sim_interrupt(void) { ptopro::sim::interrupts.fetch_add(1); }

extern "C" void ptopro_sim_sizes(uint64_t sizes[5]) {
  sizes[0] = sizeof(PtoproLaunch);
  sizes[1] = sizeof(PtoproReport);
  sizes[2] = sizeof(PtoproTensor);
  sizes[3] = sizeof(PtoproCosts);
  sizes[4] = sizeof(PtoproTraceEvent);
}

extern "C" void ptopro_sim_free_events(PtoproTraceEvent* events) { delete[] events; }

extern "C" const char* ptopro_sim_operation_name(uint16_t opcode) {
  return ptopro::sim::name_of(static_cast<ptopro::sim::Opcode>(opcode));
}
