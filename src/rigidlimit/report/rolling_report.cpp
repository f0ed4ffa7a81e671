#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/conclusion.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/rolling_tables.hpp"
#include "rigidlimit/report/series_tables.hpp"
#include "rigidlimit/report/steps_tables.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

namespace {

Record record_of(const LawInfo& law) {
  return {{"name", law.name},
          {"equations", law.equations},
          {"small_parameter", law.small_parameter},
          {"expected", law.expected},
          {"source", law.source}};
}

/// A part of a result that stays alive with the part.
template <class Part>
std::shared_ptr<const Part> part_of(const std::shared_ptr<const RollingResult>& result,
                                    Part RollingResult::*part) {
  return {result, &(*result.*part)};
}

/// Records of the rows of a part.
template <class Row>
DataTable list_of(Columns<Row> columns, const std::shared_ptr<const RollingResult>& result,
                  std::vector<Row> RollingResult::*part) {
  return data_table({}, {}, std::move(columns), part_of(result, part));
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
  DataTable delassus;
  for (Index i = 0; i < result.delassus.rows(); ++i)
    for (Index j = 0; j < result.delassus.cols(); ++j)
      delassus.records.push_back({{"row", static_cast<long>(i)},
                                  {"column", static_cast<long>(j)},
                                  {"value", result.delassus(i, j)}});
  document.insert(
      document.end(),
      {{"delassus", std::move(delassus)},
       {"rigid", list_of(rigid_columns(), kept, &RollingResult::rigid)},
       {"energy", list_of(energy_columns(result.study), kept, &RollingResult::energy)},
       {"series", series_rows(result.series, RowsOf::rolling)},
       {"errors", std::move(errors)},
       {"bounds", list_of(bound_columns(result.study), kept, &RollingResult::bounds)},
       {"steps", list_of(step_columns(result.study), kept, &RollingResult::step_counts)},
       {"growth", list_of(growth_columns(result.study), kept, &RollingResult::steps)},
       {"failures", list_of(failure_columns(), kept, &RollingResult::failures)}});
  if (result.study.solvers.certified)
    document.push_back(
        {"enclosures", list_of(enclosure_columns(), kept, &RollingResult::enclosures)});
}

/// One record for each number (solver pair, ε, quantity, norm, window).
DataTable error_rows(const std::shared_ptr<const RollingResult>& result) {
  const RollingStudy& study = result->study;
  return error_rows("errors", {{"study", study.name}, {"system", study.system->info.name}},
                    part_of(result, &RollingResult::series),
                    study.solvers.certified ? RowsOf::certified : RowsOf::rolling);
}

/// The parts of the document that only rolling studies have.
Document document_of(const std::shared_ptr<const RollingResult>& kept, DataTable errors) {
  const RollingResult& result = *kept;
  const RollingStudy& study = result.study;
  const SystemInfo& info = study.system->info;
  Document document = system_document(*study.system, study.system->parameters, study.parameters,
                                      study.initial, components_of(info.contacts));
  append(document,
         {{"system.equations", Value(info.equations)},
          {"system.source", Value(info.source)},
          {"system.closed_form", Value(info.closed_form)},
          {"system.derived_from_energies", Value(study.model.lagrangian)},
          {"system.velocities_are_rates", Value(study.model.lagrange_coordinates)},
          {"system.exact_constraints",
           Value(static_cast<long>(study.model.ne - (study.model.recorded->clock >= 0 ? 1 : 0)))},
          {"laws", laws_of(study)},
          {"against", Value(name_of(study.against))},
          {"no_prediction", Value(result.no_prediction)},
          {"after", Value(study.after)},
          {"multiplier_at_start", Value(result.multiplier_at_start)}});
  add_tables(document, kept, std::move(errors));
  return document;
}

/// The first series of this quantity, sup norm, all t; nullptr without rows.
const Series* first_series(const RollingResult& result, Quantity quantity) {
  for (const Series& s : result.series)
    if (!s.rows.empty() && s.rows.front().measure == Measure{.quantity = quantity}) return &s;
  return nullptr;
}

Cell order_cell(const RollingResult& result, Quantity quantity) {
  const Series* series = first_series(result, quantity);
  if (series == nullptr) return {"-"};
  const double order = series->judgement.fit.order;
  std::string text = std::isnan(order) ? "-" : fixed_text(order, 3);
  if (series->expectation)
    if (const Expectation expected = series->expectation->expected_order(); expected.order)
      text += fmt::format(" ({}{:.4g})", expected.at_least ? "≥ " : "", *expected.order);
  return {text, series->order_broken() ? Tone::bad : Tone::plain};
}

/// The ratio at the smallest ε that is evidence.
Cell ratio_cell(const RollingResult& result) {
  const Series* series = first_series(result, Quantity::q);
  if (series == nullptr) return {"-"};
  for (auto row = series->rows.rbegin(); row != series->rows.rend(); ++row)
    if (row->is_evidence() && !std::isnan(row->ratio))
      return {fmt::format("{:.5f} at {:.2g}", row->ratio, row->epsilon)};
  return {"-"};
}

std::vector<Cell> row_of(const RollingResult& result) {
  std::vector<Cell> row{{result.study.name}, {result.study.system->info.name}};
  for (const Quantity quantity : all_quantities) row.push_back(order_cell(result, quantity));
  row.push_back(ratio_cell(result));
  row.push_back(!result.study.demands_something() ? Cell{"nothing expected", Tone::faint}
                : result.held()                   ? Cell{"held", Tone::good}
                                                  : Cell{"not held", Tone::bad});
  return row;
}

/// The system; the fitted sup-norm orders of q, v, λ over all t, with the expected ones in
/// parentheses; the ratio of measured and predicted coefficient of q at the smallest ε; whether
/// everything held. Uses the first solver of each side.
TextTable summary_table(const RollingResult& result) {
  return {.headers = {"study", "system", "order q", "order v", "order λ", "ratio of q", "verdict"},
          .left_aligned = {true, true, false, false, false, false, true},
          .rows = {row_of(result)}};
}

}  // namespace

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

std::string contact_text(const ContactSpec& c, const LawInfo& law) {
  const auto matrix = [](const MatrixXd& X) {
    if (X.isApprox(X(0, 0) * MatrixXd::Identity(X.rows(), X.cols())))
      return fmt::format("{:.6g}{}", X(0, 0), X.rows() > 1 ? " in every direction" : "");
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

namespace {

/// " ε^-1": the growth of the interval.
std::string stretch_text(const TimeGrid& time) {
  return time.stretch == 0.0 ? "" : fmt::format(" ε^-{:.3g}", time.stretch);
}

std::string start_text(const RollingResult& result) {
  const RollingStudy& study = result.study;
  std::string text =
      fmt::format("T = {:.6g}{} s, Λ(0) = ({:.6g})", study.time.end, stretch_text(study.time),
                  fmt::join(result.multiplier_at_start, ", "));
  if (study.project)
    text += ", rigid motion from the projected velocity, compliant motion from v as given";
  const std::vector<Component>& velocities =
      (study.tangent ? study.tangent->system : study.system)->info.velocities;
  if (study.projected_default)
    text += fmt::format(
        ", both motions from v(0) = ({:.6g}), the projection of the default start of {}, "
        "({:.6g}), which slides here",
        fmt::join(visible(velocities, study.initial.v.head(study.projected_default->size())), ", "),
        study.system->info.name, fmt::join(visible(velocities, *study.projected_default), ", "));
  return text;
}

/// Which derivatives the columns contain behind the motion.
std::string tangent_text(const TangentSpec& tangent) {
  if (!tangent.parameter.empty() && tangent.q.isZero(0.0) && tangent.v.isZero(0.0))
    return fmt::format("the motion and its derivatives with respect to {}", tangent.parameter);
  return fmt::format(
      "the motion and its derivatives along the direction q = ({:.6g}), v = ({:.6g}){} of the "
      "start",
      fmt::join(visible(tangent.system->info.coordinates, tangent.q), ", "),
      fmt::join(visible(tangent.system->info.velocities, tangent.v), ", "),
      tangent.parameter.empty() ? "" : " and " + tangent.parameter + " = 1");
}

std::string failure_text(const RollingStudy& study, const Failure& f) {
  return fmt::format("{}{} at ε = {:.4g}{}: {} at t = {:.6g} (step {:.3g}) {}",
                     names_of(study).law_prefix(f.law), f.compliant_solver, f.epsilon,
                     f.tighter ? ", tighter tolerance" : "", name_of(f.outcome), f.t_reached,
                     f.last_step, f.message);
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
  for (const Quantity quantity : {Quantity::q, Quantity::v})
    if (std::string mixture = mixture_of({.quantity = quantity}, study.system->info);
        !mixture.empty())
      lines.push_back(std::move(mixture));
  if (study.solvers.steps > 0)
    lines.push_back(fmt::format("{} equal steps in every compliant solve", study.solvers.steps));
  return lines;
}

/// "nearest of 8 bounds: q sup all t ≤ 17.8 ε², 0.994 of its limit at ε = 0.0001", if all hold.
std::string nearest_bound(const RollingResult& result) {
  const BoundReport* nearest = nullptr;
  for (const BoundReport& b : result.bounds) {
    if (!b.held()) return "";
    if (b.judgement.worst && (!nearest || b.judgement.factor > nearest->judgement.factor))
      nearest = &b;
  }
  if (nearest == nullptr) return "";
  const auto count = result.bounds.size();
  return fmt::format("{}: {}, {:.3g} of its limit at ε = {:.4g} ({})",
                     count == 1 ? "bound" : fmt::format("nearest of {} bounds", count),
                     claim_text(result.study, nearest->spec), nearest->judgement.factor,
                     nearest->epsilons[*nearest->judgement.worst], nearest->compliant_solver);
}

/// The nearest bound, failures and notes.
std::vector<std::string> remarks_on(const RollingResult& result) {
  std::vector<std::string> remarks;
  if (std::string nearest = nearest_bound(result); !nearest.empty())
    remarks.push_back(std::move(nearest));
  if (!result.no_prediction.empty())
    remarks.push_back("no leading coefficient is predicted: " + result.no_prediction);
  for (const Failure& f : result.failures) remarks.push_back(failure_text(result.study, f));
  for (const std::string& note : result.notes) remarks.push_back(note);
  if (result.interrupted)
    remarks.emplace_back("interrupted: only the finished solves are included");
  return remarks;
}

std::vector<DataTable> tables_of(const std::shared_ptr<const RollingResult>& result) {
  std::vector<DataTable> tables{error_rows(result)};
  if (result->study.counts_steps())
    tables.push_back(data_table("steps", {{"study", result->study.name}},
                                step_columns(result->study),
                                part_of(result, &RollingResult::step_counts)));
  return tables;
}

/// A failed claim for each rigid motion with a wrong energy balance, or that leaves the range of a
/// coordinate.
void add_rigid_claims(const RollingResult& result, Report& report) {
  for (const RigidReport& rigid : result.rigid) {
    if (!rigid.departure.empty())
      report.claims.push_back({.name = "range of the coordinates, " + rigid.solver,
                               .group = "claims",
                               .state = ClaimState::failed,
                               .type = "claim",
                               .message = "the rigid motion leaves it: " + rigid.departure,
                               .reason = rigid.departure,
                               .advice = "Does the chart of coordinates end there, or is the range "
                                         "too narrow?"});
    if (!rigid.misses_energy()) continue;
    const std::string missed = fmt::format(
        "the energy balance is off by {:.3g} J, of which the solver error explains {:.3g} J",
        rigid.energy_error, rigid.energy_bar);
    report.claims.push_back(
        {.name = "energy of the rigid motion, " + rigid.solver,
         .group = "claims",
         .state = ClaimState::failed,
         .type = "claim",
         .message = missed,
         .reason = missed,
         .advice =
             "Do the forces, kinetic_coenergy and potential fit together? Does a force jump, or do "
             "both solvers take too few steps a turn?"});
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
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = claims_of(result),
                .summary = summary_table(result),
                .tables = tables_of(kept),
                .plain_csv = study.time.end_only ? "steps" : "",
                .resolved = resolved_toml(study)};
  add_rigid_claims(result, report);
  conclude(report);
  report.verdict = verdict_of(report);
  report.document = result_document(report, document_of(kept, report.tables.front()));
  for (CaptionedTable& table : report_tables(result)) report.body.emplace_back(std::move(table));
  report.brief = brief_tables(result);
  return report;
}

}  // namespace rigidlimit
