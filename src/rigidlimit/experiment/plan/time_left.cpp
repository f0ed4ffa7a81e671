#include "rigidlimit/experiment/plan/time_left.hpp"

#include <algorithm>

namespace rigidlimit {

namespace {

/// Time over ε, c ε^(-p).
struct CostOfEpsilon {
  double log_c = 0.0, p = 0.0;

  double seconds(double epsilon) const {
    return std::exp(log_c - (epsilon > 0.0 ? p * std::log(epsilon) : 0.0));
  }
};

CostOfEpsilon fitted_cost(const std::vector<std::pair<double, double>>& done) {
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

}  // namespace

TimeLeft::Group& TimeLeft::count(const SolveIdentity& solve, int change) {
  Group& group = groups_[label_of(solve)];
  group.planned[epsilon_of(solve)] += change;
  group.remaining += change;
  return group;
}

void TimeLeft::add(const SolveIdentity& solve, double seconds) {
  Group& group = count(solve, -1);
  ++group.solved;
  group.seconds += seconds;
  group.epsilons.insert(epsilon_of(solve));
  if (group.last.size() == 2 * group.planned.size()) group.last.erase(group.last.begin());
  group.last.emplace_back(epsilon_of(solve), seconds);
}

/// nullopt: too few of the group are solved.
std::optional<double> TimeLeft::seconds_left(const Group& group) {
  constexpr std::size_t least_epsilons = 3;
  constexpr double least_part = 0.1;
  if (group.solved < least_part * (group.solved + group.remaining) ||
      group.epsilons.size() < std::min(group.planned.size(), least_epsilons))
    return std::nullopt;
  if (group.planned.size() == 1) return group.remaining * group.seconds / group.solved;
  const CostOfEpsilon cost = fitted_cost(group.last);
  double left = 0.0, took = 0.0, fitted = 0.0;
  for (const auto& [epsilon, count] : group.planned) left += count * cost.seconds(epsilon);
  for (const auto& [epsilon, seconds] : group.last) {
    took += seconds;
    fitted += cost.seconds(epsilon);
  }
  return left * took / fitted;
}

std::optional<double> TimeLeft::left_over_done() const {
  constexpr double least_part = 0.1, most_unknown = 0.1;
  double left = 0.0, done = 0.0;
  int solved = 0, remaining = 0, unknown = 0;
  for (const auto& [label, group] : groups_) {
    done += group.seconds;
    solved += group.solved;
    remaining += group.remaining;
    if (group.remaining == 0) continue;
    if (const std::optional<double> seconds = seconds_left(group))
      left += *seconds;
    else
      unknown += group.remaining;
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
