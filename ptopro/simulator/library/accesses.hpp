// What an instruction reads and writes: windows of tiles, a window of global memory, and which of its operands are
// copied rather than computed with.
//
// In: a record.  Out: `Accesses`, exactly the elements that the instruction's body touches (and the scratch operands
// that the device writes, although the simulator does not).
#pragma once

#include <cstdint>

#include "ptopro/record.hpp"
#include "windows.hpp"

namespace ptopro::sim {

enum class Use : uint8_t {
  Read,     // enters arithmetic: has to be defined
  Touch,    // read, but what it holds may not matter (unselected, copied, addressed by an index)
  Write,    // defined afterwards
  Scratch,  // written by the device with nothing that counts
  Move,     // the destination of a copy: as defined as its source
};

constexpr bool writes(Use use) { return use != Use::Read && use != Use::Touch; }

struct Access {
  TileWindow window;
  Use use = Use::Read;
  uint8_t operand = 0;
};

struct Accesses {
  static constexpr int kMost = 12;
  Access list[kMost];
  int count = 0;
  // Copies: list[to] takes the definedness of list[from], element by element.
  struct Copy {
    uint8_t to, from;
  };
  Copy copies[2];
  int copied = 0;
  // The window of global memory as rows and columns; rows is 0 if there is none.
  int64_t global_rows = 0, global_columns = 0;
  bool global_written = false;
};

void accesses_of(const Record& record, Accesses& accesses);

}  // namespace ptopro::sim
