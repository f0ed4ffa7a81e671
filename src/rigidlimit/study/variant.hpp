// Two studies of one name: in what they differ.
#pragma once

#include <string>

namespace rigidlimit {

/// The values in which two resolved texts (TOML) differ, of the first few of them both:
/// "contact.damping_ratio = 2 (was 1), time.end = 4 (was 2) and 3 more". Empty: in none. A
/// text that is no TOML has no values.
std::string changed_values(const std::string& before, const std::string& now);

}  // namespace rigidlimit
