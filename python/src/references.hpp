// Reference solutions with error bars.
#pragma once

#include "problem.hpp"

namespace rigidlimit::python {

/// The solution of y' = f(t, y) in 113 bits, rounded to double. Its error bars are its distances
/// from a second solve by a method of another order, plus its rounding:
///
///   ideal rolling       Radau IIA, and with 9 stages, in (q, v)
///   contact with spring the same in adapted variables, (q, u, w, eta), which stay cheap as ε → 0
///   other laws          in double: Radau IIA with 7 and with 5 stages, in (q, v)
///
/// A failed solve is an outcome, with NaN bars.
Solved reference(const Problem& problem, const std::vector<double>& times,
                 const std::function<bool()>& stop_requested);

}  // namespace rigidlimit::python
