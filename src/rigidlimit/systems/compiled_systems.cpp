// Compiled with -O3 (src/CMakeLists.txt): what is small here must be unrolled.
#include "rigidlimit/systems/compiled_systems.hpp"

#include "rigidlimit/mechanics/quasi_velocity_equations_of.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"
#include "rigidlimit/systems/knife_edge.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {

std::shared_ptr<const QuasiVelocityEquations> compiled(const KnifeEdge& system) {
  return std::make_shared<QuasiVelocityEquationsOf<KnifeEdge>>(system);
}
std::shared_ptr<const QuasiVelocityEquations> compiled(const ChaplyginSleigh& system) {
  return std::make_shared<QuasiVelocityEquationsOf<ChaplyginSleigh>>(system);
}
std::shared_ptr<const QuasiVelocityEquations> compiled(const RollingDisk& system) {
  return std::make_shared<QuasiVelocityEquationsOf<RollingDisk>>(system);
}

}  // namespace rigidlimit
