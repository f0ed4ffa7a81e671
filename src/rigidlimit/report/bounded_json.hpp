// JSON of unknown origin.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rigidlimit {

/// Parses JSON after a check of its size, depth and numbers of values and keys, which bounds
/// memory, stack and time: objects search their keys one by one. Throws InputError with `where`
/// beyond a limit and for a text that is not JSON.
nlohmann::ordered_json bounded_json(const std::string& text, const std::string& where);

/// The largest text that bounded_json() reads, bytes.
inline constexpr std::size_t longest_json = std::size_t{128} << 20U;

}  // namespace rigidlimit
