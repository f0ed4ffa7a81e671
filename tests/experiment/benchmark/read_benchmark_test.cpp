// Tests reading a benchmark file: defaults, resolved text, and errors with their place.
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

#include "rigidlimit/experiment/benchmark/problems_of.hpp"
#include "rigidlimit/solvers/own_method.hpp"
#include "support/sample_benchmark.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("the sample has no " + from);
  return text.replace(at, from.size(), to);
}

TEST(ReadBenchmark, FillsInTheDefaults) {
  const Benchmark b = test::benchmark_from(test::sample_benchmark_text);
  EXPECT_EQ(b.kind, Benchmark::Kind::work_precision);
  EXPECT_EQ(b.methods.size(), 3u);
  EXPECT_EQ(b.rtol, (std::vector<double>{1e-3, 1e-6})) << "decreasing";
  EXPECT_EQ(b.samples, 0);
  const auto& set = std::get<ContactSet>(b.problems.at(0));
  EXPECT_EQ(set.name, "knife_edge");
  EXPECT_EQ(set.formulations.size(), 2u);
  const std::vector<Setting> settings = settings_of(b, 2.0);
  EXPECT_EQ(settings[1].atol, 0.01 * 1e-6);
}

TEST(ReadBenchmark, AGridHasItsEndsAndItsDensity) {
  const Benchmark b = test::benchmark_from(replaced(test::sample_benchmark_text, "[1e-6, 1e-3]",
                                                    "{from = 1e-2, to = 1e-12, per_decade = 2}"));
  ASSERT_EQ(b.rtol.size(), 21u);
  EXPECT_EQ(b.rtol.front(), 1e-2);
  EXPECT_EQ(b.rtol.back(), 1e-12);
  EXPECT_NEAR(b.rtol[2] / 1e-3, 1.0, 1e-14);  // two roundings of a power
}

TEST(ReadBenchmark, GroupsOfMethodsComeFromTheCatalogue) {
  const auto count = [](const std::vector<std::string>& overrides) {
    return static_cast<std::ptrdiff_t>(
        test::benchmark_from(test::sample_benchmark_text, overrides).methods.size());
  };
  const auto all = std::ssize(ode_methods());
  EXPECT_EQ(count({"benchmark.methods=[\"all\"]"}), all);
  EXPECT_EQ(count({"benchmark.methods=[\"stiff\"]"}),
            std::ranges::count_if(ode_methods(), &OdeMethod::stiff));
  EXPECT_EQ(count({"benchmark.methods=[\"all\"]", "benchmark.without=[\"dopri5\"]"}), all - 1);
}

TEST(ReadBenchmark, EqualStepsDivideTheInterval) {
  Benchmark b = test::equal_steps({"radau_iia_3"});
  b.steps = {0.3, 0.29, 0.1};
  const std::vector<Setting> settings = settings_of(b, 2.0);
  ASSERT_EQ(settings.size(), 2u) << "both 0.3 and 0.29 are 2/7";
  EXPECT_EQ(settings[0].h, 2.0 / 7.0);
  EXPECT_EQ(settings[1].h, 2.0 / 20.0);
}

TEST(ReadBenchmark, TheResolvedTextReadsToTheSameText) {
  const std::string resolved = resolved_toml(test::benchmark_from(test::sample_benchmark_text));
  EXPECT_EQ(resolved_toml(test::benchmark_from(resolved)), resolved);
}

TEST(ReadBenchmark, OverridesApplyAfterTheShortForm) {
  const test::TemporaryDirectory place;
  const std::string study = test::studies + "/knife_edge.toml";
  const std::string text =
      replaced(replaced(test::sample_benchmark_text, "knife_edge.toml", study), "[tolerance]",
               "quick = \"\"\"\ntolerance.rtol = [1e-2]\nlimit.steps = 77\n\"\"\"\n[tolerance]");
  const std::string file = place.write("b.toml", text);
  EXPECT_EQ(read_benchmark(file).most_steps, 300);
  EXPECT_EQ(read_benchmark(file, {.quick = true}).most_steps, 77);
  EXPECT_EQ(read_benchmark(file).name, "sample");
  EXPECT_EQ(read_benchmark(file, {.quick = true}).name, "sample_quick");
  EXPECT_EQ(read_benchmark(file, {.quick = true}).rtol, std::vector<double>{1e-2});
  EXPECT_EQ(read_benchmark(file, {.overrides = {"limit.steps=5"}, .quick = true}).most_steps, 5);
  const std::string plain =
      place.write("plain.toml", replaced(test::sample_benchmark_text, "knife_edge.toml", study));
  EXPECT_THROW(read_benchmark(plain, {.quick = true}), InputError) << "it has no short form";
}

TEST(ReadBenchmark, TheKeyEndShortensTheStudy) {
  const Benchmark b = test::benchmark_from(test::sample_benchmark_text + "end = 0.5\n");
  EXPECT_EQ(problems_of(b).problems[0].times, std::vector<double>{0.5});
}

TEST(ReadBenchmark, AClassicalProblemHasParametersAndTolerances) {
  const std::string text =
      replaced(test::sample_benchmark_text, "study = \"knife_edge.toml\"\nepsilon = [1e-2, 1e-4]",
               "classical = \"van_der_pol\"\nparameters = {mu = 50.0}");
  const Benchmark b = test::benchmark_from(text);
  const auto& set = std::get<ClassicalSet>(b.problems.at(0));
  EXPECT_EQ(set.parameters, std::vector<double>{50.0});
  EXPECT_EQ(resolved_toml(test::benchmark_from(resolved_toml(b))), resolved_toml(b));
  const PosedProblem posed = problems_of(b).problems.at(0).pose();
  EXPECT_EQ(posed.atol_over_rtol.size(), 2u);
  EXPECT_THAT(test::complaint_about_benchmark(replaced(text, "mu", "nu")),
              StartsWith("sample.toml:13:15: problem[0].parameters.nu: "));
  EXPECT_THAT(test::complaint_about_benchmark(replaced(text, "van_der_pol", "van_der_pal")),
              HasSubstr("'van_der_pol'"));
}

TEST(ReadBenchmark, ErrorsHavePlaceAndRemedy) {
  const std::string& good = test::sample_benchmark_text;
  ASSERT_EQ(test::complaint_about_benchmark(good), "");
  const auto expect = [&](const char* from, const char* to, const char* place, const char* what) {
    const std::string said = test::complaint_about_benchmark(replaced(good, from, to));
    EXPECT_THAT(said, StartsWith(place)) << to;
    EXPECT_THAT(said, HasSubstr(what)) << to;
    EXPECT_THAT(said, testing::Not(HasSubstr("\n")));
  };
  expect("\"dopri5\"", "\"dopri6\"", "sample.toml:4:11", "'dopri5'");
  expect("[1e-6, 1e-3]", "[1e-6, 1e-6]", "sample.toml:6:8", "occurs twice");
  expect("[1e-6, 1e-3]", "[0.0]", "sample.toml:6:8", ">= 1e-16");
  expect("rtol = [1e-6, 1e-3]", "rtol = {from = 1e-2, to = 1e-4, per_decade = 1, count = 3}",
         "sample.toml:6:57", "per_decade");
  expect("[limit]", "[step]\nh = [0.1]\n[limit]", "sample.toml:7:1", "order_reduction");
  expect("epsilon = [1e-2", "epsilon = [1e-60, 1e-2", "sample.toml:13:11", "1e-50");
  expect("\"knife_edge.toml\"", "\"no_such.toml\"", "sample.toml:12:9", "cannot be read");
  expect("study = \"knife_edge.toml\"", "chain = [1, 2]", "sample.toml:12:9", "cost_count");
  expect("study = \"knife_edge.toml\"", "study = \"../realisation/realisations.toml\"",
         "sample.toml:12:9", "law");
  expect("[timing]\nrepeats = 1\n", "[[problem]]\nstudy = \"knife_edge.toml\"\n",
         "sample.toml:11:1", "knife_edge");
}

// A sleigh takes 58 kB: more than 30 000 are refused before memory is taken.
TEST(ReadBenchmark, ALongerChainThanFitsInMemoryIsRefused) {
  const auto read = [](int sleighs) {
    return test::benchmark_from(fmt::format(R"toml(
benchmark = {{name = "chain", kind = "cost_count", methods = ["radau_iia_3"]}}
[[problem]]
chain = [1, {}]
epsilon = [1e-2]
)toml",
                                            sleighs));
  };
  try {
    read(30'001);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("sample.toml:4"), HasSubstr("chain"),
                                             HasSubstr("30001"), HasSubstr("30000")));
  }
  EXPECT_NO_THROW(read(30'000)) << "negative control";
}

}  // namespace
}  // namespace rigidlimit
