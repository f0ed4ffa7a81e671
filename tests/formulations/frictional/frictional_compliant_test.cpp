// Tests compliant contacts with friction on every system of the catalogue: their balance, their
// projection and their exact derivatives.
#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"
#include "rigidlimit/core/dense.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/mechanics/kkt.hpp"
#include "support/central_difference.hpp"
#include "support/compliant_case.hpp"

namespace rigidlimit {
namespace {

using Case = test::CompliantCase;
using test::unit_roundoff;

class EverySystem : public testing::TestWithParam<std::string> {};

// The residual of M a = F + Nᵀp − Wᵀλ lies in the range of Eᵀ. LU of up to 8 rows: 1000 roundings
// of the terms.
TEST_P(EverySystem, RightHandSideBalancesWithTheForcesOfTheMotion) {
  Case c(GetParam(), FrictionalLaw::Friction::projected);
  const System& smooth = c.system.smooth;
  for (int k = 0; k < 20; ++k) {
    const VectorXd y = c.random_y(), f = c.rate(y), forces = c.motion(y).lambda.col(0);
    const VectorXd q = y.head(smooth.nq), v = y.segment(smooth.nq, smooth.n);
    const VectorXd a = f.segment(smooth.nq, smooth.n);
    MatrixXd rows(smooth.ne + smooth.m, smooth.n), N(c.system.nc(), smooth.n);
    VectorXd F(smooth.n), inertia(smooth.n);
    smooth.in<double>().constraints(q, rows);
    smooth.in<double>().force(q, v, 0.3, F);
    smooth.in<double>().inertia_force(q, a, inertia);
    c.system.geometry->normal_rows(q, N);
    const VectorXd W_force = rows.bottomRows(smooth.m).transpose() * forces.head(smooth.m);
    VectorXd left = inertia - F + W_force - N.transpose() * forces.tail(c.system.nc());
    const MatrixXd E = rows.topRows(smooth.ne);
    if (smooth.ne > 0) left -= E.transpose() * least_squares(E.transpose(), left);
    const double size = 1.0 + F.norm() + inertia.norm() + forces.norm();
    EXPECT_LE(left.norm(), 1000.0 * unit_roundoff * size);
    // Negative control: friction that drives.
    if (W_force.norm() > 1e-3) {
      EXPECT_GT((left - 2.0 * W_force).norm(), 1e-4);
    }
  }
}

// λ = proj(C η/ε_t + d w) onto the disc of radius μ |p|; η' = (λ − C η/ε_t)/(d ε_t).
TEST_P(EverySystem, FrictionIsTheProjectionOntoTheDisc) {
  Case c(GetParam(), FrictionalLaw::Friction::projected);
  const Index nq = c.system.smooth.nq, n = c.system.smooth.n, m = c.system.smooth.m;
  const double scale = std::pow(c.epsilon, c.law.tangential_power);
  const MatrixXd A = delassus(c.system.smooth, c.start.q);
  int inside = 0, rim = 0;
  for (int k = 0; k < 40; ++k) {
    const VectorXd y = c.random_y(), f = c.rate(y), forces = c.motion(y).lambda.col(0);
    for (Index i = 0; i < c.system.nc(); ++i) {
      const ContactPoint& point = c.system.contacts[static_cast<std::size_t>(i)];
      const auto part = [&](Index at, const VectorXd& of) {
        return VectorXd(of.segment(at + point.first, point.components));
      };
      const double mobility = A.diagonal().segment(point.first, point.components).mean();
      const double C = c.law.tangential_stiffness(i);
      const double d = 2.0 * c.law.damping_ratio * std::sqrt(C / mobility) / scale;
      const VectorXd spring = C / scale * part(nq + n, y);
      const VectorXd wanted = spring + d * part(nq + n + m, y), lambda = part(0, forces);
      const double radius = point.friction * std::abs(forces(m + i)), tiny = 1e-12;
      if (wanted.norm() <= radius) {
        ++inside;
        EXPECT_LE((lambda - wanted).norm(), tiny * (1.0 + wanted.norm()));
        EXPECT_LE((scale * part(nq + n, f) - part(nq + n + m, y)).norm(), tiny);
      } else {
        ++rim;
        EXPECT_LE((lambda - wanted * (radius / wanted.norm())).norm(), tiny * (1.0 + radius));
        EXPECT_LE((d * scale * part(nq + n, f) - lambda + spring).norm(),
                  tiny * (1.0 + radius + spring.norm()));
      }
    }
  }
  EXPECT_GT(inside, 0);
  EXPECT_GT(rim, 0);
}

/// w = W v of all contacts, then N v.
VectorXd contact_velocities(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v) {
  const System& smooth = system.smooth;
  MatrixXd rows(smooth.ne + smooth.m, smooth.n), N(system.nc(), smooth.n);
  smooth.in<double>().constraints(q, rows);
  system.geometry->normal_rows(q, N);
  VectorXd both(smooth.m + system.nc());
  both << rows.bottomRows(smooth.m) * v, N * v;
  return both;
}

// w and h are integrated beside v. On W v = w, N v = h their rates are those of W v and N v along
// q' = T v and v', and a bilateral contact has (N v)' = −2k N v − k² g. The quotient's bound, and
// 1e-9 for its truncation.
TEST_P(EverySystem, ContactVelocitiesChangeWithTheMotion) {
  Case c(GetParam(), FrictionalLaw::Friction::projected);
  const System& smooth = c.system.smooth;
  const Index nq = smooth.nq, n = smooth.n, m = smooth.m;
  for (int k = 0; k < 5; ++k) {
    VectorXd y = c.random_y(), q_rate(nq), gap(c.system.nc());
    const VectorXd q = y.head(nq), v = y.segment(nq, n);
    const VectorXd both = contact_velocities(c.system, q, v);
    y.segment(nq + n + c.springs, m) = both.head(m);
    for (Index i = 0, u = 0; i < c.system.nc(); ++i)
      if (c.system.contacts[static_cast<std::size_t>(i)].normal == Normal::unilateral)
        y(y.size() - c.unilateral + u++) = both(m + i);
    const VectorXd f = c.rate(y);
    const VectorXd a = f.segment(nq, n);
    smooth.in<double>().coordinate_rate(q, v, q_rate);
    c.system.geometry->gap(q, gap);
    const auto moved = [&](double s) {
      return contact_velocities(c.system, q + s * q_rate, v + s * a);
    };
    const double size = 1.0 + f.norm();
    const auto numerical = test::central_difference(moved, 0.0, 1e-3 / size);
    const double tolerance = numerical.bound + 1e-9 * size;
    EXPECT_LE((f.segment(nq + n + c.springs, m) - numerical.value.col(0).head(m)).norm(),
              tolerance);
    for (Index i = 0, u = 0; i < c.system.nc(); ++i) {
      const Normal normal = c.system.contacts[static_cast<std::size_t>(i)].normal;
      const double rate = numerical.value(m + i, 0);
      constexpr double r = exact_constraint_recovery;
      if (normal == Normal::unilateral) {
        EXPECT_NEAR(f(y.size() - c.unilateral + u++), rate, tolerance);
      } else if (normal == Normal::bilateral) {
        EXPECT_NEAR(rate, -2.0 * r * both(m + i) - r * r * gap(i), tolerance);
      }
    }
  }
}

/// Compares J with differences at states away from all kinks; returns the number of these states.
int check_jacobian(Case& c) {
  int checked = 0;
  for (int k = 0; k < 30 && checked < 8; ++k) {
    const VectorXd y = c.random_y();
    constexpr double h = 1.0 / 8192.0;
    const Eigen::ArrayXd signs = c.roots(y).array().sign();
    bool smooth = true;
    for (Index i = 0; i < y.size() && smooth; ++i)
      for (const double step : {-6.0 * h, 6.0 * h}) {
        VectorXd moved = y;
        moved(i) += step;
        smooth = smooth && (c.roots(moved).array().sign() == signs).all();
      }
    if (!smooth) continue;
    ++checked;
    const auto f = [&](const VectorXd& z) { return c.rate(z); };
    const auto numerical = test::central_jacobian(f, y, h, 1e4);
    MatrixXd J = MatrixXd::Constant(y.size(), y.size(), 777.0);
    c.compliant.problem.jacobian(0.3, y, J);
    const double size = J.cwiseAbs().maxCoeff();
    EXPECT_LE((J - numerical.value).cwiseAbs().maxCoeff(), numerical.bound + 1e-11 * size);
    EXPECT_LT(numerical.bound, 1e-5 * (1.0 + size));
    // Negative control: without the terms of the sliding velocity.
    const System& body = c.system.smooth;
    J.middleCols(body.nq + body.n + c.springs, body.m).setZero();
    EXPECT_GT((J - numerical.value).cwiseAbs().maxCoeff(), 10.0 * numerical.bound + 1.0);
  }
  return checked;
}

TEST_P(EverySystem, JacobianIsTheDerivativeOfTheRightHandSide) {
  Case projected(GetParam(), FrictionalLaw::Friction::projected);
  EXPECT_GE(check_jacobian(projected), 4);
  Case regularised(GetParam(), FrictionalLaw::Friction::regularised);
  EXPECT_GE(check_jacobian(regularised), 4);
  Case smoothed(GetParam(), FrictionalLaw::Friction::smoothed);
  EXPECT_GE(check_jacobian(smoothed), 4);
}

std::vector<std::string> names() {
  return names_of(builtin_systems(), &SystemEntry::slips);
}
INSTANTIATE_TEST_SUITE_P(Catalogue, EverySystem, testing::ValuesIn(names()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace rigidlimit
