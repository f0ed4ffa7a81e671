// A check that a closed form satisfies the equations of a system.
#pragma once

#include <algorithm>

#include "rigidlimit/mechanics/equations.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit::test {

/// The largest of |q' − T v|, |M v' − F + Gᵀ Λ| and |G v| at one time, each over its bound: ≤ 1 for
/// a solution. For systems without exact rows.
///
/// The differences reach 12/64 s to either side. Bounds: that of the difference for q'; ‖M‖ times
/// it and 32 roundings of the terms for the balance; 4 n roundings of the terms of G v.
double imbalance(const System& closed, const System& judge, const InitialState& start, double t,
                 double lambda_sign = 1.0);

}  // namespace rigidlimit::test
