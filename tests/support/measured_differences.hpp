// Measured compliant − rigid motion, as a reference for the expansion.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit::test {

/// The differences at each ε on separate times: 33 on [0, T] and 81 in the layer, t ≤ 20 ε.
struct MeasuredDifferences {
  double end = 0.0;
  std::vector<double> epsilons;     ///< decreasing
  std::vector<double> grid;         ///< the times of all ε together
  std::vector<Motion> differences;  ///< one for each ε
};

/// Fehlberg's pair at rtol 1e-12. For these ε (≥ 2^-9) the problem is not yet stiff, and the
/// solver's error, below 1e-10, is a thousandth of ε³.
inline Solution tight_solve(const OdeProblem& problem, const std::vector<double>& times) {
  const SolveOptions options{.rtol = 1e-12, .atol = 1e-14, .stop_requested = {}};
  Solution solution = find_ode_method("runge_kutta_fehlberg78")->solve(problem, times, options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  return solution;
}

/// The rigid motion by the KKT system, with the Λ that a start from eta0 selects. It shares no
/// derivatives with the expansion.
inline Motion rigid_motion(const System& system, const InitialState& start,
                           const ViscoelasticLaw& law, const VectorXd& eta0,
                           const std::vector<double>& times) {
  const Index nq = system.nq, n = system.n;
  const ContactBasis basis = contact_basis(system, start.q);
  OdeProblem ode;
  ode.y0.resize(nq + n);
  ode.y0 << start.q, start.v;
  ode.rhs = [&](double t, VectorIn y, VectorOut f) {
    system.in<double>().coordinate_rate(y.head(nq), y.tail(n), f.head(nq));
    f.tail(n) = solve_kkt<double>(system, basis, y.head(nq), y.tail(n), t).acceleration;
  };
  const Solution solution = tight_solve(ode, times);
  Motion motion{.times = times,
                .q = solution.states.topRows(nq),
                .v = solution.states.bottomRows(n),
                .lambda = MatrixXd(system.m, solution.states.cols())};
  for (Index k = 0; k < motion.q.cols(); ++k)
    motion.lambda.col(k) = selected_multiplier(
        basis, law.stiffness, eta0,
        solve_kkt<double>(system, basis, motion.q.col(k), motion.v.col(k), times[std::size_t(k)])
            .multiplier);
  return motion;
}

/// The compliant motion in (q, v, η) with E v = 0 differentiated (docs/theory.md, section 1).
class CompliantByHand {
 public:
  CompliantByHand(const System& system, const ViscoelasticLaw& law, double epsilon)
      : system_(system), law_(law), epsilon_(epsilon) {}

  /// λ = C η + D G v/ε at y = (q, v, η).
  VectorXd contact_force(VectorIn y) const {
    return law_.stiffness * y.tail(system_.m) + law_.damping * sliding(y) / epsilon_;
  }
  void rate(double t, VectorIn y, VectorOut f) const {
    const Index nq = system_.nq, n = system_.n, ne = system_.ne, m = system_.m;
    const VectorXd q = y.head(nq), v = y.segment(nq, n);
    const Equations<double>& equations = system_.in<double>();
    VectorXd force(n), drift(ne + m), q_rate(nq), a(n);
    equations.coordinate_rate(q, v, q_rate);
    equations.force(q, v, t, force);
    equations.constraint_drift(q, q_rate, v, drift);
    Inertia<double> inertia;
    inertia.compute(system_, q);
    inertia.solve(force - rows(q).bottomRows(m).transpose() * contact_force(y), -drift.head(ne), a);
    f << q_rate, a, sliding(y) / (epsilon_ * epsilon_);
  }

 private:
  MatrixXd rows(const VectorXd& q) const {
    MatrixXd all(system_.ne + system_.m, system_.n);
    system_.in<double>().constraints(q, all);
    return all;
  }
  VectorXd sliding(VectorIn y) const {
    return rows(y.head(system_.nq)).bottomRows(system_.m) * y.segment(system_.nq, system_.n);
  }

  const System& system_;
  const ViscoelasticLaw& law_;
  double epsilon_;
};

inline Motion compliant_motion(const System& system, const InitialState& start,
                               const ViscoelasticLaw& law, double epsilon, const VectorXd& eta0,
                               const std::vector<double>& times) {
  const Index nq = system.nq, n = system.n, m = system.m;
  const CompliantByHand equations(system, law, epsilon);
  OdeProblem ode;
  ode.y0.resize(nq + n + m);
  ode.y0 << start.q, start.v, eta0;
  ode.rhs = [&](double t, VectorIn y, VectorOut f) { equations.rate(t, y, f); };
  const Solution solution = tight_solve(ode, times);
  Motion motion{.times = times,
                .q = solution.states.topRows(nq),
                .v = solution.states.middleRows(nq, n),
                .lambda = MatrixXd(m, solution.states.cols())};
  for (Index k = 0; k < motion.q.cols(); ++k)
    motion.lambda.col(k) = equations.contact_force(solution.states.col(k));
  return motion;
}

inline Motion difference(const Motion& a, const Motion& b) {
  return {.times = a.times, .q = a.q - b.q, .v = a.v - b.v, .lambda = a.lambda - b.lambda};
}

/// The grid of an ε. ε and `end` are dyadic, so that the times of several ε coincide exactly.
inline std::vector<double> layered_times(double end, double epsilon) {
  std::vector<double> times;
  for (int k = 0; k <= 32; ++k) times.push_back(end * k / 32.0);
  for (int k = 1; k <= 80 && epsilon * k / 4.0 < end; ++k) times.push_back(epsilon * k / 4.0);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

inline MeasuredDifferences measure(const System& system, const InitialState& start,
                                   const ViscoelasticLaw& law, const VectorXd& eta0, double end,
                                   const std::vector<double>& epsilons) {
  MeasuredDifferences measured{.end = end, .epsilons = epsilons, .grid = {}, .differences = {}};
  for (const double epsilon : epsilons) {
    const std::vector<double> times = layered_times(end, epsilon);
    measured.grid.insert(measured.grid.end(), times.begin(), times.end());
    measured.differences.push_back(
        difference(compliant_motion(system, start, law, epsilon, eta0, times),
                   rigid_motion(system, start, law, eta0, times)));
  }
  std::sort(measured.grid.begin(), measured.grid.end());
  measured.grid.erase(std::unique(measured.grid.begin(), measured.grid.end()), measured.grid.end());
  return measured;
}

/// One number each for q, v and λ.
struct Triple {
  double q, v, lambda;
};

/// Sup norms over t > cut (cut < 0: all t).
inline Triple sup_norms(const Motion& motion, double cut) {
  const auto first = std::upper_bound(motion.times.begin(), motion.times.end(), cut);
  const Index count = motion.times.end() - first;
  return {motion.q.rightCols(count).cwiseAbs().maxCoeff(),
          motion.v.rightCols(count).cwiseAbs().maxCoeff(),
          motion.lambda.rightCols(count).cwiseAbs().maxCoeff()};
}

using Approximation = std::function<Motion(double epsilon, const std::vector<double>& times)>;

/// The sup norms of measured − approximation at ε number k.
inline Triple remainder(const MeasuredDifferences& measured, std::size_t k,
                        const Approximation& approximation, double cut) {
  const Motion& found = measured.differences[k];
  return sup_norms(difference(found, approximation(measured.epsilons[k], found.times)), cut);
}

/// log of the ratio of the last two remainders over the log of the ratio of their ε.
inline Triple remainder_orders(const MeasuredDifferences& measured,
                               const Approximation& approximation, double cut) {
  const std::size_t last = measured.epsilons.size() - 1;
  const Triple coarse = remainder(measured, last - 1, approximation, cut);
  const Triple fine = remainder(measured, last, approximation, cut);
  const double step = std::log(measured.epsilons[last - 1] / measured.epsilons[last]);
  return {std::log(coarse.q / fine.q) / step, std::log(coarse.v / fine.v) / step,
          std::log(coarse.lambda / fine.lambda) / step};
}

}  // namespace rigidlimit::test
