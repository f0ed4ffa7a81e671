#include "rigidlimit/record/rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rigidlimit/record/provenance.hpp"
#include "rigidlimit/record/report.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/read_study.hpp"
#include "rigidlimit/study/read_system_text.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

/// 17 digits; JSON knows no NaN, so null.
Json json_number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

Json json_work(const Work& w) {
  return {{"steps", w.steps},
          {"rejected_steps", w.rejected_steps},
          {"rhs_evaluations", w.rhs_evaluations},
          {"jacobian_evaluations", w.jacobian_evaluations},
          {"factorisations", w.factorisations},
          {"newton_iterations", w.newton_iterations}};
}

Json json_row(const Row& row) {
  return {{"law", row.law},
          {"rigid_solver", row.rigid_solver},
          {"compliant_solver", row.compliant_solver},
          {"epsilon", row.epsilon},
          {"quantity", name_of(row.quantity)},
          {"norm", name_of(row.norm)},
          {"window", name_of(row.window)},
          {"model_error", json_number(row.model_error)},
          {"solver_error", json_number(row.solver_error)},
          {"reference_error", json_number(row.reference_error)},
          {"sampling_error", json_number(row.sampling_error)},
          {"order", json_number(row.order)},
          {"predicted_coefficient", json_number(row.predicted_coefficient)},
          {"ratio", json_number(row.ratio)},
          {"ratio_error", json_number(row.ratio_error)},
          {"verdict", name_of(row.verdict)},
          {"status", row.status},
          {"work", json_work(row.work)}};
}

Json json_series(const Series& s) {
  const Row& row = s.rows.front();
  const OrderFit& fit = s.judgement.fit;
  Json json{{"law", row.law},
            {"rigid_solver", row.rigid_solver},
            {"compliant_solver", row.compliant_solver},
            {"quantity", name_of(row.quantity)},
            {"norm", name_of(row.norm)},
            {"window", name_of(row.window)},
            {"order", json_number(fit.order)},
            {"standard_error", json_number(fit.standard_error)},
            {"coefficient", json_number(fit.coefficient)},
            {"floor_error", json_number(fit.floor_error)},
            {"spread", json_number(fit.spread)},
            {"order_limit", json_number(s.judgement.limit.value)},
            {"order_limit_error", json_number(s.judgement.limit.error)},
            {"predicted_order", json_number(s.predicted_order)},
            {"settled", fit.settled},
            {"points", fit.count},
            {"verdict", name_of(s.judgement.verdict)},
            {"reason", s.judgement.reason},
            {"advice", advice(s.judgement)}};
  if (s.expectation && s.expectation->judges_errors()) {
    if (s.expectation->order)
      json["expected_order"] = *s.expectation->order;
    else
      json["expected_convergence"] = name_of(s.expectation->convergence);
    json["within"] = s.expectation->within;
    json["held"] = !s.order_broken();
  }
  if (s.expectation && s.expectation->ratio)
    json["ratio"] = {{"expected", *s.expectation->ratio},
                     {"within", s.expectation->ratio_within},
                     {"found", json_number(s.ratio.ratio)},
                     {"limit", json_number(s.ratio.limit)},
                     {"limit_error", json_number(s.ratio.limit_error)},
                     {"verdict", name_of(s.ratio.verdict)},
                     {"reason", s.ratio.reason},
                     {"held", !s.ratio_broken()}};
  return json;
}

Json json_rigid(const RigidReport& r) {
  return {{"solver", r.solver},
          {"reference", r.reference},
          {"multiplier_in_error_test", r.multiplier_tested},
          {"outcome", name_of(r.outcome)},
          {"q_error", json_number(r.error[0])},
          {"v_error", json_number(r.error[1])},
          {"lambda_error", json_number(r.error[2])},
          {"drift", json_number(r.drift)},
          {"invariant_drift", json_number(r.invariant_drift)},
          {"energy_work", json_number(r.energy_work)},
          {"energy_error", json_number(r.energy_error)},
          {"energy_scale", json_number(r.energy_scale)},
          {"work", json_work(r.work)}};
}

Json json_bound(const Study& study, const BoundReport& report) {
  const BoundSpec& spec = report.spec;
  const BoundJudgement& j = report.judgement;
  const bool of_solver = spec.subject == BoundSpec::Subject::solver_error;
  return {{"law", spec.law},
          {"rigid_solver", report.rigid_solver},
          {"compliant_solver", report.compliant_solver},
          {"quantity", name_of(spec.quantity)},
          {"norm", name_of(spec.norm)},
          {"window", name_of(spec.window)},
          {"of", of_solver ? "solver_error" : "model_error"},
          {"constant", json_number(spec.bound.constant)},
          {"power", json_number(spec.bound.power)},
          {"epsilon_from", json_number(spec.bound.from)},
          {"epsilon_to", json_number(spec.bound.to)},
          {"claim", claim_text(study, spec)},
          {"state", name_of(j.state)},
          {"worst_epsilon", j.worst ? json_number(report.epsilons[*j.worst]) : Json(nullptr)},
          {"limit", json_number(j.limit)},
          {"factor", json_number(j.factor)},
          {"reason", j.reason},
          {"held", report.held()}};
}

Json json_failure(const Failure& f) {
  return {{"law", f.law},
          {"compliant_solver", f.compliant_solver},
          {"epsilon", f.epsilon},
          {"tighter", f.tighter},
          {"outcome", name_of(f.outcome)},
          {"message", f.message},
          {"t_reached", json_number(f.t_reached)},
          {"last_step", json_number(f.last_step)}};
}

Json json_energy(const EnergyReport& e) {
  return {{"law", e.law},
          {"compliant_solver", e.compliant_solver},
          {"epsilon", e.epsilon},
          {"mechanical", json_number(e.mechanical)},
          {"spring", json_number(e.spring)},
          {"work", json_number(e.work)},
          {"damper", json_number(e.damper)},
          {"unaccounted", json_number(e.defect)}};
}

Json json_components(const std::vector<Component>& components, const VectorXd* start = nullptr) {
  Json json = Json::array();
  for (std::size_t i = 0; i < components.size(); ++i) {
    json.push_back({{"name", components[i].name}, {"unit", components[i].unit}});
    if (start != nullptr) json.back()["start"] = json_number((*start)(static_cast<Index>(i)));
  }
  return json;
}

/// What `describe` says of the system, with the study's parameters and start: a report drawn from
/// this file needs no catalogue.
Json json_system(const Study& study) {
  const SystemInfo& info = study.system->info;
  Json json{{"title", info.title},
            {"equations", info.equations},
            {"source", info.source},
            {"closed_form", info.closed_form},
            {"derived_from_energies", study.model.lagrangian},
            {"velocities_are_rates", study.model.lagrange_coordinates},
            {"exact_constraints", study.model.ne},
            {"parameters", Json::array()}};
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const ParameterInfo& parameter = study.system->parameters[i];
    json["parameters"].push_back({{"name", parameter.name},
                                  {"value", json_number(study.parameters[i])},
                                  {"unit", parameter.unit},
                                  {"meaning", parameter.text}});
  }
  json["coordinates"] = json_components(info.coordinates, &study.initial.q);
  json["velocities"] = json_components(info.velocities, &study.initial.v);
  json["contacts"] = json_components(info.contacts);
  json["laws"] = Json::array();
  for (const std::string& name : study.contact.laws)
    if (const LawInfo* law = find_law(name))
      json["laws"].push_back({{"name", law->name},
                              {"equations", law->equations},
                              {"small_parameter", law->small_parameter},
                              {"expected", law->expected},
                              {"source", law->source}});
  return json;
}

Json json_result(const StudyResult& result) {
  Json json;
  json["study"] = result.study.name;
  json["question"] = result.study.question;
  json["source"] = result.study.source;
  json["system"] = result.study.system->info.name;
  json["built_in"] = is_builtin(*result.study.system);
  if (const std::string place = written_in(*result.study.system); !place.empty())
    json["written_in"] = place;
  json["description"] = json_system(result.study);
  json["laws"] = result.study.contact.laws;
  json["held"] = result.held();
  json["interrupted"] = result.interrupted;
  json["against"] = name_of(result.study.against);
  json["no_prediction"] = result.no_prediction;
  json["after"] = result.study.after;
  for (const double force : result.multiplier_at_start)
    json["multiplier_at_start"].push_back(json_number(force));
  json["rigid"] = Json::array();
  for (const RigidReport& r : result.rigid) json["rigid"].push_back(json_rigid(r));
  json["energy"] = Json::array();
  for (const EnergyReport& e : result.energy) json["energy"].push_back(json_energy(e));
  json["series"] = Json::array();
  json["rows"] = Json::array();
  for (const Series& s : result.series) {
    if (s.rows.empty()) continue;
    json["series"].push_back(json_series(s));
    for (const Row& row : s.rows) json["rows"].push_back(json_row(row));
  }
  json["bounds"] = Json::array();
  for (const BoundReport& report : result.bounds)
    json["bounds"].push_back(json_bound(result.study, report));
  json["failures"] = Json::array();
  for (const Failure& f : result.failures) json["failures"].push_back(json_failure(f));
  json["notes"] = result.notes;
  for (const auto& [key, value] : build_provenance()) json["provenance"][key] = value;
  json["provenance"]["study_hash"] = study_hash(result.study);
  json["provenance"]["resolved_study"] = resolved_toml(result.study);
  return json;
}

}  // namespace

std::string csv_number(double x) {
  return std::isnan(x) ? "nan" : fmt::format("{:.17g}", x);
}

std::string csv_header() {
  return "study,system,law,rigid_solver,compliant_solver,epsilon,quantity,norm,window,model_error,"
         "solver_error,reference_error,order,predicted_coefficient,ratio,ratio_error,verdict,"
         "status,steps,rejected_steps,rhs_evaluations,"
         "jacobian_evaluations,factorisations,newton_iterations\n";
}

std::string csv_rows(const StudyResult& result) {
  std::string text;
  for (const Series& s : result.series)
    for (const Row& row : s.rows)
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}"
          "\n",
          result.study.name, result.study.system->info.name, row.law, row.rigid_solver,
          row.compliant_solver, csv_number(row.epsilon), name_of(row.quantity), name_of(row.norm),
          name_of(row.window), csv_number(row.model_error), csv_number(row.solver_error),
          csv_number(row.reference_error), csv_number(row.order),
          csv_number(row.predicted_coefficient), csv_number(row.ratio), csv_number(row.ratio_error),
          name_of(row.verdict), row.status, row.work.steps, row.work.rejected_steps,
          row.work.rhs_evaluations, row.work.jacobian_evaluations, row.work.factorisations,
          row.work.newton_iterations);
  return text;
}

std::string json_text(const std::vector<StudyResult>& results) {
  Json json = Json::array();
  for (const StudyResult& result : results) json.push_back(json_result(result));
  return json.dump(1) + "\n";
}

std::string json_text(const std::vector<StudyResult>& results,
                      const std::vector<std::string>& parts) {
  Json json = Json::array();
  for (const StudyResult& result : results) {
    const Json whole = json_result(result);
    Json some{{"study", whole["study"]}, {"system", whole["system"]}};
    for (const std::string& part : parts) some[part] = whole[part];
    json.push_back(std::move(some));
  }
  return json.dump(1) + "\n";
}

std::string judgement_json(const StudyResult& result) {
  Json json = json_result(result);
  json.erase("rows");
  return json.dump();
}

}  // namespace rigidlimit
