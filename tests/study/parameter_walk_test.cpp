// Every parameter of every smooth system, far out of what is usual: reading says which parameter is
// at fault, or the study runs, whatever its rows then say.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>

#include "rigidlimit/study/run_study.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string walked(const std::string& system, const std::string& assignment) {
  return fmt::format(R"([study]
name = "walk"
[system]
name = "{}"
{}
[initial]
project = true
[epsilon]
values = [1e-2]
[time]
end = 1e-3
samples = 2
layer_samples = 2
[solvers]
max_steps = 20
)",
                     system, assignment);
}

/// Whether so many seconds have passed since: such motions may take every step that they may have.
std::function<bool()> after(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  return [=] {
    return std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds);
  };
}

class ParameterWalk : public testing::TestWithParam<const SystemEntry*> {
 protected:
  const SystemEntry& entry() const { return *GetParam(); }
  std::string text(const std::string& parameter, const std::string& value) const {
    return walked(entry().info.name, fmt::format("{} = {}", parameter, value));
  }
};

TEST_P(ParameterWalk, BlamesTheParameterForWhatNoComputationSurvives) {
  for (const ParameterInfo& p : entry().parameters) {
    for (const char* value : {"1e300", "-1e300", "1e150", "nan", "inf", "-inf", "1e41"})
      EXPECT_THAT(
          test::complaint_about(text(p.name, value)),
          StartsWith(fmt::format("sample.toml:5:{}: system.{} = ", p.name.size() + 4, p.name)))
          << value;
    // Where 0 is out of the question, so are values that differ from it in no computation.
    if (p.range.low != 0.0 || !p.range.low_open) continue;
    for (const char* value : {"1e-300", "0", "-1", "1e-41", "5e-324"})
      EXPECT_THAT(test::complaint_about(text(p.name, value)),
                  HasSubstr(fmt::format("system.{} = ", p.name)))
          << value;
  }
}

TEST_P(ParameterWalk, RunsOrBlamesTheParameterAtTheEndsOfItsRange) {
  for (const ParameterInfo& p : entry().parameters)
    for (const char* value : {"1e40", "-1e40", "1e-40", "0"}) {
      const std::string message = test::complaint_about(text(p.name, value));
      if (!message.empty()) {
        EXPECT_THAT(message, HasSubstr(fmt::format(
                                 "sample.toml:5:{}: system.{} = ", p.name.size() + 4, p.name)))
            << value;
        continue;
      }
      EXPECT_NO_THROW(
          run_study(test::study_from(text(p.name, value)), {.stop_requested = after(0.1)}))
          << p.name << " = " << value;
    }
}

std::vector<const SystemEntry*> systems() {
  std::vector<const SystemEntry*> all;
  for (const SystemEntry& entry : builtin_systems()) all.push_back(&entry);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ParameterWalk, testing::ValuesIn(systems()),
                         [](const auto& one) { return one.param->info.name; });

}  // namespace
}  // namespace rigidlimit
