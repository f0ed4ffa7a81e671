// From what an author wrote to the system that everybody reads. Include it in one translation unit
// a system only: it instantiates the author's functions for every kind of number.
#pragma once

#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/system.hpp"

namespace rigidlimit {

/// The one implementation of Equations.
template <MechanicalSystem Sys, class S>
class EquationsOf final : public Equations<S> {
 public:
  using In = VectorInOf<S>;
  using Out = VectorOutOf<S>;
  using OutMatrix = MatrixOutOf<S>;

  explicit EquationsOf(const Sys& sys) : sys_(sys) {}

  void coordinate_rate(In q, In v, Out q_rate) const override {
    q_rate = rigidlimit::coordinate_rate(sys_, Q(q), V(v));
  }
  void restoring_rate(In q, Out q_rate) const override {
    if constexpr (HasInvariants<Sys>) {
      constexpr double gamma = 10.0;  // 1/s
      using D = Dual<S, Sys::nq>;
      const Vector<D, ni> e = sys_.invariants(as_variables<D>(Q(q)));
      const Matrix<S, ni, Sys::nq> J = derivatives(e);
      const Matrix<S, ni, ni> gram = J * J.transpose();
      Vector<S, ni> load;
      for (int i = 0; i < ni; ++i) load(i) = S(-gamma) * e(i).value;
      q_rate = J.transpose() * solved(gram, load);
    } else {
      q_rate.setZero();
    }
  }
  void invariants([[maybe_unused]] In q, [[maybe_unused]] Out e) const override {
    if constexpr (HasInvariants<Sys>) e = sys_.invariants(Q(q));
  }

  void mass_matrix(In q, OutMatrix M) const override { M = rigidlimit::mass_matrix(sys_, Q(q)); }
  void inertia_force(In q, In a, Out force) const override {
    force = rigidlimit::inertia_force(sys_, Q(q), V(a));
  }
  void force(In q, In v, const S& t, Out F) const override {
    F = rigidlimit::force(sys_, Q(q), V(v), t);
  }
  S potential([[maybe_unused]] In q) const override {
    if constexpr (HasPotential<Sys>)
      return sys_.potential(Q(q));
    else
      return S(0);
  }

  void constraints(In q, OutMatrix rows) const override { rows = all_constraints(sys_, Q(q)); }
  void constraint_drift(In q, In q_rate, In v, Out drift) const override {
    const Vector<Dual<S, 1>, Sys::nq> moving = along(Q(q), Q(q_rate));
    drift = rate_of(all_constraints(sys_, moving)) * V(v);
  }

  void quasi_velocities([[maybe_unused]] In q, [[maybe_unused]] OutMatrix rows) const override {
    if constexpr (HasQuasiVelocities<Sys>) rows = sys_.quasi_velocities(Q(q));
  }
  void quasi_velocity_drift([[maybe_unused]] In q, [[maybe_unused]] In q_rate,
                            [[maybe_unused]] In v, [[maybe_unused]] Out drift) const override {
    if constexpr (HasQuasiVelocities<Sys>) {
      const Vector<Dual<S, 1>, Sys::nq> moving = along(Q(q), Q(q_rate));
      drift = rate_of(sys_.quasi_velocities(moving)) * V(v);
    }
  }

 private:
  using Q = Vector<S, Sys::nq>;
  using V = Vector<S, Sys::n>;
  static constexpr int ni = invariant_count<Sys>;

  template <int Rows>
  static Matrix<S, Rows, Sys::n> rate_of(const Matrix<Dual<S, 1>, Rows, Sys::n>& moving) {
    Matrix<S, Rows, Sys::n> rate;
    for (int i = 0; i < Rows; ++i)
      for (int k = 0; k < Sys::n; ++k) rate(i, k) = moving(i, k).derivative[0];
    return rate;
  }

  /// X⁻¹ b, X symmetric positive definite and tiny, by Gauss' elimination.
  static Vector<S, ni> solved(Matrix<S, ni, ni> X, Vector<S, ni> b) {
    for (int k = 0; k < ni; ++k)
      for (int i = k + 1; i < ni; ++i) {
        const S factor = X(i, k) / X(k, k);
        for (int j = k; j < ni; ++j) X(i, j) -= factor * X(k, j);
        b(i) -= factor * b(k);
      }
    for (int k = ni - 1; k >= 0; --k) {
      for (int j = k + 1; j < ni; ++j) b(k) -= X(k, j) * b(j);
      b(k) /= X(k, k);
    }
    return b;
  }

  Sys sys_;
};

/// The system behind an author's struct, with its equations in the numbers S... only.
template <class... S, MechanicalSystem Sys>
System make_system_in(const Sys& sys) {
  System system{.nq = Sys::nq,
                .n = Sys::n,
                .m = Sys::m,
                .ne = exact_rows<Sys>,
                .ni = invariant_count<Sys>,
                .explicit_time = HasTimeDependentForce<Sys>,
                .natural_velocities = HasQuasiVelocities<Sys>,
                .lagrange_coordinates = !HasVelocityMap<Sys>,
                .lagrangian = !HasGivenMatrices<Sys>,
                .has_potential = HasPotential<Sys>,
                .dissipation = {},
                .closed_form = {},
                .equations = {}};
  ((std::get<std::shared_ptr<const Equations<S>>>(system.equations) =
        std::make_shared<EquationsOf<Sys, S>>(sys)),
   ...);
  if constexpr (requires { compiled(sys); }) system.compiled = compiled(sys);
  if constexpr (requires(const Vector<double, Sys::n>& v) { sys.dissipation(v); })
    system.dissipation = [sys](const VectorXd& v) {
      return sys.dissipation(Vector<double, Sys::n>(v));
    };
  if constexpr (requires(const InitialState& start) { sys.closed_form(start, {}); })
    system.closed_form = [sys](const InitialState& start, const std::vector<double>& times) {
      return sys.closed_form(start, times);
    };
  return system;
}

/// The same in all numbers, for every formulation and both precisions.
template <MechanicalSystem Sys>
System make_system(const Sys& sys) {
  return make_system_in<double, Along, AlongTwice, Directions, Quad>(sys);
}

}  // namespace rigidlimit
