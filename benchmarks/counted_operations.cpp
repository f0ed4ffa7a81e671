#include "counted_operations.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "rigidlimit/mechanics/quasi_velocity_equations_of.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"
#include "rigidlimit/systems/knife_edge.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {
namespace {

/// A type of its own: the linker takes one of two instantiations of a template, and this one, of
/// -O2, must not stand in for the library's.
template <class Sys>
struct Copy : Sys {};

template <class Sys>
long counted(const Study& study) {
  const QuasiVelocityEquationsOf<Copy<Sys>> equations{Copy<Sys>{}};
  std::vector<Counted> state, rate(Sys::nq + Sys::n), lambda(Sys::m, Counted(0.3));
  for (const double q : study.initial.q) state.emplace_back(q);
  state.resize(Sys::nq + Sys::n, Counted(0.7));
  Counted::operations = 0;
  equations.template write_rates<Counted>({}, state.data(), lambda.data(), rate.data());
  return Counted::operations;
}

}  // namespace

long operations_of_rate(const Study& study) {
  const std::string name = study.system->info.name;
  if (name == "knife_edge") return counted<KnifeEdge>(study);
  if (name == "chaplygin_sleigh") return counted<ChaplyginSleigh>(study);
  if (name == "rolling_disk") return counted<RollingDisk>(study);
  throw std::invalid_argument(name + " is not compiled here");
}

}  // namespace rigidlimit
