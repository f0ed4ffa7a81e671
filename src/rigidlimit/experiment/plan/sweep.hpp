// [sweep]: one file that defines a grid of studies. Each study is read as if its values stood in
// the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {

/// A factor of the product: a dotted key of the file with its values, all distinct, or keys that
/// change together ([[sweep.zip]]).
struct SweepAxis {
  std::vector<std::string> keys;
  std::vector<std::vector<ValueText>> values;  ///< one row for each value, one entry for each key
  std::string name{};  ///< of a zip: its column in tables; empty: a column for each key
  std::vector<std::string> labels{};  ///< of a named zip: its values in tables, as TOML
};

/// A column of the points: a key, or the name of a zip.
struct SweptColumn {
  std::string name;                 ///< "contact.damping_ratio", "start"
  std::size_t axis = 0;             ///< index into SweepGrid::axes
  std::vector<ValueText> values{};  ///< one for each value of the axis; a zip may repeat some
};

/// A table of [[expect]] or [[bound]] with `where = {KEY = VALUE or [VALUES]}` applies only at the
/// points with one of these values, for each of the named keys.
struct SweepCondition {
  std::size_t column = 0;             ///< index into SweepGrid::columns
  std::vector<std::string> values{};  ///< as SweptColumn::values has them
};
struct ConditionalList {
  std::string name;  ///< "expect"
  std::vector<std::vector<SweepCondition>>
      tables{};        ///< in the order of the file; empty: everywhere
  std::string text{};  ///< all tables as TOML, with their conditions
};

/// [[least]]: the value of a swept key with the least error.
struct LeastSpec {
  std::size_t over = 0;  ///< index into SweepGrid::columns; not zipped, and its values are numbers
  std::optional<double> beside{};  ///< the value whose error stands beside the least one
};

/// One value for each column.
using SweepPoint = std::vector<ValueText>;

/// The product of the values of all axes. Axes are in alphabetical order of their first columns,
/// and the last varies fastest.
struct SweepGrid {
  std::vector<SweepAxis> axes{};
  std::vector<SweptColumn> columns{};
  std::vector<ConditionalList> conditional{};
  std::vector<LeastSpec> least{};

  void add(SweepAxis axis);
  std::size_t size() const;
  SweepPoint point(std::size_t number) const;
  /// The file's keys with their values at a point: "dotted.key=TOML value".
  std::vector<ValueText> overrides(std::size_t number) const;

 private:
  /// The number of the point's value on each axis.
  std::vector<std::size_t> position(std::size_t number) const;
};

/// "contact.damping_ratio = 0.5, solvers.rtol = 1e-09".
std::string text_of(const SweepGrid& grid, const SweepPoint& point);

}  // namespace rigidlimit
