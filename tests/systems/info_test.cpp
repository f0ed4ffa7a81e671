// What every system says about itself is true: sizes, names, units, defaults.
#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <string>

#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"
#include "rigidlimit/systems/knife_edge.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {
namespace {

template <class Sys>
class Info : public testing::Test {};
using Systems = testing::Types<KnifeEdge, ChaplyginSleigh, RollingDisk>;
TYPED_TEST_SUITE(Info, Systems);

bool is_key(const std::string& name) {
  return std::regex_match(name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
}

TYPED_TEST(Info, SizesAreThoseOfTheSystem) {
  static_assert(MechanicalSystem<TypeParam>);
  const SystemInfo& info = TypeParam::info();
  EXPECT_EQ(info.coordinates.size(), static_cast<std::size_t>(TypeParam::nq));
  EXPECT_EQ(info.velocities.size(), static_cast<std::size_t>(TypeParam::n));
  EXPECT_EQ(info.contacts.size(), static_cast<std::size_t>(TypeParam::m));
  EXPECT_EQ(info.initial_q.size(), static_cast<std::size_t>(TypeParam::nq));
  EXPECT_EQ(info.initial_v.size(), static_cast<std::size_t>(TypeParam::n));
}

TYPED_TEST(Info, EveryTextIsThereAndEveryKeyIsLowerCase) {
  const SystemInfo& info = TypeParam::info();
  EXPECT_TRUE(is_key(info.name)) << info.name;
  for (const char* text : {info.title, info.equations, info.source, info.closed_form})
    EXPECT_GT(std::string(text).size(), 10u) << text;
  for (const auto* list : {&info.coordinates, &info.velocities, &info.contacts}) {
    std::set<std::string> names;
    for (const Component& c : *list) {
      EXPECT_TRUE(names.insert(c.name).second) << c.name << " twice";
      EXPECT_STRNE(c.unit, "") << c.name;
    }
  }
}

// The unit of a velocity is that of its coordinate per second, its name the coordinate's with a '.
TYPED_TEST(Info, VelocitiesAreTheRatesOfTheCoordinates) {
  const SystemInfo& info = TypeParam::info();
  for (std::size_t i = 0; i < info.velocities.size(); ++i) {
    EXPECT_EQ(info.velocities[i].name, std::string(info.coordinates[i].name) + "'");
    EXPECT_EQ(info.velocities[i].unit, std::string(info.coordinates[i].unit) + "/s");
  }
}

TYPED_TEST(Info, DefaultsLieInTheirRangesAndParametersAreDistinct) {
  const TypeParam defaults;
  std::set<std::string> names;
  for (const auto& p : TypeParam::parameters()) {
    EXPECT_TRUE(is_key(p.name)) << p.name;
    EXPECT_TRUE(names.insert(p.name).second) << p.name << " twice";
    EXPECT_STRNE(p.unit, "") << p.name;
    EXPECT_GT(std::string(p.text).size(), 5u) << p.name;
    EXPECT_TRUE(p.range.contains(defaults.*p.member))
        << p.name << " = " << defaults.*p.member << ", must be " << p.range.text();
    // Each parameter is its own member: setting one changes no other.
    TypeParam changed;
    changed.*p.member += 0.125;
    for (const auto& other : TypeParam::parameters())
      EXPECT_EQ(changed.*other.member != defaults.*other.member, std::string(other.name) == p.name);
  }
}

// |G v| < 1e-15 at the default start, and the contact carries a load there: with Λ(0) = 0 the
// sup-norm orders would be those of a prepared spring (theory.md, section 2).
TYPED_TEST(Info, DefaultStartRollsUnderALoad) {
  const SystemInfo& info = TypeParam::info();
  const Coordinates<TypeParam> q = Eigen::Map<const Coordinates<TypeParam>>(info.initial_q.data());
  const Velocities<TypeParam> v = Eigen::Map<const Velocities<TypeParam>>(info.initial_v.data());
  const TypeParam sys;
  EXPECT_LT((constraint(sys, q) * v).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_GT(solve_kkt(sys, q, v, 0.0).multiplier.cwiseAbs().maxCoeff(), 0.1);
  Velocities<TypeParam> sideways = v;
  sideways(1) += 0.1;  // negative control
  EXPECT_GT((constraint(sys, q) * sideways).cwiseAbs().maxCoeff(), 1e-3);
}

}  // namespace
}  // namespace rigidlimit
