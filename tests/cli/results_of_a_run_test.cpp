// Tests in the program that a run loses no file of a user and ends with a reason.
#include <gmock/gmock.h>

#include <filesystem>

#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ResultsOfARun : public testing::Test {
 protected:
  test::Said said(std::vector<std::string> arguments) {
    return test::rigidlimit(std::move(arguments), place.path());
  }
  test::Said in_a_shell(const std::string& command) {
    return test::Process({"/bin/sh", "-c", command}, place.path()).wait();
  }
  test::TemporaryDirectory place;
  std::string study = place.write("study.toml", test::sample_text);
};

TEST_F(ResultsOfARun, KeepTheFilesOfAProject) {
  fs::create_directories(place.path("sample/study"));
  place.write("sample/study/sample.toml", test::sample_text);
  place.write("sample/study/measurements.csv", "mine");
  const test::Said run = said({"run", "sample/study/sample.toml", "--results", "."});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("study"));
  EXPECT_EQ(test::text_of(place.path("sample/study/measurements.csv")), "mine");
  EXPECT_EQ(run.out, "") << "nothing was solved";
  for (const std::string option : {"--shard=1/2", "--results=."})
    EXPECT_EQ(said({"run", "study.toml", "--results", ".", option}).status, 2);
}

TEST_F(ResultsOfARun, KeepTheStudyThatIsRunFromThem) {
  ASSERT_EQ(said({"run", "study.toml", "--quiet"}).status, 0);
  place.write("results/sample/study/NOTES", "mine");
  const test::Said again = said({"run", "results/sample/study/study.toml", "--quiet"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(test::text_of(place.path("results/sample/study/NOTES")), "mine");
  EXPECT_EQ(test::text_of(place.path("results/sample/study/study.toml")), test::sample_text);
}

TEST_F(ResultsOfARun, FollowNoLink) {
  ASSERT_EQ(said({"run", "study.toml", "--quiet"}).status, 0);
  place.write("target", "mine");
  fs::create_directory(place.path("elsewhere"));
  for (const char* name : {"results.db.lock", "results.db", "result.txt", "result.json", "study"}) {
    fs::remove_all(place.path("linked"));
    fs::create_directory(place.path("linked"));
    fs::copy(place.path("results/sample"), place.path("linked/sample"),
             fs::copy_options::recursive);
    const std::string link = place.path("linked/sample/" + std::string(name));
    fs::remove_all(link);
    const bool is_folder = std::string(name) == "study";
    fs::create_symlink(place.path(is_folder ? "elsewhere" : "target"), link);
    const test::Said run = said({"run", "study.toml", "--quiet", "--results", "linked"});
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_THAT(run.err, HasSubstr("link")) << name;
    EXPECT_EQ(test::text_of(place.path("target")), "mine") << name;
    EXPECT_TRUE(fs::is_empty(place.path("elsewhere"))) << name;
  }
}

TEST_F(ResultsOfARun, EndWithAReason) {
  const std::string run = std::string(RIGIDLIMIT_PROGRAM) + " run study.toml --quiet";
  const test::Said closed = in_a_shell(run + " 2>&-");
  EXPECT_EQ(closed.status, 2);
  EXPECT_THAT(closed.out, HasSubstr("standard error"));
  EXPECT_FALSE(fs::exists(place.path("results"))) << "nothing was solved";
  // The store has some 700 blocks of 512 bytes and more.
  for (const char* blocks : {"20", "100", "300"}) {
    fs::remove_all(place.path("results"));
    const test::Said limited = in_a_shell("ulimit -f " + std::string(blocks) + "; " + run);
    EXPECT_EQ(limited.status, 2) << blocks << limited.err;
    EXPECT_THAT(limited.err, HasSubstr("File too large")) << blocks;
  }
  EXPECT_EQ(in_a_shell(run).status, 0) << "negative control";
}

}  // namespace
}  // namespace rigidlimit
