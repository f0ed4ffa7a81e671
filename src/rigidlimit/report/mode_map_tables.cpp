#include "rigidlimit/report/mode_map_tables.hpp"

#include <fmt/format.h>

#include "rigidlimit/core/printable.hpp"

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

}  // namespace rigidlimit
