// Tests that only printable text reaches standard output and standard error.
#include "rigidlimit/core/standard_streams.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::function<void()>& print) {
  testing::internal::CaptureStdout();
  print();
  flush_output();
  return testing::internal::GetCapturedStdout();
}

std::string errors_of(const std::function<void()>& print) {
  testing::internal::CaptureStderr();
  print();
  return testing::internal::GetCapturedStderr();
}

const std::string hostile = "\x1b[31ma\nb\u202e\xff";

TEST(StandardStreams, TextsHaveLinesAndNoControlCharacters) {
  EXPECT_EQ(output_of([] { print_text(hostile); }), " [31ma\nb\ufffd\ufffd");
  EXPECT_EQ(errors_of([] { print_text(hostile, Stream::error); }), " [31ma\nb\ufffd\ufffd");
}

TEST(StandardStreams, OnlyTheFormEndsLines) {
  EXPECT_EQ(output_of([] { print_output("{}: {:.1f}\n", hostile, 1.5); }),
            " [31ma b\ufffd\ufffd: 1.5\n");
  EXPECT_EQ(errors_of([] { print_message("{}, {}\n", hostile.c_str(), 3); }),
            " [31ma b\ufffd\ufffd, 3\n");
}

TEST(StandardStreams, OnlyTheCodesOfTonesPassWithColour) {
  const std::string text = "\x1b[32mheld\x1b[0m \x1b[8mhidden \x1b]0;title\x07\n";
  EXPECT_EQ(output_of([&] { print_toned(text, true); }),
            "\x1b[32mheld\x1b[0m  [8mhidden  ]0;title \n");
  EXPECT_EQ(output_of([&] { print_toned(text, false); }), " [32mheld [0m  [8mhidden  ]0;title \n");
}

TEST(StandardStreams, RewritesOneLine) {
  EXPECT_EQ(errors_of([] { rewrite_line(hostile); }), "\r\033[K [31ma b\ufffd\ufffd");
}

/// Code without the texts and comments in it.
std::string without_literals(const std::string& code) {
  static const std::regex line_comment("//[^\n]*"), text(R"~("(\\.|[^"\\\n])*")~");
  std::string rest;
  for (std::size_t from = 0; from < code.size();) {  // raw texts, without deep recursion
    const std::size_t begin = code.find("R\"", from);
    rest += code.substr(from, begin - from);
    if (begin == std::string::npos) break;
    const std::size_t open = code.find('(', begin);
    const std::string close = ")" + code.substr(begin + 2, open - begin - 2) + "\"";
    from = code.find(close, open);
    if (from == std::string::npos) break;
    from += close.size();
  }
  return std::regex_replace(std::regex_replace(rest, text, "\"\""), line_comment, "");
}

bool writes_to_a_stream(const std::string& code) {
  static const std::regex writer(
      R"(fmt::print\b|std::(cout|cerr|clog)\b|\b(v?f?printf|f?puts|putchar|fputc|fwrite|perror)\s*\(|)"
      R"(\bwrite\s*\(\s*(1|2|STD\w+)\s*,)");
  return std::regex_search(without_literals(code), writer);
}

TEST(StandardStreams, NoOtherFileWritesToThem) {
  std::size_t seen = 0;
  for (const char* folder : {"src", "python/src"})
    for (const auto& entry : fs::recursive_directory_iterator(test::in_repository(folder))) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
      if (path.filename() == "standard_streams.cpp") continue;
      std::ifstream stream(path);
      std::stringstream text;
      text << stream.rdbuf();
      EXPECT_FALSE(writes_to_a_stream(text.str()))
          << path << ": print by core/standard_streams.hpp, which makes texts printable";
      ++seen;
    }
  EXPECT_GT(seen, 500u);
}

TEST(StandardStreams, TheSearchFindsEachWay) {
  for (const char* code :
       {"fmt::print(\"{}\", x);", "std::cout << x;", "std::cerr<<x;", "std::printf(\"x\");",
        "std::fputs(x, stderr);", "puts(x);", "std::fwrite(x, 1, 2, stdout);", "write(1, x, 2);",
        "::write(STDERR_FILENO, x, 2);"})
    EXPECT_TRUE(writes_to_a_stream(code)) << code;
  for (const char* code : {"print_output(\"fmt::print\");", "out << x;", "// std::cout\n",
                           "file.raw(R\"(\nprintf(\"x\");\n)\");", "folder.write(1.0, x)"})
    EXPECT_FALSE(writes_to_a_stream(code)) << code;
}

}  // namespace
}  // namespace rigidlimit
