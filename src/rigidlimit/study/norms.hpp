// The difference of two motions, reduced to one number for each of q, v and λ.
#pragma once

#include <array>
#include <vector>

#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

enum class Quantity { q, v, lambda };
enum class Norm { sup, l2 };
enum class Window { all, after };

inline constexpr std::array all_quantities{Quantity::q, Quantity::v, Quantity::lambda};
inline constexpr std::array all_norms{Norm::sup, Norm::l2};
inline constexpr std::array all_windows{Window::all, Window::after};

const char* name_of(Quantity quantity);  ///< "q", "v", "lambda"
const char* name_of(Norm norm);          ///< "sup", "l2"
const char* name_of(Window window);      ///< "all", "after"

/// The values of one quantity: one row a component, one column a time.
const MatrixXd& values_of(const Motion& motion, Quantity quantity);

/// The distance of two motions on the same times in one quantity, over t > cut (`after`) or all t:
///
///   sup  max_t max_i |a_i(t) − b_i(t)|
///   l2   ( 1/|window| ∫ Σ_i |a_i − b_i|² dt )^(1/2), trapezoidal rule on the grid
///
/// NaN if a value is missing.
double distance(const Motion& a, const Motion& b, Quantity quantity, Norm norm, Window window,
                double cut);

/// The part of a distance that depends on where the samples fall: the difference to what every
/// other sample gives. Small where the grid resolves the motions; of the size of the distance where
/// it does not.
double sampling_error(const Motion& a, const Motion& b, Quantity quantity, Norm norm, Window window,
                      double cut);

/// The columns `positions` of a motion.
Motion restricted(const Motion& motion, const std::vector<std::size_t>& positions);

}  // namespace rigidlimit
