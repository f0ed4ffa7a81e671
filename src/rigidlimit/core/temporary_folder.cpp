#include "rigidlimit/core/temporary_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::error_code failure;
  const fs::path place = fs::temp_directory_path(failure);
  if (failure) {
    const char* const wanted = std::getenv("TMPDIR");
    throw InputError("is not a directory: set TMPDIR to one", wanted ? wanted : "/tmp");
  }
  path_ = (place / "rigidlimit-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr)
    throw InputError(fmt::format("no folder can be made there: {}", std::strerror(errno)),
                     place.string());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rigidlimit
