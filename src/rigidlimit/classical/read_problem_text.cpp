#include "rigidlimit/classical/read_problem_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "rigidlimit/classical/problem_text.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/toml/formula_keys.hpp"

namespace rigidlimit {

namespace {

using T = ProblemText;

const Range of_time{.low = -1e12, .high = 1e20};  // chemical kinetics end at 1e13 s

const KeyTable<T::Unknown>& unknown_keys() {
  using U = T::Unknown;
  using K = Keys<U>;
  static const KeyTable<U> table{
      "[problem.unknowns]",
      {K::formula({"name", "", "name in formulas and tables"}, &U::name).needed().valid("text"),
       K::text({"label", "", "name in tables, if it is not a name of formulas"}, &U::label)
           .otherwise("its name")
           .written_if([](const U& u) { return !u.label.empty(); }),
       K::formula({"start", "own", "value at t0, a formula of parameters"}, &U::start)
           .otherwise("that of exact"),
       K::number({"atol", "own", "absolute tolerance that suits its size"}, &U::atol, positive)
           .otherwise("rtol / 100")
           .written_if([](const U& u) { return u.atol > 0.0; })}};
  return table;
}

const KeyTable<T::Parameter>& parameter_keys() {
  using P = T::Parameter;
  using K = Keys<P>;
  using keys::of;
  static const KeyTable<P> table{
      "problem.parameters.NAME",
      joined<P>({range_rows<P>([](P& p) -> Range& { return p.info.range; }),
                 {K::number({"default", "own", "value if a benchmark gives none"},
                            of(&P::info, &ClassicalParameter::default_value), "in its range",
                            [](const P& p) { return valid_range(p.info.range); })
                      .needed(),
                  K::text({"text", "", "meaning of the parameter"},
                          of(&P::info, &ClassicalParameter::text))}})};
  return table;
}

/// [problem.coefficients]: any names.
KeyTableInfo coefficient_keys() {
  return {"problem.coefficients",
          {{.name = "NAME",
            .unit = "own",
            .text = "number of the formulas, a decimal in 113 bits",
            .values = any_finite.text(),
            .otherwise = "none",
            .is_computed = true,
            .is_number = true}}};
}

const KeyTable<T::Published>& published_keys() {
  using P = T::Published;
  using K = Keys<P>;
  static const KeyTable<P> table{
      "[problem.published]",
      {K::text({"source", "", "publication, and how it computed the values"}, &P::source).needed(),
       K::formulas({"values", "own", "values at end as printed, in quotes; \"-\": not given"},
                   &P::values)
           .needed(),
       K::numbers({"confirmed", "1", "correct digits of each value, whole numbers"}, &P::confirmed,
                  {.low = 0.0, .high = 34.0})
           .otherwise("all 0")
           .written_if([](const P& p) { return !p.confirmed.empty(); })
           .checked([](const P& p) {
             for (const double digits : p.confirmed)
               if (digits != std::floor(digits)) return "must be whole numbers";
             return "";
           })}};
  return table;
}

std::string coefficients_text(const T& text) {
  if (text.coefficients.empty()) return "";
  std::string toml = "\n[problem.coefficients]\n";
  for (const T::Coefficient& one : text.coefficients)
    toml += fmt::format("{} = {}\n", one.name.text, toml_text(one.value));
  return toml;
}

void read_unknowns(Section& problem, const std::string& key, T& text) {
  if (!problem.has(key)) problem.missing(key, "a list of {name = \"x\", start = 1.0}");
  for (Section& section : problem.sections(key)) {
    T::Unknown unknown;
    section.text("name", std::nullopt);  // not a number
    unknown_keys().read_whole(section, unknown);
    text.unknowns.push_back(std::move(unknown));
  }
}

void read_published(Section& problem, const std::string& key, T& text) {
  for (Section& section : problem.sections(key)) {
    T::Published published;
    published.whole = {.key = "problem.published",
                       .place = [section](std::size_t) { return section.place(); }};
    published_keys().read_whole(section, published);
    if (published.values.empty()) section.missing("values", "a number in quotes for each unknown");
    text.published.push_back(std::move(published));
  }
}

const KeyTable<T>& problem_keys() {
  using K = Keys<T>;
  static const KeyTable<T> table{
      "problem",
      {K::text({"name", "", "name of the problem"}, &T::name).needed().checked([](const T& t) {
         return is_name(t.name) ? "" : rule_of_names;
       }),
       K::text({"title", "", "title in tables"}, &T::title),
       K::text({"source", "", "source of the equations"}, &T::source),
       K::read_by({"unknowns", "", "the unknowns y, with their start"}, "list of tables", needed(),
                  read_unknowns, [](const T& t) { return list_text(t.unknowns, unknown_keys()); }),
       K::formulas({"rate", "own", "f of M y' = f, of y and t, one for each unknown"}, &T::rate)
           .needed(),
       K::formula_rows({"mass", "own", "M, of parameters; a row of 0 is a constraint 0 = f_i"},
                       &T::mass)
           .otherwise("the identity"),
       K::formulas({"exact", "own", "the solution, of t and parameters"}, &T::exact)
           .otherwise("none"),
       K::number({"t0", "own", "start of the interval"}, &T::t0, of_time),
       K::formula({"end", "own", "end of the interval, a formula of parameters"}, &T::end).needed(),
       K::number({"rtol", "1", "relative tolerance that belongs to atol"}, &T::rtol,
                 {.low = 1e-16, .high = 0.5}),
       K::read_by({"published", "", "published values of the solution at end"}, "list of tables",
                  "none", read_published,
                  [](const T& t) { return list_text(t.published, published_keys()); })}};
  return table;
}

T read_problem_text(Section& problem) {
  T text;
  text.whole = {
      .text = {}, .key = "problem", .place = [problem](std::size_t) { return problem.place(); }};
  problem_keys().read(problem, text);
  if (text.rate.empty()) problem.missing("rate", "a formula for each unknown");
  text.lets = read_lets(problem);
  Section coefficients = problem.section("coefficients");
  for (const PlacedText& name : coefficients.keys())
    text.coefficients.push_back({name, coefficients.number(name.text, any_finite, std::nullopt)});
  Section parameters = problem.section("parameters");
  for (const PlacedText& name : parameters.keys()) {
    if (!parameters.has_table(name.text))
      parameters.fail(name.text, "must be a table, {default = 1.0, above = 0.0, text = \"…\"}");
    Section section = parameters.section(name.text);
    T::Parameter parameter{
        .name = name, .info = {.name = name.text, .default_value = 0.0, .text = {}, .range = {}}};
    parameter_keys().read_whole(section, parameter);
    text.parameters.push_back(std::move(parameter));
  }
  problem.finish();
  return text;
}

/// Back to TOML, so that a store is complete without the file.
std::string definition_of(const T& text) {
  return problem_keys().text(text).substr(1) + lets_text("problem", text.lets) +
         coefficients_text(text) + parameters_text("problem", text.parameters, parameter_keys());
}

}  // namespace

std::vector<KeyTableInfo> tables_of_written_problems() {
  return {problem_keys().info(), unknown_keys().info(), parameter_keys().info(),
          coefficient_keys(),    let_keys("problem"),   published_keys().info()};
}

ProblemText problem_text_in(const std::string& toml, const std::string& name) {
  const TomlDocument document = TomlDocument::from_text(toml, name);
  Section problem = document.root().section("problem");
  return read_problem_text(problem);
}

std::shared_ptr<const ClassicalEntry> problem_in(Section root) {
  if (!root.has_table("problem"))
    root.missing("problem", "a table [problem] with name, unknowns, rate and end");
  Section problem = root.section("problem");
  T text = read_problem_text(problem);
  if (find_classical_problem(text.name))
    problem.fail("name", "the catalogue has a problem of this name; choose another name");
  root.finish();
  std::string definition = definition_of(text);
  ClassicalEntry entry = entry_of(std::move(text));
  entry.definition = std::move(definition);
  entry.make_default();  // refuses what depends on the values of parameters
  return std::make_shared<const ClassicalEntry>(std::move(entry));
}

std::shared_ptr<const ClassicalEntry> problem_in_file(const std::string& path) {
  return problem_in(TomlDocument::from_file(path).root());
}

std::shared_ptr<const ClassicalEntry> problem_if_in_file(const std::string& path) {
  std::optional<TomlDocument> document;
  try {
    document = TomlDocument::from_file(path);
  } catch (const InputError&) {
    return nullptr;
  }
  return document->root().has_table("problem") ? problem_in(document->root()) : nullptr;
}

}  // namespace rigidlimit
