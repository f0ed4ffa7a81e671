#include "rigidlimit/systems/text/text_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/units.hpp"

namespace rigidlimit {

namespace {

class Doubts {
 public:
  explicit Doubts(const SystemFormulas& read) : read_(read) {
    const SystemText& text = read.text;
    const Unit second("s");
    for (const auto& p : text.parameters) add_slot(Unit(p.info.unit), p.name.text, on_nothing);
    for (const auto& x : text.coordinates) add_slot(Unit(x.unit), x.name.text, on_coordinates);
    for (const auto& v : text.velocities) add_slot(Unit(v.unit), v.name.text, on_velocities);
    for (std::size_t k = 0; k < text.coordinates.size() && text.velocities.empty(); ++k)
      add_slot(Unit(text.coordinates[k].unit) / second, text.coordinates[k].name.text + "'",
               on_velocities);
    add_slot(second, "t", on_time);
    constants_ = read.constants({});
    slots_.resize(read.names.slot_count());
    std::size_t next = 0;
    read.names.add_lets(slots_, ~0U, [&](const Formula& formula, const auto& slots) {
      const std::string& name = read.names.names_of_lets()[next++];
      std::vector<std::string> complaints;
      FormulaTerm let = formula.term(slots, constants_, complaints);
      for (const std::string& one : complaints) found_.push_back(fmt::format("{}: {}", name, one));
      return FormulaTerm{
          .unit = let.unit, .text = name, .depends = formula.depends(), .is_zero = let.is_zero};
    });
  }

  std::vector<std::string> found() {
    if (has_units()) {
      check_units();
    } else {
      found_.clear();
      for (std::size_t k = 0; k < read_.constraint.size(); ++k)
        if (!read_.text.constraint[k].is_position)
          find_still_terms(read_.constraint[k], read_.text.constraint[k].row, on_coordinates,
                           "so the surface moves with it; check for a missing prime (x instead of "
                           "x')");
    }
    for (const Formula& formula : read_.kinetic_coenergy)
      find_still_terms(
          formula, read_.text.kinetic_coenergy, on_nothing,
          "so it acts as a potential; check for a missing prime (x^2 instead of x'^2)");
    find_equal_rows();
    return std::move(found_);
  }

  /// Throws InputError for the first formula of a joint whose unit does not fit.
  void require_joints() const {
    if (!has_units()) return;
    for (std::size_t k = 0; k < read_.joint_parts.size(); ++k) {
      const SystemText::JointPart& part = read_.text.joint_parts[k];
      std::vector<std::string> complaints;
      const FormulaTerm term = read_.joint_parts[k].term(slots_, constants_, complaints);
      if (!complaints.empty()) refuse(part.formula, complaints.front());
      if (!part.unit.empty() && term.unit && !term.unit->is_convertible_to(Unit(part.unit)))
        refuse(part.formula,
               fmt::format("'{}' is in {}, not in {}", shortened(printable(part.formula.text), 100),
                           term.unit->text(), part.unit));
    }
  }

 private:
  /// A text without any unit is of numbers without dimension.
  bool has_units() const {
    const auto states = [](const auto& one) { return one.unit != "1"; };
    const SystemText& text = read_.text;
    return std::ranges::any_of(text.coordinates, states) ||
           std::ranges::any_of(text.velocities, states) ||
           std::ranges::any_of(text.parameters, [](const auto& p) { return p.info.unit != "1"; });
  }

  void check_units() {
    const SystemText& text = read_.text;
    const Unit joule("J"), watt("W");
    expect(read_.kinetic_coenergy, {text.kinetic_coenergy}, joule);
    expect(read_.potential, {text.potential}, joule);
    expect(read_.dissipation, {text.dissipation}, watt);
    for (std::size_t k = 0; k < read_.applied_force.size(); ++k)
      expect({read_.applied_force[k]}, {text.applied_force[k]}, watt / *velocity(k).unit);
    for (std::size_t k = 0; k < read_.force.size(); ++k)
      expect({read_.force[k]}, {text.force[k]}, watt / *velocity(k).unit);
    for (std::size_t k = 0; k < read_.constraint.size(); ++k)
      expect({read_.constraint[k]}, {text.constraint[k].row}, Unit(text.constraint[k].unit));
    for (std::size_t k = 0; k < read_.rates.size() && !text.velocities.empty(); ++k)
      expect({read_.rates[k]}, {text.coordinates[k].rate},
             Unit(text.coordinates[k].unit) / Unit("s"));
    for (const auto& [formulas, texts] :
         {std::pair(&read_.exact_constraint, &text.exact_constraint),
          std::pair(&read_.quasi_velocities, &text.quasi_velocities),
          std::pair(&read_.invariants, &text.invariants), std::pair(&read_.kinks, &text.kinks)})
      expect(*formulas, *texts, std::nullopt);
  }

  void add_slot(Unit unit, std::string name, unsigned depends) {
    slots_.push_back({.unit = std::move(unit), .text = std::move(name), .depends = depends});
  }
  const FormulaTerm& velocity(std::size_t k) const { return slots_[read_.first_v() + k]; }

  void doubt(const PlacedText& at, const std::string& what) {
    found_.push_back(fmt::format("{}: {}: {}", at.where(), at.key, what));
  }

  void expect(const Formulas& formulas, const std::vector<PlacedText>& texts,
              const std::optional<Unit>& unit) {
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      std::vector<std::string> complaints;
      const FormulaTerm term = formulas[k].term(slots_, constants_, complaints);
      for (const std::string& one : complaints) doubt(texts[k], one);
      if (complaints.empty() && unit && term.unit && !term.unit->is_convertible_to(*unit))
        doubt(texts[k], fmt::format("is in {}, not in {}", term.unit->text(), unit->text()));
    }
  }

  /// Terms that do not vanish at rest and depend on `needed`.
  void find_still_terms(const Formula& formula, const PlacedText& at, unsigned needed,
                        const char* consequence) {
    std::vector<std::string> ignored;
    FormulaTerm whole = formula.term(slots_, constants_, ignored);
    if (whole.terms.empty()) whole.terms.push_back(whole);
    for (const FormulaTerm& term : whole.terms)
      if ((term.depends & on_velocities) == 0 && (term.depends & needed) == needed)
        doubt(at, fmt::format("the term '{}' has no velocity, {}", term.text, consequence));
  }

  /// Rows that agree up to a factor at some states. Their values there are those of linear
  /// functions, so that three states of fixed numbers tell.
  void find_equal_rows() {
    constexpr std::size_t states = 3;
    std::vector<std::vector<double>> values(read_.constraint.size());
    for (std::size_t state = 0; state < states; ++state) {
      std::vector<double> slots = constants_;
      std::minstd_rand numbers(static_cast<unsigned>(7 + state));
      for (std::size_t k = read_.first_q(); k <= read_.time(); ++k)
        slots[k] = std::uniform_real_distribution<double>(0.2, 1.0)(numbers);
      read_.names.add_lets(slots, ~0U, [](const Formula& formula, const auto& known) {
        return formula.value(known);
      });
      for (std::size_t row = 0; row < read_.constraint.size(); ++row)
        values[row].push_back(read_.constraint[row].value(slots));
    }
    for (std::size_t row = 1; row < values.size(); ++row)
      for (std::size_t before = 0; before < row; ++before) {
        const auto& a = values[row];
        const auto& b = values[before];
        bool equal = b[0] != 0.0 && read_.text.constraint[row].is_position ==
                                        read_.text.constraint[before].is_position;
        for (std::size_t k = 1; k < states; ++k)
          equal = equal && std::abs(a[k] * b[0] - a[0] * b[k]) <=
                               1e-12 * (std::abs(a[k] * b[0]) + std::abs(a[0] * b[k]));
        if (!equal) continue;
        doubt(read_.text.constraint[row].row,
              fmt::format("is row {} again (or a multiple of it): the contact is redundant, and "
                          "its forces are not unique",
                          before));
        break;
      }
  }

  const SystemFormulas& read_;
  std::vector<double> constants_;
  std::vector<FormulaTerm> slots_;
  std::vector<std::string> found_;
};

void require_unit(const std::string& unit, const std::string& of, const PlacedText& at) {
  if (const std::string fault = fault_in_unit(unit); !fault.empty())
    throw InputError(fmt::format("the unit of {}: {}", of, fault), at.where());
}

}  // namespace

void require_units(const SystemText& text) {
  for (const auto& p : text.parameters) require_unit(p.info.unit, p.name.text, p.name);
  for (const auto& x : text.coordinates) {
    require_unit(x.unit, x.name.text, x.name);
    require_unit(rate_unit(x.unit), x.name.text + "'", x.name);
  }
  for (const auto& v : text.velocities) require_unit(v.unit, v.name.text, v.name);
  for (const auto& contact : text.constraint) {
    require_unit(contact.unit, contact.name, contact.row);
    if (contact.is_position) require_unit(rate_unit(contact.unit), contact.name, contact.row);
  }
}

void require_units_of_joints(const SystemFormulas& read) {
  if (!read.joint_parts.empty()) Doubts(read).require_joints();
}

std::vector<std::string> warnings_of(const SystemFormulas& read) {
  return Doubts(read).found();
}

}  // namespace rigidlimit
