#include "rigidlimit/certify/layer_integrals.hpp"

#include <stdexcept>

#include "rigidlimit/certify/lyapunov.hpp"

namespace rigidlimit {

BallMatrix layer_matrix(const BallMatrix& A, const BallMatrix& C, const BallMatrix& D) {
  const Index m = A.rows();
  BallMatrix J = BallMatrix::Zero(2 * m, 2 * m);
  J.topLeftCorner(m, m) = -A * D;
  J.topRightCorner(m, m) = -A * C;
  J.bottomLeftCorner(m, m).setIdentity();
  return J;
}

BallVector range_of_layer(const BallMatrix& J, const BallVector& g, const DecayingNorm& norm) {
  if (!(norm.decay(J).lower() > 0.0))
    throw std::domain_error("the norm of the layer may grow at the start");
  const Index m = g.size() / 2;
  const Ball step = Ball(Ball(0.05) / norm_bound(J)).centre();
  const BallMatrix over_step = exponential(BallMatrix(J * hull(Ball(0), step))),
                   to_end = exponential(BallMatrix(J * step));
  const BallVector c = norm.components().tail(m);
  constexpr double negligible = 1e-3;
  const double wanted = negligible * norm.size(g).upper();
  // x = centre + e: |e|_V does not grow, because the norm decays. The balls of x themselves would.
  constexpr int most = 20000;
  BallVector x = g.unaryExpr([](const Ball&b) { return b.centre(); }), range = g.tail(m);
  Ball error = norm.size(g - x);
  for (int k = 0; k < most && norm.size(x).upper() > wanted; ++k) {
    const BallVector values = (over_step * x).tail(m), next = to_end * x;
    for (Index i = 0; i < m; ++i)
      range(i) = hull(range(i), values(i) + Ball::around_zero(c(i) * error));
    x = next.unaryExpr([](const Ball& b) { return b.centre(); });
    error = (error + norm.size(next - x)).magnitude();
  }
  const Ball rest = norm.size(x) + error;
  for (Index i = 0; i < m; ++i) range(i) = hull(range(i), Ball::around_zero(c(i) * rest));
  return range;
}

BallVector contracted(const BallMatrix& sliding_squared, const BallVector& g, const BallVector& h) {
  const Index m = g.size(), N = sliding_squared.rows() / m;
  BallVector sum = BallVector::Zero(N);
  for (Index j = 0; j < m; ++j)
    for (Index k = 0; k < m; ++k)
      sum += sliding_squared.col(k).segment(j * N, N) * Ball(g(j) * h(k));
  return sum;
}

LayerIntegrals::LayerIntegrals(const PairTapes::Terms& at, const BallMatrix& C, const BallMatrix& D,
                               const Ball& epsilon)
    : bracket(at.bracket),
      sliding_squared(at.sliding_squared),
      delassus(at.delassus),
      sliding_load(at.sliding_load) {
  BallMatrix J = layer_matrix(delassus, C, D);
  J.topLeftCorner(delassus.rows(), delassus.rows()) += sliding_load * epsilon;
  const Index N = bracket.rows(), m = bracket.cols(), size = 2 * m;
  linear = bracket * inverse(J).bottomRows(m);
  const BallMatrix solve = inverse(lyapunov_operator<Ball>(J));
  for (Index i = 0; i < N; ++i) {
    BallMatrix Q = BallMatrix::Zero(size, size);
    for (Index j = 0; j < m; ++j)
      for (Index k = 0; k < m; ++k) Q(j, k) = sliding_squared(i + N * j, k) * Ball(0.5);
    quadratics.push_back(BallVector(solve * BallVector(Q.reshaped())).reshaped(size, size));
  }
}

BallVector LayerIntegrals::quadratic(const BallVector& g, const BallVector& h) const {
  BallVector result(std::ssize(quadratics));
  for (Index i = 0; i < result.size(); ++i)
    result(i) = g.dot(BallVector(quadratics[static_cast<std::size_t>(i)] * h));
  return result;
}

LayerIntegrals LayerIntegrals::magnitudes() const {
  LayerIntegrals result = *this;
  result.linear = rigidlimit::magnitudes(linear);
  for (BallMatrix& H : result.quadratics) H = rigidlimit::magnitudes(H);
  return result;
}

}  // namespace rigidlimit
