#include "rigidlimit/experiment/spec/template_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/core/wrapped_text.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

/// "s, end T of the motion"; a choice with its words.
std::string comment_of(const KeyInfo& key) {
  const bool shows_unit = !key.unit.empty() && key.unit != "1" && key.unit != "SI";
  return (shows_unit ? key.unit + ", " : "") + key.text +
         (key.values.starts_with('"') ? fmt::format(" ({})", key.values) : "");
}

/// "default 0.05", "needed without order".
std::string default_of(const KeyInfo& key) {
  return (key.is_needed ? "" : "default ") + key.otherwise;
}

}  // namespace

void TemplatePage::key(const KeyInfo& info, const std::optional<std::string>& value,
                       const std::optional<std::string>& usual) {
  const std::string comment = comment_of(info);
  const bool is_shown = !info.is_computed || value == info.otherwise;
  const std::string with_default = comment + (is_shown ? "" : "; " + default_of(info));
  if (!value)
    line(fmt::format("# {} = ...", info.name), comment + "; " + default_of(info));
  else if (value == usual)
    line(fmt::format("#{} = {}", info.name, *value), with_default);
  else
    line(fmt::format("{} = {}", info.name, *value), comment);
}

void TemplatePage::system(const SystemEntry& entry, const std::vector<ParameterInfo>& parameters) {
  heading("system");
  if (entry.file.empty())
    line("name = " + toml_text(entry.info.name), "rigidlimit list systems");
  else
    line("file = " + toml_text(entry.file), "equations; path relative to this file");
  for (const KeyInfo& other : system_keys().keys)
    if (!has_.contains({"system", other.name})) key(other, std::nullopt, std::nullopt);
  for (const ParameterInfo& p : parameters) {
    prose(p.text);
    line(fmt::format("{} = {}", p.name, toml_text(p.default_value)),
         fmt::format("{}, {}", p.unit, valid_range(p.range).text()));
  }
  if (entry.file.empty() && !entry.definition.empty()) line(entry.definition);
}

void TemplatePage::start(const SystemEntry& entry, const InitialState& start) {
  heading("initial");
  const auto state = [this](const char* key, const std::vector<Component>& all, const VectorXd& x) {
    const std::vector<Component> seen = visible(all);
    prose(units_after_names(seen));
    line(fmt::format("{} = {}", key, toml_list(given_values(seen, visible(all, x)))));
  };
  state("q", entry.info.coordinates, start.q);
  state("v", entry.info.velocities, start.v);
}

void TemplatePage::further(const std::vector<KeyTableInfo>& tables) {
  write("");
  prose(
      "Further tables and keys. To use one, remove the \"# \" before it and before the name of its "
      "table, unless the file has this table: then write the key there.");
  for (const KeyTableInfo& table : tables) {
    const bool is_list = table.name.starts_with('[');
    table_ = table.name;
    bool begun = false;
    for (const KeyInfo& info : table.keys) {
      if (!is_list && has_.contains({table.name, info.name})) continue;
      if (!begun)
        write(table.name.starts_with("KEY") ? "\n# " + table.name
                                            : fmt::format("\n# [{}]", table.name));
      begun = true;
      const bool is_toml = !info.is_computed && info.otherwise != "none" && !info.is_needed;
      if (is_toml)
        line(fmt::format("# {} = {}", info.name, info.otherwise), comment_of(info));
      else
        key(info, std::nullopt, std::nullopt);
    }
  }
}

void TemplatePage::heading(const std::string& table, const std::string& comment) {
  table_ = table;
  text_ += '\n';
  line(fmt::format("[{}]", table), comment);
}

void TemplatePage::line(const std::string& content, const std::string& comment) {
  const std::size_t begin = content.find_first_not_of("# "), end = content.find(" = ");
  if (end != std::string::npos && begin < end)
    has_.insert({table_, content.substr(begin, end - begin)});
  write(content, comment);
}

void TemplatePage::write(const std::string& content, const std::string& comment) {
  constexpr std::size_t comment_width = 69, longest_content = 40;
  if (content.size() > longest_content && !comment.empty()) {
    prose(comment);
    return write(content);
  }
  std::istringstream lines(wrapped(comment, 0, comment_width));
  std::string first;
  if (!std::getline(lines, first))
    text_ += content;
  else
    text_ += fmt::format("{:<28} # {}", content, first);
  text_ += '\n';
  for (std::string next; std::getline(lines, next);)
    text_ += fmt::format("{:<28} # {}\n", "", next);
}

void TemplatePage::head(const std::string& title,
                        const std::vector<std::pair<std::string, std::string>>& commands,
                        const std::string& remark) {
  line(fmt::format("# {}.\n#", title));
  for (const auto& [command, effect] : commands)
    line(fmt::format("#   {:<40} {}", command, effect));
  line("#");
  prose(
      "The file has every key. A line \"#key = value\" gives a default: remove the # to change "
      "it. " +
      remark);
  line("");
  for (const KeyInfo& info : layer_keys().keys) key(info, std::nullopt, std::nullopt);
}

void TemplatePage::prose(const std::string& words) {
  std::istringstream lines(wrapped(words, 0, 90));
  for (std::string next; std::getline(lines, next);) write("# " + next);
}

std::string units_after_names(const std::vector<Component>& components) {
  std::vector<std::string> texts;
  for (const Component& c : components)
    texts.push_back(fmt::format("{} [{}]", c.name, given_unit_of(c)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace rigidlimit
