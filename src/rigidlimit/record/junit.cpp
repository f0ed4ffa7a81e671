#include <fmt/format.h>

#include "rigidlimit/record/ratio_tables.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/record/tables.hpp"

namespace rigidlimit {

namespace {

std::string law_prefix(const Study& study, const std::string& law) {
  return study.has_several_laws() ? law + ", " : "";
}

std::string word_for(Convergence convergence) {
  return convergence == Convergence::none    ? "no convergence "
         : convergence == Convergence::exact ? "no error "
                                             : "order ";
}

}  // namespace

std::vector<JunitCase> claims_of(const StudyResult& result) {
  std::vector<JunitCase> cases;
  for (const Series& s : result.series) {
    if (!s.expectation || s.rows.empty()) continue;
    const Row& row = s.rows.front();
    const std::string measure = fmt::format(
        "of {} ({}, {}), {} against {}", name_of(row.measure.quantity), name_of(row.measure.norm),
        window_text(result.study, row.measure.window),
        law_prefix(result.study, row.law.name) + row.compliant_solver, row.rigid_solver);
    if (s.expectation->judges_errors())
      cases.push_back({.name = word_for(s.expectation->convergence) + measure,
                       .failed = s.order_broken(),
                       .type = name_of(s.judgement.verdict),
                       .message = found_and_expected(s),
                       .reason = s.judgement.reason});
    if (s.expectation->ratio)
      cases.push_back({.name = "measured/predicted " + measure,
                       .failed = s.ratio_broken(),
                       .type = name_of(s.ratio.verdict),
                       .message = ratio_found_and_expected(s),
                       .reason = s.ratio.reason});
  }
  for (const BoundReport& report : result.bounds)
    cases.push_back(
        {.name = fmt::format("bound {}, {} against {}", claim_text(result.study, report.spec),
                             law_prefix(result.study, report.spec.law) + report.compliant_solver,
                             report.rigid_solver),
         .failed = !report.held(),
         .type = fmt::format("bound_{}", name_of(report.judgement.state)),
         .message = bound_line(result.study, report),
         .reason = report.judgement.reason});
  return cases;
}

}  // namespace rigidlimit
