// Tests [tangent] of studies: reading, errors, and derivatives with respect to parameters.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/central_difference.hpp"
#include "support/sample_study.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string with(const std::string& tangent) {
  return test::sample_text + "[tangent]\n" + tangent;
}

std::vector<std::string> names_of(const std::vector<Component>& components) {
  std::vector<std::string> names;
  for (const Component& c : components) names.push_back(c.name);
  return names;
}

TEST(TangentStudy, LiftsSystemStartAndContact) {
  const RollingStudy study = test::study_from(with("q = {phi = 1.0}\nv = [0.0, 0.0, 2.0]\n"));
  const RollingStudy base = test::study_from(test::sample_text);
  EXPECT_EQ(study.model.n, 2 * base.model.n);
  EXPECT_THAT(names_of(study.system->info.coordinates),
              ElementsAre("x", "y", "phi", "dx/ds", "dy/ds", "dphi/ds"));
  EXPECT_EQ(study.system->info.velocities.back().unit, base.system->info.velocities.back().unit);
  EXPECT_EQ(study.contact.stiffness(0, 1), base.contact.stiffness(0, 0));
  EXPECT_EQ(study.contact.damping(1, 0), law_of(base).damping(0, 0));
  EXPECT_TRUE(is_consistent(study.model, study.initial));
  // φ turns and the velocity with it: δ(−sin φ x' + cos φ y') = 0 at φ = 0 is δy' = x' δφ.
  EXPECT_DOUBLE_EQ(study.initial.v(4), base.initial.v(0));
  EXPECT_DOUBLE_EQ(study.initial.v(5), 2.0);
}

TEST(TangentStudy, IsReadBackFromItsResolvedText) {
  const RollingStudy study = test::study_from(with("q = {phi = 1.0}\n"));
  const std::string text = resolved_toml(study);
  EXPECT_THAT(text, HasSubstr("[tangent]\nq = [0.0, 0.0, 1.0]"));
  EXPECT_THAT(text, HasSubstr("damping_ratio = 1.0"));
  const RollingStudy again = read_rolling_study(TomlDocument::from_text(text, "resolved.toml"));
  EXPECT_EQ(resolved_toml(again), text);
  EXPECT_EQ(again.initial.v, study.initial.v);
}

TEST(TangentStudy, ErrorsNameThePlace) {
  EXPECT_THAT(test::complaint_about(with("q = [1.0, 0.0]\n")),
              testing::AllOf(HasSubstr("sample.toml:19"), HasSubstr("tangent.q")));
  EXPECT_THAT(test::complaint_about(with("")),
              testing::AllOf(HasSubstr("sample.toml:18"), HasSubstr("give a direction")));
  EXPECT_THAT(test::complaint_about(with("q = {phi = 1.0}\nspeed = 1.0\n")),
              testing::AllOf(HasSubstr("sample.toml:20"), HasSubstr("tangent.speed")));
  EXPECT_THAT(test::complaint_about(with("parameter = \"mas\"\n")),
              testing::AllOf(HasSubstr("sample.toml:19"), HasSubstr("mass")));
  EXPECT_EQ(test::complaint_about(with("parameter = \"mass\"\n")), "");
  // Of a compiled system; negative control: a text.
  const auto by_mass_of = [](const std::string& name) {
    return test::complaint_about(with("parameter = \"mass\"\n"),
                                 {"system.name = \"" + name + "\"", "initial.project = true"});
  };
  EXPECT_THAT(by_mass_of("nonholonomic_particle"),
              testing::AllOf(HasSubstr("sample.toml:19"), HasSubstr("tangent.parameter")));
  EXPECT_EQ(by_mass_of("chaplygin_sleigh"), "");
  EXPECT_THAT(test::complaint_about(with("q = {phi = 1.0}\n"), {"solvers.rigid=[\"closed_form\"]"}),
              HasSubstr("no closed form"));
}

/// A skate with an offset blade, friction in its hinge, and parameters in every function.
constexpr const char* skate = R"toml(
[study]
name = "skate"
[system]
name = "skate"
coordinates = [
  {name = "x", unit = "m", start = 0.4, rate = "c*(cos(phi)*u - sin(phi)*w)"},
  {name = "y", unit = "m", start = 0.2, rate = "c*(sin(phi)*u + cos(phi)*w)"},
  {name = "phi", unit = "rad", start = 0.0, rate = "o"},
]
velocities = [{name = "u", unit = "m/s", start = 0.7}, {name = "w", unit = "m/s", start = "a*1.3"},
              {name = "o", unit = "rad/s", start = 1.3}]
KINETICS
constraint = [{name = "blade", row = "w - a*o + b*u*sin(phi)"}]
[system.let]
m = "2*c + b"
[system.parameters]
a = {default = 0.3, unit = "m"}
b = {default = 0.2, unit = "1"}
c = {default = 1.1, unit = "1"}
[contact]
damping = 2.0
[epsilon]
values = [0.1]
[time]
end = 1.0
)toml";
constexpr const char* lagrangian = R"toml(
kinetic_coenergy = "m/2*(u^2 + w^2) + (1 + a)/2*o^2"
potential = "b*x - c*y"
dissipation = "a/2*o^2 + b*c*u^2"
applied_force = ["sin(c*t)", 0, "a*t"]
)toml";
constexpr const char* given = R"toml(
mass_matrix = [["m", 0, 0], [0, "m", "a"], [0, "a", "1 + a*phi^2"]]
force = ["b*sin(c*t) - a*u", "x^2 + b*w*o", "c*y"]
)toml";

RollingStudy skate_study(const char* kinetics, const std::string& more = "",
                         const std::vector<std::string>& overrides = {}) {
  std::string text = skate;
  text.replace(text.find("KINETICS"), 8, kinetics);
  return test::study_from(text + more, overrides);
}

Motion compliant_end(const RollingStudy& study) {
  const auto problem =
      compliant_problem(study, *find_law("viscoelastic"), Formulation::adapted, 0.1);
  const Solution solution =
      find_ode_method("radau_iia")
          ->solve(problem.problem, {0.0, 1.0}, {.rtol = 1e-12, .atol = 1e-14});
  EXPECT_EQ(solution.outcome, Outcome::success);
  return problem.motion(solution);
}

VectorXd last_column(const Motion& motion) {
  VectorXd all(motion.q.rows() + motion.v.rows() + motion.lambda.rows());
  all << motion.q.rightCols(1), motion.v.rightCols(1), motion.lambda.rightCols(1);
  return all;
}

class ParameterDerivative : public testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(All, ParameterDerivative,
                         testing::Combine(testing::Values(lagrangian, given),
                                          testing::Values("a", "b", "c")),
                         [](const auto& one) {
                           return std::string(one.index < 3 ? "lagrangian_" : "given_") +
                                  std::get<1>(one.param);
                         });

// The start keeps (q, v) up to the projection on ker G, as the lift does. A solve has an error of
// about 100 rtol.
TEST_P(ParameterDerivative, IsThatOfADifference) {
  const auto& [kinetics, parameter] = GetParam();
  const std::string key = std::string("system.parameters.") + parameter + ".default";
  const RollingStudy base = skate_study(kinetics);
  const auto at = std::string_view("abc").find(parameter);
  const auto neighbour = [&](double value) {
    RollingStudy study = base;
    study.parameters[at] = value;
    study.model = study.system->make(study.parameters);
    study.initial.v = rigid_start(study).v;
    return study;
  };
  const auto numerical =
      test::central_difference([&](double p) { return last_column(compliant_end(neighbour(p))); },
                               base.parameters[at], 2e-3, 100.0 * 1e-12 / test::unit_roundoff);
  const RollingStudy lift =
      skate_study(kinetics, "[tangent]\nparameter = \"" + std::string(parameter) + "\"\n");
  const VectorXd derivative = last_column(derivative_in(compliant_end(lift)));
  EXPECT_LE((derivative - numerical.value.col(0)).lpNorm<Eigen::Infinity>(), numerical.bound);
  EXPECT_GT(numerical.value.norm(), 1e4 * numerical.bound) << "no evidence";
  // Negative control: the derivative with respect to another parameter.
  const RollingStudy other = skate_study(
      kinetics, std::string("[tangent]\nparameter = \"") + (at == 0 ? "b" : "a") + "\"\n");
  EXPECT_GT((last_column(derivative_in(compliant_end(other))) - numerical.value.col(0))
                .lpNorm<Eigen::Infinity>(),
            1e3 * numerical.bound);
  EXPECT_EQ(lift.system->info.coordinates.back().name, std::string("dphi/d") + parameter);
}

TEST(TangentStudy, RefusesAParameterInAnExponent) {
  std::string text = skate;
  text.replace(text.find("KINETICS"), 8,
               "kinetic_coenergy = \"m/2*(u^2 + w^2) + o^2\"\npotential = \"(2 + x^2)^a\"\n");
  EXPECT_THAT(test::complaint_about(text + "[tangent]\nparameter = \"a\"\n"),
              HasSubstr("exponent"));
  EXPECT_EQ(test::complaint_about(text + "[tangent]\nparameter = \"b\"\n"), "");
}

TEST(TangentStudy, RefusesSwitches) {
  std::string text = skate;
  text.replace(text.find("KINETICS"), 8,
               "kinetic_coenergy = \"m/2*(u^2 + w^2) + o^2\"\npotential = 0\n"
               "applied_force = [\"if(t < 0.5, 1, 0)\", 0, 0]\n");
  EXPECT_THAT(test::complaint_about(text + "[tangent]\nq = {phi = 1.0}\n"), HasSubstr("switches"));
}

const std::string by_radau =
    "solvers={rigid=[\"radau_iia\"], compliant=[\"radau_iia\"], rtol=1e-12, atol=1e-14}";

/// Expectations of orders and ratios, by quantity.
std::string expected(double ratio) {
  return fmt::format(
      "expect=[{{quantity=\"q\", order=2.0, ratio={0}, ratio_within=2e-3}}, {{quantity=\"v\", "
      "order=1.0, ratio={0}, ratio_within=1e-2}}, {{quantity=\"lambda\", order=0.0}}]",
      ratio);
}

// The largest components are derivatives: 17.675 is the coefficient of q itself (docs/theory.md,
// section 9), 0.91/e that of v, 0.91 that of λ.
TEST(TangentStudy, ConvergesAsPredicted) {
  const std::string text = with("q = {phi = 1.0}\nv = {x = 1.0, phi = 2.0}\n");
  const RollingResult result = run_rolling_study(test::study_from(text, {by_radau, expected(1.0)}));
  EXPECT_EQ(result.no_prediction, "");
  EXPECT_TRUE(result.held());
  EXPECT_GT(test::series_of(result, Quantity::q).rows.back().predicted_coefficient, 20.0);
  EXPECT_GT(test::series_of(result, Quantity::v).rows.back().predicted_coefficient, 0.5);
  EXPECT_GT(test::series_of(result, Quantity::lambda).rows.back().predicted_coefficient, 1.5);
  EXPECT_FALSE(run_rolling_study(test::study_from(text, {by_radau, expected(1.02)})).held())
      << "negative control";
}

// The composite of the lift, to order 2 in every quantity: its remainder is of order 3.
TEST(TangentStudy, HasACompositeOfHigherOrder) {
  const RollingResult result = run_rolling_study(test::study_from(
      with("q = {phi = 1.0}\nv = {x = 1.0, phi = 2.0}\n"),
      {by_radau, "study.against=\"composite\"", "composite.order=2", "epsilon.from=4e-2",
       "epsilon.to=1e-2",
       "expect=[{quantity=\"q\", ratio=1.0, ratio_within=0.05}, {quantity=\"v\", ratio=1.0, "
       "ratio_within=0.05}, {quantity=\"lambda\", ratio=1.0, ratio_within=0.05}]"}));
  EXPECT_EQ(result.no_prediction, "");
  EXPECT_TRUE(result.held());
}

}  // namespace
}  // namespace rigidlimit
