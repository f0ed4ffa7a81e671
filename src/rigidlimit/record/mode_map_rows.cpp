#include "rigidlimit/record/mode_map_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/rows.hpp"

namespace rigidlimit {

namespace {

/// Commas part columns, line ends rows.
std::string without_commas(const std::string& words) {
  std::string text = printable(words);
  std::ranges::replace(text, ',', ' ');
  return text;
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

}  // namespace rigidlimit
