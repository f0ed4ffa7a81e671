// Tests `rigidlimit archive` and `rigidlimit reproduce`.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rigidlimit/archive/zip.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t large = 1U << 28U;

/// An archive of the sample study, which is the difference of a file from its base.
class ArchiveCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place = new test::TemporaryDirectory;
    std::filesystem::create_directory(place->path("bases"));
    std::filesystem::create_directory(place->path("own"));
    place->write("bases/plain.toml", test::sample_text + test::sample_expectations);
    place->write("own/study.toml", "# a comment\nbase = \"../bases/plain.toml\"\n");
    ASSERT_EQ(
        said({"run", "own/study.toml", "--set", "contact.damping_ratio=0.5", "--quiet"}).status, 0);
    const test::Said archived = said({"archive", "results/sample", "--author", "A. Author"});
    ASSERT_EQ(archived.status, 0) << archived.err;
    listing = archived.out;
  }
  static void TearDownTestSuite() { delete place; }

  static test::Said said(std::vector<std::string> arguments) {
    return test::rigidlimit(std::move(arguments), place->path());
  }
  static std::string text_in_archive(const std::string& name) {
    return texts_in_zip(place->path("sample.zip"), {name}, large).at(name);
  }
  static test::TemporaryDirectory* place;
  static std::string listing;
};

test::TemporaryDirectory* ArchiveCommand::place = nullptr;
std::string ArchiveCommand::listing;

TEST_F(ArchiveCommand, ContainsTheStudyAsWrittenAndTheFilesOfTheRun) {
  EXPECT_EQ(text_in_archive("study/own/study.toml"), test::text_of(place->path("own/study.toml")));
  EXPECT_EQ(text_in_archive("study/bases/plain.toml"),
            test::text_of(place->path("bases/plain.toml")));
  EXPECT_EQ(text_in_archive("study/command.txt"),
            "rigidlimit run study/own/study.toml --set contact.damping_ratio=0.5\n");
  for (const char* name : {"resolved.toml", "result.json", "result.txt", "errors.csv"})
    EXPECT_EQ(text_in_archive(name),
              test::text_of(place->path(std::string("results/sample/") + name)));
  EXPECT_THAT(text_in_archive("results.db"), testing::StartsWith("SQLite format 3"));
}

TEST_F(ArchiveCommand, ListsItsFilesInTheMetadata) {
  const Json graph = Json::parse(text_in_archive("ro-crate-metadata.json")).at("@graph");
  std::vector<std::string> names;
  for (const Json& entity : graph)
    if (entity.at("@type") == "File") {
      names.push_back(entity.at("name"));
      EXPECT_EQ(std::to_string(text_in_archive(names.back()).size()), entity.at("contentSize"));
      EXPECT_THAT(listing, HasSubstr(names.back()));
    }
  EXPECT_THAT(names, testing::IsSupersetOf({"README.md", "resolved.toml", "results.db"}));
}

TEST_F(ArchiveCommand, IsReproducedToTheLastDigitByTheSameProgram) {
  const test::Said again =
      said({"reproduce", "sample.zip", "--format", "json", "-o", "differences.json"});
  EXPECT_EQ(again.status, 0) << again.err;
  const Json found = Json::parse(test::text_of(place->path("differences.json")));
  EXPECT_EQ(found.at("reproduced"), true);
  EXPECT_EQ(found.at("values"), found.at("equal_values"));
  EXPECT_GT(found.at("numbers_with_bars").get<int>(), 50);
  // The tables of the repeated run, and the comparison beside them.
  EXPECT_EQ(test::text_of(place->path("reproduced/sample/errors.csv")),
            test::text_of(place->path("results/sample/errors.csv")));
  EXPECT_TRUE(std::filesystem::exists(place->path("reproduced/sample/reproduction/result.txt")));
}

TEST_F(ArchiveCommand, IsNotReproducedIfAnErrorOrAVerdictIsAnother) {
  std::filesystem::create_directory(place->path("changed"));
  place->write("changed/resolved.toml", text_in_archive("resolved.toml"));
  Json result = Json::parse(text_in_archive("result.json"));
  Json& error = result["errors"][0]["model_error"];
  error = 1.5 * error.get<double>();
  place->write("changed/result.json", result.dump());
  const test::Said again = said({"reproduce", "changed"});
  EXPECT_EQ(again.status, 1) << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("not reproduced"), HasSubstr("model_error")));
  EXPECT_EQ(said({"reproduce", "changed", "--set", "time.end=1"}).status, 2);  // no such option
}

TEST_F(ArchiveCommand, RefusesFilesThatAreNoArchiveAndResultsThatAreIncomplete) {
  place->write("text.zip", "text\n");
  std::filesystem::create_directory(place->path("empty"));
  for (const char* path : {"text.zip", "empty", "missing.zip", "own/study.toml"})
    EXPECT_EQ(said({"reproduce", path}).status, 2) << path;
  EXPECT_EQ(said({"archive", "results/none"}).status, 2);
  ASSERT_EQ(said({"run", "own/study.toml", "--set", "study.name=part", "--shard", "1/2"}).status,
            0);
  const test::Said part = said({"archive", "results/part/shards/1-of-2.db"});
  EXPECT_EQ(part.status, 2);
  EXPECT_THAT(part.err, HasSubstr("solves are missing"));
  EXPECT_FALSE(std::filesystem::exists(place->path("part.zip")));
}

TEST_F(ArchiveCommand, ReplacesNoFileButAnOlderArchive) {
  const std::string crate = text_in_archive("ro-crate-metadata.json");
  place->write("paper.txt", "a paper\n");
  ZipWriter foreign(place->path("foreign.zip"), 0);
  foreign.add_text("ro-crate-metadata.json", crate);
  foreign.finish();
  for (const char* path : {"paper.txt", "foreign.zip"}) {
    const std::string before = test::text_of(place->path(path));
    const test::Said refused = said({"archive", "results/sample", "-o", path});
    EXPECT_EQ(refused.status, 2) << path;
    EXPECT_THAT(refused.err, AllOf(HasSubstr(path), HasSubstr("-o")));
    EXPECT_EQ(test::text_of(place->path(path)), before);
  }
  // Negative control: a new name, and the archive under it.
  for (int k = 0; k < 2; ++k)
    EXPECT_EQ(said({"archive", "results/sample", "-o", "twice.zip"}).status, 0);
}

/// The archive, unpacked and changed.
class ChangedArchive : public ArchiveCommand {
 protected:
  ChangedArchive() {
    std::filesystem::create_directory(place->path("changed"));
    for (const char* name : {"resolved.toml", "result.json"})
      place->write(std::string("changed/") + name, text_in_archive(name));
  }
  ~ChangedArchive() override { std::filesystem::remove_all(place->path("changed")); }
  /// The message of `reproduce`, with status 2, before anything is solved.
  static std::string refusal() {
    std::filesystem::remove_all(place->path("reproduced"));
    const test::Said again = said({"reproduce", "changed"});
    EXPECT_EQ(again.status, 2);
    EXPECT_FALSE(std::filesystem::exists(place->path("reproduced")));
    return again.err;
  }
};

TEST_F(ChangedArchive, WithMisshapenClaimsIsRefusedWithFileAndPath) {
  for (const char* claims : {"[{}]", R"([{"held": 1}])", R"([{"name": "a", "held": 1}])", "[1]",
                             R"("text")", "{}", "1"}) {
    Json result = Json::parse(text_in_archive("result.json"));
    result["claims"] = Json::parse(claims);
    place->write("changed/result.json", result.dump());
    EXPECT_THAT(refusal(), AllOf(HasSubstr("changed:result.json"), HasSubstr("claims"))) << claims;
  }
}

TEST_F(ChangedArchive, WithDeepOrLargeJsonIsRefused) {
  const std::string head = R"({"name": "sample", "provenance": {}, )";
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int k = 0; k < count; ++k) all += text;
    return all;
  };
  std::string keys;
  for (int k = 0; k < 200'000; ++k) keys += ", \"k" + std::to_string(k) + "\": 0";
  for (const std::string& text :
       {head + "\"a\": " + repeated("[", 200'000) + repeated("]", 200'000) + "}",
        head + "\"a\": " + repeated("{\"\": ", 30'000) + "1" + repeated("}", 30'000) + "}",
        head + keys.substr(2) + "}", std::string("{")}) {
    place->write("changed/result.json", text);
    EXPECT_THAT(refusal(), HasSubstr("changed:result.json"));
  }
}

TEST_F(ChangedArchive, WithAnotherFileThanItsCrateSaysIsRefused) {
  place->write("changed/ro-crate-metadata.json", text_in_archive("ro-crate-metadata.json"));
  EXPECT_THAT(refusal(), HasSubstr("missing"));
  const Json crate = Json::parse(text_in_archive("ro-crate-metadata.json"));
  for (const Json& entity : crate.at("@graph"))
    if (entity.at("@type") == "File") {
      const std::string name = entity.at("name"), path = place->path("changed/" + name);
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
      place->write("changed/" + name, text_in_archive(name));
    }
  EXPECT_EQ(said({"reproduce", "changed", "--quiet"}).status, 0) << "negative control";
  std::string table = text_in_archive("errors.csv");
  table[table.size() / 2] ^= 1;
  place->write("changed/errors.csv", table);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("damaged"), HasSubstr("errors.csv")));
}

// The message of a file that is read would have its text: no file outside the archive is opened.
TEST_F(ArchiveCommand, RefusesFilesOutside) {
  std::filesystem::create_directory(place->path("outside"));
  place->write("outside/result.json", text_in_archive("result.json"));
  place->write("secret.toml", "[system]\nsecret = 1\n");
  const std::string secret = place->path("secret.toml"),
                    resolved = text_in_archive("resolved.toml");
  const std::string system = "[system]\n";
  std::string with_file = resolved;
  const std::size_t at = with_file.find(system), end = with_file.find("\n[", at);
  with_file.replace(at, end - at, system + "file = \"" + secret + "\"");
  for (const std::string& text : {with_file, "base = \"" + secret + "\"\n" + resolved}) {
    place->write("outside/resolved.toml", text);
    const test::Said again = said({"reproduce", "outside"});
    EXPECT_EQ(again.status, 2);
    EXPECT_THAT(again.err,
                AllOf(HasSubstr("outside:resolved.toml"), testing::Not(HasSubstr("secret = 1"))));
  }
}

}  // namespace
}  // namespace rigidlimit
