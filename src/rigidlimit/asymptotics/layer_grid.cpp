#include "rigidlimit/asymptotics/layer_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

constexpr Index points = 24;  // of a panel

/// Chebyshev nodes of the second kind from −1 to 1.
VectorXd chebyshev_nodes() {
  VectorXd x(points);
  for (Index j = 0; j < points; ++j)
    x(j) = -std::cos(std::numbers::pi * static_cast<double>(j) / static_cast<double>(points - 1));
  return x;
}

double barycentric_weight(Index j) {
  return (j % 2 == 0 ? 1.0 : -1.0) * (j == 0 || j == points - 1 ? 0.5 : 1.0);
}

/// Derivatives at the nodes of the polynomial through values there.
MatrixXd differentiation_matrix(const VectorXd& x) {
  MatrixXd D = MatrixXd::Zero(points, points);
  for (Index i = 0; i < points; ++i) {
    for (Index j = 0; j < points; ++j)
      if (i != j) D(i, j) = barycentric_weight(j) / barycentric_weight(i) / (x(i) - x(j));
    D(i, i) = -D.row(i).sum();  // of a constant: 0
  }
  return D;
}

void trim(std::vector<double>& polynomial) {
  while (!polynomial.empty() && polynomial.back() == 0.0) polynomial.pop_back();
}

}  // namespace

LayerFunction& LayerFunction::operator+=(const LayerFunction& x) {
  polynomial.resize(std::max(polynomial.size(), x.polynomial.size()), 0.0);
  for (std::size_t i = 0; i < x.polynomial.size(); ++i) polynomial[i] += x.polynomial[i];
  trim(polynomial);
  if (decaying.size() == 0)
    decaying = x.decaying;
  else if (x.decaying.size() > 0)
    decaying += x.decaying;
  return *this;
}
LayerFunction& LayerFunction::operator-=(const LayerFunction& x) {
  return *this += -1.0 * x;
}
LayerFunction& LayerFunction::operator*=(double factor) {
  for (double& p : polynomial) p *= factor;
  trim(polynomial);
  decaying *= factor;
  return *this;
}
LayerFunction operator+(LayerFunction x, const LayerFunction& y) {
  return x += y;
}
LayerFunction operator-(LayerFunction x, const LayerFunction& y) {
  return x -= y;
}
LayerFunction operator*(double factor, LayerFunction x) {
  return x *= factor;
}

LayerGrid::LayerGrid(const MatrixXd& B, int order) : B_(B), factors_(B) {
  const Eigen::VectorXcd roots = eigenvalues_of(B);
  const double slowest = -roots.real().maxCoeff(), fastest = roots.cwiseAbs().maxCoeff(),
               turning = roots.imag().cwiseAbs().maxCoeff();
  if (!(slowest > 0.0)) throw InputError("the layer does not decay");
  // κ τ − 2 order ln(κ τ) > 72: products of layer terms decay faster than the polynomials in front
  // of them grow.
  double reach = 72.0;
  for (int i = 0; i < 20; ++i) reach = 72.0 + 2.0 * order * std::log(std::max(reach, 1.0));
  const double end = reach / slowest;
  const double longest = std::min(turning > 0.0 ? 6.0 / turning : end, 6.0 / slowest);
  double length = std::min(2.0 / fastest, longest), at = 0.0;
  while (at < end) {
    lengths_.push_back(length);
    at += length;
    length = std::min(1.5 * length, longest);
  }
  const VectorXd x = chebyshev_nodes();
  differentiation_ = differentiation_matrix(x);
  integration_ = MatrixXd::Zero(points, points);
  integration_.bottomRightCorner(points - 1, points - 1) =
      inverse_of(differentiation_.bottomRightCorner(points - 1, points - 1));
  nodes_.resize(panels() * points);
  double left = 0.0;
  const Index N = B.rows();
  for (Index p = 0; p < panels(); ++p) {
    const double h = lengths_[static_cast<std::size_t>(p)];
    nodes_.segment(p * points, points) = (left + 0.5 * h) + (0.5 * h * x).array();
    left += h;
    // (D − B) x = f at all nodes but the first; node by node.
    MatrixXd A = MatrixXd::Zero((points - 1) * N, (points - 1) * N);
    for (Index i = 1; i < points; ++i)
      for (Index j = 1; j < points; ++j) {
        auto block = A.block((i - 1) * N, (j - 1) * N, N, N);
        block.diagonal().setConstant(differentiation_(i, j) * 2.0 / h);
        if (i == j) block -= B;
      }
    collocation_.emplace_back(A);
  }
}

VectorXd LayerGrid::values(const std::vector<double>& polynomial) const {
  VectorXd y = VectorXd::Zero(nodes_.size());
  for (auto p = polynomial.rbegin(); p != polynomial.rend(); ++p)
    y = (y.cwiseProduct(nodes_).array() + *p).matrix();
  return y;
}

LayerFunction LayerGrid::product(const LayerFunction& x, const LayerFunction& y) const {
  LayerFunction z;
  if (x.is_zero() || y.is_zero()) return z;
  if (!x.polynomial.empty() && !y.polynomial.empty()) {
    z.polynomial.assign(x.polynomial.size() + y.polynomial.size() - 1, 0.0);
    for (std::size_t i = 0; i < x.polynomial.size(); ++i)
      for (std::size_t j = 0; j < y.polynomial.size(); ++j)
        z.polynomial[i + j] += x.polynomial[i] * y.polynomial[j];
    trim(z.polynomial);
  }
  const bool of_x = x.decaying.size() > 0, of_y = y.decaying.size() > 0;
  if (!of_x && !of_y) return z;
  z.decaying = VectorXd::Zero(nodes_.size());
  if (of_y && !x.polynomial.empty()) z.decaying += values(x.polynomial).cwiseProduct(y.decaying);
  if (of_x && !y.polynomial.empty()) z.decaying += values(y.polynomial).cwiseProduct(x.decaying);
  if (of_x && of_y) z.decaying += x.decaying.cwiseProduct(y.decaying);
  return z;
}

LayerFunction LayerGrid::quotient(const LayerFunction& x, const LayerFunction& y) const {
  if (y.polynomial.size() > 1)
    throw InputError("a divisor changes with the fast time at the leading order");
  const double limit = y.coefficient(0);
  LayerFunction z = (1.0 / limit) * x;  // the limit of y is not 0, or the result is not finite
  if (y.decaying.size() == 0) return z;
  // p/(a + d) = p/a − (p/a) d/(a + d).
  const VectorXd divisor = y.decaying.array() + limit;
  VectorXd numerator = -values(z.polynomial).cwiseProduct(y.decaying);
  if (x.decaying.size() > 0) numerator += x.decaying;
  z.decaying = numerator.cwiseQuotient(divisor);
  return z;
}

LayerFunction LayerGrid::integral(const LayerFunction& x) const {
  LayerFunction y;
  if (!x.polynomial.empty()) {
    y.polynomial.assign(x.polynomial.size() + 1, 0.0);
    for (std::size_t i = 0; i < x.polynomial.size(); ++i)
      y.polynomial[i + 1] = x.polynomial[i] / static_cast<double>(i + 1);
  }
  if (x.decaying.size() == 0) return y;
  // −∫ from τ to infinity decays; its value at 0 is subtracted.
  y.decaying.resize(nodes_.size());
  double behind = 0.0;
  for (Index p = panels(); p-- > 0;) {
    const double half = 0.5 * lengths_[static_cast<std::size_t>(p)];
    const VectorXd from_left = half * integration_ * x.decaying.segment(p * points, points);
    const double whole = from_left(points - 1);
    y.decaying.segment(p * points, points) = (from_left.array() - whole) + behind;
    behind -= whole;
  }
  return y -= LayerFunction(y.decaying(0));
}

LayerFunction LayerGrid::derivative(const LayerFunction& x) const {
  LayerFunction y;
  for (std::size_t i = 1; i < x.polynomial.size(); ++i)
    y.polynomial.push_back(static_cast<double>(i) * x.polynomial[i]);
  if (x.decaying.size() == 0) return y;
  y.decaying.resize(nodes_.size());
  for (Index p = 0; p < panels(); ++p)
    y.decaying.segment(p * points, points) =
        (2.0 / lengths_[static_cast<std::size_t>(p)]) *
        (differentiation_ * x.decaying.segment(p * points, points));
  return y;
}

double LayerGrid::start(const LayerFunction& x) const {
  return x.coefficient(0) + (x.decaying.size() > 0 ? x.decaying(0) : 0.0);
}

std::vector<LayerFunction> LayerGrid::solution(const VectorXd& x0,
                                               const std::vector<LayerFunction>& f) const {
  const Index N = B_.rows();
  std::vector<LayerFunction> x(static_cast<std::size_t>(N));
  std::size_t degree = 0;
  for (const LayerFunction& one : f) degree = std::max(degree, one.polynomial.size());
  // (i + 1) x_{i+1} = B x_i + f_i, from the highest degree down.
  MatrixXd coefficients = MatrixXd::Zero(N, static_cast<Index>(degree) + 1);
  for (Index i = static_cast<Index>(degree) - 1; i >= 0; --i) {
    VectorXd right = static_cast<double>(i + 1) * coefficients.col(i + 1);
    for (Index j = 0; j < N; ++j)
      right(j) -= f[static_cast<std::size_t>(j)].coefficient(static_cast<int>(i));
    coefficients.col(i) = factors_.solve(right);
  }
  for (Index j = 0; j < N; ++j) {
    LayerFunction& one = x[static_cast<std::size_t>(j)];
    for (Index i = 0; i < static_cast<Index>(degree); ++i)
      one.polynomial.push_back(coefficients(j, i));
    trim(one.polynomial);
  }
  VectorXd left = x0 - coefficients.col(0);
  const bool at_rest = left.isZero(0.0) && std::ranges::all_of(f, [](const LayerFunction& one) {
                         return one.decaying.size() == 0;
                       });
  if (at_rest) return x;
  for (LayerFunction& one : x) one.decaying.resize(nodes_.size());
  for (Index p = 0; p < panels(); ++p) {
    const double scale = 2.0 / lengths_[static_cast<std::size_t>(p)];
    VectorXd right((points - 1) * N);
    for (Index i = 1; i < points; ++i)
      for (Index j = 0; j < N; ++j) {
        const VectorXd& d = f[static_cast<std::size_t>(j)].decaying;
        right((i - 1) * N + j) =
            (d.size() > 0 ? d(p * points + i) : 0.0) - scale * differentiation_(i, 0) * left(j);
      }
    const VectorXd solved = collocation_[static_cast<std::size_t>(p)].solve(right);
    for (Index j = 0; j < N; ++j) {
      VectorXd& d = x[static_cast<std::size_t>(j)].decaying;
      d(p * points) = left(j);
      for (Index i = 1; i < points; ++i) d(p * points + i) = solved((i - 1) * N + j);
    }
    left = solved.tail(N);
  }
  return x;
}

double LayerGrid::decaying_at(const VectorXd& decaying, double tau) const {
  if (decaying.size() == 0 || tau >= end()) return 0.0;
  Index p = 0;
  while (p + 1 < panels() && nodes_((p + 1) * points) <= tau) ++p;
  double above = 0.0, below = 0.0;
  for (Index j = 0; j < points; ++j) {
    const double distance = tau - nodes_(p * points + j);
    if (distance == 0.0) return decaying(p * points + j);
    const double weight = barycentric_weight(j) / distance;
    above += weight * decaying(p * points + j);
    below += weight;
  }
  return above / below;
}

}  // namespace rigidlimit
