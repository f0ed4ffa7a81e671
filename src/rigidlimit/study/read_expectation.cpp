#include "rigidlimit/study/read_expectation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/study/contact_data.hpp"
#include "rigidlimit/study/read_bounds.hpp"

namespace rigidlimit {

ExpectationSpec read_expectation(Section section, Study& study, bool& cut_known) {
  ExpectationSpec e;
  const Measure measure = read_measure(section, study, cut_known);
  e.quantity = measure.quantity;
  e.norm = measure.norm;
  e.window = measure.window;
  if (section.has("ratio")) {
    e.ratio = section.number("ratio", positive, std::nullopt);
    e.ratio_within =
        section.number("ratio_within", {.low = 0.0, .high = 0.1, .low_open = true}, e.ratio_within);
    if (study.against == Against::composite)
      section.fail("ratio", "the composite expansion contains the predicted leading term already");
  }
  if (section.has("order") || !e.ratio) e.order = section.number("order", any_finite, std::nullopt);
  // The orders of the theory lie 1/2 apart: a wider tolerance could not fail.
  e.within = section.number("within", {.low = 0.0, .high = 0.25, .low_open = true}, e.within);
  section.finish();
  for (const ExpectationSpec& other : study.expectations)
    if (other.quantity == e.quantity && other.norm == e.norm && other.window == e.window)
      section.fail("quantity", "this quantity, norm and window has an expectation above");
  return e;
}

void require_prediction(Section& root, const Study& study) {
  const bool expects_ratio =
      std::ranges::any_of(study.expectations, [](const ExpectationSpec& e) { return !!e.ratio; });
  if (!expects_ratio && study.against == Against::rigid) return;
  constexpr const char* need = "the asymptotic expansion, which this study needs, is for";
  if (study.contact.damping_exponent != 1.0)
    root.section("contact").fail("damping_exponent",
                                 fmt::format("{} a damping exponent of 1", need));
  const std::unique_ptr<Pair> pair = study.system->make_pair(study.parameters);
  if (!is_consistent(*pair, study.initial))
    root.section("initial").fail("v", fmt::format("{} a start that does not slide", need));
}

}  // namespace rigidlimit
