// The conclusion of a report from its claims: headline, exit status, JUnit and JSON all have it.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/result/result.hpp"

namespace rigidlimit {

/// Sets the conclusion of a report with all its claims:
///
///   interrupted            every claim becomes unjudged
///   no number exists       every failed claim becomes unjudged
///   either, without such   "a result" is added, unjudged
///   a claim is unjudged    could_not:   exit status 2, error in JUnit
///   a claim failed         not_held:    exit status 1, failure in JUnit
///   otherwise              held, or nothing_expected without claims: exit status 0
///
/// Adds the table "claims", unless the report has one of its own.
void conclude(Result& report);

/// "held", "not held", "nothing expected", "could not run" or "interrupted".
Cell word_of(Conclusion conclusion);

/// "claims": name, group, state, message and reason of each claim, of a sweep after the swept
/// values.
Table claim_rows(const std::vector<JudgedClaim>& claims);

/// "NAME: held, 5 of 5 claims, 6 of 6 expectations, 2 of 2 bounds", "not held" or "could not run"
/// with a line for each claim that does not hold, and then each advice once.
std::string verdict_of(const Result& report);

}  // namespace rigidlimit
