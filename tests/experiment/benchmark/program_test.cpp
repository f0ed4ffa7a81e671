// Tests programs as methods of a benchmark: reading, keys of their solves, failures, times.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "rigidlimit/experiment/benchmark/timing.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/solvers/own_method.hpp"
#include "support/sample_benchmark.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// Answers the end value of y' = y (1 − y) from 0.2 at t = 2, whatever it is asked.
const std::string logistic_at_2 =
    "#!/bin/sh\nread request\necho '{\"states\": [[0.64878564428394]], \"steps\": 7}'\n";

class BenchmarkProgram : public testing::Test {
 protected:
  std::string executable(const std::string& name, const std::string& text) const {
    const std::string path = place_.write(name, text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  /// The sample benchmark with the methods radau_iia and "mine", the program ./mine.
  std::string text(const std::string& keys = "",
                   const std::string& methods = R"(["radau_iia", "mine"])") const {
    return "[benchmark]\nname = \"sample\"\nkind = \"work_precision\"\nmethods = " + methods +
           "\n[solvers.mine]\nprogram = \"./mine\"\n" + keys +
           "[tolerance]\nrtol = [1e-6]\n[timing]\nrepeats = 1\n[[problem]]\nclassical = "
           "\"van_der_pol\"\nreference = \"double\"\n";
  }
  Benchmark read(const std::string& text, const std::string& file = "sample.toml") const {
    return read_benchmark(TomlDocument::from_text(text, place_.path(file)));
  }
  std::string complaint(const std::string& text) const {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  test::TemporaryDirectory place_;
};

TEST_F(BenchmarkProgram, StandsBehindTheMethodsOfTheCatalogue) {
  const std::string path = executable("mine", logistic_at_2);
  const Benchmark b = read(text("seconds = 3.5\nsource = \"c\"\n"));
  ASSERT_EQ(b.methods.size(), 2u);
  EXPECT_STREQ(b.methods[0]->name, "radau_iia");
  EXPECT_STREQ(b.methods[1]->name, "mine");
  EXPECT_EQ(library_of(*b.methods[1]), "program");
  const ProgramSpec& program = b.programs.at("mine");
  EXPECT_EQ(program.path, path);
  EXPECT_EQ(program.seconds, 3.5);
  EXPECT_EQ(program.language, SourceLanguage::c);
  EXPECT_EQ(find_ode_method("mine"), nullptr) << "only in its benchmark";
}

TEST_F(BenchmarkProgram, TheResolvedTextReadsToTheSameText) {
  executable("mine", logistic_at_2);
  for (const char* keys : {"", "seconds = 3.5\nsource = \"julia\"\n"}) {
    const std::string resolved = resolved_toml(read(text(keys)));
    EXPECT_THAT(resolved, HasSubstr("[solvers.mine]\nprogram = \"" + place_.path("mine") + "\"\n"));
    EXPECT_EQ(resolved_toml(read(resolved, "elsewhere/resolved.toml")), resolved);
  }
}

TEST_F(BenchmarkProgram, MistakesHaveTheirPlace) {
  EXPECT_THAT(complaint(text()), HasSubstr("sample.toml:6:")) << "no such file";
  executable("mine", logistic_at_2);
  EXPECT_EQ(complaint(text()), "");
  EXPECT_THAT(complaint(text("source = \"cobol\"\n")), HasSubstr("solvers.mine.source"));
  EXPECT_THAT(complaint(text("seconds = 0\n")), HasSubstr("solvers.mine.seconds"));
  EXPECT_THAT(complaint(text("rtol = 1e-3\n")), HasSubstr("rtol: unknown key"));
  EXPECT_THAT(complaint(text("", R"(["radau_iia", "other"])")), HasSubstr("'other' is not known"));
  const auto renamed = [&](const std::string& name, const std::string& methods) {
    std::string changed = text("", methods);
    return changed.replace(changed.find("solvers.mine"), 12, "solvers." + name);
  };
  EXPECT_THAT(complaint(renamed("radau_iia", R"(["radau_iia"])")), HasSubstr("of the library"));
  EXPECT_THAT(complaint(renamed("ida", R"(["ida"])")), HasSubstr("of the library"));
  std::string none = text("seconds = 1.0\n");
  none.erase(none.find("program ="), std::string("program = \"./mine\"\n").size());
  EXPECT_THAT(complaint(none), HasSubstr("needs the key program"));
}

TEST_F(BenchmarkProgram, AnUnusedTableIsCheckedButNotOpened) {
  const Benchmark b = read(text("", R"(["radau_iia"])"));
  EXPECT_EQ(b.methods.size(), 1u);
  EXPECT_TRUE(b.programs.empty());
  EXPECT_NE(complaint(text("seconds = 0\n", R"(["radau_iia"])")), "");
}

TEST_F(BenchmarkProgram, IsInNoGroup) {
  executable("mine", logistic_at_2);
  const auto count = [&](const char* methods) { return read(text("", methods)).methods.size(); };
  EXPECT_EQ(count(R"(["all"])") + 1, count(R"(["all", "mine"])"));
  EXPECT_EQ(count(R"(["stiff"])") + 1, count(R"(["stiff", "mine"])"));
}

/// The determinants of all solves.
std::set<std::string> keys_of(const Benchmark& benchmark) {
  const RunOptions options = test::two_at_a_time();
  BenchmarkPlan plan = plan_for(benchmark, options);
  std::set<std::string> keys;
  for (const Task* task : plan.next_stage().tasks) keys.insert(task->identity.determinants);
  for (const Task* task : plan.next_stage().tasks) keys.insert(task->identity.determinants);
  return keys;
}

TEST_F(BenchmarkProgram, BytesLimitAndSourceAreInTheKeysOfItsSolves) {
  executable("mine", logistic_at_2);
  const std::set<std::string> keys = keys_of(read(text()));
  EXPECT_EQ(keys.size(), 4u) << "a reference, two solves, the times";
  EXPECT_EQ(keys_of(read(text())), keys);
  const auto shared = [&](const Benchmark& other) {
    const std::set<std::string> of_other = keys_of(other);
    return std::ranges::count_if(of_other, [&](const auto& key) { return keys.contains(key); });
  };
  // The reference and the solve of radau_iia stay.
  EXPECT_EQ(shared(read(text("seconds = 59.0\n"))), 2);
  EXPECT_EQ(shared(read(text("source = \"c\"\n"))), 2);
  executable("mine", logistic_at_2 + "# changed\n");
  EXPECT_EQ(shared(read(text())), 2);
  executable("mine", logistic_at_2);
  EXPECT_EQ(shared(read(text())), 4);
}

TEST_F(BenchmarkProgram, IsTheOneOfItsOwnFile) {
  executable("mine", logistic_at_2);
  const Benchmark first = read(text());
  const std::set<std::string> keys = keys_of(first);
  // Another benchmark, and a rolling study, give the name to other programs.
  std::filesystem::create_directory(place_.path("other"));
  executable("other/mine", "#!/bin/sh\nexit 1\n");
  const Benchmark second = read(text(), "other/sample.toml");
  const RollingStudy study = read_rolling_study(TomlDocument::from_text(
      "study.name = \"s\"\nsystem.name = \"knife_edge\"\nepsilon.values = [0.1]\ntime.end = 1.0\n"
      "[solvers]\ncompliant = [\"mine\"]\n[solvers.mine]\nprogram = \"./mine\"\n",
      place_.path("other/study.toml")));
  EXPECT_EQ(keys_of(first), keys);
  EXPECT_NE(keys_of(second), keys);
  // The name in the catalogue is that of the study, and no method of a benchmark without a table.
  ASSERT_NE(find_ode_method("mine"), nullptr);
  std::string without = text("", R"(["mine"])");
  without.erase(without.find("[solvers"), without.find("[tolerance]") - without.find("[solvers"));
  EXPECT_THAT(complaint(without), HasSubstr("'mine' is not known"));
  const Benchmark all = read(text("", R"(["all"])"));
  for (const OdeMethod* method : all.methods) EXPECT_STRNE(method->name, "mine");
}

// Two rolling studies are read before the first one runs.
TEST_F(BenchmarkProgram, OfARollingStudyIsTheOneOfItsFileToo) {
  const auto study = [&](const std::string& folder, const std::string& program) {
    std::filesystem::create_directory(place_.path(folder));
    executable(folder + "/mine", program);
    return read_rolling_study(TomlDocument::from_text(
        "study.name = \"s\"\nsystem.name = \"knife_edge\"\nepsilon.values = [0.1]\ntime.end = 0.1\n"
        "time.samples = 3\ntime.layer_samples = 2\n"
        "[solvers]\ncompliant = [\"mine\"]\n[solvers.mine]\nprogram = \"./mine\"\n",
        place_.path(folder + "/study.toml")));
  };
  const auto gives_up = [](const std::string& why) {
    return "#!/bin/sh\nread request\necho '{\"failure\": \"" + why + "\"}'\n";
  };
  const RollingStudy first = study("first", gives_up("tired"));
  const RollingStudy second = study("second", gives_up("bored"));
  for (const auto& [one, why] : {std::pair{&first, "tired"}, {&second, "bored"}}) {
    const RollingResult result = run_rolling_study(*one);
    ASSERT_FALSE(result.failures.empty());
    EXPECT_THAT(result.failures.front().message, HasSubstr(why));
  }
}

/// The logistic equation by radau_iia_3 and a program.
BenchmarkResult solved_beside(const OdeMethod& program) {
  Benchmark benchmark{.name = "logistic"};
  benchmark.methods = {find_ode_method("radau_iia_3"), &program};
  benchmark.rtol = {1e-6};
  benchmark.repeats = 2;
  return run_benchmark(benchmark, test::logistic(1.0), test::two_at_a_time());
}

TEST_F(BenchmarkProgram, HasAnErrorButNoTime) {
  executable("mine", logistic_at_2);
  const Benchmark b = read(text());
  const BenchmarkResult result = solved_beside(*b.methods.at(1));
  ASSERT_EQ(result.trials.size(), 2u);
  const Trial &ours = result.trials[0], &theirs = result.trials[1];
  EXPECT_EQ(theirs.outcome, Outcome::success) << theirs.reason;
  EXPECT_LT(theirs.errors.at(0).error, 1e-6);
  EXPECT_EQ(theirs.work.steps, 7);
  EXPECT_TRUE(std::isnan(theirs.seconds) && std::isnan(theirs.seconds_median));
  EXPECT_EQ(theirs.repeats, 0);
  // Negative control.
  EXPECT_GT(ours.seconds, 0.0);
  EXPECT_GT(ours.repeats, 0);
}

TEST_F(BenchmarkProgram, ThatFailsSpoilsItsOwnRowsOnly) {
  int case_number = 0;
  for (const char* body : {"exit 3", "kill -9 $$", "echo rubbish", "echo '{\"states\": [[1, 2]]}'",
                           "trap '' TERM; sleep 1000 & sleep 1000", "while :; do printf x; done",
                           "while :; do echo '{\"rhs\": {\"t\": 0, \"y\": [0.5]}}'; done",
                           "echo '{\"states\": [[null]]}'"}) {
    executable("mine", std::string("#!/bin/sh\n") + body + "\n");
    const Benchmark b = read(text("seconds = 0.2\n"));
    const BenchmarkResult result = solved_beside(*b.methods.at(1));
    const Trial &ours = result.trials[0], &theirs = result.trials[1];
    EXPECT_NE(theirs.outcome, Outcome::success) << body;
    EXPECT_NE(theirs.reason, "") << body;
    EXPECT_EQ(theirs.errors.at(0).status, TrialStatus::failed) << body;
    EXPECT_EQ(ours.outcome, Outcome::success) << body;
    EXPECT_LT(ours.errors.at(0).error, 1e-4) << body;
    EXPECT_GT(ours.seconds, 0.0) << body;
    ++case_number;
  }
  EXPECT_EQ(case_number, 8);
}

TEST_F(BenchmarkProgram, ThatChangesDuringARunFails) {
  executable("mine", logistic_at_2);
  const Benchmark b = read(text());
  EXPECT_EQ(solved_beside(*b.methods.at(1)).trials[1].outcome, Outcome::success);
  executable("mine", logistic_at_2 + "# changed\n");
  const Trial trial = solved_beside(*b.methods.at(1)).trials[1];
  EXPECT_NE(trial.outcome, Outcome::success);
  EXPECT_THAT(trial.reason, HasSubstr("has changed"));
}

// The logistic equation of the tests has no tapes.
TEST_F(BenchmarkProgram, WithSourceFailsWhereTheEquationsAreNotRecorded) {
  executable("mine", logistic_at_2);
  const Benchmark b = read(text("source = \"c\"\n"));
  const Trial trial = solved_beside(*b.methods.at(1)).trials[1];
  EXPECT_NE(trial.outcome, Outcome::success);
  EXPECT_THAT(trial.reason, HasSubstr("not recorded"));
}

}  // namespace
}  // namespace rigidlimit
