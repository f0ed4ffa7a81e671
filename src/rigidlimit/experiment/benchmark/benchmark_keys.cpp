#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

using BenchmarkKeys = Keys<Benchmark>;
using BenchmarkKind = Benchmark::Kind;

/// A text of several lines, readable where TOML allows that.
std::string quoted_lines(const std::string& text) {
  return text.find("'''") == std::string::npos ? fmt::format("'''\n{}'''", text) : toml_text(text);
}

/// The name of a problem; its default, set before, is that of the study or problem.
template <class Set>
KeyRow<Set> problem_name() {
  return Keys<Set>::text({"name", "", "name of the problem in tables"}, &Set::name)
      .otherwise("that of the study or problem")
      .valid("1 to 80 characters")
      .checked([](const Set& set) { return fault_in_label(set.name); });
}

/// The names of a list, and whether a name is among them.
struct NameList {
  std::vector<std::string> names;

  bool has(const std::string& name) const { return std::ranges::find(names, name) != names.end(); }
  bool has_group_of(const OdeMethod& method) const {
    return has("all") || (has("stiff") && method.stiff);
  }
};

/// [benchmark] methods: names of the catalogue, and groups.
NameList wanted_methods(Section& section) {
  std::vector<std::string> valid{"all", "stiff"};
  std::ranges::copy(names_of_ode_methods(), std::back_inserter(valid));
  return {section.choices("methods", valid, std::vector<std::string>{"stiff"})};
}

void read_methods(Section& section, const std::string&, Benchmark& benchmark) {
  const NameList wanted = wanted_methods(section);
  for (const OdeMethod& method : ode_methods())
    if (wanted.has(method.name) || wanted.has_group_of(method))
      benchmark.methods.push_back(&method);
}

/// Removes methods of a group.
void read_without(Section& section, const std::string& key, Benchmark& benchmark) {
  if (!section.has(key)) return;
  const NameList wanted = wanted_methods(section),
                 without{section.choices(key, names_of_ode_methods(), std::nullopt)};
  for (const std::string& name : without.names)
    if (wanted.has(name) || !wanted.has_group_of(*find_ode_method(name)))
      section.fail(key, fmt::format("{} is {}; remove it from the list", name,
                                    wanted.has(name) ? "named in benchmark.methods"
                                                     : "in no group of benchmark.methods"));
  std::erase_if(benchmark.methods, [&](const OdeMethod* one) { return without.has(one->name); });
  if (benchmark.methods.empty()) section.fail(key, "excludes every method; keep at least one");
}

constexpr Range valid_rtol{.low = 1e-16, .high = 0.5};

void read_rtol(Section& section, const std::string& key, Benchmark& benchmark) {
  if (benchmark.kind != BenchmarkKind::work_precision)
    benchmark.rtol = {section.number(key, valid_rtol, benchmark.rtol.front())};
  else if (section.has(key))
    benchmark.rtol = read_values(section, key, valid_rtol);
}

void read_judged_times(Section& section, const std::string& key, Benchmark& benchmark) {
  if (section.choice(key, {"end", "grid"}, "end") == "end") return;
  if (benchmark.kind == BenchmarkKind::order_reduction)
    section.fail(key,
                 "must be \"end\" for equal steps: intermediate output would shorten the steps of "
                 "methods without dense output");
  benchmark.samples = 100;
}

/// Refuses comparisons of the unknowns: each solve would step across their changes, and the solves
/// of a reference, each with its own steps, would not agree.
void require_no_switches_of_unknowns(const ClassicalEntry& entry) {
  if (entry.switches_of_unknowns.empty()) return;
  std::vector<std::string> all;
  for (const FormulaSwitch& one : entry.switches_of_unknowns)
    all.push_back(fmt::format("'{}'{}", shortened(printable(one.text), 80),
                              one.where.empty() ? "" : fmt::format(" ({})", one.where)));
  const FormulaSwitch& first = entry.switches_of_unknowns.front();
  throw InputError(
      fmt::format("{}: {} depend{} on the unknowns. The solution is not smooth where a comparison "
                  "changes, a benchmark stops at comparisons of t alone, and without a stop no "
                  "reference can be certified. Write a smooth formula, such as sqrt(x^2 + d^2) for "
                  "abs(x), or state the motion as a study, which locates them",
                  printable(first.key), fmt::join(all, ", "), all.size() == 1 ? "s" : ""),
      printable(first.where));
}

/// The study of a contact problem, from its file or its text; its values are defaults.
void read_study(Section& section, const ProblemContext& of, ContactSet& set) {
  const std::string text = section.text("study_text", "");
  set.study = std::make_shared<const RollingStudy>(
      text.empty()
          ? read_rolling_study(section.path("study", ShippedKind::study), {}, *of.systems)
          : read_rolling_study(TomlDocument::from_record(text, section.place()), *of.systems));
  if (set.study->has_several_laws() || !find_law(set.study->contact.laws.front())->has_spring())
    section.fail("study", "must be a study whose contact.law is a single law with a spring");
  set.name = set.study->name;
}

constexpr Range valid_problem_epsilon{.low = 0.0, .high = valid_epsilon.high};

/// Values of ε of a study: 0 is ideal rolling.
void read_problem_epsilons(Section& section, const std::string& key, const ProblemContext& of,
                           ContactSet& set) {
  set.epsilons =
      section.has(key) ? read_values(section, key, valid_problem_epsilon) : set.study->epsilons;
  for (const double epsilon : set.epsilons)
    if (epsilon > 0.0 && epsilon < valid_epsilon.low)
      section.fail(key, fmt::format("{} must be 0 or >= {}", epsilon, valid_epsilon.low));
  if (set.epsilons.back() > 0.0) return;
  if (of.kind != BenchmarkKind::work_precision)
    section.fail(key, fmt::format("0, ideal rolling, is for kind = \"work_precision\", not {}",
                                  name_of(of.kind)));
  if (set.study->model.switches)
    section.fail(key, "0, ideal rolling, needs a system whose forces have no switches");
}

const std::vector<Formulation> all_formulations{Formulation::natural, Formulation::adapted};

void read_formulations(Section& section, const std::string& key, ContactSet& set) {
  const std::vector<std::string> names = keys::names_of_values(all_formulations);
  for (const std::string& word : section.choices(key, names, names))
    for (const Formulation one : all_formulations)
      if (word == name_of(one)) set.formulations.push_back(one);
}

/// A sleigh takes 58 kB while the equations are recorded and a sparse Newton matrix is built (583
/// MB of 10 000, 4.1 GB of 100 000 before the first step): 30 000 take 1.7 GB.
constexpr Range valid_sleighs{.low = 1.0, .high = 30'000};

void read_sleighs(Section& section, const std::string& key, ChainSet& set) {
  for (const double count : section.numbers(key, valid_sleighs)) {
    if (count != std::round(count)) section.fail(key, "must be whole numbers of sleighs");
    set.counts.push_back(static_cast<long>(count));
  }
  std::ranges::sort(set.counts);
  if (std::ranges::adjacent_find(set.counts) != set.counts.end())
    section.fail(key, "a number occurs twice");
}

void read_entry_of_catalogue(Section& section, const std::string& key, ClassicalSet& set) {
  if (!section.has(key)) return;
  std::vector<std::string> names;
  for (const ClassicalEntry& entry : classical_problems()) names.push_back(entry.name);
  set.entry = shared_classical_problem(section.choice(key, names, std::nullopt));
  set.name = set.entry->name;
}

/// The problem of [[problem]] file, from the file or from its text.
void read_entry_of_file(Section& section, const std::string& key, ClassicalSet& set) {
  if (section.has(key) && set.file.empty())
    section.fail(key, "is the text of a file: it needs file");
  if (set.file.empty()) return;
  const std::string text = section.text(key, "");
  set.entry = text.empty() ? problem_in_file(section.path("file"))
                           : problem_in(TomlDocument::from_record(text, section.place()).root());
  set.name = set.entry->name;
}

/// The parameters of the problem, and its end, which is a default.
void read_problem_parameters(Section& section, const std::string& key, ClassicalSet& set) {
  Section parameters = section.section(key);
  for (const ClassicalParameter& p : set.entry->parameters)
    set.parameters.push_back(parameters.number(p.name, p.range, p.default_value));
  parameters.finish();
  require_no_switches_of_unknowns(*set.entry);
  set.end = set.entry->make(set.parameters).end;
}

}  // namespace

std::vector<double> read_values(Section& section, const std::string& key, const Range& valid) {
  std::vector<double> values;
  if (section.has_table(key)) {
    Section table = section.section(key);
    // A geometric grid cannot reach 0.
    Range nonzero = valid;
    if (valid.low == 0.0) nonzero.low_open = true;
    values = read_geometric_values(table, nonzero, true);
    table.finish();
  } else {
    values = section.numbers(key, valid);
  }
  std::ranges::sort(values, std::greater{});
  if (std::ranges::adjacent_find(values) != values.end()) section.fail(key, "a value occurs twice");
  return values;
}

namespace benchmark_keys {

const KeyTable<Benchmark>& benchmark() {
  static const KeyTable<Benchmark> table{
      "benchmark",
      joined<Benchmark>(
          {heading_rows<Benchmark>(),
           {BenchmarkKeys::choice(
                {"kind", "",
                 "error against cost; equal steps; cost against epsilon; cost against N"},
                &Benchmark::kind,
                {BenchmarkKind::work_precision, BenchmarkKind::order_reduction,
                 BenchmarkKind::cost_epsilon, BenchmarkKind::cost_count})
                .needed(),
            BenchmarkKeys::read_by(
                {"methods", "", "names of `list solvers`, or the groups stiff and all"},
                "list of names", "[\"stiff\"]", read_methods,
                [](const Benchmark& b) {
                  std::vector<std::string> names;
                  for (const OdeMethod* method : b.methods) names.emplace_back(method->name);
                  return toml_list(names);
                }),
            BenchmarkKeys::read_by({"without", "", "methods of a group that are left out"},
                                   "list of names", "none", read_without),
            // Applied by the caller that opened the file.
            BenchmarkKeys::read_by(
                {"quick", "", "overrides of the short form (--quick), one a line"}, "text", "\"\"",
                [](Section& section, const std::string& key, Benchmark&) {
                  section.text(key, "");
                })}})};
  return table;
}

const KeyTable<Benchmark>& tolerance() {
  static const KeyTable<Benchmark> table{
      "tolerance",
      {BenchmarkKeys::read_by(
           {"rtol", "1", "relative tolerance; of kind work_precision a list or a grid"},
           "each " + valid_rtol.text(), toml_text(Benchmark{}.rtol.front()), read_rtol,
           [](const Benchmark& b) {
             return b.kind == BenchmarkKind::work_precision ? toml_list(b.rtol)
                                                            : toml_text(b.rtol.front());
           }),
       BenchmarkKeys::number(
           {"atol_factor", "1", "atol = atol_factor rtol; a classical ODE has its own"},
           &Benchmark::atol_factor, positive)}};
  return table;
}

const KeyTable<Benchmark>& step() {
  static const KeyTable<Benchmark> table{
      "step",
      {BenchmarkKeys::read_by(
          {"h", "s", "equal steps of kind order_reduction: a list or a grid"},
          "list, each " + positive.text(), needed(),
          [](Section& section, const std::string& key, Benchmark& b) {
            if (!section.has(key)) section.missing(key, "a list or a grid of steps, s");
            b.steps = read_values(section, key, positive);
          },
          [](const Benchmark& b) { return toml_list(b.steps); })}};
  return table;
}

const KeyTable<Benchmark>& judge() {
  static const KeyTable<Benchmark> table{
      "judge",
      {BenchmarkKeys::read_by(
           {"at", "", "judge errors at the end, or at `samples` times up to it"},
           "\"end\", \"grid\"", "\"end\"", read_judged_times,
           [](const Benchmark& b) { return b.samples > 0 ? "\"grid\"" : "\"end\""; }),
       BenchmarkKeys::count({"samples", "", "times of at = \"grid\""}, &Benchmark::samples,
                            {2, 100'000})
           .otherwise("100")
           .written_if([](const Benchmark& b) { return b.samples > 0; })
           .unless([](const Benchmark& b) { return b.samples > 0 ? "" : "needs at = \"grid\""; })}};
  return table;
}

const KeyTable<Benchmark>& limit() {
  static const KeyTable<Benchmark> table{
      "limit",
      {BenchmarkKeys::count({"steps", "", "attempted steps of one solve; more are a failure"},
                            &Benchmark::most_steps, {1, 1'000'000'000})}};
  return table;
}

const KeyTable<Benchmark>& timing() {
  static const KeyTable<Benchmark> table{
      "timing",
      // Equal steps are for orders, not for times.
      {BenchmarkKeys::count(
           {"repeats", "", "rounds of time measurements; 0: no times (needed for --shard)"},
           &Benchmark::repeats, {0, 10'000})
           .otherwise("5; 0 for order_reduction",
                      [](const Benchmark& b) {
                        return b.kind == BenchmarkKind::order_reduction ? 0 : Benchmark{}.repeats;
                      }),
       BenchmarkKeys::number({"most_seconds", "s", "total of one solve's repetitions"},
                             &Benchmark::most_seconds, positive)}};
  return table;
}

KeyTable<ContactSet> contact(const ProblemContext& of) {
  using S = ContactSet;
  using N = Keys<S>;
  return {
      "[problem]",
      {N::read_by(
           {"study", "", "rolling study whose compliant contact is solved"},
           "file path or name of a shipped study", needed(": study, classical or chain"),
           [](Section& section, const std::string& key, S& s) {
             s.file = section.text(key, std::nullopt);
           },
           [](const S& s) { return toml_text(s.file); }),
       N::read_by(
           {"study_text", "", "text of that study, in place of the file (resolved files)"}, "text",
           "none", [of](Section& section, const std::string&, S& s) { read_study(section, of, s); },
           [](const S& s) { return quoted_lines(resolved_toml(*s.study)); }),
       problem_name<S>(),
       N::read_by(
           {"epsilon", "1", "values of epsilon of a study: a list or a grid; 0: ideal rolling"},
           "list, each " + valid_problem_epsilon.text(), "those of the study",
           [of](Section& section, const std::string& key, S& s) {
             read_problem_epsilons(section, key, of, s);
           },
           [](const S& s) { return toml_list(s.epsilons); }),
       N::read_by({"formulations", "",
                   "variables of the solves of a study: (q, v, eta) or (q, u, w, eta)"},
                  "list of: " + keys::list_of(keys::names_of_values(all_formulations)),
                  keys::text_of_value(all_formulations), read_formulations,
                  [](const S& s) { return toml_list(keys::names_of_values(s.formulations)); }),
       N::read_by(
           {"end", "s", "end of the motion of a study"}, valid_time.text(), "time.end of the study",
           [](Section& section, const std::string& key, S& s) {
             RollingStudy study = *s.study;
             study.time.end = section.number(key, valid_time, study.time.end);
             s.study = std::make_shared<const RollingStudy>(std::move(study));
           },
           [](const S& s) { return toml_text(s.study->time.end); })}};
}

const KeyTable<ChainSet>& chain() {
  using S = ChainSet;
  using N = Keys<S>;
  static const KeyTable<S> table{
      "[problem]",
      {N::read_by({"chain", "1", "numbers N of sleighs in a train, for kind cost_count"},
                  "list, each " + valid_sleighs.text(), "see study", read_sleighs,
                  [](const S& s) { return fmt::format("[{}]", fmt::join(s.counts, ", ")); }),
       problem_name<S>(),
       N::numbers({"epsilon", "1", "values of epsilon of the trains; 0: the rigid train"},
                  &S::epsilons, {.low = 0.0, .high = 1e6})
           .needed(),
       N::number({"end", "s", "end of the motion of a train"}, &S::end, valid_time)}};
  return table;
}

const KeyTable<ClassicalSet>& classical() {
  using S = ClassicalSet;
  using N = Keys<S>;
  static const KeyTable<S> table{
      "[problem]",
      {N::read_by({"classical", "", "classical stiff problem: a name of `list problems`"},
                  fmt::format("{} names", classical_problems().size()), "see study",
                  read_entry_of_catalogue,
                  [](const S& s) -> std::optional<std::string> {
                    if (!s.file.empty()) return std::nullopt;
                    return toml_text(s.entry->name);
                  }),
       N::read_by(
           {"file", "", "file of a problem of your own, with the table [problem]"}, "file path",
           "see study",
           [](Section& section, const std::string& key, S& s) {
             if (section.has(key)) s.file = section.text(key, std::nullopt);
           },
           [](const S& s) -> std::optional<std::string> {
             if (s.file.empty()) return std::nullopt;
             return toml_text(s.file);
           }),
       N::read_by({"file_text", "", "text of that file, in place of it (resolved files)"}, "text",
                  "none", read_entry_of_file,
                  [](const S& s) -> std::optional<std::string> {
                    if (s.file.empty()) return std::nullopt;
                    return quoted_lines(s.entry->definition);
                  }),
       problem_name<S>(),
       N::read_by({"parameters", "", "parameters of a classical problem: `describe NAME`"}, "table",
                  "{}", read_problem_parameters,
                  [](const S& s) {
                    std::vector<std::string> all;
                    for (std::size_t i = 0; i < s.parameters.size(); ++i)
                      all.push_back(fmt::format("{} = {}", s.entry->parameters[i].name,
                                                toml_text(s.parameters[i])));
                    return fmt::format("{{{}}}", fmt::join(all, ", "));
                  }),
       // Chemical kinetics end at 1e13 s.
       N::number({"end", "own", "end of a classical problem"}, &S::end,
                 {.low = 1e-20, .high = 1e20})
           .otherwise("that of the problem"),
       N::choice({"reference", "", "reference of a classical problem: in 113 bits, or in double"},
                 &S::in_quad, {{"quad", true}, {"double", false}})}};
  return table;
}

KeyTableInfo grid() {
  return geometric_keys(any_finite, "those of KEY", true).info();
}

}  // namespace benchmark_keys

std::vector<KeyTableInfo> tables_of_benchmarks() {
  using namespace benchmark_keys;
  return {
      benchmark().info(), tolerance().info(), step().info(),  judge().info(),     limit().info(),
      timing().info(),    contact().info(),   chain().info(), classical().info(), grid()};
}

}  // namespace rigidlimit
