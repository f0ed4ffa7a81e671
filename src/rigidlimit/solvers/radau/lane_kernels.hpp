// The arithmetic of the stages of eight problems side by side, for the vector instructions of the
// processor.
#pragma once

#include <cstddef>

#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"

namespace rigidlimit {

/// Rows of a quantity in the eight stages of eight problems: row i of stage j is first[j stride +
/// i], a pack with one lane for each problem.
template <class Number>
struct StageRows {
  Number* first;
  std::size_t stride;
};

/// Kernels on such rows; their results are bit-identical for all instruction sets: no fused
/// operations, and sums in one order. A matrix on the stages is 8 × 8 by rows.
///
/// In the coordinates of the modes (BatchedTableau) the stages 0 to 3 hold the real parts of four
/// complex numbers, and 4 to 7 the imaginary ones.
struct LaneKernels {
  /// y_ji = Σ_k M_jk x_ki for the first `rows` rows.
  void (*mix)(const double* M, StageRows<const Pack> x, StageRows<Pack> y, std::size_t rows);

  /// y_ji = start_i + h Σ_k M_jk x_ki, with h by problem.
  void (*integrate)(const double* M, const Pack* start, const Pack& h, StageRows<const Pack> x,
                    StageRows<Pack> y, std::size_t rows);

  /// y_i = Σ_j (C_ij x_j + D_ij z_j); C and D are m × m by columns.
  void (*force)(const Pack* C, const Pack* D, const Pack* x, const Pack* z, Pack* y, std::size_t m);

  /// y_i −= Σ_j P_ij x_j; P is rows × m by columns with the stride `outer`.
  void (*subtract)(const Pack* P, std::size_t outer, const Pack* x, Pack* y, std::size_t rows,
                   std::size_t m);

  /// y becomes `updated`. Adds Σ ((updated − y) weight)² over rows and stages to `squares`.
  void (*update)(StageRows<const Pack> updated, const Pack* weight, StageRows<Pack> y,
                 std::size_t rows, Pack& squares);

  /// For each of four modes the inverse of X = I + d B + d² κ K, d = h a the complex number of the
  /// mode; B and K are m × m by columns. Gauss-Jordan elimination without pivoting, because X is I
  /// plus damping and stiffness terms. Results by mode and rows, real parts before imaginary ones
  /// (2 m² packs to a mode); X (2 m²) is workspace.
  void (*invert)(const Pack* B, const Pack* K, const double* damper, const Pack& kappa, Pack* X,
                 Pack* inverse, std::size_t m);
  /// y_i = Σ_j inverse_ij x_j in the modes.
  void (*apply)(const Pack* inverse, StageRows<const Pack> x, StageRows<Pack> y, std::size_t m);

  /// y_i = Σ_k factors_k x_ki of `points` states x.
  void (*weigh)(const double* factors, std::size_t points, StageRows<const Pack> x, Pack* y,
                std::size_t rows);
};

/// The kernels for these instructions, or for the widest that the processor has.
const LaneKernels& lane_kernels(VectorInstructions instructions = best_vector_instructions());

}  // namespace rigidlimit
