// The observer's findings in words: races and undefined data.
#include <algorithm>

#include "launch.hpp"
#include "observer.hpp"
#include "wording.hpp"

namespace ptopro::sim {

namespace {

const char* verb_of(Kind kind) {
  return kind == Kind::Read ? "reads" : kind == Kind::Write ? "writes" : "atomically adds to";
}

}  // namespace

void Observer::report_race(const Region& old_region, const Touch& old, const Region& new_region, const Touch& now,
                           Memory memory) {
  const uint64_t pair = static_cast<uint64_t>(std::min(old.site, now.site)) << 31 | std::max(old.site, now.site);
  const bool one_core = sites_[old.site].core == sites_[now.site].core;
  const uint32_t distance = !one_core               ? UINT32_MAX
                            : old.order > now.order ? old.order - now.order
                                                    : now.order - old.order;
  if (findings.size() >= kMostFindings && !reported_.contains(pair)) return;
  const auto [known, is_new] = reported_.try_emplace(pair, findings.size());
  // Of all pairs of executions of two lines the closest one is shown.
  if (!is_new && findings[known->second].distance <= distance) return;
  // In the order of the program where there is one; between cores the write comes first.
  const bool swapped = one_core ? old.order > now.order
                       : (old.kind == Kind::Read) != (now.kind == Kind::Read)
                           ? old.kind == Kind::Read
                           : sites_[old.site].core > sites_[now.site].core;
  const Touch& first = swapped ? now : old;
  const Touch& second = swapped ? old : now;
  const Region& first_region = swapped ? new_region : old_region;
  const Region& second_region = swapped ? old_region : new_region;
  const Site& earlier = sites_[first.site];
  const Site& later = sites_[second.site];
  const Core& earlier_core = *block_.core(earlier.core);
  const Core& later_core = *block_.core(later.core);
  const Tensors& tensors = block_.launch.tensors;

  const auto range = [&](int64_t low, int64_t high) {
    return address_text(tensors, memory, low, high, new_region.bits);
  };
  const auto who = [&](const Site& site, const Core& core) {
    const std::string pipe = name_of(site.pipe);
    return operation_of(site) + " on " + (one_core ? pipe : std::string(core.name()) + " " + pipe);
  };
  const std::string shared =
      range(std::max(first_region.low, second_region.low), std::min(first_region.high, second_region.high));
  std::string message = who(later, later_core) + " " + verb_of(second.kind) + " " + shared + " that " +
                        who(earlier, earlier_core) + " " + verb_of(first.kind) + ", and nothing orders them";
  Finding found = block_.describe(PTOPRO_RACE, "race", std::move(message), later_core, later.op, later.pipe, later.file,
                                  later.line);
  found.operation = operation_of(later);
  found.distance = distance;
  const std::string from = name_of(earlier.pipe), to = name_of(later.pipe);
  if (!one_core)
    found.hint = who(later, later_core) + " must wait for " + who(earlier, earlier_core) +
                 " (or the other way round): a flag between the cores, set on " + from + " of " + earlier_core.name() +
                 " and waited for on " + to + " of " + later_core.name();
  else if (earlier.pipe == later.pipe)
    found.hint = "transfers of " + from + " overlap: " + operation_of(later) + " must wait for the completion of " +
                 operation_of(earlier) + ": a barrier on " + from + ", or a wait for a pipe that has used the data";
  else
    found.hint = operation_of(later) + " on " + to + " must wait for " + operation_of(earlier) + " on " + from +
                 ": a flag " + from + " -> " + to + ", or one lock that both hold";
  const auto place = [&](const Site& site, const Core& core, const Touch& touch, const Region& region) {
    PlaceReport report;
    report.core = core.name();
    report.pipe = name_of(site.pipe);
    report.operation = operation_of(site);
    report.file = site.file ? site.file : "";
    report.line = site.line;
    report.execution = touch.execution;
    report.what = std::string(verb_of(touch.kind)) + " " + range(region.low, region.high);
    return report;
  };
  found.places.push_back(place(earlier, earlier_core, first, first_region));
  found.places.push_back(place(later, later_core, second, second_region));
  if (is_new)
    findings.push_back(std::move(found));
  else
    findings[known->second] = std::move(found);
}

void Observer::report_undefined(const Core& core, const Access& access, const Touch& touch, int64_t byte) {
  constexpr uint64_t kUndefined = uint64_t{1} << 63;
  if (findings.size() >= kMostFindings) return;
  const uint64_t use = kUndefined | static_cast<uint64_t>(touch.site) << 8 | access.operand;
  if (!reported_.try_emplace(use, findings.size()).second) return;
  const Site& site = sites_[touch.site];
  const TileWindow& window = access.window;
  const Plane plane{nullptr, layout_with_pitch(window.tile, window.pitch), dtype_bits(window.tile.dtype)};
  std::string element;
  for (int64_t r = 0; r < window.rows && element.empty(); ++r)
    for (int64_t c = 0; c < window.columns; ++c) {
      const int64_t bit = plane.layout.at(window.r0 + r, window.c0 + c) * plane.bits;
      const auto at = static_cast<int64_t>(window.tile.addr) + bit / 8;
      if (at > byte || byte >= at + std::max(plane.bits / 8, 1)) continue;
      element = "element (" + std::to_string(window.r0 + r) + ", " + std::to_string(window.c0 + c) + ") of ";
      break;
    }
  const bool scalar = site.op == Opcode::Count;
  std::string message = operation_of(site) + " on " + name_of(site.pipe) + " uses " + element +
                        (scalar ? "a tile" : "operand " + std::to_string(access.operand + 1)) + ", byte " + hex(byte) +
                        " of " + name_of(window.tile.memory) + ", which nothing has written";
  Finding found = block_.describe(PTOPRO_UNDEFINED, "undefined", std::move(message), core, site.op, site.pipe,
                                  site.file, site.line);
  found.operation = operation_of(site);
  found.hint = "load, move or fill the valid region before it is used, or make the valid region smaller";
  PlaceReport place;
  place.core = core.name();
  place.pipe = name_of(site.pipe);
  place.operation = found.operation;
  place.file = found.file;
  place.line = site.line;
  place.execution = touch.execution;
  place.what = "uses " + std::to_string(window.rows) + " x " + std::to_string(window.columns) + " elements at " +
               hex(static_cast<int64_t>(window.tile.addr));
  found.places.push_back(std::move(place));
  findings.push_back(std::move(found));
}

}  // namespace ptopro::sim
