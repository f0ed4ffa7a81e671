#include "rigidlimit/core/formula_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

// Beyond any text written by hand. Derivatives of so many operations in 32 velocities take seconds
// and a few hundred megabytes.
constexpr std::size_t most_in_names = 20'000;

using Needs = std::vector<std::set<std::string>>;
using OpenLets = std::map<std::string, std::size_t>;  ///< name -> place in the list

[[noreturn]] void refuse_circle(const std::vector<NamedFormula>& lets, const OpenLets& open,
                                const Needs& needs) {
  // Every open formula needs an open one, so following them long enough reaches a cycle.
  const auto next = [&](const std::string& name) {
    return *std::ranges::find_if(needs[open.at(name)],
                                 [&](const std::string& other) { return open.contains(other); });
  };
  std::string name = open.begin()->first;
  for (std::size_t k = 0; k < open.size(); ++k) name = next(name);
  const std::string first = name;
  std::string circle = first;
  do {
    name = next(name);
    circle += " -> " + name;
  } while (name != first);
  refuse(lets[open.at(first)].formula,
         fmt::format("is defined by itself: {}", shortened(circle, 200)));
}

}  // namespace

void refuse(const PlacedText& at, const std::string& what) {
  throw InputError(fmt::format("{}: {}", shortened(printable(at.key), 200), what),
                   printable(at.where()));
}

void FormulaNames::define(const PlacedText& name, unsigned depends) {
  if (!is_name(name.text))
    refuse(name, fmt::format("'{}' is not a name: it must begin with a letter and contain only "
                             "letters, digits and '_'",
                             shortened(printable(name.text), 40)));
  if (is_formula_word(name.text))
    refuse(name,
           fmt::format("'{}' is a reserved word of formulas; choose another name", name.text));
  define(name, name.text, depends);
}

void FormulaNames::define(const PlacedText& at, const std::string& name, unsigned depends) {
  if (!symbols_.emplace(name, std::vector{FormulaSymbol{first_let_, depends}}).second)
    refuse(at, fmt::format("'{}' is defined twice", name));
  ++first_let_;
}

void FormulaNames::define_time() {
  symbols_.emplace("t", std::vector{FormulaSymbol{first_let_++, on_time}});
}

void FormulaNames::read_lets(const std::vector<NamedFormula>& lets, unsigned may_depend) {
  OpenLets open;
  FormulaNames all = *this;  // finds repeated names
  for (std::size_t k = 0; k < lets.size(); ++k) {
    all.define(lets[k].name, on_nothing);
    open.emplace(lets[k].name.text, k);
  }
  Needs needs;
  for (const NamedFormula& let : lets) {
    needs.emplace_back();
    for (const std::string& name : names_in(let.formula.text))
      if (open.contains(name)) needs.back().insert(name);
  }
  while (!open.empty()) {
    const auto ready = std::ranges::find_if(open, [&](const auto& let) {
      return std::ranges::none_of(needs[let.second],
                                  [&](const std::string& name) { return open.contains(name); });
    });
    if (ready == open.end()) refuse_circle(lets, open, needs);
    add_let(ready->first, lets[ready->second].formula, may_depend);
    open.erase(ready);
  }
}

void FormulaNames::add_let(const std::string& name, const PlacedText& formula,
                           unsigned may_depend) {
  std::vector<Formula> components = Formula::components(formula, symbols_, may_depend);
  std::vector<FormulaSymbol> symbols;
  for (std::size_t k = 0; k < components.size(); ++k) {
    symbols.push_back({slot_count(), components[k].depends()});
    let_names_.push_back(components.size() == 1 ? name : fmt::format("{}.{}", name, "xyz"[k]));
    lets_.push_back(added(std::move(components[k]), formula));
  }
  symbols_.emplace(name, std::move(symbols));
}

Formula FormulaNames::read(const PlacedText& formula, unsigned may_depend) {
  return added(Formula(formula, symbols_, may_depend), formula);
}

Formula FormulaNames::read_condition(const PlacedText& condition, unsigned may_depend) {
  return added(Formula::condition(condition, symbols_, may_depend), condition);
}

Formula FormulaNames::added(Formula made, const PlacedText& text) {
  operations_ += made.operations();
  switches_.insert(switches_.end(), made.switches().begin(), made.switches().end());
  if (operations_ > most_in_names)
    refuse(text, fmt::format("with this formula the text has more than {} operations, the limit",
                             most_in_names));
  return made;
}

std::vector<double> FormulaNames::constants(const std::vector<double>& first) const {
  std::vector<double> slots(slot_count(), std::numeric_limits<double>::quiet_NaN());
  std::ranges::copy(first, slots.begin());
  add_lets(slots, on_nothing, [](const Formula& let, const auto& at) { return let.value(at); });
  return slots;
}

}  // namespace rigidlimit
