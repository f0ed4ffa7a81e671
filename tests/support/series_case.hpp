// A compliant motion and its expansion, in double and in 113 bits.
#pragma once

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "support/random_state.hpp"

namespace rigidlimit::test {

template <class T>
MotionOf<T> difference(const MotionOf<T>& a, const MotionOf<T>& b) {
  return {.times = a.times, .q = a.q - b.q, .v = a.v - b.v, .lambda = a.lambda - b.lambda};
}

/// Sizes of a motion, or orders, of each of q, v, λ.
struct Errors {
  double q, v, lambda;
};
template <class T>
Errors distance(const MotionOf<T>& a, const MotionOf<T>& b) {
  const MotionOf<T> d = difference(a, b);
  const auto size = [](const auto& x) { return static_cast<double>(x.cwiseAbs().maxCoeff()); };
  return {size(d.q), size(d.v), size(d.lambda)};
}
/// Of errors at `coarse` and `fine`.
inline Errors order_between(const Errors& a, const Errors& b, double coarse, double fine) {
  const double ratio = std::log(coarse / fine);
  return {std::log(a.q / b.q) / ratio, std::log(a.v / b.v) / ratio,
          std::log(a.lambda / b.lambda) / ratio};
}

/// A contact with the damping ratio 0.8, an unloaded start that rolls, on [0, 1].
template <class Sys>
struct SeriesCase {
  static constexpr double end = 1.0;

  System system = make_system(Sys{});
  RandomNumbers random{7};
  InitialState start = rolling_state(system, random);
  ViscoelasticLaw law{MatrixXd::Identity(system.m, system.m), MatrixXd()};
  VectorXd eta0 = VectorXd::Zero(system.m);

  SeriesCase() {
    law.stiffness.diagonal().setLinSpaced(4.0, 5.0);
    damp(0.8);
  }
  void damp(double ratio) {
    law.damping = ratio * critical_damping(delassus(system, start.q), law.stiffness);
  }

  /// The start in T. In Quad the velocity is projected onto rolling, unless the start `slides`.
  template <class T>
  InitialStateOf<T> start_in(bool slides = false) const {
    InitialStateOf<T> given{start.q.cast<T>(), start.v.cast<T>(), start.t};
    if constexpr (std::is_same_v<T, Quad>)
      if (!slides)
        given.v =
            projected_velocity<Quad>(system, contact_basis(system, start.q), given.q, given.v);
    return given;
  }
  template <class T = double>
  SeriesExpansion<T> expansion(int order, bool slides = false) const {
    return {system, start_in<T>(slides), law, eta0, order, end};
  }

  /// The layer and the rest of the motion.
  static std::vector<double> times(double epsilon) {
    std::vector<double> all;
    for (int i = 1; i <= 40; ++i) all.push_back(0.1 * i * epsilon);
    for (int i = 1; i <= 20; ++i) all.push_back(4.0 * epsilon + (end - 4.0 * epsilon) * i / 20.0);
    return all;
  }
  /// By Radau IIA, at relative tolerance 1e-13 in double and 1e-26 in Quad.
  template <class T = double>
  MotionOf<T> compliant(double epsilon, bool slides = false) const {
    const auto problem = compliant_adapted(system, start_in<T>(slides), law, epsilon, eta0);
    const bool quad = std::is_same_v<T, Quad>;
    SolveOptions options;
    options.rtol = quad ? 1e-26 : 1e-13;
    options.atol = quad ? 1e-28 : 1e-15;
    const SolutionOf<T> solution =
        solve_radau_iia(problem.problem, times(epsilon), options, RadauOptions{});
    EXPECT_EQ(solution.outcome, Outcome::success);
    return problem.motion(solution);
  }
};

}  // namespace rigidlimit::test
