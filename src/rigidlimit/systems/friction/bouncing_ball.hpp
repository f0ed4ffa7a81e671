// A disc that bounces on a floor until it comes to rest.
#pragma once

#include <array>
#include <optional>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/systems/friction/planar_body.hpp"
#include "rigidlimit/systems/friction/uniform_pieces.hpp"

namespace rigidlimit {

/// A disc in its vertical plane, q = (x, z, φ), v = q', z upwards, φ from x to z:
///
///   M = diag(m, m, J), J = κ m r²,   F = (0, −m g, 0),   g = z − r,   W = (1, 0, r)
///
/// The normal passes through the centre, so that p and λ are independent except for the bound of
/// friction. An impact at g' = −u with sliding w, in Newton and Poisson's two phases with Routh's
/// friction (Grzesikiewicz and Zbiciak, equations 31 to 35), m_t = m κ/(1 + κ):
///
///   compression  p = m u,     λ = clamp(m_t w, ±μ p)
///   restitution  p = e m u,   λ likewise
///
/// Flights shrink by e; from a height g0 at rest infinitely many of them end at
///
///   t∞ = sqrt(2 g0/g) (1 + e)/(1 − e)
///
/// Then the disc slides, λ = μ m g sign w, until w = 0, and rolls freely.
struct BouncingBall {
  static constexpr int nq = 3, n = 3, m = 1;

  double mass = 1.0;           ///< m, kg
  double radius = 0.1;         ///< r, m
  double inertia_ratio = 0.5;  ///< κ = J/(m r²)
  double gravity = 9.81;       ///< g, m/s²
  double friction = 0.2;       ///< μ
  double restitution = 0.5;    ///< e

  static const SystemInfo& info();
  static std::array<Parameter<BouncingBall>, 4> parameters();
  static std::array<Parameter<BouncingBall>, 2> contact_parameters();
  std::vector<ContactPoint> contacts() const;

  /// The body without contacts.
  PlanarBody body() const { return {mass, inertia_ratio * mass * radius * radius, gravity}; }

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    return body().mass_matrix<S>();
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>&, const Vector<S, n>&) const {
    return body().force<S>();
  }

  template <class S>
  S potential(const Vector<S, nq>& q) const {
    return body().potential(q);
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>&) const {
    return Matrix<S, m, n>(S(1), S(0), S(radius));
  }

  template <class S>
  Vector<S, 1> gap(const Vector<S, nq>& q) const {
    return Vector<S, 1>(S(q(1) - radius));
  }

  /// Half a metre above the floor, at rest.
  InitialState start() const;

  /// Exact to round-off. Event times are those of the impacts, as long as flights last longer than
  /// the resolution of t, then t∞, then the end of sliding. Empty if the start is inside the floor,
  /// without gravity, or with more than 10⁵ impacts.
  std::optional<KnownHistory> closed_history(const InitialState& start,
                                             const std::vector<double>& times) const;
};

}  // namespace rigidlimit
