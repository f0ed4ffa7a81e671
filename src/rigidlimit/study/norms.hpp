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

/// The size of a difference of two motions in one quantity, over t > cut (`after`) or all t:
///
///   sup  max_t max_i |d_i(t)|
///   l2   ( 1/|window| ∫ Σ_i d_i² dt )^(1/2), trapezoidal rule on the grid
///
/// NaN if a value is missing.
double magnitude(const Motion& difference, Quantity quantity, Norm norm, Window window, double cut);

/// The part of a magnitude that depends on where the samples fall: the difference to what every
/// other sample (and T) gives. Small where the grid resolves the motions; of the size of the
/// magnitude where it does not.
double sampling_error(const Motion& difference, Quantity quantity, Norm norm, Window window,
                      double cut);

}  // namespace rigidlimit
