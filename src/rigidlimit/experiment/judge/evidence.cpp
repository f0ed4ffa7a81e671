#include "rigidlimit/experiment/judge/evidence.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace rigidlimit {

namespace {

using State = Evidence::State;

/// The words of numbers that exist.
const std::array<std::pair<const char*, Evidence>, 6>& known_evidence() {
  static const std::array<std::pair<const char*, Evidence>, 6> words{{
      {"ok", {.state = State::ok}},
      {"proved", {.state = State::proved}},
      {"equal", {.state = State::limited, .floor = FloorSource::rounding}},
      {"solver_limited", {.state = State::limited, .floor = FloorSource::solver}},
      {"reference_limited", {.state = State::limited, .floor = FloorSource::reference}},
      {"sampling_limited", {.state = State::limited, .floor = FloorSource::sampling}},
  }};
  return words;
}

constexpr std::array absences{Absent::no_composite, Absent::not_comparable, Absent::no_such_event};

constexpr std::string_view before_failure = "failed: ", before_rigid = "rigid ";

}  // namespace

const char* name_of(Absent absent) {
  switch (absent) {
    case Absent::no_composite: return "no composite";
    case Absent::not_comparable: return "not comparable";
    case Absent::no_such_event: return "no such event";
    case Absent::nothing: break;
  }
  return "";
}

std::string failure_of(const Evidence& evidence) {
  if (evidence.compliant != Outcome::success) return name_of(evidence.compliant);
  if (evidence.rigid != Outcome::success)
    return std::string(before_rigid) + name_of(evidence.rigid);
  return name_of(evidence.absent);
}

std::string name_of(const Evidence& evidence) {
  for (const auto& [word, known] : known_evidence())
    if (known.state == evidence.state && known.floor == evidence.floor) return word;
  return std::string(before_failure) + failure_of(evidence);
}

Evidence evidence_named(std::string_view name) {
  for (const auto& [word, known] : known_evidence())
    if (name == word) return known;
  if (name.starts_with(before_failure)) name.remove_prefix(before_failure.size());
  const bool of_rigid = name.starts_with(before_rigid);
  const std::string_view side = of_rigid ? name.substr(before_rigid.size()) : name;
  Evidence failed;
  for (const Outcome outcome : all_outcomes())
    if (outcome != Outcome::success && side == name_of(outcome)) {
      (of_rigid ? failed.rigid : failed.compliant) = outcome;
      return failed;
    }
  for (const Absent absent : absences)
    if (name == name_of(absent)) failed.absent = absent;
  return failed;
}

}  // namespace rigidlimit
