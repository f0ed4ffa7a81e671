// The eight stages of a batched Radau IIA step, and the polynomial through them.
#pragma once

#include <array>
#include <vector>

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/solvers/radau/stage_kernels.hpp"

namespace rigidlimit {

/// Coefficients of the eight-stage method, computed on the first call and cached.
struct BatchedTableau {
  StageMatrix A;
  StageMatrix to_modes, from_modes;   ///< of A, as in RadauTransform; real parts before imaginary
  Pack eigenvalue;                    ///< of A; of each pair, the one in `to_modes`
  Pack c;                             ///< nodes
  std::array<double, 9> node;         ///< 0, c₁, …, c₈ = 1
  std::array<double, 9> barycentric;  ///< 1/Π_{k≠j} (node_j − node_k)
  /// u(1) − the polynomial of degree 7 through the other values, from the values of u at the start
  /// and in the stages.
  double defect_of_start;
  Pack defect_of_stages;
};
const BatchedTableau& batched_tableau();

/// Values at θ of the Lagrange polynomials of the nine nodes, for numbers and packs: with products
/// only, stable outside [0, 1] too, where a step's polynomial predicts the next one.
template <class Number>
std::array<Number, 9> lagrange_basis(const Number& theta) {
  const BatchedTableau& tableau = batched_tableau();
  std::array<Number, 9> basis;  // first Π_{k<j} (θ − node_k), then times the rest
  Number product(1.0);
  for (std::size_t j = 0; j < basis.size(); ++j) {
    basis[j] = product * Number(tableau.barycentric[j]);
    product *= theta - Number(tableau.node[j]);
  }
  product = 1.0;
  for (std::size_t j = basis.size(); j-- > 0;) {
    basis[j] *= product;
    product *= theta - Number(tableau.node[j]);
  }
  return basis;
}

/// A step: values at its start and in its stages of x, w and η, and of the integrals, which the
/// iteration ignores.
struct BatchedStep {
  double t0 = 0.0, h = 0.0;
  std::vector<double> start;  ///< N_x + 2 m and the integrals
  std::vector<Pack> stages;   ///< likewise

  explicit BatchedStep(Index size)
      : start(static_cast<std::size_t>(size)), stages(static_cast<std::size_t>(size)) {}

  /// Writes the first `rows` components of the polynomial at the eight instants t₀ + θ h.
  void at(const Pack& theta, std::size_t rows, Pack* values) const;

  /// In other coordinates, y_new = change · y.
  void transform(const MatrixXd& change);
};

/// Target of the stage iteration.
struct BatchedGoal {
  double error = 0.01;   ///< bound on the remaining error, in units of the tolerance
  int most = 20;         ///< maximum of batches; beyond it a shorter step is cheaper
  bool patient = false;  ///< continues although the corrections do not shrink yet
};

/// Result of the iteration.
struct BatchedIteration {
  bool converged = false;
  bool finite = true;
  int batches = 0;
  double contraction = 1.0;  ///< ratio of the last two corrections; 1: unknown
};

/// The iteration described in radau_batched.hpp. All memory is allocated at construction.
class BatchedStages {
 public:
  explicit BatchedStages(const BatchedRate& rate);

  /// Iterates from the values in step.stages (η is ignored) until the corrections predict an error
  /// below that of the goal. Their norm is the root mean square weighted by `weight` (N_x + 2 m):
  /// λ = C η + D w needs η = η₀ + h κ A w as precise as x, and κ may be 10¹⁰.
  BatchedIteration solve(BatchedStep& step, const std::vector<double>& weight,
                         const BatchedGoal& goal, double expected_contraction);

 private:
  void linearise(const BatchedStep& step);
  void write_deflections(const BatchedStep& step, Pack* eta) const;
  void evaluate(BatchedStep& step);
  /// Weighted sums of squares of a correction.
  struct Squares {
    double velocities = 0.0;   ///< of x and w
    double deflections = 0.0;  ///< of η
  };
  Squares correct(BatchedStep& step, const std::vector<double>& weight);
  Squares correct_sliding(BatchedStep& step, const std::vector<double>& weight);

  const BatchedRate& rate_;
  const BatchedTableau& tableau_;
  const StageKernels& kernels_;
  std::size_t slow_, fast_;
  BatchedRate::Chart chart_ = nullptr;
  MatrixXd P_, response_to_damping_, response_to_stiffness_;
  bool coupled_ = false;  ///< P_x is not zero
  std::vector<double> middle_;
  std::array<std::vector<Pack>, 2> matrices_;  ///< m × m in the modes: workspace, inverse
  std::vector<Pack> f_, updated_;              ///< N_x + m
  std::vector<Pack> lambda_, change_, push_;   ///< m
};

}  // namespace rigidlimit
