// A command of the program and what it can be told. CLI11 parses; its headers cost a compiler some
// six seconds a file, and four files know them: this one's source, program.cpp, parse.cpp and
// argument_model.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rigidlimit {

/// An option that is being declared: each function says more of it and returns it again.
class OptionDeclaration {
 public:
  explicit OptionDeclaration(CLI::Option* option) : option_(option) {}

  OptionDeclaration value(const char* name);  ///< what the help calls its value: "FILE"
  OptionDeclaration required();
  OptionDeclaration shows_default();
  /// Refuses every other word and says which are valid, and which one may have been meant.
  OptionDeclaration one_of(std::vector<std::string> words);
  OptionDeclaration within(long least, long most);
  OptionDeclaration within(double least, double most);
  /// Given several times, it takes one value each time: not the FILE after it.
  OptionDeclaration one_at_a_time();
  OptionDeclaration parted_by(char delimiter);
  OptionDeclaration needs(const OptionDeclaration& other);
  OptionDeclaration excludes(const OptionDeclaration& other);

 private:
  CLI::Option* option_;
};

class Command {
 public:
  Command(CLI::App& program, const char* name, const std::string& about, const char* footer);

  /// "-o,--output"; without dashes a positional argument. `value` must outlive the parse; a vector
  /// takes several.
  OptionDeclaration option(const char* names, std::string& value, const std::string& about);
  OptionDeclaration option(const char* names, std::optional<std::string>& value,
                           const std::string& about);
  OptionDeclaration option(const char* names, std::vector<std::string>& value,
                           const std::string& about);
  OptionDeclaration option(const char* names, std::vector<double>& value, const std::string& about);
  OptionDeclaration option(const char* names, int& value, const std::string& about);
  OptionDeclaration option(const char* names, long& value, const std::string& about);
  OptionDeclaration option(const char* names, double& value, const std::string& about);
  OptionDeclaration flag(const char* names, bool& value, const std::string& about);
  OptionDeclaration flag(const char* names, std::function<void()> action, const std::string& about);

  std::string name() const;
  bool was_given() const;  ///< by the command line that was parsed
  /// The help, where the program is called so.
  std::string help(const std::string& program_name) const;

  CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;  ///< of the program, which owns it
};

/// How the program is called.
std::string name_of(const CLI::App& program);

/// The commands that it has so far.
std::vector<std::string> names_of_commands(const CLI::App& program);

}  // namespace rigidlimit
