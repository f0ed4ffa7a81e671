// A classical stiff problem: its equations in two precisions, and published results.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/quad.hpp"

namespace rigidlimit {

/// A printed decimal number, "-0.4736886750784630e-2".
struct PrintedNumber {
  std::string text;

  Quad value() const;      ///< rounded to 113 bits; throws InputError if the text is not a number
  Quad half_unit() const;  ///< half a unit of the last printed digit: the rounding error
  /// Whether rounding and an error bar explain this distance from it: distance ≤ half_unit() + bar.
  bool explains(const Quad& distance, double bar = 0.0) const;
};

/// The decimal number behind a double: the shortest one that rounds to it, in R = double or Quad.
/// Gives a coefficient as its source prints it.
template <class R>
R as_printed(double coefficient);
template <>
double as_printed(double coefficient);
template <>
Quad as_printed(double coefficient);

/// The values of a solution at the end of the interval, as one source prints them.
struct PublishedSolution {
  std::string source;                 ///< publication, and how it computed them
  std::vector<PrintedNumber> values;  ///< one per unknown; empty text: not given

  /// Digits of each unknown that agree with the certified reference, rounded down, by
  /// agreeing_digits(): a measured property of the source. If it is less than the number of printed
  /// digits, the remaining digits are wrong.
  std::vector<int> confirmed;
};

/// Significant digits to which `ours` and the printed value agree: −log10 |ours − printed| /
/// |printed|, at most the number of printed digits (full agreement: to within half a unit of the
/// last).
double agreeing_digits(const Quad& ours, const PrintedNumber& printed);

/// One initial value problem in the real numbers T. Parameters and coefficients are doubles for
/// every T, so that both precisions solve one problem. Only initial data that a source gives with
/// more digits, or as the solution of equations, are in T.
template <class T>
struct ClassicalIn {
  /// The problem as an ODE. For a DAE: the same motion with its multipliers eliminated by the
  /// constraints on accelerations, in fewer unknowns, as an independent formulation for comparison.
  OdeProblemOf<T> ode;

  /// M y' = f(t, y) with singular M, from consistent data; nullopt: the problem is an ODE.
  std::optional<MassProblemOf<T>> dae;

  /// Maps the unknowns of `ode` at t to those of `dae` (accelerations and multipliers follow from
  /// the equations of motion). For an ODE: y.
  std::function<VectorX<T>(const T& t, VectorInOf<T> y)> complete;

  /// The solution at t in closed form, all unknowns; empty: none is known.
  std::function<VectorX<T>(const T& t)> exact;

  /// Of a piece that follows another one: the state at its start from that at the end of the piece
  /// before. M y is the same, and the constraints hold after the switch. Throws InputError if no
  /// such state is found. Empty: the state is the same.
  std::function<VectorX<T>(VectorInOf<T> before)> begin = {};
};

/// Tolerances recommended by the source of a problem, or by the scale of its components.
struct RecommendedTolerance {
  double rtol = 1e-6;
  std::vector<double> atol;  ///< one per unknown, in its unit
};

/// Made by ClassicalEntry::make.
struct ClassicalProblem {
  std::string name;
  std::vector<std::string> unknowns = {};  ///< names, N
  double t0 = 0.0;
  double end = 0.0;  ///< T, time of the published values
  RecommendedTolerance tolerance = {};

  ClassicalIn<double> real = {};
  ClassicalIn<Quad> quad = {};

  /// quad.ode with the decimal coefficients of the source, which doubles round: the problem of the
  /// published values (in HIRES the rounding, 1e-16, changes the end by 2e-13). nullopt: the
  /// coefficients are integers, or the difference is negligible.
  std::optional<OdeProblemOf<Quad>> as_printed = std::nullopt;

  /// The equations switch at instants: the problems from one instant in (t0, end) to the next, each
  /// with its own t0, end and smooth equations. The y0 of the first one is the start; the others
  /// begin where the one before ends (ClassicalIn::begin). No pieces: there is no instant before
  /// `end`. Empty: the equations never switch.
  std::function<std::vector<ClassicalProblem>(double end)> pieces = {};

  /// For solvers of 0 = r(t, y, y'), if the index is at most 2.
  std::optional<DaeProblem> implicit = std::nullopt;

  /// For a DAE: all constraints that hold along a solution, including the hidden ones (their first
  /// and second time derivatives). Empty: an ODE.
  std::function<VectorXd(double t, VectorIn y)> constraints = {};

  /// Published solutions for these parameters; empty: no source is known.
  std::vector<PublishedSolution> published = {};

  bool is_dae() const { return real.dae.has_value(); }
  Index size() const { return static_cast<Index>(unknowns.size()); }
};

}  // namespace rigidlimit
