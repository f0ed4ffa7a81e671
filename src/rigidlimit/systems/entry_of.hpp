// Makes a catalogue entry from an author's struct. Include it in only one translation unit per
// system, because it instantiates the author's functions.
#pragma once

#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "rigidlimit/systems/author_check.hpp"
#include "rigidlimit/systems/shape_check.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

namespace detail {

/// The struct with these values of its parameters, in the order of Sys::parameters(), then of any
/// given Sys::contact_parameters().
template <MechanicalSystem Sys>
Sys system_with(const std::vector<double>& values) {
  Sys sys;
  std::size_t i = 0;
  if constexpr (requires { Sys::parameters(); })
    for (const auto& p : Sys::parameters()) sys.*p.member = values.at(i++);
  if constexpr (requires { Sys::contact_parameters(); })
    for (const auto& p : Sys::contact_parameters())
      if (i < values.size()) sys.*p.member = values[i++];
  return sys;
}

/// Fills in omitted parts: "q1", "q2", …, zeros. Returns the mistake in a given list, such as a
/// length other than the struct declares; empty: no mistake. Afterwards every list has the right
/// length. The last coordinate and velocity of a struct with a clock are marked so.
std::string complete(SystemInfo& info, int nq, int n, int m, bool has_clock);

/// Throws InputError with this complaint, unless it is empty.
void refuse(const std::string& mistake);

/// info's initial state as vectors.
InitialState initial_state(const SystemInfo& info);

/// Parameters with the defaults of Sys, which may have inherited the list.
template <class Sys>
std::vector<ParameterInfo> infos_of(const auto& parameters) {
  const Sys defaults;
  std::vector<ParameterInfo> infos;
  for (const auto& p : parameters)
    infos.push_back({p.name, p.unit, p.text, defaults.*p.member, p.range});
  return infos;
}

/// Texts, parameters and start.
template <MechanicalSystem Sys>
SystemEntry described_entry() {
  SystemEntry entry;
  entry.info = Sys::info();
  // Thrown by start(), because exceptions of entry_of() are not caught yet.
  const std::string mistake = complete(
      entry.info, Sys::nq, Sys::n, Sys::m, requires(const Sys& sys) { sys.exact_rates(); });
  if constexpr (requires { Sys::parameters(); })
    entry.parameters = infos_of<Sys>(Sys::parameters());
  if constexpr (requires { Sys::contact_parameters(); })
    entry.contact_parameters = infos_of<Sys>(Sys::contact_parameters());
  entry.start = [info = entry.info, mistake](const std::vector<double>& values) -> InitialState {
    refuse(mistake);
    if constexpr (requires(const Sys& sys) { sys.start(); })
      return system_with<Sys>(values).start();
    else
      return initial_state(info);
  };
  return entry;
}

template <MechanicalSystem Sys>
void add_rolling(SystemEntry& entry) {
  entry.has_closed_form = requires(const Sys& sys, const InitialState& start) {
    sys.closed_form(start, {});
  };
  entry.make = [name = entry.info.name](const std::vector<double>& values) {
    const Sys sys = system_with<Sys>(values);
    check_shapes(sys, name);
    return make_system(sys);
  };
}

template <FrictionalMechanicalSystem Sys>
void add_friction(SystemEntry& entry) {
  entry.has_closed_history = requires(const Sys& sys, const InitialState& start) {
    sys.closed_history(start, {});
  };
  entry.make_frictional = [name = entry.info.name](const std::vector<double>& values) {
    const Sys sys = system_with<Sys>(values);
    check_shapes(sys, name);
    return make_frictional_system(sys);
  };
  if constexpr (requires(const Sys& sys) { sys.sliding_start(); })
    entry.frictional_start = [](const std::vector<double>& values) {
      return system_with<Sys>(values).sliding_start();
    };
  else
    entry.frictional_start = entry.start;
}

template <MechanicalSystem Sys>
SystemEntry entry_of_system() {
  SystemEntry entry = described_entry<Sys>();
  if constexpr (FrictionalMechanicalSystem<Sys>) {
    add_friction<Sys>(entry);
    if (why_not_held(Sys{}.contacts()).empty()) add_rolling<Sys>(entry);
  } else {
    add_rolling<Sys>(entry);
  }
  return entry;
}

}  // namespace detail

/// Sys::info() gives the texts; Sys::parameters(), Sys::start() and Sys::closed_form() are
/// optional. In a struct with contacts() and gap(q) contacts may slip as well. Their own
/// parameters, friction and restitution, are in Sys::contact_parameters(); Sys::sliding_start() and
/// Sys::closed_history() are optional. The compiler reports a missing part in one sentence
/// (systems/author_check.hpp).
template <class Sys>
SystemEntry entry_of() {
  if constexpr (detail::written_well<Sys>())
    return detail::entry_of_system<Sys>();
  else
    return {};  // does not compile
}

}  // namespace rigidlimit
