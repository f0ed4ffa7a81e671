// The terms of the expansion of a study, to any order.
#pragma once

#include <vector>

#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"

namespace rigidlimit {

/// The highest order of an expansion. Coefficients grow with the order: in double, those of order 9
/// would have few digits on many systems.
inline constexpr int highest_order = 8;

/// Sizes of the terms of one order k.
struct OrderTerms {
  TermSizes outer, layer;
  double matching_defect = 0.0;  ///< SeriesExpansion::matching_defect()

  TermSizes whole() const;  ///< max_t |x_k| + max_τ |X_k|
};

struct SeriesTerms {
  RollingStudy study;
  std::vector<OrderTerms> orders;  ///< 0 … K
  bool slides = false;

  /// min over q, v, λ of the sizes of order k over those of k + 1: above this ε the next term is
  /// larger than this one. Infinity for the last order, or if one of the two terms is 0.
  double largest_epsilon(int k) const;
};

/// The composite expansion of the motion of a study, from its start, by the first of its laws.
/// Throws InputError as SeriesExpansion, and for an order outside 0 … highest_order.
SeriesExpansion series_of(const RollingStudy& study, int order);

/// The sizes of the terms of its expansion, series_of(study, order).
SeriesTerms series_terms(const RollingStudy& study, const SeriesExpansion& expansion);

}  // namespace rigidlimit
