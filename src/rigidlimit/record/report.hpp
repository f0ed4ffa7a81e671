// A study's result as tables for a reader.
#pragma once

#include <string>

#include "rigidlimit/record/text_table.hpp"
#include "rigidlimit/study/result.hpp"

namespace rigidlimit {

/// The model errors of q, v, λ (sup norm) in one window, each beside the larger of its two error
/// bars, with neighbour orders and flags: one row an ε,
/// for one pair of solvers.
TextTable error_table(const StudyResult& result, const std::string& rigid_solver,
                      const std::string& compliant_solver, Window window);

/// Fitted orders, verdicts and expectations: one row a (solver pair, quantity, window), sup norm,
/// and every other norm for which there is an expectation.
TextTable verdict_table(const StudyResult& result);

/// The rigid motions: distance to their reference, drift, energy error, steps.
TextTable rigid_table(const StudyResult& result);

/// The whole report: headline, the tables, failures and notes.
std::string terminal_report(const StudyResult& result, bool colour);
std::string markdown_report(const StudyResult& result);
std::string latex_report(const StudyResult& result);

/// "held", "not held: q order 2.00 ± 0.01 (all t), expected 1 ± 0.05 [refuted]; …": one line.
std::string verdict_line(const StudyResult& result);

/// What one series says against its expectation: "order 1.999 ± 0.001, expected 2 ± 0.05".
std::string found_and_expected(const Series& series);

}  // namespace rigidlimit
