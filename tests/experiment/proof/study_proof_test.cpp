// Tests the judgement of the claims of a study by its theorem.
#include "rigidlimit/experiment/proof/study_proof.hpp"

#include <gmock/gmock.h>

#include <fmt/format.h>

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

// The orders 2 of q, and of v behind the layer, are theorems. The other expectations of the study
// concern λ and the layer.
TEST(StudyProof, ProvesTheOrdersOfTheKnifeEdge) {
  const StudyProof proof = study_proof(knife_edge(), largest);
  ASSERT_EQ(proof.claims.size(), 3u);
  for (const ProvedClaim& claim : proof.claims)
    EXPECT_EQ(claim.state, ProofState::proved) << claim.text;
}

TEST(StudyProof, RefutesAWrongOrder) {
  const StudyProof proof =
      study_proof(knife_edge({"expect=[{quantity=\"q\", order=1.9}]"}), largest);
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

// Redundant contacts have the theorem of independent ones. K of the table of constants, measured to
// five digits.
TEST(StudyProof, ProvesTheConstantOfAGearWithRedundantContacts) {
  const StudyProof proof =
      study_proof(read_rolling_study(
                      test::in_repository("experiments/prediction/epicyclic_gear_prediction.toml")),
                  largest);
  const ErrorTheorem& theorem = theorem_of(proof, Quantity::q, Window::after);
  EXPECT_NEAR(theorem.lower, 1.7711, 5e-5);
  EXPECT_NEAR(theorem.upper, 1.7711, 5e-5);
}

// The errors of a run lie within the theorem. Their own error bars are below 1e-9.
TEST(StudyProof, AllowsTheMeasuredErrors) {
  const RollingStudy study = knife_edge({"epsilon.to=1e-3"});
  const StudyProof proof = study_proof(study, largest);
  const RollingResult result = run_rolling_study(study, {});
  for (const auto& [quantity, window] :
       {std::pair(Quantity::q, Window::all), std::pair(Quantity::q, Window::after),
        std::pair(Quantity::v, Window::after)}) {
    const ErrorTheorem& theorem = theorem_of(proof, quantity, window);
    for (const auto& row : test::series_of(result, quantity, Norm::sup, window).rows) {
      constexpr double bar = 1e-9;
      EXPECT_GE(row.model_error + bar, theorem.at_least(row.epsilon));
      EXPECT_LE(row.model_error - bar, theorem.at_most(row.epsilon));
    }
  }
}

// The largest error of the wheel is reached where the layer ends, and its correction is ε³
// log(1/ε), not ε³.
TEST(StudyProof, LeavesOpenWhatTheLayerDecides) {
  const StudyProof proof = study_proof(
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
      {"contact.deflection=[0.1]", "without=[\"contact.preparation\"]"}};
  for (const std::vector<std::string>& overrides : others) {
    std::vector<std::string> all = overrides;
    all.emplace_back("expect=[]");
    EXPECT_THROW(study_proof(knife_edge(all), largest), InputError) << overrides.front();
  }
}

}  // namespace
}  // namespace rigidlimit
