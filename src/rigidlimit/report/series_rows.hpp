// Errors and series for programs, of studies of rolling and of friction alike.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/report/document.hpp"

namespace rigidlimit {

/// Rows of friction have the power κ of a law and the kind of events of a measure besides.
enum class RowsOf { rolling, friction };

/// One record for each number: law, solvers, ε, measure, error and error bars, order, what was
/// predicted, verdict, status and the work of the compliant solve. `of_all`: what CSV repeats.
DataTable error_rows(std::string name, Record of_all, const std::vector<Series>& all, RowsOf kind);

/// One record for each series that has rows: the fit, the verdict, and what was expected.
DataTable series_rows(const std::vector<Series>& all, RowsOf kind);

/// "work.steps", … of a solve, after the fields that `record` has.
void add_work(Record& record, const Work& work);

}  // namespace rigidlimit
