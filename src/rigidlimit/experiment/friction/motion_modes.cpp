#include "rigidlimit/experiment/friction/motion_modes.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "rigidlimit/contact/modes_text.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"

namespace rigidlimit {

namespace {

constexpr const char* separator = " > ";

std::vector<ContactMode> modes_at(const FrictionalSystem& system, const VectorXd& q,
                                  const VectorXd& speeds, double slow) {
  VectorXd gap(system.nc());
  system.geometry->gap(q, gap);
  std::vector<ContactMode> modes;
  for (Index i = 0; i < system.nc(); ++i) {
    const bool can_open = system.contacts[static_cast<std::size_t>(i)].normal == Normal::unilateral;
    if (can_open && gap(i) > NonsmoothOptions{}.gap_tolerance)
      modes.push_back(ContactMode::free);
    else
      modes.push_back(speeds(i) < slow ? ContactMode::stick : ContactMode::slip);
  }
  return modes;
}

}  // namespace

VectorXd sliding_speeds(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v) {
  MatrixXd W(system.smooth.m, system.smooth.n);
  system.smooth.in<double>().constraints(q, W);
  const VectorXd w = W * v;
  VectorXd speeds(system.nc());
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    speeds(i) = contact.components == 0 ? std::numeric_limits<double>::infinity()
                                        : w.segment(contact.first, contact.components).norm();
  }
  return speeds;
}

std::string mode_sequence(const FrictionalSystem& system, const Motion& motion, double slow) {
  std::vector<VectorXd> speeds;
  for (Index k = 0; k < motion.q.cols() && motion.v.col(k).allFinite(); ++k)
    speeds.push_back(sliding_speeds(system, motion.q.col(k), motion.v.col(k)));
  std::string sequence, last;
  for (std::size_t k = 0; k < speeds.size(); ++k) {
    const std::size_t next = std::min(k + 1, speeds.size() - 1);
    const std::string modes = text_of(modes_at(system, motion.q.col(static_cast<Index>(k)),
                                               speeds[k].cwiseMax(speeds[next]), slow));
    if (modes != last) sequence += (last.empty() ? "" : separator) + modes;
    last = modes;
  }
  return sequence;
}

std::string last_modes(const std::string& sequence) {
  const std::size_t at = sequence.rfind(separator);
  return at == std::string::npos ? sequence : sequence.substr(at + std::string(separator).size());
}

}  // namespace rigidlimit
