// How an instruction template becomes a record: operands in order, destination first (a store has its source first).
#pragma once

#include <cstdint>
#include <type_traits>

#include "ptopro/global_tensor.hpp"
#include "ptopro/issue.hpp"
#include "ptopro/tile.hpp"

namespace pto::detail {

using ptopro::sim::begin_record;
using ptopro::sim::commit_record;
using ptopro::sim::Opcode;
using ptopro::sim::Pipe;
using ptopro::sim::Record;
using ptopro::sim::ScalarDesc;
using ptopro::sim::Where;

template <typename... T>
inline void put_tiles(Record& record, const T&... tiles) {
  int next = 0;
  ((record.tile[next++] = tiles.describe()), ...);
  record.tiles = static_cast<uint8_t>(next);
}

template <typename G>
inline void put_global(Record& record, const G& global) {
  record.global = global.describe();
  record.uses_global = true;
}

// Integers are kept in i, floats in f; both are set so that an instruction may take either.
template <typename T>
inline ScalarDesc scalar_of(T value) {
  ScalarDesc scalar;
  scalar.dtype = ptopro::sim::dtype_of<T>();
  if constexpr (std::is_integral_v<T>) {
    scalar.i = static_cast<int64_t>(value);
    scalar.f = static_cast<double>(value);
  } else {
    scalar.f = static_cast<double>(static_cast<float>(value));
    if (scalar.f > -9.2e18 && scalar.f < 9.2e18) scalar.i = static_cast<int64_t>(scalar.f);
  }
  return scalar;
}

template <typename... T>
inline void issue(Opcode op, Pipe pipe, Where where, const T&... tiles) {
  Record& record = begin_record(op, pipe, where);
  put_tiles(record, tiles...);
  commit_record(record);
}

template <typename S, typename... T>
inline void issue_scalar(Opcode op, Where where, S scalar, const T&... tiles) {
  Record& record = begin_record(op, Pipe::V, where);
  put_tiles(record, tiles...);
  record.scalar = scalar_of(scalar);
  commit_record(record);
}

// The pipe that moves data from one on-chip memory to another.
constexpr Pipe move_pipe(TileType from, TileType to) {
  if (from == TileType::Acc) return Pipe::FIX;
  if (from == TileType::Mat) {
    switch (to) {
      case TileType::Left:
      case TileType::Right:
      case TileType::Bias:
      case TileType::ScaleLeft:
      case TileType::ScaleRight:
        return Pipe::MTE1;
      case TileType::Vec:
        return Pipe::V;
      default:
        return Pipe::FIX;
    }
  }
  return from == TileType::Vec && to == TileType::Mat ? Pipe::MTE3 : Pipe::V;
}

}  // namespace pto::detail
