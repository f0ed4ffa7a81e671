#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/report.hpp"
#include "rigidlimit/record/report_writers.hpp"
#include "rigidlimit/record/slip_rows.hpp"
#include "rigidlimit/record/slip_tables.hpp"
#include "rigidlimit/slip/read_slip.hpp"

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

std::vector<std::string> heading_of(const SlipStudy& study) {
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

/// Nothing for a table without rows.
template <class Writer>
std::string table_text(const CaptionedTable& table, const Writer& writer) {
  return table.table.rows.empty() ? "" : writer.table(table);
}

std::vector<std::string> rigid_lines(const RigidHistory& rigid) {
  const std::string& modes = rigid.motion.initial_modes;
  const std::size_t events = rigid.motion.events.size();
  std::vector<std::string> lines{fmt::format(
      "rigid motion: {} at t = {:.9g} s, {} at the start, {} {}", name_of(rigid.motion.outcome),
      rigid.motion.t_reached, modes.empty() ? "no modes" : "modes " + modes, events,
      events == 1 ? "event" : "events")};
  if (!rigid.judged.empty())
    lines.push_back(
        fmt::format("{} against {}: |Δq| {:.1e}, |Δv| {:.1e} (sup){}", rigid.judged,
                    rigid.reference, rigid.q_error, rigid.v_error,
                    std::isnan(rigid.event_time_error)
                        ? ""
                        : fmt::format(", event times {:.1e} s", rigid.event_time_error)));
  if (const EnergyHistory& e = rigid.energy; e.known)
    lines.push_back(fmt::format(
        "energy {:.9g} J to {:.9g} J: work {:.3g}, lost at impacts {:.6g}, in slipping {:.6g}; "
        "largest growth {:.1e}",
        e.at_start, e.at_end, e.work, e.lost_at_impacts, e.lost_in_slipping, e.largest_growth));
  return lines;
}

template <class Writer>
std::string rigid_text(const SlipResult& result, const Writer& writer) {
  return writer.lines(rigid_lines(result.rigid)) +
         table_text({"events", "Events of the rigid motion", slip_event_table(result)}, writer) +
         table_text(
             {"steps", "Moreau and Jean's time stepping against it", slip_step_table(result)},
             writer) +
         table_text({"claims", "Claims on the history", slip_claim_table(result)}, writer);
}

template <class Writer>
std::string compliant_text(const SlipResult& result, const Writer& writer) {
  std::string text;
  for (const SlipLaw& law : result.study.contact.laws)
    for (const std::string& solver : result.study.solvers.compliant) {
      const std::string who = fmt::format("{}, {}", text_of(law), solver);
      const std::string key = fmt::format("-{}-{}", text_of(law), solver);
      text += table_text({"errors" + key,
                          who + ": errors ± the larger of solver and reference errors (*: limited "
                                "by one of its errors)",
                          slip_error_table(result, law, solver)},
                         writer);
      text += table_text({"times" + key, who + ": times of events, compliant less rigid [s]",
                          slip_transition_table(result, law, solver)},
                         writer);
    }
  return text + table_text({"orders", "Orders", slip_order_table(result)}, writer) +
         table_text({"solves", "Compliant solves", slip_solve_table(result)}, writer);
}

std::vector<std::string> remarks_on(const SlipResult& result) {
  std::vector<std::string> remarks;
  for (const SlipSolve& s : result.solves)
    if (s.outcome != Outcome::success)
      remarks.push_back(fmt::format("{}, {}, ε = {:.4g}{}: {} at t = {:.6g} s: {}", text_of(s.law),
                                    s.solver, s.epsilon, s.tighter ? ", tighter" : "",
                                    name_of(s.outcome), s.t_reached, s.message));
  for (const StepCheck& check : result.rigid.steps)
    if (check.outcome != Outcome::success)
      remarks.push_back(fmt::format("Moreau-Jean, h = {:.4g}: {}: {}", check.step,
                                    name_of(check.outcome), check.message));
  for (const std::string& note : result.notes) remarks.push_back(note);
  if (result.interrupted) remarks.emplace_back("interrupted: only what was finished so far");
  return remarks;
}

/// The pieces of a report in their order, each handed to the writer of one format.
template <class Writer>
std::string compose(const SlipResult& result, const Writer& writer) {
  std::string text = writer.title(result.study.name, result.study.question) +
                     writer.lines(heading_of(result.study)) + rigid_text(result, writer) +
                     compliant_text(result, writer);
  text += table_text(
      {"inequality",
       "Inequality of Duvaut and Lions, T (v - u) + mu |p| (|v| - |u|) >= 0, at random v",
       slip_inequality_table(result)},
      writer);
  if (const auto remarks = remarks_on(result); !remarks.empty()) text += writer.lines(remarks);
  return text + writer.verdict(slip_verdict_line(result), result.held());
}

}  // namespace

std::string slip_report(const SlipResult& result, bool colour) {
  return compose(result, TerminalWriter{colour});
}
std::string slip_markdown(const SlipResult& result) {
  return compose(result, MarkdownWriter{});
}
std::string slip_latex(const SlipResult& result) {
  return compose(result, LatexWriter{result.study.name});
}

std::string write_slip(const SlipResult& result, const std::string& directory) {
  const std::filesystem::path place = std::filesystem::path(directory) / result.study.name;
  std::error_code failure;
  std::filesystem::create_directories(place, failure);
  if (failure) throw InputError("cannot be created: " + failure.message(), place.string());
  write_file(place / "slip.toml", resolved_toml(result.study));
  write_file(place / "slip.txt", slip_report(result, false));
  write_file(place / "slip.md", slip_markdown(result));
  write_file(place / "slip.tex", slip_latex(result));
  write_file(place / "events.csv", slip_events_csv(result));
  if (!result.rigid.steps.empty())
    write_file(place / "step_events.csv", slip_step_events_csv(result));
  write_file(place / "event_times.csv", slip_event_times_csv(result));
  write_file(place / "errors.csv", slip_errors_csv(result));
  write_file(place / "motions.csv", slip_motions_csv(result));
  write_file(place / "slip.json", slip_json(result));
  return place.string();
}

}  // namespace rigidlimit
