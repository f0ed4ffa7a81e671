// The modes of all contacts in one word, as events and tables say them.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/complementarity/contact_problem.hpp"

namespace rigidlimit {

/// "slip,free": a word for each contact, in their order.
std::string text_of(const std::vector<ContactMode>& modes);

}  // namespace rigidlimit
