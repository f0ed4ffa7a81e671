#include "rigidlimit/experiment/rolling/series_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"

namespace rigidlimit {

TermSizes OrderTerms::whole() const {
  return {.q = outer.q + layer.q, .v = outer.v + layer.v, .lambda = outer.lambda + layer.lambda};
}

double SeriesTerms::largest_epsilon(int k) const {
  double largest = std::numeric_limits<double>::infinity();
  if (k + 1 >= static_cast<int>(orders.size())) return largest;
  const TermSizes here = orders[static_cast<std::size_t>(k)].whole(),
                  next = orders[static_cast<std::size_t>(k) + 1].whole();
  for (const auto size : {&TermSizes::q, &TermSizes::v, &TermSizes::lambda})
    // A term that vanishes identically, such as q_1, is round-off here.
    if (here.*size > 1e-10 * next.*size && next.*size > 0.0)
      largest = std::min(largest, here.*size / next.*size);
  return largest;
}

SeriesExpansion series_of(const RollingStudy& study, int order) {
  if (order < 0 || order > highest_order)
    throw InputError(fmt::format("must be 0 to {}, not {}", highest_order, order), "order");
  const LawInfo& info = *find_law(study.contact.laws.front());
  if (!info.has_spring())
    throw InputError(
        fmt::format("the law {} has no expansion of any order; viscoelastic has one", info.name),
        study.name);
  return {study.model, study.initial, law_of(study, info), initial_deflection(study),
          order,       study.time.end};
}

SeriesTerms series_terms(const RollingStudy& study, const SeriesExpansion& expansion) {
  SeriesTerms terms{.study = study, .orders = {}, .slides = expansion.slides()};
  for (int k = 0; k <= expansion.order(); ++k)
    terms.orders.push_back({.outer = expansion.outer_size(k),
                            .layer = expansion.layer_size(k),
                            .matching_defect = expansion.matching_defect(k)});
  return terms;
}

}  // namespace rigidlimit
