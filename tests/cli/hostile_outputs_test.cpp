// Tests hostile texts in each field of a study against each output, in combinations from a seed.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <sstream>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/well_formed_xml.hpp"

namespace rigidlimit {
namespace {

/// As TOML, between its quotes. MARK is searched for in the outputs. Reads: hostile.
const std::vector<std::string> texts{
    R"(\u001b]0;MARK\u0007 \u001b[31m)",
    R"(\u009b31mMARK \u0085 \u0080)",
    R"(one\u2028MARK()\u2029three)",
    R"(gpj.\u202eMARK \u2067 \u200f \u061c)",
    R"(\u0000MARK\u007f\u0008)",
    R"(</script><script>MARK</script>)",
    R"(<img src=x onerror=MARK> <!-- ]]> &lt;)",
    R"(\\hostile{MARK} ^^5chostile $\\hostile$ #1 & ~)",
    R"(=cmd|'MARK'!A0)",
    R"(+cmd|'MARK'!A0, \"x\")",
    R"(*/ MARK(); /*)",
    R"(''' \"\"\" MARK)",
    R"(MARK\\)",
    R"(MARK ??/)",
    R"(one\nMARK()\r\nMARK())",
    R"([MARK](javascript:x) ![x](javascript:x) | `x`)",
    R"(# -*- coding: utf-7 -*- +AAo-MARK())",
    R"(//# sourceMappingURL=MARK \t !$omp MARK &)",
};

const std::vector<std::string> fields{
    "question",       "source",    "title",     "description", "system source", "parameter text",
    "order_only",     "axis name", "label",     "coordinate",  "study name",    "system name",
    "parameter name", "key",       "file name", "--set"};

/// A study; with a named and labelled sweep where the text stands there.
std::string study(const std::string& field, const std::string& text) {
  const auto value = [&](const std::string& name, const std::string& harmless) {
    return name == field ? text : harmless;
  };
  const std::string sweep = field != "axis name" && field != "label"
                                ? ""
                                : fmt::format(R"toml([[sweep.zip]]
name = "{}"
keys = ["system.m"]
values = [[1.0], [2.0]]
labels = ["{}", "plain"]
)toml",
                                              value("axis name", "mass"), value("label", "light"));
  return fmt::format(
      R"toml(study = {{name = "{}", question = "{}", source = "{}"}}
epsilon = {{values = [1e-2, 3e-3, 1e-3]}}
time = {{end = 0.1, samples = 5}}
solvers = {{rigid = ["radau_iia"], compliant = ["radau_iia"], rtol = 1e-8}}
expect = [{{quantity = "q", order = 2.0, order_only = "{}"}}]
"{}" = {{}}
[system]
name = "{}"
title = "{}"
description = "{}"
source = "{}"
coordinates = [{{name = "{}", unit = "m", start = 0, start_rate = 1}},
               {{name = "y", unit = "m", start = 0, start_rate = 0}}]
kinetic_coenergy = "m*(x'^2 + y'^2)/2"
potential = "0"
constraint = ["y'"]
[system.parameters]
"{}" = {{default = 1.0, unit = "kg", text = "{}"}}
{})toml",
      value("study name", "sample"), value("question", "plain"), value("source", "plain"),
      value("order_only", "plain"), value("key", "contact"), value("system name", "skate"),
      value("title", "plain"), value("description", "plain"), value("system source", "plain"),
      value("coordinate", "x"), value("parameter name", "m"), value("parameter text", "plain"),
      sweep);
}

/// Bytes that no output may hold: control characters except ends of lines, marks of
/// direction, bytes that are no UTF-8. Empty: none. Not by printable(), which is tested.
std::string complaint(const std::string& text) {
  static const std::regex forbidden(
      "[\\x01-\\x09\\x0b-\\x1f\\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae\x8e\x8f]|"
      "\xe2\x81[\xa6-\xa9]|\xd8\x9c");
  std::smatch found;
  if (text.find('\0') != std::string::npos) return "NUL";
  for (const std::string& line : test::split(text, '\n'))  // the recursion of std::regex is deep
    for (std::size_t at = 0; at < line.size(); at += 500) {
      const std::string part = line.substr(at, 503);
      if (std::regex_search(part, found, forbidden))
        return fmt::format("byte {:02x} in: {}", static_cast<unsigned char>(found.str()[0]), line);
    }
  try {
    static_cast<void>(nlohmann::json(text).dump());
  } catch (const nlohmann::json::exception&) {
    return "no UTF-8";
  }
  return "";
}

std::string complaint_of_csv(const std::string& text) {
  for (const auto& row : test::csv_fields(text))
    for (const std::string& cell : row)
      if (cell.starts_with("=cmd") || cell.starts_with("+cmd")) return "formula: " + cell;
  return complaint(text);
}

std::string complaint_of_markdown(const std::string& text) {
  static const std::regex tag("(^|[^\\\\])<(script|img|!)");
  for (const std::string& line : test::split(text, '\n'))
    if (std::regex_search(line, tag)) return "tag: " + line;
  return complaint(text);
}

std::string complaint_of_html(const std::string& text) {
  for (const char* tag : {"<script", "<img", "<!--"})
    if (text.find(tag) != std::string::npos) return std::string("tag: ") + tag;
  const std::string form = test::WellFormedXml::complaint(text);
  return form.empty() ? complaint(text) : form;
}

std::string complaint_of_latex(const std::string& text) {
  if (text.find("\\hostile") != std::string::npos || text.find("^^5c") != std::string::npos)
    return "control sequence";
  return complaint(text);
}

std::string complaint_of_json(const std::string& text) {
  return nlohmann::json::accept(text) ? complaint(text) : "no JSON";
}

std::string complaint_of_xml(const std::string& text) {
  const std::string form = test::WellFormedXml::complaint(text);
  return form.empty() ? complaint(text) : form;
}

/// A text of a source may stand in a comment alone.
std::string complaint_of_source(const std::string& text, const std::string& mark) {
  for (const std::string& line : test::split(text, '\n')) {
    const std::size_t at = line.find("MARK");
    if (at == std::string::npos) continue;
    if (line.find(mark) > at) return "outside of a comment: " + line;
    if (line.ends_with('\\') || line.ends_with("?\?/")) return "continued: " + line;
    if (std::regex_search(line, std::regex("coding[:=]"))) return "encoding: " + line;
  }
  return complaint(text);
}

using Complaint = std::function<std::string(const std::string&)>;
struct Output {
  std::vector<std::string> words;
  Complaint complaint;
};

Output source_in(const std::string& language, const std::string& mark) {
  return {{"export-problem", "FILE", "--epsilon", "1e-2", "--reference", "none", "--language",
           language},
          [mark](const std::string& text) { return complaint_of_source(text, mark); }};
}

const std::vector<Output> outputs{
    {{"run", "FILE", "--no-store"}, complaint},
    {{"run", "FILE", "--full"}, complaint},
    {{"run", "FILE", "--format", "csv"}, complaint_of_csv},
    {{"run", "FILE", "--format", "json"}, complaint_of_json},
    {{"run", "FILE", "--format", "markdown"}, complaint_of_markdown},
    {{"run", "FILE", "--format", "latex"}, complaint_of_latex},
    {{"run", "FILE", "--format", "html"}, complaint_of_html},
    {{"run", "FILE", "--junit", "/dev/stdout", "--quiet"}, complaint_of_xml},
    {{"run", "FILE", "--dry-run"}, complaint},
    {{"check", "FILE"}, complaint},
    {{"describe", "FILE"}, complaint},
    {{"list", "studies", "--experiments", "."}, complaint},
    {{"list", "studies", "--experiments", ".", "--format", "csv"}, complaint_of_csv},
    {{"list", "studies", "--experiments", ".", "--format", "json"}, complaint_of_json},
    {{"explain", "TEXT"}, complaint},
    {{"export", "FILE"}, complaint},
    {{"merge", "FILE", "FILE"}, complaint},
    source_in("c", "//"),
    source_in("python", "#"),
    source_in("fortran", "!"),
    source_in("javascript", "//"),
    source_in("diffsl", "//")};

/// The text as TOML reads it, without NUL, which no argument can have.
std::string raw(const std::string& text) {
  std::string bytes = nlohmann::json::parse("\"" + text + "\"").get<std::string>();
  std::erase(bytes, '\0');
  return bytes;
}

struct Case {
  std::string field, text;
  std::size_t output;
};

/// The complaints about one output, and about the files and the store that it leaves.
std::string complaint_of(const Case& one, int& shown) {
  const test::TemporaryDirectory place;
  std::string file = "study.toml";
  if (one.field == "file name") {
    file = raw(one.text) + "\xff.toml";
    std::ranges::replace(file, '/', '_');
  }
  place.write(file, study(one.field, one.text));
  const Output& output = outputs[one.output];
  std::vector<std::string> words = output.words;
  std::ranges::replace(words, "FILE", file);
  std::ranges::replace(words, "TEXT", raw(one.text));
  if (one.field == "--set" && (words[0] == "run" || words[0] == "export-problem"))
    words.insert(words.end(), {"--set", "study.question=\"" + one.text + "\""});
  if (words[0] == "run") words.insert(words.end(), {"--jobs", "1"});
  std::erase(words, "--no-store");
  const test::Said said = test::rigidlimit(words, place.path());
  if (said.status > 2) return fmt::format("status {}: {}", said.status, said.err);
  if (const std::string found = complaint(said.err); !found.empty()) return "stderr: " + found;
  if (!said.out.empty() && said.status != 2)
    if (const std::string found = output.complaint(said.out); !found.empty()) return found;
  shown += static_cast<int>(said.out.find("MARK") != std::string::npos ||
                            said.err.find("MARK") != std::string::npos);
  const std::map<std::string, Complaint> of_files{
      {".txt", complaint},          {".csv", complaint_of_csv},
      {".json", complaint_of_json}, {".md", complaint_of_markdown},
      {".tex", complaint_of_latex}, {".html", complaint_of_html}};
  if (!std::filesystem::exists(place.path("results"))) return "";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(place.path("results"))) {
    const std::string name = entry.path().filename().string();
    const auto checked = of_files.find(entry.path().extension().string());
    if (name != "resolved.toml" && checked == of_files.end()) continue;
    if (entry.path().parent_path().filename() == "study") continue;  // the file as it was written
    const std::string found = name == "resolved.toml"
                                  ? complaint(test::text_of(entry.path().string()))
                                  : checked->second(test::text_of(entry.path().string()));
    if (!found.empty()) return name + ": " + found;
  }
  for (const char* format : {"csv", "json", "markdown", "latex", "html", "table"}) {
    if (one.output % 6 != static_cast<std::size_t>(format[0]) % 6) continue;  // one or two each
    for (const auto& folder : std::filesystem::directory_iterator(place.path("results"))) {
      const test::Said exported = test::rigidlimit(
          {"export", "--format", format, "--", folder.path().string()}, place.path());
      if (const std::string found = complaint(exported.out + exported.err); !found.empty())
        return std::string("export ") + format + ": " + found;
    }
  }
  return "";
}

class HostileOutputs : public testing::TestWithParam<unsigned> {};

INSTANTIATE_TEST_SUITE_P(Seeds, HostileOutputs, testing::Values(1U, 2U, 3U, 4U));

TEST_P(HostileOutputs, HaveNoRawTextOfAFile) {
  std::mt19937 random(GetParam());
  const auto below = [&](std::size_t n) { return random() % n; };
  int shown = 0;
  for (std::size_t k = 0; k < 50; ++k) {
    const Case one{fields[below(fields.size())], texts[below(texts.size())], below(outputs.size())};
    EXPECT_EQ(complaint_of(one, shown), "")
        << one.field << ": " << one.text << ": "
        << fmt::format("{}", fmt::join(outputs[one.output].words, " "));
  }
  EXPECT_GT(shown, 10) << "the texts are shown";
}

// Negative controls: each check finds the raw text.
TEST(HostileOutputsCheck, FindsEachRawText) {
  for (const char* text : {"\x1b[31m", "\xc2\x9b", "\xe2\x80\xa8", "\xe2\x80\xae", "\xe2\x81\xa7",
                           "\xd8\x9c", "a\xff", "\t", "\r", "\x7f"})
    EXPECT_NE(complaint(text), "");
  EXPECT_EQ(complaint("ε ± 1\n中 \u00a0"), "");
  EXPECT_NE(complaint_of_csv("a,\"=cmd|x\"\n"), "");
  EXPECT_EQ(complaint_of_csv("a,'=cmd|x\n"), "");
  EXPECT_NE(complaint_of_markdown("a <script>"), "");
  EXPECT_EQ(complaint_of_markdown("a \\<script>"), "");
  EXPECT_NE(complaint_of_html("<p><img src='x'/></p>"), "");
  EXPECT_NE(complaint_of_latex("\\hostile{}"), "");
  EXPECT_NE(complaint_of_json("{"), "");
  EXPECT_NE(complaint_of_source("int MARK; // MARK", "//"), "");
  EXPECT_NE(complaint_of_source("// MARK\\", "//"), "");
  EXPECT_NE(complaint_of_source("# coding: MARK", "#"), "");
  EXPECT_EQ(complaint_of_source("// MARK \\.", "//"), "");
}

/// Expects that the four sources of a study compile, run, agree with the library, and touch
/// nothing.
void expect_sources_run(const std::string& study_text) {
  const test::TemporaryDirectory place;
  place.write("study.toml", study_text);
  const std::vector<std::vector<std::string>> ways{
      {"c", "x.c", "cc -std=c99 -trigraphs x.c -lm -o x && ./x"},
      {"python", "x.py", "python3 x.py"},
      {"fortran", "x.f90", "gfortran x.f90 -o xf && ./xf"},
      {"javascript", "x.mjs", "node x.mjs"}};
  for (const auto& way : ways) {
    const test::Said said =
        test::rigidlimit({"export-problem", "study.toml", "--epsilon", "1e-2", "--reference",
                          "none", "--language", way[0], "-o", way[1]},
                         place.path());
    ASSERT_EQ(said.status, 0) << said.err;
    const std::string program = way[2].substr(0, way[2].find(' '));
    if (test::Process({"sh", "-c", "command -v " + program}, place.path()).wait().status != 0 ||
        (way[0] == "python" &&
         test::Process({"python3", "-c", "import numpy"}, place.path()).wait().status != 0))
      continue;
    const test::Said ran = test::Process({"sh", "-c", way[2]}, place.path()).wait();
    EXPECT_EQ(ran.status, 0) << way[0] << ": " << ran.out << ran.err;
    EXPECT_FALSE(std::filesystem::exists(place.path("pwned"))) << way[0];
  }
}

TEST(HostileSources, CompileAndRunNothingOfATitle) {
  const std::string padding(60, 'x');
  for (const std::string& text :
       {std::string(R"(\u2028import(\"node:fs\").then(f => f.writeFileSync(\"pwned\", \"x\"));//)"),
        std::string(R"(coding: utf-7 +AAo-open('pwned','w')+AAo-)"),
        padding +
            R"( aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\ bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb ??/)",
        std::string(R"(one\nopen('pwned','w')\rx \u000cx \\)"), std::string(200, 'y')})
    expect_sources_run(study("title", text));
}

}  // namespace
}  // namespace rigidlimit
