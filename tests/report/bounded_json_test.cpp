// Tests the limits of JSON of unknown origin.
#include "rigidlimit/report/bounded_json.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

std::string complaint(const std::string& text) {
  try {
    bounded_json(text, "a.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int k = 0; k < count; ++k) all += text;
  return all;
}

TEST(BoundedJson, ReadsWhatIsWithinTheLimits) {
  EXPECT_EQ(bounded_json(R"({"a": [1, {"b": "x,:[{\"]}"}]})", "").at("a").at(1).at("b"),
            "x,:[{\"]}")
      << "brackets in texts do not count";
  EXPECT_EQ(complaint(repeated("[", 32) + repeated("]", 32)), "");
}

TEST(BoundedJson, RefusesDepth) {
  EXPECT_THAT(complaint(repeated("[", 33) + repeated("]", 33)), testing::HasSubstr("32"));
  EXPECT_THAT(complaint(repeated("{\"\": ", 30'000)), testing::HasSubstr("a.json"));
}

TEST(BoundedJson, RefusesManyKeysOfOneObject) {
  const auto object = [](int keys) {
    std::string text;
    for (int k = 0; k < keys; ++k) text += (k == 0 ? "\"k" : ", \"k") + std::to_string(k) + "\": 0";
    return "{" + text + "}";
  };
  EXPECT_EQ(complaint(object(500)), "");
  EXPECT_THAT(complaint(object(501)), testing::HasSubstr("500"));
  EXPECT_EQ(complaint("[" + object(300) + "," + object(300) + "]"), "") << "of each";
}

TEST(BoundedJson, RefusesManyValuesAndBytes) {
  EXPECT_THAT(complaint("[" + repeated("0,", 4'000'001) + "0]"), testing::HasSubstr("4000000"));
  EXPECT_THAT(complaint(std::string(longest_json + 1, ' ')), testing::HasSubstr("bytes"));
}

TEST(BoundedJson, RefusesWhatIsNoJson) {
  for (const char* text : {"", "{", "nan", "[1 2]", "{\"a\": \x01}"})
    EXPECT_THAT(complaint(text), testing::HasSubstr("a.json")) << text;
}

}  // namespace
}  // namespace rigidlimit
