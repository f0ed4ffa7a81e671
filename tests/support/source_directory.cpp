#include "support/source_directory.hpp"

namespace rigidlimit::test {

std::string in_repository(const std::string& place) {
  return RIGIDLIMIT_SOURCE_DIR "/" + place;
}

}  // namespace rigidlimit::test
