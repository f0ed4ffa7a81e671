// Claims that hold or do not, in each of the forms in which a report has them.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/record/document.hpp"
#include "rigidlimit/record/junit_document.hpp"
#include "rigidlimit/slip/claim.hpp"

namespace rigidlimit {

/// claim, held, found.
DataTable table_of(const std::vector<Claim>& claims);

std::vector<JunitCase> cases_of(const std::vector<Claim>& claims);

/// For each that is broken a line break, two blanks, the claim and what was found.
std::string broken_lines(const std::vector<Claim>& claims);

}  // namespace rigidlimit
