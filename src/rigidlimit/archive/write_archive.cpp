#include "rigidlimit/archive/write_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <utility>

#include "rigidlimit/archive/sha256.hpp"
#include "rigidlimit/archive/zip.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/temporary_folder.hpp"
#include "rigidlimit/report/bounded_json.hpp"
#include "rigidlimit/report/report.hpp"
#include "rigidlimit/report/result_difference.hpp"
#include "rigidlimit/report/results_folder.hpp"
#include "rigidlimit/store/stored_run.hpp"

namespace rigidlimit {

namespace {

namespace fs = std::filesystem;

constexpr const char* crate_name = "ro-crate-metadata.json";

/// An entry of the archive and the file with its content.
struct PackedFile {
  std::string name;
  fs::path file;
};

bool is_plain(const fs::path& path, fs::file_type type) {
  std::error_code failure;
  return fs::symlink_status(path, failure).type() == type;
}

/// The regular files below `folder`, sorted by name, without links; none if it is not a folder.
std::vector<PackedFile> files_below(const fs::path& folder, const std::string& prefix) {
  std::vector<PackedFile> found;
  if (!is_plain(folder, fs::file_type::directory)) return found;
  std::error_code failure;
  for (const auto& entry : fs::recursive_directory_iterator(folder, failure))
    if (is_plain(entry.path(), fs::file_type::regular))
      found.push_back(
          {prefix + entry.path().lexically_relative(folder).generic_string(), entry.path()});
  std::ranges::sort(found, {}, &PackedFile::name);
  return found;
}

/// The files that runs have written to `folder`.
std::vector<PackedFile> written_files(const fs::path& folder, const std::string& prefix) {
  std::vector<PackedFile> found;
  for (const std::string& name : listed_files(folder.string()))
    found.push_back({prefix + name, folder / name});
  return found;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<CrateRun> runs_in(const Store& store) {
  std::vector<CrateRun> runs;
  for (StoredRunRow& run : store.runs_that_solved())
    runs.push_back({printable(run.started), printable(run.ended), std::move(run.provenance),
                    store.name() + ": runs.provenance"});
  return runs;
}

/// Seconds since 1970 of "2026-11-26T05:24:13Z"; 0 for another text.
std::int64_t seconds_of(const std::string& time) {
  std::tm parts{};
  std::istringstream text(time);
  text >> std::get_time(&parts, "%Y-%m-%dT%H:%M:%SZ");
  return text.fail() ? 0 : timegm(&parts);
}

std::string readme_of(const Experiment& experiment, const std::vector<PackedFile>& entries,
                      const std::string& archive, const std::vector<CrateRun>& runs) {
  std::string text = fmt::format("# {}\n\n{}{}", experiment.name, experiment.question,
                                 experiment.question.empty() ? "" : "\n\n");
  text += fmt::format(
      "Result of the program rigidlimit, as a research object (RO-Crate 1.1; "
      "`ro-crate-metadata.json`).{}\n\n",
      runs.empty() ? "" : fmt::format(" Last solves: {}.", runs.back().started));
  text += fmt::format(
      "`rigidlimit reproduce {}` runs the experiment again and prints the values that differ, and "
      "by "
      "how much.\n\n| file | contents |\n| --- | --- |\n",
      archive);
  for (const PackedFile& entry : entries)
    text += fmt::format("| `{}` | {} |\n", entry.name, about_file(entry.name));
  return text;
}

/// The tables of the store, written to `folder`; the files beside the store instead, if they have
/// the same rows: their provenance is that of the run.
std::vector<PackedFile> result_files(const Result& report, const fs::path& beside,
                                     const TemporaryFolder& folder) {
  write_report(report, folder.path());
  std::vector<PackedFile> entries = written_files(folder.path(), "");
  const std::string table = report.tables.front().name() + ".csv";
  if (content_of(beside / table) == content_of(folder.file(table)) &&
      content_of(beside / "resolved.toml") == report.resolved)
    for (PackedFile& entry : entries)
      if (is_plain(beside / entry.name, fs::file_type::regular)) entry.file = beside / entry.name;
  return entries;
}

/// The page and the figures that `rigidlimit report` made of this result.
std::vector<PackedFile> page_files(const fs::path& pages, const std::string& name) {
  std::vector<PackedFile> entries = files_below(pages / name, "figures/");
  if (is_plain(pages / (name + ".html"), fs::file_type::regular))
    entries.push_back({"report.html", pages / (name + ".html")});
  return entries;
}

/// Throws InputError for an existing path that is not an archive of write_archive(): a file of the
/// user, or the RO-Crate of another program.
void require_replaceable(const std::string& path) {
  if (!fs::exists(fs::symlink_status(path))) return;
  const std::vector<std::string> always{crate_name, "resolved.toml", "result.json"};
  try {
    if (is_plain(path, fs::file_type::regular) &&
        texts_in_zip(path, always, longest_json).size() == always.size())
      return;
  } catch (const InputError&) {  // no archive of ours
  }
  throw InputError(
      "exists and is not an archive of rigidlimit: name another file with -o, or remove this one",
      path);
}

Experiment complete_experiment(const Store& store, const std::string& path,
                               const SystemCatalogue& systems) {
  if (const std::string unknown = unknown_system(store, path, systems); !unknown.empty())
    throw InputError(
        fmt::format("the system '{}' is not built into this program: archive the result "
                    "with the program that has it",
                    unknown),
        path);
  return experiment_in(store, path, systems);
}

}  // namespace

WrittenArchive write_archive(const ArchiveRequest& request, const SystemCatalogue& systems) {
  Store store(request.store, Store::Access::read);
  const Experiment experiment = complete_experiment(store, request.store, systems);
  const std::string path = request.output.empty() ? experiment.name + ".zip" : request.output;
  require_replaceable(path);
  const Result judged = judge_store(experiment, store);
  if (judged.counts.missing > 0)
    throw InputError(
        fmt::format("{} of {} solves are missing: 'rigidlimit run' solves them",
                    judged.counts.missing, judged.counts.missing + judged.counts.reused),
        request.store);
  const fs::path beside = fs::path(request.store).parent_path();
  const fs::path pages =
      request.pages.empty() ? beside.parent_path() / "report" : fs::path(request.pages);
  const TemporaryFolder results, rest;

  std::vector<PackedFile> entries = written_files(beside / "study", "study/");
  WrittenArchive written{.path = path, .has_study = !entries.empty()};
  std::ranges::move(result_files(judged, beside, results), std::back_inserter(entries));
  store.copy_to(rest.file("results.db").string());
  entries.push_back({"results.db", rest.file("results.db")});
  std::vector<PackedFile> drawn = page_files(pages, experiment.name);
  written.has_figures = !drawn.empty();
  std::ranges::move(drawn, std::back_inserter(entries));

  Crate crate{
      .name = experiment.name,
      .about = experiment.question.empty() ? "Result of " + experiment.name : experiment.question,
      .source = judged.source,
      .licence = request.licence,
      .authors = request.authors,
      .runs = runs_in(store)};
  const CrateRun last = crate.runs.empty() ? CrateRun{} : crate.runs.back();
  crate.date = last.ended.empty() ? last.started : last.ended;
  const std::string readme =
      readme_of(experiment, entries, fs::path(written.path).filename().string(), crate.runs);
  Sha256 of_readme;
  of_readme.add(readme.data(), readme.size());
  crate.files.push_back({"README.md", about_file("README.md"), readme.size(), of_readme.text()});
  for (const PackedFile& entry : entries)
    crate.files.push_back({entry.name, about_file(entry.name), fs::file_size(entry.file),
                           sha256_of_file(entry.file.string())});

  ZipWriter zip(written.path, seconds_of(crate.date));
  zip.add_text(crate_name, crate_metadata(crate));
  zip.add_text("README.md", readme);
  for (const PackedFile& entry : entries) zip.add_file(entry.name, entry.file.string());
  zip.finish();
  written.files = std::move(crate.files);
  return written;
}

namespace {

/// Compares the files of an archive with its crate. Throws InputError for the first that differs.
void check_files(const std::string& path, const std::string& crate,
                 const std::function<bool()>& stop_requested) {
  const std::vector<CrateFile> files =
      files_in_crate(crate, fmt::format("{}:{}", path, crate_name));
  const auto require = [&](const CrateFile& file, std::size_t size, const std::string& sha256) {
    if (size != file.size || sha256 != file.sha256)
      throw InputError(fmt::format("is damaged: {} is not the file that {} describes",
                                   shortened(printable(file.name), 200), crate_name),
                       path);
  };
  const auto miss = [&](const CrateFile& file) {
    throw InputError(fmt::format("is damaged: {} is missing", shortened(printable(file.name), 200)),
                     path);
  };
  if (fs::is_directory(path)) {
    for (const CrateFile& file : files) {
      const fs::path place = fs::path(path) / file.name;
      std::error_code failure;
      const std::size_t size = fs::file_size(place, failure);
      if (failure || !is_plain(place, fs::file_type::regular)) miss(file);
      require(file, size, size == file.size ? sha256_of_file(place.string(), stop_requested) : "");
    }
    return;
  }
  constexpr std::size_t most_entries = 10'000;
  std::map<std::string, std::size_t> sizes;
  for (const CrateFile& file : files) sizes[file.name] = file.size;
  const std::map<std::string, EntryDigest> digests =
      digests_in_zip(path, sizes, most_entries, stop_requested);
  for (const CrateFile& file : files) {
    const auto at = digests.find(file.name);
    if (at == digests.end()) miss(file);
    require(file, at->second.size, at->second.sha256);
  }
}

}  // namespace

ArchivedResult read_archive(const std::string& path, const std::function<bool()>& stop_requested) {
  const std::vector<std::string> needed{"resolved.toml", "result.json"};
  std::vector<std::string> names = needed;
  names.emplace_back(crate_name);
  std::map<std::string, std::string> texts;
  if (fs::is_directory(path)) {
    for (const std::string& name : names)
      if (const fs::path file = fs::path(path) / name; fs::exists(file))
        texts[name] = text_of_file(file.string(), longest_json);
  } else {
    if (!fs::exists(path)) throw InputError("cannot be read: No such file or directory", path);
    texts = texts_in_zip(path, names, longest_json);
  }
  for (const std::string& name : needed)
    if (!texts.contains(name))
      throw InputError(
          fmt::format("has no {}, which every archive of 'rigidlimit archive' has", name), path);
  if (texts.contains(crate_name)) check_files(path, texts[crate_name], stop_requested);
  require_result(texts["result.json"], path + ":result.json");
  return {path, texts["resolved.toml"], texts["result.json"]};
}

}  // namespace rigidlimit
