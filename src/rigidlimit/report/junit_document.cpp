#include "rigidlimit/report/junit_document.hpp"

#include <fmt/format.h>

#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

std::string attribute(const char* name, const std::string& value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, xml_escaped(value));
}

std::string case_text(const JudgedClaim& one, const JunitSuite& suite) {
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}", xml_escaped(suite.name),
                  xml_escaped(one.name), attribute("file", suite.file));
  if (one.held()) return head + "/>\n";
  const char* element = one.state == ClaimState::unjudged ? "error" : "failure";
  return head + fmt::format(
                    ">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n"
                    "    </testcase>\n",
                    element, one.type, xml_escaped(one.message), xml_escaped(one.reason));
}

struct Counts {
  std::size_t cases = 0, failures = 0, errors = 0;
};

std::string suite_text(const JunitSuite& suite, Counts& all) {
  Counts counts{.cases = suite.cases.size()};
  std::string cases;
  for (const JudgedClaim& one : suite.cases) {
    if (!one.held()) ++(one.state == ClaimState::unjudged ? counts.errors : counts.failures);
    cases += case_text(one, suite);
  }
  all.cases += counts.cases;
  all.failures += counts.failures;
  all.errors += counts.errors;
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}{}>\n{}"
      "  </testsuite>\n",
      xml_escaped(suite.name), counts.cases, counts.failures, counts.errors,
      attribute("file", suite.file),
      suite.seconds < 0.0 ? "" : fmt::format(" time=\"{:.3f}\"", suite.seconds), cases);
}

}  // namespace

std::string xml_escaped(const std::string& text) {
  std::string escaped;
  // XML 1.0 allows no other control characters, not even escaped, and only valid UTF-8.
  for (const char c : printable(text)) switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  return escaped;
}

std::string junit_document(const std::vector<JunitSuite>& suites,
                           const std::vector<std::string>& errors) {
  std::string text;
  Counts all{.cases = errors.size(), .failures = 0, .errors = errors.size()};
  for (const std::string& error : errors)
    text += fmt::format(
        "  <testsuite name=\"could not run\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
        "    <testcase classname=\"could not run\" name=\"{0}\"><error "
        "message=\"{0}\"/></testcase>\n"
        "  </testsuite>\n",
        xml_escaped(error));
  for (const JunitSuite& suite : suites) text += suite_text(suite, all);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\">\n{}</testsuites>\n",
      all.cases, all.failures, all.errors, text);
}

}  // namespace rigidlimit
