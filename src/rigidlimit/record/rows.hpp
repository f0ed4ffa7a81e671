// A study's result for programs: tidy CSV, JSON, JUnit.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/record/junit_document.hpp"
#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

/// 17 digits; one text for every NaN, whose sign depends on how it came about.
std::string csv_number(double x);

/// The header line of the CSV.
std::string csv_header();

/// One line for each number (solver pair, ε, quantity, norm, window); 17 digits, "nan" where there
/// is none.
std::string csv_rows(const StudyResult& result);

/// The same rows with judgements, rigid reports, failures, the resolved study and provenance. An
/// array with one object a study.
std::string json_text(const std::vector<StudyResult>& results);

/// The same with no more of each study than its name, its system and these parts: "rigid",
/// "energy", "series", "rows", "bounds".
std::string json_text(const std::vector<StudyResult>& results,
                      const std::vector<std::string>& parts);

/// The object of one study without its rows.
std::string judgement_json(const StudyResult& result);

/// A case for each (expectation, solver pair) and each (bound, solver pair); where no solve
/// arrived, so that there is no number to judge, they are errors and no failures.
JunitSuite junit_suite(const StudyResult& result);

/// JUnit XML: a suite for each study, and an error for each message about a study that could not be
/// run.
std::string junit_text(const std::vector<StudyResult>& results,
                       const std::vector<std::string>& errors = {});

}  // namespace rigidlimit
