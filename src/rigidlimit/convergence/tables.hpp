// Judged series as tables: a line for each row, with a mark beside a row that does not support the
// claim. The matchers of GoogleTest and the Python package print them.
#pragma once

#include <span>
#include <string>

#include "rigidlimit/convergence/bound.hpp"
#include "rigidlimit/convergence/ratio.hpp"
#include "rigidlimit/convergence/verdict.hpp"

namespace rigidlimit {

/// Errors and floors; rows that are no evidence have a mark.
std::string table_of(std::span<const SeriesPoint> points);

/// The same with the neighbour orders. Unless the claim is confirmed, rows with another order than
/// expected have a mark too.
std::string table_of(std::span<const SeriesPoint> points, const Expectation& expectation,
                     bool confirmed);

/// Errors, floors and limits; rows that do not hold the bound have the word of their state.
/// `measured` names the errors.
std::string table_of(std::span<const SeriesPoint> points, const Bound& bound,
                     const BoundJudgement& found, const std::string& measured = "error");

/// Ratios and floors.
std::string table_of(std::span<const RatioPoint> points);

/// Ratios, floors and distances to the target. Rows that are no evidence have a mark. Unless the
/// claim is confirmed, so have those that are further away than `within`.
std::string table_of(std::span<const RatioPoint> points, const RatioTarget& target, bool confirmed);

}  // namespace rigidlimit
