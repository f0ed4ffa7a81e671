#include "rigidlimit/mechanics/balance.hpp"

#include "rigidlimit/core/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

Tape derivative_tape(const RecordedSystem& system) {
  return tape_of(
      [&](V q, V v, V t, V a, V p) {
        const Index held = system.ne + system.m;
        const ExpressionMatrix X = inlined(system.constraints, q).reshaped(held, system.n);
        const ExpressionVector Tv = inlined(system.coordinate_rate, joined(q, v));
        ExpressionVector q_rate = Tv;
        if (system.ni > 0) q_rate += inlined(system.restoring_rate, q);
        const ExpressionVector load =
            inlined(system.inertia_force, joined(q, a)) + product(X.transpose(), p);
        return jacobian_of(
            joined(q_rate, product(X, v), inlined(system.force, joined(q, v, t)), load,
                   inlined(system.constraint_drift, joined(q, Tv, v)), product(X, a)),
            joined(q, v));
      },
      system.nq, system.n, 1, system.n, system.ne + system.m);
}

Tape time_tape(const RecordedSystem& system) {
  return tape_of(
      [&](V q, V v, V t) { return jacobian_of(inlined(system.force, joined(q, v, t)), t); },
      system.nq, system.n, 1);
}

}  // namespace

BalanceDerivatives Balance::derivatives(double t, VectorIn q, VectorIn v, VectorIn a,
                                        VectorIn p) const {
  const Index nq = system_->nq, n = system_->n, held = system_->ne + system_->m;
  MatrixXd all(nq + 2 * n + 3 * held, nq + n);
  derivatives_.made([this] { return derivative_tape(*system_); })(into(all), q, v, std::span(&t, 1),
                                                                  a, p);
  Index next = 0;
  const auto rows = [&](Index count) {
    next += count;
    return all.middleRows(next - count, count);
  };
  // In braces: one after the other.
  return {rows(nq), rows(held), rows(n), rows(n), rows(held), rows(held)};
}

VectorXd Balance::time_derivative(double t, VectorIn q, VectorIn v) const {
  VectorXd f(system_->n);
  in_time_.made([this] { return time_tape(*system_); })(into(f), q, v, std::span(&t, 1));
  return f;
}

}  // namespace rigidlimit
