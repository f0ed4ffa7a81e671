// Tests that the key of a solve contains every input of the result, and nothing else.
#include "rigidlimit/experiment/pair/solve_identity.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/program_code.hpp"
#include "support/sample_study.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

TEST(ContentHash, IsAUuidOfTheBytes) {
  // Python: uuid.uuid5(uuid.UUID("6f0c5b1a-3d52-4e0b-9a77-2c84d1e39658"), "rigidlimit")
  EXPECT_EQ(content_hash("rigidlimit"), "bcc49f9b-c5d9-5a96-9920-81584e0acb73");
  EXPECT_EQ(content_hash("").size(), 36);
  EXPECT_EQ(content_hash("a")[14], '5');
  EXPECT_NE(content_hash("a"), content_hash("b"));
  EXPECT_NE(content_hash(std::string("a\0b", 3)), content_hash("a"));
}

TEST(GridHash, DependsOnEveryBitOfATime) {
  const std::vector<double> times{0.0, 0.5, 1.0};
  EXPECT_EQ(grid_hash(times), grid_hash({0.0, 0.5, 1.0}));
  EXPECT_NE(grid_hash(times), grid_hash({0.0, 0.5, std::nextafter(1.0, 2.0)}));
  EXPECT_NE(grid_hash(times), grid_hash({0.0, 0.5}));
}

TEST(Fingerprint, DependsOnTheEquationsButNotOnRoundOff) {
  const RollingStudy study = test::sample_study();
  const std::string known = fingerprint(study.model, study.initial);
  EXPECT_EQ(fingerprint(test::sample_study().model, study.initial), known);
  for (const char* changed : {"system.mass=1.0000001", "system.slope=0.31", "system.inertia=0.6",
                              "system.name=\"chaplygin_sleigh\""})
    EXPECT_NE(fingerprint(test::sample_study({changed, "expect=[]"}).model, study.initial), known)
        << changed;
  // Another compiler may round g sin α differently: one unit in the last place must not change the
  // key. Rounding to nine digits can still differ, with probability 1e-7 per number.
  EXPECT_EQ(
      fingerprint(test::sample_study({"system.gravity=9.8100000000000005"}).model, study.initial),
      known);
}

TEST(SolveIdentity, OfARigidMotionIsIndependentOfTheContact) {
  const RollingStudy study = test::sample_study();
  const RollingStudy stiffer = test::sample_study({"contact.stiffness=4.0"});
  const Tolerance tolerance{1e-11, 1e-13};
  EXPECT_EQ(SolveIdentities(study).rigid("ida", tolerance, "g").determinants,
            SolveIdentities(stiffer).rigid("ida", tolerance, "g").determinants);
  EXPECT_NE(
      SolveIdentities(study).compliant("viscoelastic", "cvode_bdf", 0.1, false, "g").determinants,
      SolveIdentities(stiffer)
          .compliant("viscoelastic", "cvode_bdf", 0.1, false, "g")
          .determinants);
}

/// Determinants of the sample's system in a user-defined entry.
std::string determinants_of_own(const std::string& name) {
  SystemEntry entry = *find_system(builtin_systems(), "knife_edge");
  entry.info.name = name;
  entry.make = [make = entry.make](const std::vector<double>& values) { return make(values); };
  const SystemCatalogue own{entry};
  std::string text = test::sample_text;
  const std::string quoted = "\"knife_edge\"";
  text.replace(text.find(quoted), quoted.size(), "\"" + name + "\"");
  const RollingStudy study = read_rolling_study(TomlDocument::from_text(text, "own.toml"), own);
  return SolveIdentities(study).rigid("ida", {1e-11, 1e-13}, "g").determinants;
}

// The fingerprint misses a force between its three states. The key of a user-defined system
// therefore contains a hash of the program code.
TEST(SolveIdentity, OfAUserSystemDependsOnTheProgramCode) {
  const RollingStudy study = test::study_from(test::sample_text);
  const std::string shared = SolveIdentities(study).rigid("ida", {1e-11, 1e-13}, "g").determinants;
  EXPECT_NE(determinants_of_own("knife_edge"), shared) << "by name it is the library's";
  EXPECT_EQ(determinants_of_own("knife_edge"), determinants_of_own("knife_edge"));
}

TEST(ProgramCode, HashIsReproducibleAndNameIsThatOfTheFile) {
  EXPECT_EQ(program_code().size(), 36);
  EXPECT_EQ(program_code(), program_code());
  EXPECT_EQ(program_name(), "test_experiment");
}

TEST(SolveIdentity, OfARigidMotionWithRedundantContactsDependsOnTheStiffness) {
  const auto identity = [](const std::string& stiffness) {
    const RollingStudy study =
        read_rolling_study(test::in_repository("experiments/convergence/v_groove_ball.toml"),
                           {"contact.stiffness=" + stiffness});
    return SolveIdentities(study).rigid("ida", {1e-11, 1e-13}, "g").determinants;
  };
  EXPECT_NE(identity("1.0"), identity("[1.0, 2.0, 1.0, 1.0]")) << "it selects the multiplier";
}

}  // namespace
}  // namespace rigidlimit
