#include "rigidlimit/study/read_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace rigidlimit {

Measure read_measure(Section& section, Study& study, bool& cut_known) {
  Measure measure;
  const std::string quantity = section.choice("quantity", {"q", "v", "lambda"}, std::nullopt);
  for (const Quantity x : all_quantities)
    if (quantity == name_of(x)) measure.quantity = x;
  measure.norm = section.choice("norm", {"sup", "l2"}, "sup") == "sup" ? Norm::sup : Norm::l2;
  const bool has_after = section.has("after");
  measure.window =
      section.choice("window", {"all", "after"}, has_after ? "after" : "all") == "after"
          ? Window::after
          : Window::all;
  if (!has_after) return measure;
  if (measure.window == Window::all) section.fail("after", "contradicts window = \"all\"");
  const double cut = section.number(
      "after", {.low = 0.0, .high = study.time.end, .high_open = true}, std::nullopt);
  if (cut_known && cut != study.after)
    section.fail("after", fmt::format("a study has one window \"after\"; it began at t = {} above",
                                      study.after));
  study.after = cut;
  cut_known = true;
  return measure;
}

std::vector<BoundSpec> read_bounds(Section section, Study& study, bool& cut_known) {
  const Measure measure = read_measure(section, study, cut_known);
  BoundSpec spec{.quantity = measure.quantity,
                 .norm = measure.norm,
                 .window = measure.window,
                 .subject = BoundSpec::Subject::model_error,
                 .bound = {}};
  if (section.has("epsilon")) {
    const std::vector<double> ends = section.numbers("epsilon", non_negative);
    if (ends.size() != 2)
      section.fail("epsilon", fmt::format("must be two numbers, the ends, not {}", ends.size()));
    std::tie(spec.bound.from, spec.bound.to) = std::minmax(ends[0], ends[1]);
  }
  std::vector<BoundSpec> specs;
  const bool has_ceiling = section.has("solver_error");
  if (section.has("constant") || section.has("power") || !has_ceiling) {
    spec.bound.constant = section.number("constant", positive, std::nullopt);
    spec.bound.power = section.number("power", any_finite, std::nullopt);
    specs.push_back(spec);
  }
  if (has_ceiling) {
    spec.subject = BoundSpec::Subject::solver_error;
    spec.bound.constant = section.number("solver_error", positive, std::nullopt);
    spec.bound.power = 0.0;
    specs.push_back(spec);
  }
  section.finish();
  return specs;
}

}  // namespace rigidlimit
