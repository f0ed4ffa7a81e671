// The coefficient of restitution of a spring and damper that cannot pull.
#pragma once

namespace rigidlimit {

/// e(ζ): the speed on leaving a contact x'' + 2ζ x' + x = 0 that was entered with x = 0 and speed
/// 1. The contact ends when the force x + 2ζ x' vanishes. ζ ≥ 0.
///
/// One analytic function (docs/theory.md, section 10.3), four branches in the literature:
///
///   ln e = −2 ζ θ/sin θ,   ζ = cos θ    (ζ ≤ 1)
///        = −2 ζ θ/sinh θ,  ζ = cosh θ   (ζ > 1),
///
/// The code uses this form: it has no cancellation at 1/√2 (not a branch point) or at 1 (e =
/// exp(−2)). e falls from 1 at ζ = 0, like exp(−πζ), to 0, like 1/(4ζ²). Throws InputError unless ζ
/// ≥ 0.
double restitution_of_damping(double damping_ratio);

/// The ζ with e(ζ) = e, to 1e-14 relative. Throws InputError unless e is in (0, 1], because no
/// damper gives a plastic impact, e = 0.
double damping_of_restitution(double restitution);

}  // namespace rigidlimit
