#include "rigidlimit/record/mode_map_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/rows.hpp"

namespace rigidlimit {

namespace {

/// Commas part columns.
std::string without_commas(std::string text) {
  std::ranges::replace(text, ',', ' ');
  return text;
}

std::string short_number(double x) {
  return fmt::format("{:.4g}", x);
}

Cell final_cell(const ModeMapRow& row) {
  const std::string rigid = row.rigid_final().empty() ? "failed" : row.rigid_final();
  if (row.agree()) return {rigid};
  return {rigid + "/" + (row.compliant_final().empty() ? "failed" : row.compliant_final()),
          Tone::doubtful};
}

std::string titled(const std::string& title, const TextTable& table, bool colour) {
  return title + "\n\n" + terminal_text(table, colour) + "\n";
}

TextTable internal_force_table(const ModeMapResult& result) {
  TextTable table{.headers = {"C left/right", "by formula, N", "compliant - formula",
                              "rigid - formula", "friction at the rim"},
                  .left_aligned = std::vector<bool>(5, false),
                  .rows = {}};
  for (const InternalForce& f : result.forces)
    table.rows.push_back({{short_number(f.stiffness_ratio)},
                          {fmt::format("{:.9f}", f.predicted)},
                          {fmt::format("{:.1e}", f.compliant - f.predicted)},
                          {fmt::format("{:.1e}", f.rigid - f.predicted)},
                          {short_number(f.rim_predicted)}});
  return table;
}

}  // namespace

std::string mode_map_csv(const ModeMapResult& result) {
  std::string text =
      "study,start,slope,half_angle,friction_left,friction_right,unloaded_threshold,"
      "wedged_threshold,rigid_outcome,rigid,rigid_notes,compliant_outcome,compliant,first_rim,"
      "agree,rigid_events\n";
  for (const ModeMapRow& row : result.rows)
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", result.map.name,
        without_commas(row.start), csv_number(row.slope), csv_number(row.half_angle),
        csv_number(row.friction_left), csv_number(row.friction_right), csv_number(row.unloaded),
        csv_number(row.wedged), name_of(row.rigid_outcome), row.rigid, row.rigid_notes,
        name_of(row.compliant_outcome), row.compliant, csv_number(row.first_rim),
        row.agree() ? "true" : "false", without_commas(row.rigid_events));
  return text;
}

std::string rolling_threshold_csv(const ModeMapResult& result) {
  std::string text =
      "study,slope,half_angle,unloaded,wedged,rigid_slips_below,rigid_rolls_from,compliant,epsilon,"
      "complaint\n";
  for (const RollingThreshold& t : result.thresholds)
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}\n", result.map.name, csv_number(t.slope),
                    csv_number(t.half_angle), csv_number(t.unloaded), csv_number(t.wedged),
                    csv_number(t.rigid_slips_below), csv_number(t.rigid_rolls_from),
                    csv_number(t.compliant), csv_number(t.epsilon), without_commas(t.complaint));
  return text;
}

std::string internal_force_csv(const ModeMapResult& result) {
  std::string text =
      "study,stiffness_ratio,epsilon,outcome,predicted,compliant,rigid,normal_left,normal_right,"
      "rim_predicted\n";
  for (const InternalForce& f : result.forces)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", result.map.name,
                        csv_number(f.stiffness_ratio), csv_number(f.epsilon), name_of(f.outcome),
                        csv_number(f.predicted), csv_number(f.compliant), csv_number(f.rigid),
                        csv_number(f.normal_left), csv_number(f.normal_right),
                        csv_number(f.rim_predicted));
  return text;
}

TextTable mode_map_table(const ModeMapResult& result, std::size_t which) {
  const ModeMap& map = result.map;
  TextTable table{.headers = {"slope", "half angle", "mu0"},
                  .left_aligned = std::vector<bool>(3 + map.frictions.size(), false),
                  .rows = {}};
  for (double friction : map.frictions) table.headers.push_back("mu " + short_number(friction));
  const std::size_t a_row = map.frictions.size();
  const std::size_t a_start = result.rows.size() / map.starts.size();
  for (std::size_t first = which * a_start; first < (which + 1) * a_start; first += a_row) {
    const ModeMapRow& at = result.rows[first];
    std::vector<Cell> cells{
        {short_number(at.slope)}, {short_number(at.half_angle)}, {short_number(at.unloaded)}};
    for (std::size_t k = 0; k < a_row; ++k) cells.push_back(final_cell(result.rows[first + k]));
    table.rows.push_back(cells);
  }
  return table;
}

TextTable rolling_threshold_table(const ModeMapResult& result) {
  TextTable table{.headers = {"slope", "half angle", "mu0", "SS ends - mu0", "compliant - mu0",
                              "mu1", "RR begins - mu1"},
                  .left_aligned = std::vector<bool>(7, false),
                  .rows = {}};
  for (const RollingThreshold& t : result.thresholds)
    table.rows.push_back({{short_number(t.slope)},
                          {short_number(t.half_angle)},
                          {fmt::format("{:.9f}", t.unloaded)},
                          {fmt::format("{:.1e}", t.rigid_slips_below - t.unloaded)},
                          {fmt::format("{:.1e}", t.compliant - t.unloaded)},
                          {fmt::format("{:.9f}", t.wedged)},
                          {fmt::format("{:.1e}", t.rigid_rolls_from - t.wedged)}});
  return table;
}

std::string mode_map_report(const ModeMapResult& result, bool colour) {
  const ModeMap& map = result.map;
  const auto agree = std::ranges::count_if(result.rows, &ModeMapRow::agree);
  std::string text = fmt::format("{}: {}\n\n", map.name, map.question);
  text += titled(
      "Thresholds of rolling from rest: slipping obeys the rigid laws below mu0, rolling "
      "from mu1 on",
      rolling_threshold_table(result), colour);
  if (!result.forces.empty())
    text += titled("Friction across the left wall under a couple, both walls rolling",
                   internal_force_table(result), colour);
  for (std::size_t s = 0; s < map.starts.size(); ++s)
    text += titled(fmt::format("Modes at t = {:.4g} s from start {}, left and right, S slipping, R "
                               "rolling (rigid/compliant where they differ)",
                               map.end, map.starts[s].name),
                   mode_map_table(result, s), colour);
  text +=
      fmt::format("rigid and compliant motions end alike in {} of {}\n", agree, result.rows.size());
  if (result.interrupted) text += "interrupted: only what was finished so far\n";
  return text;
}

std::string write_mode_map(const ModeMapResult& result, const std::string& directory) {
  const std::filesystem::path place = std::filesystem::path(directory) / result.map.name;
  std::error_code failure;
  std::filesystem::create_directories(place, failure);
  if (failure) throw InputError("cannot be created: " + failure.message(), place.string());
  write_file(place / "modes.txt", mode_map_report(result, false));
  write_file(place / "modes.csv", mode_map_csv(result));
  write_file(place / "thresholds.csv", rolling_threshold_csv(result));
  write_file(place / "internal_forces.csv", internal_force_csv(result));
  return place.string();
}

}  // namespace rigidlimit
