#include "rigidlimit/experiment/ensemble/ensemble_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/experiment/ensemble/members.hpp"
#include "rigidlimit/experiment/pair/solve_identity.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"

namespace rigidlimit {
namespace {

constexpr Index numbers_of_sizes = 5;

VectorXd column_of(const ErrorSizes& s) {
  return (VectorXd(numbers_of_sizes) << s.model, s.solver, s.reference, s.sampling, s.rounding)
      .finished();
}

ErrorSizes sizes_in(const Eigen::Ref<const VectorXd>& column) {
  return {.model = column(0),
          .solver = column(1),
          .reference = column(2),
          .sampling = column(3),
          .rounding = column(4)};
}

/// The sizes of a task's members at all ε: all that they depend on but the study's settings.
std::string text_of_members(const EnsembleSpec& ensemble, const MatrixXd& numbers) {
  std::string text;
  for (const VariedNumber& number : ensemble.vary) text += number.key + "\n";
  return text + exact_text(numbers);
}

std::string settings_of_sizes(const RollingStudy& study) {
  const SolverSpec& s = study.solvers;
  const Tolerance tolerance = s.tolerance_of(s.compliant.front(), false);
  std::string words =
      fmt::format("end={} after={} tighten={} max_steps={} rigid={} {} compliant={} {}",
                  study.time.end, study.after, s.tighten, s.max_steps, s.rigid_rtol, s.rigid_atol,
                  tolerance.rtol, tolerance.atol);
  for (const double epsilon : study.epsilons) words += fmt::format(" epsilon={}", epsilon);
  for (const Measure& m : study.components)
    words += fmt::format(" component={}[{}] {}", name_of(m.quantity), m.row, name_of(m.window));
  return words;
}

const std::vector<double> no_times;

}  // namespace

EnsembleTasks::EnsembleTasks(const RollingStudy& study, const RunOptions& options)
    : study_(study), options_(options) {
  if (!study.ensemble) return;
  numbers_ = drawn_numbers(study);
  members_.resize(study.ensemble->count());
}

void EnsembleTasks::plan(std::deque<Task>& tasks) {
  if (members_.empty()) return;
  const std::string setting =
      fmt::format("{} settings={}", SolveIdentities(study_).setting(study_.contact.laws.front()),
                  content_hash(settings_of_sizes(study_)));
  for (std::size_t first = 0; first < members_.size(); first += members_of_task) {
    const std::size_t end = std::min(first + members_of_task, members_.size());
    tasks.push_back(single_task(
        {.identity = identity(setting, first, end),
         .times = &no_times,
         .run = [this, first, end] { return solved(first, end); }},
        fmt::format("members {} to {}", first, end - 1),
        [this, first, end](SolveRecord record) { take(std::move(record), first, end); }));
  }
}

SolveIdentity EnsembleTasks::identity(const std::string& setting, std::size_t first,
                                      std::size_t end) const {
  const SolverSpec& s = study_.solvers;
  const Tolerance tolerance = s.tolerance_of(s.compliant.front(), false);
  const MatrixXd numbers =
      numbers_.middleCols(static_cast<Index>(first), static_cast<Index>(end - first));
  return determined({.kind = SolveIdentity::Kind::ensemble,
                     .solver = s.compliant.front(),
                     .rtol = tolerance.rtol,
                     .atol = tolerance.atol,
                     .formulation = name_of(Formulation::adapted),
                     .precision = name_of(s.precision)},
                    fmt::format("{} members={}", setting,
                                content_hash(text_of_members(*study_.ensemble, numbers))));
}

SolveRecord EnsembleTasks::solved(std::size_t first, std::size_t end) const {
  const std::size_t columns = study_.epsilons.size() * ensemble_measures(study_).size();
  const auto count = static_cast<Index>(end - first);
  MatrixXd sizes(numbers_of_sizes, count * static_cast<Index>(columns));
  MatrixXd outcomes(1 + std::ssize(study_.epsilons), count);
  for (std::size_t group = first; group < end; group += Pack::lanes) {
    LaneMembers lanes;
    for (std::size_t k = 0; k < Pack::lanes; ++k)
      lanes[k] =
          member_with(study_, numbers_.col(static_cast<Index>(std::min(group + k, end - 1))));
    const auto found = sizes_of_lanes(study_, lanes, options_.stop_requested);
    if (options_.stopped()) return {{.outcome = Outcome::interrupted}};
    for (std::size_t k = 0; k < std::min(Pack::lanes, end - group); ++k) {
      const auto at = static_cast<Index>(group - first + k);
      for (std::size_t i = 0; i < columns; ++i)
        sizes.col(at * static_cast<Index>(columns) + static_cast<Index>(i)) =
            column_of(found[k].sizes[i]);
      for (Index i = 0; i < outcomes.rows(); ++i)
        outcomes(i, at) = static_cast<double>(found[k].outcomes[static_cast<std::size_t>(i)]);
    }
  }
  SolveRecord record{{.outcome = Outcome::success}};
  record.samples.push_back({"sizes", std::move(sizes)});
  record.samples.push_back({"outcomes", std::move(outcomes)});
  return record;
}

void EnsembleTasks::take(SolveRecord record, std::size_t first, std::size_t end) {
  if (!is_finished(record.outcome)) return;
  const std::size_t columns = study_.epsilons.size() * ensemble_measures(study_).size();
  const auto count = static_cast<Index>(end - first);
  const MatrixXd sizes =
      record.take("sizes", numbers_of_sizes, count * static_cast<Index>(columns));
  const MatrixXd outcomes = record.take("outcomes", 1 + std::ssize(study_.epsilons), count);
  for (Index k = 0; k < count; ++k) {
    MemberSizes& member = members_[first + static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < columns; ++i)
      member.sizes.push_back(
          sizes_in(sizes.col(k * static_cast<Index>(columns) + static_cast<Index>(i))));
    for (Index i = 0; i < outcomes.rows(); ++i)
      member.outcomes.push_back(static_cast<Outcome>(
          whole_number(outcomes(i, k), "an outcome", static_cast<int>(Outcome::solver_error))));
  }
  taken_ += end - first;
}

}  // namespace rigidlimit
