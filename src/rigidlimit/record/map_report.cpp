#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/map_rows.hpp"
#include "rigidlimit/record/map_tables.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/report.hpp"
#include "rigidlimit/record/tables.hpp"
#include "rigidlimit/study/read_map.hpp"

namespace rigidlimit {

namespace {

std::string headline(const MapResult& result) {
  const Study& study = result.map.study;
  const MapGrid& grid = result.map.grid;
  std::string text =
      study.question.empty() ? study.name : study.name + ": " + printable(study.question);
  text += fmt::format("\n  {}: {}\n  T = {:.6g} s, Λ(0) = ({:.6g}), {} against {}\n",
                      study.system->info.name,
                      parameters_text(study.system->parameters, study.parameters), study.time.end,
                      fmt::join(result.multiplier_at_start, ", "), study.solvers.compliant.front(),
                      study.solvers.rigid.front());
  if (grid.kind == MapGrid::Kind::orders)
    return text + fmt::format("  {} ζ × {} β, {} ε in each cell\n\n", grid.ratios.size(),
                              grid.exponents.size(), study.epsilons.size());
  return text + fmt::format("  {} c × {} d; critical damping d = {:.6g} sqrt(c)\n\n",
                            grid.stiffness.size(), grid.damping.size(),
                            critical_damping_of(result.delassus, 1.0));
}

std::string order_tables(const MapResult& result, bool colour) {
  std::string text;
  for (const Window window : all_windows)
    for (const Quantity quantity : all_quantities)
      text += fmt::format("Fitted order of {}, sup norm, {}\n{}\n", symbol_of(quantity),
                          window_text(result.map.study, window),
                          terminal_text(order_map_table(result, quantity, window), colour));
  return text;
}

std::string best_tables(const MapResult& result, bool colour) {
  if (result.best.empty()) return "";
  const double beta = shown_exponent(result.map.grid);
  const bool plane = result.map.grid.kind == MapGrid::Kind::plane;
  return fmt::format(
      "Best damping{}: error there and at critical damping; gain is their ratio\n{}"
      "  For λ the largest error over all t is nearly always that at t = 0, where an unloaded "
      "spring\n"
      "  carries nothing whatever the damping is. What is felt is the error after the layer, and "
      "l2.\n"
      "  \"<=\" and \">=\": at the end of the grid; \"any\": the error bars hide the "
      "difference.{}\n\n",
      plane ? "" : fmt::format(" for β = {:.3g}", beta),
      terminal_text(best_damping_table(result, beta), colour),
      plane || result.map.grid.exponents.size() == 1 ? "" : " The other β: best_damping.csv.");
}

/// How many numbers say what is wrong with them, and each cell or solve that failed.
std::string remarks(const MapResult& result) {
  std::map<std::string, int> statuses;
  int total = 0;
  std::string text;
  for (const MapColumn& column : result.columns) {
    const std::string cell =
        result.map.grid.kind == MapGrid::Kind::plane
            ? fmt::format("d = {:.4g}", column.damping)
            : fmt::format("ζ = {:.4g}, β = {:.4g}", column.damping_ratio, column.damping_exponent);
    if (!column.complaint.empty()) text += fmt::format("  {}: {}\n", cell, column.complaint);
    for (const Failure& f : column.failures)
      text += fmt::format("  {}, ε = {:.4g}{}: {} {}\n", cell, f.epsilon,
                          f.tighter ? ", tighter tolerance" : "", name_of(f.outcome), f.message);
    for (const Series& s : column.series)
      for (const Row& row : s.rows) {
        ++total;
        if (row.status != "ok") ++statuses[row.status];
      }
  }
  for (const auto& [status, count] : statuses)
    text += fmt::format("  {} of {} numbers: {}\n", count, total, status);
  if (result.interrupted) text += "  interrupted: only the cells finished so far\n";
  return text;
}

}  // namespace

std::string map_report(const MapResult& result, bool colour) {
  std::string text = headline(result);
  if (result.map.grid.kind == MapGrid::Kind::orders) text += order_tables(result, colour);
  return text + best_tables(result, colour) + remarks(result);
}

std::string write_map(const MapResult& result, const std::string& directory) {
  const std::filesystem::path place = std::filesystem::path(directory) / result.map.study.name;
  std::error_code failure;
  std::filesystem::create_directories(place, failure);
  if (failure) throw InputError("cannot be created: " + failure.message(), place.string());
  write_file(place / "map.toml", resolved_toml(result.map));
  write_file(place / "map.txt", map_report(result, false));
  write_file(place / "map.csv", map_csv(result));
  write_file(place / "best_damping.csv", best_damping_csv(result));
  write_file(place / "map.json", map_json(result));
  return place.string();
}

}  // namespace rigidlimit
