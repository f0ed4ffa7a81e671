// A command of the program with its options. CLI11 does the parsing; its headers cost some six
// seconds per file, and only four files include them: command.cpp, program.cpp, parse.cpp and
// program.cpp.
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

/// An option during its declaration; each function adds a property and returns the option.
class OptionDeclaration {
 public:
  explicit OptionDeclaration(CLI::Option* option) : option_(option) {}

  OptionDeclaration value(const char* name);  ///< name of its value in the help: "FILE"
  OptionDeclaration required();
  OptionDeclaration shows_default();
  /// Rejects other words; the message lists the valid ones and suggests a similar one.
  OptionDeclaration one_of(std::vector<std::string> words);
  OptionDeclaration within(long least, long most);
  OptionDeclaration within(double least, double most);
  /// Each occurrence takes one value: not the FILE after it.
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

  /// `names`: "-o,--output"; without dashes a positional argument. `value` must outlive the parse;
  /// a vector takes several values.
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
  bool was_given() const;  ///< on the parsed command line
  /// The help of a program of this name.
  std::string help(const std::string& program_name) const;

  CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;  ///< owned by the program
};

/// The name of the program.
std::string name_of(const CLI::App& program);

/// The commands added so far.
std::vector<std::string> names_of_commands(const CLI::App& program);

}  // namespace rigidlimit
