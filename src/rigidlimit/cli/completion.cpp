// The subcommand `completion`.
#include "rigidlimit/cli/completion.hpp"

#include <fmt/format.h>

#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/subcommand.hpp"

namespace rigidlimit {

namespace {

constexpr const char* footer =
    "Installed with the program. Without an installation:\n"
    "  source <(rigidlimit completion bash)                # in ~/.bashrc\n"
    "  rigidlimit completion zsh > ~/.zfunc/_rigidlimit    # a directory of fpath\n"
    "  rigidlimit completion fish > ~/.config/fish/completions/rigidlimit.fish\n"
    "\n"
    "Completes commands, options and their values, names of systems, solvers and\n"
    "laws, and files.";

int complete(const SystemCatalogue& systems, const std::string& shell) {
  const Program program = make_program(systems);
  const ProgramModel model = model_of(program);
  fmt::print("{}", shell == "bash"  ? bash_completion(model)
                   : shell == "zsh" ? zsh_completion(model)
                                    : fish_completion(model));
  return exit_status::held;
}

}  // namespace

std::string backslashed(std::string_view text, std::string_view characters) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || characters.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

Subcommand add_completion(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "completion", "Print a completion script for a shell", footer);
  const auto shell = std::make_shared<std::string>();
  command.option("SHELL", *shell, "shell that reads the script")
      .required()
      .one_of({"bash", "zsh", "fish"});
  return {command, [shell, &systems] { return complete(systems, *shell); }};
}

}  // namespace rigidlimit
