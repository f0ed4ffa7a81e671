#include "rigidlimit/systems/rolling/sleigh_chain.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

Assembly assembly_of(const SleighChain& chain) {
  if (chain.count < 1)
    throw InputError(fmt::format("a chain of {} sleighs: at least 1", chain.count));
  const SystemEntry& one = *find_system(builtin_systems(), "chaplygin_sleigh");
  Assembly assembly;
  for (Index i = 0; i < chain.count; ++i) {
    const double factor = 1.0 + chain.unevenness * std::sin(static_cast<double>(i));
    const Sleigh& sleigh = chain.sleigh;
    assembly.parts.push_back(one.make({sleigh.mass * factor, sleigh.inertia, sleigh.distance}));
  }
  Link link = make_link(chain.hitch, 0, 1);
  for (; link.second < chain.count; ++link.first, ++link.second) assembly.links.push_back(link);
  return assembly;
}

InitialState start_of(const SleighChain& chain) {
  const double h = chain.hitch.reach;
  const double turn = 2.0 * std::atan2(h * chain.turning_rate, chain.speed);
  InitialState start{VectorXd(3 * chain.count), VectorXd(3 * chain.count)};
  Eigen::Vector2d blade(0.0, 0.0), along(1.0, 0.0);
  for (Index i = 0; i < chain.count; ++i) {
    const double phi = -turn * static_cast<double>(i);
    const Eigen::Vector2d ahead(std::cos(phi), std::sin(phi));
    if (i > 0) blade -= h * (along + ahead);
    along = ahead;
    start.q.segment<3>(3 * i) << blade, phi;
    start.v.segment<3>(3 * i) << chain.speed * ahead, chain.turning_rate;
  }
  return start;
}

namespace {

/// A parameter of the entry and its member in a SleighChain.
struct ChainParameter {
  ParameterInfo info;
  double& (*member)(SleighChain&);
};

std::vector<ChainParameter> chain_parameters() {
  return {
      {{"mass", "kg", "mass of the first sleigh", 1.0, positive},
       [](SleighChain& c) -> double& { return c.sleigh.mass; }},
      {{"inertia", "kg m^2",
        "moment of inertia of each about the vertical through its centre of mass", 0.5, positive},
       [](SleighChain& c) -> double& { return c.sleigh.inertia; }},
      {{"distance", "m", "from each blade forward to the centre of mass", 0.4, any_finite},
       [](SleighChain& c) -> double& { return c.sleigh.distance; }},
      {{"unevenness", "1", "sleigh i = 0, 1, 2 has the mass (1 + unevenness sin i) m", 0.2,
        Range{.low = -1.0, .high = 1.0, .low_open = true, .high_open = true}},
       [](SleighChain& c) -> double& { return c.unevenness; }},
      {{"reach", "m", "distance of the hitches ahead of and behind each blade", 0.5, non_negative},
       [](SleighChain& c) -> double& { return c.hitch.reach; }},
      {{"spring", "N/m", "stiffness between two hitches", 4.0, non_negative},
       [](SleighChain& c) -> double& { return c.hitch.stiffness; }},
      {{"damper", "N s/m", "damping between two hitches", 0.2, non_negative},
       [](SleighChain& c) -> double& { return c.hitch.damping; }}};
}

/// The chain with these values of the parameters.
SleighChain chain_with(const std::vector<double>& values) {
  SleighChain chain;
  std::size_t i = 0;
  for (const ChainParameter& p : chain_parameters()) p.member(chain) = values.at(i++);
  return chain;
}

SystemInfo chain_info(const SleighChain& chain) {
  SystemInfo info{
      .name = "sleigh_chain",
      .title = "Train of three Chaplygin sleighs with springs between them",
      .equations =
          "q = (x, y, phi) of each sleigh, v = q'; M, F and G of each as in chaplygin_sleigh\n"
          "d = (hitch ahead of a blade) - (hitch behind the blade before it)\n"
          "F + f on the one before, F - f on the one behind, f = k d + c d'\n"
          "P = 1/2 k d^2",
      .source = "this project; each sleigh: Chaplygin (1911)",
      .closed_form = "none; the energy decreases only by the loss in the dampers"};
  for (Index i = 1; i <= chain.count; ++i) {
    const auto named = [&](const char* name) { return fmt::format("{}{}", name, i); };
    const auto rate = [&](const char* name) { return fmt::format("{}{}'", name, i); };
    for (const char* name : {"x", "y"}) {
      info.coordinates.push_back({named(name), "m"});
      info.velocities.push_back({rate(name), "m/s"});
    }
    info.coordinates.push_back({named("phi"), "rad"});
    info.velocities.push_back({rate("phi"), "rad/s"});
    info.contacts.push_back({fmt::format("lateral sliding {}", i), "m/s"});
  }
  const InitialState start = start_of(chain);
  info.initial_q.assign(start.q.begin(), start.q.end());
  info.initial_v.assign(start.v.begin(), start.v.end());
  return info;
}

}  // namespace

SystemEntry sleigh_chain_entry() {
  SystemEntry entry{
      .info = chain_info(SleighChain{}),
      .parameters = {},
      .make =
          [](const std::vector<double>& values) {
            return system_of(assembly_of(chain_with(values)));
          },
      .start = [](const std::vector<double>& values) { return start_of(chain_with(values)); }};
  for (const ChainParameter& p : chain_parameters()) entry.parameters.push_back(p.info);
  return entry;
}

}  // namespace rigidlimit
