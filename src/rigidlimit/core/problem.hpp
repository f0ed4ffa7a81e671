// Input of a solver. Mechanics and solvers share only these plain structs, so that the same code
// solves a classical stiff test problem and a rolling disc.
//
// This header and core/solution.hpp stay valid C++17: the translation unit that holds Odeint's
// rosenbrock4 is compiled as C++17 (uBLAS of Boost 1.74 is not valid C++20).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/sparse_pattern.hpp"

namespace rigidlimit {

struct Pack;       // core/pack.hpp
struct RateTapes;  // core/tape/rate_tapes.hpp

/// Coordinates that are valid near one configuration only, so that a solver may rechoose them
/// between two steps. The state y of the problem is in the current coordinates. The callbacks of
/// the problem share them, so only one solve may run at a time.
template <class T>
struct MovingCoordinatesOf {
  /// Resets to the coordinates of y0. Every solve calls it first.
  std::function<void()> reset;

  /// Size of the state in fixed variables, and that state: the content of Solution::states.
  Index output_size = 0;
  std::function<void(const T& t, VectorInOf<T> y, VectorOutOf<T> output)> output;  ///< writes it
  /// The same for eight states in double: N packs in, output_size packs out. A problem with
  /// `batched` has it.
  std::function<void(const Pack* y, Pack* output)> output_of_eight{};

  /// Chooses new coordinates at the state y, the first column of `states` (N × k), if the condition
  /// number of the current ones exceeds `condition_bound` (0: always; one-step methods). Then it
  /// rewrites `change` (N × N) and all columns: each is the same state in the new coordinates, and
  /// for the first column y_new = change · y_old. It returns true; otherwise it changes nothing and
  /// returns false. Call it between steps: the method must pass its history as further columns,
  /// multiply it by `change`, or discard it. The product is not exact at other states than y, since
  /// the change depends on the state: near a stiff relation that is a large difference.
  std::function<bool(double condition_bound, MatrixOutOf<T> states, MatrixOut change)> rechoose;
};

/// f = stiff + rest, for methods that treat the two parts differently: implicitly and explicitly
/// (IMEX), or with small and large steps (multirate). All callbacks write whole vectors and
/// matrices.
struct Splitting {
  std::function<void(double t, VectorIn y, VectorOut dydt)> stiff;  ///< N
  std::function<void(double t, VectorIn y, VectorOut dydt)> rest;   ///< N, f − stiff

  /// ∂ stiff/∂y (N × N), for a Newton iteration: may omit parts that are O(1) in the large
  /// parameter.
  std::function<void(double t, VectorIn y, MatrixOut dfdy)> stiff_jacobian;
};

/// Root functions for an f that is continuous but not smooth, or invalid beyond a root. A method
/// locates their sign changes to the resolution of t, so that no step crosses one.
struct RootFunctions {
  Index count = 0;  ///< of the functions
  /// Writes all values at (t, y); they are continuous along every solution. A function that is zero
  /// at the start of a solve or piece has the sign that it takes next.
  std::function<void(double t, VectorIn y, VectorOut values)> values;

  /// +1: only a change from negative to positive counts; −1 the other way; 0 both. Empty: all 0.
  std::vector<int> directions{};

  /// Called at a root (t, y); `crossed` is +1 or −1 for the functions that changed sign, else 0.
  /// May rewrite y. true: a new piece begins there without any history; false: the solve ends with
  /// Outcome::stopped_at_root. Empty: always true, y unchanged.
  std::function<bool(double t, const std::vector<int>& crossed, VectorOut y)> reached{};

  /// The arguments of a function over a part of a step: component i of y lies in [low_i, high_i]
  /// and its rate in [rate_low_i, rate_high_i] for all times in [t0, t1].
  struct Part {
    double t0, t1;
    VectorXd low, high, rate_low, rate_high;
  };
  /// Of each function whether it may change its sign twice in the part, by the ranges of its value
  /// and of its rate. A method searches there more finely: a narrow feature of a function, as the
  /// gap above a ridge, lies between two of its points. Empty: unknown, by points alone.
  std::function<std::vector<bool>(const Part& part)> may_return{};

  /// An instant known in advance, at which f is not smooth: no step crosses it, and a new piece
  /// begins there.
  struct Instant {
    double t;                                ///< s
    std::function<void(VectorOut y)> begin;  ///< may rewrite y; empty: y is unchanged
  };
  /// Those after t0 and before `end`, increasing. Empty: none.
  std::function<std::vector<Instant>(double end)> instants{};

  /// True if f is invalid beyond a root: a method without root location then rejects the problem.
  /// If `reached` is empty, such a method steps across the kinks and loses order there.
  bool must_be_located() const { return static_cast<bool>(reached); }
};

/// A solution by an expansion in a small parameter, cut off behind one of its orders.
struct TruncatedExpansion {
  MatrixXd states;   ///< output_size() × K
  VectorXd omitted;  ///< of each row: the largest value of the first omitted term on the grid
};

class BatchedRate;  // core/batched_rate.hpp

/// Sparse ∂f/∂y of a large problem.
struct SparseJacobian {
  SparsePattern pattern;  ///< with the diagonal
  /// Writes the entries of ∂f/∂y at (t, y) that the pattern names, in its order.
  std::function<void(double t, VectorIn y, VectorOut values)> values;
};

/// f: writes dydt (N) at (t, y). May write non-finite values where f is not defined; a solver then
/// takes a smaller step. Another function assigned to it replaces both members.
template <class T>
class RightHandSideOf {
 public:
  /// At one state.
  using One = std::function<void(const T& t, VectorInOf<T> y, VectorOutOf<T> dydt)>;
  /// At eight states and times in double: N packs in and out.
  using Eight = std::function<void(const Pack& t, const Pack* y, Pack* dydt)>;

  RightHandSideOf() = default;
  /// From a function of one state.
  template <class F, class = std::enable_if_t<std::is_constructible_v<One, F> &&
                                              !std::is_same_v<F, RightHandSideOf>>>
  RightHandSideOf(F f) : one_(std::move(f)) {}  // NOLINT(google-explicit-constructor)
  /// From a function of one state and one of eight, with the same values.
  RightHandSideOf(One one, Eight eight) : one_(std::move(one)), eight_(std::move(eight)) {}

  /// Writes f(t, y).
  void operator()(const T& t, VectorInOf<T> y, VectorOutOf<T> dydt) const { one_(t, y, dydt); }
  /// False: no function is assigned.
  explicit operator bool() const { return static_cast<bool>(one_); }
  /// Empty: not available.
  const Eight& eight() const { return eight_; }

 private:
  One one_;
  Eight eight_;
};

/// Initial value problem y' = f(t, y), y(t0) = y0, with N = y0.size() equations in the real numbers
/// T. Derivatives are in double for every T: they control an iteration and do not affect its
/// result.
template <class T>
struct OdeProblemOf {
  std::string name;              ///< for messages
  double t0 = 0.0;               ///< start, s
  Vector<T, Eigen::Dynamic> y0;  ///< state at t0, N

  RightHandSideOf<T> rhs;  ///< f

  /// ∂f/∂y: writes all of dfdy (N × N, row i = derivatives of f_i). Empty if only a sparse one is
  /// available.
  std::function<void(double t, VectorIn y, MatrixOut dfdy)> jacobian;

  /// ∂f/∂y of a large problem; nullptr: use the dense one. A method without sparse matrices rejects
  /// a problem without a dense one.
  std::shared_ptr<const SparseJacobian> sparse_jacobian;

  /// ∂f/∂t: writes all of dfdt (N). Empty means that f does not depend on t explicitly.
  std::function<void(double t, VectorIn y, VectorOut dfdt)> time_derivative;

  /// Moving coordinates; nullptr: the state is in fixed coordinates.
  std::shared_ptr<const MovingCoordinatesOf<T>> coordinates;

  /// Splitting; nullptr: a method that needs one rejects the problem.
  std::shared_ptr<const Splitting> splitting;

  /// Root functions for kinks or ends of f; nullptr: f is smooth.
  std::shared_ptr<const RootFunctions> roots;

  /// f of several states at once, in compile-time sizes; nullptr: not available.
  std::shared_ptr<const BatchedRate> batched;

  /// Records f and ∂f/∂y, with the coordinates of y0; empty: not available.
  std::function<RateTapes()> recorded;

  /// The solution on a grid by an asymptotic expansion in a small parameter of f up to an order, as
  /// a column of Solution::states each; may throw InputError. Empty: not available.
  std::function<TruncatedExpansion(const std::vector<double>& times, int order)> expansion;

  /// Entries of a column of Solution::states.
  Index output_size() const { return coordinates ? coordinates->output_size : y0.size(); }
};
using OdeProblem = OdeProblemOf<double>;

/// M y' = f(t, y) with constant, singular M: the same callbacks, and M. Data are consistent at the
/// start and after RootFunctions::reached has rewritten y.
template <class T>
struct MassProblemOf : OdeProblemOf<T> {
  MatrixXd mass;  ///< M, N × N

  /// For each component 0 (differential) or the index at which the problem determines it (1, 2).
  /// The error estimate of an index-2 component is one order of the step lower.
  std::vector<int> index;
};

/// Fully implicit problem 0 = r(t, y, y') with consistent initial data (y0, yp0), N = y0.size().
struct DaeProblem {
  std::string name;  ///< for messages
  double t0 = 0.0;   ///< start, s
  VectorXd y0;       ///< state at t0, N
  VectorXd yp0;      ///< consistent: r(t0, y0, yp0) = 0; a solver does not correct it

  /// r: writes r (N) at (t, y, y').
  std::function<void(double t, VectorIn y, VectorIn yp, VectorOut r)> residual;

  /// ∂r/∂y + α ∂r/∂y': writes all of J (N × N).
  std::function<void(double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J)> jacobian;

  /// differential[i]: y_i' occurs in r. The others are algebraic variables.
  std::vector<bool> differential;

  /// true: the local error test ignores algebraic variables. An index-2 problem needs this (their
  /// error estimate does not shrink with the step), and a result must report it.
  bool algebraic_variables_untested = false;

  /// Root functions of (t, y) for kinks or ends of r; nullptr: r is smooth.
  std::shared_ptr<const RootFunctions> roots;

  /// Called before a new piece begins at (t, y): writes y' and the algebraic variables required by
  /// the residual of that piece. Empty: both continue unchanged, and `reached` must not change y.
  std::function<void(double t, VectorOut y, VectorOut yp)> consistent;
};

}  // namespace rigidlimit
