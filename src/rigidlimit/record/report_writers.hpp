// The pieces of a report in each format. A report is composed once, by a function that takes any of
// these writers: title, lines, tables, verdict.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "rigidlimit/core/printable.hpp"
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
  std::string table(const std::string& caption, const TextTable& table) const {
    return caption + "\n" + terminal_text(table, colour) + "\n";
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
  std::string table(const std::string& caption, const TextTable& table) const {
    return fmt::format("**{}**\n\n{}\n", caption, markdown_text(table));
  }
  std::string verdict(const std::string& line, bool) const { return line + "\n"; }
};

/// For \input, with booktabs.
struct LatexWriter {
  std::string title(const std::string& name, const std::string& question) const {
    return fmt::format("% needs \\usepackage{{booktabs}}\n\\paragraph{{{}}} {}\n\n",
                       latex_escaped(name), latex_escaped(question));
  }
  std::string lines(const std::vector<std::string>& texts) const {
    std::string text = "\\begin{itemize}\n";
    for (const std::string& line : texts) text += "\\item " + latex_escaped(line) + "\n";
    return text + "\\end{itemize}\n\n";
  }
  std::string table(const std::string& caption, const TextTable& table) const {
    return fmt::format("\\begin{{center}}\n{}\\\\[1ex]\n{}\\end{{center}}\n\n",
                       latex_escaped(caption), latex_text(table));
  }
  std::string verdict(const std::string& line, bool) const { return latex_escaped(line) + "\n"; }
};

}  // namespace rigidlimit
