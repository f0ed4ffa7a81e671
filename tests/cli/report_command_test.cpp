// Tests `rigidlimit report` with Pythons that are scripts of the test.
#include <gmock/gmock.h>

#include <filesystem>

#include "support/process.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A Python that reports `missing` modules, and otherwise prints its arguments and ends with 7.
std::string python_without(const test::TemporaryDirectory& place, const std::string& missing) {
  place.write("python3", "#!/bin/sh\nif [ \"$2\" = -c ]; then printf '%s' '" + missing +
                             "'; else printf '%s\\n' \"$@\"; exit 7; fi\n");
  std::filesystem::permissions(place.path("python3"), std::filesystem::perms::owner_all);
  return place.path("python3");
}

test::Said report(const test::TemporaryDirectory& place, const std::string& python,
                  std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {RIGIDLIMIT_PROGRAM, "report"});
  return test::Process(arguments, place.path(), {"RIGIDLIMIT_PYTHON=" + python}).wait();
}

TEST(ReportCommand, PassesItsArgumentsToPythonAndReturnsItsStatus) {
  const test::TemporaryDirectory place;
  const std::string python = python_without(place, "");
  for (const char* folder : {"results", "results/a b", "r"})
    std::filesystem::create_directory(place.path(folder));
  const test::Said all = report(place, python, {});
  EXPECT_EQ(all.status, 7) << all.err;
  EXPECT_EQ(all.out, "-P\n-m\nrigidlimit.analysis\nreport\n--\n");
  const test::Said some =
      report(place, python, {"results/a b", "x", "--results", "r", "-o", "-d", "--jobs", "3"});
  EXPECT_EQ(some.out,
            "-P\n-m\nrigidlimit.analysis\nreport\n--results=r\n--output=-d\n--jobs=3\n--\n"
            "results/a b\nx\n");
}

TEST(ReportCommand, SaysHowToInstallMissingModules) {
  const test::TemporaryDirectory place;
  std::filesystem::create_directory(place.path("results"));
  const test::Said said = report(place, python_without(place, "jinja2, matplotlib"), {});
  EXPECT_EQ(said.status, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(said.err, AllOf(HasSubstr("pip install 'rigidlimit[report]'"),
                              HasSubstr("pip install '.[report]'"),
                              HasSubstr("python3 lacks jinja2, matplotlib")));
  EXPECT_THAT(report(place, place.path("none"), {}).err, HasSubstr("none does not start"));
}

TEST(ReportCommand, UsesThePythonOnThePath) {
  const test::TemporaryDirectory place;
  std::filesystem::create_directory(place.path("results"));
  python_without(place, "");
  const std::vector<std::string> command{RIGIDLIMIT_PROGRAM, "report"};
  EXPECT_EQ(test::Process(command, place.path(), {"PATH=" + place.path()}).wait().status, 7);
  EXPECT_EQ(test::Process(command, place.path(), {"PATH=/nowhere"}).wait().status, 2);
}

// A folder that exists is the negative control: only its pages need the modules.
TEST(ReportCommand, NamesMissingFoldersBeforeMissingModules) {
  const test::TemporaryDirectory place;
  std::filesystem::create_directory(place.path("there"));
  const std::string python = python_without(place, "jinja2");
  for (const std::vector<std::string>& folders : {std::vector<std::string>{},
                                                  {"nowhere", "elsewhere"},
                                                  {"--results", "nowhere"},
                                                  {"nowhere", "there"}}) {
    const test::Said said = report(place, python, folders);
    EXPECT_EQ(said.status, 2);
    const bool found = !folders.empty() && folders.back() == "there";
    EXPECT_EQ(said.err.find("pip install") != std::string::npos, found) << said.err;
    EXPECT_EQ(said.err.find("no such folder") != std::string::npos, !found) << said.err;
  }
}

TEST(ReportCommand, RejectsAWrongOptionItself) {
  const test::TemporaryDirectory place;
  const test::Said said = report(place, python_without(place, ""), {"--resutls", "r"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("'--results'"));
}

}  // namespace
}  // namespace rigidlimit
