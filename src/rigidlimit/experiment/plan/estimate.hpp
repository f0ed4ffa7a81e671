// How long the rest of a study will take, from the solves that are done.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rigidlimit {

/// What is left to do.
struct Estimate {
  int solves = 0;        ///< not finished
  double seconds = 0.0;  ///< that those take whose time can be guessed
  int unknown = 0;       ///< those of groups of which none is finished
};

/// "about 3 h 20 min", "about 45 s"; two units, rounded: it is no more than a guess.
std::string duration_text(double seconds);

/// Within a group (one law, method and tolerance) the time of a solve is taken as a power of ε,
/// s = a ε^(−p): the line of least squares through log s against log ε of those that are finished,
/// with 0 ≤ p ≤ `steepest`. One solve tells no p: then that of all other groups together is taken,
/// and 0 where there is none.
class TimeEstimate {
 public:
  /// A smaller ε is not cheaper. The dearest method is an explicit one, whose steps go with the
  /// fastest rate of the contact: sqrt(C)/ε or D/ε^β, so p = max(1, β), and s more on [0, T
  /// ε^(−s)].
  explicit TimeEstimate(double steepest = 1.0) : steepest_(steepest) {}

  /// A solve of the plan; `epsilon` is NaN where there is none. Returns its number: 0, 1, ….
  std::size_t add(const std::string& group, double epsilon);
  void finish(std::size_t solve, double seconds);
  /// With so many solves at a time.
  Estimate left(int jobs = 1) const;

 private:
  struct Point {
    std::size_t group;
    double x;                       ///< −log ε; 0 where there is no ε
    std::optional<double> seconds;  ///< of a finished solve
  };
  struct Fit {
    double count = 0.0, x = 0.0, y = 0.0;  ///< finished; means of x and log s
    double xx = 0.0, xy = 0.0;             ///< sums about the means
  };

  std::vector<Fit> fits() const;

  double steepest_;
  std::map<std::string, std::size_t> groups_;
  std::vector<Point> points_;
};

}  // namespace rigidlimit
