// Keys of experiment files as data: one row a key, with the member of the study that it fills.
#pragma once

#include <algorithm>
#include <cctype>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/toml/section.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

/// A key for its readers: `help keys`, docs/keys.md, the comments of `init`.
struct KeyInfo {
  std::string name;
  std::string unit;  ///< "s"; "1" without a dimension; "SI", "own"; empty: not a physical number
  std::string text;  ///< one phrase
  std::string values{};              ///< "> 0 and <= 1e+09"
  std::string otherwise = "needed";  ///< the default as TOML, or in words
  bool is_computed = false;          ///< the default is in words
  bool is_needed = false;            ///< it has no default: the words say when it is needed
  bool is_number = false;

  bool operator==(const KeyInfo&) const = default;
};

/// The rows of one table for its readers.
struct KeyTableInfo {
  std::string name;  ///< "time", "[expect]" for [[expect]]; empty: the root
  std::vector<KeyInfo> keys;
};

/// base and without, which every file may have.
KeyTableInfo layer_keys();

/// The tables at the top of a file that have each key; those of any name, "solvers.NAME", are left
/// out.
std::shared_ptr<const TablesOfKeys> tables_of_keys(const std::vector<KeyTableInfo>& tables);

/// The default of a key in words.
struct DefaultWords {
  std::string words;
  bool is_needed = false;

  DefaultWords(const char* text) : words(text) {}             // NOLINT: implicit on purpose
  DefaultWords(std::string text) : words(std::move(text)) {}  // NOLINT
};
/// Of a key without a default: "needed", "needed without order".
inline DefaultWords needed(const std::string& when = "") {
  DefaultWords made("needed" +
                    (when.empty() || std::ispunct(static_cast<unsigned char>(when.front())) != 0
                         ? when
                         : " " + when));
  made.is_needed = true;
  return made;
}

/// Name, unit and meaning of a key.
struct KeyName {
  const char* name;
  const char* unit;
  const char* text;
};

/// A key of the table that fills a Spec.
template <class Spec>
struct KeyRow {
  KeyInfo info;
  /// Reads the key, or sets its default. Empty: the reader of the table does this itself.
  std::function<void(Section&, Spec&)> read{};
  std::function<std::optional<std::string>(const Spec&)> toml{};  ///< the value; empty: not written
  std::function<std::optional<std::string>(const Spec&)> usual{};  ///< the default; empty: none
};

/// The keys of one table in the order in which they are read. A default may depend on the rows
/// above.
template <class Spec>
struct KeyTable {
  std::string name;  ///< as KeyTableInfo::name
  std::vector<KeyRow<Spec>> rows;

  /// Reads every row. Call section.finish() after the cross-checks.
  void read(Section& section, Spec& spec) const {
    for (const KeyRow<Spec>& row : rows) section.expect(row.info.name);
    for (const KeyRow<Spec>& row : rows)
      if (row.read) row.read(section, spec);
  }
  /// Reads a table without further keys and checks.
  void read_whole(Section section, Spec& spec) const {
    read(section, spec);
    section.finish();
  }
  /// The table as TOML with all values, and units as comments. `heading`: another name.
  std::string text(const Spec& spec, const std::string& heading = "") const {
    return fmt::format("\n[{}]\n", heading.empty() ? name : heading) + body(spec);
  }
  /// The same without the heading.
  std::string body(const Spec& spec) const {
    std::string text;
    for (const KeyRow<Spec>& row : rows)
      if (const auto value = row.toml ? row.toml(spec) : std::nullopt)
        text += fmt::format("{} = {}{}\n", row.info.name, *value, unit_comment(row.info.unit));
    return text;
  }
  /// "name = 1, unit = 2", for an inline table.
  std::string inline_text(const Spec& spec) const {
    std::vector<std::string> texts;
    for (const KeyRow<Spec>& row : rows)
      if (const auto value = row.toml ? row.toml(spec) : std::nullopt)
        texts.push_back(fmt::format("{} = {}", row.info.name, *value));
    return fmt::format("{}", fmt::join(texts, ", "));
  }
  KeyTableInfo info() const {
    KeyTableInfo info{name, {}};
    for (const KeyRow<Spec>& row : rows) info.keys.push_back(row.info);
    return info;
  }
  const KeyRow<Spec>& row(const std::string& key) const {
    const auto at =
        std::ranges::find(rows, key, [](const KeyRow<Spec>& one) { return one.info.name; });
    if (at == rows.end()) throw std::logic_error("not a key of [" + name + "]: " + key);
    return *at;
  }

 private:
  static std::string unit_comment(const std::string& unit) {
    const bool is_unit = !unit.empty() && unit != "1" && unit != "SI" && unit != "own";
    return is_unit ? "   # " + unit : "";
  }
};

namespace keys {

inline std::string text_of_value(double x) {
  return toml_text(x);
}
inline std::string text_of_value(bool x) {
  return x ? "true" : "false";
}
template <std::integral Whole>
std::string text_of_value(Whole x) {
  return std::to_string(x);
}
inline std::string text_of_value(const std::string& x) {
  return toml_text(x);
}
template <class Enum>
requires std::is_enum_v<Enum> std::string text_of_value(Enum x) {
  return toml_text(std::string(name_of(x)));
}
inline std::string text_of_value(const PlacedText& formula) {
  return toml_text(formula.text);
}
std::string text_of_value(const VectorXd& x);
/// c for c I, the diagonal, or the rows.
std::string text_of_value(const MatrixXd& X);
template <class Entry>
std::string text_of_value(const std::vector<Entry>& list) {
  std::vector<std::string> texts;
  for (const Entry& x : list) texts.push_back(text_of_value(x));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// The names of some values of an enumeration.
template <class Enum>
std::vector<std::string> names_of_values(const std::vector<Enum>& values) {
  std::vector<std::string> names;
  for (const Enum x : values) names.emplace_back(name_of(x));
  return names;
}

/// "\"end\", \"grid\"", or the number of the names if there are many.
std::string list_of(const std::vector<std::string>& words);

template <class T>
struct ValueOf {
  using type = T;
  static constexpr bool is_optional = false;
};
template <class T>
struct ValueOf<std::optional<T>> {
  using type = T;
  static constexpr bool is_optional = true;
};

template <class T>
constexpr bool is_real = std::is_same_v<T, double> || std::is_same_v<T, std::vector<double>> ||
                         std::is_same_v<T, VectorXd> || std::is_same_v<T, MatrixXd>;

/// A member of a member: of(&RollingStudy::time, &TimeGrid::end).
template <class Outer, class Inner>
constexpr auto of(Outer outer, Inner inner) {
  return [ outer, inner ](auto& spec) -> auto& {
    return std::invoke(inner, std::invoke(outer, spec));
  };
}

/// The same for several members of one member: in(&RollingStudy::time)(&TimeGrid::end).
template <class Outer>
constexpr auto in(Outer outer) {
  return [outer](auto inner) { return of(outer, inner); };
}

/// A row in the making. Without further words the default is the value of the member in Spec{}; a
/// std::optional member has none.
template <class Spec, class Held>
class TypedKey {
  using T = typename ValueOf<Held>::type;
  using Take = std::function<T(Section&, const std::string& key, const Spec&)>;

 public:
  template <class Member>
  TypedKey(KeyName key, Member member, std::string values, Take take)
      : info_{key.name, key.unit, key.text, std::move(values)},
        get_([member](const Spec& s) -> const Held& { return std::invoke(member, s); }),
        at_([member](Spec& s) -> Held& { return std::invoke(member, s); }),
        take_(std::move(take)) {}

  /// A missing key is an error.
  TypedKey needed() && {
    needed_ = true;
    return std::move(*this).otherwise(rigidlimit::needed());
  }
  /// The default in words; it is the value of the member before the table is read.
  TypedKey otherwise(const DefaultWords& words) && {
    info_.is_needed = words.is_needed;
    words_ = words.words;
    return std::move(*this);
  }
  /// A default that depends on the rows above.
  TypedKey otherwise(const char* words, std::function<T(const Spec&)> value) && {
    computed_ = std::move(value);
    return std::move(*this).otherwise(words);
  }
  /// The valid values in words.
  TypedKey valid(const char* words) && {
    info_.values = words;
    return std::move(*this);
  }
  /// Reads the key only if `refusal` is empty; otherwise a key that is given is an error with this
  /// message, and the resolved file does not have it.
  TypedKey unless(std::function<std::string(const Spec&)> refusal) && {
    refusal_ = std::move(refusal);
    return std::move(*this);
  }
  /// Checks the value: an empty message, or the reason why it is not valid.
  TypedKey checked(std::function<std::string(const Spec&)> fault) && {
    fault_ = std::move(fault);
    return std::move(*this);
  }
  /// Written to resolved files only if this holds.
  TypedKey written_if(std::function<bool(const Spec&)> holds) && {
    written_ = std::move(holds);
    return std::move(*this);
  }
  /// Another text of the value.
  TypedKey written_as(std::function<std::string(const Held&)> text) && {
    text_ = std::move(text);
    return std::move(*this);
  }

  /// A text of the value that depends on other rows.
  TypedKey written_for(std::function<std::string(const Spec&, const Held&)> text) && {
    text_for_ = std::move(text);
    return std::move(*this);
  }

  operator KeyRow<Spec>() const {
    KeyRow<Spec> row{.info = info_};
    row.info.is_computed = words_.has_value();
    row.info.is_number = is_real<T>;
    row.info.otherwise = words_                       ? *words_
                         : ValueOf<Held>::is_optional ? "none"
                                                      : text(get_(Spec{}));
    row.read = [key = *this](Section& section, Spec& spec) { key.read(section, spec); };
    row.toml = [key = *this](const Spec& spec) { return key.written(spec); };
    row.usual = [key = *this](const Spec& spec) { return key.usual(spec); };
    return row;
  }

 private:
  std::string text(const Held& value) const {
    if (text_) return text_(value);
    if constexpr (ValueOf<Held>::is_optional)
      return text_of_value(*value);
    else
      return text_of_value(value);
  }
  void read(Section& section, Spec& spec) const {
    const bool given = section.has(info_.name);
    if (const std::string why = refusal_ ? refusal_(spec) : std::string(); !why.empty()) {
      if (given) section.fail(info_.name, why);
      return;
    }
    if (given || needed_)
      at_(spec) = take_(section, info_.name, spec);
    else if (computed_)
      at_(spec) = computed_(spec);
    if (!given || !fault_) return;
    if (const std::string why = fault_(spec); !why.empty()) section.fail(info_.name, why);
  }
  std::optional<std::string> written(const Spec& spec) const {
    if ((refusal_ && !refusal_(spec).empty()) || (written_ && !written_(spec))) return std::nullopt;
    const Held& value = get_(spec);
    if constexpr (ValueOf<Held>::is_optional)
      if (!value) return std::nullopt;
    return text_for_ ? text_for_(spec, value) : text(value);
  }
  std::optional<std::string> usual(const Spec& spec) const {
    if (computed_) return text(Held(computed_(spec)));
    if (words_) return std::nullopt;
    if constexpr (ValueOf<Held>::is_optional)
      return std::nullopt;
    else
      return text(get_(Spec{}));
  }

  KeyInfo info_;
  std::function<const Held&(const Spec&)> get_;
  std::function<Held&(Spec&)> at_;
  Take take_;
  bool needed_ = false;
  std::optional<std::string> words_{};
  std::function<T(const Spec&)> computed_{};
  std::function<std::string(const Spec&)> refusal_{}, fault_{};
  std::function<bool(const Spec&)> written_{};
  std::function<std::string(const Held&)> text_{};
  std::function<std::string(const Spec&, const Held&)> text_for_{};
};

}  // namespace keys

/// The rows of tables of one Spec, by the type of their values. `member` is a pointer to a member,
/// or keys::of(). Each reader gives messages with the place, the key, the value and the valid
/// values (toml/section.hpp).
template <class Spec>
struct Keys {
  template <class Member>
  using Held = std::remove_cvref_t<std::invoke_result_t<Member, Spec&>>;
  template <class Member>
  using Typed = keys::TypedKey<Spec, Held<Member>>;
  using Words = std::vector<std::string>;

  template <class Member>
  static Typed<Member> number(KeyName key, Member member, Range range) {
    return {key, member, range.text(), [range](Section& s, const std::string& name, const Spec&) {
              return s.number(name, range, std::nullopt);
            }};
  }
  /// A range that depends on the rows above, and its words.
  template <class Member>
  static Typed<Member> number(KeyName key, Member member, const char* words,
                              std::function<Range(const Spec&)> range) {
    return {key, member, words,
            [range = std::move(range)](Section& s, const std::string& name, const Spec& spec) {
              return s.number(name, range(spec), std::nullopt);
            }};
  }
  /// A whole number.
  template <class Member>
  static Typed<Member> count(KeyName key, Member member, std::pair<long, long> span) {
    return {key, member, fmt::format("integer, {} to {}", span.first, span.second),
            [span](Section& s, const std::string& name, const Spec&) {
              return static_cast<typename keys::ValueOf<Held<Member>>::type>(
                  s.count(name, span, std::nullopt));
            }};
  }
  template <class Member>
  static Typed<Member> flag(KeyName key, Member member) {
    return {key, member, "true, false",
            [](Section& s, const std::string& name, const Spec&) { return s.flag(name, false); }};
  }
  template <class Member>
  static Typed<Member> text(KeyName key, Member member) {
    return {key, member, "text", [](Section& s, const std::string& name, const Spec&) {
              return s.text(name, std::nullopt);
            }};
  }
  /// One of some texts.
  template <class Member>
  static Typed<Member> choice(KeyName key, Member member, std::function<Words()> valid) {
    return {key, member, keys::list_of(valid()),
            [valid = std::move(valid)](Section& s, const std::string& name, const Spec&) {
              return s.choice(name, valid(), std::nullopt);
            }};
  }
  /// One of some values of an enumeration, by name_of().
  template <class Member, class Enum, std::size_t n>
  static Typed<Member> choice(KeyName key, Member member, const Enum (&valid)[n]) {
    const std::vector<Enum> all(valid, valid + n);
    return {key, member, keys::list_of(keys::names_of_values(all)),
            [all](Section& s, const std::string& name, const Spec&) {
              const std::string word = s.choice(name, keys::names_of_values(all), std::nullopt);
              return *std::ranges::find(all, word, [](Enum x) { return std::string(name_of(x)); });
            }};
  }
  /// One of some values with these names.
  template <class Member>
  static Typed<Member> choice(KeyName key, Member member,
                              std::vector<std::pair<std::string, Held<Member>>> valid) {
    Words words;
    for (const auto& [word, value] : valid) words.push_back(word);
    Typed<Member> typed{
        key, member, keys::list_of(words),
        [valid, words](Section& s, const std::string& name, const Spec&) {
          const std::string word = s.choice(name, words, std::nullopt);
          return std::ranges::find(valid, word, [](const auto& one) { return one.first; })->second;
        }};
    return std::move(typed).written_as([valid](const Held<Member>& held) {
      return toml_text(
          std::ranges::find(valid, held, [](const auto& one) { return one.second; })->first);
    });
  }
  /// A list of some of these texts, or one of them without a list.
  template <class Member>
  static Typed<Member> choices(KeyName key, Member member, std::function<Words()> valid) {
    return {key, member, "one or a list of: " + keys::list_of(valid()),
            [valid = std::move(valid)](Section& s, const std::string& name, const Spec&) {
              return s.choices(name, valid(), std::nullopt);
            }};
  }
  template <class Member>
  static Typed<Member> numbers(KeyName key, Member member, Range range) {
    return {key, member, "list, each " + range.text(),
            [range](Section& s, const std::string& name, const Spec&) {
              return s.numbers(name, range);
            }};
  }
  /// A number for each component, or, with `some`, a table {name = number} of some of them; in the
  /// given units of the components. The member has the values in SI.
  template <class Member>
  static Typed<Member> vector(KeyName key, Member member,
                              std::function<std::vector<Component>(const Spec&)> components,
                              bool some) {
    return Typed<Member>{
        key, member, some ? "list, or table {name = number}" : "list of numbers",
        [=](Section& s, const std::string& name, const Spec& spec) {
          return s.vector(name, components(spec),
                          some ? std::optional<VectorXd>(std::invoke(member, spec)) : std::nullopt);
        }}
        .written_for([components](const Spec& spec, const VectorXd& si) {
          const std::vector<Component> all = components(spec);
          return keys::text_of_value(given_values(visible(all), visible(all, si)));
        });
  }
  /// size × size: a number c (c I), a list (the diagonal) or a list of rows.
  template <class Member>
  static Typed<Member> matrix(KeyName key, Member member, std::function<Index(const Spec&)> size) {
    return {key, member, "number, diagonal or matrix",
            [=](Section& s, const std::string& name, const Spec& spec) {
              return s.matrix(name, size(spec), std::nullopt);
            }};
  }
  /// A formula in quotes, or a number; an empty text is a formula that is not given.
  template <class Member>
  static Typed<Member> formula(KeyName key, Member member) {
    return given_only(Typed<Member>{key, member, "formula",
                                    [](Section& s, const std::string& name, const Spec&) {
                                      return s.formula(name, true);
                                    }},
                      [member](const Spec& s) { return !std::invoke(member, s).text.empty(); });
  }
  static Typed<std::vector<PlacedText> Spec::*> formulas(KeyName key,
                                                         std::vector<PlacedText> Spec::*member) {
    return given_only(
        Typed<std::vector<PlacedText> Spec::*>{
            key, member, "list of formulas",
            [](Section& s, const std::string& name, const Spec&) { return s.formulas(name); }},
        [member](const Spec& s) { return !(s.*member).empty(); });
  }
  using Rows = std::vector<std::vector<PlacedText>>;
  static Typed<Rows Spec::*> formula_rows(KeyName key, Rows Spec::*member) {
    return given_only(Typed<Rows Spec::*>{key, member, "list of rows of formulas",
                                          [](Section& s, const std::string& name, const Spec&) {
                                            return s.formula_rows(name);
                                          }},
                      [member](const Spec& s) { return !(s.*member).empty(); });
  }
  /// A key that `read` reads, or whose default it sets: a value of several forms, or one that
  /// depends on more than the rows above.
  static KeyRow<Spec> read_by(KeyName key, std::string values, const DefaultWords& otherwise,
                              std::function<void(Section&, const std::string& key, Spec&)> read,
                              std::function<std::optional<std::string>(const Spec&)> toml = {}) {
    return {.info = {.name = key.name,
                     .unit = key.unit,
                     .text = key.text,
                     .values = std::move(values),
                     .otherwise = otherwise.words,
                     .is_computed = true,
                     .is_needed = otherwise.is_needed},
            .read = [name = std::string(key.name), read = std::move(read)](
                        Section& section, Spec& spec) { read(section, name, spec); },
            .toml = std::move(toml)};
  }

 private:
  /// No default, and written only if `holds`.
  template <class Key>
  static Key given_only(Key key, std::function<bool(const Spec&)> holds) {
    return std::move(key).otherwise("none").written_if(std::move(holds));
  }
};

/// The rows of these parts, one after the other.
template <class Spec>
std::vector<KeyRow<Spec>> joined(std::initializer_list<std::vector<KeyRow<Spec>>> parts) {
  std::vector<KeyRow<Spec>> rows;
  for (const std::vector<KeyRow<Spec>>& part : parts)
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

}  // namespace rigidlimit
