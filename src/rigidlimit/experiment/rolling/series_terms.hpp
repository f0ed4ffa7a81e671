// The terms of the expansion of a study, to any order.
#pragma once

#include <variant>
#include <vector>

#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/experiment/judge/precise_motion.hpp"
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

/// The composite expansion of the motion of a study, from its start and across the switches that
/// the rigid motion crosses, by the first of its laws. T: double or Quad. Throws InputError as
/// SeriesExpansion, and for an order outside 0 … highest_order.
template <class T>
SeriesExpansion<T> series_of(const RollingStudy& study, int order,
                             const std::vector<SwitchCrossing>& crossings);

/// The power of ε of the remainder of the composite of a study, of order K in μ: that of μ^(K+1),
/// but ε² for q at K = 0 and β = 1 from a start that rolls, because q_1 = 0 (docs/theory.md,
/// section 13).
int remainder_order(const RollingStudy& study, Quantity quantity);

/// The composite expansion of a study, in the precision of its motions.
class StudySeries {
 public:
  /// Of RollingStudy::composite_order, and the leading terms of its remainder.
  StudySeries(const RollingStudy& study, const std::vector<SwitchCrossing>& crossings);

  /// The composite without the rigid motion.
  PreciseMotion deviation(double epsilon, const std::vector<double>& times) const;
  /// The leading terms of the remainder.
  Motion remainder(double epsilon, const std::vector<double>& times) const;
  TermSizes rounding(double epsilon) const;  ///< SeriesExpansion::rounding()

 private:
  ViscoelasticLaw law_;
  int order_;       ///< of the composite
  int order_of_q_;  ///< of the leading term of the remainder
  std::variant<SeriesExpansion<double>, SeriesExpansion<Quad>> series_;
};

/// The sizes of the terms of its expansion, series_of<double>().
SeriesTerms series_terms(const RollingStudy& study, const SeriesExpansion<double>& expansion);

}  // namespace rigidlimit
