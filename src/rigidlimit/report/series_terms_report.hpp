// The report on the terms of an expansion.
#pragma once

#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// The claim of each order: layer and outer motion match (SeriesExpansion::matching_defect()).
Report report_of(const SeriesTerms& terms);

/// A row for each time and component of the terms: study, damping_ratio (nan if the study gives D),
/// quantity, component, order, part ("outer", "layer"), largest_epsilon of the order, time (t, or
/// τ = t/ε, s) and value.
DataTable curve_rows(const SeriesTerms& terms, const std::vector<TermCurve>& curves);

}  // namespace rigidlimit
