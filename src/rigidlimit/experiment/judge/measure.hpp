// What is measured of the difference of two motions: one number of q, v, λ or the times of events,
// in a norm over a window.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

enum class Quantity { q, v, lambda, event_time };
enum class Norm { sup, l1, l2 };
enum class Window { all, after, away };

/// Those of a motion; the times of events are measured elsewhere
/// (experiment/friction/judge_friction.hpp).
inline constexpr std::array all_quantities{Quantity::q, Quantity::v, Quantity::lambda};

const char* name_of(Quantity quantity);  ///< "q", "v", "lambda", "event_time"
const char* name_of(Norm norm);          ///< "sup", "l1", "l2"
const char* name_of(Window window);      ///< "all", "after", "away"

/// What a number of a table measures.
struct Measure {
  Quantity quantity = Quantity::q;
  Norm norm = Norm::sup;
  Window window = Window::all;
  std::string events = {};  ///< of event_time: a kind ("impact"), or empty: all kinds

  bool operator==(const Measure&) const = default;
};

/// "v l1 all", "q sup away", "event_time (impact)".
std::string text_of(const Measure& measure);

/// The instants that the windows of a study depend on.
struct Windows {
  double after = 0.0;               ///< s: `after` are the t > after
  std::vector<double> events = {};  ///< of the rigid motion, s
  double margin = 0.0;        ///< s: `away` are the t with |t − t_e| > margin for every event
  bool locate_peaks = false;  ///< the motions are smooth between events: a sup norm is that of the
                              ///< parabolas through the samples about each peak

  bool contains(Window window, double t) const;
  /// t is one of the two samples that enclose an event (neighbour_distance).
  bool is_neighbour(double t) const;

  /// A grid has samples so near to every event on both sides, and none at the event itself: there
  /// two solvers that locate it differently by round-off differ by a whole jump.
  static constexpr double neighbour_distance = 1e-9;  // s: far above the error of a located event
};

/// The values of one quantity of a motion: one row a component, one column a time.
const MatrixXd& values_of(const Motion& motion, Quantity quantity);

/// The size of a difference d of two motions in q, v or λ over the window, whose length is
/// |window|:
///
///   sup  max_t max_i |d_i|: the largest sample, or the top of a parabola (Windows::locate_peaks)
///   l1   1/|window| ∫ Σ_i |d_i| dt
///   l2   ( 1/|window| ∫ Σ_i d_i² dt )^(1/2)       both by the trapezoidal rule on the grid
///
/// Where the window holds a single sample, its value. NaN if a value in the window is missing, or
/// if nothing lies in it.
double magnitude(const Motion& difference, const Measure& measure, const Windows& windows);

/// The part of a magnitude that depends on where the samples fall: the difference to what every
/// other sample gives. Of a peak that is located by a parabola this is some ten times the error of
/// the top, which is of third order in the distance of the samples; T, where a maximum is found by
/// no chance, and the neighbours of events are always kept. Small where the grid resolves the
/// motions; of the size of the magnitude where it does not.
double sampling_error(const Motion& difference, const Measure& measure, const Windows& windows);

}  // namespace rigidlimit
