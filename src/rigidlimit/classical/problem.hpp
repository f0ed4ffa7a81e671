// A classical stiff problem: its equations in two precisions, and what has been published about it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/classical/published.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/quad.hpp"

namespace rigidlimit {

/// One initial value problem in the real numbers T. Parameters and coefficients are doubles
/// whatever T is, so that both precisions solve one problem; only initial data that a source gives
/// with more digits, or as the solution of equations, are those of T.
template <class T>
struct ClassicalIn {
  /// The problem as an ODE. Of a DAE: the same motion with its multipliers eliminated by the
  /// constraints on accelerations, in fewer unknowns: another formulation to judge the first by.
  OdeProblemOf<T> ode;

  /// M y' = f(t, y) with singular M, from consistent data; nullopt: the problem is an ODE.
  std::optional<MassProblemOf<T>> dae;

  /// The unknowns of `dae` that belong to those of `ode` at t (accelerations and multipliers follow
  /// from the equations of motion). For an ODE: y.
  std::function<VectorX<T>(const T& t, VectorInOf<T> y)> complete;

  /// The solution at t in closed form, all unknowns; empty: none is known.
  std::function<VectorX<T>(const T& t)> exact;
};

/// What a problem asks of a solver, as its source recommends it or the scale of its components.
struct RecommendedTolerance {
  double rtol = 1e-6;
  std::vector<double> atol;  ///< of each unknown, in its unit
};

/// Made by ClassicalEntry::make.
struct ClassicalProblem {
  std::string name;
  std::vector<std::string> unknowns = {};  ///< names, N
  double t0 = 0.0;
  double end = 0.0;  ///< T, where the published values are
  RecommendedTolerance tolerance = {};

  ClassicalIn<double> real = {};
  ClassicalIn<Quad> quad = {};

  /// quad.ode with the decimal coefficients of the source, which doubles round: the problem that
  /// published values solve (in HIRES the rounding, 1e-16, moves the end by 2e-13). nullopt: they
  /// are integers, or it was not found to matter.
  std::optional<OdeProblemOf<Quad>> as_printed = std::nullopt;

  /// For solvers of 0 = r(t, y, y'), where the index is at most 2.
  std::optional<DaeProblem> implicit = std::nullopt;

  /// Of a DAE: all constraints that hold along a solution, the hidden ones (their first and second
  /// derivatives in time) included. Empty: an ODE.
  std::function<VectorXd(double t, VectorIn y)> constraints = {};

  /// For these parameters; empty: no source is known to us.
  std::vector<PublishedSolution> published = {};

  bool is_dae() const { return real.dae.has_value(); }
  Index size() const { return static_cast<Index>(unknowns.size()); }
};

}  // namespace rigidlimit
