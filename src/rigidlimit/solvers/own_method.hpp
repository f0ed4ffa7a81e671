// Methods from outside the library: from a C++ program or from Python.
//
// This header stays valid C++17, as solvers/method.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// A method of a user. Nothing that it does affects other rows: an exception, wrong sizes, values
/// that are not finite, too many steps and too much time are outcomes of its own solve.
struct OwnMethod {
  std::string name;                   ///< as in study files: letters, digits and _
  std::string title{};                ///< full name, for tables
  int order = 0;                      ///< 0: unknown
  std::string stability = "unknown";  ///< "L-stable", "explicit", …
  std::string source = "own method";  ///< origin of the method and its code
  bool stiff = true;                  ///< of the group `stiff` in benchmarks
  /// Computes in further threads: the clocks of benchmarks do not see its time, so there is none.
  bool other_threads = false;
  bool fixed_step = false;    ///< supports SolveOptions::fixed_step
  bool dense_output = false;  ///< has a polynomial between its steps
  int stages = 0;             ///< stages of a step; 0: a multistep method, or variable
  /// Rechooses OdeProblem::coordinates and returns output, as OneStepFormula does. Otherwise
  /// `solve` gets a problem without them: the coordinates of y0 stay, which suits most motions.
  bool moves_coordinates = false;

  /// The identity of its code in the keys of stored solves; empty: that of the running program.
  std::string content{};
  double time_limit = 60.0;  ///< s of the clock for one solve, at evaluations of f

  /// y on the grid `times`, N × K, of a problem that `solve` must not keep. Called from several
  /// threads at once. f counts its evaluations and throws behind the time limit and after a stop
  /// request; this exception must leave the function. Solution::times and t_reached are filled in
  /// by the caller, and the counts of f and of Jacobians that are 0 too; -1 is an unknown count. A
  /// success without steps is a method that does not count them: its steps, and rejected ones that
  /// are 0, are unknown.
  std::function<Solution(const OdeProblem& problem, const std::vector<double>& times,
                         const SolveOptions& options)>
      solve;
};

/// The most methods of a user.
inline constexpr std::size_t most_own_methods = 64;

/// Adds a method to ode_methods(), or replaces the own one of that name. Call it before a study is
/// read. Throws InputError for a name with other characters or of the library, if
/// `solve` is empty, or beyond most_own_methods.
void add_method(OwnMethod method);

/// A solve by a method of a user, with its failures as outcomes.
Solution solve_own(const OwnMethod& method, const OdeProblem& problem,
                   const std::vector<double>& times, const SolveOptions& options);

}  // namespace rigidlimit
