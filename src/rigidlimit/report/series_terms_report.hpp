// The report on the terms of an expansion.
#pragma once

#include "rigidlimit/experiment/rolling/series_terms.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// The claim of each order: layer and outer motion match (SeriesExpansion::matching_defect()).
Report report_of(const SeriesTerms& terms);

}  // namespace rigidlimit
