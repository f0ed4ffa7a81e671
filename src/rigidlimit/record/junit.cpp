#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/ratio_tables.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/record/tables.hpp"

namespace rigidlimit {

namespace {

std::string xml_escaped(const std::string& text) {
  std::string escaped;
  // XML 1.0 has no other control characters, not even escaped, and no other bytes than UTF-8.
  for (const char c : printable(text)) switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  return escaped;
}

/// What an expectation or a bound says for one pair of solvers.
struct JunitCase {
  std::string name;
  bool failed = false;
  std::string type;     ///< of the failure
  std::string message;  ///< one line
  std::string reason;
};

std::string law_prefix(const Study& study, const std::string& law) {
  return study.has_several_laws() ? law + ", " : "";
}

std::string word_for(Convergence convergence) {
  return convergence == Convergence::none    ? "no convergence "
         : convergence == Convergence::exact ? "no error "
                                             : "order ";
}

std::vector<JunitCase> junit_cases(const StudyResult& result) {
  std::vector<JunitCase> cases;
  for (const Series& s : result.series) {
    if (!s.expectation || s.rows.empty()) continue;
    const Row& row = s.rows.front();
    const std::string measure =
        fmt::format("of {} in {} over {} t, {} against {}", name_of(row.quantity),
                    name_of(row.norm), name_of(row.window),
                    law_prefix(result.study, row.law) + row.compliant_solver, row.rigid_solver);
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

std::string junit_text(const JunitCase& one, const std::string& study) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                                       xml_escaped(study), xml_escaped(one.name));
  if (!one.failed) return head + "/>\n";
  return head + fmt::format(
                    ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n"
                    "    </testcase>\n",
                    one.type, xml_escaped(one.message), xml_escaped(one.reason));
}

}  // namespace

std::string junit_text(const std::vector<StudyResult>& results,
                       const std::vector<std::string>& errors) {
  std::string suites;
  int all_cases = 0, all_failures = 0;
  for (const std::string& error : errors)
    suites += fmt::format(
        "  <testsuite name=\"could not run\" tests=\"1\" errors=\"1\">\n"
        "    <testcase classname=\"could not run\" name=\"{0}\"><error "
        "message=\"{0}\"/></testcase>\n"
        "  </testsuite>\n",
        xml_escaped(error));
  for (const StudyResult& result : results) {
    const std::vector<JunitCase> cases = junit_cases(result);
    const auto failures = std::ranges::count_if(cases, &JunitCase::failed);
    std::string text;
    for (const JunitCase& one : cases) text += junit_text(one, result.study.name);
    suites +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n",
                    xml_escaped(result.study.name), cases.size(), failures, text);
    all_cases += static_cast<int>(cases.size());
    all_failures += static_cast<int>(failures);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\">\n{}</testsuites>\n",
      all_cases + static_cast<int>(errors.size()), all_failures, errors.size(), suites);
}

}  // namespace rigidlimit
