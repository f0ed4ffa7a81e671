// The snakeboard: a board on two steered wheel sets, driven by turning a rotor and the wheels.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// q = (x, y, θ, ψ, φ): centre and heading of the board, angle of the rotor and of the back wheels
/// relative to it; the front wheels are at −φ. v = q'. The wheels are at ∓ℓ along the board. With
/// J_t = board + rotor + 2 wheel inertias, J_r the rotor, J_w one wheel set,
///
///   M = m ⊕ m ⊕ [J_t J_r; J_r J_r] ⊕ 2 J_w
///   F = (0, 0, 0, k_r (ψ_d − ψ) + b_r (ψ_d' − ψ'), k_w (φ_d − φ) + b_w (φ_d' − φ'))
///   G v = (−sin(θ+φ) x' + cos(θ+φ) y' − ℓ cos φ θ',       lateral sliding at the back
///          −sin(θ−φ) x' + cos(θ−φ) y' + ℓ cos φ θ')       and at the front
///
/// with the gait ψ_d = a_r sin(ν_r t), φ_d = a_w sin(ν_w t + β). Rolling leaves one motion of the
/// board, c = (ℓ cos φ, −sin φ) in (forward speed u, θ'); its momentum p = m ℓ cos φ u −
/// sin φ (J_t θ' + J_r ψ') obeys the momentum equation
///
///   p' = −m ℓ sin φ φ' u − cos φ φ' (J_t θ' + J_r ψ'),
///
/// and with u = ℓ cos φ s, θ' = −sin φ s it is p = (m ℓ² cos²φ + J_t sin²φ) s − J_r sin φ ψ'. [S;
/// G] is regular for |φ| < π/2; at π/2 both wheel sets allow the board to turn about its centre.
struct Snakeboard {
  static constexpr int nq = 5, n = 5, m = 2;

  double mass = 6.0;              ///< m, kg, of everything
  double board_inertia = 0.016;   ///< kg m², about the vertical through the centre
  double rotor_inertia = 0.072;   ///< J_r, kg m²
  double wheel_inertia = 0.0013;  ///< J_w, kg m², of one wheel set about its vertical
  double half_length = 0.2;       ///< ℓ, m

  double rotor_amplitude = 0.7;   ///< a_r, rad
  double rotor_frequency = 3.0;   ///< ν_r, rad/s
  double wheel_amplitude = -0.5;  ///< a_w, rad; a_r a_w < 0 drives forward at equal frequencies
  double wheel_frequency = 3.0;   ///< ν_w, rad/s
  double wheel_phase = 0.0;       ///< β, rad

  double rotor_stiffness = 7.2;  ///< k_r, N m/rad
  double rotor_damping = 1.44;   ///< b_r, N m s/rad
  double wheel_stiffness = 0.26;
  double wheel_damping = 0.052;

  static const SystemInfo& info();
  static std::array<Parameter<Snakeboard>, 14> parameters();
  InitialState start() const;

  double total_inertia() const {  ///< J_t, kg m²
    return board_inertia + rotor_inertia + 2.0 * wheel_inertia;
  }

  template <class S>
  Matrix<S, n, n> mass_matrix(const Vector<S, nq>&) const {
    Matrix<S, n, n> M = Matrix<S, n, n>::Zero();
    M(0, 0) = M(1, 1) = S(mass);
    M(2, 2) = S(total_inertia());
    M(2, 3) = M(3, 2) = M(3, 3) = S(rotor_inertia);
    M(4, 4) = S(2.0 * wheel_inertia);
    return M;
  }

  template <class S>
  Vector<S, n> force(const Vector<S, nq>& q, const Vector<S, n>& v, const S& t) const {
    using std::cos, std::sin;
    const S rotor = rotor_frequency * t, wheel = wheel_frequency * t + wheel_phase;
    Vector<S, n> F;
    F << S(0), S(0), S(0),
        rotor_stiffness * (rotor_amplitude * sin(rotor) - q(3)) +
            rotor_damping * (rotor_amplitude * rotor_frequency * cos(rotor) - v(3)),
        wheel_stiffness * (wheel_amplitude * sin(wheel) - q(4)) +
            wheel_damping * (wheel_amplitude * wheel_frequency * cos(wheel) - v(4));
    return F;
  }

  template <class S>
  Matrix<S, m, n> constraint(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const S back = q(2) + q(4), front = q(2) - q(4), arm = half_length * cos(q(4));
    Matrix<S, m, n> G;
    G << -sin(back), cos(back), -arm, S(0), S(0),  //
        -sin(front), cos(front), arm, S(0), S(0);
    return G;
  }

  /// u = (cos φ · forward speed − ℓ sin φ θ', ψ', φ'); the first is ℓ s when rolling.
  template <class S>
  Matrix<S, n - m, n> quasi_velocities(const Vector<S, nq>& q) const {
    using std::cos, std::sin;
    const S c = cos(q(4));
    Matrix<S, n - m, n> rows;
    rows << c * cos(q(2)), c * sin(q(2)), -half_length * sin(q(4)), S(0), S(0),  //
        S(0), S(0), S(0), S(1), S(0),                                            //
        S(0), S(0), S(0), S(0), S(1);
    return rows;
  }
};

}  // namespace rigidlimit
