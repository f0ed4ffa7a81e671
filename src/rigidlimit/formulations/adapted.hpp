// Viscoelastic rolling as a stiff ODE in constraint-adapted velocities (q, u, w, η).
#pragma once

#include <cmath>
#include <numeric>

#include "rigidlimit/formulations/derivatives.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"

namespace rigidlimit {

/// The equations at one ε, y = (q, u, w, η), in the real numbers T (theory.md, section 11):
///
///   v = B(q)⁻¹ (u, w),   B = [S; G],   q' = T v,
///   (u, w)' = B a + (∂q B[T v]) v,   M a = F − Gᵀλ,   λ = C η + D ε^(−β) w,   ε² η' = w.
///
/// q enters the large terms nowhere but in A = G M⁻¹ Gᵀ: the fast part of (w, η) is linear, with
/// slowly varying coefficients.
template <MechanicalSystem Sys, class T>
class AdaptedEquations {
 public:
  using Frame = AdaptedFrame<Sys>;
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, free = n - m, size = nq + n + m;
  static constexpr int sliding_at = nq + free;  ///< where w begins, η behind it

  AdaptedEquations(const Sys& sys, const ViscoelasticLaw& law, double epsilon,
                   std::shared_ptr<const Frame> frame)
      : sys_(sys),
        frame_(std::move(frame)),
        stiffness_(law.stiffness.template cast<T>()),
        deflection_scale_(T(epsilon) * T(epsilon)) {
    using std::pow;
    const T scale = pow(T(epsilon), T(-law.damping_exponent));
    damping_ = scale * law.damping.template cast<T>();
  }

  /// λ (m).
  template <class S>
  Vector<S, m> contact_force(const Vector<S, m>& w, const Vector<S, m>& eta) const {
    return stiffness_ * eta + damping_ * w;
  }

  Vector<T, size> rate(const T& t, const Vector<T, size>& y) const {
    const Vector<T, nq> q = y.template head<nq>();
    const Vector<T, n> uw = y.template segment<n>(nq);
    const Vector<T, m> w = y.template segment<m>(sliding_at), eta = y.template tail<m>();
    const Matrix<T, n, n> B = frame_->template at<T>(q);
    const Vector<T, n> v = solve_small(B, uw);
    const Vector<T, nq> q_rate = coordinate_rate(sys_, q, v);
    const Vector<T, n> total =
        force(sys_, q, v, t) - B.template bottomRows<m>().transpose() * contact_force(w, eta);
    const Vector<T, n> a = solve_positive(mass_matrix(sys_, q), total);
    Vector<T, size> f;
    f.template head<nq>() = q_rate;
    f.template segment<n>(nq) = B * a + frame_->drift(q, q_rate, v);
    f.template tail<m>() = w / deflection_scale_;
    return f;
  }

  /// ∂f/∂y, in double. v and a are differentiated implicitly, B ∂v = ∂((u, w) − B v|v fixed) and
  /// M ∂a = ∂(F − Gᵀλ − M a|a fixed), so that no linear system is solved in Dual numbers.
  Matrix<double, size, size> jacobian(double t, const Vector<double, size>& y) const {
    using D = Dual<double, size>;
    return implicit_derivative(t, y, D(t), as_variables<D>(y));
  }

  /// ∂f/∂t.
  Vector<double, size> time_derivative(double t, const Vector<double, size>& y) const {
    using D = Dual<double, 1>;
    return implicit_derivative(t, y, D::variable(t, 0), as_constants<D>(y));
  }

  /// ∂(w', η')/∂(w, η) without its O(1) part: [[−A D ε^(−β), −A C], [I/ε², 0]], 2m × 2m.
  Matrix<double, 2 * m, 2 * m> fast_block(const Coordinates<Sys>& q) const {
    const Matrix<double, m, m> A = delassus(sys_, q);
    Matrix<double, 2 * m, 2 * m> J = Matrix<double, 2 * m, 2 * m>::Zero();
    J.template topLeftCorner<m, m>() = -A * damping_;
    J.template topRightCorner<m, m>() = -A * stiffness_;
    J.template bottomLeftCorner<m, m>().diagonal().setConstant(1.0 / deflection_scale_);
    return J;
  }

  /// ∂(q', u')/∂(w, η) without its O(1) part: [[0, 0], [−P D ε^(−β), −P C]], P = S M⁻¹ Gᵀ, by which
  /// the contact force acts on u; (nq + n − m) × 2m.
  Matrix<double, sliding_at, 2 * m> fast_coupling(const Coordinates<Sys>& q) const {
    const Matrix<double, n, n> B = frame_->template at<double>(q);
    const Matrix<double, n, m> Gt = B.template bottomRows<m>().transpose();
    const Matrix<double, free, m> P =
        B.template topRows<free>() * solve_positive(mass_matrix(sys_, q), Gt);
    Matrix<double, sliding_at, 2 * m> J = Matrix<double, sliding_at, 2 * m>::Zero();
    J.template bottomLeftCorner<free, m>() = -P * damping_;
    J.template bottomRightCorner<free, m>() = -P * stiffness_;
    return J;
  }

 private:
  template <int N>
  Matrix<double, size, N> implicit_derivative(double t, const Vector<double, size>& y,
                                              const Dual<double, N>& t_var,
                                              const Vector<Dual<double, N>, size>& y_var) const {
    using D = Dual<double, N>;
    const Vector<double, nq> q0 = y.template head<nq>();
    const Vector<double, n> uw0 = y.template segment<n>(nq);
    const Vector<double, m> w0 = y.template segment<m>(sliding_at), eta0 = y.template tail<m>();
    const Vector<D, nq> q = y_var.template head<nq>();
    const Vector<D, n> uw = y_var.template segment<n>(nq);
    const Vector<D, m> w = y_var.template segment<m>(sliding_at), eta = y_var.template tail<m>();

    const Matrix<double, n, n> B0 = frame_->template at<double>(q0);
    const Vector<double, n> v0 = solve_small(B0, uw0);
    const Matrix<D, n, n> B = frame_->template at<D>(q);
    const Vector<D, n> missing = uw - B * as_constants<D>(v0);
    const Vector<D, n> v = with_derivatives(v0, solve_small(B0, derivatives(missing)));

    const Vector<double, n> total0 =
        force(sys_, q0, v0, t) - B0.template bottomRows<m>().transpose() * contact_force(w0, eta0);
    const Matrix<double, n, n> M0 = mass_matrix(sys_, q0);
    const Vector<double, n> a0 = solve_positive(M0, total0);
    const Vector<D, n> unbalance =
        force(sys_, q, v, t_var) -
        B.template bottomRows<m>().transpose() * contact_force<D>(w, eta) -
        inertia_force(sys_, q, as_constants<D>(a0));
    const Vector<D, n> a = with_derivatives(a0, solve_positive(M0, derivatives(unbalance)));

    const Vector<D, nq> q_rate = coordinate_rate(sys_, q, v);
    const Vector<D, n> uw_rate = B * a + frame_->drift(q, q_rate, v);
    Matrix<double, size, N> J;
    J << derivatives(q_rate), derivatives(uw_rate), derivatives(w) / deflection_scale_;
    return J;
  }

  Sys sys_;
  std::shared_ptr<const Frame> frame_;
  Matrix<T, m, m> stiffness_;  ///< C
  Matrix<T, m, m> damping_;    ///< D ε^(−β)
  T deflection_scale_;         ///< ε²
};

template <MechanicalSystem Sys>
OdeDerivatives Derivatives<Sys>::compliant_adapted(const Sys& sys, const ViscoelasticLaw& law,
                                                   double epsilon, Frame frame) {
  using Equations = AdaptedEquations<Sys, double>;
  const Equations equations(sys, law, epsilon, std::move(frame));
  OdeDerivatives of;
  of.jacobian = [equations](double t, VectorIn y, MatrixOut J) { J = equations.jacobian(t, y); };
  if constexpr (HasTimeDependentForce<Sys>)
    of.time_derivative = [equations](double t, VectorIn y, VectorOut f) {
      f = equations.time_derivative(t, y);
    };
  FastBlock fast;
  fast.components.resize(2 * Sys::m);
  std::iota(fast.components.begin(), fast.components.end(), Index{Equations::sliding_at});
  fast.jacobian = [equations](VectorIn y, MatrixOut J) {
    J = equations.fast_block(Coordinates<Sys>(y.head<Sys::nq>()));
  };
  fast.coupling = [equations](VectorIn y, MatrixOut J) {
    J = equations.fast_coupling(Coordinates<Sys>(y.head<Sys::nq>()));
  };
  of.fast = std::make_shared<const FastBlock>(std::move(fast));
  return of;
}

/// The compliant problem in y = (q, u, w, η) from `start` with the scaled spring deflection eta0
/// (m) at t = 0. The velocity need not satisfy the constraint.
///
/// A column of Solution::states is (q, v, η, w), whatever S is at that time: the first nq + n + m
/// rows are those of compliant_ode, and w keeps the digits of λ that G(q) v has lost (all but
/// log10(1/ε) less). Without natural quasi-velocities the problem changes its S while it is solved:
/// one solve at a time, of all copies together; each solve begins with the S of the start.
template <MechanicalSystem Sys, class T = double>
MotionProblem<OdeProblemOf<T>, T> compliant_adapted(const Sys& sys, const InitialStateOf<T>& start,
                                                    const ViscoelasticLaw& law, double epsilon,
                                                    const VectorXd& eta0,
                                                    const AdaptedOptions& options = {}) {
  using Equations = AdaptedEquations<Sys, T>;
  constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m;
  const Vector<T, nq> q0 = start.q;
  const Vector<T, n> v0 = start.v;
  const auto frame = frame_at<Sys, T>(sys, q0, options);
  const Equations equations(sys, law, epsilon, frame);

  OdeProblemOf<T> ode;
  ode.name = "viscoelastic rolling in (q, u, w, eta)";
  ode.y0.resize(Equations::size);
  ode.y0 << q0, frame->template at<T>(q0) * v0, eta0.template cast<T>();
  ode.rhs = [equations](const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    f = equations.rate(t, y);
  };
  Derivatives<Sys>::compliant_adapted(sys, law, epsilon, frame).give_to(ode);
  ode.coordinates =
      std::make_shared<const MovingCoordinatesOf<T>>(adapted_coordinates<T, Sys>(frame, true));
  return {std::move(ode), [equations](const SolutionOf<T>& solution) {
            typename MotionOf<T>::Values lambda(Equations::m, solution.states.cols());
            for (Index k = 0; k < lambda.cols(); ++k) {
              const Vector<T, m> eta = solution.states.col(k).template segment<m>(nq + n);
              const Vector<T, m> w = solution.states.col(k).template tail<m>();
              lambda.col(k) = equations.template contact_force<T>(w, eta);
            }
            return MotionOf<T>{.times = solution.times,
                               .q = solution.states.topRows(nq),
                               .v = solution.states.middleRows(nq, n),
                               .lambda = std::move(lambda)};
          }};
}

}  // namespace rigidlimit
