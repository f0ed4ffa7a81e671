// Data and bookkeeping that the integrators of CVODE, IDA and ARKODE share.
#pragma once

#include <array>
#include <string>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/solvers/sundials/sundials.hpp"

namespace rigidlimit::sundials {

/// Reads a counter from the memory of an integrator.
using Counter = int (*)(void* memory, long* count);

/// The sum of several counters.
template <Counter... counters>
int sum_of(void* memory, long* sum) {
  long count = 0;
  *sum = 0;
  ((counters(memory, &count), *sum += count), ...);
  return 0;
}

/// The functions of a library that have the same arguments and meaning in all of them.
struct Library {
  const char* name;  ///< in messages
  void (*free)(void** memory);
  std::array<int, 4> not_finite;  ///< return codes: the right-hand side is not finite; unused: 0
  int (*last_step)(void* memory, double* h);
  Counter steps, rejected_steps, evaluations, factorisations, iterations, jacobians;
};

/// The part of a stepper (step_loop.hpp) that does not depend on the library: time and state, what
/// a return code means, work before and after restarts. A derived class makes the memory and steps.
class Integrator {
 public:
  double t() const { return t_; }
  VectorXd state() const { return map(y_.get()); }
  const std::string& message() const { return message_; }
  /// The last step accepted, or the one that ended the solve.
  double last_step() const;
  /// Work of all integrations, including restarted ones.
  Work work() const;

 protected:
  Integrator(const Library& library, double t0, const VectorXd& y0);

  /// A dense matrix and its solver, for the problem's size.
  void make_dense_solver();
  /// The Outcome of a step that returned `code` < 0, with a message.
  Outcome failed(int code);
  /// The Outcome of a step from `before` to t_, which may have to end at `end`: step_underflow if
  /// it is below the resolution of t (step_is_below_resolution), with a message.
  Outcome accepted(double before, double end);
  /// Defers a restart to the next attempt, because the history of the library fills the grid before
  /// the root.
  Outcome restart_after_root();
  /// Keeps the counters, which the library resets.
  void keep_work();

  const Library& library_;
  CallbackBridge bridge_;
  Context context_;  // before everything made with it
  double t_;
  Owned<N_Vector> y_;
  Owned<SUNMatrix> matrix_;
  Owned<SUNLinearSolver> linear_solver_;
  OwnedMemory memory_;  // frees none of the above
  bool restart_due_ = false;
  double failed_step_ = 0.0;
  std::string message_;

 private:
  Work work_since_restart() const;

  /// After a root the first step, for CVODE 0.1 atol/|f|, may be below the resolution of t where y
  /// is 0. That is not an underflow: the next steps are 10⁴ and 10 times as long.
  int short_steps_allowed_ = 0;
  Work before_restarts_;
};

/// User data of an integrator of y' = f(t, y).
struct OdeCallbacks {
  const OdeProblem& problem;
  CallbackBridge& bridge;
};

/// Callbacks of CVODE and ARKODE for OdeProblem::rhs and ::jacobian; `data`: OdeCallbacks.
int rhs(sunrealtype t, N_Vector y, N_Vector ydot, void* data);
int dense_jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                   N_Vector, N_Vector);

}  // namespace rigidlimit::sundials
