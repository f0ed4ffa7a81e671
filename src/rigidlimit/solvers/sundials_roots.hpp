// The root functions of a problem as CVODE and IDA ask for them, and what the problem is told.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/solvers/root_watch.hpp"

namespace rigidlimit::sundials {

/// Both libraries wait for the first sign of a function that is exactly zero where they start. One
/// that has just crossed is zero but for rounding. It is shown to them with the sign that it has
/// taken; where the state has jumped it may turn back, and is shown as zero until it is four times
/// as large as it was at the root. A function that only comes to zero, as friction does without a
/// normal force, keeps the sign that it had: for the libraries every exact zero is a root.
///
/// They would look for the sign themselves, once, by a line from the root: where a force decays
/// within 1e-8 s CVODE then takes it for the old one, and locates the same crossing again and again
/// 1e-15 s apart (5 789 roots for 15 of the wheel against the curb, ε = 1e-3, atol 1e-8); IDA goes
/// along the line as far as if its first step took a second.
class LibraryRoots {
 public:
  /// As RootWatch's.
  LibraryRoots(const std::string& name, std::shared_ptr<const RootFunctions> roots);

  bool active() const { return watch_.active(); }
  int count() const { return static_cast<int>(roots_->count); }
  std::vector<int> directions() const;  ///< one a function

  /// A solve begins at (t, y).
  void begin(double t, VectorIn y) { watch_.begin(t, y); }
  /// Writes the functions at (t, y); false: one is not finite.
  bool write(double t, VectorIn y, double* values);
  /// Tells the problem of a root that the library has located, `crossed` as RootFunctions::reached.
  /// The library is to start anew there. false: the solve ends.
  bool tell(double t, const std::vector<int>& crossed, VectorOut y);

  const std::vector<Root>& roots() const { return watch_.roots(); }
  std::string message() const { return watch_.message(); }

 private:
  std::shared_ptr<const RootFunctions> roots_;
  RootWatch watch_;
  double told_at_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> crossed_;  ///< at told_at_
  VectorXd noise_;            ///< what is left of the functions there
  int looks_ = 0;             ///< since then; the second is that along a line
  std::vector<int> signs_;    ///< last shown; 0: none yet
};

}  // namespace rigidlimit::sundials
