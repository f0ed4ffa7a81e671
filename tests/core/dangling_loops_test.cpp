// Tests that no range-for loop reads freed memory, as in for (x : f().value().member). Before C++23
// the loop extends the life of the last call's result only, not of the results of earlier calls.
// Compilers warn about only some of these forms.
#include <gmock/gmock.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_directory.hpp"

namespace {

namespace fs = std::filesystem;

bool one_of(std::string_view these, char c) {
  return these.find(c) != std::string_view::npos;
}

bool of_a_name(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c));
}

/// Position after the bracket that closes the one at `open`; literals are skipped.
std::size_t after_closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || (c == '\'' && !of_a_name(text[i - 1]))) {  // 1'000 is not a character literal
      for (++i; i < text.size() && text[i] != c; ++i)
        if (text[i] == '\\') ++i;
    } else if (one_of("([{", c)) {
      ++depth;
    } else if (one_of(")]}", c) && --depth == 0) {
      return i + 1;
    }
  }
  return text.size();
}

/// The ranges of the range-for statements of `text`, with comments.
std::vector<std::string> ranges(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find("for"); at != std::string::npos; at = text.find("for", at + 1)) {
    const std::size_t open = text.find_first_not_of(" \n", at + 3);
    if (open == std::string::npos || text[open] != '(' || (at > 0 && of_a_name(text[at - 1])))
      continue;
    const std::size_t close = after_closing(text, open) - 1;
    for (std::size_t i = open + 1; i < close; ++i) {
      if (one_of("([{", text[i])) i = after_closing(text, i) - 1;
      if (text[i] == '?') break;  // a loop by three expressions
      if (text[i] != ':') continue;
      if (text[i + 1] != ':') {
        found.push_back(text.substr(i + 1, close - i - 1));
        break;
      }
      ++i;
    }
  }
  return found;
}

/// The expression without blanks and without the arguments of its calls; each call becomes "()". A
/// bracket after a name, `>`, `)` or `]` belongs to a call.
std::string calls_alone(const std::string& expression) {
  std::string left;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (std::isspace(static_cast<unsigned char>(c))) continue;
    const bool call = !left.empty() && (of_a_name(left.back()) || one_of(">)]", left.back()));
    left += c;
    if (c != '{' && (c != '(' || !call)) continue;
    left += c == '{' ? '}' : ')';
    i = after_closing(expression, i) - 1;
  }
  return left;
}

/// True if the range refers to an object that dies before the loop begins: a part, by a function,
/// an index, `->` or `*`, of a call's result. A plain member of it, f().x, has its life extended.
bool dangles(const std::string& range) {
  static const std::regex of_a_call(R"(\(\)(->|\[|\)*\.\w+\(\)))");
  static const std::regex at_a_call(R"((^|\()\*[\w:.>-]*\(\))");
  const std::string calls = calls_alone(range);
  return std::regex_search(calls, of_a_call) || std::regex_search(calls, at_a_call);
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(DanglingLoops, NoFileHasThem) {
  std::size_t seen = 0;
  for (const char* folder : {"src", "tests", "benchmarks", "examples"})
    for (const auto& entry :
         fs::recursive_directory_iterator(rigidlimit::test::in_repository(folder))) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
      if (path.filename() == "dangling_loops_test.cpp") continue;
      for (const std::string& range : ranges(text_of(path))) {
        EXPECT_FALSE(dangles(range))
            << path << ": name the object first that this loop goes over:" << range;
        ++seen;
      }
    }
  EXPECT_GT(seen, 500u);
}

// Negative controls: every form in which the standard lets the object die.
TEST(DanglingLoops, EveryFormIsReported) {
  for (const char* loop :
       {"for (double t : closed(start, {last}).value().event_times) sum += t;",
        "for (double t : closed(start).value()) sum += t;",
        "for (double t : (*closed(start)).event_times) sum += t;",
        "for (double t : *closed(start)) sum += t;",
        "for (double t : *system.closed(start)) sum += t;",
        "for (double t : system->closed(start)->event_times) sum += t;",
        "for (double t : table().at(name)) sum += t;", "for (double t : table()[name]) sum += t;",
        "for (const auto& [a, b] : std::move(f(x)).value().members) sum += a;",
        "for (auto all = 2; double t : f(\")\", ':').front()) sum += t;",
        "for (double t :\n     motions(start)\n         .back().times) sum += t;"}) {
    const std::vector<std::string> found = ranges(loop);
    ASSERT_EQ(found.size(), 1u) << loop;
    EXPECT_TRUE(dangles(found.front())) << loop;
  }
}

TEST(DanglingLoops, LoopsOverLiveObjectsAreNotReported) {
  for (const char* loop :
       {"for (double t : history.event_times) sum += t;", "for (double t : history()) sum += t;",
        "for (double t : sample_result().times) sum += t;",
        "for (double t : split(tell({\"a\", b(c)}).out, ':')) sum += t;",
        "for (double t : all.front().times) sum += t;", "for (double t : found->second) sum += t;",
        "for (double t : *found) sum += t;", "for (double t : {f().value(), g()[2]}) sum += t;",
        "for (double t : blocks_of(*find(name))) sum += t;",
        "for (std::size_t i : motion.colwise()) sum += i;",
        "for (auto x : std::vector<double>{f().value()}) sum += x;"}) {
    const std::vector<std::string> found = ranges(loop);
    ASSERT_EQ(found.size(), 1u) << loop;
    EXPECT_FALSE(dangles(found.front())) << loop;
  }
  EXPECT_THAT(ranges("for (int i = f().value(); i < n; i += a ? b : c) g(i);"), testing::IsEmpty());
  EXPECT_THAT(ranges("for (std::size_t i = 0; i < std::size(x); ++i) g(i);"), testing::IsEmpty());
}

}  // namespace
