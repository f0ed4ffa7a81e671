// Texts that do harm if they are shown, stored or compiled without escaping.
#pragma once

#include <string>
#include <vector>

namespace rigidlimit::test {

/// Valid values of a study's question: UTF-8 without NUL.
inline const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts{
      "</script><img src=x onerror=alert(1)>",
      "<!-- --> <?php ?> <a href=\"javascript:x\">",
      "&lt;b&gt; &#60; ]]> \"quoted\" 'single'",
      "[link](javascript:x) ![image](http://x/y) <http://x/y> `code` **bold** _it_ ~~x~~ $x^2$",
      "# heading",
      "- list\n\n    code\n\n| a | b |\n| - | - |\n",
      "= setext\n===\n\n---\n",
      "\\input{/etc/passwd} \\write18{touch x} \\end{document} % comment",
      "^^5cinput{x} $\\immediate$ #1 & ~ {}",
      "'; DROP TABLE study; --",
      "$(touch x) `touch x` ; touch x | touch x && touch x > x",
      "=cmd|' /C calc'!A0",
      "a,b,\"c\"\r\nd,e",
      "\x1b[31mred\x1b]0;title\x07 \x08\x7f \u009b31m",
      "gpj.\u202eexe \u200f\u2067",
      "one\u2028two\u2029three\u0085four",
      "\"\"\" ''' \\u0000 \\",
      std::string(100'000, 'x'),
      std::string(30'000, '<') + std::string(30'000, '\n')};
  return texts;
}

}  // namespace rigidlimit::test
