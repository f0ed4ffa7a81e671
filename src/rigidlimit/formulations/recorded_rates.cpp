#include "rigidlimit/formulations/recorded_rates.hpp"

#include <cmath>
#include <functional>

#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/formulations/compliant/adapted_frame.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

ExpressionMatrix recorded(const MatrixXd& A) {
  return A.unaryExpr([](double x) { return Expression(x); });
}

/// The tapes of a right-hand side of (y, t).
template <class Rate>
RateTapes tapes_of(Index size, const Rate& rate) {
  return {.rate = tape_of([&](V y, V t) -> ExpressionMatrix { return rate(y, t); }, size, 1),
          .jacobian = tape_of([&](V y, V t) { return jacobian_of(rate(y, t), y); }, size, 1)};
}

/// The equations in adapted velocities with the frame of q.
class RecordedAdapted {
 public:
  RecordedAdapted(const System& system, const VectorXd& q, AdaptedMotion motion)
      : frame_(system, q, {}),
        motion_(motion),
        R_(recorded(Eigen::Map<const VectorXd>(frame_.parameters().data(),
                                               std::ssize(frame_.parameters())))) {}

  const AdaptedFrame& frame() const { return frame_; }
  Index state_size() const { return frame_.usual_tapes().state_size(motion_); }

  /// The rates of (q, u, w), or (q, u), with the contact force μ.
  ExpressionVector rates(V state, V mu, V t) const {
    const Tape& tape = frame_.usual_tapes().rates<double>(motion_).tape();
    return inlined(tape, joined(state, mu, t, R_)).head(state.size());
  }

 private:
  AdaptedFrame frame_;
  AdaptedMotion motion_;
  ExpressionVector R_;
};

/// The KKT system of rigid_eliminated() at one state, during a Recording.
class RecordedKkt {
 public:
  RecordedKkt(const RecordedSystem& system, const std::vector<Index>& places, V q, V v, V t)
      : system_(system),
        q_(q),
        M_(inlined(system.mass_matrix, q).reshaped(system.n, system.n)),
        rows_(ExpressionMatrix(
            inlined(system.constraints, q).reshaped(system.ne + system.m, system.n))(places,
                                                                                     Eigen::all)) {
    const ExpressionVector map = inlined(system.coordinate_rate, joined(q, v));
    drift_ = -ExpressionVector(inlined(system.constraint_drift, joined(q, map, v))(places));
    drift_.head(system.ne) -=
        Expression(exact_constraint_recovery) * velocity_along(system, rows_.topRows(system.ne), v);
    force_ = inlined(system.force, joined(q, v, t));
    q_rate_ = map;
    if (system.ni > 0) q_rate_ += inlined(system.restoring_rate, q);
  }

  ExpressionVector rates() const { return joined(q_rate_, solution().head(system_.n)); }

  /// With x = (v', p), the derivatives of the two equations at fixed x are the right-hand sides for
  /// ∂x: differentiating the elimination would be many times as expensive.
  ExpressionMatrix jacobian(V y) const {
    const Index n = system_.n, held = rows_.rows();
    const ExpressionVector x = Recording::current().unknowns(n + held);
    const ExpressionVector a = x.head(n), p = x.tail(held);
    const ExpressionVector load =
        inlined(system_.inertia_force, joined(q_, a)) + product(rows_.transpose(), p);
    const ExpressionVector defect =
        joined(ExpressionVector(force_ - load), ExpressionVector(drift_ - product(rows_, a)));
    const ExpressionMatrix right = substituted(jacobian_of(defect, y), x, solution());
    ExpressionMatrix all(y.size(), y.size());
    all << jacobian_of(q_rate_, y),
        solved_constrained(M_, rows_, right.topRows(n), right.bottomRows(held)).topRows(n);
    return all;
  }

 private:
  ExpressionVector solution() const { return solved_constrained(M_, rows_, force_, drift_).col(0); }

  const RecordedSystem& system_;
  ExpressionVector q_;
  ExpressionMatrix M_, rows_;  ///< rows: [E; G_I]
  ExpressionVector drift_, force_, q_rate_;
};

}  // namespace

RateTapes recorded_natural(const System& system, const ViscoelasticLaw& law, double epsilon) {
  const LawAt<double> at(law, epsilon);
  const Tape& tape = system.tapes->natural().rates<double>().tape();
  const Index m = system.m, size = system.nq + system.n + m;
  return tapes_of(size, [&](V y, V t) {
    const ExpressionVector rates =  // q', v', w
        inlined(tape, joined(y, t, recorded(at.stiffness), recorded(at.damping)));
    const ExpressionVector deflection = rates.tail(m) * Expression(at.deflection_rate());
    return joined(rates.head(size - m), deflection);
  });
}

RateTapes recorded_natural_for_any_law(const System& system) {
  const Tape& tape = system.tapes->natural().rates<double>().tape();
  const Index m = system.m, size = system.nq + system.n + m;
  const auto rate = [&](V y, V t, V p) {
    const Expression epsilon = p(0), beta = p(1);
    const ExpressionVector damping = p.tail(m * m) * exp(-beta * log(epsilon));
    const ExpressionVector rates =  // q', v', w
        inlined(tape, joined(y, t, ExpressionVector(p.segment(2, m * m)), damping));
    const ExpressionVector deflection = rates.tail(m) / (epsilon * epsilon);
    return joined(rates.head(size - m), deflection);
  };
  const Index parameters = 2 + 2 * m * m;
  return {.rate = tape_of([&](V y, V t, V p) -> ExpressionMatrix { return rate(y, t, p); }, size, 1,
                          parameters),
          .jacobian = tape_of([&](V y, V t, V p) { return jacobian_of(rate(y, t, p), y); }, size, 1,
                              parameters)};
}

RateTapes recorded_adapted(const System& system, const VectorXd& q0, const ViscoelasticLaw& law,
                           double epsilon, const VectorXd& offset) {
  const LawAt<double> at(law, epsilon);
  const RecordedAdapted adapted(system, q0, AdaptedMotion::compliant);
  const ContactBasis& contacts = adapted.frame().contacts();
  const MatrixXd& H = contacts.combination;
  VectorXd load = VectorXd::Zero(H.cols());
  if (contacts.redundant()) load = H.transpose() * at.stiffness * offset;
  const MatrixXd C = H.transpose() * at.stiffness * H, D = H.transpose() * at.damping * H;
  const Index moving = adapted.state_size(), r = H.cols();
  return tapes_of(moving + r, [&](V y, V t) {
    const ExpressionVector zeta = y.tail(r), w = y.segment(moving - r, r);
    const ExpressionVector mu =
        product(recorded(C), zeta) + product(recorded(D), w) + recorded(load);
    const ExpressionVector deflection = w * Expression(at.deflection_rate());
    return joined(adapted.rates(y.head(moving), mu, t), deflection);
  });
}

RateTapes recorded_eliminated(const System& system, const VectorXd& q0) {
  const std::vector<Index> places = independent_places(contact_basis(system, q0), system.ne);
  const Index nq = system.nq, n = system.n;
  const auto at = [&](V y, V t) {
    return RecordedKkt(*system.recorded, places, y.head(nq), y.tail(n), t);
  };
  return {
      .rate = tape_of([&](V y, V t) -> ExpressionMatrix { return at(y, t).rates(); }, nq + n, 1),
      .jacobian = tape_of([&](V y, V t) { return at(y, t).jacobian(y); }, nq + n, 1)};
}

RateTapes recorded_reduced(const System& system, const VectorXd& q0) {
  const RecordedAdapted adapted(system, q0, AdaptedMotion::rolling);
  return tapes_of(adapted.state_size(),
                  [&](V y, V t) { return adapted.rates(y, ExpressionVector(0), t); });
}

}  // namespace rigidlimit
