// Claims that hold or do not, in each of the forms in which a report has them.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/claim.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/report.hpp"

namespace rigidlimit {

/// claim, held, found.
DataTable table_of(const std::vector<Claim>& claims);

std::vector<JunitCase> cases_of(const std::vector<Claim>& claims);

/// "NAME: held, 5 of 5 claims, 6 of 6 expectations, 2 of 2 bounds", or "not held", how many
/// of which are, and a line for each that is not. A bound has its line, "NAME: bound …", held or
/// not: it says how near the errors come.
std::string verdict_of(const Report& report);

}  // namespace rigidlimit
