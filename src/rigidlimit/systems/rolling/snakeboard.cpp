#include "rigidlimit/systems/rolling/snakeboard.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& Snakeboard::info() {
  static const SystemInfo info = [] {
    const InitialState start = Snakeboard{}.start();
    return SystemInfo{
        .name = "snakeboard",
        .title = "Snakeboard with driven rotor and wheels",
        .equations =
            "q = (x, y, theta, psi, phi), v = q'; centre and heading of the board, rotor and back\n"
            "wheels relative to it; the front wheels stand at -phi\n"
            "M = diag(m, m) + [[Jt, Jr], [Jr, Jr]] + 2 Jw,   Jt = board + rotor + 2 wheels\n"
            "F = (0, 0, 0, kr (psi_d - psi) + br (psi_d' - psi'),\n"
            "     kw (phi_d - phi) + bw (phi_d' - phi'))\n"
            "psi_d = ar sin(nur t), phi_d = aw sin(nuw t + phase)\n"
            "G v = (-sin(theta+phi) x' + cos(theta+phi) y' - l cos(phi) theta',   back\n"
            "       -sin(theta-phi) x' + cos(theta-phi) y' + l cos(phi) theta')   front\n"
            "momentum p = m l cos(phi) u - sin(phi) (Jt theta' + Jr psi'), u the forward speed:\n"
            "p' = -m l sin(phi) phi' u - cos(phi) phi' (Jt theta' + Jr psi')",
        .source =
            "Lewis, Ostrowski, Murray and Burdick (1994); Ostrowski and Burdick (1996); "
            "Bloch, Krishnaprasad, Marsden and Murray (1996)",
        .closed_form =
            "none; the momentum equation; equal frequencies of rotor and wheels drive "
            "forward",
        .coordinates = {{"x", "m"},
                        {"y", "m"},
                        {"theta", "rad"},
                        {"psi", "rad"},
                        {"phi",
                         "rad",
                         {.low = -M_PI_2, .high = M_PI_2, .low_open = true, .high_open = true}}},
        .velocities = {{"x'", "m/s"},
                       {"y'", "m/s"},
                       {"theta'", "rad/s"},
                       {"psi'", "rad/s"},
                       {"phi'", "rad/s"}},
        .contacts = {{"lateral sliding at the back", "m/s"},
                     {"lateral sliding at the front", "m/s"}},
        .initial_q = {start.q.begin(), start.q.end()},
        .initial_v = {start.v.begin(), start.v.end()}};
  }();
  return info;
}

std::array<Parameter<Snakeboard>, 14> Snakeboard::parameters() {
  using Board = Snakeboard;
  return {
      {{"mass", &Board::mass, "kg", "mass of board, rotor and wheels", positive},
       {"board_inertia", &Board::board_inertia, "kg m^2",
        "of the board about the vertical through its centre, the wheels' mass included", positive},
       {"rotor_inertia", &Board::rotor_inertia, "kg m^2", "of the rotor", positive},
       {"wheel_inertia", &Board::wheel_inertia, "kg m^2", "of one wheel set about its own vertical",
        positive},
       {"half_length", &Board::half_length, "m", "from the centre to a wheel set", positive},
       {"rotor_amplitude", &Board::rotor_amplitude, "rad", "of the rotor's gait"},
       {"rotor_frequency", &Board::rotor_frequency, "rad/s", "of the rotor's gait"},
       {"wheel_amplitude", &Board::wheel_amplitude, "rad", "of the wheels' gait"},
       {"wheel_frequency", &Board::wheel_frequency, "rad/s", "of the wheels' gait"},
       {"wheel_phase", &Board::wheel_phase, "rad", "of the wheels' gait at t = 0"},
       {"rotor_stiffness", &Board::rotor_stiffness, "N m/rad", "of the rotor's drive",
        non_negative},
       {"rotor_damping", &Board::rotor_damping, "N m s/rad", "of the rotor's drive", non_negative},
       {"wheel_stiffness", &Board::wheel_stiffness, "N m/rad", "of the steering drive",
        non_negative},
       {"wheel_damping", &Board::wheel_damping, "N m s/rad", "of the steering drive",
        non_negative}}};
}

InitialState Snakeboard::start() const {
  // Moves along a bend, so that neither contact force vanishes.
  constexpr double steering = 0.2, speed = 0.4;
  InitialState start{VectorXd::Zero(nq), VectorXd::Zero(n)};
  start.q(4) = steering;
  start.v(0) = speed;
  start.v(2) = -speed * std::tan(steering) / half_length;
  return start;
}

template SystemEntry entry_of<Snakeboard>();

}  // namespace rigidlimit
