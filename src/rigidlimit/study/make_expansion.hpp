// From a system's type to its asymptotic expansion. Include it in one translation unit a system
// only.
#pragma once

#include "rigidlimit/asymptotics/expansion_of.hpp"
#include "rigidlimit/study/system_with.hpp"

namespace rigidlimit {

template <MechanicalSystem Sys>
Expansion make_expansion(const std::vector<double>& values, const InitialState& start,
                         const ViscoelasticLaw& law, const VectorXd& eta0) {
  return expansion_of(system_with<Sys>(values), start, law, eta0);
}

}  // namespace rigidlimit
