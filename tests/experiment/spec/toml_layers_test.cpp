// Tests base = "other.toml": a file and its base are read like one file with all keys.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Writes files to a folder and reads them.
class TomlBase : public testing::Test {
 protected:
  void SetUp() override {
    place.write("sample.toml", test::sample_text + test::sample_expectations);
  }
  std::string resolved(const std::string& file,
                       const std::vector<std::string>& overrides = {}) const {
    return resolved_toml(read_rolling_study(place.path(file), overrides));
  }
  /// Error message, without the folder, for the study `text` beside the sample.
  std::string complaint(const std::string& text,
                        const std::vector<std::string>& overrides = {}) const {
    place.write("derived.toml", text);
    try {
      resolved("derived.toml", overrides);
    } catch (const InputError& error) {
      std::string said = error.what();
      const std::string folder = place.path() + "/";
      for (std::size_t at = said.find(folder); at != std::string::npos; at = said.find(folder))
        said.erase(at, folder.size());
      return said;
    }
    return "";
  }
  const test::TemporaryDirectory place;
};

/// The sample without its expectations and with `line` replaced by `lines`.
std::string sample_with(const std::string& line, const std::string& lines) {
  std::string text = test::sample_text;
  return text.replace(text.find(line), line.size(), lines);
}

TEST_F(TomlBase, ANameAtTheTopOfAStudyIsSentToItsTable) {
  for (const char* base : {"knife_edge", "sample.toml"}) {
    const std::string said = complaint(fmt::format("base = \"{}\"\nname = \"mine\"\n", base));
    EXPECT_THAT(said,
                AllOf(HasSubstr("derived.toml:2:1: name: unknown key"), HasSubstr("[study]")));
  }
  EXPECT_EQ(complaint("base = \"knife_edge\"\n[study]\nname = \"mine\"\n"), "");
}

/// A system as text, without its name.
const std::string sled_text =
    R"(coordinates = [{name = "x", start = 0, start_rate = 1}, {name = "y", start = 0, start_rate = 0}, {name = "turn", start = 0, start_rate = 0}]
mass_matrix = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "0.1"]]
force = ["0", "0", "0"]
constraint = ["cos(turn)*y' - sin(turn)*x'"]
)";

/// The sample with these lines as its system and that system's default start.
std::string of_a_system(const std::string& lines) {
  std::string text = sample_with("name = \"knife_edge\"", lines);
  const std::string start = "[initial]\nv = [0.7, 0.0, 1.3]\n";
  return text.erase(text.find(start), start.size());
}

TEST_F(TomlBase, ReadsLikeOneFile) {
  place.write("derived.toml", R"(base = "sample.toml"
[contact]
damping_ratio = 2.0
[time]
end = 1.0
[solvers.cvode_bdf]
rtol = 1e-7
[[expect]]
quantity = "v"
order = 1.0
)");
  std::string written = sample_with("stiffness = 1.0", "stiffness = 1.0\ndamping_ratio = 2.0");
  written.replace(written.find("end = 2.0"), 9, "end = 1.0");
  written += "[solvers.cvode_bdf]\nrtol = 1e-7\n[[expect]]\nquantity = \"v\"\norder = 1.0\n";
  place.write("written.toml", written);
  EXPECT_EQ(resolved("derived.toml"), resolved("written.toml"));
  EXPECT_NE(resolved("derived.toml"), resolved("sample.toml"));
  for (const std::string set : {"time.end=3.0", "epsilon.values=[0.1, 0.01]", "expect=[]"})
    EXPECT_EQ(resolved("derived.toml", {set}), resolved("written.toml", {set})) << set;
}

TEST_F(TomlBase, ListsOfTablesAreReplacedAsAWhole) {
  place.write("derived.toml",
              "base = \"sample.toml\"\n[[expect]]\nquantity = \"v\"\norder = 1.0\n");
  const RollingStudy study = read_rolling_study(place.path("derived.toml"));
  ASSERT_EQ(study.expectations.size(), 1u) << "without the three of the base";
  EXPECT_EQ(study.expectations[0].order, 1.0);
  place.write("none.toml", "base = \"sample.toml\"\nexpect = []\n");
  EXPECT_TRUE(read_rolling_study(place.path("none.toml")).expectations.empty());
}

TEST_F(TomlBase, WithoutRemovesKeysOfTheBase) {
  place.write("derived.toml", R"(base = "sample.toml"
without = ["expect", "solvers.atol", "epsilon"]
[epsilon]
values = [0.1, 0.01]
)");
  const RollingStudy study = read_rolling_study(place.path("derived.toml"));
  EXPECT_TRUE(study.expectations.empty());
  EXPECT_EQ(study.solvers.atol, SolverSpec{}.atol) << "the default again";
  EXPECT_EQ(study.solvers.rtol, 1e-10) << "the rest of the table stays";
  EXPECT_THAT(study.epsilons, ElementsAre(0.1, 0.01));
}

TEST_F(TomlBase, AlternativeKeysReplaceThoseOfTheBase) {
  // epsilon.values replaces from, to and count, as with --set.
  place.write("derived.toml", "base = \"sample.toml\"\n[epsilon]\nvalues = [0.1, 0.01]\n");
  EXPECT_THAT(read_rolling_study(place.path("derived.toml")).epsilons, ElementsAre(0.1, 0.01));
  place.write("again.toml",
              "base = \"derived.toml\"\n[epsilon]\nfrom = 0.1\nto = 0.001\ncount = 3\n");
  EXPECT_EQ(read_rolling_study(place.path("again.toml")).epsilons.size(), 3u);
  // Negative control: both forms in one file.
  EXPECT_THAT(complaint("base = \"sample.toml\"\n[epsilon]\nvalues = [0.1]\ncount = 3\n"),
              StartsWith("derived.toml:4:9: epsilon.count = 3: "));
}

TEST_F(TomlBase, LaterBasesOverrideEarlierOnes) {
  place.write("long.toml", "[time]\nend = 4.0\nsamples = 7\n");
  place.write("fine.toml", "[time]\nsamples = 9\n[epsilon]\nvalues = [0.1, 0.01]\n");
  place.write("derived.toml",
              "base = [\"sample.toml\", \"long.toml\", \"fine.toml\"]\nwithout = [\"expect\"]\n"
              "[study]\nname = \"derived\"\n");
  const RollingStudy study = read_rolling_study(place.path("derived.toml"));
  EXPECT_EQ(study.name, "derived");
  EXPECT_EQ(study.time.end, 4.0);
  EXPECT_EQ(study.time.samples, 9);
  EXPECT_THAT(study.epsilons, ElementsAre(0.1, 0.01));
  EXPECT_TRUE(study.expectations.empty());
  EXPECT_THAT(complaint("base = [\"sample.toml\", 3]\n"), StartsWith("derived.toml:1:24: base: "));
}

TEST_F(TomlBase, AcceptsABaseInAnotherFolder) {
  std::filesystem::create_directories(place.path("a/b"));
  place.write("a/middle.toml", "base = \"../sample.toml\"\n[time]\nend = 1.5\n");
  place.write("a/b/last.toml", "base = \"../middle.toml\"\n[study]\nname = \"last\"\n");
  const RollingStudy study = read_rolling_study(place.path("a/b/last.toml"));
  EXPECT_EQ(study.name, "last");
  EXPECT_EQ(study.time.end, 1.5);
  EXPECT_EQ(study.expectations.size(), 3u);
  // Messages use the shorter of two paths to a file.
  place.write("a/middle.toml", "base = \"../sample.toml\"\n[time]\nend = -1\n");
  try {
    read_rolling_study(place.path("a/b/last.toml"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), StartsWith(place.path("a/middle.toml") + ":3:7: time.end = -1"));
  }
}

TEST_F(TomlBase, ASystemFileIsRelativeToTheFileThatNamesIt) {
  std::filesystem::create_directories(place.path("a/systems"));
  place.write("a/systems/point.toml", "name = \"sled\"\n" + sled_text);
  place.write("a/given.toml", of_a_system("file = \"systems/point.toml\""));
  place.write("derived.toml", "base = \"a/given.toml\"\n");
  EXPECT_EQ(read_rolling_study(place.path("derived.toml")).system->info.name, "sled");
  // No such file exists beside the derived file.
  EXPECT_THAT(complaint("base = \"a/given.toml\"\n[system]\nfile = \"systems/point.toml\"\n"),
              HasSubstr("systems/point.toml cannot be read"));
  EXPECT_THAT(complaint("base = \"a/given.toml\"\n", {"system.file=\"systems/point.toml\""}),
              HasSubstr("systems/point.toml cannot be read"));
}

TEST_F(TomlBase, AStudyCanBeTheBaseOfASweep) {
  place.write("study.toml", test::sample_text);
  place.write("sweep.toml",
              "base = \"study.toml\"\n[sweep]\ncontact.damping_ratio = [0.5, 1.0]\n[study]\nname = "
              "\"m\"\n");
  const TomlDocument document = TomlDocument::from_file(place.path("sweep.toml"));
  const SweepGrid grid = read_sweep_grid(document);
  ASSERT_EQ(grid.size(), 2u);
  const RollingStudy point = read_rolling_study(document_at(document, grid, 0));
  EXPECT_EQ(point.name, "m");
  EXPECT_EQ(point.contact.damping_ratio, 0.5);
}

TEST_F(TomlBase, ErrorsNameTheFileOfTheKey) {
  place.write("bad.toml",
              test::sample_text + "[[expect]]\nquantity = \"q\"\norder = 2\nnomr = 1\n");
  const std::string base = "base = \"bad.toml\"\n";
  EXPECT_THAT(complaint(base), StartsWith("bad.toml:21:1: expect[0].nomr: "));
  EXPECT_THAT(complaint(base + "[time]\nend = -1\n"),
              StartsWith("derived.toml:3:7: time.end = -1"));
  EXPECT_THAT(complaint(base + "[time]\nend = 1.0\nbegin = 0.0\n"),
              StartsWith("derived.toml:4:1: time.begin: "));
  EXPECT_THAT(complaint(base, {"time.end=-1"}), StartsWith("--set time.end=-1: time.end = -1"));
  EXPECT_THAT(complaint(base, {"time.end=1"}), StartsWith("bad.toml:21:1: expect[0].nomr"));
  // The place of a missing key is its table in the derived file, if that has one.
  EXPECT_THAT(complaint("base = \"sample.toml\"\nwithout = [\"time.end\"]\n[time]\nsamples = 9\n"),
              StartsWith("derived.toml:3:1: time.end: missing"));
  EXPECT_THAT(complaint("base = \"sample.toml\"\nwithout = [\"time.end\"]\n"),
              StartsWith("sample.toml:13:1: time.end: missing"));
  std::string unclosed = "name = \"sled\"\n" + sled_text;
  unclosed.insert(unclosed.find("\"]", unclosed.find("constraint")), " + (1");
  place.write("formula.toml", of_a_system(unclosed));
  EXPECT_THAT(complaint("base = \"formula.toml\"\n"), StartsWith("formula.toml:8:"))
      << "also for a formula";
}

TEST_F(TomlBase, AnUnreadableBaseIsRefusedAtItsPlace) {
  const auto says = [&](const std::string& value, const std::string& what) {
    EXPECT_THAT(complaint("# first\nbase = " + value + "\n"),
                StartsWith("derived.toml:2:8: base: " + what));
  };
  says("\"none.toml\"", "none.toml ");
  says("\"sub\\u0000.toml\"", "sub");
  says("3", "");
  says("\"\"", "");
  says("\".\"", "");
  ASSERT_EQ(mkfifo(place.path("pipe").c_str(), 0600), 0);
  says("\"pipe\"", "pipe ");
  place.write("empty.toml", "");
  says("\"empty.toml\"", "empty.toml ");
  place.write("broken.toml", "[time]\nend = \n");
  EXPECT_THAT(complaint("base = \"broken.toml\"\n"), StartsWith("broken.toml:2:7: "));
}

TEST_F(TomlBase, CyclesAndLongChainsAreRefused) {
  EXPECT_THAT(complaint("base = \"derived.toml\"\n"),
              StartsWith("derived.toml:1:8: base: derived.toml "));
  place.write("b.toml", "base = \"c.toml\"\n");
  place.write("c.toml", "base = \"./derived.toml\"\n");
  EXPECT_THAT(complaint("base = \"b.toml\"\n"), StartsWith("c.toml:1:8: base: derived.toml "));
  place.write("1.toml", test::sample_text);
  for (int k = 2; k <= 16; ++k)
    place.write(std::to_string(k) + ".toml", "base = \"" + std::to_string(k - 1) + ".toml\"\n");
  EXPECT_EQ(complaint("base = \"15.toml\"\n"), "") << "sixteen files";
  EXPECT_THAT(complaint("base = \"16.toml\"\n"),
              AllOf(StartsWith("2.toml:1:8: base: 1.toml "), HasSubstr(" 16")));
  // Every file of a list counts: eight levels of eight names would be 16 million reads.
  EXPECT_THAT(complaint("base = [\"8.toml\", \"8.toml\"]\n"),
              AllOf(HasSubstr(": base: "), HasSubstr(" 16")));
  // A link gives another name in each cycle.
  std::filesystem::create_directory_symlink(".", place.path("here"));
  EXPECT_THAT(complaint("base = \"here/derived.toml\"\n"), HasSubstr(": base: "));
}

TEST_F(TomlBase, LimitsApplyToTheSumOfAllFiles) {
  const std::string filling = "#" + std::string(2'000'000, 'x') + "\n";
  place.write("long.toml", test::sample_text + filling);
  EXPECT_EQ(complaint("base = \"long.toml\"\n"), "");
  EXPECT_THAT(complaint("base = \"long.toml\"\n" + filling),
              AllOf(StartsWith("derived.toml:1:8: base: long.toml "), HasSubstr("4000000 bytes")));
  place.write("deep.toml",
              test::sample_text + "x = " + std::string(17, '[') + std::string(17, ']'));
  EXPECT_THAT(complaint("base = \"deep.toml\"\n"), StartsWith("deep.toml:18:"));
}

TEST_F(TomlBase, RefusesABaseOfAnotherKind) {
  place.write("benchmark.toml", "[benchmark]\nname = \"b\"\n");
  EXPECT_THAT(complaint("base = \"benchmark.toml\"\n[study]\nname = \"s\"\n"),
              AllOf(StartsWith("derived.toml:1:8: base: benchmark.toml "),
                    HasSubstr(" benchmark, "), HasSubstr(" study")));
  place.write("system.toml", "name = \"x\"\ncoordinates = [\"x\"]\n");
  EXPECT_THAT(complaint("base = \"system.toml\"\n[study]\nname = \"s\"\n"),
              AllOf(StartsWith("derived.toml:1:8: base: system.toml "), HasSubstr(" system, "),
                    HasSubstr(" study")));
}

TEST_F(TomlBase, WithoutRefusesUnknownKeys) {
  const auto says = [&](const std::string& text, const std::string& what) {
    EXPECT_THAT(complaint("base = \"sample.toml\"\nwithout = " + text + "\n"), StartsWith(what));
  };
  says("[\"time.ende\"]", "derived.toml:2:12: without: ");
  EXPECT_THAT(complaint("base = \"sample.toml\"\nwithout = [\"time.ende\"]\n"),
              AllOf(HasSubstr("'time.ende'"), HasSubstr("'time.end'")));
  says("\"time.end\"", "derived.toml:2:11: without: ");
  says("[1]", "derived.toml:2:11: without: ");
  says("[\"expect.order\"]", "derived.toml:2:12: without: ");
  EXPECT_THAT(complaint("without = [\"time\"]\n" + test::sample_text),
              StartsWith("derived.toml:1:11: without: "));
  EXPECT_THAT(complaint("bse = \"sample.toml\"\n" + test::sample_text), HasSubstr("'base'"));
}

TEST_F(TomlBase, CannotBeSetByAnOverride) {
  EXPECT_THAT(complaint(test::sample_text, {"base=\"sample.toml\""}),
              StartsWith("--set base=\"sample.toml\": base: "));
  EXPECT_THAT(complaint(test::sample_text, {"without=[\"time\"]"}),
              StartsWith("--set without=[\"time\"]: without: "));
}

TEST_F(TomlBase, RefusesABaseOfATextWithoutAFolder) {
  EXPECT_THAT(test::complaint_about("base = \"other.toml\"\n" + test::sample_text),
              StartsWith("sample.toml:1:8: base: "));
  const auto from_stdin = [&](const std::string& base) {
    return TomlDocument::from_texts("base = \"" + base + "\"\n", "/dev/stdin",
                                    [&](const std::string&) { return test::sample_text; });
  };
  EXPECT_THROW(from_stdin("other.toml"), InputError);
  EXPECT_EQ(resolved_toml(read_rolling_study(from_stdin("/an/absolute/path.toml"))),
            resolved_toml(test::study_from(test::sample_text)));
}

}  // namespace
}  // namespace rigidlimit
