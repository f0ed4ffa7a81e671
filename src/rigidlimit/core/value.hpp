// The content of a cell of a table.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Nothing, a boolean, a count, a number, a text, or several numbers or texts.
class Value {
 public:
  using Numbers = std::vector<double>;
  using Texts = std::vector<std::string>;
  using Any = std::variant<std::monostate, bool, long, double, std::string, Numbers, Texts>;

  Value() = default;
  // Implicit conversions: rows are written as lists of values.
  Value(bool fact) : any_(fact) {}                      // NOLINT(google-explicit-constructor)
  Value(int count) : any_(static_cast<long>(count)) {}  // NOLINT(google-explicit-constructor)
  Value(long count) : any_(count) {}                    // NOLINT(google-explicit-constructor)
  Value(std::size_t count)                              // NOLINT(google-explicit-constructor)
      : any_(static_cast<long>(count)) {}
  Value(double number) : any_(number) {}                // NOLINT(google-explicit-constructor)
  Value(const char* text) : any_(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Value(std::string text) : any_(std::move(text)) {}    // NOLINT(google-explicit-constructor)
  Value(Numbers numbers) : any_(std::move(numbers)) {}  // NOLINT(google-explicit-constructor)
  Value(const VectorXd& numbers)                        // NOLINT(google-explicit-constructor)
      : any_(Numbers(numbers.begin(), numbers.end())) {}
  Value(Texts texts) : any_(std::move(texts)) {}  // NOLINT(google-explicit-constructor)

  const Any& any() const { return any_; }
  bool is_nothing() const { return std::holds_alternative<std::monostate>(any_); }
  bool operator==(const Value&) const = default;

 private:
  Any any_;
};

/// A named value: "work.steps" is `steps` of the object `work` in JSON, and the column `steps`
/// elsewhere.
struct Field {
  std::string name;
  Value value;
};
using Fields = std::vector<Field>;

}  // namespace rigidlimit
