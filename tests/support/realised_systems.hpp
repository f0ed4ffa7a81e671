// Systems for the tests of the realisations of a constraint.
#pragma once

#include <cmath>

#include "rigidlimit/formulations/compliant/realisation.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/model_systems.hpp"
#include "support/random_state.hpp"

namespace rigidlimit::test {

/// The knife edge of docs/theory.md, section 9.
struct Skate {
  static constexpr int nq = 3, n = 3, m = 1;
  double pull = 9.81 * std::sin(0.3);

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Vector<S, n>(S(1), S(1), S(0.5)).asDiagonal();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return {S(pull), S(0), S(0)};
  }
  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return -pull * q(0);
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    return Matrix<S, m, n>(-sin(q(2)), cos(q(2)), S(0));
  }
};

/// Two contacts and a mass matrix that depends on q. Without the damper energy is conserved.
struct Undamped : TwoContacts {
  void dissipation() const = delete;
};

inline const InitialState skate_start{Eigen::Vector3d::Zero(), Eigen::Vector3d(0.7, 0.0, 1.3)};

/// D: 2 I, with coupling if there are several contacts.
inline MatrixXd damper(Index m) {
  MatrixXd D = 2.0 * MatrixXd::Identity(m, m);
  if (m > 1) D(0, 1) = D(1, 0) = 0.3;
  return D;
}

}  // namespace rigidlimit::test
