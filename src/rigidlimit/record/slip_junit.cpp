#include <fmt/format.h>

#include "rigidlimit/record/mode_map_tables.hpp"
#include "rigidlimit/record/slip_tables.hpp"

namespace rigidlimit {

namespace {

std::vector<JunitCase> cases_of(const std::vector<Claim>& claims) {
  std::vector<JunitCase> cases;
  for (const Claim& claim : claims)
    cases.push_back({.name = claim.text,
                     .failed = !claim.held,
                     .type = "claim",
                     .message = "found " + claim.found,
                     .reason = claim.found});
  return cases;
}

}  // namespace

JunitSuite junit_suite(const SlipResult& result) {
  JunitSuite suite{result.study.name, cases_of(result.claims)};
  for (const SlipSeries& series : result.series) {
    if (!series.expectation || series.rows.empty()) continue;
    const SlipRow& row = series.rows.front();
    suite.cases.push_back({.name = fmt::format("{}{}, {}, {}",
                                               series.expectation->at_most ? "bound on "
                                               : series.expectation->order ? "order of "
                                                                           : "no convergence of ",
                                               text_of(row.measure), text_of(row.law), row.solver),
                           .failed = !series.held(),
                           .type = name_of(series.judgement.verdict),
                           .message = series.judgement.reason,
                           .reason = series.judgement.reason});
  }
  for (JunitCase& one : suite.cases) one.unjudged = one.failed && !result.has_numbers();
  return suite;
}

JunitSuite junit_suite(const ModeMapResult& result) {
  return {result.map.name, cases_of(result.claims)};
}

}  // namespace rigidlimit
