#include "rigidlimit/experiment/spec/study_copy.hpp"

#include <fmt/format.h>

#include <functional>
#include <regex>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_study = 4'000'000;

std::string normal_path(const fs::path& file) {
  return fs::absolute(file).lexically_normal().string();
}

/// The file that a text in quotes names: a path that ends in .toml, or as the value of a key that
/// names files the name of a file in `folder`, without ending.
std::string referenced_file(const std::string& word, bool is_value_of_file_key,
                            const fs::path& folder) {
  std::error_code failure;
  if (word.ends_with(".toml")) return fs::is_regular_file(folder / word, failure) ? word : "";
  const std::string own = word + ".toml";
  return is_value_of_file_key && fs::is_regular_file(folder / own, failure) ? own : "";
}

/// Calls take(begin, end, file) for each text in quotes that names a file of `folder`, in the order
/// of the text. Names of shipped files stay: they name these in every folder.
void each_reference(const std::string& text, const fs::path& folder,
                    const std::function<void(std::size_t, std::size_t, const std::string&)>& take) {
  // A text that ends in .toml anywhere, or any value of a key that names files.
  static const std::regex quoted(
      R"re("([^"\n]*\.toml)"|'([^'\n]*\.toml)'|\b(base|study|file)[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*'))re");
  for (auto at = std::sregex_iterator(text.begin(), text.end(), quoted);
       at != std::sregex_iterator(); ++at) {
    const bool is_value = (*at)[3].matched;
    const std::size_t group = is_value ? 4 : 0;
    const std::string literal = at->str(group);
    const std::string file =
        referenced_file(literal.substr(1, literal.size() - 2), is_value, folder);
    if (file.empty()) continue;
    const auto begin = static_cast<std::size_t>(at->position(group));
    take(begin, begin + literal.size(), file);
  }
}

/// The texts of the file and of all that it names, by their absolute paths.
void collect_texts(const std::string& file, std::map<std::string, std::string>& texts) {
  if (texts.contains(file)) return;
  const std::string text = text_of_file(file, longest_study);
  texts.emplace(file, text);
  const fs::path folder = fs::path(file).parent_path();
  each_reference(text, folder, [&](std::size_t, std::size_t, const std::string& named) {
    collect_texts(normal_path(folder / named), texts);
  });
}

/// The text with `name` in place of study.name, or of benchmark.name.
std::string renamed(const std::string& text, const std::string& name, const std::string& file) {
  static const std::regex own(
      R"re((^|\n)(\[(study|benchmark)\][^\[]*?\n\s*name\s*=\s*)("[^"\n]*"|'[^'\n]*'))re");
  std::smatch at;
  if (!std::regex_search(text, at, own))
    throw InputError(
        "has no name of its own in [study] or [benchmark], which the copy would change", file);
  return at.prefix().str() + at.str(1) + at.str(2) + toml_text(name) + at.suffix().str();
}

}  // namespace

fs::path common_folder(const std::set<std::string>& files) {
  fs::path common = fs::path(normal_path(*files.begin())).parent_path();
  for (const std::string& file : files)
    while (
        fs::path(normal_path(file)).lexically_relative(common).generic_string().starts_with(".."))
      common = common.parent_path();
  return common;
}

CopiedTexts copy_of_study(const std::string& path, const std::string& name) {
  const std::string study = normal_path(path);
  std::map<std::string, std::string> texts;
  collect_texts(study, texts);
  std::set<std::string> files;
  for (const auto& [file, text] : texts) files.insert(file);
  const fs::path common = common_folder(files), folder = fs::path(study).parent_path();
  const auto place = [&](const fs::path& file) {
    return name + "_files/" + fs::path(file).lexically_relative(common).generic_string();
  };

  CopiedTexts copy;
  for (const auto& [file, text] : texts)
    if (file != study) copy.emplace(place(file), text);
  std::string changed;
  std::size_t taken = 0;
  const std::string& text = texts.at(study);
  each_reference(text, folder, [&](std::size_t begin, std::size_t end, const std::string& named) {
    changed += text.substr(taken, begin - taken) + toml_text(place(normal_path(folder / named)));
    taken = end;
  });
  copy.emplace(name + ".toml", renamed(changed + text.substr(taken), name, path));
  return copy;
}

}  // namespace rigidlimit
