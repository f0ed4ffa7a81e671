// From an author's struct to its entry in a catalogue. Include it in one translation unit a system
// only: it instantiates the author's functions.
#pragma once

#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/systems/author_check.hpp"
#include "rigidlimit/systems/shape_check.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

namespace detail {

/// The system with these parameter values, in the order of Sys::parameters().
template <MechanicalSystem Sys>
Sys system_with(const std::vector<double>& values) {
  Sys sys;
  if constexpr (requires { Sys::parameters(); }) {
    std::size_t i = 0;
    for (const auto& p : Sys::parameters()) sys.*p.member = values.at(i++);
  }
  return sys;
}

/// Adds what the author left out: "q1", "q2", …, zeros. In words, what is wrong with what is there,
/// a list of another length than the struct declares; empty: nothing. Every list fits after it.
std::string complete(SystemInfo& info, int nq, int n, int m);

/// Throws InputError with this complaint, unless it is empty.
void refuse(const std::string& mistake);

/// info's initial state as vectors.
InitialState initial_state(const SystemInfo& info);

/// What entries of every kind of system say: texts, parameters and start.
template <class Entry, MechanicalSystem Sys>
Entry described_entry() {
  Entry entry{};
  entry.info = Sys::info();
  // Thrown where the system starts: entry_of() is called where nobody catches yet.
  const std::string mistake = complete(entry.info, Sys::nq, Sys::n, Sys::m);
  if constexpr (requires { Sys::parameters(); }) {
    const Sys defaults;
    for (const auto& p : Sys::parameters())
      entry.parameters.push_back({p.name, p.unit, p.text, defaults.*p.member, p.range});
  }
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
SystemEntry entry_of_system() {
  auto entry = described_entry<SystemEntry, Sys>();
  entry.has_closed_form = requires(const Sys& sys, const InitialState& start) {
    sys.closed_form(start, {});
  };
  entry.make = [info = entry.info](const std::vector<double>& values) {
    const Sys sys = system_with<Sys>(values);
    check_shapes(sys, info.name);
    return make_system(sys);
  };
  return entry;
}

}  // namespace detail

/// Sys::info() gives the texts; Sys::parameters(), Sys::start() and Sys::closed_form() are
/// optional. What a struct lacks to be a system is told by the compiler in a sentence
/// (systems/author_check.hpp).
template <class Sys>
SystemEntry entry_of() {
  if constexpr (detail::written_well<Sys>())
    return detail::entry_of_system<Sys>();
  else
    return {};  // does not compile
}

}  // namespace rigidlimit
