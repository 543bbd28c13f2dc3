// Atomic updates of an element by a thread; each gives what the element was before.
//
// Blocks run on several threads of the host, so these are atomic there too.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace ptopro::sim {

// The update is noted for the checks: it never races with another atomic one.
void note_atomic(const void* address, uint32_t bytes);

template <typename T>
concept AtomicNumber = std::same_as<T, float> || std::same_as<T, int32_t> || std::same_as<T, uint32_t> ||
                       std::same_as<T, int64_t> || std::same_as<T, uint64_t>;

template <AtomicNumber T, typename Change>
__attribute__((no_sanitize("thread"))) inline T update_atomically(T* address, Change change) {
  note_atomic(address, sizeof(T));
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  auto* bits = reinterpret_cast<Bits*>(address);
  Bits before = __atomic_load_n(bits, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(bits, &before, __builtin_bit_cast(Bits, change(__builtin_bit_cast(T, before))),
                                      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return __builtin_bit_cast(T, before);
}

}  // namespace ptopro::sim

template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_add(T* address, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T old) { return static_cast<T>(old + value); });
}
template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_sub(T* address, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T old) { return static_cast<T>(old - value); });
}
template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_max(T* address, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T old) { return old < value ? value : old; });
}
template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_min(T* address, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T old) { return value < old ? value : old; });
}
template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_and(T* address, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T old) { return static_cast<T>(old & value); });
}
template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_or(T* address, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T old) { return static_cast<T>(old | value); });
}
template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_xor(T* address, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T old) { return static_cast<T>(old ^ value); });
}
template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_exch(T* address, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T) { return value; });
}
template <ptopro::sim::AtomicNumber T>
inline T asc_atomic_cas(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  return ptopro::sim::update_atomically(address, [=](T old) { return old == compare ? value : old; });
}
