// Differences between SUNDIALS 6.4 and 7.x, and the wrapper of the C callbacks: an owner, a check
// of every return code, a bridge that carries C++ exceptions across.
#pragma once

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/core/sparse_pattern.hpp"

namespace rigidlimit::sundials {

static_assert(std::is_same_v<sunrealtype, double>, "SUNDIALS must be built in double precision");

/// Frees objects of the C library.
struct Free {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
};
/// Frees the memory of an integrator with CVodeFree, IDAFree or ARKStepFree.
struct FreeMemory {
  void (*free)(void** memory);
  void operator()(void* memory) const { free(&memory); }
};

template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;
using OwnedMemory = std::unique_ptr<void, FreeMemory>;

/// The context of one solve (never shared: solves run in parallel threads). The library prints
/// nothing; last_message() holds its last message. Must outlive all objects made with it and must
/// not move: the library keeps a pointer to it.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  operator SUNContext() const { return context_; }  // NOLINT(google-explicit-constructor)

  /// To be called once, right after CVodeCreate, IDACreate or ARKStepCreate.
  void silence_cvode(void* cvode);
  void silence_ida(void* ida);
  void silence_arkode(void* arkode);

  const std::string& last_message() const { return last_message_; }

 private:
  SUNContext context_ = nullptr;
  std::string last_message_;
};

/// The pointer that a library function returned; throws std::bad_alloc if it is null, the only
/// failure of the constructors of vectors, matrices and solvers.
template <class Pointer>
Pointer made(Pointer pointer) {
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}

/// Throws std::logic_error unless `code` is 0: for calls that fail only on misuse.
void expect_success(int code, const char* call);

/// A new vector with the entries of `values`.
Owned<N_Vector> vector_of(const VectorXd& values, SUNContext context);

/// The entries of a library vector or dense matrix (column-major), not copied.
Eigen::Map<VectorXd> map(N_Vector vector);
Eigen::Map<MatrixXd> map(SUNMatrix matrix);

/// A matrix of zeros with this pattern, by columns.
Owned<SUNMatrix> matrix_of(const SparsePattern& pattern, SUNContext context);
/// Writes the pattern again, because the library may clear and copy matrices.
void write_pattern(const SparsePattern& pattern, SUNMatrix matrix);
/// The values of a sparse matrix in the order of its pattern, not copied.
Eigen::Map<VectorXd> map_values(SUNMatrix matrix);
/// Entries of L and U of KLU's last factorisation; 0 before the first.
long klu_nonzeros(SUNLinearSolver solver);

/// Carries exceptions and non-finite values of a callback across the C library.
class CallbackBridge {
 public:
  /// Runs a callback's body, which returns whether its output is finite. The return value follows
  /// SUNDIALS: 0; 1, recoverable: try a smaller step; -1: give up (it threw).
  template <class Body>
  int run(double t, const Body& body) noexcept {
    try {
      last_t_ = t;
      if (body()) return 0;
      last_bad_t_ = t;
      return 1;
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }

  /// The same for a body that writes the vector or matrix `out`.
  template <class Out, class Body>
  int fill(double t, Out out, const Body& body) noexcept {
    return run(t, [&] {
      body(out);
      return out.allFinite();
    });
  }

  /// Rethrows the exception of a callback, if any.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

  double last_t() const { return last_t_; }  ///< argument t of the last callback
  /// A callback wrote non-finite values at a time that the accepted steps, up to t, have not
  /// passed.
  bool not_finite_after(double t) const { return last_bad_t_ >= t; }

 private:
  std::exception_ptr thrown_;
  double last_t_ = 0.0;
  double last_bad_t_ = -std::numeric_limits<double>::infinity();
};

/// The Outcome of the negative return codes that CVode(), IDASolve() and ARKStepEvolve() share. A
/// failed iteration with non-finite values is not_finite.
Outcome outcome_of(int code, bool met_not_finite);

/// The step from `before` to `reached` is at most four units in the last place of t. SUNDIALS
/// continues with such steps indefinitely, for instance before a time beyond which f is not finite:
/// each is accepted, the next one grows, fails, and shrinks again. The last step, shortened to end
/// at `end`, may be that small.
inline bool step_is_below_resolution(double before, double reached, double end) {
  constexpr double resolution = 4.0 * std::numeric_limits<double>::epsilon();
  return reached < end && reached - before <= resolution * std::abs(reached);
}

}  // namespace rigidlimit::sundials
