#include "rigidlimit/record/claims.hpp"

#include <fmt/format.h>

namespace rigidlimit {

DataTable table_of(const std::vector<Claim>& claims) {
  return data_table("claims", {}, claims, [](const Claim& claim) -> Record {
    return {{"claim", claim.text}, {"held", claim.held}, {"found", claim.found}};
  });
}

std::vector<JunitCase> cases_of(const std::vector<Claim>& claims) {
  std::vector<JunitCase> cases;
  for (const Claim& claim : claims)
    cases.push_back({.name = claim.text,
                     .failed = !claim.held,
                     .type = "claim",
                     .message = "found " + claim.found,
                     .reason = claim.found});
  return cases;
}

std::string broken_lines(const std::vector<Claim>& claims) {
  std::string lines;
  for (const Claim& claim : claims)
    if (!claim.held) lines += fmt::format("\n  {}: found {}", claim.text, claim.found);
  return lines;
}

}  // namespace rigidlimit
