// What the files of the library give each other: one function per group of opcodes that names the body of each.
#pragma once

#include "ptopro/record.hpp"

namespace ptopro::sim {

// Each returns the body of an opcode of its group, nullptr for any other opcode.
Body load_store_body(Opcode op);
Body move_body(Opcode op);
Body matmul_body(Opcode op);
Body elementwise_body(Opcode op);
Body unary_body(Opcode op);
Body cast_body(Opcode op);
Body fill_body(Opcode op);
Body compare_body(Opcode op);
Body reduce_body(Opcode op);
Body expand_body(Opcode op);
Body gather_body(Opcode op);
Body sort_body(Opcode op);
Body quant_body(Opcode op);
Body code_body(Opcode op);

}  // namespace ptopro::sim
