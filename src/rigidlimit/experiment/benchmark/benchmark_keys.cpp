#include "rigidlimit/experiment/benchmark/benchmark_keys.hpp"

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"

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

std::vector<double> values_per_decade(Section& table, const Range& valid) {
  if (table.has("count")) table.fail("count", "give either count or per_decade");
  const double from = table.number("from", valid, std::nullopt);
  const double to = table.number("to", valid, std::nullopt);
  require_ratio(table, from, to);
  const double density = table.number("per_decade", {.low = 0.1, .high = 100.0}, std::nullopt);
  // At most 100 for each of about 600 decades: require_ratio() has rejected an infinite ratio.
  const int parts =
      static_cast<int>(std::max(1.0, std::round(density * std::abs(std::log10(to / from)))));
  std::vector<double> values;
  for (int k = 0; k < parts; ++k)
    values.push_back(from * std::pow(to / from, static_cast<double>(k) / parts));
  values.push_back(to);
  return values;
}

}  // namespace

std::vector<double> read_values(Section& section, const std::string& key, const Range& valid) {
  std::vector<double> values;
  if (section.has_table(key)) {
    Section table = section.section(key);
    // A geometric grid cannot reach 0.
    Range nonzero = valid;
    if (valid.low == 0.0) nonzero.low_open = true;
    values = table.has("per_decade") ? values_per_decade(table, nonzero)
                                     : read_geometric_values(table, nonzero);
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
            BenchmarkKeys::described(
                {"methods", "", "names of `list solvers`, or the groups stiff and all"},
                "list of names", "[\"stiff\"]",
                [](const Benchmark& b) {
                  std::vector<std::string> names;
                  for (const OdeMethod* method : b.methods) names.emplace_back(method->name);
                  return toml_list(names);
                }),
            BenchmarkKeys::described({"without", "", "methods of a group that are left out"},
                                     "list of names", "none"),
            BenchmarkKeys::described(
                {"quick", "", "overrides of the short form (--quick), one a line"}, "text",
                "\"\"")}})};
  return table;
}

const KeyTable<Benchmark>& tolerance() {
  static const KeyTable<Benchmark> table{
      "tolerance",
      {BenchmarkKeys::described(
           {"rtol", "1", "relative tolerance; of kind work_precision a list or a grid"},
           "each >= 1e-16 and <= 0.5", "1e-08",
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
      {BenchmarkKeys::described({"h", "s", "equal steps of kind order_reduction: a list or a grid"},
                                "list, each > 0", "needed",
                                [](const Benchmark& b) { return toml_list(b.steps); })}};
  return table;
}

const KeyTable<Benchmark>& judge() {
  static const KeyTable<Benchmark> table{
      "judge",
      {BenchmarkKeys::described(
           {"at", "", "judge errors at the end, or at `samples` times up to it"},
           "\"end\", \"grid\"", "\"end\"",
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

const KeyTable<ContactSet>& contact() {
  using S = ContactSet;
  using N = Keys<S>;
  static const KeyTable<S> table{
      "[problem]",
      {N::described({"study", "", "rolling study whose compliant contact is solved"}, "file path",
                    "needed: study, classical or chain",
                    [](const S& s) { return toml_text(s.file); }),
       problem_name<S>(),
       N::described(
           {"epsilon", "1", "values of epsilon of a study: a list or a grid; 0: ideal rolling"},
           "list, each >= 0 and <= 1e+06", "those of the study",
           [](const S& s) { return toml_list(s.epsilons); }),
       N::described({"formulations", "",
                     "variables of the solves of a study: (q, v, eta) or (q, u, w, eta)"},
                    "list of: \"natural\", \"adapted\"", "[\"natural\", \"adapted\"]",
                    [](const S& s) { return toml_list(keys::names_of_values(s.formulations)); }),
       N::described({"end", "s", "end of the motion of a study"}, valid_time.text(),
                    "time.end of the study",
                    [](const S& s) { return toml_text(s.study->time.end); }),
       N::described({"study_text", "", "text of that study, in place of the file (resolved files)"},
                    "text", "none",
                    [](const S& s) { return quoted_lines(resolved_toml(*s.study)); })}};
  return table;
}

const KeyTable<ChainSet>& chain() {
  using S = ChainSet;
  using N = Keys<S>;
  static const KeyTable<S> table{
      "[problem]",
      {N::described({"chain", "1", "numbers N of sleighs in a train, for kind cost_count"},
                    "list, each >= 1 and <= 30000", "see study",
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
      {N::described({"classical", "", "classical stiff problem: a name of `list problems`"},
                    fmt::format("{} names", classical_problems().size()), "see study",
                    [](const S& s) -> std::optional<std::string> {
                      if (!s.file.empty()) return std::nullopt;
                      return toml_text(s.entry->name);
                    }),
       N::described({"file", "", "file of a problem of your own, with the table [problem]"},
                    "file path", "see study",
                    [](const S& s) -> std::optional<std::string> {
                      if (s.file.empty()) return std::nullopt;
                      return toml_text(s.file);
                    }),
       N::described({"file_text", "", "text of that file, in place of it (resolved files)"}, "text",
                    "none",
                    [](const S& s) -> std::optional<std::string> {
                      if (s.file.empty()) return std::nullopt;
                      return quoted_lines(s.entry->definition);
                    }),
       problem_name<S>(),
       N::described({"parameters", "", "parameters of a classical problem: `describe NAME`"},
                    "table", "{}",
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
  KeyTableInfo info = range_keys("those of KEY");
  info.keys.push_back({.name = "per_decade",
                       .unit = "1",
                       .text = "values in a decade, in place of count",
                       .values = ">= 0.1 and <= 100",
                       .is_number = true});
  return info;
}

}  // namespace benchmark_keys

std::vector<KeyTableInfo> tables_of_benchmarks() {
  using namespace benchmark_keys;
  return {
      benchmark().info(), tolerance().info(), step().info(),  judge().info(),     limit().info(),
      timing().info(),    contact().info(),   chain().info(), classical().info(), grid()};
}

}  // namespace rigidlimit
