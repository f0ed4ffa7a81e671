#include "rigidlimit/toml/shipped_studies.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/suggest.hpp"

namespace rigidlimit {

namespace {

namespace fs = std::filesystem;

constexpr const char* ending = ".toml";
constexpr const char* systems_folder = "systems";
constexpr const char* bases_folder = "bases";  // parts of studies, nothing that can be run

/// The folder of the program or module that contains this code.
fs::path folder_of_this_code() {
  Dl_info info;
  std::error_code failure;
  // A program without shared parts is named as it was called, not by its place.
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (dladdr(reinterpret_cast<const void*>(&folder_of_this_code), &info) == 0 ||
      info.dli_fname == nullptr)
    return program.parent_path();
  const fs::path named = fs::weakly_canonical(info.dli_fname, failure);
  const bool is_shared = named.filename().string().find(".so") != std::string::npos;
  return (is_shared || program.empty() ? named : program).parent_path();
}

bool has_studies(const fs::path& folder) {
  std::error_code failure;
  return fs::is_regular_file(folder / "convergence" / "knife_edge.toml", failure);
}

fs::path found_folder() {
  if (const char* given = std::getenv("RIGIDLIMIT_EXPERIMENTS")) return given;
  for (fs::path above = folder_of_this_code(); !above.empty(); above = above.parent_path()) {
    for (const fs::path& folder :
         {above / "experiments", above / "share" / "rigidlimit" / "experiments"})
      if (has_studies(folder)) return folder;
    if (above == above.root_path()) break;
  }
  return {};
}

/// The files in the folders of shipped_folder() for which `wanted(name of the folder)`.
template <class Wanted>
std::vector<ShippedFile> shipped_in(const Wanted& wanted) {
  std::vector<ShippedFile> all;
  std::error_code failure;
  const fs::path folder = shipped_folder();
  if (folder.empty()) return all;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (!entry.is_directory(failure) || !wanted(entry.path().filename().string())) continue;
    for (const auto& file : fs::directory_iterator(entry.path(), failure))
      if (file.path().extension() == ending)
        all.push_back({file.path().stem().string(), file.path().string()});
  }
  std::ranges::sort(all, {}, &ShippedFile::name);
  return all;
}

std::optional<std::string> path_in(const std::vector<ShippedFile>& files, const std::string& name) {
  const auto found = std::ranges::find(files, name, &ShippedFile::name);
  if (found == files.end()) return std::nullopt;
  return found->path;
}

bool is_file(const fs::path& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  return fs::exists(status) && !fs::is_directory(status);
}

/// A name without folder and ending.
bool is_plain(const std::string& word) {
  return !word.empty() && word.find('/') == std::string::npos && fs::path(word).extension().empty();
}

/// The file of this name in `folder`, by default the current one, or the shipped file.
std::optional<NamedFile> with_name(const std::string& word, const std::vector<ShippedFile>& files,
                                   const fs::path& folder = {}) {
  const std::optional<std::string> shipped = path_in(files, word);
  const std::string own = (folder / (word + ending)).string();
  if (is_file(own))
    return NamedFile{own, shipped ? fmt::format("'{}' is {} of this folder; the file of that name "
                                                "that comes with the program is {}",
                                                word, own, *shipped)
                                  : std::string()};
  if (shipped) return NamedFile{*shipped, ""};
  return std::nullopt;
}

/// "; there is experiments/knife_edge.toml" for files of the same name below the deepest folder of
/// the path that exists; "" if there is none. Users of an earlier version may have no sub-folders
/// in their paths. Searches three folders deep, and at most a few thousand entries.
std::string same_name_nearby(const fs::path& file) {
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

/// Throws for a missing file if there is one of its name elsewhere; otherwise opening it gives the
/// error.
void require_path(const std::string& path) {
  std::error_code failure;
  if (fs::exists(path, failure) || failure) return;
  std::string help = same_name_nearby(path);
  const std::string stem = fs::path(path).stem().string();
  if (path_in(shipped_studies(), stem))
    help += fmt::format("; '{}' is a study that comes with the program", printable(stem));
  if (!help.empty())
    throw InputError("cannot be read: No such file or directory" + help, printable(path));
}

/// The message about a name that `files` lack.
std::string unknown_name(const std::string& word, const std::vector<ShippedFile>& files,
                         ShippedKind kind) {
  const bool is_system = kind == ShippedKind::system;
  return fmt::format("is neither a file nor a {} that comes with the program{}",
                     is_system ? "system" : "study",
                     suggestion(word, names_of(files),
                                is_system ? "rigidlimit list systems" : "rigidlimit list studies"));
}

std::vector<ShippedFile> shipped_files(ShippedKind kind) {
  switch (kind) {
    case ShippedKind::study: return shipped_studies();
    case ShippedKind::system: return shipped_systems();
    case ShippedKind::base: break;
  }
  std::vector<ShippedFile> all = shipped_studies();
  const std::vector<ShippedFile> bases =
      shipped_in([](const std::string& folder) { return folder == bases_folder; });
  all.insert(all.end(), bases.begin(), bases.end());
  return all;
}

}  // namespace

std::string shipped_folder() {
  static const std::string folder = found_folder().string();
  return folder;
}

std::vector<ShippedFile> shipped_studies() {
  return shipped_in(
      [](const std::string& folder) { return folder != systems_folder && folder != bases_folder; });
}

std::vector<ShippedFile> shipped_systems() {
  return shipped_in([](const std::string& folder) { return folder == systems_folder; });
}

std::vector<std::string> names_of(const std::vector<ShippedFile>& files) {
  std::vector<std::string> names;
  for (const ShippedFile& file : files) names.push_back(file.name);
  return names;
}

NamedFile named_study(const std::string& word) {
  if (!is_plain(word) || is_file(word)) {
    require_path(word);
    return {word, ""};
  }
  const std::vector<ShippedFile> files = shipped_studies();
  if (std::optional<NamedFile> named = with_name(word, files)) return *std::move(named);
  throw UnknownStudy(unknown_name(word, files, ShippedKind::study), printable(word));
}

NamedFile named_system(const std::string& word) {
  if (!is_plain(word)) return {word, ""};
  return with_name(word, shipped_systems()).value_or(NamedFile{word, ""});
}

std::string file_named_in(const std::string& folder, const std::string& word, ShippedKind kind) {
  const fs::path place(folder);
  const std::string path = (place / word).string();  // an absolute path stays
  if (is_plain(word) && !is_file(path)) {
    const std::vector<ShippedFile> files = shipped_files(kind);
    if (const std::optional<NamedFile> named = with_name(word, files, place)) return named->path;
    throw InputError(unknown_name(word, files, kind), printable(word));
  }
  std::error_code failure;
  if (word.find('\0') == std::string::npos && !fs::exists(path, failure) && !failure)
    if (const std::string stem = fs::path(word).stem().string(); path_in(shipped_files(kind), stem))
      throw InputError(
          fmt::format("cannot be read: No such file or directory; the name '{}', without folder "
                      "and ending, is that of a file that comes with the program",
                      printable(stem)),
          printable(path));
  return path;
}

}  // namespace rigidlimit
