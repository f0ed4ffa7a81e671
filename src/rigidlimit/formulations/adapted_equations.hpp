// The right-hand side of formulations/adapted.hpp.
#pragma once

#include <cmath>

#include "rigidlimit/formulations/adapted_frame.hpp"
#include "rigidlimit/formulations/small_inverse.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/inertia.hpp"

namespace rigidlimit {

/// λ = C η + D ε^(−β) w in the numbers T, and what of it acts on the body, G_Iᵀ μ with μ = Hᵀλ.
template <class T>
struct AdaptedLaw {
  AdaptedLaw(const ViscoelasticLaw& law, const MatrixXd& H, double epsilon)
      : stiffness(law.stiffness.cast<T>()),
        combination(H.cast<T>()),
        deflection_scale(T(epsilon) * T(epsilon)) {
    using std::pow;
    const T scale = pow(T(epsilon), T(-law.damping_exponent));
    damping = scale * law.damping.cast<T>();
    acting_stiffness = combination.transpose() * stiffness;
    acting_damping = combination.transpose() * damping * combination;
  }

  MatrixX<T> stiffness;         ///< C, m × m
  MatrixX<T> damping;           ///< D ε^(−β), m × m
  MatrixX<T> combination;       ///< H, m × r
  MatrixX<T> acting_stiffness;  ///< HᵀC, r × m
  MatrixX<T> acting_damping;    ///< HᵀD ε^(−β) H, r × r
  T deflection_scale;           ///< ε²
};

/// Where the parts of y = (q, u, w_I, η) stand.
struct AdaptedShape {
  explicit AdaptedShape(const AdaptedFrame& frame)
      : nq(frame.system().nq),
        n(frame.system().n),
        ne(frame.system().ne),
        m(frame.system().m),
        free(frame.free()),
        r(frame.rank()) {}
  Index nq, n, ne, m, free, r;

  Index sliding_at() const { return nq + free; }
  Index deflection_at() const { return nq + free + r; }
  Index size() const { return nq + free + r + m; }
};

/// The equations with what they need of memory: rate() allocates nothing, and changes the object.
template <class T>
class AdaptedEquations {
 public:
  AdaptedEquations(std::shared_ptr<const AdaptedFrame> frame, const ViscoelasticLaw& law,
                   double epsilon);

  /// f(t, y).
  void rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f);

  /// The same in two parts, each from its terms: what the contact force does to u, and (w_I, η)'
  /// whole; q', and what the other forces do to u. Both change the object as rate() does.
  void stiff_rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f);
  void slow_rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f);

  /// ∂(w_I', η')/∂(w_I, η) without its O(1) part, (r + m) × (r + m), A = G_I M⁻¹ G_Iᵀ:
  /// [[−A HᵀD ε^(−β) H, −A HᵀC], [H/ε², 0]].
  void fast_block(VectorInOf<T> y, MatrixOutOf<T> J) const;
  /// ∂(q', u')/∂(w_I, η) without its O(1) part, (nq + n − ne − r) × (r + m): rows of u
  /// [−P HᵀD ε^(−β) H, −P HᵀC], P = S M⁻¹ G_Iᵀ, by which the contact force acts on u; zero of q.
  void fast_coupling(VectorInOf<T> y, MatrixOutOf<T> J) const;

  // What the last rate() left behind.
  const AdaptedFrame& frame() const { return *frame_; }
  const AdaptedShape& shape() const { return shape_; }
  const AdaptedLaw<T>& law() const { return law_; }
  const SmallInverse<T>& inverse() const { return inverse_; }  ///< of B(q)
  const Inertia<T>& inertia() const { return inertia_; }       ///< at q
  const VectorX<T>& velocity() const { return v_; }
  /// Force and rate of the inertia's right side, (n + ne).
  VectorX<T> inertia_load() const;

 private:
  void write_velocity(VectorInOf<T> y);
  void write_free_force(const T& t, VectorInOf<T> y);
  void write_contact_force(VectorInOf<T> y);
  void solve_inertia(VectorInOf<T> y);
  MatrixX<T> response(VectorInOf<T> y) const;  ///< B M⁻¹ G_Iᵀ, n × r

  std::shared_ptr<const AdaptedFrame> frame_;
  AdaptedShape shape_;
  AdaptedLaw<T> law_;
  const Equations<T>* equations_;

  MatrixX<T> B_;      ///< frame().rows() × n
  VectorX<T> drift_;  ///< frame().rows()
  VectorX<T> uw_;     ///< (u, 0, w_I)
  VectorX<T> v_;
  VectorX<T> a_;
  VectorX<T> q_rate_;
  VectorX<T> restoring_;
  VectorX<T> force_;          ///< F − G_Iᵀμ
  VectorX<T> contact_force_;  ///< G_Iᵀμ
  VectorX<T> acting_;         ///< μ
  VectorX<T> exact_rate_;
  SmallInverse<T> inverse_;
  Inertia<T> inertia_;
};

}  // namespace rigidlimit
