// From a system's type to its catalogue entry. Include it in one translation unit a system only:
// it instantiates every formulation (15 seconds of compiler time each).
#pragma once

#include "rigidlimit/formulations/pair_of.hpp"
#include "rigidlimit/study/system_entry.hpp"

namespace rigidlimit {

template <MechanicalSystem Sys>
SystemEntry make_entry() {
  SystemEntry entry{.info = Sys::info(), .parameters = {}};
  entry.has_closed_form = requires(const Sys& sys, const InitialState& start) {
    sys.closed_form(start, {});
  };
  const Sys defaults;
  for (const auto& p : Sys::parameters())
    entry.parameters.push_back({p.name, p.unit, p.text, defaults.*p.member, p.range});
  entry.make_pair = [](const std::vector<double>& values) -> std::unique_ptr<Pair> {
    Sys sys;
    std::size_t i = 0;
    for (const auto& p : Sys::parameters()) sys.*p.member = values.at(i++);
    return std::make_unique<PairOf<Sys>>(sys);
  };
  return entry;
}

}  // namespace rigidlimit
