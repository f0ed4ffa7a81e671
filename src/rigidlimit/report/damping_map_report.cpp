// The report of a damping map.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rigidlimit/experiment/rolling/read_damping_map.hpp"
#include "rigidlimit/report/damping_map_tables.hpp"
#include "rigidlimit/report/provenance.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/rolling_tables.hpp"

namespace rigidlimit {

namespace {

bool is_plane(const DampingMapResult& result) {
  return result.map.grid.kind == MapGrid::Kind::plane;
}

// --- machine-readable

/// ζ, β, c, d, d_crit, ε of one row; on the plane ζ is d/d_crit, and ε and β are NaN.
Record place_of(const DampingMapResult& result, const MapColumn& column, double epsilon) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto record = [](double zeta, double beta, double c, double d, double critical,
                         double eps) {
    return Record{{"damping_ratio", zeta}, {"damping_exponent", beta},     {"stiffness", c},
                  {"damping", d},          {"critical_damping", critical}, {"epsilon", eps}};
  };
  if (!is_plane(result))
    return record(column.damping_ratio, column.damping_exponent, none, none, none, epsilon);
  const auto& all = result.map.study.epsilons;
  const auto at = std::ranges::find(all, epsilon);
  if (at == all.end()) return record(none, none, none, column.damping, none, none);
  // The c of the grid, not 1/ε², which would lose its last digit.
  const double c = result.map.grid.stiffness[static_cast<std::size_t>(at - all.begin())];
  const double critical = critical_damping_of(result.delassus, c);
  return record(column.damping / critical, none, c, column.damping, critical, none);
}

/// One record; `fit`: of the whole series.
Record record_of(const DampingMapResult& result, Record place, const Row& row,
                 const OrderFit& fit) {
  const bool fitted = !is_plane(result);
  const double none = std::nan("");
  place.insert(place.end(), {{"rigid_solver", row.rigid_solver},
                             {"compliant_solver", row.compliant_solver},
                             {"quantity", name_of(row.measure.quantity)},
                             {"norm", name_of(row.measure.norm)},
                             {"window", name_of(row.measure.window)},
                             {"error", row.model_error},
                             {"solver_error", row.solver_error},
                             {"reference_error", row.reference_error},
                             {"sampling_error", row.sampling_error},
                             {"order", fitted ? fit.order : none},
                             {"order_se", fitted ? fit.standard_error : none},
                             {"coefficient", fitted ? fit.coefficient : none},
                             {"verdict", fitted ? name_of(row.verdict) : "-"},
                             {"status", row.status},
                             {"steps", row.work.steps},
                             {"rejected_steps", row.work.rejected_steps}});
  return place;
}

/// The record of a cell that could not be run.
Record complaint_of(const DampingMapResult& result, const MapColumn& column) {
  const double none = std::nan("");
  Record record = place_of(result, column, none);
  record.insert(record.end(), {{"rigid_solver", result.map.study.solvers.rigid.front()},
                               {"compliant_solver", result.map.study.solvers.compliant.front()},
                               {"quantity", "-"},
                               {"norm", "-"},
                               {"window", "-"},
                               {"error", none},
                               {"solver_error", none},
                               {"reference_error", none},
                               {"sampling_error", none},
                               {"order", none},
                               {"order_se", none},
                               {"coefficient", none},
                               {"verdict", "-"},
                               {"status", "failed: could not run"},
                               {"steps", 0},
                               {"rejected_steps", 0}});
  return record;
}

DataTable numbers_of(const DampingMapResult& result) {
  const RollingStudy& study = result.map.study;
  DataTable table{"map",
                  {{"study", study.name},
                   {"system", study.system->info.name},
                   {"kind", name_of(result.map.grid.kind)}},
                  record_of(result, place_of(result, {}, 0.0), {}, {}),
                  {}};
  for (const MapColumn& column : result.columns) {
    if (!column.complaint.empty()) table.records.push_back(complaint_of(result, column));
    for (const Series& s : column.series)
      for (const Row& row : s.rows)
        table.records.push_back(
            record_of(result, place_of(result, column, row.epsilon), row, s.judgement.fit));
  }
  return table;
}

DataTable best_of(const DampingMapResult& result) {
  return data_table("best_damping",
                    {{"study", result.map.study.name}, {"kind", name_of(result.map.grid.kind)}},
                    result.best, [](const BestDamping& b) -> Record {
                      return {{"damping_exponent", b.damping_exponent},
                              {"epsilon", b.epsilon},
                              {"stiffness", b.stiffness},
                              {"quantity", name_of(b.quantity)},
                              {"norm", name_of(b.measure.norm)},
                              {"window", name_of(b.measure.window)},
                              {"place", name_of(b.place)},
                              {"best", b.best},
                              {"low", b.low},
                              {"high", b.high},
                              {"error", b.error},
                              {"error_bar", b.error_bar},
                              {"critical_error", b.critical_error},
                              {"refinements", b.refinements}};
                    });
}

DataTable failures_of(const DampingMapResult& result) {
  DataTable table;
  for (const MapColumn& column : result.columns) {
    const Record cell = is_plane(result)
                            ? Record{{"cell.damping", column.damping}}
                            : Record{{"cell.damping_ratio", column.damping_ratio},
                                     {"cell.damping_exponent", column.damping_exponent}};
    const auto add = [&](const Record& what) {
      table.records.push_back(cell);
      table.records.back().insert(table.records.back().end(), what.begin(), what.end());
    };
    if (!column.complaint.empty()) add({{"message", column.complaint}});
    for (const Failure& f : column.failures)
      add({{"epsilon", f.epsilon},
           {"tighter", f.tighter},
           {"outcome", name_of(f.outcome)},
           {"message", f.message}});
  }
  return table;
}

Document document_of(const DampingMapResult& result) {
  const RollingStudy& study = result.map.study;
  Document document{{"study", Value(study.name)},
                    {"kind", Value(name_of(result.map.grid.kind))},
                    {"question", Value(study.question)},
                    {"source", Value(study.source)},
                    {"after", Value(study.after)},
                    {"interrupted", Value(result.interrupted)},
                    {"multiplier_at_start", Value(result.multiplier_at_start)},
                    {"failures", failures_of(result)},
                    {"best_damping", best_of(result)},
                    {"rows", numbers_of(result)}};
  add_provenance(document, "map", map_hash(result.map), resolved_toml(result.map));
  return document;
}

// --- tables

Lines heading_of(const DampingMapResult& result) {
  const RollingStudy& study = result.map.study;
  const MapGrid& grid = result.map.grid;
  Lines lines{fmt::format("{}: {}", study.system->info.name,
                          parameters_text(study.system->parameters, study.parameters)),
              fmt::format("T = {:.6g} s, Λ(0) = ({:.6g}), {} against {}", study.time.end,
                          fmt::join(result.multiplier_at_start, ", "),
                          study.solvers.compliant.front(), study.solvers.rigid.front())};
  lines.push_back(is_plane(result)
                      ? fmt::format("{} c × {} d; critical damping d = {:.6g} sqrt(c)",
                                    grid.stiffness.size(), grid.damping.size(),
                                    critical_damping_of(result.delassus, 1.0))
                      : fmt::format("{} ζ × {} β, {} ε in each cell", grid.ratios.size(),
                                    grid.exponents.size(), study.epsilons.size()));
  return lines;
}

void add_orders(Report& report, const DampingMapResult& result) {
  for (const Window window : rolling_windows)
    for (const Quantity quantity : all_quantities)
      report.body.emplace_back(
          CaptionedTable{fmt::format("orders-{}-{}", name_of(quantity), name_of(window)),
                         fmt::format("Fitted order of {}, sup norm, {}", symbol_of(quantity),
                                     names_of(result.map.study).window(window)),
                         order_map_table(result, quantity, window)});
}

void add_best(Report& report, const DampingMapResult& result) {
  if (result.best.empty()) return;
  const double beta = shown_exponent(result.map.grid);
  report.body.emplace_back(CaptionedTable{
      "best",
      fmt::format(
          "Best damping{}: error at the best and at critical damping, and their ratio (gain)",
          is_plane(result) ? "" : fmt::format(" for β = {:.3g}", beta)),
      best_damping_table(result, beta)});
  Lines notes{
      "For λ, the maximum error over all t is nearly always at t = 0, where an unloaded spring has "
      "no load for any damping. Compare the error after the layer, or l2.",
      "\"<=\" and \">=\": at the end of the grid; \"any\": the error bars hide the difference."};
  if (!is_plane(result) && result.map.grid.exponents.size() > 1)
    notes.emplace_back("For other β see best_damping.csv.");
  report.body.emplace_back(std::move(notes));
}

/// The number of rows by status, and each failed cell or solve.
Lines remarks_on(const DampingMapResult& result) {
  std::map<std::string, int> statuses;
  int total = 0;
  Lines lines;
  for (const MapColumn& column : result.columns) {
    const std::string cell =
        is_plane(result)
            ? fmt::format("d = {:.4g}", column.damping)
            : fmt::format("ζ = {:.4g}, β = {:.4g}", column.damping_ratio, column.damping_exponent);
    if (!column.complaint.empty()) lines.push_back(fmt::format("{}: {}", cell, column.complaint));
    for (const Failure& f : column.failures)
      lines.push_back(fmt::format("{}, ε = {:.4g}{}: {} {}", cell, f.epsilon,
                                  f.tighter ? ", tighter tolerance" : "", name_of(f.outcome),
                                  f.message));
    for (const Series& s : column.series)
      for (const Row& row : s.rows) {
        ++total;
        if (row.status != "ok") ++statuses[row.status];
      }
  }
  for (const auto& [status, count] : statuses)
    lines.push_back(fmt::format("{} of {} numbers: {}", count, total, status));
  if (result.interrupted) lines.emplace_back("interrupted: only the finished cells are included");
  return lines;
}

}  // namespace

Report report_of(const DampingMapResult& result) {
  const RollingStudy& study = result.map.study;
  Report report{.name = study.name,
                .question = study.question,
                .heading = heading_of(result),
                .body = {},
                .remarks = remarks_on(result),
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = {},
                .tables = {numbers_of(result), best_of(result)},
                .document = document_of(result),
                .stem = "map",
                .resolved_stem = "map",
                .resolved = resolved_toml(result.map)};
  if (!is_plane(result)) add_orders(report, result);
  add_best(report, result);
  return report;
}

}  // namespace rigidlimit
