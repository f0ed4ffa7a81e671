// Matchers for GoogleTest: gates on the convergence of any computation, from plain vectors.
//
//   #include "rigidlimit/testing/gtest.hpp"
//   using namespace rigidlimit::testing;
//
//   TEST(Midpoint, ConvergesWithOrderTwo) {
//     ErrorSeries series{.name = "midpoint rule"};
//     for (const double h : {0.1, 0.05, 0.025, 0.0125}) {
//       series.epsilons.push_back(h);                    // any order
//       series.errors.push_back(error_of_midpoint(h));   // NaN where it failed
//       series.floors.push_back(1e-14);                  // error bar; leave empty for exact errors
//     }
//     EXPECT_THAT(series, ConvergesWithOrder(2).within(0.05));
//     EXPECT_THAT(series, StaysBelow(0.042, 2).on(0.01, 0.1));   // error ≤ 0.042 h²
//     EXPECT_THAT(series, SolverErrorStaysBelow(1e-12));
//   }
//
// A failed match prints the series as a table, with the failing rows marked, and the reason.
// Vectors that do not form a series (unequal lengths, ε not > 0 or repeated, a negative error)
// throw std::invalid_argument. GoogleTest reports it as a failure of the test, under Not() as well.
//
// Needs the modules convergence/ and testing/, fmt and gmock 1.12: CMake target
// rigidlimit::testing. Floors, evidence and verdicts are defined in convergence/orders.hpp and
// verdict.hpp.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rigidlimit/convergence/bound.hpp"
#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/convergence/ratio.hpp"
#include "rigidlimit/convergence/tables.hpp"
#include "rigidlimit/convergence/verdict.hpp"

namespace rigidlimit::testing {

/// Errors e(ε), in any order of ε. ε is the refined parameter, for instance a step size.
struct ErrorSeries {
  std::vector<double> epsilons{};  ///< > 0, distinct
  std::vector<double>
      errors{};  ///< ≥ 0, one per ε; not finite: the row failed, and no claim matches
  std::vector<double> floors{};  ///< ≥ 0: error bars of the errors, for instance the solver error;
                                 ///< NaN: unknown; empty: 0
  std::string name{};  ///< for the failure text
};

/// Measured over predicted values r(ε), in any order of ε.
struct RatioSeries {
  std::vector<double> epsilons{};  ///< > 0, distinct
  std::vector<double> ratios{};    ///< one per ε; not finite: the row failed, and no claim matches
  std::vector<double> floors{};    ///< uncertainty of each ratio, as above
  std::string name{};              ///< for the failure text
};

namespace detail {

inline void require_lengths(const std::string& name, std::size_t epsilons, std::size_t values,
                            std::size_t floors) {
  if (values != epsilons || (floors != 0 && floors != epsilons))
    throw std::invalid_argument(fmt::format("series '{}': {} epsilons, {} values, {} floors", name,
                                            epsilons, values, floors));
}

/// The rows by decreasing ε. The judges reject a NaN among the ε, which has no position.
template <class Point>
std::vector<Point> sorted_points(const std::string& name, const std::vector<double>& epsilons,
                                 const std::vector<double>& values,
                                 const std::vector<double>& floors) {
  require_lengths(name, epsilons.size(), values.size(), floors.size());
  std::vector<Point> points;
  for (std::size_t k = 0; k < epsilons.size(); ++k)
    points.push_back({epsilons[k], values[k], floors.empty() ? 0.0 : floors[k], true});
  if (std::ranges::none_of(epsilons, [](double e) { return std::isnan(e); }))
    std::ranges::stable_sort(points, std::greater{}, &Point::epsilon);
  return points;
}

inline std::vector<SeriesPoint> points_of(const ErrorSeries& s) {
  return sorted_points<SeriesPoint>(s.name, s.epsilons, s.errors, s.floors);
}
inline std::vector<RatioPoint> points_of(const RatioSeries& s) {
  return sorted_points<RatioPoint>(s.name, s.epsilons, s.ratios, s.floors);
}

template <class Series>
void print(const Series& series, std::ostream* out) {
  *out << (series.name.empty() ? "a series" : series.name) << " of " << series.epsilons.size()
       << " ε";
}

}  // namespace detail

inline void PrintTo(const ErrorSeries& series, std::ostream* out) {
  detail::print(series, out);
}
inline void PrintTo(const RatioSeries& series, std::ostream* out) {
  detail::print(series, out);
}

/// The error falls with one order over the smallest ε, and this order is p ± within: verdict
/// `confirmed` of judge() (convergence/verdict.hpp). An order that is too high does not match
/// either, except with ConvergesWithOrder::at_least(p), which matches every order ≥ p − within.
class ConvergesWithOrder {
 public:
  using is_gtest_matcher = void;  ///< for GoogleTest

  /// The expected order p.
  explicit ConvergesWithOrder(double order) : expected_{.order = order} {}
  /// The least expected order p.
  [[nodiscard]] static ConvergesWithOrder at_least(double order) {
    ConvergesWithOrder claim(order);
    claim.expected_.at_least = true;
    return claim;
  }
  /// With another tolerance than 0.05.
  [[nodiscard]] ConvergesWithOrder within(double tolerance) const {
    ConvergesWithOrder copy = *this;
    copy.expected_.within = tolerance;
    return copy;
  }

  /// Judges the series and prints its rows.
  bool MatchAndExplain(const ErrorSeries& series, ::testing::MatchResultListener* out) const {
    const std::vector<SeriesPoint> points = detail::points_of(series);
    const Judgement found = judge(points, expected_);
    const bool confirmed = found.verdict == Verdict::confirmed;
    *out << "which is " << name_of(found.verdict) << ": " << found.reason << "\n"
         << table_of(points, expected_, confirmed) << "\n"
         << advice(found);
    return confirmed;
  }
  /// The claim in words.
  void DescribeTo(std::ostream* out) const {
    *out << "converges with order " << text_of(expected_);
  }
  /// Its negation in words.
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not converge with order " << text_of(expected_);
  }

 private:
  Expectation expected_;
};

/// error + floor ≤ K ε^p in every row (of an interval in ε, if given): judge_bound()
/// (convergence/bound.hpp). An undecided row, within its error bar, does not match.
class StaysBelow {
 public:
  using is_gtest_matcher = void;  ///< for GoogleTest

  /// K and p.
  StaysBelow(double constant, double power) : bound_{.constant = constant, .power = power} {}
  /// For the ε of [from, to] only; the ends in either order.
  [[nodiscard]] StaysBelow on(double from, double to) const {
    StaysBelow copy = *this;
    copy.bound_.from = from;
    copy.bound_.to = to;
    return copy;
  }

  /// Judges the series and prints its rows.
  bool MatchAndExplain(const ErrorSeries& series, ::testing::MatchResultListener* out) const {
    return explain(detail::points_of(series), bound_, "error", *out);
  }
  /// The claim in words.
  void DescribeTo(std::ostream* out) const { *out << "stays below " << text_of(bound_); }
  /// Its negation in words.
  void DescribeNegationTo(std::ostream* out) const {
    *out << "does not stay below " << text_of(bound_);
  }

 private:
  friend class SolverErrorStaysBelow;

  static bool explain(const std::vector<SeriesPoint>& points, const Bound& bound,
                      const std::string& what, ::testing::MatchResultListener& out) {
    const BoundJudgement found = judge_bound(points, bound, what);
    if (found.worst)
      out << "which is " << name_of(found.state)
          << fmt::format(" at ε = {:.4g}: ", points[*found.worst].epsilon);
    out << found.reason << "\n" << table_of(points, bound, found, what);
    return found.held();
  }

  Bound bound_;
};

/// Every floor is known and ≤ ceiling: the solver is accurate enough whatever the model errors are.
/// A series without floors does not match.
class SolverErrorStaysBelow {
 public:
  using is_gtest_matcher = void;  ///< for GoogleTest

  /// The ceiling, in units of the error.
  explicit SolverErrorStaysBelow(double ceiling) : ceiling_(ceiling) {}

  /// Judges the series and prints its rows.
  bool MatchAndExplain(const ErrorSeries& series, ::testing::MatchResultListener* out) const {
    std::vector<SeriesPoint> points = detail::points_of(series);
    for (SeriesPoint& p : points) {
      p.error = series.floors.empty() ? std::numeric_limits<double>::quiet_NaN() : p.floor;
      p.floor = 0.0;
    }
    return StaysBelow::explain(points, {.constant = ceiling_}, "solver error", *out);
  }
  /// The claim in words.
  void DescribeTo(std::ostream* out) const {
    *out << fmt::format("has solver errors up to {:g} at most", ceiling_);
  }
  /// Its negation in words.
  void DescribeNegationTo(std::ostream* out) const {
    *out << fmt::format("has a solver error above {:g}", ceiling_);
  }

 private:
  double ceiling_;
};

/// measured / predicted tends to `target`: verdict `confirmed` of judge_ratio()
/// (convergence/ratio.hpp).
class RatioTendsTo {
 public:
  using is_gtest_matcher = void;  ///< for GoogleTest

  /// The limit, and the tolerance on the ratio at the smallest ε.
  explicit RatioTendsTo(double target, double within = 1e-3)
      : target_{.target = target, .within = within} {}

  /// Judges the series and prints its rows.
  bool MatchAndExplain(const RatioSeries& series, ::testing::MatchResultListener* out) const {
    const std::vector<RatioPoint> points = detail::points_of(series);
    const RatioJudgement found = judge_ratio(points, target_);
    const bool confirmed = found.verdict == Verdict::confirmed;
    *out << "which is " << name_of(found.verdict) << ": " << found.reason << "\n"
         << table_of(points, target_, confirmed);
    return confirmed;
  }
  /// The claim in words.
  void DescribeTo(std::ostream* out) const {
    *out << fmt::format("tends to {:g} ± {:g}", target_.target, target_.within);
  }
  /// Its negation in words.
  void DescribeNegationTo(std::ostream* out) const {
    *out << fmt::format("does not tend to {:g} ± {:g}", target_.target, target_.within);
  }

 private:
  RatioTarget target_;
};

}  // namespace rigidlimit::testing
