#include "rigidlimit/solvers/taylor/taylor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/jet_evaluator.hpp"
#include "rigidlimit/solvers/odeint/odeint_runge_kutta.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"

namespace rigidlimit {
namespace {

constexpr double least_step = 4.0 * std::numeric_limits<double>::epsilon();

int order_of(double rtol) {
  return static_cast<int>(std::clamp(std::ceil(-0.5 * std::log(rtol)) + 1.0, 3.0, 24.0));
}

/// Nodes and weights of Gauss's quadrature on (0, 1), exact for polynomials of degree 2 count − 1.
struct Quadrature {
  std::vector<double> node, weight;
  explicit Quadrature(int count) {
    for (int i = 0; i < count; ++i) {
      double x = std::cos(M_PI * (i + 0.75) / (count + 0.5)), slope = 0.0;
      for (int iteration = 0; iteration < 8; ++iteration) {  // Newton; 4 suffice up to 15 nodes
        double before = 1.0, value = x;
        for (int n = 2; n <= count; ++n)
          before = std::exchange(value, ((2 * n - 1) * x * value - (n - 1) * before) / n);
        slope = count * (x * value - before) / (x * x - 1.0);
        x -= value / slope;
      }
      node.push_back(0.5 * (1.0 + x));
      weight.push_back(1.0 / ((1.0 - x * x) * slope * slope));
    }
  }
};

/// The polynomial of a step in (x, w, η), and the integrals at its start.
struct TaylorStep {
  TaylorStep(int order, Index size, Index integrals)
      : p(order), coefficients(size, order + 1), integrals_at_start(integrals) {}

  int p;
  double t0 = 0.0;
  MatrixXd coefficients;  ///< column k: order k
  VectorXd integrals_at_start;

  void value(double h, VectorOut y) const {
    y = coefficients.col(p);
    for (int k = p - 1; k >= 0; --k) y = y * h + coefficients.col(k);
  }
  void slope(double h, VectorOut y) const {
    y = p * coefficients.col(p);
    for (int k = p - 1; k >= 1; --k) y = y * h + k * coefficients.col(k);
  }
};

class TaylorStepper {
 public:
  TaylorStepper(const OdeProblem& problem, const SolveOptions& options)
      : problem_(problem),
        rate_(*problem.batched),
        options_(options),
        p_(order_of(options.rtol)),
        moving_(rate_.slow + rate_.fast),
        size_(moving_ + rate_.fast),
        integrals_(problem.y0.size() - size_),
        atol_(absolute_tolerances(options, problem.y0.size())),
        fixed_(options.fixed_step > 0.0),
        step_(p_, size_, integrals_),
        previous_(p_, size_, integrals_),
        y_(problem.y0),
        y_new_(problem.y0),
        between_(problem.y0),
        slope_(size_),
        t_(problem.t0) {
    step_.coefficients.col(0) = y_.head(size_);
    step_.t0 = t_;
    if (integrals_ > 0) quadrature_.emplace(p_ / 2 + 1);
  }

  double t() const { return t_; }
  const Work& work() const { return work_; }
  double last_step() const { return last_step_; }
  const std::string& message() const { return message_; }

  void write(double tau, Index column, Solution& solution) {
    if (tau == t_)
      between_ = y_;
    else
      state(previous_, tau - previous_.t0, between_);
    write_output<double>(problem_, tau, between_, solution.states.col(column));
  }

  Outcome attempt(double, double end) {
    if (std::exchange(moved_on_, false) && problem_.coordinates) rechoose_coordinates();
    if (!jet_known_) {
      if (!rate_known_ && !(finite_ = start_jet(t_, step_))) return give_up();
      if (!continue_jet()) return give_up();
      choose_step();
    }
    // 1e-9: rounding of t must not leave a step of that size; 1e-4: avoids a needless last step.
    const bool lands = t_ + h_ * (1.0 + (fixed_ ? 1e-9 : 1e-4)) >= end;
    const double t_new = lands ? end : t_ + h_;
    const double h = last_step_ = t_new - t_;
    if (t_new == t_ || (!lands && h <= least_step * std::abs(t_))) return give_up();
    state(step_, h, y_new_);
    std::swap(step_, previous_);
    step_.t0 = t_new;
    step_.coefficients.col(0) = y_new_.head(size_);
    rate_known_ = true;
    finite_ = y_new_.allFinite() && start_jet(t_new, step_);
    if (!finite_ || (!fixed_ && !(error(h) < 1.0))) return reject(h);
    ++work_.steps;
    y_.swap(y_new_);
    step_.integrals_at_start = y_.tail(integrals_);
    t_ = t_new;
    jet_known_ = false;
    moved_on_ = true;
    return Outcome::success;
  }

 private:
  void rechoose_coordinates() {
    change_.resize(y_.size(), y_.size());
    if (!problem_.coordinates->rechoose(0.0, y_, change_)) return;
    step_.coefficients.col(0) = y_.head(size_);
    step_.integrals_at_start = y_.tail(integrals_);
    rate_known_ = false;
  }

  /// Orders 0 and 1 of a step that begins at t. false: the rate is not finite.
  bool start_jet(double t, TaylorStep& step) {
    const RecordedRate rate = rate_.recorded(step.coefficients.col(0).data());
    if (!jets_ || &jets_->evaluator() != rate.jets) jets_.emplace(*rate.jets, p_);
    double* const arguments = jets_->arguments();
    write_arguments(step, 0, arguments);
    for (std::size_t i = 0; i < rate.load.size(); ++i)
      arguments[static_cast<std::size_t>(moving_) + i] += rate.load[i];
    double* next = arguments + moving_ + rate_.fast;
    *next++ = t;
    std::copy(rate.parameters.begin(), rate.parameters.end(), next);
    return take(step, 0, jets_->start());
  }

  /// Orders 2, …, p of the current step.
  bool continue_jet() {
    bool finite = true;
    for (int k = 1; k < p_; ++k) {
      double* const coefficients = jets_->coefficients();
      write_arguments(step_, k, coefficients);
      coefficients[moving_ + rate_.fast] = k == 1 ? 1.0 : 0.0;  // of t
      finite = take(step_, k, jets_->next(k)) && finite;
    }
    jet_known_ = true;
    return finite_ = finite;
  }

  /// (x, w) and λ of order k.
  void write_arguments(const TaylorStep& step, int k, double* arguments) const {
    const double* const y = step.coefficients.col(k).data();
    std::copy(y, y + moving_, arguments);
    const Index m = rate_.fast;
    for (Index i = 0; i < m; ++i) {
      double lambda = 0.0;
      for (Index j = 0; j < m; ++j)
        lambda += rate_.stiffness(i, j) * y[moving_ + j] + rate_.damping(i, j) * y[rate_.slow + j];
      arguments[moving_ + i] = lambda;
    }
  }

  /// y_(k+1) = (rate of order k) / (k + 1). false: it is not finite.
  bool take(TaylorStep& step, int k, const double* rate) {
    ++work_.rhs_evaluations;
    const double* const y = step.coefficients.col(k).data();
    double* const next = step.coefficients.col(k + 1).data();
    const double share = 1.0 / (k + 1);
    double sum = 0.0;  // not finite if an entry is not
    for (Index i = 0; i < moving_; ++i) sum += next[i] = share * rate[i];
    for (Index i = 0; i < rate_.fast; ++i)
      next[moving_ + i] = share * rate_.deflection_rate * y[rate_.slow + i];
    return std::isfinite(sum);
  }

  void choose_step() {
    if (fixed_) {
      h_ = options_.fixed_step;
      return;
    }
    double largest[2] = {0.0, 0.0};  // of orders p − 1 and p
    for (Index i = 0; i < size_; ++i) {
      const double weight = 1.0 / (std::abs(y_(i)) + atol_(i) / options_.rtol);
      for (int k = 0; k < 2; ++k)
        largest[k] = std::max(largest[k], weight * std::abs(step_.coefficients(i, p_ - 1 + k)));
    }
    const double radius =
        std::min(std::pow(largest[0], -1.0 / (p_ - 1)), std::pow(largest[1], -1.0 / p_));
    h_ = std::exp(-2.0 - 0.7 / (p_ - 1)) * radius;
    if (options_.max_step > 0.0) h_ = std::min(h_, options_.max_step);
    if (work_.steps == 0 && options_.initial_step > 0.0) h_ = std::min(h_, options_.initial_step);
  }

  /// The state at h after the start of a step; for integrals with rates along its polynomial.
  void state(const TaylorStep& step, double h, VectorXd& y) {
    step.value(h, y.head(size_));
    if (integrals_ == 0) return;
    VectorXd at_node = y, rate(y.size()), sum = VectorXd::Zero(integrals_);
    for (std::size_t i = 0; i < quadrature_->node.size(); ++i) {
      step.value(quadrature_->node[i] * h, at_node.head(size_));
      at_node.tail(integrals_) = step.integrals_at_start;
      problem_.rhs(step.t0 + quadrature_->node[i] * h, at_node, rate);
      ++work_.rhs_evaluations;
      sum += quadrature_->weight[i] * rate.tail(integrals_);
    }
    y.tail(integrals_) = step.integrals_at_start + h * sum;
  }

  /// The estimated error of the step `previous_`, at whose end step_ begins, over the tolerance.
  double error(double h) {
    previous_.slope(h, slope_);
    double largest = 0.0;
    for (Index i = 0; i < size_; ++i) {
      const double tolerance = atol_(i) + options_.rtol * std::abs(y_new_(i));
      largest = std::max(largest, std::abs(step_.coefficients(i, 1) - slope_(i)) / tolerance);
    }
    return h / (p_ + 1) * largest;
  }

  Outcome reject(double h) {
    std::swap(step_, previous_);  // the polynomial before stays lost: its output has been written
    ++work_.rejected_steps;
    if (fixed_) return give_up();
    h_ = (finite_ ? 0.5 : 0.25) * h;
    return Outcome::success;
  }

  Outcome give_up() {
    message_ =
        fmt::format("step {:.3g} at t = {:.17g} {}", last_step_, t_,
                    finite_ ? "is below the resolution of t" : "gives values that are not finite");
    return finite_ ? Outcome::step_underflow : Outcome::not_finite;
  }

  const OdeProblem& problem_;
  const BatchedRate& rate_;
  const SolveOptions& options_;
  int p_;
  Index moving_;     ///< N_x + m
  Index size_;       ///< N_x + 2 m
  Index integrals_;  ///< behind (x, w, η)
  VectorXd atol_;
  bool fixed_;
  std::optional<Jets> jets_;
  std::optional<Quadrature> quadrature_;
  TaylorStep step_, previous_;
  VectorXd y_, y_new_, between_, slope_;
  MatrixXd change_;  ///< of moving coordinates: an output, for methods with a history
  bool rate_known_ = false, jet_known_ = false, finite_ = true;
  bool moved_on_ = false;  ///< since the last check of the coordinates
  double t_, h_ = 0.0, last_step_ = 0.0;
  Work work_;
  std::string message_;
};

}  // namespace

std::string taylor_refusal(const OdeProblem& problem) {
  const JetEvaluator* const jets =
      problem.batched ? problem.batched->recorded(problem.y0.data()).jets : nullptr;
  if (!jets) return "needs recorded equations, which this problem does not have";
  if (!jets->missing().empty())
    return fmt::format("has no Taylor recurrence for the operation {} of the equations",
                       jets->missing());
  return "";
}

Solution solve_taylor(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options) {
  check_input(problem, times, options, true);
  if (problem.coordinates) problem.coordinates->reset();
  if (!taylor_refusal(problem).empty())
    return solve_runge_kutta_fehlberg78(problem, times, options);
  Solution solution = unsolved(problem.t0, problem.output_size(), times);
  TaylorStepper stepper(problem, options);
  run_steps(stepper, options, solution);
  return solution;
}

}  // namespace rigidlimit
