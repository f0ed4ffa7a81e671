// Invalid variants of the sample study, and the expected error messages.
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <vector>

#include "support/sample_study.hpp"

namespace rigidlimit::test {

/// The sample with `from` replaced by `to`. If `from` is empty, `to` is appended (line 18).
struct Spoilt {
  const char* name;
  const char* from;
  const char* to;
  std::vector<std::string> said;  ///< parts of the message; first the place, "FILE:LINE:"

  friend void PrintTo(const Spoilt& spoilt, std::ostream* out) { *out << spoilt.name; }
};

inline std::string name_of_case(const testing::TestParamInfo<Spoilt>& info) {
  return info.param.name;
}

inline void expect_complaint(const Spoilt& spoilt) {
  std::string text = sample_text;
  ASSERT_EQ(complaint_about(text), "") << "the sample itself must read";
  if (*spoilt.from == '\0') {
    text += spoilt.to;
  } else {
    const std::size_t at = text.find(spoilt.from);
    ASSERT_NE(at, std::string::npos) << "the sample has no " << spoilt.from;
    text.replace(at, std::string(spoilt.from).size(), spoilt.to);
  }
  const std::string message = complaint_about(text);
  ASSERT_NE(message, "") << "read without complaint:\n" << text;
  EXPECT_THAT(message, testing::StartsWith(spoilt.said.front()));
  for (const std::string& said : spoilt.said) EXPECT_THAT(message, testing::HasSubstr(said));
  EXPECT_THAT(message, testing::Not(testing::HasSubstr("\n"))) << "a message is one line";
}

}  // namespace rigidlimit::test
