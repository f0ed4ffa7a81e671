// Compiled as C++17: uBLAS of Boost 1.74 uses std::allocator members that C++20 removed.
//
// uBLAS' debug checks compare every triangular solve with a product, to a tolerance that a stiff
// matrix cannot meet, and throw. A Debug build would fail where a Release build does not.
#define BOOST_UBLAS_NDEBUG 1

#include "rigidlimit/solvers/odeint/odeint_rosenbrock4.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_controller.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/initial_step.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"
#include "rigidlimit/solvers/tolerance_units.hpp"

namespace rigidlimit {
namespace {

namespace odeint = boost::numeric::odeint;
using UblasState = boost::numeric::ublas::vector<double>;
using StateMatrix = boost::numeric::ublas::matrix<double>;  // row-major

using ShippedCoefficients = odeint::default_rosenbrock_coefficients<double>;

/// d_i multiplies h ∂f/∂t in stage i. RODAS has d4 < 0 (Hairer & Wanner, Solving ODEs II, section
/// IV.7, and their code RODAS); Odeint lost the sign. This member hides the shipped one.
struct RodasCoefficients : ShippedCoefficients {
  const double d4 = -0.3620000000000023e-01;
};

Eigen::Map<const VectorXd> ublas_view(const UblasState& x) {
  return {&x[0], static_cast<Index>(x.size())};
}
Eigen::Map<VectorXd> ublas_view(UblasState& x) {
  return {&x[0], static_cast<Index>(x.size())};
}

/// f as Odeint calls it.
struct RosenbrockRhs {
  const OdeProblem* problem;
  Work* work;
  void operator()(const UblasState& x, UblasState& dxdt, double t) const {
    ++work->rhs_evaluations;
    problem->rhs(t, ublas_view(x), ublas_view(dxdt));
  }
};

/// ∂f/∂y and ∂f/∂t as Odeint calls them.
struct Jacobian {
  const OdeProblem* problem;
  Work* work;
  MatrixXd* column_major;
  void operator()(const UblasState& x, StateMatrix& J, double t, UblasState& dfdt) const {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    ++work->jacobian_evaluations;
    ++work->factorisations;    // the stepper always factorises next
    work->linear_solves += 6;  // and solves for its six stages
    problem->jacobian(t, ublas_view(x), *column_major);
    Eigen::Map<RowMajor>(&J(0, 0), column_major->rows(), column_major->cols()) = *column_major;
    if (problem->time_derivative)
      problem->time_derivative(t, ublas_view(x), ublas_view(dfdt));
    else
      ublas_view(dfdt).setZero();
  }
};

template <class Coefficients>
class RosenbrockStepper {
 public:
  RosenbrockStepper(const OdeProblem& problem, double end, const SolveOptions& options)
      : jacobian_(problem.y0.size(), problem.y0.size()),
        system_(RosenbrockRhs{&problem, &work_}, Jacobian{&problem, &work_, &jacobian_}),
        controller_(options.atol, options.rtol),
        fixed_(options.fixed_step > 0.0),
        t_(problem.t0),
        t_old_(problem.t0),
        x_(static_cast<std::size_t>(problem.y0.size())),
        x_old_(x_),
        x_new_(x_),
        error_(x_) {
    ublas_view(x_) = problem.y0;
    h_ = fixed_ ? options.fixed_step : options.initial_step;
    if (h_ == 0.0 && end > t_) {
      system_.first(x_, x_new_, t_);
      // 3: the order of the estimate that controls the step
      h_ = initial_step(problem, ublas_view(x_new_), 3, end - t_, options);
      ++work_.rhs_evaluations;  // the one inside initial_step
    }
  }

  double t() const { return t_; }

  void write(double tau, Index column, Solution& solution) {
    const bool at_step = tau == t_;
    if (!at_step) controller_.stepper().calc_state(tau, x_new_, x_old_, t_old_, x_, t_);
    write_output<double>(problem(), tau, ublas_view(at_step ? x_ : x_new_),
                         solution.states.col(column));
  }

  Outcome attempt(double, double end) {
    if (std::exchange(moved_on_, false) && problem().coordinates)
      problem().coordinates->rechoose(0.0, ublas_view(x_), jacobian_);
    // 1e-9: rounding of t must not leave a step of that size before the end.
    const bool last = h_ * (1.0 + 1e-9) >= end - t_;
    double h = last ? end - t_ : h_;
    double t = t_;
    last_step_ = h;
    const bool accepted = step(t, h);
    const bool finite = ublas_view(x_new_).allFinite();
    if (!accepted) {
      ++work_.rejected_steps;
      h_ = h;
      return too_small(h) ? give_up(finite) : Outcome::success;
    }
    if (!finite) return give_up(false);
    ++work_.steps;
    controller_.stepper().prepare_dense_output();
    t_old_ = std::exchange(t_, last ? end : t);
    x_old_.swap(x_);
    x_.swap(x_new_);
    moved_on_ = true;
    if (!fixed_) h_ = h;
    return Outcome::success;
  }

  const Work& work() const { return work_; }
  double last_step() const { return last_step_; }
  const std::string& message() const { return message_; }

 private:
  const OdeProblem& problem() const { return *system_.first.problem; }

  /// Attempts a step from x_ to x_new_. If accepted, moves t and proposes the next h; otherwise
  /// proposes a smaller h. A non-finite result fails Odeint's test `error <= 1`, and h is divided
  /// by 5.
  bool step(double& t, double& h) {
    if (!fixed_) return controller_.try_step(system_, x_, t, x_new_, h) == odeint::success;
    controller_.stepper().do_step(system_, x_, t, x_new_, h, error_);
    t += h;
    return true;
  }

  /// Four units in the last place of t: below, the stages have the same times.
  bool too_small(double h) const {
    return !(h > 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t_)) || t_ + h == t_;
  }

  Outcome give_up(bool finite) {
    message_ =
        fmt::format("rosenbrock4: step {:.3g} at t = {:.17g} {}", last_step_, t_,
                    finite ? "is below the resolution of t" : "gives a state that is not finite");
    return finite ? Outcome::step_underflow : Outcome::not_finite;
  }

  Work work_;
  MatrixXd jacobian_;
  std::pair<RosenbrockRhs, Jacobian> system_;
  odeint::rosenbrock4_controller<odeint::rosenbrock4<double, Coefficients>> controller_;
  bool fixed_;
  bool moved_on_ = false;  ///< a step was accepted since the coordinates were chosen
  double t_, t_old_;
  UblasState x_, x_old_, x_new_, error_;
  double h_ = 0.0;
  double last_step_ = 0.0;
  std::string message_;
};

template <class Coefficients>
Solution solve_with_rosenbrock4(const OdeProblem& problem, const std::vector<double>& times,
                                const SolveOptions& options) {
  check_input(problem, times, options, true);
  if (!problem.jacobian) throw InputError(problem.name + ": rosenbrock4 needs the Jacobian");
  if (problem.coordinates) problem.coordinates->reset();
  const ToleranceUnits units = in_units_of_tolerance(problem, options);
  Solution solution = unsolved(problem.t0, problem.output_size(), times);
  RosenbrockStepper<Coefficients> stepper(units.problem, times.back(), units.options);
  run_steps(stepper, options, solution);
  return solution;
}

}  // namespace

Solution solve_rosenbrock4(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options) {
  return solve_with_rosenbrock4<RodasCoefficients>(problem, times, options);
}

Solution solve_rosenbrock4_shipped(const OdeProblem& problem, const std::vector<double>& times,
                                   const SolveOptions& options) {
  return solve_with_rosenbrock4<ShippedCoefficients>(problem, times, options);
}

}  // namespace rigidlimit
