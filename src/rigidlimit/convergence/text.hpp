// Numbers in the sentences and tables on a series.
#pragma once

#include <string>

namespace rigidlimit {

/// "1.024 ± 4e-03": as many decimals as show the first digit of the bar, at least 2 and at most 9.
/// A value that rounds to nothing there is "0 ± 4e-03"; one below 9 decimals with a smaller bar has
/// an exponent, "3.2000e-12 ± 1e-16". Without a bar, 0 or NaN, six digits of the value.
std::string with_bar(double value, double bar);

/// Fixed number of digits, without "-0.00".
std::string fixed_text(double x, int digits);

/// An order with three decimals; an order of 0 has no sign, NaN is "-".
std::string order_text(double order);

}  // namespace rigidlimit
