// A difference of two motions between its samples: norms with the error of their interpolation.
#pragma once

#include <array>
#include <vector>

#include "rigidlimit/experiment/judge/measure.hpp"

namespace rigidlimit {

/// The size of a difference and its dependence on the samples.
struct CurveSize {
  double value = std::nan("");
  double sampling_error = std::nan("");
};

/// A difference of two motions as a function of time. Between two samples it is the polynomial of
/// degree 7 through the four nearest samples on each side (as many as there are, and on the other
/// side if one side ends). No polynomial crosses one of Windows::events or Windows::breaks: both
/// sides are continued up to that instant, which is the limit there.
///
/// Each interval has an error δ from polynomials P₁, P₃, P₅, P₇ of degree 1, 3, 5 and 7:
///
///   |P₇ − P₅| ≤ |P₅ − P₃|/3          δ = |P₇ − P₅|, three times that with fewer than three samples
///                                     on one side
///   |P₅ − P₃| ≤ |P₃ − P₁|/50         δ = max(|P₇ − P₅|, |P₅ − P₃|): rounding is reached
///   otherwise                         the samples do not resolve the interval: the difference is
///                                     P₁ there, δ = max(4 |P₃ − P₁|, the sum of all three), and
///                                     in an integral the distance from the larger end
///
/// The third case is a corner, a jump, fewer than some five samples a period, or samples at
/// distances of different orders, fewer than three per decade. With fewer nodes the highest degrees
/// that there are take the place of 7, 5 and 3.
class DifferenceCurve {
 public:
  /// Samples at a distance of a few roundings are one sample. Without times, all sizes are NaN.
  DifferenceCurve(Motion difference, Windows windows);

  const Motion& difference() const { return difference_; }

  /// Over the window, whose length is |window|:
  ///
  ///   sup  max_t max_i |d_i|; its error is max (|d_i| + δ_i) − max |d_i|
  ///   l1   1/|window| ∫ Σ_i |d_i| dt
  ///   l2   ( 1/|window| ∫ Σ_i d_i² dt )^(1/2)
  ///
  /// Integrals by Gauss and Lobatto's rule with seven points in each interval; their error sums the
  /// changes of all intervals if the degree of the polynomial is lower by two. In a window with a
  /// single sample, the value there. NaN if the window is empty or a sample in it is missing.
  CurveSize size(const Measure& measure) const;

 private:
  static constexpr Index points = 7;  ///< of Lobatto's rule, both ends of the span included

  /// Part of an interval between two samples: all of it, or the part on one side of a break.
  struct Span {
    double from, to;
    std::vector<Index> nodes{};    ///< of the polynomial, in the order of its degrees
    bool one_sided = false;        ///< fewer than three nodes are on one side
    bool across = false;           ///< the two nodes are on both sides of a break
    bool uneven = false;           ///< a node is far away in lengths of the span
    double at(Index point) const;  ///< the time of a point
  };
  /// One quantity on the spans: a column for each point, a column of `error` for each span.
  struct Values {
    MatrixXd fine, coarse;  ///< d, and its polynomial of the next lower degree
    MatrixXd error;         ///< δ
  };
  class Newton;

  void add_spans(const std::vector<double>& breaks);
  void add_span(double from, double to, Index before, Index first, Index last);
  void evaluate(Index span);
  double top(const MatrixXd& samples, const Span& span, Index row, Index point) const;
  CurveSize sup(const MatrixXd& samples, const Values& values, Window window) const;
  CurveSize mean(const MatrixXd& samples, const Values& values, const Measure& measure) const;

  Motion difference_;
  Windows windows_;
  std::vector<Span> spans_;
  std::array<Values, all_quantities.size()> values_;
};

}  // namespace rigidlimit
