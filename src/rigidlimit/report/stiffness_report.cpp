#include "rigidlimit/report/reports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/conclusion.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/rolling_tables.hpp"
#include "rigidlimit/report/series_tables.hpp"

namespace rigidlimit {

namespace {

std::string window_text(const PairStudy& study, Window window) {
  SeriesNames names;
  if (const auto* rolling = std::get_if<RollingStudy>(&study)) names = names_of(*rolling);
  return names.window(window);
}

std::string wanted_text(const StiffnessResult& result, const WantedError& wanted) {
  return fmt::format("{} {}, {} ≤ {:.4g}", symbol_of(wanted.measure), name_of(wanted.measure.norm),
                     window_text(result.study, wanted.measure.window), wanted.size);
}

std::string measured_text(const MeasuredError& measured) {
  if (std::isnan(measured.error)) return measured.status;
  return measured.proved ? outward_text(*measured.proved, Notation::plain)
                         : fmt::format("{:.4g} ± {:.1g}", measured.error, measured.bar);
}

/// "K ε^p": the power law behind the first guess.
std::string law_text(const ErrorLaw& law) {
  if (std::isnan(law.coefficient) || std::isnan(law.order)) return "unknown";
  return fmt::format("{:.4g} ε^{:.3g}, {}", law.coefficient, law.order,
                     law.predicted ? "predicted" : "fitted");
}

/// Units of stiffness and damping of a contact component whose sliding velocity has this unit.
struct ContactUnits {
  const char* stiffness;
  const char* damping;
};
ContactUnits units_of(const Component& contact) {
  if (contact.unit == "m/s") return {"N/m", "N s/m"};
  if (contact.unit == "rad/s") return {"N m/rad", "N m s/rad"};
  return {"SI", "SI"};
}

/// Row i of a matrix: its diagonal element, or all elements if others are not 0.
std::string row_text(const MatrixXd& X, Index i) {
  if (X.size() == 0) return "-";
  if (X.isDiagonal(1e-14)) return fmt::format("{:.4g}", X(i, i));
  return fmt::format("[{:.4g}]", fmt::join(VectorXd(X.row(i)), ", "));
}

std::string seconds_text(double seconds) {
  return std::isinf(seconds) ? "-" : fmt::format("{:.3g} s", seconds);
}

/// Columns of the values of a contact with friction, but the name.
struct FrictionalColumn {
  const char* name;
  const char* unit;
  double FrictionalValues::*value;
};
constexpr std::array frictional_columns{
    FrictionalColumn{"stiffness", "N/m", &FrictionalValues::stiffness},
    FrictionalColumn{"damping", "N s/m", &FrictionalValues::damping},
    FrictionalColumn{"creep", "m/s", &FrictionalValues::creep},
    FrictionalColumn{"normal_stiffness", "N/m", &FrictionalValues::normal_stiffness},
    FrictionalColumn{"normal_damping", "N s/m", &FrictionalValues::normal_damping}};

/// Those that some contact has.
std::vector<FrictionalColumn> columns_of(const std::vector<FrictionalValues>& contacts) {
  std::vector<FrictionalColumn> columns;
  for (const FrictionalColumn& column : frictional_columns)
    if (std::ranges::any_of(
            contacts, [&](const FrictionalValues& c) { return !std::isnan(c.*column.value); }))
      columns.push_back(column);
  return columns;
}

TextTable frictional_table(const std::vector<FrictionalValues>& contacts) {
  TextTable table{.headers = {"contact"}, .left_aligned = {true}, .rows = {}};
  const std::vector<FrictionalColumn> columns = columns_of(contacts);
  for (const FrictionalColumn& column : columns) {
    std::string name = column.name;
    std::ranges::replace(name, '_', ' ');
    table.headers.push_back(fmt::format("{}, {}", name, column.unit));
    table.left_aligned.push_back(false);
  }
  for (const FrictionalValues& contact : contacts) {
    auto& row = table.rows.emplace_back();
    row.push_back({contact.name});
    for (const FrictionalColumn& column : columns)
      row.push_back({fmt::format("{:.4g}", contact.*column.value)});
  }
  return table;
}

TextTable settings_table(const EngineAnswer& answer) {
  TextTable table{.headers = {"setting", "value", "unit", "meaning"},
                  .left_aligned = {true, false, true, true},
                  .rows = {}};
  for (const EngineSetting& one : answer.settings)
    table.rows.push_back({{one.name},
                          {one.word.empty() ? fmt::format("{:.6g}", one.number) : one.word},
                          {one.unit},
                          {one.meaning}});
  return table;
}

TextTable contact_table(const StiffnessResult& result) {
  if (!result.contact.frictional.empty()) return frictional_table(result.contact.frictional);
  const bool springs = result.contact.rolling.stiffness.size() > 0;
  TextTable table{.headers = {"contact (G v)"}, .left_aligned = {true}, .rows = {}};
  for (const char* value : {"stiffness", "damping"}) {
    if (!springs && std::string(value) == "stiffness") continue;
    table.headers.insert(table.headers.end(), {value, "unit"});
    table.left_aligned.insert(table.left_aligned.end(), {false, true});
  }
  Index i = 0;
  for (const Component& contact : system_of(result.study).info.contacts) {
    const auto [stiffness, damping] = units_of(contact);
    auto& row = table.rows.emplace_back();
    row.push_back({contact.name});
    if (springs) {
      row.push_back({row_text(result.contact.rolling.stiffness, i)});
      row.push_back({stiffness});
    }
    row.push_back({row_text(result.contact.rolling.damping, i)});
    row.push_back({damping});
    ++i;
  }
  return table;
}

TextTable times_table(const StiffnessResult& result) {
  const ContactTimes& times = result.times;
  const double end = end_of(result.study, result.epsilon());
  TextTable table{.headers = {"time scale", "value", "meaning"},
                  .left_aligned = {true, false, true},
                  .rows = {}};
  table.rows.push_back({{"decay of the initial layer"},
                        {seconds_text(times.decay)},
                        {std::isinf(times.decay) ? "the contact is undamped: it never decays"
                                                 : "by 1/e; by 1000 in seven of these"}});
  if (std::isfinite(times.period))
    table.rows.push_back({{"contact oscillation"}, {seconds_text(times.period)}, {"its period"}});
  table.rows.push_back(
      {{"largest explicit step"},
       {seconds_text(times.largest_step)},
       {fmt::format("Runge-Kutta, order 4; at least {:.0f} of them up to T = {:.4g} s",
                    std::ceil(end / times.largest_step), end)}});
  return table;
}

TextTable trial_table(const StiffnessResult& result) {
  TextTable table{.headers = {"ε"}, .left_aligned = {false}, .rows = {}};
  for (const WantedError& wanted : result.wanted)
    table.headers.push_back(wanted_text(result, wanted));
  table.left_aligned.resize(table.headers.size(), false);
  for (const StiffnessTrial& trial : result.trials) {
    auto& row = table.rows.emplace_back();
    row.push_back({fmt::format("{:.6g}", trial.epsilon)});
    for (std::size_t k = 0; k < trial.errors.size(); ++k)
      row.push_back({measured_text(trial.errors[k]),
                     trial.errors[k].most() <= result.wanted[k].size ? Tone::good : Tone::bad});
  }
  return table;
}

/// A count of a method that is accurate enough.
Column<MethodCost> cost_column(const char* header, long Work::*count) {
  return {"", header,
          [count](const MethodCost& cost) {
            return std::isnan(cost.rtol) ? Value("-") : count_value(cost.work.*count);
          },
          of_counts};
}

Columns<MethodCost> cost_columns() {
  using C = MethodCost;
  return with_work<C>(
      {{"method", "method", [](const C& c) { return c.method->name; }},
       {"formulation", "variables", &C::formulation},
       {"rtol", "rtol", &C::rtol, "{:.0e}"},
       cost_column("steps", &Work::steps),
       cost_column("f", &Work::rhs_evaluations),
       cost_column("Jacobians", &Work::jacobian_evaluations),
       cost_column("LU", &Work::factorisations),
       {"", "time", [](const C& c) { return std::isnan(c.rtol) ? "-" : seconds_text(c.seconds); },
        "{}"},
       {"", "remark", [](const C& c) { return std::isnan(c.rtol) ? c.reason : ""; }, "",
        [](const C&) { return Tone::faint; }},
       {"seconds", {}, &C::seconds},
       {"reason", {}, &C::reason}},
      &C::work);
}

/// The cheapest first; methods that are not accurate enough last.
TextTable cost_table(const StiffnessResult& result) {
  std::vector<MethodCost> costs = result.costs;
  std::ranges::stable_sort(costs, [](const MethodCost& a, const MethodCost& b) {
    return std::isnan(b.rtol) ? !std::isnan(a.rtol) : a.seconds < b.seconds;
  });
  return text_table(cost_columns(), costs, 2);
}

Lines heading_of(const StiffnessResult& result) {
  const PairStudy& study = result.study;
  const auto parameters = std::visit(
      [](const auto& s) {
        return parameters_text(s.parameters.size() == s.system->parameters.size()
                                   ? s.system->parameters
                                   : s.system->frictional_parameters(),
                               s.parameters);
      },
      study);
  Lines lines{fmt::format("{}: {}", system_of(study).info.name, parameters),
              fmt::format("{}: {}", law_of(study), small_parameter_of(study))};
  for (std::size_t k = 0; k < result.laws.size(); ++k)
    lines.push_back(fmt::format("wanted: {}; its error: {}", wanted_text(result, result.wanted[k]),
                                law_text(result.laws[k])));
  return lines;
}

std::vector<JunitCase> claims_of(const StiffnessResult& result) {
  std::vector<JunitCase> claims;
  for (std::size_t k = 0; k < result.wanted.size(); ++k) {
    JunitCase& claim = claims.emplace_back();
    claim.name = wanted_text(result, result.wanted[k]);
    claim.group = "wanted errors";
    claim.state = state_if(result.found.has_value());
    claim.type = result.found ? "found" : "not_found";
    claim.message =
        result.found ? measured_text(result.trials[*result.found].errors[k]) : result.reason;
    claim.reason = claim.message;
  }
  return claims;
}

/// "304.5 N s/m, 274 N s/m": the different rows of a matrix.
std::string values_text(const StiffnessResult& result, const MatrixXd& X,
                        const char* ContactUnits::*unit) {
  std::vector<std::string> texts;
  Index i = 0;
  for (const Component& contact : system_of(result.study).info.contacts) {
    const std::string text = fmt::format("{} {}", row_text(X, i++), units_of(contact).*unit);
    if (std::ranges::count(texts, text) == 0) texts.push_back(text);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string verdict_of(const StiffnessResult& result) {
  if (!result.found)
    return result.interrupted
               ? ""
               : fmt::format("{}: none found: {}", name_of(result.study), result.reason);
  std::vector<std::string> errors;
  const StiffnessTrial& trial = result.trials[*result.found];
  for (std::size_t k = 0; k < trial.errors.size(); ++k)
    errors.push_back(fmt::format("{}: {}", wanted_text(result, result.wanted[k]),
                                 measured_text(trial.errors[k])));
  std::vector<std::string> values;
  for (const FrictionalValues& contact : result.contact.frictional)
    for (const FrictionalColumn& column : columns_of({contact}))
      values.push_back(
          fmt::format("{} {:.4g} {}", column.name, contact.*column.value, column.unit));
  if (result.contact.rolling.stiffness.size() > 0)
    values.push_back("stiffness " + values_text(result, result.contact.rolling.stiffness,
                                                &ContactUnits::stiffness));
  if (result.contact.rolling.damping.size() > 0 && !result.contact.rolling.damping.isZero(0.0))
    values.push_back("damping " +
                     values_text(result, result.contact.rolling.damping, &ContactUnits::damping));
  return fmt::format("{}: {} (ε = {:.4g}); {}", name_of(result.study), fmt::join(values, " and "),
                     trial.epsilon, fmt::join(errors, "; "));
}

DataTable trial_rows(const StiffnessResult& result) {
  struct One {
    const StiffnessTrial* trial = nullptr;
    std::size_t wanted = 0;
  };
  std::vector<One> all;
  for (const StiffnessTrial& trial : result.trials)
    for (std::size_t k = 0; k < trial.errors.size(); ++k) all.push_back({&trial, k});
  return data_table(
      "errors", {{"study", name_of(result.study)}}, all, [&](const One& one) -> Record {
        const WantedError wanted = one.trial ? result.wanted[one.wanted] : WantedError{};
        const MeasuredError measured = one.trial ? one.trial->errors[one.wanted] : MeasuredError{};
        return {{"epsilon", one.trial ? one.trial->epsilon : 0.0},
                {"quantity", quantity_name(wanted.measure)},
                {"norm", name_of(wanted.measure.norm)},
                {"window", name_of(wanted.measure.window)},
                {"wanted", wanted.size},
                {"model_error", measured.error},
                {"error_bar", measured.bar},
                {"held", measured.most() <= wanted.size},
                {"status", measured.status}};
      });
}

DataTable law_rows(const StiffnessResult& result) {
  DataTable table{"laws", {}, {}, {}};
  for (std::size_t k = 0; k < result.laws.size(); ++k)
    table.records.push_back({{"quantity", quantity_name(result.wanted[k].measure)},
                             {"norm", name_of(result.wanted[k].measure.norm)},
                             {"window", name_of(result.wanted[k].measure.window)},
                             {"wanted", result.wanted[k].size},
                             {"coefficient", result.laws[k].coefficient},
                             {"order", result.laws[k].order},
                             {"predicted", result.laws[k].predicted}});
  return table;
}

DataTable contact_rows(const StiffnessResult& result) {
  DataTable table{"contact", {}, {}, {}};
  if (!result.found) return table;
  for (const FrictionalValues& contact : result.contact.frictional) {
    Record record{{"component", contact.name}};
    for (const FrictionalColumn& column : columns_of({contact})) {
      record.push_back({column.name, contact.*column.value});
      record.push_back({std::string(column.name) + "_unit", column.unit});
    }
    table.records.push_back(std::move(record));
  }
  if (!table.records.empty()) return table;
  Index i = 0;
  for (const Component& contact : system_of(result.study).info.contacts) {
    const auto [stiffness, damping] = units_of(contact);
    Record record{{"component", contact.name}};
    if (result.contact.rolling.stiffness.size() > 0) {
      record.push_back({"stiffness", Value(VectorXd(result.contact.rolling.stiffness.row(i)))});
      record.push_back({"stiffness_unit", stiffness});
    }
    record.push_back({"damping", Value(VectorXd(result.contact.rolling.damping.row(i)))});
    record.push_back({"damping_unit", damping});
    table.records.push_back(std::move(record));
    ++i;
  }
  return table;
}

DataTable setting_rows(const EngineAnswer& answer) {
  DataTable table{"settings", {}, {}, {}};
  for (const EngineSetting& one : answer.settings)
    table.records.push_back({{"name", one.name},
                             {"value", one.word.empty() ? Value(one.number) : Value(one.word)},
                             {"unit", one.unit},
                             {"meaning", one.meaning}});
  return table;
}

Document document_of(const StiffnessResult& result, const std::vector<DataTable>& tables) {
  Document document{{"system.name", Value(system_of(result.study).info.name)},
                    {"law", Value(law_of(result.study))},
                    {"no_prediction", Value(result.no_prediction)},
                    {"reason", Value(result.reason)},
                    {"error_laws", law_rows(result)}};
  if (result.found)
    append(document, {{"epsilon", Value(result.epsilon())},
                      {"contact", contact_rows(result)},
                      {"decay_time", Value(result.times.decay)},
                      {"period", Value(result.times.period)},
                      {"largest_explicit_step", Value(result.times.largest_step)}});
  if (result.found && result.engine.engine)
    append(document, {{"engine", Value(title_of(*result.engine.engine))},
                      {"settings", setting_rows(result.engine)}});
  for (const DataTable& table : tables) document.push_back({table.name, table});
  return document;
}

}  // namespace

Report report_of(const StiffnessResult& result) {
  Report report{.name = name_of(result.study),
                .kind = "stiffness",
                .question = "How stiff must the contact be?",
                .source = source_of(result.study),
                .heading = heading_of(result),
                .body = {},
                .remarks = {},
                .verdict = verdict_of(result),
                .interrupted = result.interrupted,
                .has_numbers = !result.trials.empty() || !result.reason.empty(),
                .claims = claims_of(result),
                .tables = {trial_rows(result)},
                .resolved = resolved_toml(result.study)};
  conclude(report);
  if (!result.no_prediction.empty())
    report.remarks.push_back("the error law is fitted to the study's ε: " + result.no_prediction);
  for (const WantedError& wanted : result.wanted)
    if (std::string mixture = mixture_of(wanted.measure, system_of(result.study).info);
        !mixture.empty() && std::ranges::count(report.remarks, mixture) == 0)
      report.remarks.push_back(std::move(mixture));
  if (result.found && result.epsilon() == softest_epsilon)
    report.remarks.push_back("no softer contact was tried");
  if (!result.costs.empty())
    report.tables.push_back(
        data_table("costs", {{"study", name_of(result.study)}}, cost_columns(), result.costs));
  report.document = result_document(report, document_of(result, report.tables));
  report.body.emplace_back(CaptionedTable{
      "trials", "Solves: distance from ideal rolling ± its error bar", trial_table(result)});
  if (result.found) {
    report.body.emplace_back(
        CaptionedTable{"contact", "The softest contact found", contact_table(result)});
    report.body.emplace_back(CaptionedTable{"times", "Its time scales", times_table(result)});
    if (result.engine.engine)
      report.body.emplace_back(
          CaptionedTable{"settings", fmt::format("Settings of {}", title_of(*result.engine.engine)),
                         settings_table(result.engine)});
  }
  if (!result.costs.empty())
    report.body.emplace_back(CaptionedTable{
        "costs",
        "Cost of a compliant solve at the loosest tolerance at which the method's own error is at "
        "most a tenth of the wanted one",
        cost_table(result)});
  for (const auto& part : report.body)
    if (const auto* table = std::get_if<CaptionedTable>(&part);
        table && (!result.found || table->key != "trials"))
      report.brief.push_back(*table);
  return report;
}

}  // namespace rigidlimit
