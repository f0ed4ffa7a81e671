#include <cmath>
#include <nlohmann/json.hpp>

#include "rigidlimit/record/mode_map_rows.hpp"
#include "rigidlimit/record/provenance.hpp"
#include "rigidlimit/slip/read_mode_map.hpp"
#include "rigidlimit/study/content_hash.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

Json json_number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

Json json_row(const ModeMapRow& row) {
  return {{"start", row.start},
          {"slope", row.slope},
          {"half_angle", row.half_angle},
          {"friction_left", row.friction_left},
          {"friction_right", row.friction_right},
          {"rigid", {{"outcome", name_of(row.rigid_outcome)}, {"modes", row.rigid}}},
          {"compliant", {{"outcome", name_of(row.compliant_outcome)}, {"modes", row.compliant}}},
          {"first_rim", json_number(row.first_rim)},
          {"open", row.is_open()},
          {"agree", row.agree()},
          {"message", row.message}};
}

Json json_threshold(const RollingThreshold& t) {
  return {{"slope", t.slope},
          {"half_angle", t.half_angle},
          {"unloaded", json_number(t.unloaded)},
          {"wedged", json_number(t.wedged)},
          {"rigid_slips_below", json_number(t.rigid_slips_below)},
          {"rigid_rolls_from", json_number(t.rigid_rolls_from)},
          {"compliant", json_number(t.compliant)},
          {"epsilon", t.epsilon},
          {"complaint", t.complaint}};
}

Json json_force(const InternalForce& f) {
  return {{"stiffness_ratio", f.stiffness_ratio},  {"epsilon", f.epsilon},
          {"outcome", name_of(f.outcome)},         {"predicted", json_number(f.predicted)},
          {"compliant", json_number(f.compliant)}, {"rigid", json_number(f.rigid)}};
}

}  // namespace

std::string mode_map_json(const ModeMapResult& result) {
  const std::string resolved = resolved_toml(result.map);
  Json json;
  json["map"] = result.map.name;
  json["question"] = result.map.question;
  json["source"] = result.map.source;
  json["held"] = result.held();
  json["interrupted"] = result.interrupted;
  for (const char* list : {"claims", "thresholds", "internal_forces", "motions"})
    json[list] = Json::array();
  for (const Claim& claim : result.claims)
    json["claims"].push_back({{"claim", claim.text}, {"held", claim.held}, {"found", claim.found}});
  for (const RollingThreshold& t : result.thresholds)
    json["thresholds"].push_back(json_threshold(t));
  for (const InternalForce& f : result.forces) json["internal_forces"].push_back(json_force(f));
  for (const ModeMapRow& row : result.rows) json["motions"].push_back(json_row(row));
  for (const auto& [key, value] : build_provenance()) json["provenance"][key] = value;
  json["provenance"]["map_hash"] = content_hash(resolved);
  json["provenance"]["resolved_map"] = resolved;
  return json.dump(1) + "\n";
}

}  // namespace rigidlimit
