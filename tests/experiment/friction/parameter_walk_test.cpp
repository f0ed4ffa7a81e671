// Tests extreme values of every parameter of every system in both kinds of study: reading names the
// parameter at fault, or the study runs, with any result.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"

namespace rigidlimit {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

/// The tables that differ between the two kinds of study, with keys for short runs.
constexpr const char* rolling_rest = R"([initial]
project = true
[epsilon]
values = [1e-2]
[time]
end = 1e-3
samples = 2
layer_samples = 2
[solvers]
max_steps = 20
)";
constexpr const char* friction_rest = R"([epsilon]
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
)";

/// A predicate that is true after `seconds`: extreme motions may use all their steps.
std::function<bool()> after(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  return [=] {
    return std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds);
  };
}

struct Walk {
  const SystemEntry* entry;
  bool friction;  ///< else rolling
};

class ParameterWalk : public testing::TestWithParam<Walk> {
 protected:
  std::vector<ParameterInfo> parameters() const {
    return GetParam().friction ? GetParam().entry->frictional_parameters()
                               : GetParam().entry->parameters;
  }
  TomlDocument with(const std::string& parameter, const std::string& value) const {
    return TomlDocument::from_text(
        fmt::format("[study]\nname = \"walk\"\n[system]\nname = \"{}\"\n{} = {}\n{}",
                    GetParam().entry->info.name, parameter, value,
                    GetParam().friction ? friction_rest : rolling_rest),
        "walk.toml");
  }
  void run(const std::string& parameter, const std::string& value) const {
    const TomlDocument document = with(parameter, value);
    if (GetParam().friction)
      run_friction_study(read_friction_study(document), {.stop_requested = after(0.1)});
    else
      run_rolling_study(read_rolling_study(document), {.stop_requested = after(0.1)});
  }
  /// The error message of reading the study; empty if there is none.
  std::string complaint(const std::string& parameter, const std::string& value) const try {
    const TomlDocument document = with(parameter, value);
    if (GetParam().friction)
      read_friction_study(document);
    else
      read_rolling_study(document);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
};

/// Reactions to weights of 1e40 N cancel with a rounding error of 1e22 N. The run therefore rejects
/// the start as inconsistent.
bool is_beyond_rounding(const Walk& walk, const ParameterInfo& p, const std::string& value) {
  const std::string& name = walk.entry->info.name;
  return (name == "two_point_ball" || name == "spinning_disk") && !walk.friction &&
         p.name == "gravity" && value == "1e40";
}

std::string at(const ParameterInfo& p) {
  return fmt::format("walk.toml:5:{}: system.{} = ", p.name.size() + 4, p.name);
}

TEST_P(ParameterWalk, NamesTheParameterOfAValueOutOfRange) {
  for (const ParameterInfo& p : parameters()) {
    for (const char* value : {"1e300", "-1e300", "1e150", "nan", "inf", "-inf", "1e41"})
      EXPECT_THAT(complaint(p.name, value), StartsWith(at(p))) << value;
    // Parameters with an excluded 0 also exclude values too close to 0 for computations.
    if (p.range.low != 0.0 || !p.range.low_open) continue;
    for (const char* value : {"1e-300", "0", "-1", "1e-41", "5e-324"})
      EXPECT_THAT(complaint(p.name, value), StartsWith(at(p))) << value;
  }
}

TEST_P(ParameterWalk, RunsOrNamesThePlaceAtTheEndsOfTheRange) {
  for (const ParameterInfo& p : parameters())
    for (const char* value : {"1e40", "-1e40", "1e-40", "0"}) {
      const std::string message = complaint(p.name, value);
      if (is_beyond_rounding(GetParam(), p, value)) continue;
      if (message.empty())
        EXPECT_NO_THROW(run(p.name, value)) << p.name << " = " << value;
      else if (GetParam().friction)
        // Errors of combinations of parameters name the table.
        EXPECT_THAT(message, AnyOf(StartsWith(at(p)), HasSubstr("walk.toml:3:1: system: ")))
            << value;
      else
        EXPECT_THAT(message, StartsWith(at(p))) << value;
    }
}

/// Friction studies accept the parameters of contacts; rolling studies reject them.
TEST_P(ParameterWalk, ParametersOfContactsAreForFrictionStudiesOnly) {
  for (const ParameterInfo& p : GetParam().entry->contact_parameters) {
    const std::string message = complaint(p.name, "0.25");
    if (GetParam().friction)
      EXPECT_EQ(message, "") << p.name;
    else
      EXPECT_THAT(message, StartsWith(at(p) + "0.25: is not used in a rolling study"));
  }
}

std::vector<Walk> walks() {
  std::vector<Walk> all;
  for (const SystemEntry& entry : builtin_systems()) {
    if (entry.rolls()) all.push_back({&entry, false});
    if (entry.slips()) all.push_back({&entry, true});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ParameterWalk, testing::ValuesIn(walks()), [](const auto& one) {
  return one.param.entry->info.name + (one.param.friction ? "_slips" : "_rolls");
});

}  // namespace
}  // namespace rigidlimit
