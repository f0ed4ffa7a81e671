#include "rigidlimit/record/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/record/report.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/record/summary.hpp"
#include "rigidlimit/study/read_study.hpp"

namespace rigidlimit {

const std::map<std::string, Format>& formats() {
  static const std::map<std::string, Format> known{{"table", Format::table},
                                                   {"csv", Format::csv},
                                                   {"json", Format::json},
                                                   {"markdown", Format::markdown},
                                                   {"latex", Format::latex}};
  return known;
}

std::vector<std::string> names_of_formats() {
  std::vector<std::string> names;
  for (const auto& [name, format] : formats()) names.push_back(name);
  return names;
}

std::string formatted(const std::vector<StudyResult>& results, Format format, bool colour) {
  if (format == Format::json) return json_text(results);
  std::string text = format == Format::csv ? csv_header() : "";
  for (const StudyResult& result : results) {
    if (!text.empty() && format != Format::csv) text += "\n";
    switch (format) {
      case Format::table: text += terminal_report(result, colour); break;
      case Format::csv: text += csv_rows(result); break;
      case Format::markdown: text += markdown_report(result); break;
      case Format::latex: text += latex_report(result); break;
      case Format::json: break;
    }
  }
  if (results.size() > 1 && format == Format::table)
    text += "\nSummary\n" + terminal_text(summary_table(results), colour);
  if (results.size() > 1 && format == Format::markdown)
    text += "\n## Summary\n\n" + markdown_text(summary_table(results));
  return text;
}

std::string joined(const std::vector<std::string>& texts, Format format) {
  if (texts.size() == 1) return texts.front();
  if (format == Format::json) {
    auto all = nlohmann::ordered_json::array();
    for (const std::string& text : texts)
      for (auto& one : nlohmann::ordered_json::parse(text)) all.push_back(std::move(one));
    return all.dump(1) + "\n";
  }
  std::string all;
  for (const std::string& text : texts) {
    if (all.empty())
      all = text;
    else if (format == Format::csv)  // one header
      all += text.substr(std::min(text.size(), text.find('\n') + 1));
    else
      all += "\n" + text;
  }
  return all;
}

namespace {

/// Devices, pipes and links are written to, not replaced.
bool is_replaceable(const std::string& path) {
  std::error_code ignored;
  const auto kind = std::filesystem::symlink_status(path, ignored).type();
  return kind == std::filesystem::file_type::not_found ||
         kind == std::filesystem::file_type::regular;
}

}  // namespace

void require_writable(const std::string& path) {
  if (path.empty()) return;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path directory =
      fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (fs::is_directory(path, ignored)) throw InputError("cannot be written: is a directory", path);
  if (!fs::is_directory(directory, ignored))
    throw InputError(
        fmt::format("cannot be written: there is no directory '{}'", directory.string()), path);
  // A file is replaced by one that is made beside it; a device or a link is written to.
  const bool replaced = is_replaceable(path);
  if (access((replaced ? directory : fs::path(path)).c_str(), W_OK) != 0 &&
      (replaced || errno != ENOENT))
    throw InputError(fmt::format("cannot be written: {}", std::strerror(errno)), path);
}

void write_file(const std::string& path, const std::string& text) {
  require_writable(path);
  const std::string unfinished = is_replaceable(path) ? path + ".unfinished" : path;
  std::ofstream file(unfinished, std::ios::binary);
  file << text;
  file.close();
  std::error_code failure;
  const bool apart = unfinished != path;
  if (file && apart) std::filesystem::rename(unfinished, path, failure);
  if (!file || failure) {
    std::error_code ignored;
    if (apart) std::filesystem::remove(unfinished, ignored);
    throw InputError("cannot be written: " + (failure ? failure.message() : "disk full?"), path);
  }
}

std::string write_results(const StudyResult& result, const std::string& directory) {
  const std::string place = (std::filesystem::path(directory) / result.study.name).string();
  write_result_files(result, place);
  return place;
}

void write_result_files(const StudyResult& result, const std::string& directory) {
  const std::filesystem::path place = directory;
  std::error_code failure;
  std::filesystem::create_directories(place, failure);
  if (failure) throw InputError("cannot be created: " + failure.message(), place.string());
  const std::vector<StudyResult> one{result};
  write_file(place / "study.toml", resolved_toml(result.study));
  write_file(place / "table.txt", formatted(one, Format::table, false));
  write_file(place / "table.csv", formatted(one, Format::csv, false));
  write_file(place / "table.json", formatted(one, Format::json, false));
  write_file(place / "table.md", formatted(one, Format::markdown, false));
  write_file(place / "table.tex", formatted(one, Format::latex, false));
}

}  // namespace rigidlimit
