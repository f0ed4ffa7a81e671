#include "rigidlimit/toml/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/toml/content.hpp"
#include "rigidlimit/toml/layers.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

std::string shown(const toml::node& value) {
  // The shortest text of the same double, not 0.69999999999999996 as from the library.
  if (const auto* x = value.as_floating_point()) return fmt::format("{}", x->get());
  std::ostringstream out;
  if (const toml::array* list = value.as_array()) {
    for (const toml::node& entry : *list)
      out << (&entry == &list->front() ? "" : ", ") << shown(entry);
    return fmt::format("[{}]", std::move(out).str());
  }
  value.visit([&](const auto& v) {
    out << toml::toml_formatter{v, toml::toml_formatter::default_flags};
  });
  std::string text = std::move(out).str();
  std::ranges::replace(text, '\n', ' ');
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_blank), text.end());
  return text;
}

/// Maximum length of a quotation from a file in a message, bytes.
constexpr std::size_t most_of_value = 60;

/// "a number > 0", "any finite number".
std::string number_in(const Range& range) {
  const std::string text = range.text();
  return text.starts_with("any") ? text : "a number " + text;
}

/// The numbers of an integer or floating-point node.
std::optional<double> as_number(const toml::node& node) {
  if (node.is_integer() || node.is_floating_point()) return node.value<double>();
  return std::nullopt;
}

}  // namespace

struct Section::Node {
  std::shared_ptr<const TomlDocument::Content> document;
  const toml::table* table;  // nullptr: the table is missing, and with it all its keys
  std::string path;          // "contact", "expect[0]"; empty at the root
  std::shared_ptr<const TablesOfKeys> tables = nullptr;  // of all keys; nullptr: unknown

  /// The name of this table in `tables`: "contact", "[expect]", "" at the root.
  std::string name() const {
    const std::size_t bracket = path.find('[');
    return bracket == std::string::npos ? path : "[" + path.substr(0, bracket) + "]";
  }
  /// "; it belongs in [study]", if a few tables have the key and this one has not.
  std::string right_table(const std::string& key) const {
    constexpr std::size_t most = 3;
    const auto found = tables ? tables->find(key) : TablesOfKeys::const_iterator();
    if (!tables || found == tables->end() || found->second.size() > most ||
        std::ranges::find(found->second, name()) != found->second.end())
      return {};
    return fmt::format("; it belongs in [{}]", fmt::join(found->second, "] or ["));
  }
  std::string path_of(const std::string& key) const {
    if (key.empty()) return path;
    return path.empty() ? key : path + "." + key;
  }
  const toml::node* find(const std::string& key) const { return table ? table->get(key) : nullptr; }
};

void Section::fail(const std::string& key, const std::string& message) const {
  const toml::node* value = key.empty() ? nullptr : node_->find(key);
  const std::string path = node_->path_of(key);
  const std::string where = node_->document->where(path, value ? value : node_->table);
  if (!value) refuse(fmt::format("{}: {}", path, message), where);
  refuse(fmt::format("{} = {}: {}", path, shortened(shown(*value), most_of_value), message), where);
}

void Section::missing(const std::string& key, const std::string& wanted) const {
  std::string hint;
  if (node_->table)
    for (const auto& [other, value] : *node_->table)
      if (const std::string name(other.str());
          !known_.contains(name) && !expected_.contains(name) && is_misspelling(name, key))
        hint = fmt::format("; is '{}' a misspelling of it?", name);
  fail(key, fmt::format("missing; {}{}", wanted, hint));
}

bool Section::has(const std::string& key) {
  known_.insert(key);
  return node_->find(key) != nullptr;
}

bool Section::has_empty_list(const std::string& key) {
  if (!has(key)) return false;
  const toml::array* list = node_->find(key)->as_array();
  return list && list->empty();
}

bool Section::has_table(const std::string& key) {
  return has(key) && node_->find(key)->is_table();
}

double Section::number(const std::string& key, const Range& range,
                       std::optional<double> otherwise) {
  if (!has(key)) {
    if (!otherwise) missing(key, number_in(range));
    return *otherwise;
  }
  const std::optional<double> x = as_number(*node_->find(key));
  if (!x || !range.contains(*x)) fail(key, "must be " + number_in(range));
  return *x;
}

long Section::count(const std::string& key, std::pair<long, long> span,
                    std::optional<long> otherwise) {
  const auto [least, most] = span;
  if (!has(key)) {
    if (!otherwise) missing(key, fmt::format("a whole number from {} to {}", least, most));
    return *otherwise;
  }
  const auto x = node_->find(key)->value_exact<std::int64_t>();
  if (!x || *x < least || *x > most)
    fail(key, fmt::format("must be a whole number from {} to {}", least, most));
  return static_cast<long>(*x);
}

bool Section::flag(const std::string& key, bool otherwise) {
  if (!has(key)) return otherwise;
  const auto x = node_->find(key)->value_exact<bool>();
  if (!x) fail(key, "must be true or false");
  return *x;
}

std::string Section::text(const std::string& key, std::optional<std::string> otherwise) {
  if (!has(key)) {
    if (!otherwise) missing(key, "a text in quotes");
    return *otherwise;
  }
  const auto x = node_->find(key)->value_exact<std::string>();
  if (!x) fail(key, "must be a text in quotes");
  return *x;
}

std::string Section::choice(const std::string& key, const std::vector<std::string>& valid,
                            std::optional<std::string> otherwise) {
  if (!has(key) && !otherwise) missing(key, fmt::format("one of: {}", fmt::join(valid, ", ")));
  std::string word = text(key, std::move(otherwise));
  if (std::ranges::find(valid, word) == valid.end())
    fail(key, "not known" + suggestion(word, valid, "rigidlimit list"));
  return word;
}

std::vector<std::string> Section::choices(const std::string& key,
                                          const std::vector<std::string>& valid,
                                          std::optional<std::vector<std::string>> otherwise) {
  if (!has(key)) {
    if (!otherwise) missing(key, fmt::format("a list of: {}", fmt::join(valid, ", ")));
    return *otherwise;
  }
  if (node_->find(key)->is_string()) return {choice(key, valid, std::nullopt)};
  const toml::array* list = node_->find(key)->as_array();
  if (!list || list->empty())
    fail(key, fmt::format("must be a list with at least one of: {}", fmt::join(valid, ", ")));
  const std::vector<std::string> words = texts(key);
  for (const std::string& word : words)
    if (std::ranges::find(valid, word) == valid.end())
      fail(key, fmt::format("'{}' is not known{}", shortened(word, most_of_value),
                            suggestion(word, valid, "rigidlimit list")));
  return words;
}

std::vector<std::string> Section::texts(const std::string& key) {
  if (!has(key)) missing(key, "a list of texts");
  const toml::array* list = node_->find(key)->as_array();
  if (!list || list->empty()) fail(key, "must be a list of at least one text");
  std::vector<std::string> words;
  for (const toml::node& entry : *list) {
    const auto word = entry.value_exact<std::string>();
    if (!word) fail(key, "must be a list of texts in quotes");
    if (std::ranges::find(words, *word) != words.end())
      fail(key, fmt::format("'{}' occurs twice", *word));
    words.push_back(*word);
  }
  return words;
}

std::vector<double> Section::numbers(const std::string& key, const Range& range) {
  if (!has(key)) missing(key, fmt::format("a list of numbers {}", range.text()));
  const toml::array* list = node_->find(key)->as_array();
  if (!list || list->empty())
    fail(key, fmt::format("must be a list of at least one number {}", range.text()));
  std::vector<double> values;
  for (const toml::node& entry : *list) {
    const std::optional<double> x = as_number(entry);
    if (!x || !range.contains(*x))
      fail(key,
           fmt::format("{} is not {}", shortened(shown(entry), most_of_value), number_in(range)));
    values.push_back(*x);
  }
  return values;
}

namespace {

/// The text of a value that fits on one line; empty for tables and dates.
std::optional<std::string> toml_of(const toml::node& value) {
  if (const auto x = value.value_exact<std::string>()) return toml_text(*x);
  if (const auto x = value.value_exact<double>())
    return std::isfinite(*x) ? toml_text(*x) : fmt::format("{}", *x);
  if (const auto x = value.value_exact<bool>()) return *x ? "true" : "false";
  if (const auto x = value.value_exact<std::int64_t>()) return fmt::format("{}", *x);
  const toml::array* list = value.as_array();
  if (!list) return std::nullopt;
  std::vector<std::string> texts;
  for (const toml::node& entry : *list) {
    std::optional<std::string> text = toml_of(entry);
    if (!text) return std::nullopt;
    texts.push_back(std::move(*text));
  }
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace

ValueText Section::value(const std::string& key) {
  constexpr const char* wanted = "a number, text, boolean or list of these";
  if (!has(key)) missing(key, wanted);
  const toml::node* const node = node_->find(key);
  const std::optional<std::string> text = toml_of(*node);
  if (!text) fail(key, fmt::format("must be {}", wanted));
  return {*text, node_->document->where(node_->path_of(key), node)};
}

std::vector<ValueText> Section::values(const std::string& key) {
  constexpr const char* wanted = "a list of at least one number, text, boolean or list of these";
  if (!has(key)) missing(key, wanted);
  const toml::array* list = node_->find(key)->as_array();
  if (!list || list->empty()) fail(key, fmt::format("must be {}", wanted));
  std::vector<ValueText> values;
  for (const toml::node& entry : *list) {
    const std::optional<std::string> text = toml_of(entry);
    if (!text) fail(key, fmt::format("must be {}", wanted));
    values.push_back({*text, node_->document->where(node_->path_of(key), &entry)});
  }
  return values;
}

std::vector<std::vector<ValueText>> Section::value_rows(const std::string& key,
                                                        const std::vector<std::string>& names) {
  const std::string wanted = fmt::format("a list of lists of {} value{} ({})", names.size(),
                                         names.size() == 1 ? "" : "s", fmt::join(names, ", "));
  if (!has(key)) missing(key, wanted);
  const toml::array* list = node_->find(key)->as_array();
  if (!list || list->empty()) fail(key, fmt::format("must be {}", wanted));
  std::vector<std::vector<ValueText>> rows;
  for (const toml::node& entry : *list) {
    const std::string place = node_->document->where(node_->path_of(key), &entry);
    const toml::array* row = entry.as_array();
    std::vector<ValueText>& values = rows.emplace_back();
    for (std::size_t k = 0; row && k < row->size(); ++k)
      if (const std::optional<std::string> text = toml_of(*row->get(k)))
        values.push_back({*text, place});
    if (values.size() != names.size() || row->size() != names.size())
      fail(key, fmt::format("must be {}; its value {} is not", wanted, rows.size()));
  }
  return rows;
}

VectorXd Section::vector(const std::string& key, const std::vector<Component>& components,
                         std::optional<VectorXd> otherwise) {
  if (!has(key) && otherwise) return *otherwise;
  if (otherwise && has_table(key)) return section(key).replaced(*std::move(otherwise), components);
  std::vector<std::string> names;
  for (const Component& c : visible(components))
    names.push_back(fmt::format("{} [{}]", c.name, given_unit_of(c)));
  const std::string wanted = fmt::format("{} number{} ({})", names.size(),
                                         names.size() == 1 ? "" : "s", fmt::join(names, ", "));
  if (!has(key)) missing(key, wanted);
  const toml::array* list = node_->find(key)->as_array();
  VectorXd values =
      given_values(components, otherwise.value_or(VectorXd::Zero(std::ssize(components))));
  if (list) {
    const std::vector<double> given = numbers(key, any_finite);
    values = completed(components, Eigen::Map<const VectorXd>(given.data(), std::ssize(given)),
                       std::move(values));
  }
  if (!list || values.size() != std::ssize(components))
    fail(key, fmt::format("must be a list of {}{}{}", wanted,
                          list ? fmt::format(", not {}", list->size()) : "",
                          otherwise ? ", or a table of some of them" : ""));
  return si_values(components, std::move(values));
}

VectorXd Section::replaced(VectorXd values, const std::vector<Component>& components) {
  std::set<std::string> names;
  for (const Component& c : visible(components)) names.insert(c.name);
  for (const Index k : visible_rows(components)) {
    const Component& c = components[static_cast<std::size_t>(k)];
    double& value = values(k);
    const auto read = [&](const std::string& key) {
      value = si_values({c}, VectorXd::Constant(1, number(key, any_finite, std::nullopt)))(0);
    };
    if (has(c.name)) read(c.name);
    if (!c.name.ends_with('\'')) continue;
    const std::string coordinate = c.name.substr(0, c.name.size() - 1);
    if (names.contains(coordinate) || !has(coordinate)) continue;
    if (has(c.name)) fail(coordinate, fmt::format("is {}, which this table has too", c.name));
    read(coordinate);
  }
  finish();
  return values;
}

MatrixXd Section::matrix(const std::string& key, Index size, std::optional<MatrixXd> otherwise) {
  if (!has(key)) {
    if (!otherwise) missing(key, "a number, a list (diagonal) or a list of rows");
    return *otherwise;
  }
  const toml::node& node = *node_->find(key);
  if (const std::optional<double> c = as_number(node)) {
    if (!any_finite.contains(*c)) fail(key, "must be finite");
    return *c * MatrixXd::Identity(size, size);
  }
  const std::string wanted =
      fmt::format("must be a finite number, a list of {0} (the diagonal) or {0} rows of {0}", size);
  const toml::array* rows = node.as_array();
  if (!rows || static_cast<Index>(rows->size()) != size) fail(key, wanted);
  MatrixXd X = MatrixXd::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    const toml::node& row = (*rows)[static_cast<std::size_t>(i)];
    const toml::array* entries = row.as_array();
    if (entries && static_cast<Index>(entries->size()) != size) fail(key, wanted);
    for (Index k = 0; k < size; ++k) {
      if (!entries && k != i) continue;
      const std::optional<double> x =
          as_number(entries ? (*entries)[static_cast<std::size_t>(k)] : row);
      if (!x || !any_finite.contains(*x)) fail(key, wanted);
      X(i, k) = *x;
    }
  }
  return X;
}

/// A value in a list; it has no key.
struct Section::Value {
  const toml::node& node;
  std::string path;
};

PlacedText Section::formula_in(const Value& value, const std::string& key) const {
  constexpr const char* wanted = "must be a formula in quotes, or a finite number";
  PlacedText placed{.text = {}, .key = value.path, .place = {}};
  const auto text = value.node.value_exact<std::string>();
  if (text) {
    if (text->find_first_not_of(" \t\r\n") == std::string::npos) fail(key, wanted);
    placed.text = *text;
  } else {
    const std::optional<double> x = as_number(value.node);
    if (!x || !any_finite.contains(*x)) fail(key, wanted);
    placed.text = fmt::format("{}", *x);
  }
  placed.place = [node = node_, at = value.node.source(), path = value.path,
                  quoted = text.has_value()](std::size_t offset) {
    return node->document->where(path, at, quoted ? offset : 0);
  };
  return placed;
}

std::vector<PlacedText> Section::formulas_in(const Value& value, const std::string& key) const {
  const toml::array* list = value.node.as_array();
  if (!list || list->empty()) fail(key, "must be a list of formulas in quotes, or numbers");
  std::vector<PlacedText> all;
  for (const toml::node& entry : *list)
    all.push_back(formula_in({entry, fmt::format("{}[{}]", value.path, all.size())}, key));
  return all;
}

PlacedText Section::formula(const std::string& key, bool needed) {
  if (has(key)) return formula_in({*node_->find(key), node_->path_of(key)}, key);
  if (needed) missing(key, "a formula in quotes, or a number");
  return {};
}

std::vector<PlacedText> Section::formulas(const std::string& key) {
  if (!has(key)) return {};
  return formulas_in({*node_->find(key), node_->path_of(key)}, key);
}

std::vector<std::vector<PlacedText>> Section::formula_rows(const std::string& key) {
  if (!has(key)) return {};
  const toml::array* list = node_->find(key)->as_array();
  if (!list || list->empty()) fail(key, "must be a list of rows of formulas");
  std::vector<std::vector<PlacedText>> rows;
  for (const toml::node& row : *list)
    rows.push_back(
        formulas_in({row, fmt::format("{}[{}]", node_->path_of(key), rows.size())}, key));
  return rows;
}

std::vector<PlacedText> Section::keys() {
  std::vector<PlacedText> all;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> begins;
  if (!node_->table) return all;
  for (const auto& [key, value] : *node_->table) {
    const std::string name(key.str());
    known_.insert(name);
    all.push_back({.text = name,
                   .key = node_->path_of(name),
                   .place = [node = node_, at = key.source(), name](std::size_t) {
                     return node->document->where(node->path_of(name), at, std::nullopt);
                   }});
    begins.emplace_back(key.source().begin.line, key.source().begin.column, begins.size());
  }
  // In the order of the file, not by name.
  std::ranges::sort(begins);
  std::vector<PlacedText> written;
  for (const auto& [line, column, k] : begins) written.push_back(std::move(all[k]));
  return written;
}

bool Section::has_tables(const std::string& key) {
  if (!has(key)) return false;
  const toml::array* list = node_->find(key)->as_array();
  return list && !list->empty() && list->front().is_table();
}

std::string Section::place() const {
  return node_->document->where(node_->path, node_->table);
}

std::string Section::path(const std::string& key, std::optional<ShippedKind> kind) {
  const std::string file = text(key, std::nullopt);
  if (node_->document->is_record)
    fail(key, "names a file, which a stored experiment never does: it holds the text");
  const std::filesystem::path folder =
      std::filesystem::path(node_->document->file_of(node_->path_of(key), *node_->find(key)))
          .parent_path();
  try {
    const std::string path = kind ? file_named_in(folder.string(), file, *kind)
                                  : (folder / file).string();  // an absolute path stays
    text_of_file(path, longest_text);                          // its errors name the key
    return path;
  } catch (const InputError& error) {
    fail(key, fmt::format("{} {}", error.where(), error.message()));
  }
}

Section Section::section(const std::string& key) {
  const toml::node* node = has(key) ? node_->find(key) : nullptr;
  if (node && !node->is_table()) fail(key, fmt::format("must be a table: [{}]", key));
  return Section(std::make_shared<Node>(Node{node_->document, node ? node->as_table() : nullptr,
                                             node_->path_of(key), node_->tables}));
}

std::vector<Section> Section::sections(const std::string& key, const std::string& form) {
  std::vector<Section> tables;
  if (!has(key)) return tables;
  const toml::array* list = node_->find(key)->as_array();
  const auto refuse_form = [&] {
    fail(key, fmt::format("must be a list of tables, {} = [{}], or [[{}]] above the keys of each",
                          key, form, node_->path_of(key)));
  };
  if (!list) refuse_form();
  for (const toml::node& entry : *list) {
    if (!entry.is_table()) refuse_form();
    tables.push_back(Section(std::make_shared<Node>(
        Node{node_->document, entry.as_table(),
             fmt::format("{}[{}]", node_->path_of(key), tables.size()), node_->tables})));
  }
  return tables;
}

void Section::finish() const {
  if (!node_->table) return;
  std::vector<std::string> valid(known_.begin(), known_.end());
  if (node_->path.empty()) valid.insert(valid.end(), {"base", "without"});  // removed by the merge
  std::ranges::sort(valid);
  for (const auto& [key, value] : *node_->table)
    if (const std::string name(key.str()); !known_.contains(name)) {
      const std::string path = node_->path_of(name);
      // The place of the key, not of its value.
      const std::string right = node_->right_table(name);
      refuse(fmt::format("{}: unknown key{}", shortened(path, most_of_value),
                         right.empty() ? suggestion(name, valid) : right),
             node_->document->where(path, key.source(), std::nullopt));
    }
}

Section TomlDocument::root(std::shared_ptr<const TablesOfKeys> tables) const {
  return Section(std::make_shared<Section::Node>(
      Section::Node{content_, &content_->table, "", std::move(tables)}));
}

}  // namespace rigidlimit
