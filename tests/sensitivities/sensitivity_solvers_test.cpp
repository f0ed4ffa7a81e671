// Tests solves of the tangent lift against CVODES and IDAS, which integrate sensitivities beside
// the motion: CVODES those of the compliant ODE in (q, v, η), IDAS those of the rigid DAE in (q, v,
// impulse).
//
// The right-hand sides of the sensitivities are derivatives of the equations after the elimination
// of v': another path from the same tapes as the lift, which is eliminated after it is
// differentiated. An own program, since CVODES and CVODE define the same functions.
#include <cvodes/cvodes.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <functional>

#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/rigid/rigid.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"
#include "support/catalogue_system.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

constexpr double end = 1.0;       // s
constexpr double epsilon = 0.05;  // of the compliant motion

Eigen::Map<VectorXd> map(N_Vector x) {
  return {N_VGetArrayPointer(x), N_VGetLength(x)};
}
Eigen::Map<MatrixXd> map(SUNMatrix X) {
  return {SUNDenseMatrix_Data(X), SUNDenseMatrix_Rows(X), SUNDenseMatrix_Columns(X)};
}

/// Vectors, matrix and linear solver of one solve by a library.
struct Workspace {
  explicit Workspace(Index size) {
    EXPECT_EQ(SUNContext_Create(nullptr, &context), 0);
    for (N_Vector* x : {&y, &yp, &s, &sp}) *x = N_VNew_Serial(size, context);
    matrix = SUNDenseMatrix(size, size, context);
    solver = SUNLinSol_Dense(y, matrix, context);
  }
  ~Workspace() {
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    for (N_Vector x : {y, yp, s, sp}) N_VDestroy(x);
    SUNContext_Free(&context);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  SUNContext context = nullptr;
  N_Vector y = nullptr, yp = nullptr, s = nullptr, sp = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
};

/// A state and its sensitivity.
struct Pair {
  VectorXd y, s;
};

/// y' = f(y) with f, ∂f/∂y and the directional derivative (∂f/∂y) s.
struct Ode {
  std::function<VectorXd(const VectorXd&)> f;
  std::function<MatrixXd(const VectorXd&)> jacobian;
  std::function<VectorXd(const VectorXd&, const VectorXd&)> along;
};

Pair solve_by_cvodes(const Ode& ode, const Pair& start) {
  Workspace at(start.y.size());
  map(at.y) = start.y;
  map(at.s) = start.s;
  void* memory = CVodeCreate(CV_BDF, at.context);
  const auto rhs = [](double, N_Vector y, N_Vector dydt, void* data) {
    map(dydt) = static_cast<const Ode*>(data)->f(map(y));
    return 0;
  };
  const auto jacobian = [](double, N_Vector y, N_Vector, SUNMatrix J, void* data, N_Vector,
                           N_Vector, N_Vector) {
    map(J) = static_cast<const Ode*>(data)->jacobian(map(y));
    return 0;
  };
  const auto sensitivity = [](int, double, N_Vector y, N_Vector, N_Vector* s, N_Vector* rate,
                              void* data, N_Vector, N_Vector) {
    map(rate[0]) = static_cast<const Ode*>(data)->along(map(y), map(s[0]));
    return 0;
  };
  double atol = 1e-14;
  EXPECT_EQ(CVodeInit(memory, rhs, 0.0, at.y), 0);
  EXPECT_EQ(CVodeSStolerances(memory, 1e-12, atol), 0);
  EXPECT_EQ(CVodeSetUserData(memory, const_cast<Ode*>(&ode)), 0);
  EXPECT_EQ(CVodeSetMaxNumSteps(memory, 1'000'000), 0);
  EXPECT_EQ(CVodeSetLinearSolver(memory, at.solver, at.matrix), 0);
  EXPECT_EQ(CVodeSetJacFn(memory, jacobian), 0);
  EXPECT_EQ(CVodeSensInit(memory, 1, CV_SIMULTANEOUS, sensitivity, &at.s), 0);
  EXPECT_EQ(CVodeSensSStolerances(memory, 1e-12, &atol), 0);
  EXPECT_EQ(CVodeSetSensErrCon(memory, 1), 0);
  double reached = 0.0;
  EXPECT_EQ(CVodeSetStopTime(memory, end), 0);
  EXPECT_GE(CVode(memory, end, at.y, &reached, CV_NORMAL), 0);
  EXPECT_EQ(CVodeGetSens(memory, &reached, &at.s), 0);
  EXPECT_EQ(reached, end);
  CVodeFree(&memory);
  return {map(at.y), map(at.s)};
}

/// ∂r/∂y or ∂r/∂y', from J(α) = ∂r/∂y + α ∂r/∂y'.
MatrixXd jacobian_of(const DaeProblem& dae, double t, const VectorXd& y, const VectorXd& yp,
                     double alpha) {
  MatrixXd J(y.size(), y.size());
  dae.jacobian(t, y, yp, alpha, J);
  return J;
}

/// y and s, and their rates, at the end.
std::pair<Pair, Pair> solve_by_idas(const DaeProblem& dae, const VectorXd& s0,
                                    const VectorXd& sp0) {
  Workspace at(dae.y0.size());
  map(at.y) = dae.y0;
  map(at.yp) = dae.yp0;
  map(at.s) = s0;
  map(at.sp) = sp0;
  void* memory = IDACreate(at.context);
  const auto residual = [](double t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
    static_cast<const DaeProblem*>(data)->residual(t, map(y), map(yp), map(r));
    return 0;
  };
  const auto jacobian = [](double t, double alpha, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J,
                           void* data, N_Vector, N_Vector, N_Vector) {
    static_cast<const DaeProblem*>(data)->jacobian(t, map(y), map(yp), alpha, map(J));
    return 0;
  };
  const auto sensitivity = [](int, double t, N_Vector y, N_Vector yp, N_Vector, N_Vector* s,
                              N_Vector* sp, N_Vector* r, void* data, N_Vector, N_Vector, N_Vector) {
    const auto& problem = *static_cast<const DaeProblem*>(data);
    const MatrixXd by_y = jacobian_of(problem, t, map(y), map(yp), 0.0);
    const MatrixXd by_yp = jacobian_of(problem, t, map(y), map(yp), 1.0) - by_y;
    map(r[0]) = by_y * map(s[0]) + by_yp * map(sp[0]);
    return 0;
  };
  double atol = 1e-14;
  EXPECT_EQ(IDAInit(memory, residual, 0.0, at.y, at.yp), 0);
  EXPECT_EQ(IDASStolerances(memory, 1e-13, atol), 0);
  EXPECT_EQ(IDASetUserData(memory, const_cast<DaeProblem*>(&dae)), 0);
  EXPECT_EQ(IDASetMaxNumSteps(memory, 1'000'000), 0);
  EXPECT_EQ(IDASetLinearSolver(memory, at.solver, at.matrix), 0);
  EXPECT_EQ(IDASetJacFn(memory, jacobian), 0);
  EXPECT_EQ(IDASensInit(memory, 1, IDA_SIMULTANEOUS, sensitivity, &at.s, &at.sp), 0);
  EXPECT_EQ(IDASensSStolerances(memory, 1e-13, &atol), 0);
  EXPECT_EQ(IDASetSensErrCon(memory, 1), 0);
  double reached = 0.0;
  EXPECT_EQ(IDASetStopTime(memory, end), 0);
  EXPECT_GE(IDASolve(memory, end, &reached, at.y, at.yp, IDA_NORMAL), 0);
  EXPECT_EQ(IDAGetSensDky(memory, end, 0, &at.s), 0);
  EXPECT_EQ(IDAGetSensDky(memory, end, 1, &at.sp), 0);
  IDAFree(&memory);
  return {{map(at.y), map(at.s)}, {map(at.yp), map(at.sp)}};
}

VectorXd values(const Evaluator<double>& tape, const VectorXd& arguments) {
  VectorXd results(static_cast<Index>(tape.tape().outputs.size()));
  tape(into(results), arguments);
  return results;
}

/// The compliant ODE and λ as functions of y = (q, v, η), and their directional derivatives.
class CompliantTapes {
 public:
  CompliantTapes(const System& system, const ViscoelasticLaw& law)
      : nq_(system.nq), n_(system.n), m_(system.m), size_(nq_ + n_ + m_) {
    const Tape rates = system.tapes->natural().rates<double>().tape();
    const Tape force = system.tapes->natural().contact_force<double>().tape();
    const MatrixXd D = law.damping / epsilon;
    const auto record = [&](const ExpressionVector& y) {
      const ExpressionVector all =
          joined(y, ExpressionVector::Zero(1), ExpressionMatrix(law.stiffness.cast<Expression>()),
                 ExpressionMatrix(D.cast<Expression>()));
      ExpressionVector f = inlined(rates, all);
      f.tail(m_) /= epsilon * epsilon;
      return joined(f, inlined(force, all));
    };
    values_ = std::make_shared<const Evaluator<double>>(tape_of(record, size_));
    along_ = std::make_shared<const Evaluator<double>>(
        tape_of([&](const ExpressionVector& y,
                    const ExpressionVector& s) { return tangents_of(record(y), y, s); },
                size_, size_));
    jacobian_ = std::make_shared<const Evaluator<double>>(tape_of(
        [&](const ExpressionVector& y) {
          return rigidlimit::jacobian_of(ExpressionVector(record(y).head(size_)), y);
        },
        size_));
  }

  Ode ode() const {
    return {.f = [this](const VectorXd& y) -> VectorXd { return values(*values_, y).head(size_); },
            .jacobian = [this](const VectorXd& y) -> MatrixXd {
              return values(*jacobian_, y).reshaped(size_, size_);
            },
            .along = [this](const VectorXd& y, const VectorXd& s) -> VectorXd {
              return derivative(y, s).head(size_);
            }};
  }
  VectorXd force_derivative(const Pair& at) const { return derivative(at.y, at.s).tail(m_); }

 private:
  VectorXd derivative(const VectorXd& y, const VectorXd& s) const {
    VectorXd both(2 * size_);
    both << y, s;
    return values(*along_, both);
  }

  Index nq_, n_, m_, size_;
  std::shared_ptr<const Evaluator<double>> values_, along_, jacobian_;
};

SolveOptions precise() {
  return {.rtol = 1e-13, .atol = 1e-15};
}

class SensitivitySolvers : public testing::TestWithParam<const char*> {
 protected:
  SensitivitySolvers() {
    VectorXd dq(base.model.nq), dv(base.model.n);
    for (double& x : dq) x = random.uniform(-0.5, 0.5);
    for (double& x : dv) x = random.uniform(-0.5, 0.5);
    InitialState start = base.start;
    start.v = projected_velocity<double>(base.model, base.contacts, start.q, start.v);
    lifted = tangent_start(lift, start, dq, dv);
  }

  /// (δq, δv) at the start, followed by zeros.
  VectorXd direction(Index zeros) const {
    VectorXd s = VectorXd::Zero(nq + n + zeros);
    s.head(nq + n) << lifted.q.tail(nq), lifted.v.tail(n);
    return s;
  }
  Motion at_end(const auto& problem) const {
    const Solution solution =
        solve_radau_iia(problem.problem, {0.0, end}, precise(), RadauOptions{});
    EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
    const Motion motion = derivative_in(problem.motion(solution));
    return {{end}, motion.q.rightCols(1), motion.v.rightCols(1), motion.lambda.rightCols(1)};
  }
  /// 1e-9, relative to the largest derivative where that is above 1.
  static void expect_near(const VectorXd& found, const VectorXd& wanted, const char* what) {
    ASSERT_EQ(found.size(), wanted.size());
    const double size = std::max(1.0, wanted.lpNorm<Eigen::Infinity>());
    const double difference = (found - wanted).lpNorm<Eigen::Infinity>() / size;
    EXPECT_LE(difference, 1e-9) << what;
    RecordProperty(what, fmt::format("{:.3e}", difference));
    EXPECT_GT(wanted.lpNorm<Eigen::Infinity>(), 1e-3) << what << ": no evidence";
  }

  test::CatalogueSystem base{*find_system(builtin_systems(), GetParam())};
  System lift = tangent_of(base.model);
  Index nq = base.model.nq, n = base.model.n, m = base.model.m, ne = base.model.ne;
  test::RandomNumbers random{823};
  InitialState lifted;
};
INSTANTIATE_TEST_SUITE_P(Systems, SensitivitySolvers,
                         testing::Values("knife_edge", "chaplygin_sleigh", "rolling_disk",
                                         "rolling_disk_quaternion", "two_blade_dumbbell",
                                         "sleigh_chain"),
                         [](const auto& one) { return std::string(one.param); });

TEST_P(SensitivitySolvers, CvodesAgreesWithTheCompliantMotionOfTheLift) {
  const CompliantTapes tapes(base.model, base.law);
  Pair start{VectorXd::Zero(nq + n + m), direction(m)};
  start.y.head(nq + n) << lifted.q.head(nq), lifted.v.head(n);
  const Pair found = solve_by_cvodes(tapes.ode(), start);
  const auto end_of_lift = [&](double eps) {
    return at_end(
        compliant_adapted(lift, lifted, tangent_of(base.law), eps, VectorXd::Zero(lift.m)));
  };
  const Motion wanted = end_of_lift(epsilon);
  expect_near(found.s.head(nq), wanted.q, "compliant_q");
  expect_near(found.s.segment(nq, n), wanted.v, "compliant_v");
  expect_near(tapes.force_derivative(found), wanted.lambda, "compliant_lambda");
  EXPECT_GT((found.s.segment(nq, n) - end_of_lift(1.0001 * epsilon).v).norm(), 1e-8)
      << "negative control: a contact softer by 2e-4";
}

TEST_P(SensitivitySolvers, IdasAgreesWithTheRigidMotionOfTheLift) {
  const InitialState start{lifted.q.head(nq), lifted.v.head(n)};
  const auto rigid = rigid_dae(base.model, start, MultiplierForm::impulse);
  const auto of_lift = rigid_dae(lift, lifted, MultiplierForm::impulse);
  // The rates of the sensitivities: those of the second halves, multipliers in the order κ, δκ, λ,
  // δλ. They satisfy the differentiated residual.
  VectorXd rates(nq + n + ne + m);
  const VectorXd& all = of_lift.problem.yp0;
  rates << all.segment(nq, nq), all.segment(2 * nq + n, n), all.segment(2 * (nq + n) + ne, ne),
      all.tail(m);
  const VectorXd s0 = direction(ne + m);
  const MatrixXd by_y = jacobian_of(rigid.problem, 0.0, rigid.problem.y0, rigid.problem.yp0, 0.0);
  const MatrixXd by_yp =
      jacobian_of(rigid.problem, 0.0, rigid.problem.y0, rigid.problem.yp0, 1.0) - by_y;
  EXPECT_LE((by_y * s0 + by_yp * rates).norm(), 1e-11);
  const auto [found, found_rates] = solve_by_idas(rigid.problem, s0, rates);
  const Motion wanted = at_end(rigid_eliminated(lift, lifted));
  expect_near(found.s.head(nq), wanted.q, "rigid_q");
  expect_near(found.s.segment(nq, n), wanted.v, "rigid_v");
  expect_near(found_rates.s.tail(m), wanted.lambda, "rigid_lambda");
  InitialState moved = lifted;
  moved.q.tail(nq) *= 1.0001;
  EXPECT_GT((found.s.segment(nq, n) - at_end(rigid_eliminated(lift, moved)).v).norm(), 1e-8)
      << "negative control: another direction";
}

}  // namespace
}  // namespace rigidlimit
