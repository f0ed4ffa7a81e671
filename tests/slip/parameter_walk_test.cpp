// Every parameter of every system with friction, far out of what is usual: reading says which
// parameter is at fault, or the study runs, whatever its rows then say.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/slip/read_slip.hpp"
#include "rigidlimit/slip/run_slip.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

SlipStudy walked(const std::string& system, const std::string& assignment) {
  const std::string text = fmt::format(R"([study]
name = "walk"
[system]
name = "{}"
{}
[epsilon]
values = [1e-2]
[time]
end = 1e-3
samples = 2
layer_per_decade = 1
[solvers]
max_steps = 20
rigid_max_steps = 20
moreau_jean = [1e-3]
[inequality]
draws = 0
)",
                                       system, assignment);
  return read_slip(TomlDocument::from_text(text, "walk.toml"));
}

/// Whether so many seconds have passed since: such motions may take every step that they may have.
std::function<bool()> after(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  return [=] {
    return std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds);
  };
}

class FrictionWalk : public testing::TestWithParam<const FrictionalEntry*> {
 protected:
  const FrictionalEntry& entry() const { return *GetParam(); }
  SlipStudy study(const std::string& parameter, const std::string& value) const {
    return walked(entry().info.name, fmt::format("{} = {}", parameter, value));
  }
  std::string complaint(const std::string& parameter, const std::string& value) const {
    try {
      study(parameter, value);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_P(FrictionWalk, BlamesTheParameterForWhatNoComputationSurvives) {
  for (const ParameterInfo& p : entry().parameters)
    for (const char* value : {"1e300", "-1e300", "1e150", "nan", "inf", "-inf", "1e41"})
      EXPECT_THAT(complaint(p.name, value),
                  testing::StartsWith(
                      fmt::format("walk.toml:5:{}: system.{} = ", p.name.size() + 4, p.name)))
          << value;
}

TEST_P(FrictionWalk, RunsOrBlamesAPlaceAtTheEndsOfTheRange) {
  for (const ParameterInfo& p : entry().parameters)
    for (const char* value : {"1e40", "-1e40", "1e-40", "0"}) {
      const std::string message = complaint(p.name, value);
      if (!message.empty()) {
        // What several parameters make together is told of the table.
        EXPECT_THAT(message, testing::AnyOf(HasSubstr(fmt::format("system.{} = ", p.name)),
                                            HasSubstr("walk.toml:3:1: system: ")))
            << value;
        continue;
      }
      EXPECT_NO_THROW(run_slip(study(p.name, value), {.stop_requested = after(0.1)}))
          << p.name << " = " << value;
    }
}

std::vector<const FrictionalEntry*> systems() {
  std::vector<const FrictionalEntry*> all;
  for (const FrictionalEntry& entry : builtin_frictional_systems()) all.push_back(&entry);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, FrictionWalk, testing::ValuesIn(systems()),
                         [](const auto& one) { return one.param->info.name; });

}  // namespace
}  // namespace rigidlimit
