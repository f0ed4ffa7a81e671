#include "rigidlimit/record/map_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "rigidlimit/record/provenance.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/study/read_map.hpp"

namespace rigidlimit {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::string joined(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double x : values) texts.push_back(csv_number(x));
  return fmt::format("{}", fmt::join(texts, ","));
}

/// ζ, β, c, d, d_crit, ε of one row.
std::vector<double> place_of(const MapResult& result, const MapColumn& column, double epsilon) {
  if (result.map.grid.kind == MapGrid::Kind::orders)
    return {column.damping_ratio, column.damping_exponent, none, none, none, epsilon};
  const auto& all = result.map.study.epsilons;
  const auto at = std::ranges::find(all, epsilon);
  if (at == all.end()) return {none, none, none, column.damping, none, none};
  // The c that was asked for, not 1/ε², which would have lost its last digit.
  const double c = result.map.grid.stiffness[static_cast<std::size_t>(at - all.begin())];
  const double critical = critical_damping_of(result.delassus, c);
  return {column.damping / critical, none, c, column.damping, critical, none};
}

std::string csv_row(const MapResult& result, const MapColumn& column, const Series& series,
                    const Row& row) {
  const bool orders = result.map.grid.kind == MapGrid::Kind::orders;
  const OrderFit& fit = series.judgement.fit;
  const Study& study = result.map.study;
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", study.name, study.system->info.name,
      name_of(result.map.grid.kind), joined(place_of(result, column, row.epsilon)),
      row.rigid_solver, row.compliant_solver, name_of(row.quantity), name_of(row.norm),
      name_of(row.window),
      joined({row.model_error, row.solver_error, row.reference_error, row.sampling_error}),
      orders ? joined({fit.order, fit.standard_error, fit.coefficient})
             : joined({none, none, none}),
      orders ? name_of(row.verdict) : "-", row.status, row.work.steps, row.work.rejected_steps);
}

std::string csv_complaint(const MapResult& result, const MapColumn& column) {
  const Study& study = result.map.study;
  return fmt::format("{},{},{},{},{},{},-,-,-,{},{},-,failed: could not run,0,0\n", study.name,
                     study.system->info.name, name_of(result.map.grid.kind),
                     joined(place_of(result, column, none)), study.solvers.rigid.front(),
                     study.solvers.compliant.front(), joined({none, none, none, none}),
                     joined({none, none, none}));
}

}  // namespace

std::string map_csv(const MapResult& result) {
  std::string text =
      "study,system,kind,damping_ratio,damping_exponent,stiffness,damping,critical_damping,epsilon,"
      "rigid_solver,compliant_solver,quantity,norm,window,error,solver_error,reference_error,"
      "sampling_error,order,order_se,coefficient,verdict,status,steps,rejected_steps\n";
  for (const MapColumn& column : result.columns) {
    if (!column.complaint.empty()) text += csv_complaint(result, column);
    for (const Series& s : column.series)
      for (const Row& row : s.rows) text += csv_row(result, column, s, row);
  }
  return text;
}

std::string best_damping_csv(const MapResult& result) {
  std::string text =
      "study,kind,damping_exponent,epsilon,stiffness,quantity,norm,window,place,best,low,high,"
      "error,error_bar,critical_error,refinements\n";
  for (const BestDamping& b : result.best)
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{}\n", result.map.study.name, name_of(result.map.grid.kind),
        joined({b.damping_exponent, b.epsilon, b.stiffness}), name_of(b.quantity),
        name_of(b.measure.norm), name_of(b.measure.window), name_of(b.place),
        joined({b.best, b.low, b.high, b.error, b.error_bar, b.critical_error}), b.refinements);
  return text;
}

std::string map_json(const MapResult& result) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["study"] = result.map.study.name;
  json["kind"] = name_of(result.map.grid.kind);
  json["question"] = result.map.study.question;
  json["source"] = result.map.study.source;
  json["after"] = result.map.study.after;
  json["interrupted"] = result.interrupted;
  json["multiplier_at_start"] = Json::array();
  for (const double force : result.multiplier_at_start)
    json["multiplier_at_start"].push_back(std::isfinite(force) ? Json(force) : Json(nullptr));
  json["failures"] = Json::array();
  for (const MapColumn& column : result.columns) {
    Json cell;
    if (result.map.grid.kind == MapGrid::Kind::plane)
      cell = {{"damping", column.damping}};
    else
      cell = {{"damping_ratio", column.damping_ratio},
              {"damping_exponent", column.damping_exponent}};
    if (!column.complaint.empty())
      json["failures"].push_back({{"cell", cell}, {"message", column.complaint}});
    for (const Failure& f : column.failures)
      json["failures"].push_back({{"cell", cell},
                                  {"epsilon", f.epsilon},
                                  {"tighter", f.tighter},
                                  {"outcome", name_of(f.outcome)},
                                  {"message", f.message}});
  }
  for (const auto& [key, value] : build_provenance()) json["provenance"][key] = value;
  json["provenance"]["map_hash"] = map_hash(result.map);
  json["provenance"]["resolved_map"] = resolved_toml(result.map);
  return json.dump(1) + "\n";
}

}  // namespace rigidlimit
