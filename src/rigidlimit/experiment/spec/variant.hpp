// Differences and common values of resolved studies.
#pragma once

#include <string>
#include <vector>

namespace rigidlimit {

/// The values that differ between two resolved texts (TOML), the first few with both values:
/// "contact.damping_ratio = 2 (was 1), time.end = 4 (was 2) and 3 more". Empty: none. A text that
/// is not TOML counts as empty.
std::string changed_values(const std::string& before, const std::string& now);

/// The first resolved text without the lines whose values another text lacks or has different, and
/// without the lists of tables `left_out`. At least one text is required.
std::string common_text(const std::vector<std::string>& texts,
                        const std::vector<std::string>& left_out = {});

}  // namespace rigidlimit
