// Tests that the program treats a file with a base like the same file written in full.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <tuple>

#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Every file of `folder` but the store, because its pages depend on the order of the writes.
std::map<std::string, std::string> texts_in(const std::string& folder) {
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with("results.db"))
      texts[entry.path().filename().string()] = test::text_of(entry.path().string());
  return texts;
}

class BasedFile : public testing::Test {
 protected:
  void SetUp() override {
    place.write("sample.toml", test::sample_text);
    place.write("based.toml",
                "base = \"sample.toml\"\n[study]\nname = \"twin\"\n[time]\nend = 1.0\n"
                "[[expect]]\nquantity = \"q\"\norder = 2.0\n");
    std::string written = test::renamed(test::sample_text, "twin");
    written.replace(written.find("end = 2.0"), 9, "end = 1.0");
    place.write("written.toml", written + "[[expect]]\nquantity = \"q\"\norder = 2.0\n");
  }
  test::Said run(const std::string& file, const std::string& results,
                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"run", file, "--results", results};
    words.insert(words.end(), more.begin(), more.end());
    return test::rigidlimit(words, place.path());
  }
  const test::TemporaryDirectory place;
};

TEST_F(BasedFile, GivesTheBytesOfTheFileInFull) {
  const test::Said based = run("based.toml", "a"), written = run("written.toml", "b");
  EXPECT_EQ(based.status, 0) << based.err;
  EXPECT_EQ(based.out, written.out);
  const auto texts = texts_in(place.path("a/twin"));
  EXPECT_THAT(texts, testing::SizeIs(testing::Ge(4u)));
  EXPECT_EQ(texts, texts_in(place.path("b/twin")));
  // The two share their stored solves.
  EXPECT_THAT(run("written.toml", "a", {"--dry-run"}).out, HasSubstr("nothing to do"));
  EXPECT_THAT(run("sample.toml", "a", {"--dry-run"}).out, Not(HasSubstr("nothing to do")))
      << "another study";
}

TEST_F(BasedFile, AMissingFileIsSearchedInSiblingFolders) {
  std::filesystem::create_directories(place.path("studies/start"));
  place.write("studies/start/slides.toml", test::sample_text);
  for (const char* name : {"slides.toml", "studies/slides.toml", "studies/old/slides.toml"})
    EXPECT_THAT(run(name, "a").err, AllOf(HasSubstr(std::string(name) + ": "),
                                          HasSubstr(" studies/start/slides.toml\n")));
  const test::Said said = run("none.toml", "a");
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, AllOf(HasSubstr("none.toml: "), Not(HasSubstr("slides.toml"))));
}

TEST_F(BasedFile, NamesThePlaceInTheBase) {
  place.write("sample.toml", test::sample_text + "ende = 1\n");
  const test::Said said = run("based.toml", "a");
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("sample.toml:18:1: solvers.ende"));
}

TEST_F(BasedFile, NamesShippedFilesWhereverAFileIsRead) {
  place.write("base.toml", "base = \"knife_edge\"\n[study]\nname = \"soft\"\n");
  place.write("bench.toml",
              "benchmark = {name = \"b\", kind = \"work_precision\", methods = [\"radau_iia\"]}\n"
              "[[problem]]\nstudy = \"knife_edge\"\nepsilon = [1e-2]\n");
  place.write("cart.toml",
              "base = \"two_wheeled_cart\"\n[study]\nname = \"cart\"\n[system]\n"
              "file = \"two_wheeled_cart\"\n");
  place.write("wide.toml",
              "base = \"two_wheeled_cart\"\nname = \"wide\"\n[parameters.half_track]\n"
              "default = 0.4\n");
  for (const char* file : {"base.toml", "bench.toml", "cart.toml"})
    EXPECT_EQ(run(file, "a", {"--dry-run"}).status, 0) << run(file, "a", {"--dry-run"}).err;
  const test::Said wide = test::rigidlimit({"describe", "wide.toml"}, place.path());
  EXPECT_EQ(wide.status, 0) << wide.err;
}

TEST_F(BasedFile, RefusesUnknownNamesAtTheirKey) {
  place.write("base.toml", "base = \"knife_edg\"\n");
  place.write("bench.toml",
              "benchmark = {name = \"b\", kind = \"work_precision\", methods = [\"radau_iia\"]}\n"
              "[[problem]]\nstudy = \"knife_edg\"\n");
  place.write(
      "gone.toml",
      "base = \"sample.toml\"\nwithout = [\"system\"]\n[system]\nfile = \"gone/mine.toml\"\n");
  place.write("system.toml", "base = \"sample.toml\"\n[system]\nname = \"benchmark_bicycle\"\n");
  for (const auto& [file, where, what] :
       {std::tuple("base.toml", "base.toml:1:8: base: ", "did you mean 'knife_edge'"),
        std::tuple("bench.toml",
                   "bench.toml:3:9: problem[0].study = ", "did you mean 'knife_edge'"),
        std::tuple("gone.toml", "gone.toml:4:8: system.file = ", "gone/mine.toml cannot be read"),
        std::tuple("system.toml",
                   "system.toml:3:8: system.name = ", "file = \"benchmark_bicycle\"")}) {
    const test::Said said = run(file, "a");
    EXPECT_EQ(said.status, 2) << file;
    EXPECT_THAT(said.err, AllOf(HasSubstr(where), HasSubstr(what))) << file;
  }
}

}  // namespace
}  // namespace rigidlimit
