#include "rigidlimit/mechanics/balance_along.hpp"

#include <span>

#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

ExpressionMatrix rows_at(const RecordedSystem& system, V q) {
  return inlined(system.constraints, q).reshaped(system.ne + system.m, system.n);
}

ExpressionVector recorded_residual(const RecordedSystem& system, V t, V q, V v, V x) {
  const Index n = system.n, ne = system.ne;
  const ExpressionVector a = x.head(n), Tv = inlined(system.coordinate_rate, joined(q, v));
  const ExpressionMatrix rows = rows_at(system, q);
  const ExpressionVector force = inlined(system.force, joined(q, v, t)) -
                                 inlined(system.inertia_force, joined(q, a)) -
                                 product(rows.transpose(), x.tail(ne + system.m));
  ExpressionVector held = -inlined(system.constraint_drift, joined(q, Tv, v)) - product(rows, a);
  held.head(ne) -= exact_constraint_recovery * product(rows.topRows(ne), v);
  return joined(force, held);
}

template <class... Part>
VectorXd evaluated(const Evaluator<double>& tape, const Part&... parts) {
  VectorXd results(static_cast<Index>(tape.tape().outputs.size()));
  tape(into(results), parts...);
  return results;
}

std::span<const double> one(const double& number) {
  return {&number, 1};
}

}  // namespace

VectorXd BalanceAlong::residual(double t, VectorIn q, VectorIn v, VectorIn x) const {
  const RecordedSystem& s = *system_;
  const auto& tape = residual_.made([&] {
    return tape_of([&](V t_, V q_, V v_, V x_) { return recorded_residual(s, t_, q_, v_, x_); }, 1,
                   s.nq, s.n, s.n + s.ne + s.m);
  });
  return evaluated(tape, one(t), q, v, x);
}

VectorXd BalanceAlong::residual_rate(double t, VectorIn q, VectorIn v, VectorIn x, double dt,
                                     VectorIn dq, VectorIn dv) const {
  const RecordedSystem& s = *system_;
  const auto& tape = residual_rate_.made([&] {
    return tape_of(
        [&](V t_, V q_, V v_, V x_, V dt_, V dq_, V dv_) {
          return tangents_of(recorded_residual(s, t_, q_, v_, x_), joined(t_, q_, v_),
                             joined(dt_, dq_, dv_));
        },
        1, s.nq, s.n, s.n + s.ne + s.m, 1, s.nq, s.n);
  });
  return evaluated(tape, one(t), q, v, x, one(dt), dq, dv);
}

VectorXd BalanceAlong::residual_second_rate(double t, VectorIn q, VectorIn v, VectorIn x,
                                            VectorIn q_rate, VectorIn v_rate, VectorIn x_rate,
                                            VectorIn q_second, VectorIn v_second) const {
  const RecordedSystem& s = *system_;
  const Index held = s.n + s.ne + s.m;
  const auto& tape = residual_second_rate_.made([&] {
    return tape_of(
        [&](V t_, V q_, V v_, V x_, V q1, V v1, V x1, V q2, V v2) {
          const ExpressionVector unit = ExpressionVector::Ones(1);
          const ExpressionVector rate =
              tangents_of(recorded_residual(s, t_, q_, v_, x_), joined(t_, q_, v_, x_),
                          joined(unit, q1, v1, x1));
          return tangents_of(rate, joined(t_, q_, v_, x_, q1, v1),
                             joined(unit, q1, v1, x1, q2, v2));
        },
        1, s.nq, s.n, held, s.nq, s.n, held, s.nq, s.n);
  });
  return evaluated(tape, one(t), q, v, x, q_rate, v_rate, x_rate, q_second, v_second);
}

VectorXd BalanceAlong::coordinate_rate_change(VectorIn q, VectorIn v, VectorIn dq,
                                              VectorIn dv) const {
  const RecordedSystem& s = *system_;
  const auto& tape = coordinate_rate_change_.made([&] {
    return tape_of(
        [&](V q_, V v_, V dq_, V dv_) {
          return tangents_of(inlined(s.coordinate_rate, joined(q_, v_)), joined(q_, v_),
                             joined(dq_, dv_));
        },
        s.nq, s.n, s.nq, s.n);
  });
  return evaluated(tape, q, v, dq, dv);
}

VectorXd BalanceAlong::restoring_rate_change(VectorIn q, VectorIn dq) const {
  const RecordedSystem& s = *system_;
  const auto& tape = restoring_rate_change_.made([&] {
    return tape_of([&](V q_, V dq_) { return tangents_of(inlined(s.restoring_rate, q_), q_, dq_); },
                   s.nq, s.nq);
  });
  return evaluated(tape, q, dq);
}

VectorXd BalanceAlong::momentum_rate(double t, VectorIn q, VectorIn v, VectorIn s, VectorIn nu,
                                     VectorIn dq) const {
  const RecordedSystem& of = *system_;
  const auto& tape = momentum_rate_.made([&] {
    return tape_of(
        [&](V t_, V q_, V v_, V s_, V nu_, V dq_) -> ExpressionMatrix {
          const ExpressionVector momentum =
              inlined(of.inertia_force, joined(q_, s_)) + product(rows_at(of, q_).transpose(), nu_);
          return tangents_of(inlined(of.force, joined(q_, v_, t_)), v_, s_) +
                 tangents_of(momentum, q_, dq_);
        },
        1, of.nq, of.n, of.n, of.ne + of.m, of.nq);
  });
  return evaluated(tape, one(t), q, v, s, nu, dq);
}

VectorXd BalanceAlong::energy_change(VectorIn q, VectorIn v, VectorIn dq) const {
  const RecordedSystem& s = *system_;
  const auto& tape = energy_change_.made([&] {
    return tape_of(
        [&](V q_, V v_, V dq_) {
          return tangents_of(
              joined(inlined(s.potential, q_), inlined(s.inertia_force, joined(q_, v_))), q_, dq_);
        },
        s.nq, s.n, s.nq);
  });
  return evaluated(tape, q, v, dq);
}

}  // namespace rigidlimit
