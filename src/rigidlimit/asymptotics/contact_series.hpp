// The equations of motion as power series, and the contact that acts on them.
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/series_form.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// The tapes of a system, prepared for series.
struct EquationForms {
  explicit EquationForms(const System& system);

  Index nq, n, ne, m;
  std::shared_ptr<const SeriesForm> mass;   ///< (q) -> M
  std::shared_ptr<const SeriesForm> rows;   ///< (q) -> [E; G]
  std::shared_ptr<const SeriesForm> rate;   ///< (q, v) -> T v
  std::shared_ptr<const SeriesForm> force;  ///< (q, v, t) -> F
};

/// The small parameter μ of the expansion: ε for β = 1, ε² for β = 2; and its power of ε.
double small_parameter(const ViscoelasticLaw& law, double epsilon);
int power_of_epsilon(const ViscoelasticLaw& law);

/// Throws InputError if β is neither 1 nor 2, if D is not positive definite, if C is not positive
/// definite (β = 1) or semidefinite (β = 2), or if they are not m × m.
void require_expandable(const ViscoelasticLaw& law, Index m);

/// The r independent contacts of a law (docs/theory.md, section 6). T: double or Quad.
///
///   β = 1: w = μ² η', λ = C η + (D/μ) w: w and η are fast, both on the time scale t/μ,
///   β = 2: w = μ η', λ = C η + (D/μ) w: η is slow, and w = G v alone is fast.
template <class T>
struct ActingContacts {
  /// Throws InputError of require_expandable(), and for rows that almost coincide.
  ActingContacts(const ContactBasis& basis, const ViscoelasticLaw& law);

  /// η_I = C_r⁻¹HᵀC η.
  VectorX<T> acting_deflection(const VectorXd& eta) const;
  /// C (η − H η_I): the part of the force that no motion changes.
  VectorX<T> internal_force(const ViscoelasticLaw& law, const VectorXd& eta) const;

  /// η of η_I, for a motion from the deflection eta0: eta0 + H (η_I − (η_I of eta0)), columns.
  MatrixX<T> deflection(const MatrixX<T>& acting, const VectorXd& eta0) const;

  std::vector<Index> rows;         ///< I, r
  MatrixX<T> combination;          ///< H, m × r
  MatrixX<T> stiffness, damping;   ///< C_r = HᵀCH, D_r = HᵀDH
  MatrixX<T> force_of_deflection;  ///< C H, m × r
  MatrixX<T> force_of_sliding;     ///< D H, m × r
  bool slow_deflection;            ///< β = 2
  Index rank() const { return std::ssize(rows); }
};

/// ε² (q₂, v₂): the leading difference of a start that depends on ε from its limit (nq, n); empty:
/// the start is the same at every ε. The next difference is of the order ε⁴.
struct StartShift {
  VectorXd q, v;
  bool empty() const { return q.size() == 0; }
};

extern template struct ActingContacts<double>;
extern template struct ActingContacts<Quad>;

/// The time and state at which a compliant motion begins, as series in μ: a term is missing if it
/// is 0.
template <class T>
struct StartSeries {
  std::vector<T> t;
  std::vector<VectorX<T>> q, v;  ///< nq, n
  std::vector<VectorX<T>> eta;   ///< r
  /// w = G_I v of the order behind the last one of v, of a motion in which it is known; else empty.
  VectorX<T> next_sliding{};

  T time(int k) const { return k < std::ssize(t) ? t[static_cast<std::size_t>(k)] : T(0); }

  /// Term k, or zeros of this size.
  static VectorX<T> term(const std::vector<VectorX<T>>& terms, int k, Index size) {
    return k < std::ssize(terms) ? terms[static_cast<std::size_t>(k)]
                                 : VectorX<T>(VectorX<T>::Zero(size));
  }
};

}  // namespace rigidlimit
