// Rosenbrock–Wanner methods as data: coefficients, checked on construction, and their order
// conditions over the rooted trees.
//
// Hairer & Wanner, Solving ODEs II (2nd ed. 1996), section IV.7.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// The method with s stages
///
///   k_i = h f(t₀ + α_i h, y₀ + Σ_j α_ij k_j) + h ∂f/∂y Σ_j γ_ij k_j + γ_i h² ∂f/∂t,
///   y₁ = y₀ + Σ b_i k_i,   α_i = Σ_j α_ij (j < i),   γ_i = Σ_j γ_ij (j ≤ i),   γ_ii = γ,
///
/// and the same in u = Γ k (ibid., (7.25)), which needs no product with the Jacobian:
///
///   (I/(hγ) − ∂f/∂y) u_i = f(t₀ + α_i h, y₀ + Σ_j a_ij u_j) + Σ_j (c_ij/h) u_j + γ_i h ∂f/∂t,
///   y₁ = y₀ + Σ m_i u_i,   a = α Γ⁻¹,   c = I/γ − Γ⁻¹,   m = Γ⁻ᵀ b.
struct RosenbrockTableau {
  const char* name = "";
  int order = 0;
  int embedded_order = 0;
  int continuous_order = 0;  ///< p: the error between two steps is O(h^p) if not stiff; its weights
                             ///< satisfy the conditions of order p − 1

  /// q: a step from the solution of Prothero & Robinson's y' = λ (y − g(t)) + g'(t) has no error in
  /// g'', …, g^(q) for any λ h (see prothero_robinson_defect); 1: error in g''.
  int prothero_robinson_order = 1;
  double prothero_robinson_residual = 0.0;  ///< bound of those errors for λ h < 0; 0: rounding
  bool stiffly_accurate = false;            ///< b_i = α_si + γ_si and α_s = 1
  bool l_stable = false;                    ///< R(∞) = 0, and A-stable
  /// Stages of a step; the others serve the output between steps. 0 at construction: all of them.
  Index step_stages = 0;

  double gamma = 0.0;
  MatrixXd alpha{}, Gamma{};          ///< s × s
  VectorXd b{}, b_embedded{};         ///< s
  VectorXd alpha_sum{}, gamma_sum{};  ///< s: α_i, γ_i, as published
  MatrixXd a{}, c{};                  ///< s × s, in u
  VectorXd m{}, m_error{};            ///< s, in u: of y₁, and of y₁ − ŷ₁

  /// Between the steps: y(t₀ + θh) = y₀ + θ (Σ m_i u_i + (1 − θ) Σ_p θ^p Σ_i between_pi u_i).
  MatrixXd between{};

  Index stages() const { return b.size(); }
};

/// RODAS, order 4(3), 6 stages, L-stable and stiffly accurate, as the embedded one: Hairer & Wanner
/// II, VI.4, and their code RODAS (first set of coefficients).
const RosenbrockTableau& rodas4_tableau();

/// RODASP, order 4(3), 6 stages, no order reduction on linear parabolic problems: Steinebach,
/// Order reduction of ROW methods for DAEs and method of lines applications, TH Darmstadt (1995);
/// third set of coefficients of the code RODAS.
const RosenbrockTableau& rodasp_tableau();

/// Rodas5P, order 5(4), 8 stages, no reduction below 4 on that problem: Steinebach, Construction of
/// Rosenbrock–Wanner method Rodas5P and numerical benchmarks within the Julia DifferentialEquations
/// package, BIT 63 (2023) 27.
const RosenbrockTableau& rodas5p_tableau();

/// Rodas6P, order 6(5), 16 stages and three more for output between steps, of order 5 there,
/// L-stable and stiffly accurate, as the embedded one: Steinebach, Rodas6P and Tsit5DA – two new
/// Rosenbrock-type methods for DAEs, arXiv:2511.21252 (2025). Its errors E_2, E_3 and E_4
/// (prothero_robinson_defect) are round-off for −0.5 ≤ z < 0 and grow with a high power of z: at
/// most 3e-6, E_3 near z = −40, where E_5 is 2e-5; as z → −∞, E_3 tends to 4e-4/z. Missing digits
/// are not the reason: a relative change of the coefficients by 1e-12 changes E_q by 1e-9.
const RosenbrockTableau& rodas6p_tableau();

/// ROS34PW2, order 3(2), 4 stages, L-stable, a W-method: Rang & Angermann, New Rosenbrock
/// W-methods of order 3 for partial differential algebraic equations of index 1, BIT 45 (2005).
/// Between the steps the one cubic continuous extension that satisfies the conditions of order 3.
const RosenbrockTableau& ros34pw2_tableau();

/// Throws std::logic_error, with the condition and its residual, unless every property of the
/// tableau holds. The bound is `tolerance`, times the sum of the terms' moduli if they cancel. The
/// properties are: agreement of the two forms, row sums α_i and γ_i, conditions of all trees up to
/// the two orders and that between the steps, order on Prothero & Robinson's problem, stiff
/// accuracy, R(∞) = 0.
void check_rosenbrock_tableau(const RosenbrockTableau& tableau, double tolerance);

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

/// The weights b(θ) (s) of y(t₀ + θh) = y₀ + Σ b_i(θ) k_i.
VectorXd weights_between(const RosenbrockTableau& tableau, double theta);

/// Σ_i b_i Φ_i(tree) − θ^p/γ(tree) with the weights b (s) of y(t₀ + θh) and p vertices: Φ_i is the
/// product over the branches of a vertex of Σ_j (α_ij + γ_ij) Φ_j(branch) where there is one
/// branch, and of Σ_j α_ij Φ_j(branch) where there are more. If it is zero for all trees up to
/// order p, the method has order p with an exact Jacobian (Hairer & Wanner, Solving ODEs II,
/// theorem IV.7.4).
ConditionResidual order_condition(const RosenbrockTableau& tableau, const VectorXd& b,
                                  const RootedTree& tree, double theta = 1.0);

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
