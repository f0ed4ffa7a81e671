#include "rigidlimit/toml/formula_keys.hpp"

#include <fmt/format.h>

#include <tuple>

namespace rigidlimit {

Range read_range(Section& section) {
  Range range;
  for (const auto& [closed, open, end, is_open] :
       {std::tuple("min", "above", &range.low, &range.low_open),
        std::tuple("max", "below", &range.high, &range.high_open)}) {
    if (section.has(closed) && section.has(open))
      section.fail(open, fmt::format("give only one of {} and {}", closed, open));
    *is_open = section.has(open);
    if (section.has(open) || section.has(closed))
      *end = section.number(*is_open ? open : closed, any_finite, std::nullopt);
  }
  if (!(range.low < range.high)) section.fail("", "its range is empty");
  return range;
}

KeyTableInfo let_keys(const std::string& owner) {
  return {owner + ".let",
          {{.name = "NAME",
            .unit = "",
            .text = "named formula, in any order",
            .values = "formula",
            .otherwise = "none",
            .is_computed = true}}};
}

std::vector<NamedFormula> read_lets(Section& owner) {
  std::vector<NamedFormula> lets;
  Section table = owner.section("let");
  for (const PlacedText& name : table.keys())
    lets.push_back({name, table.formula(name.text, true)});
  return lets;
}

std::string lets_text(const std::string& owner, const std::vector<NamedFormula>& lets) {
  if (lets.empty()) return "";
  std::string toml = fmt::format("\n[{}.let]\n", owner);
  for (const NamedFormula& let : lets)
    toml += fmt::format("{} = {}\n", let.name.text, toml_text(let.formula.text));
  return toml;
}

}  // namespace rigidlimit
