// Redundant contacts: independent rows of G and internal contact forces.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// The r = rank G independent contact rows G_I of a system, on ker E (docs/theory.md, section 6):
///
///   G = H G_I on ker E,   H m × r, the unit matrix where r = m.
///
/// Contact forces n with Hᵀ n = 0 are internal: Gᵀ n does not act on the body. Formulations with
/// rigid contacts use G_I and μ = HᵀΛ alone; H is taken as constant along a motion.
struct ContactBasis {
  std::vector<Index> rows;   ///< I, increasing, r of 0 … m − 1
  MatrixXd combination;      ///< H, m × r
  MatrixXd internal_forces;  ///< orthonormal basis of ker Hᵀ, m × (m − r)
  /// The least part of a row of G_I, as a unit vector, that is independent of the others: 1 for
  /// orthogonal rows.
  double independence = 1.0;

  Index rank() const { return static_cast<Index>(rows.size()); }
  bool redundant() const { return internal_forces.cols() > 0; }
};

/// The least v with E v = e: 0, or the 1 of a clock and the velocities that exact rows on moving
/// surfaces require.
VectorXd least_exact_velocity(const System& system, const VectorXd& q);

/// Two contact rows of which one has a part that is independent of the others and too small to be
/// resolved.
class NearlyDependentRows : public InputError {
 public:
  NearlyDependentRows(Index first, Index second, double part);
  /// The message, with these names of the rows.
  std::string text(const std::string& one, const std::string& other) const;

  Index first, second;
  double part;  ///< of a unit vector
};

/// The basis at q. A row is dependent if its independent part is rounding, at most 1e-13 of its
/// length. Throws NearlyDependentRows for one of 1e-13 to 5e-7, which a stiff contact holds and
/// double precision does not resolve, as the Delassus matrix has its square, and InputError if b of
/// G v + b is not in the range of redundant contacts G.
ContactBasis contact_basis(const System& system, const VectorXd& q);

/// Basis with every row, for a system with independent contacts.
ContactBasis independent_contacts(Index m);

/// The Λ with the same action HᵀΛ as `lambda` (m) to which the compliant contact tends. It
/// minimises (Λ − C η0)ᵀ C⁻¹ (Λ − C η0), because y' = G v leaves nᵀη = nᵀη0 for every internal n.
/// For η0 = 0 it has the minimum norm in C⁻¹. Returns `lambda` unchanged if the contacts are
/// independent.
VectorXd selected_multiplier(const ContactBasis& basis, const MatrixXd& stiffness,
                             const VectorXd& eta0, const VectorXd& lambda);

/// Indices of the rows of [E; G_I] in [E; G], ne + r.
std::vector<Index> independent_places(const ContactBasis& basis, Index ne);

/// [E; G_I] at q in the numbers S, (ne + r) × n.
template <class S>
MatrixX<S> independent_rows(const System& system, const ContactBasis& basis, VectorInOf<S> q);

/// The entries of `all` (ne + m) for the rows of [E; G_I].
template <class S>
VectorX<S> independent_entries(const System& system, const ContactBasis& basis,
                               const VectorX<S>& all);

}  // namespace rigidlimit
