#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rigidlimit/record/provenance.hpp"
#include "rigidlimit/record/slip_rows.hpp"
#include "rigidlimit/record/slip_tables.hpp"
#include "rigidlimit/slip/read_slip.hpp"
#include "rigidlimit/slip/rigid_history.hpp"
#include "rigidlimit/study/content_hash.hpp"
#include "rigidlimit/study/read_system_text.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

Json json_number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

Json json_components(const std::vector<Component>& components) {
  Json json = Json::array();
  for (const Component& c : components) json.push_back({{"name", c.name}, {"unit", c.unit}});
  return json;
}

Json json_law(const SlipLaw& law) {
  return {{"friction", name_of(law.friction)}, {"tangential_power", law.tangential_power}};
}

Json json_system(const SlipStudy& study) {
  Json json;
  json["name"] = study.system->info.name;
  json["title"] = study.system->info.title;
  json["built_in"] = is_builtin(*study.system);
  if (const std::string place = written_in(*study.system); !place.empty())
    json["written_in"] = place;
  json["parameters"] = Json::object();
  const std::vector<ParameterInfo> parameters = study.system->frictional_parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    json["parameters"][parameters[i].name] = study.parameters[i];
  json["coordinates"] = json_components(study.system->info.coordinates);
  json["velocities"] = json_components(study.system->info.velocities);
  json["contacts"] = Json::array();
  for (const ContactPoint& c : study.model.contacts)
    json["contacts"].push_back({{"name", c.name},
                                {"components", c.components},
                                {"friction", c.friction},
                                {"restitution", c.restitution}});
  return json;
}

Json json_rigid(const SlipResult& result) {
  const RigidHistory& rigid = result.rigid;
  Json json{{"outcome", name_of(rigid.motion.outcome)},
            {"message", rigid.motion.message},
            {"t_reached", rigid.motion.t_reached},
            {"initial_modes", rigid.motion.initial_modes},
            {"judged", rigid.judged},
            {"reference", rigid.reference},
            {"q_error", json_number(rigid.q_error)},
            {"v_error", json_number(rigid.v_error)},
            {"event_time_error", json_number(rigid.event_time_error)},
            {"known_event_times", rigid.known_event_times}};
  const EnergyHistory& e = rigid.energy;
  if (e.known)
    json["energy"] = {{"at_start", e.at_start},
                      {"at_end", e.at_end},
                      {"work", e.work},
                      {"lost_at_impacts", e.lost_at_impacts},
                      {"lost_in_slipping", e.lost_in_slipping},
                      {"largest_growth", e.largest_growth}};
  json["moreau_jean"] = Json::array();
  for (const StepCheck& check : rigid.steps)
    json["moreau_jean"].push_back({{"step", check.step},
                                   {"outcome", name_of(check.outcome)},
                                   {"impacts", check.impacts},
                                   {"q_end", std::vector(check.q_end.begin(), check.q_end.end())},
                                   {"v_end", std::vector(check.v_end.begin(), check.v_end.end())},
                                   {"q_sup", json_number(check.q_sup)},
                                   {"v_l1", json_number(check.v_l1)},
                                   {"q_order", json_number(check.q_order)},
                                   {"v_order", json_number(check.v_order)}});
  return json;
}

Json json_series(const SlipSeries& series) {
  const SlipRow& row = series.rows.front();
  Json json{{"law", json_law(row.law)},
            {"solver", row.solver},
            {"measure", text_of(row.measure)},
            {"order", json_number(series.judgement.fit.order)},
            {"standard_error", json_number(series.judgement.fit.standard_error)},
            {"coefficient", json_number(series.judgement.fit.coefficient)},
            {"verdict", name_of(series.judgement.verdict)},
            {"reason", series.judgement.reason}};
  if (series.expectation) {
    json["expected"] =
        series.expectation->order ? Json(*series.expectation->order) : Json("no convergence");
    if (series.expectation->at_most) json["expected"] = {{"at_most", *series.expectation->at_most}};
    json["within"] = series.expectation->within;
    if (!series.expectation->next_orders.empty())
      json["next_orders"] = series.expectation->next_orders;
  }
  return json;
}

Json json_solve(const SlipSolve& s) {
  return {{"law", json_law(s.law)},
          {"solver", s.solver},
          {"epsilon", s.epsilon},
          {"tighter", s.tighter},
          {"outcome", name_of(s.outcome)},
          {"message", s.message},
          {"t_reached", s.t_reached},
          {"steps", s.work.steps},
          {"rejected_steps", s.work.rejected_steps},
          {"rhs_evaluations", s.work.rhs_evaluations},
          {"kinks", s.roots}};
}

}  // namespace

std::string slip_hash(const SlipStudy& study) {
  return content_hash(resolved_toml(study));
}

std::string slip_json(const SlipResult& result) {
  Json json;
  json["study"] = result.study.name;
  json["question"] = result.study.question;
  json["source"] = result.study.source;
  json["system"] = json_system(result.study);
  json["end"] = result.study.time.end;
  json["held"] = result.held();
  json["interrupted"] = result.interrupted;
  json["rigid"] = json_rigid(result);
  json["claims"] = Json::array();
  for (const HistoryClaim& claim : result.claims)
    json["claims"].push_back({{"claim", claim.text}, {"held", claim.held}, {"found", claim.found}});
  json["series"] = Json::array();
  for (const SlipSeries& series : result.series)
    if (!series.rows.empty()) json["series"].push_back(json_series(series));
  json["inequality"] = Json::array();
  for (const InequalityReport& report : result.inequality)
    json["inequality"].push_back({{"motion", report.motion},
                                  {"law", json_law(report.law)},
                                  {"epsilon", report.epsilon},
                                  {"least", json_number(report.check.least)},
                                  {"relative", json_number(report.check.relative)},
                                  {"drawn", report.check.drawn}});
  json["solves"] = Json::array();
  for (const SlipSolve& s : result.solves) json["solves"].push_back(json_solve(s));
  json["notes"] = result.notes;
  for (const auto& [key, value] : build_provenance()) json["provenance"][key] = value;
  json["provenance"]["slip_hash"] = slip_hash(result.study);
  json["provenance"]["resolved_study"] = resolved_toml(result.study);
  return json.dump(1) + "\n";
}

}  // namespace rigidlimit
