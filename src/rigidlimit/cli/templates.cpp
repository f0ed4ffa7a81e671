#include "rigidlimit/cli/templates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "rigidlimit/cli/markdown.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/report/text_table.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

/// "s, end T of the motion"; a choice with its words.
std::string comment_of(const KeyInfo& key) {
  const bool shows_unit = !key.unit.empty() && key.unit != "1" && key.unit != "SI";
  return (shows_unit ? key.unit + ", " : "") + key.text +
         (key.values.starts_with('"') ? fmt::format(" ({})", key.values) : "");
}

}  // namespace

void TemplatePage::key(const KeyInfo& info, const std::optional<std::string>& value,
                       const std::optional<std::string>& usual) {
  const std::string comment = comment_of(info);
  const bool is_shown = !info.is_computed || value == info.otherwise;
  const std::string with_default = comment + (is_shown ? "" : "; default " + info.otherwise);
  if (!value)
    line(fmt::format("# {} = ...", info.name), with_default);
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

void TemplatePage::heading(const std::string& table, const std::string& comment) {
  text_ += '\n';
  line(fmt::format("[{}]", table), comment);
}

void TemplatePage::line(const std::string& content, const std::string& comment) {
  constexpr std::size_t comment_width = 69, longest_content = 40;
  if (content.size() > longest_content && !comment.empty()) {
    prose(comment);
    return line(content);
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
}

void TemplatePage::prose(const std::string& words) {
  std::istringstream lines(wrapped(words, 0, 90));
  for (std::string next; std::getline(lines, next);) line("# " + next);
}

std::string units_after_names(const std::vector<Component>& components) {
  std::vector<std::string> texts;
  for (const Component& c : components)
    texts.push_back(fmt::format("{} [{}]", c.name, given_unit_of(c)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace rigidlimit
