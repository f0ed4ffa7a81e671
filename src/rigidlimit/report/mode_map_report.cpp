// The report of a mode map.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/friction/read_mode_map.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/report/claims.hpp"
#include "rigidlimit/report/mode_map_tables.hpp"
#include "rigidlimit/report/provenance.hpp"
#include "rigidlimit/report/reports.hpp"

namespace rigidlimit {

namespace {

// --- machine-readable

DataTable motions_of(const ModeMapResult& result) {
  return data_table("modes", {{"study", result.map.name}}, result.rows,
                    [](const ModeMapRow& row) -> Record {
                      return {{"start", row.start},
                              {"slope", row.slope},
                              {"half_angle", row.half_angle},
                              {"friction_left", row.friction_left},
                              {"friction_right", row.friction_right},
                              {"unloaded_threshold", row.unloaded},
                              {"wedged_threshold", row.wedged},
                              {"rigid_outcome", name_of(row.rigid_outcome)},
                              {"rigid", row.rigid},
                              {"rigid_notes", row.rigid_notes},
                              {"compliant_outcome", name_of(row.compliant_outcome)},
                              {"compliant", row.compliant},
                              {"first_rim", row.first_rim},
                              {"open", row.is_open()},
                              {"agree", row.agree()},
                              {"rigid_events", row.rigid_events},
                              {"message", row.message}};
                    });
}

DataTable thresholds_of(const ModeMapResult& result) {
  return data_table("thresholds", {{"study", result.map.name}}, result.thresholds,
                    [](const RollingThreshold& t) -> Record {
                      return {{"slope", t.slope},
                              {"half_angle", t.half_angle},
                              {"unloaded", t.unloaded},
                              {"wedged", t.wedged},
                              {"rigid_slips_below", t.rigid_slips_below},
                              {"rigid_rolls_from", t.rigid_rolls_from},
                              {"compliant", t.compliant},
                              {"epsilon", t.epsilon},
                              {"complaint", t.complaint}};
                    });
}

DataTable forces_of(const ModeMapResult& result) {
  return data_table("internal_forces", {{"study", result.map.name}}, result.forces,
                    [](const InternalForce& f) -> Record {
                      return {{"stiffness_ratio", f.stiffness_ratio},
                              {"epsilon", f.epsilon},
                              {"outcome", name_of(f.outcome)},
                              {"predicted", f.predicted},
                              {"compliant", f.compliant},
                              {"rigid", f.rigid},
                              {"normal_left", f.normal_left},
                              {"normal_right", f.normal_right},
                              {"rim_predicted", f.rim_predicted}};
                    });
}

Document document_of(const ModeMapResult& result) {
  const ModeMap& map = result.map;
  Document document{{"map", Value(map.name)},
                    {"question", Value(map.question)},
                    {"source", Value(map.source)},
                    {"held", Value(result.held())},
                    {"interrupted", Value(result.interrupted)},
                    {"claims", table_of(result.claims)},
                    {"thresholds", thresholds_of(result)},
                    {"internal_forces", forces_of(result)},
                    {"motions", motions_of(result)}};
  const std::string resolved = resolved_toml(map);
  add_provenance(document, "map", content_hash(resolved), resolved);
  return document;
}

// --- tables

Lines heading_of(const ModeMap& map) {
  const TwoPointBall& ball = map.ball;
  return {
      fmt::format("two_point_ball: mass = {:.6g} kg, radius = {:.6g} m, inertia_ratio = {:.6g}, "
                  "gravity = {:.6g} m/s^2",
                  ball.mass, ball.radius, ball.inertia_ratio, ball.gravity),
      fmt::format("C = {:.6g} and {:.6g} N/m at ε = 1, ζ = {:.6g}, ε = {:.6g}, T = {:.6g} s",
                  map.compliance.stiffness_left, map.compliance.stiffness_right,
                  map.compliance.damping_ratio, map.compliance.epsilon, map.end)};
}

void add_tables(Report& report, const ModeMapResult& result) {
  const ModeMap& map = result.map;
  report.body.emplace_back(CaptionedTable{"thresholds",
                                          "Thresholds of rolling from rest: the rigid laws allow "
                                          "slipping below mu0 and rolling from mu1",
                                          rolling_threshold_table(result)});
  report.body.emplace_back(CaptionedTable{
      "internal_forces", "Friction across the left wall under a couple, both walls rolling",
      internal_force_table(result)});
  for (std::size_t s = 0; s < map.starts.size(); ++s)
    report.body.emplace_back(
        CaptionedTable{fmt::format("modes-{}", s + 1),
                       fmt::format("Modes at t = {:.4g} s from start {}, left and right, S "
                                   "slipping, R rolling (rigid/compliant if they differ)",
                                   map.end, printable(map.starts[s].name)),
                       mode_map_table(result, s)});
  report.body.emplace_back(CaptionedTable{"claims", "Claims", mode_map_claim_table(result)});
}

}  // namespace

Report report_of(const ModeMapResult& result) {
  const ModeMap& map = result.map;
  Report report{.name = map.name,
                .question = map.question,
                .heading = heading_of(map),
                .body = {},
                .remarks = {fmt::format(
                    "rigid and compliant motions end in the same modes in {} of {}",
                    std::ranges::count_if(result.rows, &ModeMapRow::agree), result.rows.size())},
                .held = result.held(),
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = cases_of(result.claims),
                .tables = {motions_of(result), thresholds_of(result), forces_of(result)},
                .document = document_of(result),
                .stem = "modes",
                .resolved_stem = "modes",
                .resolved = resolved_toml(map)};
  if (result.interrupted)
    report.remarks.emplace_back("interrupted: only finished results are included");
  report.verdict = verdict_of(report);
  add_tables(report, result);
  return report;
}

}  // namespace rigidlimit
