#include "rigidlimit/experiment/spec/study_keys.hpp"

#include <algorithm>

namespace rigidlimit {

const Alternatives& alternative_keys() {
  static const Alternatives alternatives{
      {"epsilon.values", {"epsilon.from", "epsilon.to", "epsilon.count"}},
      {"epsilon.from", {"epsilon.values"}},
      {"contact.damping", {"contact.damping_ratio"}},
      {"contact.damping_ratio", {"contact.damping"}},
      {"contact.deflection", {"contact.preparation"}},
      {"contact.preparation", {"contact.deflection"}}};
  return alternatives;
}

const KeyTable<EpsilonTable>& epsilon_keys() {
  using E = EpsilonTable;
  using K = Keys<E>;
  const auto unless_values = [](const E& e) {
    return e.values.empty() ? ""
                            : "conflicts with values; give either values, or from, to and count";
  };
  const auto grid = keys::in(&E::grid);
  static const KeyTable<E> table{
      "epsilon",
      {K::numbers({"values", "1", "values of epsilon"}, &E::values, valid_epsilon)
           .otherwise(needed(": values, or from, to and count"))
           .written_if([](const E& e) { return !e.values.empty(); }),
       K::number({"from", "1", "first value"}, grid(&GeometricGrid::from), valid_epsilon)
           .needed()
           .unless(unless_values),
       K::number({"to", "1", "last value"}, grid(&GeometricGrid::to), valid_epsilon)
           .needed()
           .unless(unless_values)
           .checked([](const E& e) { return fault_in_ratio(e.grid); }),
       K::count({"count", "", "number of values"}, grid(&GeometricGrid::count), {2, 10'000})
           .needed()
           .unless(unless_values)}};
  return table;
}

std::vector<double> read_epsilons(Section section) {
  EpsilonTable table;
  epsilon_keys().read(section, table);
  section.finish();
  const bool listed = !table.values.empty();
  std::vector<double> values = listed ? std::move(table.values) : table.grid.values();
  std::ranges::sort(values, std::greater{});
  if (std::ranges::adjacent_find(values) != values.end())
    section.fail(listed ? "values" : "to", "an epsilon occurs twice");
  return values;
}

std::vector<KeyRow<ExpectationSpec>> order_rows(
    std::vector<std::pair<std::string, Convergence>> convergences, const char* order_words) {
  using E = ExpectationSpec;
  using K = Keys<E>;
  const auto of_order = [](const E& e) { return e.convergence == Convergence::of_order; };
  const auto conflict = [of_order](const E& e) -> std::string {
    if (of_order(e)) return {};
    return fmt::format("conflicts with `{}`; give only one of them",
                       e.convergence == Convergence::bounded ? "at_most" : "convergence");
  };
  const bool exact = convergences.size() > 1;
  return {
      K::choice({"convergence", "",
                 exact ? "in place of order: the error does not decrease, or is below within"
                       : "in place of order: the error does not decrease"},
                &E::convergence, std::move(convergences))
          .otherwise("see order")
          .unless([](const E& e) -> std::string {
            return e.convergence == Convergence::bounded
                       ? "conflicts with `at_most`; give only one of them"
                       : "";
          })
          .written_if([of_order](const E& e) { return !of_order(e); }),
      K::number({"at_least", "1", "in place of order: least order of the error"}, &E::at_least,
                any_finite)
          .otherwise("see order")
          .unless(conflict),
      K::number({"order", "1", "order of the error as epsilon -> 0"}, &E::order, any_finite)
          .otherwise(order_words)
          .unless([conflict](const E& e) -> std::string {
            return e.at_least ? "conflicts with `at_least`; give only one of them" : conflict(e);
          }),
      K::number(
          {"within", "1", "tolerance of the order; of the error, in SI units, if it is exact"},
          &E::within, "> 0 and <= 0.25; > 0 if exact",
          [](const E& e) {
            return e.convergence == Convergence::exact ? positive : valid_order_tolerance;
          })
          // A slow start or a trend can tilt a constant error by a few hundredths of an order.
          .otherwise("0.05; 0.1 with convergence; needed if exact",
                     [](const E& e) { return e.convergence == Convergence::none ? 0.1 : 0.05; })
          .unless([](const E& e) -> std::string {
            return e.convergence == Convergence::bounded ? "is not used with `at_most`; remove it"
                                                         : "";
          }),
      K::number({"ratio", "1", "limit of measured over predicted coefficient"}, &E::ratio, positive)
          .otherwise("no claim")
          .unless(conflict),
      K::number({"ratio_within", "1", "tolerance of ratio"}, &E::ratio_within,
                {.low = 0.0, .high = 0.1, .low_open = true})
          .unless([](const E& e) -> std::string { return e.ratio ? "" : "needs `ratio`"; }),
      K::text(
          {"order_only", "", "why the constant has no claim: reason for an order without ratio"},
          &E::order_only)
          .otherwise("none")
          .unless([conflict](const E& e) -> std::string {
            return e.ratio ? "conflicts with `ratio`, which gates the constant" : conflict(e);
          })
          .checked([](const E& e) -> std::string {
            return e.order_only.empty() ? "is empty; state the reason, or omit it" : "";
          })
          .written_if([](const E& e) { return !e.order_only.empty(); })};
}

}  // namespace rigidlimit
