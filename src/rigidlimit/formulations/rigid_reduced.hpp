// Rigid rolling as the classical reduced system in (q, u): the limit of formulations/adapted.hpp.
#pragma once

#include "rigidlimit/formulations/derivatives.hpp"
#include "rigidlimit/formulations/rigid_motion.hpp"

namespace rigidlimit {

/// The equations of Maggi, Kane and Hamel, y = (q, u), in the real numbers T (theory.md, section
/// 11 with w = 0):
///
///   v = B(q)⁻¹ (u, 0),   q' = T v,   u' = S a + (∂q S[T v]) v,   a from the KKT system.
///
/// G v = 0 holds by the choice of variables, to round-off.
template <MechanicalSystem Sys, class T>
class ReducedEquations {
 public:
  using Frame = AdaptedFrame<Sys>;
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, free = n - m, size = nq + free;

  ReducedEquations(const Sys& sys, std::shared_ptr<const Frame> frame)
      : sys_(sys), frame_(std::move(frame)) {}

  Vector<T, size> rate(const T& t, const Vector<T, size>& y) const {
    const Vector<T, nq> q = y.template head<nq>();
    const Matrix<T, n, n> B = frame_->template at<T>(q);
    const Vector<T, n> v = solve_small(B, rolling(y));
    const Vector<T, nq> q_rate = coordinate_rate(sys_, q, v);
    const Vector<T, n> drift = frame_->drift(q, q_rate, v);
    Vector<T, n + m> right;
    right << force(sys_, q, v, t), -drift.template tail<m>();
    const Matrix<T, m, n> G = B.template bottomRows<m>();
    const Vector<T, n + m> x = kkt_matrix(q, G).partialPivLu().solve(right);
    Vector<T, size> f;
    f << q_rate, (B * x.template head<n>() + drift).template head<free>();
    return f;
  }

  /// ∂f/∂y, in double: v, and (a, Λ) of the KKT system, are differentiated implicitly.
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
  /// (u, 0).
  template <class S>
  static Vector<S, n> rolling(const Vector<S, size>& y) {
    Vector<S, n> uw = Vector<S, n>::Zero();
    uw.template head<free>() = y.template tail<free>();
    return uw;
  }

  template <class S>
  Matrix<S, n + m, n + m> kkt_matrix(const Vector<S, nq>& q, const Matrix<S, m, n>& G) const {
    Matrix<S, n + m, n + m> K = Matrix<S, n + m, n + m>::Zero();
    K.template topLeftCorner<n, n>() = mass_matrix(sys_, q);
    K.template topRightCorner<n, m>() = G.transpose();
    K.template bottomLeftCorner<m, n>() = G;
    return K;
  }

  template <int N>
  Matrix<double, size, N> implicit_derivative(double t, const Vector<double, size>& y,
                                              const Dual<double, N>& t_var,
                                              const Vector<Dual<double, N>, size>& y_var) const {
    using D = Dual<double, N>;
    const Vector<double, nq> q0 = y.template head<nq>();
    const Vector<D, nq> q = y_var.template head<nq>();
    const Matrix<double, n, n> B0 = frame_->template at<double>(q0);
    const Vector<double, n> v0 = solve_small(B0, rolling(y));
    const Matrix<D, n, n> B = frame_->template at<D>(q);
    const Vector<D, n> missing = rolling(y_var) - B * as_constants<D>(v0);
    const Vector<D, n> v = with_derivatives(v0, solve_small(B0, derivatives(missing)));

    const Matrix<double, m, n> G0 = B0.template bottomRows<m>();
    const Matrix<D, m, n> G = B.template bottomRows<m>();
    const auto lu = kkt_matrix(q0, G0).partialPivLu();
    const Vector<double, nq> q_rate0 = coordinate_rate(sys_, q0, v0);
    Vector<double, n + m> right;
    right << force(sys_, q0, v0, t), -frame_->drift(q0, q_rate0, v0).template tail<m>();
    const Vector<double, n + m> x0 = lu.solve(right);
    const Vector<D, n> a_fixed = as_constants<D>(Vector<double, n>(x0.template head<n>()));
    const Vector<D, m> contact = as_constants<D>(Vector<double, m>(x0.template tail<m>()));

    const Vector<D, nq> q_rate = coordinate_rate(sys_, q, v);
    const Vector<D, n> drift = frame_->drift(q, q_rate, v);
    const Vector<D, n> unbalance =
        force(sys_, q, v, t_var) - G.transpose() * contact - inertia_force(sys_, q, a_fixed);
    const Vector<D, m> sliding = -(G * a_fixed) - drift.template tail<m>();
    Matrix<double, n + m, N> change;
    change << derivatives(unbalance), derivatives(sliding);
    const Matrix<double, n + m, N> x = lu.solve(change);
    const Vector<D, n> a = with_derivatives(Vector<double, n>(x0.template head<n>()),
                                            Matrix<double, n, N>(x.template topRows<n>()));
    const Vector<D, free> u_rate = (B * a + drift).template head<free>();
    Matrix<double, size, N> J;
    J << derivatives(q_rate), derivatives(u_rate);
    return J;
  }

  Sys sys_;
  std::shared_ptr<const Frame> frame_;
};

template <MechanicalSystem Sys>
OdeDerivatives Derivatives<Sys>::rigid_reduced(const Sys& sys, Frame frame) {
  const ReducedEquations<Sys, double> equations(sys, std::move(frame));
  OdeDerivatives of;
  of.jacobian = [equations](double t, VectorIn y, MatrixOut J) { J = equations.jacobian(t, y); };
  if constexpr (HasTimeDependentForce<Sys>)
    of.time_derivative = [equations](double t, VectorIn y, VectorOut f) {
      f = equations.time_derivative(t, y);
    };
  return of;
}

/// Ideal rolling in y = (q, u). What slides in the velocity of `start` is left out, so that v(0) is
/// B⁻¹ (u, 0). A column of Solution::states is (q, v); Λ is that of the KKT system. Without natural
/// quasi-velocities one solve at a time, as in compliant_adapted.
template <MechanicalSystem Sys, class T = double>
MotionProblem<OdeProblemOf<T>, T> rigid_reduced(const Sys& sys, const InitialStateOf<T>& start,
                                                const AdaptedOptions& options = {}) {
  using Equations = ReducedEquations<Sys, T>;
  constexpr int nq = Sys::nq, n = Sys::n, free = Equations::free;
  const Vector<T, nq> q0 = start.q;
  const Vector<T, n> v0 = start.v;
  const auto frame = frame_at<Sys, T>(sys, q0, options);
  const Equations equations(sys, frame);
  OdeProblemOf<T> ode;
  ode.name = "rigid rolling in (q, u)";
  ode.y0.resize(Equations::size);
  ode.y0 << q0, (frame->template at<T>(q0) * v0).template head<free>();
  ode.rhs = [equations](const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    f = equations.rate(t, y);
  };
  Derivatives<Sys>::rigid_reduced(sys, frame).give_to(ode);
  ode.coordinates =
      std::make_shared<const MovingCoordinatesOf<T>>(adapted_coordinates<T, Sys>(frame, false));
  return {std::move(ode), [sys](const SolutionOf<T>& solution) {
            return detail::motion_of_blocks<T>(solution, nq, n,
                                               detail::kkt_multipliers(sys, solution));
          }};
}

}  // namespace rigidlimit
