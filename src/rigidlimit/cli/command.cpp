#include "rigidlimit/cli/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "rigidlimit/core/suggest.hpp"

namespace rigidlimit {

OptionDeclaration OptionDeclaration::value(const char* name) {
  option_->type_name(name);
  return *this;
}

OptionDeclaration OptionDeclaration::required() {
  option_->required();
  return *this;
}

OptionDeclaration OptionDeclaration::shows_default() {
  option_->capture_default_str();
  return *this;
}

// Help and completion read the valid words from the description, "{csv,json}".
OptionDeclaration OptionDeclaration::one_of(std::vector<std::string> words) {
  const std::string description = fmt::format("{{{}}}", fmt::join(words, ","));
  option_->check(CLI::Validator(
      [words = std::move(words)](std::string& word) {
        if (std::ranges::find(words, word) != words.end()) return std::string();
        return fmt::format("'{}' is not a valid value{}", word, suggestion(word, words));
      },
      description));
  return *this;
}

OptionDeclaration OptionDeclaration::within(long least, long most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

OptionDeclaration OptionDeclaration::within(double least, double most) {
  option_->check(CLI::Validator(
      [least, most](std::string& word) {  // CLI::Range accepts nan
        double value = 0.0;
        if (CLI::detail::lexical_cast(word, value) && value >= least && value <= most)
          return std::string();
        return fmt::format("value {} not in range {:g} to {:g}", word, least, most);
      },
      fmt::format("FLOAT in [{:g} - {:g}]", least, most)));
  return *this;
}

OptionDeclaration OptionDeclaration::one_at_a_time() {
  option_->expected(1)->allow_extra_args(false)->take_all();
  return *this;
}

OptionDeclaration OptionDeclaration::parted_by(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}

OptionDeclaration OptionDeclaration::needs(const OptionDeclaration& other) {
  option_->needs(other.option_);
  return *this;
}

OptionDeclaration OptionDeclaration::excludes(const OptionDeclaration& other) {
  option_->excludes(other.option_);
  return *this;
}

Command::Command(CLI::App& program, const char* name, const std::string& about, const char* footer)
    : app_(program.add_subcommand(name, about)) {
  app_->footer(footer);
}

OptionDeclaration Command::option(const char* names, std::string& value, const std::string& about) {
  return OptionDeclaration(app_->add_option(names, value, about));
}
OptionDeclaration Command::option(const char* names, std::optional<std::string>& value,
                                  const std::string& about) {
  return OptionDeclaration(app_->add_option(names, value, about));
}
OptionDeclaration Command::option(const char* names, std::vector<std::string>& value,
                                  const std::string& about) {
  return OptionDeclaration(app_->add_option(names, value, about));
}
OptionDeclaration Command::option(const char* names, std::vector<double>& value,
                                  const std::string& about) {
  return OptionDeclaration(app_->add_option(names, value, about));
}
OptionDeclaration Command::option(const char* names, int& value, const std::string& about) {
  return OptionDeclaration(app_->add_option(names, value, about));
}
OptionDeclaration Command::option(const char* names, long& value, const std::string& about) {
  return OptionDeclaration(app_->add_option(names, value, about));
}
OptionDeclaration Command::option(const char* names, double& value, const std::string& about) {
  return OptionDeclaration(app_->add_option(names, value, about));
}
OptionDeclaration Command::flag(const char* names, bool& value, const std::string& about) {
  return OptionDeclaration(app_->add_flag(names, value, about));
}
OptionDeclaration Command::flag(const char* names, std::function<void()> action,
                                const std::string& about) {
  return OptionDeclaration(app_->add_flag_callback(names, std::move(action), about));
}

std::string Command::name() const {
  return app_->get_name();
}

bool Command::was_given() const {
  return app_->parsed();
}

std::string Command::help(const std::string& program_name) const {
  return app_->help(program_name);
}

std::string name_of(const CLI::App& program) {
  return program.get_name();
}

std::vector<std::string> names_of_commands(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

}  // namespace rigidlimit
