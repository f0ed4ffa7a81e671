#include "rigidlimit/classical/mechanism.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "rigidlimit/classical/ode_of.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

/// The terms of a mechanism's equations at (t, q, v), during a Recording.
class Terms {
 public:
  Terms(const Mechanism& mechanism, const Expression& t, V q, V v)
      : M(ExpressionMatrix::Zero(mechanism.n, mechanism.n)),
        F(mechanism.n),
        g(mechanism.m),
        t_(ExpressionVector::Constant(1, t)),
        q_(q),
        v_(v) {
    mechanism.mass(q, M);
    mechanism.force(t, q, v, F);
    mechanism.constraint(t, q, g);
    G = jacobian_of(g, q);
  }

  /// g, dg/dt or d²g/dt² along q + v τ + ½ w τ². Only the last uses w.
  ExpressionVector constraint(ConstraintLevel level, V w) const {
    if (level == ConstraintLevel::position) return g;
    const ExpressionVector one = ExpressionVector::Ones(1);
    ExpressionVector rate = tangents_of(g, joined(q_, t_), joined(v_, one));
    if (level == ConstraintLevel::velocity) return rate;
    return tangents_of(rate, joined(q_, v_, t_), joined(v_, w, one));
  }

  /// [M Gᵀ; G 0] x = b of the equations of motion with d²g/dt² = 0; x = (w, λ).
  ExpressionMatrix matrix() const {
    const Index n = F.size(), m = g.size();
    ExpressionMatrix X = ExpressionMatrix::Zero(n + m, n + m);
    X.topLeftCorner(n, n) = M;
    X.topRightCorner(n, m) = G.transpose();
    X.bottomLeftCorner(m, n) = G;
    return X;
  }
  ExpressionVector right_side() const {
    const ExpressionVector rest = ExpressionVector::Zero(F.size());
    return joined(F, -constraint(ConstraintLevel::acceleration, rest));
  }
  ExpressionVector accelerations_and_multipliers() const {
    return solved_by_pivoting(matrix(), right_side());
  }

  ExpressionMatrix M, G;
  ExpressionVector F, g;

 private:
  ExpressionVector t_, q_, v_;
};

/// Index of λ among the unknowns of the DAE.
Index at_lambda(const Mechanism& p) {
  return p.constant_mass ? 2 * p.n : 3 * p.n;
}
Index dae_size(const Mechanism& p) {
  return at_lambda(p) + p.m;
}

void ode_rate(const Mechanism& p, const Expression& t, V y, ExpressionVector& dydt) {
  const Terms at(p, t, y.head(p.n), y.tail(p.n));
  dydt << y.tail(p.n), at.accelerations_and_multipliers().head(p.n);
}

/// ∂f/∂y of it.
ExpressionMatrix ode_jacobian(const Mechanism& p, const Expression& t, V y) {
  const Terms at(p, t, y.head(p.n), y.tail(p.n));
  ExpressionMatrix J = ExpressionMatrix::Zero(2 * p.n, 2 * p.n);
  J.topRightCorner(p.n, p.n).setIdentity();
  J.bottomRows(p.n) = jacobian_of_solution(at.matrix(), at.right_side(), y).topRows(p.n);
  return J;
}

void mechanism_rate(const Mechanism& p, ConstraintLevel level, const Expression& t, V y,
                    ExpressionVector& f) {
  const Terms at(p, t, y.head(p.n), y.segment(p.n, p.n));
  ExpressionVector push = at.F;
  for (Index k = 0; k < p.m; ++k) push -= at.G.row(k).transpose() * y(y.size() - p.m + k);
  f.head(p.n) = y.segment(p.n, p.n);
  if (p.constant_mass) {
    f.segment(p.n, p.n) = push;
    for (Index i = 0; i < p.n; ++i) push(i) /= at.M(i, i);
    f.tail(p.m) = at.constraint(level, push);
  } else {
    const ExpressionVector w = y.segment(2 * p.n, p.n);
    f.segment(p.n, p.n) = w;
    for (Index i = 0; i < p.n; ++i) {
      f(2 * p.n + i) = -push(i);
      for (Index k = 0; k < p.n; ++k) f(2 * p.n + i) += at.M(i, k) * w(k);
    }
    f.tail(p.m) = at.constraint(level, w);
  }
}

/// (q, v, w, λ), or (q, v, λ) with constant mass, of (t, q, v).
Tape completion_tape(const Mechanism& p) {
  return tape_of(
      [&](V t, V y) {
        const ExpressionVector x =
            Terms(p, t(0), y.head(p.n), y.tail(p.n)).accelerations_and_multipliers();
        return joined(y, p.constant_mass ? ExpressionVector(x.tail(p.m)) : x);
      },
      1, 2 * p.n);
}

/// g, dg/dt and d²g/dt² (3 m) of t and the DAE's unknowns.
Tape constraint_tape(const Mechanism& p) {
  return tape_of(
      [&](V t, V y) {
        ExpressionMatrix all(p.m, 3);
        for (const auto level : {ConstraintLevel::position, ConstraintLevel::velocity,
                                 ConstraintLevel::acceleration}) {
          ExpressionVector f(dae_size(p));
          mechanism_rate(p, level, t(0), y, f);
          all.col(static_cast<Index>(level)) = f.tail(p.m);
        }
        return all;
      },
      1, dae_size(p));
}

/// Index of each unknown, as in MassProblemOf::index. With the constraint on positions, its
/// derivative determines the velocities: index 2, as Hairer & Wanner count (VII.4).
std::vector<int> indices(const Mechanism& p, ConstraintLevel level) {
  const int index = 3 - static_cast<int>(level);
  std::vector<int> of(static_cast<std::size_t>(dae_size(p)), index);
  std::fill(of.begin(), of.begin() + 2 * p.n, 0);
  if (index == 3) std::fill(of.begin() + p.n, of.begin() + 2 * p.n, 2);
  return of;
}

MatrixXd singular_mass(const Mechanism& p) {
  MatrixXd mass = MatrixXd::Zero(dae_size(p), dae_size(p));
  mass.diagonal().head(2 * p.n).setOnes();
  if (!p.constant_mass) return mass;
  MatrixXd M(p.n, p.n);
  const Evaluator<double> of_any_q(tape_of(
      [&](V q) {
        ExpressionMatrix recorded = ExpressionMatrix::Zero(p.n, p.n);
        p.mass(q, recorded);
        return recorded;
      },
      p.n));
  of_any_q(into(M), VectorXd(VectorXd::Zero(p.n)));
  mass.diagonal().segment(p.n, p.n) = M.diagonal();
  return mass;
}

}  // namespace

void set_mechanism(ClassicalProblem& problem, const std::shared_ptr<const Mechanism>& mechanism,
                   ConstraintLevel level, const std::vector<PrintedNumber>& start) {
  const Mechanism& p = *mechanism;
  const auto ode = std::make_shared<const RecordedOde>(
      2 * p.n, 0, [&](const Expression& t, V y, V, ExpressionVector& f) { ode_rate(p, t, y, f); },
      [mechanism](const Expression& t, V y) { return ode_jacobian(*mechanism, t, y); });
  const auto dae = std::make_shared<const RecordedOde>(
      dae_size(p), 0,
      [&](const Expression& t, V y, V, ExpressionVector& f) { mechanism_rate(p, level, t, y, f); });
  const Tape completion = completion_tape(p);
  const auto in = [&]<class T>(ClassicalIn<T>& side) {
    VectorX<T> y0(2 * p.n);
    for (Index i = 0; i < 2 * p.n; ++i)
      y0(i) = static_cast<T>(start[static_cast<std::size_t>(i)].value());
    side.ode = ode_of<T>(ode, problem.name, problem.t0, y0);
    side.complete = [completed = std::make_shared<const Evaluator<T>>(completion),
                     size = dae_size(p)](const T& t, VectorInOf<T> y) -> VectorX<T> {
      VectorX<T> all(size);
      (*completed)(into(all), std::span(&t, 1), y);
      return all;
    };
    MassProblemOf<T> with_mass;
    static_cast<OdeProblemOf<T>&>(with_mass) =
        ode_of<T>(dae, problem.name, problem.t0, side.complete(T(problem.t0), y0));
    with_mass.mass = singular_mass(p);
    with_mass.index = indices(p, level);
    side.dae = std::move(with_mass);
  };
  in(problem.real);
  in(problem.quad);
  if (level != ConstraintLevel::position) problem.implicit = implicit_form(*problem.real.dae);
  problem.constraints = [constraints =
                             std::make_shared<const Evaluator<double>>(constraint_tape(p)),
                         count = 3 * p.m](double t, VectorIn y) {
    VectorXd all(count);
    (*constraints)(into(all), std::span(&t, 1), y);
    return all;
  };
}

}  // namespace rigidlimit
