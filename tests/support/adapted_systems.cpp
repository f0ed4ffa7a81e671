#include "support/adapted_systems.hpp"

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "support/model_systems.hpp"

namespace rigidlimit::test {
namespace {

struct SkateWithQuasiVelocities : BodyFrameSkate {
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>& q) const {
    Matrix<S, n - m, n> rows;
    rows << 1.0 + 0.3 * q(2) * q(2), 0.2 * q(3), S(0),  //
        0.1 * q(0), S(0), S(2);
    return rows;
  }
};

struct ProportionalContacts {
  static constexpr int nq = 3, n = 3, m = 3;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    Matrix<S, n, n> M;
    M << 2.0 + q(1) * q(1), 0.3 * q(0), S(0.1),  //
        0.3 * q(0), S(1.5), 0.2 * q(2),          //
        S(0.1), 0.2 * q(2), 1.0 + 0.5 * q(0) * q(0);
    return M;
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v) const {
    return {1.0 + v(1) * v(2) - q(0), 0.5 - q(1) + 0.3 * v(0) * v(0), q(0) * q(1) - 0.2 * v(2)};
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    Matrix<S, m, n> G;
    G << -sin(q(2)), cos(q(2)), S(0.3),             //
        -2.0 * sin(q(2)), 2.0 * cos(q(2)), S(0.6),  //
        cos(q(2)), sin(q(2)), -1.0 - 0.2 * q(0);
    return G;
  }
};

struct BeadOnCylinder {
  static constexpr int nq = 3, n = 3, m = 1;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>& q) const {
    Matrix<S, n, n> M;
    M << 2.0 * q(1) * q(1), -2.0 * q(0) * q(1), S(0),  //
        -2.0 * q(0) * q(1), 2.0 * q(0) * q(0), S(0),   //
        S(0), S(0), 1.0 + 0.3 * q(0) * q(0);
    return M;
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v, const S& t) const {
    using std::sin;
    return {S(1.0), -0.3 * v(1) + q(2), 0.5 * sin(2.0 * t) - 0.4 * q(2)};
  }
  template <class S>
  Matrix<S, 1, n> exact_constraint(const Vector<S, nq>& q) const {
    return Matrix<S, 1, n>(q(0), q(1), S(0));
  }
  template <class S>
  Vector<S, 1> invariants(const Vector<S, nq>& q) const {
    return Vector<S, 1>(0.5 * (q(0) * q(0) + q(1) * q(1) - 1.0));
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    return Matrix<S, m, n>(0.6 * q(1), -0.6 * q(0), 1.0 + 0.2 * q(2));
  }
};

}  // namespace

System skate() {
  return make_system(BodyFrameSkate{});
}
System two_contacts() {
  return make_system(TwoContacts{});
}
System skate_with_quasi_velocities() {
  return make_system(SkateWithQuasiVelocities{});
}
System proportional_contacts() {
  return make_system(ProportionalContacts{});
}
System bead_on_cylinder() {
  return make_system(BeadOnCylinder{});
}

VectorXd random_vector(RandomNumbers& random, Index N, double bound) {
  VectorXd x(N);
  for (Index i = 0; i < N; ++i) x(i) = random.uniform(-bound, bound);
  return x;
}

InitialState held_state(const System& system, RandomNumbers& random) {
  VectorXd q = random_vector(random, system.nq), v = random_vector(random, system.n, 2.0);
  VectorXd restoring(system.nq);
  for (int i = 0; system.ni > 0 && i < 20; ++i) {
    system.in<double>().restoring_rate(q, restoring);
    q += restoring / 10.0;  // γ = 10/s: a Newton step
  }
  MatrixXd rows(system.ne + system.m, system.n);
  system.in<double>().constraints(q, rows);
  if (system.ne > 0) {
    const MatrixXd E = rows.topRows(system.ne);
    v -= E.transpose() * symmetric_solve(E * E.transpose(), VectorXd(E * v));
  }
  return {q, v};
}

InitialState rolling_state(const System& system, RandomNumbers& random) {
  InitialState state = held_state(system, random);
  const ContactBasis basis = contact_basis(system, state.q);
  state.v = projected_velocity<double>(system, basis, state.q, state.v);
  return state;
}

}  // namespace rigidlimit::test
