#include "rigidlimit/certify/taylor_model.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rigidlimit {
namespace {

thread_local const TaylorModel::Domain* current = nullptr;

}  // namespace

TaylorModel::Domain::Domain(Index p, const Ball& begin, const Ball& end)
    : order(p),
      times(hull(begin, end)),
      power(hull(hull(Ball(0), pow(begin, Ball(p))), pow(end, Ball(p)))),
      instant_(arb_is_zero(begin.get()) != 0 && arb_is_zero(end.get()) != 0),
      outer_(std::exchange(current, this)) {}

TaylorModel::Domain::~Domain() {
  current = outer_;
}

const TaylorModel::Domain& TaylorModel::domain() {
  if (current != nullptr) return *current;
  static thread_local const Domain constants(1, Ball(0));
  current = nullptr;
  return constants;
}

TaylorModel TaylorModel::polynomial(const BallVector& coefficients) {
  TaylorModel result;
  for (Index k = 0; k < coefficients.size(); ++k) result.set_coefficient(k, coefficients(k));
  result.take_high_powers();
  return result;
}

Ball TaylorModel::coefficient(Index k) const {
  Ball c;
  arb_poly_get_coeff_arb(c.get(), polynomial_, k);
  return c;
}

Ball TaylorModel::value(const Ball& s) const {
  Ball result;
  arb_poly_evaluate_horner(result.get(), polynomial_, s.get(), Ball::bits);
  return result;
}

/// About the middle of s: the excess is of second order in the radius, where Horner's scheme has
/// the first.
Ball TaylorModel::at(const Ball& s) const {
  if (arb_is_exact(s.get())) return value(s) + remainder_ * pow(s, Ball(domain().order));
  const Ball middle = s.centre();
  TaylorModel shifted;
  arb_poly_taylor_shift(shifted.polynomial_, polynomial_, middle.get(), Ball::bits);
  return shifted.value(s - middle) + remainder_ * pow(s, Ball(domain().order));
}

Ball TaylorModel::range() const {
  return value(domain().times) + remainder_ * domain().power;
}

Ball TaylorModel::width() const {
  Ball sum = Ball(remainder_.radius()) * domain().power.magnitude(), power = 1;
  for (slong k = 0; k < arb_poly_length(polynomial_); ++k) {
    sum += Ball(coefficient(k).radius()) * power;
    power *= domain().times.magnitude();
  }
  return sum.magnitude();
}

/// x^k = 2^(1−k) Σ_j (k over j) T_{k−2j}(x), j ≤ k/2, with half of T_0.
Ball TaylorModel::chebyshev_bound() const {
  const slong length = arb_poly_length(polynomial_);
  const Ball end(domain().times.upper());
  std::vector<Ball> chebyshev(static_cast<std::size_t>(length), Ball(0));
  Ball power = 2;  // end^k 2^(1−k)
  for (slong k = 0; k < length; ++k) {
    Ball part = coefficient(k) * power;
    for (slong j = 0; 2 * j <= k; ++j) {
      chebyshev[static_cast<std::size_t>(k - 2 * j)] += 2 * j == k ? part * Ball(0.5) : part;
      part *= Ball(k - j) / Ball(j + 1);
    }
    power *= end * Ball(0.5);
  }
  Ball sum = (remainder_ * domain().power).magnitude();
  for (const Ball& c : chebyshev) sum += c.magnitude();
  return sum.magnitude();
}

TaylorModel TaylorModel::polynomial() const {
  TaylorModel result = *this;
  result.remainder_ = 0;
  return result;
}

TaylorModel TaylorModel::slope() const {
  TaylorModel result;
  arb_poly_derivative(result.polynomial_, polynomial_, Ball::bits);
  return result;
}

void TaylorModel::take_high_powers() {
  const Index p = domain().order;
  if (arb_poly_length(polynomial_) <= p) return;
  TaylorModel high;
  arb_poly_shift_right(high.polynomial_, polynomial_, p);
  remainder_ += high.value(domain().times);
  arb_poly_truncate(polynomial_, p);
}

TaylorModel TaylorModel::integral(const Ball& start) const {
  TaylorModel result;
  arb_poly_integral(result.polynomial_, polynomial_, Ball::bits);
  result.set_coefficient(0, start);
  result.remainder_ = remainder_ * domain().times / Ball(domain().order + 1);
  result.take_high_powers();
  return result;
}

TaylorModel operator+(const TaylorModel& a, const TaylorModel& b) {
  TaylorModel result;
  arb_poly_add(result.polynomial_, a.polynomial_, b.polynomial_, Ball::bits);
  result.remainder_ = a.remainder_ + b.remainder_;
  return result;
}

TaylorModel operator-(const TaylorModel& a, const TaylorModel& b) {
  TaylorModel result;
  arb_poly_sub(result.polynomial_, a.polynomial_, b.polynomial_, Ball::bits);
  result.remainder_ = a.remainder_ - b.remainder_;
  return result;
}

TaylorModel operator-(const TaylorModel& a) {
  TaylorModel result;
  arb_poly_neg(result.polynomial_, a.polynomial_);
  result.remainder_ = -a.remainder_;
  return result;
}

TaylorModel operator*(const TaylorModel& a, const TaylorModel& b) {
  TaylorModel result;
  if (TaylorModel::domain().is_instant()) {
    arb_poly_mullow(result.polynomial_, a.polynomial_, b.polynomial_, TaylorModel::domain().order,
                    Ball::bits);
    return result;
  }
  arb_poly_mul(result.polynomial_, a.polynomial_, b.polynomial_, Ball::bits);
  // (P + r s^p)(Q + t s^p) = P Q + s^p ((P + r s^p) t + Q r)
  result.remainder_ =
      a.range() * b.remainder_ + b.value(TaylorModel::domain().times) * a.remainder_;
  result.take_high_powers();
  return result;
}

TaylorModel operator/(const TaylorModel& a, const TaylorModel& b) {
  const Ball divisor = b.range();
  if (arb_contains_zero(divisor.get())) throw std::domain_error("a quotient has a zero divisor");
  // With the quotient Q of the series, P = Q (b's polynomial) + d s^p: a/b = Q + s^p (d + r − Q
  // t)/b.
  TaylorModel result, product;
  const Index p = TaylorModel::domain().order;
  arb_poly_div_series(result.polynomial_, a.polynomial_, b.polynomial_, p, Ball::bits);
  if (TaylorModel::domain().is_instant()) return result;
  arb_poly_mul(product.polynomial_, result.polynomial_, b.polynomial_, Ball::bits);
  product.take_high_powers();
  const Ball quotient = result.value(TaylorModel::domain().times);
  result.remainder_ = (a.remainder_ - product.remainder_ - quotient * b.remainder_) / divisor;
  return result;
}

TaylorModel sqrt(const TaylorModel& a) {
  // With the root Q of the series, P = Q² + d s^p: √a = Q + s^p (d + r)/(√a + Q).
  TaylorModel result, square;
  arb_poly_sqrt_series(result.polynomial_, a.polynomial_, TaylorModel::domain().order, Ball::bits);
  if (TaylorModel::domain().is_instant()) return result;
  arb_poly_mul(square.polynomial_, result.polynomial_, result.polynomial_, Ball::bits);
  square.take_high_powers();
  const Ball sum = sqrt(a.range()) + result.value(TaylorModel::domain().times);
  if (!sum.is_finite() || arb_contains_zero(sum.get()))
    throw std::domain_error("the argument of a root may vanish");
  result.remainder_ = (a.remainder_ - square.remainder_) / sum;
  return result;
}

/// f(P + r s^p) = f(P) + f'(ξ) r s^p, and the remainder of f(P) is its Taylor coefficient p about
/// some time.
TaylorModel TaylorModel::entire(const TaylorModel& a, Series series, const Ball& slope) {
  const Index p = domain().order;
  TaylorModel result, shifted, about;
  series(result.polynomial_, a.polynomial_, p, Ball::bits);
  result.remainder_ = slope * a.remainder_;
  if (a.is_constant() || domain().is_instant()) return result;
  arb_poly_taylor_shift(shifted.polynomial_, a.polynomial_, domain().times.get(), Ball::bits);
  series(about.polynomial_, shifted.polynomial_, p + 1, Ball::bits);
  result.remainder_ += about.coefficient(p);
  return result;
}

TaylorModel exp(const TaylorModel& a) {
  return TaylorModel::entire(a, arb_poly_exp_series, exp(a.range()));
}
TaylorModel sin(const TaylorModel& a) {
  return TaylorModel::entire(a, arb_poly_sin_series, cos(a.range()));
}
TaylorModel cos(const TaylorModel& a) {
  return TaylorModel::entire(a, arb_poly_cos_series, -sin(a.range()));
}
TaylorModel sinh(const TaylorModel& a) {
  return TaylorModel::entire(a, arb_poly_sinh_series, cosh(a.range()));
}
TaylorModel cosh(const TaylorModel& a) {
  return TaylorModel::entire(a, arb_poly_cosh_series, sinh(a.range()));
}
TaylorModel tan(const TaylorModel& a) {
  return sin(a) / cos(a);
}
TaylorModel tanh(const TaylorModel& a) {
  return 1 - 2 / (exp(2 * a) + 1);
}

TaylorModel TaylorModel::primitive(const TaylorModel& a, const Ball& start,
                                   const TaylorModel& slope, const Ball& slope_range) {
  TaylorModel result = (slope * a.slope()).integral(start);
  result.remainder_ += slope_range * a.remainder_;
  return result;
}

TaylorModel log(const TaylorModel& a) {
  return TaylorModel::primitive(a, log(a.coefficient(0)), 1 / a.polynomial(), 1 / a.range());
}
TaylorModel atan(const TaylorModel& a) {
  const TaylorModel P = a.polynomial();
  const Ball x = a.range();
  return TaylorModel::primitive(a, atan(a.coefficient(0)), 1 / (1 + P * P), 1 / (1 + x * x));
}
TaylorModel asin(const TaylorModel& a) {
  const TaylorModel P = a.polynomial();
  const Ball x = a.range();
  return TaylorModel::primitive(a, asin(a.coefficient(0)), 1 / sqrt(1 - P * P),
                                1 / sqrt(1 - x * x));
}
TaylorModel acos(const TaylorModel& a) {
  return TaylorModel(acos(Ball(0))) - asin(a);
}

TaylorModel abs(const TaylorModel& a) {
  return a < TaylorModel(0) ? -a : a;
}

TaylorModel atan2(const TaylorModel& y, const TaylorModel& x) {
  const TaylorModel P = x.polynomial(), Q = y.polynomial();
  const Ball a = x.range(), b = y.range();
  if (!arb_is_positive(a.get()) && arb_contains_zero(b.get())) throw UndecidedComparison();  // cut
  TaylorModel angle = ((P * y.slope() - Q * x.slope()) / (P * P + Q * Q))
                          .integral(atan2(y.coefficient(0), x.coefficient(0)));
  angle.remainder_ += (a * y.remainder_ - b * x.remainder_) / (a * a + b * b);
  return angle;
}

TaylorModel pow(const TaylorModel& a, double p) {
  constexpr double highest_product = 64.0;
  const double size = std::abs(p);
  if (size != std::round(size) || size > highest_product) return exp(TaylorModel(p) * log(a));
  TaylorModel product = 1;
  for (int k = 0; k < static_cast<int>(size); ++k) product = product * a;
  return p < 0.0 ? 1 / product : product;
}

bool operator<(const TaylorModel& a, const TaylorModel& b) {
  return a.range() < b.range();
}
bool operator==(const TaylorModel& a, const TaylorModel& b) {
  return a.range() == b.range();
}

}  // namespace rigidlimit
