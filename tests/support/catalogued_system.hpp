// Systems of the catalogue as values.
//
// The equations are instantiated in the system's translation unit, which a test links.
#pragma once

#include <vector>

#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/systems/system_entry.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit {

template <MechanicalSystem Sys>
SystemEntry entry_of();

namespace test {

/// The system of an author's struct, with its parameters by name.
template <class Sys>
requires requires {
  Sys::parameters();
}
System system_of(const Sys& sys) {
  std::vector<double> values;
  for (const auto& p : Sys::parameters()) values.push_back(sys.*p.member);
  return entry_of<Sys>().make(values);
}

/// v' and Λ of rigid rolling.
KktSolution<double> kkt_at(const System& system, const VectorXd& q, const VectorXd& v,
                           double t = 0.0);

/// v projected onto rolling.
VectorXd rolling_at(const System& system, const VectorXd& q, const VectorXd& v);

}  // namespace test
}  // namespace rigidlimit
