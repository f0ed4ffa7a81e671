#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/core/letters.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/toml/content.hpp"
#include "rigidlimit/toml/depth.hpp"
#include "rigidlimit/toml/layers.hpp"

namespace rigidlimit {

void refuse(const std::string& message, const std::string& where) {
  // Longer than any list of valid names and any path.
  throw InputError(shortened(printable(message), 6000), shortened(printable(where), 1000));
}

std::string place(const toml::source_region& source) {
  const std::string name = source.path ? *source.path : std::string();
  return source.begin ? fmt::format("{}:{}:{}", name, source.begin.line, source.begin.column)
                      : name;
}

const std::string* TomlDocument::Content::override_of(const std::string& path) const {
  for (std::string p = path; !p.empty();) {
    if (const auto set = set_texts.find(p); set != set_texts.end()) return &set->second;
    const std::size_t end = p.find_last_of(".[");
    p.resize(end == std::string::npos ? 0 : end);
  }
  return nullptr;
}

std::string TomlDocument::Content::where(const std::string& path, const toml::node* node) const {
  if (const std::string* set = override_of(path)) return *set;
  return node && node->source().path ? place(node->source()) : name;
}

std::string TomlDocument::Content::file_of(const std::string& path, const toml::node& value) const {
  return override_of(path) || !value.source().path ? name : *value.source().path;
}

namespace {

/// Place of the character at `offset` of the string value whose quotes begin at `at`; the begin of
/// the value if it contains escapes.
std::size_t place_in_string(std::string_view text, std::size_t at, std::size_t offset) {
  const std::size_t begin = at;
  const char quote = text[at];
  const bool several_lines = text.substr(at + 1).starts_with(std::string(2, quote));
  at += several_lines ? 3 : 1;
  if (several_lines && text.substr(at).starts_with("\r\n")) ++at;
  if (several_lines && text.substr(at).starts_with('\n')) ++at;
  for (; offset > 0 && at < text.size(); --offset, ++at)
    if (quote == '"' && text[at] == '\\') return begin;
  return at;
}

/// The place of a line and a column.
std::size_t offset_of(std::string_view text, const toml::source_position& at) {
  std::size_t begin = 0;
  for (toml::source_index line = 1; line < at.line; ++line) begin = text.find('\n', begin) + 1;
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U;
  };
  for (toml::source_index column = 1; column < at.column; ++column)
    for (++begin; continues(begin);) ++begin;
  return begin;
}

}  // namespace

std::string TomlDocument::Content::where(const std::string& path, const toml::source_region& source,
                                         std::optional<std::size_t> offset) const {
  if (const std::string* set = override_of(path))
    return offset ? fmt::format("{}, character {} of the formula", *set, *offset + 1) : *set;
  if (!source.path || !source.begin) return name;
  const std::string& text = texts.at(*source.path);
  const std::size_t at = offset_of(text, source.begin);
  const bool is_string = at < text.size() && (text[at] == '"' || text[at] == '\'');
  if (!offset || !is_string) return place(source);
  const TextPlace found = place_of(text, place_in_string(text, at, *offset));
  return fmt::format("{}:{}:{}", *source.path, found.line, found.column);
}

namespace {

/// Maximum nesting of keys and brackets. A matrix row in a table of a list of tables has depth 5.
constexpr std::size_t deepest = 16;

/// Merges `from` over `onto`: tables recursively, everything else replaced.
void lay_over(toml::table& onto, toml::table&& from, const std::string& path,
              std::map<std::string, std::string>& set_texts, const std::string& text) {
  for (auto&& [key, value] : std::move(from)) {
    const std::string name(key.str());
    const std::string here = path.empty() ? name : fmt::format("{}.{}", path, name);
    if (value.is_table() && !onto.contains(name)) {
      // Key by key as well: each key of a new table is known to be set.
      set_texts[here] = text;
      onto.insert(name, toml::table{});
    }
    toml::node* existing = onto.get(name);
    if (value.is_table() && existing->is_table()) {
      lay_over(*existing->as_table(), std::move(*value.as_table()), here, set_texts, text);
      continue;
    }
    if (value.is_table())
      refuse(fmt::format("{} is not a table and has no keys; set its whole value",
                         shortened(here, 60)),
             text);
    set_texts[here] = text;
    onto.insert_or_assign(name, std::move(value));
  }
}

/// Removes the alternatives of overridden keys, unless an override set them too.
void drop_alternatives(toml::table& table, const Alternatives& alternatives,
                       const std::map<std::string, std::string>& set_texts) {
  for (const auto& [key, replaced] : alternatives) {
    if (!set_texts.contains(key)) continue;
    for (const std::string& other : replaced) {
      const std::size_t dot = other.find('.');
      toml::table* section = table[other.substr(0, dot)].as_table();
      if (section && !set_texts.contains(other)) section->erase(other.substr(dot + 1));
    }
  }
}

/// Checked before parsing: the destructor of a deeper document would overflow the stack.
void require_shallow(const std::string& text, const std::string& name) {
  const std::optional<TextPlace> beyond = place_beyond_depth(text, deepest);
  if (!beyond) return;
  refuse(fmt::format(
             "keys and brackets nest more than {} deep, the limit; a study needs at most 5 levels",
             deepest),
         fmt::format("{}:{}:{}", name, beyond->line, beyond->column));
}

/// KEY="word" for KEY=word: a shell removes quotes, and the only bare words in TOML are true,
/// false, inf and nan. Any other text is returned unchanged.
std::string with_quotes(const std::string& set) {
  const std::size_t equals = set.find('=');
  if (equals == std::string::npos) return set;
  const std::string_view word = std::string_view(set).substr(equals + 1);
  const auto is_part = [&](char c) { return is_letter(c) || c == '_' || c == '-' || is_digit(c); };
  for (const char* value : {"true", "false", "inf", "nan"})
    if (word == value) return set;
  if (word.empty() || !is_letter(word.front()) || !std::ranges::all_of(word, is_part)) return set;
  return fmt::format("{}=\"{}\"", set.substr(0, equals), word);
}

/// One key, dotted or not, and one value, possibly an inline table or a list of tables. A line
/// break is rejected: in a text that a script composes, it could hide a second key.
bool is_one_assignment(const toml::table& values) {
  const auto by_header = [](const toml::node& entry) {
    return entry.is_table() && !entry.as_table()->is_inline();
  };
  const toml::table* table = &values;
  while (table->size() == 1) {
    const toml::node& value = table->begin()->second;
    if (const toml::array* list = value.as_array()) return std::ranges::none_of(*list, by_header);
    if (!by_header(value)) return true;
    table = value.as_table();
  }
  return false;
}

/// The table that --set `set` merges over the file.
toml::table parsed_override(const std::string& set, const std::string& option) {
  const auto refuse_set = [&](const std::string& why) {
    refuse(fmt::format(
               "must be dotted.key=TOML value, with quotes of texts inside those of the shell ({})",
               why),
           option);
  };
  require_shallow(set, option);
  toml::table values;
  try {
    values = toml::parse(with_quotes(set));
  } catch (const toml::parse_error& e) {
    refuse_set(std::string(e.description()));
  }
  if (values.empty()) refuse_set("there is no key");
  if (!is_one_assignment(values))
    refuse_set("give one key and one value: repeat --set, or set a table {a=1, b=2}");
  return values;
}

}  // namespace

toml::table parsed(const std::string& text, const std::string& name) {
  if (text.size() > longest_text)
    refuse(fmt::format("has more than {} bytes, the limit", longest_text), name);
  require_shallow(text, name);
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& e) {
    refuse(fmt::format("not valid TOML: {}", e.description()), place(e.source()));
  }
}

TomlDocument TomlDocument::from_texts(const std::string& text, const std::string& name,
                                      const TextOfPath& text_of,
                                      const std::vector<std::string>& overrides,
                                      const Alternatives& alternatives) {
  auto content = std::make_shared<Content>();
  content->name = name;
  content->alternatives = alternatives;
  content->table = table_with_base(text, name, text_of, alternatives, *content);
  for (const std::string& set : overrides) {
    const std::string option = "--set " + set;
    toml::table values = parsed_override(set, option);
    for (const char* key : {"base", "without"})
      if (values.contains(key))
        refuse(fmt::format("{}: can be set only in the file, because overrides apply after its "
                           "bases are merged",
                           key),
               option);
    lay_over(content->table, std::move(values), "", content->set_texts, option);
  }
  drop_alternatives(content->table, alternatives, content->set_texts);
  return TomlDocument(std::move(content));
}

TomlDocument TomlDocument::from_text(const std::string& text, const std::string& name,
                                     const std::vector<std::string>& overrides,
                                     const Alternatives& alternatives) {
  return from_texts(text, name, {}, overrides, alternatives);
}

TomlDocument TomlDocument::from_record(const std::string& text, const std::string& name) {
  auto content = std::make_shared<Content>(*from_text(text, name).content_);
  content->is_record = true;
  return TomlDocument(std::move(content));
}

TomlDocument TomlDocument::with(const std::vector<ValueText>& overrides) const {
  auto content = std::make_shared<Content>(*content_);
  for (const auto& [text, place] : overrides)
    lay_over(content->table, parsed_override(text, place), "", content->set_texts, place);
  drop_alternatives(content->table, content->alternatives, content->set_texts);
  return TomlDocument(std::move(content));
}

TomlDocument TomlDocument::without(const std::string& table) const {
  auto content = std::make_shared<Content>(*content_);
  content->table.erase(table);
  return TomlDocument(std::move(content));
}

TomlDocument TomlDocument::with_kept(const std::string& list, const std::vector<bool>& kept,
                                     const std::string& key) const {
  auto content = std::make_shared<Content>(*content_);
  toml::array* const all = content->table.get_as<toml::array>(list);
  for (std::size_t i = kept.size(); i-- > 0;)
    if (kept[i])
      all->get_as<toml::table>(i)->erase(key);
    else
      all->erase(all->cbegin() + static_cast<std::ptrdiff_t>(i));
  if (all->empty()) content->table.erase(list);
  return TomlDocument(std::move(content));
}

std::string TomlDocument::text_of(const std::string& list) const {
  const toml::array* const all = content_->table.get_as<toml::array>(list);
  if (!all) return {};
  std::ostringstream text;
  for (const toml::node& entry : *all) {
    toml::table table = *entry.as_table();
    table.is_inline(false);
    for (auto&& [key, value] : table)
      if (toml::table* const inner = value.as_table()) inner->is_inline(true);
    text << "\n[[" << list << "]]\n" << table << "\n";
  }
  return text.str();
}

const std::map<std::string, std::string>& TomlDocument::texts() const {
  return content_->texts;
}

bool TomlDocument::is_set(const std::string& key) const {
  return content_->table.at_path(key) && content_->override_of(key) != nullptr;
}

TomlDocument TomlDocument::from_file(const std::string& path,
                                     const std::vector<std::string>& overrides,
                                     const Alternatives& alternatives) {
  const TextOfPath text_of = [](const std::string& file) {
    return text_of_file(file, longest_text);
  };
  return from_texts(text_of(path), path, text_of, overrides, alternatives);
}

}  // namespace rigidlimit
