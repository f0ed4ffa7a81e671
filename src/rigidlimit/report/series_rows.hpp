// Errors and series in machine-readable form, for rolling and friction studies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

/// Rows of friction studies also have the power κ of a law and the kind of events of a measure.
enum class RowsOf { rolling, friction };

/// One record for each number: law, solvers, ε, measure, error and error bars, order, prediction,
/// verdict, status and the work of the compliant solve. `of_all`: the fields that CSV repeats.
DataTable error_rows(std::string name, Record of_all,
                     const std::shared_ptr<const std::vector<Series>>& all, RowsOf kind);

/// The fields of a record that identify its number: law, solvers, ε, measure.
Record identity_of(const Row& row, RowsOf kind);

/// One record for each series with rows: the fit, the verdict, and the expectation.
DataTable series_rows(const std::vector<Series>& all, RowsOf kind);

}  // namespace rigidlimit
