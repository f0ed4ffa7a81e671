#include "rigidlimit/report/results_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/report/output.hpp"

namespace rigidlimit {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_list = std::size_t{1} << 20U;

fs::file_type type_of(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type();
}

/// The place and type of a name below a folder.
struct Below {
  fs::path place;      ///< the first part that is not a plain folder, or the whole
  fs::file_type type;  ///< regular only for a plain file below plain folders
};

Below below(const fs::path& folder, const std::string& name) {
  fs::path place = folder;
  const fs::path relative(name), above = relative.parent_path();
  for (const fs::path& part : above)
    if (const fs::file_type type = type_of(place /= part); type != fs::file_type::directory)
      return {place, type == fs::file_type::regular ? fs::file_type::unknown : type};
  place /= relative.filename();
  return {place, type_of(place)};
}

bool is_plain_file(const fs::path& folder, const std::string& name) {
  return below(folder, name).type == fs::file_type::regular;
}

/// The store and its companions, which have their own checks (store/store.hpp).
bool is_of_the_store(const std::string& name) {
  return name.starts_with("results.db") || name == "shards";
}

std::set<std::string> names_in_list(const fs::path& folder) {
  std::set<std::string> names;
  const fs::path file = folder / ResultsFolder::list;
  if (type_of(file) != fs::file_type::regular) return names;
  std::istringstream lines(text_of_file(file.string(), longest_list));
  for (std::string line; std::getline(lines, line);)
    if (stays_inside(line)) names.insert(line);
  return names;
}

}  // namespace

void refuse_link(const std::string& path) {
  throw InputError("is a link, and a run writes through no link in a folder of results: remove it",
                   path);
}

bool stays_inside(const std::string& name) {
  const fs::path path(name);
  return !name.empty() && !path.is_absolute() && std::ranges::find(path, "..") == path.end();
}

ResultsFolder::ResultsFolder(std::string path) : path_(std::move(path)) {
  const fs::path place(path_);
  switch (type_of(place)) {
    case fs::file_type::not_found: return;
    case fs::file_type::symlink: refuse_link(place.string());
    case fs::file_type::directory: break;
    default: throw InputError("is not a folder: choose another one with --results DIR", path_);
  }
  if (type_of(place / list) == fs::file_type::symlink) refuse_link((place / list).string());
  listed_ = names_in_list(place);
  remove_unfinished();
  if (type_of(place / list) == fs::file_type::regular) return;
  std::vector<std::string> others;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(place, failure))
    if (const std::string name = entry.path().filename().string(); name == list)
      return;  // of ours, though the folder cannot be searched
    else if (!is_of_the_store(name) && name_of_unfinished(name) != list)
      others.push_back(name);
  if (others.empty()) return;
  std::ranges::sort(others);
  const std::size_t count = others.size();
  if (count > 3) others.resize(3);
  throw InputError(
      fmt::format("has {} file{} that no run of rigidlimit has written ({}{}): choose another name "
                  "of the study, or another folder with --results DIR",
                  count, count == 1 ? "" : "s", fmt::join(others, ", "), count > 3 ? ", …" : ""),
      path_);
}

/// Creates the folders above the file; refuses links among them, and a file of a user.
std::string ResultsFolder::place_of(const std::string& name) const {
  const Below there = below(path_, name);
  if (there.type == fs::file_type::symlink) refuse_link(there.place.string());
  if (there.type != fs::file_type::not_found && there.type != fs::file_type::regular)
    throw InputError("cannot be replaced: it is not a regular file", there.place.string());
  const fs::path place = fs::path(path_) / name;
  std::error_code failure;
  fs::create_directories(place.parent_path(), failure);
  if (failure)
    throw InputError("cannot be created: " + failure.message(), place.parent_path().string());
  return place.string();
}

void ResultsFolder::remove_unfinished() const {
  std::set<std::string> folders{""};
  for (const std::string& name : listed_) folders.insert(fs::path(name).parent_path().string());
  for (const std::string& folder : folders) {
    if (!folder.empty() && below(path_, folder).type != fs::file_type::directory) continue;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(fs::path(path_) / folder, failure)) {
      const std::string unfinished = entry.path().filename().string();
      const std::string name = (fs::path(folder) / name_of_unfinished(unfinished)).string();
      if (fs::path(name).has_filename() && (name == list || listed_.contains(name)) &&
          is_plain_file(path_, (fs::path(folder) / unfinished).string()))
        remove_unless_written(entry.path().string());
    }
  }
}

void ResultsFolder::write(const std::string& name,
                          const std::function<void(std::ostream&)>& content) {
  const std::string place = place_of(name);
  if (!listed_.contains(name)) {
    if (type_of(place) == fs::file_type::regular)
      throw InputError(
          "is not replaced: no run of rigidlimit has written it; move it away and repeat the "
          "command",
          place);
    listed_.insert(name);
    write_list();  // first: a killed run leaves no file of its own that the next one refuses
  }
  write_file(place, content);
  written_.insert(name);
}

void ResultsFolder::write(const std::string& name, const std::string& content) {
  const std::string place = place_of(name);
  if (type_of(place) == fs::file_type::regular) {
    std::error_code failure;
    const bool same = fs::file_size(place, failure) == content.size() && !content.empty() &&
                      text_of_file(place, content.size()) == content;
    if (same) {  // also a file of the user, which stays theirs
      if (listed_.contains(name)) written_.insert(name);
      return;
    }
  }
  write(name, [&](std::ostream& out) { out << content; });
}

void ResultsFolder::remove_others(const std::set<std::string>& kept) {
  for (const std::string& name : std::set<std::string>(listed_)) {
    const fs::path place = fs::path(path_) / name;
    if (written_.contains(name) || kept.contains(fs::absolute(place).lexically_normal().string()))
      continue;
    std::error_code ignored;
    if (is_plain_file(path_, name)) fs::remove(place, ignored);
    listed_.erase(name);
  }
  write_list();
}

void ResultsFolder::write_list() const {
  write_file(place_of(list), fmt::format("{}\n", fmt::join(listed_, "\n")));
}

std::set<std::string> listed_files(const std::string& folder) {
  std::set<std::string> names;
  if (type_of(folder) == fs::file_type::directory) names = names_in_list(folder);
  std::erase_if(names, [&](const std::string& name) { return !is_plain_file(folder, name); });
  return names;
}

}  // namespace rigidlimit
