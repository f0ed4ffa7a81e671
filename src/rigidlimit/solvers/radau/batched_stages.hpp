// The eight stages of a batched Radau IIA step, and the polynomial through them.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "rigidlimit/core/batched_rate.hpp"

namespace rigidlimit {

/// A matrix that acts on the eight stages of a quantity, by columns.
struct StageMatrix {
  std::array<Pack, Pack::lanes> column;

  StageMatrix() = default;
  /// 8 × 8.
  explicit StageMatrix(const MatrixXd& matrix);
  /// The product with one number per stage.
  Pack times(const Pack& x) const;
};

/// Coefficients of the eight-stage method, computed on the first call and cached.
struct BatchedTableau {
  StageMatrix A;
  StageMatrix to_modes, from_modes;                ///< of A, as in RadauTransform
  std::array<std::complex<double>, 4> eigenvalue;  ///< of A; of each pair, the one in `to_modes`
  Pack c;                                          ///< nodes
  std::array<double, 9> node;                      ///< 0, c₁, …, c₈ = 1
  std::array<double, 9> barycentric;               ///< 1/Π_{k≠j} (node_j − node_k)
  /// u(1) − the polynomial of degree 7 through the other values, from the nine values of u.
  std::array<double, 9> defect;
};
const BatchedTableau& batched_tableau();

/// A step: values at its start and in its stages of x, w and η, and of the integrals, which the
/// iteration ignores.
struct BatchedStep {
  double t0 = 0.0, h = 0.0;
  std::vector<double> start;  ///< N_x + 2 m and the integrals
  std::vector<Pack> stages;   ///< likewise

  explicit BatchedStep(Index size)
      : start(static_cast<std::size_t>(size)), stages(static_cast<std::size_t>(size)) {}

  /// Component i of the polynomial at t₀ + θ h.
  double at(double theta, std::size_t i) const;

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
  /// below that of the goal. Their norm is the root mean square weighted by `weight` (N_x + m).
  BatchedIteration solve(BatchedStep& step, const std::vector<double>& weight,
                         const BatchedGoal& goal, double expected_contraction);

 private:
  void linearise(const BatchedStep& step);
  void write_deflections(BatchedStep& step) const;
  Pack contact_force(std::size_t i, const Pack* eta, const Pack* w) const;
  void evaluate(BatchedStep& step);
  double correct(BatchedStep& step, const std::vector<double>& weight);
  void correct_sliding(BatchedStep& step, const std::vector<double>& weight, Pack& squares);
  void solve_modes();

  using Complex = std::complex<double>;

  const BatchedRate& rate_;
  const BatchedTableau& tableau_;
  std::size_t slow_, fast_;
  BatchedRate::Chart chart_ = nullptr;
  MatrixXd P_;
  bool coupled_ = false;  ///< P_x is not zero
  std::vector<double> middle_;
  std::array<Eigen::MatrixXcd, 4> inverse_;  ///< of the m × m systems, one per pair of modes
  Eigen::MatrixXcd room_;
  std::vector<Pack> lambda_, f_, change_, push_;
  std::vector<std::array<double, Pack::lanes>> in_, out_;  ///< in the coordinates of the modes
};

}  // namespace rigidlimit
