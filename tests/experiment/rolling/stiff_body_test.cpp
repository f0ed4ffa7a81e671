// Tests bodies with a stiff spring and damper inside: the stiffness is not at the contact alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/rigid_side.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "support/sample_study.hpp"
#include "support/series_of_result.hpp"

namespace rigidlimit {
namespace {

struct Body {
  const char* name;
  double mobility;  ///< 1/kg or 1/(kg m²), of the part behind the damper: it decays at this × c
  const char* system;  ///< of the file, with k and c as parameters
};

/// For the names of tests.
void PrintTo(const Body& body, std::ostream* out) {
  *out << body.name;
}

constexpr Body skate{"skate", 1.0, R"toml(
coordinates = [
  {name = "x", start = 0, start_rate = 1}, {name = "y", start = 0, start_rate = 0},
  {name = "heading", start = 0, start_rate = 0.7}, {name = "r", start = 0.2, start_rate = 0}]
kinetic_coenergy = "2*(x'^2 + y'^2) + 0.5*heading'^2 + 0.5*(r'^2 + (r*heading')^2)"
potential = "k/2*(r - 0.1)^2"
dissipation = "c/2*r'^2"
constraint = ["cos(heading)*y' - sin(heading)*x'"]
)toml"};
/// A flywheel on a stiff torsional coupling.
constexpr Body coupling{"coupling", 1 / 0.04 + 1 / 0.35, R"toml(
coordinates = [
  {name = "s", start = 0, start_rate = 0.3}, {name = "phi", start = 0, start_rate = 1},
  {name = "psi", start = 0.1, start_rate = 0}]
kinetic_coenergy = "1.5*s'^2 + 0.04*phi'^2 + 0.02*psi'^2"
potential = "k/2*(psi - phi)^2 - 2*s"
dissipation = "c/2*(psi' - phi')^2"
constraint = ["s' - 0.3*phi'"]
)toml"};
/// A blade that carries a rotor with a stiff bearing about the vertical axis.
constexpr Body rotor{"rotor", 1 / 0.2 + 1 / 0.6, R"toml(
coordinates = [
  {name = "x", start = 0, start_rate = 0.5}, {name = "y", start = 0, start_rate = 0},
  {name = "h", start = 0, start_rate = 0.4}, {name = "g", start = 0.2, start_rate = 0}]
kinetic_coenergy = "(x'^2 + y'^2) + 0.3*h'^2 + 0.1*(h' + g')^2"
potential = "k/2*g^2 - 0.5*y"
dissipation = "c/2*g'^2"
constraint = ["cos(h)*y' - sin(h)*x'"]
)toml"};

RollingStudy study_of(const Body& body, double stiffness, const std::string& more = "") {
  return test::study_from(fmt::format(
      R"toml(study.name = "stiff"
epsilon = {{values = [3e-2, 1e-2, 3e-3]}}
time.end = 5.0
solvers = {{rigid = ["radau_iia"], compliant = ["radau_iia"]}}
{}
[system]
name = "{}"
{}
[system.parameters]
k = {{default = {}}}
c = {{default = {}}}
)toml",
      more, body.name, body.system, stiffness, stiffness));
}

class StiffBody : public testing::TestWithParam<Body> {};

// radau_iia begins with a Newton matrix of the contact alone. Where the body is stiff as well it
// goes on with the matrix of the whole problem and takes the steps of radau_iia_5, also with those
// in which it noticed; its error is that between the samples too on a dense grid. Negative control:
// with a fixed-point iteration for the body, the number of steps is proportional to c, 24000 at
// 10⁴.
TEST_P(StiffBody, CostsTheStepsOfAStiffSolver) {
  for (const double stiffness : {1e2, 1e3, 1e4, 1e6, 1e8}) {
    const RollingStudy study = study_of(GetParam(), stiffness);
    const auto rolling =
        compliant_problem(study, *find_law("viscoelastic"), Formulation::adapted, 1e-2);
    const SolveOptions options{.rtol = 1e-9, .atol = 1e-11};
    for (const std::vector<double>& times :
         {std::vector<double>{0.0, 2.5, 5.0}, uniform_grid(5.0, 401)}) {
      const Solution own = find_ode_method("radau_iia")->solve(rolling.problem, times, options),
                     five = find_ode_method("radau_iia_5")->solve(rolling.problem, times, options);
      ASSERT_EQ(own.outcome, Outcome::success) << stiffness << ": " << own.message;
      ASSERT_EQ(five.outcome, Outcome::success) << stiffness;
      EXPECT_LE(own.work.steps, 1.5 * static_cast<double>(five.work.steps)) << stiffness;
      // Both are solutions: local errors of 1e-9, of which 5 s keep a factor of some hundred.
      const MatrixXd apart = rolling.motion(own).v - rolling.motion(five).v;
      EXPECT_LE(apart.cwiseAbs().maxCoeff(), 1e-6) << stiffness;
    }
  }
}

// The rigid side and its reference are solved too, by methods that agree.
TEST_P(StiffBody, HasARigidMotionWithItsReference) {
  for (const double stiffness : {1e2, 1e4, 1e6, 1e8}) {
    const RollingStudy study = study_of(GetParam(), stiffness);
    const bool stiff =
        std::string(rigid_method_for(study, rigid_start(study))) != "runge_kutta_fehlberg78";
    EXPECT_EQ(stiff, GetParam().mobility * stiffness * study.time.end > 3000.0) << stiffness;
    const RollingResult result = run_rolling_study(study);
    ASSERT_EQ(result.rigid.front().outcome, Outcome::success) << result.rigid.front().message;
    const double unit = 1.0 + std::abs(result.rigid.front().energy_scale);
    EXPECT_LE(result.rigid.front().error[0], 1e-6 * unit) << stiffness;
    EXPECT_LE(result.rigid.front().error[1], 1e-6 * unit) << stiffness;
    for (const Row& row : test::series_of(result, Quantity::q).rows)
      EXPECT_FALSE(row.failed()) << name_of(row.evidence);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, StiffBody, testing::Values(skate, coupling, rotor),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rigidlimit
