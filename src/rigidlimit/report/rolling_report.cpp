#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/report/claims.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/rolling_report_tables.hpp"
#include "rigidlimit/report/rolling_rows.hpp"
#include "rigidlimit/report/rolling_tables.hpp"
#include "rigidlimit/report/steps_tables.hpp"
#include "rigidlimit/report/summary.hpp"

namespace rigidlimit {

std::string parameters_text(const std::vector<ParameterInfo>& parameters,
                            const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string unit = parameters[i].unit;
    texts.push_back(
        fmt::format("{} = {:.6g}{}", parameters[i].name, values[i], unit == "1" ? "" : " " + unit));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

namespace {

/// The laws and the values of the contact that they use.
std::string contact_text(const ContactSpec& c, const LawInfo& law) {
  const auto matrix = [](const MatrixXd& X) {
    if (X.isApprox(X(0, 0) * MatrixXd::Identity(X.rows(), X.cols())))
      return fmt::format("{:.6g}{}", X(0, 0), X.rows() > 1 ? " I" : "");
    std::vector<std::string> rows;
    for (Index i = 0; i < X.rows(); ++i)
      rows.push_back(fmt::format("[{:.6g}]", fmt::join(VectorXd(X.row(i)), ", ")));
    return fmt::format("[{}]", fmt::join(rows, ", "));
  };
  const std::string damping = c.damping_ratio
                                  ? fmt::format("damping ratio {:.6g}", *c.damping_ratio)
                                  : "D = " + matrix(c.damping);
  const char* spring = c.preparation == ContactSpec::Preparation::prepared   ? "prepared"
                       : c.preparation == ContactSpec::Preparation::unloaded ? "unloaded"
                                                                             : "given";
  std::vector<std::string> parts;
  if (law.has_spring()) parts.push_back("C = " + matrix(c.stiffness));
  if (law.has_damper) parts.push_back(damping);
  if (law.is_viscoelastic())
    parts.push_back(fmt::format("damping exponent {:.6g}", c.damping_exponent));
  if (law.has_spring()) parts.push_back(fmt::format("{} spring", spring));
  if (parts.empty()) parts.emplace_back(law.equations);
  return fmt::format("{}: {}", law.name, fmt::join(parts, ", "));
}

/// " ε^-1": the growth of the interval.
std::string stretch_text(const TimeGrid& time) {
  return time.stretch == 0.0 ? "" : fmt::format(" ε^-{:.3g}", time.stretch);
}

std::string start_text(const RollingResult& result) {
  return fmt::format(
      "T = {:.6g}{} s, Λ(0) = ({:.6g}){}", result.study.time.end, stretch_text(result.study.time),
      fmt::join(result.multiplier_at_start, ", "),
      result.study.project
          ? ", rigid motion from the projected velocity, compliant motion from v as given"
          : "");
}

/// Which derivatives the columns contain behind the motion.
std::string tangent_text(const TangentSpec& tangent) {
  if (!tangent.parameter.empty() && tangent.q.isZero(0.0) && tangent.v.isZero(0.0))
    return fmt::format("the motion and its derivatives with respect to {}", tangent.parameter);
  return fmt::format(
      "the motion and its derivatives along the direction q = ({:.6g}), v = ({:.6g}){} of the "
      "start",
      fmt::join(tangent.q, ", "), fmt::join(tangent.v, ", "),
      tangent.parameter.empty() ? "" : " and " + tangent.parameter + " = 1");
}

std::string failure_text(const RollingStudy& study, const Failure& f) {
  return fmt::format("{}{} at ε = {:.4g}{}: {} at t = {:.6g} (step {:.3g}) {}",
                     names_of(study).law_prefix(f.law), f.compliant_solver, f.epsilon,
                     f.tighter ? ", tighter tolerance" : "", name_of(f.outcome), f.t_reached,
                     f.last_step, f.message);
}

/// Advice for the verdicts that failed an expectation, each text once.
std::vector<std::string> advice_on(const RollingResult& result) {
  std::vector<std::string> texts;
  for (const Series& s : result.series) {
    if (!s.order_broken() || s.rows.empty()) continue;
    const std::string text =
        fmt::format("{}: {}", name_of(s.judgement.verdict), advice(s.judgement));
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> heading_of(const RollingResult& result) {
  const RollingStudy& study = result.study;
  std::vector<std::string> lines{
      fmt::format("{}: {}", study.system->info.name,
                  parameters_text(study.system->parameters, study.parameters))};
  if (study.tangent) lines.push_back(tangent_text(*study.tangent));
  const ContactSpec& contact = study.tangent ? study.tangent->contact : study.contact;
  for (const std::string& law : study.contact.laws)
    lines.push_back(contact_text(contact, *find_law(law)));
  lines.push_back(start_text(result));
  if (study.solvers.steps > 0)
    lines.push_back(fmt::format("{} equal steps in every compliant solve", study.solvers.steps));
  return lines;
}

/// Failures, notes, advice.
std::vector<std::string> remarks_on(const RollingResult& result) {
  std::vector<std::string> remarks;
  if (!result.no_prediction.empty())
    remarks.push_back("no leading coefficient is predicted: " + result.no_prediction);
  for (const Failure& f : result.failures) remarks.push_back(failure_text(result.study, f));
  for (const std::string& note : result.notes) remarks.push_back(note);
  for (const std::string& what_to_do : advice_on(result)) remarks.push_back(what_to_do);
  if (result.interrupted)
    remarks.emplace_back("interrupted: only the finished solves are included");
  return remarks;
}

std::vector<DataTable> tables_of(const std::shared_ptr<const RollingResult>& result) {
  std::vector<DataTable> tables{error_rows(result)};
  if (result->study.counts_steps()) tables.push_back(step_rows(*result));
  return tables;
}

/// A failed claim for each rigid motion with a wrong energy balance.
void add_energy_claims(const RollingResult& result, Report& report) {
  for (const RigidReport& rigid : result.rigid) {
    if (!rigid.misses_energy()) continue;
    const std::string missed = fmt::format(
        "the energy balance is off by {:.3g} J, of which the solver error explains {:.3g} J",
        rigid.energy_error, rigid.energy_bar);
    report.claims.push_back(
        {.name = "energy of the rigid motion, " + rigid.solver,
         .group = "claims",
         .failed = true,
         .type = "claim",
         .message = missed,
         .reason = missed,
         .advice = "Check kinetic_coenergy, potential and the forces: they are inconsistent."});
  }
}

}  // namespace

Report report_of(RollingResult found) {
  const auto kept = std::make_shared<const RollingResult>(std::move(found));
  const RollingResult& result = *kept;
  const RollingStudy& study = result.study;
  Report report{.name = study.name,
                .kind = "rolling",
                .question = study.question,
                .source = study.source,
                .heading = heading_of(result),
                .body = {},
                .remarks = remarks_on(result),
                .notes = result.notes,
                .held = result.held(),
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = claims_of(result),
                .summary = summary_table(result),
                .tables = tables_of(kept),
                .plain_csv = study.time.end_only ? "steps" : "",
                .resolved = resolved_toml(study)};
  add_energy_claims(result, report);
  report.verdict = verdict_of(report);
  report.document = result_document(report, document_of(kept, report.tables.front()));
  for (CaptionedTable& table : report_tables(result)) report.body.emplace_back(std::move(table));
  return report;
}

}  // namespace rigidlimit
