// Systems of the catalogue with frictional contacts, as values.
#pragma once

#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit::test {

/// The system of an author's struct, with its parameters by name. The equations are instantiated in
/// the system's translation unit, which a test links.
template <class Sys>
requires requires {
  Sys::parameters();
}
FrictionalSystem frictional_system_of(const Sys& sys) {
  std::vector<double> values;
  for (const auto& p : Sys::parameters()) values.push_back(sys.*p.member);
  for (const auto& p : Sys::contact_parameters()) values.push_back(sys.*p.member);
  return find_system(builtin_systems(), Sys::info().name)->make_frictional(values);
}

/// N(q), nc × n.
inline MatrixXd normal_rows(const FrictionalSystem& system, const VectorXd& q) {
  MatrixXd N(system.nc(), system.smooth.n);
  system.geometry->normal_rows(q, N);
  return N;
}

/// [E; W](q).
inline MatrixXd sliding_rows(const FrictionalSystem& system, const VectorXd& q) {
  MatrixXd rows(system.smooth.ne + system.smooth.m, system.smooth.n);
  system.smooth.in<double>().constraints(q, rows);
  return rows;
}

inline VectorXd gap_at(const FrictionalSystem& system, const VectorXd& q) {
  VectorXd g(system.nc());
  system.geometry->gap(q, g);
  return g;
}

/// q' = T v.
inline VectorXd coordinate_rate_at(const FrictionalSystem& system, const VectorXd& q,
                                   const VectorXd& v) {
  VectorXd q_rate(system.smooth.nq);
  system.smooth.in<double>().coordinate_rate(q, v, q_rate);
  return q_rate;
}

}  // namespace rigidlimit::test
