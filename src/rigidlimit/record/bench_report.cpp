#include "rigidlimit/record/bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "rigidlimit/bench/judge_error.hpp"
#include "rigidlimit/bench/read_benchmark.hpp"
#include "rigidlimit/bench/step_orders.hpp"
#include "rigidlimit/bench/timing.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/bench_rows.hpp"
#include "rigidlimit/record/bench_tables.hpp"
#include "rigidlimit/record/output.hpp"
#include "rigidlimit/record/provenance.hpp"

namespace rigidlimit {

namespace {

using Kind = Benchmark::Kind;

/// A heading, a sentence, a table.
struct Part {
  std::string title;
  std::string says;
  TextTable table;
};

Part winners_part(const BenchResult& result) {
  return {"Winners",
          "The cheapest run whose error (and error bar of the reference) is in the band, without "
          "interpolation; at the next tighter setting it is in the band as well. \"Reached by\" "
          "counts methods × variables.",
          winner_table(result)};
}

std::vector<Part> parts_of(const BenchResult& result) {
  std::vector<Part> parts;
  switch (result.benchmark.kind) {
    case Kind::work_precision: parts.push_back(winners_part(result)); break;
    case Kind::order_reduction:
      parts.push_back(
          {"Orders",
           fmt::format(
               "Classical order, and the order fitted to the errors over h ≥ {:g} ε (at the "
               "smallest ε with evidence) and over h ≤ {:g} ε (at the largest); in between the "
               "least "
               "order of two neighbouring h at any ε, with its h/ε.",
               stiff_from, resolved_to),
           order_table(result)});
      parts.push_back({"Crossover and plateaus",
                       fmt::format("Where one order passes into the other, and the steps between "
                                   "which the error hardly changes (order below {:g}).",
                                   plateau_order),
                       crossover_table(result)});
      break;
    case Kind::cost_epsilon:
      parts.push_back({fmt::format("Cost against ε at rtol {:g}", result.benchmark.rtol.front()),
                       "The error is the largest of q and v (of all components where there are no "
                       "such groups).",
                       epsilon_table(result)});
      break;
    case Kind::cost_count:
      parts.push_back({fmt::format("Cost against N at rtol {:g}", result.benchmark.rtol.front()),
                       "The exponent of the time a step is fitted over N ≥ 10.",
                       count_table(result)});
      break;
  }
  parts.push_back({"Failures", "Runs that did not arrive, and methods that refused the problem.",
                   failure_table(result)});
  return parts;
}

/// "interrupted: 12 of 40 trials ended"; empty: it was not.
std::string interrupted_text(const BenchResult& result) {
  if (!result.interrupted) return "";
  const std::size_t ended = result.ended(), all = result.trials.size();
  return fmt::format("interrupted: {} of {} trials ended{}", ended, all,
                     ended == all ? ", not all times were taken" : "");
}

std::string headline(const BenchResult& result) {
  const Benchmark& b = result.benchmark;
  std::string text = b.question.empty() ? b.name : b.name + ": " + printable(b.question);
  const auto arrived = std::ranges::count(result.trials, Outcome::success, &Trial::outcome);
  text += fmt::format("\n  {} solves, {} arrived; errors {}", result.trials.size(), arrived,
                      judged_text(b));
  return result.interrupted ? text + "\n  " + interrupted_text(result) : text;
}

std::string measured_text(const BenchResult& result) {
  const Benchmark& b = result.benchmark;
  std::string text = fmt::format(
      "\n## How it was measured\n\n"
      "* Errors: {}; max |e|, scd = −log10 max |e|/|y|, mixed = −log10 max |e|/(|y| + 1), each "
      "group "
      "apart. A row whose error is below {:g} × the error bar of its reference is "
      "`reference_limited`: no evidence, but an upper bound.\n"
      "* Times: {}\n",
      judged_text(b), reference_factor, timing_protocol(b));
  if (b.kind != Kind::order_reduction)
    text += fmt::format("* Absolute tolerance: {:g} × rtol in every component.\n", b.atol_factor);
  text += fmt::format("* At most {} attempted steps a solve.\n", b.most_steps);
  std::set<std::string> hows;
  for (const BenchReference& reference : result.references)
    if (!reference.how.empty()) hows.insert(reference.how);
  for (const std::string& how : hows) text += fmt::format("* Reference: {}.\n", how);
  for (const auto& [key, value] : build_provenance()) text += fmt::format("* {}: {}\n", key, value);
  return text + fmt::format("* benchmark: {}\n\n{}", benchmark_hash(b),
                            markdown_text(reference_table(result)));
}

}  // namespace

std::string bench_report(const BenchResult& result, bool colour) {
  std::string text = headline(result) + "\n";
  for (const Part& part : parts_of(result))
    if (!part.table.rows.empty())
      text += fmt::format("\n{}\n{}", part.title, terminal_text(part.table, colour));
  return text;
}

std::string bench_page(const BenchResult& result) {
  const Benchmark& b = result.benchmark;
  std::string text = fmt::format(
      "# {}\n\n{}\n\nGenerated by `rigidlimit bench`; nothing here is "
      "typed by hand.\n",
      b.name, markdown_escaped(b.question));
  if (result.interrupted) text += fmt::format("\n**{}.**\n", interrupted_text(result));
  for (const Part& part : parts_of(result))
    text += fmt::format("\n## {}\n\n{}\n\n{}", part.title, part.says,
                        part.table.rows.empty() ? "None.\n" : markdown_text(part.table));
  return text + measured_text(result);
}

std::string write_bench(const BenchResult& result, const std::string& directory) {
  const std::filesystem::path place =
      std::filesystem::path(directory) /
      (result.benchmark.name + (result.interrupted ? "_interrupted" : ""));
  std::error_code failure;
  std::filesystem::create_directories(place, failure);
  if (failure) throw InputError("cannot be created: " + failure.message(), place.string());
  write_file(place / "bench.toml", resolved_toml(result.benchmark));
  write_file(place / "bench.csv", bench_csv(result));
  write_file(place / "bench.json", bench_json(result));
  write_file(place / "page.md", bench_page(result));
  return place.string();
}

}  // namespace rigidlimit
