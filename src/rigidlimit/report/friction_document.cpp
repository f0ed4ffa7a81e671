#include <utility>

#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/report/friction_rows.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/series_rows.hpp"

namespace rigidlimit {

namespace {

DataTable contacts_of(const FrictionalSystem& model) {
  DataTable list;
  for (const ContactPoint& c : model.contacts)
    list.records.push_back({{"name", c.name},
                            {"components", static_cast<long>(c.components)},
                            {"friction", c.friction},
                            {"restitution", c.restitution}});
  return list;
}

void add_law(Record& record, const ComparedLaw& law) {
  record.push_back({"law.friction", name_of(law.friction)});
  record.push_back({"law.tangential_power", law.tangential_power});
}

Record record_of(const StepCheck& check) {
  return {{"step", check.step},       {"outcome", name_of(check.outcome)},
          {"impacts", check.impacts}, {"q_end", check.q_end},
          {"v_end", check.v_end},     {"q_sup", check.q_sup},
          {"v_l1", check.v_l1},       {"q_order", check.q_order},
          {"v_order", check.v_order}};
}

void add_rigid(Document& document, const RigidHistory& rigid) {
  document.insert(document.end(), {{"rigid.outcome", Value(name_of(rigid.motion.outcome))},
                                   {"rigid.message", Value(rigid.motion.message)},
                                   {"rigid.t_reached", Value(rigid.motion.t_reached)},
                                   {"rigid.initial_modes", Value(rigid.motion.initial_modes)},
                                   {"rigid.judged", Value(rigid.judged)},
                                   {"rigid.reference", Value(rigid.reference)},
                                   {"rigid.q_error", Value(rigid.q_error)},
                                   {"rigid.v_error", Value(rigid.v_error)},
                                   {"rigid.uncompared", Value(rigid.uncompared)},
                                   {"rigid.event_time_error", Value(rigid.event_time_error)},
                                   {"rigid.known_event_times", Value(rigid.known_event_times)}});
  if (const EnergyHistory& e = rigid.energy; e.known)
    document.insert(document.end(), {{"rigid.energy.at_start", Value(e.at_start)},
                                     {"rigid.energy.at_end", Value(e.at_end)},
                                     {"rigid.energy.work", Value(e.work)},
                                     {"rigid.energy.lost_at_impacts", Value(e.lost_at_impacts)},
                                     {"rigid.energy.lost_in_slipping", Value(e.lost_in_slipping)},
                                     {"rigid.energy.unaccounted", Value(e.unaccounted)},
                                     {"rigid.energy.largest_growth", Value(e.largest_growth)}});
  DataTable steps;
  for (const StepCheck& check : rigid.steps) steps.records.push_back(record_of(check));
  document.push_back({"rigid.moreau_jean", std::move(steps)});
}

Record record_of(const FrictionSolve& s) {
  Record record;
  add_law(record, s.law);
  record.insert(record.end(), {{"solver", s.solver},
                               {"epsilon", s.epsilon},
                               {"tighter", s.tighter},
                               {"outcome", name_of(s.outcome)},
                               {"message", s.message},
                               {"t_reached", s.t_reached},
                               {"steps", s.work.steps},
                               {"rejected_steps", s.work.rejected_steps},
                               {"rhs_evaluations", s.work.rhs_evaluations},
                               {"kinks", s.roots}});
  return record;
}

Record record_of(const InequalityReport& report) {
  Record record{{"motion", report.motion}};
  add_law(record, report.law);
  record.insert(record.end(), {{"epsilon", report.epsilon},
                               {"least", report.check.least},
                               {"relative", report.check.relative},
                               {"drawn", report.check.drawn}});
  return record;
}

void add_tables(Document& document, const FrictionResult& result, DataTable errors) {
  DataTable inequality, solves;
  for (const InequalityReport& report : result.inequality)
    inequality.records.push_back(record_of(report));
  for (const FrictionSolve& s : result.solves) solves.records.push_back(record_of(s));
  document.insert(document.end(), {{"errors", std::move(errors)},
                                   {"series", series_rows(result.series, RowsOf::friction)},
                                   {"inequality", std::move(inequality)},
                                   {"solves", std::move(solves)}});
}

}  // namespace

Document document_of(const FrictionResult& result, DataTable errors) {
  const FrictionStudy& study = result.study;
  Document document = system_document(*study.system, study.system->frictional_parameters(),
                                      study.parameters, study.initial, contacts_of(study.model));
  document.push_back({"end", Value(study.time.end)});
  add_rigid(document, result.rigid);
  add_tables(document, result, std::move(errors));
  if (!result.modes.empty()) document.push_back({"modes", mode_rows(result)});
  return document;
}

}  // namespace rigidlimit
