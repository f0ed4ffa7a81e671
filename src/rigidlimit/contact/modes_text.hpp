// Text of the modes of all contacts, for events and tables.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/contact/contact_problem.hpp"

namespace rigidlimit {

/// "slip,free": a word for each contact, in their order.
std::string text_of(const std::vector<ContactMode>& modes);

}  // namespace rigidlimit
