#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

constexpr std::size_t most_trials = 6;
constexpr double margin = 0.98;     // of the wanted error, aimed at
constexpr double close = 0.9;       // of it, near enough
constexpr double flat_order = 0.1;  // an error of this order or less does not shrink
constexpr double stiffest_epsilon = 1e-12;

const Series* series_of(const PairErrors& result, const Measure& measure) {
  const auto at = std::ranges::find_if(result.series, [&](const Series& s) {
    return !s.rows.empty() && s.rows.front().measure == measure;
  });
  return at == result.series.end() ? nullptr : &*at;
}

StiffnessTrial trial_of(const PairErrors& found, double epsilon,
                        const std::vector<WantedError>& all) {
  StiffnessTrial trial{.epsilon = epsilon, .errors = {}};
  for (const WantedError& wanted : all) {
    MeasuredError& measured = trial.errors.emplace_back();
    const Series* const series = series_of(found, wanted.measure);
    if (series == nullptr) {
      measured.status = found.failure.empty() ? "failed" : found.failure;
      continue;
    }
    const Row& row = series->rows.front();
    measured = {.error = row.model_error(),
                .bar = row.floor(),
                .status = name_of(row.evidence),
                .proved = row.proved_interval()};
  }
  return trial;
}

/// Solves the study with the diagonal damper, which keeps the wanted errors or not.
std::optional<CheckedDamper> checked_damper(const StiffnessResult& result, const Motion& rigid,
                                            const RunOptions& options) {
  std::optional<DiagonalDamping> diagonal = diagonal_damping_of(result.study, result.contact);
  if (!diagonal) return std::nullopt;
  const PairStudy study = std::move(diagonal->study);
  const double epsilon = result.epsilon();
  CheckedDamper damper{.damping = std::move(diagonal->damping),
                       .times = times_of(study, contact_of(study, epsilon, rigid), rigid),
                       .trial = trial_of(errors_of(study, options), epsilon, result.wanted)};
  damper.holds = true;
  for (std::size_t k = 0; k < result.wanted.size(); ++k)
    if (!(damper.trial.errors[k].most() <= result.wanted[k].size)) damper.holds = false;
  return damper;
}

class Search {
 public:
  Search(PairStudy study, const std::vector<WantedError>& wanted, const RunOptions& options)
      : options_(options) {
    result_.study = plain_study(std::move(study), wanted);
    result_.wanted = wanted;
    ladder_ = epsilons_of(result_.study);
  }

  StiffnessResult found() {
    const double start = ladder_[ladder_.size() / 2];
    const PairErrors first = run({start});
    for (const WantedError& wanted : result_.wanted) result_.laws.push_back(law_of(first, wanted));
    result_.no_prediction = first.no_prediction;
    if (!result_.interrupted && !all_predicted()) fit_laws();
    for (double epsilon = first_guess(); result_.reason.empty() && !result_.interrupted;) {
      result_.trials.push_back(trial_at(epsilon));
      if (result_.interrupted || is_enough()) break;
      epsilon = next_guess();
    }
    if (!result_.found && result_.reason.empty() && !result_.interrupted)
      result_.reason = fmt::format("{} solves found none", result_.trials.size());
    return std::move(result_);
  }

 private:
  PairErrors run(std::vector<double> epsilons) {
    epsilons_of(result_.study) = std::move(epsilons);
    PairErrors found = errors_of(result_.study, options_);
    result_.interrupted = options_.stopped();
    return found;
  }

  static ErrorLaw law_of(const PairErrors& found, const WantedError& wanted) {
    const Series* const series = series_of(found, wanted.measure);
    if (series == nullptr) return {};
    return {.coefficient = series->rows.front().predicted_coefficient,
            .order = series->predicted_order,
            .predicted = !std::isnan(series->rows.front().predicted_coefficient)};
  }

  bool all_predicted() const { return std::ranges::all_of(result_.laws, &ErrorLaw::predicted); }

  /// The laws that are not predicted, from all ε of the study.
  void fit_laws() {
    const PairErrors found = run(ladder_);
    for (std::size_t k = 0; k < result_.laws.size(); ++k) {
      if (result_.laws[k].predicted) continue;
      const Series* const series = series_of(found, result_.wanted[k].measure);
      if (series == nullptr || std::isnan(series->judgement.fit.order)) {
        result_.reason = fmt::format(
            "{}: no order can be fitted to the study's ε: {}", text_of(result_.wanted[k].measure),
            series == nullptr ? "every solve failed" : series->judgement.reason);
        return;
      }
      const OrderFit& fit = series->judgement.fit;
      result_.laws[k] = {.coefficient = fit.coefficient, .order = fit.order};
    }
  }

  double first_guess() {
    double epsilon = softest_epsilon;
    for (std::size_t k = 0; k < result_.laws.size() && result_.reason.empty(); ++k) {
      const ErrorLaw& law = result_.laws[k];
      const double size = margin * result_.wanted[k].size;
      if (law.order > flat_order)
        epsilon = std::min(epsilon, std::pow(size / law.coefficient, 1.0 / law.order));
      else if (!(law.coefficient < size))
        result_.reason = fmt::format(
            "{}: the error tends to {:.3g} as ε -> 0 (order {:.2g}), so no stiffness reaches "
            "{:.3g}{}",
            text_of(result_.wanted[k].measure), law.coefficient, law.order, result_.wanted[k].size,
            result_.wanted[k].measure.window == Window::all
                ? "; the window `after` leaves out the initial layer"
                : "");
    }
    return std::clamp(epsilon, stiffest_epsilon, softest_epsilon);
  }

  StiffnessTrial trial_at(double epsilon) {
    return trial_of(run({epsilon}), epsilon, result_.wanted);
  }

  /// The largest measured over wanted error of a trial; NaN if a solve failed.
  double excess(const StiffnessTrial& trial) const {
    double largest = 0.0;
    for (std::size_t k = 0; k < trial.errors.size(); ++k) {
      const double ratio = trial.errors[k].most() / result_.wanted[k].size;
      if (std::isnan(ratio)) return ratio;
      largest = std::max(largest, ratio);
    }
    return largest;
  }

  /// Judges the last trial; whether the search ends.
  bool is_enough() {
    const StiffnessTrial& last = result_.trials.back();
    const double ratio = excess(last);
    if (std::isnan(ratio)) {
      result_.reason = fmt::format("the solve at ε = {:.4g} failed: {}", last.epsilon,
                                   last.errors.front().status);
      return true;
    }
    if (ratio <= 1.0 && (!result_.found || last.epsilon > result_.epsilon()))
      result_.found = result_.trials.size() - 1;
    if (result_.trials.size() == most_trials) return true;
    for (std::size_t k = 0; k < last.errors.size(); ++k)
      if (!(last.errors[k].bar < 0.5 * result_.wanted[k].size)) {
        result_.reason = fmt::format(
            "{}: the error bar {:.3g} is too large for {:.3g}: choose smaller solvers.rtol and "
            "solvers.atol",
            text_of(result_.wanted[k].measure), last.errors[k].bar, result_.wanted[k].size);
        return true;
      }
    const double at = last.epsilon;
    return ratio <= 1.0 && (ratio >= close || at == softest_epsilon);
  }

  /// By the orders, from the last trial.
  double next_guess() const {
    const StiffnessTrial& last = result_.trials.back();
    double factor = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < last.errors.size(); ++k) {
      const double order = result_.laws[k].order;
      if (order > flat_order)
        factor = std::min(
            factor, std::pow(margin * result_.wanted[k].size / last.errors[k].most(), 1.0 / order));
    }
    return std::clamp(factor * last.epsilon, stiffest_epsilon, softest_epsilon);
  }

  const RunOptions& options_;
  StiffnessResult result_;
  std::vector<double> ladder_;  ///< the study's ε
};

}  // namespace

StiffnessResult find_stiffness(const PairStudy& study, const StiffnessQuestion& question,
                               const RunOptions& options) {
  const RollingStudy* const rolling = rolling_study(study);
  if (!question.methods.empty() && !rolling)
    throw InputError("the cost of methods is measured for rolling studies", name_of(study));
  const std::vector<WantedError>& wanted = question.wanted;
  const Engine* engine = question.engine;
  const std::string no_settings =
      engine ? rows_without_settings(*engine, study, question.body) : std::string();
  if (!no_settings.empty()) engine = nullptr;
  StiffnessResult result =
      Search(engine ? posed_for(*engine, study, wanted) : study, wanted, options).found();
  result.no_settings = no_settings;
  if (!result.found) return result;
  const double epsilon = result.epsilon();
  epsilons_of(result.study) = {epsilon};
  const Motion rigid = rigid_motion_of(result.study);
  result.contact = contact_of(result.study, epsilon, rigid);
  result.times = times_of(result.study, result.contact, rigid);
  result.diagonal = checked_damper(result, rigid, options);
  if (!question.methods.empty())
    result.costs = method_costs(*rolling_study(result.study), wanted, question.methods, options);
  if (engine)
    result.engine = settings_of(*engine, result.study, wanted, result.contact, result.times, rigid,
                                question.body);
  if (!result.engine.refusal.empty()) {
    result.reason = fmt::format("{}: {}", title_of(*engine), result.engine.refusal);
    result.found.reset();
  }
  result.interrupted = options.stopped();
  return result;
}

}  // namespace rigidlimit
