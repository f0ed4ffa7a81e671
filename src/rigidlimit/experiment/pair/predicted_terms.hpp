// Predicted terms of compliant − rigid motion: the leading ones, and the expansion of a study to
// any order.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/asymptotics/first_terms.hpp"
#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

namespace rigidlimit {

/// The leading terms of compliant minus rigid motion under one law.
struct PredictedTerms {
  std::shared_ptr<const LeadingTerms> terms;  ///< nullptr: nothing is predicted
  std::string reason;                         ///< why not
};

/// `crossings`: of the switches of the force by the rigid motion.
PredictedTerms predicted_terms(const RollingStudy& study, const LawInfo& law,
                               const std::vector<SwitchCrossing>& crossings,
                               const std::function<bool()>& stop_requested = {});

/// Whether the law has leading terms for some starts and numbers.
bool can_be_predicted(const LawInfo& law);

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
  double natural_parameter = 1.0;  ///< SeriesExpansion::natural_parameter()

  /// min over q, v, λ, gap of the sizes of order k over those of k + 1: above this ε the next term
  /// is larger than this one. Infinity for the last order, or if one of the two terms is 0.
  double largest_epsilon(int k) const;
};

/// The composite expansion of the motion of a study, from its start and across the switches that
/// the rigid motion crosses, by the first of its laws. T: double or Quad. Throws InputError as
/// SeriesExpansion, and for an order outside 0 … highest_order.
template <class T>
SeriesExpansion<T> series_of(const RollingStudy& study, int order,
                             const std::vector<SwitchCrossing>& crossings,
                             const std::function<bool()>& stop_requested = {});

/// The composite expansion of a study, in the precision of its motions.
class StudySeries {
 public:
  /// Of RollingStudy::composite_order K, and the leading terms of its remainder: the first terms
  /// behind K that are not zero, at most of the order K + 2.
  StudySeries(const RollingStudy& study, const std::vector<SwitchCrossing>& crossings,
              const std::function<bool()>& stop_requested = {});

  /// The composite without the rigid motion.
  PreciseMotion deviation(double epsilon, const std::vector<double>& times) const;
  /// The leading terms of the remainder on [from, T].
  Motion remainder(double epsilon, const std::vector<double>& times,
                   double from = std::numeric_limits<double>::lowest()) const;
  /// Their powers of ε in the sup norm and the root mean square; NaN: the terms of the orders K + 1
  /// and K + 2 are zero.
  LeadingOrders sup_orders(double from) const;
  LeadingOrders l2_orders(double from) const;
  TermSizes rounding(double epsilon) const;  ///< SeriesExpansion::rounding()

 private:
  FirstTerms first_terms(double from) const;
  LeadingOrders in_epsilon(const LeadingOrders& orders) const;

  ViscoelasticLaw law_;
  int order_;  ///< of the composite
  std::variant<SeriesExpansion<double>, SeriesExpansion<Quad>> series_;
};

/// The sizes of the terms of its expansion, series_of<double>().
SeriesTerms series_terms(const RollingStudy& study, const SeriesExpansion<double>& expansion);

/// The term of one order k: x_k(t), or X_k(τ) with τ = t/ε.
struct TermCurve {
  int order = 0;
  bool in_layer = false;
  Motion term;  ///< its times are t, s, or τ, s
};

/// For each order the outer term at the `samples` times of the grid on [0, end], then the first
/// layer's term at its `layer_samples` values of τ on [0, layer_width]. If the start slides, the
/// layer term of order −1 comes first: it has only λ, and q = v = 0.
std::vector<TermCurve> term_curves(const System& system, const SeriesExpansion<double>& expansion,
                                   const TimeGrid& grid);

}  // namespace rigidlimit
