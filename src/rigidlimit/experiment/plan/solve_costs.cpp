#include "rigidlimit/experiment/plan/solve_costs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"

namespace rigidlimit {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::optional<double> finite_number(std::string_view text) {
  const std::optional<double> value = number_in(std::string(trimmed(text)));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<SolveCost> cost_in(std::string_view text) {
  const std::size_t comma = text.find(',');
  const auto at_one = finite_number(text.substr(0, comma));
  const auto exponent =
      comma == std::string_view::npos ? std::optional(0.0) : finite_number(text.substr(comma + 1));
  if (!at_one || !exponent || *at_one <= 0.0) return {};
  return SolveCost{*at_one, *exponent};
}

}  // namespace

SolveCosts solve_costs_of(const std::string& text) {
  SolveCosts costs;
  std::istringstream entries(text);
  for (std::string entry; std::getline(entries, entry, ';');) {
    const std::string_view one = trimmed(entry);
    if (one.empty()) continue;
    const std::size_t equals = one.rfind('=');
    const auto cost =
        equals == std::string_view::npos ? std::nullopt : cost_in(one.substr(equals + 1));
    const std::string_view group = trimmed(one.substr(0, equals));
    if (!cost || group.empty())
      throw InputError(fmt::format(
          "--cost {}: must be GROUP=a,p with numbers a > 0 (s) and p, where a solve of the group "
          "takes a ε^(−p) s; 'rigidlimit slurm FILE --parts N' prints the groups and their costs",
          one));
    if (!costs.emplace(group, *cost).second)
      throw InputError(fmt::format("--cost {}: the group has two costs", one));
  }
  return costs;
}

std::string text_of(const SolveCosts& costs) {
  std::string text;
  for (const auto& [group, cost] : costs)
    text += fmt::format("{}{}={:.3g},{:.3g}", text.empty() ? "" : "; ", group, cost.at_one,
                        cost.exponent);
  return text;
}

}  // namespace rigidlimit
