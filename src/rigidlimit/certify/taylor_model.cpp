#include "rigidlimit/certify/taylor_model.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

namespace rigidlimit {

TaylorModel::Domain::Parts::Parts(Index p, const Ball& from, const Ball& to)
    : order(p),
      begin(from),
      end(to),
      times(hull(from, to)),
      power(hull(hull(Ball(0), pow(from, Ball(p))), pow(to, Ball(p)))),
      instant(arb_is_zero(from.get()) != 0 && arb_is_zero(to.get()) != 0) {}

TaylorModel::Domain::Domain(Index p, const Ball& begin, const Ball& end)
    : parts_(std::make_shared<const Parts>(p, begin, end)) {}

/// Of numbers, the value at 0 is the whole polynomial.
const TaylorModel::Domain::Parts& TaylorModel::Domain::of_numbers() {
  static const Parts parts(1, Ball(0), Ball(0));
  return parts;
}

bool TaylorModel::Domain::operator==(const Domain& other) const {
  if (parts_ == other.parts_) return true;
  return parts_ && other.parts_ && order() == other.order() &&
         arb_equal(parts_->begin.get(), other.parts_->begin.get()) != 0 &&
         arb_equal(parts_->end.get(), other.parts_->end.get()) != 0;
}

bool TaylorModel::Domain::is_part_of(const Domain& other) const {
  if (!other.is_given() || *this == other) return true;
  if (!is_given()) return false;
  return (order() == other.order() || (is_instant() && order() < other.order())) &&
         other.parts_->begin.lower() <= parts_->begin.lower() &&
         parts_->end.upper() <= other.parts_->end.upper();
}

const TaylorModel::Domain& TaylorModel::common(const TaylorModel& a, const TaylorModel& b) {
  if (!b.domain_.is_given()) return a.domain_;
  if (a.domain_.is_given() && a.domain_ != b.domain_)
    throw std::logic_error("an operation mixes Taylor models of two domains");
  return b.domain_;
}

TaylorModel TaylorModel::polynomial(const Domain& domain, const BallVector& coefficients) {
  TaylorModel result(domain);
  for (Index k = 0; k < coefficients.size(); ++k) result.set_coefficient(k, coefficients(k));
  result.take_high_powers();
  return result;
}

TaylorModel TaylorModel::on(const Domain& domain) const {
  if (!domain.is_part_of(domain_))
    throw std::logic_error("a Taylor model is not known on another domain");
  TaylorModel result = *this;
  result.domain_ = domain;
  return result;
}

void TaylorModel::set_coefficient(Index k, const Ball& c) {
  if (k > 0 && !domain_.is_given())
    throw std::logic_error("a Taylor model without a domain is a number");
  arb_poly_set_coeff_arb(polynomial_, k, c.get());
}

void TaylorModel::set_remainder(const Ball& r) {
  if (!domain_.is_given()) throw std::logic_error("a Taylor model without a domain is a number");
  remainder_ = r;
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
  if (arb_is_exact(s.get())) return value(s) + remainder_ * pow(s, Ball(domain_.order()));
  const Ball middle = s.centre();
  TaylorModel shifted;
  arb_poly_taylor_shift(shifted.polynomial_, polynomial_, middle.get(), Ball::bits);
  return shifted.value(s - middle) + remainder_ * pow(s, Ball(domain_.order()));
}

Ball TaylorModel::range() const {
  return value(domain_.times()) + remainder_ * domain_.power();
}

Ball TaylorModel::width() const {
  Ball sum = Ball(remainder_.radius()) * domain_.power().magnitude(), power = 1;
  for (slong k = 0; k < arb_poly_length(polynomial_); ++k) {
    sum += Ball(coefficient(k).radius()) * power;
    power *= domain_.times().magnitude();
  }
  return sum.magnitude();
}

/// x^k = 2^(1−k) Σ_j (k over j) T_{k−2j}(x), j ≤ k/2, with half of T_0.
Ball TaylorModel::chebyshev_bound() const {
  const slong length = arb_poly_length(polynomial_);
  const Ball end(domain_.times().upper());
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
  Ball sum = (remainder_ * domain_.power()).magnitude();
  for (const Ball& c : chebyshev) sum += c.magnitude();
  return sum.magnitude();
}

TaylorModel TaylorModel::polynomial() const {
  TaylorModel result = *this;
  result.remainder_ = 0;
  return result;
}

TaylorModel TaylorModel::slope() const {
  TaylorModel result(domain_);
  arb_poly_derivative(result.polynomial_, polynomial_, Ball::bits);
  return result;
}

void TaylorModel::take_high_powers() {
  const Index p = domain_.order();
  if (arb_poly_length(polynomial_) <= p) return;
  TaylorModel high;
  arb_poly_shift_right(high.polynomial_, polynomial_, p);
  remainder_ += high.value(domain_.times());
  arb_poly_truncate(polynomial_, p);
}

TaylorModel TaylorModel::integral(const Ball& start) const {
  if (!domain_.is_given() && !is_zero())
    throw std::logic_error("a Taylor model without a domain is a number");
  TaylorModel result(domain_);
  arb_poly_integral(result.polynomial_, polynomial_, Ball::bits);
  result.set_coefficient(0, start);
  result.remainder_ = remainder_ * domain_.times() / Ball(domain_.order() + 1);
  result.take_high_powers();
  return result;
}

TaylorModel operator+(const TaylorModel& a, const TaylorModel& b) {
  TaylorModel result(TaylorModel::common(a, b));
  arb_poly_add(result.polynomial_, a.polynomial_, b.polynomial_, Ball::bits);
  result.remainder_ = a.remainder_ + b.remainder_;
  return result;
}

TaylorModel operator-(const TaylorModel& a, const TaylorModel& b) {
  TaylorModel result(TaylorModel::common(a, b));
  arb_poly_sub(result.polynomial_, a.polynomial_, b.polynomial_, Ball::bits);
  result.remainder_ = a.remainder_ - b.remainder_;
  return result;
}

TaylorModel operator-(const TaylorModel& a) {
  TaylorModel result(a.domain_);
  arb_poly_neg(result.polynomial_, a.polynomial_);
  result.remainder_ = -a.remainder_;
  return result;
}

TaylorModel operator*(const TaylorModel& a, const TaylorModel& b) {
  TaylorModel result(TaylorModel::common(a, b));
  if (result.domain_.is_instant()) {
    arb_poly_mullow(result.polynomial_, a.polynomial_, b.polynomial_, result.domain_.order(),
                    Ball::bits);
    return result;
  }
  arb_poly_mul(result.polynomial_, a.polynomial_, b.polynomial_, Ball::bits);
  // (P + r s^p)(Q + t s^p) = P Q + s^p ((P + r s^p) t + Q r)
  result.remainder_ = a.range() * b.remainder_ + b.value(result.domain_.times()) * a.remainder_;
  result.take_high_powers();
  return result;
}

TaylorModel operator/(const TaylorModel& a, const TaylorModel& b) {
  const Ball divisor = b.range();
  if (arb_contains_zero(divisor.get())) throw std::domain_error("a quotient has a zero divisor");
  // With the quotient Q of the series, P = Q (b's polynomial) + d s^p: a/b = Q + s^p (d + r − Q
  // t)/b.
  TaylorModel result(TaylorModel::common(a, b)), product(result.domain_);
  const Index p = result.domain_.order();
  arb_poly_div_series(result.polynomial_, a.polynomial_, b.polynomial_, p, Ball::bits);
  if (result.domain_.is_instant()) return result;
  arb_poly_mul(product.polynomial_, result.polynomial_, b.polynomial_, Ball::bits);
  product.take_high_powers();
  const Ball quotient = result.value(result.domain_.times());
  result.remainder_ = (a.remainder_ - product.remainder_ - quotient * b.remainder_) / divisor;
  return result;
}

TaylorModel sqrt(const TaylorModel& a) {
  // With the root Q of the series, P = Q² + d s^p: √a = Q + s^p (d + r)/(√a + Q).
  TaylorModel result(a.domain_), square(a.domain_);
  arb_poly_sqrt_series(result.polynomial_, a.polynomial_, result.domain_.order(), Ball::bits);
  if (result.domain_.is_instant()) return result;
  arb_poly_mul(square.polynomial_, result.polynomial_, result.polynomial_, Ball::bits);
  square.take_high_powers();
  const Ball sum = sqrt(a.range()) + result.value(result.domain_.times());
  if (!sum.is_finite() || arb_contains_zero(sum.get()))
    throw std::domain_error("the argument of a root may vanish");
  result.remainder_ = (a.remainder_ - square.remainder_) / sum;
  return result;
}

/// f(P + r s^p) = f(P) + f'(ξ) r s^p, and the remainder of f(P) is its Taylor coefficient p about
/// some time.
TaylorModel TaylorModel::entire(const TaylorModel& a, Series series, const Ball& slope) {
  const Index p = a.domain_.order();
  TaylorModel result(a.domain_), shifted, about;
  series(result.polynomial_, a.polynomial_, p, Ball::bits);
  result.remainder_ = slope * a.remainder_;
  if (a.is_constant() || a.domain_.is_instant()) return result;
  arb_poly_taylor_shift(shifted.polynomial_, a.polynomial_, a.domain_.times().get(), Ball::bits);
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
  TaylorModel::common(a, b);
  return a.range() < b.range();
}
bool operator==(const TaylorModel& a, const TaylorModel& b) {
  TaylorModel::common(a, b);
  return a.range() == b.range();
}

}  // namespace rigidlimit
