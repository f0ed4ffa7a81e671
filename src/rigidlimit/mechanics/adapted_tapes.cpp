#include "rigidlimit/mechanics/adapted_tapes.hpp"

#include <cmath>
#include <utility>

#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"

namespace rigidlimit {
namespace {

ExpressionVector joined(std::initializer_list<ExpressionVector> parts) {
  Index size = 0;
  for (const ExpressionVector& part : parts) size += part.size();
  ExpressionVector all(size);
  Index next = 0;
  for (const ExpressionVector& part : parts) {
    all.segment(next, part.size()) = part;
    next += part.size();
  }
  return all;
}

/// The frame B at one configuration, during a Recording.
class RecordedFrame {
 public:
  RecordedFrame(const RecordedSystem& system, const AdaptedForm& form, const ExpressionVector& q,
                const ExpressionVector& R)
      : form_(form),
        n_(system.n),
        held_(system.ne + static_cast<Index>(form.contacts.size())),
        R_(form.natural ? ExpressionMatrix() : ExpressionMatrix(R.reshaped(n_, n_))) {
    const ExpressionMatrix all =
        inlined(system.constraints, q).reshaped(system.ne + system.m, system.n);
    rows_.resize(n_, n_);
    rows_.topRows(n_ - held_).setZero();
    if (form.natural)
      rows_.topRows(n_ - held_) = inlined(system.quasi_velocities, q).reshaped(n_ - held_, n_);
    for (Index i = 0; i < held_; ++i)
      rows_.row(n_ - held_ + i) = all.row(
          i < system.ne ? i : system.ne + form.contacts[static_cast<std::size_t>(i - system.ne)]);
  }

  /// B⁻¹ b for the columns of b, in the order (S, E, G_I).
  ExpressionMatrix solved(const ExpressionMatrix& b) const {
    if (form_.natural) return eliminated(rows_, b, form_.order).x;
    const ExpressionMatrix X = product_of_matrices(held(), R_);
    const Index free = n_ - held_;
    ExpressionMatrix y = b;  // v = R (u, y), and [E; G_I] v is given
    const ExpressionMatrix left =
        b.bottomRows(held_) - product_of_matrices(X.leftCols(free), b.topRows(free));
    y.bottomRows(held_) = eliminated(X.rightCols(held_), left, form_.order).x;
    return product_of_matrices(R_, y);
  }
  ExpressionVector pivots() const {
    const ExpressionMatrix X =
        form_.natural ? rows_ : ExpressionMatrix(product_of_matrices(held(), R_).rightCols(held_));
    return eliminated(X, ExpressionMatrix::Zero(X.rows(), 0), form_.order).pivots;
  }
  /// S (natural), and [E; G_I].
  ExpressionMatrix natural() const { return rows_.topRows(n_ - held_); }
  ExpressionMatrix held() const { return rows_.bottomRows(held_); }

 private:
  const AdaptedForm& form_;
  Index n_, held_;
  ExpressionMatrix R_, rows_;
};

/// Assembles the equations of a system for one form.
class AdaptedRecorder {
 public:
  AdaptedRecorder(const RecordedSystem& system, const AdaptedForm& form)
      : system_(system),
        form_(form),
        r_(static_cast<Index>(form.contacts.size())),
        held_(system.ne + r_),
        free_(system.n - held_) {}

  ExpressionVector rates(AdaptedMotion motion, const ExpressionVector& state,
                         const ExpressionVector& mu, const Expression& t,
                         const ExpressionVector& R) const {
    if (motion == AdaptedMotion::rolling)
      return rolling_rates(at_state(joined({state, ExpressionVector::Zero(r_)}), t, R));
    return compliant_rates(at_state(state, t, R), mu);
  }

  /// (q, u, w) -> v.
  ExpressionVector velocity(const ExpressionVector& state, const ExpressionVector& R) const {
    return velocity(frame(state.head(system_.nq), R), state);
  }

  /// q -> −∂(u, w)'/∂μ.
  ExpressionMatrix response(const ExpressionVector& q, const ExpressionVector& R) const {
    const RecordedFrame frame = this->frame(q, R);
    const ExpressionMatrix M = mass_matrix(q);
    if (by_inertia())
      return product_of_matrices(whole(frame),
                                 solved_definite(M, frame.held().bottomRows(r_).transpose()));
    const ExpressionMatrix N = moving_columns(frame);
    ExpressionMatrix push = ExpressionMatrix::Zero(free_ + r_, r_);
    push.bottomRows(r_).setIdentity();  // Nᵀ G_Iᵀ
    return solved_projected(projected(M, N), push);
  }

  RecordedFrame frame(const ExpressionVector& q, const ExpressionVector& R) const {
    return {system_, form_, q, R};
  }

 private:
  struct At {
    RecordedFrame frame;
    ExpressionMatrix M;
    ExpressionVector v, q_rate, F;
    ExpressionVector drift;  ///< (∂q B[q']) v, n
  };

  /// Without exact rows, and with rows S that depend on q, M⁻¹ takes fewer operations than B⁻¹.
  bool by_inertia() const { return form_.natural && system_.ne == 0; }

  ExpressionVector compliant_rates(const At& at, const ExpressionVector& mu) const {
    if (by_inertia()) {
      const ExpressionVector push = product(at.frame.held().transpose(), mu);
      const ExpressionVector a = solved_definite(at.M, at.F - push);
      return joined({at.q_rate, product(whole(at.frame), a) + at.drift});
    }
    const ExpressionMatrix N = moving_columns(at.frame);
    ExpressionVector known = ExpressionVector::Zero(system_.n);  // E a
    known.segment(free_, system_.ne) = -at.drift.segment(free_, system_.ne);
    ExpressionVector load = projected_load(at, N, at.frame.solved(known));
    load.tail(r_) -= mu;  // Nᵀ G_Iᵀ μ
    const ExpressionVector change = solved_projected(projected(at.M, N), load);
    return joined({at.q_rate, change.head(free_) + at.drift.head(free_),
                   change.tail(r_) + at.drift.tail(r_)});
  }

  ExpressionVector rolling_rates(const At& at) const {
    if (by_inertia()) return rolling_rates_by_inertia(at);
    const ExpressionMatrix N =
        at.frame.solved(ExpressionMatrix::Identity(system_.n, system_.n).leftCols(free_));
    ExpressionVector known = ExpressionVector::Zero(system_.n);  // E a and G_I a
    known.tail(held_) = -at.drift.tail(held_);
    const ExpressionVector load = projected_load(at, N, at.frame.solved(known));
    return joined({at.q_rate, solved_projected(projected(at.M, N), load) + at.drift.head(free_)});
  }

  /// G M⁻¹Gᵀ μ = G M⁻¹F + (∂q G[q']) v.
  ExpressionVector rolling_rates_by_inertia(const At& at) const {
    const ExpressionMatrix G = at.frame.held();
    ExpressionMatrix forces(system_.n, 1 + r_);
    forces << at.F, G.transpose();
    const ExpressionMatrix accelerations = solved_definite(at.M, forces);
    const ExpressionMatrix response = accelerations.rightCols(r_);
    const ExpressionVector mu = solved_definite(
        product_of_matrices(G, response), product(G, accelerations.col(0)) + at.drift.tail(r_));
    const ExpressionVector a = accelerations.col(0) - product(response, mu);
    return joined({at.q_rate, product(at.frame.natural(), a) + at.drift.head(free_)});
  }

  At at_state(const ExpressionVector& state, const Expression& t, const ExpressionVector& R) const {
    const ExpressionVector q = state.head(system_.nq);
    At at{.frame = frame(q, R), .M = mass_matrix(q), .v = {}, .q_rate = {}, .F = {}, .drift = {}};
    at.v = velocity(at.frame, state);
    at.q_rate = inlined(system_.coordinate_rate, joined({q, at.v}));
    if (system_.ni > 0) at.q_rate += inlined(system_.restoring_rate, q);
    at.F = inlined(system_.force, joined({q, at.v, ExpressionVector::Constant(1, t)}));
    at.drift = drift(q, at.q_rate, at.v);
    return at;
  }

  ExpressionVector velocity(const RecordedFrame& frame, const ExpressionVector& state) const {
    ExpressionVector adapted = ExpressionVector::Zero(system_.n);
    adapted.head(free_) = state.segment(system_.nq, free_);
    adapted.segment(free_, system_.ne) = system_.exact_rates.cast<Expression>();
    adapted.tail(r_) = state.tail(r_);
    return frame.solved(adapted);
  }

  ExpressionVector drift(const ExpressionVector& q, const ExpressionVector& q_rate,
                         const ExpressionVector& v) const {
    ExpressionVector drift = ExpressionVector::Zero(system_.n);
    if (form_.natural)
      drift.head(free_) = inlined(system_.quasi_velocity_drift, joined({q, q_rate, v}));
    const ExpressionVector all = inlined(system_.constraint_drift, joined({q, q_rate, v}));
    drift.segment(free_, system_.ne) = all.head(system_.ne);
    for (Index i = 0; i < r_; ++i)
      drift(free_ + system_.ne + i) = all(system_.ne + form_.contacts[static_cast<std::size_t>(i)]);
    return drift;
  }

  /// [S; G_I] of natural rows without exact ones.
  ExpressionMatrix whole(const RecordedFrame& frame) const {
    ExpressionMatrix B(free_ + r_, system_.n);
    B << frame.natural(), frame.held();
    return B;
  }
  /// N: the velocities of unit (u, w).
  ExpressionMatrix moving_columns(const RecordedFrame& frame) const {
    ExpressionMatrix units = ExpressionMatrix::Zero(system_.n, free_ + r_);
    units.topLeftCorner(free_, free_).setIdentity();
    units.bottomRightCorner(r_, r_).setIdentity();
    return frame.solved(units);
  }
  static ExpressionMatrix projected(const ExpressionMatrix& M, const ExpressionMatrix& N) {
    return product_of_matrices(N.transpose(), product_of_matrices(M, N));
  }
  /// X⁻¹ b of X = Nᵀ M N, which is indefinite for a tangent lift.
  ExpressionMatrix solved_projected(const ExpressionMatrix& X, const ExpressionMatrix& b) const {
    return system_.lifted_mass ? solved_by_pivoting(X, b) : solved_definite(X, b);
  }
  /// Nᵀ (F − M a) for the known part of a.
  static ExpressionVector projected_load(const At& at, const ExpressionMatrix& N,
                                         const ExpressionVector& a) {
    return product(N.transpose(), at.F - product(at.M, a));
  }
  ExpressionMatrix mass_matrix(const ExpressionVector& q) const {
    return inlined(system_.mass_matrix, q).reshaped(system_.n, system_.n);
  }

  const RecordedSystem& system_;
  const AdaptedForm& form_;
  Index r_, held_, free_;
};

}  // namespace

AdaptedTapes::AdaptedTapes(std::shared_ptr<const RecordedSystem> system, AdaptedForm form)
    : system_(std::move(system)), form_(std::move(form)) {}

Index AdaptedTapes::state_size(AdaptedMotion motion) const {
  return system_->nq + free() + force_size(motion);
}
Index AdaptedTapes::force_size(AdaptedMotion motion) const {
  return motion == AdaptedMotion::compliant ? rank() : 0;
}

namespace {

Index frame_size(const RecordedSystem& system, const AdaptedForm& form) {
  return form.natural ? 0 : system.n * system.n;
}

}  // namespace

/// Tape of outputs(recorder, state, μ, t, R).
template <class Function>
Tape AdaptedTapes::tape(AdaptedMotion motion, const Function& outputs) const {
  using V = const ExpressionVector&;
  return tape_of(
      [&](V state, V mu, V t, V R) -> ExpressionMatrix {
        return outputs(AdaptedRecorder(*system_, form_), state, mu, t(0), R);
      },
      state_size(motion), force_size(motion), 1, frame_size(*system_, form_));
}

Tape AdaptedTapes::rate_tape(AdaptedMotion motion, bool with_pivots) const {
  return tape(motion,
              [&](const AdaptedRecorder& recorder, const auto& state, const auto& mu,
                  const Expression& t, const auto& R) -> ExpressionMatrix {
                const ExpressionVector rates = recorder.rates(motion, state, mu, t, R);
                if (!with_pivots) return rates;
                return joined({rates, recorder.frame(state.head(system_->nq), R).pivots()});
              });
}

template <>
const Evaluator<double>& AdaptedTapes::rates<double>(AdaptedMotion motion) const {
  return of(motion).rates.made([&] { return rate_tape(motion, true); });
}
template <>
const Evaluator<Quad>& AdaptedTapes::rates<Quad>(AdaptedMotion motion) const {
  return of(motion).quad_rates.made([&] { return rate_tape(motion, true); });
}
const PackEvaluator& AdaptedTapes::packs(AdaptedMotion motion) const {
  return of(motion).packs.made([&] { return rate_tape(motion, false); });
}
const Evaluator<double>& AdaptedTapes::jacobian(AdaptedMotion motion) const {
  return of(motion).jacobian.made([&] {
    return tape(motion, [&](const AdaptedRecorder& recorder, const auto& state, const auto& mu,
                            const Expression& t, const auto& R) {
      return jacobian_of(recorder.rates(motion, state, mu, t, R), state);
    });
  });
}
const Evaluator<double>& AdaptedTapes::time_derivative(AdaptedMotion motion) const {
  return of(motion).time_derivative.made([&] {
    return tape(motion, [&](const AdaptedRecorder& recorder, const auto& state, const auto& mu,
                            const Expression& t, const auto& R) {
      return jacobian_of(recorder.rates(motion, state, mu, t, R), ExpressionVector::Constant(1, t));
    });
  });
}

namespace {

Tape velocity_tape(const RecordedSystem& system, const AdaptedForm& form, Index state_size) {
  using V = const ExpressionVector&;
  return tape_of(
      [&](V state, V R) {
        const AdaptedRecorder recorder(system, form);
        return joined(
            {recorder.velocity(state, R), recorder.frame(state.head(system.nq), R).pivots()});
      },
      state_size, frame_size(system, form));
}

}  // namespace

template <>
const Evaluator<double>& AdaptedTapes::velocity<double>() const {
  return velocity_.made(
      [&] { return velocity_tape(*system_, form_, state_size(AdaptedMotion::compliant)); });
}
template <>
const Evaluator<Quad>& AdaptedTapes::velocity<Quad>() const {
  return quad_velocity_.made(
      [&] { return velocity_tape(*system_, form_, state_size(AdaptedMotion::compliant)); });
}
const PackEvaluator& AdaptedTapes::velocity_packs() const {
  return velocity_packs_.made(
      [&] { return velocity_tape(*system_, form_, state_size(AdaptedMotion::compliant)); });
}
namespace {

Tape response_tape(const RecordedSystem& system, const AdaptedForm& form) {
  using V = const ExpressionVector&;
  return tape_of([&](V q, V R) { return AdaptedRecorder(system, form).response(q, R); }, system.nq,
                 frame_size(system, form));
}

}  // namespace

const Evaluator<double>& AdaptedTapes::response() const {
  return response_.made([&] { return response_tape(*system_, form_); });
}
const PackEvaluator& AdaptedTapes::response_packs() const {
  return response_packs_.made([&] { return response_tape(*system_, form_); });
}
const Evaluator<double>& AdaptedTapes::pivots() const {
  using V = const ExpressionVector&;
  return pivots_.made([&] {
    return tape_of([&](V q, V R) { return RecordedFrame(*system_, form_, q, R).pivots(); },
                   system_->nq, frame_size(*system_, form_));
  });
}

std::vector<Index> pivoted_order(MatrixXd X) {
  const Index N = X.rows();
  std::vector<Index> order(static_cast<std::size_t>(N));
  const auto at = [&order](Index i) -> Index& { return order[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < N; ++i) at(i) = i;
  for (Index k = 0; k < N; ++k) {
    Index best = k;
    for (Index i = k + 1; i < N; ++i)
      if (std::abs(X(i, k)) > std::abs(X(best, k))) best = i;
    std::swap(at(k), at(best));
    X.row(k).swap(X.row(best));
    for (Index i = k + 1; i < N; ++i) X.row(i) -= X(i, k) / X(k, k) * X.row(k);
  }
  return order;
}

Index operations_of(const Tape& tape) {
  Index count = 0;
  for (const Instruction& step : tape.body) {
    const bool function = (step.operation >= Operation::exp && step.operation <= Operation::tanh) ||
                          step.operation == Operation::atan2 || step.operation == Operation::power;
    count += function ? 20 : 1;
  }
  return count;
}

}  // namespace rigidlimit
