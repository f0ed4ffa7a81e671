#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/experiment/friction/run_mode_map.hpp"

namespace rigidlimit {

namespace {

using What = ModeMapExpectation::Quantity;

std::string place_of(double slope, double half_angle) {
  return fmt::format("slope {:.4g}, half angle {:.4g}", slope, half_angle);
}

std::string place_of(const ModeMapRow& row) {
  return fmt::format("start {}, {}, friction {:.4g}", row.start,
                     place_of(row.slope, row.half_angle), row.friction_left);
}

/// ", start rest, slope 0.3": the restrictions of an expectation.
std::string restriction_of(const ModeMapExpectation& e) {
  std::string text;
  if (e.start) text += ", start " + *e.start;
  if (e.slope) text += fmt::format(", slope {:.4g}", *e.slope);
  if (e.half_angle) text += fmt::format(", half angle {:.4g}", *e.half_angle);
  if (e.friction) text += fmt::format(", friction {:.4g}", *e.friction);
  if (e.stiffness_ratio) text += fmt::format(", C left/right {:.4g}", *e.stiffness_ratio);
  return text;
}

/// Empty: every value. Values in the file and in the grid are the same doubles.
template <class Value>
bool fits(const std::optional<Value>& wanted, const Value& value) {
  return !wanted || *wanted == value;
}

bool concerns(const ModeMapExpectation& e, const ModeMapRow& row) {
  return fits(e.start, row.start) && fits(e.slope, row.slope) &&
         fits(e.half_angle, row.half_angle) && fits(e.friction, row.friction_left);
}

/// The largest distance and its place.
struct Largest {
  double distance = 0.0;
  std::string where = "none";
  int count = 0;

  void add(double next, const std::string& place) {
    ++count;
    // A NaN, a missing number, remains the largest.
    if (count > 1 && (std::isnan(distance) || next <= distance)) return;
    distance = next;
    where = place;
  }
  Claim within(double limit, const std::string& text) const {
    return {text, count > 0 && distance <= limit,
            fmt::format("largest distance {:.3g} of {} ({})", distance, count, where)};
  }
};

Claim threshold_claim(const ModeMapResult& result, const ModeMapExpectation& e) {
  Largest largest;
  const auto asked = [&](const char* name) {
    return e.measured.empty() || std::ranges::find(e.measured, name) != e.measured.end();
  };
  for (const RollingThreshold& t : result.thresholds) {
    if (!fits(e.slope, t.slope) || !fits(e.half_angle, t.half_angle)) continue;
    const auto add = [&](const char* name, double measured, double formula) {
      if (!asked(name)) return;
      largest.add(std::abs(measured - formula),
                  fmt::format("{}, {}", name, place_of(t.slope, t.half_angle)));
    };
    add("rigid_slips_below", t.rigid_slips_below, t.unloaded);
    add("rigid_rolls_from", t.rigid_rolls_from, t.wedged);
    add("compliant", t.compliant, t.unloaded);
  }
  const std::string which =
      e.measured.empty() ? "" : fmt::format(" ({})", fmt::join(e.measured, ", "));
  return largest.within(e.within, fmt::format("thresholds of rolling{} within {:.2g} of their "
                                              "formulas{}",
                                              which, e.within, restriction_of(e)));
}

Claim force_claim(const ModeMapResult& result, const ModeMapExpectation& e) {
  Largest largest;
  for (const InternalForce& f : result.forces) {
    if (!fits(e.stiffness_ratio, f.stiffness_ratio)) continue;
    const std::string place = fmt::format("C left/right {:.4g}", f.stiffness_ratio);
    largest.add(std::abs(f.compliant - f.predicted), "compliant, " + place);
    largest.add(std::abs(f.rigid - f.predicted), "rigid, " + place);
  }
  return largest.within(e.within, fmt::format("internal forces within {:.2g} N of their formula{}",
                                              e.within, restriction_of(e)));
}

/// Checks `good` for all rows in the scope of the expectation; the claim names the first failure.
template <class Good, class Found>
Claim row_claim(const ModeMapResult& result, const ModeMapExpectation& e, const std::string& text,
                const Good& good, const Found& found) {
  int all = 0, held = 0;
  std::string first;
  for (const ModeMapRow& row : result.rows) {
    if (!concerns(e, row)) continue;
    ++all;
    if (good(row))
      ++held;
    else if (first.empty())
      first = fmt::format("; {}: {}", place_of(row), found(row));
  }
  return {text + restriction_of(e), all > 0 && held == all,
          fmt::format("{} of {}{}", held, all, first)};
}

std::string sequences_of(const ModeMapRow& row) {
  const auto or_none = [](const std::string& text) { return text.empty() ? "none" : text; };
  return fmt::format("rigid {}, compliant {}", or_none(row.rigid), or_none(row.compliant));
}

Claim agreement_claim(const ModeMapResult& result, const ModeMapExpectation& e) {
  return row_claim(
      result, e,
      "rigid and compliant motions end in the same modes if the rigid laws have one solution",
      [](const ModeMapRow& row) { return row.is_open() || row.agree(); }, sequences_of);
}

Claim modes_claim(const ModeMapResult& result, const ModeMapExpectation& e) {
  std::vector<std::string> words;
  if (!e.end.empty()) words.push_back("end in " + e.end);
  if (!e.rigid.empty()) words.push_back("rigid " + e.rigid);
  if (!e.compliant.empty()) words.push_back("compliant " + e.compliant);
  return row_claim(
      result, e, fmt::format("modes {}", fmt::join(words, ", ")),
      [&](const ModeMapRow& row) {
        return (e.end.empty() || (row.rigid_final() == e.end && row.compliant_final() == e.end)) &&
               (e.rigid.empty() || row.rigid == e.rigid) &&
               (e.compliant.empty() || row.compliant == e.compliant);
      },
      sequences_of);
}

Claim completeness_claim(const ModeMapResult& result) {
  return row_claim(
      result, {}, "every motion succeeds",
      [](const ModeMapRow& row) {
        return row.rigid_outcome == Outcome::success && row.compliant_outcome == Outcome::success;
      },
      [](const ModeMapRow& row) {
        return fmt::format("rigid {}, compliant {}: {}", name_of(row.rigid_outcome),
                           name_of(row.compliant_outcome), row.message);
      });
}

}  // namespace

const char* name_of(ModeMapExpectation::Quantity quantity) {
  switch (quantity) {
    case What::threshold: return "threshold";
    case What::internal_force: return "internal_force";
    case What::agreement: return "agreement";
    case What::modes: return "modes";
  }
  return "unknown";
}

std::vector<Claim> judged_claims(const ModeMapResult& result) {
  std::vector<Claim> claims{completeness_claim(result)};
  for (const ModeMapExpectation& e : result.map.expectations) switch (e.quantity) {
      case What::threshold: claims.push_back(threshold_claim(result, e)); break;
      case What::internal_force: claims.push_back(force_claim(result, e)); break;
      case What::agreement: claims.push_back(agreement_claim(result, e)); break;
      case What::modes: claims.push_back(modes_claim(result, e)); break;
    }
  return claims;
}

}  // namespace rigidlimit
