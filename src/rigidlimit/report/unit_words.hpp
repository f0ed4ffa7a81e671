// Units in texts for people.
#pragma once

#include <string>
#include <string_view>

namespace rigidlimit {

/// Whether `word` is a unit without a power: "kg", "m", "rad".
bool is_unit(std::string_view word);

/// `text` with raised powers of units: "kg m^2" as "kg m²", "m s^-2" as "m s⁻²". Other powers, such
/// as x^2, stay.
std::string with_raised_units(std::string_view text);

}  // namespace rigidlimit
