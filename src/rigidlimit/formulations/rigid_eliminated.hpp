// Rigid rolling as an ODE in (q, v): the multiplier eliminated.
#pragma once

#include "rigidlimit/formulations/derivatives.hpp"
#include "rigidlimit/formulations/rigid_motion.hpp"

namespace rigidlimit {

namespace detail {

/// (q', v') with v' from the KKT system.
template <class S, class Sys>
Vector<S, Sys::nq + Sys::n> eliminated_rate(const Sys& sys, const S& t,
                                            const Vector<S, Sys::nq + Sys::n>& y) {
  const Vector<S, Sys::nq> q = y.template head<Sys::nq>();
  const Vector<S, Sys::n> v = y.template tail<Sys::n>();
  Vector<S, Sys::nq + Sys::n> rate;
  rate << coordinate_rate(sys, q, v), solve_kkt(sys, q, v, t).acceleration;
  return rate;
}

}  // namespace detail

template <MechanicalSystem Sys>
OdeDerivatives Derivatives<Sys>::rigid_eliminated(const Sys& sys) {
  constexpr int size = Sys::nq + Sys::n;
  OdeDerivatives of;
  of.jacobian = [sys](double t, VectorIn y, MatrixOut J) {
    using D = Dual<double, size>;
    const Vector<D, size> y_var = as_variables<D>(Vector<double, size>(y));
    J = derivatives(detail::eliminated_rate<D>(sys, D(t), y_var));
  };
  if constexpr (HasTimeDependentForce<Sys>)
    of.time_derivative = [sys](double t, VectorIn y, VectorOut rate) {
      using D = Dual<double, 1>;
      const Vector<D, size> y_fixed = as_constants<D>(Vector<double, size>(y));
      rate = derivatives(detail::eliminated_rate<D>(sys, D::variable(t, 0), y_fixed));
    };
  return of;
}

/// Ideal rolling as an ODE in y = (q, v): the multiplier is eliminated, v' from the KKT system.
/// G v = 0 is an invariant of the flow that the solver keeps to its accuracy only.
template <MechanicalSystem Sys, class T = double>
MotionProblem<OdeProblemOf<T>, T> rigid_eliminated(const Sys& sys, const InitialStateOf<T>& start) {
  constexpr int nq = Sys::nq, n = Sys::n, size = nq + n;
  OdeProblemOf<T> ode;
  ode.name = "rigid rolling, multiplier eliminated";
  ode.y0.resize(size);
  ode.y0 << start.q, start.v;
  ode.rhs = [sys](const T& t, VectorInOf<T> y, VectorOutOf<T> rate) {
    rate = detail::eliminated_rate<T>(sys, t, Vector<T, size>(y));
  };
  Derivatives<Sys>::rigid_eliminated(sys).give_to(ode);
  return {std::move(ode), [sys](const SolutionOf<T>& solution) {
            return detail::motion_of_blocks<T>(solution, nq, n,
                                               detail::kkt_multipliers(sys, solution));
          }};
}

}  // namespace rigidlimit
