// A Mechanism as a ClassicalProblem.
#pragma once

#include "rigidlimit/classical/mechanism.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {

/// (q, v, w, λ), or (q, v, λ) with constant mass, of the motion through y = (q, v) at t.
template <class T, Mechanism P>
VectorX<T> completed(const P& p, const T& t, VectorInOf<T> y) {
  constexpr int n = P::n;
  VectorX<T> all(MechanismDae<P>::size);
  Numbers<T, P::n> w;
  Numbers<T, P::m> lambda;
  accelerations_and_multipliers(p, t, y.data(), y.data() + n, w.data(), lambda.data());
  T* out = std::copy(y.data(), y.data() + 2 * n, all.data());
  if (!P::constant_mass) out = std::copy(w.begin(), w.end(), out);
  std::copy(lambda.begin(), lambda.end(), out);
  return all;
}

/// g, dg/dt and d²g/dt² (3 m) at the DAE's unknowns.
template <Mechanism P>
VectorXd all_constraints(const P& p, double t, VectorIn y) {
  constexpr int m = P::m;
  VectorXd all(3 * m), f(MechanismDae<P>::size);
  for (int k = 0; k < 3; ++k) {
    const auto level = static_cast<ConstraintLevel>(k);
    MechanismDae<P>{p, level}.rate(t, y.data(), f.data());
    all.segment(k * m, m) = f.tail(m);
  }
  return all;
}

/// Of each unknown, as MassProblemOf::index says. With the constraint on positions the velocities
/// are determined by its derivative: index 2, as Hairer & Wanner count (VII.4).
template <Mechanism P>
std::vector<int> indices(ConstraintLevel level) {
  const int index = 3 - static_cast<int>(level);
  std::vector<int> of(MechanismDae<P>::size, index);
  std::fill(of.begin(), of.begin() + 2 * P::n, 0);
  if (index == 3) std::fill(of.begin() + P::n, of.begin() + 2 * P::n, 2);
  return of;
}

template <Mechanism P>
MatrixXd singular_mass(const P& p) {
  constexpr int n = P::n;
  MatrixXd mass = MatrixXd::Zero(MechanismDae<P>::size, MechanismDae<P>::size);
  mass.diagonal().head(2 * n).setOnes();
  if (!P::constant_mass) return mass;
  Numbers<double, P::n> anywhere{};
  Numbers<double, static_cast<std::size_t>(n) * P::n> M;
  p.mass(anywhere.data(), M.data());
  for (int i = 0; i < n; ++i) mass(n + i, n + i) = M[static_cast<std::size_t>(i * n + i)];
  return mass;
}

/// 0 = M y' − f(t, y), for solvers of that form. The rates of algebraic unknowns do not occur in it
/// and are 0 in yp0.
inline DaeProblem implicit_form(const MassProblemOf<double>& problem) {
  DaeProblem implicit;
  implicit.name = problem.name;
  implicit.t0 = problem.t0;
  implicit.y0 = problem.y0;
  const Index size = problem.y0.size();
  VectorXd f(size);
  problem.rhs(problem.t0, problem.y0, f);
  implicit.yp0 = VectorXd::Zero(size);
  for (Index i = 0; i < size; ++i) {
    implicit.differential.push_back(problem.mass(i, i) != 0.0);
    if (implicit.differential.back()) implicit.yp0(i) = f(i) / problem.mass(i, i);
  }
  implicit.residual = [problem](double t, VectorIn y, VectorIn yp, VectorOut r) {
    problem.rhs(t, y, r);
    r = problem.mass.diagonal().cwiseProduct(yp) - r;
  };
  implicit.jacobian = [problem](double t, VectorIn y, VectorIn, double alpha, MatrixOut J) {
    problem.jacobian(t, y, J);
    J = -J;
    J.diagonal() += alpha * problem.mass.diagonal();
  };
  implicit.algebraic_variables_untested =
      *std::max_element(problem.index.begin(), problem.index.end()) == 2;
  return implicit;
}

/// Writes the equations of a mechanism that starts at `start` = (q, v), texts of numbers that are
/// right to 113 bits or exact; w and λ follow from them.
template <Mechanism P>
void set_mechanism(ClassicalProblem& problem, const P& p, ConstraintLevel level,
                   const std::vector<PrintedNumber>& start) {
  const auto in = [&]<class T>(ClassicalIn<T>& side) {
    VectorX<T> y0(2 * P::n);
    for (int i = 0; i < 2 * P::n; ++i)
      y0(i) = static_cast<T>(start[static_cast<std::size_t>(i)].value());
    side.ode = ode_of<T>(MechanismOde<P>{p}, problem.name, problem.t0, y0);
    side.complete = [p](const T& t, VectorInOf<T> y) { return completed<T>(p, t, y); };
    MassProblemOf<T> dae;
    static_cast<OdeProblemOf<T>&>(dae) = ode_of<T>(MechanismDae<P>{p, level}, problem.name,
                                                   problem.t0, side.complete(T(problem.t0), y0));
    dae.mass = singular_mass(p);
    dae.index = indices<P>(level);
    side.dae = std::move(dae);
  };
  in(problem.real);
  in(problem.quad);
  if (level != ConstraintLevel::position) problem.implicit = implicit_form(*problem.real.dae);
  problem.constraints = [p](double t, VectorIn y) { return all_constraints(p, t, y); };
}

}  // namespace rigidlimit
