#include "rigidlimit/mechanics/motion_tapes.hpp"

#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/recorded_equations.hpp"

namespace rigidlimit {

namespace {

using V = const ExpressionVector&;

/// The equations at one state, during a Recording.
class NaturalRecorder {
 public:
  NaturalRecorder(const RecordedSystem& system, V q, V v, V eta, V t, V C, V D)
      : system_(system),
        q_(q),
        v_(v),
        eta_(eta),
        t_(t),
        stiffness_(C.reshaped(system.m, system.m)),
        damping_(D.reshaped(system.m, system.m)),
        mass_(inlined(system.mass_matrix, q).reshaped(system.n, system.n)),
        rows_(inlined(system.constraints, q).reshaped(system.ne + system.m, system.n)) {}

  ExpressionVector rates() const {
    return joined(coordinate_rate(), acceleration(forces(), exact_drift()), sliding());
  }
  ExpressionMatrix jacobian() const {
    return jacobian_in(joined(q_, v_, eta_), coordinate_rate(), forces(), exact_drift(), sliding());
  }
  ExpressionMatrix time_derivative() const {
    return jacobian_in(t_, coordinate_rate(), forces(), exact_drift(), sliding());
  }

  ExpressionVector contact_rates() const {
    return joined(no_rate(), acceleration(contact_pull(), no_drift()), sliding());
  }
  ExpressionMatrix contact_jacobian() const {
    return jacobian_in(joined(q_, v_, eta_), no_rate(), contact_pull(), no_drift(), sliding());
  }

  /// λ.
  ExpressionVector contact_force() const {
    return product(stiffness_, eta_) + product(damping_, sliding());
  }

 private:
  ExpressionMatrix exact_rows() const { return rows_.topRows(system_.ne); }
  ExpressionMatrix contact_rows() const { return rows_.bottomRows(system_.m); }

  ExpressionVector coordinate_rate() const {
    ExpressionVector rate = inlined(system_.coordinate_rate, joined(q_, v_));
    if (system_.ni > 0) rate += inlined(system_.restoring_rate, q_);
    return rate;
  }
  ExpressionVector no_rate() const { return ExpressionVector::Zero(system_.nq); }
  ExpressionVector sliding() const { return product(contact_rows(), v_); }
  ExpressionVector contact_pull() const {
    return -product(contact_rows().transpose(), contact_force());
  }
  ExpressionVector forces() const {
    return inlined(system_.force, joined(q_, v_, t_)) + contact_pull();
  }
  /// The value of E v' that the equations require.
  ExpressionVector exact_drift() const {
    if (system_.ne == 0) return no_drift();
    const ExpressionVector rate = inlined(system_.coordinate_rate, joined(q_, v_));
    const ExpressionVector drift = inlined(system_.constraint_drift, joined(q_, rate, v_));
    return -drift.head(system_.ne) -
           Expression(exact_constraint_recovery) * velocity_along(system_, exact_rows(), v_);
  }
  ExpressionVector no_drift() const { return ExpressionVector::Zero(system_.ne); }

  ExpressionVector acceleration(V force, V drift) const {
    return solved_constrained(mass_, exact_rows(), force, drift).topRows(system_.n);
  }

  /// The derivatives of (rate, v', sliding) with respect to `inputs`. With x = (v', κ), those of
  /// the two equations at fixed x are the right-hand sides for ∂x.
  ExpressionMatrix jacobian_in(V inputs, V rate, V force, V drift, V sliding) const {
    const Index n = system_.n, ne = system_.ne;
    const ExpressionVector x = Recording::current().unknowns(n + ne);
    const ExpressionVector a = x.head(n), kappa = x.tail(ne);
    const ExpressionVector load =
        inlined(system_.inertia_force, joined(q_, a)) + product(exact_rows().transpose(), kappa);
    const ExpressionVector rest =
        joined(ExpressionVector(force - load), ExpressionVector(drift - product(exact_rows(), a)));
    const ExpressionMatrix right = substituted(
        jacobian_of(rest, inputs), x, solved_constrained(mass_, exact_rows(), force, drift).col(0));
    ExpressionMatrix all(rate.size() + n + sliding.size(), inputs.size());
    all << jacobian_of(rate, inputs),
        solved_constrained(mass_, exact_rows(), right.topRows(n), right.bottomRows(ne)).topRows(n),
        jacobian_of(sliding, inputs);
    return all;
  }

  const RecordedSystem& system_;
  V q_, v_, eta_, t_;
  ExpressionMatrix stiffness_, damping_, mass_, rows_;
};

}  // namespace

/// Tape of outputs(recorder).
template <class Function>
Tape NaturalTapes::tape(const Function& outputs) const {
  const Index m = system_->m;
  return tape_of(
      [&](V q, V v, V eta, V t, V C, V D) -> ExpressionMatrix {
        return outputs(NaturalRecorder(*system_, q, v, eta, t, C, D));
      },
      system_->nq, system_->n, m, 1, m* m, m* m);
}

template <>
const Evaluator<double>& NaturalTapes::rates<double>() const {
  return rates_.made([this] { return tape([](const auto& r) { return r.rates(); }); });
}
template <>
const Evaluator<Quad>& NaturalTapes::rates<Quad>() const {
  return quad_rates_.made([this] { return tape([](const auto& r) { return r.rates(); }); });
}
const PackEvaluator& NaturalTapes::packs() const {
  return packs_.made([this] { return tape([](const auto& r) { return r.rates(); }); });
}
const Evaluator<double>& NaturalTapes::jacobian() const {
  return jacobian_.made([this] { return tape([](const auto& r) { return r.jacobian(); }); });
}
const Evaluator<double>& NaturalTapes::time_derivative() const {
  return time_derivative_.made(
      [this] { return tape([](const auto& r) { return r.time_derivative(); }); });
}
const Evaluator<double>& NaturalTapes::contact_rates() const {
  return contact_rates_.made(
      [this] { return tape([](const auto& r) { return r.contact_rates(); }); });
}
const Evaluator<double>& NaturalTapes::contact_jacobian() const {
  return contact_jacobian_.made(
      [this] { return tape([](const auto& r) { return r.contact_jacobian(); }); });
}
template <>
const Evaluator<double>& NaturalTapes::contact_force<double>() const {
  return contact_force_.made(
      [this] { return tape([](const auto& r) { return r.contact_force(); }); });
}
template <>
const Evaluator<Quad>& NaturalTapes::contact_force<Quad>() const {
  return quad_contact_force_.made(
      [this] { return tape([](const auto& r) { return r.contact_force(); }); });
}

namespace {

using V = const ExpressionVector&;

/// Writes results consecutively, column by column.
auto in_order(double* to) {
  return [to](std::size_t i, double x) { to[i] = x; };
}

}  // namespace

/// The terms while they are recorded.
struct Balance::Recorded {
  const RecordedSystem& system;
  bool contacts;

  Index contact_count() const { return contacts ? system.nc : 0; }
  Index row_count() const { return system.ne + system.m + contact_count(); }

  ExpressionMatrix rows(V q) const {
    const Index own = system.ne + system.m;
    ExpressionMatrix X(row_count(), system.n);
    X.topRows(own) = inlined(system.constraints, q).reshaped(own, system.n);
    if (contacts)
      X.bottomRows(system.nc) = inlined(system.normal_rows, q).reshaped(system.nc, system.n);
    return X;
  }
  ExpressionVector coordinate_rate(V q, V v) const {
    ExpressionVector q_rate = inlined(system.coordinate_rate, joined(q, v));
    if (system.ni > 0) q_rate += inlined(system.restoring_rate, q);
    return q_rate;
  }
  ExpressionVector drift(V q, V v) const {
    const ExpressionVector Tv = inlined(system.coordinate_rate, joined(q, v));
    const ExpressionVector own = inlined(system.constraint_drift, joined(q, Tv, v));
    return contacts ? joined(own, inlined(system.normal_drift, joined(q, v))) : own;
  }
  ExpressionVector gap_and_normal_force(V q, V v, V t) const {
    if (!contacts) return ExpressionVector(0);
    return joined(inlined(system.gap, q), inlined(system.normal_force, joined(q, v, t)));
  }
  ExpressionVector force(V q, V v, V t) const { return inlined(system.force, joined(q, v, t)); }
  /// M a + Xᵀ p.
  ExpressionVector load(V q, V a, V p) const {
    return inlined(system.inertia_force, joined(q, a)) + product(rows(q).transpose(), p);
  }
  /// The terms that BalanceDerivatives differentiates, in its order.
  ExpressionVector differentiated(V q, V v, V t, V a, V p) const {
    const ExpressionMatrix X = rows(q);
    return joined(coordinate_rate(q, v), velocity_along(system, X, v), force(q, v, t),
                  load(q, a, p), drift(q, v), product(X, a), gap_and_normal_force(q, v, t));
  }

  Tape terms() const {
    return tape_of(
        [&](V q, V v, V t) {
          const ExpressionMatrix X = rows(q);
          return joined(coordinate_rate(q, v), inlined(system.mass_matrix, q), force(q, v, t), X,
                        velocity_along(system, X, v), drift(q, v), gap_and_normal_force(q, v, t));
        },
        system.nq, system.n, 1);
  }
  Tape derivatives() const {
    return tape_of([&](V q, V v, V t, V a,
                       V p) { return jacobian_of(differentiated(q, v, t, a, p), joined(q, v)); },
                   system.nq, system.n, 1, system.n, row_count());
  }
  Tape time_derivatives() const {
    return tape_of(
        [&](V q, V v, V t) {
          const ExpressionVector a = ExpressionVector::Zero(system.n);  // its terms do not use t
          const ExpressionVector p = ExpressionVector::Zero(row_count());
          return jacobian_of(differentiated(q, v, t, a, p), t);
        },
        system.nq, system.n, 1);
  }
  Tape load_gradient() const {
    return tape_of(
        [&](V q, V z, V p) { return jacobian_of(product(load(q, z, p).transpose(), z), q); },
        system.nq, system.n, row_count());
  }
};

Balance::Recorded Balance::recorded() const {
  return {*system_, rows_ == BalanceRows::contacts};
}

void Balance::terms(double t, VectorIn q, VectorIn v, BalanceTerms& terms) const {
  const Evaluator<double>& tape = terms_.made([this] { return recorded().terms(); });
  terms.nq_ = system_->nq;
  terms.n_ = system_->n;
  terms.h_ = recorded().row_count();
  terms.nc_ = recorded().contact_count();
  terms.all_.resize(static_cast<Index>(tape.tape().outputs.size()));
  tape(in_order(terms.all_.data()), q, v, std::span(&t, 1));
}

BalanceDerivatives Balance::derivatives(double t, VectorIn q, VectorIn v, VectorIn a,
                                        VectorIn p) const {
  const Evaluator<double>& tape = derivatives_.made([this] { return recorded().derivatives(); });
  const Index columns = system_->nq + system_->n;
  MatrixXd all(static_cast<Index>(tape.tape().outputs.size()) / columns, columns);
  tape(in_order(all.data()), q, v, std::span(&t, 1), a, p);
  return split(all);
}

BalanceDerivatives Balance::time_derivatives(double t, VectorIn q, VectorIn v) const {
  const Evaluator<double>& tape = in_time_.made([this] { return recorded().time_derivatives(); });
  MatrixXd all(tape.tape().outputs.size(), 1);
  tape(in_order(all.data()), q, v, std::span(&t, 1));
  return split(all);
}

VectorXd Balance::load_gradient(VectorIn q, VectorIn z, VectorIn p) const {
  const Evaluator<double>& tape = gradient_.made([this] { return recorded().load_gradient(); });
  VectorXd gradient(system_->nq);
  tape(in_order(gradient.data()), q, z, p);
  return gradient;
}

BalanceDerivatives Balance::split(const MatrixXd& all) const {
  const Index n = system_->n, h = recorded().row_count(), nc = recorded().contact_count();
  Index next = 0;
  const auto rows = [&](Index count) {
    next += count;
    return all.middleRows(next - count, count);
  };
  // Braces guarantee the order of evaluation.
  return {rows(system_->nq), rows(h), rows(n), rows(n), rows(h), rows(h), rows(nc), rows(nc)};
}

std::shared_ptr<const MotionTapes> motion_tapes_of(
    const std::shared_ptr<const RecordedSystem>& recorded) {
  return std::make_shared<const MotionTapes>(recorded);
}

const AdaptedTapes& MotionTapes::adapted(const AdaptedForm& form) const {
  const std::scoped_lock lock(guard_);
  auto& found = adapted_[form];
  if (!found) found = std::make_unique<const AdaptedTapes>(system_, form);
  return *found;
}

VectorXd MotionTapes::energy_change(VectorIn q, VectorIn v, VectorIn dq) const {
  using V = const ExpressionVector&;
  const RecordedSystem& s = *system_;
  const auto& tape = energy_change_.made([&] {
    return tape_of(
        [&](V q_, V v_, V dq_) {
          return tangents_of(
              joined(inlined(s.potential, q_), inlined(s.inertia_force, joined(q_, v_))), q_, dq_);
        },
        s.nq, s.n, s.nq);
  });
  VectorXd change(1 + s.n);
  tape(into(change), q, v, dq);
  return change;
}

}  // namespace rigidlimit
