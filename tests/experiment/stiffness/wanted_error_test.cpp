// Tests the texts of wanted errors.
#include <gtest/gtest.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/stiffness/pair_study.hpp"

namespace rigidlimit {
namespace {

/// x in m and phi in rad; one sliding velocity in m/s, whose force is in N.
template <class Study>
Study skate() {
  Study study;
  study.system = std::make_shared<const SystemEntry>(
      SystemEntry{.info = {.name = "skate",
                           .coordinates = {{"x", "m", {}}, {"phi", "rad", {}}},
                           .velocities = {{"x'", "m/s", {}}, {"phi'", "rad/s", {}}},
                           .contacts = {{"sliding", "m/s", {}}}},
                  .parameters = {}});
  return study;
}

WantedError wanted_error_of(const std::string& text) {
  return rigidlimit::wanted_error_of(text, skate<RollingStudy>());
}

TEST(WantedError, HasTheNormsAndWindowsOfTheStudy) {
  const PairStudy slips = skate<FrictionStudy>();
  EXPECT_EQ(rigidlimit::wanted_error_of("v.l1.away=1", slips).measure,
            (Measure{Quantity::v, Norm::l1, Window::away}));
  EXPECT_THROW(rigidlimit::wanted_error_of("v.after=1", slips), InputError);
  EXPECT_THROW(wanted_error_of("v.l1=1"), InputError);
}

TEST(WantedError, NamesAQuantityANormAndAWindow) {
  EXPECT_EQ(wanted_error_of("q=1e-4").measure, (Measure{Quantity::q, Norm::sup, Window::all}));
  EXPECT_EQ(wanted_error_of("q=1e-4").size, 1e-4);
  EXPECT_EQ(wanted_error_of("lambda.after=2").measure,
            (Measure{Quantity::lambda, Norm::sup, Window::after}));
  // In any order.
  EXPECT_EQ(wanted_error_of("v.after.l2=2").measure, wanted_error_of("v.l2.after=2").measure);
}

TEST(WantedError, NamesOneComponent) {
  EXPECT_EQ(wanted_error_of("x=1e-3").measure,
            (Measure{.quantity = Quantity::q, .component = "x", .row = 0}));
  EXPECT_EQ(wanted_error_of("phi'.l2=1").measure,
            (Measure{.quantity = Quantity::v, .norm = Norm::l2, .component = "phi'", .row = 1}));
  EXPECT_THROW(wanted_error_of("z=1"), InputError);  // negative control
}

// 1 mm = 1e-3 m, 180 deg = pi rad, 2 kN = 2000 N.
TEST(WantedError, ReadsUnits) {
  EXPECT_DOUBLE_EQ(wanted_error_of("x=1mm").size, 1e-3);
  EXPECT_DOUBLE_EQ(wanted_error_of("x = 2 mm").size, 2e-3);
  EXPECT_DOUBLE_EQ(wanted_error_of("phi=180 deg").size, 3.14159265358979323846);
  EXPECT_DOUBLE_EQ(wanted_error_of("x'=36 km/h").size, 10.0);
  EXPECT_DOUBLE_EQ(wanted_error_of("lambda=2 kN").size, 2000.0);
  // Negative controls: another dimension, and a unit for components of different ones.
  EXPECT_THROW(wanted_error_of("x=1 rad"), InputError);
  EXPECT_THROW(wanted_error_of("q=1 mm"), InputError);
}

TEST(WantedError, RefusesOtherTexts) {
  for (const char* text : {"", "q", "=1", "q=", "q=0", "q=-1", "q=nan", "q=inf", "q=1x", "w=1",
                           "q.sup.later=1", "q..after=1", "event_time=1"})
    EXPECT_THROW(wanted_error_of(text), InputError) << text;
}

}  // namespace
}  // namespace rigidlimit
