// A study's result as a report for a reader.
#pragma once

#include <string>

#include "rigidlimit/record/tables.hpp"

namespace rigidlimit {

/// "mass = 1 kg, slope = 0.3 rad": every parameter of the system.
std::string parameters_text(const std::vector<ParameterInfo>& parameters,
                            const std::vector<double>& values);

/// The whole report: headline, the tables, failures and notes.
std::string terminal_report(const StudyResult& result, bool colour);
std::string markdown_report(const StudyResult& result);
std::string latex_report(const StudyResult& result);

}  // namespace rigidlimit
