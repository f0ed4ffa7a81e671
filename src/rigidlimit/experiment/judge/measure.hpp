// Measures of the difference of two motions: q, v, λ, gaps or event times, in a norm over a window.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

enum class Quantity { q, v, lambda, gap, event_time };
enum class Norm { sup, l1, l2 };
enum class Window { all, after, away };

/// The quantities of every motion. Event times are measured in
/// experiment/friction/judge_friction.hpp.
inline constexpr std::array common_quantities{Quantity::q, Quantity::v, Quantity::lambda};
/// Those of some motion.
inline constexpr std::array all_quantities{Quantity::q, Quantity::v, Quantity::lambda,
                                           Quantity::gap};

/// The quantities of the motions of a system: `gap` only of one whose joints have positions.
std::vector<Quantity> quantities_of(const SystemInfo& system);

/// Whether the certified rows of a study bound it (certify/enclosed_pair.hpp).
constexpr bool is_enclosed(Quantity quantity) {
  return quantity == Quantity::q || quantity == Quantity::v || quantity == Quantity::lambda;
}

const char* name_of(Quantity quantity);  ///< "q", "v", "lambda", "gap", "event_time"
const char* name_of(Norm norm);          ///< "sup", "l1", "l2"
const char* name_of(Window window);      ///< "all", "after", "away"

/// Quantity, norm and window of a number in a table.
struct Measure {
  Quantity quantity = Quantity::q;
  Norm norm = Norm::sup;
  Window window = Window::all;
  std::string events = {};  ///< of event_time: a kind of event ("impact"); empty: all kinds
  /// Name of one coordinate, velocity, contact force or gap, and its row; empty: all of the
  /// quantity.
  std::string component = {};
  Index row = -1;

  bool operator==(const Measure&) const = default;
};

/// "v l1 all", "x sup all", "event_time (impact)".
std::string text_of(const Measure& measure);

/// "q", or the component, "x".
std::string quantity_name(const Measure& measure);

/// "q", "v", "lambda", "gap", or the name of a coordinate, a velocity, a component of the contacts
/// or a position ("gap_pin"), in the sup norm over all times; empty: no such name.
std::optional<Measure> measure_named(const std::string& word, const SystemInfo& system);

/// All words that measure_named() knows: no clock is among them.
std::vector<std::string> names_of_measures(const SystemInfo& system);

/// Components of one quantity of a system, with the clock of one with surfaces that move.
const std::vector<Component>& components_of(const SystemInfo& system, Quantity quantity);

/// "m", "rad": the different units of a quantity.
std::vector<std::string> units_of(const SystemInfo& system, Quantity quantity);

/// "q is the largest of components in m, rad; name one of them: x, y, phi", for a measure of all
/// components of q, v or gap whose units differ; else empty.
std::string mixture_of(const Measure& measure, const SystemInfo& system);

/// The parameters of the windows of a study, and the instants at which a difference is not smooth.
struct Windows {
  double after = 0.0;               ///< s: window `after` is t ≥ after
  std::vector<double> events = {};  ///< of the rigid motion, s
  double margin = 0.0;  ///< s: window `away` is |t − t_e| ≥ margin for every event t_e
  std::vector<double> breaks = {};  ///< s: further corners and jumps, such as events of one motion

  bool contains(Window window, double t) const;

  /// A grid has a sample at this distance on both sides of every event, and none at the event:
  /// there two solvers whose event times differ by rounding would differ by the whole jump.
  static constexpr double neighbour_distance = 1e-9;  // s: far above the error of an event time
};

/// The values of one quantity of a motion: one row per component, one column per time.
const MatrixXd& values_of(const Motion& motion, Quantity quantity);

/// The size of a difference d of two motions in q, v, λ or gap over the window, from its samples
/// alone (DifferenceCurve: from the motion between them):
///
///   sup  max_t max_i |d_i|
///   l1   1/|window| ∫ Σ_i |d_i| dt
///   l2   ( 1/|window| ∫ Σ_i d_i² dt )^(1/2)       both by the trapezoidal rule on the grid
///
/// In a window with a single sample, the value there. NaN if the window is empty or a value in it
/// is missing; 0 of a quantity without rows.
double magnitude(const Motion& difference, const Measure& measure, const Windows& windows);

}  // namespace rigidlimit
