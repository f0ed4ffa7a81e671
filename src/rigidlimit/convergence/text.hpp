// Numbers in the sentences and tables on a series.
#pragma once

#include <string>

namespace rigidlimit {

/// "1.023 ± 0.004": one digit beyond the first of the bar, at most six decimals. Without a bar six
/// digits.
std::string with_bar(double value, double bar);

/// An order with three decimals; an order of 0 has no sign, NaN is "-".
std::string order_text(double order);

}  // namespace rigidlimit
