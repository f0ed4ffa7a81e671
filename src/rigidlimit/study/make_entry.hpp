// From a system's type to its catalogue entry. Include it in one translation unit a system only:
// it instantiates every formulation (15 seconds of compiler time each).
#pragma once

#include "rigidlimit/asymptotics/expansion_of.hpp"
#include "rigidlimit/formulations/pair_of.hpp"
#include "rigidlimit/study/system_entry.hpp"

namespace rigidlimit {

/// The system with these parameter values, in the order of Sys::parameters().
template <MechanicalSystem Sys>
Sys system_with(const std::vector<double>& values) {
  Sys sys;
  std::size_t i = 0;
  for (const auto& p : Sys::parameters()) sys.*p.member = values.at(i++);
  return sys;
}

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
    return std::make_unique<PairOf<Sys>>(system_with<Sys>(values));
  };
  entry.expand = [](const std::vector<double>& values, const InitialState& start,
                    const ViscoelasticLaw& law, const VectorXd& eta0) {
    return expansion_of(system_with<Sys>(values), start, law, eta0);
  };
  return entry;
}

}  // namespace rigidlimit
