// The linear algebra of a Radau IIA step, in double for all real numbers of the problem.
#pragma once

#include <cstdint>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/solvers/radau/radau_coefficients.hpp"
#include "rigidlimit/solvers/radau/stage_kernels.hpp"

namespace rigidlimit {

/// The 8 × 8 block of X (zero beyond its entries) with the first entry (row, column).
StageMatrix stage_block(const MatrixXd& X, Index row, Index column);

/// A quantity in s stages, N × s, in packs: stages 8 p, …, 8 p + 7 of component i in row p N + i.
/// Lanes beyond the last stage are zero.
void load_stages(const MatrixXd& columns, std::vector<Pack>& rows);
void store_stages(const std::vector<Pack>& rows, MatrixXd& columns);

/// I ⊗ M − h A ⊗ J in factors. In the coordinates of RadauTransform the N s equations decouple into
/// one real and (s − 1)/2 complex systems with (λ/h) M − J (Hairer & Wanner II, IV.8). Four of
/// these modes, the real one included, are factorised and solved side by side.
class RadauNewtonMatrix {
 public:
  /// `mass`: M, N × N, or nullptr for I. It must outlive this object.
  RadauNewtonMatrix(Index n, const MatrixXd* mass);

  /// Sets J = dfdy, N × N.
  void use(const MatrixXd& dfdy) { J_ = dfdy; }

  /// Factorises for the step h. false: a matrix is singular or not finite.
  bool factorise(const RadauTransform& transform, double h);

  /// In: the stages' residuals M Z − h (A ⊗ I) F, N × s. Out: the correction −(I ⊗ M − h A ⊗ J)⁻¹
  /// times them.
  void correct(MatrixXd& residual);
  /// The same in packs, as load_stages() arranges them.
  void correct(std::vector<Pack>& residual);

  /// x becomes ((γ/h) M − J)⁻¹ x.
  void filter(VectorXd& x) const;

  /// Number of solves with a factorised matrix so far, real or complex.
  long solves() const { return solves_; }

 private:
  /// Four modes: λ, their factors, and the parts of the transforms between them and the stages,
  /// by eight stages. The first mode of the first group is the real one.
  struct Group {
    Pack lambda;
    std::vector<StageMatrix> to_modes;  ///< times −λ
    std::vector<StageMatrix> from_modes;
    std::vector<Pack> factors;  ///< N × N by rows
    std::vector<std::uint32_t> order;
    std::vector<Pack> modes;  ///< N
  };

  void take_transform(const RadauTransform& transform);

  std::size_t n_;
  const StageKernels& kernels_;
  MatrixXd mass_, J_;
  const RadauTransform* transform_ = nullptr;
  double h_ = 0.0;
  std::vector<Group> groups_;
  std::vector<Pack> stages_;        ///< workspace of corrections in a matrix
  mutable std::vector<Pack> room_;  ///< N
  mutable long solves_ = 0;
};

}  // namespace rigidlimit
