// A user-defined system with a contact that rolls or slips: a wheel with its centre of mass off the axle.
#include <array>

#include "rigidlimit/cli/command_line.hpp"
#include "rigidlimit/systems/entry_of.hpp"

using rigidlimit::Matrix;
using rigidlimit::Vector;

/// q = (x, y, turn): axle, y upwards, turn clockwise. The rail y = 0 holds the wheel.
struct EccentricWheel {
  static constexpr int nq = 3, n = 3, m = 1;
  double mass = 1.0, inertia = 0.05, radius = 0.3, offset = 0.1, gravity = 9.81;
  double friction = 0.065;

  static rigidlimit::SystemInfo info() {
    return {.name = "eccentric_wheel",
            .title = "A wheel with its centre of mass off the axle, on a rail",
            .coordinates = {{"x", "m"}, {"y", "m"}, {"turn", "rad"}},
            .velocities = {{"x'", "m/s"}, {"y'", "m/s"}, {"turn'", "rad/s"}},
            .contacts = {{"sliding", "m/s"}},
            .initial_q = {0.0, 0.3, 0.5},
            .initial_v = {1.5, 0.0, 5.0}};  // rolls
  }
  static std::array<rigidlimit::Parameter<EccentricWheel>, 1> parameters() {
    return {{{"offset", &EccentricWheel::offset, "m", "of the centre of mass from the axle"}}};
  }
  static std::array<rigidlimit::Parameter<EccentricWheel>, 1> contact_parameters() {
    return {{{"friction", &EccentricWheel::friction, "1", "coefficient of friction",
              rigidlimit::non_negative}}};
  }

  template <class S>
  S kinetic_coenergy(const Vector<S, 3>& q, const Vector<S, 3>& v) const {
    const S x_rate = v(0) + offset * cos(q(2)) * v(2);
    const S y_rate = v(1) - offset * sin(q(2)) * v(2);
    return 0.5 * mass * (x_rate * x_rate + y_rate * y_rate) + 0.5 * inertia * v(2) * v(2);
  }
  template <class S>
  S potential(const Vector<S, 3>& q) const {
    return mass * gravity * (q(1) + offset * cos(q(2)));
  }
  /// The sliding velocity of the lowest point.
  template <class S>
  Matrix<S, 1, 3> constraint(const Vector<S, 3>&) const {
    return {S(1), S(0), S(-radius)};
  }

  // Gap and friction of the contact, for friction studies.
  template <class S>
  Vector<S, 1> gap(const Vector<S, 3>& q) const {
    return Vector<S, 1>(S(q(1) - radius));
  }
  std::vector<rigidlimit::ContactPoint> contacts() const {
    return {{.name = "rail",
             .first = 0,
             .components = 1,
             .normal = rigidlimit::Normal::bilateral,
             .friction = friction}};
  }
};

int main(int argc, char** argv) {
  const auto systems = rigidlimit::with_builtin({rigidlimit::entry_of<EccentricWheel>()});
  return rigidlimit::run_command_line(argc, argv, systems);
}
