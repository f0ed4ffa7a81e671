#include "rigidlimit/record/junit_document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/printable.hpp"

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

std::string junit_document(const std::vector<JunitSuite>& suites,
                           const std::vector<std::string>& errors) {
  std::string text;
  int all_cases = 0, all_failures = 0;
  for (const std::string& error : errors)
    text += fmt::format(
        "  <testsuite name=\"could not run\" tests=\"1\" errors=\"1\">\n"
        "    <testcase classname=\"could not run\" name=\"{0}\"><error "
        "message=\"{0}\"/></testcase>\n"
        "  </testsuite>\n",
        xml_escaped(error));
  for (const JunitSuite& suite : suites) {
    const auto failures = std::ranges::count_if(suite.cases, &JunitCase::failed);
    std::string cases;
    for (const JunitCase& one : suite.cases) cases += junit_text(one, suite.name);
    text +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n",
                    xml_escaped(suite.name), suite.cases.size(), failures, cases);
    all_cases += static_cast<int>(suite.cases.size());
    all_failures += static_cast<int>(failures);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\">\n{}</testsuites>\n",
      all_cases + static_cast<int>(errors.size()), all_failures, errors.size(), text);
}

}  // namespace rigidlimit
