// Makes a FrictionalSystem from an author's struct.
#pragma once

#include "rigidlimit/mechanics/equations_of.hpp"

namespace rigidlimit {

/// The frictional system of an author's struct. Throws InputError with the contact if its rows do
/// not follow those of the previous one, or if its friction or restitution is invalid.
template <FrictionalMechanicalSystem Sys>
FrictionalSystem make_frictional_system(const Sys& sys) {
  using Q = Vector<double, Sys::nq>;
  FrictionalSystem system = frictional_system_of(AuthoredSystemOf<Sys>(sys), sys.contacts());
  if constexpr (requires(const Q& q) { sys.kinks(q); }) {
    system.kink_count = decltype(sys.kinks(std::declval<const Q&>()))::RowsAtCompileTime;
    system.kinks = [sys](VectorIn q, VectorOut k) { k = sys.kinks(Q(q)); };
  }
  if constexpr (requires(const InitialState& start) { sys.closed_history(start, {}); })
    system.closed_history = [sys](const InitialState& start, const std::vector<double>& times) {
      return sys.closed_history(start, times);
    };
  return system;
}

}  // namespace rigidlimit
