#include "rigidlimit/mechanics/balance.hpp"

#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
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
    return joined(coordinate_rate(q, v), product(X, v), force(q, v, t), load(q, a, p), drift(q, v),
                  product(X, a), gap_and_normal_force(q, v, t));
  }

  Tape terms() const {
    return tape_of(
        [&](V q, V v, V t) {
          const ExpressionMatrix X = rows(q);
          return joined(coordinate_rate(q, v), inlined(system.mass_matrix, q), force(q, v, t), X,
                        product(X, v), drift(q, v), gap_and_normal_force(q, v, t));
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

}  // namespace rigidlimit
