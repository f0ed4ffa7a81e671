// A study's result as a report for a reader.
#pragma once

#include <string>

#include "rigidlimit/record/tables.hpp"

namespace rigidlimit {

/// The whole report: headline, the tables, failures and notes.
std::string terminal_report(const StudyResult& result, bool colour);
std::string markdown_report(const StudyResult& result);
std::string latex_report(const StudyResult& result);

}  // namespace rigidlimit
