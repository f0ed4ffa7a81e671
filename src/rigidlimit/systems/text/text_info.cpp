#include "rigidlimit/systems/text/text_info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/core/wrapped_text.hpp"

namespace rigidlimit {

namespace {

/// Text on one line, with single blanks.
std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

/// Text in lines of at most 80 characters, broken at sums where possible; continuation lines are
/// indented by four blanks.
std::string broken(const std::string& formula) {
  constexpr std::size_t width = 80;
  std::string lines, line;
  int depth = 0;
  std::string term;
  const auto add_term = [&] {
    if (!line.empty() && line.size() + term.size() > width) {
      lines += line + "\n";
      line = "   ";
    }
    line += term;
    term.clear();
  };
  for (std::size_t i = 0; i < formula.size(); ++i) {
    const char c = formula[i];
    if (c == '(') ++depth;
    if (c == ')') --depth;
    const bool sum = depth == 0 && c == ' ' && i + 2 < formula.size() &&
                     (formula[i + 1] == '+' || formula[i + 1] == '-') && formula[i + 2] == ' ';
    if (sum) add_term();
    term += c;
  }
  add_term();
  return lines + line;
}

/// On one line if they fit.
std::string tuple_text(const std::vector<PlacedText>& formulas) {
  constexpr std::size_t width = 80;
  std::vector<std::string> texts;
  std::size_t size = 0;
  for (const PlacedText& formula : formulas) {
    texts.push_back(one_line(formula.text));
    size += texts.back().size() + 2;
  }
  return fmt::format("({})", fmt::join(texts, size < width ? ", " : ",\n    "));
}

/// By rows, or "diag(…)".
std::string matrix_text(const std::vector<std::vector<PlacedText>>& rows) {
  std::vector<std::string> texts;
  std::vector<PlacedText> diagonal;
  bool is_diagonal = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    texts.push_back(tuple_text(rows[i]));
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      if (i == k)
        diagonal.push_back(rows[i][k]);
      else
        is_diagonal = is_diagonal && rows[i][k].text == "0";
  }
  return is_diagonal ? "diag" + tuple_text(diagonal)
                     : fmt::format("({})", fmt::join(texts, ",\n    "));
}

void add_list(std::string& to, const char* symbol, const std::vector<PlacedText>& formulas) {
  if (!formulas.empty()) to += fmt::format("{} = {}\n", symbol, tuple_text(formulas));
}

std::string contact_text(const SystemText::ContactPoint& contact) {
  const std::string gap = one_line(contact.gap.text), scale = one_line(contact.gap_scale.text);
  std::string text = fmt::format("contact {}: {}, g = {}", contact.name, name_of(contact.normal),
                                 scale.empty() ? gap : fmt::format("({})/({})", gap, scale));
  if (contact.normal != Normal::given) text += ", taken as a distance in m";
  if (contact.normal == Normal::given)
    text += fmt::format(", p = {}", one_line(contact.normal_force.text));
  if (contact.components > 0) text += fmt::format(", mu = {}", one_line(contact.friction.text));
  if (contact.normal == Normal::unilateral)
    text += fmt::format(", e = {}", one_line(contact.restitution.text));
  if (!contact.sliding_scale.text.empty())
    text += fmt::format(", G v divided by {}", one_line(contact.sliding_scale.text));
  return text + "\n";
}

/// The text without the line breaks that fill a paragraph of the file: those after a line of at
/// least `full` characters. An author who breaks earlier, or indents, means a line of its own.
std::string without_filling(const std::string& text) {
  constexpr std::size_t full = 60;
  std::istringstream lines(text);
  std::string all;
  std::size_t before = 0;  // width of the line before
  for (std::string line; std::getline(lines, line);) {
    const bool goes_on = before >= full && !line.empty() && line.front() != ' ';
    if (!all.empty()) all += goes_on ? ' ' : '\n';
    all += line;
    before = display_width(line);
  }
  return all;
}

/// The equations as written by the author.
std::string equations_in(const SystemText& text, bool moving) {
  std::vector<std::string> q, v;
  for (const auto& x : text.coordinates) q.push_back(x.name.text);
  for (const auto& velocity : text.velocities) v.push_back(velocity.name.text);
  std::string all = fmt::format("q = ({}), ", fmt::join(q, ", "));
  all += v.empty() ? "v = q'\n" : fmt::format("v = ({})\n", fmt::join(v, ", "));
  for (const auto& x : text.coordinates)
    if (!x.rate.text.empty() && x.rate.text != x.name.text + "'")
      all += fmt::format("{}' = {}\n", x.name.text, one_line(x.rate.text));
  std::set<std::string> needed = names_of_motion(text);
  for (const auto& contact : text.contacts)
    for (const PlacedText* formula :
         {&contact.normal_force, &contact.friction, &contact.restitution})
      add_names(text, *formula, needed);
  for (const auto& let : text.lets)
    if (needed.contains(let.name.text))  // a start may need others
      all += fmt::format("{} = {}\n", let.name.text, one_line(let.formula.text));
  for (const auto& [symbol, formula] :
       {std::pair("K*", &text.kinetic_coenergy), std::pair("P", &text.potential),
        std::pair("R", &text.dissipation)})
    if (!formula->text.empty())
      all += fmt::format("{} = {}\n", symbol, broken(one_line(formula->text)));
  add_list(all, "Q", text.applied_force);
  if (!text.mass_matrix.empty()) all += fmt::format("M = {}\n", matrix_text(text.mass_matrix));
  add_list(all, "F", text.force);
  add_list(all, moving ? "E v + b" : "E v", text.exact_constraint);
  std::vector<PlacedText> rows;
  for (const auto& contact : text.constraint)
    if (!contact.is_position) rows.push_back(contact.row);
  add_list(all, moving ? "G v + b" : "G v", rows);
  for (const auto& joint : text.constraint)
    if (joint.is_position)
      all += fmt::format("g of {} [{}] = {}\n", joint.name, joint.unit,
                         broken(one_line(joint.row.text)));
  add_list(all, "u", text.quasi_velocities);
  add_list(all, "0", text.invariants);
  for (const auto& contact : text.contacts) all += contact_text(contact);
  for (const auto& condition : text.conditions)
    all += fmt::format("needs {}{}{}\n", one_line(condition.holds.text),
                       condition.text.empty() ? "" : ": ", one_line(condition.text));
  if (!text.description.empty()) return all + without_filling(text.description);
  all.pop_back();
  return all;
}

/// `range` in the unit; values are in SI.
Component component_of(const std::string& name, const std::string& unit, const Range& range) {
  const std::string si = si_unit(unit);
  return {name, si, si_range(range, unit), si == unit ? std::string() : unit};
}

}  // namespace

SystemInfo info_of(const SystemFormulas& read) {
  const SystemText& text = read.text;
  SystemInfo info{.name = text.name,
                  .title = text.title,
                  .equations = equations_in(text, read.moving),
                  .source = text.source};
  for (const auto& x : text.coordinates) {
    info.coordinates.push_back(component_of(x.name.text, x.unit, x.range));
    if (text.velocities.empty())
      info.velocities.push_back(component_of(x.name.text + "'", rate_unit(x.unit), any_finite));
  }
  for (const auto& v : text.velocities)
    info.velocities.push_back(component_of(v.name.text, v.unit, v.range));
  if (read.moving) {
    info.coordinates.push_back({clock_name, "s", {.low = 0.0, .high = 0.0}, "", true});
    info.velocities.push_back(
        {std::string(clock_name) + "'", "1", {.low = 1.0, .high = 1.0}, "", true});
  }
  for (const auto& contact : text.constraint)
    info.contacts.push_back(
        {contact.name, si_unit(contact.is_position ? rate_unit(contact.unit) : contact.unit)});
  for (const auto& contact : text.constraint)
    if (contact.is_position)
      info.positions.push_back(component_of(name_of_gap(contact.name), contact.unit, any_finite));
  return info;
}

}  // namespace rigidlimit
