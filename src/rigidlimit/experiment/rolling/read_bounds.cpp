#include "rigidlimit/experiment/rolling/read_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace rigidlimit {

std::string read_law(Section& section, const RollingStudy& study) {
  const std::vector<std::string>& laws = study.contact.laws;
  return section.choice(Key{"law", "", "law of the claim"}
                            .valid("one of contact.law")
                            .otherwise("needed if contact.law is a list"),
                        laws, study.has_several_laws() ? std::nullopt : std::optional(laws[0]));
}

SeriesKeys read_series_keys(Section& section, const Key& quantity_of_claim, RollingStudy& study,
                            bool& cut_known) {
  SeriesKeys keys;
  keys.law = read_law(section, study);
  const std::string quantity =
      section.choice(quantity_of_claim, {"q", "v", "lambda"}, std::nullopt);
  for (const Quantity x : all_quantities)
    if (quantity == name_of(x)) keys.measure.quantity = x;
  keys.measure.norm = section.choice({"norm", "", "norm of the error over the window"},
                                     {"sup", "l2"}, "sup") == "sup"
                          ? Norm::sup
                          : Norm::l2;
  const bool has_after = section.has("after");
  keys.measure.window = section.choice(Key{"window", "", "all times, or t > time.after"}.otherwise(
                                           "\"all\"; \"after\" with after"),
                                       {"all", "after"}, has_after ? "after" : "all") == "after"
                            ? Window::after
                            : Window::all;
  if (!has_after) return keys;
  if (keys.measure.window == Window::all) section.fail("after", "conflicts with window = \"all\"");
  const double cut =
      section.number(Key{"after", "s", "begin of the window \"after\", one in a study"}
                         .valid(">= 0 and < time.end")
                         .otherwise("time.after"),
                     {.low = 0.0, .high = study.time.end, .high_open = true}, std::nullopt);
  if (cut_known && cut != study.after)
    section.fail("after",
                 fmt::format("a study has a single window \"after\", which began at t = {} above",
                             study.after));
  study.after = cut;
  cut_known = true;
  return keys;
}

std::pair<double, double> read_epsilon_interval(Section& section) {
  const std::vector<double> ends =
      section.numbers(Key{"epsilon", "1", "interval of epsilon of the claim"}
                          .valid("[lo, hi], each >= 0")
                          .otherwise("all"),
                      non_negative);
  if (ends.size() != 2)
    section.fail("epsilon",
                 fmt::format("must be the two ends of an interval, not {} numbers", ends.size()));
  return {std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
}

std::vector<BoundSpec> read_bounds(Section section, RollingStudy& study, bool& cut_known) {
  const SeriesKeys keys =
      read_series_keys(section, {"quantity", "", "quantity of the error"}, study, cut_known);
  BoundSpec spec{.law = keys.law,
                 .measure = keys.measure,
                 .subject = BoundSpec::Subject::model_error,
                 .bound = {}};
  if (section.has("epsilon"))
    std::tie(spec.bound.from, spec.bound.to) = read_epsilon_interval(section);
  std::vector<BoundSpec> specs;
  const bool has_ceiling = section.has("solver_error");
  if (section.has("constant") || section.has("power") || !has_ceiling) {
    spec.bound.constant = section.number(
        Key{"constant", "SI", "K of error + error bar <= K eps^power in every row"}.otherwise(
            "needed without solver_error"),
        positive, std::nullopt);
    spec.bound.power =
        section.number(Key{"power", "1", "p of K eps^p"}.otherwise("needed with constant"),
                       any_finite, std::nullopt);
    specs.push_back(spec);
  }
  if (has_ceiling) {
    spec.subject = BoundSpec::Subject::solver_error;
    spec.bound.constant = section.number(
        Key{"solver_error", "SI", "limit of the solver error, in addition or instead"}.otherwise(
            "none"),
        positive, std::nullopt);
    spec.bound.power = 0.0;
    specs.push_back(spec);
  }
  section.finish();
  return specs;
}

}  // namespace rigidlimit
