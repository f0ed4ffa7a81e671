// Tests the sparse and dense forms of the chain of sleighs: convergence, energy and cost.
#include "rigidlimit/systems/rolling/sleigh_chain.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/assembly_pair.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/mechanics/equations_of.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/sundials/cvode.hpp"
#include "rigidlimit/systems/closed_forms.hpp"
#include "support/measured_differences.hpp"
#include "support/random_numbers.hpp"
#include "support/uniform_grid.hpp"

namespace rigidlimit {
namespace {

using test::RandomNumbers;
using test::uniform_grid;
constexpr double unit_roundoff = 0x1p-53;

const ViscoelasticLaw& one_contact() {
  static const ViscoelasticLaw law{.stiffness = MatrixXd::Identity(1, 1),
                                   .damping = 2.0 * MatrixXd::Identity(1, 1)};
  return law;
}
ViscoelasticLaw all_contacts(Index count) {
  return {.stiffness = MatrixXd::Identity(count, count),
          .damping = 2.0 * MatrixXd::Identity(count, count)};
}
SleighChain chain_of(Index count) {
  return {.count = count, .sleigh = {}, .hitch = {}};
}

Motion motion_of(const MotionProblem<OdeProblem>& pair, const std::vector<double>& times,
                 double rtol = 1e-11) {
  const SolveOptions options{.rtol = rtol, .atol = 1e-2 * rtol, .stop_requested = {}};
  const Solution solution = solve_cvode_bdf(pair.problem, times, options);
  EXPECT_EQ(solution.outcome, Outcome::success) << solution.message;
  return pair.motion(solution);
}
Motion compliant_motion(const SleighChain& chain, double epsilon,
                        const std::vector<double>& times) {
  return motion_of(compliant_assembly(assembly_of(chain), start_of(chain), one_contact(), epsilon,
                                      VectorXd::Zero(chain.count)),
                   times);
}
Motion rigid_motion(const SleighChain& chain, const std::vector<double>& times) {
  return motion_of(rigid_assembly(assembly_of(chain), start_of(chain)), times);
}

/// Index in the dense formulation, y = (q, u, w, η), of the component k of the sparse one.
Index dense_place(Index count, bool compliant, Index k) {
  const Index size = compliant ? 7 : 5, i = k / size, part = k % size;
  if (part < 3) return 3 * i + part;
  if (part < 5) return 3 * count + 2 * i + part - 3;
  return part == 5 ? 5 * count + i : 6 * count + i;
}

MatrixXd dense_matrix(const OdeProblem& problem, VectorIn y) {
  const SparsePattern& pattern = problem.sparse_jacobian->pattern;
  VectorXd values = VectorXd::Constant(pattern.nonzeros(), 777.0);
  problem.sparse_jacobian->values(0.0, y, values);
  MatrixXd J = MatrixXd::Zero(pattern.size, pattern.size);
  for (Index column = 0; column < pattern.size; ++column)
    for (Index k = pattern.start(column); k < pattern.start(column + 1); ++k)
      J(pattern.row(k), column) = values(k);
  return J;
}

/// Compares f and ∂f/∂y of both forms at random states, up to the order of components. The forms
/// share only the equations of a part: one assembles the derivatives of parts and links, the other
/// is a single tape. Tolerance: 1000 roundings of the largest entry.
void expect_same_problem(const OdeProblem& sparse, const OdeProblem& dense, Index count,
                         bool compliant) {
  RandomNumbers random(77);
  const Index size = sparse.y0.size();
  ASSERT_EQ(dense.y0.size(), size);
  const auto place = [&](Index k) { return dense_place(count, compliant, k); };
  for (Index k = 0; k < size; ++k) EXPECT_EQ(sparse.y0(k), dense.y0(place(k))) << k;
  for (int repeat = 0; repeat < 3; ++repeat) {
    VectorXd y(size), f(size), y_dense(size), f_dense(size);
    for (Index k = 0; k < size; ++k) y_dense(place(k)) = y(k) = random.uniform();
    sparse.rhs(0.0, y, f);
    dense.rhs(0.0, y_dense, f_dense);
    MatrixXd J_dense(size, size);
    dense.jacobian(0.0, y_dense, J_dense);
    const MatrixXd J = dense_matrix(sparse, y);
    const double f_tolerance = 1e3 * unit_roundoff * f.cwiseAbs().maxCoeff();
    const double J_tolerance = 1e3 * unit_roundoff * J.cwiseAbs().maxCoeff();
    for (Index i = 0; i < size; ++i) {
      EXPECT_NEAR(f(i), f_dense(place(i)), f_tolerance) << i;
      for (Index k = 0; k < size; ++k)
        EXPECT_NEAR(J(i, k), J_dense(place(i), place(k)), J_tolerance) << i << ", " << k;
    }
    // Negative control: sleighs depend on their neighbours.
    const Index u = 3, own = size / count;
    EXPECT_GT(std::abs(J(u, own)), 1e3 * J_tolerance);
  }
}

TEST(SleighChain, CompliantSparseAndDenseFormsAgree) {
  const Index count = 4;
  const SleighChain chain = chain_of(count);
  const VectorXd eta0 = VectorXd::LinSpaced(count, 0.1, 0.4);
  const double epsilon = 0.25;
  expect_same_problem(
      compliant_assembly(assembly_of(chain), start_of(chain), one_contact(), epsilon, eta0).problem,
      compliant_adapted(system_of(assembly_of(chain)), start_of(chain), all_contacts(count),
                        epsilon, eta0)
          .problem,
      count, true);
}

TEST(SleighChain, RigidSparseAndDenseFormsAgree) {
  const SleighChain chain = chain_of(4);
  expect_same_problem(rigid_assembly(assembly_of(chain), start_of(chain)).problem,
                      rigid_reduced(system_of(assembly_of(chain)), start_of(chain)).problem, 4,
                      false);
}

// Derivatives of two links between the same parts add up: two hitches between the same sleighs
// equal one of twice the stiffness and damping.
TEST(SleighChain, TwoLinksBetweenTheSamePartsAddUp) {
  SleighChain chain = chain_of(2);
  Assembly twice = assembly_of(chain);
  twice.links.push_back(twice.links[0]);
  const auto problem_of = [&](const Assembly& assembly) {
    return compliant_assembly(assembly, start_of(chain), one_contact(), 0.25, VectorXd::Zero(2))
        .problem;
  };
  const OdeProblem both = problem_of(twice), single = problem_of(assembly_of(chain));
  chain.hitch.stiffness *= 2.0;
  chain.hitch.damping *= 2.0;
  const OdeProblem strong = problem_of(assembly_of(chain));
  RandomNumbers random(78);
  VectorXd y(both.y0.size()), f(y.size()), f_strong(y.size());
  for (double& x : y) x = random.uniform();
  both.rhs(0.0, y, f);
  strong.rhs(0.0, y, f_strong);
  EXPECT_LE((f - f_strong).norm(), 100.0 * unit_roundoff * f.norm());
  const MatrixXd J = dense_matrix(both, y);
  EXPECT_LE((J - dense_matrix(strong, y)).norm(), 100.0 * unit_roundoff * J.norm());
  EXPECT_GT((J - dense_matrix(single, y)).norm(), 1e-3 * J.norm()) << "negative control";
}

// Tolerance: the solver error at rtol 1e-11, about 1e3 steps of 1e-11 each.
TEST(SleighChain, SparseAndDenseMotionsAgree) {
  const SleighChain chain = chain_of(3);
  const auto times = uniform_grid(0.0, 2.0, 20);
  const double epsilon = 1e-2;
  const Motion sparse = compliant_motion(chain, epsilon, times);
  const Motion dense =
      motion_of(compliant_adapted(system_of(assembly_of(chain)), start_of(chain), all_contacts(3),
                                  epsilon, VectorXd(VectorXd::Zero(3))),
                times);
  EXPECT_LE((sparse.q - dense.q).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((sparse.v - dense.v).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((sparse.lambda - dense.lambda).cwiseAbs().maxCoeff(), 1e-7);
  // Negative control: a stiffer hitch gives another motion.
  SleighChain stiffer = chain;
  stiffer.hitch.stiffness *= 1.01;
  EXPECT_GT((compliant_motion(stiffer, epsilon, times).q - dense.q).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(SleighChain, WithOneSleighEqualsTheChaplyginSleigh) {
  const SleighChain chain = chain_of(1);
  const auto times = uniform_grid(0.0, 2.0, 20);
  const auto& [mass, inertia, distance] = chain.sleigh;
  const Motion exact =
      chaplygin_sleigh_motion({mass, inertia, distance}, start_of(chain), times).value();
  const Motion found = rigid_motion(chain, times);
  EXPECT_LE((found.q - exact.q).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((found.v - exact.v).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((found.lambda - exact.lambda).cwiseAbs().maxCoeff(), 1e-8);
  // Negative control: the first sleigh of a longer chain moves differently.
  const Motion pulling = rigid_motion(chain_of(2), times);
  EXPECT_GT((pulling.q.topRows(3) - exact.q).cwiseAbs().maxCoeff(), 1e-3);
}

// At the start all springs are unloaded and at rest; every contact is loaded and none slides.
TEST(SleighChain, StartsWithLoadedContactsAndUnloadedHitches) {
  const SleighChain chain = chain_of(20);
  const System system = system_of(assembly_of(chain));
  const InitialState start = start_of(chain);
  EXPECT_LE(sliding_velocity(system, start).cwiseAbs().maxCoeff(), 8.0 * unit_roundoff);
  // Positions are sums of 20 arms. With their rounding error d, P = ½ k d².
  EXPECT_LE(system.in<double>().potential(start.q), 1e-27);
  EXPECT_NEAR(non_conservative_power(system, start.q, start.v, 0.0), 0.0, 1e-12);
  const auto pair = rigid_assembly(assembly_of(chain), start);
  const Motion motion = motion_of(pair, {0.0});
  EXPECT_GT(motion.lambda.cwiseAbs().minCoeff(), 0.1);
  // Negative control: at another speed with these headings, the hitches separate.
  InitialState faster = start;
  faster.v *= 1.5;
  faster.v.tail<3>() = start.v.tail<3>();
  EXPECT_LT(non_conservative_power(system, faster.q, faster.v, 0.0), -1e-3);
}

// Orders for a consistent velocity and unloaded contacts (docs/theory.md, section 2): 2, 1, 0 over
// all times, 2, 2, 2 after the layer, between ε = 1/256 and 1/512. A next term of relative size r ε
// shifts an order by r ε / (2 log 2): by less than 0.02 for r < 7. (Measured: at most 0.006.)
TEST(SleighChain, ConvergesToTheRigidChainWithOrdersTwoOneZero) {
  const SleighChain chain = chain_of(20);
  const double end = 1.0, cut = 0.5;
  SleighChain other = chain;
  other.hitch.stiffness *= 1.1;
  test::Triple whole[2], late[2], wrong[2];
  for (int k = 0; k < 2; ++k) {
    const double epsilon = std::ldexp(1.0, -8 - k);
    const auto times = test::layered_times(end, epsilon);
    const Motion compliant = compliant_motion(chain, epsilon, times);
    const Motion difference = test::difference(compliant, rigid_motion(chain, times));
    whole[k] = test::sup_norms(difference, -1.0);
    late[k] = test::sup_norms(difference, cut);
    wrong[k] = test::sup_norms(test::difference(compliant, rigid_motion(other, times)), -1.0);
  }
  const auto order = [](double coarse, double fine) { return std::log2(coarse / fine); };
  EXPECT_NEAR(order(whole[0].q, whole[1].q), 2.0, 0.02);
  EXPECT_NEAR(order(whole[0].v, whole[1].v), 1.0, 0.02);
  EXPECT_NEAR(order(whole[0].lambda, whole[1].lambda), 0.0, 0.02);
  EXPECT_NEAR(order(late[0].q, late[1].q), 2.0, 0.02);
  EXPECT_NEAR(order(late[0].v, late[1].v), 2.0, 0.02);
  EXPECT_NEAR(order(late[0].lambda, late[1].lambda), 2.0, 0.02);
  EXPECT_GT(late[1].q, 1e-7);  // far above the solver's error
  // Negative control: no convergence to a chain with other springs.
  EXPECT_NEAR(order(wrong[0].q, wrong[1].q), 0.0, 0.02);
}

// Rolling contacts do no work: without dampers K + P is constant up to the solver error; with
// dampers it only decreases.
TEST(SleighChain, LosesEnergyOnlyInTheDampers) {
  SleighChain chain = chain_of(8);
  const auto times = uniform_grid(0.0, 3.0, 30);
  const auto energies = [&] {
    const System system = system_of(assembly_of(chain));
    const Motion motion = rigid_motion(chain, times);
    VectorXd energy(motion.q.cols());
    for (Index k = 0; k < energy.size(); ++k)
      energy(k) = mechanical_energy(system, motion.q.col(k), motion.v.col(k));
    return energy;
  };
  const VectorXd damped = energies();
  EXPECT_LT(damped(30) - damped(0), -1e-3);
  for (Index k = 1; k < damped.size(); ++k) EXPECT_LE(damped(k), damped(k - 1) + 1e-8);
  chain.hitch.damping = 0.0;
  const VectorXd energy = energies();
  EXPECT_LE((energy.array() - energy(0)).abs().maxCoeff(), 1e-8);
}

// The Jacobian has 77 entries in the columns of a sleigh: 7 × 7 less the zeros of kinematics and
// springs, plus two neighbours. The factors add less than half as many.
TEST(SleighChain, FactorsGrowLinearlyWithItsLength) {
  std::vector<double> a_sleigh;
  for (const Index count : {10, 40, 160}) {
    const SleighChain chain = chain_of(count);
    const OdeProblem problem = compliant_assembly(assembly_of(chain), start_of(chain),
                                                  one_contact(), 1e-3, VectorXd::Zero(count))
                                   .problem;
    EXPECT_EQ(problem.sparse_jacobian->pattern.nonzeros(), 77 * count - 36);
    const SolveOptions options{.rtol = 1e-6, .atol = 1e-8, .stop_requested = {}};
    const Work work = solve_cvode_bdf(problem, {0.01}, options).work;
    a_sleigh.push_back(static_cast<double>(work.factor_nonzeros) / static_cast<double>(count));
  }
  EXPECT_LE(a_sleigh[1], 1.5 * 77.0);
  EXPECT_NEAR(a_sleigh[2], a_sleigh[1], 0.05 * a_sleigh[1]);
  EXPECT_GT(a_sleigh[0], 0.5 * a_sleigh[1]);
}

/// A part without natural velocities.
struct Puck {
  static constexpr int nq = 2, n = 2, m = 1;
  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return Matrix<S, n, n>::Identity();
  }
  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return Vector<S, n>::Zero();
  }
  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(1), S(0));
  }
};

TEST(Assembly, RefusesInvalidPartsLinksAndContacts) {
  const SleighChain chain = chain_of(2);
  const InitialState start = start_of(chain);
  const auto refused = [&](Assembly assembly, Index contacts = 2) {
    EXPECT_THROW(compliant_assembly(assembly, start, one_contact(), 0.1, VectorXd::Zero(contacts)),
                 InputError);
  };
  Assembly assembly = assembly_of(chain);
  EXPECT_NO_THROW(rigid_assembly(assembly, start));
  refused(assembly, 3);
  assembly.links[0].second = 2;
  refused(assembly);
  assembly.links[0].second = 0;
  refused(assembly);
  refused(Assembly{});
  refused(assembly_of(chain_of(3)), 3);
  refused({.parts = {make_system(Puck{})}, .links = {}}, 1);
  EXPECT_THROW(assembly_of(chain_of(0)), InputError);
}

}  // namespace
}  // namespace rigidlimit
