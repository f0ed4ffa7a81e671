// The result of a sweep from the results of its points; [[least]]: the swept value with the least
// error, beside the error at another value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/plan/sweep.hpp"
#include "rigidlimit/result/result.hpp"

namespace rigidlimit {

/// The result at one point of a sweep.
struct SweptResult {
  SweepPoint values;
  std::optional<Result> result = {};  ///< empty: not begun, or failed with `complaint`
  std::string complaint = {};
};

/// The swept values as fields: `swept.contact_damping_ratio` for contact.damping_ratio. A number is
/// a number, a text has no quotes, any other value is as written.
std::string field_name(const SweptColumn& column);
Fields swept(const SweepGrid& grid, const SweepPoint& values);

/// Each table of the points becomes one table, with the swept values as first columns. "points" has
/// a row for each point: the swept values, the summary of its result, the numbers of held and of
/// all claims, and the verdict; [[least]] adds a table. A remark of several points stands once.
/// `heading`: name, kind, question, text, counts, and whether the run was interrupted.
Result sweep_result(Result heading, const SweepGrid& grid, const std::vector<SweptResult>& points);

/// "least": for each LeastSpec of the grid a row for every ε, quantity, norm, window, law, pair of
/// solvers and choice of the other swept values, from the table "errors" of the sweep. Adds it with
/// a view for each norm and window; nothing without rows.
void add_least(Result& result, const SweepGrid& grid);

}  // namespace rigidlimit
