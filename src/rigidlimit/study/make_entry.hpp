// From a system's type to its catalogue entry. Include it in one translation unit a system only:
// it instantiates every formulation (15 seconds of compiler time each).
#pragma once

#include "rigidlimit/formulations/pair_of.hpp"
#include "rigidlimit/study/system_entry.hpp"
#include "rigidlimit/study/system_with.hpp"

namespace rigidlimit {

// Defined in study/make_quad_pair.hpp, instantiated once in study/entry_NAME_quad.cpp.
template <MechanicalSystem Sys>
std::unique_ptr<QuadPair> make_quad_pair(const std::vector<double>& values);

// Defined in study/make_expansion.hpp, instantiated once in study/entry_NAME_expansion.cpp.
template <MechanicalSystem Sys>
Expansion make_expansion(const std::vector<double>& values, const InitialState& start,
                         const ViscoelasticLaw& law, const VectorXd& eta0);

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
  entry.expand = make_expansion<Sys>;
  entry.make_quad_pair = make_quad_pair<Sys>;
  return entry;
}

}  // namespace rigidlimit
