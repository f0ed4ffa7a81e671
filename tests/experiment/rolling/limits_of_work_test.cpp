// Tests that a study without an answer is refused with its reason before it takes all memory or
// time.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

RollingStudy knife_edge(double damping_ratio, const std::string& solvers = "") {
  return test::study_from(fmt::format(R"toml(
study.name = "limits"
system.name = "knife_edge"
contact = {{stiffness = 1.0, damping_ratio = {}}}
epsilon = {{values = [1e-2, 3e-3]}}
time = {{end = 0.5, samples = 21}}
solvers = {{rigid = ["radau_iia"], compliant = ["radau_iia"]{}}}
)toml",
                                      damping_ratio, solvers));
}

// A layer with damping ratio ζ decays over 1/ζ of its periods: an expansion resolves them all, or
// says that it does not. 12/ζ panels are needed, and 4000 allowed. Negative control: ζ = 0.02.
TEST(LimitsOfWork, AnExpansionDoesNotResolveAnUndampedLayer) {
  const LawInfo& law = *find_law("viscoelastic");
  for (const double ratio : {1e-9, 1e-6, 1e-3}) {
    const PredictedTerms terms = predicted_terms(knife_edge(ratio), law, {});
    EXPECT_EQ(terms.terms, nullptr) << ratio;
    EXPECT_THAT(terms.reason, Not(IsEmpty())) << ratio;
  }
  EXPECT_NE(predicted_terms(knife_edge(0.02), law, {}).terms, nullptr);
}

// Without damping the contact rings at all times, and has the terms of the elastic law.
TEST(LimitsOfWork, AnUndampedViscoelasticContactHasTheTermsOfTheElasticOne) {
  const std::vector<double> times{0.0, 0.1, 0.2};
  const auto q = [&](const char* law, double ratio) {
    const PredictedTerms found = predicted_terms(knife_edge(ratio), *find_law(law), {});
    return found.terms ? found.terms->at(1e-3, times, 0.0).q : MatrixXd();
  };
  const MatrixXd elastic = q("elastic", 1.0);
  EXPECT_GT(elastic.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(q("viscoelastic", 0.0), elastic);
  EXPECT_NE(q("viscoelastic", 1.0), elastic);
}

// The study itself is solved: its orders do not need the expansion.
TEST(LimitsOfWork, AStudyWithoutDampingIsSolvedWithoutAPrediction) {
  const RollingResult result = run_rolling_study(knife_edge(1e-6));
  EXPECT_THAT(result.no_prediction, Not(IsEmpty()));
  for (const Series& series : result.series)
    for (const Row& row : series.rows) EXPECT_FALSE(row.failed()) << name_of(row.evidence);
}

TEST(LimitsOfWork, AFailedRigidMotionHasNoPrediction) {
  const RollingResult result = run_rolling_study(knife_edge(1.0, ", max_steps = 1"));
  EXPECT_THAT(result.no_prediction, HasSubstr("rigid motion failed"));
  EXPECT_THAT(run_rolling_study(knife_edge(1.0)).no_prediction, IsEmpty());
}

TEST(LimitsOfWork, ARequestStopsAnExpansion) {
  const RollingStudy study = knife_edge(1.0);
  EXPECT_THROW(series_of<double>(study, 3, {}, [] { return true; }), InputError);
  int asked = 0;
  EXPECT_NO_THROW(series_of<double>(study, 3, {}, [&] { return ++asked < 0; }));
  EXPECT_GT(asked, 0);
}

/// Two parallel blades at a distance d along the axle.
std::string blades(double d) {
  return fmt::format(R"toml(
study.name = "near"
epsilon = {{values = [1e-2, 3e-3]}}
time = {{end = 0.5, samples = 21}}
solvers = {{rigid = ["radau_iia"], compliant = ["radau_iia"]}}
[system]
name = "near"
coordinates = [
  {{name = "x", start = 0, start_rate = "0.5*cos(0.3)"}},
  {{name = "y", start = 0, start_rate = "0.5*sin(0.3)"}},
  {{name = "heading", start = 0.3, start_rate = 0}}]
kinetic_coenergy = "6/2*(x'^2 + y'^2) + 0.2/2*heading'^2"
potential = "-3*y"
constraint = [{{name = "front", row = "side"}}, {{name = "rear", row = "side + {}*heading'"}}]
[system.let]
side = "cos(heading)*y' - sin(heading)*x'"
)toml",
                     d);
}

// Rows that differ by 1e-9 or 1e-7 have a KKT matrix that is singular to rounding: both rows are
// named. Equal rows share their force, and rows that differ by 1e-2 are independent.
TEST(LimitsOfWork, RowsThatAlmostCoincideAreNamed) {
  for (const double d : {1e-9, 1e-7}) {
    try {
      const RollingStudy study = test::study_from(blades(d));
      FAIL() << "rank " << study.contacts.rank();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("front"), HasSubstr("rear")));
    }
  }
  EXPECT_EQ(test::study_from(blades(0.0)).contacts.rank(), 1);
  EXPECT_EQ(test::study_from(blades(1e-2)).contacts.rank(), 2);
}

// Every d > 0 holds the heading, so that the acceleration does not depend on d. The rows are known
// to a rounding of 0.5 m/s times heading', and heading'' to that over d: 2e-16/d. Negative control:
// LU alone, without refinement, gives 5e-4 at d = 1e-6.
TEST(LimitsOfWork, NearRowsHoldTheMotionAsIndependentRowsDo) {
  const auto acceleration = [](double d) {
    const RollingStudy study = test::study_from(blades(d));
    return solve_kkt<double>(study.model, study.contacts, study.initial.q, study.initial.v, 0.0)
        .acceleration;
  };
  const VectorXd independent = acceleration(1.0);
  for (const double d : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
    EXPECT_LE((acceleration(d) - independent).cwiseAbs().maxCoeff(), 1e-14 + 1e-15 / d) << d;
}

// A constant of the expansion contains the inverse of the Delassus matrix, here 1/d² = 1e10: it is
// predicted for d = 1e-2 only.
TEST(LimitsOfWork, NearRowsHaveErrorsWithoutAPredictedConstant) {
  for (const double d : {1e-5, 1e-2}) {
    const RollingResult result = run_rolling_study(test::study_from(blades(d)));
    EXPECT_EQ(result.no_prediction.empty(), d > 1e-3) << result.no_prediction;
    for (const Series& series : result.series)
      for (const Row& row : series.rows) EXPECT_FALSE(row.failed()) << name_of(row.evidence);
  }
}

// The last questions of a run are those of its last comparison: a stop there loses the row of the
// largest ε alone. Negative control: the run that was not stopped has both rows.
TEST(LimitsOfWork, ARequestStopsAComparison) {
  RollingStudy study = knife_edge(1.0);
  study.time.samples = 20'000;
  long asked = 0;
  const auto run = [&](long most) {
    asked = 0;
    return run_rolling_study(study, {.stop_requested = [&, most] { return ++asked > most; }});
  };
  const auto rows = [](const RollingResult& result) { return result.series.at(0).rows.size(); };
  const RollingResult whole = run(1'000'000'000);
  EXPECT_EQ(rows(whole), 2U);
  EXPECT_FALSE(whole.interrupted);
  const RollingResult stopped = run(asked - 1);
  EXPECT_EQ(rows(stopped), 1U);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.counts.missing, 0) << "all solves had ended";
}

// Negative controls: no damping at all, and the smallest magnitude.
TEST(LimitsOfWork, ADampingRatioBelowEveryMagnitudeIsRefused) {
  for (const double ratio : {5e-324, 1e-41}) try {
      knife_edge(ratio);
      ADD_FAILURE() << ratio;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("damping_ratio"), HasSubstr("1e-40")));
    }
  for (const double ratio : {0.0, 1e-40}) EXPECT_NO_THROW(knife_edge(ratio)) << ratio;
}

}  // namespace
}  // namespace rigidlimit
