// The report of a friction study, and its result in machine-readable form. Columns q1, q2, … are
// the coordinates of the system in its order (result.json names them), v1, … its velocities,
// lambda1, … the m components of friction and p1, … the normal forces of its contacts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/report/conclusion.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/friction_tables.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/series_tables.hpp"

namespace rigidlimit {

namespace {

/// Fields q1, q2, …: `count` elements of x from `begin` on, NaN beyond its end.
void add_components(Record& record, const char* name, const VectorXd& x, Index count,
                    const char* ending = "", Index begin = 0) {
  for (Index i = 0; i < count; ++i)
    record.push_back({fmt::format("{}{}{}", name, i + 1, ending),
                      begin + i < x.size() ? x(begin + i) : std::nan("")});
}

/// Fields q1, q2, … of the visible elements of x, which is empty or has one for each of `all`.
void add_visible(Record& record, const char* name, const std::vector<Component>& all,
                 const VectorXd& x, const char* ending = "") {
  add_components(record, name, visible(all, x), std::ssize(visible_rows(all)), ending);
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

Record record_of(const ContactEvent& event, const FrictionStudy& study, std::size_t number) {
  const FrictionalSystem& model = study.model;
  const System& system = model.smooth;
  const SystemInfo& info = study.system->info;
  const double lost = event.q.size() == 0 ? std::nan("")
                                          : kinetic_energy(system, event.q, event.v_before) -
                                                kinetic_energy(system, event.q, event.v_after);
  Record record{{"event", number},
                {"t", event.t},
                {"kind", name_of(event.kind)},
                {"contacts", contact_words(event, model)},
                {"modes", mode_words(event.modes)},
                {"energy_lost", lost}};
  add_visible(record, "q", info.coordinates, event.q);
  add_visible(record, "v", info.velocities, event.v_before, "_before");
  add_visible(record, "v", info.velocities, event.v_after, "_after");
  add_components(record, "impulse_lambda", event.impulse, system.m);
  add_components(record, "impulse_p", event.impulse, model.nc(), "", system.m);
  return record;
}

DataTable events_of(const FrictionResult& result) {
  const FrictionStudy& study = result.study;
  DataTable table{"events", {{"study", study.name}}, record_of({}, study, 0), {}};
  for (const ContactEvent& event : result.rigid.motion.events)
    table.records.push_back(record_of(event, study, table.records.size()));
  return table;
}

DataTable step_events_of(const FrictionResult& result) {
  const auto of_step = [&](double step, const ContactEvent& event, std::size_t number) {
    Record record{{"step", step}};
    std::ranges::move(record_of(event, result.study, number), std::back_inserter(record));
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

Record sample_of(const FrictionCurve& curve, Index k, const FrictionStudy& study) {
  const auto at = [k](const MatrixXd& x) { return k < x.cols() ? VectorXd(x.col(k)) : VectorXd(); };
  const auto i = static_cast<std::size_t>(k);
  const Index m = study.model.smooth.m;
  Record record{{"motion", curve.name},
                {"tangential_power", curve.tangential_power},
                {"solver", curve.solver},
                {"epsilon", curve.epsilon},
                {"t", i < curve.motion.times.size() ? curve.motion.times[i] : 0.0}};
  add_visible(record, "q", study.system->info.coordinates, at(curve.motion.q));
  add_visible(record, "v", study.system->info.velocities, at(curve.motion.v));
  add_components(record, "lambda", at(curve.motion.lambda), m);
  add_components(record, "p", at(curve.motion.lambda), study.model.nc(), "", m);
  record.push_back({"modes", i < curve.modes.size() ? mode_words(curve.modes[i]) : ""});
  return record;
}

DataTable motions_of(const FrictionResult& result) {
  const FrictionStudy& study = result.study;
  DataTable table{"motions", {}, sample_of({}, 0, study), {}};
  for (const FrictionCurve& curve : result.curves)
    for (std::size_t k = 0; k < curve.motion.times.size(); ++k)
      table.records.push_back(sample_of(curve, static_cast<Index>(k), study));
  return table;
}

/// The modes of all motions.
DataTable mode_rows(const FrictionResult& result) {
  return data_table("modes", {{"study", result.study.name}}, mode_columns(), result.modes);
}

/// Errors; events of the rigid motion and of Moreau and Jean's motions (if any); their times in the
/// compliant motions; rigid (epsilon 0) and compliant motions; their modes (if the study asks).
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

/// The parts of the document that only friction studies have; without motions.
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

std::string vector_text(const VectorXd& x) {
  std::vector<std::string> texts;
  for (const double entry : x) texts.push_back(fmt::format("{:.6g}", entry));
  return fmt::format("({})", fmt::join(texts, ", "));
}

/// A start in its given units, "(20 deg, 0.5 m)"; in SI without units if all are of SI.
std::string start_text(const std::vector<Component>& all, const VectorXd& si) {
  const std::vector<Component> components = visible(all);
  if (std::ranges::all_of(components, &std::string::empty, &Component::given_unit))
    return vector_text(visible(all, si));
  const VectorXd given = given_values(components, visible(all, si));
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < components.size(); ++k)
    texts.push_back(
        fmt::format("{:.6g} {}", given(static_cast<Index>(k)), given_unit_of(components[k])));
  return fmt::format("({})", fmt::join(texts, ", "));
}

std::string contact_text(const ContactPoint& contact) {
  const char* normal = contact.normal == Normal::given       ? "normal force given"
                       : contact.normal == Normal::bilateral ? "bilateral"
                                                             : "unilateral";
  std::string text = fmt::format("{} ({}, μ = {:.4g}", contact.name, normal, contact.friction);
  if (contact.normal == Normal::unilateral)
    text += fmt::format(", e = {:.4g}", contact.restitution);
  return text + ")";
}

std::vector<std::string> heading_of(const FrictionStudy& study) {
  std::vector<std::string> contacts;
  for (const ContactPoint& contact : study.model.contacts)
    contacts.push_back(contact_text(contact));
  return {fmt::format("{}: {}", study.system->info.name,
                      parameters_text(study.system->frictional_parameters(), study.parameters)),
          fmt::format("contacts: {}", fmt::join(contacts, ", ")),
          fmt::format("q(0) = {}, v(0) = {}, T = {:.6g} s",
                      start_text(study.system->info.coordinates, study.initial.q),
                      start_text(study.system->info.velocities, study.initial.v), study.time.end),
          fmt::format("C_t = {}, C_n = {} N/m at ε = 1",
                      vector_text(study.contact.tangential_stiffness),
                      vector_text(study.contact.normal_stiffness))};
}

std::vector<std::string> rigid_lines(const RigidHistory& rigid) {
  const std::string& modes = rigid.motion.initial_modes;
  const std::size_t events = rigid.motion.events.size();
  std::vector<std::string> lines{fmt::format(
      "rigid motion: {} at t = {:.9g} s, {} at the start, {} {}", name_of(rigid.motion.outcome),
      rigid.motion.t_reached, modes.empty() ? "no modes" : "modes " + modes, events,
      events == 1 ? "event" : "events")};
  if (!rigid.uncompared.empty())
    lines.push_back(fmt::format("{} against {}: |Δq| and |Δv| are not compared, {}", rigid.judged,
                                rigid.reference, rigid.uncompared));
  else if (!rigid.judged.empty())
    lines.push_back(
        fmt::format("{} against {}: |Δq| {:.1e}, |Δv| {:.1e} (sup){}", rigid.judged,
                    rigid.reference, rigid.q_error, rigid.v_error,
                    std::isnan(rigid.event_time_error)
                        ? ""
                        : fmt::format(", event times {:.1e} s", rigid.event_time_error)));
  if (const EnergyHistory& e = rigid.energy; e.known)
    lines.push_back(fmt::format(
        "energy {:.9g} J to {:.9g} J: work {:.3g}, lost at impacts {:.6g}, in slipping {:.6g}; "
        "unaccounted {:.1e}, largest growth {:.1e}",
        e.at_start, e.at_end, e.work, e.lost_at_impacts, e.lost_in_slipping, e.unaccounted,
        e.largest_growth));
  return lines;
}

SeriesNames names_of(const FrictionStudy& study) {
  return {.several_laws = study.contact.laws.size() > 1};
}

std::string errors_caption(const ComparedLaw& law, const std::string& solver) {
  return fmt::format("{}, {}: model error ± error bar (solver, reference or sampling)",
                     text_of(law), solver);
}

void add_compliant(Report& report, const FrictionResult& result) {
  for (const ComparedLaw& law : result.study.contact.laws)
    for (const std::string& solver : result.study.solvers.compliant) {
      const std::string who = fmt::format("{}, {}", text_of(law), solver);
      const std::string key = fmt::format("-{}-{}", text_of(law), solver);
      SeriesColumns columns;
      for (const Series& s : result.series)
        if (is_shown(s) && s.rows.front().law == name_of(law) &&
            s.rows.front().compliant_solver == solver)
          columns.push_back(&s);
      report.body.emplace_back(
          CaptionedTable{"errors" + key, errors_caption(law, solver), error_table(columns)});
      report.body.emplace_back(CaptionedTable{
          "ratios" + key, who + ": predicted coefficient, and measured over predicted error",
          ratio_table(columns)});
      report.body.emplace_back(CaptionedTable{"times" + key,
                                              who + ": event times, compliant minus rigid [s]",
                                              friction_transition_table(result, law, solver)});
    }
}

/// The expected errors of the first law and solver, and the orders; without them, the events and
/// the claims.
std::vector<CaptionedTable> brief_tables(const Report& report, const FrictionResult& result) {
  const FrictionStudy& study = result.study;
  SeriesColumns expected;
  for (const Series& s : result.series)
    if (s.expectation && !s.rows.empty() && !study.solvers.compliant.empty() &&
        s.rows.front().law == name_of(study.contact.laws.front()) &&
        s.rows.front().compliant_solver == study.solvers.compliant.front())
      expected.push_back(&s);
  if (!expected.empty())
    return {{"errors", errors_caption(study.contact.laws.front(), study.solvers.compliant.front()),
             error_table(expected)},
            {"orders", "Orders", expectation_table(result.series, names_of(study))}};
  std::vector<CaptionedTable> brief;
  const auto take = [&](const char* kind) {
    for (const auto& part : report.body)
      if (const auto* table = std::get_if<CaptionedTable>(&part);
          table && table->key.starts_with(kind) && !table->table.rows.empty()) {
        brief.push_back(*table);
        return;
      }
  };
  for (const char* kind : {"errors", "events", "claims"}) take(kind);
  return brief;
}

/// The first solves, and the tighter ones that failed.
std::vector<FrictionSolve> shown_solves(std::vector<FrictionSolve> solves) {
  std::erase_if(solves,
                [](const FrictionSolve& s) { return s.tighter && s.outcome == Outcome::success; });
  return solves;
}

void add_tables(Report& report, const FrictionResult& result) {
  const auto add = [&](const char* key, const char* caption, TextTable table) {
    report.body.emplace_back(CaptionedTable{key, caption, std::move(table)});
  };
  report.body.emplace_back(rigid_lines(result.rigid));
  add("events", "Events of the rigid motion", friction_event_table(result));
  add("steps", "Moreau-Jean time stepping, compared with the rigid motion",
      text_table(step_check_columns(), result.rigid.steps));
  add("modes", "Modes of the contacts in the order of time",
      text_table(mode_columns(), result.modes, 2));
  add("claims", "Claims about the motions", text_table(history_claim_columns(), result.claims));
  add_compliant(report, result);
  add("orders", "Orders", verdict_table(result.series, names_of(result.study)));
  add("coefficients", "Coefficients", ratio_verdict_table(result.series, names_of(result.study)));
  add("solves", "Compliant solves", text_table(solve_columns(), shown_solves(result.solves), 3));
  add("inequality",
      "Inequality of Duvaut and Lions, T (v - u) + mu |p| (|v| - |u|) >= 0, at random v",
      text_table(inequality_columns(), result.inequality, 2));
}

std::vector<std::string> remarks_on(const FrictionResult& result) {
  std::vector<std::string> remarks;
  for (const FrictionSolve& s : result.solves)
    if (s.outcome != Outcome::success)
      remarks.push_back(fmt::format("{}, {}, ε = {:.4g}{}: {} at t = {:.6g} s: {}", text_of(s.law),
                                    s.solver, s.epsilon, s.tighter ? ", tighter" : "",
                                    name_of(s.outcome), s.t_reached, s.message));
  for (const StepCheck& check : result.rigid.steps)
    if (check.outcome != Outcome::success)
      remarks.push_back(fmt::format("Moreau-Jean, h = {:.4g}: {}: {}", check.step,
                                    name_of(check.outcome), check.message));
  for (const std::string& note : result.notes) remarks.push_back(note);
  if (!result.no_prediction.empty() && !result.series.empty())
    remarks.push_back(
        fmt::format("order only, without a predicted constant: {}", result.no_prediction));
  if (result.interrupted) remarks.emplace_back("interrupted: only finished results are included");
  return remarks;
}

/// Why a number has no rows.
std::string nothing_compared(const FrictionResult& result) {
  const RigidHistory& rigid = result.rigid;
  if (rigid.motion.outcome != Outcome::success)
    return fmt::format("the rigid motion ends at t = {:.6g} s: {}", rigid.motion.t_reached,
                       name_of(rigid.motion.outcome));
  if (result.study.time.matched_events == 0) return "time.matched_events is 0";
  return rigid.motion.events.empty() ? "the rigid motion has no events"
                                     : "the rigid motion has no such event";
}

std::vector<JunitCase> claims_of(const FrictionResult& result) {
  std::vector<JunitCase> cases = cases_of(result.claims);
  const FrictionStudy& study = result.study;
  std::ranges::move(cases_of(result.series, names_of(study)), std::back_inserter(cases));
  std::vector<LawName> laws;
  for (const ComparedLaw& law : study.contact.laws) laws.push_back(name_of(law));
  std::ranges::move(missing_cases(study.expectations, laws, study.solvers.compliant, result.series,
                                  names_of(study), nothing_compared(result)),
                    std::back_inserter(cases));
  return cases;
}

}  // namespace

Report report_of(const FrictionResult& result) {
  const FrictionStudy& study = result.study;
  Report report{.name = study.name,
                .kind = "friction",
                .question = study.question,
                .source = study.source,
                .heading = heading_of(study),
                .body = {},
                .remarks = remarks_on(result),
                .notes = result.notes,
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = claims_of(result),
                .tables = friction_tables(result),
                .resolved = resolved_toml(study)};
  conclude(report);
  report.verdict = verdict_of(report);
  report.document = result_document(report, document_of(result, report.tables.front()));
  add_tables(report, result);
  report.brief = brief_tables(report, result);
  return report;
}

}  // namespace rigidlimit
