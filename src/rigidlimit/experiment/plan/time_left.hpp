// Estimate of the time that the remaining solves of a run take.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

/// Name of the solves that differ in ε alone: "compliant viscoelastic cvode_bdf adapted tighter".
std::string label_of(const SolveIdentity& solve);

/// Seconds of processor time of the solves that remain. The solves that differ in ε alone form a
/// group, of which the time is taken as c ε^(-p):
///
///     log s = log c - p log ε,   0 <= p <= 2,
///
/// by least squares with a weak pull to p = 1/4: the solves of an explicit method take 1/ε steps,
/// and the smallest ε, which is solved first, takes most of the time. Of a group the last solves
/// count, two for each ε, since the time may change over the points of a sweep. A group of one ε
/// has the mean of all. The cost of an estimate is that of the values of ε, not of the solves.
class TimeLeft {
 public:
  void plan(const SolveIdentity& solve) { count(solve, 1); }
  /// A planned solve took `seconds` of processor time.
  void add(const SolveIdentity& solve, double seconds);
  /// A planned solve was found in the archive.
  void skip(const SolveIdentity& solve) { count(solve, -1); }

  /// Of the remaining solves over that of the finished ones. nullopt: less than a tenth of the time
  /// has passed, or groups with a tenth of the remaining solves have too few solved ones: less than
  /// a tenth of theirs, or of three ε. Groups with fewer get the mean of all solves.
  std::optional<double> left_over_done() const;

 private:
  struct Group {
    std::map<double, int> planned;  ///< remaining solves by ε; 0: a solve without ε
    int remaining = 0;              ///< the sum of `planned`
    int solved = 0;
    double seconds = 0.0;                         ///< of the solved ones
    std::set<double> epsilons;                    ///< likewise
    std::vector<std::pair<double, double>> last;  ///< ε and seconds of the last ones
  };
  static double epsilon_of(const SolveIdentity& solve) {
    return std::isnan(solve.epsilon) ? 0.0 : solve.epsilon;
  }
  /// Changes the number of remaining solves.
  Group& count(const SolveIdentity& solve, int change);
  static std::optional<double> seconds_left(const Group& group);

  std::map<std::string, Group> groups_;
};

}  // namespace rigidlimit
