// The report of a repeated result: what differs, and by how much.
#pragma once

#include <string>

#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/result_difference.hpp"

namespace rigidlimit {

/// The comparison of `repeated`, the report of the repeated run, with the earlier result. Its
/// claims are: every claim has its verdict, every number of evidence its value within the error
/// bars, and no row is missing.
Result reproduction_report(const Result& repeated, const ResultDifference& found);

}  // namespace rigidlimit
