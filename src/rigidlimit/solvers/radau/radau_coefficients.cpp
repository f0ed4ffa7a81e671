#include "rigidlimit/solvers/radau/radau_coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "rigidlimit/solvers/radau/radau_digits.hpp"

namespace rigidlimit {
namespace {

namespace mp = boost::multiprecision;
using Wide = mp::number<mp::cpp_bin_float<50>, mp::et_off>;
using Wides = std::vector<Wide>;
using Complex = std::complex<Wide>;

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

/// P_0(x) … P_n(x), Legendre polynomials on [−1, 1].
Wides legendre(int n, const Wide& x) {
  Wides P = {Wide(1), x};
  for (int k = 1; k < n; ++k)
    P.push_back(((2 * k + 1) * x * P[at(k)] - k * P[at(k - 1)]) / (k + 1));
  return P;
}

Wides numbers_of(std::span<const char* const> digits) {
  return {digits.begin(), digits.end()};
}

struct WideTableau {
  Wides c, b;
  std::vector<Wides> A;
};

/// With p_k = sqrt(2k+1) P_k(2c − 1), orthonormal on [0, 1], Radau's formula integrates p_k p_l
/// exactly for k, l < s: b_j = 1 / Σ_k p_k(c_j)², ℓ_j = b_j Σ_k p_k(c_j) p_k. No system is solved
/// and there is no cancellation, for any s.
WideTableau wide_tableau(int s) {
  WideTableau wide{numbers_of(radau_digits(s).nodes), Wides(at(s)),
                   std::vector<Wides>(at(s), Wides(at(s)))};
  std::vector<Wides> P;
  for (const Wide& c : wide.c) P.push_back(legendre(s, 2 * c - 1));
  for (int j = 0; j < s; ++j) {
    Wide sum = 0;
    for (int k = 0; k < s; ++k) sum += (2 * k + 1) * P[at(j)][at(k)] * P[at(j)][at(k)];
    wide.b[at(j)] = 1 / sum;
  }
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) {
      Wide sum = wide.c[at(i)];  // ∫₀^c p_0
      for (int k = 1; k < s; ++k)  // ∫₀^c P_k(2x − 1) dx = (P_{k+1} − P_{k−1}) / (2(2k + 1))
        sum += P[at(j)][at(k)] * (P[at(i)][at(k + 1)] - P[at(i)][at(k - 1)]) / 2;
      wide.A[at(i)][at(j)] = wide.b[at(j)] * sum;
    }
  return wide;
}

/// M(x), M'(x) … M^(s)(x) of M = Π (x − c_j).
Wides derivatives_at(const Wide& x, const Wides& c) {
  Wides m = {Wide(1)};  // M(x + t) = Σ m_k t^k
  for (const Wide& node : c) {
    m.push_back(m.back());
    for (std::size_t k = m.size() - 2; k > 0; --k) m[k] = m[k - 1] + (x - node) * m[k];
    m[0] *= x - node;
  }
  Wide factorial = 1;
  for (std::size_t k = 1; k < m.size(); ++k) m[k] *= factorial *= static_cast<int>(k);
  return m;
}

/// Σ_k M^(k) λ^(s−k).
Complex sum_of(const Wides& M, const Complex& lambda) {
  Complex sum(0);
  for (const Wide& derivative : M) sum = sum * lambda + derivative;
  return sum;
}

/// Throws std::logic_error unless λ^(s+1) u(0) = 0, see eigenvector(), up to round-off of 40
/// digits.
void require_eigenvalue(const Wides& nodes, const Complex& lambda) {
  const Wides M = derivatives_at(Wide(0), nodes);
  Wide size = 0;
  for (const Wide& derivative : M) size = size * abs(lambda) + abs(derivative);
  if (!(abs(sum_of(M, lambda)) <= Wide("1e-36") * size))
    throw std::logic_error(
        fmt::format("Radau IIA, s = {}: the digits of an eigenvalue are wrong", nodes.size()));
}

/// The eigenvector of A⁻¹ for λ, with last entry 1. For polynomials u of degree s with u(0) = 0 A⁻¹
/// u(c) = u'(c); u = Σ_k M^(k) / λ^(k+1) has u' = λ u − M, and M(c) = 0: it is the eigenvector if
/// u(0) = 0 (Hairer & Wanner, theorem IV.3.9). This loses about ten of the 50 digits at s = 20.
VectorX<Complex> eigenvector(const Wides& nodes, const Complex& lambda) {
  VectorX<Complex> u(static_cast<Index>(nodes.size()));
  for (Index i = 0; i < u.size(); ++i) u(i) = sum_of(derivatives_at(nodes[at(i)], nodes), lambda);
  const Complex last = u(u.size() - 1);
  for (Complex& entry : u) entry /= last;
  u(u.size() - 1) = Complex(1);
  return u;
}

/// The λ with Im λ > 0 of each pair; the real one first.
std::vector<Complex> upper_eigenvalues(int s) {
  const Wides parts = numbers_of(radau_digits(s).eigenvalues);
  std::vector<Complex> values;
  if (s % 2 == 1) values.emplace_back(parts[0]);
  for (std::size_t k = at(s % 2); k < parts.size(); k += 2)
    values.emplace_back(parts[k], parts[k + 1]);
  return values;
}

/// X⁻¹ by Gaussian elimination with row pivoting: Eigen's decompositions in these numbers take half
/// a minute to compile.
MatrixX<Complex> inverse_of(MatrixX<Complex> X) {
  const Index N = X.rows();
  MatrixX<Complex> inverse = MatrixX<Complex>::Identity(N, N);
  for (Index k = 0; k < N; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < N; ++i)
      if (abs(X(i, k)) > abs(X(pivot, k))) pivot = i;
    X.row(k).swap(X.row(pivot));
    inverse.row(k).swap(inverse.row(pivot));
    for (Index i = k + 1; i < N; ++i) {
      const Complex factor = X(i, k) / X(k, k);
      X.row(i) -= factor * X.row(k);
      inverse.row(i) -= factor * inverse.row(k);
    }
  }
  for (Index k = N - 1; k >= 0; --k) {
    for (Index j = k + 1; j < N; ++j) inverse.row(k) -= X(k, j) * inverse.row(j);
    inverse.row(k) /= X(k, k);
  }
  return inverse;
}

/// The eigenvector of each value; those of a pair are followed by their conjugates.
MatrixX<Complex> eigenvectors(const Wides& nodes, const std::vector<Complex>& values) {
  const auto s = static_cast<Index>(nodes.size());
  MatrixX<Complex> V(s, s);
  Index column = 0;
  for (const Complex& lambda : values) {
    require_eigenvalue(nodes, lambda);
    V.col(column++) = eigenvector(nodes, lambda);
    if (lambda.imag() == 0) continue;
    V.col(column) = V.col(column - 1).conjugate();
    ++column;
  }
  return V;
}

RadauTransform transform_of(const WideTableau& wide) {
  const auto s = static_cast<Index>(wide.c.size());
  const std::vector<Complex> values = upper_eigenvalues(static_cast<int>(s));
  const MatrixX<Complex> V = eigenvectors(wide.c, values), W = inverse_of(V);
  const auto real = [](const Complex& x) { return static_cast<double>(x.real()); };
  const auto imaginary = [](const Complex& x) { return static_cast<double>(x.imag()); };
  RadauTransform transform;
  transform.has_real = s % 2 == 1;
  transform.A = MatrixXd::NullaryExpr(
      s, s, [&](Index i, Index j) { return static_cast<double>(wide.A[at(i)][at(j)]); });
  transform.to_modes.resize(s, s);
  transform.from_modes.resize(s, s);
  if (transform.has_real) {
    transform.gamma = real(values[0]);
    transform.to_modes.row(0) = W.row(0).unaryExpr(real);
    transform.from_modes.col(0) = V.col(0).unaryExpr(real);
  }
  double log_modulus = 0.0;
  for (Index k = s % 2; k < s; k += 2) {
    const Complex& lambda = values[at((k + 1) / 2)];
    transform.lambda.emplace_back(real(lambda), imaginary(lambda));
    log_modulus += 2.0 * std::log(std::abs(transform.lambda.back())) / static_cast<double>(s);
    transform.to_modes.row(k) = W.row(k).unaryExpr(real);
    transform.to_modes.row(k + 1) = W.row(k).unaryExpr(imaginary);
    transform.from_modes.col(k) = 2.0 * V.col(k).unaryExpr(real);
    transform.from_modes.col(k + 1) = -2.0 * V.col(k).unaryExpr(imaginary);
  }
  // s even: no eigenvalue is real. Any γ > 0 filters; the mean modulus has the right size.
  if (!transform.has_real) transform.gamma = std::exp(log_modulus);
  return transform;
}

/// 1 / Π_{k≠j} (x_j − x_k) for x = (0, c).
Wides barycentric_weights(const Wides& c) {
  Wides x = {Wide(0)};
  x.insert(x.end(), c.begin(), c.end());
  Wides weights;
  for (std::size_t j = 0; j < x.size(); ++j) {
    Wide product = 1;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (k != j) product *= x[j] - x[k];
    weights.push_back(1 / product);
  }
  return weights;
}

/// max over [0, 1] of |θ Π (1 − θ/c_j)|, on a grid.
double bulge_of(const Wides& c) {
  double largest = 0.0;
  for (int k = 1; k < 400; ++k) {
    double product = k / 400.0;
    for (const Wide& node : c) product *= 1.0 - k / 400.0 / static_cast<double>(node);
    largest = std::max(largest, std::abs(product));
  }
  return largest;
}

template <class T>
RadauTableau<T> rounded_tableau(int s) {
  const WideTableau wide = wide_tableau(s);
  const Wides weights = barycentric_weights(wide.c);
  RadauTableau<T> tableau;
  tableau.stages = s;
  tableau.c.resize(s);
  tableau.b.resize(s);
  tableau.A.resize(s, s);
  tableau.barycentric.resize(s + 1);
  tableau.slope_at_start.resize(s);
  tableau.slope_at_end.resize(s);
  tableau.bulge = bulge_of(wide.c);
  Wide own_slope = 1;  // of ℓ_s at c_s = 1: Σ 1/(1 − x_k) over the other nodes, x₀ = 0 first
  tableau.barycentric(0) = static_cast<T>(weights[0]);
  Wide constant = 1;
  for (Index j = 0; j < s; ++j) {
    const Wide& c = wide.c[at(j)];
    tableau.c(j) = static_cast<T>(c);
    tableau.b(j) = static_cast<T>(wide.b[at(j)]);
    for (Index i = 0; i < s; ++i) tableau.A(i, j) = static_cast<T>(wide.A[at(i)][at(j)]);
    tableau.barycentric(j + 1) = static_cast<T>(weights[at(j + 1)]);
    tableau.slope_at_start(j) = static_cast<T>(weights[at(j + 1)] / (weights[0] * -c));
    if (j < s - 1) {
      tableau.slope_at_end(j) = static_cast<T>(weights[at(j + 1)] / (weights[at(s)] * (1 - c)));
      own_slope += 1 / (1 - c);
    }
    constant *= c / (j + 1);
  }
  tableau.slope_at_end(s - 1) = static_cast<T>(own_slope);
  // In T the last row and b come from one formula for c_s = 1, and agree to the last digit.
  tableau.A.row(s - 1) = tableau.b.transpose();
  tableau.transform = transform_of(wide);
  tableau.estimate_constant = static_cast<double>(constant) / tableau.transform.gamma;
  check_radau_tableau(tableau);
  return tableau;
}

template <class T>
void expect_small(int s, const char* condition, Index k, const T& residual) {
  // Each sum has s products of numbers ≤ 2, its powers up to 2s roundings of relative size ε/2.
  const T bound = T(4 * (s + 2)) * std::numeric_limits<T>::epsilon();
  using std::abs;
  if (!(abs(residual) <= bound))
    throw std::logic_error(fmt::format("Radau IIA, s = {}: {} at {} is violated by {:.3g}", s,
                                       condition, k, static_cast<double>(residual)));
}

}  // namespace

template <class T>
void check_radau_tableau(const RadauTableau<T>& tableau) {
  const int s = tableau.stages;
  using VectorT = typename RadauTableau<T>::VectorT;
  VectorT power = VectorT::Constant(s, T(1));  // c^(k−1)
  for (int k = 1; k <= 2 * s - 1; ++k) {
    T sum(0);
    for (Index j = 0; j < s; ++j) sum += tableau.b(j) * power(j);
    expect_small<T>(s, "B(2s-1)", k, sum - T(1) / T(k));
    for (Index i = 0; i < s && k <= s; ++i) {
      sum = -tableau.c(i) * power(i) / T(k);
      for (Index j = 0; j < s; ++j) sum += tableau.A(i, j) * power(j);
      expect_small<T>(s, "C(s)", k, sum);
    }
    for (Index j = 0; j < s; ++j) power(j) *= tableau.c(j);
  }
  expect_small<T>(s, "c_s = 1", s, tableau.c(s - 1) - T(1));
  for (Index j = 0; j < s; ++j)
    expect_small<T>(s, "stiff accuracy", j, tableau.A(s - 1, j) - tableau.b(j));
}

template <class T>
const RadauTableau<T>& radau_tableau(int stages) {
  if (stages < 1 || stages > max_radau_stages)
    throw std::invalid_argument(
        fmt::format("Radau IIA: {} stages, must be 1 to {}", stages, max_radau_stages));
  static std::mutex mutex;
  static std::array<std::unique_ptr<const RadauTableau<T>>, max_radau_stages + 1> made;
  const std::scoped_lock lock(mutex);
  auto& tableau = made[static_cast<std::size_t>(stages)];
  if (!tableau) tableau = std::make_unique<const RadauTableau<T>>(rounded_tableau<T>(stages));
  return *tableau;
}

template void check_radau_tableau(const RadauTableau<double>&);
template void check_radau_tableau(const RadauTableau<Quad>&);
template const RadauTableau<double>& radau_tableau<double>(int);
template const RadauTableau<Quad>& radau_tableau<Quad>(int);

}  // namespace rigidlimit
