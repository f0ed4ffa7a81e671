// Tests vectors in the formulas of systems and problems: they are the components, written out.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/systems/text/system_text.hpp"
#include "support/random_numbers.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A particle in space whose velocity stays in a plane that turns.
struct Particle {
  std::string energy = "mass/2*dot(speed, speed)";
  std::string potential = "dot(weight, place)";
  std::string row = "dot(normal, speed)";
  std::string let =
      "place = \"[x, y, z]\"\nspeed = \"[x', y', z']\"\nweight = \"mass*[0, 0, gravity]\"\n"
      "normal = \"cross([sin(x/scale), cos(x/scale), 0], turned)\"\n"
      "turned = \"rotate(cos(tilt/2), sin(tilt/2), 0, 0, [0, 0, 1])\"\n";

  SystemEntry entry() const {
    return entry_of(system_text_in(
        "name = \"particle\"\n"
        "coordinates = [{name = \"x\", unit = \"m\", start = 0.1, start_rate = 0},\n"
        "  {name = \"y\", unit = \"m\", start = 0, start_rate = 0},\n"
        "  {name = \"z\", unit = \"m\", start = 0, start_rate = 0}]\nkinetic_coenergy = \"" +
            energy + "\"\npotential = \"" + potential + "\"\nconstraint = [\"" + row +
            "\"]\n[let]\n" + let +
            "[parameters]\nmass = {default = 2.0, unit = \"kg\"}\n"
            "gravity = {default = 9.81, unit = \"m/s^2\"}\n"
            "scale = {default = 0.7, unit = \"m\"}\ntilt = {default = 0.4, unit = \"rad\"}\n",
        "particle.toml"));
  }
};

/// Particle with the components of its vectors, in the order of operations of the definitions.
Particle written_out() {
  return {.energy = "mass/2*(x'*x' + (y'*y' + z'*z'))",
          .potential = "mass*gravity*z",
          .row = "n1*x' + (n2*y' + n3*z')",
          .let =
              "p0 = \"cos(tilt/2)\"\np1 = \"sin(tilt/2)\"\n"
              "t2 = \"-2*(p0*p1)\"\nt3 = \"p0*p0 - p1*p1\"\n"
              "n1 = \"cos(x/scale)*t3\"\nn2 = \"-sin(x/scale)*t3\"\nn3 = \"sin(x/scale)*t2\"\n"};
}

/// M, F and G at a state.
struct Equations {
  MatrixXd M = MatrixXd(3, 3), G = MatrixXd(1, 3);
  VectorXd F = VectorXd(3);

  Equations(const Particle& particle, const VectorXd& q, const VectorXd& v) {
    const SystemEntry entry = particle.entry();
    const System system = entry.make(entry.default_values());
    system.in<double>().mass_matrix(q, M);
    system.in<double>().constraints(q, G);
    system.in<double>().force(q, v, 0.0, F);
  }
  double distance(const Equations& other) const {
    return (M - other.M).norm() + (G - other.G).norm() + (F - other.F).norm();
  }
};

// Zeros and ones of the vectors are simplified, the rest is computed in the same order: the bits
// are those of the components.
TEST(VectorsOfTexts, AreTheirComponentsWrittenOut) {
  test::RandomNumbers random(911);
  for (int k = 0; k < 20; ++k) {
    const VectorXd q = random.vector<3>(-2.0, 2.0), v = random.vector<3>(-2.0, 2.0);
    const Equations equations({}, q, v);
    EXPECT_EQ(equations.distance(Equations(written_out(), q, v)), 0.0);
    Particle other;
    other.row = "dot(turned, speed)";
    EXPECT_GT(equations.distance(Equations(other, q, v)), 1e-3);  // negative control
  }
}

std::string refusal_of(const Particle& particle) {
  try {
    particle.entry();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(VectorsOfTexts, AreRefusedWhereNumbersBelong) {
  EXPECT_EQ(refusal_of({}), "");
  EXPECT_THAT(refusal_of({.row = "speed"}), HasSubstr("constraint"));
  EXPECT_THAT(refusal_of({.potential = "weight"}), HasSubstr("potential"));
  EXPECT_THAT(refusal_of({.energy = "mass/2*speed^2"}), HasSubstr("kinetic_coenergy"));
}

TEST(VectorsOfTexts, ObeyTheRulesOfNames) {
  Particle circle;
  circle.let += "a = \"[b.x, 0, 0]\"\nb = \"2*a\"\n";
  EXPECT_THAT(refusal_of(circle), AllOf(HasSubstr("a -> b"), HasSubstr("a")));
  for (const char* word : {"dot", "cross", "norm", "rotate", "rotate_back"}) {
    Particle reserved;
    reserved.let += std::string(word) + " = \"1\"\n";
    EXPECT_THAT(refusal_of(reserved), HasSubstr("reserved")) << word;
  }
  Particle of_velocities;
  of_velocities.potential = "dot(weight, speed)";
  EXPECT_THAT(refusal_of(of_velocities), HasSubstr("'speed'"));
}

TEST(VectorsOfTexts, HaveUnitsByComponent) {
  EXPECT_THAT(Particle().entry().warnings(), IsEmpty());
  Particle mixed;
  mixed.let += "moved = \"place + [0, mass, 0]\"\n";
  EXPECT_THAT(mixed.entry().warnings(), ElementsAre(AllOf(HasSubstr("moved.y"), HasSubstr("kg"))));
}

}  // namespace
}  // namespace rigidlimit
