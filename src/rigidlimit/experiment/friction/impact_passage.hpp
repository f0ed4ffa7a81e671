// The passage through one compliant impact with restitution.
#pragma once

#include <vector>

#include "rigidlimit/formulations/frictional/frictional_forces.hpp"

namespace rigidlimit {

/// With τ = (t − t_c)/ε from the closing at (q_c, v_c), g = ε γ and ρ = ε (λ, p) (docs/theory.md,
/// section 10.9)
///
///   Q' = T V,   V' = ε a + M⁻¹Hᵀ r(ρ),   γ' = N V,   all at q = q_c + ε Q, V(0) = v_c,
///   ρ_n = −(C γ + D γ') until it falls to zero,   ρ_t = μ ρ_n sign w, then w' = 0 once w = 0,
///
/// a: v' without contact forces. The tangential law is the limit of springs with κ > 1. The limits
/// of an impact are those of the free motion behind it, continued back to τ = 0.
class ImpactPassage {
 public:
  /// `law`: that of the contact at ε = 1; it is planar and unilateral with e > 0.
  ImpactPassage(const FrictionalSystem& system, const CompliantContact& law, Index contact,
                double t)
      : system_(system), law_(law), contact_(contact), t_(t) {}

  struct Exit {
    VectorXd q;        ///< lim Q, nq
    VectorXd v;        ///< lim V, n
    double tau = 0.0;  ///< duration
    MatrixXd path{};   ///< Q at the wanted τ, nq × K
  };
  /// Any sign of `epsilon`. `taus`: strictly increasing and positive; beyond the end the free
  /// motion. Throws InputError with the reason if the contact would slip again.
  Exit pass(const VectorXd& q, const VectorXd& v, double epsilon,
            const std::vector<double>& taus = {}) const;

 private:
  const FrictionalSystem& system_;
  CompliantContact law_;
  Index contact_;
  double t_;
};

}  // namespace rigidlimit
