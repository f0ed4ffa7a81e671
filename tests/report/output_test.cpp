// Tests the files of a result, the hash of a study, and the provenance of the numbers.
#include "rigidlimit/report/output.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "rigidlimit/experiment/plan/provenance.hpp"
#include "support/report_texts.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

std::string hash_of(const RollingStudy& study) {
  return content_hash(resolved_toml(study));
}

using testing::HasSubstr;
using testing::StartsWith;

TEST(WriteResults, WritesEveryFormatAndTheResolvedStudy) {
  const test::TemporaryDirectory place;
  const RollingResult& result = test::sample_result();
  const std::string at = test::write_results(result, place.path("deep/results"));
  EXPECT_EQ(at, place.path("deep/results/sample"));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(at))
    names.push_back(entry.path().filename().string());
  EXPECT_THAT(names,
              testing::UnorderedElementsAre(".files", "resolved.toml", "result.txt", "errors.csv",
                                            "series.csv", "rigid.csv", "energy.csv", "result.json",
                                            "result.html", "result.md", "result.tex"))
      << "and no unfinished file";
  EXPECT_EQ(test::text_of(at + "/resolved.toml"), resolved_toml(result.study));
  EXPECT_EQ(test::text_of(at + "/errors.csv"), test::csv_header() + test::csv_rows(result));
  EXPECT_EQ(test::text_of(at + "/result.json"), test::json_of(result));
  for (const char* name : {"/result.txt", "/result.html", "/result.md", "/result.tex"}) {
    EXPECT_THAT(test::text_of(at + name), HasSubstr("held"));
    EXPECT_THAT(test::text_of(at + name), testing::Not(HasSubstr("\x1b")));
  }
}

TEST(WriteFile, WritesThroughALinkWithoutReplacingIt) {
  const test::TemporaryDirectory place;
  const std::string target = place.write("target", "before");
  std::filesystem::create_symlink(target, place.path("link"));
  write_file(place.path("link"), "after");
  EXPECT_TRUE(std::filesystem::is_symlink(place.path("link")));
  EXPECT_EQ(test::text_of(target), "after");
  EXPECT_NO_THROW(write_file("/dev/null", "text"));
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

TEST(WriteResults, ReplacesTheFilesOfAnEarlierRun) {
  const test::TemporaryDirectory place;
  test::write_results(test::sample_result(), place.path());
  const std::string before = test::text_of(place.path("sample/errors.csv"));
  test::write_results(test::troubled_result(), place.path());
  EXPECT_NE(test::text_of(place.path("sample/errors.csv")), before);
  EXPECT_THAT(test::text_of(place.path("sample/result.txt")), HasSubstr("interrupted"));
}

TEST(WriteResults, ErrorsBelowARegularFileNameThePath) {
  const test::TemporaryDirectory place;
  const std::string file = place.write("file", "not a directory");
  try {
    test::write_results(test::sample_result(), file + "/results");
    ADD_FAILURE() << "written below a file";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), file + "/results/sample");
    EXPECT_THAT(error.what(), HasSubstr("cannot be created"));
  }
  EXPECT_EQ(test::text_of(file), "not a directory");
}

TEST(WriteFile, ErrorsNameThePathAndLeaveNoFile) {
  const test::TemporaryDirectory place;
  const std::string missing = place.path("no/such/file.csv");
  std::filesystem::create_directory(place.path("taken"));
  for (const std::string& path : {missing, place.path("taken")}) try {
      write_file(path, "text");
      ADD_FAILURE() << path << " was written";
    } catch (const InputError& error) {
      EXPECT_EQ(error.where(), path);
      EXPECT_THAT(error.what(), HasSubstr("cannot be written"));
    }
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(place.path()))
    names.push_back(entry.path().filename().string());
  EXPECT_THAT(names, testing::ElementsAre("taken"));
}

TEST(Formatted, CsvHasOneHeaderForAllStudies) {
  const RollingResult& result = test::sample_result();
  EXPECT_EQ(test::formatted({result, result}, Format::csv, false),
            test::csv_header() + test::csv_rows(result) + test::csv_rows(result));
  EXPECT_EQ(test::formatted({}, Format::csv, false), "");
}

TEST(Formatted, JsonIsTheFileOfEachResultAndNeverColoured) {
  const auto sample = test::sample_result();
  const auto troubled = test::troubled_result();
  EXPECT_EQ(test::formatted({sample}, Format::json, true), test::json_of(sample));
  EXPECT_EQ(test::formatted({sample, troubled}, Format::json, true),
            test::json_of(sample) + test::json_of(troubled));
}

TEST(Formatted, TextFormatsHoldEveryStudy) {
  RollingResult second = test::sample_result();
  second.study.name = "second";
  for (const Format format : {Format::table, Format::markdown, Format::latex}) {
    const std::string text = test::formatted({test::sample_result(), second}, format, false);
    EXPECT_LT(text.find("sample"), text.find("second"));
    EXPECT_THAT(text, HasSubstr("second"));
  }
}

TEST(StudyHash, IsAUuidOfVersion5) {
  EXPECT_THAT(
      hash_of(test::sample_study()),
      testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

TEST(StudyHash, DependsOnTheStudyOnly) {
  const std::string hash = hash_of(test::sample_study());
  EXPECT_EQ(hash_of(test::sample_study()), hash);
  // An explicit default does not change the hash.
  EXPECT_EQ(hash_of(test::sample_study({"system.mass=1.0", "contact.damping_ratio=1"})), hash);
  for (const char* change :
       {"system.mass=1.0000000000000002", "epsilon.count=6", "solvers.rtol=2e-10",
        "contact.preparation=\"prepared\"", "initial.v=[0.7, 0.0, 1.4]", "study.name=\"other\""})
    EXPECT_NE(hash_of(test::sample_study({change})), hash) << change;
  // The run (jobs, outcome) does not change the hash; another question does.
  EXPECT_EQ(hash_of(test::troubled_result().study) == hash, false) << "its question is another";
  EXPECT_EQ(hash_of(run_rolling_study(test::sample_study(),
                                      {.jobs = 2, .stop_requested = {}, .on_progress = {}})
                        .study),
            hash);
}

TEST(BuildProvenance, HasAValueForEveryKey) {
  std::map<std::string, std::string> found;
  for (const auto& [key, value] : build_provenance()) {
    EXPECT_TRUE(found.emplace(key, value).second) << key << " is there twice";
    EXPECT_TRUE(key == "flags" || !value.empty()) << key;
  }
  EXPECT_THAT(found.at("version"), testing::ContainsRegex("^[0-9]+\\.[0-9]+\\.[0-9]+$"));
  EXPECT_THAT(found.at("sundials"), testing::ContainsRegex("^[0-9]+\\.[0-9]+"));
  EXPECT_THAT(found.at("commit"), testing::ContainsRegex("^([0-9a-f]+\\+?|unknown)$"));
}

}  // namespace
}  // namespace rigidlimit
