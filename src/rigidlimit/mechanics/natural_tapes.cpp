#include "rigidlimit/mechanics/natural_tapes.hpp"

#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

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
           Expression(exact_constraint_recovery) * product(exact_rows(), v_);
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

}  // namespace rigidlimit
