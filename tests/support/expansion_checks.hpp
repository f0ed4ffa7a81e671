// Checks of a system's expansion against measured differences.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/core/dense.hpp"
#include "support/measured_differences.hpp"

namespace rigidlimit::test {

enum class Spring { unloaded, prepared };

/// D = ζ D_crit at the start, for independent contacts.
inline ViscoelasticLaw damped_law(const System& system, const InitialState& start,
                                  const MatrixXd& stiffness, double damping_ratio) {
  return {stiffness, damping_ratio * critical_damping(delassus(system, start.q), stiffness)};
}

/// A system, start and law, with measured differences.
class ExpansionCase {
 public:
  /// `load`: an additional initial deflection besides that of `spring`, m (empty: none).
  ExpansionCase(System of, const InitialState& rolling, ViscoelasticLaw with, Spring spring,
                double end, const VectorXd& load = {})
      : system(std::move(of)),
        start(rolling),
        law(std::move(with)),
        eta0(VectorXd::Zero(system.m)) {
    if (load.size() > 0) eta0 = load;
    const ContactBasis basis = contact_basis(system, start.q);
    const VectorXd lambda =
        selected_multiplier(basis, law.stiffness, eta0,
                            solve_kkt<double>(system, basis, start.q, start.v, 0.0).multiplier);
    full_load = symmetric_solve(law.stiffness, lambda);
    if (spring == Spring::prepared) eta0 = full_load;
    measured = measure(system, start, law, eta0, end, {0x1p-6, 0x1p-7, 0x1p-8});
  }

  SeriesExpansion<double> expansion() const { return expansion_with(law, eta0); }
  /// Negative control: a law or deflection other than the measured ones.
  SeriesExpansion<double> expansion_with(const ViscoelasticLaw& other,
                                         const VectorXd& deflection) const {
    return {system, start, other, deflection, 2, measured.end};
  }
  std::unique_ptr<LeadingTerms> leading() const {
    return leading_terms_of_series(
        {.system = system, .state = start, .law = law, .eta0 = eta0, .end = measured.end});
  }

  System system;
  InitialState start;
  ViscoelasticLaw law;
  VectorXd eta0;
  VectorXd full_load;  ///< C⁻¹ Λ(0)
  MeasuredDifferences measured;
};

inline Approximation leading_of(const LeadingTerms& terms) {
  return [&terms](double epsilon, const std::vector<double>& times) {
    return terms.at(epsilon, times, 0.0);
  };
}
inline Approximation composite_of(const SeriesExpansion<double>& x) {
  return [&x](double epsilon, const std::vector<double>& times) {
    return x.deviation(epsilon, times, 2);
  };
}
/// ε x₁ + ε² x₂ without layers.
inline Approximation outer_of(const SeriesExpansion<double>& x) {
  return [&x](double epsilon, const std::vector<double>& times) {
    Motion motion = x.deviation(epsilon, times, 0);
    for (Index i = 0; i < std::ssize(times); ++i) {
      const double t = times[static_cast<std::size_t>(i)];
      const VectorXd terms = epsilon * x.outer(t, 1) + epsilon * epsilon * x.outer(t, 2);
      const Index nq = motion.q.rows(), n = motion.v.rows();
      motion.q.col(i) = terms.head(nq);
      motion.v.col(i) = terms.segment(nq, n);
      motion.lambda.col(i) = terms.segment(nq + n, motion.lambda.rows());
    }
    return motion;
  };
}
/// Two-sided; NaN in `wanted` skips the component.
inline void expect_orders(const Triple& found, const Triple& wanted, double within,
                          const char* what) {
  const auto expect_one = [&](double order, double expected, const char* name) {
    if (!std::isnan(expected)) {
      EXPECT_NEAR(order, expected, within) << name << ", " << what;
    }
  };
  expect_one(found.q, wanted.q, "q");
  expect_one(found.v, wanted.v, "v");
  expect_one(found.lambda, wanted.lambda, "lambda");
}

/// |‖measured‖ / ‖leading‖ − 1| of the sup norms at ε number k.
inline Triple ratio_error(const MeasuredDifferences& measured, const LeadingTerms& terms,
                          std::size_t k) {
  const Motion& found = measured.differences[k];
  const Triple is = sup_norms(found, -1.0);
  const Triple predicted = sup_norms(terms.at(measured.epsilons[k], found.times, 0.0), -1.0);
  return {std::abs(is.q / predicted.q - 1.0), std::abs(is.v / predicted.v - 1.0),
          std::abs(is.lambda / predicted.lambda - 1.0)};
}

/// The order of ratio_error() in ε, from the last two.
inline Triple ratio_orders(const MeasuredDifferences& measured, const LeadingTerms& terms) {
  const std::size_t last = measured.epsilons.size() - 1;
  const Triple coarse = ratio_error(measured, terms, last - 1),
               fine = ratio_error(measured, terms, last);
  return {std::log2(coarse.q / fine.q), std::log2(coarse.v / fine.v),
          std::log2(coarse.lambda / fine.lambda)};
}

/// The remainder of the leading terms has one order more than the differences, that of the
/// composite of order 2 the order 3. `after` may exceed 3 for special systems. 0.15: the error of
/// the order between ε = 2^-7 and 2^-8 is ε times the ratio of the next two coefficients (up to 30)
/// over log 2.
inline void expect_remainders(const ExpansionCase& c, const Triple& leading, const Triple& after) {
  const SeriesExpansion<double> x = c.expansion();
  const std::unique_ptr<LeadingTerms> terms = c.leading();
  const double cut = 0.5 * c.measured.end, within = 0.15;
  expect_orders(remainder_orders(c.measured, leading_of(*terms), -1.0), leading, within,
                "leading, all t");
  expect_orders(remainder_orders(c.measured, composite_of(x), -1.0), {3.0, 3.0, 3.0}, within,
                "composite, all t");
  expect_orders(remainder_orders(c.measured, outer_of(x), cut), after, within, "outer, after");
  expect_orders(remainder_orders(c.measured, composite_of(x), cut), after, within,
                "composite, after");
}

/// Wrong expansions of an unloaded start have remainders of the order of the difference.
inline void expect_controls_to_fail(const ExpansionCase& c) {
  const Triple unexplained{2.0, 1.0, 0.0};
  const auto expect_failure = [&](const ViscoelasticLaw& law, const VectorXd& eta0,
                                  const Triple& wanted, const char* what) {
    const SeriesExpansion<double> x = c.expansion_with(law, eta0);
    expect_orders(remainder_orders(c.measured, composite_of(x), -1.0), wanted, 0.2, what);
  };
  // e₀ → −e₀, and with it p₀.
  expect_failure(c.law, VectorXd(2.0 * c.full_load - c.eta0), unexplained, "p0 flipped");
  expect_failure(c.law, c.full_load, unexplained, "e0 left out");
  expect_failure({c.law.damping, c.law.damping}, c.eta0, unexplained, "D in place of C");
  // The damping changes only the layer, and outside it terms of order 3.
  const SeriesExpansion<double> other =
      c.expansion_with({c.law.stiffness, 2.0 * c.law.damping}, c.eta0);
  expect_orders(remainder_orders(c.measured, composite_of(other), -1.0), {NAN, NAN, 0.0}, 0.3,
                "another D");
  expect_orders(remainder_orders(c.measured, outer_of(other), 0.5 * c.measured.end),
                {3.0, 3.0, NAN}, 0.15, "another D, after");
}

}  // namespace rigidlimit::test
