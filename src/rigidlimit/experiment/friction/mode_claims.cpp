#include "rigidlimit/experiment/friction/mode_claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "rigidlimit/contact/contact_problem.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

namespace {

std::string motion_name(const MotionModes& motion) {
  if (motion.is_rigid()) return "rigid";
  return fmt::format("{}, {}, ε = {:.4g}", text_of(motion.law), motion.solver, motion.epsilon);
}

std::string or_none(const std::string& modes) {
  return modes.empty() ? "none" : modes;
}

/// A claim that `good` is true of each motion that `concerns` selects, at least one; `found`
/// describes the first motion for which it is false, else the last.
template <class Concerns, class Good, class Found>
Claim claim_of(const std::string& text, const std::vector<MotionModes>& motions,
               const Concerns& concerns, const Good& good, const Found& found) {
  Claim claim{.text = text, .held = false, .found = "no motion"};
  for (const MotionModes& motion : motions) {
    if (!concerns(motion)) continue;
    claim.held = good(motion);
    claim.found = fmt::format("{}: {}", motion_name(motion), found(motion));
    if (!claim.held) return claim;
  }
  return claim;
}

bool any(const MotionModes&) {
  return true;
}
bool is_compliant(const MotionModes& motion) {
  return !motion.is_rigid();
}

Claim outcome_claim(const std::vector<MotionModes>& motions) {
  return claim_of(
      "every compliant solve succeeds", motions, is_compliant,
      [](const MotionModes& m) { return m.outcome == Outcome::success; },
      [](const MotionModes& m) { return rigidlimit::name_of(m.outcome); });
}

Claim start_claim(const FrictionStudy& study) {
  const std::vector<std::string>& expected = *study.history.modes_at_start;
  const std::vector<std::string> found =
      modes_at_start(study.model, study.initial, rigid_options(study, 1.0, {}));
  return {fmt::format("the rigid laws allow at the start: {}", fmt::join(expected, "; ")),
          std::set(expected.begin(), expected.end()) == std::set(found.begin(), found.end()),
          found.empty() ? "none" : fmt::format("{}", fmt::join(found, "; "))};
}

/// Sliding below the tolerance is round-off: then it has died out, though it may fluctuate.
Claim sliding_claim(const FrictionStudy& study, const std::vector<MotionModes>& motions) {
  const bool grows = *study.history.compliant_sliding == Sliding::grows;
  return claim_of(
      fmt::format("compliant sliding {} from T/2 to T",
                  rigidlimit::name_of(*study.history.compliant_sliding)),
      motions, is_compliant,
      [&](const MotionModes& m) {
        const bool fast = m.sliding_at_end >= std::max(m.sliding_at_half, study.solvers.rtol);
        return m.outcome == Outcome::success && fast == grows;
      },
      [](const MotionModes& m) {
        return fmt::format("{:.3g} and {:.3g} m/s", m.sliding_at_half, m.sliding_at_end);
      });
}

Claim force_claim(const ForceClaim& force, const std::vector<MotionModes>& motions) {
  return claim_of(
      fmt::format("λ of {} at T: {:.10g} within {:.2g}", force.component, force.at_end,
                  force.within),
      motions, any,
      [&](const MotionModes& m) {
        return std::abs(m.force_at_end - force.at_end) <= force.within;  // false for NaN
      },
      [](const MotionModes& m) { return fmt::format("{:.10g}", m.force_at_end); });
}

/// Springs can choose only what the rigid laws determine.
Claim end_agreement(const std::vector<MotionModes>& motions) {
  const auto rigid = std::ranges::find_if(motions, &MotionModes::is_rigid);
  const bool known = rigid != motions.end();
  const std::string expected = known ? last_modes(rigid->sequence) : "";
  return claim_of(
      "compliant motions end in the modes of the rigid one, unless the rigid laws have several "
      "solutions",
      motions, is_compliant,
      [&](const MotionModes& m) {
        return known && (rigid->several_solutions ||
                         (!expected.empty() && last_modes(m.sequence) == expected));
      },
      [&](const MotionModes& m) {
        return fmt::format("{}, rigid {}", or_none(last_modes(m.sequence)), or_none(expected));
      });
}

Claim modes_claim(const ModesClaim& claim, const std::vector<MotionModes>& motions) {
  std::vector<std::string> words;
  if (!claim.end.empty()) words.push_back("end in " + claim.end);
  if (!claim.rigid.empty()) words.push_back("rigid " + claim.rigid);
  if (!claim.compliant.empty()) words.push_back("compliant " + claim.compliant);
  return claim_of(
      fmt::format("modes {}", fmt::join(words, ", ")), motions, any,
      [&](const MotionModes& m) {
        const std::string& whole = m.is_rigid() ? claim.rigid : claim.compliant;
        return (claim.end.empty() || last_modes(m.sequence) == claim.end) &&
               (whole.empty() || m.sequence == whole);
      },
      [](const MotionModes& m) { return or_none(m.sequence); });
}

}  // namespace

const char* name_of(Sliding sliding) {
  return sliding == Sliding::grows ? "grows" : "dies out";
}

std::vector<Claim> mode_claims(const FrictionStudy& study,
                               const std::vector<MotionModes>& motions) {
  const HistoryExpectation& history = study.history;
  std::vector<Claim> claims;
  if (study.asks_for_modes() && !study.epsilons.empty()) claims.push_back(outcome_claim(motions));
  if (history.modes_at_start) claims.push_back(start_claim(study));
  if (history.compliant_sliding) claims.push_back(sliding_claim(study, motions));
  if (history.force) claims.push_back(force_claim(*history.force, motions));
  if (history.ends_agree) claims.push_back(end_agreement(motions));
  for (const ModesClaim& modes : study.modes) claims.push_back(modes_claim(modes, motions));
  return claims;
}

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
