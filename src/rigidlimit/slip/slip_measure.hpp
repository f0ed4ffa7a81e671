// What is measured of a difference of two motions with events: norms and windows that a jump of the
// velocity allows.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

enum class SlipQuantity { q, v, lambda, event_time };
enum class SlipNorm { sup, l1, l2 };
enum class SlipWindow { all, away };

inline constexpr std::array motion_quantities{SlipQuantity::q, SlipQuantity::v,
                                              SlipQuantity::lambda};
inline constexpr std::array slip_norms{SlipNorm::sup, SlipNorm::l1, SlipNorm::l2};
inline constexpr std::array slip_windows{SlipWindow::all, SlipWindow::away};

const char* name_of(SlipQuantity quantity);  ///< "q", "v", "lambda", "event_time"
const char* name_of(SlipNorm norm);          ///< "sup", "l1", "l2"
const char* name_of(SlipWindow window);      ///< "all", "away"

/// What a number of the table measures.
struct SlipMeasure {
  SlipQuantity quantity = SlipQuantity::q;
  SlipNorm norm = SlipNorm::sup;
  SlipWindow window = SlipWindow::all;
  std::string events = "";  ///< of event_time: a kind ("impact"), or empty: all kinds

  bool operator==(const SlipMeasure&) const = default;
};

/// "v l1 all", "q sup away", "event_time (impact)".
std::string text_of(const SlipMeasure& measure);

/// The instants from which the window `away` keeps its distance.
struct SlipEvents {
  std::vector<double> times;  ///< of the rigid motion, s
  double margin = 0.0;        ///< s: away are the t with |t − t_e| > margin for every event

  bool is_away(double t) const;
  /// t is one of the two samples that enclose an event (neighbour_distance).
  bool is_neighbour(double t) const;

  /// A grid has samples so near to every event on both sides, and none at the event itself: there
  /// two solvers that locate it differently by round-off differ by a whole jump.
  static constexpr double neighbour_distance = 1e-9;  // s: far above the error of a located event
};

/// The size of a difference d of two motions in q, v or λ over the window, [t ∈ window] with the
/// length |window|:
///
///   sup  max_t max_i |d_i|
///   l1   1/|window| ∫ Σ_i |d_i| dt
///   l2   ( 1/|window| ∫ Σ_i d_i² dt )^(1/2)       both by the trapezoidal rule on the grid
///
/// NaN if a value in the window is missing, or if nothing lies in it.
double magnitude(const Motion& difference, const SlipMeasure& measure, const SlipEvents& events);

/// The part of a magnitude that depends on where the samples fall: the difference to what every
/// other sample gives; T and the neighbours of events are always kept.
double sampling_error(const Motion& difference, const SlipMeasure& measure,
                      const SlipEvents& events);

}  // namespace rigidlimit
