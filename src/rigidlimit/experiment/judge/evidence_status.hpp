// Whether a number is evidence, beside the errors that it has.
#pragma once

#include <string_view>

#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/experiment/judge/series.hpp"

namespace rigidlimit {

/// "ok" where the model error exceeds every other tenfold (evidence_factor), else the first that it
/// does not: "equal" (of rounding), "solver_limited", "reference_limited", "sampling_limited". An
/// error that is NaN, because it is not known, limits as well.
const char* evidence_status(const Row& row);

/// Whose error a status names; unnamed where it names none.
FloorSource source_named_by(std::string_view status);

}  // namespace rigidlimit
