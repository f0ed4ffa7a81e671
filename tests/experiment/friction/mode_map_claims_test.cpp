// Tests the claims of a mode map on constructed results. Each claim holds and breaks after a
// change of the number or mode that it concerns.
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/friction/run_mode_map.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using What = ModeMapExpectation::Quantity;

ModeMapRow row(const std::string& start, double friction, const std::string& modes) {
  ModeMapRow row;
  row.start = start;
  row.slope = 0.3;
  row.half_angle = 0.7;
  row.friction_left = row.friction_right = friction;
  row.wedged = 0.08;
  row.unloaded = 0.1;
  row.rigid_outcome = row.compliant_outcome = Outcome::success;
  row.rigid = row.compliant = modes;
  return row;
}

/// A result with two starts at two coefficients of friction, one threshold, one internal force.
ModeMapResult made_up(const ModeMapExpectation& expectation) {
  ModeMapResult result;
  result.map.expectations = {expectation};
  result.rows = {row("rest", 0.05, "SS"), row("rest", 0.2, "RR"), row("slip", 0.05, "SS"),
                 row("slip", 0.2, "SS > RR")};
  result.thresholds = {{.slope = 0.3,
                        .half_angle = 0.7,
                        .unloaded = 0.1,
                        .wedged = 0.08,
                        .rigid_slips_below = 0.1 + 2e-7,
                        .rigid_rolls_from = 0.08 - 3e-7,
                        .compliant = 0.1 - 1e-7,
                        .complaint = ""}};
  InternalForce force;
  force.stiffness_ratio = 2.0;
  force.predicted = 1.5;
  force.compliant = 1.5 + 4e-8;
  force.rigid = 1.5;
  result.forces = {force};
  return result;
}

/// The claim of the expectation; the first claim is completeness.
Claim claim_on(const ModeMapResult& result) {
  return judged_claims(result).at(1);
}

TEST(ModeMapClaims, AThresholdMustBeWithinItsTolerance) {
  EXPECT_TRUE(claim_on(made_up({.quantity = What::threshold, .within = 1e-6})).held);
  const Claim narrow = claim_on(made_up({.quantity = What::threshold, .within = 2.5e-7}));
  EXPECT_FALSE(narrow.held);
  EXPECT_THAT(narrow.found, AllOf(HasSubstr("3e-07"), HasSubstr("rigid_rolls_from")));
  EXPECT_TRUE(claim_on(made_up({.quantity = What::threshold,
                                .within = 2.5e-7,
                                .measured = {"rigid_slips_below", "compliant"}}))
                  .held);
  ModeMapResult missing = made_up({.quantity = What::threshold, .within = 1.0});
  missing.thresholds[0].compliant = std::nan("");
  EXPECT_FALSE(claim_on(missing).held) << "a number that is missing is no threshold";
  // The map has no point with this slope: the claim does not hold.
  EXPECT_FALSE(claim_on(made_up({.quantity = What::threshold, .within = 1.0, .slope = 0.4})).held);
}

TEST(ModeMapClaims, AnInternalForceMustBeWithinItsTolerance) {
  EXPECT_TRUE(claim_on(made_up({.quantity = What::internal_force, .within = 1e-6})).held);
  EXPECT_FALSE(claim_on(made_up({.quantity = What::internal_force, .within = 1e-8})).held);
}

TEST(ModeMapClaims, MotionsMustAgreeIfTheAnswerIsUnique) {
  ModeMapResult result = made_up({.quantity = What::agreement});
  EXPECT_TRUE(claim_on(result).held);
  result.rows[1].compliant = "SS";
  const Claim broken = claim_on(result);
  EXPECT_FALSE(broken.held);
  EXPECT_THAT(broken.found, AllOf(HasSubstr("3 of 4"), HasSubstr("friction 0.2")));
  // Agreement is not required between the thresholds or if the rigid motion is not unique.
  result.rows[1].friction_left = 0.09;
  EXPECT_TRUE(claim_on(result).held);
  result.rows[1].friction_left = 0.2;
  result.rows[1].rigid_notes = 1;
  EXPECT_TRUE(claim_on(result).held);
}

TEST(ModeMapClaims, ModesAreJudgedAtTheNamedPoints) {
  ModeMapExpectation rolls{.quantity = What::modes, .friction = 0.2, .end = "RR"};
  EXPECT_TRUE(claim_on(made_up(rolls)).held);
  rolls.friction.reset();
  EXPECT_FALSE(claim_on(made_up(rolls)).held) << "with the lesser friction it slips";
  ModeMapExpectation sequence{
      .quantity = What::modes, .start = "slip", .friction = 0.2, .rigid = "SS > RR"};
  EXPECT_TRUE(claim_on(made_up(sequence)).held);
  sequence.compliant = "RR";
  EXPECT_FALSE(claim_on(made_up(sequence)).held);
  sequence = {.quantity = What::modes, .start = "rest", .rigid = "RR"};
  EXPECT_THAT(claim_on(made_up(sequence)).found, HasSubstr("1 of 2"));
}

TEST(ModeMapClaims, AFailedMotionBreaksTheMap) {
  ModeMapResult result = made_up({.quantity = What::agreement});
  EXPECT_TRUE(judged_claims(result).front().held);
  result.rows[2].compliant_outcome = Outcome::max_steps;
  result.claims = judged_claims(result);
  EXPECT_FALSE(result.claims.front().held);
  EXPECT_THAT(result.claims.front().found, HasSubstr("max_steps"));
  EXPECT_FALSE(result.held());
}

}  // namespace
}  // namespace rigidlimit
