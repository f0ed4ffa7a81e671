#include "rigidlimit/solvers/radau/radau_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/solvers/radau/batched_stages.hpp"
#include "rigidlimit/solvers/radau/lane_kernels.hpp"
#include "rigidlimit/solvers/radau/radau_control.hpp"

namespace rigidlimit {
namespace {

constexpr std::size_t lane_stages = 8, lane_nodes = 9;
// As for the output between the nodes of one problem (radau_batched.cpp).
constexpr int defect_order = 7;
constexpr double goal_of_iteration = 0.03;
constexpr int most_iterations = 20;
constexpr double floor_of_deflections = 1e-12;
constexpr double rounding = std::numeric_limits<double>::epsilon();

using Lanes = std::array<double, Pack::lanes>;

Lanes lanes_of(const Pack& x) {
  Lanes all;
  x.store(all.data());
  return all;
}
double largest(const Pack& x) {
  double most = 0.0;
  for (const double lane : lanes_of(x)) most = lane <= most ? most : lane;  // NaN counts
  return most;
}

/// The method's matrices by rows, from those whose lanes are stages.
struct LaneTableau {
  std::array<double, 64> A, to_modes, from_modes;
  Lanes eigenvalue, c;
  std::array<double, lane_nodes> defect;
};

std::array<double, 64> by_rows(const StageMatrix& M) {
  std::array<double, 64> rows;
  for (std::size_t j = 0; j < lane_stages; ++j)
    for (std::size_t k = 0; k < lane_stages; ++k) rows[lane_stages * j + k] = M.column[k][j];
  return rows;
}

const LaneTableau& lane_tableau() {
  static const LaneTableau tableau = [] {
    const BatchedTableau& of = batched_tableau();
    LaneTableau made{.A = by_rows(of.A),
                     .to_modes = by_rows(of.to_modes),
                     .from_modes = by_rows(of.from_modes),
                     .eigenvalue = lanes_of(of.eigenvalue),
                     .c = lanes_of(of.c),
                     .defect = {of.defect_of_start}};
    const Lanes stages = lanes_of(of.defect_of_stages);
    std::ranges::copy(stages, made.defect.begin() + 1);
    return made;
  }();
  return tableau;
}

class LaneStepper {
 public:
  LaneStepper(LaneRate& rate, const std::vector<Pack>& y0, double t0, double end,
              const SolveOptions& options)
      : rate_(rate),
        options_(options),
        tableau_(lane_tableau()),
        kernels_(lane_kernels()),
        n_(rate.size()),
        moving_(rate.slow + rate.fast),
        states_(lane_nodes * n_),
        previous_(lane_nodes * n_),
        weight_(n_),
        P_(moving_ * rate.fast),
        B_(rate.fast * rate.fast),
        K_(rate.fast * rate.fast),
        X_(2 * rate.fast * rate.fast),
        inverse_(lane_stages * rate.fast * rate.fast),
        rate_in_(lane_stages * moving_),
        updated_(lane_stages * moving_),
        lambda_(lane_stages * rate.fast),
        change_(lane_stages * rate.fast),
        push_(lane_stages * rate.fast),
        control_(0.15),
        t_(t0),
        end_(end) {
    std::ranges::copy(y0, states_.begin());
    motion_.rows = rate.outputs();
  }

  LaneMotion solved() {
    h_ = first_step();
    long attempts = 0;
    while (t_ < end_) {
      if (options_.stop_requested && options_.stop_requested()) return ended(Outcome::interrupted);
      if (attempts++ >= options_.max_steps) return ended(Outcome::max_steps);
      if (const Outcome outcome = attempt(); outcome != Outcome::success) return ended(outcome);
    }
    return ended(Outcome::success);
  }

 private:
  Pack* start() { return states_.data(); }
  Pack* stage(std::size_t j) { return states_.data() + (j + 1) * n_; }
  StageRows<Pack> rows_at(std::size_t i) { return {states_.data() + n_ + i, n_}; }
  StageRows<const Pack> read_at(std::size_t i) const { return {states_.data() + n_ + i, n_}; }
  static StageRows<Pack> rows_of(std::vector<Pack>& workspace, std::size_t stride) {
    return {workspace.data(), stride};
  }

  LaneMotion ended(Outcome outcome) {
    motion_.outcome = outcome;
    motion_.t_reached = t_;
    motion_.last_step = last_step_;
    if (outcome != Outcome::success)
      motion_.message =
          fmt::format("step {:.3g} at t = {:.17g}: {}", last_step_, t_, name_of(outcome));
    return std::move(motion_);
  }

  /// That of a single problem (radau_batched.cpp), for the fastest of the eight.
  double first_step() {
    const std::size_t m = rate_.fast;
    const double slowest = 0.1 * std::min(1.0, end_ - t_);
    if (m == 0) return slowest;
    respond(start());
    Pack damping = 0.0, spring = 0.0;
    for (std::size_t i = 0; i < m * m; ++i) {
      damping += B_[i] * B_[i];
      spring += K_[i] * K_[i];
    }
    const double fastest = largest(sqrt(damping) + sqrt(rate_.deflection_rate * sqrt(spring)));
    return std::min(slowest, 2.0 * std::pow(options_.rtol, 0.125) / std::max(fastest, 1e-3));
  }

  /// P, P_w D and P_w C at a state.
  void respond(const Pack* state) {
    const std::size_t m = rate_.fast;
    rate_.response(state, P_.data());
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        Pack b = 0.0, k = 0.0;
        for (std::size_t l = 0; l < m; ++l) {
          const Pack& p = P_[rate_.slow + i + l * moving_];
          b += p * rate_.damping[l + j * m];
          k += p * rate_.stiffness[l + j * m];
        }
        B_[i + j * m] = b;
        K_[i + j * m] = k;
      }
  }

  Outcome attempt() {
    // 1e-4: avoids a needless last step.
    const bool lands = t_ + h_ * (1.0 + 1e-4) >= end_;
    const double t_new = lands ? end_ : t_ + h_;
    const double h = last_step_ = t_new - t_;
    if (t_new == t_ || (!lands && h <= 4.0 * rounding * std::abs(t_)))
      return failure_ == Outcome::error_test_failure ? Outcome::step_underflow : failure_;
    set_weights();
    predict(h);
    const Iteration iteration = iterated(h);
    motion_.work.newton_iterations += iteration.rounds;
    if (!iteration.converged) {
      h_ = h * (iteration.finite ? 0.4 : 0.2);
      control_.iteration_failed(h);
      return reject(iteration.finite ? Outcome::newton_failure : Outcome::not_finite);
    }
    const double error = estimated_error();
    const double allowed =
        control_.proposed(h, error, defect_order, iteration.rounds, most_iterations);
    if (!(error < 1.0)) {
      h_ = allowed;
      return reject(Outcome::error_test_failure);
    }
    if (!write_outputs(h)) {
      h_ = 0.4 * h;
      return reject(Outcome::singular_matrix);
    }
    control_.accepted(h, error);
    h_ = control_.bounded(allowed, h, iteration.rounds > 1 ? iteration.contraction : 1.0);
    accept(h, t_new);
    return Outcome::success;
  }

  /// The outputs of the step; false: the variables are not valid in one of its stages.
  bool write_outputs(double h) {
    const std::size_t rows = motion_.rows;
    outputs_ = {.t0 = t_, .h = h, .outputs = std::vector<Pack>(lane_nodes * rows)};
    const BatchedTableau& tableau = batched_tableau();
    std::size_t first = 0;
    if (!motion_.steps.empty()) {  // the end of the last step
      const std::vector<Pack>& last = motion_.steps.back().outputs;
      std::copy_n(last.end() - static_cast<std::ptrdiff_t>(rows), rows, outputs_.outputs.begin());
      first = 1;
    }
    for (std::size_t j = first; j < lane_nodes; ++j)
      if (!rate_.write_outputs(t_ + tableau.node[j] * h, states_.data() + j * n_,
                               outputs_.outputs.data() + j * rows))
        return false;
    return true;
  }

  Outcome reject(Outcome why) {
    ++motion_.work.rejected_steps;
    failure_ = why;
    control_.rejected();
    return Outcome::success;
  }

  void accept(double h, double t_new) {
    ++motion_.work.steps;
    motion_.steps.push_back(std::move(outputs_));
    h_before_ = h;
    t_ = t_new;
    std::swap(previous_, states_);
    std::copy_n(previous_.begin() + static_cast<std::ptrdiff_t>(lane_stages * n_), n_,
                states_.begin());
    if (!rate_.moves()) return;
    // The present state, then those of the step: the prediction needs them in the new variables.
    moved_.assign(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(n_));
    moved_.insert(moved_.end(), previous_.begin(), previous_.end());
    rate_.move_variables(moved_.data(), lane_nodes + 1);
    std::copy_n(moved_.begin(), n_, states_.begin());
    std::copy(moved_.begin() + static_cast<std::ptrdiff_t>(n_), moved_.end(), previous_.begin());
  }

  void set_weights() {
    for (std::size_t i = moving_; i < n_; ++i)
      largest_deflection_ = max(largest_deflection_, abs(start()[i]));
    Pack largest_value = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      const Pack size = abs(start()[i]);
      weight_[i] = Pack(options_.atol) + Pack(options_.rtol) * size;
      // Round-off in the forces is an error of η that no step makes smaller.
      if (i >= moving_) weight_[i] += Pack(floor_of_deflections) * largest_deflection_;
      weight_[i] = Pack(1.0) / weight_[i];
      largest_value = max(largest_value, size * weight_[i]);
    }
    largest_value_ = largest(largest_value);
  }

  void predict(double h) {
    for (std::size_t j = 0; j < lane_stages; ++j) {
      if (motion_.steps.empty()) {
        std::copy_n(start(), moving_, stage(j));
        continue;
      }
      const auto basis = lagrange_basis(1.0 + h / h_before_ * tableau_.c[j]);
      kernels_.weigh(basis.data(), lane_nodes, {previous_.data(), n_}, stage(j), moving_);
    }
  }

  /// η = η₀ + h κ A w.
  void write_deflections(double h, StageRows<Pack> eta) {
    kernels_.integrate(tableau_.A.data(), start() + moving_, Pack(h) * rate_.deflection_rate,
                       read_at(rate_.slow), eta, rate_.fast);
  }

  struct Iteration {
    bool converged = false, finite = true;
    int rounds = 0;
    double contraction = 1.0;
  };

  /// Weighted sums of squares of a correction, by problem.
  struct Squares {
    Pack velocities = 0.0, deflections = 0.0;
  };

  Iteration iterated(double h) {
    const std::size_t m = rate_.fast;
    respond(stage(4));  // c₅ = 0.52
    if (m > 0) {
      Lanes damper;
      for (std::size_t k = 0; k < lane_stages; ++k) damper[k] = h * tableau_.eigenvalue[k];
      kernels_.invert(B_.data(), K_.data(), damper.data(), rate_.deflection_rate, X_.data(),
                      inverse_.data(), m);
      coupled_ = false;
      for (std::size_t j = 0; j < m && !coupled_; ++j)
        for (std::size_t i = 0; i < rate_.slow && !coupled_; ++i)
          coupled_ = largest(abs(P_[i + j * moving_])) > 0.0;
      write_deflections(h, rows_at(moving_));
    }
    const double goal = std::max(10.0 * rounding * largest_value_, goal_of_iteration);
    Iteration result;
    Squares before;
    std::array<double, Pack::lanes> theta;
    theta.fill(contraction_);
    while (result.rounds < most_iterations) {
      evaluate(h);
      const Squares squares = corrected(h);
      ++result.rounds;
      judge(squares, before, goal, theta, result);
      if (!result.finite || result.converged) break;
      if (result.contraction >= (result.rounds > 2 ? 0.9 : 10.0)) break;
      before = squares;
    }
    contraction_ = result.converged ? std::clamp(result.contraction, 0.1, 0.9) : 0.5;
    return result;
  }

  /// Whether the corrections predict an error below the goal, in each problem; the contraction is
  /// the largest of a problem that is not done.
  void judge(const Squares& squares, const Squares& before, double goal, Lanes& theta,
             Iteration& result) const {
    const auto count = static_cast<double>(lane_stages * n_);
    const Lanes v = lanes_of(squares.velocities), d = lanes_of(squares.deflections),
                v0 = lanes_of(before.velocities), d0 = lanes_of(before.deflections);
    result.converged = true;
    result.contraction = 0.0;
    for (std::size_t k = 0; k < Pack::lanes; ++k) {
      const double norm = std::sqrt((v[k] + d[k]) / count);
      result.finite = result.finite && std::isfinite(norm);
      if (result.rounds > 1) {
        // A bad prediction of η is repaired at once: it must not hide how slowly x converges.
        const bool counts = d0[k] > goal * goal * count;
        theta[k] = std::sqrt(std::max(v[k] / v0[k], counts ? d[k] / d0[k] : 0.0));
        if (!(v0[k] > 0.0)) theta[k] = 0.0;
      }
      const bool done = norm <= goal * (1.0 / std::clamp(theta[k], 1e-3, 0.9) - 1.0) || norm == 0.0;
      if (!done) result.converged = false;
      if (!done || norm > goal) result.contraction = std::max(result.contraction, theta[k]);
    }
  }

  void evaluate(double h) {
    const std::size_t m = rate_.fast;
    for (std::size_t j = 0; j < lane_stages; ++j) {
      const Pack* const w = stage(j) + rate_.slow;
      if (m > 0)
        kernels_.force(rate_.stiffness.data(), rate_.damping.data(), w + m, w, &lambda_[j * m], m);
      rate_.rates(t_ + h * tableau_.c[j], stage(j), lambda_.data() + j * m, &rate_in_[j * moving_]);
    }
    motion_.work.rhs_evaluations += lane_stages;
  }

  Squares corrected(double h) {
    Squares squares;
    if (rate_.fast > 0) correct_sliding(h, squares);
    const std::size_t m = rate_.fast, slow = rate_.slow;
    kernels_.integrate(tableau_.A.data(), start(), Pack(h), {rate_in_.data(), moving_},
                       rows_of(updated_, moving_), slow);
    if (coupled_)
      for (std::size_t j = 0; j < lane_stages; ++j)
        kernels_.subtract(P_.data(), moving_, &lambda_[j * m], &updated_[j * moving_], slow, m);
    kernels_.update({updated_.data(), moving_}, weight_.data(), rows_at(0), slow,
                    squares.velocities);
    return squares;
  }

  /// Corrects w and η; then lambda_ is the effect h A (C δη + D δw) of the changed λ.
  void correct_sliding(double h, Squares& squares) {
    const std::size_t m = rate_.fast, w = rate_.slow;
    kernels_.integrate(tableau_.A.data(), start() + w, Pack(h), {rate_in_.data() + w, moving_},
                       rows_of(change_, m), m);
    for (std::size_t j = 0; j < lane_stages; ++j)
      for (std::size_t i = 0; i < m; ++i) change_[j * m + i] -= stage(j)[w + i];
    kernels_.mix(tableau_.to_modes.data(), {change_.data(), m}, rows_of(push_, m), m);
    kernels_.apply(inverse_.data(), {push_.data(), m}, rows_of(lambda_, m), m);
    kernels_.mix(tableau_.from_modes.data(), {lambda_.data(), m}, rows_of(change_, m), m);
    for (std::size_t j = 0; j < lane_stages; ++j)
      for (std::size_t i = 0; i < m; ++i) push_[j * m + i] = stage(j)[w + i] + change_[j * m + i];
    kernels_.update({push_.data(), m}, &weight_[w], rows_at(w), m, squares.velocities);
    write_deflections(h, rows_of(push_, m));
    kernels_.update({push_.data(), m}, &weight_[moving_], rows_at(moving_), m, squares.deflections);
    if (!coupled_) return;
    kernels_.mix(tableau_.A.data(), {change_.data(), m}, rows_of(push_, m), m);
    const Pack factor = Pack(h) * rate_.deflection_rate;
    for (Pack& one : push_) one *= factor;
    for (std::size_t j = 0; j < lane_stages; ++j)
      kernels_.force(rate_.stiffness.data(), rate_.damping.data(), &push_[j * m], &change_[j * m],
                     &lambda_[j * m], m);
    kernels_.mix(tableau_.A.data(), {lambda_.data(), m}, rows_of(push_, m), m);
    for (std::size_t i = 0; i < push_.size(); ++i) lambda_[i] = Pack(h) * push_[i];
  }

  /// The largest defect of a problem, less twice that of rounding errors.
  double estimated_error() {
    defects_.resize(n_);
    kernels_.weigh(tableau_.defect.data(), lane_nodes, {states_.data(), n_}, defects_.data(), n_);
    double of_rounding = 0.0;
    for (const double factor : tableau_.defect) of_rounding += factor * factor;
    of_rounding *= 4.0 * rounding * rounding;
    Pack squares = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      const Pack scaled = defects_[i] * weight_[i], value = start()[i] * weight_[i];
      squares += scaled * scaled - Pack(of_rounding) * value * value;
    }
    return std::sqrt(std::max(0.0, largest(squares)) / static_cast<double>(n_));
  }

  LaneRate& rate_;
  const SolveOptions& options_;
  const LaneTableau& tableau_;
  const LaneKernels& kernels_;
  std::size_t n_, moving_;
  std::vector<Pack> states_, previous_;  ///< y at the start and in the stages
  std::vector<Pack> weight_;             ///< of y
  std::vector<Pack> P_, B_, K_, X_, inverse_;
  std::vector<Pack> rate_in_, updated_;       ///< (x, w) in the stages
  std::vector<Pack> lambda_, change_, push_;  ///< m in the stages
  std::vector<Pack> defects_, moved_;
  LaneStep outputs_;
  Pack largest_deflection_ = 0.0;  ///< so far
  bool coupled_ = false;           ///< P_x is not zero
  RadauStepControl control_;
  double t_, end_, h_ = 0.0, h_before_ = 0.0, last_step_ = 0.0;
  double contraction_ = 0.5, largest_value_ = 0.0;
  Outcome failure_ = Outcome::step_underflow;
  LaneMotion motion_;
};

}  // namespace

std::size_t LaneMotion::step_at(double t, std::size_t first) const {
  while (first + 1 < steps.size() && t > steps[first].t0 + steps[first].h) ++first;
  return first;
}

void LaneMotion::write(std::size_t step, double t, Pack* outputs) const {
  const LaneStep& in = steps[step];
  const auto basis = lagrange_basis((t - in.t0) / in.h);
  lane_kernels().weigh(basis.data(), lane_nodes, {in.outputs.data(), rows}, outputs, rows);
}

LaneMotion solve_radau_lanes(LaneRate& rate, const std::vector<Pack>& y0, double t0, double end,
                             const SolveOptions& options) {
  return LaneStepper(rate, y0, t0, end, options).solved();
}

}  // namespace rigidlimit
