// The report of a friction study.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/friction/friction_result.hpp"
#include "rigidlimit/experiment/friction/friction_tables.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/experiment/spec/system_tables.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {

namespace {

/// The first has the errors. In "events", q1, q2, … are the coordinates of the system.
std::vector<Table> friction_tables_of(const SharedFriction& result) {
  const FrictionStudy& study = result->study;
  const SharedSeries series(result, &result->series);
  const Fields common{{"study", study.name}};
  std::vector<Table> tables{
      error_rows(series, names_of(study), RowsOf::friction,
                 {{"study", study.name}, {"system", study.system->info.name}}),
      event_rows(result),
      event_time_rows(result),
      motion_rows(result),
      series_rows(series, names_of(study), RowsOf::friction),
      step_check_rows(result),
      inequality_rows(result),
      solve_rows(result)};
  if (!result->rigid.steps.empty()) tables.push_back(step_event_rows(result));
  if (!result->modes.empty()) tables.push_back(mode_rows(result));
  append(tables, system_tables(*study.system, study.system->frictional_parameters(),
                               study.parameters, study.initial));
  using P = ContactPoint;
  tables.push_back(table_of<P>("system.contacts",
                               {{"name", "contact", &P::name},
                                {"components", "", &P::components},
                                {"friction", "", &P::friction},
                                {"restitution", "", &P::restitution}},
                               study.model.contacts)
                       .kept(Kept::in_document));
  return tables;
}

Fields friction_facts(const FrictionResult& result) {
  const RigidHistory& rigid = result.rigid;
  Fields facts = system_facts(*result.study.system);
  append(facts, {{"end", result.study.time.end},
                 {"rigid.outcome", name_of(rigid.motion.outcome)},
                 {"rigid.message", rigid.motion.message},
                 {"rigid.t_reached", rigid.motion.t_reached},
                 {"rigid.initial_modes", rigid.motion.initial_modes},
                 {"rigid.judged", rigid.judged},
                 {"rigid.reference", rigid.reference},
                 {"rigid.q_error", rigid.q_error},
                 {"rigid.v_error", rigid.v_error},
                 {"rigid.uncompared", rigid.uncompared},
                 {"rigid.event_time_error", rigid.event_time_error},
                 {"rigid.known_event_times", rigid.known_event_times}});
  if (const EnergyHistory& e = rigid.energy; e.known)
    append(facts, {{"rigid.energy.at_start", e.at_start},
                   {"rigid.energy.at_end", e.at_end},
                   {"rigid.energy.work", e.work},
                   {"rigid.energy.lost_at_impacts", e.lost_at_impacts},
                   {"rigid.energy.lost_in_slipping", e.lost_in_slipping},
                   {"rigid.energy.unaccounted", e.unaccounted},
                   {"rigid.energy.largest_growth", e.largest_growth}});
  return facts;
}

std::string vector_text(const VectorXd& x) {
  std::vector<std::string> texts;
  for (const double entry : x) texts.push_back(fmt::format("{:.6g}", entry));
  return fmt::format("({})", fmt::join(texts, ", "));
}

/// A start in its given units, "(20 deg, 0.5 m)"; in SI without units if all are of SI.
std::string friction_start_text(const std::vector<Component>& all, const VectorXd& si) {
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

std::string point_text(const ContactPoint& contact) {
  const char* normal = contact.normal == Normal::given       ? "normal force given"
                       : contact.normal == Normal::bilateral ? "bilateral"
                                                             : "unilateral";
  std::string text = fmt::format("{} ({}, μ = {:.4g}", contact.name, normal, contact.friction);
  if (contact.normal == Normal::unilateral)
    text += fmt::format(", e = {:.4g}", contact.restitution);
  return text + ")";
}

std::vector<std::string> friction_heading(const FrictionStudy& study) {
  std::vector<std::string> contacts;
  for (const ContactPoint& contact : study.model.contacts) contacts.push_back(point_text(contact));
  return {fmt::format("{}: {}", study.system->info.name,
                      parameters_text(study.system->frictional_parameters(), study.parameters)),
          fmt::format("contacts: {}", fmt::join(contacts, ", ")),
          fmt::format("q(0) = {}, v(0) = {}, T = {:.6g} s",
                      friction_start_text(study.system->info.coordinates, study.initial.q),
                      friction_start_text(study.system->info.velocities, study.initial.v),
                      study.time.end),
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

std::string errors_caption(const ComparedLaw& law, const std::string& solver) {
  return fmt::format("{}, {}: model error ± error bar (solver, reference or sampling)",
                     text_of(law), solver);
}

/// The measures of the series of one law and solver that `chosen` accepts.
RowFilter numbers_of(const FrictionResult& result, const ComparedLaw& law,
                     const std::string& solver, const std::function<bool(const Series&)>& chosen) {
  const LawName name = name_of(law);
  std::set<std::array<std::string, 4>> measures;
  for (const Series& s : result.series)
    if (!s.rows.empty() && s.rows.front().law == name &&
        s.rows.front().compliant_solver == solver && chosen(s)) {
      const Measure& m = s.rows.front().measure;
      measures.insert(
          {quantity_name(m), m.events, rigidlimit::name_of(m.norm), rigidlimit::name_of(m.window)});
    }
  const RowFilter of_solver =
      with_values({{"law", name.name},
                   {"tangential_power", name.tangential_power.value_or(1.0)},
                   {"compliant_solver", solver}});
  return [measures, of_solver](const Table& errors, std::size_t row) {
    const auto word = [&](const char* column) {
      const Value value = errors.value(row, column);
      const auto* const text = std::get_if<std::string>(&value.any());
      return text == nullptr ? std::string() : *text;
    };
    return of_solver(errors, row) &&
           measures.contains({word("quantity"), word("events"), word("norm"), word("window")});
  };
}

bool shows_event(const Series& series) {
  const Measure& m = series.rows.front().measure;
  return series.expectation ||
         (m.norm == Norm::sup && m.window != Window::away && m.events.empty());
}

void add_friction_views(std::vector<View>& views, const FrictionResult& result) {
  for (const ComparedLaw& law : result.study.contact.laws)
    for (const std::string& solver : result.study.solvers.compliant) {
      const std::string who = fmt::format("{}, {}", text_of(law), solver);
      const std::string key = fmt::format("-{}-{}", text_of(law), solver);
      const RowFilter rows = numbers_of(result, law, solver, shows_event);
      views.push_back(error_view("errors" + key, errors_caption(law, solver), rows));
      views.push_back(ratio_view("ratios" + key,
                                 who + ": predicted coefficient, and measured over predicted error",
                                 rows));
      views.push_back(event_time_view(
          "times" + key, who + ": event times, compliant minus rigid [s]", law, solver));
    }
}

/// The expected errors of the first law and solver, and the orders; without them, the errors, the
/// events and the claims.
void add_brief(std::vector<View>& views, const FrictionResult& result) {
  const FrictionStudy& study = result.study;
  const bool expects = std::ranges::any_of(
      result.series, [](const Series& s) { return !s.rows.empty() && s.expectation.has_value(); });
  if (expects && !study.solvers.compliant.empty()) {
    const ComparedLaw& law = study.contact.laws.front();
    const std::string& solver = study.solvers.compliant.front();
    views.push_back(error_view("expected_errors", errors_caption(law, solver),
                               numbers_of(result, law, solver, [](const Series& s) {
                                 return s.expectation.has_value();
                               })));
    views.back().on_page = false;
    views.back().in_brief = true;
    views.push_back(expectation_view(result.series));
    return;
  }
  for (const char* kind : {"errors", "events", "claims"})
    if (const auto at = std::ranges::find_if(
            views, [kind](const View& view) { return view.key.starts_with(kind); });
        at != views.end())
      at->in_brief = true;
}

std::vector<View> friction_views(const FrictionResult& result) {
  std::vector<View> views{
      event_view(result),
      {.key = "steps",
       .caption = "Moreau-Jean time stepping, compared with the rigid motion",
       .table = "rigid.moreau_jean",
       .columns = {"step", "outcome", "impacts", "q_sup", "q_order", "v_l1", "v_order"}},
      {.key = "modes",
       .caption = "Modes of the contacts in the order of time",
       .table = "modes",
       .columns = {"motion", "epsilon", "outcome", "modes", "sliding_at_end"},
       .keys = 2},
      {.key = "claims",
       .caption = "Claims about the motions",
       .table = "claims",
       .columns = {"name", "held", "reason"},
       .rows = with_values({{"group", "claims"}})}};
  add_friction_views(views, result);
  views.push_back(order_view());
  views.push_back(coefficient_view());
  views.push_back({.key = "solves",
                   .caption = "Compliant solves",
                   .table = "solves",
                   .columns = {"law.friction", "solver", "epsilon", "outcome", "steps",
                               "rejected_steps", "kinks", "rhs_evaluations"},
                   .keys = 3,
                   // The first solves, and the tighter ones that failed.
                   .rows = [](const Table& solves, std::size_t row) {
                     return solves.value(row, "tighter") == Value(false) ||
                            solves.value(row, "outcome") != Value("success");
                   }});
  views.push_back(
      {.key = "inequality",
       .caption =
           "Inequality of Duvaut and Lions, T (v - u) + mu |p| (|v| - |u|) >= 0, at random v",
       .table = "inequality",
       .columns = {"motion", "epsilon", "drawn", "least", "relative_to_terms", "t"},
       .keys = 2});
  add_brief(views, result);
  return views;
}

std::vector<std::string> friction_remarks(const FrictionResult& result) {
  std::vector<std::string> remarks;
  for (const CompliantSolve& s : result.solves)
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

std::vector<JudgedClaim> history_cases(const std::vector<Claim>& claims) {
  std::vector<JudgedClaim> cases;
  for (const Claim& claim : claims)
    cases.push_back({.name = claim.text,
                     .group = "claims",
                     .state = state_if(claim.held),
                     .type = "claim",
                     .message = "found " + claim.found,
                     .reason = claim.found,
                     .advice = "Do the events of the rigid motion ('rigidlimit run' prints them) "
                               "differ from the claim, does a force jump between two events, or "
                               "are the steps of Moreau-Jean too large?"});
  return cases;
}

/// Of the rigid or the compliant motion because of which a row has no number.
std::string message_of_failed_motion(const FrictionResult& result, const Row& row) {
  if (row.evidence.rigid != Outcome::success) return result.rigid.motion.message;
  return message_of_failure(result.solves, row);
}

std::vector<JudgedClaim> friction_claims(const FrictionResult& result) {
  std::vector<JudgedClaim> cases = history_cases(result.claims);
  const FrictionStudy& study = result.study;
  const MissingReasons missing{
      .no_prediction = result.no_prediction,
      .failure = [&](const Row& row) { return message_of_failed_motion(result, row); }};
  std::ranges::move(cases_of(result.series, names_of(study), missing), std::back_inserter(cases));
  std::vector<LawName> laws;
  for (const ComparedLaw& law : study.contact.laws) laws.push_back(name_of(law));
  std::ranges::move(missing_cases(study.expectations, laws, study.solvers.compliant, result.series,
                                  names_of(study), nothing_compared(result)),
                    std::back_inserter(cases));
  return cases;
}

}  // namespace

Result in_tables(FrictionResult found) {
  const auto kept = std::make_shared<const FrictionResult>(std::move(found));
  const FrictionResult& result = *kept;
  const FrictionStudy& study = result.study;
  Result report{.name = study.name,
                .kind = "friction",
                .question = study.question,
                .source = study.source,
                .heading = friction_heading(study),
                .facts = friction_facts(result),
                .tables = friction_tables_of(kept),
                .views = friction_views(result),
                .remarks = friction_remarks(result),
                .notes = result.notes,
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = friction_claims(result),
                .resolved = resolved_toml(study),
                .counts = result.counts};
  std::ranges::move(rigid_lines(result.rigid), std::back_inserter(report.heading));
  conclude(report);
  report.verdict = verdict_of(report);
  std::vector<Quantity> quantities(common_quantities.begin(), common_quantities.end());
  quantities.push_back(Quantity::event_time);
  report.tables.push_back(
      summary_of(report, study.system->info.name, SharedSeries(kept, &kept->series), quantities));
  return report;
}

}  // namespace rigidlimit
