// A study's result for programs.
#pragma once

#include <vector>

#include "rigidlimit/record/document.hpp"
#include "rigidlimit/record/junit_document.hpp"
#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

/// One record for each number (solver pair, ε, quantity, norm, window).
DataTable error_rows(const StudyResult& result);

/// The same with judgements, rigid reports, failures, the resolved study and provenance.
Document document_of(const StudyResult& result);

/// A case for each (expectation, solver pair) and each (bound, solver pair).
std::vector<JunitCase> claims_of(const StudyResult& result);

}  // namespace rigidlimit
