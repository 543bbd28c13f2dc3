#include "block_overlap.hpp"

#include <algorithm>
#include <climits>
#include <set>
#include <tuple>
#include <utility>

#include "wording.hpp"

namespace ptopro::sim {

namespace {

constexpr size_t kJoinAt = 1024;  // boxes of a group before neighbours are joined

uint64_t key_of(const Touch& touch) {
  return static_cast<uint64_t>(touch.site) << 32 | static_cast<uint64_t>(touch.epoch) << 16 |
         static_cast<uint64_t>(touch.component) << 8 | static_cast<uint64_t>(touch.kind);
}

}  // namespace

void GlobalUses::add(const Region& region, const Touch& touch) {
  const Footprint& set = region.footprint;
  Group& group = groups_[key_of(touch)];
  group.bits = region.bits;
  if (group.set.empty() || touch.operation > group.last.operation) group.last = touch;
  group.set.insert(group.set.end(), set.begin(), set.end());
  if (group.set.size() < kJoinAt + 2 * group.joined) return;
  join_neighbours(group.set);
  group.joined = group.set.size();
}

std::vector<BlockUse> GlobalUses::finish(int block, const Sites& sites, const std::vector<RoundMark>& marks,
                                         const std::vector<Rounds5>& epochs) {
  std::vector<BlockUse> uses;
  for (auto& [key, group] : groups_) {
    join_neighbours(group.set);
    BlockUse use;
    use.block = block;
    use.site = sites[group.last.site];
    use.kind = group.last.kind;
    use.after = epochs[group.last.epoch];
    use.before.fill(UINT32_MAX);
    for (const RoundMark& mark : marks)
      if (mark.before.operations[group.last.component] >= group.last.operation)
        use.before[static_cast<size_t>(mark.kind)] = std::min(use.before[static_cast<size_t>(mark.kind)], mark.round);
    use.bits = group.bits;
    use.set = std::move(group.set);
    uses.push_back(std::move(use));
  }
  groups_.clear();
  return uses;
}

namespace {

bool is_before(const BlockUse& a, const BlockUse& b) {
  for (size_t kind = 0; kind < a.before.size(); ++kind)
    if (a.before[kind] <= b.after[kind]) return true;
  return false;
}

bool conflict(const BlockUse& a, const BlockUse& b) {
  if (a.block == b.block || (a.kind == b.kind && a.kind != Kind::Write)) return false;
  return !is_before(a, b) && !is_before(b, a);
}

struct Piece {
  const BlockUse* use;
  const Strided* box;
  int64_t high;
};

PlaceReport place_of(const BlockUse& use, const std::string& range) {
  static constexpr const char* kCores[] = {"cube", "vector 0", "vector 1"};
  PlaceReport place;
  place.core = kCores[use.site.core];
  place.pipe = name_of(use.site.pipe);
  place.operation = operation_of(use.site);
  place.file = use.site.file ? use.site.file : "";
  place.line = use.site.line;
  place.block = use.block;
  place.what = std::string(use.kind == Kind::Read    ? "reads"
                           : use.kind == Kind::Write ? "writes"
                                                     : "adds to") +
               " " + range;
  return place;
}

Finding finding_of(const Piece& a, const Piece& b, const Tensors& tensors) {
  const bool ordered = a.use->block < b.use->block;
  const BlockUse& first = ordered ? *a.use : *b.use;
  const BlockUse& second = ordered ? *b.use : *a.use;
  const std::string shared =
      address_text(tensors, kGlobalMemory, std::max(a.box->base, b.box->base), std::min(a.high, b.high), a.use->bits);
  const bool both_write = first.kind != Kind::Read && second.kind != Kind::Read;
  Finding found;
  found.code = PTOPRO_BLOCK_OVERLAP;
  found.kind = "block_overlap";
  const PlaceReport one = place_of(first, shared), other = place_of(second, shared);
  found.message = "blocks " + std::to_string(first.block) + " and " + std::to_string(second.block) +
                  (both_write ? " both write " : " use ") + shared + ": " + one.operation + " " + one.what + " and " +
                  other.operation + " " + other.what + ", and no barrier over the launch lies between";
  found.block = second.block;
  found.core = other.core, found.pipe = other.pipe, found.operation = other.operation;
  found.file = other.file, found.line = other.line;
  found.hint = both_write ? "give every block its own part of the tensor, or add atomically"
                          : "synchronise all cores between the two, or let one block do both";
  found.places = {one, other};
  return found;
}

}  // namespace

std::vector<Finding> overlaps_of(const std::vector<BlockUse>& uses, const Tensors& tensors) {
  std::vector<Piece> pieces;
  for (const BlockUse& use : uses)
    for (const Strided& box : use.set) pieces.push_back({&use, &box, box.end()});
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    const auto key = [](const Piece& p) {
      return std::make_tuple(p.box->base, p.use->block, p.use->site.line, p.use->kind);
    };
    return key(a) < key(b);
  });
  std::vector<Piece> reads, changes;  // those that reach beyond the current address
  std::set<std::pair<std::pair<std::string, uint32_t>, std::pair<std::string, uint32_t>>> reported;
  std::vector<Finding> findings;
  const auto meet = [&](const Piece& a, const Piece& b) {
    if (!conflict(*a.use, *b.use)) return;
    std::pair<std::string, uint32_t> lines[2] = {{a.use->site.file ? a.use->site.file : "", a.use->site.line},
                                                 {b.use->site.file ? b.use->site.file : "", b.use->site.line}};
    if (lines[1] < lines[0]) std::swap(lines[0], lines[1]);
    if (reported.count({lines[0], lines[1]}) != 0 || !meets(*a.box, *b.box)) return;
    reported.insert({lines[0], lines[1]});
    findings.push_back(finding_of(a, b, tensors));
  };
  for (const Piece& piece : pieces) {
    const auto ended = [&](const Piece& other) { return other.high <= piece.box->base; };
    std::erase_if(changes, ended);
    for (const Piece& other : changes) meet(other, piece);
    if (piece.use->kind == Kind::Read) {
      reads.push_back(piece);
      continue;
    }
    std::erase_if(reads, ended);
    for (const Piece& other : reads) meet(other, piece);
    changes.push_back(piece);
  }
  return findings;
}

}  // namespace ptopro::sim
