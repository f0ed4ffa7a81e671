// Declarations of the keys of experiment files, and a log of them for the reference of all keys.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace rigidlimit {

/// A key with its declaration, in the call that reads it:
///
///   section.number({"end", "s", "length of the interval"}, valid_time, std::nullopt)
///
/// The call adds the valid values and the default. A bare name declares nothing: another call
/// declares the key, or a system does (its parameters).
struct Key {
  Key(const char* name_of_key) : name(name_of_key) {}
  Key(std::string name_of_key) : name(std::move(name_of_key)) {}
  Key(std::string name_of_key, const char* its_unit, const char* meaning)
      : name(std::move(name_of_key)), unit(its_unit), text(meaning) {}

  /// The same with words for a default that is computed ("end/4"), or for the effect of a missing
  /// key ("none").
  Key otherwise(const char* words) const;
  /// The same with words for valid values that depend on other keys (">= 0 and < end").
  Key valid(const char* words) const;

  std::string name;
  const char* unit = "";  ///< "s"; "1" without a dimension; empty: not a physical number
  const char* text = "";  ///< one phrase; empty: not declared here
  const char* default_words = "";
  const char* valid_words = "";
};

/// A declared key as the reference shows it.
struct DeclaredKey {
  std::string table;  ///< "time", "[expect]" for [[expect]]; empty: the root
  std::string name, unit, text;
  std::string values;     ///< "> 0 and <= 1e+09"
  std::string otherwise;  ///< the default as TOML or in words; "needed"
  bool is_number = false;
  bool is_computed = false;  ///< the default is in words

  bool operator==(const DeclaredKey&) const = default;
};

/// The keys that the readers of a document declared, each once. A key follows the one that was
/// declared before it, also if a document before had declared that one.
class KeyLog {
 public:
  struct Name {
    std::string table, name;
    auto operator<=>(const Name&) const = default;
  };

  void declare(DeclaredKey key);
  /// A key that a reader asked for: it must be declared by some call.
  void ask(Name name);

  const std::vector<DeclaredKey>& declared() const { return declared_; }
  /// The keys that readers asked for and no call declared.
  std::vector<Name> undeclared() const;
  /// The part of some tables.
  KeyLog of_tables(bool (*wanted)(const std::string& table)) const;

 private:
  std::vector<DeclaredKey> declared_;
  std::size_t next_ = 0;  ///< the position after the last declaration
  std::vector<Name> asked_;
};

}  // namespace rigidlimit
