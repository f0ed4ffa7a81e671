// Tests `rigidlimit run --quick` of benchmarks.
#include <gmock/gmock.h>

#include "support/process.hpp"
#include "support/sample_benchmark.hpp"

namespace rigidlimit {
namespace {

TEST(BenchVerbTest, QuickWritesToASeparateDirectory) {
  const test::TemporaryDirectory place;
  std::string text = test::sample_benchmark_text;
  const std::string study = "knife_edge.toml";
  text.replace(text.find(study), study.size(), test::studies + "/" + study);
  text.insert(text.find("[tolerance]"), "quick = \"tolerance.rtol = [1e-3]\"\n");
  const std::string file = place.write("short.toml", text);
  ASSERT_EQ(test::rigidlimit({"run", file, "--quiet"}, place.path()).status, 0);
  const std::string whole = test::text_of(place.path("results/sample/errors.csv"));
  const test::Said said = test::rigidlimit({"run", file, "--quick"}, place.path());
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.err, testing::HasSubstr("results/sample_quick"));
  EXPECT_EQ(test::text_of(place.path("results/sample/errors.csv")), whole);
  EXPECT_THAT(test::text_of(place.path("results/sample_quick/result.md")),
              testing::StartsWith("## sample_quick"));
}

}  // namespace
}  // namespace rigidlimit
