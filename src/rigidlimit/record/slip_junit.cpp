#include <fmt/format.h>

#include "rigidlimit/record/junit_document.hpp"
#include "rigidlimit/record/slip_tables.hpp"

namespace rigidlimit {

namespace {

std::vector<JunitCase> cases_of(const SlipResult& result) {
  std::vector<JunitCase> cases;
  for (const HistoryClaim& claim : result.claims)
    cases.push_back({.name = claim.text,
                     .failed = !claim.held,
                     .type = "claim",
                     .message = "found " + claim.found,
                     .reason = claim.found});
  for (const SlipSeries& series : result.series) {
    if (!series.expectation || series.rows.empty()) continue;
    const SlipRow& row = series.rows.front();
    cases.push_back({.name = fmt::format("{}{}, {}, {}",
                                         series.expectation->at_most ? "bound on "
                                         : series.expectation->order ? "order of "
                                                                     : "no convergence of ",
                                         text_of(row.measure), text_of(row.law), row.solver),
                     .failed = !series.held(),
                     .type = name_of(series.judgement.verdict),
                     .message = series.judgement.reason,
                     .reason = series.judgement.reason});
  }
  return cases;
}

}  // namespace

std::string slip_junit(const std::vector<SlipResult>& results,
                       const std::vector<std::string>& errors) {
  std::vector<JunitSuite> suites;
  for (const SlipResult& result : results) suites.push_back({result.study.name, cases_of(result)});
  return junit_document(suites, errors);
}

}  // namespace rigidlimit
