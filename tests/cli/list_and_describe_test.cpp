// Tests that `rigidlimit list` and `describe` know every name that a study can use.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/core/wrapped_text.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"
#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/shipped_studies.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

std::vector<std::string> all_names() {
  std::vector<std::string> names = names_of(builtin_systems());
  for (const auto& more : {names_of_laws(), names_of_rigid_solvers(), names_of_ode_methods()})
    names.insert(names.end(), more.begin(), more.end());
  return names;
}

TEST(List, HasEveryNameOfTheCatalogues) {
  const test::Said said = test::rigidlimit({"list"}, test::in_repository(""));
  EXPECT_EQ(said.status, 0) << said.err;
  for (const std::string& name : all_names()) EXPECT_THAT(said.out, HasSubstr(name));
  for (const std::string& file : test::shipped_studies())
    EXPECT_THAT(said.out, HasSubstr(std::filesystem::path(file).filename().string()));
  // A friction study, sweeps of both kinds and a benchmark, each with its own reader.
  for (const char* file : {"impacts/curb_plastic.toml", "damping/knife_edge_damping.toml",
                           "friction/two_point_ball.toml", "benchmarks/chain.toml"})
    EXPECT_THAT(said.out, HasSubstr(file));
  EXPECT_THAT(said.out, testing::Not(HasSubstr("bases/"))) << "no experiments";
  EXPECT_THAT(said.out, testing::Not(HasSubstr("cannot")));
}

// In a folder without studies `list` has the names that other commands take there.
TEST(List, HasTheNamesOfShippedStudiesInAnyFolder) {
  const test::TemporaryDirectory empty;
  const std::string out =
      test::rigidlimit({"list", "studies", "--format", "csv"}, empty.path()).out;
  for (const ShippedFile& study : shipped_studies())
    EXPECT_THAT(out, HasSubstr("\n" + study.name + ","));
  const test::Said plan = test::rigidlimit({"run", "knife_edge", "--dry-run"}, empty.path());
  EXPECT_EQ(plan.status, 0) << plan.err;
  EXPECT_EQ(test::rigidlimit({"describe", "suslov"}, empty.path()).status, 0);
  const test::Said unknown = test::rigidlimit({"run", "knife_edg", "--dry-run"}, empty.path());
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("'knife_edge'"));
  empty.write("knife_edge.toml", "[study]\nname = \"mine\"\n[system]\nname = \"wheel\"\n");
  const test::Said own = test::rigidlimit({"run", "knife_edge", "--dry-run"}, empty.path());
  EXPECT_THAT(own.err, HasSubstr("knife_edge.toml")) << "the file that hides the shipped one";
}

TEST(List, OfOneKindHasThatKindOnly) {
  const std::string out = test::rigidlimit({"list", "systems"}).out;
  for (const std::string& name : names_of(builtin_systems())) EXPECT_THAT(out, HasSubstr(name));
  EXPECT_THAT(out, testing::Not(HasSubstr("cvode_bdf")));
  EXPECT_THAT(test::rigidlimit({"list", "solvers"}).out,
              testing::AllOf(HasSubstr("ida_impulse"), HasSubstr("rosenbrock4"),
                             testing::Not(HasSubstr("rolling_disk"))));
  EXPECT_THAT(test::rigidlimit({"list", "laws"}).out, HasSubstr("viscoelastic"));
}

/// A study with kinks needs a solver that locates roots.
TEST(List, ShowsWhichSolversLocateRoots) {
  const std::string out = test::rigidlimit({"list", "solvers"}).out;
  EXPECT_THAT(out, testing::ContainsRegex("\n *ida +rigid +yes "));
  EXPECT_THAT(out, testing::ContainsRegex("\n *cvode_bdf +rigid [^\n]*compliant +yes "));
  EXPECT_THAT(out, testing::ContainsRegex("\n *rosenbrock4 +rigid [^\n]*compliant +no "));
}

TEST(List, FindsStudiesInAnotherDirectory) {
  const test::TemporaryDirectory place;
  place.write("mine.toml", test::sample_text);
  place.write("notes.txt", "not a study");
  const test::Said said = test::rigidlimit({"list", "studies", "--experiments", place.path()});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, testing::AllOf(HasSubstr("mine.toml"), HasSubstr("rolling"),
                                       testing::Not(HasSubstr("notes.txt"))));
}

/// Whether a line has the study and the first words of its question.
bool has_them_side_by_side(const std::string& list, const std::string& study,
                           const std::string& question) {
  for (const std::string& line : test::split(list, '\n'))
    if (line.starts_with("  " + study + " ")) return line.find(question) != std::string::npos;
  return false;
}

TEST(List, OfStudiesHasEachQuestionBesideItsStudy) {
  const test::TemporaryDirectory empty;
  for (const char* columns : {"COLUMNS=80", "COLUMNS=120"}) {
    const std::string out = test::rigidlimit({"list", "studies"}, empty.path(), {columns}).out;
    int shown = 0;
    for (const ShippedFile& study : shipped_studies()) {
      const std::string question =
          read_experiment(study.path, {}, builtin_systems()).question.substr(0, 8);
      EXPECT_TRUE(has_them_side_by_side(out, study.name, question)) << study.name;
      ++shown;
    }
    EXPECT_GT(shown, 100);
    for (const std::string& line : test::split(out, '\n')) EXPECT_LE(display_width(line), 120u);
    EXPECT_FALSE(has_them_side_by_side(out, "knife_edge", "no such question"));
  }
}

// COLUMNS, the negative control, folds them.
TEST(List, InAPipeHasOneLineForEachEntry) {
  const test::TemporaryDirectory empty;
  const auto lines = [&](const char* kind, const char* columns) {
    return test::split(test::rigidlimit({"list", kind}, empty.path(), {columns}).out, '\n').size();
  };
  for (const char* kind : {"studies", "laws", "problems", "solvers"}) {
    const std::string csv =
        test::rigidlimit({"list", kind, "--format", "csv"}, empty.path(), {"COLUMNS="}).out;
    const std::size_t rows = test::split(csv, '\n').size();
    EXPECT_EQ(lines(kind, "COLUMNS="), rows + 1) << kind << ": and a line below the headers";
  }
  EXPECT_GT(lines("studies", "COLUMNS=80"), lines("studies", "COLUMNS="));
}

TEST(List, OfStudiesHasJsonAndCsv) {
  const test::TemporaryDirectory place;
  std::filesystem::create_directory(place.path("deeper"));
  place.write("deeper/mine.toml", test::sample_text);
  place.write("bad.toml", "[study]\nname = \"bad\"\n");
  const auto list = [&](const char* format) {
    return test::rigidlimit({"list", "studies", "--experiments", place.path(), "--format", format});
  };
  const auto studies = nlohmann::json::parse(list("json").out).at("studies");
  ASSERT_EQ(studies.size(), 2u);
  EXPECT_THAT(studies[0].at("fault").get<std::string>(), HasSubstr("bad.toml: system.name"));
  EXPECT_EQ(studies[1].at("name"), "sample");
  EXPECT_EQ(studies[1].at("kind"), "rolling");
  EXPECT_EQ(studies[1].at("system"), "knife_edge");
  EXPECT_THAT(list("csv").out, testing::StartsWith("file,kind,name,system,question,fault\n"));
}

TEST(List, OfEachKindHasEveryFormatWithTheSameNames) {
  for (const char* what : {"systems", "solvers", "laws", "problems"}) {
    SCOPED_TRACE(what);
    const auto list = [&](const char* format) {
      const test::Said said = test::rigidlimit(
          {"list", what, "--experiments", test::in_repository("experiments"), "--format", format});
      EXPECT_EQ(said.status, 0) << said.err;
      return said.out;
    };
    const auto rows = nlohmann::json::parse(list("json")).at(what);
    const std::string csv = list("csv"), html = list("html"), table = list("table");
    EXPECT_EQ(test::split(csv, '\n').size(), rows.size() + 1);
    ASSERT_GT(rows.size(), 3u);
    for (const auto& row : rows)
      for (const std::string* text : {&csv, &html, &table})
        EXPECT_THAT(*text, HasSubstr(row.at("name").get<std::string>()));
    EXPECT_THAT(list("markdown"), HasSubstr("| --- |"));
    EXPECT_THAT(list("latex"), HasSubstr("\\toprule"));
  }
  // Negative control: one format has one table.
  const test::Said all = test::rigidlimit({"list", "--format", "csv"});
  EXPECT_EQ(all.status, 2);
  EXPECT_THAT(all.err, HasSubstr("--format"));
}

TEST(List, OfAMissingDirectoryIsStatus2) {
  const test::Said said = test::rigidlimit({"list", "studies", "--experiments", "/no/such"});
  EXPECT_EQ(said.status, 2);
  EXPECT_THAT(said.err, HasSubstr("/no/such: "));
}

TEST(List, OutsideTheRepositoryListsBuiltInAndShippedNames) {
  const test::TemporaryDirectory place;
  const test::Said said = test::rigidlimit({"list"}, place.path());
  EXPECT_EQ(said.status, 0) << said.err;
  for (const std::string& name : all_names()) EXPECT_THAT(said.out, HasSubstr(name));
  EXPECT_THAT(said.out, HasSubstr("\n  knife_edge_prediction "));
}

nlohmann::json described(const std::string& name, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"describe", name, "--format", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const test::Said said = test::rigidlimit(arguments);
  EXPECT_EQ(said.status, 0) << said.err;
  return nlohmann::json::parse(said.out);
}

TEST(List, HasTheClassicalProblemsWithTheirSources) {
  const std::string out = test::rigidlimit({"list", "problems"}).out;
  for (const ClassicalEntry& entry : classical_problems()) {
    EXPECT_THAT(out, HasSubstr(entry.name));
    const test::Said said = test::rigidlimit({"describe", entry.name});
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(said.out, testing::StartsWith(entry.name + ": " + entry.title));
    const auto json = described(entry.name);
    EXPECT_EQ(json["source"], entry.source);
    for (std::size_t k = 0; k < entry.parameters.size(); ++k)
      EXPECT_EQ(json["parameters"][k]["meaning"], entry.parameters[k].text);
  }
}

class Describe : public testing::TestWithParam<std::string> {};

TEST_P(Describe, KnowsTheName) {
  const test::Said said = test::rigidlimit({"describe", GetParam()});
  EXPECT_EQ(said.status, 0);
  EXPECT_THAT(said.out, testing::StartsWith(GetParam() + ": "));
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(described(GetParam())["name"], GetParam());
}

TEST(DescribeIn, EveryFormatHasTheSameParameters) {
  const auto json = described("knife_edge");
  ASSERT_EQ(json["parameters"].size(), 4u);
  for (const std::string& format : names_of_formats()) {
    const test::Said said = test::rigidlimit({"describe", "knife_edge", "--format", format});
    EXPECT_EQ(said.status, 0) << format;
    for (const auto& parameter : json["parameters"])
      EXPECT_THAT(said.out, HasSubstr(parameter["parameter"].get<std::string>())) << format;
  }
  // A law has no parameters: one row.
  EXPECT_EQ(test::rigidlimit({"describe", "viscoelastic", "--format", "csv"}).out.substr(0, 17),
            "kind,name,title,s");
}

TEST(DescribeIn, NumbersAreThoseOfTheState) {
  const auto json = described("knife_edge", {"--set", "mass=2.5", "--linearise"});
  EXPECT_EQ(json["parameters"][0]["value"], 2.5);
  EXPECT_EQ(json["M"][0]["x'"], 2.5);
  EXPECT_EQ(described("knife_edge")["parameters"][0]["value"], 1.0);
}

TEST(DescribeIn, AVelocityThatRollingStopsIsZeroAndASmallOneIsNot) {
  const test::TemporaryDirectory place;
  place.write("stopped.toml", R"(name = "stopped"
title = "Two rows stop two of three velocities"
coordinates = [
  {name = "a", unit = "m", start = 0.0, rate = "w1"},
  {name = "b", unit = "m", start = 0.0, rate = "w2"},
  {name = "c", unit = "m", start = 0.0, rate = "w3"},
]
velocities = [
  {name = "w1", unit = "m/s", start = 0.3},
  {name = "w2", unit = "m/s", start = 0.7},
  {name = "w3", unit = "m/s", start = 1e-20},
]
mass_matrix = [[1.3, 0.1, 0], [0.1, 2.7, 0], [0, 0, 1]]
force = ["0", "0", "0"]
constraint = [
  {name = "first", unit = "m/s", row = "0.3*w1 + 0.7*w2"},
  {name = "second", unit = "m/s", row = "w1 - 0.1*w2"},
]
)");
  const auto velocities = described(place.path("stopped.toml"))["velocities"];
  EXPECT_EQ(velocities[0]["default"], 0.0);
  EXPECT_EQ(velocities[1]["default"], 0.0);
  EXPECT_EQ(velocities[2]["default"], 1e-20);
}

TEST(DescribeIn, APowerOfRoundingIsZero) {
  EXPECT_THAT(test::rigidlimit({"describe", "rolling_disk"}).out, HasSubstr("potential: 0 W"));
  EXPECT_THAT(test::rigidlimit({"describe", "wheel", "--set", "drag=0.1"}).out,
              testing::Not(HasSubstr("potential: 0 W")));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Describe, testing::ValuesIn([] {
                           std::vector<std::string> names = all_names();
                           std::ranges::sort(names);
                           names.erase(std::ranges::unique(names).begin(), names.end());
                           return names;
                         }()),
                         [](const auto& one) { return one.param; });

TEST(DescribeSystem, ShowsEveryParameter) {
  for (const SystemEntry& entry : builtin_systems()) {
    const std::string out = test::rigidlimit({"describe", entry.info.name}).out;
    const auto json = described(entry.info.name);
    const std::vector<ParameterInfo> parameters = entry.frictional_parameters();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      EXPECT_THAT(out, HasSubstr(parameters[k].name));
      EXPECT_EQ(json["parameters"][k]["parameter"], parameters[k].name);
      EXPECT_EQ(json["parameters"][k]["meaning"], parameters[k].text);
    }
    for (const Component& c : entry.info.velocities)
      if (!c.is_clock) EXPECT_THAT(out, HasSubstr(c.name));
    EXPECT_THAT(out, testing::Not(HasSubstr("clock'"))) << "a coordinate that no user states";
    EXPECT_THAT(out, testing::AllOf(HasSubstr("Source: "), HasSubstr("Closed form: "),
                                    HasSubstr("unit"), HasSubstr("default")));
  }
}

TEST(DescribeState, RefusesNonFiniteAndSingularStates) {
  const auto refused = [](std::vector<std::string> arguments, const std::string& why) {
    arguments.insert(arguments.begin(), "describe");
    for (const bool linearise : {false, true}) {
      if (linearise) arguments.emplace_back("--linearise");
      const test::Said said = test::rigidlimit(arguments);
      EXPECT_EQ(said.status, 2) << why;
      EXPECT_EQ(said.out, "") << why;
      EXPECT_THAT(said.err, HasSubstr(why));
    }
  };
  refused({"rolling_disk", "--q", "nan,0,0,0,0"}, "--q: nan,0,0,0,0: x ");
  refused({"rolling_disk", "--q", "0,inf,0,0,0"}, ": y ");
  refused({"rolling_disk", "--v", "0,0,0,nan,0"}, "--v: 0,0,0,nan,0: tilt' ");
  refused({"rolling_disk", "--v", "0,0,0,0,1e300"}, ">= -1e+40 and <= 1e+40");
  refused({"rolling_disk", "--q", "0,0,0,1.6,0"}, "> -1.57");
  refused({"rolling_disk", "--q", "0,0,0,1.5707963,0"}, "--q: singular");
  refused({"rolling_disk_quaternion", "--q", "0,0,0,0,0,0"}, "--q: singular");
  refused({"rolling_disk", "--set", "mass=1e300"}, ">= 1e-40 and <= 1e+40");
  // Negative control: upright, and strongly tilted.
  for (const char* q : {"0,0,0,0,0", "0,0,0,1.57,0"})
    EXPECT_EQ(test::rigidlimit({"describe", "rolling_disk", "--q", q, "--linearise"}).status, 0);
}

TEST(DescribeState, RefusesNonFiniteStatesWithFriction) {
  for (const char* q : {"nan,0.5,0", "0,inf,0"}) {
    const test::Said said = test::rigidlimit({"describe", "bouncing_ball", "--q", q});
    EXPECT_EQ(said.status, 2) << q;
    EXPECT_EQ(said.out, "") << q;
  }
}

TEST(DescribeMisspelt, SuggestsANameWithStatus2) {
  const test::Said said = test::rigidlimit({"describe", "kinfe_edge"});
  EXPECT_EQ(said.status, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(said.err, testing::AllOf(HasSubstr("'kinfe_edge'"), HasSubstr("'knife_edge'"),
                                       HasSubstr("'rigidlimit list'")));
  EXPECT_LT(said.err.size(), 400u) << "not the list of all 80 names";
}

}  // namespace
}  // namespace rigidlimit
