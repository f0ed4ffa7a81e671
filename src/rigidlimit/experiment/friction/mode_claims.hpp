// Claims about the modes of rigid and compliant motions.
#pragma once

#include <vector>

#include "rigidlimit/experiment/friction/friction_result.hpp"

namespace rigidlimit {

/// The claims of [history] and of [[expect]] with quantity = "modes". If a file has such claims, or
/// compares modes only (time.compared = 0), the first claim is that every compliant solve succeeds.
std::vector<Claim> mode_claims(const FrictionStudy& study, const std::vector<MotionModes>& motions);

}  // namespace rigidlimit
