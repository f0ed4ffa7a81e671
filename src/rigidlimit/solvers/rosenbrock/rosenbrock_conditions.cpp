#include "rigidlimit/solvers/rosenbrock/rosenbrock_conditions.hpp"

#include <cmath>
#include <cstddef>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {
namespace {

/// Adds to `made` every tree with these `branches` and further ones of `left` vertices in total.
/// The further branches start at tree number `first` of size `size`, so that each multiset occurs
/// once.
void complete(std::vector<RootedTree>& branches, int left, int size, std::size_t first,
              std::vector<RootedTree>& made) {
  if (left == 0) {
    made.push_back({branches});
    return;
  }
  for (; size <= left; ++size, first = 0) {
    const std::vector<RootedTree> candidates = rooted_trees(size);
    for (std::size_t k = first; k < candidates.size(); ++k) {
      branches.push_back(candidates[k]);
      complete(branches, left - size, size, k, made);
      branches.pop_back();
    }
  }
}

int vertices(const RootedTree& tree) {
  int count = 1;
  for (const RootedTree& branch : tree.branches) count += vertices(branch);
  return count;
}

/// γ(t): the number of vertices times that of every branch.
double density(const RootedTree& tree) {
  double product = vertices(tree);
  for (const RootedTree& branch : tree.branches) product *= density(branch);
  return product;
}

/// Φ(tree), s numbers, with the two matrices or with their moduli.
VectorXd weights(const MatrixXd& alpha, const MatrixXd& beta, const RootedTree& tree) {
  VectorXd product = VectorXd::Ones(alpha.rows());
  const MatrixXd& matrix = tree.branches.size() == 1 ? beta : alpha;
  for (const RootedTree& branch : tree.branches)
    product = product.cwiseProduct(matrix * weights(alpha, beta, branch)).eval();
  return product;
}

double factorial(int q) {
  return std::tgamma(q + 1.0);
}

}  // namespace

std::vector<RootedTree> rooted_trees(int order) {
  std::vector<RootedTree> made, branches;
  complete(branches, order - 1, 1, 0, made);
  return made;
}

ConditionResidual order_condition(const RosenbrockTableau& tableau, const VectorXd& b,
                                  const RootedTree& tree) {
  const MatrixXd& alpha = tableau.alpha;
  const double target = 1.0 / density(tree);
  const double sum = b.dot(weights(alpha, alpha + tableau.Gamma, tree));
  const double size = b.cwiseAbs().dot(
      weights(alpha.cwiseAbs(), alpha.cwiseAbs() + tableau.Gamma.cwiseAbs(), tree));
  return {.value = sum - target, .size = size + target};
}

double stability_function(const RosenbrockTableau& tableau, const VectorXd& b, double z) {
  const Index s = tableau.stages();
  const MatrixXd matrix = MatrixXd::Identity(s, s) - z * (tableau.alpha + tableau.Gamma);
  return 1.0 + z * b.dot(LuFactors<double>(matrix).solve(VectorXd(VectorXd::Ones(s))));
}

double stability_at_infinity(const RosenbrockTableau& tableau, const VectorXd& b) {
  const MatrixXd matrix = tableau.alpha + tableau.Gamma;
  return 1.0 - b.dot(LuFactors<double>(matrix).solve(VectorXd(VectorXd::Ones(tableau.stages()))));
}

double prothero_robinson_defect(const RosenbrockTableau& tableau, int q, double z) {
  const Index s = tableau.stages();
  const MatrixXd B = tableau.alpha + tableau.Gamma;
  const VectorXd alpha = tableau.alpha.rowwise().sum();
  const MatrixXd matrix = MatrixXd::Identity(s, s) - z * B;
  VectorXd right = -z * alpha.array().pow(q) / factorial(q);
  if (q == 2)
    right += B.rowwise().sum();
  else
    right += (alpha.array().pow(q - 1) / factorial(q - 1)).matrix();
  return tableau.b.dot(LuFactors<double>(matrix).solve(right)) - 1.0 / factorial(q);
}

}  // namespace rigidlimit
