// The first terms of an expansion that are not zero.
#pragma once

#include <array>
#include <cmath>

#include "rigidlimit/asymptotics/series_expansion.hpp"

namespace rigidlimit {

/// Powers of the small parameter in the norms of the differences in q, v, λ and gap; NaN: no term
/// is known.
struct LeadingOrders {
  double q;
  double v;
  double lambda;
  double gap = std::nan("");

  LeadingOrders times(double power) const {
    return {.q = power * q, .v = power * v, .lambda = power * lambda, .gap = power * gap};
  }
};

/// The first outer and layer terms, of the orders `first` and above, that are not zero on
/// [from, T].
///
/// A term counts as zero if it is below 1e-10 of the largest one. All orders are compared at μ =
/// SeriesExpansion::natural_parameter(), where they have the same unit. The result therefore does
/// not change if C becomes s² C and ε becomes s ε.
class FirstTerms {
 public:
  template <class T>
  FirstTerms(const SeriesExpansion<T>& series, int first, double from);

  /// In the sup norm on [from, T], and in the root mean square: a layer term gains half the power
  /// of its duration in the mean.
  LeadingOrders sup() const { return orders(0.0); }
  LeadingOrders l2() const { return orders(0.5); }

 private:
  LeadingOrders orders(double gain_of_layer) const;

  std::array<double, 4> outer_, layer_;  ///< orders in q, v, λ, gap; infinity: none
};

}  // namespace rigidlimit
