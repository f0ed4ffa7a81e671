#include "rigidlimit/experiment/rolling/read_system_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>

#include "rigidlimit/experiment/spec/toml_text.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

/// min <= x, or above < x; likewise max and below.
Range read_range(Section& section) {
  Range range;
  const auto limit = [](const char* key, const char* meaning) {
    return Key{key, "own", meaning}.otherwise("none");
  };
  for (const auto& [closed, open, end, is_open] :
       {std::tuple(limit("min", "least valid value"), limit("above", "valid values exceed it"),
                   &range.low, &range.low_open),
        std::tuple(limit("max", "largest valid value"), limit("below", "valid values are below it"),
                   &range.high, &range.high_open)}) {
    if (section.has(closed.name) && section.has(open.name))
      section.fail(open.name, fmt::format("give only one of {} and {}", closed.name, open.name));
    *is_open = section.has(open.name);
    if (section.has(open.name) || section.has(closed.name))
      *end = section.number(*is_open ? open : closed, any_finite, std::nullopt);
  }
  if (!(range.low < range.high)) section.fail("", "its range is empty");
  return range;
}

std::vector<SystemText::Parameter> read_parameters(Section table) {
  std::vector<SystemText::Parameter> all;
  for (const PlacedText& name : table.keys()) {
    if (!table.has_table(name.text))
      table.fail(name.text,
                 "must be a table, {default = 1.0, unit = \"kg\", above = 0.0, text = \"…\"}");
    Section section = table.section(name.text, "system.parameters.NAME");
    ParameterInfo info{.name = name.text,
                       .unit = section.text({"unit", "", "unit in tables and messages"}, "1"),
                       .text = section.text({"text", "", "meaning of the parameter"}, ""),
                       .range = read_range(section)};
    info.default_value =
        section.number(Key{"default", "own", "value if a study gives none"}.valid("in its range"),
                       valid_range(info.range), std::nullopt);
    section.finish();
    all.push_back({name, info});
  }
  return all;
}

std::vector<SystemText::Let> read_lets(Section table) {
  std::vector<SystemText::Let> all;
  table.declare({"NAME", "", "named formula, in any order"}, "formula", "none");
  for (const PlacedText& name : table.keys()) all.push_back({name, table.formula(name.text, true)});
  return all;
}

/// The common keys of coordinates and velocities.
template <class One>
One read_component(Section& section) {
  One one;
  section.text({"name", "", "name in formulas and tables"}, std::nullopt);
  one.name = section.formula("name", true);
  one.unit = section.text({"unit", "", "unit in tables and messages"}, "1");
  one.range = read_range(section);
  one.start = section.formula({"start", "own", "value at t = 0"}, true);
  return one;
}

std::vector<SystemText::Coordinate> read_coordinates(Section& system, bool own_velocities) {
  std::vector<SystemText::Coordinate> all;
  for (Section& section : system.sections("coordinates")) {
    all.push_back(read_component<SystemText::Coordinate>(section));
    if (own_velocities)
      all.back().rate = section.formula(
          Key{"rate", "own", "rate of the coordinate, with [[system.velocities]]"}, true);
    else
      all.back().start_rate = section.formula(
          Key{"start_rate", "own", "velocity at t = 0, without [[system.velocities]]"}, true);
    section.finish();
  }
  return all;
}

std::vector<SystemText::Velocity> read_velocities(Section& system) {
  std::vector<SystemText::Velocity> all;
  for (Section& section : system.sections("velocities")) {
    all.push_back(read_component<SystemText::Velocity>(section));
    section.finish();
  }
  return all;
}

/// Rows, or tables {row, name, unit}.
void read_rows(Section& system, const Key& declared, std::vector<SystemText::Contact>& all) {
  const std::string& key = declared.name;
  system.declare(declared, "list of formulas, or of {row, name, unit}", "none");
  const auto otherwise = [&] { return fmt::format("w{}", all.size() + 1); };
  if (!system.has_tables(key)) {
    for (const PlacedText& row : system.formulas(key)) all.push_back({otherwise(), "m/s", row});
    return;
  }
  for (Section& section : system.sections(key, "KEY = [{}]")) {
    all.push_back(
        {section.text(Key{"name", "", "name of the sliding velocity"}.otherwise("w1, w2, ..."),
                      otherwise()),
         section.text({"unit", "", "unit of the sliding velocity"}, "m/s"),
         section.formula({"row", "own", "sliding velocity, linear in the velocities"}, true)});
    section.finish();
  }
}

Normal read_normal(Section& section) {
  const std::string word =
      section.choice({"normal", "", "gap kept at zero, gap that may open, or given normal force"},
                     {"given", "bilateral", "unilateral"}, std::nullopt);
  return word == "given"       ? Normal::given
         : word == "bilateral" ? Normal::bilateral
                               : Normal::unilateral;
}

/// A formula; 0 if there is none.
PlacedText formula_or_zero(Section& section, const Key& key) {
  PlacedText formula = section.formula(key.otherwise("0"));
  if (formula.text.empty()) formula.text = "0";
  return formula;
}

/// The contacts with their rows.
void read_contacts(Section& system, SystemText& text) {
  for (Section& section : system.sections("contacts")) {
    SystemText::ContactPoint contact;
    contact.name =
        section.text(Key{"name", "", "name in tables"}.otherwise("contact1, contact2, ..."),
                     fmt::format("contact{}", text.contacts.size() + 1));
    if (!is_name(contact.name))
      section.fail("name",
                   "must begin with a letter and contain only letters, digits and '_', at most 80 "
                   "characters");
    for (const auto& other : text.contacts)
      if (other.name == contact.name)
        section.fail("name", "two contacts have this name; rename one");
    contact.normal = read_normal(section);
    const bool given = contact.normal == Normal::given;
    const Key gap = Key{"gap", "m", "gap, a function of the coordinates"}.otherwise(
        "needed; 0 for normal = \"given\"");
    contact.gap = given ? formula_or_zero(section, "gap") : section.formula(gap, true);
    if (!given && section.has("normal_force"))
      section.fail("normal_force", "is valid only with normal = \"given\"; remove it");
    contact.normal_force =
        given ? section.formula(Key{"normal_force", "N", "given normal force"}.otherwise(
                                    "needed for normal = \"given\""),
                                true)
              : formula_or_zero(section, "normal_force");
    contact.friction = formula_or_zero(
        section, {"friction", "1", "coefficient of friction, a formula of parameters"});
    if (contact.normal != Normal::unilateral && section.has("restitution"))
      section.fail("restitution",
                   "is valid only with normal = \"unilateral\", for contacts that may open");
    contact.restitution = formula_or_zero(
        section, {"restitution", "1", "coefficient of restitution, for normal = \"unilateral\""});
    if (given && section.has("gap_scale"))
      section.fail("gap_scale", "is not used with normal = \"given\"; remove it");
    contact.gap_scale = section.formula(
        Key{"gap_scale", "1", "s > 0, a formula of parameters: the gap is s times the distance"}
            .otherwise("1, if the gap can be a distance"));
    const std::size_t before = text.constraint.size();
    read_rows(
        section,
        Key{"sliding", "m/s", "one or two sliding velocities, linear in the velocities"}.otherwise(
            "needed"),
        text.constraint);
    contact.sliding_scale = section.formula(
        Key{"sliding_scale", "1", "s > 0, a formula of parameters: `sliding` is s times velocities"}
            .otherwise("1, if they can be velocities of points"));
    contact.components = static_cast<Index>(text.constraint.size() - before);
    if (contact.components < 1 || contact.components > 2)
      section.fail("sliding",
                   "must be one or two formulas of sliding velocities, linear in the velocities");
    section.finish();
    text.contacts.push_back(contact);
  }
}

SystemText read_system_text(Section& system) {
  SystemText text;
  text.whole = {
      .text = {}, .key = "system", .place = [system](std::size_t) { return system.place(); }};
  text.name = system.text({"name", "", "name of the new system"}, std::nullopt);
  if (!is_name(text.name))
    system.fail(
        "name",
        "must begin with a letter and contain only letters, digits and '_', at most 80 characters");
  text.title = system.text({"title", "", "title in lists"}, "");
  text.description = system.text({"description", "", "text of `describe`"}, "");
  text.source = system.text({"source", "", "source of the equations"}, "");
  text.parameters = read_parameters(system.section("parameters"));
  text.lets = read_lets(system.section("let"));
  text.velocities = read_velocities(system);
  text.coordinates = read_coordinates(system, !text.velocities.empty());
  if (system.has("contacts") && system.has("constraint"))
    system.fail("constraint",
                "conflicts with `sliding` of [[system.contacts]]; give only one of them");
  read_rows(system, {"constraint", "m/s", "sliding velocities G v of rolling contacts"},
            text.constraint);
  read_contacts(system, text);
  text.kinetic_coenergy = system.formula(
      Key{"kinetic_coenergy", "J", "K*, in x' or the velocities; needed without mass_matrix"});
  text.potential =
      system.formula({"potential", "J", "P, a function of the coordinates; needed with K*"});
  text.dissipation = system.formula({"dissipation", "W", "R, a function of the velocities"});
  text.applied_force = system.formulas({"applied_force", "SI", "Q, of q, v and t"});
  text.mass_matrix = system.formula_rows({"mass_matrix", "SI", "M, in place of K*"});
  text.force =
      system.formulas({"force", "SI", "F of M v' = F - G^T Lambda; needed with mass_matrix"});
  text.exact_constraint =
      system.formulas({"exact_constraint", "SI", "E v = 0, ideal on both sides"});
  text.quasi_velocities =
      system.formulas({"quasi_velocities", "SI", "S v, natural coordinates of rolling"});
  text.invariants = system.formulas({"invariants", "SI", "functions of q that stay zero"});
  text.kinks = system.formulas(
      {"kinks", "SI", "functions of q at whose zeros a gap or a row is not smooth"});
  return text;
}

// --- back to TOML, so that a store is complete without the file

std::string quoted(const PlacedText& formula) {
  return toml_text(formula.text);
}

std::string quoted(const std::vector<PlacedText>& formulas) {
  std::vector<std::string> texts;
  for (const PlacedText& formula : formulas) texts.push_back(quoted(formula));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string quoted(const std::vector<std::vector<PlacedText>>& rows) {
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.push_back(quoted(row));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string range_toml(const Range& range) {
  std::string text;
  if (std::isfinite(range.low))
    text += fmt::format(", {} = {}", range.low_open ? "above" : "min", toml_text(range.low));
  if (std::isfinite(range.high))
    text += fmt::format(", {} = {}", range.high_open ? "below" : "max", toml_text(range.high));
  return text;
}

template <class One>
std::string component_toml(const One& one) {
  return fmt::format("name = {}, unit = {}{}, start = {}", quoted(one.name), toml_text(one.unit),
                     range_toml(one.range), quoted(one.start));
}

std::string row_toml(const SystemText::Contact& row) {
  return fmt::format("{{name = {}, unit = {}, row = {}}}", toml_text(row.name), toml_text(row.unit),
                     quoted(row.row));
}

/// The list `constraint`, or `contacts` with its rows.
std::string contacts_toml(const SystemText& text) {
  std::string toml = text.contacts.empty() ? "constraint = [\n" : "contacts = [\n";
  std::size_t next = 0;
  if (text.contacts.empty())
    for (const auto& row : text.constraint) toml += fmt::format("  {},\n", row_toml(row));
  for (const auto& contact : text.contacts) {
    toml += fmt::format("  {{name = {}, normal = \"{}\", gap = {}, friction = {}",
                        toml_text(contact.name), name_of(contact.normal), quoted(contact.gap),
                        quoted(contact.friction));
    if (contact.normal == Normal::given)
      toml += fmt::format(", normal_force = {}", quoted(contact.normal_force));
    if (contact.normal == Normal::unilateral)
      toml += fmt::format(", restitution = {}", quoted(contact.restitution));
    for (const auto& [key, scale] : {std::pair("gap_scale", &contact.gap_scale),
                                     std::pair("sliding_scale", &contact.sliding_scale)})
      if (!scale->text.empty()) toml += fmt::format(", {} = {}", key, quoted(*scale));
    std::vector<std::string> rows;
    for (Index k = 0; k < contact.components; ++k)
      rows.push_back(row_toml(text.constraint[next++]));
    toml += fmt::format(", sliding = [{}]}},\n", fmt::join(rows, ", "));
  }
  return toml + "]\n";
}

std::string definition_of(const SystemText& text) {
  std::string toml =
      fmt::format("title = {}\ndescription = {}\nsource = {}\ncoordinates = [\n",
                  toml_text(text.title), toml_text(text.description), toml_text(text.source));
  for (const auto& x : text.coordinates)
    toml +=
        text.velocities.empty()
            ? fmt::format("  {{{}, start_rate = {}}},\n", component_toml(x), quoted(x.start_rate))
            : fmt::format("  {{{}, rate = {}}},\n", component_toml(x), quoted(x.rate));
  toml += "]\n";
  if (!text.velocities.empty()) toml += "velocities = [\n";
  for (const auto& v : text.velocities) toml += fmt::format("  {{{}}},\n", component_toml(v));
  toml += (text.velocities.empty() ? "" : "]\n") + contacts_toml(text);
  const auto add = [&](const char* key, const auto& value, bool is_there) {
    if (is_there) toml += fmt::format("{} = {}\n", key, quoted(value));
  };
  add("kinetic_coenergy", text.kinetic_coenergy, !text.kinetic_coenergy.text.empty());
  add("potential", text.potential, !text.potential.text.empty());
  add("dissipation", text.dissipation, !text.dissipation.text.empty());
  add("applied_force", text.applied_force, !text.applied_force.empty());
  add("mass_matrix", text.mass_matrix, !text.mass_matrix.empty());
  add("force", text.force, !text.force.empty());
  add("exact_constraint", text.exact_constraint, !text.exact_constraint.empty());
  add("quasi_velocities", text.quasi_velocities, !text.quasi_velocities.empty());
  add("invariants", text.invariants, !text.invariants.empty());
  add("kinks", text.kinks, !text.kinks.empty());
  if (!text.lets.empty()) toml += "\n[system.let]\n";
  for (const auto& let : text.lets)
    toml += fmt::format("{} = {}\n", let.name.text, quoted(let.formula));
  if (!text.parameters.empty()) toml += "\n[system.parameters]\n";
  for (const auto& [name, info] : text.parameters)
    toml += fmt::format("{} = {{default = {}, unit = {}{}, text = {}}}\n", name.text,
                        toml_text(info.default_value), toml_text(info.unit), range_toml(info.range),
                        toml_text(info.text));
  return toml;
}

SystemEntry written_entry(Section& system, const SystemCatalogue& systems) {
  SystemText text = read_system_text(system);
  // Before the missing keys: a misspelt key is the reason of a missing one.
  for (const auto& parameter : text.parameters) system.has(parameter.name.text);
  system.finish();
  if (find_system(systems, text.name))
    system.fail("name", "the catalogue has a system of this name; choose another name");
  std::string definition = definition_of(text);
  SystemEntry entry = entry_of(std::move(text));
  entry.definition = std::move(definition);
  return entry;
}

/// A file that contains only the system.
SystemEntry entry_in(Section root, const std::string& path, const SystemCatalogue& systems) {
  SystemEntry entry = written_entry(root, systems);
  root.finish();
  entry.file = path;
  return entry;
}

}  // namespace

bool is_written(Section system) {
  return system.has("file") || system.has("coordinates");
}

std::shared_ptr<const SystemEntry> written_system(Section& system, const SystemCatalogue& systems) {
  if (!system.has("file"))
    return std::make_shared<const SystemEntry>(written_entry(system, systems));
  for (const char* key : {"name", "coordinates"})
    if (system.has(key)) system.fail(key, "is defined in the file; remove it, or remove file");
  const std::string path = system.path("file");
  return std::make_shared<const SystemEntry>(
      entry_in(TomlDocument::from_file(path).root(), path, systems));
}

std::shared_ptr<const SystemEntry> system_in_file(const std::string& path,
                                                  const SystemCatalogue& systems) {
  Section root = TomlDocument::from_file(path).root();
  if (!root.has_table("system"))
    return std::make_shared<const SystemEntry>(entry_in(root, path, systems));
  Section system = root.section("system");
  if (is_written(system)) return written_system(system, systems);
  return std::make_shared<const SystemEntry>(
      *find_system(systems, system.choice("name", names_of(systems), std::nullopt)));
}

std::string written_in(const SystemEntry& entry) {
  if (entry.definition.empty()) return {};
  return entry.file.empty() ? "the study" : entry.file;
}

bool is_system_file(const std::string& word) {
  return std::filesystem::path(word).extension() == ".toml";
}

}  // namespace rigidlimit
