#include "rigidlimit/solvers/rosenbrock/phi_functions.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit {
namespace {

double factorial_of(int k) {
  return std::tgamma(k + 1.0);
}

/// 2^−13 · 4!/17! = 8e-18: the first omitted term of φ_4 at ‖Z‖ = 1/2; smaller for φ_k, k > 4. The
/// lower functions follow from it without loss.
constexpr int taylor_degree = 13;

/// At ‖Z‖₁ ≤ 1/2.
void taylor(const MatrixXd& Z, int most, PhiFunctions& functions) {
  const Index n = Z.rows();
  functions.phi.resize(static_cast<std::size_t>(most));
  // The same remainder for every highest function: one below φ_4 needs more terms.
  const int degree = taylor_degree + std::max(0, 4 - most);
  MatrixXd P = MatrixXd::Identity(n, n) / factorial_of(most + degree);
  for (int j = degree - 1; j >= 0; --j) {
    P = (Z * P).eval();
    P.diagonal().array() += 1.0 / factorial_of(most + j);
  }
  for (int k = most; k >= 1; --k) {
    functions.phi[static_cast<std::size_t>(k - 1)] = P;
    P = (Z * P).eval();
    if (k > 1) P.diagonal().array() += 1.0 / factorial_of(k - 1);
  }
  functions.exponential_minus_one = P;
}

}  // namespace

VectorXd balancing_scales(const MatrixXd& A) {
  const Index n = A.rows();
  VectorXd d = VectorXd::Ones(n);
  MatrixXd B = A.cwiseAbs();
  B.diagonal().setZero();
  bool changed = true;
  for (int sweep = 0; sweep < 20 && changed; ++sweep) {  // 3 to 5 suffice; 20: always ends
    changed = false;
    for (Index i = 0; i < n; ++i) {
      const double column = B.col(i).sum(), row = B.row(i).sum();
      if (!(column > 0.0) || !(row > 0.0) || !std::isfinite(column + row)) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * f + row / f >= 0.95 * (column + row)) continue;
      changed = true;
      d(i) *= f;
      B.col(i) *= f;
      B.row(i) /= f;
    }
  }
  return d;
}

void double_argument(PhiFunctions& functions) {
  MatrixXd& X = functions.exponential_minus_one;
  for (int k = static_cast<int>(functions.phi.size()); k >= 1; --k) {
    MatrixXd& P = functions.phi[static_cast<std::size_t>(k - 1)];
    P = (X * P + 2.0 * P).eval();  // e^A φ_k, and the term j = k
    for (int j = 1; j < k; ++j) P += functions(j) / factorial_of(k - j);
    P *= std::exp2(-k);
  }
  X = (X * X + 2.0 * X).eval();
}

bool phi_functions(const MatrixXd& A, int most, PhiFunctions& functions) {
  if (!A.allFinite()) return false;
  const VectorXd d = balancing_scales(A);
  MatrixXd Z = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  const double norm = Z.cwiseAbs().colwise().sum().maxCoeff();
  if (!std::isfinite(norm)) return false;
  const int doublings = norm > 0.5 ? static_cast<int>(std::ceil(std::log2(norm))) + 1 : 0;
  Z *= std::exp2(-doublings);
  taylor(Z, most, functions);
  for (int k = 0; k < doublings; ++k) double_argument(functions);
  const auto restore = [&](MatrixXd& M) {
    M = (d.asDiagonal() * M * d.cwiseInverse().asDiagonal()).eval();
  };
  restore(functions.exponential_minus_one);
  for (MatrixXd& P : functions.phi) restore(P);
  return true;
}

}  // namespace rigidlimit
