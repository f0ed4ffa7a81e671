#include "rigidlimit/formulations/compliant/adapted.hpp"

#include <cmath>
#include <type_traits>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/formulations/compliant/adapted_equations.hpp"
#include "rigidlimit/formulations/recorded_rates.hpp"

namespace rigidlimit {
namespace {

/// The law and its part that acts on the body. With w = H w_I and η = offset + H ζ this is
/// μ = Hᵀλ = Hᵀ C offset + HᵀCH ζ + HᵀDH ε^(−β) w_I.
template <class T>
struct AdaptedLaw : LawAt<T> {
  AdaptedLaw(const ViscoelasticLaw& law, const DeflectionMap& deflection, double epsilon)
      : LawAt<T>(law, epsilon) {
    const MatrixX<T> H = deflection.combination.cast<T>();
    acting_load = H.transpose().lazyProduct(
        VectorX<T>(this->stiffness.lazyProduct(deflection.offset.cast<T>())));
    acting_stiffness = congruent(this->stiffness, H);
    acting_damping = congruent(this->damping, H);
  }

  VectorX<T> acting_load;       ///< r
  MatrixX<T> acting_stiffness;  ///< r × r
  MatrixX<T> acting_damping;    ///< r × r
};

/// Positions of the parts of y = (q, u, w_I, ζ).
struct AdaptedShape {
  explicit AdaptedShape(const AdaptedFrame& frame)
      : nq(frame.system().nq), free(frame.free()), r(frame.rank()) {}
  Index nq, free, r;

  Index slow() const { return nq + free; }
  Index moving() const { return nq + free + r; }
  Index size() const { return nq + free + 2 * r; }
};

/// f and its parts. Each copy owns its workspace.
template <class T>
class CompliantInAdapted {
 public:
  CompliantInAdapted(std::shared_ptr<const AdaptedFrame> frame, const AdaptedLaw<T>& law)
      : shape_(*frame),
        law_(law),
        equations_(std::move(frame), AdaptedMotion::compliant),
        mu_(shape_.r),
        P_(shape_.free + shape_.r, shape_.r) {}

  void write_rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    write_force(y);
    write_rate_of_force(t, y, f);
  }
  void write_jacobian(double t, VectorIn y, MatrixOut J) {
    const auto& [nq, free, r] = shape_;
    write_force(y);
    J.setZero();
    equations_.write_jacobian(y.data(), mu_.data(), t,
                              J.topLeftCorner(shape_.moving(), shape_.moving()));
    equations_.write_response(y.data(), P_);
    J.block(nq, shape_.slow(), free + r, r).noalias() -= P_.lazyProduct(law_.acting_damping);
    J.block(nq, shape_.moving(), free + r, r).noalias() = -P_.lazyProduct(law_.acting_stiffness);
    J.block(shape_.moving(), shape_.slow(), r, r)
        .diagonal()
        .setConstant(1.0 / law_.deflection_scale);
  }
  void write_time_derivative(double t, VectorIn y, VectorOut f) {
    write_force(y);
    equations_.write_time_derivative(y.data(), mu_.data(), t, f.head(shape_.moving()));
    f.tail(shape_.r).setZero();
  }

  /// ∂(w_I', ζ')/∂(w_I, ζ) without its O(1) part, 2 r × 2 r, A = G_I M⁻¹ G_Iᵀ:
  /// [[−A HᵀDH ε^(−β), −A HᵀCH], [1/ε², 0]].
  void write_fast_jacobian(VectorIn y, MatrixOut J) {
    const Index r = shape_.r;
    equations_.write_response(y.data(), P_);
    J.setZero();
    J.topLeftCorner(r, r).noalias() = -P_.bottomRows(r).lazyProduct(law_.acting_damping);
    J.topRightCorner(r, r).noalias() = -P_.bottomRows(r).lazyProduct(law_.acting_stiffness);
    J.bottomLeftCorner(r, r).diagonal().setConstant(1.0 / law_.deflection_scale);
  }
  /// ∂(q', u')/∂(w_I, ζ) without its O(1) part, (nq + free) × 2 r: rows of u [−P HᵀDH ε^(−β), −P
  /// HᵀCH], P = S M⁻¹ G_Iᵀ, the effect of the contact force on u; rows of q are zero.
  void write_coupling(VectorIn y, MatrixOut J) {
    const Index r = shape_.r, free = shape_.free;
    equations_.write_response(y.data(), P_);
    J.setZero();
    J.bottomLeftCorner(free, r).noalias() = -P_.topRows(free).lazyProduct(law_.acting_damping);
    J.bottomRightCorner(free, r).noalias() = -P_.topRows(free).lazyProduct(law_.acting_stiffness);
  }

  // f in two parts, each computed from its terms. Stiff: the effect of the contact force on u, and
  // all of (w_I, ζ)'. Rest: q', and the effect of the other forces on u.
  void write_stiff_rate(double t, VectorIn y, VectorOut f) {
    write_rate(t, y, f);
    equations_.write_response(y.data(), P_);
    f.head(shape_.nq).setZero();
    f.segment(shape_.nq, shape_.free).noalias() = -P_.topRows(shape_.free).lazyProduct(mu_);
  }
  void write_slow_rate(double t, VectorIn y, VectorOut f) {
    mu_.setZero();
    write_rate_of_force(t, y, f);
    f.tail(2 * shape_.r).setZero();
  }

 private:
  void write_force(VectorInOf<T> y) {
    mu_ = law_.acting_load;
    mu_.noalias() += law_.acting_stiffness.lazyProduct(y.tail(shape_.r));
    mu_.noalias() += law_.acting_damping.lazyProduct(y.segment(shape_.slow(), shape_.r));
  }
  void write_rate_of_force(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    equations_.template write_rates<T>(y.data(), mu_.data(), t, f.data());
    f.tail(shape_.r) = y.segment(shape_.slow(), shape_.r) / law_.deflection_scale;
  }

  AdaptedShape shape_;
  AdaptedLaw<T> law_;
  AdaptedEquations equations_;
  VectorX<T> mu_;
  MatrixX<T> P_;
};

class BatchedCompliantMotion final : public BatchedRate {
 public:
  BatchedCompliantMotion(const std::shared_ptr<const AdaptedFrame>& frame,
                         const AdaptedLaw<double>& law)
      : BatchedRate(AdaptedShape(*frame).slow(), law.acting_stiffness, law.acting_damping,
                    1.0 / law.deflection_scale),
        load_(law.acting_load),
        equations_(frame, AdaptedMotion::compliant) {}

  void rates(Chart chart, const Pack& t, const Pack* state, const Pack* lambda,
             Pack* rate) const override {
    const auto& tapes = *static_cast<const AdaptedTapes*>(chart);
    static thread_local std::vector<Pack> mu;
    mu.assign(lambda, lambda + fast);
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] += Pack(load_(static_cast<Index>(i)));
    equations_.write_rates(tapes, state, mu.data(), t, rate);
  }
  Chart response(const double* state, MatrixOut P) const override {
    const Index nq = equations_.frame().system().nq;
    P.topRows(nq).setZero();
    return &equations_.write_response(state, P.bottomRows(P.rows() - nq));
  }

 private:
  VectorXd load_;
  AdaptedEquations equations_;
};

// Each callback owns its workspace, in each copy of the problem.

template <class T>
void give_derivatives(OdeProblemOf<T>& ode, const CompliantInAdapted<double>& motion,
                      bool explicit_time) {
  ode.jacobian = [motion = motion](double t, VectorIn y, MatrixOut J) mutable {
    motion.write_jacobian(t, y, J);
  };
  if (explicit_time)
    ode.time_derivative = [motion = motion](double t, VectorIn y, VectorOut f) mutable {
      motion.write_time_derivative(t, y, f);
    };
}

/// The large part of the stiff Jacobian: the columns of (w_I, ζ).
Splitting adapted_splitting(const CompliantInAdapted<double>& motion, const AdaptedShape& s) {
  const Index slow = s.slow(), fast = 2 * s.r;
  return {.stiff = [motion = motion](double t, VectorIn y,
                                     VectorOut f) mutable { motion.write_stiff_rate(t, y, f); },
          .rest = [motion = motion](double t, VectorIn y,
                                    VectorOut f) mutable { motion.write_slow_rate(t, y, f); },
          .stiff_jacobian =
              [motion = motion, slow, fast](double, VectorIn y, MatrixOut J) mutable {
                J.leftCols(slow).setZero();
                motion.write_coupling(y, J.topRightCorner(slow, fast));
                motion.write_fast_jacobian(y, J.bottomRightCorner(fast, fast));
              }};
}

/// Independent contacts: ζ = η. Redundant ones: G v stays in the column space of H, so the internal
/// deflection of η keeps its initial value.
DeflectionMap deflection_map(const ContactBasis& contacts, const VectorXd& eta0) {
  const VectorXd offset = contacts.redundant() ? eta0 : VectorXd::Zero(eta0.size());
  return {.offset = offset, .combination = contacts.combination};
}

/// (q, v) of the columns (q, v, η, w), λ = C η + D ε^(−β) w, and ε² η of the last np rows.
template <class T>
MotionOf<T> adapted_motion(const SolutionOf<T>& solution, Index nq, Index n, Index np,
                           const AdaptedLaw<T>& law) {
  const Index m = law.stiffness.rows();
  const auto eta = solution.states.middleRows(nq + n, m);
  const auto w = solution.states.bottomRows(m);
  return {.times = solution.times,
          .q = solution.states.topRows(nq),
          .v = solution.states.middleRows(nq, n),
          .lambda = law.stiffness.lazyProduct(eta) + law.damping.lazyProduct(w),
          .gap = law.deflection_scale * eta.bottomRows(np)};
}

}  // namespace

template <class T>
MotionProblem<OdeProblemOf<T>, T> compliant_adapted(const System& system,
                                                    const InitialStateOf<T>& start,
                                                    const ViscoelasticLaw& law, double epsilon,
                                                    const VectorXd& eta0,
                                                    const AdaptedOptions& options) {
  const auto frame = frame_at<T>(system, start.q, options);
  const DeflectionMap deflection = deflection_map(frame->contacts(), eta0);
  const AdaptedLaw<T> contact(law, deflection, epsilon);
  const AdaptedShape s(*frame);

  OdeProblemOf<T> ode;
  ode.t0 = start.t;
  ode.name = "viscoelastic rolling in (q, u, w, eta)";
  ode.y0.setZero(s.size());
  ode.y0.head(s.moving()) << start.q, frame->template adapted<T>(start.q, start.v);
  if (!frame->contacts().redundant()) ode.y0.tail(s.r) = eta0.cast<T>();
  ode.rhs = [motion = CompliantInAdapted<T>(frame, contact)](const T& t, VectorInOf<T> y,
                                                             VectorOutOf<T> f) mutable {
    motion.write_rate(t, y, f);
  };
  const AdaptedLaw<double> in_double(law, deflection, epsilon);
  const CompliantInAdapted<double> motion(frame, in_double);
  give_derivatives(ode, motion, system.explicit_time);
  ode.coordinates =
      std::make_shared<const MovingCoordinatesOf<T>>(adapted_coordinates<T>(frame, deflection));
  if constexpr (std::is_same_v<T, double>) {
    ode.splitting = std::make_shared<const Splitting>(adapted_splitting(motion, s));
    ode.batched = std::make_shared<const BatchedCompliantMotion>(frame, in_double);
    ode.recorded = [frame, q0 = VectorXd(start.q), law, epsilon, eta0] {
      return recorded_adapted(frame->system(), q0, law, epsilon, eta0);
    };
  }
  return {std::move(ode),
          [nq = system.nq, n = system.n, np = system.np, contact](const SolutionOf<T>& solution) {
            return adapted_motion<T>(solution, nq, n, np, contact);
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
