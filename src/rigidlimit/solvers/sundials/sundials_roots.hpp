// Adapter of a problem's root functions for IDA.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/solvers/root_watch.hpp"

namespace rigidlimit::sundials {

/// IDA waits for the first sign of a function that is exactly zero at its start. A function that
/// has just crossed is zero up to rounding. IDA receives it with its new sign. If the state has
/// jumped, it may turn back, and is passed as zero until it is four times as large as at the root.
/// A function that only reaches zero, as friction does without a normal force, keeps its old sign,
/// because IDA treats every exact zero as a root.
///
/// IDA would determine the sign once, by a line from the root, along which it extrapolates as if
/// its first step took a second.
class LibraryRoots {
 public:
  /// As the constructor of RootWatch.
  LibraryRoots(const std::string& name, std::shared_ptr<const RootFunctions> roots);

  bool active() const { return watch_.active(); }
  int count() const { return static_cast<int>(roots_->count); }
  std::vector<int> directions() const;  ///< one per function

  /// Starts a solve at (t, y).
  void begin(double t, VectorIn y) { watch_.begin(t, y); }
  /// Writes the functions at (t, y); false: one is not finite.
  bool write(double t, VectorIn y, double* values);
  /// Reports a root located by the library to the problem, `crossed` as in RootFunctions::reached.
  /// The library must restart there. false: the solve ends.
  bool report(double t, const std::vector<int>& crossed, VectorOut y);

  const std::vector<Root>& roots() const { return watch_.roots(); }
  std::string message() const { return watch_.message(); }

 private:
  std::shared_ptr<const RootFunctions> roots_;
  RootWatch watch_;
  double told_at_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> crossed_;  ///< at told_at_
  VectorXd noise_;            ///< remainders of the functions there
  int looks_ = 0;             ///< evaluations since then; the second is along a line
  std::vector<int> signs_;    ///< last shown; 0: none yet
};

}  // namespace rigidlimit::sundials
