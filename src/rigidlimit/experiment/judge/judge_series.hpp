// Rows → evidence → verdicts.
#pragma once

#include <string_view>
#include <vector>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/judge/series.hpp"

namespace rigidlimit {

/// The model errors with their floors, largest ε first.
std::vector<SeriesPoint> points_of(const std::vector<Row>& rows);

/// Finds the expectation of the series and judges it. Sets the verdict and the orders between
/// neighbours in its rows.
void judge(const std::vector<ExpectationSpec>& expectations, Series& series);

/// "proved" if the bounds of a proof are apart by a fifth of the model error at most, else "equal".
/// Without bounds, "ok" if the model error exceeds every other error by a factor of ten
/// (evidence_factor).
/// Otherwise the first error that is too large: "equal" (rounding), "solver_limited",
/// "reference_limited", "sampling_limited". An unknown error (NaN) is too large.
const char* evidence_status(const Row& row);

/// The source of the error that a status names; unnamed if it names none.
FloorSource source_named_by(std::string_view status);

}  // namespace rigidlimit
