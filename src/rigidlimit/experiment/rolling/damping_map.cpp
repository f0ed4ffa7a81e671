#include "rigidlimit/experiment/rolling/damping_map.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "rigidlimit/experiment/plan/parallel.hpp"
#include "rigidlimit/experiment/rolling/best_damping.hpp"

namespace rigidlimit {

const char* name_of(MapGrid::Kind kind) {
  return kind == MapGrid::Kind::orders ? "orders" : "plane";
}

RollingStudy study_of_cell(const DampingMap& map, double ratio, double exponent) {
  RollingStudy study = map.study;
  study.contact.damping_ratio = ratio;
  study.contact.damping_exponent = exponent;
  return study;
}

RollingStudy study_of_column(const DampingMap& map, double damping) {
  RollingStudy study = map.study;
  const Index m = static_cast<Index>(study.system->info.contacts.size());
  study.contact.stiffness = MatrixXd::Identity(m, m);
  study.contact.damping_ratio.reset();
  study.contact.damping = damping * MatrixXd::Identity(m, m);
  study.contact.damping_exponent = 0.0;
  return study;
}

double critical_damping_of(const MatrixXd& delassus, double stiffness) {
  return 2.0 * std::sqrt(stiffness / symmetric_eigenvalues(delassus)(0));
}

namespace {

std::vector<MapColumn> planned_columns(const MapGrid& grid) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<MapColumn> columns;
  if (grid.kind == MapGrid::Kind::plane)
    for (const double d : grid.damping)
      columns.push_back({.damping_ratio = none, .damping_exponent = none, .damping = d});
  for (const double beta : grid.exponents)
    for (const double zeta : grid.ratios)
      columns.push_back({.damping_ratio = zeta, .damping_exponent = beta, .damping = none});
  return columns;
}

std::string text_of(const MapColumn& column) {
  return std::isnan(column.damping)
             ? fmt::format("ζ = {:.4g}, β = {:.4g}", column.damping_ratio, column.damping_exponent)
             : fmt::format("d = {:.4g} N s/m", column.damping);
}

/// Counts the archive's results that this run computed itself: columns share their rigid solves.
class SharedColumns final : public SolveArchive {
 public:
  explicit SharedColumns(SolveArchive& behind) : behind_(behind) {}

  int found_again() const { return again_; }

  void plan(const std::vector<SolveIdentity>& solves) override { behind_.plan(solves); }
  std::optional<SolveRecord> find(const SolveIdentity& solve) override {
    std::optional<SolveRecord> record = behind_.find(solve);
    const std::scoped_lock lock(guard_);
    if (record && solved_.contains(solve.determinants)) ++again_;
    return record;
  }
  void begin(const SolveIdentity& solve) override { behind_.begin(solve); }
  void keep(const SolveIdentity& solve, const std::vector<double>& times,
            const SolveRecord& record) override {
    behind_.keep(solve, times, record);
    const std::scoped_lock lock(guard_);
    solved_.insert(solve.determinants);
  }

 private:
  SolveArchive& behind_;
  std::mutex guard_;
  std::set<std::string> solved_;
  int again_ = 0;
};

void solve_column(const DampingMap& map, const RunOptions& options, MapColumn& column) {
  const RollingStudy study =
      map.grid.kind == MapGrid::Kind::plane
          ? study_of_column(map, column.damping)
          : study_of_cell(map, column.damping_ratio, column.damping_exponent);
  try {
    RollingResult result = run_rolling_study(study, {.jobs = 1,
                                                     .stop_requested = options.stop_requested,
                                                     .archive = options.archive,
                                                     .recompute = options.recompute});
    column.series = std::move(result.series);
    column.failures = std::move(result.failures);
    column.interrupted = result.interrupted;
    column.counts = result.counts;
  } catch (const std::exception& e) {
    column.complaint = e.what();
  }
}

}  // namespace

DampingMapResult run_damping_map(const DampingMap& map, const RunOptions& options) {
  DampingMapResult result{.map = map, .columns = planned_columns(map.grid)};
  const InitialState start = rigid_start(map.study);
  result.multiplier_at_start =
      solve_kkt<double>(map.study.model, map.study.contacts, start.q, start.v, 0.0).multiplier;
  result.delassus = delassus(map.study.model, map.study.initial.q);

  std::optional<SharedColumns> shared;
  RunOptions of_columns = options;
  if (options.archive) of_columns.archive = &shared.emplace(*options.archive);
  std::mutex guard;
  int done = 0;
  const int count = static_cast<int>(result.columns.size());
  // Whole studies in parallel: no study waits for its own last solves.
  run_tasks(count, options.jobs, [&](int task) {
    MapColumn& column = result.columns[static_cast<std::size_t>(task)];
    column.interrupted = options.stop_requested && options.stop_requested();
    if (!column.interrupted) solve_column(map, of_columns, column);
    const std::scoped_lock lock(guard);
    if (options.on_progress) options.on_progress(++done, count, text_of(column));
  });
  for (const MapColumn& column : result.columns) {
    result.counts.computed += column.counts.computed;
    result.counts.reused += column.counts.reused;
    result.counts.missing += column.counts.missing;
  }
  if (shared) result.counts.reused -= shared->found_again();
  result.best = best_dampings(result, options);
  result.interrupted = std::ranges::any_of(result.columns, &MapColumn::interrupted) ||
                       (options.stop_requested && options.stop_requested());
  return result;
}

bool DampingMapResult::has_numbers() const {
  for (const MapColumn& column : columns)
    for (const Series& s : column.series)
      for (const Row& row : s.rows)
        if (!std::isnan(row.model_error)) return true;
  return false;
}

}  // namespace rigidlimit
