// From an author's struct to its entry in a catalogue. Include it in one translation unit a system
// only: it instantiates the author's functions.
#pragma once

#include "rigidlimit/mechanics/frictional_system_of.hpp"
#include "rigidlimit/systems/author_check.hpp"
#include "rigidlimit/systems/shape_check.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

namespace detail {

/// The struct with these values of its parameters, in the order of Sys::parameters(), then of
/// Sys::contact_parameters() as far as they are given.
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

/// Adds what the author left out: "q1", "q2", …, zeros. In words, what is wrong with what is there,
/// a list of another length than the struct declares; empty: nothing. Every list fits after it.
std::string complete(SystemInfo& info, int nq, int n, int m);

/// Throws InputError with this complaint, unless it is empty.
void refuse(const std::string& mistake);

/// info's initial state as vectors.
InitialState initial_state(const SystemInfo& info);

/// With the defaults of Sys, which may have inherited the list.
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
  // Thrown where the system starts: entry_of() is called where nobody catches yet.
  const std::string mistake = complete(entry.info, Sys::nq, Sys::n, Sys::m);
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
/// optional. Of a struct with contacts() and gap(q) contacts may slip as well, and what only they
/// know, friction and restitution, is in Sys::contact_parameters(); Sys::sliding_start() and
/// Sys::closed_history() are optional. What a struct lacks to be a system is told by the compiler
/// in a sentence (systems/author_check.hpp).
template <class Sys>
SystemEntry entry_of() {
  if constexpr (detail::written_well<Sys>())
    return detail::entry_of_system<Sys>();
  else
    return {};  // does not compile
}

}  // namespace rigidlimit
