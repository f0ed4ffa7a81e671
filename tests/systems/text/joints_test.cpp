// Tests joints by name: the rows that they write, and the motions of bodies with them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "support/central_difference.hpp"
#include "support/rigid_integration.hpp"

namespace rigidlimit {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string without_line_ends(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

SystemEntry entry_in_text(const std::string& text) {
  return entry_of(system_text_in(text, "bodies.toml"));
}
System system_in_text(const std::string& text) {
  const SystemEntry entry = entry_in_text(text);
  return entry.make(entry.default_values());
}

std::vector<std::string> names_of_rows(const std::string& text) {
  std::vector<std::string> names;
  for (const auto& row : system_text_in(text, "bodies.toml").constraint)
    names.push_back(row.name + " " + row.unit);
  return names;
}

VectorXd positions_at(const System& system, const VectorXd& q) {
  VectorXd g(system.np);
  system.in<double>().positions(q, g);
  return g;
}
MatrixXd rows_at(const System& system, const VectorXd& q) {
  MatrixXd rows(system.ne + system.m, system.n);
  system.in<double>().constraints(q, rows);
  return rows;
}

/// The message about a text; empty: it is accepted.
std::string refusal_in_text(const std::string& text) {
  try {
    system_in_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// In the plane

/// A point and two bodies in the plane. `joints` are inline tables, written on line 11.
std::string in_plane(const std::string& joints, const std::string& bodies = "") {
  std::string coordinates;
  for (const char* name : {"x1", "y1", "a1", "x2", "y2", "a2", "x3", "y3"})
    coordinates += fmt::format("{{name = \"{}\", unit = \"{}\", start = 0.1, start_rate = 0}}, ",
                               name, name[0] == 'a' ? "rad" : "m");
  return fmt::format(R"toml(name = "bodies"
coordinates = [{}]
kinetic_coenergy = "mass*(x1'^2 + y1'^2 + x2'^2 + y2'^2 + x3'^2 + y3'^2) + inertia*(a1'^2 + a2'^2)"
potential = "0"
bodies = [
  {{name = "crank", position = ["x1", "y1"], angle = "a1"}},
  {{name = "rocker", position = ["x2", "y2"], angle = "a2"}},
  {{name = "bob", position = ["x3", "y3"]}},
  {}
]
joints = [{}]
[parameters]
mass = {{default = 1.0, unit = "kg"}}
inertia = {{default = 1.0, unit = "kg m^2"}}
length = {{default = 0.7, unit = "m"}}
tilt = {{default = 0.4, unit = "rad"}}
)toml",
                     coordinates, bodies, without_line_ends(joints));
}

/// The point of a body in the plane, of q.
Vector2d point_of(const VectorXd& q, Index first, double x, double y) {
  return q.segment<2>(first) + Eigen::Rotation2Dd(q(first + 2)) * Vector2d(x, y);
}

/// The positions of the joints are these functions of q, in random states, and the rows their
/// derivatives.
template <class Wanted>
void expect_rows(const std::string& joints, const std::vector<std::string>& names,
                 const Wanted& wanted) {
  SCOPED_TRACE(joints);
  const std::string text = in_plane(joints);
  EXPECT_EQ(names_of_rows(text), names);
  const System system = system_in_text(text);
  std::minstd_rand random(5);
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  for (int k = 0; k < 10; ++k) {
    const VectorXd q = VectorXd::NullaryExpr(8, [&] { return any(random); });
    const std::function<VectorXd(const VectorXd&)> g = [&](const VectorXd& at) -> VectorXd {
      return wanted(at);
    };
    EXPECT_LT((positions_at(system, q) - g(q)).cwiseAbs().maxCoeff(), 1e-14);
    const test::NumericalDerivative G = test::central_jacobian(g, q, 0.01);
    EXPECT_LT((rows_at(system, q) - G.value).cwiseAbs().maxCoeff(), G.bound + 1e-13);
  }
}

TEST(PlanarJoints, WriteTheirRows) {
  expect_rows(R"joint({name = "p", kind = "pin", child = "crank", child_anchor = ["-length/2", 0.2],
                   parent_anchor = [1.5, -1]})joint",
              {"p.x m", "p.y m"}, [](const VectorXd& q) -> VectorXd {
                return point_of(q, 0, -0.35, 0.2) - Vector2d(1.5, -1.0);
              });
  expect_rows(R"joint({kind = "weld", parent = "crank", child = "rocker", offset = "tilt",
                   parent_anchor = ["length", 0]})joint",
              {"joint1.x m", "joint1.y m", "joint1.angle rad"}, [](const VectorXd& q) -> VectorXd {
                const Vector2d d = q.segment<2>(3) - point_of(q, 0, 0.7, 0.0);
                return Vector3d(d.x(), d.y(), q(5) - q(2) - 0.4);
              });
  expect_rows(R"joint({kind = "slider", parent = "crank", child = "rocker", parent_axis = [3, 4],
                   child_anchor = [0, "length"], offset = -0.2})joint",
              {"joint1.across m", "joint1.angle rad"}, [](const VectorXd& q) -> VectorXd {
                const Vector2d d = point_of(q, 3, 0.0, 0.7) - q.head<2>();
                const Vector2d local = Eigen::Rotation2Dd(-q(2)) * d;
                return Vector2d(0.6 * local.y() - 0.8 * local.x(), q(5) - q(2) + 0.2);
              });
  expect_rows(
      R"joint({kind = "slider", child = "rocker", parent_axis = ["2*cos(tilt)", "2*sin(tilt)"]
})joint",
      {"joint1.across m", "joint1.angle rad"}, [](const VectorXd& q) -> VectorXd {
        return Vector2d(std::cos(0.4) * q(4) - std::sin(0.4) * q(3), q(5));
      });
  expect_rows(R"joint({kind = "distance", parent = "crank", child = "bob", length = "length",
                   parent_anchor = [0, -0.5]})joint",
              {"joint1.length m"}, [](const VectorXd& q) -> VectorXd {
                const Vector2d d = q.tail<2>() - point_of(q, 0, 0.0, -0.5);
                return VectorXd::Constant(1, d.norm() - 0.7);
              });
  expect_rows(
      R"joint({kind = "gear", parent = "crank", child = "rocker", ratio = 1.5, offset = 0.1})joint",
      {"joint1.angle rad"},
      [](const VectorXd& q) -> VectorXd { return VectorXd::Constant(1, q(5) + 1.5 * q(2) - 0.1); });
  expect_rows(R"joint({kind = "screw", parent = "crank", child = "rocker", pitch = "-length",
                   parent_axis = [0, 2], parent_anchor = [0.1, 0.2], offset = 0.3})joint",
              {"joint1.along m"}, [](const VectorXd& q) -> VectorXd {
                const Vector2d local = Eigen::Rotation2Dd(-q(2)) * (q.segment<2>(3) - q.head<2>()) -
                                       Vector2d(0.1, 0.2);
                return VectorXd::Constant(1, local.y() + 0.7 * (q(5) - q(2)) - 0.3);
              });
}

TEST(PlanarJoints, WithAnAnchorAtTheOtherEndAreOthers) {  // negative control
  const auto pin = [](const char* anchor) {
    return system_in_text(in_plane(fmt::format(
        R"joint({{kind = "pin", child = "crank", child_anchor = ["{}", 0]}})joint", anchor)));
  };
  const VectorXd q = VectorXd::LinSpaced(8, 0.1, 0.8);
  const VectorXd difference = positions_at(pin("length/2"), q) - positions_at(pin("-length/2"), q);
  EXPECT_NEAR(difference.norm(), 0.7, 1e-15);
}

/// A uniform bar of 1 m, horizontal at rest: a'^2 = −(3 g/L) sin a.
std::string bar_pendulum(const std::string& joint) {
  return R"toml(name = "bar"
coordinates = [{name = "x", unit = "m", start = 0.5, start_rate = 0},
  {name = "y", unit = "m", start = 0, start_rate = 0},
  {name = "a", unit = "rad", start = 0, start_rate = 0}]
kinetic_coenergy = "mass/2*(x'^2 + y'^2 + length^2*a'^2/12)"
potential = "mass*gravity*y"
)toml" + joint +
         R"toml(
[parameters]
mass = {default = 2.0, unit = "kg"}
length = {default = 1.0, unit = "m"}
gravity = {default = 9.81, unit = "m/s^2"}
)toml";
}

TEST(PlanarJoints, APinOfABarIsTheCompoundPendulum) {
  const SystemEntry entry = entry_in_text(bar_pendulum(
      "bodies = [{name = \"bar\", position = [\"x\", \"y\"], angle = \"a\"}]\njoints = "
      "[{kind = \"pin\", child = \"bar\", child_anchor = [\"-length/2\", 0]}]"));
  const std::vector<double> values = entry.default_values();
  double largest = 0.0;
  test::rigid_integration(entry.make(values), entry.start(values), 1.0, 100,
                          [&](double, const InitialState& state) {
                            const double a = state.q(2), rate = state.v(2);
                            EXPECT_NEAR(rate * rate, -3.0 * 9.81 * std::sin(a), 1e-9);
                            EXPECT_NEAR(state.q(0), 0.5 * std::cos(a), 1e-10);
                            largest = std::max(largest, std::abs(a));
                          });
  EXPECT_GT(largest, 2.0) << "it swings through";
}

/// The four-bar of 1, 3 and 2.5 m with the pivots at 0 and (2.5 m, 0), 1 kg/m, from the crank at 1
/// rad.
std::string four_bar(const std::string& joints) {
  return R"toml(name = "four_bar"
coordinates = [
  {name = "x1", unit = "m", start = "cos(crank0)/2", start_rate = 0},
  {name = "y1", unit = "m", start = "sin(crank0)/2", start_rate = 0},
  {name = "a1", unit = "rad", start = "crank0", start_rate = 0},
  {name = "x2", unit = "m", start = "(elbow0.x + wrist0.x)/2", start_rate = 0},
  {name = "y2", unit = "m", start = "(elbow0.y + wrist0.y)/2", start_rate = 0},
  {name = "a2", unit = "rad", start = "atan2(wrist0.y - elbow0.y, wrist0.x - elbow0.x)", start_rate = 0},
  {name = "x3", unit = "m", start = "(base + wrist0.x)/2", start_rate = 0},
  {name = "y3", unit = "m", start = "wrist0.y/2", start_rate = 0},
  {name = "a3", unit = "rad", start = "rocker0", start_rate = 0}]
kinetic_coenergy = "(bar1*(x1'^2 + y1'^2 + bar1^2*a1'^2/12) + bar2*(x2'^2 + y2'^2 + bar2^2*a2'^2/12) + bar3*(x3'^2 + y3'^2 + bar3^2*a3'^2/12))/2"
potential = "9.81*(bar1*y1 + bar2*y2 + bar3*y3)"
)toml" + joints +
         R"toml(
[let]
elbow0 = "[bar1*cos(crank0), bar1*sin(crank0), 0]"
reach = "elbow0 - [base, 0, 0]"
rocker0 = "atan2(reach.y, reach.x) - acos((dot(reach, reach) + bar3^2 - bar2^2)/(2*bar3*norm(reach)))"
wrist0 = "[base + bar3*cos(rocker0), bar3*sin(rocker0), 0]"
[parameters]
bar1 = {default = 1.0, unit = "m"}
bar2 = {default = 3.0, unit = "m"}
bar3 = {default = 2.5, unit = "m"}
base = {default = 2.5, unit = "m"}
crank0 = {default = 1.0, unit = "rad"}
)toml";
}

std::string four_bar_of_pins(const std::string& first_anchor) {
  return four_bar(fmt::format(R"toml(
[[bodies]]
name = "crank"
position = ["x1", "y1"]
angle = "a1"
[[bodies]]
name = "coupler"
position = ["x2", "y2"]
angle = "a2"
[[bodies]]
name = "rocker"
position = ["x3", "y3"]
angle = "a3"
[[joints]]
kind = "pin"
child = "crank"
child_anchor = ["{}", 0]
[[joints]]
kind = "pin"
parent = "crank"
parent_anchor = ["bar1/2", 0]
child = "coupler"
child_anchor = ["-bar2/2", 0]
[[joints]]
kind = "pin"
parent = "coupler"
parent_anchor = ["bar2/2", 0]
child = "rocker"
child_anchor = ["bar3/2", 0]
[[joints]]
kind = "pin"
parent_anchor = ["base", 0]
child = "rocker"
child_anchor = ["-bar3/2", 0])toml",
                              first_anchor));
}

TEST(PlanarJoints, AFourBarOfPinsMovesAsThatOfRows) {
  const SystemEntry pins = entry_in_text(four_bar_of_pins("-bar1/2")),
                    rows = entry_in_text(four_bar(R"toml(constraint_position = [
  {value = "x1 - bar1/2*cos(a1)"}, {value = "y1 - bar1/2*sin(a1)"},
  {value = "x1 + bar1/2*cos(a1) - x2 + bar2/2*cos(a2)"},
  {value = "y1 + bar1/2*sin(a1) - y2 + bar2/2*sin(a2)"},
  {value = "x2 + bar2/2*cos(a2) - x3 - bar3/2*cos(a3)"},
  {value = "y2 + bar2/2*sin(a2) - y3 - bar3/2*sin(a3)"},
  {value = "x3 - bar3/2*cos(a3) - base"}, {value = "y3 - bar3/2*sin(a3)"}])toml"));
  const std::vector<double> values = pins.default_values();
  const System of_pins = pins.make(values), of_rows = rows.make(values);
  const InitialState start = pins.start(values);
  EXPECT_LT(positions_at(of_pins, start.q).cwiseAbs().maxCoeff(), 1e-15);
  std::vector<InitialState> first, second;
  test::rigid_integration(of_pins, start, 1.0, 50,
                          [&](double, const InitialState& s) { first.push_back(s); });
  test::rigid_integration(of_rows, start, 1.0, 50,
                          [&](double, const InitialState& s) { second.push_back(s); });
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_LT((first[k].q - second[k].q).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT((first[k].v - second[k].v).cwiseAbs().maxCoeff(), 1e-11);
  }
  EXPECT_GT((first.back().q - start.q).norm(), 1.0) << "it moves";
  EXPECT_NEAR(positions_at(system_in_text(four_bar_of_pins("bar1/2")), start.q).norm(), 1.0, 1e-15)
      << "negative control: the other end of the crank";
}

/// Two wheels on fixed axles, the first with a torque of 1 N m: (I1 + r^2 I2) a1'' = 1.
TEST(PlanarJoints, AGearKeepsTheRatioOfTheRates) {
  const auto end_of = [](double ratio) {
    const SystemEntry entry = entry_in_text(fmt::format(
        R"toml(name = "gears"
coordinates = [{{name = "x", start = 0, start_rate = 0}}, {{name = "y", start = 0, start_rate = 0}},
  {{name = "a1", start = 0, start_rate = 0}}, {{name = "a2", start = 0, start_rate = 0}}]
kinetic_coenergy = "(x'^2 + y'^2 + 0.5*a1'^2 + 2*a2'^2)/2"
potential = "0"
applied_force = [0, 0, 1, 0]
bodies = [{{name = "small", position = ["x", "y"], angle = "a1"}},
          {{name = "large", position = [1, 0], angle = "a2"}}]
joints = [{{kind = "pin", child = "small"}},
          {{kind = "gear", parent = "small", child = "large", ratio = {}}}]
)toml",
        ratio));
    return test::rigid_integration(entry.make({}), entry.start({}), 1.0, 20);
  };
  const InitialState end = end_of(0.5);
  EXPECT_NEAR(end.v(2), 1.0, 1e-13);  // 1/(0.5 + 0.25*2)
  EXPECT_NEAR(end.v(3), -0.5, 1e-13) << "wheels outside each other turn in opposite senses";
  EXPECT_NEAR(end_of(-0.5).v(3), 0.5, 1e-13) << "negative control: the other sign";
  EXPECT_NEAR(end_of(2.0).v(3), -2.0 / 8.5, 1e-13) << "negative control: the other ratio";
}

// In space

/// Two bodies and a point in space with Euler parameters: q = (x, y, z, e0 … e3) twice, then the
/// point; v = (x', y', z', w1, w2, w3) twice, w in the body, then the point.
std::string in_space(const std::string& joints) {
  std::string coordinates, velocities;
  for (const char* body : {"p", "c"}) {
    const auto placed = [body](const char* text) {
      std::string made;
      for (const char* c = text; *c != '\0'; ++c)
        if (*c == '$')
          made += body;
        else
          made += *c;
      return made;
    };
    coordinates += placed(R"toml(
  {name = "$x", unit = "m", start = 0.1}, {name = "$y", unit = "m", start = 0.1},
  {name = "$z", unit = "m", start = 0.1},
  {name = "$0", start = 1, rate = "-($1*$w1 + $2*$w2 + $3*$w3)/2"},
  {name = "$1", start = 0, rate = "($0*$w1 + $2*$w3 - $3*$w2)/2"},
  {name = "$2", start = 0, rate = "($0*$w2 + $3*$w1 - $1*$w3)/2"},
  {name = "$3", start = 0, rate = "($0*$w3 + $1*$w2 - $2*$w1)/2"},)toml");
    velocities += placed(R"toml(
  {name = "$x'", unit = "m/s", start = 0}, {name = "$y'", unit = "m/s", start = 0},
  {name = "$z'", unit = "m/s", start = 0}, {name = "$w1", unit = "rad/s", start = 0},
  {name = "$w2", unit = "rad/s", start = 0}, {name = "$w3", unit = "rad/s", start = 0},)toml");
  }
  for (const char* name : {"x", "y", "z"}) {
    coordinates += fmt::format("\n  {{name = \"{}\", unit = \"m\", start = 0.2}},", name);
    velocities += fmt::format("\n  {{name = \"{}'\", unit = \"m/s\", start = 0}},", name);
  }
  return fmt::format(R"toml(name = "space"
coordinates = [{}]
velocities = [{}]
kinetic_coenergy = "mass*(px'^2 + py'^2 + pz'^2 + cx'^2 + cy'^2 + cz'^2 + x'^2 + y'^2 + z'^2) + inertia*(pw1^2 + pw2^2 + pw3^2 + cw1^2 + cw2^2 + cw3^2)"
potential = "0"
invariants = ["p0^2 + p1^2 + p2^2 + p3^2 - 1", "c0^2 + c1^2 + c2^2 + c3^2 - 1"]
bodies = [
  {{name = "frame", position = ["px", "py", "pz"], orientation = ["p0", "p1", "p2", "p3"]}},
  {{name = "arm", position = ["cx", "cy", "cz"], orientation = ["c0", "c1", "c2", "c3"]}},
  {{name = "bob", position = ["x", "y", "z"]}}]
joints = [{}]
[parameters]
mass = {{default = 1.0, unit = "kg"}}
inertia = {{default = 1.0, unit = "kg m^2"}}
length = {{default = 0.7, unit = "m"}}
tilt = {{default = 0.4, unit = "rad"}}
)toml",
                     coordinates, velocities, without_line_ends(joints));
}

Quaterniond orientation_in(const VectorXd& q, Index first) {
  return {q(first + 3), q(first + 4), q(first + 5), q(first + 6)};
}
Vector3d point_in(const VectorXd& q, Index first, const Vector3d& anchor) {
  return q.segment<3>(first) + orientation_in(q, first) * anchor;
}

class RandomPlaces {
 public:
  VectorXd operator()() {
    VectorXd q = VectorXd::NullaryExpr(17, [this] { return any_(random_); });
    for (const Index first : {3, 10}) q.segment<4>(first).normalize();
    return q;
  }

 private:
  std::minstd_rand random_{11};
  std::uniform_real_distribution<double> any_{-1.5, 1.5};
};

/// The rows are the rates of the positions along each velocity: q' = T v.
void expect_rates(const System& system, const VectorXd& q) {
  const MatrixXd G = rows_at(system, q);
  for (Index k = 0; k < system.n; ++k) {
    VectorXd rate(system.nq);
    system.in<double>().coordinate_rate(q, VectorXd::Unit(system.n, k), rate);
    const test::NumericalDerivative wanted = test::central_difference(
        [&](double s) -> VectorXd { return positions_at(system, q + s * rate); }, 0.0, 0.01);
    EXPECT_LT((G.col(k) - wanted.value).cwiseAbs().maxCoeff(), wanted.bound + 1e-13);
  }
}

TEST(SpatialJoints, AHingeHasItsRows) {
  const std::string text = in_space(
      R"joint({name = "h", kind = "hinge", parent = "frame", child = "arm", parent_axis = [0, 0, 2],
          child_axis = [1, 2, -2], parent_anchor = ["length", 0, 0.1], child_anchor = [0, -1, 0]})joint");
  EXPECT_THAT(names_of_rows(text),
              ElementsAre("h.x m", "h.y m", "h.z m", "h.axis1 1", "h.axis2 1"));
  const System system = system_in_text(text);
  RandomPlaces place;
  for (int k = 0; k < 10; ++k) {
    const VectorXd q = place(), g = positions_at(system, q);
    const Vector3d d = point_in(q, 7, {0, -1, 0}) - point_in(q, 0, {0.7, 0, 0.1});
    const Vector3d u = orientation_in(q, 7) * Vector3d(1, 2, -2) / 3.0;
    EXPECT_LT((g.head<3>() - d).norm(), 1e-14);
    EXPECT_NEAR(g(3), (orientation_in(q, 0) * Vector3d::UnitX()).dot(u), 1e-14);
    EXPECT_NEAR(g(4), (orientation_in(q, 0) * Vector3d::UnitY()).dot(u), 1e-14);
    expect_rates(system, q);
  }
}

/// In whatever directions across the axis, the two rows have the length sin of the angle between
/// the axes. On g = 0 the rank is 5, and the free velocity is the rotation about the axis.
TEST(SpatialJoints, AHingeAboutAnyAxisLeavesItsRotation) {
  for (const auto& [axis, text] :
       {std::pair(Vector3d(0.0, 0.6, -0.8), "[0, 3, -4]"),
        std::pair(Vector3d(0, 0, -1), "[0, 0, -1]"),
        std::pair(Vector3d(std::cos(0.4), 0.0, std::sin(0.4)), "[\"cos(tilt)\", 0, \"sin(tilt)\"]"),
        std::pair(Vector3d(std::sin(0.4), 0.0, -std::cos(0.4)),
                  "[\"sin(tilt)*3\", 0, \"-cos(tilt)*3\"]")}) {
    SCOPED_TRACE(text);
    const System system = system_in_text(in_space(fmt::format(
        R"joint({{kind = "hinge", parent = "frame", child = "arm", parent_axis = {}}})joint",
        text)));
    RandomPlaces place;
    for (int k = 0; k < 5; ++k) {
      VectorXd q = place();
      const VectorXd g = positions_at(system, q);
      const Vector3d parent = orientation_in(q, 0) * axis, child = orientation_in(q, 7) * axis;
      EXPECT_NEAR(g.tail<2>().norm(), parent.cross(child).norm(), 1e-14);
      expect_rates(system, q);
      // Closed, turned by an angle about the axis.
      const Quaterniond turned =
          orientation_in(q, 0) * Quaterniond(Eigen::AngleAxisd(0.3 + k, axis));
      q.segment<3>(7) = q.head<3>();
      q.segment<4>(10) << turned.w(), turned.vec();
      EXPECT_LT(positions_at(system, q).norm(), 1e-14);
      const MatrixXd G = rows_at(system, q);
      EXPECT_GT(G.jacobiSvd().singularValues()(4), 0.5) << "rank 5";
      VectorXd free = VectorXd::Zero(system.n);
      free.segment<3>(9) = axis;
      EXPECT_LT((G * free).norm(), 1e-14);
      free.segment<3>(9) = axis.unitOrthogonal();
      EXPECT_GT((G * free).norm(), 0.5) << "negative control: a rotation across the axis";
    }
  }
}

TEST(SpatialJoints, ABallAndADistanceHaveTheirRows) {
  const System ball = system_in_text(in_space(
      R"joint({kind = "ball", child = "arm", parent_anchor = [1, 2, 3], child_anchor = [0, "length", 0]})joint"));
  const System rod = system_in_text(in_space(
      R"joint({kind = "distance", parent = "arm", child = "bob", length = "length", parent_anchor = [0, 0, 1]})joint"));
  RandomPlaces place;
  for (int k = 0; k < 5; ++k) {
    const VectorXd q = place();
    EXPECT_LT((positions_at(ball, q) - point_in(q, 7, {0, 0.7, 0}) + Vector3d(1, 2, 3)).norm(),
              1e-14);
    EXPECT_NEAR(positions_at(rod, q)(0), (q.tail<3>() - point_in(q, 7, {0, 0, 1})).norm() - 0.7,
                1e-14);
    expect_rates(ball, q);
    expect_rates(rod, q);
  }
}

/// θ of a child that is turned by φ about n from the orientation o is 2 sin(φ/2) n in the parent.
TEST(SpatialJoints, AWeldAndASliderMeasureTheRotationFromTheirOrientation) {
  const std::string of_two =
      R"joint(parent = "frame", child = "arm", orientation = [3, 0, 4, 0])joint";
  const System weld = system_in_text(in_space("{kind = \"weld\", " + of_two + "}"));
  const System slider =
      system_in_text(in_space("{kind = \"slider\", parent_axis = [2, 0, 0], " + of_two + "}"));
  const System fixed = system_in_text(in_space(R"joint({kind = "weld", child = "arm"})joint"));
  EXPECT_EQ(weld.np, 6);
  EXPECT_EQ(slider.np, 5);
  const Vector3d n = Vector3d(1.0, -2.0, 2.0) / 3.0;
  RandomPlaces place;
  for (const double angle : {0.0, 1e-3, -0.7, 2.0}) {
    VectorXd q = place();
    const Quaterniond turn(Eigen::AngleAxisd(angle, n)), parent = orientation_in(q, 0);
    const auto set = [&q](const Quaterniond& e) { q.segment<4>(10) << e.w(), e.vec(); };
    set(parent * turn * Quaterniond(0.6, 0.0, 0.8, 0.0));
    const Vector3d wanted = 2.0 * std::sin(angle / 2) * n;
    EXPECT_LT((positions_at(weld, q).tail<3>() - wanted).norm(), 1e-14);
    EXPECT_LT((positions_at(slider, q).tail<3>() - wanted).norm(), 1e-14);
    const Vector3d d = q.segment<3>(7) - q.head<3>();
    EXPECT_LT((positions_at(weld, q).head<3>() - d).norm(), 1e-14);
    const double along = d.dot(parent * Vector3d::UnitX());
    EXPECT_NEAR(positions_at(slider, q).head<2>().squaredNorm(), d.squaredNorm() - along * along,
                1e-13);
    expect_rates(weld, q);
    expect_rates(slider, q);
    set(turn);
    EXPECT_LT((positions_at(fixed, q).tail<3>() - wanted).norm(), 1e-14);
    EXPECT_GT(positions_at(weld, q).tail<3>().norm(), 1e-3) << "negative control";
  }
}

// Wrong texts

TEST(Joints, ThatAreWrongAreRefusedWithPlaceKeyAndValue) {
  const auto of = [](const std::string& joint) { return refusal_in_text(in_plane(joint)); };
  const auto in_place = [](const char* key, const char* value) {
    return AllOf(HasSubstr("bodies.toml:11:"), HasSubstr(std::string("joints[0].") + key),
                 HasSubstr(value));
  };
  EXPECT_EQ(of(R"joint({kind = "pin", parent = "rocker", child = "crank"})joint"), "")
      << "negative control";
  EXPECT_THAT(of(R"joint({kind = "pin", parent = "crank", child = "crank"})joint"),
              in_place("child", "crank"));
  EXPECT_THAT(of(R"joint({kind = "pin", child = "rockr"})joint"), in_place("child", "'rocker'"));
  EXPECT_THAT(of(R"joint({kind = "pin", parent = "grund", child = "crank"})joint"),
              in_place("parent", "'ground'"));
  EXPECT_THAT(of(R"joint({kind = "pin", child = "ground"})joint"), in_place("child", "ground"));
  EXPECT_THAT(of(R"joint({kind = "slidr", child = "crank"})joint"), in_place("kind", "'slider'"));
  EXPECT_THAT(of(R"joint({kind = "hinge", child = "crank", parent_axis = [0, 1]})joint"),
              in_place("kind", "pin"));
  EXPECT_THAT(of(R"joint({kind = "pin", child = "crank", child_anchor = [1, 0, 0]})joint"),
              in_place("child_anchor", "2"));
  EXPECT_THAT(of(R"joint({kind = "slider", child = "crank", parent_axis = [0, 0]})joint"),
              in_place("parent_axis", "[0, 0]"));
  EXPECT_THAT(of(R"joint({kind = "slider", child = "crank"})joint"),
              in_place("parent_axis", "missing"));
  EXPECT_THAT(of(R"joint({kind = "distance", child = "bob"})joint"), in_place("length", "missing"));
  EXPECT_THAT(of(R"joint({kind = "distance", child = "bob", length = 0})joint"),
              in_place("length", "= 0"));
  EXPECT_THAT(of(R"joint({kind = "pin", child = "crank", ratio = 2})joint"),
              in_place("ratio", "gear"));
  EXPECT_THAT(of(R"joint({kind = "gear", child = "crank", ratio = 2})joint"),
              in_place("kind", "parent"));
  EXPECT_THAT(of(R"joint({kind = "weld", child = "bob"})joint"), in_place("child", "angle"));
  EXPECT_THAT(of(R"joint({kind = "pin", child = "bob", child_anchor = [1, 0]})joint"),
              in_place("child_anchor", "angle"));
  EXPECT_THAT(of(R"joint({kind = "weld", child = "crank", orientation = [1, 0, 0, 0]})joint"),
              in_place("orientation", "offset"));
  EXPECT_THAT(of(R"joint({kind = "pin", child = "crank", child_anchor = ["lenght", 0]})joint"),
              in_place("child_anchor[0]", "'lenght'"));
  EXPECT_THAT(of(R"joint({kind = "pin", child = "crank", child_anchor = ["tilt", 0]})joint"),
              in_place("child_anchor[0]", "rad"));
  EXPECT_THAT(
      of(R"joint({kind = "pin", child = "crank", child_anchor = ["length + mass", 0]})joint"),
      in_place("child_anchor[0]", "kg"));
  EXPECT_THAT(of(R"joint({kind = "gear", parent = "bob", child = "crank", ratio = 2})joint"),
              in_place("parent", "angle"));
  EXPECT_THAT(
      of(R"joint({kind = "screw", child = "crank", parent_axis = [1, 0], pitch = "mass"})joint"),
      in_place("pitch", "kg"));
  EXPECT_THAT(of(R"joint({name = "a", kind = "pin", child = "crank"}, {name = "a", kind = "pin",
                     child = "rocker"})joint"),
              AllOf(HasSubstr("bodies.toml:11:"), HasSubstr("joints[1].name")));
}

TEST(Joints, InSpaceRefuseThoseOfThePlane) {
  const auto of = [](const char* joint) { return refusal_in_text(in_space(joint)); };
  EXPECT_EQ(of(R"joint({kind = "ball", child = "arm"})joint"), "") << "negative control";
  EXPECT_THAT(of(R"joint({kind = "pin", child = "arm"})joint"),
              AllOf(HasSubstr("kind"), HasSubstr("hinge")));
  EXPECT_THAT(
      of(R"joint({kind = "screw", child = "arm", parent_axis = [0, 0, 1], pitch = 0.1})joint"),
      AllOf(HasSubstr("kind"), HasSubstr("constraint")));
  EXPECT_THAT(of(R"joint({kind = "gear", parent = "frame", child = "arm", ratio = 0.1})joint"),
              HasSubstr("kind"));
  EXPECT_THAT(of(R"joint({kind = "ball", child = "arm", child_anchor = [0, 1]})joint"),
              AllOf(HasSubstr("child_anchor"), HasSubstr("3")));
  EXPECT_THAT(of(R"joint({kind = "weld", child = "arm", offset = 1})joint"),
              HasSubstr("orientation"));
  EXPECT_THAT(of(R"joint({kind = "weld", child = "arm", orientation = [1, 0, 0]})joint"),
              AllOf(HasSubstr("orientation"), HasSubstr("4")));
}

TEST(Joints, OfWrongBodiesAreRefused) {
  const auto of = [](const char* body) {
    return refusal_in_text(in_plane(R"joint({kind = "pin", child = "crank"})joint", body));
  };
  EXPECT_EQ(of(R"joint({name = "rod", position = ["x3", "y3"], angle = "a2"})joint"), "");
  EXPECT_THAT(of(R"joint({name = "rod", position = ["x3", "y3", "a2"]})joint"),
              AllOf(HasSubstr("bodies.toml:9:"), HasSubstr("bodies[3].position"), HasSubstr("3")));
  EXPECT_THAT(
      of(R"joint({name = "rod", position = ["x3", "a2"]})joint"),
      AllOf(HasSubstr("bodies.toml:9:"), HasSubstr("bodies[3].position[1]"), HasSubstr("rad")));
  EXPECT_THAT(of(R"joint({name = "rod", position = ["x3", "y3"], angle = "x2"})joint"),
              AllOf(HasSubstr("bodies[3].angle"), HasSubstr("in m")));
  EXPECT_THAT(of(R"joint({name = "rod", position = ["x3", "y3"], angle = "a2'"})joint"),
              AllOf(HasSubstr("bodies[3].angle"), HasSubstr("a2'")));
  EXPECT_THAT(of(R"joint({name = "crank", position = ["x3", "y3"]})joint"),
              HasSubstr("bodies[3].name"));
  EXPECT_THAT(of(R"joint({name = "ground", position = ["x3", "y3"]})joint"),
              HasSubstr("bodies[3].name"));
  EXPECT_THAT(
      of(R"joint({name = "rod", position = ["x3", "y3"], orientation = [1, 0, 0, 0]})joint"),
      HasSubstr("bodies[3].orientation"));
  EXPECT_THAT(of(R"joint({name = "rod", angle = "a2"})joint"),
              AllOf(HasSubstr("bodies[3].position"), HasSubstr("missing")));
}

/// The description and the resolved text show the rows.
TEST(Joints, AreDescribedByTheirRows) {
  const SystemEntry entry = entry_in_text(in_plane(
      R"joint({name = "p", kind = "pin", child = "crank", child_anchor = ["-length/2", 0]})joint"));
  EXPECT_THAT(entry.info.equations, HasSubstr("g of p.x [m] = x1 - cos(a1)*length/2\n"));
  EXPECT_THAT(entry.info.equations, HasSubstr("g of p.y [m] = y1 - sin(a1)*length/2"));
  EXPECT_EQ(entry.info.contacts.at(1).name, "p.y");
}

}  // namespace
}  // namespace rigidlimit
