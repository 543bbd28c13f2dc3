// The body of every opcode, looked up once per opcode in the groups of the library.
#include <array>
#include <cstddef>

#include "bodies.hpp"

namespace ptopro::sim {

namespace {

constexpr auto kOpcodes = static_cast<std::size_t>(Opcode::Count);

std::array<Body, kOpcodes> collect() {
  using Group = Body (*)(Opcode);
  constexpr Group groups[] = {load_store_body, move_body, matmul_body,  elementwise_body, unary_body,
                              cast_body,       fill_body, compare_body, reduce_body,      expand_body,
                              gather_body,     sort_body, quant_body,   code_body};
  std::array<Body, kOpcodes> bodies{};
  for (std::size_t op = 0; op < kOpcodes; ++op)
    for (Group group : groups)
      if (!bodies[op]) bodies[op] = group(static_cast<Opcode>(op));
  return bodies;
}

}  // namespace

Body body_of(Opcode op) {
  static const std::array<Body, kOpcodes> bodies = collect();
  return op < Opcode::Count ? bodies[static_cast<std::size_t>(op)] : nullptr;
}

}  // namespace ptopro::sim
