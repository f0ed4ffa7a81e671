// Resolved studies of one name: in what they differ, and what they have in common.
#pragma once

#include <string>
#include <vector>

namespace rigidlimit {

/// The values in which two resolved texts (TOML) differ, of the first few of them both:
/// "contact.damping_ratio = 2 (was 1), time.end = 4 (was 2) and 3 more". Empty: in none. A
/// text that is no TOML has no values.
std::string changed_values(const std::string& before, const std::string& now);

/// The first of these resolved texts without the lines of values that another has otherwise, or has
/// not. At least one text.
std::string common_text(const std::vector<std::string>& texts);

}  // namespace rigidlimit
