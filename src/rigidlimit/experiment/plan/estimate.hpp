// Estimate of the remaining time of a study from its finished solves.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_costs.hpp"

namespace rigidlimit {

/// The remaining work.
struct Estimate {
  int solves = 0;        ///< not finished
  double seconds = 0.0;  ///< estimated time of those with a finished solve in their group
  int unknown = 0;       ///< the number of the others
};

/// "about 3 h 20 min", "about 45 s": two units, rounded.
std::string duration_text(double seconds);

/// Within a group (one law, method and tolerance) the time of a solve is modelled as a power of ε,
/// s = a ε^(−p): a least-squares line through log s against log ε of the finished solves, with
/// 0 ≤ p ≤ `steepest`. With a single finished solve, p is that of all other groups together, or 0
/// if there is none.
class TimeEstimate {
 public:
  /// `steepest`: largest exponent p. The slowest method is explicit: its steps follow the fastest
  /// rate of the contact, sqrt(C)/ε or D/ε^β, so that p = max(1, β), plus s on [0, T ε^(−s)].
  explicit TimeEstimate(double steepest = 1.0) : steepest_(steepest) {}

  /// Adds a solve of the plan; `epsilon` is NaN if it has none. Returns its number: 0, 1, ….
  std::size_t add(const std::string& group, double epsilon);
  void finish(std::size_t solve, double seconds);
  /// The remaining work with `jobs` solves at a time.
  Estimate left(int jobs = 1) const;
  /// The fitted powers of the groups with a finished solve, with factors that reproduce the total
  /// time of each group: the line through log s would give less where times of one ε differ.
  SolveCosts costs() const;

 private:
  struct Point {
    std::size_t group;
    double x;                       ///< −log ε; 0 without ε
    std::optional<double> seconds;  ///< of a finished solve
  };
  struct Fit {
    double count = 0.0, x = 0.0, y = 0.0;  ///< finished solves; means of x and log s
    double xx = 0.0, xy = 0.0;             ///< sums about the means
  };

  std::vector<Fit> fits() const;
  double slope(double xy, double xx) const;
  double common_slope(const std::vector<Fit>& all) const;

  double steepest_;
  std::map<std::string, std::size_t> groups_;
  std::vector<Point> points_;
};

}  // namespace rigidlimit
