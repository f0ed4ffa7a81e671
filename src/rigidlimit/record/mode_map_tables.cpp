#include "rigidlimit/record/mode_map_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/mode_map_rows.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/report_writers.hpp"
#include "rigidlimit/slip/read_mode_map.hpp"

namespace rigidlimit {

namespace {

std::string short_number(double x) {
  return fmt::format("{:.4g}", x);
}

Cell final_cell(const ModeMapRow& row) {
  const std::string rigid = row.rigid_final().empty() ? "failed" : row.rigid_final();
  if (row.agree()) return {rigid};
  return {rigid + "/" + (row.compliant_final().empty() ? "failed" : row.compliant_final()),
          Tone::doubtful};
}

}  // namespace

TextTable mode_map_table(const ModeMapResult& result, std::size_t which) {
  const ModeMap& map = result.map;
  TextTable table{.headers = {"slope", "half angle", "mu0"},
                  .left_aligned = std::vector<bool>(3 + map.frictions.size(), false),
                  .rows = {},
                  .keys = 3};
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
                  .rows = {},
                  .keys = 2};
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

TextTable mode_map_claim_table(const ModeMapResult& result) {
  TextTable table{
      .headers = {"claim", "held", "found"}, .left_aligned = {true, true, true}, .rows = {}};
  for (const Claim& claim : result.claims)
    table.rows.push_back({{printable(claim.text)},
                          {claim.held ? "yes" : "no", claim.held ? Tone::good : Tone::bad},
                          {printable(claim.found)}});
  return table;
}

std::string mode_map_verdict_line(const ModeMapResult& result) {
  std::string broken;
  for (const Claim& claim : result.claims)
    if (!claim.held) broken += fmt::format("\n  {}: found {}", claim.text, claim.found);
  return fmt::format(
      "{}: {}, {} of {} claims{}", result.map.name, result.held() ? "held" : "not held",
      std::ranges::count_if(result.claims, &Claim::held), result.claims.size(), broken);
}

namespace {

std::vector<std::string> heading_of(const ModeMap& map) {
  const TwoPointBall& ball = map.ball;
  return {
      fmt::format("two_point_ball: mass = {:.6g} kg, radius = {:.6g} m, inertia_ratio = {:.6g}, "
                  "gravity = {:.6g} m/s^2",
                  ball.mass, ball.radius, ball.inertia_ratio, ball.gravity),
      fmt::format("C = {:.6g} and {:.6g} N/m at ε = 1, ζ = {:.6g}, ε = {:.6g}, T = {:.6g} s",
                  map.compliance.stiffness_left, map.compliance.stiffness_right,
                  map.compliance.damping_ratio, map.compliance.epsilon, map.end)};
}

/// The pieces of a report in their order, each handed to the writer of one format.
template <class Writer>
std::string compose(const ModeMapResult& result, const Writer& writer) {
  const ModeMap& map = result.map;
  std::string text = writer.title(map.name, map.question) + writer.lines(heading_of(map));
  text += writer.table({"thresholds",
                        "Thresholds of rolling from rest: slipping obeys the rigid laws below mu0, "
                        "rolling from mu1 on",
                        rolling_threshold_table(result)});
  if (!result.forces.empty())
    text += writer.table({"internal_forces",
                          "Friction across the left wall under a couple, both walls rolling",
                          internal_force_table(result)});
  for (std::size_t s = 0; s < map.starts.size(); ++s)
    text += writer.table(
        {fmt::format("modes-{}", s + 1),
         fmt::format("Modes at t = {:.4g} s from start {}, left and right, S slipping, R "
                     "rolling (rigid/compliant where they differ)",
                     map.end, markdown_words(printable(map.starts[s].name))),
         mode_map_table(result, s)});
  text += writer.table({"claims", "Claims", mode_map_claim_table(result)});
  std::vector<std::string> remarks{
      fmt::format("rigid and compliant motions end alike in {} of {}",
                  std::ranges::count_if(result.rows, &ModeMapRow::agree), result.rows.size())};
  if (result.interrupted) remarks.emplace_back("interrupted: only what was finished so far");
  return text + writer.lines(remarks) +
         writer.verdict(mode_map_verdict_line(result), result.held());
}

}  // namespace

std::string mode_map_report(const ModeMapResult& result, bool colour) {
  return compose(result, TerminalWriter{colour});
}
std::string mode_map_markdown(const ModeMapResult& result) {
  return compose(result, MarkdownWriter{});
}
std::string mode_map_latex(const ModeMapResult& result) {
  return compose(result, LatexWriter{result.map.name});
}

std::string write_mode_map(const ModeMapResult& result, const std::string& directory) {
  const std::filesystem::path place = std::filesystem::path(directory) / result.map.name;
  std::error_code failure;
  std::filesystem::create_directories(place, failure);
  if (failure) throw InputError("cannot be created: " + failure.message(), place.string());
  write_file(place / "modes.toml", resolved_toml(result.map));
  write_file(place / "modes.txt", mode_map_report(result, false));
  write_file(place / "modes.md", mode_map_markdown(result));
  write_file(place / "modes.tex", mode_map_latex(result));
  write_file(place / "modes.csv", mode_map_csv(result));
  write_file(place / "thresholds.csv", rolling_threshold_csv(result));
  write_file(place / "internal_forces.csv", internal_force_csv(result));
  write_file(place / "modes.json", mode_map_json(result));
  return place.string();
}

}  // namespace rigidlimit
