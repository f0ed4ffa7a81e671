// Runs LaTeX if it is installed.
#pragma once

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace rigidlimit::test {

/// The reason to skip tests with LaTeX; empty if pdflatex can be run.
inline std::string why_no_latex() {
  const TemporaryDirectory place;
  try {
    if (Process({"pdflatex", "--version"}, place.path()).wait().status == 0) return "";
  } catch (const std::runtime_error&) {
    // not installed
  }
  return "there is no pdflatex (Debian: texlive-latex-base, texlive-latex-recommended)";
}

/// The same for one package, which kpsewhich (part of TeX) finds.
inline std::string why_no_package(const std::string& name) {
  const std::string why = why_no_latex();
  if (!why.empty()) return why;
  const TemporaryDirectory place;
  const bool found = Process({"kpsewhich", name + ".sty"}, place.path()).wait().status == 0;
  return found ? "" : "there is no LaTeX package " + name;
}

/// The log of pdflatex for `body` in a plain `article`, without line breaks by TeX. It ends at the
/// first error, in a line that begins with "!".
inline std::string latex_log(const std::string& body, const std::string& packages) {
  const TemporaryDirectory place;
  place.write("page.tex", "\\documentclass{article}\n" + packages + "\n\\begin{document}\n" + body +
                              "\n\\end{document}\n");
  Process({"pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"}, place.path(),
          {"max_print_line=1000"})
      .wait();
  return text_of(place.path("page.log"));
}

/// The lines of a log that report an error, an overfull line or page, or a character missing in the
/// fonts.
inline std::vector<std::string> complaints_of_latex(const std::string& log) {
  std::vector<std::string> complaints;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    for (const char* complaint : {"!", "Overfull", "Missing character", "LaTeX Warning: Float"})
      if (line.starts_with(complaint)) complaints.push_back(line);
  if (log.find("Output written on") == std::string::npos) complaints.emplace_back("no page");
  return complaints;
}

/// The text that TeX sets: `tex` without mathematics, comments, and macros for characters.
inline std::string text_outside_maths(const std::string& tex) {
  std::string text;
  bool maths = false;
  for (std::size_t i = 0; i < tex.size(); ++i) {
    if (tex[i] == '\\') {
      ++i;  // \$, \_, \\: skips the escaped character
      continue;
    }
    if (tex[i] == '%') i = std::min(tex.find('\n', i), tex.size() - 1);
    if (tex[i] == '$') maths = !maths;
    if (!maths && tex[i] != '$') text += tex[i];
  }
  return maths ? text + "<unfinished mathematics>" : text;
}

}  // namespace rigidlimit::test
