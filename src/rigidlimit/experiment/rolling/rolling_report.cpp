#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/ensemble/ensemble_tables.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/rolling/steps_tables.hpp"
#include "rigidlimit/experiment/spec/system_tables.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {

namespace {

Table laws_of(const RollingStudy& study) {
  std::vector<LawInfo> laws;
  for (const std::string& name : study.contact.laws)
    if (const LawInfo* law = find_law(name)) laws.push_back(*law);
  using L = LawInfo;
  return table_of<L>("laws",
                     {{"name", "law", &L::name},
                      {"equations", "", &L::equations},
                      {"small_parameter", "", &L::small_parameter},
                      {"expected", "", &L::expected},
                      {"source", "", &L::source}},
                     std::move(laws))
      .kept(Kept::in_document);
}

Table delassus_of(const RollingResult& result) {
  struct Entry {
    Index row, column;
    double value;
  };
  std::vector<Entry> entries;
  for (Index i = 0; i < result.delassus.rows(); ++i)
    for (Index j = 0; j < result.delassus.cols(); ++j)
      entries.push_back({i, j, result.delassus(i, j)});
  return table_of<Entry>("delassus",
                         {{"row", "", &Entry::row},
                          {"column", "", &Entry::column},
                          {"value", "1/kg", &Entry::value}},
                         std::move(entries), 2)
      .kept(Kept::in_document);
}

/// The first has the errors.
std::vector<Table> rolling_tables_of(const SharedRolling& result) {
  const RollingStudy& study = result->study;
  const SharedSeries series = part_of(result, &RollingResult::series);
  const SeriesNames names = names_of(study);
  std::vector<Table> tables{
      error_rows(series, names, study.solvers.certified ? RowsOf::certified : RowsOf::rolling,
                 {{"study", study.name}, {"system", study.system->info.name}}),
      series_rows(series, names, RowsOf::rolling),
      rigid_rows(result),
      energy_rows(result),
      bound_rows(result),
      step_rows(result),
      growth_rows(result),
      law_rows(result),
      failure_rows(result),
      laws_of(study),
      delassus_of(*result)};
  if (study.solvers.certified) tables.push_back(enclosure_rows(result));
  append(tables,
         system_tables(*study.system, study.system->parameters, study.parameters, study.initial));
  tables.push_back(components_of("system.contacts", study.system->info.contacts));
  if (const auto& positions = study.system->info.positions; !positions.empty())
    tables.push_back(components_of("system.positions", positions));
  if (result->ensemble) append(tables, ensemble_tables(result->ensemble, names));
  return tables;
}

Fields rolling_facts(const RollingResult& result) {
  const RollingStudy& study = result.study;
  Fields facts = system_facts(*study.system);
  append(facts, {{"system.derived_from_energies", study.model.lagrangian},
                 {"system.velocities_are_rates", study.model.lagrange_coordinates},
                 {"system.exact_constraints",
                  static_cast<long>(study.model.ne - (study.model.recorded->clock >= 0 ? 1 : 0))},
                 {"against", name_of(study.against)},
                 {"no_prediction", result.no_prediction},
                 {"after", study.after},
                 {"multiplier_at_start", result.multiplier_at_start}});
  return facts;
}

}  // namespace

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
  if (study.open_start) {
    const std::vector<Component>& coordinates =
        (study.tangent ? study.tangent->system : study.system)->info.coordinates;
    text += fmt::format(
        ", both motions from q(0) = ({:.17g}), the nearest start with closed joints to ({:.6g})",
        fmt::join(visible(coordinates, study.initial.q.head(study.open_start->size())), ", "),
        fmt::join(visible(coordinates, *study.open_start), ", "));
  }
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

std::string failure_text(const RollingStudy& study, const CompliantSolve& f) {
  return fmt::format("{}{} at ε = {:.4g}{}: {} at t = {:.6g} (step {:.3g}) {}",
                     names_of(study).law_prefix(f.law.name), f.solver, f.epsilon,
                     f.tighter ? ", tighter tolerance" : "", name_of(f.outcome), f.t_reached,
                     f.last_step, f.message);
}

std::vector<std::string> rolling_heading(const RollingResult& result) {
  const RollingStudy& study = result.study;
  std::vector<std::string> lines{
      fmt::format("{}: {}", study.system->info.name,
                  parameters_text(study.system->parameters, study.parameters))};
  if (study.tangent) lines.push_back(tangent_text(*study.tangent));
  const ContactSpec& contact = study.tangent ? study.tangent->contact : study.contact;
  for (const std::string& law : study.contact.laws)
    lines.push_back(contact_text(contact, *find_law(law)));
  lines.push_back(start_text(result));
  for (const Quantity quantity : quantities_of(study.system->info))
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
std::vector<std::string> rolling_remarks(const RollingResult& result) {
  std::vector<std::string> remarks;
  if (std::string nearest = nearest_bound(result); !nearest.empty())
    remarks.push_back(std::move(nearest));
  if (!result.no_prediction.empty())
    remarks.push_back("no leading coefficient is predicted: " + result.no_prediction);
  for (const CompliantSolve& f : result.failures) remarks.push_back(failure_text(result.study, f));
  if (result.ensemble) remarks.push_back(ensemble_remark(*result.ensemble));
  for (const std::string& note : result.notes) remarks.push_back(note);
  if (result.interrupted)
    remarks.emplace_back("interrupted: only the finished solves are included");
  return remarks;
}

/// "\n  36 of 39 errors are proved" of a certified study; empty: it is none.
std::string proved_errors(const RollingResult& result) {
  if (!result.study.solvers.certified) return {};
  std::ptrdiff_t proved = 0, all = 0;
  for (const Series& series : result.series) {
    all += std::ssize(series.rows);
    proved +=
        std::ranges::count_if(series.rows, [](const Row& row) { return row.proved() != nullptr; });
  }
  return fmt::format("\n  {} of {} errors are proved", proved, all);
}

/// A failed claim for each rigid motion with a wrong energy balance, or that leaves the range of a
/// coordinate.
void add_rigid_claims(const RollingResult& result, Result& report) {
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

Result in_tables(RollingResult found) {
  std::vector<Curve> curves = std::move(found.curves);
  const auto kept = std::make_shared<const RollingResult>(std::move(found));
  const RollingResult& result = *kept;
  const RollingStudy& study = result.study;
  Result report{.name = study.name,
                .kind = "rolling",
                .question = study.question,
                .source = study.source,
                .heading = rolling_heading(result),
                .facts = rolling_facts(result),
                .tables = rolling_tables_of(kept),
                .views = rolling_views(result),
                .remarks = rolling_remarks(result),
                .notes = result.notes,
                .interrupted = result.interrupted,
                .has_numbers = result.has_numbers(),
                .claims = claims_of(result),
                .plain_csv = study.time.end_only ? "steps" : "",
                .resolved = resolved_toml(study),
                .counts = result.counts,
                .curves = std::move(curves)};
  add_rigid_claims(result, report);
  conclude(report);
  report.verdict = verdict_of(report) + proved_errors(result);
  report.tables.push_back(summary_of(report, study.system->info.name,
                                     part_of(kept, &RollingResult::series),
                                     quantities_of(study.system->info)));
  return report;
}

}  // namespace rigidlimit
