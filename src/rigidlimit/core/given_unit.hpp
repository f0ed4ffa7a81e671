// Numbers in the unit in which they are given, and their values in SI.
#pragma once

#include <string>

#include "rigidlimit/core/range.hpp"

namespace rigidlimit {

/// The value in SI of a number in a unit: 20 deg is 0.349… rad. Every number of a file or an option
/// that has a unit passes this function, once. Throws InputError as Unit does.
double value_in_si(double given, const std::string& unit);

/// The shortest decimal number whose value_in_si() is `si`; si/factor to the last digit if rounding
/// leaves none. Every number that is shown in its given unit comes from here.
double given_value(double si, const std::string& unit);

/// "0.1 mm", "2kN", "3": a number with a unit that converts to `unit`, or without one in that SI
/// unit. Throws InputError for another text and another dimension.
double quantity_in_si(const std::string& text, const std::string& unit);

/// Both ends in SI.
Range si_range(Range given, const std::string& unit);

/// The unit of SI of a value in this unit, in the words of its text: "rad" for "deg", "m/s" for
/// "km/h", "N m/rad" for "N mm/deg", "kg m^2" for "g cm^2". A unit of SI is itself: "N s/m".
std::string si_unit(const std::string& unit);

/// The unit of the rate of a value in this unit: "deg/s", "1/s" for "1".
std::string rate_unit(const std::string& unit);

}  // namespace rigidlimit
