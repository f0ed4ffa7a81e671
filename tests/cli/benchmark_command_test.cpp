// rigidlimit run: what is printed, what is written, and the exit status; every shipped benchmark
// in its short form.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_benchmark.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

class BenchVerbTest : public testing::Test {
 protected:
  test::Said bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    return test::rigidlimit(std::move(arguments), place.path());
  }
  /// The sample with the study's file in full, and something added.
  std::string sample(const std::string& name, const std::string& more) {
    std::string text = test::sample_benchmark_text;
    const std::string study = "knife_edge.toml";
    text.replace(text.find(study), study.size(), test::studies + "/" + study);
    return place.write(name, text + more);
  }
  test::TemporaryDirectory place;
  std::string good = sample("good.toml", "");
};

TEST_F(BenchVerbTest, PrintsAndWritesTheResults) {
  const test::Said said = bench({good});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("Winners"));
  EXPECT_THAT(said.out, HasSubstr("Failures"));
  for (const char* name : {"bench.csv", "bench.json", "bench.toml", "bench.md"})
    EXPECT_NE(test::text_of(place.path(std::string("results/sample/") + name)), "") << name;
}

TEST_F(BenchVerbTest, AllButTheTimesIsTheSameForAnyJobs) {
  const std::string untimed = "timing.repeats=0";
  EXPECT_EQ(bench({good, "--jobs", "2", "--quiet", "--set", untimed}).status, 0);
  const test::Said again =
      bench({good, "--jobs", "1", "--quiet", "--set", untimed, "--results", "again"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, "");
  for (const char* name : {"bench.csv", "bench.md"})
    EXPECT_EQ(test::text_of(place.path(std::string("again/sample/") + name)),
              test::text_of(place.path(std::string("results/sample/") + name)))
        << name;
}

TEST_F(BenchVerbTest, TheShortFormLeavesTheResultOfTheWholeAlone) {
  std::string text = test::text_of(good);
  const std::string file = place.write(
      "short.toml",
      text.replace(text.find("[tolerance]"), 0, "quick = \"tolerance.rtol = [1e-3]\"\n"));
  ASSERT_EQ(bench({file, "--quiet"}).status, 0);
  const std::string whole = test::text_of(place.path("results/sample/bench.csv"));
  const test::Said said = bench({file, "--quick"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("written to results/sample_quick"));
  EXPECT_EQ(test::text_of(place.path("results/sample/bench.csv")), whole);
  EXPECT_THAT(test::text_of(place.path("results/sample_quick/bench.md")),
              testing::StartsWith("## sample_quick"));
}

TEST_F(BenchVerbTest, BadInputIsReportedWithItsPlaceAndStatus2) {
  const std::string bad = sample("bad.toml", "epsilom = [1]\n");
  const test::Said said = bench({bad, good});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr(bad + ":14:1: problem[0].epsilom: unknown key"));
  EXPECT_THAT(said.out, HasSubstr("sample")) << "the other one is run";
  EXPECT_THAT(bench({good, "--quick"}).err, HasSubstr("benchmark.quick: missing"));
  EXPECT_THAT(bench({good, good}).err, HasSubstr("share a directory"));
}

TEST_F(BenchVerbTest, NoNumberAtAllIsStatus2) {
  const test::Said said = bench({good, "--set", "limit.steps=1"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.out, HasSubstr("max_steps"));
}

TEST(ShippedBenchmarks, RunInTheirShortForm) {
  int found = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::in_repository("experiments/benchmarks"))) {
    if (entry.path().extension() != ".toml") continue;
    ++found;
    const Benchmark benchmark = read_benchmark(entry.path().string());
    EXPECT_EQ(benchmark.name, entry.path().stem().string());
    EXPECT_FALSE(benchmark.question.empty());
    const test::TemporaryDirectory place;
    const test::Said said =
        test::rigidlimit({"run", entry.path().string(), "--quick"}, place.path());
    EXPECT_EQ(said.status, 0) << said.err;
    const auto lines = test::csv_fields(
        test::text_of(place.path("results/" + benchmark.name + "_quick/bench.csv")));
    EXPECT_GT(lines.size(), 10u) << benchmark.name;
    const auto ok = std::ranges::count_if(
        lines, [](const auto& fields) { return std::ranges::count(fields, "ok") > 0; });
    // A good part of a short form is evidence; what fails is there to be seen.
    EXPECT_GT(3 * ok, static_cast<std::ptrdiff_t>(lines.size())) << benchmark.name;
  }
  EXPECT_GE(found, 4);
}

}  // namespace
}  // namespace rigidlimit
