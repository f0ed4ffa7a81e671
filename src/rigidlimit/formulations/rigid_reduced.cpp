#include "rigidlimit/formulations/rigid_reduced.hpp"

#include "rigidlimit/formulations/adapted_frame.hpp"
#include "rigidlimit/formulations/moving_terms.hpp"
#include "rigidlimit/formulations/quasi_velocity_motion.hpp"
#include "rigidlimit/formulations/rigid_motion.hpp"
#include "rigidlimit/formulations/small_inverse.hpp"

namespace rigidlimit {
namespace {

/// The right-hand side with what it needs of memory.
template <class T>
class ReducedEquations {
 public:
  explicit ReducedEquations(std::shared_ptr<const AdaptedFrame> frame)
      : frame_(std::move(frame)),
        nq_(frame_->system().nq),
        n_(frame_->system().n),
        free_(frame_->free()),
        held_(n_ - free_),
        equations_(&frame_->system().template in<T>()),
        B_(frame_->rows(), n_),
        K_(MatrixX<T>::Zero(n_ + held_, n_ + held_)),
        drift_(frame_->rows()),
        u_(VectorX<T>::Zero(n_)),
        v_(n_),
        q_rate_(nq_),
        restoring_(nq_),
        right_(n_ + held_),
        solution_(n_ + held_) {}

  void rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    const auto q = y.head(nq_);
    write_velocity(y);
    equations_->mass_matrix(q, K_.topLeftCorner(n_, n_));
    K_.bottomLeftCorner(held_, n_) = B_.middleRows(free_, held_);
    K_.topRightCorner(n_, held_) = B_.middleRows(free_, held_).transpose();
    lu_.compute(K_);
    equations_->force(q, v_, t, right_.head(n_));
    right_.tail(held_) = -drift_.segment(free_, held_);
    solution_ = lu_.solve(right_);
    f.head(nq_) = q_rate_;
    f.tail(free_) = drift_.head(free_);
    f.tail(free_).noalias() += B_.topRows(free_).lazyProduct(solution_.head(n_));
  }

  Index size() const { return nq_ + free_; }
  Index free() const { return free_; }
  Index held() const { return held_; }
  const AdaptedFrame& frame() const { return *frame_; }
  // What the last rate() left behind.
  const SmallInverse<T>& inverse() const { return inverse_; }         ///< of B(q)
  const Eigen::PartialPivLU<MatrixX<T>>& kkt() const { return lu_; }  ///< the KKT matrix at q
  const VectorX<T>& velocity() const { return v_; }
  const VectorX<T>& solution() const { return solution_; }  ///< (a, κ, Λ_I)

 private:
  void write_velocity(VectorInOf<T> y) {
    const auto q = y.head(nq_);
    frame_->write<T>(q, B_);
    u_.head(free_) = y.tail(free_);
    inverse_.compute(B_.topRows(n_));
    inverse_.solve(u_, v_);
    equations_->coordinate_rate(q, v_, q_rate_);
    if (frame_->system().ni > 0) {
      equations_->restoring_rate(q, restoring_);
      q_rate_ += restoring_;
    }
    frame_->drift<T>(q, q_rate_, v_, drift_);
  }

  std::shared_ptr<const AdaptedFrame> frame_;
  Index nq_, n_, free_, held_;  ///< held = ne + r
  const Equations<T>* equations_;
  MatrixX<T> B_;  ///< frame().rows() × n
  MatrixX<T> K_;
  VectorX<T> drift_, u_, v_, q_rate_, restoring_, right_, solution_;  ///< u_: (u, 0, 0)
  SmallInverse<T> inverse_;
  Eigen::PartialPivLU<MatrixX<T>> lu_;
};

/// ∂f/∂y and ∂f/∂t in double: v, and (a, κ, Λ_I) of the KKT system, are differentiated implicitly.
class ReducedDerivatives {
 public:
  explicit ReducedDerivatives(ReducedEquations<double> equations)
      : equations_(std::move(equations)),
        terms_(&equations_.frame().system().in<Directions>()),
        f_(equations_.size()) {}

  using Varied = VectorX<Directions>;

  void prepare(double t, VectorIn y) { equations_.rate(t, y, f_); }
  Columns columns(const Directions& t, const Varied& y) const;

 private:
  Varied velocity(const MatrixX<Directions>& B, const Varied& y) const {
    const VectorXd& v0 = equations_.velocity();
    Varied missing = -(B.topRows(v0.size()) * as_constants<Directions>(v0));
    missing.head(equations_.free()) += y.tail(equations_.free());
    Columns change(v0.size(), directions);
    equations_.inverse().solve(derivatives(missing), change);
    return with_derivatives(v0, change);
  }

  ReducedEquations<double> equations_;
  const Equations<Directions>* terms_;
  VectorXd f_;
};

Columns ReducedDerivatives::columns(const Directions& t, const Varied& y) const {
  const AdaptedFrame& frame = equations_.frame();
  const System& system = frame.system();
  const Index n = system.n, free = equations_.free(), held = equations_.held();
  const Varied q = y.head(system.nq);
  MatrixX<Directions> B(frame.rows(), n);
  frame.write<Directions>(q, B);
  const Varied v = velocity(B, y);
  Varied q_rate(system.nq), drift(frame.rows()), force(n), inertia(n);
  terms_->coordinate_rate(q, v, q_rate);
  if (system.ni > 0) {
    Varied restoring(system.nq);
    terms_->restoring_rate(q, restoring);
    q_rate += restoring;
  }
  frame.drift<Directions>(q, q_rate, v, drift);

  const VectorXd& x0 = equations_.solution();
  const Varied a0 = as_constants<Directions>(VectorXd(x0.head(n)));
  const Varied multipliers = as_constants<Directions>(VectorXd(x0.tail(held)));
  terms_->force(q, v, t, force);
  terms_->inertia_force(q, a0, inertia);
  const auto rows = B.middleRows(free, held);
  Varied unbalanced(n + held);
  unbalanced.head(n) = force - inertia - rows.transpose() * multipliers;
  unbalanced.tail(held) = -(rows * a0) - drift.segment(free, held);
  const MatrixXd x = equations_.kkt().solve(derivatives(unbalanced));
  const Columns change = x.topRows(n);
  const Varied a = with_derivatives(VectorXd(x0.head(n)), change);
  const Varied u_rate = B.topRows(free) * a + drift.head(free);
  Columns J(equations_.size(), directions);
  J << derivatives(q_rate), derivatives(u_rate);
  return J;
}

}  // namespace

template <class T>
MotionProblem<OdeProblemOf<T>, T> rigid_reduced(const System& system,
                                                const InitialStateOf<T>& start,
                                                const AdaptedOptions& options) {
  const auto frame = frame_at<T>(system, start.q, options);
  const VectorX<T> adapted = frame->template at<T>(start.q) * start.v;
  OdeProblemOf<T> ode;
  ode.name = "rigid rolling in (q, u)";
  ode.y0.resize(system.nq + frame->free());
  ode.y0 << start.q, adapted.head(frame->free());
  // The work space of a callback is its own, in each copy of the problem.
  ode.rhs = [equations = ReducedEquations<T>(frame)](
                const T& t, VectorInOf<T> y, VectorOutOf<T> f) mutable { equations.rate(t, y, f); };
  give_derivatives(ode, system.explicit_time, ReducedDerivatives(ReducedEquations<double>(frame)));
  ode.coordinates =
      std::make_shared<const MovingCoordinatesOf<T>>(adapted_coordinates<T>(frame, false));
  if constexpr (std::is_same_v<T, double>)
    if (system.quasi_velocity_equations && frame->natural())
      use_quasi_velocity_rolling(ode, system.quasi_velocity_equations);
  return {std::move(ode), [system, basis = frame->contacts()](const SolutionOf<T>& solution) {
            return detail::motion_of_blocks<T>(solution, system.nq, system.n,
                                               detail::kkt_multipliers<T>(system, basis, solution));
          }};
}

template MotionProblem<OdeProblemOf<double>, double> rigid_reduced(const System&,
                                                                   const InitialState&,
                                                                   const AdaptedOptions&);
template MotionProblem<OdeProblemOf<Quad>, Quad> rigid_reduced(const System&,
                                                               const InitialStateOf<Quad>&,
                                                               const AdaptedOptions&);

}  // namespace rigidlimit
