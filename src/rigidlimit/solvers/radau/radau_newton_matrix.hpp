// The linear algebra of a Radau IIA step, in double for all real numbers of the problem.
#pragma once

#include <complex>
#include <vector>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/solvers/radau/radau_coefficients.hpp"

namespace rigidlimit {

/// The indices below n that are not in `components`, increasing.
std::vector<Index> other_components(Index n, const std::vector<Index>& components);

/// I ⊗ M − h A ⊗ J in factors. In the coordinates of RadauTransform the N s equations decouple into
/// one real and (s − 1)/2 complex systems with (λ/h) M − J (Hairer & Wanner II, IV.8). If J has
/// nonzero columns only in a block and M = I, only the rows of the block are transformed. With the
/// coupling K, the other rows of J there, the corrections Δ_f (k × s) and the residuals R_s (N − k)
/// × s determine the others: Δ_s = −R_s + h K Δ_f Aᵀ.
class RadauNewtonMatrix {
 public:
  /// `mass`: M, N × N, or nullptr for I. It must outlive this object.
  RadauNewtonMatrix(Index n, const MatrixXd* mass) : n_(n), mass_(mass) {}

  /// Sets J = dfdy, N × N.
  void use_full(const MatrixXd& dfdy);

  /// Sets J to dfdy (k × k) in the rows and columns `components`, `coupling` in the rows `others`
  /// of these columns (both empty: zero), else zero. Only if M = I.
  void use_block(const std::vector<Index>& components, const MatrixXd& dfdy,
                 const std::vector<Index>& others, const MatrixXd& coupling);

  /// Factorises for the step h. false: a matrix is singular or not finite.
  bool factorise(const RadauTransform& transform, double h);

  /// In: the stages' residuals M Z − h (A ⊗ I) F, N × s. Out: the correction −(I ⊗ M − h A ⊗ J)⁻¹
  /// times them.
  void correct(MatrixXd& residual);

  /// x becomes ((γ/h) M − J)⁻¹ x.
  void filter(VectorXd& x) const;

  /// Number of solves with a factorised matrix so far, real or complex.
  long solves() const { return solves_; }

 private:
  /// (λ/h) M − J for one pair. `scaled_inverse` is −(λ/h) (…)⁻¹, for blocks of size 2.
  struct Pair {
    std::complex<double> lambda_over_h;
    LuFactors<std::complex<double>> lu;
    Eigen::Matrix2cd scaled_inverse;
  };

  /// Nonzero row of the coupling.
  struct Coupled {
    Index row, component;
  };

  void resize(Index k, Index stages);
  void solve_pair(const Pair& pair, Index column);
  void add_coupling(MatrixXd& correction);

  Index n_;
  const MatrixXd* mass_;
  bool full_ = true;
  std::vector<Index> components_;
  std::vector<Coupled> coupled_;
  MatrixXd J_, mass_block_, coupling_;
  const RadauTransform* transform_ = nullptr;
  double h_ = 0.0, gamma_over_h_ = 0.0;
  std::vector<Pair> pairs_;
  LuFactors<double> real_lu_;
  MatrixXd real_matrix_;
  Eigen::MatrixXcd complex_matrix_;
  mutable Eigen::VectorXcd complex_in_, complex_out_;
  mutable VectorXd real_in_, real_out_;
  MatrixXd gathered_, modes_;  ///< k × s
  mutable long solves_ = 0;
  Eigen::RowVectorXd felt_rate_;  ///< s: change of a slow rate by the fast corrections
};

}  // namespace rigidlimit
