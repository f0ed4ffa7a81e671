// Tests the reader on the corpus of the fuzzer: files that once caused endless reading, crashes or
// useless messages. Each file is read or rejected with its place; its name describes the defect.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "support/reading.hpp"
#include "support/sample_benchmark.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;

const std::string corpus = test::in_repository("tests/fuzz/corpus");

std::vector<std::string> odd_files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(corpus))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

class OddFile : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Corpus, OddFile, testing::ValuesIn(odd_files()),
                         [](const testing::TestParamInfo<std::string>& one) {
                           std::string name = one.param.substr(0, one.param.find('.'));
                           return name;
                         });

TEST_P(OddFile, IsReadOrRejectedWithItsPlace) {
  const std::string text = test::text_of(corpus + "/" + GetParam());
  ASSERT_FALSE(text.empty());
  const std::string folder = test::in_repository("experiments/benchmarks/");
  std::string refusal = test::refusal_of(test::reading_of(text), folder + "odd.toml");
  if (refusal.starts_with(folder)) refusal.erase(0, folder.size());
  const bool fine = GetParam().starts_with("fine_");
  EXPECT_EQ(refusal.empty(), fine) << refusal;
  if (fine) return;
  EXPECT_EQ(test::fault_of(refusal), "") << refusal;
  const bool elsewhere = GetParam().starts_with("benchmark_of_");
  EXPECT_THAT(refusal, testing::AnyOf(testing::StartsWith("odd.toml"), testing::StartsWith("base"),
                                      testing::StartsWith("--set "),
                                      testing::ResultOf([&](auto&) { return elsewhere; }, true)));
}

TEST(Refusal, NeedsAPlaceAndNoControlCharacters) {
  EXPECT_EQ(test::fault_of("odd.toml:1:2: study.name: missing"), "");
  EXPECT_NE(test::fault_of("missing"), "");
  EXPECT_NE(test::fault_of("odd.toml: \x1b[31m"), "");
  EXPECT_NE(test::fault_of("odd.toml: a\nb"), "");
  EXPECT_NE(test::fault_of("odd.toml: " + std::string(20'000, 'x')), "");
}

TEST(Reading, SplitsATextIntoFileOverridesAndBases) {
  const test::Reading based = test::reading_of("base = 1\n#base\na = 2\n#set\nb = 3\n#base\nc = 4");
  EXPECT_EQ(based.file, "base = 1");
  EXPECT_THAT(based.bases, testing::ElementsAre("a = 2", "c = 4"));
  EXPECT_THAT(based.overrides, testing::ElementsAre("b = 3"));
  const test::Reading reading = test::reading_of("#x\na = 1\n#set\nb = 2\n#set\nc = 3\n");
  EXPECT_EQ(reading.file, "#x\na = 1");
  EXPECT_THAT(reading.overrides, testing::ElementsAre("b = 2", "c = 3\n"));
  EXPECT_THAT(test::reading_of("a = 1").overrides, testing::IsEmpty());
}

}  // namespace
}  // namespace rigidlimit
