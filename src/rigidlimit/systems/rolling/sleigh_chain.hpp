// A train of Chaplygin sleighs, each pulling the next by a spring between two hitches.
#pragma once

#include <utility>

#include "rigidlimit/mechanics/assembly.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// Spring and damper between two hitches: one at distance h behind the blade of a sleigh, the other
/// at distance h ahead of the blade of the next. With e = (cos φ, sin φ), n = (−sin φ, cos φ), p
/// the blades and d the vector from the first hitch to the second,
///
///   d = p₂ + h e₂ − p₁ + h e₁,   d' = p₂' + h φ₂' n₂ − p₁' + h φ₁' n₁,   f = k d + c d',
///
/// the forces are (f, −h n₁·f) on the first sleigh and (−f, −h n₂·f) on the second, and P = ½ k d².
struct HitchSpring {
  static constexpr int nq = 3, n = 3;

  double reach = 0.5;      ///< h, m
  double stiffness = 4.0;  ///< k, N/m
  double damping = 0.2;    ///< c, N s/m

  template <class S>
  std::pair<Vector<S, n>, Vector<S, n>> forces(const Vector<S, nq>& q1, const Vector<S, n>& v1,
                                               const Vector<S, nq>& q2,
                                               const Vector<S, n>& v2) const {
    using std::cos, std::sin;
    const S lever1_x = -reach * sin(q1(2)), lever1_y = reach * cos(q1(2));  // h n₁
    const S lever2_x = -reach * sin(q2(2)), lever2_y = reach * cos(q2(2));
    const Vector<S, 2> d = gap(q1, q2);
    const S rate_x = v2(0) + v2(2) * lever2_x - v1(0) + v1(2) * lever1_x;
    const S rate_y = v2(1) + v2(2) * lever2_y - v1(1) + v1(2) * lever1_y;
    const S f_x = stiffness * d(0) + damping * rate_x;
    const S f_y = stiffness * d(1) + damping * rate_y;
    return {Vector<S, n>(f_x, f_y, -(lever1_x * f_x + lever1_y * f_y)),
            Vector<S, n>(-f_x, -f_y, -(lever2_x * f_x + lever2_y * f_y))};
  }

  template <class S>
  S potential(const Vector<S, nq>& q1, const Vector<S, nq>& q2) const {
    const Vector<S, 2> d = gap(q1, q2);
    return 0.5 * stiffness * (d(0) * d(0) + d(1) * d(1));
  }

 private:
  template <class S>
  Vector<S, 2> gap(const Vector<S, nq>& q1, const Vector<S, nq>& q2) const {
    using std::cos, std::sin;
    return {q2(0) + reach * cos(q2(2)) - q1(0) + reach * cos(q1(2)),
            q2(1) + reach * sin(q2(2)) - q1(1) + reach * sin(q1(2))};
  }
};

/// Parameters of `chaplygin_sleigh` of the catalogue.
struct Sleigh {
  double mass = 1.0;      ///< m, kg
  double inertia = 0.5;   ///< J about the vertical through the centre of mass, kg m²
  double distance = 0.4;  ///< a, m: from the blade forward to the centre of mass
};

/// N sleighs: q = (x, y, φ) of each; the first one leads.
struct SleighChain {
  Index count = 3;
  Sleigh sleigh;
  HitchSpring hitch;
  double unevenness = 0.2;  ///< sleigh i weighs (1 + unevenness · sin i) m, i = 0, 1, …

  double speed = 1.0;         ///< of every blade at the start, m/s
  double turning_rate = 0.5;  ///< of every sleigh at the start, rad/s
};

/// The sleighs and the springs between them. Throws InputError unless count ≥ 1.
Assembly assembly_of(const SleighChain& chain);

/// On a circle, with hitches aligned and springs at rest: sleigh i has the heading −2 i α with tan
/// α = h ω/u, the first blade at the origin. There G v = 0, and Λ ≠ 0 in every contact.
InitialState start_of(const SleighChain& chain);

/// `sleigh_chain` of the catalogue: three sleighs.
SystemEntry sleigh_chain_entry();

}  // namespace rigidlimit
