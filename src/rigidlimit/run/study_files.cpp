#include "rigidlimit/run/study_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "rigidlimit/core/shell_word.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/report/results_folder.hpp"

namespace rigidlimit {

namespace {

namespace fs = std::filesystem;

fs::path absolute(const std::string& file) {
  return fs::absolute(file).lexically_normal();
}

/// The folder that contains all files.
fs::path common_folder(const std::map<std::string, std::string>& texts) {
  fs::path common = absolute(texts.begin()->first).parent_path();
  for (const auto& [file, text] : texts)
    while (absolute(file).lexically_relative(common).generic_string().starts_with(".."))
      common = common.parent_path();
  return common;
}

}  // namespace

void write_study_files(const std::string& file, const std::vector<std::string>& overrides,
                       bool quick, const std::string& directory) {
  const TomlDocument document = TomlDocument::from_file(file, {}, alternative_keys());
  ResultsFolder folder((fs::path(directory) / "study").string());
  const fs::path common = common_folder(document.texts());
  std::set<std::string> read;
  for (const auto& [name, text] : document.texts()) {
    folder.write(absolute(name).lexically_relative(common).generic_string(), text);
    read.insert(absolute(name).string());
  }
  std::string command =
      "rigidlimit run " +
      shell_word("study/" + absolute(file).lexically_relative(common).generic_string());
  for (const std::string& set : overrides) command += " --set " + shell_word(set);
  folder.write("command.txt", command + (quick ? " --quick\n" : "\n"));
  folder.remove_others(read);
}

}  // namespace rigidlimit
