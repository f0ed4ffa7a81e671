#include "rigidlimit/cli/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/cli/argument_model.hpp"
#include "rigidlimit/cli/topics.hpp"
#include "rigidlimit/report/provenance.hpp"

namespace rigidlimit {

namespace {

/// Escapes for roff: backslashes, minus signs, and lines that would begin a request.
std::string escaped(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    at_start = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else
      out += c;
  }
  return out;
}

std::string verbatim(std::string_view block) {
  return fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(block));
}

/// The text below a command's options: blocks separated by empty lines. A line indented by two
/// blanks, and all lines of its block after it, are verbatim.
std::string footer_text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    const std::string_view block = text.substr(at, end - at);
    const std::size_t indented = block.starts_with("  ") ? 0 : block.find("\n  ");
    const std::string_view running = block.substr(0, indented);
    if (!running.empty()) out += fmt::format(".PP\n{}\n", escaped(running));
    if (indented < block.size()) out += verbatim(block.substr(block.find("  ", indented)));
    at = std::min(text.find_first_not_of('\n', end), text.size());
  }
  return out;
}

std::string topic(const char* name) {
  std::string out;
  const Topic& found = *find_topic(name);
  for (const auto& [kind, text] : found.blocks) {
    if (kind == MarkdownBlock::Kind::code)
      out += verbatim(text.substr(0, text.size() - 1));
    else
      out += fmt::format("{}\n{}\n", kind == MarkdownBlock::Kind::bullet ? ".IP \\(bu 2" : ".PP",
                         escaped(text));
  }
  return out;
}

std::string section(const std::string& title, const std::string& body) {
  // .SH begins a paragraph: another one would be empty.
  return fmt::format(".SH {}\n{}", title, body.starts_with(".PP\n") ? body.substr(4) : body);
}

std::string head_of(const ArgumentModel& argument) {
  std::string head;
  for (const std::string& name : argument.names)
    head += (head.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  if (!argument.value_name.empty() && !argument.positional)
    head += fmt::format(" \\fI{}\\fR", escaped(argument.value_name));
  return head;
}

std::string text_of(const ArgumentModel& argument) {
  std::string text = argument.text;
  if (argument.value == ArgumentModel::Value::words && argument.checked) {
    std::string words;
    for (const std::string& word : argument.words) words += (words.empty() ? "" : ", ") + word;
    text += "; one of " + words;
  }
  if (!argument.otherwise.empty()) text += fmt::format(" (default: {})", argument.otherwise);
  return escaped(text);
}

std::string synopsis_of(const SubcommandModel& subcommand) {
  std::string text =
      fmt::format("\\fBrigidlimit {}\\fR [\\fIoptions\\fR]", escaped(subcommand.name));
  for (const ArgumentModel& a : subcommand.arguments) {
    if (!a.positional) continue;
    const std::string name =
        fmt::format("\\fI{}\\fR{}", escaped(a.names[0]), a.repeats ? "..." : "");
    text += a.required ? " " + name : fmt::format(" [{}]", name);
  }
  return text;
}

std::string command_of(const SubcommandModel& subcommand) {
  std::string text = fmt::format(".SS {}\n{}\n.PP\n{}.\n", escaped(subcommand.name),
                                 synopsis_of(subcommand), escaped(subcommand.text));
  for (const ArgumentModel& a : subcommand.arguments)
    text += fmt::format(".TP\n{}\n{}\n", head_of(a), text_of(a));
  return text + footer_text(subcommand.footer);
}

std::string version() {
  for (const auto& [key, value] : build_provenance())
    if (key == "version") return value;
  return "";
}

}  // namespace

std::string man_page(const Program& program) {
  const ProgramModel model = model_of(program);
  std::string synopsis, commands;
  for (const SubcommandModel& subcommand : model.subcommands) {
    synopsis += (synopsis.empty() ? "" : ".br\n") + synopsis_of(subcommand) + "\n";
    commands += command_of(subcommand);
  }
  std::string words;
  for (const char* name : {"epsilon", "errors", "orders", "verdicts"})
    words += fmt::format(".SS {}\n", find_topic(name)->title) + topic(name).substr(4);
  return fmt::format(".TH RIGIDLIMIT 1 \"\" \"rigidlimit {}\" \"User Commands\"\n", version()) +
         section("NAME",
                 "rigidlimit \\- how fast stiff rolling contact converges to ideal rolling\n") +
         section("SYNOPSIS", synopsis) + section("DESCRIPTION", footer_text(model.text)) + words +
         section("COMMANDS", commands) + section("STUDY FILES", topic("study-files")) +
         section("OUTPUT", topic("output")) + section("EXIT STATUS", topic("exit-status")) +
         section("ENVIRONMENT", topic("environment")) +
         section("EXAMPLES", footer_text(model.footer)) +
         section("SEE ALSO",
                 "\\fBrigidlimit help\\fR, \\fBrigidlimit explain\\fR, \\fBsqlite3\\fR(1)\n");
}

}  // namespace rigidlimit
