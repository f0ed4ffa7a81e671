// What a solver is given. Mechanics and solvers meet in these plain structs and nowhere else, so
// that a classical stiff test problem is solved by the same code as a rolling disc.
//
// This header and core/solution.hpp stay valid C++17: the translation unit that holds Odeint's
// rosenbrock4 is compiled as C++17 (uBLAS of Boost 1.74 is not valid C++20).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/sparse_pattern.hpp"

namespace rigidlimit {

/// Coordinates that a solver may choose anew between two steps, because they serve near one
/// configuration only. The state y of the problem is in the current ones, which the callbacks of
/// the problem share: one solve at a time.
template <class T>
struct MovingCoordinatesOf {
  /// Back to the coordinates of y0. Every solve begins with it.
  std::function<void()> reset;

  /// Size of, and the state in, variables that never change: what Solution::states holds.
  Index output_size = 0;
  std::function<void(const T& t, VectorInOf<T> y, VectorOutOf<T> output)> output;

  /// Chooses new coordinates at y if the condition number of the current ones exceeds
  /// `condition_bound` (0: always; one-step methods), rewrites y and `change` (N × N), with which
  /// y_new = change · y_old, and returns true; otherwise changes nothing and returns false.
  /// To be called between steps: what a method remembers is to be multiplied by `change`, or
  /// forgotten.
  std::function<bool(double condition_bound, VectorOutOf<T> y, MatrixOut change)> rechoose;
};

/// The stiff part of a problem in standard slow–fast form: the components on which alone the large
/// parameter acts, and the columns of ∂f/∂y that they have. Enough of a Jacobian for a Newton
/// iteration as long as the step resolves the slow motion (docs/theory.md, section 11). What the
/// callbacks write may lack parts that are O(1) in the large parameter.
struct FastBlock {
  std::vector<Index> components;                             ///< k of the N
  std::function<void(VectorIn y, MatrixOut dfdy)> jacobian;  ///< ∂f_fast/∂y_fast, k × k

  /// ∂f_slow/∂y_fast, (N − k) × k, the rows in the order of the remaining components: writes all of
  /// it. Empty: it has no large entry. Where it has one it must not be left out: the slow motion
  /// then feels the fast one as strongly as that feels itself.
  std::function<void(VectorIn y, MatrixOut dfdy)> coupling;
};

/// f = stiff + rest, for methods that treat the two in different ways: implicitly and explicitly
/// (IMEX), with small and with large steps (multirate). All write whole vectors and matrices.
struct Splitting {
  std::function<void(double t, VectorIn y, VectorOut dydt)> stiff;  ///< N
  std::function<void(double t, VectorIn y, VectorOut dydt)> rest;   ///< N, f − stiff

  /// ∂ stiff/∂y (N × N), for a Newton iteration: it may lack parts that are O(1) in the large
  /// parameter.
  std::function<void(double t, VectorIn y, MatrixOut dfdy)> stiff_jacobian;
};

/// Where f is continuous but not smooth, or ends to hold: functions whose sign changes a method
/// locates to the resolution of t, so that no step of its own goes across one.
struct RootFunctions {
  Index count = 0;
  /// Writes all of them at (t, y): continuous along every solution. One that is zero where a solve
  /// or a piece begins has the sign that it takes next.
  std::function<void(double t, VectorIn y, VectorOut values)> values;

  /// +1: only a change from negative to positive counts; −1 the other way; 0 both. Empty: all 0.
  std::vector<int> directions{};

  /// Told of a root at (t, y), `crossed` +1 or −1 for the functions that changed sign, else 0. May
  /// rewrite y. true: a new piece begins there, nothing of the old one is remembered; false: the
  /// solve ends, Outcome::stopped_at_root. Empty: always true, y as it is.
  std::function<bool(double t, const std::vector<int>& crossed, VectorOut y)> reached{};

  /// f means nothing beyond a root: a method that locates none refuses the problem. Where `reached`
  /// is empty such a method steps across the kinks, and loses order there.
  bool must_be_located() const { return static_cast<bool>(reached); }
};

class BatchedRate;  // core/batched_rate.hpp

/// ∂f/∂y of a problem so large that most of it is zero.
struct SparseJacobian {
  SparsePattern pattern;  ///< with the diagonal
  /// Writes the entries of ∂f/∂y at (t, y) that the pattern names, in its order.
  std::function<void(double t, VectorIn y, VectorOut values)> values;
};

/// Initial value problem y' = f(t, y), y(t0) = y0, with N = y0.size() equations in the real
/// numbers T. Derivatives are in double whatever T is: they steer an iteration, and do not enter
/// its result.
template <class T>
struct OdeProblemOf {
  std::string name;
  double t0 = 0.0;
  Vector<T, Eigen::Dynamic> y0;

  /// f: writes dydt (N) at (t, y). May write non-finite values where f is not defined; a solver
  /// then takes a smaller step.
  std::function<void(const T& t, VectorInOf<T> y, VectorOutOf<T> dydt)> rhs;

  /// ∂f/∂y: writes all of dfdy (N × N, row i = derivatives of f_i). Empty where there is a sparse
  /// one only.
  std::function<void(double t, VectorIn y, MatrixOut dfdy)> jacobian;

  /// ∂f/∂y of a large problem; nullptr: use the dense one. A method that knows no sparse matrices
  /// refuses a problem without a dense one.
  std::shared_ptr<const SparseJacobian> sparse_jacobian;

  /// ∂f/∂t: writes all of dfdt (N). Empty means that f does not depend on t explicitly.
  std::function<void(double t, VectorIn y, VectorOut dfdt)> time_derivative;

  /// Where the problem has them; nullptr: the state is in fixed coordinates.
  std::shared_ptr<const MovingCoordinatesOf<T>> coordinates;

  /// Where the problem has one; nullptr: none is known.
  std::shared_ptr<const FastBlock> fast;

  /// Where the problem has one; nullptr: a method that needs one refuses the problem.
  std::shared_ptr<const Splitting> splitting;

  /// Where f has kinks or ends; nullptr: it is smooth.
  std::shared_ptr<const RootFunctions> roots;

  /// f of several states at once, in compile-time sizes, where the problem has it.
  std::shared_ptr<const BatchedRate> batched;

  /// Entries of a column of Solution::states.
  Index output_size() const { return coordinates ? coordinates->output_size : y0.size(); }
};
using OdeProblem = OdeProblemOf<double>;

/// M y' = f(t, y) with constant, singular M: the same callbacks, and M. Consistent data, at the
/// start and where RootFunctions::reached has rewritten y.
template <class T>
struct MassProblemOf : OdeProblemOf<T> {
  MatrixXd mass;  ///< M, N × N

  /// Of each component: 0 differential, else the index at which the problem determines it (1, 2).
  /// The error estimate of an index-2 component shrinks one order of the step slower.
  std::vector<int> index;
};

/// Fully implicit problem 0 = r(t, y, y') with consistent initial data (y0, yp0), N = y0.size().
struct DaeProblem {
  std::string name;
  double t0 = 0.0;
  VectorXd y0;
  VectorXd yp0;  ///< consistent: r(t0, y0, yp0) = 0; a solver does not correct it

  /// r: writes r (N) at (t, y, y').
  std::function<void(double t, VectorIn y, VectorIn yp, VectorOut r)> residual;

  /// ∂r/∂y + α ∂r/∂y': writes all of J (N × N).
  std::function<void(double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J)> jacobian;

  /// differential[i]: y_i' occurs in r. The others are algebraic variables.
  std::vector<bool> differential;

  /// true: algebraic variables take no part in the local error test. An index-2 problem needs
  /// this (their error estimate does not shrink with the step), and a result must report it.
  bool algebraic_variables_untested = false;

  /// Where r has kinks or ends, functions of (t, y); nullptr: it is smooth.
  std::shared_ptr<const RootFunctions> roots;

  /// Before a new piece begins at (t, y): writes y' and the algebraic variables that the residual
  /// of that piece asks for. Empty: both go on as they are, and `reached` must leave y alone.
  std::function<void(double t, VectorOut y, VectorOut yp)> consistent;
};

}  // namespace rigidlimit
