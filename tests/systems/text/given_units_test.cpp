// Tests that a text system in any units moves as the same system in SI.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "support/rigid_integration.hpp"

namespace rigidlimit {
namespace {

/// A unit and its value in SI by definition, independent of UDUNITS.
struct Known {
  const char* unit;
  double value;
};
using Table = std::vector<Known>;

constexpr double degree = std::numbers::pi / 180.0, inch = 0.0254, pound = 0.45359237;
constexpr double standard_gravity = 9.80665, hour = 3600.0;

// Each table begins with the unit of SI.
const Table lengths{{"m", 1},       {"mm", 1e-3},      {"cm", 1e-2}, {"km", 1e3},
                    {"inch", inch}, {"ft", 12 * inch}, {"um", 1e-6}, {"micron", 1e-6}};
const Table masses{{"kg", 1}, {"g", 1e-3}, {"t", 1e3}, {"lb", pound}, {"mg", 1e-6}};
const Table angles{{"rad", 1},         {"deg", degree}, {"mrad", 1e-3}, {"arcmin", degree / 60},
                   {"degree", degree}, {"°", degree}};
const Table times{{"s", 1}, {"ms", 1e-3}, {"min", 60}, {"h", hour}, {"us", 1e-6}};
const Table speeds{{"m/s", 1},       {"km/h", 1e3 / hour}, {"mm/s", 1e-3}, {"cm/min", 1e-2 / 60},
                   {"inch/s", inch}, {"m s-1", 1}};
const Table turning{{"rad/s", 1},      {"rpm", std::numbers::pi / 30},
                    {"deg/s", degree}, {"1/min", 1.0 / 60},
                    {"Hz", 1},         {"kHz", 1e3}};
const Table accelerations{{"m/s^2", 1}, {"cm/s^2", 1e-2}, {"mm/ms^2", 1e3}, {"km/h/s", 1e3 / hour}};
const Table forces{{"N", 1},
                   {"kN", 1e3},
                   {"mN", 1e-3},
                   {"lbf", pound* standard_gravity},
                   {"kgf", standard_gravity},
                   {"dyne", 1e-5}};
const Table torques{{"N m", 1},
                    {"N mm", 1e-3},
                    {"kN cm", 10},
                    {"J", 1},
                    {"lbf inch", pound* standard_gravity* inch}};
const Table inertias{{"kg m^2", 1},
                     {"g cm^2", 1e-7},
                     {"kg mm^2", 1e-6},
                     {"lb ft^2", pound * 144 * inch* inch},
                     {"N m s^2", 1}};
const Table springs{
    {"N/m", 1}, {"N/mm", 1e3}, {"kN/m", 1e3}, {"lbf/inch", pound* standard_gravity / inch}};
const Table dampers{{"N s/m", 1}, {"N s/mm", 1e3}, {"kg/min", 1.0 / 60}, {"N ms/mm", 1}};
const Table twists{{"N m/rad", 1}, {"N mm/deg", 1e-3 / degree}, {"N cm/rad", 1e-2}};
const Table pressures{{"Pa", 1}, {"kPa", 1e3}, {"bar", 1e5}, {"MPa", 1e6}, {"N/mm^2", 1e6}};
const Table areas{{"m^2", 1}, {"mm^2", 1e-6}, {"cm2", 1e-4}};
const Table powers{{"W", 1}, {"kW", 1e3}, {"mW", 1e-3}, {"kJ/h", 1e3 / hour}};
const Table pure{{"1", 1}, {"%", 1e-2}, {"mm/m", 1e-3}};

/// A quantity of the system: its value in SI and one unit of its table.
struct Given {
  std::string name;
  double si = 0.0;
  Known unit{};
  const char* si_unit = "";
};

/// Writes a value: in SI, in its unit, or, wrongly, the number of its unit as one of SI.
enum class Written { in_si, in_unit, wrongly };

std::string written(const Given& one, const char* key, Written how) {
  const double number = how == Written::in_si ? one.si : one.si / one.unit.value;
  return fmt::format("unit = \"{}\", {} = {:.17g}",
                     how == Written::in_unit ? one.unit.unit : one.si_unit, key, number);
}

class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed) : numbers_(seed), named_velocities_(seed % 2 == 1) {
    for (const auto& [name, table] :
         std::vector<std::pair<const char*, const Table*>>{{"mass", &masses},
                                                           {"radius", &lengths},
                                                           {"inertia", &inertias},
                                                           {"gravity", &accelerations},
                                                           {"slope", &angles},
                                                           {"spring", &springs},
                                                           {"twist", &twists},
                                                           {"drag", &dampers},
                                                           {"push", &forces},
                                                           {"turn_by", &torques},
                                                           {"pressure", &pressures},
                                                           {"area", &areas},
                                                           {"power", &powers},
                                                           {"speed", &speeds},
                                                           {"rate", &turning},
                                                           {"period", &times},
                                                           {"share", &pure}})
      parameters_.push_back(given(name, *table));
    for (const auto& [name, q, v] :
         std::vector<std::tuple<const char*, const Table*, const Table*>>{
             {"x", &lengths, &speeds},
             {"y", &lengths, &speeds},
             {"phi", &angles, &turning},
             {"roll", &angles, &turning}}) {
      coordinates_.push_back(given(name, *q));
      velocities_.push_back(given(std::string(name) + "'", *v));
    }
  }

  std::string toml(Written how) const {
    std::string text = "name = \"random\"\ncoordinates = [\n";
    for (std::size_t k = 0; k < coordinates_.size(); ++k)
      text += fmt::format("  {{name = \"{}\", {}{}}},\n", coordinates_[k].name,
                          written(coordinates_[k], "start", how),
                          named_velocities_ ? "" : ", " + start_rate(k, how));
    text += "]\n";
    if (named_velocities_) {
      text += "velocities = [\n";
      for (const Given& v : velocities_)
        text += fmt::format("  {{name = \"{}\", {}}},\n", v.name, written(v, "start", how));
      text += "]\n";
    }
    text += named_velocities_ ? newtonian : lagrangian;
    text +=
        "constraint = [\"cos(phi)*x' + sin(phi)*y' - radius*roll'\","
        " \"cos(phi)*y' - sin(phi)*x'\"]\n[parameters]\n";
    for (const Given& p : parameters_)
      text += fmt::format("{} = {{{}}}\n", p.name, written(p, "default", how));
    return text;
  }

 private:
  static constexpr const char* lagrangian = R"toml(
kinetic_coenergy = "mass/2*(x'^2 + y'^2) + inertia/2*(phi'^2 + share*roll'^2)"
potential = "-mass*gravity*sin(slope)*x + spring/2*y^2 + twist/2*phi^2"
applied_force = ["push - drag*x'", "pressure*area*cos(t/period)", "turn_by*sin(rate*t)",
                 "power/speed*radius"]
)toml";
  static constexpr const char* newtonian = R"toml(
mass_matrix = [["mass", 0, 0, 0], [0, "mass", 0, 0], [0, 0, "inertia", 0],
               [0, 0, 0, "share*inertia"]]
force = ["push - drag*x' + mass*gravity*sin(slope)", "pressure*area*cos(t/period) - spring*y",
         "turn_by*sin(rate*t) - twist*phi", "power/speed*radius"]
)toml";

  Given given(const std::string& name, const Table& table) {
    const double si = std::uniform_real_distribution<double>(0.5, 1.5)(numbers_);
    const auto which = std::uniform_int_distribution<std::size_t>(0, table.size() - 1)(numbers_);
    return {name, si, table[which], table.front().unit};
  }
  /// A number of start_rate is in the unit of its coordinate per second.
  std::string start_rate(std::size_t k, Written how) const {
    const double number = velocities_[k].si;
    return fmt::format("start_rate = {:.17g}",
                       how == Written::in_si ? number : number / coordinates_[k].unit.value);
  }

  std::mt19937 numbers_;
  bool named_velocities_;
  std::vector<Given> parameters_, coordinates_, velocities_;
};

/// q and v at the start and at the end, and the multiplier at the end.
VectorXd motion_of(const std::string& toml) {
  const SystemEntry entry = entry_of(system_text_in(toml, "random.toml"));
  const System system = entry.make(entry.default_values());
  const InitialState start = entry.start(entry.default_values());
  const InitialState end = test::rigid_integration(system, start, 0.25, 10);
  const VectorXd multiplier =
      solve_kkt<double>(system, contact_basis(system, end.q), end.q, end.v, 0.25).multiplier;
  VectorXd all(2 * (start.q.size() + start.v.size()) + multiplier.size());
  all << start.q, start.v, end.q, end.v, multiplier;
  return all;
}

TEST(GivenUnits, LeaveTheMotionAsItIsInSi) {
  // A number x/f is printed with 17 digits and multiplied by f again: division, product and the
  // factors of both tables are each rounded, at most five times by 1.1e-16. The motion depends on
  // 25 such numbers of order 1, over a short time with sensitivities of order 1: all of one sign,
  // the errors would add to 25 * 5.5e-16 = 1.4e-14; signs differ, and 1e-14 is the bound.
  constexpr double tolerance = 1e-14;
  double farthest = 0.0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const RandomSystem system(seed);
    const VectorXd si = motion_of(system.toml(Written::in_si));
    const VectorXd own = motion_of(system.toml(Written::in_unit));
    ASSERT_EQ(si.size(), own.size());
    const double scale = std::max(1.0, si.cwiseAbs().maxCoeff());
    const double distance = (own - si).cwiseAbs().maxCoeff() / scale;
    EXPECT_LE(distance, tolerance) << system.toml(Written::in_unit);
    farthest = std::max(farthest, distance);
    // Negative control: the number of a unit as a number of SI.
    const VectorXd wrong = motion_of(system.toml(Written::wrongly));
    EXPECT_FALSE((wrong - si).cwiseAbs().maxCoeff() / scale <= 1e-6) << seed;
  }
  RecordProperty("farthest", fmt::format("{:.3g}", farthest));
}

constexpr const char* wheel = R"toml(
name = "wheel"
coordinates = [
  {name = "x", unit = "mm", start = "radius", start_rate = "radius*spin"},
  {name = "turn", unit = "deg", start = 90, start_rate = 0, above = -180, below = 180},
]
kinetic_coenergy = "mass/2*x'^2 + mass*radius^2/4*turn'^2"
potential = "-mass*gravity*sin(slope)*x"
constraint = [{row = "x' - radius*turn'", name = "slip", unit = "cm/min"}]
[parameters]
mass = {default = 2000.0, unit = "g", above = 0}
radius = {default = 150.0, unit = "mm", above = 0, below = 1000}
gravity = {default = 9.81, unit = "m/s^2"}
slope = {default = 20.0, unit = "deg", min = -90, max = 90}
spin = {default = 0.0, unit = "rpm"}
)toml";

TEST(GivenUnits, GiveTheForceOfASlopeInDegrees) {
  // A disc on a slope: Λ = m g sin(slope)/3.
  const SystemEntry entry = entry_of(system_text_in(wheel, "wheel.toml"));
  const System system = entry.make(entry.default_values());
  const InitialState start = entry.start(entry.default_values());
  const double force =
      solve_kkt<double>(system, contact_basis(system, start.q), start.q, start.v, 0.0)
          .multiplier(0);
  EXPECT_NEAR(std::abs(force), 2.0 * 9.81 * std::sin(20.0 * degree) / 3.0, 1e-14);
  EXPECT_NEAR(std::abs(force), 2.2368, 5e-5);
}

TEST(GivenUnits, TakeAStartThatIsANumberInItsUnitAndAFormulaInSi) {
  const SystemEntry entry = entry_of(system_text_in(wheel, "wheel.toml"));
  const std::vector<double> values{2000.0, 150.0, 9.81, 20.0, 30.0};
  const InitialState start = entry.start(values);
  EXPECT_DOUBLE_EQ(start.q(0), 0.15);                     // "radius", in m
  EXPECT_DOUBLE_EQ(start.q(1), std::numbers::pi / 2.0);   // 90 deg
  EXPECT_DOUBLE_EQ(start.v(0), 0.15 * std::numbers::pi);  // 30 rpm are π rad/s
}

TEST(GivenUnits, ReachEachConsumerWithTheirNumbers) {
  const SystemInfo info = entry_of(system_text_in(wheel, "wheel.toml")).info;
  EXPECT_EQ(info.coordinates[0].unit, "m");
  EXPECT_EQ(info.coordinates[1].unit, "rad");
  EXPECT_EQ(info.coordinates[1].given_unit, "deg");
  EXPECT_EQ(info.velocities[1].unit, "rad/s");
  EXPECT_EQ(info.velocities[1].given_unit, "deg/s");
  EXPECT_EQ(info.contacts[0].unit, "m/s");
  EXPECT_DOUBLE_EQ(info.coordinates[1].range.high, std::numbers::pi);
  const SystemEntry entry = entry_of(system_text_in(wheel, "wheel.toml"));
  EXPECT_EQ(entry.parameters[3].unit, "deg");
  EXPECT_EQ(entry.parameters[3].default_value, 20.0);
}

TEST(GivenUnits, LeaveTheDerivativeByAParameterInTheUnitOfTheParameter) {
  // dF/dslope of the force m g sin(slope) along x: per degree, it is a degree times that per rad.
  const SystemEntry entry = entry_of(system_text_in(wheel, "wheel.toml"));
  const System family = family_of(entry, entry.default_values(), {3});
  ASSERT_EQ(family.nq, 3);
  const auto force_at = [&](double slope) {
    VectorXd force(family.n);
    family.in<double>().force(Eigen::Vector3d(0.0, 0.0, slope), VectorXd::Zero(family.n), 0.0,
                              force);
    return force(0);
  };
  // A central difference over 1e-3 deg has the error h²/6·degree³, 1e-12 of the value.
  const double h = 1e-3;
  EXPECT_NEAR((force_at(20.0 + h) - force_at(20.0 - h)) / (2.0 * h),
              2.0 * 9.81 * std::cos(20.0 * degree) * degree, 1e-9);
}

}  // namespace
}  // namespace rigidlimit
