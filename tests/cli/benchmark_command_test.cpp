// Tests `rigidlimit run` of benchmarks: --quick, bad input, exit status.
#include <gmock/gmock.h>

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
  /// Writes the sample, with the full path of its study, and appends `more`.
  std::string sample(const std::string& name, const std::string& more) {
    std::string text = test::sample_benchmark_text;
    const std::string study = "knife_edge.toml";
    text.replace(text.find(study), study.size(), test::studies + "/" + study);
    return place.write(name, text + more);
  }
  test::TemporaryDirectory place;
  std::string good = sample("good.toml", "");
};

TEST_F(BenchVerbTest, QuickWritesToASeparateDirectory) {
  std::string text = test::text_of(good);
  const std::string file = place.write(
      "short.toml",
      text.replace(text.find("[tolerance]"), 0, "quick = \"tolerance.rtol = [1e-3]\"\n"));
  ASSERT_EQ(bench({file, "--quiet"}).status, 0);
  const std::string whole = test::text_of(place.path("results/sample/errors.csv"));
  const test::Said said = bench({file, "--quick"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("results/sample_quick"));
  EXPECT_EQ(test::text_of(place.path("results/sample/errors.csv")), whole);
  EXPECT_THAT(test::text_of(place.path("results/sample_quick/result.md")),
              testing::StartsWith("## sample_quick"));
}

TEST_F(BenchVerbTest, BadInputGivesItsPlaceAndStatus2) {
  const std::string bad = sample("bad.toml", "epsilom = [1]\n");
  const test::Said said = bench({bad, good});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr(bad + ":14:1: problem[0].epsilom: unknown key"));
  EXPECT_THAT(said.out, HasSubstr("sample")) << "the second file runs";
  EXPECT_THAT(bench({good, "--quick"}).err, HasSubstr("benchmark.quick"));
  EXPECT_EQ(bench({good, good}).status, 2) << "one results directory";
}

TEST_F(BenchVerbTest, NoResultGivesStatus2) {
  const test::Said said = bench({good, "--set", "limit.steps=1"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.out, HasSubstr("max_steps"));
}

}  // namespace
}  // namespace rigidlimit
