// [sweep]: one file that defines a grid of studies. Each study is read as if its values stood in
// the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_counts.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// A dotted key of the file and its values, all distinct.
struct SweptKey {
  std::string key;
  std::vector<ValueText> values;
};

/// A table of [[expect]] or [[bound]] with `where = {KEY = VALUE or [VALUES]}` applies only at the
/// points with one of these values, for each of the named keys.
struct SweepCondition {
  std::size_t key = 0;                ///< index into SweepGrid::keys
  std::vector<std::string> values{};  ///< as SweptKey::values has them
};
struct ConditionalList {
  std::string name;  ///< "expect"
  std::vector<std::vector<SweepCondition>>
      tables{};        ///< in the order of the file; empty: everywhere
  std::string text{};  ///< all tables as TOML, with their conditions
};

/// [[least]]: the value of a swept key with the least error.
struct LeastSpec {
  std::size_t over = 0;            ///< index into SweepGrid::keys; its values are numbers
  std::optional<double> beside{};  ///< the value whose error stands beside the least one
};

/// One value for each swept key.
using SweepPoint = std::vector<ValueText>;

/// The product of the values of all keys. Keys are in alphabetical order, and the last varies
/// fastest.
struct SweepGrid {
  std::vector<SweptKey> keys;
  std::vector<ConditionalList> conditional{};
  std::vector<LeastSpec> least{};

  std::size_t size() const;
  SweepPoint point(std::size_t number) const;
};

/// "contact.damping_ratio = 0.5, solvers.rtol = 1e-09".
std::string text_of(const SweepGrid& grid, const SweepPoint& point);

/// A sweep of studies of one kind.
template <class StudyOfKind>
struct Sweep {
  std::string name;
  std::string question;
  SweepGrid grid;
  std::vector<StudyOfKind> points;  ///< one for each point of the grid, in its order
  std::string resolved;             ///< the file with every default that all points share filled in
};

template <class StudyOfKind>
const std::string& resolved_toml(const Sweep<StudyOfKind>& sweep) {
  return sweep.resolved;
}

/// The result at one point.
template <class Result>
struct SweptResult {
  SweepPoint values;
  std::optional<Result> result{};  ///< empty: not begun, or failed with `complaint`
  std::string complaint{};
};

template <class Result>
struct SweepResult {
  std::string name;
  std::string question;
  SweepGrid grid;
  std::string resolved;
  std::vector<SweptResult<Result>> points;
  bool interrupted = false;
  SolveCounts counts{};  ///< a solve shared by several points counts once
};

}  // namespace rigidlimit
