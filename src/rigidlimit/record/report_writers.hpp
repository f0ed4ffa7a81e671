// The pieces of a report in each format. A report is composed once, by a function that takes any of
// these writers: title, lines, tables, verdict.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/record/latex.hpp"
#include "rigidlimit/record/latex_table.hpp"
#include "rigidlimit/record/text_table.hpp"

namespace rigidlimit {

/// Columns padded with blanks, with ANSI colours if `colour`.
struct TerminalWriter {
  bool colour;
  std::string title(const std::string& name, const std::string& question) const {
    return question.empty() ? name + "\n" : fmt::format("{}: {}\n", name, printable(question));
  }
  std::string lines(const std::vector<std::string>& texts) const {
    return fmt::format("  {}\n\n", fmt::join(texts, "\n  "));
  }
  std::string table(const CaptionedTable& t) const {
    return t.caption + "\n" + terminal_text(t.table, colour) + "\n";
  }
  std::string verdict(const std::string& line, bool held) const {
    return toned(line, held ? Tone::good : Tone::bad, colour) + "\n";
  }
};

/// GitHub Markdown.
struct MarkdownWriter {
  std::string title(const std::string& name, const std::string& question) const {
    return fmt::format("## {}\n\n{}{}", name, markdown_escaped(question),
                       question.empty() ? "" : "\n\n");
  }
  std::string lines(const std::vector<std::string>& texts) const {
    std::string text;
    for (const std::string& line : texts) text += "* " + markdown_words(line) + "\n";
    return text + "\n";
  }
  std::string table(const CaptionedTable& t) const {
    return fmt::format("**{}**\n\n{}\n", t.caption, markdown_text(t.table));
  }
  std::string verdict(const std::string& line, bool) const { return line + "\n"; }
};

/// For \input; the first line says what it needs.
struct LatexWriter {
  std::string study;  ///< its name, for the labels
  std::string title(const std::string& name, const std::string& question) const {
    return fmt::format(
        "% needs \\usepackage{{array,booktabs,longtable}}\n{{\\sloppy\\paragraph{{{}}} "
        "{}\\par}}\n\n",
        latex_text(name).tex, latex_text(question).tex);
  }
  std::string lines(const std::vector<std::string>& texts) const {
    std::string text = "\\begin{itemize}\\sloppy\n";
    // No bullet: it is of a font that a small installation has to make first, and may not.
    for (const std::string& line : texts) text += "\\item[--] " + latex_text(line).tex + "\n";
    return text + "\\end{itemize}\n\n";
  }
  std::string table(const CaptionedTable& t) const {
    return latex_table(t.table,
                       {.text = t.caption, .label = latex_label(study, t.key), .floats = false});
  }
  std::string verdict(const std::string& line, bool) const {
    return "{\\sloppy " + latex_text(line).tex + "\\par}\n";
  }
};

}  // namespace rigidlimit
