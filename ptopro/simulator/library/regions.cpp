#include "regions.hpp"

#include <algorithm>
#include <utility>

namespace ptopro::sim {

namespace {

uint64_t mix(uint64_t h, uint64_t value) {
  h = (h ^ value) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 31;
}

uint64_t hash_of(const Footprint& footprint) {
  uint64_t h = footprint.size();
  for (const Strided& box : footprint) {
    h = mix(h, static_cast<uint64_t>(box.base));
    h = mix(h, static_cast<uint64_t>(box.run));
    for (int k = 0; k < box.levels; ++k)
      h = mix(mix(h, static_cast<uint64_t>(box.count[k])), static_cast<uint64_t>(box.pitch[k]));
  }
  return h;
}

uint64_t pack(int64_t high, int64_t low) {
  return static_cast<uint64_t>(high) << 32 | (static_cast<uint64_t>(low) & 0xffffffff);
}

}  // namespace

size_t Regions::TileHash::operator()(const TileKey& key) const {
  uint64_t h = 0;
  for (const uint64_t word : key.words) h = mix(h, word);
  return h;
}

uint32_t Regions::of(const TileWindow& window) {
  const TileDesc& tile = window.tile;
  const int64_t form = tile.outer | tile.inner << 1 | static_cast<int>(tile.dtype) << 3 |
                       static_cast<int>(tile.memory == Memory::Acc) << 8 | tile.fractal << 9;
  const TileKey key{{tile.addr << 24 ^ static_cast<uint64_t>(form), pack(tile.rows, tile.cols),
                     pack(window.r0, window.c0), pack(window.rows, window.columns),
                     static_cast<uint64_t>(window.pitch)}};
  const auto [found, is_new] = tiles_.try_emplace(key, 0);
  if (is_new)
    found->second =
        find(footprint_of(layout_with_pitch(tile, window.pitch), dtype_bits(tile.dtype),
                          static_cast<int64_t>(tile.addr), window.r0, window.c0, window.rows, window.columns));
  regions_[found->second].used = ++clock_;
  return found->second;
}

uint32_t Regions::of(const GlobalDesc& window, int64_t rows, int64_t columns) {
  const uint32_t id =
      find(footprint_of(layout_of(window), dtype_bits(window.dtype),
                        static_cast<int64_t>(reinterpret_cast<intptr_t>(window.base)), 0, 0, rows, columns));
  regions_[id].used = ++clock_;
  return id;
}

uint32_t Regions::find(const Footprint& footprint) {
  const uint64_t hash = hash_of(footprint);
  const auto [first, last] = footprints_.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (regions_[at->second].footprint == footprint) return at->second;
  const uint32_t id = add(footprint);
  footprints_.emplace(hash, id);
  return id;
}

uint32_t Regions::add(Footprint footprint) {
  const auto id = static_cast<uint32_t>(regions_.size());
  Region& region = regions_.emplace_back();
  region.low = low_of(footprint), region.high = high_of(footprint);
  region.footprint = std::move(footprint);
  link(id, false);
  for (int64_t bucket = region.low >> shift_; bucket <= (region.high - 1) >> shift_; ++bucket)
    buckets_[bucket].all.push_back(id);
  return id;
}

void Regions::will_be_written(uint32_t id) {
  Region& region = regions_[id];
  if (region.written) return;
  region.written = true;
  link(id, true);
  for (int64_t bucket = region.low >> shift_; bucket <= (region.high - 1) >> shift_; ++bucket)
    buckets_[bucket].written.push_back(id);
}

// Finds the regions that a new one meets among the written ones, or those that a newly written one meets.
void Regions::link(uint32_t id, bool to_all) {
  Region& region = regions_[id];
  std::vector<uint32_t> near;
  for (int64_t bucket = region.low >> shift_; bucket <= (region.high - 1) >> shift_; ++bucket) {
    const auto found = buckets_.find(bucket);
    if (found == buckets_.end()) continue;
    for (const uint32_t other : to_all ? found->second.all : found->second.written)
      if (other != id && regions_[other].low < region.high && region.low < regions_[other].high) near.push_back(other);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  for (const uint32_t other : near) {
    if (to_all && std::find(region.meets.begin(), region.meets.end(), other) != region.meets.end()) continue;
    if (!ptopro::sim::meets(region.footprint, regions_[other].footprint)) continue;
    region.meets.push_back(other);
    regions_[other].meets.push_back(id);
  }
}

void Regions::forget_oldest(const std::function<void(Region&)>& forget) {
  std::vector<uint64_t> used;
  for (const Region& region : regions_) used.push_back(region.used);
  const auto middle = used.begin() + static_cast<std::ptrdiff_t>(used.size() / 2);
  std::nth_element(used.begin(), middle, used.end());
  const uint64_t oldest = *middle;
  std::vector<Region> kept;
  for (Region& region : regions_) {
    if (region.used >= oldest)
      kept.push_back(std::move(region));
    else
      forget(region);
  }
  clear();
  for (Region& region : kept) {
    const bool written = region.written;
    const uint64_t hash = hash_of(region.footprint);
    const uint32_t id = add(std::move(region.footprint));
    footprints_.emplace(hash, id);
    Region& again = regions_[id];
    again.used = region.used, again.defined = region.defined;
    again.touches = std::move(region.touches);
    if (written) will_be_written(id);
  }
}

void Regions::clear() {
  regions_.clear();
  tiles_.clear();
  footprints_.clear();
  buckets_.clear();
}

}  // namespace ptopro::sim
