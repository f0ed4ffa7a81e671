// Tests references as JSON records.
#include "rigidlimit/report/reference_record.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <regex>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/problem_source/problem_source.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

WrittenProblem problem(std::vector<std::string> overrides, const std::string& reference) {
  return problem_to_write(
      {.name = "kaps", .overrides = std::move(overrides), .reference = reference},
      builtin_systems());
}

class References : public testing::Test {
 protected:
  std::string file(const std::string& text) const { return place.write("references.json", text); }
  test::TemporaryDirectory place;
};

TEST_F(References, OfARecordAreThoseOfTheSolveToTheLastBit) {
  const WrittenProblem solved = problem({}, "double");
  ASSERT_TRUE(solved.reference);
  WrittenProblem read = problem({}, "none");
  read_reference(read, file("[" + reference_record(problem({"eps=1e-3"}, "none")) + "," +
                            reference_record(solved) + "]"));
  ASSERT_TRUE(read.reference);
  EXPECT_EQ(read.reference->y, solved.reference->y);
  EXPECT_EQ(read.reference->error, solved.reference->error);
}

// A reference belongs to one start, end and set of parameters.
TEST_F(References, OfOtherParametersAreNotTaken) {
  const std::string records = file("[" + reference_record(problem({}, "double")) + "]");
  WrittenProblem other = problem({"eps=1e-3"}, "none");
  EXPECT_THROW(read_reference(other, records), InputError);
  WrittenProblem later = problem({}, "none");
  later.t1 = std::nextafter(later.t1, 2.0 * later.t1);
  EXPECT_THROW(read_reference(later, records), InputError);
}

TEST_F(References, ThatAreMissingOrOfAnotherSizeAreRefused) {
  const WrittenProblem none = problem({}, "none");
  for (const std::string& text :
       {"[" + reference_record(none) + "]", reference_record(none), std::string("[1, null, []]"),
        std::string("[]"), std::string("{"),
        std::regex_replace("[" + reference_record(problem({}, "double")) + "]",
                           std::regex(R"("how": "[^"]*")"), R"("how": 3)")}) {
    WrittenProblem read = none;
    EXPECT_THROW(read_reference(read, file(text)), InputError) << text;
    EXPECT_FALSE(read.reference);
  }
}

}  // namespace
}  // namespace rigidlimit
