// Sample results: of a real run, and with all kinds of failures.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit::test {

/// The result of the sample study: 5 ε, CVODE against IDA, three expectations that hold.
inline const RollingResult& sample_result() {
  static const RollingResult result = run_rolling_study(sample_study());
  return result;
}

/// The sample result with hostile texts, a failed row, a broken expectation, a failure, a note and
/// an interruption.
inline RollingResult troubled_result() {
  RollingResult result = sample_result();
  result.study.question = "is 5 < 6 & \"quoted\" | piped_under $cores% #1 {braces} ~ ^ \\back?";
  Series& series = result.series.front();
  Row& row = series.rows.back();
  row.sizes.model = std::numeric_limits<double>::quiet_NaN();
  row.sizes.solver = -std::numeric_limits<double>::quiet_NaN();  // the result of 0/0 on x86
  row.order = std::numeric_limits<double>::quiet_NaN();
  row.evidence = evidence_named("failed: max_steps");
  series.judgement.verdict = Verdict::refuted;
  series.judgement.reason = "order < 2 & \"not\" 'that' > 1";
  CompliantSolve& failure = result.failures.emplace_back();
  failure.law = {.name = "viscoelastic", .tangential_power = {}};
  failure.solver = "cvode_bdf";
  failure.epsilon = 1e-3;
  failure.tighter = true;
  failure.outcome = Outcome::max_steps;
  failure.message = "more than 5 steps";
  failure.t_reached = 0.125;
  failure.last_step = 1e-9;
  result.notes.push_back("a note of <weight> & 50 %");
  result.interrupted = true;
  return result;
}

}  // namespace rigidlimit::test
