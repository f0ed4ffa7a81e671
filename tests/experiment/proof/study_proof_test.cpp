// Tests the judgement of the claims of a study by its theorem.
#include "rigidlimit/experiment/proof/study_proof.hpp"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/series_of_result.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

constexpr double largest = 0.01;
/// K of q, proved in docs/certified.md by another program.
constexpr double constant = 17.67484555;

RollingStudy knife_edge(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.end(), {"epsilon.from=1e-2", "epsilon.count=5"});
  return read_rolling_study(
      test::in_repository("experiments/prediction/knife_edge_prediction.toml"), overrides);
}

ProofState state_of_bound(double K, const std::string& more = "") {
  const StudyProof proof = study_proof(
      consumers::proof,
      knife_edge(
          {"expect=[]",
           fmt::format("bound=[{{quantity=\"q\", constant={:.17g}, power=2.0{}}}]", K, more)}),
      largest);
  return proof.claims.at(0).state;
}

const ErrorTheorem& theorem_of(const StudyProof& proof, Quantity quantity, Window window) {
  for (const ProvedConstant& constant_of : proof.constants)
    if (constant_of.measure.quantity == quantity && constant_of.measure.window == window)
      return constant_of.result.theorem.value();
  throw std::logic_error("no such constant");
}

// The orders 2 of q, and of v behind the layer, are theorems. The other claims of the study concern
// λ, the layer and predicted constants: each of them is counted, and open.
TEST(StudyProof, ProvesTheOrdersOfTheKnifeEdgeAndCountsEveryClaim) {
  const RollingStudy study = knife_edge();
  const StudyProof proof = study_proof(consumers::proof, study, largest);
  std::size_t claims = study.bounds.size() + study.steps.size();
  for (const ExpectationSpec& e : study.expectations)
    claims += (e.judges_errors() ? 1 : 0) + (e.ratio ? 1 : 0);
  ASSERT_EQ(proof.claims.size(), claims);
  const auto count = [&](ProofState state) {
    return std::ranges::count(proof.claims, state, &ProvedClaim::state);
  };
  EXPECT_EQ(count(ProofState::proved), 3);
  EXPECT_EQ(count(ProofState::open), std::ssize(proof.claims) - 3);
}

// Claims of every kind: none is left out, and none that no theorem is about is proved.
TEST(StudyProof, LeavesClaimsOfOtherNumbersOpen) {
  const StudyProof proof =
      study_proof(consumers::proof,
                  knife_edge({R"(expect=[{quantity="lambda", order=0.0}, {quantity="x", order=2.0},
                             {quantity="q", norm="l2", order=2.0}, {quantity="q", ratio=1.0},
                             {quantity="v", convergence="exact", within=1e-3},
                             {quantity="steps", growth_at_most=1e6}])",
                              R"(bound=[{quantity="lambda", constant=1e9, power=0.0},
                            {quantity="x", constant=1e9, power=0.0},
                            {quantity="q", solver_error=1.0}])"}),
                  largest);
  ASSERT_EQ(proof.claims.size(), 9u);
  for (const ProvedClaim& claim : proof.claims)
    EXPECT_EQ(claim.state, ProofState::open) << claim.text;
}

// The claims that are announced as open to a proof are those that it decides here, and no others.
TEST(StudyProof, AnnouncesTheClaimsThatItCanJudge) {
  const RollingStudy study = knife_edge();
  const std::vector<ProvedClaim> before = claims_before_proof(study);
  const StudyProof proof = study_proof(consumers::proof, study, largest);
  ASSERT_EQ(before.size(), proof.claims.size());
  for (std::size_t k = 0; k < before.size(); ++k) {
    EXPECT_EQ(before[k].text, proof.claims[k].text);
    EXPECT_EQ(before[k].reason.empty(), proof.claims[k].state != ProofState::open)
        << before[k].text;
    if (!before[k].reason.empty()) {
      EXPECT_EQ(before[k].reason, proof.claims[k].reason);
    }
  }
}

// ε₀ = 1 is too large for the knife edge: each value is tried in its order, and tells its stage.
TEST(StudyProof, KeepsEachTriedEpsilon) {
  std::vector<std::string> stages;
  RunOptions options;
  options.on_proof = [&](const std::string& stage, double) {
    if (stages.empty() || stages.back() != stage) stages.push_back(stage);
  };
  const StudyProof proof = study_proof(consumers::proof, knife_edge(), 1.0, options);
  ASSERT_GE(proof.tried.size(), 2u);
  const std::vector<double> all = epsilons_to_try(1.0);
  for (std::size_t k = 0; k < proof.tried.size(); ++k) {
    EXPECT_EQ(proof.tried[k].epsilon, all.at(k));
    EXPECT_EQ(proof.tried[k].reason.empty(), k + 1 == proof.tried.size());
  }
  EXPECT_EQ(proof.tried.front().proved, 0);
  EXPECT_EQ(stages.size(), proof.tried.size() + 1) << "the rigid motion, and each value";
  EXPECT_EQ(study_proof(consumers::proof, knife_edge(), largest).tried.size(), 1u)
      << "where the first one succeeds";
}

TEST(StudyProof, KeepsTheTriedEpsilonOfAStoppedProof) {
  int tried = 0;
  std::string last;
  RunOptions options;
  options.on_proof = [&](const std::string& stage, double) {
    tried += stage != last ? 1 : 0;
    last = stage;
  };
  options.stop_requested = [&] { return tried > 1; };
  const StudyProof proof = study_proof(consumers::proof, knife_edge(), 1.0, options);
  EXPECT_TRUE(proof.interrupted);
  ASSERT_FALSE(proof.tried.empty());
  EXPECT_EQ(proof.tried.front().epsilon, 1.0);
  EXPECT_EQ(proof.tried.back().reason, "interrupted");
  EXPECT_FALSE(proof.proves_something());
}

TEST(StudyProof, RefutesThatAnErrorDoesNotConverge) {
  const StudyProof proof = study_proof(
      consumers::proof, knife_edge({R"(expect=[{quantity="q", convergence="none"}])"}), largest);
  EXPECT_EQ(proof.claims.at(0).state, ProofState::refuted);
}

TEST(StudyProof, RefutesAWrongOrder) {
  const StudyProof proof =
      study_proof(consumers::proof, knife_edge({"expect=[{quantity=\"q\", order=1.9}]"}), largest);
  ASSERT_EQ(proof.claims.size(), 1u);
  EXPECT_EQ(proof.claims.front().state, ProofState::refuted);
}

// A bound that exceeds K by more than the remainder is a theorem. One below K is false for small ε.
// One that the remainder may exceed is open.
TEST(StudyProof, JudgesBoundsByTheConstant) {
  EXPECT_EQ(state_of_bound(constant * 1.3), ProofState::proved);
  EXPECT_EQ(state_of_bound(constant * (1.0 - 1e-3)), ProofState::refuted);
  EXPECT_EQ(state_of_bound(constant * (1.0 + 1e-3)), ProofState::open);
  EXPECT_EQ(state_of_bound(constant * (1.0 + 1e-3), ", epsilon=[0.0, 5e-5]"), ProofState::proved);
}

// The two numbers of the reason differ as printed, on the side that refutes.
TEST(StudyProof, SetsTheQuotientAgainstTheConstantOfARefutedBound) {
  for (const double below : {1e-3, 1e-6}) {
    const StudyProof proof = study_proof(
        consumers::proof,
        knife_edge({"expect=[]", fmt::format("bound=[{{quantity=\"q\", constant={}, power=2.0}}]",
                                             constant * (1.0 - below))}),
        largest);
    const std::string& reason = proof.claims.at(0).reason;
    std::smatch numbers;
    ASSERT_TRUE(
        std::regex_search(reason, numbers, std::regex("error/ε² ≥ ([0-9.]+) > K = ([0-9.]+)")))
        << reason;
    EXPECT_GT(std::stod(numbers[1]), std::stod(numbers[2])) << reason;
    EXPECT_NEAR(std::stod(numbers[1]), constant, 1e-4 * constant) << reason;
  }
}

// The study and the theorem end at 0.01: the interval of a bound is neither cut nor extended.
TEST(StudyProof, LeavesABoundBeyondTheTheoremOpen) {
  EXPECT_EQ(state_of_bound(constant * 1.3, ", epsilon=[0.0, 0.01]"), ProofState::proved);
  EXPECT_EQ(state_of_bound(constant * 1.3, ", epsilon=[0.0, 0.02]"), ProofState::open);
  EXPECT_EQ(state_of_bound(constant * 1.3, ", epsilon=[0.02, 0.05]"), ProofState::open);
}

// The window behind `after` is no part of the theorem of all t.
TEST(StudyProof, OfAllTimesDoesNotDependOnTheWindow) {
  const StudyProof quarter = study_proof(consumers::proof, knife_edge(), largest),
                   none = study_proof(consumers::proof, knife_edge({"time.after=0.0", "expect=[]"}),
                                      largest);
  const ErrorTheorem& theorem = theorem_of(none, Quantity::q, Window::all);
  EXPECT_DOUBLE_EQ(theorem.lower, theorem_of(quarter, Quantity::q, Window::all).lower);
  EXPECT_FALSE(none.constants.at(2).result.theorem);  // v begins in the layer
}

// Redundant contacts have the theorem of independent ones. K of the table of constants, measured to
// five digits.
TEST(StudyProof, ProvesTheConstantOfAGearWithRedundantContacts) {
  const StudyProof proof =
      study_proof(consumers::proof,
                  read_rolling_study(
                      test::in_repository("experiments/prediction/epicyclic_gear_prediction.toml")),
                  largest);
  const ErrorTheorem& theorem = theorem_of(proof, Quantity::q, Window::after);
  EXPECT_NEAR(theorem.lower, 1.7711, 5e-5);
  EXPECT_NEAR(theorem.upper, 1.7711, 5e-5);
}

// The errors of a run lie within the theorem. Their own error bars are below 1e-9.
TEST(StudyProof, AllowsTheMeasuredErrors) {
  const RollingStudy study = knife_edge({"epsilon.to=1e-3"});
  const StudyProof proof = study_proof(consumers::proof, study, largest);
  const RollingResult result = run_rolling_study(study, {});
  for (const auto& [quantity, window] :
       {std::pair(Quantity::q, Window::all), std::pair(Quantity::q, Window::after),
        std::pair(Quantity::v, Window::after)}) {
    const ErrorTheorem& theorem = theorem_of(proof, quantity, window);
    for (const auto& row : test::series_of(result, quantity, Norm::sup, window).rows) {
      constexpr double bar = 1e-9;
      EXPECT_GE(row.model_error() + bar, theorem.at_least(row.epsilon));
      EXPECT_LE(row.model_error() - bar, theorem.at_most(row.epsilon));
    }
  }
}

// The largest error of the wheel is reached where the layer ends, and its correction is ε³
// log(1/ε), not ε³.
TEST(StudyProof, LeavesOpenWhatTheLayerDecides) {
  const StudyProof proof = study_proof(
      consumers::proof,
      read_rolling_study(test::in_repository("experiments/prediction/wheel_prediction.toml"), {}),
      largest);
  EXPECT_FALSE(proof.constants.at(0).result.theorem);
  EXPECT_TRUE(proof.constants.at(1).result.theorem);
  EXPECT_TRUE(proof.constants.at(2).result.theorem);
}

TEST(StudyProof, RefusesStudiesWithoutTheorem) {
  const std::vector<std::vector<std::string>> others{
      {"contact.damping_exponent=1.5"},
      {"contact.law=\"viscous\""},
      {"contact.law=[\"viscoelastic\", \"viscous\"]"},
      {"time.stretch=0.5"},
      {"initial.project=true", "initial.v=[0.7, 0.3, 1.3]"},
      {"contact.deflection=[0.1]", "without=[\"contact.preparation\"]"}};
  for (const std::vector<std::string>& overrides : others) {
    std::vector<std::string> all = overrides;
    all.emplace_back("expect=[]");
    EXPECT_THROW(study_proof(consumers::proof, knife_edge(all), largest), InputError)
        << overrides.front();
  }
}

/// Two contact rows of a blade that moves on a plane; `second` depends on the first at the start.
RollingStudy two_rows(const std::string& first, const std::string& second) {
  return read_rolling_study(TomlDocument::from_text(fmt::format(R"toml(
study.name = "rows"
epsilon.values = [1e-2]
time.end = 0.5
[system]
name = "rows"
coordinates = [{{name = "x", unit = "m", start = 0.0, start_rate = 0.7}},
               {{name = "y", unit = "m", start = 0.0, start_rate = 0.0}},
               {{name = "h", unit = "rad", start = 0.0, start_rate = 0.0}}]
kinetic_coenergy = "0.5*(x'^2 + y'^2) + 0.25*h'^2"
potential = "0.2*cos(x)"
applied_force = ["0.1", "0.3*x", "0.2"]
constraint = ["{}", "{}"]
)toml",
                                                                first, second),
                                                    "rows.toml"));
}

// Rows that depend on each other identically have the theorem of one row: of twice the row and of
// a row with the factor 1/3, which no double has. Rows that do so at the start alone, and surfaces
// that agree there alone, have none: no H makes G = H G_I an identity.
TEST(StudyProof, NeedsRowsThatDependOnEachOtherIdentically) {
  const std::string row = "-sin(h)*x' + cos(h)*y' + 0.3*h'";
  for (const std::string factor : {"2*", "(-1)*", "x'*0 + 1/3*"}) {
    const RollingStudy study = two_rows(row, factor + "(" + row + ")");
    EXPECT_EQ(obstacle_to_theorem(consumers::proof, study), "") << factor;
    EXPECT_TRUE(study_proof(consumers::proof, study, largest).proves_something()) << factor;
  }
  for (const auto& [first, second] :
       {std::pair(row, row + " + x*h'"), std::pair(row, "(1 + x)*(" + row + ")"),
        std::pair(std::string("y' - 0.1*t"), std::string("y' - 0.3*t"))})
    EXPECT_NE(obstacle_to_theorem(consumers::proof, two_rows(first, second)), "") << second;
}

}  // namespace
}  // namespace rigidlimit
