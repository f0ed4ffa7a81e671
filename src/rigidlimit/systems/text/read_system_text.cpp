#include "rigidlimit/systems/text/read_system_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <span>
#include <tuple>

#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/joints.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "rigidlimit/systems/text/text_warnings.hpp"
#include "rigidlimit/toml/formula_keys.hpp"

namespace rigidlimit {

KeyTableInfo system_keys() {
  return {"system",
          {{.name = "file",
            .unit = "",
            .text = "TOML file of a system, in place of the name",
            .values = "file path or name of a shipped system",
            .otherwise = "none"},
           {.name = "name",
            .unit = "",
            .text = "system of the catalogue: `list systems`; its parameters follow (`describe "
                    "NAME`)",
            .values = "text"}}};
}

namespace {

using T = SystemText;

constexpr KeyName unit_key{"unit", "", "unit of its numbers, which are converted to SI"};

const KeyTable<T::Parameter>& parameter_keys() {
  using P = T::Parameter;
  using K = Keys<P>;
  using keys::of;
  static const KeyTable<P> table{
      "system.parameters.NAME",
      joined<P>({range_rows<P>([](P& p) -> Range& { return p.info.range; }),
                 {K::number({"default", "own", "value if a study gives none"},
                            of(&P::info, &ParameterInfo::default_value), "in its range",
                            [](const P& p) { return valid_range(p.info.range); })
                      .needed(),
                  K::text(unit_key, of(&P::info, &ParameterInfo::unit)).otherwise("\"1\""),
                  K::text({"text", "", "meaning of the parameter"},
                          of(&P::info, &ParameterInfo::text))}})};
  return table;
}

const KeyTable<SystemText>& text_keys();

/// Whether [system] has this key, which is then not available as a parameter name.
bool is_key_of_system(const std::string& name) {
  const auto has = [&](const std::vector<KeyInfo>& keys) {
    return std::ranges::find(keys, name, &KeyInfo::name) != keys.end();
  };
  return name == "parameters" || name == "let" || has(system_keys().keys) ||
         has(text_keys().info().keys);
}

std::vector<T::Parameter> read_parameters(Section table) {
  std::vector<T::Parameter> all;
  for (const PlacedText& name : table.keys()) {
    if (!table.has_table(name.text))
      table.fail(name.text,
                 "must be a table, {default = 1.0, unit = \"kg\", above = 0.0, text = \"…\"}");
    if (is_key_of_system(name.text))
      table.fail(name.text, "is a key of [system] and cannot be a parameter");
    Section section = table.section(name.text);
    T::Parameter parameter{.name = name, .info = {}};
    parameter.info.name = name.text;
    parameter.info.unit = "1";
    parameter_keys().read(section, parameter);
    section.finish();
    all.push_back(std::move(parameter));
  }
  return all;
}

const KeyTable<T::Condition>& condition_keys() {
  using C = T::Condition;
  static const KeyTable<C> table{
      "[system.conditions]",
      {Keys<C>::formula({"holds", "SI", "comparison of parameters, joined by `and` or `or`"},
                        &C::holds)
           .needed()
           .valid("condition"),
       Keys<C>::text({"text", "", "meaning of the condition, for messages"}, &C::text)}};
  return table;
}

std::vector<T::Condition> read_conditions(Section& system) {
  std::vector<T::Condition> all;
  for (Section& section : system.sections("conditions")) {
    T::Condition one;
    condition_keys().read(section, one);
    section.finish();
    all.push_back(std::move(one));
  }
  return all;
}

constexpr KeyName sliding_start_key{"sliding_start", "own", "start of friction studies; likewise"};

/// The common keys of coordinates and velocities, and the last ones.
template <class One>
KeyTable<One> component_keys(const char* name, std::vector<KeyRow<One>> last = {}) {
  using K = Keys<One>;
  return {name, joined<One>(
                    {{K::formula({"name", "", "name in formulas and tables"}, &One::name)
                          .needed()
                          .valid("text"),
                      K::text(unit_key, &One::unit).otherwise("\"1\"")},
                     range_rows<One>([](One& one) -> Range& { return one.range; }),
                     {K::formula({"start", "own", "value at t = 0: a number; or a formula, in SI"},
                                 &One::start)
                          .needed(),
                      K::formula(sliding_start_key, &One::sliding_start).otherwise("start")},
                     last})};
}

const KeyTable<T::Coordinate>& coordinate_keys() {
  using C = T::Coordinate;
  static const KeyTable<C> table = component_keys<C>(
      "[system.coordinates]",
      {Keys<C>::formula(
           {"start_rate", "own", "velocity at t = 0, without [[system.velocities]]; likewise"},
           &C::start_rate)
           .otherwise(needed()),
       Keys<C>::formula({"sliding_start_rate", "own", "start_rate of friction studies; likewise"},
                        &C::sliding_start_rate)
           .otherwise("start_rate"),
       Keys<C>::formula({"rate", "SI", "rate of the coordinate, with [[system.velocities]]"},
                        &C::rate)
           .otherwise("the velocity NAME', else needed")});
  return table;
}

const KeyTable<T::Velocity>& velocity_keys() {
  static const KeyTable<T::Velocity> table = component_keys<T::Velocity>("[system.velocities]");
  return table;
}

/// `complete` reads what depends on the other tables.
template <class One>
std::vector<One> read_components(
    Section& system, const char* key, const KeyTable<One>& table,
    const std::function<void(Section&, One&)>& complete = [](Section&, One&) {}) {
  std::vector<One> all;
  for (Section& section :
       system.sections(key, "{name = \"x\", unit = \"m\", start = 0.0}, {...}")) {
    One one;
    one.unit = "1";
    section.text("name", std::nullopt);  // not a number
    table.read(section, one);
    complete(section, one);
    section.finish();
    all.push_back(std::move(one));
  }
  return all;
}

/// A coordinate needs its rate, or one of the velocities is the rate: x' of x.
std::vector<T::Coordinate> read_coordinates(Section& system,
                                            const std::vector<T::Velocity>& velocities) {
  const bool own = system.has("velocities");
  return read_components<T::Coordinate>(
      system, "coordinates", coordinate_keys(), [&](Section& section, T::Coordinate& x) {
        const char* const needed = own ? "rate" : "start_rate";
        const char* const other = own ? "start_rate" : "rate";
        const auto is_rate = [&](const T::Velocity& v) { return T::is_rate(v, x); };
        if (own && x.rate.text.empty() && std::ranges::any_of(velocities, is_rate))
          x.rate.text = x.name.text + "'";
        else
          section.formula(needed, true);
        if (section.has(other))
          section.fail(other, own ? "is not used with [[system.velocities]]; give rate"
                                  : "needs [[system.velocities]]; give start_rate");
        if (own && section.has("sliding_start_rate"))
          section.fail("sliding_start_rate",
                       "is not used with [[system.velocities]]; give their sliding_start");
      });
}

const KeyTable<T::Contact>& row_keys() {
  using C = T::Contact;
  static const KeyTable<C> table{
      "KEY = [{}]",
      {Keys<C>::text({"name", "", "name of the sliding velocity"}, &C::name)
           .otherwise("w1, w2, ..."),
       Keys<C>::text({"unit", "", "unit of the sliding velocity; the row is in SI"}, &C::unit)
           .otherwise("\"m/s\""),
       Keys<C>::formula(
           {"row", "SI", "sliding velocity G v + b, linear in the velocities, of q and t"}, &C::row)
           .needed()}};
  return table;
}

const KeyTable<T::Contact>& position_keys() {
  using C = T::Contact;
  static const KeyTable<C> table{
      "[system.constraint_position]",
      {Keys<C>::text({"name", "", "name of the joint's row"}, &C::name).otherwise("g1, g2, ..."),
       Keys<C>::text({"unit", "", "unit of the value, which is in SI"}, &C::unit)
           .otherwise("\"m\""),
       Keys<C>::formula({"value", "SI", "g(q, t), which a rigid joint keeps at 0"}, &C::row)
           .needed()}};
  return table;
}

/// Fails at `key` of the section if a row before has the name of this one: results name rows.
void require_new_name(const Section& section, const std::string& key,
                      const std::vector<T::Contact>& before, const T::Contact& row) {
  const auto at = std::ranges::find(before, row.name, &T::Contact::name);
  if (at == before.end()) return;
  const std::string place = at->row.where();
  section.fail(key, fmt::format("another row{} has the name '{}' too; rename one",
                                place.empty() ? "" : " (" + place + ")", row.name));
}

/// Rows, or tables {row, name, unit}.
void read_rows(Section& system, const std::string& key, std::vector<T::Contact>& all) {
  const auto next = [&] { return T::Contact{fmt::format("w{}", all.size() + 1), "m/s", {}}; };
  if (!system.has_tables(key)) {
    for (const PlacedText& row : system.formulas(key)) {
      require_new_name(system, key, all, next());
      all.push_back(next());
      all.back().row = row;
    }
    return;
  }
  for (Section& section : system.sections(key)) {
    T::Contact row = next();
    row_keys().read(section, row);
    section.finish();
    require_new_name(section, section.has("name") ? "name" : "row", all, row);
    all.push_back(std::move(row));
  }
}

/// Appends the rows of joints, {name, unit, value}.
void read_positions(Section& system, const std::string& key, std::vector<T::Contact>& all) {
  Index count = 0;
  for (Section& section : system.sections(
           key, "{name = \"pin\", unit = \"m\", value = \"x^2 + y^2 - length^2\"}, {...}")) {
    T::Contact joint{fmt::format("g{}", ++count), "m", {}, true};
    position_keys().read(section, joint);
    section.finish();
    require_new_name(section, section.has("name") ? "name" : "value", all, joint);
    all.push_back(std::move(joint));
  }
}

/// The rows of contacts, or the positions of joints.
std::string rows_text(std::span<const T::Contact> rows, bool positions = false) {
  std::vector<std::string> texts;
  for (const T::Contact& row : rows)
    if (row.is_position == positions)
      texts.push_back(
          fmt::format("{{{}}}", (positions ? position_keys() : row_keys()).inline_text(row)));
  return texts.empty() ? std::string() : fmt::format("[{}]", fmt::join(texts, ", "));
}

constexpr const char* forms_of_rows = "list of formulas, or of {row, name, unit}";

/// Whether a formula is the number 0.
bool is_zero_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && value == 0.0;
}

/// Appends the rows of a contact to those of all contacts.
void read_sliding(Section& section, const std::string& key, std::vector<T::Contact>& rows,
                  T::ContactPoint& contact) {
  contact.components = 0;
  if (is_zero_number(contact.friction.text) && !section.has(key)) return;
  const std::size_t before = rows.size();
  read_rows(section, key, rows);
  contact.components = static_cast<Index>(rows.size() - before);
  if (contact.components < 1 || contact.components > 2)
    section.fail(key,
                 "must be one or two formulas of sliding velocities, linear in the velocities");
}

/// `rows`: those of all contacts while they are read; nullptr: to be written or described.
KeyTable<T::ContactPoint> contact_point_keys(std::vector<T::Contact>* rows = nullptr) {
  using C = T::ContactPoint;
  using K = Keys<C>;
  const auto unless = [](Normal normal, bool is, const char* why) {
    return [=](const C& c) { return (c.normal == normal) == is ? why : ""; };
  };
  return {
      "[system.contacts]",
      {K::text({"name", "", "name in tables"}, &C::name)
           .otherwise("contact1, contact2, ...")
           .checked([](const C& c) { return is_name(c.name) ? "" : rule_of_names; }),
       K::choice({"normal", "", "gap kept at zero, gap that may open, or given normal force"},
                 &C::normal, {Normal::given, Normal::bilateral, Normal::unilateral})
           .needed(),
       K::formula({"gap", "m", "gap, a function of the coordinates and t"}, &C::gap)
           .otherwise(needed("; 0 for normal = \"given\"")),
       K::formula({"normal_force", "N", "given normal force"}, &C::normal_force)
           .otherwise(needed("for normal = \"given\""))
           .unless(
               unless(Normal::given, false, "is valid only with normal = \"given\"; remove it")),
       K::formula({"friction", "1", "coefficient of friction, a formula of parameters"},
                  &C::friction)
           .otherwise("0"),
       K::formula({"restitution", "1", "coefficient of restitution, for normal = \"unilateral\""},
                  &C::restitution)
           .otherwise("0")
           .unless(
               unless(Normal::unilateral, false,
                      "is valid only with normal = \"unilateral\", for contacts that may open")),
       K::formula(
           {"gap_scale", "1", "s > 0, a formula of parameters: the gap is s times the distance"},
           &C::gap_scale)
           .otherwise("1, if the gap can be a distance")
           .unless(unless(Normal::given, true, "is not used with normal = \"given\"; remove it")),
       K::formula({"sliding_scale", "1",
                   "s > 0, a formula of parameters: `sliding` is s times velocities"},
                  &C::sliding_scale)
           .otherwise("1, if they can be velocities of points"),
       K::read_by({"sliding", "m/s", "one or two sliding velocities, linear in the velocities"},
                  forms_of_rows, needed(", unless friction is 0"),
                  [rows](Section& section, const std::string& key, C& c) {
                    read_sliding(section, key, *rows, c);
                  })}};
}

/// The contacts with their rows.
void read_contacts(Section& system, SystemText& text) {
  const PlacedText zero{.text = "0"};
  for (Section& section : system.sections("contacts")) {
    T::ContactPoint contact;
    contact.name = fmt::format("contact{}", text.contacts.size() + 1);
    contact.gap = contact.normal_force = contact.friction = contact.restitution = zero;
    contact_point_keys(&text.constraint).read(section, contact);
    for (const auto& other : text.contacts)
      if (other.name == contact.name)
        section.fail("name", "two contacts have this name; rename one");
    section.formula(contact.normal == Normal::given ? "normal_force" : "gap", true);  // needed
    section.finish();
    text.contacts.push_back(contact);
  }
}

std::string contacts_text(const SystemText& text) {
  std::string list = "[\n";
  const KeyTable<T::ContactPoint> keys = contact_point_keys();
  std::span<const T::Contact> rows = text.constraint;
  for (const T::ContactPoint& contact : text.contacts) {
    const auto own = static_cast<std::size_t>(contact.components);
    list += fmt::format("  {{{}{}}},\n", keys.inline_text(contact),
                        own == 0 ? "" : ", sliding = " + rows_text(rows.first(own)));
    rows = rows.subspan(own);
  }
  return list + "]";
}

/// [system] as formulas.
const KeyTable<SystemText>& text_keys() {
  using K = Keys<T>;
  static const KeyTable<T> table{
      "system",
      {K::text({"name", "", "name of the new system"}, &T::name)
           .needed()
           .checked([](const T& t) { return is_name(t.name) ? "" : rule_of_names; })
           .written_if([](const T&) { return false; }),
       K::text({"title", "", "title in lists"}, &T::title),
       K::text({"description", "", "text of `describe`"}, &T::description),
       K::text({"source", "", "source of the equations"}, &T::source),
       K::read_by(
           {"velocities", "", "the velocities, if they are not x'"}, "list of tables", "none",
           [](Section& section, const std::string& key, T& t) {
             t.velocities = read_components(section, key.c_str(), velocity_keys());
           },
           [](const T& t) { return list_text(t.velocities, velocity_keys()); }),
       K::read_by(
           {"coordinates", "", "the coordinates"}, "list of tables", needed(),
           [](Section& section, const std::string&, T& t) {
             t.coordinates = read_coordinates(section, t.velocities);
           },
           [](const T& t) { return list_text(t.coordinates, coordinate_keys()); }),
       K::read_by(
           {"conditions", "", "conditions between the parameters"}, "list of tables", "none",
           [](Section& section, const std::string&, T& t) {
             t.conditions = read_conditions(section);
           },
           [](const T& t) { return list_text(t.conditions, condition_keys()); }),
       K::read_by(
           {"constraint", "m/s", "sliding velocities G v + b of rolling contacts"}, forms_of_rows,
           "none",
           [](Section& section, const std::string& key, T& t) {
             if (section.has("contacts") && section.has(key))
               section.fail(key,
                            "conflicts with `sliding` of [[system.contacts]]; give only one "
                            "of them");
             read_rows(section, key, t.constraint);
           },
           [](const T& t) -> std::optional<std::string> {
             const std::string rows = rows_text(t.constraint);
             if (!t.contacts.empty() || rows.empty()) return std::nullopt;
             return rows;
           }),
       K::read_by(
           {"constraint_position", "",
            "functions of q and t that rigid joints keep at 0; soft "
            "ones have a spring and a damper along them"},
           "list of {name, unit, value}", "none",
           [](Section& section, const std::string& key, T& t) {
             if (section.has("contacts") && section.has(key))
               section.fail(key, "is not used with [[system.contacts]]; give their rows there");
             read_positions(section, key, t.constraint);
           },
           [](const T& t) -> std::optional<std::string> {
             const std::string rows = rows_text(t.constraint, true);
             if (rows.empty()) return std::nullopt;
             return rows;
           }),
       K::read_by({"bodies", "", "rigid bodies and points that joints connect"}, "list of tables",
                  "none",
                  [](Section& section, const std::string& key, T& t) {
                    t.bodies = read_bodies(section);
                    if (section.has(key) && !section.has("joints"))
                      section.fail(key, "is used by [[system.joints]] alone; give a joint");
                  }),
       K::read_by({"joints", "", "pins, hinges, ...: each writes rows of constraint_position"},
                  "list of tables", "none",
                  [](Section& section, const std::string& key, T& t) {
                    if (section.has("contacts") && section.has(key))
                      section.fail(key,
                                   "is not used with [[system.contacts]]; give their rows there");
                    read_joints(section, t, [&t](const Section& joint, T::Contact row) {
                      require_new_name(joint, "name", t.constraint, row);
                      t.constraint.push_back(std::move(row));
                    });
                  }),
       K::read_by(
           {"contacts", "", "contacts that may slip, with their rows"}, "list of tables", "none",
           [](Section& section, const std::string&, T& t) { read_contacts(section, t); },
           [](const T& t) -> std::optional<std::string> {
             if (t.contacts.empty()) return std::nullopt;
             return contacts_text(t);
           }),
       K::formula(
           {"kinetic_coenergy", "J", "K*, in x' or the velocities; needed without mass_matrix"},
           &T::kinetic_coenergy),
       K::formula({"potential", "J", "P, a function of the coordinates; needed with K*"},
                  &T::potential),
       K::formula({"dissipation", "W", "R, a function of the velocities"}, &T::dissipation),
       K::formulas({"applied_force", "SI", "Q, of q, v and t"}, &T::applied_force),
       K::formula_rows({"mass_matrix", "SI", "M, in place of K*"}, &T::mass_matrix),
       K::formulas({"force", "SI", "F of M v' = F - G^T Lambda; needed with mass_matrix"},
                   &T::force),
       K::formulas({"exact_constraint", "SI", "E v + b = 0, ideal on both sides"},
                   &T::exact_constraint),
       K::formulas({"quasi_velocities", "SI", "S v, natural coordinates of rolling"},
                   &T::quasi_velocities),
       K::formulas({"invariants", "SI", "functions of q and t that stay zero"}, &T::invariants),
       K::formulas(
           {"kinks", "SI", "functions of q and t at whose zeros a gap or a row is not smooth"},
           &T::kinks)}};
  return table;
}

SystemText read_system_text(Section& system) {
  SystemText text;
  text.whole = {
      .text = {}, .key = "system", .place = [system](std::size_t) { return system.place(); }};
  text_keys().read(system, text);
  text.parameters = read_parameters(system.section("parameters"));
  text.lets = read_lets(system);
  return text;
}

/// Back to TOML, so that a store is complete without the file: all of [system] but its heading and
/// name.
std::string definition_of(const SystemText& text) {
  return text_keys().body(text) + lets_text("system", text.lets) +
         parameters_text("system", text.parameters, parameter_keys());
}

/// A text without unknown keys.
SystemText finished_text(Section& system) {
  SystemText text = read_system_text(system);
  // Before the missing keys: a misspelt key is the reason of a missing one.
  for (const auto& parameter : text.parameters) system.has(parameter.name.text);
  system.finish();
  return text;
}

SystemEntry written_entry(Section& system, const SystemCatalogue& systems) {
  SystemText text = finished_text(system);
  if (find_system(systems, text.name))
    system.fail("name", "the catalogue has a system of this name; choose another name");
  require_units(text);
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

std::vector<KeyTableInfo> tables_of_written_systems() {
  return {text_keys().info(), parameter_keys().info(),    condition_keys().info(),
          let_keys("system"), velocity_keys().info(),     coordinate_keys().info(),
          row_keys().info(),  position_keys().info(),     body_keys(),
          joint_keys(),       contact_point_keys().info()};
}

bool is_written(Section system) {
  return system.has("file") || system.has("coordinates");
}

std::shared_ptr<const SystemEntry> written_system(Section& system, const SystemCatalogue& systems) {
  if (!system.has("file"))
    return std::make_shared<const SystemEntry>(written_entry(system, systems));
  for (const char* key : {"name", "coordinates"})
    if (system.has(key)) system.fail(key, "is defined in the file; remove it, or remove file");
  const std::string path = system.path("file", ShippedKind::system);
  SystemEntry entry = entry_in(TomlDocument::from_file(path).root(), path, systems);
  // Results name a shipped system as the study does, not by its place on this machine.
  const std::vector<ShippedFile> shipped = shipped_systems();
  if (std::ranges::count(shipped, path, &ShippedFile::path) > 0)
    entry.file = system.text("file", std::nullopt);
  return std::make_shared<const SystemEntry>(std::move(entry));
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

SystemText system_text_in(const std::string& toml, const std::string& name) {
  Section root = TomlDocument::from_text(toml, name).root();
  SystemText text = finished_text(root);
  root.finish();
  return text;
}

std::string written_in(const SystemEntry& entry) {
  if (entry.definition.empty()) return {};
  return entry.file.empty() ? "the study" : entry.file;
}

bool is_system_file(const std::string& word) {
  return std::filesystem::path(word).extension() == ".toml";
}

}  // namespace rigidlimit
