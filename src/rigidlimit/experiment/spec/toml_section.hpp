// Reading TOML with a place for every complaint.
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

namespace rigidlimit {

class TomlDocument;

/// A value as TOML, and where it stands.
struct ValueText {
  std::string toml;
  std::string place;
};

/// One table of a document, read key by key. Every reader throws InputError with the place
/// ("file.toml:12:9", or the text of the --set option), the key, the value and what is valid.
/// finish() then rejects whatever key nobody asked for. Where a default is passed, the key may be
/// missing; where it is std::nullopt, a missing key is an error.
class Section {
 public:
  bool has(const std::string& key);
  /// The key is there and holds a table.
  bool has_table(const std::string& key);

  double number(const std::string& key, const Range& range, std::optional<double> otherwise);
  /// A whole number from span.first to span.second.
  long count(const std::string& key, std::pair<long, long> span, std::optional<long> otherwise);
  bool flag(const std::string& key, bool otherwise);
  std::string text(const std::string& key, std::optional<std::string> otherwise);
  /// A text that is one of `valid`.
  std::string choice(const std::string& key, const std::vector<std::string>& valid,
                     std::optional<std::string> otherwise);
  /// A non-empty list of distinct texts, each one of `valid`.
  std::vector<std::string> choices(const std::string& key, const std::vector<std::string>& valid,
                                   std::optional<std::vector<std::string>> otherwise);
  /// One text of `valid`, or a list as choices() takes it.
  std::vector<std::string> choice_or_choices(const std::string& key,
                                             const std::vector<std::string>& valid,
                                             std::optional<std::vector<std::string>> otherwise);
  /// A non-empty list of numbers.
  std::vector<double> numbers(const std::string& key, const Range& range);
  /// A list of `names.size()` numbers; `names` say in the message what they are.
  VectorXd vector(const std::string& key, const std::vector<std::string>& names,
                  std::optional<VectorXd> otherwise);
  /// A size × size matrix: a number c (c I), a list (the diagonal) or a list of rows.
  MatrixXd matrix(const std::string& key, Index size, std::optional<MatrixXd> otherwise);

  /// A non-empty list of numbers, texts, truths and lists of those.
  std::vector<ValueText> values(const std::string& key);

  /// A text, or a number as one; with the place of each of its characters. An empty text where
  /// the key is missing and need not be there.
  PlacedText formula(const std::string& key, bool needed = false);
  /// A non-empty list of such, or of lists; empty where the key is missing.
  std::vector<PlacedText> formulas(const std::string& key);
  std::vector<std::vector<PlacedText>> formula_rows(const std::string& key);
  /// The keys of this table and where they stand, as they are written; all of them are asked for.
  std::vector<PlacedText> keys();
  /// The key holds a list of tables, or [[key]] is there.
  bool has_tables(const std::string& key);
  /// Where this table begins.
  std::string place() const;
  /// The path of the file that a text names, relative to the folder of the file in which it stands:
  /// of a base, where the base has it; of the document itself, where --set does.
  std::string path(const std::string& key);

  /// The sub-table [key]; empty if it is missing.
  Section section(const std::string& key);
  /// The array of tables [[key]]; empty if it is missing.
  std::vector<Section> sections(const std::string& key);

  /// Throws for the first key that was never asked for.
  void finish() const;

  /// InputError at `key` (or at the table itself) with "path.key = value: message".
  [[noreturn]] void fail(const std::string& key, const std::string& message) const;

  /// The same for a key that is not there; names an unknown key that may be it, misspelt.
  [[noreturn]] void missing(const std::string& key, const std::string& wanted) const;

 private:
  friend class TomlDocument;
  struct Node;  // hides toml++ from whoever includes this header
  explicit Section(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  struct Value;
  PlacedText formula_in(const Value& value, const std::string& key) const;
  std::vector<PlacedText> formulas_in(const Value& value, const std::string& key) const;

  std::shared_ptr<const Node> node_;
  std::set<std::string> known_;
};

/// Dotted keys that stand for the same thing: an override of the first removes the others from the
/// file, so that --set epsilon.values=[…] works on a study that gives from, to and count.
using Alternatives = std::map<std::string, std::vector<std::string>>;

/// The text at a path; throws InputError with the path for one that cannot be read.
using TextOfPath = std::function<std::string(const std::string& path)>;

/// A parsed file, or text, laid over its bases (toml_layers.hpp), with overrides laid over it.
class TomlDocument {
 public:
  /// `overrides`: texts "dotted.key=TOML value". Throws InputError for a file that cannot be read
  /// or text that is not TOML. A text alone has no folder that a base could be relative to: it is
  /// refused if it has one.
  static TomlDocument from_file(const std::string& path,
                                const std::vector<std::string>& overrides = {},
                                const Alternatives& alternatives = {});
  static TomlDocument from_text(const std::string& text, const std::string& name,
                                const std::vector<std::string>& overrides = {},
                                const Alternatives& alternatives = {});

  /// The same where `text_of` reads the bases of `text`.
  static TomlDocument from_texts(const std::string& text, const std::string& name,
                                 const TextOfPath& text_of,
                                 const std::vector<std::string>& overrides = {},
                                 const Alternatives& alternatives = {});

  Section root() const;

  /// A copy with these further overrides, "dotted.key=TOML value"; messages about an override name
  /// its place.
  TomlDocument with(const std::vector<ValueText>& overrides) const;
  /// Without one of its tables.
  TomlDocument without(const std::string& table) const;
  /// Whether --set gave the value of this dotted key, or of a table around it.
  bool is_set(const std::string& key) const;

  struct Content;  ///< the parsed text; defined beside the readers

 private:
  std::shared_ptr<const Content> content_;
};

}  // namespace rigidlimit
