#include "code_log.hpp"

#include <algorithm>

namespace ptopro::sim {

namespace {
constexpr size_t kMostStores = 4096;  // stores that a load is compared with
}

void CodeLog::begin(bool threads) {
  for (auto& space : runs_)
    for (auto& runs : space) runs.clear();
  stored_.clear();
  owners_.clear();
  threads_ = threads;
  thread_ = 0;
  missing_barrier_ = between_threads_ = CodeConflict{};
}

void CodeLog::access(Space space, Kind kind, uint64_t first, uint64_t bytes, Where where) {
  const uint64_t end = first + bytes;
  std::vector<Interval>& runs = runs_[space][kind];
  if (!runs.empty() && runs.back().end == first)
    runs.back().end = end;
  else if (runs.empty() || runs.back().first > first || runs.back().end < end)
    runs.push_back({first, end, where});
  if (threads_) return meet_threads(space, kind, first, bytes);
  if (kind == kRead) return load_behind_store(first, end, where);
  if (stored_.size() < kMostStores) stored_.push_back({first, end, where});
}

void CodeLog::load_behind_store(uint64_t first, uint64_t end, Where where) {
  if (missing_barrier_.found) return;
  for (size_t i = stored_.size(); i-- > 0;) {
    const Interval& store = stored_[i];
    if (store.first >= end || first >= store.end) continue;
    missing_barrier_ = {true, std::max(store.first, first), store.where, where, 0, 0};
    return;
  }
}

void CodeLog::meet_threads(Space space, Kind kind, uint64_t first, uint64_t bytes) {
  if (between_threads_.found) return;
  for (uint64_t byte = first; byte < first + bytes; ++byte) {
    Owner& owner = owners_[byte << 1 | static_cast<uint64_t>(space)];
    const uint32_t me = thread_ + 1;
    const bool writes = kind != kRead;
    const bool after_write = owner.writer != 0 && owner.writer != me && !(owner.atomic && kind == kAtomic);
    const bool after_read = writes && owner.reader != 0 && owner.reader != me;
    if (after_write || after_read) {
      between_threads_ = {true, byte, {}, {}, (after_write ? owner.writer : owner.reader) - 1, thread_};
      return;
    }
    if (writes)
      owner.writer = me, owner.atomic = kind == kAtomic;
    else
      owner.reader = me;
  }
}

std::vector<Strip> CodeLog::strips(Space space, Kind kind) {
  std::vector<Interval>& runs = runs_[space][kind];
  std::sort(runs.begin(), runs.end(), [](const Interval& a, const Interval& b) { return a.first < b.first; });
  std::vector<Strip> found;
  uint64_t end = 0;
  for (const Interval& run : runs) {
    if (!found.empty() && run.first <= end) {  // meets the run before it
      if (run.end <= end) continue;
      found.back().bytes += run.end - end;
      end = run.end;
      continue;
    }
    found.push_back({run.first, run.end - run.first, 0, 1});
    end = run.end;
  }
  // Runs of one length at one distance are one strip.
  std::vector<Strip> strips;
  for (const Strip& run : found) {
    if (!strips.empty() && strips.back().bytes == run.bytes) {
      Strip& last = strips.back();
      const uint64_t pitch = run.first - (last.first + (last.count - 1) * last.pitch);
      if (last.count == 1 || pitch == last.pitch) {
        last.pitch = pitch;
        ++last.count;
        continue;
      }
    }
    strips.push_back(run);
  }
  return strips;
}

}  // namespace ptopro::sim
