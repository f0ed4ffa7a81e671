#include "rigidlimit/archive/crate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace rigidlimit {

namespace {

using Json = nlohmann::ordered_json;

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
              {"contentSize", std::to_string(file.size)}};
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

Json software(const std::string& identifier, const Json& provenance) {
  Json entity{{"@id", identifier},
              {"@type", "SoftwareApplication"},
              {"name", provenance.value("program", "rigidlimit")},
              {"softwareVersion", provenance.value("version", "")}};
  std::string list;
  for (const auto& [key, value] : provenance.items())
    list += fmt::format("{}{} {}", list.empty() ? "" : "; ", key,
                        value.is_string() ? value.get<std::string>() : value.dump());
  entity["description"] = "program, compiler and libraries: " + list;
  return entity;
}

}  // namespace

std::string about_file(const std::string& name) {
  static const std::map<std::string, const char*> known{
      {"README.md", "contents of the archive, and how to repeat the result"},
      {"resolved.toml", "the experiment with every default filled in; the program can run it"},
      {"result.json", "the judged result with all rows, fits, claims and provenance"},
      {"result.txt", "the judged result as text"},
      {"result.md", "the judged result in Markdown"},
      {"result.tex", "the judged result in LaTeX"},
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
  Json graph = Json::array();
  graph.push_back({{"@id", "ro-crate-metadata.json"},
                   {"@type", "CreativeWork"},
                   {"about", id("./")},
                   {"conformsTo", id("https://w3id.org/ro/crate/1.1")}});
  Json parts = Json::array(), inputs = Json::array(), outputs = Json::array();
  for (const CrateFile& file : crate.files) {
    const Json reference = id(as_identifier(file.name));
    parts.push_back(reference);
    if (is_input(file.name))
      inputs.push_back(reference);
    else if (file.name != "README.md")
      outputs.push_back(reference);
  }
  Json actions = Json::array();
  for (std::size_t k = 0; k < crate.runs.size(); ++k)
    actions.push_back(id(fmt::format("#run-{}", k + 1)));
  Json root{{"@id", "./"},
            {"@type", "Dataset"},
            {"name", crate.name},
            {"description", crate.about},
            {"datePublished", crate.date},
            {"conformsTo", id("https://w3id.org/ro/wfrun/process/0.5")},
            {"hasPart", parts},
            {"mentions", actions}};
  if (!crate.source.empty()) root["citation"] = crate.source;
  root["license"] = is_address(crate.licence) ? id(crate.licence)
                    : crate.licence.empty()   ? Json("not stated by the author of this archive")
                                              : Json(crate.licence);
  std::vector<Json> people;
  for (const std::string& author : crate.authors) people.push_back(person(author));
  for (const Json& author : people) root["author"].push_back(id(author["@id"]));
  graph.push_back(root);
  graph.push_back({{"@id", "https://w3id.org/ro/wfrun/process/0.5"},
                   {"@type", "CreativeWork"},
                   {"name", "Process Run Crate"},
                   {"version", "0.5"}});
  if (is_address(crate.licence))
    graph.push_back({{"@id", crate.licence}, {"@type", "CreativeWork"}, {"name", crate.licence}});
  for (Json& author : people) graph.push_back(std::move(author));
  for (const CrateFile& file : crate.files) graph.push_back(file_entity(file));
  for (std::size_t k = 0; k < crate.runs.size(); ++k) {
    const CrateRun& run = crate.runs[k];
    const std::string program = fmt::format("#program-{}", k + 1);
    graph.push_back(software(program, Json::parse(run.provenance)));
    Json action{{"@id", fmt::format("#run-{}", k + 1)},
                {"@type", "CreateAction"},
                {"name", fmt::format("run of {}", crate.name)},
                {"instrument", id(program)},
                {"object", inputs},
                {"result", outputs},
                {"startTime", run.started}};
    if (!run.ended.empty()) action["endTime"] = run.ended;
    if (!people.empty()) action["agent"] = root["author"].front();
    graph.push_back(std::move(action));
  }
  return Json{{"@context", "https://w3id.org/ro/crate/1.1/context"}, {"@graph", graph}}.dump(1) +
         "\n";
}

}  // namespace rigidlimit
