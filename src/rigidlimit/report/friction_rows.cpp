#include "rigidlimit/report/friction_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/report/friction_tables.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/series_rows.hpp"

namespace rigidlimit {

namespace {

/// Fields q1, q2, …: `count` elements of x from `begin` on, NaN beyond its end.
void add_components(Record& record, const char* name, const VectorXd& x, Index count,
                    const char* ending = "", Index begin = 0) {
  for (Index i = 0; i < count; ++i)
    record.push_back({fmt::format("{}{}{}", name, i + 1, ending),
                      begin + i < x.size() ? x(begin + i) : std::nan("")});
}

std::string contact_words(const ContactEvent& event, const FrictionalSystem& system) {
  std::vector<std::string> names;
  for (const Index c : event.contacts)
    names.push_back(system.contacts[static_cast<std::size_t>(c)].name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// The modes of several contacts, separated by blanks.
std::string mode_words(std::string modes) {
  std::ranges::replace(modes, ',', ' ');
  return modes;
}

void add_law(Record& record, const ComparedLaw& law) {
  record.push_back({"law", name_of(law.friction)});
  record.push_back({"tangential_power", law.tangential_power});
}

Record record_of(const ContactEvent& event, const FrictionalSystem& model, std::size_t number) {
  const System& system = model.smooth;
  const double lost = event.q.size() == 0 ? std::nan("")
                                          : kinetic_energy(system, event.q, event.v_before) -
                                                kinetic_energy(system, event.q, event.v_after);
  Record record{{"event", number},
                {"t", event.t},
                {"kind", name_of(event.kind)},
                {"contacts", contact_words(event, model)},
                {"modes", mode_words(event.modes)},
                {"energy_lost", lost}};
  add_components(record, "q", event.q, system.nq);
  add_components(record, "v", event.v_before, system.n, "_before");
  add_components(record, "v", event.v_after, system.n, "_after");
  add_components(record, "impulse_lambda", event.impulse, system.m);
  add_components(record, "impulse_p", event.impulse, model.nc(), "", system.m);
  return record;
}

DataTable events_of(const FrictionResult& result) {
  const FrictionalSystem& model = result.study.model;
  DataTable table{"events", {{"study", result.study.name}}, record_of({}, model, 0), {}};
  for (const ContactEvent& event : result.rigid.motion.events)
    table.records.push_back(record_of(event, model, table.records.size()));
  return table;
}

DataTable step_events_of(const FrictionResult& result) {
  const FrictionalSystem& model = result.study.model;
  const auto of_step = [&](double step, const ContactEvent& event, std::size_t number) {
    Record record{{"step", step}};
    std::ranges::move(record_of(event, model, number), std::back_inserter(record));
    return record;
  };
  DataTable table{"step_events", {{"study", result.study.name}}, of_step(0.0, {}, 0), {}};
  for (const StepCheck& check : result.rigid.steps)
    for (std::size_t k = 0; k < check.events.size(); ++k)
      table.records.push_back(of_step(check.step, check.events[k], k));
  return table;
}

DataTable event_times_of(const FrictionResult& result) {
  const auto& events = result.rigid.motion.events;
  return data_table("event_times", {{"study", result.study.name}}, result.matches,
                    [&](const EventMatch& match) {
                      const ContactEvent event =
                          match.event < events.size() ? events[match.event] : ContactEvent{};
                      Record record{{"event", match.event},
                                    {"kind", name_of(event.kind)},
                                    {"contacts", contact_words(event, result.study.model)},
                                    {"t_rigid", event.t}};
                      add_law(record, match.law);
                      record.insert(record.end(), {{"compliant_solver", match.solver},
                                                   {"epsilon", match.epsilon},
                                                   {"t", match.t},
                                                   {"difference", match.difference},
                                                   {"predicted", match.predicted},
                                                   {"solver_error", match.solver_error},
                                                   {"order", match.order}});
                      return record;
                    });
}

Record sample_of(const FrictionCurve& curve, Index k, const FrictionalSystem& model) {
  const auto at = [k](const MatrixXd& x) { return k < x.cols() ? VectorXd(x.col(k)) : VectorXd(); };
  const auto i = static_cast<std::size_t>(k);
  const Index m = model.smooth.m;
  Record record{{"motion", curve.name},
                {"tangential_power", curve.tangential_power},
                {"solver", curve.solver},
                {"epsilon", curve.epsilon},
                {"t", i < curve.motion.times.size() ? curve.motion.times[i] : 0.0}};
  add_components(record, "q", at(curve.motion.q), model.smooth.nq);
  add_components(record, "v", at(curve.motion.v), model.smooth.n);
  add_components(record, "lambda", at(curve.motion.lambda), m);
  add_components(record, "p", at(curve.motion.lambda), model.nc(), "", m);
  record.push_back({"modes", i < curve.modes.size() ? mode_words(curve.modes[i]) : ""});
  return record;
}

DataTable motions_of(const FrictionResult& result) {
  const FrictionalSystem& model = result.study.model;
  DataTable table{"motions", {}, sample_of({}, 0, model), {}};
  for (const FrictionCurve& curve : result.curves)
    for (std::size_t k = 0; k < curve.motion.times.size(); ++k)
      table.records.push_back(sample_of(curve, static_cast<Index>(k), model));
  return table;
}

}  // namespace

DataTable mode_rows(const FrictionResult& result) {
  return data_table("modes", {{"study", result.study.name}}, mode_columns(), result.modes);
}

std::vector<DataTable> friction_tables(const FrictionResult& result) {
  const FrictionStudy& study = result.study;
  std::vector<DataTable> tables{
      error_rows("errors", {{"study", study.name}, {"system", study.system->info.name}},
                 std::make_shared<const std::vector<Series>>(result.series), RowsOf::friction),
      events_of(result), event_times_of(result), motions_of(result)};
  if (!result.rigid.steps.empty()) tables.push_back(step_events_of(result));
  if (!result.modes.empty()) tables.push_back(mode_rows(result));
  return tables;
}

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
  document.push_back({"rigid.moreau_jean", data_table({}, {}, step_check_columns(), rigid.steps)});
}

void add_tables(Document& document, const FrictionResult& result, DataTable errors) {
  document.insert(document.end(),
                  {{"errors", std::move(errors)},
                   {"series", series_rows(result.series, RowsOf::friction)},
                   {"inequality", data_table({}, {}, inequality_columns(), result.inequality)},
                   {"solves", data_table({}, {}, solve_columns(), result.solves)}});
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
