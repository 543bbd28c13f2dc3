// The barrier over all cores of a launch.
#pragma once

#include "ptopro/inst_common.hpp"

namespace pto {

namespace detail {

inline void sync_all(SyncCoreType type, int cores, Where where) {
  ptopro::sim::issue_sync(Opcode::SyncAll, Pipe::S, Pipe::S, cores, static_cast<int>(type), where);
}

}  // namespace detail

// By hardware flags; the soft form counts in a workspace on the device, which the simulator need not.
template <SyncCoreType Type = SyncCoreType::AIVOnly>
inline void SYNCALL(detail::Where where = detail::Where::here()) {
  detail::sync_all(Type, 0, where);
}
// Soft: one to three workspaces (global memory, Vec, Mat), then how many cores take part (0 = all).
template <SyncAllMode Mode, SyncCoreType Type = SyncCoreType::AIVOnly, AnyGlobal G>
inline void SYNCALL(G&, int32_t cores = 0, detail::Where where = detail::Where::here()) {
  detail::sync_all(Type, Mode == SyncAllMode::Hard ? 0 : cores, where);
}
template <SyncAllMode Mode, SyncCoreType Type = SyncCoreType::AIVOnly, AnyGlobal G, AnyTile T>
inline void SYNCALL(G&, T&, int32_t cores = 0, detail::Where where = detail::Where::here()) {
  detail::sync_all(Type, Mode == SyncAllMode::Hard ? 0 : cores, where);
}
template <SyncAllMode Mode, SyncCoreType Type = SyncCoreType::AIVOnly, AnyGlobal G, AnyTile T, AnyTile U>
inline void SYNCALL(G&, T&, U&, int32_t cores = 0, detail::Where where = detail::Where::here()) {
  detail::sync_all(Type, Mode == SyncAllMode::Hard ? 0 : cores, where);
}

}  // namespace pto
