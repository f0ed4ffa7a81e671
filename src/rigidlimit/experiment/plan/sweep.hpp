// [sweep]: one file that is a product of studies, each read as if its keys had been written so.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/solve_counts.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"

namespace rigidlimit {

/// A dotted key of the file and what it takes, one value after the other; all distinct.
struct SweptKey {
  std::string key;
  std::vector<ValueText> values;
};

/// One value for each key.
using SweepPoint = std::vector<ValueText>;

/// The product of the values of all keys, which stand in alphabetical order; the last one varies
/// fastest.
struct SweepGrid {
  std::vector<SweptKey> keys;

  std::size_t size() const;
  SweepPoint point(std::size_t number) const;
};

/// "contact.damping_ratio = 0.5, solvers.rtol = 1e-09".
std::string text_of(const SweepGrid& grid, const SweepPoint& point);

/// A sweep as its file says it, of studies of one kind.
template <class StudyOfKind>
struct Sweep {
  std::string name;
  std::string question;
  SweepGrid grid;
  std::vector<StudyOfKind> points;  ///< one for each of the grid, in its order
  std::string resolved;  ///< as a file, with every default filled in that all points share
};

/// What became of one point.
template <class Result>
struct SweptResult {
  SweepPoint values;
  std::optional<Result> result{};  ///< none: it was not begun, or
  std::string complaint{};         ///< why it could not be run
};

template <class Result>
struct SweepResult {
  std::string name;
  std::string question;
  SweepGrid grid;
  std::string resolved;
  std::vector<SweptResult<Result>> points;
  bool interrupted = false;
  SolveCounts counts{};  ///< each solve once, however many points share it
};

}  // namespace rigidlimit
