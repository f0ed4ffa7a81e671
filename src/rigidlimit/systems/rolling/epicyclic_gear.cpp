#include "rigidlimit/systems/rolling/epicyclic_gear.hpp"

#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {

const SystemInfo& EpicyclicGear::info() {
  static const SystemInfo info = [] {
    const InitialState start = EpicyclicGear{}.start();
    return SystemInfo{
        .name = "epicyclic_gear",
        .title = "Epicyclic gear with three planets and a fixed ring; redundant contacts",
        .equations =
            "q = (sun, carrier, planet1, planet2, planet3), v = q', angles against space\n"
            "M = diag(Js, Jc + 3 mp rc^2, Jp, Jp, Jp),   rc = rs + rp\n"
            "F = (drive + ripple sin(nu t), -load, 0, 0, 0)\n"
            "G v = (rc carrier' - rp planet_k' - rs sun', k = 1, 2, 3;   sun meshes\n"
            "       rc carrier' + rp planet_k', k = 1, 2, 3)             ring meshes\n"
            "rank G = 4: the six contacts carry two internal forces; the mesh stiffness decides "
            "how\n"
            "the planets share the load, Lambda_k ~ 1/(1/c_sun,k + 1/c_ring,k) in steady running",
        .source =
            "Kahraman, Mechanism and Machine Theory 29 (1994), load sharing; docs/theory.md, "
            "section 6",
        .closed_form = "q, v and Lambda (with equal sharing of the load)",
        .coordinates = {{"sun", "rad"},
                        {"carrier", "rad"},
                        {"planet1", "rad"},
                        {"planet2", "rad"},
                        {"planet3", "rad"}},
        .velocities = {{"sun'", "rad/s"},
                       {"carrier'", "rad/s"},
                       {"planet1'", "rad/s"},
                       {"planet2'", "rad/s"},
                       {"planet3'", "rad/s"}},
        .contacts = {{"sun mesh 1", "m/s"},
                     {"sun mesh 2", "m/s"},
                     {"sun mesh 3", "m/s"},
                     {"ring mesh 1", "m/s"},
                     {"ring mesh 2", "m/s"},
                     {"ring mesh 3", "m/s"}},
        .initial_q = {start.q.begin(), start.q.end()},
        .initial_v = {start.v.begin(), start.v.end()}};
  }();
  return info;
}

std::array<Parameter<EpicyclicGear>, 10> EpicyclicGear::parameters() {
  using Gear = EpicyclicGear;
  return {{{"sun_radius", &Gear::sun_radius, "m", "pitch radius of the sun", positive},
           {"planet_radius", &Gear::planet_radius, "m", "pitch radius of a planet", positive},
           {"sun_inertia", &Gear::sun_inertia, "kg m^2", "of the sun", positive},
           {"carrier_inertia", &Gear::carrier_inertia, "kg m^2", "of the carrier without planets",
            positive},
           {"planet_mass", &Gear::planet_mass, "kg", "of one planet", positive},
           {"planet_inertia", &Gear::planet_inertia, "kg m^2", "of one planet about its axis",
            positive},
           {"drive_torque", &Gear::drive_torque, "N m", "mean torque on the sun"},
           {"drive_ripple", &Gear::drive_ripple, "N m", "amplitude of its harmonic part"},
           {"ripple_frequency", &Gear::ripple_frequency, "rad/s", "of the harmonic part", positive},
           {"load_torque", &Gear::load_torque, "N m", "constant torque against the carrier"}}};
}

InitialState EpicyclicGear::start() const {
  constexpr double sun_rate = 4.0;
  const double planet_rate = -sun_radius * sun_rate / (2.0 * planet_radius);
  InitialState start{VectorXd::Zero(nq), VectorXd(n)};
  start.v << sun_rate, sun_radius * sun_rate / (2.0 * carrier_radius()), planet_rate, planet_rate,
      planet_rate;
  return start;
}

std::optional<Motion> EpicyclicGear::closed_form(const InitialState& start,
                                                 const std::vector<double>& times) const {
  // One degree of freedom: v = sun' · ratio, J sun'' = τ(t) − load carrier_ratio.
  const double carrier_ratio = sun_radius / (2.0 * carrier_radius());
  const double planet_ratio = -sun_radius / (2.0 * planet_radius);
  Vector<double, n> ratio;
  ratio << 1.0, carrier_ratio, planet_ratio, planet_ratio, planet_ratio;
  const double J = ratio.dot(mass_matrix<double>(Vector<double, nq>::Zero()) * ratio);
  const RippledTorque torque{drive_torque - load_torque * carrier_ratio, drive_ripple,
                             ripple_frequency};

  const Index count = static_cast<Index>(times.size());
  Motion motion{times, MatrixXd(nq, count), MatrixXd(n, count), MatrixXd(m, count)};
  for (Index k = 0; k < count; ++k) {
    const double t = times[static_cast<std::size_t>(k)];
    motion.q.col(k) = start.q + start.v * t + ratio * (torque.twice_integrated(t) / J);
    motion.v.col(k) = start.v + ratio * (torque.impulse(t) / J);
    const double sun_rate = torque.at(t) / J;
    const double at_sun = (sun_inertia * sun_rate - drive().at(t)) / (3.0 * sun_radius);
    const double at_ring = at_sun - planet_inertia * planet_ratio * sun_rate / planet_radius;
    motion.lambda.col(k) << at_sun, at_sun, at_sun, at_ring, at_ring, at_ring;
  }
  return motion;
}

template SystemEntry entry_of<EpicyclicGear>();

}  // namespace rigidlimit
