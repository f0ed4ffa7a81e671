#include "rigidlimit/run/read_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"

namespace rigidlimit {

namespace {

/// A hint with files of the same name in nearby folders, since experiments move between folders.
/// Searches three folders deep, and at most a few thousand entries.
std::string same_name_nearby(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code failure;
  fs::path folder = file.parent_path();
  while (!folder.empty() && !fs::is_directory(folder, failure)) folder = folder.parent_path();
  if (folder == file.root_path() && !folder.empty()) return "";
  std::vector<std::string> found;
  fs::recursive_directory_iterator entry(folder.empty() ? "." : folder, failure);
  for (int seen = 0; !failure && entry != fs::recursive_directory_iterator() && seen < 5000;
       entry.increment(failure), ++seen) {
    if (entry.depth() == 2) entry.disable_recursion_pending();
    if (entry->path().filename() == file.filename() && entry->is_regular_file(failure))
      found.push_back(entry->path().lexically_normal().string());
  }
  std::ranges::sort(found);
  if (found.empty()) return "";
  return fmt::format("; there {} {}", found.size() == 1 ? "is" : "are", fmt::join(found, ", "));
}

void require_file(const std::string& file) {
  std::error_code failure;
  if (std::filesystem::exists(file, failure) || failure) return;  // opening it gives the error
  throw InputError("cannot be read: No such file or directory" + same_name_nearby(file),
                   printable(file));
}

}  // namespace

Experiment read_experiment(const std::string& file, const std::vector<std::string>& overrides,
                           const SystemCatalogue& systems, bool quick) {
  require_file(file);
  const TomlDocument document = TomlDocument::from_file(file, overrides, alternative_keys());
  if (document.root().has_table("benchmark"))
    return experiment_of(read_benchmark(file, {overrides, quick}, systems));
  return read_experiment(document, systems);
}

}  // namespace rigidlimit
