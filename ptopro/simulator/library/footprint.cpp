#include "footprint.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace ptopro::sim {

namespace {

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }
int64_t ceil_div(int64_t a, int64_t b) { return -floor_div(-a, b); }

// Spans of the levels below each level, computed once per test.
struct Side {
  const Strided& box;
  int64_t span[Strided::kLevels + 1];
  explicit Side(const Strided& set) : box(set) {
    span[0] = set.run;
    for (int k = 0; k < set.levels; ++k) span[k + 1] = span[k] + (set.count[k] - 1) * set.pitch[k];
  }
};

bool meet(const Side& a, int la, int64_t at, const Side& b, int lb, int64_t bt) {
  if (at + a.span[la] <= bt || bt + b.span[lb] <= at) return false;
  if (la == 0 && lb == 0) return true;
  if (la > 0 && lb > 0 && a.box.pitch[la - 1] == b.box.pitch[lb - 1]) {
    // Index i of a against index j of b: only i - j matters.
    const int64_t pitch = a.box.pitch[la - 1];
    const int64_t first = std::max(ceil_div(bt - at - a.span[la - 1] + 1, pitch), 1 - b.box.count[lb - 1]);
    const int64_t last = std::min(floor_div(bt + b.span[lb - 1] - 1 - at, pitch), a.box.count[la - 1] - 1);
    for (int64_t shift = first; shift <= last; ++shift)
      if (meet(a, la - 1, at + shift * pitch, b, lb - 1, bt)) return true;
    return false;
  }
  if (lb > 0 && (la == 0 || a.box.pitch[la - 1] < b.box.pitch[lb - 1])) return meet(b, lb, bt, a, la, at);
  const int64_t pitch = a.box.pitch[la - 1];
  const int64_t first = std::max<int64_t>(ceil_div(bt - at - a.span[la - 1] + 1, pitch), 0);
  const int64_t last = std::min(floor_div(bt + b.span[lb] - 1 - at, pitch), a.box.count[la - 1] - 1);
  for (int64_t i = first; i <= last; ++i)
    if (meet(a, la - 1, at + i * pitch, b, lb, bt)) return true;
  return false;
}

// A range of indices along an axis: full levels.
struct Part {
  int64_t offset = 0;
  int levels = 0;
  int64_t count[Axis::kLevels] = {}, pitch[Axis::kLevels] = {};
};

// Splits [first, first + n) of the levels up to `top` into parts, each a full product of levels.
void split(const Axis& axis, int top, int64_t first, int64_t n, int64_t offset, std::vector<Part>& parts) {
  if (n <= 0) return;
  if (top == 0) {
    Part part;
    part.offset = offset + first * axis.pitch[0];
    part.count[0] = n, part.pitch[0] = axis.pitch[0], part.levels = 1;
    parts.push_back(part);
    return;
  }
  int64_t block = 1;
  for (int level = 0; level < top; ++level) block *= axis.count[level];
  const int64_t pitch = axis.pitch[top];
  int64_t head = first / block;
  if (const int64_t inside = first % block; inside != 0) {
    const int64_t some = std::min(n, block - inside);
    split(axis, top - 1, inside, some, offset + head * pitch, parts);
    n -= some;
    ++head;
  }
  if (const int64_t full = n / block; full > 0) {
    const size_t begin = parts.size();
    split(axis, top - 1, 0, block, offset + head * pitch, parts);
    for (size_t i = begin; i < parts.size(); ++i) {
      parts[i].count[parts[i].levels] = full;
      parts[i].pitch[parts[i].levels++] = pitch;
    }
    head += full;
  }
  split(axis, top - 1, 0, n % block, offset + head * pitch, parts);
}

struct Hash {
  size_t operator()(const Strided& box) const {
    uint64_t h = static_cast<uint64_t>(box.base) * 0x9e3779b97f4a7c15u ^ static_cast<uint64_t>(box.run);
    for (int k = 0; k < box.levels; ++k)
      h = (h ^ static_cast<uint64_t>(box.count[k] * 31 + box.pitch[k])) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
  }
};

// Joins boxes of which `next` gives the base that continues one; `extend` makes the longer box.
template <typename Next, typename Key, typename Extend>
bool join_pass(Footprint& set, Next next, Key key, Extend extend) {
  std::sort(set.begin(), set.end(), [](const Strided& a, const Strided& b) { return a.base < b.base; });
  std::unordered_map<Strided, size_t, Hash> open;  // a box that would continue: shape and base -> which one
  Footprint joined;
  for (const Strided& box : set) {
    const auto found = open.find(key(box, box.base));
    if (found == open.end()) {
      joined.push_back(box);
      open[key(box, next(box))] = joined.size() - 1;
      continue;
    }
    const size_t at = found->second;
    open.erase(found);
    extend(joined[at], box);
    open[key(box, next(joined[at]))] = at;
  }
  const bool changed = joined.size() != set.size();
  set = std::move(joined);
  return changed;
}

// Boxes of one shape at equal distances become one box with a level more.
void join_rows(Footprint& set) {
  const auto shape_before = [](const Strided& a, const Strided& b) {
    if (a.run != b.run) return a.run < b.run;
    if (a.levels != b.levels) return a.levels < b.levels;
    const int counts = std::memcmp(a.count, b.count, sizeof a.count);
    return counts != 0 ? counts < 0 : std::memcmp(a.pitch, b.pitch, sizeof a.pitch) < 0;
  };
  std::sort(set.begin(), set.end(), [&](const Strided& a, const Strided& b) {
    if (shape_before(a, b)) return true;
    return !shape_before(b, a) && a.base < b.base;
  });
  Footprint joined;
  for (size_t i = 0; i < set.size();) {
    size_t end = i + 1;
    const auto continues = [&](size_t k) {
      return k < set.size() && !shape_before(set[i], set[k]) &&
             set[k].base - set[k - 1].base == set[i + 1].base - set[i].base;
    };
    while (continues(end)) ++end;
    const size_t n = end - i;
    if (n < 3 || set[i].levels == Strided::kLevels) {
      joined.push_back(set[i++]);
      continue;
    }
    Strided box = set[i];
    box.count[box.levels] = static_cast<int64_t>(n);
    box.pitch[box.levels++] = set[i + 1].base - set[i].base;
    normalise(box);
    joined.push_back(box);
    i = end;
  }
  set = std::move(joined);
}

}  // namespace

bool meets(const Strided& a, const Strided& b) { return meet(Side(a), a.levels, a.base, Side(b), b.levels, b.base); }

bool meets(const Footprint& a, const Footprint& b) {
  for (const Strided& one : a)
    for (const Strided& other : b)
      if (meets(one, other)) return true;
  return false;
}

void normalise(Strided& box) {
  // Insertion sort: there are few levels.
  int used = 0;
  for (int k = 0; k < box.levels; ++k) {
    int64_t count = box.count[k], pitch = box.pitch[k];
    if (count == 1 || pitch == 0) continue;
    if (pitch < 0) {
      box.base += (count - 1) * pitch;
      pitch = -pitch;
    }
    int at = used++;
    for (; at > 0 && box.pitch[at - 1] > pitch; --at)
      box.count[at] = box.count[at - 1], box.pitch[at] = box.pitch[at - 1];
    box.count[at] = count, box.pitch[at] = pitch;
  }
  int kept = 0;
  for (int k = 0; k < used; ++k) {
    if (kept == 0 && box.pitch[k] <= box.run) {
      box.run += (box.count[k] - 1) * box.pitch[k];
    } else if (kept > 0 && box.pitch[k] == box.pitch[kept - 1] * box.count[kept - 1]) {
      box.count[kept - 1] *= box.count[k];
    } else {
      box.count[kept] = box.count[k], box.pitch[kept++] = box.pitch[k];
    }
  }
  for (int k = kept; k < Strided::kLevels; ++k) box.count[k] = box.pitch[k] = 0;
  box.levels = kept;
}

Footprint footprint_of(const Layout& layout, int bits, int64_t origin, int64_t r0, int64_t c0, int64_t rows,
                       int64_t columns) {
  const int64_t unit = bits / 4;
  std::vector<Part> down, across;
  split(layout.row, layout.row.levels - 1, r0, rows, 0, down);
  split(layout.column, layout.column.levels - 1, c0, columns, 0, across);
  Footprint set;
  set.reserve(down.size() * across.size());
  for (const Part& row : down)
    for (const Part& column : across) {
      Strided box;
      box.base = origin * kUnitsPerByte + (row.offset + column.offset) * unit;
      box.run = unit;
      const auto add = [&](const Part& part) {
        for (int k = 0; k < part.levels; ++k) {
          if (part.count[k] == 1) continue;
          if (box.levels == Strided::kLevels) normalise(box);
          if (box.levels == Strided::kLevels) {  // more levels than any layout has: the bounding run of the outermost
            box.run = box.span(box.levels);
            box.levels = 0;
          }
          box.count[box.levels] = part.count[k];
          box.pitch[box.levels++] = part.pitch[k] * unit;
        }
      };
      add(column);
      add(row);
      normalise(box);
      set.push_back(box);
    }
  return set;
}

int64_t low_of(const Footprint& set) {
  int64_t low = INT64_MAX;
  for (const Strided& box : set) low = std::min(low, box.base);
  return low;
}

int64_t high_of(const Footprint& set) {
  int64_t high = INT64_MIN;
  for (const Strided& box : set) high = std::max(high, box.end());
  return high;
}

void join_neighbours(Footprint& set) {
  std::sort(set.begin(), set.end(),
            [](const Strided& a, const Strided& b) { return std::memcmp(&a, &b, sizeof(Strided)) < 0; });
  set.erase(std::unique(set.begin(), set.end()), set.end());
  bool changed = true;
  while (changed && set.size() > 1) {
    // Along the run: the same levels, the next box starts where this one's runs end.
    changed = join_pass(
        set, [](const Strided& box) { return box.base + box.run; },
        [](Strided box, int64_t base) {
          box.base = base, box.run = 0;
          return box;
        },
        [](Strided& box, const Strided& more) { box.run += more.run; });
    for (Strided& box : set) normalise(box);
    // Along the outermost level: the same inner levels and pitch.
    changed |= join_pass(
        set,
        [](const Strided& box) {
          return box.levels == 0 ? box.base + box.run
                                 : box.base + box.count[box.levels - 1] * box.pitch[box.levels - 1];
        },
        [](Strided box, int64_t base) {
          box.base = base;
          if (box.levels > 0) box.count[box.levels - 1] = 0;
          if (box.levels == 0) box.run = 0;
          return box;
        },
        [](Strided& box, const Strided& more) {
          if (box.levels == 0)
            box.run += more.run;
          else
            box.count[box.levels - 1] += more.count[more.levels - 1];
        });
    for (Strided& box : set) normalise(box);
  }
  join_rows(set);
}

}  // namespace ptopro::sim
