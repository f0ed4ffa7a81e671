#include "rigidlimit/core/tape/operation_name.hpp"

#include <array>

namespace rigidlimit {

const char* name_of(Operation operation) {
#define RIGIDLIMIT_NAME(name, ...) #name,
  constexpr std::array names{"constant", "input",
                             RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_NAME)
                                 RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_NAME) "atan2",
                             "power", RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_NAME) "select"};
#undef RIGIDLIMIT_NAME
  return names.at(static_cast<std::size_t>(operation));
}

}  // namespace rigidlimit
