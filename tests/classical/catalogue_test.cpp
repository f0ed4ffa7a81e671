// Tests every problem of the catalogue: sizes, consistent data, derivatives, closed forms, both
// precisions.
#include "rigidlimit/classical/catalogue.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rigidlimit/core/error.hpp"
#include "support/central_difference.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using test::unit_roundoff;

class ClassicalProblems : public testing::TestWithParam<std::string> {
 protected:
  const ClassicalEntry& entry() const { return *find_classical_problem(GetParam()); }
};

/// The names of the problems with a property.
std::vector<std::string> names_of(bool (*concerned)(const ClassicalProblem&)) {
  std::vector<std::string> names;
  for (const ClassicalEntry& entry : classical_problems())
    if (concerned(entry.make_default())) names.push_back(entry.name);
  return names;
}

std::string name_of_case(const testing::TestParamInfo<std::string>& one) {
  return one.param;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ClassicalProblems,
                         testing::ValuesIn(names_of([](const auto&) { return true; })),
                         name_of_case);

class ClassicalDaes : public ClassicalProblems {};
INSTANTIATE_TEST_SUITE_P(Catalogue, ClassicalDaes,
                         testing::ValuesIn(names_of([](const auto& p) { return p.is_dae(); })),
                         name_of_case);

/// DAEs of index 2 at most.
class ImplicitForms : public ClassicalProblems {};
INSTANTIATE_TEST_SUITE_P(Catalogue, ImplicitForms, testing::ValuesIn(names_of([](const auto& p) {
                           return p.implicit.has_value();
                         })),
                         name_of_case);

class ClosedForms : public ClassicalProblems {};
INSTANTIATE_TEST_SUITE_P(Catalogue, ClosedForms, testing::ValuesIn(names_of([](const auto& p) {
                           return static_cast<bool>(p.real.exact);
                         })),
                         name_of_case);

/// The problem in its original form: M y' = f for a DAE.
template <class T>
const OdeProblemOf<T>& as_it_stands(const ClassicalIn<T>& side) {
  return side.dae ? static_cast<const OdeProblemOf<T>&>(*side.dae) : side.ode;
}

/// A state with these shares (0 to 1) of the scales. The wheelset exists near its rails only:
/// between its start and its end.
VectorXd state_at(const ClassicalProblem& problem, const VectorXd& scale, const VectorXd& share) {
  if (problem.name != "wheelset") return share.cwiseProduct(scale);
  VectorXd way(problem.size());
  for (Index i = 0; i < way.size(); ++i)
    way(i) = static_cast<double>(problem.published[0].values[static_cast<std::size_t>(i)].value()) -
             problem.real.dae->y0(i);
  return problem.real.dae->y0.head(share.size()) + share.cwiseProduct(way.head(share.size()));
}
VectorXd state_at(const ClassicalProblem& problem, const VectorXd& scale, double share) {
  return state_at(problem, scale, VectorXd::Constant(problem.size(), share));
}

/// Magnitude of each unknown: the largest of its start, its end, and its absolute tolerance.
VectorXd scales(const ClassicalProblem& problem) {
  const VectorXd y0 = as_it_stands(problem.real).y0;
  VectorXd scale = VectorXd::Zero(problem.size());
  if (problem.real.exact) scale = problem.real.exact(problem.end).cwiseAbs();
  for (Index i = 0; i < scale.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    scale(i) = std::max({scale(i), std::abs(y0(i)), problem.tolerance.atol[k]});
    for (const PublishedSolution& published : problem.published)
      if (!published.values[k].text.empty())
        scale(i) = std::max(scale(i), std::abs(static_cast<double>(published.values[k].value())));
  }
  return scale;
}

TEST_P(ClassicalProblems, DescriptionIsComplete) {
  const ClassicalProblem problem = entry().make_default();
  const auto n = static_cast<std::size_t>(problem.size());
  EXPECT_EQ(problem.name, entry().name);
  EXPECT_EQ(problem.is_dae(), entry().dae);
  EXPECT_EQ(entry().index > 0, entry().dae);
  EXPECT_FALSE(entry().title.empty());
  EXPECT_FALSE(entry().source.empty());
  EXPECT_GT(problem.end, problem.t0);
  EXPECT_EQ(std::set<std::string>(problem.unknowns.begin(), problem.unknowns.end()).size(), n);
  EXPECT_EQ(problem.tolerance.atol.size(), n);
  EXPECT_EQ(as_it_stands(problem.real).y0.size(), problem.size());
  EXPECT_EQ(as_it_stands(problem.quad).y0.size(), problem.size());
  for (const PublishedSolution& published : problem.published) {
    EXPECT_FALSE(published.source.empty());
    EXPECT_EQ(published.values.size(), n);
    EXPECT_EQ(published.confirmed.size(), n);
  }
  if (!problem.is_dae()) return;
  const MassProblemOf<double>& dae = *problem.real.dae;
  EXPECT_EQ(*std::max_element(dae.index.begin(), dae.index.end()), entry().index);
  EXPECT_EQ(problem.implicit.has_value(), entry().index <= 2);
  EXPECT_EQ(dae.mass, problem.quad.dae->mass);
}

// Both precisions state the same problem. Double: some 200 operations, each rounding the largest
// term of its row; the terms are |J| y + |f|.
TEST_P(ClassicalProblems, HasTheSameRateInBothPrecisions) {
  const ClassicalProblem problem = entry().make_default();
  const OdeProblem& in_double = as_it_stands(problem.real);
  const OdeProblemOf<Quad>& in_quad = as_it_stands(problem.quad);
  const Index n = problem.size();
  const VectorXd y = state_at(problem, scales(problem), 0.7);
  const double t = problem.end / 3.0;
  VectorXd f(n);
  VectorX<Quad> exact(n);
  MatrixXd J(n, n);
  in_double.rhs(t, y, f);
  in_double.jacobian(t, y, J);
  in_quad.rhs(Quad(t), y.cast<Quad>(), exact);
  const VectorXd terms = J.cwiseAbs() * y.cwiseAbs() + f.cwiseAbs();
  for (Index i = 0; i < n; ++i)
    EXPECT_LE(static_cast<double>(abs(exact(i) - Quad(f(i)))), 200.0 * unit_roundoff * terms(i))
        << problem.unknowns[static_cast<std::size_t>(i)];
}

/// Entries of a Jacobian whose distance from central differences exceeds the bound, and the largest
/// bound in units of the largest entry of its row.
struct JacobianCheck {
  int wrong = 0;
  double bluntness = 0.0;
};

/// Checks the rows of f separately, columns at steps of a 50th of the unknown's scale (an
/// exponential of 18 U among them) or of 1 (angles); of a 1000th for the wheelset, whose creep
/// saturates at a 100th of the creepage that its scales allow. Bounds: the difference's own, plus
/// the rounding of |f_i| and of its terms |J| |y|, given by their sums.
JacobianCheck check_jacobian(const OdeProblem& problem, const MatrixXd& J, double t,
                             const VectorXd& y, const VectorXd& scale, const VectorXd& terms) {
  const double share = problem.name == "wheelset" ? 1e-3 : 0.02;
  JacobianCheck check;
  VectorXd f(y.size());
  for (Index i = 0; i < y.size(); ++i) {
    const double largest = J.row(i).cwiseAbs().cwiseProduct(scale.transpose()).maxCoeff();
    for (Index k = 0; k < y.size(); ++k) {
      const double h = share * std::min(1.0, scale(k));
      const auto along = [&](double x) -> VectorXd {
        VectorXd moved = y;
        moved(k) = x;
        problem.rhs(t, moved, f);
        return f.segment(i, 1);
      };
      const auto numerical = test::central_difference(along, y(k), h);
      const double bound = numerical.bound + 1.84 / h * 64.0 * unit_roundoff * terms(i);
      if (!(std::abs(numerical.value(0, 0) - J(i, k)) <= bound)) ++check.wrong;
      if (largest > 0.0) check.bluntness = std::max(check.bluntness, bound * scale(k) / largest);
    }
  }
  return check;
}

TEST_P(ClassicalProblems, JacobianMatchesCentralDifferences) {
  const ClassicalProblem problem = entry().make_default();
  test::RandomNumbers random(5);
  const VectorXd scale = scales(problem);
  for (const OdeProblem* form : {&as_it_stands(problem.real), &problem.real.ode}) {
    const Index n = form->y0.size();
    VectorXd share(n);
    for (double& entry_of_share : share) entry_of_share = random.uniform(0.3, 1.0);
    const VectorXd y = state_at(problem, scale.head(n), share);
    const double t = 0.37 * problem.end;
    MatrixXd J(n, n);
    form->jacobian(t, y, J);
    VectorXd terms = J.cwiseAbs() * y.cwiseAbs();
    if (problem.name == "wheelset" && n < problem.size()) {
      // Forces of the unknowns for which its ODE solves; they nearly cancel.
      const VectorXd all = problem.real.complete(t, y);
      MatrixXd of_all(all.size(), all.size());
      problem.real.dae->jacobian(t, all, of_all);
      terms = (of_all.cwiseAbs() * all.cwiseAbs()).head(n);
    }
    const JacobianCheck check = check_jacobian(*form, J, t, y, scale.head(n), terms);
    EXPECT_EQ(check.wrong, 0);
    EXPECT_LT(check.bluntness, 1e-3);
    // Negative control: the largest entry 1 % off.
    Index row = 0, column = 0;
    (J * scale.head(n).asDiagonal()).cwiseAbs().maxCoeff(&row, &column);
    J(row, column) *= 1.01;
    EXPECT_EQ(check_jacobian(*form, J, t, y, scale.head(n), terms).wrong, 1);
  }
}

TEST_P(ClassicalProblems, TimeDerivativeMatchesCentralDifferences) {
  const ClassicalProblem problem = entry().make_default();
  const OdeProblem& form = as_it_stands(problem.real);
  const VectorXd y = state_at(problem, scales(problem), 0.6);
  const double t = 0.4 * problem.end;
  VectorXd dfdt = VectorXd::Zero(problem.size()), f(problem.size());
  if (form.time_derivative) form.time_derivative(t, y, dfdt);
  const auto rate = [&](double time) -> VectorXd {
    form.rhs(time, y, f);
    return f;
  };
  // 1e-5 of the interval: a 10000th of a period of 10 kHz in the ring modulator's.
  const auto numerical = test::central_difference(rate, t, 1e-5 * problem.end);
  EXPECT_LE((numerical.value.col(0) - dfdt).cwiseAbs().maxCoeff(), numerical.bound);
  // The slider crank's drive is φ₁ = ω t: absent from the constraint on velocities.
  if (form.time_derivative && problem.name != "slider_crank") {
    EXPECT_GT(dfdt.cwiseAbs().maxCoeff(), 100.0 * numerical.bound);
  }
}

// Consistent data: the algebraic rows of f vanish at y0 to the rounding of their terms (60
// operations), and so do all constraints, including hidden ones. The same holds in 113 bits with
// double coefficients: sources give consistent numbers for decimal ones. The slider crank's
// position is its source's, 2.03e-10 m off its own constraint (no row of the index 2 form contains
// it).
TEST_P(ClassicalDaes, StartConsistently) {
  const ClassicalProblem problem = entry().make_default();
  const MassProblemOf<double>& dae = *problem.real.dae;
  const Index n = problem.size();
  VectorXd f(n);
  MatrixXd J(n, n);
  dae.rhs(problem.t0, dae.y0, f);
  dae.jacobian(problem.t0, dae.y0, J);
  VectorX<Quad> exact(n);
  problem.quad.dae->rhs(Quad(problem.t0), problem.quad.dae->y0, exact);
  for (Index i = 0; i < n; ++i) {
    if (dae.mass(i, i) != 0.0) continue;
    const double terms = J.row(i).cwiseAbs() * (dae.y0.cwiseAbs() + scales(problem) * 1e-3);
    EXPECT_LE(std::abs(f(i)), 60.0 * unit_roundoff * terms) << i;
    EXPECT_LE(static_cast<double>(abs(exact(i))), 60.0 * unit_roundoff * terms) << i;
  }
  const VectorXd constraints = problem.constraints(problem.t0, dae.y0);
  const double known = entry().name == "slider_crank" ? 2.04e-10 : 0.0;
  const double size = std::max(dae.y0.cwiseAbs().maxCoeff(), f.cwiseAbs().maxCoeff());
  EXPECT_LE(constraints.cwiseAbs().maxCoeff(), known + 60.0 * unit_roundoff * size * size);
  // Negative control: a position, velocity or multiplier off by a thousandth.
  VectorXd off = dae.y0;
  off(0) += 1e-3;
  EXPECT_GT(problem.constraints(problem.t0, off).cwiseAbs().maxCoeff(), 1e-7);
}

// Index ≤ 2: 0 = M y0' − f(y0) exactly where y' occurs, and as in StartConsistently elsewhere.
TEST_P(ImplicitForms, HaveTheSameEquations) {
  const ClassicalProblem problem = entry().make_default();
  const DaeProblem& implicit = *problem.implicit;
  const MassProblemOf<double>& dae = *problem.real.dae;
  const Index n = problem.size();
  const VectorXd y = state_at(problem, scales(problem), 0.8), yp = 0.3 * scales(problem);
  VectorXd r(n), f(n);
  MatrixXd K(n, n), J(n, n);
  const double t = 0.3 * problem.end, alpha = 7.0;
  implicit.residual(t, y, yp, r);
  dae.rhs(t, y, f);
  EXPECT_EQ(r, (dae.mass * yp - f).eval());
  implicit.jacobian(t, y, yp, alpha, K);
  dae.jacobian(t, y, J);
  EXPECT_EQ(K, (alpha * dae.mass - J).eval());
  implicit.residual(problem.t0, implicit.y0, implicit.yp0, r);
  for (Index i = 0; i < n; ++i) {
    EXPECT_EQ(implicit.differential[static_cast<std::size_t>(i)], dae.mass(i, i) != 0.0);
    if (dae.mass(i, i) != 0.0) {
      EXPECT_LE(std::abs(r(i)), 4.0 * unit_roundoff * std::abs(implicit.yp0(i)));
    }
  }
  EXPECT_EQ(implicit.algebraic_variables_untested, entry().index == 2);
}

// A closed form solves M y' = f: y' by central differences. In the stiff rows f inherits their
// bound through the Jacobian (y itself is right to 40 roundings).
TEST_P(ClosedForms, SatisfyTheEquations) {
  const ClassicalProblem problem = entry().make_default();
  const OdeProblem& form = as_it_stands(problem.real);
  const Index n = problem.size();
  const MatrixXd mass = problem.is_dae() ? problem.real.dae->mass : MatrixXd::Identity(n, n);
  const auto start = problem.real.exact(problem.t0);
  EXPECT_LE((start - form.y0).cwiseAbs().maxCoeff(), 8.0 * unit_roundoff);
  for (const double share : {0.2, 0.55, 0.8}) {
    const double t = share * problem.end;
    const auto numerical = test::central_difference(problem.real.exact, t, 1.0 / 64.0);
    const VectorXd y = problem.real.exact(t);
    VectorXd f(n);
    MatrixXd J(n, n);
    form.rhs(t, y, f);
    form.jacobian(t, y, J);
    const VectorXd stiff = 40.0 * unit_roundoff * (J.cwiseAbs() * VectorXd::Ones(n));
    const VectorXd left = (mass * numerical.value.col(0) - f).cwiseAbs();
    for (Index i = 0; i < n; ++i) EXPECT_LE(left(i), numerical.bound + stiff(i)) << i;
    EXPECT_LT(numerical.bound, 1e-9);
    // Negative control: the closed form at another time is not a solution.
    form.rhs(t, problem.real.exact(t + 0.01), f);
    EXPECT_GT((mass * numerical.value.col(0) - f).cwiseAbs().maxCoeff(), 1e-4);
    // 113 bits: the same numbers.
    const VectorX<Quad> exact = problem.quad.exact(Quad(t));
    EXPECT_LE((exact.cast<double>() - y).cwiseAbs().maxCoeff(), 40.0 * unit_roundoff);
  }
}

// Coefficients that a source prints as decimals are exact decimals in as_printed, in 113 bits, and
// doubles elsewhere: HIRES at y = (1, 0, …) has y₂' = 1.71 y₁, and 1.71 is not a double.
TEST(ClassicalCatalogue, AsPrintedHasTheDecimalsOfTheSource) {
  const ClassicalProblem hires = find_classical_problem("hires")->make_default();
  const VectorX<Quad> y = VectorX<Quad>::Unit(8, 0);
  VectorX<Quad> printed(8), in_doubles(8);
  hires.as_printed->rhs(Quad(0), y, printed);
  hires.quad.ode.rhs(Quad(0), y, in_doubles);
  const Quad unit = Quad("321.8122") / Quad(321.8122);  // of time: the end is not a double either
  EXPECT_LE(static_cast<double>(abs(Quad(printed(1) - Quad("1.71") * unit))), 1e-33);
  EXPECT_EQ(in_doubles(1), Quad(1.71));
  EXPECT_GT(static_cast<double>(abs(Quad(in_doubles(1) - Quad("1.71")))), 1e-18)
      << "negative control";
  for (const char* without : {"van_der_pol", "robertson", "ring_modulator"})
    EXPECT_FALSE(find_classical_problem(without)->make_default().as_printed) << without;
}

TEST_P(ClassicalProblems, RefusesInvalidParameters) {
  std::vector<double> values = entry().default_values();
  values.push_back(1.0);
  EXPECT_THROW(entry().make(values), InputError);
  values.pop_back();
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<double> wrong = values;
    wrong[i] = std::nan("");
    EXPECT_THROW(entry().make(wrong), InputError);
    wrong[i] = 0.9 * values[i];
    EXPECT_TRUE(entry().make(wrong).published.empty());  // they belong to another problem
  }
}

TEST(ClassicalCatalogue, NamesAreUniqueAndFound) {
  const auto names = names_of([](const auto&) { return true; });
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_THAT(names, testing::IsSupersetOf({"prothero_robinson", "kaps", "van_der_pol", "robertson",
                                            "hires", "orego", "e5", "pollution", "ring_modulator",
                                            "pendulum_index_3", "car_axis", "squeezing_mechanism",
                                            "slider_crank", "wheelset"}));
  EXPECT_EQ(find_classical_problem("brusselator"), nullptr);
}

// Printed initial accelerations and multipliers follow from the equations to the rounding of the
// coefficients, 53 bits. The slider crank's match to the 9 printed digits of its positions, of
// which K q3 loses two. Negative control: not with another motor.
TEST(ClassicalCatalogue, PrintedStartsFollowFromTheEquations) {
  const auto& entry = *find_classical_problem("squeezing_mechanism");
  const VectorX<Quad> y = entry.make_default().quad.dae->y0;
  const auto digits = [](const VectorX<Quad>& start, Index i, const char* text) {
    return agreeing_digits(start(i), {text});
  };
  EXPECT_GE(digits(y, 14, "14222.4439199541138705911625887"), 15.0);
  EXPECT_GE(digits(y, 15, "-10666.8329399655854029433719415"), 15.0);
  EXPECT_GE(digits(y, 21, "98.5668703962410896057654982170"), 15.0);
  EXPECT_GE(digits(y, 22, "-6.12268834425566265503114393122"), 15.0);
  EXPECT_LT(digits(entry.make({0.0333}).quad.dae->y0, 14, "14222.4439199541138705911625887"), 3.0);

  const VectorX<Quad> crank = find_classical_problem("slider_crank")->make_default().quad.dae->y0;
  EXPECT_GE(digits(crank, 16, "-5.062194924490193e3"), 9.0);
  EXPECT_GE(digits(crank, 19, "-4.268463266810281e0"), 7.0);
  EXPECT_GE(digits(crank, 22, "3.824589509350831e2"), 9.0);
}

// The printed contacts of the wheelset follow from its position to 53 bits, and with the printed
// multipliers its printed accelerations, to the rounding of terms of 160 N: 1e-14 m/s², of which
// φ'' takes a tenth. The multipliers follow to their printed 5 digits but one. Negative control:
// not at another position.
TEST(ClassicalCatalogue, PrintedStartOfTheWheelsetFollowsFromItsEquations) {
  const MassProblemOf<double> wheelset =
      *find_classical_problem("wheelset")->make_default().real.dae;
  VectorXd y = wheelset.y0, f(17);
  const auto digits = [](double x, const char* text) { return agreeing_digits(Quad(x), {text}); };
  EXPECT_GE(digits(y(11), "-7.4122380357667139e-6"), 15.0);
  EXPECT_GE(digits(y(12), "-0.1521364296121248"), 15.0);
  EXPECT_GE(digits(y(13), "7.5634406395172940e-6"), 15.0);
  EXPECT_GE(digits(y(14), "0.1490635714733819"), 15.0);
  EXPECT_GE(digits(y(15), "-8.3593e-3"), 4.0);
  EXPECT_GE(digits(y(16), "-7.4144e-3"), 4.0);
  const auto accelerations_agree = [&] {
    wheelset.rhs(0.0, y, f);
    return std::min({digits(f(5), "-1.975258894011285"), digits(f(6), "-1.0898297102811276e-3"),
                     digits(f(7), "7.8855083626142589e-2"), digits(f(8), "-5.533362821731549"),
                     digits(f(9), "-0.3487021489546511"), digits(f(10), "-2.132968724380927")});
  };
  y(15) = -8.3593e-3;
  y(16) = -7.4144e-3;
  EXPECT_GE(accelerations_agree(), 11.0);
  y(0) *= 1.0001;
  EXPECT_LT(accelerations_agree(), 5.0);
}

}  // namespace
}  // namespace rigidlimit
