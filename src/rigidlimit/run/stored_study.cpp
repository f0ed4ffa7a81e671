#include "rigidlimit/run/stored_study.hpp"

#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/rolling/read_system_text.hpp"

namespace rigidlimit {

std::string store_named(const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const fs::path& place : {fs::path(text), fs::path("results") / text}) {
    if (fs::is_directory(place, ignored)) return (place / "results.db").string();
  }
  return text;
}

std::string unknown_system(const Store& store, const std::string& path,
                           const SystemCatalogue& systems) {
  const std::string text = store.study();
  if (text.empty()) return {};
  Section system = TomlDocument::from_record(text, path).root().section("system");
  if (is_written(system)) return {};
  const std::string name = system.text("name", "");
  return find_system(systems, name) ? "" : name;
}

Experiment experiment_in(const Store& store, const std::string& path,
                         const SystemCatalogue& systems) {
  const std::string text = store.study();
  if (text.empty())
    throw InputError("has no study yet; solve one with 'rigidlimit run FILE'", path);
  return read_experiment(TomlDocument::from_record(text, path), systems);
}

}  // namespace rigidlimit
