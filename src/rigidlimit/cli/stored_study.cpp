#include "rigidlimit/cli/stored_study.hpp"

#include <filesystem>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/study/read_study.hpp"

namespace rigidlimit {

std::string store_named(const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(text, ignored)) return (fs::path(text) / "results.db").string();
  if (!fs::exists(text, ignored) && fs::is_directory(fs::path("results") / text, ignored))
    return (fs::path("results") / text / "results.db").string();
  return text;
}

Study study_in(const Store& store, const std::string& path, const SystemCatalogue& systems) {
  const std::string text = store.study();
  if (text.empty()) throw InputError("holds no study yet", path);
  return read_study(TomlDocument::from_text(text, path), systems);
}

StudyResult judged_from(Store& store, const Study& study) {
  return run_study(study, {.archive = &store, .solve = false});
}

}  // namespace rigidlimit
