// The instructions of a block's source lines, numbered, with how often each has run.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ptopro/issue.hpp"
#include "ptopro/record.hpp"

namespace ptopro::sim {

struct Site {
  const char* file = nullptr;
  uint32_t line = 0;
  Opcode op = Opcode::Count;  // Count: an element read or written by the scalar unit
  bool writes_element = false;
  int core = 0;
  Pipe pipe = Pipe::S;
  uint32_t executions = 0;
};

class Sites {
 public:
  uint32_t of(const Site& site);
  Site& operator[](uint32_t id) { return sites_[id]; }
  const Site& operator[](uint32_t id) const { return sites_[id]; }
  void clear() {
    sites_.clear();
    index_.clear();
  }

 private:
  struct Key {
    const char* file;
    uint64_t rest;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      return (reinterpret_cast<uintptr_t>(key.file) ^ key.rest) * 0x9e3779b97f4a7c15u >> 16;
    }
  };
  std::vector<Site> sites_;
  std::unordered_map<Key, uint32_t, Hash> index_;
};

inline uint32_t Sites::of(const Site& site) {
  const Key key{site.file, uint64_t{site.line} << 32 | static_cast<uint64_t>(site.op) << 16 |
                               static_cast<uint64_t>(site.writes_element) << 12 |
                               static_cast<uint64_t>(site.core) << 8 | static_cast<uint64_t>(site.pipe)};
  const auto [found, is_new] = index_.try_emplace(key, static_cast<uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(site);
  return found->second;
}

}  // namespace ptopro::sim
