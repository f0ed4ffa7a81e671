// Locates the roots of a problem's RootFunctions within a step, and reports them to the problem.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// A step from t0 to t0 + h that can be evaluated between its ends, and repeated with any length.
struct StepWithRoots {
  double t0 = 0.0;
  double h = 0.0;
  VectorIn end;  ///< y(t0 + h)
  /// y(t0 + tau), 0 < tau < h, by a polynomial: to detect roots, not to locate them.
  std::function<void(double tau, VectorOut y)> look;
  /// y(t0 + tau) by a step of that length from the same start, with the accuracy of the method.
  std::function<void(double tau, VectorOut y)> step_to;
  /// f at (t, y).
  std::function<void(double t, VectorIn y, VectorOut f)> slope;
};

/// Tracks the signs of the root functions in the current piece.
///
/// A root is located without an interpolant: the step is repeated with better and better lengths
/// until the bracket is at the resolution of t. The state is the one on the near side of the
/// bracket, unaffected by stages beyond the root, advanced by the few roundings of t to the far
/// side. Double crossings inside a step are searched at eight points of a polynomial and at the
/// vertices of parabolas through them, and wherever RootFunctions::may_return cannot exclude one:
/// such a part is halved, with at most 200 points a step. A root of the polynomial counts only if a
/// shortened step confirms it.
class RootWatch {
 public:
  /// Without functions nothing is watched. Throws InputError unless `directions` fits and there are
  /// values.
  RootWatch(const std::string& name, std::shared_ptr<const RootFunctions> roots);

  bool active() const { return roots_ != nullptr && roots_->count > 0; }

  /// A piece begins at (t, y).
  void begin(double t, VectorIn y);

  /// tau of the first root in (t0, t0 + h], and the state y there; empty: there is none, and the
  /// signs are now those at the end of the step.
  std::optional<double> first_root(const StepWithRoots& step, VectorOut y);

  /// Reports the root at (t, y) found by first_root() to the problem; a new piece begins there.
  /// false: the solve ends.
  bool report(double t, VectorOut y);
  /// The same for roots located by a library.
  bool report(double t, const std::vector<int>& crossed, VectorOut y);

  /// Sign of a function since the last root or step, +1 or −1; 0: not known yet.
  int sign(Index i) const { return signs_[static_cast<std::size_t>(i)]; }

  const std::vector<Root>& roots() const { return told_; }
  /// Message about the last root: "stopped by root function 2".
  std::string message() const;

 private:
  struct Look {
    double tau = 0.0;
    VectorXd values;
    VectorXd y{};  ///< by the polynomial; empty in a shortened step
  };
  struct Bracket {
    Look low, high;
    std::vector<int> signs;  ///< of all functions at `low`
  };

  VectorXd values(double t, VectorIn y) const;
  int direction(Index i) const;
  std::vector<int> crossings(const std::vector<int>& signs, const VectorXd& at) const;
  bool any_crossed(const std::vector<int>& signs, const VectorXd& at) const;
  std::vector<Look> looks(const StepWithRoots& step, const VectorXd& end) const;
  void refine_minima(const StepWithRoots& step, std::vector<Look>& looks) const;
  class ReturnSearch;
  void learn_unknown_signs(const StepWithRoots& step, const std::vector<Look>& looks);
  Look stepped(const StepWithRoots& step, double tau, VectorOut y) const;
  std::optional<Bracket> first_bracket(const StepWithRoots& step, const std::vector<Look>& looks,
                                       VectorOut y) const;
  std::optional<Bracket> confirmed(const StepWithRoots& step, const std::vector<Look>& looks,
                                   std::size_t k, const std::vector<int>& signs, VectorOut y) const;
  void shrink(const StepWithRoots& step, Bracket& bracket, VectorOut y) const;
  void move_across(const StepWithRoots& step, const Bracket& bracket, VectorOut y) const;
  void merge_simultaneous(const Bracket& bracket, double resolution);

  std::shared_ptr<const RootFunctions> roots_;
  std::vector<int> signs_;    ///< +1, −1; 0: not known yet
  VectorXd start_;            ///< values at the start of the step
  VectorXd start_state_;      ///< y there
  double known_from_ = 0.0;   ///< tau from which all signs are known
  std::vector<int> crossed_;  ///< at the last root
  std::vector<Root> told_;
};

}  // namespace rigidlimit
