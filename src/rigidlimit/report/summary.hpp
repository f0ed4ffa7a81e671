// A study as one row in a table of several studies.
#pragma once

#include "rigidlimit/experiment/rolling/rolling_result.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// The system and its sizes; the reference of its rigid motion and the distances in q, v, Λ; the
/// fitted sup-norm orders of q, v, λ over all t, with the expected ones in parentheses; the ratio
/// of measured and predicted coefficient of q at the smallest ε; whether everything held. Uses the
/// first solver of each side.
TextTable summary_table(const RollingResult& result);

}  // namespace rigidlimit
