// The entries of the catalogue, each defined in the file of its problem.
#pragma once

#include <initializer_list>

#include "rigidlimit/classical/catalogue.hpp"

namespace rigidlimit {

ClassicalEntry pendulum_ode();
ClassicalEntry pendulum_index_1();
ClassicalEntry pendulum_index_2();
ClassicalEntry pendulum_index_3();
ClassicalEntry car_axis_index_2();
ClassicalEntry car_axis();
ClassicalEntry squeezing_mechanism_index_2();
ClassicalEntry squeezing_mechanism();
ClassicalEntry slider_crank();
ClassicalEntry wheelset();

/// Adds to `make` the argument checks required by ClassicalEntry::make; published values are
/// removed for any value that is not the default.
ClassicalEntry with_checked_parameters(ClassicalEntry entry);

/// PrintedNumbers of these texts.
std::vector<PrintedNumber> printed(std::initializer_list<const char*> texts);

}  // namespace rigidlimit
