// Viscoelastic and ideal rolling as one DAE: the same motions as the ODE and as the rigid DAE.
#include "rigidlimit/formulations/compliance_form.hpp"

#include <gmock/gmock.h>

#include <iterator>
#include <string>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/compliant.hpp"
#include "rigidlimit/formulations/rigid.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/ida.hpp"
#include "rigidlimit/solvers/radau_iia.hpp"
#include "support/catalogue_system.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::CatalogueSystem;
using test::unit_roundoff;

constexpr ComplianceForm both[] = {ComplianceForm::with_deflection,
                                   ComplianceForm::without_deflection};

CatalogueSystem catalogued(const char* name) {
  return CatalogueSystem(*find_system(builtin_systems(), name));
}

VectorXd residual_of(const DaeProblem& dae, double t, const VectorXd& y, const VectorXd& yp) {
  VectorXd r = VectorXd::Constant(y.size(), 777.0);
  dae.residual(t, y, yp, r);
  return r;
}

// Terms of the size of λ' ε² ≤ 10 and M v' ≤ 1e3, an LU with condition < 1e3 behind v'.
TEST(ComplianceForm, StartIsConsistentForEverySystem) {
  for (const SystemEntry& entry : builtin_systems()) {
    const CatalogueSystem s(entry);
    for (const ComplianceForm form : both)
      for (const double epsilon : {0.3, 1e-2, 0.0}) {
        SCOPED_TRACE(testing::Message() << entry.info.name << ", ε = " << epsilon);
        if (epsilon == 0.0 && s.contacts.redundant()) {
          EXPECT_THROW(compliance_form(s.model, s.start, s.law, epsilon, s.eta0, form), InputError);
          continue;
        }
        const DaeProblem dae =
            compliance_form(s.model, s.start, s.law, epsilon, s.eta0, form).problem;
        const double terms =
            1.0 + dae.y0.cwiseAbs().maxCoeff() + dae.yp0.head(s.model.nq + s.model.n).norm();
        EXPECT_LE(residual_of(dae, 0.0, dae.y0, dae.yp0).cwiseAbs().maxCoeff(),
                  1e3 * unit_roundoff * terms);
        VectorXd y = dae.y0;
        y(y.size() - 1) += 1e-3;  // negative control: another λ
        EXPECT_GT(residual_of(dae, 0.0, y, dae.yp0).cwiseAbs().maxCoeff(), 1e-9 * terms);
      }
  }
}

// J = ∂r/∂y + α ∂r/∂y' is the derivative of z ↦ r(z, y' + α (z − y)) at z = y; exact rows, T ≠ I
// and two contacts among the systems. The difference's own bound, plus 64 roundings of J.
TEST(ComplianceForm, JacobianIsTheDerivativeOfTheResidual) {
  test::RandomNumbers random(7);
  for (const char* name : {"knife_edge", "rolling_disk", "wheel_euler"})
    for (const ComplianceForm form : both)
      for (const double epsilon : {0.5, 0.0}) {
        SCOPED_TRACE(testing::Message() << name << ", ε = " << epsilon);
        const CatalogueSystem s = catalogued(name);
        const DaeProblem dae =
            compliance_form(s.model, s.start, s.law, epsilon, s.eta0, form).problem;
        VectorXd y = dae.y0, yp = dae.yp0;
        for (double& x : y) x += random.uniform(-0.1, 0.1);
        for (double& x : yp) x += random.uniform(-1.0, 1.0);
        const double alpha = 3.0;
        const auto combined = [&](const VectorXd& z) {
          return residual_of(dae, 0.7, z, yp + alpha * (z - y));
        };
        const auto numerical = test::central_jacobian(combined, y, 1.0 / 256.0);
        MatrixXd J = MatrixXd::Constant(y.size(), y.size(), 777.0);
        dae.jacobian(0.7, y, yp, alpha, J);
        const double size = J.cwiseAbs().maxCoeff();
        EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(),
                  numerical.bound + 64.0 * unit_roundoff * size);
        EXPECT_LT(numerical.bound, 1e-7 * (1.0 + size));  // sharp
        dae.jacobian(0.7, y, yp, alpha + 1e-3, J);        // negative control
        EXPECT_GT((J - numerical.value).cwiseAbs().maxCoeff(), 10.0 * numerical.bound);
      }
}

constexpr double rtol = 1e-9;
const std::vector<double> times = test::uniform_grid(0.0, 0.25, 6);

Motion by_ida(const CatalogueSystem& s, const ViscoelasticLaw& law, double epsilon,
              ComplianceForm form) {
  const auto problem = compliance_form(s.model, s.start, law, epsilon, s.eta0, form);
  const Solution solution =
      solve_ida(problem.problem, times, {.rtol = rtol, .atol = rtol, .max_steps = 50000});
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  return problem.motion(solution);
}

Motion by_ode(const CatalogueSystem& s, double epsilon) {
  const auto ode = compliant_ode(s.model, s.start, s.law, epsilon, s.eta0);
  return ode.motion(solve_radau_iia_variable(ode.problem, times, {.rtol = 1e-12, .atol = 1e-13}));
}

double distance(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// What IDA can solve well: beside η, λ is a difference quotient, and the disc rings (see
/// compliance_form.hpp).
std::vector<ComplianceForm> forms_for(const std::string& name) {
  if (name == "rolling_disk") return {ComplianceForm::without_deflection};
  return {std::begin(both), std::end(both)};
}

// BDF adds up local errors of rtol over some thousand steps at the most.
TEST(ComplianceForm, MotionIsThatOfTheOde) {
  const std::vector<std::pair<std::string, std::vector<double>>> cases{
      {"knife_edge", {1e-1, 1e-2, 1e-3, 1e-4}}, {"rolling_disk", {1e-1, 1e-2}}};
  for (const auto& [name, epsilons] : cases) {
    const CatalogueSystem s = catalogued(name.c_str());
    for (const double epsilon : epsilons) {
      SCOPED_TRACE(testing::Message() << name << ", ε = " << epsilon);
      const Motion exact = by_ode(s, epsilon);
      for (const ComplianceForm form : forms_for(name)) {
        const Motion motion = by_ida(s, s.law, epsilon, form);
        EXPECT_LE(distance(motion.q, exact.q), 1e3 * rtol);
        EXPECT_LE(distance(motion.v, exact.v), 1e3 * rtol);
        EXPECT_LE(distance(motion.lambda, exact.lambda), 1e3 * rtol);
      }
    }
    // Negative control: the damper with the wrong sign moves otherwise.
    ViscoelasticLaw wrong = s.law;
    wrong.damping *= -1.0;
    const Motion exact = by_ode(s, 0.3);
    for (const ComplianceForm form : both)
      EXPECT_GT(distance(by_ida(s, wrong, 0.3, form).q, exact.q), 1e5 * rtol);
  }
}

// At ε = 0 the motion is that of the rigid DAE in another form, λ (untested, of index 2) its
// multiplier. Beside it, once the layer has died out as e^(−0.35 t/ε) ≤ 1e-7, the ε-motions lie at
// a distance of order 2: the limit is continuous.
TEST(ComplianceForm, TendsToTheRigidMotionAndReachesItAtZero) {
  for (const std::string name : {"knife_edge", "rolling_disk"}) {
    SCOPED_TRACE(name);
    const CatalogueSystem s = catalogued(name.c_str());
    const auto rigid = rigid_dae(s.model, s.start, MultiplierForm::impulse);
    const Motion limit = rigid.motion(
        solve_ida(rigid.problem, times, {.rtol = 1e-11, .atol = 1e-11, .max_steps = 50000}));
    for (const ComplianceForm form : both) {
      const Motion at_zero = by_ida(s, s.law, 0.0, form);
      EXPECT_LE(distance(at_zero.q, limit.q), 1e3 * rtol);
      EXPECT_LE(distance(at_zero.v, limit.v), 1e3 * rtol);
      EXPECT_LE(distance(at_zero.lambda, limit.lambda), 1e4 * rtol);
    }
    for (const ComplianceForm form : forms_for(name)) {
      const auto off = [&](double epsilon) {
        const Motion motion = by_ida(s, s.law, epsilon, form);
        return distance(motion.lambda.rightCols(2), limit.lambda.rightCols(2));
      };
      const double ratio = off(4e-3) / off(2e-3);
      EXPECT_GT(ratio, 3.5);
      EXPECT_LT(ratio, 4.5);
    }
  }
}

TEST(ComplianceForm, RefusesWhatHasNoLimit) {
  const CatalogueSystem s = catalogued("knife_edge");
  ViscoelasticLaw creeping = s.law;
  creeping.damping_exponent = 2.0;
  for (const ComplianceForm form : both) {
    EXPECT_NO_THROW(compliance_form(s.model, s.start, creeping, 0.1, s.eta0, form));
    EXPECT_THROW(compliance_form(s.model, s.start, creeping, 0.0, s.eta0, form), InputError);
    EXPECT_THROW(compliance_form(s.model, s.start, s.law, -0.1, s.eta0, form), InputError);
    EXPECT_THROW(compliance_form(s.model, s.start, s.law, std::nan(""), s.eta0, form), InputError);
  }
}

}  // namespace
}  // namespace rigidlimit
