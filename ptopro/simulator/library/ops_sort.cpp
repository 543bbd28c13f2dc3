// Sorting: groups of 32 values into (value, index) records, and merges of sorted lists of records.
//
// A record is 8 bytes: the value (half: 2 bytes and 2 zero bytes; float: 4 bytes), then a 32-bit index.  Order is
// descending; equal values keep their order, earlier lists first; NaN comes last.
//  * Sort32: tile[1] values, tile[2] indices (one row serves all rows if it has only one); a last group may be shorter.
//  * MrgSort: every four adjacent runs of `scalar` stored elements of tile[1] become one.
//  * MrgSortList: tile[0] = merge of tile[2], tile[3], ...; tile[1] is scratch.  mod.reverse: stop when a list is
//  exhausted.
#include <algorithm>
#include <cstring>
#include <vector>

#include "bodies.hpp"
#include "rows.hpp"

namespace ptopro::sim {

namespace {

struct SortRecord {
  float key;
  uint64_t bytes;
};

bool comes_before(const SortRecord& a, const SortRecord& b) {
  if (b.key != b.key) return a.key == a.key;
  return a.key > b.key;
}

float key_of(DType type, uint64_t bytes) {
  float key;
  to_float(type, &bytes, &key, 1);
  return key;
}

std::vector<SortRecord> read_records(const uint8_t* at, DType type, int64_t count) {
  std::vector<SortRecord> records(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bytes;
    std::memcpy(&bytes, at + i * 8, 8);
    records[static_cast<size_t>(i)] = {key_of(type, bytes), bytes};
  }
  return records;
}

// Takes the first of the lists' heads until all (or, if `until_exhausted`, one) are at their end.
std::vector<SortRecord> merge(const std::vector<std::vector<SortRecord>>& lists, bool until_exhausted) {
  std::vector<size_t> head(lists.size(), 0);
  std::vector<SortRecord> merged;
  for (;;) {
    int best = -1;
    for (size_t i = 0; i < lists.size(); ++i) {
      if (head[i] == lists[i].size()) {
        if (until_exhausted) return merged;
        continue;
      }
      if (best < 0 ||
          comes_before(lists[i][head[i]], lists[static_cast<size_t>(best)][head[static_cast<size_t>(best)]]))
        best = static_cast<int>(i);
    }
    if (best < 0) return merged;
    merged.push_back(lists[static_cast<size_t>(best)][head[static_cast<size_t>(best)]++]);
  }
}

void write_records(uint8_t* at, const std::vector<SortRecord>& records, int64_t limit) {
  const int64_t count = std::min<int64_t>(limit, static_cast<int64_t>(records.size()));
  for (int64_t i = 0; i < count; ++i) std::memcpy(at + i * 8, &records[static_cast<size_t>(i)].bytes, 8);
}

int64_t records_in(const TileDesc& tile) { return bytes_of(tile.dtype, tile.vcols) / 8; }

void sort32(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1], &index = record.tile[2];
  const Plane to = plane_of(core, dst), from = plane_of(core, src), indices = plane_of(core, index);
  for (int64_t r = 0; r < src.vrows; ++r)
    for (int64_t c = 0; c < src.vcols; c += 32) {
      std::vector<SortRecord> group;
      for (int64_t k = c; k < std::min<int64_t>(c + 32, src.vcols); ++k) {
        const uint64_t value = load_bits(from, r, k);
        const uint64_t id = load_bits(indices, index.vrows == 1 ? 0 : r, k);
        group.push_back({key_of(src.dtype, value), value | id << 32});
      }
      std::stable_sort(group.begin(), group.end(), comes_before);
      write_records(to.at(r, 0) + c * 8, group, 32);
    }
}

void merge_runs(const CoreMemory& core, const Record& record) {
  const TileDesc &dst = record.tile[0], &src = record.tile[1];
  const uint8_t* from = memory_of(core, src) + src.addr;
  uint8_t* to = memory_of(core, dst) + dst.addr;
  const int64_t run = bytes_of(src.dtype, record.scalar.i) / 8, total = records_in(src);
  if (run <= 0) return;
  for (int64_t first = 0; first < total; first += run * 4) {
    std::vector<std::vector<SortRecord>> lists;
    for (int64_t at = first; at < std::min(first + run * 4, total); at += run)
      lists.push_back(read_records(from + at * 8, src.dtype, std::min(run, total - at)));
    write_records(to + first * 8, merge(lists, false), run * 4);
  }
}

void merge_lists(const CoreMemory& core, const Record& record) {
  const TileDesc& dst = record.tile[0];
  std::vector<std::vector<SortRecord>> lists;
  for (int i = 2; i < record.tiles; ++i) {
    const TileDesc& list = record.tile[i];
    lists.push_back(read_records(memory_of(core, list) + list.addr, list.dtype, records_in(list)));
  }
  write_records(memory_of(core, dst) + dst.addr, merge(lists, record.mod.reverse != 0), records_in(dst));
}

}  // namespace

Body sort_body(Opcode op) {
  switch (op) {
    case Opcode::Sort32:
      return sort32;
    case Opcode::MrgSort:
      return merge_runs;
    case Opcode::MrgSortList:
      return merge_lists;
    default:
      return nullptr;
  }
}

}  // namespace ptopro::sim
