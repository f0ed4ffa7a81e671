#include "rigidlimit/report/rolling_rows.hpp"

#include <utility>

#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/rolling_tables.hpp"
#include "rigidlimit/report/series_rows.hpp"
#include "rigidlimit/report/steps_tables.hpp"

namespace rigidlimit {

namespace {

Record record_of(const RigidReport& r) {
  Record record{{"solver", r.solver},
                {"reference", r.reference},
                {"multiplier_in_error_test", r.multiplier_tested},
                {"outcome", name_of(r.outcome)},
                {"q_error", r.error[0]},
                {"v_error", r.error[1]},
                {"lambda_error", r.error[2]},
                {"drift", r.drift},
                {"invariant_drift", r.invariant_drift},
                {"energy_work", r.energy_work},
                {"energy_error", r.energy_error},
                {"energy_scale", r.energy_scale}};
  add_work(record, r.work);
  return record;
}

Record record_of(const RollingStudy& study, const BoundReport& report) {
  const BoundSpec& spec = report.spec;
  const BoundJudgement& j = report.judgement;
  const bool of_solver = spec.subject == BoundSpec::Subject::solver_error;
  return {{"law", spec.law},
          {"rigid_solver", report.rigid_solver},
          {"compliant_solver", report.compliant_solver},
          {"quantity", name_of(spec.measure.quantity)},
          {"norm", name_of(spec.measure.norm)},
          {"window", name_of(spec.measure.window)},
          {"of", of_solver ? "solver_error" : "model_error"},
          {"constant", spec.bound.constant},
          {"power", spec.bound.power},
          {"epsilon_from", spec.bound.from},
          {"epsilon_to", spec.bound.to},
          {"claim", claim_text(study, spec)},
          {"state", name_of(j.state)},
          {"worst_epsilon", j.worst ? Value(report.epsilons[*j.worst]) : Value()},
          {"limit", j.limit},
          {"factor", j.factor},
          {"reason", j.reason},
          {"held", report.held()}};
}

Record record_of(const Failure& f) {
  return {{"law", f.law},
          {"compliant_solver", f.compliant_solver},
          {"epsilon", f.epsilon},
          {"tighter", f.tighter},
          {"message", f.message},
          {"outcome", name_of(f.outcome)},
          {"t_reached", f.t_reached},
          {"last_step", f.last_step}};
}

Record record_of(const EnergyReport& e) {
  return {{"law", e.law},
          {"compliant_solver", e.compliant_solver},
          {"epsilon", e.epsilon},
          {"mechanical", e.sizes.mechanical},
          {"spring", e.sizes.spring},
          {"work", e.sizes.work},
          {"damper", e.sizes.damper},
          {"unaccounted", e.sizes.defect}};
}

Record record_of(const LawInfo& law) {
  return {{"name", law.name},
          {"equations", law.equations},
          {"small_parameter", law.small_parameter},
          {"expected", law.expected},
          {"source", law.source}};
}

template <class Row>
DataTable list_of(std::shared_ptr<const std::vector<Row>> rows) {
  return {{}, {}, {}, Records(std::move(rows), [](const Row& row) { return record_of(row); })};
}

/// A part of a result that stays alive with the part.
template <class Part>
std::shared_ptr<const Part> part_of(const std::shared_ptr<const RollingResult>& result,
                                    Part RollingResult::*part) {
  return {result, &(*result.*part)};
}

DataTable laws_of(const RollingStudy& study) {
  DataTable list;
  for (const std::string& name : study.contact.laws)
    if (const LawInfo* law = find_law(name)) list.records.push_back(record_of(*law));
  return list;
}

void add_tables(Document& document, const std::shared_ptr<const RollingResult>& kept,
                DataTable errors) {
  const RollingResult& result = *kept;
  DataTable bounds;
  for (const BoundReport& report : result.bounds)
    bounds.records.push_back(record_of(result.study, report));
  DataTable delassus;
  for (Index i = 0; i < result.delassus.rows(); ++i)
    for (Index j = 0; j < result.delassus.cols(); ++j)
      delassus.records.push_back({{"row", static_cast<long>(i)},
                                  {"column", static_cast<long>(j)},
                                  {"value", result.delassus(i, j)}});
  document.insert(document.end(), {{"delassus", std::move(delassus)},
                                   {"rigid", list_of(part_of(kept, &RollingResult::rigid))},
                                   {"energy", list_of(part_of(kept, &RollingResult::energy))},
                                   {"series", series_rows(result.series, RowsOf::rolling)},
                                   {"errors", std::move(errors)},
                                   {"bounds", std::move(bounds)},
                                   {"steps", step_rows(result)},
                                   {"growth", growth_rows(result)},
                                   {"failures", list_of(part_of(kept, &RollingResult::failures))}});
}

}  // namespace

DataTable error_rows(const std::shared_ptr<const RollingResult>& result) {
  const RollingStudy& study = result->study;
  return error_rows("errors", {{"study", study.name}, {"system", study.system->info.name}},
                    part_of(result, &RollingResult::series), RowsOf::rolling);
}

Document document_of(const std::shared_ptr<const RollingResult>& kept, DataTable errors) {
  const RollingResult& result = *kept;
  const RollingStudy& study = result.study;
  const SystemInfo& info = study.system->info;
  Document document = system_document(*study.system, study.system->parameters, study.parameters,
                                      study.initial, components_of(info.contacts));
  append(document, {{"system.equations", Value(info.equations)},
                    {"system.source", Value(info.source)},
                    {"system.closed_form", Value(info.closed_form)},
                    {"system.derived_from_energies", Value(study.model.lagrangian)},
                    {"system.velocities_are_rates", Value(study.model.lagrange_coordinates)},
                    {"system.exact_constraints", Value(static_cast<long>(study.model.ne))},
                    {"laws", laws_of(study)},
                    {"against", Value(name_of(study.against))},
                    {"no_prediction", Value(result.no_prediction)},
                    {"after", Value(study.after)},
                    {"multiplier_at_start", Value(result.multiplier_at_start)}});
  add_tables(document, kept, std::move(errors));
  return document;
}

}  // namespace rigidlimit
