// Tests reading a valid rolling study: defaults, the forms of each value, rolling starts.
#include <gmock/gmock.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::ElementsAre;

TEST(ReadStudy, FillsInEveryDefault) {
  const RollingStudy study = test::study_from(
      "[study]\nname = \"least\"\n[system]\nname = \"rolling_disk\"\n"
      "[epsilon]\nvalues = [1e-2]\n[time]\nend = 3.0\n");
  const SystemInfo& info = study.system->info;
  EXPECT_THAT(study.initial.q, testing::ElementsAreArray(info.initial_q));
  EXPECT_THAT(study.initial.v, testing::ElementsAreArray(info.initial_v));
  ASSERT_EQ(study.parameters.size(), study.system->parameters.size());
  for (std::size_t i = 0; i < study.parameters.size(); ++i)
    EXPECT_EQ(study.parameters[i], study.system->parameters[i].default_value);
  EXPECT_EQ(study.contact.laws.front(), "viscoelastic");
  EXPECT_EQ(study.contact.stiffness, MatrixXd::Identity(2, 2));
  EXPECT_EQ(study.contact.damping_ratio, 1.0);
  EXPECT_EQ(study.contact.damping_exponent, 1.0);
  EXPECT_EQ(study.contact.preparation, ContactSpec::Preparation::unloaded);
  EXPECT_FALSE(study.project);
  EXPECT_EQ(study.after, 0.25 * 3.0);
  EXPECT_EQ(study.solvers.rigid_rtol, 0.1 * study.solvers.rtol) << "the rigid default";
  EXPECT_EQ(study.solvers.rigid_atol, 0.1 * study.solvers.atol);
  EXPECT_TRUE(study.expectations.empty());
}

std::string disk_study(const std::string& lines) {
  return "[study]\nname = \"disk\"\n[system]\nname = \"rolling_disk\"\n" + lines +
         "[epsilon]\nvalues = [1e-2]\n[time]\nend = 1.0\n";
}

TEST(ReadStudy, TheDefaultStartRollsForEveryParameter) {
  // The default start satisfies G v = 0 at the default radius; for other radii it is projected.
  const RollingStudy study = test::study_from(disk_study("radius = 0.3\n"));
  EXPECT_TRUE(is_consistent(study.model, study.initial));
  // Negative control: the same velocity in the file slides.
  EXPECT_THROW(
      test::study_from(disk_study(fmt::format("radius = 0.3\n[initial]\nv = [{}]\n",
                                              fmt::join(study.system->info.initial_v, ", ")))),
      InputError);
}

TEST(ReadStudy, ATableOfInitialValuesReplacesSomeOfTheStart) {
  const auto start = [](const std::string& lines) {
    return test::study_from(disk_study("[initial]\nproject = true\n" + lines)).initial;
  };
  const InitialState plain = start("");
  InitialState tilted = plain;
  tilted.q(3) = 1.25;
  tilted.v(3) = 0.25;
  EXPECT_EQ(start("q = {tilt = 1.25}\n").q, tilted.q);
  // A velocity that is the rate of a coordinate may have its name.
  EXPECT_EQ(start("v = {tilt = 0.25}\n").v, tilted.v);
  EXPECT_EQ(start("v = {\"tilt'\" = 0.25}\n").v, tilted.v);
  EXPECT_NE(plain.v, tilted.v) << "the negative control";
}

TEST(ReadStudy, AMissingKeyErrorNamesTheMisspeltKey) {
  try {
    test::study_from(disk_study("") + "[[expect]]\nquantity = \"q\"\nordre = 2.0\n");
    ADD_FAILURE() << "was read";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("expect[0].order: missing"));
    EXPECT_THAT(e.what(), testing::HasSubstr("'ordre'"));
  }
}

TEST(ReadStudy, ADiskBelowThePlaneIsRefused) {
  EXPECT_NO_THROW(test::study_from(disk_study("[initial]\nq = [0.0, 0.0, 0.0, 1.5, 0.0]\n")));
  EXPECT_THROW(test::study_from(disk_study("[initial]\nq = [0.0, 0.0, 0.0, 2.0, 0.0]\n")),
               InputError);
}

TEST(ReadStudy, EpsilonsAreGeometricWithExactEnds) {
  const std::vector<double> eps = test::sample_study().epsilons;
  ASSERT_EQ(eps.size(), 5u);
  EXPECT_EQ(eps.front(), 1e-2);
  EXPECT_EQ(eps.back(), 1e-3);
  // pow and a product have a few rounding errors.
  for (std::size_t k = 1; k < eps.size(); ++k)
    EXPECT_NEAR(eps[k - 1] / eps[k], std::pow(10.0, 0.25), 1e-14);
}

TEST(ReadStudy, EpsilonsAreSorted) {
  std::string text = test::sample_text;
  const std::string ladder = "from = 1e-2\nto = 1e-3\ncount = 5";
  text.replace(text.find(ladder), ladder.size(), "values = [1e-3, 1, 1e-2]");
  EXPECT_THAT(test::study_from(text).epsilons, ElementsAre(1.0, 1e-2, 1e-3));
  const RollingStudy up = test::sample_study({"epsilon.from=1e-3", "epsilon.to=1e-2"});
  EXPECT_EQ(up.epsilons.front(), 1e-2);
  EXPECT_EQ(up.epsilons.back(), 1e-3);
}

TEST(ReadStudy, StiffnessIsANumberADiagonalOrRows) {
  const auto stiffness = [](const std::string& value) {
    return test::study_from(
               "[study]\nname = \"C\"\n[system]\nname = \"rolling_disk\"\n"
               "[epsilon]\nvalues = [1e-2]\n[time]\nend = 1.0\n[contact]\nstiffness = " +
               value + "\n")
        .contact.stiffness;
  };
  EXPECT_EQ(stiffness("3"), 3.0 * MatrixXd::Identity(2, 2));
  EXPECT_EQ(stiffness("[1.0, 2.0]"), MatrixXd(Eigen::Vector2d(1.0, 2.0).asDiagonal()));
  MatrixXd full(2, 2);
  full << 2.0, 0.5, 0.5, 1.0;
  EXPECT_EQ(stiffness("[[2.0, 0.5], [0.5, 1.0]]"), full);
  // Negative controls: an asymmetric matrix, and the eigenvalues 3 and −1.
  const auto refused = [&](const std::string& value) {
    try {
      stiffness(value);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_THAT(refused("[[2.0, 0.5], [0.4, 1.0]]"), testing::HasSubstr("symmetric"));
  EXPECT_THAT(refused("[[1.0, 2.0], [2.0, 1.0]]"),
              testing::AllOf(testing::HasSubstr("contact.stiffness = [[1, 2], [2, 1]]"),
                             testing::HasSubstr("eigenvalue is -1")));
  EXPECT_THAT(refused("[[1.0, 2.0], [2.0]]"), testing::HasSubstr("2 rows of 2"));
  EXPECT_THAT(refused("[1.0, [0.0, 1.0]]"), testing::Eq("read")) << "a mixed form is a matrix";
}

TEST(ReadStudy, SemidefiniteDampingIsAllowed) {
  EXPECT_EQ(test::sample_study({"contact.damping=0.0"}).contact.damping, MatrixXd::Zero(1, 1));
  EXPECT_EQ(test::sample_study({"contact.damping_ratio=0"}).contact.damping_ratio, 0.0);
}

TEST(ReadStudy, OneCutAppliesToAllExpectations) {
  const RollingStudy study =
      test::study_from(test::sample_text +
                       "[[expect]]\nquantity = \"q\"\norder = 2\nwindow = \"after\"\n"
                       "[[expect]]\nquantity = \"v\"\norder = 2\nafter = 0.75\n"
                       "[[expect]]\nquantity = \"lambda\"\norder = 2\nafter = 0.75\n"
                       "[[expect]]\nquantity = \"q\"\norder = 2\nnorm = \"l2\"\n");
  EXPECT_EQ(study.after, 0.75);
  for (std::size_t i : {0, 1, 2}) EXPECT_EQ(study.expectations[i].measure.window, Window::after);
  EXPECT_EQ(study.expectations[3].measure.window, Window::all);
  EXPECT_EQ(study.expectations[0].after, std::nullopt);
  EXPECT_EQ(study.expectations[1].after, 0.75);
  EXPECT_EQ(study.expectations[2].after, 0.75);
  EXPECT_EQ(study.expectations[3].measure.norm, Norm::l2);
}

/// The text between "v = [" and "]" of a message.
std::string proposed_velocity(const std::string& message) {
  const std::size_t begin = message.find("Write v = [");
  if (begin == std::string::npos) return "";
  return message.substr(begin + 10, message.find(']', begin) - begin - 9);
}

TEST(ReadStudy, ProposesAVelocityThatReadsBack) {
  for (const char* start :
       {"system={name=\"knife_edge\"}", "system={name=\"chaplygin_sleigh\", distance=-0.3}"}) {
    const std::vector<std::string> sliding{start, "initial.q=[0.3, -2.0, 0.77]",
                                           "initial.v=[1.7, 0.4, 1.1]"};
    const std::string message = test::complaint_about(test::sample_text, sliding);
    // |G v| = |−sin φ v_x + cos φ v_y|
    const double slip = std::abs(-std::sin(0.77) * 1.7 + std::cos(0.77) * 0.4);
    EXPECT_THAT(message, testing::HasSubstr(fmt::format("|G v| = {:.6g} m/s", slip)));
    std::vector<std::string> mended = sliding;
    mended.back() = "initial.v=" + proposed_velocity(message);
    EXPECT_EQ(test::complaint_about(test::sample_text, mended), "") << mended.back();
  }
}

TEST(ReadStudy, ProposesAVelocityForTwoContacts) {
  const std::string disk =
      "[study]\nname = \"disk\"\n[system]\nname = \"rolling_disk\"\n[epsilon]\nvalues = [1e-2]\n"
      "[time]\nend = 1.0\n[initial]\nq = [0.1, 0.2, 0.5, 0.4, 1.0]\nv = ";
  const std::string message = test::complaint_about(disk + "[1.0, 2.0, 3.0, 4.0, 5.0]\n");
  ASSERT_THAT(message, testing::HasSubstr("|G v| = "));
  EXPECT_EQ(test::complaint_about(disk + proposed_velocity(message) + "\n"), "");
}

TEST(ReadStudy, AcceptsASlidingStartWithProject) {
  const RollingStudy study = test::sample_study({"initial={v=[0.7, 0.2, 1.3], project=true}"});
  EXPECT_EQ(study.initial.v(1), 0.2) << "the compliant motion starts as given";
  const InitialState start = rigid_start(study);
  EXPECT_TRUE(is_consistent(study.model, start));
  EXPECT_FALSE(is_consistent(study.model, study.initial));
}

/// A wheel of the radius 0.5 m whose start is stated in the file, and the rest of a study.
std::string stated_wheel(const std::string& start_rates, const std::string& initial) {
  return fmt::format(R"toml(
[study]
name = "stated"
[system]
name = "stated_wheel"
constraint = ["x' - (0.5 + slope*x)*phi'"]
mass_matrix = [["2", "0"], ["0", "0.25"]]
force = ["0", "0"]
coordinates = [{{name = "x", unit = "m", start = 0.0, start_rate = {}}}, {{name = "phi", unit = "rad", start = 0.0, start_rate = 2.0}}]
[system.parameters]
slope = {{default = 0.0}}
{}
[epsilon]
values = [1e-2]
[time]
end = 1.0
)toml",
                     start_rates, initial);
}

/// A start that slides, stated in one of the places that may state one, without `project`.
struct SlidingStart {
  const char* place;
  std::string text;
  std::vector<std::string> overrides;
};

std::vector<SlidingStart> sliding_starts() {
  const std::string q = "[initial]\nq = [0.5, 0.0]\n";
  return {{"start_rate", stated_wheel("1.3", ""), {}},
          {"start_rate, another q", stated_wheel("1.0", q), {"system.slope=0.2"}},
          {"start_rate, a parameter", stated_wheel("1.3", ""), {"system.slope=0.1"}},
          {"initial.v", stated_wheel("1.0", "[initial]\nv = [1.3, 2.0]\n"), {}},
          {"--set initial.v", stated_wheel("1.0", ""), {"initial.v=[1.3, 2.0]"}},
          {"initial.v of an entry", disk_study("[initial]\nv = [1.0, 2.0, 3.0, 4.0, 5.0]\n"), {}}};
}

// One rule for every place: refused, or with project the compliant motion starts from the stated v.
TEST(ReadStudy, AStatedStartThatSlidesIsRefusedOrKept) {
  for (const SlidingStart& one : sliding_starts()) {
    EXPECT_THAT(test::complaint_about(one.text, one.overrides), testing::HasSubstr("slides"))
        << one.place;
    std::vector<std::string> overrides = one.overrides;
    overrides.emplace_back("initial.project=true");
    const RollingStudy study = test::study_from(one.text, overrides);
    EXPECT_FALSE(is_consistent(study.model, study.initial)) << one.place;
    EXPECT_TRUE(is_consistent(study.model, rigid_start(study))) << one.place;
    EXPECT_FALSE(study.projected_default) << one.place;
  }
  const RollingStudy kept = test::study_from(stated_wheel("1.3", ""), {"initial.project=true"});
  EXPECT_EQ(kept.initial.v, VectorXd(Eigen::Vector2d(1.3, 2.0)));
  // Negative control: a start that rolls.
  EXPECT_EQ(test::complaint_about(stated_wheel("1.0", "")), "");
}

// The default start of an entry of the catalogue is stated nowhere in the file.
TEST(ReadStudy, ADefaultStartThatSlidesIsProjectedAndNamedOrKept) {
  const auto edge = [](double heading, const std::string& more = "") {
    return test::study_from(
        fmt::format("[study]\nname = \"edge\"\n[system]\nname = \"knife_edge\"\n[initial]\nq = "
                    "[0.0, 0.0, {}]\n{}"
                    "[epsilon]\nvalues = [1e-2]\n[time]\nend = 1.0\n",
                    heading, more));
  };
  for (const double heading : {-2.0, 0.4, 1.5}) {
    const RollingStudy study = edge(heading);
    const std::vector<double>& of_system = study.system->info.initial_v;
    ASSERT_TRUE(study.projected_default) << heading;
    EXPECT_THAT(*study.projected_default, testing::ElementsAreArray(of_system));
    EXPECT_TRUE(is_consistent(study.model, study.initial)) << heading;
    const RollingStudy kept = edge(heading, "project = true\n");
    EXPECT_THAT(kept.initial.v, testing::ElementsAreArray(of_system));
    EXPECT_FALSE(kept.projected_default) << heading;
  }
  // Negative control: the default start rolls at its own q.
  EXPECT_FALSE(edge(0.0).projected_default);
}

TEST(ReadStudy, RefusesAMissingClosedForm) {
  const std::string disk =
      "[study]\nname = \"disk\"\n[system]\nname = \"rolling_disk\"\n[epsilon]\nvalues = [1e-2]\n"
      "[time]\nend = 1.0\n[solvers]\nrigid = [\"closed_form\"]\n";
  EXPECT_THAT(
      test::complaint_about(disk),
      testing::AllOf(testing::StartsWith("sample.toml:10:9: solvers.rigid = ['closed_form']: "),
                     testing::HasSubstr("rolling_disk")));
  EXPECT_EQ(test::complaint_about(test::sample_text, {"solvers.rigid=[\"closed_form\"]"}), "");
}

}  // namespace
}  // namespace rigidlimit
