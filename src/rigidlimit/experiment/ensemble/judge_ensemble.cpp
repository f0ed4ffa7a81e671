#include "rigidlimit/experiment/ensemble/judge_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/experiment/judge/judge_series.hpp"
#include "rigidlimit/experiment/pair/comparison.hpp"

namespace rigidlimit {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double bar_of(const ErrorSizes& s) {
  return std::max({s.solver, s.reference, s.rounding, s.sampling});
}

/// The series of a member in measure number k.
Series series_of_member(const RollingStudy& study, const MemberSizes& member,
                        const Measure& measure, std::size_t k, std::size_t measures) {
  Series series;
  for (std::size_t e = 0; e < study.epsilons.size(); ++e) {
    Row& row = series.rows.emplace_back();
    row.law.name = study.contact.laws.front();
    row.epsilon = study.epsilons[e];
    row.measure = measure;
    row.sizes = member.sizes[e * measures + k];
    const Outcome rigid = member.outcomes.front(), compliant = member.outcomes[e + 1];
    row.evidence = evidence_of(row, compliant, rigid, Absent::nothing);
  }
  return series;
}

/// Judges all members in one measure after the other.
class EnsembleJudge {
 public:
  EnsembleJudge(const RollingStudy& study, const EnsembleTasks& tasks)
      : study_(study), measures_(ensemble_measures(study)), sizes_(tasks.members()) {
    result_.vary = study.ensemble->vary;
    result_.numbers = tasks.numbers();
    for (std::size_t m = 0; m < sizes_.size(); ++m)
      result_.members.push_back({.number = m, .outcome = sizes_[m].outcome()});
    for (EnsembleMember& member : result_.members) member.held = member.outcome == Outcome::success;
  }

  EnsembleResult judged(const std::vector<Series>& series) {
    for (std::size_t k = 0; k < measures_.size(); ++k) judge_measure(k);
    check_first(series);
    return std::move(result_);
  }

 private:
  void judge_measure(std::size_t k) {
    add_errors(k);
    EnsembleOrders orders{.measure = measures_[k]};
    std::vector<double> fitted;
    std::vector<EnsembleBound> bounds;
    for (const BoundSpec& spec : study_.bounds)
      if (spec.measure == measures_[k]) bounds.push_back({.spec = spec});
    double farthest = -1.0;
    bool has_broken = false;
    for (std::size_t m = 0; m < sizes_.size(); ++m) {
      Series series = series_of_member(study_, sizes_[m], measures_[k], k, measures_.size());
      judge(study_.expectations, series);
      orders.expectation = series.expectation;
      const Judgement& judgement = series.judgement;
      const bool held = series.expectation ? series.held() : judgement.verdict == Verdict::settled;
      ++orders.judged;
      orders.held += held ? 1 : 0;
      const double order = judgement.fit.order;
      fitted.push_back(order);
      // The first member that fails, else the one with the order farthest from the expected one.
      const bool breaks = series.expectation && !held;
      const double distance = series.expectation && series.expectation->judges_errors()
                                  ? series.expectation->expected_order().order
                                        ? series.expectation->expected_order().distance(order)
                                        : 0.0
                                  : 0.0;
      if ((breaks && !has_broken) || (!has_broken && distance > farthest)) {
        farthest = distance;
        orders.worst = m;
        orders.reason = judgement.reason;
      }
      has_broken = has_broken || breaks;
      EnsembleMember& member = result_.members[m];
      if (breaks) member.held = false;
      remember(k, order, member);
      for (EnsembleBound& bound : bounds) judge_bound_of(bound, series, m);
    }
    orders.orders = quantiles_of(std::move(fitted));
    result_.orders.push_back(std::move(orders));
    std::ranges::move(bounds, std::back_inserter(result_.bounds));
  }

  void add_errors(std::size_t k) {
    for (std::size_t e = 0; e < study_.epsilons.size(); ++e) {
      EnsembleErrors row{.epsilon = study_.epsilons[e], .measure = measures_[k]};
      std::vector<double> values;
      double largest = -1.0;
      for (std::size_t m = 0; m < sizes_.size(); ++m) {
        const ErrorSizes& size = sizes_[m].sizes[e * measures_.size() + k];
        values.push_back(size.model);
        if (std::isnan(size.model)) continue;
        ++row.judged;
        row.largest_bar = std::max(row.largest_bar, bar_of(size));
        if (size.model > largest) {
          largest = size.model;
          row.worst = m;
        }
      }
      row.errors = quantiles_of(std::move(values));
      result_.errors.push_back(std::move(row));
    }
  }

  /// Error at the smallest ε and order, if measure k is one of those that a member shows.
  void remember(std::size_t k, double order, EnsembleMember& member) const {
    const Measure& measure = measures_[k];
    if (measure.window != Window::all || measure.row >= 0) return;
    const auto at = static_cast<std::size_t>(measure.quantity);
    if (at >= member.errors.size()) return;
    const std::size_t last = study_.epsilons.size() - 1;
    member.errors[at] = sizes_[member.number].sizes[last * measures_.size() + k].model;
    member.orders[at] = order;
  }

  void judge_bound_of(EnsembleBound& bound, const Series& series, std::size_t m) {
    const BoundJudgement found = rigidlimit::judged(bound.spec, points_of(bound.spec, series.rows));
    ++bound.judged;
    bound.held += found.held() ? 1 : 0;
    if (!found.held()) result_.members[m].held = false;
    // A failed solve has no factor, and is the worst.
    if (bound.reason.empty() || !(found.factor <= bound.factor)) {
      bound.factor = found.factor;
      bound.worst = m;
      bound.reason = found.reason;
    }
  }

  void check_first(const std::vector<Series>& all) {
    EnsembleCheck& check = result_.check;
    for (const Series& series : all)
      for (std::size_t e = 0; e < series.rows.size(); ++e) {
        const Row& row = series.rows[e];
        const auto k = std::ranges::find(measures_, row.measure);
        if (k == measures_.end() || std::isnan(row.model_error())) continue;
        const ErrorSizes& own =
            sizes_[0].sizes[e * measures_.size() + static_cast<std::size_t>(k - measures_.begin())];
        const double bars = row.sizes.solver + row.sizes.reference + row.sizes.sampling +
                            row.sizes.rounding + own.solver + own.reference + own.sampling +
                            own.rounding;
        const double share = std::abs(own.model - row.model_error()) / bars;
        ++check.compared;
        if (!(share <= check.largest)) {
          check.largest = std::isnan(share) ? std::numeric_limits<double>::infinity() : share;
          check.where =
              fmt::format("{} at ε = {:.4g}: {:.6e} here, {:.6e} in the study",
                          text_of(row.measure), row.epsilon, own.model, row.model_error());
        }
      }
  }

  const RollingStudy& study_;
  std::vector<Measure> measures_;
  const std::vector<MemberSizes>& sizes_;
  EnsembleResult result_;
};

}  // namespace

Quantiles quantiles_of(std::vector<double> values) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  Quantiles found;
  found.values.fill(none);
  if (values.empty()) return found;
  std::ranges::sort(values);
  for (std::size_t i = 0; i < Quantiles::levels.size(); ++i) {
    const double at = Quantiles::levels[i] * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const double part = at - static_cast<double>(below);
    found.values[i] =
        part == 0.0 ? values[below] : (1.0 - part) * values[below] + part * values[below + 1];
  }
  return found;
}

std::size_t EnsembleResult::failed() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      members, [](const EnsembleMember& m) { return m.outcome != Outcome::success; }));
}

bool EnsembleResult::held() const {
  return check.agrees() && std::ranges::all_of(members, &EnsembleMember::held);
}

EnsembleResult judged_ensemble(const RollingStudy& study, const EnsembleTasks& tasks,
                               const std::vector<Series>& series) {
  return EnsembleJudge(study, tasks).judged(series);
}

}  // namespace rigidlimit
