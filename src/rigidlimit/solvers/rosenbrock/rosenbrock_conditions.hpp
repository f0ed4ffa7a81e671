// Order conditions of a Rosenbrock method over the rooted trees.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/solvers/rosenbrock/rosenbrock_coefficients.hpp"

namespace rigidlimit {

/// A rooted tree, as the list of subtrees of its root.
struct RootedTree {
  std::vector<RootedTree> branches;
};

/// All rooted trees with `order` ≥ 1 vertices, each once: 1, 1, 2, 4, 9, 20, … of them.
std::vector<RootedTree> rooted_trees(int order);

/// The sum of a condition, and that of its terms' moduli, which scales the round-off.
struct ConditionResidual {
  double value = 0.0;
  double size = 0.0;
};

/// Σ_i b_i Φ_i(tree) − 1/γ(tree) with the weights b (s): Φ_i is the product over the branches of a
/// vertex of Σ_j (α_ij + γ_ij) Φ_j(branch) where there is one branch, and of Σ_j α_ij Φ_j(branch)
/// where there are more. If it is zero for all trees up to order p, the method has order p with an
/// exact Jacobian (Hairer & Wanner, Solving ODEs II, theorem IV.7.4).
ConditionResidual order_condition(const RosenbrockTableau& tableau, const VectorXd& b,
                                  const RootedTree& tree);

/// R(z) = 1 + z bᵀ (I − zB)⁻¹ 1, B = α + Γ, for y' = λy, z = λh.
double stability_function(const RosenbrockTableau& tableau, const VectorXd& b, double z);

/// R(∞) = 1 − bᵀ B⁻¹ 1.
double stability_at_infinity(const RosenbrockTableau& tableau, const VectorXd& b);

/// E_q(z), q ≥ 2: one step from y = g of y' = λ (y − g) + g' has the error Σ_q E_q(z) h^q g^(q),
///
///   E_2 = bᵀ (I − zB)⁻¹ (B 1 − z α²/2) − 1/2,
///   E_q = bᵀ (I − zB)⁻¹ (α^(q−1)/(q − 1)! − z α^q/q!) − 1/q!,  α the vector of the α_i,
///
/// from the definition of the method, in which ∂f/∂t = −λg' + g''.
double prothero_robinson_defect(const RosenbrockTableau& tableau, int q, double z);

}  // namespace rigidlimit
