#include "rigidlimit/solvers/odeint/odeint_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <boost/numeric/odeint/stepper/stepper_categories.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/solvers/initial_step.hpp"
#include "rigidlimit/solvers/root_watch.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"
#include "rigidlimit/solvers/tolerance_units.hpp"

namespace rigidlimit {

namespace {

namespace odeint = boost::numeric::odeint;
using State = std::vector<double>;

Eigen::Map<const VectorXd> state_view(const State& x) {
  return {x.data(), static_cast<Index>(x.size())};
}
Eigen::Map<VectorXd> state_view(State& x) {
  return {x.data(), static_cast<Index>(x.size())};
}

/// f as Odeint calls it; records non-finite values, because Odeint's controller does not detect
/// them: its maximum norm skips NaN, so that it would accept such a step.
struct Rhs {
  const OdeProblem* problem;
  Work* work;
  bool* finite;
  const double* last_time;  ///< last time of the step: sums of substeps may round beyond it
  void operator()(const State& x, State& dxdt, double t) const {
    ++work->rhs_evaluations;
    problem->rhs(std::min(t, *last_time), state_view(x), state_view(dxdt));
    *finite = *finite && state_view(dxdt).allFinite();
  }
};

/// The cubic through two states with their slopes: y(tau), 0 ≤ tau ≤ h, with y(0) = y0, y'(0) = f0,
/// y(h) = y1, y'(h) = f1. Its error is O(h⁴).
void hermite_cubic(VectorIn y0, VectorIn f0, VectorIn y1, VectorIn f1, double h, double tau,
                   VectorOut y) {
  const double s = tau / h;
  const double r = 1.0 - s;
  y = y0 + s * s * (3.0 - 2.0 * s) * (y1 - y0) + (s * r * r * h) * f0 - (s * s * r * h) * f1;
}

/// `Controller`: Odeint's controlled_runge_kutta of a pair, or bulirsch_stoer.
template <class Controller>
class OdeintStepper {
 public:
  /// `estimate_order`: order of the error estimate, for the choice of the first step.
  OdeintStepper(const OdeProblem& problem, double end, const SolveOptions& options,
                const Controller& controller, int estimate_order)
      : rhs_{&problem, &work_, &finite_, &last_time_},
        controller_(controller),
        fixed_(options.fixed_step > 0.0),
        t_(problem.t0),
        x_(problem.y0.data(), problem.y0.data() + problem.y0.size()),
        slope_(x_),
        x_new_(x_),
        slope_new_(x_),
        watch_(problem.name, has_fixed_steps ? problem.roots : nullptr),
        max_step_(options.max_step > 0.0 ? options.max_step
                                         : std::numeric_limits<double>::infinity()),
        piece_began_(t_) {
    h_ = fixed_ ? options.fixed_step : options.initial_step;
    if (end == t_) return;
    if (watch_.active()) watch_.begin(t_, state_view(x_));
    rhs_(x_, slope_, t_);
    slope_known_ = true;
    if (h_ == 0.0 && finite_) {
      h_ = initial_step(problem, state_view(slope_), estimate_order, end - t_, options);
      ++work_.rhs_evaluations;  // the one inside initial_step
    }
  }

  double t() const { return t_; }

  void write(double tau, Index column, Solution& solution) {
    write_output<double>(*rhs_.problem, tau, state_view(x_), solution.states.col(column));
  }

  Outcome attempt(double next, double) {
    if (std::exchange(moved_on_, false) && rhs_.problem->coordinates) move_coordinates();
    if (!std::exchange(slope_known_, true)) rhs_(x_, slope_, t_);
    if (!finite_) return give_up();  // f is not finite at the current state: no step can succeed
    // 1e-9: rounding of t must not leave a step of that size before an output time.
    const double wanted = std::min(h_, max_step_);
    const bool lands = wanted * (1.0 + 1e-9) >= next - t_;
    double h = lands ? next - t_ : wanted;
    double t = t_;
    last_step_ = h;
    last_time_ = lands ? next : t_ + h;
    bool accepted = step(t, h);
    if (!finite_ || !state_view(x_new_).allFinite()) {
      if (fixed_) return give_up();
      accepted = false;
      h = 0.25 * last_step_;
    }
    if (!accepted) return reject(h);
    slope_new_known_ = first_same_as_last;
    if (watch_.active()) {
      if (!know_slope_at_end()) return fixed_ ? give_up() : reject(0.25 * last_step_);
      if (const auto tau = root()) return land_on_root(*tau);
    }
    ++work_.steps;
    t_ = lands ? next : t;
    x_.swap(x_new_);
    slope_.swap(slope_new_);
    slope_known_ = slope_new_known_;
    moved_on_ = true;
    // A step shortened to end on an output time does not change the planned size.
    if (!fixed_) h_ = lands || max_step_ < h_ ? std::max(h, h_) : h;
    return Outcome::success;
  }

  /// Located roots, and the state if one of them ended the solve.
  const std::vector<Root>& roots() const { return watch_.roots(); }
  VectorXd state() const { return state_view(x_); }

  const Work& work() const { return work_; }
  double last_step() const { return last_step_; }
  const std::string& message() const { return message_; }

 private:
  static constexpr bool first_same_as_last =
      std::is_same_v<typename Controller::stepper_category,
                     odeint::explicit_controlled_stepper_fsal_tag>;

  static constexpr bool has_fixed_steps = requires(Controller & controller) {
    controller.stepper();
  };

  /// The slope in new coordinates is not a linear function of the old one, so it is recomputed.
  void move_coordinates() {
    change_.resize(rhs_.problem->y0.size(), rhs_.problem->y0.size());
    if (rhs_.problem->coordinates->rechoose(0.0, state_view(x_), change_)) slope_known_ = false;
  }

  /// Attempts a step from x_ to x_new_; h becomes the size proposed for the next one.
  bool step(double& t, double& h) {
    if constexpr (has_fixed_steps)
      if (fixed_) {
        fixed_step(h);
        t += h;
        return true;
      }
    if constexpr (first_same_as_last)
      return controller_.try_step(rhs_, x_, slope_, t, x_new_, slope_new_, h) == odeint::success;
    else
      return controller_.try_step(rhs_, x_, slope_, t, x_new_, h) == odeint::success;
  }

  void fixed_step(double h) {
    if constexpr (first_same_as_last)
      controller_.stepper().do_step(rhs_, x_, slope_, t_, x_new_, slope_new_, h);
    else
      controller_.stepper().do_step(rhs_, x_, slope_, t_, x_new_, h);
  }

  /// f at the end of the attempted step, for the polynomial between its ends; the next step begins
  /// with it. false: it is not finite.
  bool know_slope_at_end() {
    if (!slope_new_known_) rhs_(x_new_, slope_new_, last_time_);
    slope_new_known_ = true;
    return finite_;
  }

  /// The first root of the attempted step; x_new_ is then the state there.
  std::optional<double> root() {
    const VectorXd start = state_view(x_), end = state_view(x_new_), f0 = state_view(slope_),
                   f1 = state_view(slope_new_);
    VectorXd at_root = end;
    const auto found = watch_.first_root(
        {.t0 = t_,
         .h = last_step_,
         .end = end,
         .look = [&](double tau,
                     VectorOut y) { hermite_cubic(start, f0, end, f1, last_step_, tau, y); },
         .step_to =
             [&](double tau, VectorOut y) {
               if constexpr (has_fixed_steps) fixed_step(tau);
               y = state_view(x_new_);
             },
         .slope = [&](double t, VectorIn y, VectorOut f) { evaluate(t, y, f); }},
        at_root);
    state_view(x_new_) = at_root;
    if (!found) {  // a shortened step may have been evaluated
      state_view(x_new_) = end;
      state_view(slope_new_) = f1;
    }
    return found;
  }

  void evaluate(double t, VectorIn y, VectorOut f) {
    ++work_.rhs_evaluations;
    rhs_.problem->rhs(t, y, f);
  }

  Outcome land_on_root(double tau) {
    ++work_.steps;
    t_ += tau;
    x_.swap(x_new_);
    slope_known_ = false;
    moved_on_ = true;
    finite_ = true;  // non-finite values beyond the root are ignored
    if (!watch_.report(t_, state_view(x_))) {
      message_ = watch_.message();
      return Outcome::stopped_at_root;
    }
    // A step must not go far across accumulating roots: a function that leaves zero and returns
    // within 1e-5 of it is missed. A piece is assumed to be at least 1e-4 times as long as the
    // last.
    const double piece = t_ - std::exchange(piece_began_, t_);
    if (!fixed_ && rhs_.problem->roots->must_be_located())
      h_ = std::min(h_, std::max(10.0 * piece, 1e-8 * h_));
    return Outcome::success;
  }

  /// Below four units in the last place of t the stages have the same times.
  Outcome reject(double h) {
    ++work_.rejected_steps;
    h_ = h;
    if (h <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t_) || t_ + h == t_)
      return give_up();
    finite_ = true;
    return Outcome::success;
  }

  Outcome give_up() {
    message_ =
        fmt::format("step {:.3g} at t = {:.17g} {}", last_step_, t_,
                    finite_ ? "is below the resolution of t" : "gives values that are not finite");
    return finite_ ? Outcome::step_underflow : Outcome::not_finite;
  }

  Work work_;
  bool finite_ = true;
  Rhs rhs_;
  Controller controller_;
  bool fixed_;
  double t_;
  double last_time_ = std::numeric_limits<double>::infinity();
  State x_, slope_, x_new_, slope_new_;
  bool slope_known_ = false;
  bool slope_new_known_ = false;
  bool moved_on_ = false;  ///< a step was accepted since the coordinates were chosen
  MatrixXd change_;        ///< of moving coordinates; unused, because there is no history
  double h_ = 0.0;
  double last_step_ = 0.0;
  RootWatch watch_;
  double max_step_;
  double piece_began_;
  std::string message_;
};

/// `make_controller(atol, rtol)` gives the Controller. Methods with fixed steps locate roots.
template <class MakeController>
Solution solve_with_odeint(const OdeProblem& problem, const std::vector<double>& times,
                           const SolveOptions& options, bool fixed_step_possible,
                           int estimate_order, const MakeController& make_controller) {
  check_input(problem, times, options, fixed_step_possible, fixed_step_possible);
  if (problem.coordinates) problem.coordinates->reset();
  const ToleranceUnits units = in_units_of_tolerance(problem, options);
  Solution solution = unsolved(problem.t0, problem.output_size(), times);
  OdeintStepper stepper(units.problem, times.back(), units.options,
                        make_controller(options.atol, options.rtol), estimate_order);
  run_steps(stepper, options, solution);
  solution.roots = stepper.roots();
  if (solution.outcome == Outcome::stopped_at_root) {
    solution.stopped_at = stepper.state();
    if (units.scale.size() > 0)
      solution.stopped_at = solution.stopped_at.cwiseQuotient(units.scale);
  }
  return solution;
}

template <class Pair>
Solution solve_pair(const OdeProblem& problem, const std::vector<double>& times,
                    const SolveOptions& options) {
  using Controller = odeint::controlled_runge_kutta<Pair>;
  const auto make = [](double atol, double rtol) {
    // 0: Odeint's default would add rtol h |y'| to the tolerance.
    return Controller(typename Controller::error_checker_type(atol, rtol, 1.0, 0.0));
  };
  return solve_with_odeint(problem, times, options, true, Pair().error_order(), make);
}

}  // namespace

Solution solve_runge_kutta_fehlberg78(const OdeProblem& problem, const std::vector<double>& times,
                                      const SolveOptions& options) {
  return solve_pair<odeint::runge_kutta_fehlberg78<State>>(problem, times, options);
}

Solution solve_dopri5(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options) {
  return solve_pair<odeint::runge_kutta_dopri5<State>>(problem, times, options);
}

Solution solve_bulirsch_stoer(const OdeProblem& problem, const std::vector<double>& times,
                              const SolveOptions& options) {
  using Controller = odeint::bulirsch_stoer<State>;
  const auto make = [](double atol, double rtol) {
    return Controller(atol, rtol, 1.0, 0.0);  // 0: as above
  };
  // 7: the estimate of the first column (k = 4: a difference of orders 8 and 10)
  return solve_with_odeint(problem, times, options, false, 7, make);
}

}  // namespace rigidlimit
