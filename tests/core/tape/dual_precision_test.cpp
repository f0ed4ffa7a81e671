// Tests dual numbers over scalars with more digits than double, which compute references.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "rigidlimit/core/quad.hpp"
#include "support/derivative.hpp"

namespace rigidlimit {
namespace {

/// x ↦ tanh(sqrt(x) sin(x)) / (1 + exp(-x)), written once for every scalar.
template <class S>
S mixture(const S& x) {
  using std::exp, std::sin, std::sqrt, std::tanh;
  const S inner = sqrt(x) * sin(x);
  return tanh(inner) / (1.0 + exp(-x));
}

// The constants to 40 digits: e, √2/4, 1/3, cos 1, sech² 1.
TEST(QuadDual, DerivativesOfElementaryFunctionsHaveThirtyDigits) {
  using D = Dual<Quad, 1>;
  const auto expect = [](const D& y, const char* derivative) {
    const Quad error = abs(y.derivative[0] - Quad(derivative));
    EXPECT_LT(error, Quad("1e-30")) << derivative;
  };
  const D one = D::variable(Quad(1), 0);
  expect(exp(one), "2.7182818284590452353602874713526624977572");
  expect(sqrt(D::variable(Quad(2), 0)), "0.3535533905932737622004221810524245196424");
  expect(log(D::variable(Quad(3), 0)), "0.3333333333333333333333333333333333333333");
  expect(sin(one), "0.5403023058681397174009366074429766037323");
  expect(tanh(one), "0.4199743416140260693944967390417014449172");
  expect(atan(one), "0.5");
  expect(pow(D::variable(Quad(4), 0), 1.5), "3");
  expect(one / D::variable(Quad(3), 0),
         "0.2222222222222222222222222222222222222222");  // (1·3 − 1·1)/9
}

// The double result agrees with the 113-bit one to 32 u, the 64-bit one to 32 · 2^-64. Neither
// agrees better than its own digits (so no scalar was narrowed).
TEST(QuadDual, EachScalarKeepsItsDigits) {
  const Quad exact = mixture(Dual<Quad, 1>::variable(Quad(0.7), 0)).derivative[0];
  const double in_double = mixture(Dual<double, 1>::variable(0.7, 0)).derivative[0];
  const long double in_long = mixture(Dual<long double, 1>::variable(0.7, 0)).derivative[0];
  const double error_double = static_cast<double>(abs(exact - Quad(in_double)));
  const double error_long = static_cast<double>(abs(exact - Quad(in_long)));
  EXPECT_LT(error_double, 32.0 * 0x1p-53);
  EXPECT_LT(error_long, 32.0 * std::numeric_limits<long double>::epsilon());
  EXPECT_GT(error_long, 0.0);
  const bool longer = std::numeric_limits<long double>::digits > 53;  // not on every platform
  EXPECT_TRUE(!longer || error_double > error_long);
}

// Central second difference of the 113-bit values with h = 2^-28: truncation h²/12 f⁗ ≈ 1e-18 · 1,
// round-off 4 · 2^-113/h² ≈ 3e-17.
TEST(QuadDual, NestedSecondDerivativeIsTheSecondDifference) {
  using Inner = Dual<Quad, 1>;
  using Outer = Dual<Inner, 1>;
  const Quad x = 0.7, h = ldexp(Quad(1), -28);
  const Outer y = mixture(Outer::variable(Inner::variable(x, 0), 0));
  const Quad difference = (mixture<Quad>(x + h) - 2 * mixture(x) + mixture<Quad>(x - h)) / (h * h);
  const Quad second = y.derivative[0].derivative[0];
  EXPECT_LT(abs(second - difference), Quad("1e-15"));
  EXPECT_GT(abs(second), Quad(0.1));
}

}  // namespace
}  // namespace rigidlimit
