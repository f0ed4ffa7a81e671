#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/departure.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/friction/step_checks.hpp"

namespace rigidlimit {

namespace {

std::vector<std::string> texts_of(const FrictionStudy& study, const RigidHistory& rigid) {
  std::vector<std::string> texts;
  for (const ContactEvent& event : rigid.motion.events)
    texts.push_back(text_of(event, study.model));
  return texts;
}

std::string listed(const std::vector<std::string>& texts) {
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, "; "));
}

HistoryClaim times_claim(const FrictionStudy& study, const RigidHistory& rigid) {
  const std::vector<double>& expected = *study.history.event_times;
  std::vector<double> found;
  for (const ContactEvent& event : rigid.motion.events) found.push_back(event.t);
  bool held = found.size() == expected.size();
  for (std::size_t k = 0; held && k < found.size(); ++k)
    held = std::abs(found[k] - expected[k]) <= study.history.event_times_within;
  return {fmt::format("event times {:.12g} within {:.2g} s", fmt::join(expected, ", "),
                      study.history.event_times_within),
          held, fmt::format("{:.12g}", fmt::join(found, ", "))};
}

/// J: relative to the energies of the whole motion, and at least their error.
double tolerance_of(const FrictionStudy& study, const EnergyHistory& energy) {
  return std::max(study.history.energy_within * energy.scale, energy.floor);
}

HistoryClaim energy_claim(const FrictionStudy& study, const EnergyHistory& energy) {
  const double limit = tolerance_of(study, energy);
  return {fmt::format("energy does not grow (tolerance {:.2g} J)", limit),
          energy.largest_growth <= limit,
          fmt::format("largest growth {:.3g} J", energy.largest_growth)};
}

HistoryClaim account_claim(const FrictionStudy& study, const EnergyHistory& energy) {
  const double limit = tolerance_of(study, energy);
  return {fmt::format("energy balance of work, impacts and slipping within {:.2g} J", limit),
          std::abs(energy.unaccounted) <= limit, fmt::format("{:.3g} J", energy.unaccounted)};
}

HistoryClaim conservation_claim(const FrictionStudy& study, const EnergyHistory& energy,
                                bool moved) {
  const double limit = tolerance_of(study, energy);
  return {fmt::format("energy is conserved within {:.2g} J", limit),
          energy.known && moved && energy.largest_change <= limit,
          !moved         ? "nothing: the rigid motion ends at its begin"
          : energy.known ? fmt::format("largest change {:.3g} J", energy.largest_change)
                         : "unknown: the system has no potential"};
}

HistoryClaim inequality_claim(const InequalityReport& report) {
  constexpr double round_off = 1e-9;  // for a sticking contact with a speed of 1e-12 m/s, not 0
  return {"friction inequality: minimum ≥ 0 within 1e-9 of its terms",
          report.check.least >= -round_off * report.scale,
          fmt::format("{:.3g} W", report.check.least)};
}

HistoryClaim steps_claim(const FrictionStudy& study, const RigidHistory& rigid) {
  const double within = *study.history.moreau_jean_within;
  const double distance = rigid.steps.empty() ? std::nan("") : rigid.steps.back().q_sup;
  const std::string failed = failed_step(rigid.steps);
  return {fmt::format("Moreau-Jean within {:.2g} in q at the smallest step", within),
          failed.empty() && distance <= within,
          !failed.empty()        ? failed
          : std::isnan(distance) ? "not compared"
                                 : fmt::format("{:.3g}", distance)};
}

HistoryClaim end_agreement_of_rigid(const RigidHistory& rigid) {
  const std::string why = step_disagreement(rigid.steps, rigid.motion);
  return {"Moreau-Jean agrees to its order in q", why.empty(),
          why.empty() ? fmt::format("{:.3g} at the smallest step", rigid.steps.back().q_sup) : why};
}

/// Of several solutions of the laws, each method may follow another one.
bool is_unique(const NonsmoothMotion& motion) {
  return std::ranges::none_of(motion.notes, tells_several_solutions);
}

}  // namespace

std::vector<HistoryClaim> judged_claims(const FrictionStudy& study, const RigidHistory& rigid,
                                        const std::vector<InequalityReport>& inequality) {
  const HistoryExpectation& history = study.history;
  const NonsmoothMotion& motion = rigid.motion;
  std::vector<HistoryClaim> claims;
  claims.push_back({fmt::format("outcome {}", name_of(history.outcome)),
                    motion.outcome == history.outcome, name_of(motion.outcome)});
  if (history.events) {
    const std::vector<std::string> found = texts_of(study, rigid);
    claims.push_back(
        {"events " + listed(*history.events), found == *history.events, listed(found)});
  }
  if (history.event_times) claims.push_back(times_claim(study, rigid));
  if (history.modes_at_end) {
    const std::string found = modes_at(motion, study.time.end);
    claims.push_back(
        {"modes at the end " + *history.modes_at_end, found == *history.modes_at_end, found});
  }
  // A formula and the event-driven motion are independent: they must agree on every event.
  if (!rigid.known_event_times.empty() && !std::isnan(rigid.event_time_error))
    claims.push_back(
        {fmt::format("event times within {:.2g} s of the formula", history.event_times_within),
         rigid.event_time_error <= history.event_times_within,
         fmt::format("{:.3g} s", rigid.event_time_error)});
  if (const std::string left =
          departure(study.system->info.coordinates, motion.motion.times, motion.motion.q);
      !left.empty())
    claims.push_back({"coordinates within their ranges", false, left});
  // A motion that ends where it begins shows nothing of its energy and forces.
  const bool moved = motion.t_reached > study.initial.t || !motion.events.empty();
  if (rigid.energy.known && moved) {
    claims.push_back(energy_claim(study, rigid.energy));
    claims.push_back(account_claim(study, rigid.energy));
  }
  if (history.energy_conserved) claims.push_back(conservation_claim(study, rigid.energy, moved));
  if (history.moreau_jean_within)
    claims.push_back(steps_claim(study, rigid));
  else if (!rigid.steps.empty() && is_unique(motion))
    claims.push_back(end_agreement_of_rigid(rigid));
  if (moved && !inequality.empty() && inequality.front().check.contact >= 0)
    claims.push_back(inequality_claim(inequality.front()));
  return claims;
}

}  // namespace rigidlimit
