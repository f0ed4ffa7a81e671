// How long a function of src/ may be: a reader takes in about 40 lines at once.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/source_directory.hpp"

namespace {

namespace fs = std::filesystem;

/// Where the literal, comment or preprocessor line that starts at `i` ends; `i` if none does.
std::size_t end_of_blank(const std::string& text, std::size_t i) {
  const auto behind = [&](const std::string& mark, std::size_t from) {
    const std::size_t at = text.find(mark, from);
    return at == std::string::npos ? text.size() : at + mark.size();
  };
  const char c = text[i];
  const bool in_word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
  if (text.compare(i, 2, "//") == 0 || c == '#') return behind("\n", i) - 1;
  if (text.compare(i, 2, "/*") == 0) return behind("*/", i);
  if (text.compare(i, 2, "R\"") == 0 && !in_word)
    return behind(")" + text.substr(i + 2, text.find('(', i) - i - 2) + "\"", i);
  if (c != '"' && (c != '\'' || in_word)) return i;  // in_word: the mark in 1'000
  std::size_t end = i + 1;
  while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
  return end + 1;
}

/// `text` without comments, literals and preprocessor lines; as many lines as before.
std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(end_of_blank(text, i), text.size());
    if (end == i) {
      code += text[i++];
      continue;
    }
    if (text[i] == '"') code += '0';  // a literal is code, though not what is in it
    for (; i < end; ++i)
      if (text[i] == '\n') code += '\n';
  }
  return code;
}

/// Does a block that `head` stands before, with no function around it, hold a function's
/// statements?
bool opens_function(std::string head) {
  static const std::regex operator_sign(R"(operator\s*[^\w\s(]+)");
  static const std::regex scope(
      R"(^\s*(?:template\s*<[^{}]*>\s*)?(?:namespace|class|struct|enum)\b)");
  static const std::regex in_brackets(R"(\([^()]*\))");
  head = std::regex_replace(head, operator_sign, "operator");
  if (head.find('(') == std::string::npos || std::regex_search(head, scope)) return false;
  for (std::string inner; inner != head;)
    inner = std::exchange(head, std::regex_replace(head, in_brackets, ""));
  return head.find('=') == std::string::npos;  // an initialiser
}

struct Function {
  std::string head;   ///< what stands before its {, in one line
  long lines = 0;     ///< with code on them, between its braces
  long branches = 0;  ///< if, for, while, case, catch, ?:
};

/// The functions in `text`, lambdas counted to the function around them.
std::vector<Function> functions_in(const std::string& text) {
  static const std::regex branch(R"(\b(?:if|for|while|case|catch)\b|\?)");
  static const std::regex line_with_code(R"([^\n]*\S[^\n]*)");
  const std::string code = code_of(text);
  const auto count = [](const std::string& in, const std::regex& what) {
    return std::distance(std::sregex_iterator(in.begin(), in.end(), what), std::sregex_iterator());
  };
  std::vector<Function> found;
  std::size_t statement = 0, open = 0;  // where they begin: the statement, the function's body
  int round = 0, depth = 0;             // open parentheses; open braces of the function
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '(') ++round;
    if (c == ')') --round;
    if (c == '{' && (depth > 0 || opens_function(code.substr(statement, i - statement)))) {
      if (depth == 0) open = i;
      ++depth;
    } else if (c == '}' && depth > 0) {
      --depth;
      if (depth > 0) continue;
      static const std::regex space(R"(\s+)");
      const std::string body = code.substr(open + 1, i - open - 1);
      found.push_back({std::regex_replace(code.substr(statement, open - statement), space, " "),
                       count(body, line_with_code), count(body, branch)});
    }
    if (depth == 0 && round == 0 && (c == ';' || c == '{' || c == '}')) statement = i + 1;
  }
  return found;
}

/// 40 lines of code, unless it hardly branches: then it is a list, as long as what it lists.
bool too_long(const Function& function) {
  return function.lines > 40 && 20 * function.branches > function.lines;
}

TEST(Functions, NoneHasMoreThan40LinesUnlessItIsAList) {
  std::size_t read = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(rigidlimit::test::in_repository("src"))) {
    const auto extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp") continue;
    std::ifstream stream(entry.path());
    std::stringstream text;
    text << stream.rdbuf();
    for (const Function& function : functions_in(text.str())) {
      ++read;
      EXPECT_FALSE(too_long(function))
          << entry.path() << ":" << function.head << "\nhas " << function.lines << " lines and "
          << function.branches << " branches";
    }
  }
  EXPECT_GT(read, 2000u);  // the house, not an empty folder
}

/// `f` with n statements that branch, and comments, blank lines and literals that are no code.
std::string function_of(int n) {
  std::string text = "template <class T>\nint A::f(int x = 1) const {\n";
  for (int i = 0; i < n; ++i)
    text += "  if (x > 1'000) g([&] { return \"}\"; });  // }\n\n  /* { */\n";
  return text + "}\n";
}

// Negative control, and what must not count: there is a line for each statement.
TEST(Functions, AreCountedByLinesOfCode) {
  const auto longest = functions_in("namespace n {\nstruct S {\n" + function_of(40) + "};\n}\n");
  ASSERT_EQ(longest.size(), 1u);
  EXPECT_EQ(longest.front().lines, 40);
  EXPECT_EQ(longest.front().branches, 40);
  EXPECT_FALSE(too_long(longest.front()));
  EXPECT_TRUE(too_long(functions_in(function_of(41)).front()));

  std::string list =
      "const std::vector<int>& primes() {\n  static const std::vector<int> all = {\n";
  for (int i = 0; i < 60; ++i) list += "      f(x),\n";
  EXPECT_FALSE(too_long(functions_in(list + "  };\n  return all;\n}\n").front()));

  const auto several = functions_in(
      "bool operator==(A a, A b) { return a.x == b.x; }\n"
      "const B b = make(1, {2, 3});\nint c{f(1)};\n"
      "S::S() : a_(1) {}\nconst char* text = R\"(f() {)\";\n#define M(x) {\n");
  EXPECT_EQ(several.size(), 2u);
}

}  // namespace
