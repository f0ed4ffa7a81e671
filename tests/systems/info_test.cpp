// Tests the entry of every system in the catalogue: sizes, names, units, defaults.
#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <string>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/system_check.hpp"
#include "support/catalogue_system.hpp"
#include "support/central_difference.hpp"

namespace rigidlimit {
namespace {

class Info : public testing::TestWithParam<const SystemEntry*> {
 protected:
  const SystemEntry& entry = *GetParam();
  const SystemInfo& info = entry.info;
  const test::CatalogueSystem system{entry};
};

std::vector<const SystemEntry*> rolling(bool (*concerned)(const SystemEntry&)) {
  std::vector<const SystemEntry*> all;
  for (const SystemEntry& e : builtin_systems())
    if (e.rolls() && concerned(e)) all.push_back(&e);
  return all;
}

std::string name_of_case(const testing::TestParamInfo<const SystemEntry*>& one) {
  return one.param->info.name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Info,
                         testing::ValuesIn(rolling([](const SystemEntry&) { return true; })),
                         name_of_case);

/// Systems with v = q'.
class InfoOfRates : public Info {};

bool has_rates(const SystemEntry& entry) {
  const test::CatalogueSystem system(entry);
  const System& model = system.model;
  if (model.nq != model.n) return false;
  VectorXd q_rate(model.nq);
  const VectorXd v = VectorXd::LinSpaced(model.n, 1.0, 2.0);
  model.in<double>().coordinate_rate(system.start.q, v, q_rate);
  return q_rate == v;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, InfoOfRates, testing::ValuesIn(rolling(has_rates)),
                         name_of_case);

/// Systems whose default start rolls: the sphere slides, and has no load if it rolls on a level.
class InfoOfRollingStart : public Info {};

INSTANTIATE_TEST_SUITE_P(Catalogue, InfoOfRollingStart,
                         testing::ValuesIn(rolling([](const auto& e) {
                           return e.info.name != "sliding_sphere";
                         })),
                         name_of_case);

class InfoOfClosedForm : public Info {};

INSTANTIATE_TEST_SUITE_P(Catalogue, InfoOfClosedForm, testing::ValuesIn(rolling([](const auto& e) {
                           return e.has_closed_form;
                         })),
                         name_of_case);

bool is_key(const std::string& name) {
  return std::regex_match(name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
}

TEST_P(Info, SizesMatchTheSystem) {
  const System& model = system.model;
  EXPECT_EQ(info.coordinates.size(), static_cast<std::size_t>(model.nq));
  EXPECT_EQ(info.velocities.size(), static_cast<std::size_t>(model.n));
  EXPECT_EQ(info.contacts.size(), static_cast<std::size_t>(model.m));
  EXPECT_EQ(system.start.q.size(), model.nq);
  EXPECT_EQ(system.start.v.size(), model.n);
}

TEST_P(Info, KeysAreLowerCaseAndComponentsDistinctWithUnits) {
  EXPECT_TRUE(is_key(info.name)) << info.name;
  for (const auto* list : {&info.coordinates, &info.velocities, &info.contacts}) {
    std::set<std::string> names;
    for (const Component& c : *list) {
      EXPECT_TRUE(names.insert(c.name).second) << c.name << " twice";
      EXPECT_NE(c.unit, "") << c.name;
    }
  }
}

// If v = q', a velocity has the unit of its coordinate per second, and its name with a '.
TEST_P(InfoOfRates, VelocitiesAreNamedByTheirCoordinates) {
  for (std::size_t i = 0; i < info.velocities.size(); ++i) {
    EXPECT_EQ(info.velocities[i].name, info.coordinates[i].name + "'");
    const std::string unit = info.coordinates[i].unit;
    const std::string rate = unit == "s" ? "1" : unit + "/s";  // the clock
    EXPECT_EQ(info.velocities[i].unit, rate);
  }
}

TEST_P(Info, DefaultsLieInTheirRangesAndParametersAreDistinct) {
  std::set<std::string> names;
  for (const ParameterInfo& p : entry.parameters) {
    EXPECT_TRUE(is_key(p.name)) << p.name;
    EXPECT_TRUE(names.insert(p.name).second) << p.name << " twice";
    EXPECT_NE(p.unit, "") << p.name;
    EXPECT_TRUE(p.range.contains(p.default_value))
        << p.name << " = " << p.default_value << ", must be " << p.range.text();
  }
}

// At the default start |G v| is at round-off and the contact carries a load. With Λ(0) = 0 the
// sup-norm orders would be those of a prepared spring (docs/theory.md, section 2).
TEST_P(InfoOfRollingStart, CarriesALoad) {
  const System& model = system.model;
  const InitialState& start = system.start;
  EXPECT_NO_THROW(check_system(model, info.name, start));
  const double speed = 1.0 + start.v.cwiseAbs().maxCoeff();
  EXPECT_LT(sliding_velocity(model, start).cwiseAbs().maxCoeff(), 1e-15 * speed);
  const auto kkt = solve_kkt<double>(model, system.contacts, start.q, start.v, 0.0);
  EXPECT_GT(kkt.multiplier.cwiseAbs().maxCoeff(), 1e-2);
  // Negative control: after a push along a contact impulse every system slides.
  InitialState pushed = start;
  pushed.v += velocity_of_impulse(model, start.q).col(0);
  EXPECT_GT(sliding_velocity(model, pushed).cwiseAbs().maxCoeff(), 1e-3);
}

// The same for all parameters 10 % larger: the start follows them. Bounds: 2 n + 4 roundings of the
// largest term of a row; 16 of squares for the invariants.
TEST_P(InfoOfRollingStart, RollsForOtherParameters) {
  std::vector<double> values = entry.default_values();
  for (double& value : values) value *= 1.1;
  const System other = entry.make(values);
  const InitialState start = entry.start(values);
  MatrixXd rows(other.ne + other.m, other.n);
  other.in<double>().constraints(start.q, rows);
  const double size = 1.0 + (rows.cwiseAbs() * start.v.cwiseAbs()).maxCoeff();
  const double bound = (2.0 * static_cast<double>(other.n) + 4.0) * test::unit_roundoff * size;
  const auto excess = [&](const InitialState& at) {
    VectorXd velocity = rows * at.v;
    velocity.head(other.ne) -= other.exact_rates();
    return velocity.cwiseAbs().maxCoeff();
  };
  EXPECT_LE(excess(start), bound);
  VectorXd e = VectorXd::Zero(other.ni);
  other.in<double>().invariants(start.q, e);
  for (const double left : e) EXPECT_LE(std::abs(left), 16.0 * test::unit_roundoff);
  InitialState off = start;  // negative control
  off.v += 1e-6 * velocity_of_impulse(other, start.q).col(0);
  EXPECT_GT(excess(off), bound);
}

TEST_P(Info, InitialValuesAreThoseOfTheStart) {
  const InitialState& start = system.start;
  EXPECT_EQ(info.initial_q, std::vector<double>(start.q.begin(), start.q.end()));
  EXPECT_EQ(info.initial_v, std::vector<double>(start.v.begin(), start.v.end()));
}

TEST_P(InfoOfClosedForm, BeginsAtTheStart) {
  const InitialState& start = system.start;
  const auto motion = system.model.closed_form(start, {0.0});
  ASSERT_TRUE(motion);
  const double near = 8.0 * test::unit_roundoff * (1.0 + start.v.cwiseAbs().maxCoeff());
  EXPECT_LE((motion->q.col(0) - start.q).cwiseAbs().maxCoeff(), near);
  EXPECT_LE((motion->v.col(0) - start.v).cwiseAbs().maxCoeff(), near);
}

}  // namespace
}  // namespace rigidlimit
