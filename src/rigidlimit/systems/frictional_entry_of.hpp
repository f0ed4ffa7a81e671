// From an author's struct with friction to its entry in a catalogue. Include it in one translation
// unit a system only: it instantiates the author's functions.
#pragma once

#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "rigidlimit/systems/entry_of.hpp"
#include "rigidlimit/systems/frictional_entry.hpp"

namespace rigidlimit {

namespace detail {

/// check_shapes() for what a frictional system has beside.
template <FrictionalMechanicalSystem Sys>
void check_contact_shapes(const Sys& sys, const std::string& name) {
  Recording recording;
  const Coordinates<Sys, Expression> q = recording.inputs(Sys::nq);
  const Velocities<Sys, Expression> v = recording.inputs(Sys::n);
  const Expression t = recording.input();
  using Gap = std::decay_t<decltype(sys.gap(q))>;
  static_assert(int(Gap::RowsAtCompileTime) > 0 && int(Gap::ColsAtCompileTime) == 1,
                "gap(q) must return a column with its number of contacts in its type");
  if constexpr (requires { sys.normal_force(q, v, t); })
    require_shape(name, "normal_force(q, v, t)", "nc x 1", sys.normal_force(q, v, t),
                  Gap::RowsAtCompileTime, 1);
}

}  // namespace detail

/// Sys::info() gives the texts; Sys::parameters(), Sys::start() and Sys::closed_history() are
/// optional. Friction and restitution are parameters which contacts() reads.
template <FrictionalMechanicalSystem Sys>
FrictionalEntry frictional_entry_of() {
  auto entry = detail::described_entry<FrictionalEntry, Sys>();
  entry.has_closed_history = requires(const Sys& sys, const InitialState& start) {
    sys.closed_history(start, {});
  };
  entry.make = [info = entry.info](const std::vector<double>& values) {
    const Sys sys = detail::system_with<Sys>(values);
    detail::check_shapes(sys, info.name);
    detail::check_contact_shapes(sys, info.name);
    return make_frictional_system(sys);
  };
  return entry;
}

}  // namespace rigidlimit
