#include "rigidlimit/report/foreign_text.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/bounded_json.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/html.hpp"
#include "rigidlimit/report/junit_document.hpp"
#include "rigidlimit/report/latex.hpp"

namespace rigidlimit {
namespace {

std::string each_line(const std::string& text,
                      const std::function<std::string(const std::string&)>& shown) {
  std::string all;
  std::istringstream lines(printable_lines(text));
  for (std::string line; std::getline(lines, line);) all += shown(line) + "\n";
  return all;
}

/// The fields of a CSV text, RFC 4180: a line end and a comma in quotes belong to the field.
std::vector<std::vector<std::string>> fields_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  bool quoted = false, begins = true;
  for (const char c : text) {
    if (begins) rows.emplace_back(1);
    begins = c == '\n' && !quoted;
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      rows.back().emplace_back();
    else if (!begins && c != '\r')
      rows.back().back() += c;
  }
  return rows;
}

std::string csv_again(const std::string& text) {
  std::string all;
  for (const std::vector<std::string>& fields : fields_of(text)) {
    for (std::size_t k = 0; k < fields.size(); ++k)
      all += (k == 0 ? "" : ",") + csv_text(fields[k]);
    all += '\n';
  }
  return all;
}

}  // namespace

const char* source_of_foreign(Format format) {
  if (format == Format::csv) return "csv";
  return format == Format::json ? "json" : "table";
}

std::string foreign_text(const std::string& text, Format format, const std::string& where) {
  switch (format) {
    case Format::table: return printable_lines(text);
    case Format::csv: return csv_again(text);
    case Format::json: return with_escapes(bounded_json(text, where).dump(1)) + "\n";
    case Format::markdown:  // code: no markup, and no fence that a line could end
      return each_line(text, [](const std::string& line) { return "    " + line; });
    case Format::html:
      return html_document("rigidlimit", "<pre>" + xml_escaped(printable_lines(text)) + "</pre>\n");
    case Format::latex:
      return each_line(text, [](const std::string& line) {
        std::string shown;
        for (const char c : latex_text(line))
          shown += c == ' ' ? std::string("~") : std::string(1, c);
        return "\\noindent\\texttt{" + shown + "}\\par";
      });
  }
  return {};
}

}  // namespace rigidlimit
