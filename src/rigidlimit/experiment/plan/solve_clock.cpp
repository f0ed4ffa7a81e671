#include "rigidlimit/experiment/plan/solve_clock.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace rigidlimit {

std::string timing_group(const SolveIdentity& solve) {
  std::string group = name_of(solve.kind);
  for (const std::string& name : {solve.law, solve.solver, solve.formulation})
    if (!name.empty()) group += " " + name;
  return group + (solve.tighter ? " tighter" : "");
}

TaskOrder probes_first(const std::vector<const Task*>& tasks) {
  std::map<std::string, std::vector<std::size_t>> groups;  // by decreasing ε
  enum Place { without_epsilon, largest, middle, rest };
  std::vector<Place> places(tasks.size(), rest);
  for (std::size_t k = 0; k < tasks.size(); ++k)
    if (const SolveIdentity& solve = tasks[k]->identity; std::isnan(solve.epsilon))
      places[k] = without_epsilon;
    else
      groups[timing_group(solve)].push_back(k);
  for (auto& [group, members] : groups) {
    std::ranges::sort(members, std::greater{},
                      [&](std::size_t k) { return tasks[k]->identity.epsilon; });
    places[members[members.size() / 2]] = middle;
    places[members.front()] = largest;
  }
  TaskOrder order;
  for (const Place place : {without_epsilon, largest, middle, rest}) {
    if (place == largest) order.first_probe = order.tasks.size();
    if (place == rest) order.end_of_probes = order.tasks.size();
    for (std::size_t k = 0; k < tasks.size(); ++k)
      if (places[k] == place) order.tasks.push_back(tasks[k]);
  }
  return order;
}

SolveClock::SolveClock(TimeEstimate time, const RunOptions& options, const TaskOrder& missing)
    : options_(options),
      time_(std::move(time)),
      first_probe_(missing.first_probe),
      end_of_probes_(missing.end_of_probes),
      open_probes_(end_of_probes_ - first_probe_) {
  for (const Task* task : missing.tasks)
    time_.add(timing_group(task->identity), task->identity.epsilon);
}

void SolveClock::add_known(const SolveIdentity& solve, double seconds) {
  time_.finish(time_.add(timing_group(solve), solve.epsilon), seconds);
}

void SolveClock::begin() {
  start_ = Clock::now();
  look();
}

void SolveClock::finish(std::size_t k, double seconds) {
  time_.finish(k, seconds);
  // The announcement does not wait for a long solve of the rigid side on another thread.
  const bool is_probe = first_probe_ <= k && k < end_of_probes_;
  const bool last_probe = is_probe && --open_probes_ == 0;
  if (last_probe || Clock::now() - start_ > next_) look();
}

void SolveClock::look() {
  if (told_ || !options_.on_estimate) return;
  if (const Clock::duration elapsed = Clock::now() - start_; elapsed > next_) next_ = 2 * elapsed;
  const Estimate left = time_.left(options_.jobs);
  if (left.seconds <= options_.announce_beyond) return;
  told_ = true;
  options_.on_estimate(left);
}

}  // namespace rigidlimit
