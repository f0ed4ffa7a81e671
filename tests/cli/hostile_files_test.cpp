// Tests the program with hostile studies, names and paths, and its plan of a run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>
#include <utility>

#include "support/hostile_texts.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> entries_of(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(HostileFiles, CreateOnlyTheResults) {
  const test::TemporaryDirectory place;
  place.write("study.toml",
              test::sample_text + "[[expect]]\nquantity = \"q\"\norder = 2.0\n" + "[study.x]\n");
  EXPECT_EQ(test::rigidlimit({"run", "study.toml"}, place.path()).status, 2) << "unknown key";
  std::string text = test::sample_text;
  text.replace(text.find("name = \"sample\"\n"), 16,
               "name = \"sample\"\nquestion = \"$(touch x) `touch x` '; touch x; \\u001b[31m\"\n");
  place.write("study.toml", text);
  for (const char* format : {"table", "csv", "json", "markdown", "latex"}) {
    const test::Said said =
        test::rigidlimit({"run", "study.toml", "--format", format}, place.path());
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out + said.err, Not(HasSubstr("\x1b")));
  }
  EXPECT_THAT(entries_of(place.path()), testing::UnorderedElementsAre("study.toml", "results"));
  EXPECT_THAT(entries_of(place.path("results")), testing::ElementsAre("sample"));
}

TEST(HostileFiles, CannotNameADirectoryElsewhere) {
  const test::TemporaryDirectory place;
  for (const char* name : {"../out", "/tmp/out", "..", "a/b", "-rf"}) {
    place.write("study.toml", test::renamed(test::sample_text, name));
    const test::Said said = test::rigidlimit({"run", "study.toml"}, place.path());
    EXPECT_EQ(said.status, 2) << name;
    EXPECT_THAT(said.err, HasSubstr("study.toml:2:8: study.name = ")) << name;
  }
  EXPECT_THAT(entries_of(place.path()), testing::ElementsAre("study.toml"));
}

TEST(HostileFiles, SendNoEscapeCodeToTheTerminal) {
  const test::TemporaryDirectory place;
  // File names may hold any bytes.
  const std::string name = "a\x1b[31m\xff\u202e.toml";
  const auto run = [&](const std::string& text, std::vector<std::string> options) {
    place.write(name, text);
    options.insert(options.begin(), {"run", name});
    const test::Said said = test::rigidlimit(options, place.path());
    EXPECT_EQ(said.status, 2);
    EXPECT_NE(said.err, "");
    EXPECT_THAT(said.out + said.err, Not(HasSubstr("\x1b")));
    return said.err;
  };
  const std::string key = test::sample_text + "\"\\u001b[1m\" = 1\n";
  EXPECT_THAT(run("[study", {}), HasSubstr("a [31m\ufffd\ufffd.toml:1"));
  EXPECT_THAT(run(key, {}), HasSubstr("a [31m\ufffd\ufffd.toml:18:1: solvers. [1m"));
  run(test::sample_text, {"--set", "\x1b[5m=1"});
  run(test::sample_text, {"--set", "time.end=\"\x1b[5m\""});
  place.write("file", "");
  run(test::sample_text, {"--results", "file/\x1b[7m"});
}

// Each text of a study × each hostile text × describe and the four languages of export-problem: no
// control character, line separator or mark of direction is raw, and a text stays in its comment.
TEST(HostileFiles, SendNoTextOutOfACommentAndNoEscapeCodeToADescription) {
  const test::TemporaryDirectory place;
  const auto study = [](const std::string& key, const std::string& text) {
    const auto value = [&](const std::string& name) { return name == key ? text : "plain"; };
    return fmt::format(R"toml(study = {{name = "sample", question = "{}", source = "{}"}}
epsilon = {{values = [1e-2]}}
time = {{end = 0.3, samples = 11}}
[system]
name = "skate"
title = "{}"
description = "{}"
source = "{}"
coordinates = [{{name = "x", unit = "m", start = 0, start_rate = 1}},
               {{name = "y", unit = "m", start = 0, start_rate = 0}}]
kinetic_coenergy = "m*(x'^2 + y'^2)/2"
potential = "0"
constraint = ["y'"]
[system.parameters]
m = {{default = 1.0, unit = "kg", text = "{}"}}
)toml",
                       value("question"), value("study"), value("title"), value("description"),
                       value("source"), value("text"));
  };
  const std::vector<std::pair<std::string, std::string>> languages{
      {"c", "//"}, {"python", "#"}, {"fortran", "!"}, {"javascript", "//"}, {"diffsl", "//"}};
  const auto raw = [](const std::string& text) {
    return std::ranges::any_of(
               text, [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 0x7f; }) ||
           text.find("\u2028") != std::string::npos || text.find("\u202e") != std::string::npos ||
           text.find("\u009b") != std::string::npos;
  };
  int shown = 0;
  for (const char* key : {"question", "study", "title", "description", "source", "text"})
    for (const char* hostile :
         {"\\u001b]0;x\\u0007MARK()", "\\u2028MARK()", "\\u202eMARK()", "\\u009b31mMARK()",
          "one\\nMARK()", "MARK()\\\\", "*/ MARK()", "\\u0085MARK()\\u000cMARK()"}) {
      place.write("study.toml", study(key, hostile));
      const test::Said described = test::rigidlimit({"describe", "study.toml"}, place.path());
      EXPECT_EQ(described.status, 0) << described.err;
      EXPECT_FALSE(raw(described.out + described.err)) << key << " " << hostile;
      for (const auto& [language, mark] : languages) {
        const test::Said source =
            test::rigidlimit({"export-problem", "study.toml", "--epsilon", "1e-2", "--language",
                              language, "--reference", "none"},
                             place.path());
        EXPECT_EQ(source.status, 0) << source.err;
        EXPECT_FALSE(raw(source.out + source.err)) << language << " " << key << " " << hostile;
        std::istringstream lines(source.out);
        for (std::string line; std::getline(lines, line);) {
          if (line.find("MARK") == std::string::npos) continue;
          ++shown;
          EXPECT_LT(line.find(mark), line.find("MARK")) << line;
          EXPECT_FALSE(line.ends_with('\\')) << line;
        }
      }
    }
  EXPECT_GT(shown, 50) << "the texts are shown";
}

TEST(HostileFiles, EverySubcommandReadsRegularFilesOnly) {
  const test::TemporaryDirectory place;
  ASSERT_EQ(mkfifo(place.path("pipe").c_str(), 0600), 0);
  place.write("study.toml", test::sample_text);
  for (const char* subcommand : {"run", "check"}) {
    for (const char* file : {"pipe", "/dev/zero", "."}) {
      const test::Said said = test::rigidlimit({subcommand, file}, place.path());
      EXPECT_EQ(said.status, 2) << subcommand << " " << file;
      EXPECT_THAT(said.err, HasSubstr(file)) << subcommand << " " << file;
    }
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"export", "pipe"}, {"merge", "into", "pipe"}}) {
    const test::Said said = test::rigidlimit(words, place.path());
    EXPECT_EQ(said.status, 2) << words[0];
    EXPECT_THAT(said.err, HasSubstr("pipe")) << words[0];
  }
}

/// In the program, with the stack of a user.
TEST(HostileFiles, DeepNestingIsRefused) {
  const test::TemporaryDirectory place;
  std::string parts;
  for (int k = 0; k < 200'000; ++k) parts += "a.";
  place.write("header.toml", "[" + parts + "a]\n");
  place.write("key.toml", test::sample_text + parts + "a = 1\n");
  for (const auto& [file, line] : {std::pair("header.toml", 1), {"key.toml", 18}}) {
    const test::Said said = test::rigidlimit({"check", file}, place.path());
    EXPECT_EQ(said.status, 2) << file;
    EXPECT_THAT(said.err, HasSubstr(std::string(file) + ":" + std::to_string(line) + ":"));
    EXPECT_THAT(said.err, HasSubstr("16"));
  }
  place.write("study.toml", test::sample_text);
  // The longest argument of the operating system.
  const test::Said set = test::rigidlimit(
      {"check", "study.toml", "--set", parts.substr(0, 120'000) + "a=1"}, place.path());
  EXPECT_EQ(set.status, 2);
  EXPECT_THAT(set.err, testing::AllOf(HasSubstr("--set"), HasSubstr("16")));
}

TEST(DryRun, ListsTheSolvesAndCountsTheNew) {
  const test::TemporaryDirectory place;
  place.write("study.toml", test::sample_text);
  const test::Said before = test::rigidlimit({"run", "study.toml", "--dry-run"}, place.path());
  EXPECT_THAT(before.out, testing::ContainsRegex("compliant +viscoelastic +cvode_bdf"));
  ASSERT_EQ(test::rigidlimit({"run", "study.toml"}, place.path()).status, 0);
  const test::Said more = test::rigidlimit(
      {"run", "study.toml", "--dry-run", "--set", "epsilon.values=[1e-2, 1e-3, 5e-4]"},
      place.path());
  EXPECT_THAT(more.out, testing::ContainsRegex("[1-9] solves to do"));
}

TEST(LongStudy, PrintsItsProgressOffATerminal) {
  const test::TemporaryDirectory place;
  // Without damping the contact keeps ringing: to t = 0.2 a solve takes some 1e-3/ε^0.7 seconds,
  // all 400 more than an hour. The first line is due after ten seconds.
  std::string text = test::sample_text;
  const std::string ladder = "from = 1e-2\nto = 1e-3\ncount = 5";
  text.replace(text.find(ladder), ladder.size(), "from = 2e-2\nto = 1e-7\ncount = 400");
  text.replace(text.find("[epsilon]"), 0, "damping = 0.0\n");
  text.replace(text.find("end = 2.0"), 9, "end = 0.2");
  place.write("long.toml", text);
  test::Process process({RIGIDLIMIT_PROGRAM, "run", "long.toml", "--jobs", "1"}, place.path());
  std::string said;
  for (int tenths = 0; tenths < 600 && said.empty() && process.running(); ++tenths) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    said = process.errors();
  }
  process.send(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
  EXPECT_THAT(said, testing::MatchesRegex("sample: .*[0-9]+ s.*\n"));
}

}  // namespace
}  // namespace rigidlimit
