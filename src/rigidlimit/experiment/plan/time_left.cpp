#include "rigidlimit/experiment/plan/time_left.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace rigidlimit {

namespace {

/// Time over ε, c ε^(-p).
struct CostOfEpsilon {
  double log_c = 0.0, p = 0.0;

  double seconds(double epsilon) const {
    return std::exp(log_c - (epsilon > 0.0 ? p * std::log(epsilon) : 0.0));
  }
};

CostOfEpsilon fitted_cost(std::span<const std::pair<double, double>> done) {
  static constexpr double shortest = 1e-5, steepest = 2.0;
  constexpr double usual = 0.25, weight = 0.3;  // of p, between implicit and explicit methods
  const double n = static_cast<double>(done.size());
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
  const auto x_of = [](double epsilon) { return epsilon > 0.0 ? std::log(epsilon) : 0.0; };
  const auto y_of = [](double seconds) { return std::log(std::max(seconds, shortest)); };
  for (const auto& [epsilon, seconds] : done) {
    mean_x += x_of(epsilon) / n;
    mean_y += y_of(seconds) / n;
  }
  for (const auto& [epsilon, seconds] : done) {
    xx += (x_of(epsilon) - mean_x) * (x_of(epsilon) - mean_x);
    xy += (x_of(epsilon) - mean_x) * (y_of(seconds) - mean_y);
  }
  const double p = std::clamp((weight * usual - xy) / (weight + xx), 0.0, steepest);
  return {.log_c = mean_y + p * mean_x, .p = p};
}

double sum_of_seconds(std::span<const std::pair<double, double>> done) {
  double sum = 0.0;
  for (const auto& [epsilon, seconds] : done) sum += seconds;
  return sum;
}

}  // namespace

void TimeLeft::add(const SolveIdentity& solve, double seconds) {
  Group& group = group_of(solve);
  --group.planned[epsilon_of(solve)];
  group.done.emplace_back(epsilon_of(solve), seconds);
}

/// nullopt: too few of the group are solved.
std::optional<double> TimeLeft::seconds_left(const Group& group) {
  constexpr std::size_t least_epsilons = 3;
  constexpr double least_part = 0.1;
  int remaining = 0;
  for (const auto& [epsilon, count] : group.planned) remaining += count;
  const auto solved = static_cast<double>(group.done.size());
  std::set<double> epsilons;
  for (const auto& [epsilon, seconds] : group.done) epsilons.insert(epsilon);
  if (solved < least_part * (solved + remaining) ||
      epsilons.size() < std::min(group.planned.size(), least_epsilons))
    return std::nullopt;
  if (group.planned.size() == 1) return remaining * sum_of_seconds(group.done) / solved;
  const auto last =
      std::span(group.done).last(std::min(2 * group.planned.size(), group.done.size()));
  const CostOfEpsilon cost = fitted_cost(last);
  double left = 0.0, fitted = 0.0;
  for (const auto& [epsilon, count] : group.planned) left += count * cost.seconds(epsilon);
  for (const auto& [epsilon, seconds] : last) fitted += cost.seconds(epsilon);
  return left * sum_of_seconds(last) / fitted;
}

std::optional<double> TimeLeft::left_over_done() const {
  constexpr double least_part = 0.1, most_unknown = 0.1;
  double left = 0.0, done = 0.0;
  int solved = 0, remaining = 0, unknown = 0;
  for (const auto& [label, group] : groups_) {
    int here = 0;
    for (const auto& [epsilon, count] : group.planned) here += count;
    done += sum_of_seconds(group.done);
    solved += static_cast<int>(group.done.size());
    remaining += here;
    if (here == 0) continue;
    if (const std::optional<double> seconds = seconds_left(group))
      left += *seconds;
    else
      unknown += here;
  }
  if (solved == 0 || !(done > 0.0) || unknown > most_unknown * remaining) return std::nullopt;
  left += unknown * done / solved;
  if (done < least_part * (done + left)) return std::nullopt;
  return left / done;
}

std::string label_of(const SolveIdentity& solve) {
  std::string label = name_of(solve.kind);
  for (const std::string& name : {solve.law, solve.solver, solve.formulation})
    if (!name.empty()) label += " " + name;
  return label + (solve.tighter ? " tighter" : "");
}

}  // namespace rigidlimit
