#include "rigidlimit/formulations/adapted.hpp"

#include <numeric>
#include <type_traits>

#include "rigidlimit/formulations/adapted_equations.hpp"
#include "rigidlimit/formulations/moving_terms.hpp"
#include "rigidlimit/formulations/quasi_velocity_motion.hpp"

namespace rigidlimit {
namespace {

/// ∂f/∂y and ∂f/∂t in double. v, a and κ are differentiated implicitly,
///
///   B ∂v = ∂((u, 0, w_I) − B v|v fixed),
///   M ∂a + Eᵀ∂κ = ∂(F − G_Iᵀμ − M a − Eᵀκ|a, κ fixed),   E ∂a = ∂(−drift − E a|a fixed),
///
/// so that no linear system is solved in Dual numbers.
class AdaptedDerivatives {
 public:
  explicit AdaptedDerivatives(AdaptedEquations<double> equations)
      : equations_(std::move(equations)),
        terms_(&equations_.frame().system().in<Directions>()),
        f_(equations_.shape().size()) {}

  using Varied = VectorX<Directions>;

  void prepare(double t, VectorIn y) {
    equations_.rate(t, y, f_);
    a_and_kappa_ = equations_.inertia().solve_whole(equations_.inertia_load());
  }
  Columns columns(const Directions& t, const Varied& y) const;

 private:
  /// v near the prepared state, for B there.
  Varied velocity(const MatrixX<Directions>& B, const Varied& y) const {
    const AdaptedShape& s = equations_.shape();
    const VectorXd& v0 = equations_.velocity();
    Varied missing = -(B.topRows(s.n) * as_constants<Directions>(v0));
    missing.head(s.free) += y.segment(s.nq, s.free);
    missing.tail(s.r) += y.segment(s.sliding_at(), s.r);
    Columns change(s.n, directions);
    equations_.inverse().solve(derivatives(missing), change);
    return with_derivatives(v0, change);
  }

  /// What a and κ of the prepared state leave unbalanced, (n + ne) × 8.
  Columns unbalanced(const Directions& t, const Varied& y, const MatrixX<Directions>& B,
                     const Varied& v, const Varied& drift) const {
    const AdaptedShape& s = equations_.shape();
    const AdaptedLaw<double>& law = equations_.law();
    const auto q = y.head(s.nq);
    const Varied a0 = as_constants<Directions>(VectorXd(a_and_kappa_.head(s.n)));
    const Varied kappa0 = as_constants<Directions>(VectorXd(a_and_kappa_.tail(s.ne)));
    Varied force(s.n), inertia(s.n), left(s.n + s.ne);
    terms_->force(q, v, t, force);
    terms_->inertia_force(q, a0, inertia);
    Varied acting = law.acting_stiffness.lazyProduct(y.tail(s.m));
    acting += law.acting_damping.lazyProduct(y.segment(s.sliding_at(), s.r));
    const auto E = B.middleRows(s.free, s.ne);
    left.head(s.n) = force - inertia;
    left.head(s.n) -= B.middleRows(s.free + s.ne, s.r).transpose() * acting;
    if (s.ne > 0) {
      left.head(s.n) -= E.transpose() * kappa0;
      left.tail(s.ne) = -drift.segment(s.free, s.ne);
      left.tail(s.ne) -= E * a0;
    }
    return derivatives(left);
  }

  AdaptedEquations<double> equations_;
  const Equations<Directions>* terms_;
  VectorXd f_;
  VectorXd a_and_kappa_;
};

Columns AdaptedDerivatives::columns(const Directions& t, const Varied& y) const {
  const AdaptedShape& s = equations_.shape();
  const AdaptedFrame& frame = equations_.frame();
  const Varied q = y.head(s.nq);
  MatrixX<Directions> B(frame.rows(), s.n);
  frame.write<Directions>(q, B);
  const Varied v = velocity(B, y);
  Varied q_rate(s.nq), drift(frame.rows());
  terms_->coordinate_rate(q, v, q_rate);
  if (frame.system().ni > 0) {
    Varied restoring(s.nq);
    terms_->restoring_rate(q, restoring);
    q_rate += restoring;
  }
  frame.drift<Directions>(q, q_rate, v, drift);
  const Columns change =
      equations_.inertia().solve_whole(unbalanced(t, y, B, v, drift)).topRows(s.n);
  const Varied a = with_derivatives(VectorXd(a_and_kappa_.head(s.n)), change);
  const Varied frame_rate = B.topRows(s.n) * a + drift.head(s.n);
  Columns J(s.size(), directions);
  J.topRows(s.nq) = derivatives(q_rate);
  J.middleRows(s.nq, s.free) = derivatives(Varied(frame_rate.head(s.free)));
  J.middleRows(s.sliding_at(), s.r) = derivatives(Varied(frame_rate.tail(s.r)));
  const Varied w_independent = y.segment(s.sliding_at(), s.r);
  J.bottomRows(s.m) =
      equations_.law().combination * derivatives(w_independent) / equations_.law().deflection_scale;
  return J;
}

FastBlock fast_block_of(const AdaptedEquations<double>& equations) {
  const AdaptedShape& s = equations.shape();
  FastBlock fast;
  fast.components.resize(static_cast<std::size_t>(s.r + s.m));
  std::iota(fast.components.begin(), fast.components.end(), s.sliding_at());
  fast.jacobian = [equations](VectorIn y, MatrixOut J) { equations.fast_block(y, J); };
  fast.coupling = [equations](VectorIn y, MatrixOut J) { equations.fast_coupling(y, J); };
  return fast;
}

/// What of the stiff Jacobian is large: the columns of the fast block.
Splitting splitting_of(const AdaptedEquations<double>& equations) {
  const AdaptedShape& s = equations.shape();
  const Index slow = s.nq + s.free, fast = s.r + s.m;
  return {.stiff = [equations = equations](double t, VectorIn y,
                                           VectorOut f) mutable { equations.stiff_rate(t, y, f); },
          .rest = [equations = equations](double t, VectorIn y,
                                          VectorOut f) mutable { equations.slow_rate(t, y, f); },
          .stiff_jacobian =
              [equations, slow, fast](double, VectorIn y, MatrixOut J) {
                J.leftCols(slow).setZero();
                equations.fast_coupling(y, J.topRightCorner(slow, fast));
                equations.fast_block(y, J.bottomRightCorner(fast, fast));
              }};
}

/// (q, v) of the columns (q, v, η, w), and λ = C η + D ε^(−β) w.
template <class T>
MotionOf<T> motion_of(const SolutionOf<T>& solution, const AdaptedShape& s,
                      const AdaptedLaw<T>& law) {
  const auto eta = solution.states.middleRows(s.nq + s.n, s.m);
  const auto w = solution.states.bottomRows(s.m);
  return {.times = solution.times,
          .q = solution.states.topRows(s.nq),
          .v = solution.states.middleRows(s.nq, s.n),
          .lambda = law.stiffness * eta + law.damping * w};
}

}  // namespace

template <class T>
MotionProblem<OdeProblemOf<T>, T> compliant_adapted(const System& system,
                                                    const InitialStateOf<T>& start,
                                                    const ViscoelasticLaw& law, double epsilon,
                                                    const VectorXd& eta0,
                                                    const AdaptedOptions& options) {
  const auto frame = frame_at<T>(system, start.q, options);
  const AdaptedEquations<T> equations(frame, law, epsilon);
  const AdaptedShape& s = equations.shape();
  const VectorX<T> adapted = frame->template at<T>(start.q) * start.v;

  OdeProblemOf<T> ode;
  ode.name = "viscoelastic rolling in (q, u, w, eta)";
  ode.y0.resize(s.size());
  ode.y0 << start.q, adapted.head(s.free), adapted.tail(s.r), eta0.cast<T>();
  // The work space of a callback is its own, in each copy of the problem.
  ode.rhs = [equations = equations](const T& t, VectorInOf<T> y, VectorOutOf<T> f) mutable {
    equations.rate(t, y, f);
  };
  const AdaptedEquations<double> in_double(frame, law, epsilon);
  give_derivatives(ode, system.explicit_time, AdaptedDerivatives(in_double));
  ode.fast = std::make_shared<const FastBlock>(fast_block_of(in_double));
  if constexpr (std::is_same_v<T, double>)
    ode.splitting = std::make_shared<const Splitting>(splitting_of(equations));
  ode.coordinates =
      std::make_shared<const MovingCoordinatesOf<T>>(adapted_coordinates<T>(frame, true));
  if constexpr (std::is_same_v<T, double>)
    if (system.quasi_velocity_equations && frame->natural())
      use_quasi_velocity_equations(ode, system.quasi_velocity_equations, equations.law());
  return {std::move(ode), [s, contact = equations.law()](const SolutionOf<T>& solution) {
            return motion_of<T>(solution, s, contact);
          }};
}

template MotionProblem<OdeProblemOf<double>, double> compliant_adapted(const System&,
                                                                       const InitialState&,
                                                                       const ViscoelasticLaw&,
                                                                       double, const VectorXd&,
                                                                       const AdaptedOptions&);
template MotionProblem<OdeProblemOf<Quad>, Quad> compliant_adapted(const System&,
                                                                   const InitialStateOf<Quad>&,
                                                                   const ViscoelasticLaw&, double,
                                                                   const VectorXd&,
                                                                   const AdaptedOptions&);

}  // namespace rigidlimit
