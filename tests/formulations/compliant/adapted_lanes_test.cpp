// Tests eight motions side by side: each is the motion that radau_iia finds for it alone.
#include "rigidlimit/formulations/compliant/adapted_lanes.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/radau/radau_batched.hpp"
#include "rigidlimit/solvers/radau/radau_lanes.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {
namespace {

constexpr double end_of_lanes = 1.5;
constexpr double rtol_of_lanes = 1e-9;

struct Alongside : testing::TestWithParam<const char*> {
  const SystemEntry& entry = *find_system(builtin_systems(), GetParam());
  System system = entry.make(entry.default_values());
  InitialState first = entry.start(entry.default_values());
  std::vector<double> times = {0.0, 0.1, 0.5, 1.0, end_of_lanes};
  SolveOptions options{.rtol = rtol_of_lanes, .atol = 1e-11};

  /// Eight starts whose velocities roll, with their own springs and dampers.
  LaneMembers members() {
    LaneMembers all;
    const Index m = system.m;
    for (std::size_t k = 0; k < Pack::lanes; ++k) {
      const double factor = 0.8 + 0.05 * static_cast<double>(k);
      const ContactBasis contacts = contact_basis(system, first.q);
      InitialState start = first;
      start.v = projected_velocity<double>(system, contacts, first.q, VectorXd(factor * first.v));
      all[k] = {.start = start,
                .law = {.stiffness = factor * MatrixXd::Identity(m, m),
                        .damping = 2.0 * MatrixXd::Identity(m, m)},
                .eta0 = VectorXd::Zero(m)};
    }
    return all;
  }
  /// Rows q, v and λ of lane k at the times.
  MatrixXd lane(const LaneMotion& motion, std::size_t k) const {
    MatrixXd rows(static_cast<Index>(motion.rows), static_cast<Index>(times.size()));
    std::vector<Pack> values(motion.rows);
    for (std::size_t i = 0; i < times.size(); ++i) {
      motion.write(motion.step_at(times[i]), times[i], values.data());
      for (std::size_t row = 0; row < motion.rows; ++row)
        rows(static_cast<Index>(row), static_cast<Index>(i)) = values[row][k];
    }
    return rows;
  }
  static MatrixXd rows_of(const Motion& motion) {
    MatrixXd rows(motion.q.rows() + motion.v.rows() + motion.lambda.rows(), motion.q.cols());
    rows << motion.q, motion.v, motion.lambda;
    return rows;
  }
};

// Both errors are some tens of times the tolerance at most (radau_batched.cpp); λ = C η + D w has
// the error of w times D/ε.
TEST_P(Alongside, CompliantMotionsAreThoseOfSingleSolves) {
  const double epsilon = 1e-2;
  const LaneMembers all = members();
  const auto frames = std::make_shared<LaneFrames>(system, all);
  const LaneProblem problem = compliant_lanes(frames, all, epsilon, system.nq);
  const LaneMotion motion =
      solve_radau_lanes(*problem.rate, problem.y0, 0.0, end_of_lanes, options);
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  double least_difference = 1.0;
  for (const std::size_t k : {0U, 3U, 7U}) {
    const auto single = compliant_adapted(system, all[k].start, all[k].law, epsilon, all[k].eta0);
    SolveOptions tight = options;
    tight.rtol = 1e-12, tight.atol = 1e-14;
    const MatrixXd exact =
        rows_of(single.motion(solve_radau_iia_batched(single.problem, times, tight)));
    const double size = 1.0 + exact.cwiseAbs().maxCoeff();
    EXPECT_LT((lane(motion, k) - exact).cwiseAbs().maxCoeff(), 1e-6 * size) << "lane " << k;
    least_difference =
        std::min(least_difference, (lane(motion, (k + 1) % 8) - exact).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(least_difference, 1e-3) << "negative control: another lane";
}

TEST_P(Alongside, RigidMotionsAreThoseOfSingleSolves) {
  const LaneMembers all = members();
  const auto frames = std::make_shared<LaneFrames>(system, all);
  const LaneProblem problem = rigid_lanes(frames, all, system.nq);
  const LaneMotion motion =
      solve_radau_lanes(*problem.rate, problem.y0, 0.0, end_of_lanes, options);
  ASSERT_EQ(motion.outcome, Outcome::success) << motion.message;
  for (const std::size_t k : {0U, 5U}) {
    const auto single = rigid_reduced<double>(system, all[k].start);
    SolveOptions tight = options;
    tight.rtol = 1e-12, tight.atol = 1e-14;
    const MatrixXd exact =
        rows_of(single.motion(solve_radau_iia_batched(single.problem, times, tight)));
    const double size = 1.0 + exact.cwiseAbs().maxCoeff();
    EXPECT_LT((lane(motion, k) - exact).cwiseAbs().maxCoeff(), 1e-7 * size) << "lane " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, Alongside,
                         testing::Values("knife_edge", "rolling_disk", "snakeboard", "rattleback",
                                         "chaplygin_sleigh"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace rigidlimit
