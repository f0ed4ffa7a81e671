#include "rigidlimit/solvers/radau/radau_batched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/work_sum.hpp"
#include "rigidlimit/solvers/radau/batched_stages.hpp"
#include "rigidlimit/solvers/radau/radau_control.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "rigidlimit/solvers/radau/radau_solve.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"

namespace rigidlimit {
namespace {

constexpr int stages = static_cast<int>(Pack::lanes);
// The defect falls as h⁸. As an error between the nodes it is controlled like the estimate of a
// method of seven stages; the error of a step falls as its square.
constexpr int defect_stages = 7;
constexpr int error_stages = 15;
// Share of the squared defect. With this value the error of (q, v) at the end has a median of 0.01
// rtol (19 systems, ε = 1e-2 to 1e-6, rtol 1e-4 to 1e-10; medians of a system 2e-6 to 1.4).
constexpr double error_share = 3e-2;
constexpr double last_share = 0.1;          // of the defect of (w, η) in the last step
constexpr double deflection_floor = 1e-12;  // relative tolerance of η at least
// The slow part is stiff after so many steps that the iteration made shorter than their error
// allows: by the factor, or at all in spite of so many iterations. Any other step counts −1/4, as
// the error of the iteration also shows in the estimate. So many steps must be left.
constexpr double most_limited = 12.0;
constexpr double limiting_factor = 3.0;
constexpr int many_batches = 8;
constexpr double not_limited = -0.25;
constexpr double worthwhile_steps = 50.0;
constexpr double least_step = 4.0 * std::numeric_limits<double>::epsilon();

class BatchedStepper {
 public:
  BatchedStepper(const OdeProblem& problem, double end, bool between, const SolveOptions& options)
      : problem_(problem),
        rate_(*problem.batched),
        options_(options),
        atol_(absolute_tolerances(options, problem.y0.size())),
        fixed_(options.fixed_step > 0.0),
        output_between_(between),
        stages_(rate_),
        step_(problem.y0.size()),
        previous_(problem.y0.size()),
        weight_(static_cast<std::size_t>(rate_.slow + 2 * rate_.fast)),
        between_(problem.y0.size()),
        samples_(static_cast<std::size_t>(problem.y0.size())),
        outputs_(static_cast<std::size_t>(problem.output_size())),
        change_(problem.y0.size(), problem.y0.size()),
        integrals_at_(rate_.slow + 2 * rate_.fast),
        stage_rates_(stages, problem.y0.size() - integrals_at_),
        control_(0.15),
        t_(problem.t0) {
    std::copy(problem.y0.data(), problem.y0.data() + problem.y0.size(), step_.start.begin());
    h_ = fixed_ ? options.fixed_step : options.initial_step;
    if (fixed_) goal_ = {.most = 300, .patient = true};
    if (h_ == 0.0) h_ = first_step(end - t_);
  }

  double t() const { return t_; }

  /// The states at these times of the grid, all within the last step, in packs of eight.
  void write_columns(std::size_t first, std::size_t last, Solution& solution) {
    for (; first < last; first += Pack::lanes) {
      const std::size_t count = std::min(last - first, Pack::lanes);
      if (previous_known_) {
        std::array<double, Pack::lanes> theta;
        for (std::size_t k = 0; k < Pack::lanes; ++k)
          theta[k] = (solution.times[first + std::min(k, count - 1)] - previous_.t0) / previous_.h;
        previous_.at(Pack::load(theta.data()), samples_.size(), samples_.data());
      }
      // Lanes beyond the last sample repeat it: all eight must be states near each other.
      for (std::size_t k = 0; k < Pack::lanes; ++k)
        if (solution.times[first + std::min(k, count - 1)] == t_)
          for (std::size_t i = 0; i < samples_.size(); ++i) samples_[i].set(k, step_.start[i]);
      write_samples(first, count, solution);
    }
  }

  Outcome attempt(double, double end) {
    stiff_ = limited_ >= most_limited && end - t_ > worthwhile_steps * h_ && problem_.jacobian;
    if (stiff_) return give_up();
    if (std::exchange(moved_on_, false) && problem_.coordinates) rechoose_coordinates();
    // 1e-9: rounding of t must not leave a step of that size; 1e-4: avoids a needless last step.
    const bool lands = t_ + h_ * (1.0 + (fixed_ ? 1e-9 : 1e-4)) >= end;
    const double t_new = lands ? end : t_ + h_;
    step_.t0 = t_;
    step_.h = last_step_ = t_new - t_;
    if (t_new == t_ || (!lands && step_.h <= least_step * std::abs(t_))) return give_up();
    set_weights();
    predict();
    const BatchedIteration iteration = stages_.solve(step_, weight_, goal_, contraction_);
    batches_ += iteration.batches;
    if (!iteration.converged) return iteration_failed(iteration);
    const double error = fixed_ ? 0.0 : estimated_error(lands);
    if (!(error < 1.0)) {
      h_ = proposed(error, iteration);
      return reject(Outcome::error_test_failure);
    }
    accept(t_new, error, iteration);
    return Outcome::success;
  }

  Work work() const {
    Work work = work_;
    work.newton_iterations = work.linear_solves = batches_;
    work.jacobian_evaluations = work.factorisations = work.steps + work.rejected_steps;
    work.rhs_evaluations = stages * batches_ + integral_rates_;
    return work;
  }
  double last_step() const { return last_step_; }
  const std::string& message() const { return message_; }
  bool slow_part_is_stiff() const { return stiff_; }

 private:
  /// Writes samples_ to columns of the solution, in fixed variables.
  void write_samples(std::size_t first, std::size_t count, Solution& solution) {
    const bool moves = problem_.coordinates != nullptr;
    if (moves) problem_.coordinates->output_of_eight(samples_.data(), outputs_.data());
    const std::vector<Pack>& rows = moves ? outputs_ : samples_;
    std::array<double, Pack::lanes> row;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].store(row.data());
      for (std::size_t k = 0; k < count; ++k)
        solution.states(static_cast<Index>(i), static_cast<Index>(first + k)) = row[k];
    }
  }

  /// A share 2 rtol^(1/8) of the time scale of damper and spring of the fast part, and at most a
  /// tenth of a second or of the span.
  double first_step(double span) const {
    const Index size = rate_.slow + rate_.fast;
    MatrixXd P(size, rate_.fast);
    rate_.response(problem_.y0.data(), P);
    const MatrixXd A = P.bottomRows(rate_.fast);
    const double damping = (A * rate_.damping).norm();
    const double spring = std::sqrt(rate_.deflection_rate * (A * rate_.stiffness).norm());
    const double slowest = 0.1 * std::min(1.0, span);
    return std::min(slowest,
                    2.0 * std::pow(options_.rtol, 0.125) / std::max(damping + spring, 1e-3));
  }

  void set_weights() {
    double largest = 0.0;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      weight_[i] = 1.0 / (atol_(static_cast<Index>(i)) + options_.rtol * std::abs(step_.start[i]));
      largest = std::max(largest, std::abs(step_.start[i]) * weight_[i]);
    }
    // Round-off in the forces, up to 1e-13 of them, is an error of η that no step makes smaller.
    for (auto i = static_cast<std::size_t>(rate_.slow + rate_.fast); i < weight_.size(); ++i)
      largest_deflection_ = std::max(largest_deflection_, std::abs(step_.start[i]));
    for (auto i = static_cast<std::size_t>(rate_.slow + rate_.fast); i < weight_.size(); ++i)
      weight_[i] = 1.0 / (1.0 / weight_[i] + deflection_floor * largest_deflection_);
    const double round_off = std::numeric_limits<double>::epsilon() * largest;
    goal_.error = fixed_ ? 4.0 * round_off : std::max(10.0 * round_off, 0.03);
  }

  /// Transforms the polynomial of the last step, whose output has been written.
  void rechoose_coordinates() {
    for (std::size_t i = 0; i < step_.start.size(); ++i)
      between_(static_cast<Index>(i)) = step_.start[i];
    if (!problem_.coordinates->rechoose(0.0, between_, change_)) return;
    for (std::size_t i = 0; i < step_.start.size(); ++i)
      step_.start[i] = between_(static_cast<Index>(i));
    previous_.transform(change_);
  }

  /// Extrapolates the polynomial of the last step; at the start, uses the start.
  void predict() {
    const auto size = static_cast<std::size_t>(rate_.slow + rate_.fast);
    if (!previous_known_) {
      for (std::size_t i = 0; i < size; ++i) step_.stages[i] = Pack(step_.start[i]);
      return;
    }
    previous_.at(Pack(1.0) + Pack(step_.h / previous_.h) * batched_tableau().c, size,
                 step_.stages.data());
  }

  double estimated_error(bool lands) const {
    const auto moving = static_cast<std::size_t>(rate_.slow + rate_.fast);
    if (output_between_) return defect(0, weight_.size());
    const double of_moving = defect(0, moving);
    const double error = error_share * options_.rtol * of_moving * of_moving;
    // λ = C η + D w has fewer digits, but its errors hardly propagate: only the last one is output.
    const auto slow = static_cast<std::size_t>(rate_.slow);
    return lands && rate_.fast > 0 ? std::max(error, last_share * defect(slow, weight_.size()))
                                   : error;
  }

  /// The defect of the components first, …, end − 1: root mean square, less twice that of rounding
  /// errors, which limit the step at rtol < 1e-12.
  double defect(std::size_t first, std::size_t end) const {
    const BatchedTableau& tableau = batched_tableau();
    const std::size_t rows = end - first;
    const double squares = stage_kernels().defect(
        tableau.defect_of_start, tableau.defect_of_stages, step_.start.data() + first,
        step_.stages.data() + first, weight_.data() + first, rows);
    double values = 0.0;
    for (std::size_t i = first; i < end; ++i) {
      const double scaled = step_.start[i] * weight_[i];
      values += scaled * scaled;
    }
    const double rounding = 2.0 * std::numeric_limits<double>::epsilon();
    const double of_rounding = rounding * rounding * values *
                               (tableau.defect_of_start * tableau.defect_of_start +
                                sum(tableau.defect_of_stages * tableau.defect_of_stages));
    return std::sqrt(std::max(0.0, squares - of_rounding) / static_cast<double>(rows));
  }

  double proposed(double error, const BatchedIteration& iteration) const {
    return control_.proposed(step_.h, error, output_between_ ? defect_stages : error_stages,
                             iteration.batches, goal_.most);
  }

  /// Integrals of the accepted step: start + h A ⊗ (their rates in the stages).
  void find_integrals() {
    if (stage_rates_.cols() == 0) return;
    const BatchedTableau& tableau = batched_tableau();
    VectorXd rate(between_.size());
    for (int j = 0; j < stages; ++j) {
      for (Index i = 0; i < between_.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        between_(i) =
            i < integrals_at_ ? step_.stages[k][static_cast<std::size_t>(j)] : step_.start[k];
      }
      problem_.rhs(step_.t0 + tableau.node[j + 1] * step_.h, between_, rate);
      stage_rates_.row(j) = rate.tail(stage_rates_.cols());
    }
    integral_rates_ += stages;
    for (Index i = 0; i < stage_rates_.cols(); ++i) {
      const auto k = static_cast<std::size_t>(integrals_at_ + i);
      const Pack rates = Pack::load(stage_rates_.col(i).data());
      stage_kernels().combine(tableau.A, Pack(1.0), &step_.start[k], Pack(step_.h), &rates,
                              &step_.stages[k], 1);
    }
  }

  void accept(double t_new, double error, const BatchedIteration& iteration) {
    find_integrals();
    ++work_.steps;
    contraction_ = iteration.contraction;
    if (!fixed_) {
      const double allowed = proposed(error, iteration);
      control_.accepted(step_.h, error);
      h_ = control_.bounded(allowed, step_.h, iteration.batches > 1 ? iteration.contraction : 1.0);
      const bool is_limited = limiting_factor * h_ < allowed ||
                              (h_ < 0.9 * allowed && iteration.batches >= many_batches);
      limited_ = std::max(0.0, limited_ + (is_limited ? 1.0 : not_limited));
    }
    std::swap(previous_, step_);
    previous_known_ = moved_on_ = true;
    t_ = t_new;
    for (std::size_t i = 0; i < step_.start.size(); ++i)
      step_.start[i] = previous_.stages[i][stages - 1];
  }

  Outcome iteration_failed(const BatchedIteration& iteration) {
    h_ = step_.h * (iteration.finite ? 0.4 : 0.2);
    control_.iteration_failed(step_.h);
    contraction_ = 0.5;
    if (!fixed_ && iteration.finite) limited_ += 1.0;
    return reject(iteration.finite ? Outcome::newton_failure : Outcome::not_finite);
  }

  Outcome reject(Outcome why) {
    ++work_.rejected_steps;
    failure_ = why;
    control_.rejected();
    return fixed_ ? give_up() : Outcome::success;
  }

  Outcome give_up() {
    message_ = fmt::format("step {:.3g} at t = {:.17g}: {}", last_step_, t_, name_of(failure_));
    return failure_ == Outcome::error_test_failure ? Outcome::step_underflow : failure_;
  }

  const OdeProblem& problem_;
  const BatchedRate& rate_;
  SolveOptions options_;
  VectorXd atol_;
  bool fixed_;
  bool output_between_;
  BatchedStages stages_;
  BatchedStep step_, previous_;
  bool previous_known_ = false;
  bool moved_on_ = false;  ///< since the last check of the coordinates
  std::vector<double> weight_;
  double largest_deflection_ = 0.0;  ///< so far
  VectorXd between_;
  std::vector<Pack> samples_, outputs_;  ///< eight states of the grid, and in fixed variables
  MatrixXd change_;
  Index integrals_at_;    ///< N_x + 2 m, the first integral
  MatrixXd stage_rates_;  ///< 8 × integrals
  long integral_rates_ = 0;
  RadauStepControl control_;
  BatchedGoal goal_;
  double contraction_ = 0.5;
  double t_, h_ = 0.0, last_step_ = 0.0;
  Outcome failure_ = Outcome::step_underflow;
  double limited_ = 0.0;  ///< steps that the iteration of the slow part has limited
  bool stiff_ = false;
  long batches_ = 0;
  Work work_;
  std::string message_;
};

}  // namespace

Solution solve_radau_iia_batched(const OdeProblem& problem, const std::vector<double>& times,
                                 const SolveOptions& options) {
  check_input(problem, times, options, true);
  if (problem.y0.size() < problem.batched->slow + 2 * problem.batched->fast)
    throw InputError(fmt::format("{}: y0 has {} entries, but the batched rate needs at least {}",
                                 problem.name, problem.y0.size(),
                                 problem.batched->slow + 2 * problem.batched->fast));
  if (problem.coordinates) problem.coordinates->reset();
  Solution solution = unsolved(problem.t0, problem.output_size(), times);
  BatchedStepper stepper(problem, times.back(), output_between(problem.t0, times), options);
  run_steps(stepper, options, solution);
  if (!stepper.slow_part_is_stiff()) return solution;
  Solution whole = solve_radau_iia(problem, times, options, RadauOptions{});
  add(whole.work, solution.work);
  return whole;
}

}  // namespace rigidlimit
