#include "rigidlimit/experiment/rolling/read_expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "rigidlimit/experiment/rolling/catalogue.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/experiment/rolling/predicted_terms.hpp"
#include "rigidlimit/experiment/rolling/read_bounds.hpp"
#include "rigidlimit/experiment/rolling/series_terms.hpp"

namespace rigidlimit {

namespace {

Key order_tolerance() {
  return Key{"within", "1", "tolerance of the order"}.otherwise("0.05; 0.1 with convergence");
}

/// Reads `convergence`, the alternative to an order.
void read_convergence(Section& section, ExpectationSpec& e) {
  for (const char* key : {"order", "ratio", "order_only"})
    if (section.has(key)) section.fail(key, "conflicts with `convergence`; give only one of them");
  if (section.choice(Key{"convergence", "",
                         "in place of order: the error does not decrease, or is below within"}
                         .otherwise("see order"),
                     {"none", "exact"}, std::nullopt) == "none") {
    e.convergence = Convergence::none;
    // A slow start or a trend can tilt a constant error by a few hundredths of an order.
    e.within = section.number(order_tolerance(), {.low = 0.0, .high = 0.25, .low_open = true}, 0.1);
  } else {
    e.convergence = Convergence::exact;
    e.within = section.number({"within", "SI", "with convergence = \"exact\": limit of the error"},
                              positive, std::nullopt);  // of the error: no useful default
  }
}

}  // namespace

void read_ratio(Section& section, ExpectationSpec& e) {
  e.ratio = section.number(
      Key{"ratio", "1", "limit of measured over predicted coefficient"}.otherwise("no claim"),
      positive, std::nullopt);
  e.ratio_within = section.number({"ratio_within", "1", "tolerance of ratio"},
                                  {.low = 0.0, .high = 0.1, .low_open = true}, e.ratio_within);
}

void read_order_only(Section& section, ExpectationSpec& e) {
  if (!section.has("order_only")) return;
  if (e.ratio) section.fail("order_only", "conflicts with `ratio`, which gates the constant");
  e.order_only = section.text(
      Key{"order_only", "", "why the constant has no claim: reason for an order without ratio"}
          .otherwise("none"),
      std::nullopt);
  if (e.order_only.empty()) section.fail("order_only", "is empty; state the reason, or omit it");
}

bool expects_steps(Section& section) {
  return section.choice(
             {"quantity", "", "quantity of the error, or growth of the steps as epsilon -> 0"},
             {"q", "v", "lambda", "steps"}, std::nullopt) == "steps";
}

StepsSpec read_steps_expectation(Section section, const RollingStudy& study) {
  StepsSpec spec{.law = read_law(section, study)};
  section.has("quantity");
  if (study.solvers.steps > 0)
    section.fail("quantity",
                 fmt::format("steps: with solvers.steps = {} every solve has equal steps, which do "
                             "not depend on epsilon; remove solvers.steps",
                             study.solvers.steps));
  if (section.has("growth_at_least"))
    spec.at_least =
        section.number(Key{"growth_at_least", "1",
                           "least growth of quantity = \"steps\", in steps per decade of epsilon"}
                           .otherwise("none"),
                       any_finite, std::nullopt);
  if (section.has("growth_at_most") || !section.has("growth_at_least"))
    spec.at_most = section.number(
        Key{"growth_at_most", "1", "largest growth of quantity = \"steps\""}.otherwise(
            "needed without growth_at_least"),
        any_finite, std::nullopt);
  if (spec.at_least > spec.at_most)
    section.fail("growth_at_least",
                 fmt::format("exceeds growth_at_most = {}: no growth is in between", spec.at_most));
  const bool has_interval = section.has("epsilon");
  if (has_interval) std::tie(spec.from, spec.to) = read_epsilon_interval(section);
  const auto covered =
      std::ranges::count_if(study.epsilons, [&](double e) { return spec.covers(e); });
  if (covered < 2)
    section.fail(has_interval ? "epsilon" : "quantity",
                 fmt::format("steps: a growth needs two values of epsilon; {} of the {} values of "
                             "[epsilon] {} in the interval",
                             covered, study.epsilons.size(), covered == 1 ? "is" : "are"));
  section.finish();
  for (const StepsSpec& other : study.steps)
    if (other.law == spec.law && other.from == spec.from && other.to == spec.to)
      section.fail("quantity",
                   "another [[expect]] has the same quantity and interval of epsilon; give both "
                   "limits in one");
  return spec;
}

ExpectationSpec read_expectation(Section section, RollingStudy& study, bool& cut_known) {
  ExpectationSpec e;
  const SeriesKeys keys = read_series_keys(section, "quantity", study, cut_known);
  e.law = keys.law;
  e.measure = keys.measure;
  if (section.has("convergence")) {
    read_convergence(section, e);
  } else {
    if (section.has("ratio")) {
      read_ratio(section, e);
      if (!can_be_predicted(*find_law(*e.law)))
        section.fail(
            "ratio",
            fmt::format("is not valid for the law {}, which has no predicted coefficient", *e.law));
    }
    read_order_only(section, e);
    const Key order = Key{"order", "1", "order of the error as epsilon -> 0"}.otherwise(
        "needed without convergence or ratio; with composite.order = K: that of the first term "
        "behind K that is not zero");
    if (section.has("order") || !(e.ratio || study.composite_order))
      e.order = section.number(order, any_finite, std::nullopt);
    // The orders of the theory are multiples of 1/2: a wider tolerance could not fail.
    e.within =
        section.number(order_tolerance(), {.low = 0.0, .high = 0.25, .low_open = true}, e.within);
  }
  section.finish();
  for (const ExpectationSpec& other : study.expectations)
    if (other.law == e.law && other.measure == e.measure)
      section.fail("quantity", "another [[expect]] has the same quantity, norm and window");
  return e;
}

void require_prediction(Section& root, const RollingStudy& study) {
  const bool expects_ratio = std::ranges::any_of(study.expectations, [](const ExpectationSpec& e) {
    return e.ratio && find_law(*e.law)->is_viscoelastic();
  });
  const bool composite = study.against == Against::composite;
  if (!expects_ratio && !composite) return;
  const double beta = study.contact.damping_exponent;
  const auto refuse = [&](const char* section, const char* key, const char* need) {
    root.section(section).fail(
        key, fmt::format("the asymptotic expansion, which this study uses, needs {}", need));
  };
  if (composite && study.contact.laws != ContactSpec{}.laws)
    refuse("contact", "law", "the viscoelastic law");
  if (composite && beta != 1.0 && beta != 2.0)
    refuse("contact", "damping_exponent", "a damping exponent of 1 or 2");
  if (beta > 2.0) refuse("contact", "damping_exponent", "a damping exponent up to 2");
  if (beta != 1.0 && beta != 2.0 && !is_consistent(study.model, study.initial))
    refuse("initial", "v", "a start that does not slide, or a damping exponent of 1 or 2");
}

}  // namespace rigidlimit
