#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/report/claims.hpp"
#include "rigidlimit/report/friction_rows.hpp"
#include "rigidlimit/report/friction_tables.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/series_tables.hpp"

namespace rigidlimit {

namespace {

std::string vector_text(const VectorXd& x) {
  std::vector<std::string> texts;
  for (const double entry : x) texts.push_back(fmt::format("{:.6g}", entry));
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
          fmt::format("q(0) = {}, v(0) = {}, T = {:.6g} s", vector_text(study.initial.q),
                      vector_text(study.initial.v), study.time.end),
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
      report.body.emplace_back(CaptionedTable{
          "errors" + key, who + ": model error ± the larger of solver and reference errors",
          error_table(columns)});
      report.body.emplace_back(CaptionedTable{
          "ratios" + key, who + ": predicted coefficient, and measured over predicted error",
          ratio_table(columns)});
      report.body.emplace_back(CaptionedTable{"times" + key,
                                              who + ": event times, compliant minus rigid [s]",
                                              friction_transition_table(result, law, solver)});
    }
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

std::vector<JunitCase> claims_of(const FrictionResult& result) {
  std::vector<JunitCase> cases = cases_of(result.claims);
  std::ranges::move(cases_of(result.series, names_of(result.study)), std::back_inserter(cases));
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
                .held = result.held(),
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = claims_of(result),
                .tables = friction_tables(result),
                .resolved = resolved_toml(study)};
  report.verdict = verdict_of(report);
  report.document = result_document(report, document_of(result, report.tables.front()));
  add_tables(report, result);
  return report;
}

}  // namespace rigidlimit
