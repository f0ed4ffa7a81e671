#include "rigidlimit/experiment/stiffness/contact_rates.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/contact_pencil.hpp"

namespace rigidlimit {

namespace {

/// The largest z/μ with |R| ≤ 1 on the ray from 0 through μ.
double largest_step(std::complex<double> rate) {
  const std::complex<double> direction = rate / std::abs(rate);
  const auto is_stable = [&](double size) {
    const std::complex<double> z = size * direction;
    // The imaginary axis is stable up to 2 sqrt(2); near 0 rounding must not hide it.
    return std::abs(1.0 + z * (1.0 + z * (0.5 + z * (1.0 / 6.0 + z / 24.0)))) <= 1.0 + 1e-12;
  };
  // The stability region lies within |z| < 3.
  constexpr double step = 1e-3, most = 3.0;
  double stable = 0.0;
  while (stable < most && is_stable(stable + step)) stable += step;
  double unstable = stable + step;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (stable + unstable);
    (is_stable(middle) ? stable : unstable) = middle;
  }
  return stable / std::abs(rate);
}

}  // namespace

Eigen::VectorXcd contact_rates(const MatrixXd& delassus, const ContactValues& contact,
                               const ContactBasis& basis) {
  const Index r = basis.rank();
  MatrixXd A(r, r);
  for (Index i = 0; i < r; ++i)
    for (Index k = 0; k < r; ++k)
      A(i, k) = delassus(basis.rows[static_cast<std::size_t>(i)],
                         basis.rows[static_cast<std::size_t>(k)]);
  const MatrixXd damping = congruent(contact.damping, basis.combination);
  if (contact.stiffness.size() == 0) return damper_rates(A, damping).cast<std::complex<double>>();
  return contact_pencil_rates(A, congruent(contact.stiffness, basis.combination), damping);
}

double decay_time(const Eigen::VectorXcd& rates) {
  const double slowest = (-rates.real()).minCoeff();
  // Rounding of an undamped contact.
  if (!(slowest > 1e-12 * rates.cwiseAbs().maxCoeff()))
    return std::numeric_limits<double>::infinity();
  return 1.0 / slowest;
}

double shortest_period(const Eigen::VectorXcd& rates) {
  const double fastest = rates.imag().cwiseAbs().maxCoeff();
  // Double real roots (critical damping) differ by the square root of the rounding.
  if (!(fastest > 1e-6 * rates.cwiseAbs().maxCoeff()))
    return std::numeric_limits<double>::infinity();
  return 2.0 * std::numbers::pi / fastest;
}

double largest_step_of_order_4(const Eigen::VectorXcd& rates) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::complex<double>& rate : rates)
    if (std::abs(rate) > 0.0) least = std::min(least, largest_step(rate));
  return least;
}

}  // namespace rigidlimit
