// Tests that a folder of results keeps the files of a user.
#include "rigidlimit/report/results_folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <ostream>

#include "rigidlimit/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;

class ResultsFolderTest : public testing::Test {
 protected:
  std::string complaint(const std::function<void()>& action) {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string written(const std::string& name) { return test::text_of(place.path("out/" + name)); }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(place.path("out")))
      all.push_back(entry.path().filename());
    return all;
  }
  test::TemporaryDirectory place;
  std::string path = place.path("out");
};

TEST_F(ResultsFolderTest, ReplacesTheFilesOfAnEarlierRun) {
  ResultsFolder(path).write("a.txt", "first");
  ResultsFolder(path).write("a.txt", "second");
  EXPECT_EQ(written("a.txt"), "second");
  EXPECT_THAT(listed_files(path), testing::ElementsAre("a.txt"));
}

TEST_F(ResultsFolderTest, RefusesAFolderWithFilesOfOthers) {
  fs::create_directory(path);
  place.write("out/mine.txt", "mine");
  EXPECT_THAT(complaint([&] { ResultsFolder folder(path); }), testing::HasSubstr("mine.txt"));
  // A store and its lock alone are those of a run that was killed.
  fs::remove(path + "/mine.txt");
  place.write("out/results.db", "");
  place.write("out/results.db.lock", "");
  EXPECT_EQ(complaint([&] { ResultsFolder folder(path); }), "");
}

TEST_F(ResultsFolderTest, KeepsAFileThatItHasNotListed) {
  ResultsFolder(path).write("a.txt", "ours");
  place.write("out/b.txt", "mine");
  EXPECT_THAT(complaint([&] { ResultsFolder(path).write("b.txt", "ours"); }),
              testing::HasSubstr("b.txt"));
  EXPECT_EQ(written("b.txt"), "mine");
  // The same content needs no replacement, and the file stays that of the user.
  EXPECT_EQ(complaint([&] { ResultsFolder(path).write("b.txt", "mine"); }), "");
  EXPECT_THAT(listed_files(path), testing::ElementsAre("a.txt"));
}

TEST_F(ResultsFolderTest, RemovesOnlyListedFilesThatAreNoLongerWritten) {
  {
    ResultsFolder folder(path);
    for (const char* name : {"old.txt", "kept.txt", "both.txt"}) folder.write(name, "1");
  }
  place.write("out/mine.txt", "mine");
  ResultsFolder folder(path);
  folder.write("both.txt", "2");
  folder.remove_others({path + "/kept.txt"});
  EXPECT_THAT(names(), testing::UnorderedElementsAre(".files", "kept.txt", "both.txt", "mine.txt"));
  EXPECT_THAT(listed_files(path), testing::ElementsAre("both.txt", "kept.txt"));
}

TEST_F(ResultsFolderTest, RefusesLinks) {
  ResultsFolder(path).write("study/a.txt", "ours");
  place.write("target", "mine");
  fs::create_directory(place.path("elsewhere"));
  for (const char* name : {"b.txt", ".files", "study"}) {
    const std::string link = path + "/" + name;
    const std::string away = place.path("away");
    if (fs::exists(link)) fs::rename(link, away);
    fs::create_symlink(
        std::string(name) == "study" ? place.path("elsewhere") : place.path("target"), link);
    EXPECT_THAT(complaint([&] {
                  ResultsFolder folder(path);
                  folder.write("b.txt", "ours");
                  folder.write("study/a.txt", "new");
                }),
                testing::HasSubstr("link"))
        << name;
    fs::remove(link);
    if (fs::exists(away)) fs::rename(away, link);
  }
  EXPECT_EQ(test::text_of(place.path("target")), "mine");
  EXPECT_TRUE(fs::is_empty(place.path("elsewhere")));
  fs::create_symlink(path, place.path("whole"));
  EXPECT_THAT(complaint([&] { ResultsFolder folder(place.path("whole")); }),
              testing::HasSubstr("link"));
}

// A list from elsewhere may name files below links, at every depth. Control: the same names below
// plain folders are removed.
TEST_F(ResultsFolderTest, RemovesNothingBelowLinks) {
  const std::vector<std::string> files = {"sub/notes.txt", "a/sub/notes.txt", "a/b/sub/notes.txt"};
  for (const bool linked : {true, false}) {
    const std::string home = place.path(linked ? "home" : "plain"),
                      out = place.path(linked ? "linked" : "ours");
    fs::create_directories(home);
    ResultsFolder(out).write("kept.txt", "1");
    std::string listed = "kept.txt\n";
    for (const std::string& file : files) {
      const fs::path sub = fs::path(out) / fs::path(file).parent_path();
      fs::create_directories(sub.parent_path());
      if (linked)
        fs::create_directory_symlink(home, sub);
      else
        fs::create_directory(sub);
      std::ofstream(sub / "notes.txt") << "precious";
      listed += file + "\n";
    }
    std::ofstream(fs::path(out) / ResultsFolder::list) << listed;
    EXPECT_EQ(listed_files(out).size(), linked ? 1 : 4);
    ResultsFolder folder(out);
    folder.write("kept.txt", "2");
    folder.remove_others({});
    for (const std::string& file : files)
      EXPECT_EQ(fs::exists(fs::path(out) / file), linked) << file;
    EXPECT_EQ(listed_files(out).size(), 1u);
  }
  EXPECT_EQ(test::text_of(place.path("home/notes.txt")), "precious");
}

// What a killed process leaves beside its list or a listed file is removed by the next run; what a
// living one writes stays, and so do files with other names.
TEST_F(ResultsFolderTest, RemovesTheUnfinishedFilesOfKilledRuns) {
  fs::create_directory(path);
  place.write("out/.files.0123abcd.unfinished", "a.t");
  EXPECT_EQ(complaint([&] { ResultsFolder folder(path); }), "") << "killed before the first list";
  EXPECT_THAT(names(), testing::IsEmpty());
  ResultsFolder(path).write("below/a.txt", "ours");
  for (const char* name : {"below/a.txt.89abcdef.unfinished", ".files.89abcdef.unfinished",
                           "below/b.txt.89abcdef.unfinished", "below/a.txt.unfinished",
                           "below/a.txt.89ABCDEF.unfinished"})
    place.write(std::string("out/") + name, "half");
  ResultsFolder folder(path);
  folder.write("below/a.txt", [&](std::ostream& out) {
    ResultsFolder other(path);  // of another process
    std::vector<std::string> left;
    for (const auto& entry : fs::directory_iterator(path + "/below"))
      left.push_back(entry.path().filename());
    EXPECT_THAT(left,
                testing::UnorderedElementsAre(
                    "a.txt", testing::MatchesRegex("a.txt.[0-9a-f]*.unfinished"),
                    "b.txt.89abcdef.unfinished", "a.txt.unfinished", "a.txt.89ABCDEF.unfinished"));
    out << "new";
  });
  EXPECT_EQ(written("below/a.txt"), "new");
  EXPECT_THAT(names(), testing::UnorderedElementsAre(".files", "below"));
}

TEST_F(ResultsFolderTest, WritesUnderARandomName) {
  ResultsFolder folder(path);
  folder.write("a.txt", "ours");
  // A link with the name that an unfinished file had in earlier versions is of no use.
  place.write("target", "mine");
  fs::create_symlink(place.path("target"), path + "/a.txt.unfinished");
  std::vector<std::string> during;
  folder.write("a.txt", [&](std::ostream& out) {
    during = names();
    out << "new";
  });
  EXPECT_EQ(written("a.txt"), "new");
  EXPECT_EQ(test::text_of(place.path("target")), "mine");
  EXPECT_THAT(during,
              testing::Contains(testing::ContainsRegex("a\\.txt\\.[0-9a-f]+\\.unfinished")));
  EXPECT_THAT(names(), testing::Not(testing::Contains(testing::ContainsRegex("[0-9a-f]\\.unf"))));
}

TEST_F(ResultsFolderTest, ListsNothingOutside) {
  fs::create_directory(path);
  place.write("mine.txt", "mine");
  place.write("out/.files", "../mine.txt\n/etc/passwd\na.txt\n");
  place.write("out/a.txt", "ours");
  EXPECT_THAT(listed_files(path), testing::ElementsAre("a.txt"));
  ResultsFolder(path).remove_others({});
  EXPECT_EQ(test::text_of(place.path("mine.txt")), "mine");
}

}  // namespace
}  // namespace rigidlimit
