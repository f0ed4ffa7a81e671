// The folder with the results of one experiment.
#pragma once

#include <functional>
#include <iosfwd>
#include <set>
#include <string>

namespace rigidlimit {

/// A folder that belongs to the program: new, empty, with a list of the files that the program has
/// written there (LIST), or with a store alone. Other folders are refused, so that no file of a
/// user is replaced. Links inside are neither followed nor replaced: every file that is listed,
/// written or removed is a plain one below plain folders. Threads may not share it.
class ResultsFolder {
 public:
  static constexpr const char* list = ".files";  ///< one name a line, sorted

  /// Throws InputError for a link, for something else than a folder, and for a folder with files of
  /// others. Writes nothing, and removes the unfinished files of killed runs.
  explicit ResultsFolder(std::string path);

  /// Adds a file to the list, writes it beside its place and renames it. `name` may be in a folder
  /// below. Throws InputError on failure, and for an existing file that no run has listed, unless
  /// it has this content already.
  void write(const std::string& name, const std::function<void(std::ostream&)>& content);
  void write(const std::string& name, const std::string& content);
  /// Removes the listed files that were not written since the construction, except `kept` (absolute
  /// paths), from the folder and the list.
  void remove_others(const std::set<std::string>& kept);

 private:
  std::string place_of(const std::string& name) const;
  void remove_unfinished() const;
  void write_list() const;

  std::string path_;
  std::set<std::string> listed_, written_;
};

/// Throws InputError: a link could lead the writes of a run to a file elsewhere.
[[noreturn]] void refuse_link(const std::string& path);

/// Whether a relative name stays below the folder that it belongs to.
bool stays_inside(const std::string& name);

/// The names in the list of a folder of results that are regular files, sorted; none without a
/// list. Names that leave the folder are no names of ours and are left out.
std::set<std::string> listed_files(const std::string& folder);

}  // namespace rigidlimit
