#include "rigidlimit/cli/local_stores.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/store/store_lock.hpp"

namespace rigidlimit {

namespace fs = std::filesystem;

namespace {

std::string made_folder(const std::string& directory) {
  std::error_code ignored;
  fs::create_directories(directory, ignored);
  std::string path = (fs::path(directory) / "rigidlimit-XXXXXX").string();
  if (!mkdtemp(path.data()))
    throw InputError(fmt::format("--local: no folder can be made there: {}", std::strerror(errno)),
                     directory);
  return path;
}

/// Copies a store, with the journal of a killed writer, which SQLite needs to restore the file.
/// Throws InputError.
void copy_store(const fs::path& from, const fs::path& to) {
  const StoreReadLock lock(from.string() + ".lock");
  if (!lock.held()) throw InputError("is not read, because a process is writing it", from.string());
  std::error_code failure, ignored;
  fs::copy_file(from, to, failure);
  if (failure) throw InputError("cannot be copied: " + failure.message(), from.string());
  if (const fs::path journal = from.string() + "-journal"; fs::exists(journal, ignored))
    fs::copy_file(journal, to.string() + "-journal", failure);
  if (failure)
    throw InputError("its journal cannot be copied: " + failure.message(), from.string());
}

/// results.db and the shards in the folder of an experiment, except one.
std::vector<fs::path> stores_beside(const fs::path& part) {
  std::vector<fs::path> found;
  const fs::path parent = part.parent_path();
  const fs::path place = parent.filename() == "shards" ? parent.parent_path() : parent;
  std::error_code ignored;
  if (const fs::path whole = place / "results.db"; whole != part && fs::exists(whole, ignored))
    found.push_back(whole);
  for (const auto& entry : fs::directory_iterator(place / "shards", ignored))
    if (entry.path().extension() == ".db" && entry.path() != part) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

}  // namespace

LocalStores::LocalStores(const std::string& directory, const std::string& part, bool fresh)
    : folder_(made_folder(directory)) {
  try {
    std::error_code ignored;
    if (fs::exists(part, ignored)) copy_store(part, own());
  } catch (const InputError&) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
  if (fresh) return;
  for (const fs::path& from : stores_beside(part)) {
    const fs::path to = fs::path(folder_) / fmt::format("other-{}.db", others_.size());
    try {
      copy_store(from, to);
    } catch (const InputError& error) {
      fmt::print(stderr, "rigidlimit: {}\n", printable(error.what()));
      continue;
    }
    others_.push_back(std::make_unique<ReadOnlyStore>(to.string()));
    if (const std::string why = others_.back()->complaint(); !why.empty())
      fmt::print(stderr, "rigidlimit: {}: its solves are not used: {}\n", printable(from.string()),
                 printable(why));
  }
}

LocalStores::~LocalStores() {
  others_.clear();
  std::error_code ignored;
  if (!kept_) fs::remove_all(folder_, ignored);
}

std::string LocalStores::own() const {
  return (fs::path(folder_) / "part.db").string();
}

std::optional<SolveRecord> LocalStores::find(const SolveIdentity& solve, Samples wanted) {
  if (auto found = store_->find(solve, wanted)) return found;
  for (const auto& other : others_)
    if (auto found = other->find(solve, wanted)) return found;
  return std::nullopt;
}

}  // namespace rigidlimit
