// Costs of solves by timing group, for the balance of shards.
#pragma once

#include <map>
#include <string>

namespace rigidlimit {

/// The time of a solve of one timing group as a power of ε: a ε^(−p) s; without ε: a.
struct SolveCost {
  double at_one = 1.0;    ///< a, s
  double exponent = 0.0;  ///< p
};

/// By timing group (solve_clock.hpp).
using SolveCosts = std::map<std::string, SolveCost>;

/// Parses "GROUP=a,p; …", where p may be missing: 0. Throws InputError with the faulty entry unless
/// a > 0 and p are numbers, and for a repeated group.
SolveCosts solve_costs_of(const std::string& text);

/// The text that solve_costs_of() parses, with three digits.
std::string text_of(const SolveCosts& costs);

}  // namespace rigidlimit
