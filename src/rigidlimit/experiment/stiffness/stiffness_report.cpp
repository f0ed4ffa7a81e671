
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/spec/system_tables.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {

namespace {

using SharedStiffness = std::shared_ptr<const StiffnessResult>;

std::string window_text(const PairStudy& study, Window window) {
  SeriesNames names;
  if (const RollingStudy* const rolling = rolling_study(study)) names = names_of(*rolling);
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
std::string setting_row_text(const MatrixXd& X, Index i) {
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

/// Those that some contact has; of no contact all.
std::vector<FrictionalColumn> setting_columns(const std::vector<FrictionalValues>& contacts) {
  if (contacts.empty()) return {frictional_columns.begin(), frictional_columns.end()};
  std::vector<FrictionalColumn> columns;
  for (const FrictionalColumn& column : frictional_columns)
    if (std::ranges::any_of(
            contacts, [&](const FrictionalValues& c) { return !std::isnan(c.*column.value); }))
      columns.push_back(column);
  return columns;
}

/// The answer, whose plain CSV stands for the result: the last columns, equal in all rows, are the
/// numbers of the whole contact.
template <class Row>
Table answer_table(const SharedStiffness& result, Columns<Row> columns, std::vector<Row> rows) {
  using C = ColumnOf<Row>;
  const ContactTimes& times = result->times;
  columns.push_back(C("largest_explicit_step", "largest explicit step, s",
                      [times](const Row&) { return times.largest_step; }));
  columns.push_back(C("decay_time", "decay time, s", [times](const Row&) { return times.decay; }));
  columns.push_back(
      C("epsilon", "ε", [result](const Row&) { return result->trials[*result->found].epsilon; }));
  return table_of("contact", columns, std::move(rows), 1, {{"study", name_of(result->study)}})
      .kept(Kept::everywhere);
}

Table frictional_rows(const SharedStiffness& result) {
  using F = FrictionalValues;
  Columns<F> columns{{"component", "contact", &F::name}};
  for (const FrictionalColumn& column : setting_columns(result->contact.frictional)) {
    std::string words = column.name;
    std::ranges::replace(words, '_', ' ');
    columns.push_back(
        {column.name, fmt::format("{}, {}", words, column.unit), column.value, "{:.4g}"});
    columns.push_back({std::string(column.name) + "_unit", "",
                       [column](const F& /*contact*/) { return column.unit; }});
  }
  return answer_table(result, std::move(columns), result->contact.frictional);
}

/// One row of the contact of a rolling study.
struct RollingRow {
  Index i;
  Component component;
};

/// A row of a matrix: its diagonal element, or all elements if the matrix has others.
Value setting_row(const MatrixXd& X, Index i) {
  if (X.isDiagonal(1e-14)) return X(i, i);
  return VectorXd(X.row(i));
}

Table rolling_rows(const SharedStiffness& result) {
  using R = RollingRow;
  std::vector<R> rows;
  if (result->found)
    for (const Component& contact : system_of(result->study).info.contacts)
      rows.push_back({std::ssize(rows), contact});
  Columns<R> columns{
      {"component", "contact (G v)", [](const R& row) { return row.component.name; }}};
  const auto add = [&](const char* name, MatrixXd ContactValues::*values,
                       const char* ContactUnits::*unit) {
    const MatrixXd& matrix = result->contact.rolling.*values;
    if (result->found && matrix.size() == 0) return;
    columns.push_back(
        ColumnOf<R>(
            name, "", [&matrix](const R& row) { return setting_row(matrix, row.i); }, "{:.4g}")
            .said([&matrix](const R& row) { return setting_row_text(matrix, row.i); }));
    columns.push_back({std::string(name) + "_unit", "unit",
                       [unit](const R& row) { return units_of(row.component).*unit; }});
  };
  add("stiffness", &ContactValues::stiffness, &ContactUnits::stiffness);
  add("damping", &ContactValues::damping, &ContactUnits::damping);
  if (result->diagonal) {
    columns.push_back(ColumnOf<R>(
        "diagonal_damping", "diagonal damping",
        [result](const R& row) { return result->diagonal->damping(row.i); }, "{:.4g}"));
    columns.push_back({"diagonal_damping_unit", "unit",
                       [](const R& row) { return units_of(row.component).damping; }});
  }
  return answer_table(result, std::move(columns), std::move(rows));
}

/// Without rows if no contact was found.
Table contact_rows(const SharedStiffness& result) {
  return rolling_study(result->study) ? rolling_rows(result) : frictional_rows(result);
}

Table setting_rows(const EngineAnswer& answer) {
  using E = EngineSetting;
  return table_of<E>("settings",
                     {{"name", "setting", &E::name},
                      ColumnOf<E>(
                          "value", "value",
                          [](const E& one) {
                            return one.word.empty() ? Value(one.number) : Value(one.word);
                          },
                          "{:.6g}"),
                      {"unit", "unit", &E::unit},
                      ColumnOf<E>("meaning", "meaning", &E::meaning).noted()},
                     answer.settings)
      .kept(Kept::in_document);
}

Table time_rows(const StiffnessResult& result) {
  struct Scale {
    std::string name;
    double seconds;
    std::string meaning;
  };
  const ContactTimes& times = result.times;
  const double end = end_of(result.study, result.epsilon());
  std::vector<Scale> scales{{"decay of the initial layer", times.decay,
                             std::isinf(times.decay) ? "the contact is undamped: it never decays"
                                                     : "by 1/e; by 1000 in seven of these"}};
  if (std::isfinite(times.period))
    scales.push_back({"contact oscillation", times.period, "its period"});
  scales.push_back({"largest explicit step", times.largest_step,
                    fmt::format("Runge-Kutta, order 4; at least {:.0f} of them up to T = {:.4g} s",
                                std::ceil(end / times.largest_step), end)});
  return table_of<Scale>(
             "times",
             {{"name", "time scale", &Scale::name},
              ColumnOf<Scale>("seconds", "value", &Scale::seconds).said([](const Scale& one) {
                return seconds_text(one.seconds);
              }),
              ColumnOf<Scale>("meaning", "meaning", &Scale::meaning).noted()},
             std::move(scales))
      .kept(Kept::in_document);
}

Table cost_rows(const StiffnessResult& result) {
  using M = MethodCost;
  using C = ColumnOf<M>;
  Columns<M> columns = with_work<M>(
      {C("method", "method", [](const M& cost) { return cost.method->name; }),
       C("formulation", "variables", &M::formulation), C("rtol", "rtol", &M::rtol, "{:.0e}"),
       C("seconds", "time", &M::seconds).noted().said([](const M& cost) {
         return std::isnan(cost.rtol) ? "-" : seconds_text(cost.seconds);
       }),
       C("reason", "remark", &M::reason)
           .noted()
           .toned([](const M&) { return Tone::faint; })
           .said([](const M& cost) { return std::isnan(cost.rtol) ? cost.reason : ""; })},
      &M::work);
  return table_of("costs", columns, result.costs, 2, {{"study", name_of(result.study)}})
      .kept(Kept::everywhere);
}

Lines stiffness_heading(const StiffnessResult& result) {
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

std::vector<JudgedClaim> stiffness_claims(const StiffnessResult& result) {
  std::vector<JudgedClaim> claims;
  for (std::size_t k = 0; k < result.wanted.size(); ++k) {
    JudgedClaim& claim = claims.emplace_back();
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
std::string parameter_values_text(const StiffnessResult& result, const MatrixXd& X,
                                  const char* ContactUnits::*unit) {
  std::vector<std::string> texts;
  Index i = 0;
  for (const Component& contact : system_of(result.study).info.contacts) {
    const std::string text =
        fmt::format("{} {}", setting_row_text(X, i++), units_of(contact).*unit);
    if (std::ranges::count(texts, text) == 0) texts.push_back(text);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Whether the softest contact is within every wanted error: then the contact does not limit them.
bool is_never_reached(const StiffnessResult& result) {
  return result.found && result.epsilon() == softest_epsilon;
}

std::string stiffness_verdict(const StiffnessResult& result) {
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
    for (const FrictionalColumn& column : setting_columns({contact}))
      values.push_back(
          fmt::format("{} {:.4g} {}", column.name, contact.*column.value, column.unit));
  if (result.contact.rolling.stiffness.size() > 0)
    values.push_back("stiffness " + parameter_values_text(result, result.contact.rolling.stiffness,
                                                          &ContactUnits::stiffness));
  if (result.contact.rolling.damping.size() > 0 && !result.contact.rolling.damping.isZero(0.0))
    values.push_back("damping " + parameter_values_text(result, result.contact.rolling.damping,
                                                        &ContactUnits::damping));
  if (is_never_reached(result))
    return fmt::format(
        "{}: the error stays below the wanted one for every stiffness tried, also for the softest "
        "contact, {} (ε = {:.4g}): this contact does not limit it; {}",
        name_of(result.study), fmt::join(values, " and "), trial.epsilon, fmt::join(errors, "; "));
  return fmt::format("{}: {} (ε = {:.4g}); {}", name_of(result.study), fmt::join(values, " and "),
                     trial.epsilon, fmt::join(errors, "; "));
}

/// An error of a solve, and the error that was asked for.
struct WantedTrial {
  const StiffnessTrial* trial;
  std::size_t wanted;
};

Table trial_rows(const SharedStiffness& result, const char* name,
                 const std::vector<const StiffnessTrial*>& trials) {
  using W = WantedTrial;
  using C = ColumnOf<W>;
  std::vector<W> rows;
  for (const StiffnessTrial* trial : trials)
    for (std::size_t k = 0; k < trial->errors.size(); ++k) rows.push_back({trial, k});
  const auto wanted = [result](const W& one) -> const WantedError& {
    return result->wanted[one.wanted];
  };
  const auto measured = [](const W& one) -> const MeasuredError& {
    return one.trial->errors[one.wanted];
  };
  const auto held = [=](const W& one) { return measured(one).most() <= wanted(one).size; };
  return table_of<W>(
             name,
             {C("epsilon", "ε", [](const W& one) { return one.trial->epsilon; }),
              C("quantity", "",
                [=](const W& one) {
                  return quantity_name(wanted(one).measure);
                }).said([=](const W& one) { return wanted_text(*result, wanted(one)); }),
              C("norm", "", [=](const W& one) { return name_of(wanted(one).measure.norm); }),
              C("window", "", [=](const W& one) { return name_of(wanted(one).measure.window); }),
              C("wanted", "", [=](const W& one) { return wanted(one).size; }),
              C("model_error", "error", [=](const W& one) { return measured(one).error; })
                  .toned([=](const W& one) { return held(one) ? Tone::good : Tone::bad; })
                  .said([=](const W& one) { return measured_text(measured(one)); }),
              C(
                  "error_bar", "", [=](const W& one) { return measured(one).bar; }, "{:.1e}"),
              C("held", "", held),
              C("status", "", [=](const W& one) { return measured(one).status; })},
             std::move(rows), 5, {{"study", name_of(result->study)}})
      .kept(Kept::everywhere);
}

Table law_rows(const StiffnessResult& result) {
  struct Law {
    WantedError wanted;
    ErrorLaw law;
  };
  std::vector<Law> rows;
  for (std::size_t k = 0; k < result.laws.size(); ++k)
    rows.push_back({result.wanted[k], result.laws[k]});
  return table_of<Law>(
             "error_laws",
             {{"quantity", "", [](const Law& one) { return quantity_name(one.wanted.measure); }},
              {"norm", "", [](const Law& one) { return name_of(one.wanted.measure.norm); }},
              {"window", "", [](const Law& one) { return name_of(one.wanted.measure.window); }},
              {"wanted", "", [](const Law& one) { return one.wanted.size; }},
              {"coefficient", "", [](const Law& one) { return one.law.coefficient; }},
              {"order", "", [](const Law& one) { return one.law.order; }},
              {"predicted", "", [](const Law& one) { return one.law.predicted; }}},
             std::move(rows), 4)
      .kept(Kept::in_document);
}

Fields stiffness_facts(const StiffnessResult& result) {
  Fields facts{{"system.name", system_of(result.study).info.name},
               {"law", law_of(result.study)},
               {"no_prediction", result.no_prediction},
               {"reason", result.reason},
               {"no_settings", result.no_settings}};
  if (!result.found) return facts;
  append(facts, {{"epsilon", result.epsilon()},
                 {"decay_time", result.times.decay},
                 {"period", result.times.period},
                 {"largest_explicit_step", result.times.largest_step}});
  if (result.engine.engine) facts.push_back({"engine", title_of(*result.engine.engine)});
  return facts;
}

std::vector<Table> stiffness_tables_of(const SharedStiffness& result) {
  std::vector<const StiffnessTrial*> trials;
  for (const StiffnessTrial& trial : result->trials) trials.push_back(&trial);
  std::vector<Table> tables{contact_rows(result), trial_rows(result, "errors", trials)};
  if (result->diagonal)
    tables.push_back(trial_rows(result, "diagonal_errors", {&result->diagonal->trial}));
  if (result->found) {
    tables.push_back(time_rows(*result));
    if (result->engine.engine) tables.push_back(setting_rows(result->engine));
  }
  if (!result->costs.empty()) tables.push_back(cost_rows(*result));
  tables.push_back(law_rows(*result));
  return tables;
}

/// A view without a table is not shown.
std::vector<View> stiffness_views(const StiffnessResult& result) {
  const bool found = result.found.has_value();
  View contact{.key = "contact",
               .caption = "The softest contact found",
               .table = "contact",
               .in_brief = found};
  contact.columns.emplace_back("component");
  if (!rolling_study(result.study))
    for (const FrictionalColumn& column : setting_columns(result.contact.frictional))
      contact.columns.emplace_back(column.name);
  else
    for (const auto& [name, values] : {std::pair("stiffness", &result.contact.rolling.stiffness),
                                       std::pair("damping", &result.contact.rolling.damping)})
      if (values->size() > 0) {
        contact.columns.emplace_back(name);
        contact.columns.emplace_back(std::string(name) + "_unit");
      }
  if (result.diagonal) {
    contact.columns.emplace_back("diagonal_damping");
    contact.columns.emplace_back("diagonal_damping_unit");
  }
  return {
      {.key = "trials",
       .caption = "Solves: distance from ideal rolling ± its error bar",
       .table = "errors",
       .columns = {"epsilon"},
       .pivot = Pivot{.across = {"quantity"}, .cells = {{"model_error", "{}"}}},
       .in_brief = !found},
      std::move(contact),
      {.key = "diagonal",
       .caption = "With the diagonal damper: distance from ideal rolling ± its error bar",
       .table = "diagonal_errors",
       .columns = {"epsilon"},
       .pivot = Pivot{.across = {"quantity"}, .cells = {{"model_error", "{}"}}},
       .in_brief = found},
      {.key = "times", .caption = "Its time scales", .table = "times", .in_brief = found},
      {.key = "settings",
       .caption = result.engine.engine
                      ? fmt::format("Settings of {}", title_of(*result.engine.engine))
                      : "",
       .table = "settings",
       .in_brief = found},
      {.key = "costs",
       .caption = "Cost of a compliant solve at the loosest tolerance at which the method's own "
                  "error is at most a tenth of the wanted one",
       .table = "costs",
       .columns = {"method", "formulation", "rtol", "work.steps", "work.rhs_evaluations",
                   "work.jacobian_evaluations", "work.factorisations", "seconds", "reason"},
       .keys = 2,
       .sorted_by = "seconds",
       .in_brief = true}};
}

}  // namespace

Result in_tables(StiffnessResult answer) {
  const auto kept = std::make_shared<const StiffnessResult>(std::move(answer));
  const StiffnessResult& result = *kept;
  Result report{.name = name_of(result.study),
                .kind = "stiffness",
                .question = "How stiff must the contact be?",
                .source = source_of(result.study),
                .heading = stiffness_heading(result),
                .facts = stiffness_facts(result),
                .tables = stiffness_tables_of(kept),
                .views = stiffness_views(result),
                .verdict = stiffness_verdict(result),
                .interrupted = result.interrupted,
                .has_numbers = !result.trials.empty() || !result.reason.empty(),
                .claims = stiffness_claims(result),
                .resolved = resolved_toml(result.study)};
  conclude(report);
  if (!result.no_prediction.empty())
    report.remarks.push_back("the error law is fitted to the study's ε: " + result.no_prediction);
  for (const WantedError& wanted : result.wanted)
    if (std::string mixture = mixture_of(wanted.measure, system_of(result.study).info);
        !mixture.empty() && std::ranges::count(report.remarks, mixture) == 0)
      report.remarks.push_back(std::move(mixture));
  if (result.diagonal)
    report.remarks.push_back(fmt::format(
        "the damping couples the rows; the diagonal damping {} every wanted error, decays in {} "
        "instead of {}, and its largest explicit step is {}",
        result.diagonal->holds ? "keeps" : "does not keep",
        seconds_text(result.diagonal->times.decay), seconds_text(result.times.decay),
        seconds_text(result.diagonal->times.largest_step)));
  if (result.found && !result.no_settings.empty()) {
    report.remarks.push_back(result.no_settings);
    report.remarks.emplace_back(
        "no element of it with such rows is known here; the values are those of a force "
        "-(stiffness y + damping w) along each row, y' = w its sliding velocity");
  }
  return report;
}

}  // namespace rigidlimit
