// Tests the limits of work as a user meets them: too little memory is said so, with status 2.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/process.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string chain_of(int sleighs) {
  return fmt::format(R"toml(
benchmark = {{name = "chain", kind = "cost_count", methods = ["cvode_bdf"]}}
tolerance.rtol = 1e-4
timing.repeats = 0
[[problem]]
chain = [{}]
epsilon = [1e-2]
)toml",
                     sleighs);
}

// 30 000 sleighs need 1.7 GB. Negative control: with the same memory one sleigh is solved.
TEST(WorkOfTheProgram, LackOfMemoryIsSaidInWords) {
  const test::TemporaryDirectory place;
  place.write("many.toml", chain_of(30'000));
  place.write("one.toml", chain_of(1));
  const auto run = [&](const std::string& file) {
    return test::Process(
               {"bash", "-c",
                fmt::format("ulimit -v 400000 && exec {} run {}", RIGIDLIMIT_PROGRAM, file)},
               place.path())
        .wait();
  };
  const test::Said many = run("many.toml");
  EXPECT_EQ(many.status, 2) << many.err;
  EXPECT_THAT(many.out + many.err, HasSubstr("not enough memory for"));
  EXPECT_THAT(many.out + many.err, Not(HasSubstr("bad_alloc")));
  const test::Said one = run("one.toml");
  EXPECT_EQ(one.status, 0) << one.err;
}

}  // namespace
}  // namespace rigidlimit
