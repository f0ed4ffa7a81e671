// A study as one row of a table of many.
#pragma once

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// The system and its sizes, what its rigid motion was compared with and the
/// distances in q, v, Λ; the fitted sup-norm orders of q, v, λ over all t, in parentheses what was
/// expected; measured over predicted coefficient of q at the smallest ε; whether everything held.
/// Of several solvers the first on each side.
TextTable summary_table(const RollingResult& result);

}  // namespace rigidlimit
