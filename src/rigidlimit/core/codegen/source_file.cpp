#include "rigidlimit/core/codegen/source_file.hpp"

#include <fmt/format.h>

#include <sstream>

namespace rigidlimit {
namespace {

using Language = SourceLanguage;

constexpr std::size_t comment_width = 100;  // columns; Fortran has 132

}  // namespace

void SourceFile::line(const std::string& text) {
  text_ += text;
  text_ += '\n';
}

void SourceFile::lines(const std::string& indent, const std::vector<std::string>& all) {
  for (const std::string& one : all) line(indent + one);
}

void SourceFile::raw(std::string_view text, std::string_view parameters) {
  text.remove_prefix(text.starts_with('\n') ? 1 : 0);
  for (std::size_t at = text.find("@p"); at != std::string_view::npos; at = text.find("@p")) {
    text_ += text.substr(0, at);
    if (has_parameters()) text_ += parameters;
    text.remove_prefix(at + 2);
  }
  text_ += text;
}

void SourceFile::comment(const std::string& text) {
  if (text.empty()) return line(mark());
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::istringstream words(paragraph);
    std::string current = mark();
    for (std::string word; words >> word;) {
      if (current.size() + 1 + word.size() > comment_width && current != mark()) {
        line(current);
        current = mark() + "  ";
      }
      current += " " + word;
    }
    line(current);
  }
}

void SourceFile::head(const std::vector<std::string>& origin) {
  comment(problem_.name + ": " + problem_.title);
  comment("");
  for (const std::string& one : origin) comment(one);
  for (const std::string& one : problem_.facts) comment(one);
  comment("Reference: " + problem_.reference_text + ".");
  comment("");
}

void SourceFile::tolerance_note() {
  comment(
      "The program part compares f and the row sums of J with values of rigidlimit at (check_t, "
      "check_y). It ends with status 1 if one differs by more than 1e-12 of its size: the sum of "
      "the absolute values of its terms, and a thousandth of the largest such sum.");
}

void SourceFile::index_note() {
  std::string text = "M of M y' = f(t, y); index of the components:";
  for (const int index : problem_.index) text += fmt::format(" {}", index);
  comment(text + " (0: differential)");
}

void SourceFile::numbers(const std::string& open, const VectorXd& x, const std::string& close,
                         const Note& note) {
  const bool fortran = language_ == Language::fortran;
  line(open + (fortran ? " &" : ""));
  for (Index i = 0; i < x.size(); ++i) {
    const bool last = i + 1 == x.size();
    std::string text = "    " + literal(language_, x(i)) + (fortran && last ? "" : ",");
    if (fortran) text += " &";
    if (note) text += "  " + mark() + " " + note(i);
    line(text);
  }
  line((fortran ? "    " : "") + close);
}

SourceFile::Note SourceFile::components() const {
  return [this](Index i) {
    const auto at = static_cast<std::size_t>(i);
    return problem_.units[at].empty() ? problem_.names[at]
                                      : problem_.names[at] + ", " + problem_.units[at];
  };
}

SourceFile::Note SourceFile::parameters() const {
  return [this](Index i) { return problem_.parameter_names[static_cast<std::size_t>(i)]; };
}

void SourceFile::values(const std::string& constant, const std::string& open,
                        const std::string& close) {
  const auto begin = [&](const char* name) {
    return fmt::format("{}{} = {}", constant, name, open);
  };
  line(assignment(language_, constant + "check_t", number(problem_.check.t)));
  numbers(begin("check_y"), problem_.check.y, close);
  numbers(begin("check_f"), problem_.check.f, close);
  numbers(begin("check_row_sums"), problem_.check.row_sums, close);
  if (!problem_.reference) return;
  line();
  comment("y at t1, and a bound of its error.");
  numbers(begin("reference"), problem_.reference->y, close, components());
  numbers(begin("reference_error"), problem_.reference->error, close);
}

SourceStatements SourceFile::rate() const {
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < size(); ++i) outputs.push_back(element(language_, "f", i));
  return statements_of(language_, problem_.equations.rate, inputs(), outputs);
}

SourceStatements SourceFile::jacobian() const {
  std::vector<std::string> outputs;
  for (std::size_t k = 0; k < size(); ++k)
    for (std::size_t i = 0; i < size(); ++i) outputs.push_back(element(language_, "J", i, k, "N"));
  return statements_of(language_, problem_.equations.jacobian, inputs(), outputs);
}

std::vector<std::string> SourceFile::mass() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t k = 0; k < size(); ++k) {
      const double x = problem_.mass(static_cast<Index>(i), static_cast<Index>(k));
      if (x != 0.0)
        all.push_back(
            assignment(language_, element(language_, "M", i, k, "N"), literal(language_, x)));
    }
  return all;
}

std::string SourceFile::mark() const {
  switch (language_) {
    case Language::c:
    case Language::javascript: return "//";
    case Language::fortran: return "!";
    default: return "#";
  }
}

std::vector<std::string> SourceFile::inputs() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back(element(language_, "y", i));
  all.emplace_back("t");
  for (Index i = 0; i < problem_.parameters.size(); ++i)
    all.push_back(element(language_, "p", static_cast<std::size_t>(i)));
  return all;
}

}  // namespace rigidlimit
