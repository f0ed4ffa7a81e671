#include "rigidlimit/archive/crate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/bounded_json.hpp"
#include "rigidlimit/report/results_folder.hpp"

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* specification = "https://w3id.org/ro/crate/1.1";
constexpr const char* profile = "https://w3id.org/ro/wfrun/process/0.5";

Json id(const std::string& name) {
  return {{"@id", name}};
}

/// An identifier may not have spaces and other characters of its own meaning.
std::string as_identifier(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       c == '-' || c == '.' || c == '_' || c == '/';
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string media_type(const std::string& name) {
  static const std::map<std::string, const char*> types{
      {".csv", "text/csv"},          {".db", "application/vnd.sqlite3"},
      {".html", "text/html"},        {".json", "application/json"},
      {".md", "text/markdown"},      {".pdf", "application/pdf"},
      {".png", "image/png"},         {".svg", "image/svg+xml"},
      {".tex", "application/x-tex"}, {".toml", "application/toml"},
      {".txt", "text/plain"},        {".gif", "image/gif"},
      {".mp4", "video/mp4"}};
  const auto known = types.find(std::filesystem::path(name).extension().string());
  return known == types.end() ? "application/octet-stream" : known->second;
}

Json file_entity(const CrateFile& file) {
  Json entity{{"@id", as_identifier(file.name)},
              {"@type", "File"},
              {"name", file.name},
              {"encodingFormat", media_type(file.name)},
              {"contentSize", std::to_string(file.size)},
              {"sha256", file.sha256}};
  if (!file.about.empty()) entity["description"] = file.about;
  return entity;
}

/// "Name <address>" as a person; without an address the identifier is made of the name.
Json person(const std::string& text) {
  const std::size_t open = text.find(" <");
  if (open == std::string::npos || text.back() != '>')
    return {{"@id", "#" + as_identifier(text)}, {"@type", "Person"}, {"name", text}};
  return {{"@id", text.substr(open + 2, text.size() - open - 3)},
          {"@type", "Person"},
          {"name", text.substr(0, open)}};
}

bool is_address(const std::string& text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

bool is_input(const std::string& name) {
  return name == "resolved.toml" || name.starts_with("study/");
}

bool is_output(const std::string& name) {
  return !is_input(name) && name != "README.md";
}

/// A list of one element is written as the element.
Json single_or_list(Json list) {
  return list.size() == 1 ? list.front() : list;
}

/// "2026-11-26T05:24:13Z" with its offset: some readers do not know Z.
std::string with_offset(std::string time) {
  if (time.ends_with('Z')) time.replace(time.size() - 1, 1, "+00:00");
  return time;
}

std::string run_name(std::size_t k) {
  return fmt::format("#run-{}", k + 1);
}

std::string program_name(std::size_t k) {
  return fmt::format("#program-{}", k + 1);
}

Json references_to(const std::vector<CrateFile>& files, bool (*chosen)(const std::string&)) {
  Json list = Json::array();
  for (const CrateFile& file : files)
    if (chosen(file.name)) list.push_back(id(as_identifier(file.name)));
  return list;
}

Json root_entity(const Crate& crate) {
  Json runs = Json::array(), authors = Json::array();
  for (std::size_t k = 0; k < crate.runs.size(); ++k) runs.push_back(id(run_name(k)));
  for (const std::string& author : crate.authors) authors.push_back(id(person(author)["@id"]));
  Json root{{"@id", "./"},
            {"@type", "Dataset"},
            {"name", crate.name},
            {"description", crate.about},
            {"datePublished", crate.date},
            {"conformsTo", id(profile)},
            {"hasPart", references_to(crate.files, [](const std::string&) { return true; })},
            {"mentions", single_or_list(std::move(runs))}};
  if (!crate.source.empty()) root["citation"] = crate.source;
  if (!authors.empty()) root["author"] = single_or_list(std::move(authors));
  if (is_address(crate.licence))
    root["license"] = id(crate.licence);
  else
    root["license"] = crate.licence.empty() ? "not stated" : crate.licence;
  return root;
}

/// Stored by a program, but perhaps changed since.
Json provenance_of(const CrateRun& run) {
  Json provenance = bounded_json(run.provenance, run.place);
  if (!provenance.is_object()) throw InputError("is not an object", run.place);
  return provenance;
}

/// The text of a member; "" if it is missing or no text.
std::string text_in(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

Json program_entity(std::size_t k, const Json& provenance) {
  std::string list;
  for (const auto& [key, value] : provenance.items())
    list += fmt::format("{}{} {}", list.empty() ? "" : "; ", key,
                        value.is_string() ? value.get<std::string>() : value.dump());
  return {{"@id", program_name(k)},
          {"@type", "SoftwareApplication"},
          {"name", text_in(provenance, "program")},
          {"softwareVersion", text_in(provenance, "version")},
          {"description", "program, compiler and libraries: " + list}};
}

Json run_entity(std::size_t k, const Crate& crate) {
  const CrateRun& run = crate.runs[k];
  Json action{{"@id", run_name(k)},
              {"@type", "CreateAction"},
              {"name", fmt::format("run of {}", crate.name)},
              {"description", "solves and judges the experiment"},
              {"instrument", id(program_name(k))},
              {"object", references_to(crate.files, is_input)},
              {"result", references_to(crate.files, is_output)},
              {"startTime", with_offset(run.started)}};
  if (!run.ended.empty()) action["endTime"] = with_offset(run.ended);
  if (!crate.authors.empty()) action["agent"] = id(person(crate.authors.front())["@id"]);
  return action;
}

}  // namespace

std::vector<CrateFile> files_in_crate(const std::string& text, const std::string& where) {
  const Json crate = bounded_json(text, where);
  const auto graph = crate.find("@graph");
  if (graph == crate.end() || !graph->is_array()) throw InputError("has no list @graph", where);
  std::vector<CrateFile> files;
  for (const Json& entity : *graph) {
    if (!entity.is_object() || text_in(entity, "@type") != "File") continue;
    CrateFile file{
        .name = text_in(entity, "name"), .about = {}, .sha256 = text_in(entity, "sha256")};
    const std::string size = text_in(entity, "contentSize");
    const auto [end, failure] = std::from_chars(size.data(), size.data() + size.size(), file.size);
    if (file.sha256.empty() || failure != std::errc() || end != size.data() + size.size())
      throw InputError(fmt::format("the file '{}' has no size or no sha256", printable(file.name)),
                       where);
    if (!stays_inside(file.name))
      throw InputError(fmt::format("the file '{}' is outside the archive", printable(file.name)),
                       where);
    files.push_back(std::move(file));
  }
  return files;
}

std::string about_file(const std::string& name) {
  static const std::map<std::string, const char*> known{
      {"README.md", "contents of the archive, and how to repeat the result"},
      {"resolved.toml", "the experiment with every default filled in; the program can run it"},
      {"result.json", "the judged result with all rows, fits, claims and provenance"},
      {"result.txt", "the judged result as text"},
      {"result.md", "the judged result in Markdown"},
      {"result.tex", "the judged result in LaTeX"},
      {"result.html", "the judged result in HTML"},
      {"errors.csv", "errors with their error bars, orders and ratios, one row for each"},
      {"results.db", "SQLite database of all solves: motions, work, outcomes, provenance"},
      {"report.html", "page with verdicts, tables and figures; loads nothing"}};
  if (const auto at = known.find(name); at != known.end()) return at->second;
  if (name == "study/command.txt") return "the command that ran the experiment";
  if (name.starts_with("study/"))
    return "the experiment file as its author wrote it, or a base of it";
  if (name.starts_with("figures/")) return "figure of the result, or its data";
  if (name.ends_with(".csv")) return "table of the result";
  return {};
}

std::string crate_metadata(const Crate& crate) {
  Json graph = Json::array({{{"@id", "ro-crate-metadata.json"},
                             {"@type", "CreativeWork"},
                             {"about", id("./")},
                             {"conformsTo", id(specification)}}});
  graph.push_back(root_entity(crate));
  graph.push_back({{"@id", profile},
                   {"@type", "CreativeWork"},
                   {"name", "Process Run Crate"},
                   {"version", "0.5"}});
  if (is_address(crate.licence))
    graph.push_back({{"@id", crate.licence}, {"@type", "CreativeWork"}, {"name", crate.licence}});
  for (const std::string& author : crate.authors) graph.push_back(person(author));
  for (const CrateFile& file : crate.files) graph.push_back(file_entity(file));
  for (std::size_t k = 0; k < crate.runs.size(); ++k) {
    graph.push_back(program_entity(k, provenance_of(crate.runs[k])));
    graph.push_back(run_entity(k, crate));
  }
  // Times of runs and names of files may have bytes that are no UTF-8.
  const Json crate_json{{"@context", "https://w3id.org/ro/crate/1.1/context"}, {"@graph", graph}};
  return with_escapes(crate_json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace rigidlimit
