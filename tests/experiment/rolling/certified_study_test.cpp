// Tests certified studies: bounds of the errors in every row, in claims and in archives.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/series_of_result.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::Each, testing::Field, testing::Ge, testing::Gt, testing::IsEmpty, testing::Le,
    testing::SizeIs;

/// Three ε, with these overrides.
RollingStudy certified(const std::string& name, std::vector<std::string> overrides = {}) {
  const std::vector<std::string> common{"solvers.certified=true", "epsilon.from=1e-2",
                                        "epsilon.to=1e-4",        "epsilon.count=3",
                                        "time.end=1.0",           "expect=[]"};
  overrides.insert(overrides.begin(), common.begin(), common.end());
  return read_rolling_study(test::in_repository("experiments/prediction/" + name + ".toml"),
                            overrides);
}

constexpr const char* bound_of_q = "bound=[{{quantity=\"q\", constant={}, power=2.0, proved={}}}]";

class CertifiedStudy : public testing::TestWithParam<const char*> {};

// The numbers that the solvers measure, whose errors the same proof bounds, lie within the bounds
// of the model error.
TEST_P(CertifiedStudy, EnclosesTheMeasuredErrors) {
  const RollingResult result = run_rolling_study(certified(GetParam()), {});
  EXPECT_THAT(result.enclosures, SizeIs(3));
  EXPECT_THAT(result.enclosures, Each(Field(&EnclosureReport::q, Le(1e-12))));
  int proved = 0;
  for (const Series& series : result.series)
    for (const Row& row : series.rows) {
      ASSERT_NE(row.proved(), nullptr);
      proved += name_of(row.evidence) == "proved" ? 1 : 0;
      const double bar = row.solver_error() + row.reference_error() + row.sizes.sampling +
                         row.sizes.rounding + 1e-8 * row.model_error();
      EXPECT_THAT(row.sizes.model + bar, Ge(row.proved()->lower)) << text_of(row.measure);
      EXPECT_THAT(row.sizes.model - bar, Le(row.proved()->upper)) << text_of(row.measure);
      EXPECT_THAT(row.proved()->least_solver, Le(row.solver_error()));
      EXPECT_THAT(row.proved()->least_reference, Le(row.reference_error()));
      EXPECT_THAT(row.floor(), Le(1e-5 * row.model_error())) << text_of(row.measure);
    }
  EXPECT_THAT(proved, Gt(30));
}

INSTANTIATE_TEST_SUITE_P(Systems, CertifiedStudy,
                         testing::Values("knife_edge_prediction", "race_roller_prediction",
                                         "rolling_coin_prediction", "epicyclic_gear_prediction"));

// In 113 bits the measured error has 20 digits, and lies within bounds that are narrower than the
// errors of doubles.
TEST(CertifiedStudyInQuad, EnclosesTheMeasuredErrors) {
  const RollingResult result = run_rolling_study(
      certified("knife_edge_prediction",
                {"solvers.precision=\"quad\"", "solvers.rigid=\"radau_iia\"",
                 "solvers.compliant=\"radau_iia\"", "solvers.rtol=1e-20", "solvers.atol=1e-22",
                 "solvers.rigid_rtol=1e-21", "solvers.rigid_atol=1e-23"}),
      {});
  for (const auto& row : test::series_of(result, Quantity::q, Norm::sup, Window::all).rows) {
    EXPECT_THAT(row.solver_error(), Le(1e-15));
    EXPECT_THAT(row.sizes.model, Ge(row.proved()->lower * (1.0 - 1e-8)));
    EXPECT_THAT(row.sizes.model, Le(row.proved()->upper * (1.0 + 1e-8)));
  }
}

// A poor solver does not change the model error, which is proved, and its own error is bounded from
// both sides.
TEST(CertifiedStudyOf, APoorSolverHasTheSameModelErrors) {
  const RollingResult good = run_rolling_study(certified("knife_edge_prediction"), {});
  const RollingResult poor = run_rolling_study(
      certified("knife_edge_prediction", {"solvers.rtol=1e-4", "solvers.atol=1e-6"}), {});
  const auto rows = [](const RollingResult& result) {
    return test::series_of(result, Quantity::q, Norm::sup, Window::all).rows;
  };
  const auto a = rows(good), b = rows(poor);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].model_error(), b[k].model_error());
    EXPECT_EQ(name_of(b[k].evidence), "proved");
    EXPECT_THAT(b[k].proved()->least_solver, Gt(1e2 * a[k].solver_error()));
  }
}

BoundState state_of(double constant, const std::string& proved,
                    std::vector<std::string> more = {}) {
  std::vector<std::string> overrides{fmt::format(fmt::runtime(bound_of_q), constant, proved),
                                     "epsilon.to=1e-3", "epsilon.count=2", "time.end=2.0"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  const RollingStudy study = certified("knife_edge_prediction", overrides);
  return run_rolling_study(study, {}).bounds.at(0).judgement.state;
}

// The errors of q are 17.5127 ε² at 1e-2 and 17.6597 ε² at 1e-3. Their supremum over ε is
// 17.6748 ε², proved up to 214 ε³.
TEST(ProvedBound, IsJudgedByTheBoundsOfTheRows) {
  EXPECT_EQ(state_of(17.66, "true"), BoundState::held);
  EXPECT_EQ(state_of(17.65, "true"), BoundState::broken);
  EXPECT_EQ(state_of(23.0, "\"all\""), BoundState::held);
  EXPECT_EQ(state_of(17.66, "\"all\""), BoundState::broken);
  EXPECT_EQ(state_of(17.7, "\"all\""), BoundState::undecided);
}

TEST(ProvedBound, IsNamedProvedOnlyIfItHoldsByAProof) {
  const auto report = [](double constant, bool is_certified) {
    RollingStudy study = certified("knife_edge_prediction",
                                   {fmt::format(fmt::runtime(bound_of_q), constant, "false"),
                                    "epsilon.to=1e-3", "epsilon.count=2", "time.end=2.0"});
    study.solvers.certified = is_certified;
    return in_tables(run_rolling_study(study, {}));
  };
  const Result held = report(30.0, true), broken = report(1.0, true),
               estimated = report(30.0, false);
  EXPECT_TRUE(held.claims.at(0).held() && held.claims.at(0).proved);
  EXPECT_FALSE(broken.claims.at(0).held() || broken.claims.at(0).proved);
  EXPECT_TRUE(estimated.claims.at(0).held() && !estimated.claims.at(0).proved);
  EXPECT_THAT(held.verdict, testing::HasSubstr("1 of 1 bounds (1 proved)"));
  EXPECT_THAT(estimated.verdict, testing::Not(testing::HasSubstr("proved")));
}

// Almost without damping nothing is enclosed at a small ε: the rows keep their status, and the
// bound is unknown.
TEST(ProvedBound, IsUnknownWhereNothingIsProved) {
  EXPECT_EQ(state_of(23.0, "true",
                     {"contact.damping_ratio=1e-9", "epsilon.from=1e-4", "epsilon.to=1e-5"}),
            BoundState::unknown);
}

TEST(ReadCertified, RefusesStudiesWithoutAProof) {
  EXPECT_THROW(certified("epicyclic_gear_prediction",
                         {"contact.preparation=\"given\"", "contact.deflection=[0.0, 0.0, 0.1]"}),
               InputError);
  EXPECT_THROW(certified("knife_edge_prediction", {"contact.law=\"viscous\""}), InputError);
  EXPECT_THROW(
      read_rolling_study(test::in_repository("experiments/prediction/knife_edge_prediction.toml"),
                         {fmt::format(fmt::runtime(bound_of_q), 20.0, "true")}),
      InputError);
  EXPECT_THROW(
      certified("knife_edge_prediction", {fmt::format(fmt::runtime(bound_of_q), 20.0, "\"some\"")}),
      InputError);
  EXPECT_THROW(
      certified("knife_edge_prediction", {"contact.damping_exponent=1.5",
                                          fmt::format(fmt::runtime(bound_of_q), 20.0, "\"all\"")}),
      InputError);
}

// The theorem for all ε is about the exact motions of the viscoelastic law.
TEST(ReadCertified, RefusesABoundOfASolverOrOfAnotherLawForAllEpsilon) {
  EXPECT_THROW(certified("knife_edge_prediction",
                         {"bound=[{quantity=\"q\", solver_error=1e-6, proved=\"all\"}]"}),
               InputError);
  EXPECT_NO_THROW(certified("knife_edge_prediction",
                            {"bound=[{quantity=\"q\", solver_error=1e-6, proved=true}]"}));
  const std::vector<std::string> laws{"contact.law=[\"viscoelastic\", \"viscous\"]"};
  const auto bound = [&laws](const char* law) {
    std::vector<std::string> all = laws;
    all.push_back(fmt::format(
        "bound=[{{law=\"{}\", quantity=\"q\", constant=20.0, power=2.0, proved=\"all\"}}]", law));
    return all;
  };
  EXPECT_NO_THROW(certified("knife_edge_prediction", bound("viscoelastic")));
  EXPECT_THROW(certified("knife_edge_prediction", bound("viscous")), InputError);
}

// The resolved text of a study keeps both keys.
TEST(ReadCertified, ResolvedStudyIsCertifiedToo) {
  const RollingStudy study =
      certified("knife_edge_prediction", {fmt::format(fmt::runtime(bound_of_q), 20.0, "\"all\"")});
  const RollingStudy again =
      read_rolling_study(TomlDocument::from_text(resolved_toml(study), "resolved.toml"));
  EXPECT_TRUE(again.solvers.certified);
  EXPECT_EQ(again.bounds.at(0).proof, BoundSpec::Proof::all);
  EXPECT_EQ(resolved_toml(again), resolved_toml(study));
}

}  // namespace
}  // namespace rigidlimit
