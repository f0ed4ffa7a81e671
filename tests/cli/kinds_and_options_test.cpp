// Every kind of file takes every option of run: the product of both.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/process.hpp"
#include "support/sample_benchmark.hpp"
#include "support/sample_map.hpp"
#include "support/sample_slip.hpp"
#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

constexpr const char* modes_text = R"([study]
name = "sample"
[system]
name = "two_point_ball"
[map]
slopes = [0.05]
half_angles = [0.5]
frictions = [0.2]
[[start]]
name = "rest"
[contact]
epsilon = 1e-3
[time]
end = 0.1
samples = 5
)";

struct Kind {
  std::string name;
  std::string text;
  std::string stem;   ///< of its files
  std::string table;  ///< that CSV on standard output is
};

std::vector<Kind> kinds() {
  std::string benchmark = test::sample_benchmark_text;
  const std::string study = "knife_edge.toml";
  benchmark.replace(benchmark.find(study), study.size(), test::experiments + "/knife_edge.toml");
  return {{"study", test::sample_text + "[[expect]]\nquantity = \"q\"\norder = 2.0\n", "table",
           "table"},
          {"friction", test::sample_slip_text, "slip", "errors"},
          {"sweep",
           test::sample_text + "[[expect]]\nquantity = \"q\"\norder = 2.0\n[sweep]\n"
                               "contact.damping_ratio = [0.5, 1.0]\n",
           "sweep", "table"},
          {"map", test::sample_map_text, "map", "map"},
          {"modes", modes_text, "modes", "modes"},
          {"benchmark", benchmark, "bench", "bench"}};
}

class EveryKind : public testing::TestWithParam<Kind> {
 protected:
  EveryKind() { place.write("file.toml", GetParam().text); }
  test::Said run(std::vector<std::string> options) {
    options.insert(options.begin(), {"run", "file.toml"});
    return test::rigidlimit(std::move(options), place.path());
  }
  /// What a run left at NAME.
  std::string written(const std::string& name) {
    for (const auto& entry : std::filesystem::directory_iterator(place.path("results")))
      return test::text_of(entry.path() / name);
    return "";
  }
  test::TemporaryDirectory place;
};

TEST_P(EveryKind, PrintsWhatItWritesInEveryFormat) {
  ASSERT_LE(run({"--quiet"}).status, 1);
  const Kind& kind = GetParam();
  for (const auto& [format, ending] : {std::pair("csv", ".csv"), std::pair("markdown", ".md"),
                                       std::pair("latex", ".tex"), std::pair("table", ".txt")}) {
    const test::Said said = run({"--format", format, "-o", "out"});
    EXPECT_LE(said.status, 1) << said.err;
    const std::string name = (std::string(format) == "csv" ? kind.table : kind.stem) + ending;
    EXPECT_NE(test::text_of(place.path("out")), "");
    EXPECT_EQ(test::text_of(place.path("out")), written(name)) << name;
  }
  EXPECT_LE(run({"--format", "json", "-o", "out"}).status, 1);
  const auto printed = nlohmann::json::parse(test::text_of(place.path("out")));
  ASSERT_EQ(printed.size(), 1u);
  EXPECT_EQ(printed[0], nlohmann::json::parse(written(kind.stem + ".json")));
}

TEST_P(EveryKind, WritesJunitAndIsQuietAndPlansAndSetsKeys) {
  const test::Said planned = run({"--dry-run"});
  EXPECT_EQ(planned.status, 0) << planned.err;
  EXPECT_THAT(planned.out, HasSubstr("sample"));
  EXPECT_FALSE(std::filesystem::exists(place.path("results"))) << "it plans only";
  const test::Said quiet = run({"--quiet", "--jobs", "2", "--junit", "out.xml", "--results", "at"});
  EXPECT_LE(quiet.status, 1) << quiet.err;
  EXPECT_EQ(quiet.out, "");
  EXPECT_THAT(test::text_of(place.path("out.xml")), HasSubstr("file=\"file.toml\""));
  EXPECT_FALSE(std::filesystem::is_empty(place.path("at")));
  EXPECT_EQ(run({"--set", "no.such.key=1"}).status, 2);
}

TEST_P(EveryKind, IsJudgedByCheckIfItDemandsSomething) {
  const test::Said said = test::rigidlimit({"check", "file.toml"}, place.path());
  const bool demands = GetParam().name != "map" && GetParam().name != "benchmark";
  if (!demands) EXPECT_THAT(said.err, HasSubstr("there is nothing to check"));
  EXPECT_EQ(said.status == 2, !demands) << said.err;
  EXPECT_FALSE(std::filesystem::exists(place.path("results"))) << "it keeps nothing";
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::ValuesIn(kinds()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace rigidlimit
