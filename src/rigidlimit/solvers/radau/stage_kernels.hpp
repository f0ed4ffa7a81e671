// The arithmetic of eight stages side by side, for the vector instructions of the processor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"

namespace rigidlimit {

/// A matrix that acts on the eight stages of a quantity, by columns.
struct StageMatrix {
  std::array<Pack, Pack::lanes> column;

  StageMatrix() = default;
  /// 8 × 8.
  explicit StageMatrix(const MatrixXd& matrix);
};

/// Kernels on rows: row i holds component i of a state in the eight stages. Their results are
/// bit-identical for all instruction sets: no fused operations, and sums in one order.
///
/// In the coordinates of the modes a row holds four complex numbers, the real parts before the
/// imaginary ones.
struct StageKernels {
  /// y_i = M x_i.
  void (*multiply)(const StageMatrix& M, const Pack* x, Pack* y, std::size_t rows);

  /// y_i = a start_i + b (M x_i), with a and b by stage.
  void (*combine)(const StageMatrix& M, const Pack& a, const double* start, const Pack& b,
                  const Pack* x, Pack* y, std::size_t rows);

  /// y_i = Σ_j (C_ij x_j + D_ij z_j); C and D are m × m by columns.
  void (*force)(const double* C, const double* D, const Pack* x, const Pack* z, Pack* y,
                std::size_t m);

  /// y_i −= Σ_j P_ij x_j; P is rows × m by columns with the stride `outer`.
  void (*subtract)(const double* P, std::size_t outer, const Pack* x, Pack* y, std::size_t rows,
                   std::size_t m);

  /// y_i becomes `updated`_i. Returns Σ ((updated_i − y_i) weight_i)² over rows and stages.
  double (*update)(const Pack* updated, const double* weight, Pack* y, std::size_t rows);

  /// For each of the four modes the inverse of X = I + d B + d² κ K, d the complex number of the
  /// mode in `damper`; B and K are m × m by columns. Gauss-Jordan elimination without pivoting,
  /// because X is I plus damping and stiffness terms, with eigenvalues far from zero. X (m × m by
  /// rows) is workspace.
  void (*invert)(const double* B, const double* K, const Pack& damper, double kappa, Pack* X,
                 Pack* inverse, std::size_t m);

  /// y_i = Σ_j inverse_ij x_j in the modes.
  void (*apply)(const Pack* inverse, const Pack* x, Pack* y, std::size_t m);

  /// LU factors of four complex matrices X (N × N by rows, in the modes), in place: the multipliers
  /// of L below the diagonal, and the reciprocals of the pivots on it. The rows are exchanged for
  /// all four at once, row k with row order[k] ≥ k: the pivot has the largest root mean square of
  /// the four. false: a matrix is singular or not finite.
  bool (*factorise)(Pack* X, std::size_t N, std::uint32_t* order);

  /// x (N rows, in the modes) becomes X⁻¹ x.
  void (*solve)(const Pack* factors, std::size_t N, const std::uint32_t* order, Pack* x);

  /// Σ_i ((d₀ start_i + Σ_stages d x_i) weight_i)².
  double (*defect)(double d0, const Pack& d, const double* start, const Pack* x,
                   const double* weight, std::size_t rows);
};

/// The kernels for these instructions, or for the widest that the processor has.
const StageKernels& stage_kernels(VectorInstructions instructions = best_vector_instructions());

}  // namespace rigidlimit
