#include "rigidlimit/asymptotics/layer_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

/// Nodes of a panel: the least P with 2.18^P/P! below the round-off of T, 24 in double and 40 in
/// Quad. This is the interpolation error of exp(a x) on [−1, 1] at a = 4.36.
template <class T>
constexpr Index points = [] {
  Index P = 0;
  double error = 1.0, round_off = 1.0;
  for (int bit = 1; bit < std::numeric_limits<T>::digits; ++bit) round_off *= 0.5;
  while (error > round_off) error *= 2.18 / static_cast<double>(++P);
  return P;
}();

/// Chebyshev nodes of the second kind from −1 to 1.
template <class T>
VectorX<T> chebyshev_nodes() {
  using std::acos, std::cos;
  const T pi = acos(T(-1));
  const Index P = points<T>;
  VectorX<T> x(P);
  for (Index j = 0; j < P; ++j) x(j) = -cos(pi * static_cast<T>(j) / static_cast<T>(P - 1));
  return x;
}

template <class T>
T barycentric_weight(Index j) {
  return T(j % 2 == 0 ? 1.0 : -1.0) * T(j == 0 || j == points<T> - 1 ? 0.5 : 1.0);
}

/// Derivatives at the nodes of the polynomial through values there.
template <class T>
MatrixX<T> differentiation_matrix(const VectorX<T>& x) {
  const Index P = x.size();
  MatrixX<T> D = MatrixX<T>::Zero(P, P);
  for (Index i = 0; i < P; ++i) {
    for (Index j = 0; j < P; ++j)
      if (i != j) D(i, j) = barycentric_weight<T>(j) / barycentric_weight<T>(i) / (x(i) - x(j));
    D(i, i) = -D.row(i).sum();  // of a constant: 0
  }
  return D;
}

template <class T>
void trim(std::vector<T>& polynomial) {
  while (!polynomial.empty() && polynomial.back() == T(0)) polynomial.pop_back();
}

}  // namespace

template <class T>
LayerFunction<T>& LayerFunction<T>::operator+=(const LayerFunction& x) {
  polynomial.resize(std::max(polynomial.size(), x.polynomial.size()), T(0));
  for (std::size_t i = 0; i < x.polynomial.size(); ++i) polynomial[i] += x.polynomial[i];
  trim(polynomial);
  if (decaying.size() == 0)
    decaying = x.decaying;
  else if (x.decaying.size() > 0)
    decaying += x.decaying;
  return *this;
}
template <class T>
LayerFunction<T>& LayerFunction<T>::operator-=(const LayerFunction& x) {
  return *this += T(-1) * x;
}
template <class T>
LayerFunction<T>& LayerFunction<T>::operator*=(const T& factor) {
  for (T& p : polynomial) p *= factor;
  trim(polynomial);
  decaying *= factor;
  return *this;
}
template <class T>
LayerGrid<T>::LayerGrid(const MatrixX<T>& B, const Eigen::VectorXcd& roots, int order) : B_(B) {
  slowest_rate_ = -roots.real().maxCoeff();
  const double slowest = slowest_rate_, fastest = roots.cwiseAbs().maxCoeff(),
               turning = roots.imag().cwiseAbs().maxCoeff();
  if (!(slowest > 0.0))
    throw InputError(
        "the layer does not decay: its contact is undamped, or two of its rows almost coincide");
  factors_.compute(B);
  // κ τ − 2 order ln(κ τ) > −2 ln(round-off), 72 in double: products of layer terms decay faster
  // than the polynomials in front of them grow.
  const double least = -2.0 * std::log(static_cast<double>(std::numeric_limits<T>::epsilon()));
  double reach = least;
  for (int i = 0; i < 20; ++i) reach = least + 2.0 * order * std::log(std::max(reach, 1.0));
  const double end = reach / slowest;
  const double longest = std::min(turning > 0.0 ? 6.0 / turning : end, 6.0 / slowest);
  // 4000 panels are 1 MB for each function of a term, of which there are some hundred.
  constexpr double most_panels = 4000.0;
  if (!(end / longest <= most_panels))
    throw InputError(fmt::format(
        "the layer needs {:.3g} panels, more than {:.0f}, for an expansion: its contact is hardly "
        "damped (an expansion needs ε ≪ ζ²), or two of its rows almost coincide",
        end / longest, most_panels));
  double length = std::min(2.0 / fastest, longest), at = 0.0;
  while (at < end) {
    lengths_.emplace_back(length);
    at += length;
    length = std::min(1.5 * length, longest);
  }
  const Index P = points<T>;
  const VectorX<T> x = chebyshev_nodes<T>();
  differentiation_ = differentiation_matrix(x);
  integration_ = MatrixX<T>::Zero(P, P);
  integration_.bottomRightCorner(P - 1, P - 1) =
      small_inverse<T>(differentiation_.bottomRightCorner(P - 1, P - 1));
  nodes_.resize(panels() * P);
  T left(0);
  const Index N = B.rows();
  for (Index p = 0; p < panels(); ++p) {
    const T h = lengths_[static_cast<std::size_t>(p)];
    nodes_.segment(p * P, P) = (T(left + h / 2) + (T(h / 2) * x).array()).matrix();
    left += h;
    if (p > 0 && h == lengths_[static_cast<std::size_t>(p) - 1]) {
      length_number_.push_back(collocation_.size() - 1);
      continue;
    }
    // (D − B) x = f at all nodes but the first; node by node.
    MatrixX<T> A = MatrixX<T>::Zero((P - 1) * N, (P - 1) * N);
    for (Index i = 1; i < P; ++i)
      for (Index j = 1; j < P; ++j) {
        auto block = A.block((i - 1) * N, (j - 1) * N, N, N);
        block.diagonal().setConstant(T(differentiation_(i, j) * 2 / h));
        if (i == j) block -= B;
      }
    length_number_.push_back(collocation_.size());
    collocation_.emplace_back().compute(A);
  }
}

template <class T>
VectorX<T> LayerGrid<T>::values(const std::vector<T>& polynomial) const {
  VectorX<T> y = VectorX<T>::Zero(nodes_.size());
  for (auto p = polynomial.rbegin(); p != polynomial.rend(); ++p)
    y = (y.cwiseProduct(nodes_).array() + *p).matrix();
  return y;
}

template <class T>
LayerFunction<T> LayerGrid<T>::product(const Function& x, const Function& y) const {
  Function z;
  if (x.is_zero() || y.is_zero()) return z;
  if (!x.polynomial.empty() && !y.polynomial.empty()) {
    z.polynomial.assign(x.polynomial.size() + y.polynomial.size() - 1, T(0));
    for (std::size_t i = 0; i < x.polynomial.size(); ++i)
      for (std::size_t j = 0; j < y.polynomial.size(); ++j)
        z.polynomial[i + j] += x.polynomial[i] * y.polynomial[j];
    trim(z.polynomial);
  }
  const bool of_x = x.decaying.size() > 0, of_y = y.decaying.size() > 0;
  if (!of_x && !of_y) return z;
  z.decaying = VectorX<T>::Zero(nodes_.size());
  if (of_y && !x.polynomial.empty()) z.decaying += values(x.polynomial).cwiseProduct(y.decaying);
  if (of_x && !y.polynomial.empty()) z.decaying += values(y.polynomial).cwiseProduct(x.decaying);
  if (of_x && of_y) z.decaying += x.decaying.cwiseProduct(y.decaying);
  return z;
}

template <class T>
LayerFunction<T> LayerGrid<T>::quotient(const Function& x, const Function& y) const {
  if (y.polynomial.size() > 1)
    throw InputError("a divisor changes with the fast time at the leading order");
  const T limit = y.coefficient(0);
  Function z = T(1 / limit) * x;  // the limit of y is not 0, or the result is not finite
  if (y.decaying.size() == 0) return z;
  // p/(a + d) = p/a − (p/a) d/(a + d).
  const VectorX<T> divisor = y.decaying.array() + limit;
  VectorX<T> numerator = -values(z.polynomial).cwiseProduct(y.decaying);
  if (x.decaying.size() > 0) numerator += x.decaying;
  z.decaying = numerator.cwiseQuotient(divisor);
  return z;
}

template <class T>
LayerFunction<T> LayerGrid<T>::integral(const Function& x) const {
  Function y;
  if (!x.polynomial.empty()) {
    y.polynomial.assign(x.polynomial.size() + 1, T(0));
    for (std::size_t i = 0; i < x.polynomial.size(); ++i)
      y.polynomial[i + 1] = x.polynomial[i] / T(i + 1);
  }
  if (x.decaying.size() == 0) return y;
  // −∫ from τ to infinity decays; its value at 0 is subtracted.
  y.decaying.resize(nodes_.size());
  T behind(0);
  for (Index p = panels(); p-- > 0;) {
    const T half = lengths_[static_cast<std::size_t>(p)] / 2;
    const VectorX<T> from_left = half * integration_ * x.decaying.segment(p * points<T>, points<T>);
    const T& whole = from_left(points<T> - 1);
    y.decaying.segment(p * points<T>, points<T>) = (from_left.array() - whole) + behind;
    behind -= whole;
  }
  return y -= Function(y.decaying(0));
}

template <class T>
LayerFunction<T> LayerGrid<T>::derivative(const Function& x) const {
  Function y;
  for (std::size_t i = 1; i < x.polynomial.size(); ++i)
    y.polynomial.push_back(T(i) * x.polynomial[i]);
  if (x.decaying.size() == 0) return y;
  y.decaying.resize(nodes_.size());
  for (Index p = 0; p < panels(); ++p)
    y.decaying.segment(p * points<T>, points<T>) =
        T(2 / lengths_[static_cast<std::size_t>(p)]) *
        (differentiation_ * x.decaying.segment(p * points<T>, points<T>));
  return y;
}

template <class T>
T LayerGrid<T>::start(const Function& x) const {
  return x.coefficient(0) + (x.decaying.size() > 0 ? x.decaying(0) : T(0));
}

template <class T>
std::vector<LayerFunction<T>> LayerGrid<T>::solution(const VectorX<T>& x0,
                                                     const std::vector<Function>& f) const {
  const Index N = B_.rows();
  std::vector<Function> x(static_cast<std::size_t>(N));
  std::size_t degree = 0;
  for (const Function& one : f) degree = std::max(degree, one.polynomial.size());
  // (i + 1) x_{i+1} = B x_i + f_i, from the highest degree down.
  MatrixX<T> coefficients = MatrixX<T>::Zero(N, static_cast<Index>(degree) + 1);
  for (Index i = static_cast<Index>(degree) - 1; i >= 0; --i) {
    VectorX<T> right = T(i + 1) * coefficients.col(i + 1);
    for (Index j = 0; j < N; ++j)
      right(j) -= f[static_cast<std::size_t>(j)].coefficient(static_cast<int>(i));
    factors_.solve_in_place(right);
    coefficients.col(i) = right;
  }
  for (Index j = 0; j < N; ++j) {
    Function& one = x[static_cast<std::size_t>(j)];
    for (Index i = 0; i < static_cast<Index>(degree); ++i)
      one.polynomial.push_back(coefficients(j, i));
    trim(one.polynomial);
  }
  VectorX<T> left = x0 - coefficients.col(0);
  const bool at_rest = left.isZero(T(0)) && std::ranges::all_of(f, [](const Function& one) {
                         return one.decaying.size() == 0;
                       });
  if (at_rest) return x;
  for (Function& one : x) one.decaying.resize(nodes_.size());
  for (Index p = 0; p < panels(); ++p) {
    const T scale = 2 / lengths_[static_cast<std::size_t>(p)];
    VectorX<T> right((points<T> - 1) * N);
    for (Index i = 1; i < points<T>; ++i)
      for (Index j = 0; j < N; ++j) {
        const VectorX<T>& d = f[static_cast<std::size_t>(j)].decaying;
        right((i - 1) * N + j) =
            (d.size() > 0 ? d(p * points<T> + i) : T(0)) - scale * differentiation_(i, 0) * left(j);
      }
    collocation_[length_number_[static_cast<std::size_t>(p)]].solve_in_place(right);
    for (Index j = 0; j < N; ++j) {
      VectorX<T>& d = x[static_cast<std::size_t>(j)].decaying;
      d(p * points<T>) = left(j);
      for (Index i = 1; i < points<T>; ++i) d(p * points<T> + i) = right((i - 1) * N + j);
    }
    left = right.tail(N);
  }
  return x;
}

template <class T>
T LayerGrid<T>::decaying_at(const VectorX<T>& decaying, const T& tau) const {
  if (decaying.size() == 0 || tau >= end()) return T(0);
  Index p = 0;
  while (p + 1 < panels() && nodes_((p + 1) * points<T>) <= tau) ++p;
  T above(0), below(0);
  for (Index j = 0; j < points<T>; ++j) {
    const T distance = tau - nodes_(p * points<T> + j);
    if (distance == T(0)) return decaying(p * points<T> + j);
    const T weight = barycentric_weight<T>(j) / distance;
    above += weight * decaying(p * points<T> + j);
    below += weight;
  }
  return above / below;
}

template struct LayerFunction<double>;
template struct LayerFunction<Quad>;
template class LayerGrid<double>;
template class LayerGrid<Quad>;

}  // namespace rigidlimit
