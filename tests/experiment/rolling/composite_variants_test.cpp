// Tests the remainder of the composite expansion for light damping, a prepared spring and a full
// stiffness matrix. The tests run studies, which instantiate no further system.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "support/series_of_result.hpp"
#include "support/source_directory.hpp"

namespace rigidlimit {
namespace {

struct Variant {
  const char* name;
  const char* system;
  const char* change;  ///< --set text

  friend void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }
};

class CompositeVariants : public testing::TestWithParam<Variant> {
 protected:
  /// Orders of ‖compliant − (rigid + composite)‖, or of ‖compliant − rigid‖.
  std::array<double, 3> orders(const char* against) const {
    const Variant& variant = GetParam();
    const std::string file = test::in_repository(
        fmt::format("experiments/prediction/{}_composite.toml", variant.system));
    const RollingResult result = run_rolling_study(
        read_rolling_study(file,
                           {variant.change, "expect=[]", "epsilon.from=4e-3", "epsilon.to=5e-4",
                            "epsilon.count=4", fmt::format("study.against=\"{}\"", against)}),
        {.jobs = 2, .stop_requested = {}, .on_progress = {}});
    std::array<double, 3> found{};
    for (const Quantity x : common_quantities)
      found[static_cast<std::size_t>(x)] = test::series_of(result, x).judgement.fit.order;
    return found;
  }
};

// The remainder of the composite of order 2 has order 3. 0.1 covers the trend at ε = 4e-3.
TEST_P(CompositeVariants, RemainderHasOrderThree) {
  const auto with = orders("composite");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(with[i], 3.0, 0.1) << "q, v, λ: " << i;
  // Negative control: without the expansion q keeps its order 2.
  EXPECT_NEAR(orders("rigid")[0], 2.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(
    Systems, CompositeVariants,
    testing::Values(Variant{"SleighLightlyDamped", "chaplygin_sleigh", "contact.damping_ratio=0.8"},
                    Variant{"SleighPrepared", "chaplygin_sleigh",
                            "contact.preparation=\"prepared\""},
                    Variant{"DiscLightlyDamped", "rolling_disk", "contact.damping_ratio=0.8"},
                    Variant{"DiscPrepared", "rolling_disk", "contact.preparation=\"prepared\""},
                    Variant{"DiscWithAFullStiffnessMatrix", "rolling_disk",
                            "contact.stiffness=[[2.0, 0.3], [0.3, 1.0]]"}),
    [](const auto& suite) { return suite.param.name; });

}  // namespace
}  // namespace rigidlimit
