// From what an author wrote to the frictional system that everybody reads.
#pragma once

#include "rigidlimit/mechanics/equations_of.hpp"

namespace rigidlimit {

/// The frictional system behind an author's struct. Throws InputError naming a contact whose rows
/// do not follow those of the one before, or whose friction or restitution cannot be.
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
