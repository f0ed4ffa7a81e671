// Tests the search for a contact stiffness: its answer keeps the wanted errors, and no much softer
// contact does.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/stiffness/find_stiffness.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/sample_friction.hpp"
#include "support/sample_study.hpp"
#include "support/series_of_result.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

RollingStudy knife_edge(const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> all{"solvers.compliant=[\"radau_iia\"]"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return test::sample_study(all);
}

StiffnessResult found(const PairStudy& study, const std::vector<std::string>& wanted,
                      const std::vector<const OdeMethod*>& methods = {}) {
  StiffnessQuestion question{.wanted = {}, .methods = methods};
  for (const std::string& text : wanted) question.wanted.push_back(wanted_error_of(text, study));
  return find_stiffness(study, question, {});
}

/// The distance of a study at one ε, by a run of its own.
double error_at(RollingStudy study, double epsilon, Quantity quantity) {
  study.epsilons = {epsilon};
  study.expectations.clear();
  const RollingResult result = run_rolling_study(study, {});
  return test::series_of(result, quantity, Norm::sup, Window::all).rows.front().model_error();
}

TEST(FindStiffness, KeepsTheWantedErrorAndNoMuchSofterContactDoes) {
  const RollingStudy study = knife_edge();
  const StiffnessResult result = found(study, {"q=1e-4"});
  ASSERT_TRUE(result.found) << result.reason;
  const double epsilon = result.epsilon();
  EXPECT_LE(error_at(study, epsilon, Quantity::q), 1e-4);
  EXPECT_GT(error_at(study, 1.06 * epsilon, Quantity::q), 1e-4) << "within 10 %, by order 2";
  EXPECT_TRUE(result.laws.front().predicted);
  EXPECT_EQ(result.laws.front().order, 2.0);
  EXPECT_LE(result.trials.size(), 2u) << "the predicted constant and one correction";
  // C = 1, and D is critical at the start: A = 1/m = 1.
  EXPECT_DOUBLE_EQ(result.contact.rolling.stiffness(0, 0), 1.0 / (epsilon * epsilon));
  EXPECT_NEAR(result.contact.rolling.damping(0, 0) * epsilon, 2.0, 1e-12);
  EXPECT_NEAR(result.times.decay, epsilon, 1e-6 * epsilon) << "a double root";
}

TEST(FindStiffness, GrowsAsTheInverseOfAnErrorOfOrder2) {
  const RollingStudy study = knife_edge();
  const double soft = found(study, {"q=1e-5"}).contact.rolling.stiffness(0, 0);
  const double stiff = found(study, {"q=1e-7"}).contact.rolling.stiffness(0, 0);
  // Both lie within 10 % of their wanted error.
  EXPECT_NEAR(stiff / soft, 100.0, 12.0);
}

TEST(FindStiffness, TheStiffestOfSeveralWantedErrorsCounts) {
  const RollingStudy study = knife_edge();
  const double q = found(study, {"q=1e-4"}).epsilon(), v = found(study, {"v=1e-4"}).epsilon();
  const StiffnessResult both = found(study, {"q=1e-4", "v=1e-4"});
  EXPECT_LT(v, q);
  EXPECT_NEAR(both.epsilon(), v, 0.1 * v);
  for (const MeasuredError& measured : both.trials[*both.found].errors)
    EXPECT_LE(measured.most(), 1e-4);
}

TEST(FindStiffness, AnErrorOfOrder0HasNoAnswerUnlessItsLimitIsSmallEnough) {
  const RollingStudy study = knife_edge();
  const StiffnessResult none = found(study, {"lambda=1e-2"});
  EXPECT_FALSE(none.found);
  EXPECT_THAT(none.reason, HasSubstr("order 0"));
  EXPECT_TRUE(found(study, {"lambda.sup.after=1e-2"}).found) << "away from the layer";
  EXPECT_TRUE(found(study, {"lambda=10", "q=1e-4"}).found) << "|Lambda(0)| is below 10";
}

TEST(FindStiffness, FitsAnOrderWhereNoneIsPredicted) {
  const StiffnessResult result = found(
      knife_edge({"expect=[]", "contact.damping_exponent=1.5", "contact.preparation=\"prepared\"",
                  "epsilon.from=1e-3", "epsilon.to=1e-4"}),
      {"v=1e-4"});
  ASSERT_TRUE(result.found) << result.reason;
  EXPECT_FALSE(result.laws.front().predicted);
  EXPECT_NE(result.no_prediction, "");
  EXPECT_NEAR(result.laws.front().order, 2.0, 0.1);
  EXPECT_DOUBLE_EQ(result.contact.rolling.damping(0, 0), 2.0 / std::pow(result.epsilon(), 1.5));
}

TEST(FindStiffness, KnowsContactsWithASpringOrADamperAlone) {
  const auto of_law = [](const std::string& law) {
    return test::springless_study(
        {"contact.law=\"" + law + "\"", "expect=[]", "solvers.compliant=[\"radau_iia\"]"});
  };
  const StiffnessResult elastic = found(of_law("elastic"), {"q=1e-4"});
  ASSERT_TRUE(elastic.found) << elastic.reason;
  EXPECT_TRUE(elastic.contact.rolling.damping.isZero(0.0));
  EXPECT_TRUE(std::isinf(elastic.times.decay));
  const StiffnessResult viscous = found(of_law("viscous"), {"q=1e-3"});
  ASSERT_TRUE(viscous.found) << viscous.reason;
  EXPECT_EQ(viscous.contact.rolling.stiffness.size(), 0);
  EXPECT_THROW(found(of_law("baumgarte"), {"q=1e-4"}), InputError);
}

// A wheel that slips and then rolls: A = 3/m, critical damping at the start.
TEST(FindStiffness, FindsTheContactOfAFrictionStudy) {
  const FrictionStudy study = test::sample_friction({"expect=[]"});
  const StiffnessResult result = found(study, {"x=1e-5"});
  ASSERT_TRUE(result.found) << result.reason;
  EXPECT_TRUE(result.laws.front().predicted);
  EXPECT_EQ(result.laws.front().order, 2.0);
  const double epsilon = result.epsilon();
  const FrictionalValues& contact = result.contact.frictional.front();
  EXPECT_NEAR(contact.stiffness * epsilon * epsilon, 1.0, 1e-12);
  EXPECT_NEAR(contact.damping * epsilon, 2.0 / std::sqrt(3.0), 1e-12);
  EXPECT_TRUE(std::isnan(contact.creep));
  EXPECT_NEAR(result.times.decay, epsilon / std::sqrt(3.0), 1e-6 * epsilon) << "a double root";
  FrictionStudy at = study;
  at.components = {result.wanted.front().measure};
  const auto error_at_epsilon = [&](double e) {
    at.epsilons = {e};
    for (const Series& series : run_friction_study(at).series)
      if (series.rows.front().measure == at.components.front())
        return series.rows.front().model_error();
    return std::nan("");
  };
  EXPECT_LE(error_at_epsilon(epsilon), 1e-5);
  EXPECT_GT(error_at_epsilon(1.06 * epsilon), 1e-5) << "within 10 %, by order 2";
  EXPECT_THROW(found(study, {"x=1e-5"}, methods_named({"dopri5"})), InputError);
}

TEST(FindStiffness, FindsTheCreepOfARegularisedLaw) {
  const StiffnessResult result =
      found(test::sample_friction({"expect=[]", "contact.friction=\"regularised\""}), {"x=1e-4"});
  ASSERT_TRUE(result.found) << result.reason;
  EXPECT_FALSE(result.laws.front().predicted);
  EXPECT_NEAR(result.laws.front().order, 1.0, 0.05);
  EXPECT_DOUBLE_EQ(result.contact.frictional.front().creep, result.epsilon());
  EXPECT_TRUE(std::isnan(result.contact.frictional.front().stiffness));
}

TEST(FindStiffness, SaysThatTheSolverIsTooInaccurate) {
  const StiffnessResult result =
      found(knife_edge({"solvers.rtol=1e-4", "solvers.atol=1e-4"}), {"q=1e-9"});
  EXPECT_FALSE(result.found);
  EXPECT_THAT(result.reason, HasSubstr("rtol"));
}

TEST(FindStiffness, PricesMethodsThatAreAccurateEnough) {
  const std::vector<std::string> names{"radau_iia_5", "dopri5", "implicit_euler"};
  const StiffnessResult result = found(knife_edge(), {"q=1e-4"}, methods_named(names));
  ASSERT_EQ(result.costs.size(), 6u) << "in natural and in adapted variables";
  for (const MethodCost& cost : result.costs) {
    if (std::string(cost.method->name) == "implicit_euler") continue;
    EXPECT_LE(cost.rtol, 1e-2) << cost.reason;
    EXPECT_GT(cost.work.steps, 0);
  }
  // An explicit method of order 5 is bound by stability, as that of order 4: its steps cannot be
  // much longer.
  const auto explicit_cost = std::ranges::find_if(result.costs, [](const MethodCost& cost) {
    return std::string(cost.method->name) == "dopri5";
  });
  EXPECT_GT(static_cast<double>(explicit_cost->work.steps), 0.5 * 2.0 / result.times.largest_step);
  EXPECT_THROW(methods_named({"dopri6"}), InputError);
  EXPECT_EQ(methods_named({"all"}).size(), ode_methods().size());
}

// The diagonal damper is solved by itself: its errors are those of a study with that damping.
TEST(FindStiffness, ChecksADiagonalDamperBesideOneThatCouplesRows) {
  const auto file = [](const char* name) {
    return read_rolling_study(
        test::in_repository(fmt::format("experiments/convergence/{}.toml", name)),
        {"solvers.compliant=[\"radau_iia\"]", "expect=[]"});
  };
  const RollingStudy study = file("two_blade_dumbbell");
  const StiffnessResult result = found(study, {"q=1e-3"});
  ASSERT_TRUE(result.found) << result.reason;
  ASSERT_FALSE(result.contact.rolling.damping.isDiagonal(1e-6));
  ASSERT_TRUE(result.diagonal);
  const CheckedDamper& damper = *result.diagonal;
  RollingStudy own = study;
  own.contact.damping_ratio.reset();
  own.contact.damping = MatrixXd((damper.damping * result.epsilon()).asDiagonal());
  const double error = error_at(own, result.epsilon(), Quantity::q);
  EXPECT_NEAR(damper.trial.errors.front().error / error, 1.0, 1e-6);
  EXPECT_EQ(damper.holds, damper.trial.errors.front().most() <= 1e-3);
  EXPECT_GT(std::abs(result.trials[*result.found].errors.front().error / error - 1.0), 1e-5)
      << "negative control: the coupled damper has another error";
  // One factor of the diagonal: no other of these decays faster.
  const MatrixXd& full = result.contact.rolling.damping;
  const double factor = damper.damping(0) / full(0, 0);
  EXPECT_NEAR(damper.damping(1) / full(1, 1), factor, 1e-12);
  const MatrixXd A = delassus(study.model, study.initial.q);
  for (const double other : {0.5, 0.9, 1.1, 2.0}) {
    const MatrixXd d = other * MatrixXd(damper.damping.asDiagonal());
    EXPECT_GE(decay_time(contact_rates(A, {result.contact.rolling.stiffness, d}, study.contacts)),
              damper.times.decay * (1.0 - 1e-3))
        << other;
  }
  EXPECT_FALSE(found(file("rolling_disk"), {"q=1e-3"}).diagonal) << "its damper is diagonal";
}

TEST(FindStiffness, StopsWhenItIsAsked) {
  const StiffnessResult result =
      find_stiffness(knife_edge(), {.wanted = {wanted_error_of("q=1e-4", knife_edge())}},
                     {.stop_requested = [] { return true; }});
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.found);
}

}  // namespace
}  // namespace rigidlimit
