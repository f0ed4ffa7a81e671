#include "rigidlimit/toml/formula_keys.hpp"

#include <fmt/format.h>

namespace rigidlimit {

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
