#include "rigidlimit/solvers/radau/radau_stages.hpp"

#include <algorithm>
#include <array>

#pragma GCC diagnostic ignored "-Wpsabi"  // of functions that are always inlined

namespace rigidlimit {

StageEquations<double>::StageEquations(const OdeProblem& problem, const MatrixXd* mass)
    : problem_(problem),
      kernels_(stage_kernels()),
      n_(static_cast<std::size_t>(problem.y0.size())),
      states_(n_),
      room_(n_),
      y_stage_(problem.y0.size()) {
  if (mass != nullptr) mass_ = *mass;
}

void StageEquations<double>::resize(Index stages) {
  parts_ = static_cast<std::size_t>((stages + 7) / 8);
  Z_.assign(parts_ * n_, Pack(0.0));
  F_.assign(parts_ * n_, Pack(0.0));
  R_.assign(parts_ * n_, Pack(0.0));
  rates_.resize(y_stage_.size(), stages);
  const RadauTableau<double>& tableau = radau_tableau<double>(static_cast<int>(stages));
  A_.clear();
  c_.clear();
  for (std::size_t p = 0; p < parts_; ++p) {
    for (std::size_t q = 0; q < parts_; ++q)
      A_.push_back(stage_block(tableau.A, static_cast<Index>(8 * p), static_cast<Index>(8 * q)));
    std::array<double, Pack::lanes> c{};
    for (std::size_t k = 0; k < Pack::lanes && static_cast<Index>(8 * p + k) < stages; ++k)
      c[k] = tableau.c(static_cast<Index>(8 * p + k));
    c_.push_back(Pack::load(c.data()));
  }
}

void StageEquations<double>::begin(const RadauCollocation<double>& step) {
  load_stages(step.Z, Z_);
}

void StageEquations<double>::finish(RadauCollocation<double>& step) const {
  store_stages(Z_, step.Z);
}

bool StageEquations<double>::evaluate(const RadauCollocation<double>& step) {
  evaluations_ += rates_.cols();
  if (problem_.rhs.eight()) {
    for (std::size_t p = 0; p < parts_; ++p) {
      for (std::size_t i = 0; i < n_; ++i)
        states_[i] = Pack(step.y0(static_cast<Index>(i))) + Z_[p * n_ + i];
      problem_.rhs.eight()(Pack(step.t0) + Pack(step.h) * c_[p], states_.data(),
                           F_.data() + p * n_);
    }
    return true;  // correct() finds a number that is not finite
  }
  store_stages(Z_, rates_);
  for (Index i = 0; i < rates_.cols(); ++i) {
    y_stage_ = step.y0 + rates_.col(i);
    problem_.rhs(step.t0 + step.tableau->c(i) * step.h, y_stage_, rates_.col(i));
    if (!rates_.col(i).allFinite()) {
      evaluations_ -= rates_.cols() - i - 1;
      return false;
    }
  }
  load_stages(rates_, F_);
  return true;
}

/// R = M Z − h (A ⊗ I) F.
void StageEquations<double>::write_residual(double h) {
  const Pack step(h);
  for (std::size_t p = 0; p < parts_; ++p) {
    const Pack* const Z = Z_.data() + p * n_;
    Pack* const R = R_.data() + p * n_;
    kernels_.multiply(A_[p * parts_], F_.data(), R, n_);
    for (std::size_t q = 1; q < parts_; ++q) {
      kernels_.multiply(A_[p * parts_ + q], F_.data() + q * n_, room_.data(), n_);
      for (std::size_t i = 0; i < n_; ++i) R[i] += room_[i];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      Pack sum = mass_.size() == 0 ? Z[i] : Pack(0.0);
      for (Index k = 0; k < mass_.cols(); ++k)
        if (const double M = mass_(static_cast<Index>(i), k); M != 0.0)
          sum += Pack(M) * Z[static_cast<std::size_t>(k)];
      R[i] = sum - step * R[i];
    }
  }
}

double StageEquations<double>::correct(RadauCollocation<double>& step, RadauNewtonMatrix& matrix,
                                       const VectorXd& weight) {
  write_residual(step.h);
  matrix.correct(R_);
  Pack squares(0.0);
  for (std::size_t k = 0; k < R_.size(); ++k) {
    const Pack scaled = R_[k] * Pack(weight(static_cast<Index>(k % n_)));
    squares += scaled * scaled;
    Z_[k] += R_[k];
  }
  return std::sqrt(sum(squares) / static_cast<double>(rates_.size()));
}

}  // namespace rigidlimit
