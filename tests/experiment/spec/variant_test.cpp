// Tests the description of the differences between two studies with the same name.
#include "rigidlimit/experiment/spec/variant.hpp"

#include <gmock/gmock.h>

#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

TEST(ChangedValues, NameTheKeyAndBothValues) {
  const auto change = [](const std::vector<std::string>& overrides) {
    return changed_values(resolved_toml(test::sample_study()),
                          resolved_toml(test::sample_study(overrides)));
  };
  EXPECT_EQ(change({}), "");
  EXPECT_EQ(change({"time.end=3.0"}), "time.after = 0.75 (was 0.5), time.end = 3 (was 2)");
  EXPECT_EQ(change({"contact.damping_ratio=2"}), "contact.damping_ratio = 2 (was 1)");
}

TEST(ChangedValues, NameEachChangedTableOfAList) {
  EXPECT_EQ(changed_values("[[expect]]\norder = 1.0\n[[expect]]\norder = 2.0\n",
                           "[[expect]]\norder = 1.0\n[[expect]]\norder = 3.0\n"),
            "expect[1].order = 3 (was 2)");
}

TEST(ChangedValues, NameTheFirstThreeAndCountTheRest) {
  EXPECT_EQ(changed_values("a=1\nb=1\nc=1\nd=1\ne=1", "a=2\nb=2\nc=2\nd=2\nf=1"),
            "a = 2 (was 1), b = 2 (was 1), c = 2 (was 1) and 3 more");
}

TEST(ChangedValues, ShowADifferenceAfterTheFirstHundredBytes) {
  const std::string text = "a = '" + std::string(100, 'x');
  const std::string change = changed_values(text + "1'", text + "2'");
  EXPECT_NE(change, "");
  EXPECT_LT(change.size(), 200u);
}

TEST(ChangedValues, TreatInvalidTomlAsEmpty) {
  EXPECT_EQ(changed_values("no = [", "a = 1"), "a = 1 (was not set)");
  EXPECT_EQ(changed_values("a = 1", ""), "no a (was 1)");
}

}  // namespace
}  // namespace rigidlimit
