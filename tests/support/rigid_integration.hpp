// An accurate rigid motion by extrapolated midpoint steps, a solver only for tests.
#pragma once

#include <array>
#include <functional>

#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit::test {

/// A Gragg step of y' = f(t, y): explicit midpoint sequences of 2, 4, 6, 8 and 10 substeps,
/// extrapolated in h², of order 10.
inline VectorXd gragg_step(const std::function<VectorXd(double, const VectorXd&)>& f, double t,
                           const VectorXd& y, double h) {
  constexpr int rows = 5;
  std::array<VectorXd, rows> table;
  const VectorXd slope = f(t, y);
  for (int j = 0; j < rows; ++j) {
    const int count = 2 * (j + 1);
    const double sub = h / count;
    VectorXd before = y, now = y + sub * slope;
    for (int i = 1; i < count; ++i) {
      VectorXd next = before + 2.0 * sub * f(t + i * sub, now);
      before = std::move(now);
      now = std::move(next);
    }
    table[j] = now;
    for (int k = j - 1; k >= 0; --k) {  // table[k]: from rows k … j, before k … j − 1
      const double ratio = double(count) / (2.0 * (k + 1));
      table[k] = table[k + 1] + (table[k + 1] - table[k]).eval() / (ratio * ratio - 1.0);
    }
  }
  return table[0];
}

/// Integrates q' = T v + restoring, v' from the KKT system, with `steps` steps to `end`, and calls
/// visit(t, state) at the start and after every step.
inline InitialState rigid_integration(
    const System& system, const InitialState& start, double end, int steps,
    const std::function<void(double, const InitialState&)>& visit = {}) {
  const ContactBasis basis = contact_basis(system, start.q);
  const auto rate = [&](double t, const VectorXd& y) {
    const VectorXd q = y.head(system.nq), v = y.tail(system.n);
    VectorXd dydt(y.size()), back(system.nq);
    system.in<double>().coordinate_rate(q, v, dydt.head(system.nq));
    system.in<double>().restoring_rate(q, back);
    dydt.head(system.nq) += back;
    dydt.tail(system.n) = solve_kkt<double>(system, basis, q, v, t).acceleration;
    return dydt;
  };
  VectorXd y(system.nq + system.n);
  y << start.q, start.v;
  const double h = end / steps;
  InitialState state = start;
  if (visit) visit(0.0, state);
  for (int i = 0; i < steps; ++i) {
    y = gragg_step(rate, i * h, y, h);
    state = {y.head(system.nq), y.tail(system.n)};
    if (visit) visit((i + 1) * h, state);
  }
  return state;
}

}  // namespace rigidlimit::test
