// Viscoelastic rolling as a stiff ODE in the natural variables (q, v, η).
#pragma once

#include <cmath>

#include "rigidlimit/formulations/derivatives.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"

namespace rigidlimit {

/// The equations at one ε, y = (q, v, η), in the real numbers T (theory.md, section 1):
///
///   q' = T v,   M v' = F − Gᵀλ,   ε² η' = G v,   λ = C η + D ε^(−β) G v.
template <MechanicalSystem Sys, class T = double>
class CompliantEquations {
 public:
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = nq + n + m;

  CompliantEquations(const Sys& sys, const ViscoelasticLaw& law, double epsilon)
      : sys_(sys),
        stiffness_(law.stiffness.template cast<T>()),
        deflection_scale_(T(epsilon) * T(epsilon)) {
    using std::pow;
    const T scale = pow(T(epsilon), T(-law.damping_exponent));
    damping_ = law.damping.template cast<T>() * scale;
  }

  /// λ (m).
  template <class S>
  Vector<S, m> contact_force(const Vector<S, nq>& q, const Vector<S, n>& v,
                             const Vector<S, m>& eta) const {
    const Vector<S, m> sliding = sliding_velocity(constraint(sys_, q), v);
    return stiffness_ * eta + damping_ * sliding;
  }

  /// F − Gᵀλ (n).
  template <class S>
  Vector<S, n> total_force(const S& t, const Vector<S, nq>& q, const Vector<S, n>& v,
                           const Vector<S, m>& eta) const {
    return force(sys_, q, v, t) - constraint(sys_, q).transpose() * contact_force(q, v, eta);
  }

  Vector<T, size> rate(const T& t, const Vector<T, size>& y) const {
    const auto [q, v, eta] = split(y);
    Vector<T, size> f;
    f << coordinate_rate(sys_, q, v),
        mass_matrix(sys_, q).partialPivLu().solve(total_force(t, q, v, eta)),
        sliding_velocity(constraint(sys_, q), v) / deflection_scale_;
    return f;
  }

  /// ∂f/∂y, in double. The acceleration a is differentiated implicitly, M ∂a = ∂(F − Gᵀλ − M a|a
  /// fixed), so that no linear system is solved in Dual numbers.
  Matrix<double, size, size> jacobian(double t, const Vector<double, size>& y) const {
    using D = Dual<double, size>;
    return implicit_derivative(t, y, D(t), as_variables<D>(y));
  }

  /// ∂f/∂t.
  Vector<double, size> time_derivative(double t, const Vector<double, size>& y) const {
    using D = Dual<double, 1>;
    return implicit_derivative(t, y, D::variable(t, 0), as_constants<D>(y));
  }

 private:
  template <class S>
  struct Parts {
    Vector<S, nq> q;
    Vector<S, n> v;
    Vector<S, m> eta;
  };
  template <class S>
  static Parts<S> split(const Vector<S, size>& y) {
    return {y.template head<nq>(), y.template segment<n>(nq), y.template tail<m>()};
  }

  template <int N>
  Matrix<double, size, N> implicit_derivative(double t, const Vector<double, size>& y,
                                              const Dual<double, N>& t_var,
                                              const Vector<Dual<double, N>, size>& y_var) const {
    using D = Dual<double, N>;
    const auto [q0, v0, eta0] = split(y);
    const auto lu = mass_matrix(sys_, q0).partialPivLu();
    const Vector<double, n> a = lu.solve(total_force(t, q0, v0, eta0));
    const auto [q, v, eta] = split(y_var);
    const Vector<D, n> unbalance =
        total_force(t_var, q, v, eta) - inertia_force(sys_, q, as_constants<D>(a));
    const Vector<D, m> sliding = constraint(sys_, q) * v;
    Matrix<double, size, N> J;
    J << derivatives(coordinate_rate(sys_, q, v)), lu.solve(derivatives(unbalance)),
        derivatives(sliding) / deflection_scale_;
    return J;
  }

  Sys sys_;
  Matrix<T, m, m> stiffness_;  ///< C
  Matrix<T, m, m> damping_;    ///< D ε^(−β)
  T deflection_scale_;         ///< ε²
};

template <MechanicalSystem Sys>
OdeDerivatives Derivatives<Sys>::compliant(const Sys& sys, const ViscoelasticLaw& law,
                                           double epsilon) {
  const CompliantEquations<Sys> equations(sys, law, epsilon);
  OdeDerivatives of;
  of.jacobian = [equations](double t, VectorIn y, MatrixOut J) { J = equations.jacobian(t, y); };
  if constexpr (HasTimeDependentForce<Sys>)
    of.time_derivative = [equations](double t, VectorIn y, VectorOut f) {
      f = equations.time_derivative(t, y);
    };
  return of;
}

/// The compliant problem from `start` with the scaled spring deflection eta0 (m) at t = 0. The
/// velocity need not satisfy the constraint.
template <MechanicalSystem Sys, class T = double>
MotionProblem<OdeProblemOf<T>, T> compliant_ode(const Sys& sys, const InitialStateOf<T>& start,
                                                const ViscoelasticLaw& law, double epsilon,
                                                const VectorXd& eta0) {
  using Equations = CompliantEquations<Sys, T>;
  constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, size = Equations::size;
  const Equations equations(sys, law, epsilon);
  OdeProblemOf<T> ode;
  ode.name = "viscoelastic rolling in (q, v, eta)";
  ode.y0.resize(size);
  ode.y0 << start.q, start.v, eta0.template cast<T>();
  ode.rhs = [equations](const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    f = equations.rate(t, y);
  };
  Derivatives<Sys>::compliant(sys, law, epsilon).give_to(ode);
  return {std::move(ode), [equations](const SolutionOf<T>& solution) {
            typename MotionOf<T>::Values lambda(Equations::m, solution.states.cols());
            for (Index k = 0; k < lambda.cols(); ++k) {
              const Vector<T, size> y = solution.states.col(k);
              lambda.col(k) = equations.template contact_force<T>(
                  y.template head<nq>(), y.template segment<n>(nq), y.template tail<m>());
            }
            return MotionOf<T>{.times = solution.times,
                               .q = solution.states.topRows(nq),
                               .v = solution.states.middleRows(nq, n),
                               .lambda = std::move(lambda)};
          }};
}

}  // namespace rigidlimit
