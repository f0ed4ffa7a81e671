// Tests that every kind of experiment file supports every option of `rigidlimit run`.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "rigidlimit/report/report.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_benchmark.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_study.hpp"
#include "support/stored_rows.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

constexpr const char* modes_text = R"([study]
name = "sample"
[system]
name = "two_point_ball"
half_angle = 0.5
friction_left = 0.2
friction_right = 0.2
[epsilon]
values = [1e-3]
[time]
end = 0.1
samples = 5
compared = 0.0
[solvers]
moreau_jean = []
[history]
ends_agree = true
[sweep]
system.slope = [0.05, 0.1, 0.15]
)";

struct Kind {
  std::string name;
  std::string text;
  std::string swept{};  ///< column of the swept key; empty: no sweep
  bool timed = false;   ///< has times, which are not sharded and not repeated
};

std::vector<Kind> kinds() {
  std::string benchmark = test::sample_benchmark_text;
  const std::string study = "knife_edge.toml";
  benchmark.replace(benchmark.find(study), study.size(), test::studies + "/knife_edge.toml");
  const std::string expected = "[[expect]]\nquantity = \"q\"\norder = 2.0\n";
  const std::string unsampled = "[output]\nsamples = \"none\"\n";
  const std::string sweep = "[sweep]\ncontact.damping_ratio = [0.5, 1.0]\n";
  return {{"study", test::sample_text + expected},
          {"study_without_samples", test::sample_text + unsampled + expected},
          {"steps", test::sample_text + "max_steps = 5000\ncompliant = [\"radau_iia_7\"]\n" +
                        "[[expect]]\nquantity = \"steps\"\ngrowth_at_most = 90.0\n"},
          {"friction", test::sample_friction_text},
          {"sweep", test::sample_text + expected + sweep, "contact_damping_ratio"},
          {"sweep_without_samples", test::sample_text + unsampled + expected + sweep,
           "contact_damping_ratio"},
          {"friction_sweep", test::sample_friction_text + "[sweep]\nsystem.radius = [0.1, 0.2]\n",
           "system_radius"},
          {"modes", modes_text, "system_slope"},
          {"benchmark", benchmark, "", true}};
}

class EveryKind : public testing::TestWithParam<Kind> {
 protected:
  EveryKind() { place.write("file.toml", GetParam().text); }
  test::Said run(std::vector<std::string> options) {
    options.insert(options.begin(), {"run", "file.toml"});
    return test::rigidlimit(std::move(options), place.path());
  }
  test::Said check(std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "file.toml"});
    return test::rigidlimit(std::move(options), place.path());
  }
  bool demands() const { return GetParam().name != "benchmark"; }
  /// From now on without times.
  void untimed() {
    std::string text = GetParam().text;
    const std::string repeats = "repeats = 1";
    text.replace(text.find(repeats), repeats.size(), "repeats = 0");
    place.write("file.toml", text);
  }
  /// The number of solves computed by the last run into `directory`.
  long computed(const std::string& directory = "results") {
    return test::stored_number(place.path(directory + "/sample/results.db"),
                               "SELECT computed FROM runs ORDER BY id DESC LIMIT 1");
  }
  /// The result files by name, without the database.
  std::map<std::string, std::string> files(const std::string& directory) {
    std::map<std::string, std::string> texts;
    for (const auto& entry : std::filesystem::directory_iterator(place.path(directory + "/sample")))
      if (entry.is_regular_file() && entry.path().string().find(".db") == std::string::npos)
        texts[entry.path().filename()] = test::text_of(entry.path());
    return texts;
  }
  /// The text of the result file `name`.
  std::string written(const std::string& name) {
    for (const auto& entry : std::filesystem::directory_iterator(place.path("results")))
      return test::text_of(entry.path() / name);
    return "";
  }
  test::TemporaryDirectory place;
};

// A line has at most terminal_width characters, in the brief text and on the page. Negative
// control: the tables of the page have more columns than fit.
TEST_P(EveryKind, FitsATerminal) {
  const test::Said brief = run({}), full = run({"--full"});
  ASSERT_LE(full.status, 1) << full.err;
  EXPECT_LE(test::split(brief.out, '\n').size(), brief_lines);
  EXPECT_LE(test::split(brief.out, '\n').size(), test::split(full.out, '\n').size());
  for (const std::string& text : {brief.out, full.out})
    for (const std::string& line : test::split(text, '\n'))
      EXPECT_LE(display_width(line), terminal_width) << line;
}

TEST_P(EveryKind, PrintsTheWrittenFileInEveryFormat) {
  ASSERT_LE(run({"--quiet"}).status, 1);
  for (const auto& [format, name] :
       {std::pair("csv", "errors.csv"), std::pair("markdown", "result.md"),
        std::pair("html", "result.html"), std::pair("latex", "result.tex"),
        std::pair("json", "result.json"), std::pair("table", "result.txt")}) {
    const test::Said said = run({"--format", format, "-o", "out"});
    EXPECT_LE(said.status, 1) << said.err;
    EXPECT_EQ(said.out, "");
    EXPECT_NE(test::text_of(place.path("out")), "");
    EXPECT_EQ(test::text_of(place.path("out")), written(name)) << name;
  }
}

TEST_P(EveryKind, TheHtmlIsADocumentWithTheVerdictInItsTitle) {
  ASSERT_LE(run({"--quiet"}).status, 1);
  const std::string page = written("result.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset="));
  EXPECT_THAT(page, HasSubstr("<meta name=\"viewport\""));
  EXPECT_THAT(page, testing::ContainsRegex("<title>sample(: [a-z ]+)?</title>"));
  EXPECT_TRUE(page.ends_with("</body>\n</html>\n"));
}

TEST_P(EveryKind, TheDocumentHasTheSameHeadAndProvenance) {
  ASSERT_LE(run({"--quiet"}).status, 1);
  const auto document = nlohmann::ordered_json::parse(written("result.json"));
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  ASSERT_GT(keys.size(), 10u);
  EXPECT_THAT(std::vector(keys.begin(), keys.begin() + 8),
              testing::ElementsAre("name", "kind", "sweep", "question", "source", "held",
                                   "interrupted", "claims"));
  EXPECT_THAT(std::vector(keys.end() - 2, keys.end()), testing::ElementsAre("notes", "provenance"));
  EXPECT_EQ(document["name"], "sample");
  const bool sweeps = !GetParam().swept.empty();
  EXPECT_EQ(document["sweep"], sweeps);
  const std::vector<std::string> columns = test::csv_fields(written("errors.csv")).at(0);
  EXPECT_EQ(std::ranges::count(columns, GetParam().swept), sweeps ? 1 : 0);
  for (const auto& claim : document["claims"]) {
    EXPECT_EQ(claim.contains("swept"), sweeps) << claim;
    for (const char* key : {"name", "group", "held", "message"})
      EXPECT_TRUE(claim.contains(key)) << key;
  }
  EXPECT_EQ(document["provenance"]["resolved"], written("resolved.toml"));
  EXPECT_EQ(document["provenance"]["hash"].get<std::string>().size(), 36u);
  if (GetParam().timed) return;
  for (const char* key : {"system", "errors", "series"}) EXPECT_TRUE(document.contains(key)) << key;
  for (const char* key : {"parameters", "coordinates", "velocities", "contacts"})
    EXPECT_FALSE(document["system"][key].empty()) << key;
  EXPECT_TRUE(document["system"]["name"].is_string());
}

TEST_P(EveryKind, TheResolvedFileGivesTheSameBytesForAnyNumberOfJobs) {
  if (GetParam().timed) untimed();
  ASSERT_LE(run({"--quiet", "--jobs", "2"}).status, 1);
  const test::Said said = test::rigidlimit(
      {"run", "results/sample/resolved.toml", "--quiet", "--jobs", "1", "--results", "again"},
      place.path());
  EXPECT_LE(said.status, 1) << said.err;
  const auto first = files("results"), second = files("again");
  EXPECT_GT(first.size(), 4u);
  EXPECT_EQ(first.size(), second.size());
  for (const auto& [name, text] : first) EXPECT_TRUE(text == second.at(name)) << name;
}

TEST_P(EveryKind, TablesAreRectangular) {
  ASSERT_LE(run({"--quiet"}).status, 1);
  for (const auto& [name, text] : files("results")) {
    if (!name.ends_with(".csv")) continue;
    const auto lines = test::csv_fields(text);
    EXPECT_GT(lines.size(), GetParam().name == "modes" ? 0u : 1u) << name;
    for (const auto& line : lines) EXPECT_EQ(line.size(), lines.front().size()) << name;
  }
}

TEST_P(EveryKind, SupportsDryRunQuietJunitResultsAndSet) {
  const test::Said planned = run({"--dry-run"});
  EXPECT_EQ(planned.status, 0) << planned.err;
  EXPECT_THAT(planned.out, HasSubstr("sample"));
  EXPECT_FALSE(std::filesystem::exists(place.path("results"))) << "--dry-run writes nothing";
  const test::Said quiet = run({"--quiet", "--jobs", "2", "--junit", "out.xml", "--results", "at"});
  EXPECT_LE(quiet.status, 1) << quiet.err;
  EXPECT_EQ(quiet.out, "");
  EXPECT_THAT(test::text_of(place.path("out.xml")),
              testing::ContainsRegex("<testsuite [^>]*failures=\"0\" errors=\"0\" "
                                     "file=\"file.toml\" time=\"[0-9.]+\">"));
  EXPECT_FALSE(std::filesystem::is_empty(place.path("at")));
  EXPECT_EQ(run({"--set", "no.such.key=1"}).status, 2);
}

TEST_P(EveryKind, UnwritablePathsAreNamedBeforeTheFirstSolve) {
  const auto expect_refusal = [](const test::Said& said, const std::string& path) {
    EXPECT_EQ(said.status, 2) << path;
    EXPECT_THAT(said.err, HasSubstr(path));
    EXPECT_EQ(said.out, "") << path;
  };
  expect_refusal(run({"--results", "file.toml/results"}), "file.toml/results/sample/results.db: ");
  expect_refusal(run({"-o", "file.toml/table.txt"}), "file.toml/table.txt: ");
  for (const std::string path : {"file.toml/report.xml", "missing/report.xml"}) {
    expect_refusal(run({"--junit", path}), path + ": ");
    expect_refusal(check({"--junit", path}), path + ": ");
  }
  EXPECT_FALSE(std::filesystem::exists(place.path("results")));
}

TEST_P(EveryKind, RunsDespiteABadFileAndRefusesATwin) {
  const std::string& text = GetParam().text;
  place.write("bad.toml", text + "[wheather]\n");
  const test::Said said = run({"bad.toml"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("bad.toml:" + std::to_string(1 + std::ranges::count(text, '\n')) +
                                  ":2: wheather: unknown key"));
  EXPECT_NE(said.out, "");
  EXPECT_NE(written("errors.csv"), "");
  place.write("twin.toml", text);
  const test::Said twin = run({"twin.toml"});
  EXPECT_EQ(twin.status, 2) << "one results directory";
  EXPECT_THAT(twin.err, HasSubstr("twin.toml"));
}

TEST_P(EveryKind, NamesFailedSolves) {
  const test::Said said =
      run({"--set", GetParam().timed ? "limit.steps=1" : "solvers.max_steps=5"});
  const bool slips = GetParam().text.find("[history]") != std::string::npos;
  EXPECT_EQ(said.status, 2) << said.err;
  EXPECT_THAT(said.out, HasSubstr("max_steps"));
  if (!slips) {
    EXPECT_THAT(written("errors.csv"), HasSubstr("max_steps"));
  }
}

TEST_P(EveryKind, CheckNeedsAnExpectation) {
  const test::Said said = check({});
  EXPECT_EQ(said.err.find("[[expect]]") != std::string::npos, !demands());
  EXPECT_EQ(said.status, demands() ? 0 : 2) << said.err;
  EXPECT_FALSE(std::filesystem::exists(place.path("results"))) << "check writes nothing";
  if (!demands()) return;
  EXPECT_EQ(test::split(said.out, '\n').size(), 1u) << "one verdict";
  const test::Said quiet = check({"--quiet"});
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_EQ(quiet.status, said.status);
}

TEST_P(EveryKind, CheckUsesStoredSolvesAndWritesNothing) {
  if (!demands()) return;
  const test::Said without = check({});
  const test::Said ran = run({"--quiet"});
  EXPECT_EQ(ran.err, without.out) << "the verdict";
  const std::string store = place.path("results/sample/results.db");
  const std::string before = test::text_of(store), all = std::to_string(computed());
  const test::Said kept = check({});
  EXPECT_EQ(kept.out, without.out);
  EXPECT_EQ(kept.status, without.status);
  EXPECT_THAT(kept.err, HasSubstr("sample: " + all + " of " + all + " solves"));
  EXPECT_EQ(test::text_of(store), before);
  // Negative control: another results directory.
  EXPECT_THAT(check({"--results", "none"}).err, testing::Not(HasSubstr("of " + all)));
  EXPECT_FALSE(std::filesystem::exists(place.path("none")));
}

TEST_P(EveryKind, ReusesFinishedSolvesUnlessRecomputeOrFresh) {
  ASSERT_LE(run({"--quiet"}).status, 1);
  const long all = computed();
  ASSERT_GT(all, 1);
  const auto before = files("results");
  const test::Said again = run({});
  EXPECT_EQ(computed(), 0);
  EXPECT_THAT(again.err, testing::ContainsRegex("[0-9]+ of [0-9]+ solves"));
  EXPECT_EQ(files("results"), before);
  EXPECT_LE(run({"--recompute", "--quiet"}).status, 1) << "the same bits";
  // Four problems are timed once: times are no results to compare.
  EXPECT_EQ(computed(), GetParam().timed ? all - 4 : all);
  const test::Said unasked = run({"--fresh"});
  EXPECT_EQ(unasked.status, 2) << "no terminal for the question";
  EXPECT_THAT(unasked.err, HasSubstr("--yes"));
  EXPECT_LE(run({"--fresh", "--yes", "--quiet"}).status, 1);
  EXPECT_EQ(computed(), all);
  EXPECT_EQ(
      test::stored_number(place.path("results/sample/results.db"), "SELECT count(*) FROM runs"), 1)
      << "the others are deleted";
  if (GetParam().timed) return;
  EXPECT_EQ(files("results"), before);
}

TEST_P(EveryKind, DryRunCountsCachedSolvesAndEstimatesTheRest) {
  if (GetParam().timed) untimed();
  const test::Said before = run({"--dry-run"});
  ASSERT_LE(run({"--quiet", "--shard", "1/2", "--results", "half"}).status, 1);
  EXPECT_THAT(run({"--dry-run", "--shard", "1/2", "--results", "half"}).out,
              HasSubstr("nothing to do"));
  ASSERT_LE(run({"--quiet"}).status, 1);
  EXPECT_THAT(before.out, HasSubstr("sample: " + std::to_string(computed()) + " solves\n"));
  EXPECT_THAT(run({"--dry-run"}).out,
              testing::AllOf(HasSubstr("results/sample/results.db"), HasSubstr("nothing to do")));
  EXPECT_THAT(run({"--dry-run", "--fresh"}).out, testing::Not(HasSubstr("stored in")));
}

TEST_P(EveryKind, MergedShardsEqualOneRun) {
  if (GetParam().timed) {
    const test::Said refused = run({"--shard", "1/3", "--results", "parts"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("timing.repeats=0"));
    untimed();
  }
  // A hash may leave a shard of a short study empty: the largest one is merged last.
  const auto solves_of = [&](const std::string& shard) {
    const test::Said part = run({"--shard", shard, "--results", "parts"});
    EXPECT_EQ(part.status, 0) << part.err;
    const std::size_t at = part.out.find("shard " + shard + " has ");
    EXPECT_NE(at, std::string::npos) << part.out;
    return std::stol(part.out.substr(at + 14));
  };
  std::map<long, std::string> by_size;
  for (const char* part : {"1", "2", "3"}) by_size[solves_of(std::string(part) + "/3")] = part;
  const std::string largest =
      place.path("parts/sample/shards/" + by_size.rbegin()->second + "-of-3.db");
  const std::string away = place.path("away.db");
  std::filesystem::rename(largest, away);
  const auto merge = [&] { return test::rigidlimit({"merge", "parts/sample"}, place.path()); };
  const test::Said early = merge();
  EXPECT_EQ(early.status, 2) << "one shard is missing";
  EXPECT_THAT(early.err, testing::ContainsRegex("sample: [0-9]+ of [0-9]+ solves"));
  std::filesystem::rename(away, largest);
  const test::Said merged = merge();
  const test::Said whole = run({"--quiet"});
  EXPECT_EQ(merged.status, whole.status) << merged.err;
  EXPECT_EQ(merged.out, whole.err) << "the verdict";
  EXPECT_EQ(files("parts"), files("results"));
  EXPECT_EQ(run({"--results", "parts", "--quiet"}).status, whole.status);
  EXPECT_EQ(computed("parts"), 0) << "every solve is in one of the shards";
}

TEST_P(EveryKind, ExportPrintsTheStoredResult) {
  ASSERT_LE(run({"--quiet"}).status, 1);
  for (const char* format : {"table", "csv", "markdown", "latex", "json"}) {
    const test::Said again =
        test::rigidlimit({"export", "results/sample", "--format", format}, place.path());
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_LE(run({"--format", format, "-o", "out"}).status, 1);
    EXPECT_EQ(again.out, test::text_of(place.path("out"))) << format;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::ValuesIn(kinds()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace rigidlimit
