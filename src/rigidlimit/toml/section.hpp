// Readers of TOML values; each error message names the place of the value.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/placed_text.hpp"
#include "rigidlimit/core/range.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"

namespace rigidlimit {

class TomlDocument;

/// A value as TOML text, with its place.
struct ValueText {
  std::string toml;
  std::string place;
};

/// Names of tables, "study" or "[expect]" for [[expect]], that have a key.
using TablesOfKeys = std::map<std::string, std::vector<std::string>>;

/// One table of a document, read key by key; key_table.hpp reads whole tables. Every reader throws
/// InputError with the place
/// ("file.toml:12:9", or the text of the --set option), the key, the value and the valid values.
/// finish() rejects all keys that were not read. A key with a default may be missing; with
/// std::nullopt as default, a missing key is an error.
class Section {
 public:
  bool has(const std::string& key);
  /// Marks a key that the reader reads later: a message on a missing key suggests others alone.
  void expect(const std::string& key) { expected_.insert(key); }
  /// Whether the key exists and is [].
  bool has_empty_list(const std::string& key);
  /// Whether the key exists and is a table.
  bool has_table(const std::string& key);

  double number(const std::string& key, const Range& range, std::optional<double> otherwise);
  /// A whole number from span.first to span.second.
  long count(const std::string& key, std::pair<long, long> span, std::optional<long> otherwise);
  bool flag(const std::string& key, bool otherwise);
  std::string text(const std::string& key, std::optional<std::string> otherwise);
  /// One of the texts `valid`.
  std::string choice(const std::string& key, const std::vector<std::string>& valid,
                     std::optional<std::string> otherwise);
  /// A non-empty list of distinct texts, each one of `valid`; or a single one of them.
  std::vector<std::string> choices(const std::string& key, const std::vector<std::string>& valid,
                                   std::optional<std::vector<std::string>> otherwise);
  /// A non-empty list of distinct texts.
  std::vector<std::string> texts(const std::string& key);
  /// A non-empty list of numbers.
  std::vector<double> numbers(const std::string& key, const Range& range);
  /// A list of a number for each component, or, with a default, a table {name = number} for some of
  /// them. In a table x means x', if the components have no x. The numbers are in the given units
  /// of the components, the result and the default in SI.
  VectorXd vector(const std::string& key, const std::vector<Component>& components,
                  std::optional<VectorXd> otherwise);
  /// A size × size matrix: a number c (c I), a list (the diagonal) or a list of rows.
  MatrixXd matrix(const std::string& key, Index size, std::optional<MatrixXd> otherwise);

  /// A number, text, boolean or list of these; and a non-empty list of such values.
  ValueText value(const std::string& key);
  std::vector<ValueText> values(const std::string& key);
  /// A non-empty list of lists of such values, one for each of `names`.
  std::vector<std::vector<ValueText>> value_rows(const std::string& key,
                                                 const std::vector<std::string>& names);

  /// A text, or a number as text, with the place of each of its characters. Empty if the key is
  /// missing and not `needed`.
  PlacedText formula(const std::string& key, bool needed = false);
  /// A non-empty list of formulas, or of lists of formulas; empty if the key is missing.
  std::vector<PlacedText> formulas(const std::string& key);
  std::vector<std::vector<PlacedText>> formula_rows(const std::string& key);
  /// The keys of this table with their places, in the order of the file. All count as read.
  std::vector<PlacedText> keys();
  /// Whether the key is a list of tables, or [[key]] exists.
  bool has_tables(const std::string& key);
  /// The place of the table's first character.
  std::string place() const;
  /// A text as the path of a file, relative to the folder of the file that contains it: of the base
  /// if the base contains it, of the document itself if --set gave it. With a `kind` also the name
  /// of a shipped file (file_named_in()). Throws InputError at the key for a file that cannot be
  /// read.
  std::string path(const std::string& key, std::optional<ShippedKind> kind = {});

  /// The sub-table [key]; empty if it is missing.
  Section section(const std::string& key);
  /// The list of tables [[key]]; empty if it is missing. The message on another value shows `form`.
  std::vector<Section> sections(const std::string& key, const std::string& form = "{...}");

  /// Throws InputError for the first key that was not read, with the table where it belongs.
  void finish() const;

  /// Throws InputError at `key` (or at the table itself): "path.key = value: message".
  [[noreturn]] void fail(const std::string& key, const std::string& message) const;

  /// The same for a missing key. The message suggests a similar name of a key that is neither read
  /// nor expected.
  [[noreturn]] void missing(const std::string& key, const std::string& wanted) const;

 private:
  friend class TomlDocument;
  struct Node;  // hides toml++ from users of this header
  explicit Section(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  struct Value;
  PlacedText formula_in(const Value& value, const std::string& key) const;
  std::vector<PlacedText> formulas_in(const Value& value, const std::string& key) const;
  VectorXd replaced(VectorXd values, const std::vector<Component>& components);

  std::shared_ptr<const Node> node_;
  std::set<std::string> known_, expected_;
};

/// Dotted keys with the same meaning: an override of the first removes the others from the file, so
/// that --set epsilon.values=[…] works on a study that has from, to and count.
using Alternatives = std::map<std::string, std::vector<std::string>>;

/// The alternatives of every kind of study.
const Alternatives& alternative_keys();

/// Reads the file at a path; throws InputError with the path if that fails.
using TextOfPath = std::function<std::string(const std::string& path)>;

/// A parsed file or text, merged over its bases (toml/layers.hpp), with overrides applied.
class TomlDocument {
 public:
  /// `overrides`: texts "dotted.key=TOML value". Throws InputError for an unreadable file and for
  /// text that is not TOML. A text without a file has no folder: from_text() rejects a base.
  static TomlDocument from_file(const std::string& path,
                                const std::vector<std::string>& overrides = {},
                                const Alternatives& alternatives = {});
  static TomlDocument from_text(const std::string& text, const std::string& name,
                                const std::vector<std::string>& overrides = {},
                                const Alternatives& alternatives = {});

  /// The text of a stored experiment, perhaps of a stranger: a key that names a file is an error,
  /// so that no file is opened. Stored experiments hold the texts of their files.
  static TomlDocument from_record(const std::string& text, const std::string& name);

  /// from_text() with a function that reads the bases.
  static TomlDocument from_texts(const std::string& text, const std::string& name,
                                 const TextOfPath& text_of,
                                 const std::vector<std::string>& overrides = {},
                                 const Alternatives& alternatives = {});

  /// `tables`: of all keys of this kind of file, for messages on a key in a wrong table.
  Section root(std::shared_ptr<const TablesOfKeys> tables = nullptr) const;

  /// A copy with these further overrides, "dotted.key=TOML value"; messages about an override name
  /// its place.
  TomlDocument with(const std::vector<ValueText>& overrides) const;
  /// A copy without this table.
  TomlDocument without(const std::string& table) const;
  /// A copy in which the list of tables [[list]] has only the tables marked in `kept`, without
  /// `key`. A list without any table left is removed.
  TomlDocument with_kept(const std::string& list, const std::vector<bool>& kept,
                         const std::string& key) const;
  /// The tables [[list]] as TOML; empty if there are none.
  std::string text_of(const std::string& list) const;
  /// The text of the file and of each base, by the name under which it was read.
  const std::map<std::string, std::string>& texts() const;
  /// Whether --set gave the value of this dotted key or of a table around it.
  bool is_set(const std::string& key) const;

  struct Content;  ///< the parsed text; defined in toml/content.hpp

 private:
  explicit TomlDocument(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  std::shared_ptr<const Content> content_;
};

}  // namespace rigidlimit
