// Keys that several kinds of experiments have: the same rows.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/experiment/judge/expectation.hpp"
#include "rigidlimit/experiment/spec/geometric_values.hpp"
#include "rigidlimit/experiment/spec/read_name.hpp"
#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

/// Range of a relative or absolute tolerance.
inline constexpr Range valid_tolerance{.low = 0.0, .high = 0.1, .low_open = true};
/// Range of the tolerance of an order: the orders of the theory are multiples of 1/2, so a wider
/// one could not fail.
inline constexpr Range valid_order_tolerance{.low = 0.0, .high = 0.25, .low_open = true};

/// The name of the results' folder, and two texts.
template <class Experiment>
std::vector<KeyRow<Experiment>> heading_rows() {
  using K = Keys<Experiment>;
  return {K::text({"name", "", "directory of the results"}, &Experiment::name)
              .needed()
              .valid("letters, digits, _ - .")
              .checked([](const Experiment& e) { return fault_in_directory_name(e.name); }),
          K::text({"question", "", "question that the results answer"}, &Experiment::question),
          K::text({"source", "", "source of the setting"}, &Experiment::source)};
}

/// [initial] q and v; their defaults, set before, are the start of the system.
template <class Study>
std::vector<KeyRow<Study>> start_rows(const char* meaning_of_v) {
  using K = Keys<Study>;
  const auto row = [](KeyName key, auto InitialState::*x, auto SystemInfo::*components) {
    return K::vector(
               key, keys::of(&Study::initial, x),
               [components](const Study& s) { return s.system->info.*components; }, true)
        .otherwise("start of the system");
  };
  return {row({"q", "own", "coordinates at t = 0"}, &InitialState::q, &SystemInfo::coordinates),
          row({"v", "own", meaning_of_v}, &InitialState::v, &SystemInfo::velocities)};
}

/// [epsilon]: values, or a geometric sequence.
struct EpsilonTable {
  std::vector<double> values;
  GeometricGrid grid = {};
};
const KeyTable<EpsilonTable>& epsilon_keys();

/// Reads [epsilon]; decreasing.
std::vector<double> read_epsilons(Section section);

/// [time] end.
template <class Study>
KeyRow<Study> end_row() {
  return Keys<Study>::number({"end", "s", "end T of the motion"},
                             keys::of(&Study::time, &decltype(Study::time)::end), valid_time)
      .needed();
}

/// [solvers]: tolerances and limits of the compliant solves.
template <class Study>
std::vector<KeyRow<Study>> compliant_tolerance_rows() {
  using K = Keys<Study>;
  using S = decltype(Study::solvers);
  return {K::number({"rtol", "1", "relative tolerance of the compliant solves"},
                    keys::of(&Study::solvers, &S::rtol), valid_tolerance),
          K::number({"atol", "SI", "absolute tolerance, of each component in its unit of SI"},
                    keys::of(&Study::solvers, &S::atol), valid_tolerance),
          K::number({"tighten", "1", "tolerance factor of the second solve, for the solver error"},
                    keys::of(&Study::solvers, &S::tighten),
                    {.low = 0.0, .high = 0.2, .low_open = true}),
          K::count({"max_steps", "", "steps of one solve; beyond it the row has failed"},
                   keys::of(&Study::solvers, &S::max_steps), {1, 1'000'000'000})};
}

/// [[expect]] quantity of a claim that is not about errors: this word.
template <class Claim>
KeyRow<Claim> quantity_row(const char* word, const char* meaning) {
  const std::string text = toml_text(std::string(word));
  return Keys<Claim>::read_by(
      {"quantity", "", meaning}, text, needed(),
      [word](Section& section, const std::string& key, Claim&) {
        section.choice(key, {word}, std::nullopt);
      },
      [text](const Claim&) { return text; });
}

/// [[expect]] convergence, order, at_least, within, ratio, ratio_within, order_only, with these
/// alternatives to an order. The reader of the table checks whether an order is needed.
std::vector<KeyRow<ExpectationSpec>> order_rows(
    std::vector<std::pair<std::string, Convergence>> convergences, const char* order_words);

}  // namespace rigidlimit
