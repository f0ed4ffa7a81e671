#include "rigidlimit/report/claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rigidlimit {

std::vector<JunitCase> cases_of(const std::vector<Claim>& claims) {
  std::vector<JunitCase> cases;
  for (const Claim& claim : claims)
    cases.push_back({.name = claim.text,
                     .group = "claims",
                     .failed = !claim.held,
                     .type = "claim",
                     .message = "found " + claim.found,
                     .reason = claim.found,
                     .advice = "Correct the key in [history], or check the events of the rigid "
                               "motion ('rigidlimit run')."});
  return cases;
}

namespace {

/// "5 of 5 claims", "2 of 3 expectations": held and all claims of each group.
std::vector<std::string> counts_by_group(const std::vector<JunitCase>& claims) {
  std::vector<std::string> counts;
  for (auto begin = claims.begin(); begin != claims.end();) {
    const auto end = std::find_if(begin, claims.end(),
                                  [&](const JunitCase& one) { return one.group != begin->group; });
    const auto held = std::count_if(begin, end, [](const JunitCase& one) { return !one.failed; });
    counts.push_back(fmt::format("{} of {} {}", held, end - begin, begin->group));
    begin = end;
  }
  return counts;
}

/// "NAME: MESSAGE [TYPE]"; the message of a bound contains the others.
std::string line_of(const JunitCase& one) {
  return one.group == "bounds" ? one.message
                               : fmt::format("{}: {} [{}]", one.name, one.message, one.type);
}

/// The advice, of an expectation with its verdict.
std::string advice_of(const JunitCase& one) {
  return one.group == "expectations" && !one.advice.empty() ? one.type + ": " + one.advice
                                                            : one.advice;
}

}  // namespace

std::string verdict_of(const Report& report) {
  if (report.interrupted) return fmt::format("{}: interrupted, not judged", report.name);
  if (report.claims.empty())
    return report.held ? fmt::format("{}: nothing was expected", report.name)
                       : fmt::format("{}: not held, no rows to judge", report.name);
  std::string text = fmt::format("{}: {}, {}", report.name, report.held ? "held" : "not held",
                                 fmt::join(counts_by_group(report.claims), ", "));
  std::vector<std::string> advice;
  for (const JunitCase& one : report.claims) {
    if (!one.failed) continue;
    text += "\n  " + line_of(one);
    const std::string next = advice_of(one);
    if (!next.empty() && std::ranges::find(advice, next) == advice.end()) advice.push_back(next);
  }
  for (const std::string& next : advice) text += "\n  " + next;
  return text;
}

}  // namespace rigidlimit
