// The subcommand `report`: HTML pages of results, which the Python package rigidlimit draws.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"

namespace rigidlimit {

namespace {

constexpr const char* report_footer =
    "Writes DIR/index.html, one page DIR/NAME.html for each result, and DIR/NAME/ with\n"
    "every figure as PNG and SVG, and its data as CSV, and prints their names. A page\n"
    "is one file for mail and print, and loads nothing from the network.\n"
    "\n"
    "Pages of earlier reports stay in DIR and in the index as long as their results\n"
    "exist. The others are removed, and their names are printed. Nothing is written if\n"
    "no result is found. Among several folders, one that has pages alone is skipped.\n"
    "\n"
    "A result is a folder written by 'rigidlimit run': it holds results.db. A benchmark\n"
    "may hold errors.csv alone.\n"
    "\n"
    "The Python package rigidlimit draws the pages: pip install 'rigidlimit[report]', or\n"
    "pip install '.[report]' in a checkout. The program uses the Python that\n"
    "RIGIDLIMIT_PYTHON names. Without this variable it uses the python3 beside the\n"
    "program, or the one on the PATH if the former lacks the package.\n"
    "\n"
    "Exit status: 0 success; 2 a result or all its figures are missing, for the reason\n"
    "in the index, or Python lacks a package.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit report\n"
    "  rigidlimit report results/knife_edge results/rolling_disk\n"
    "  rigidlimit report results/* -o results/report";

/// Prints the modules of rigidlimit[report] that Python lacks, "jinja2, matplotlib".
constexpr const char* print_missing_modules =
    "import importlib.util\n"
    "def has(name):\n"
    "    try:\n"
    "        return importlib.util.find_spec(name) is not None\n"
    "    except ImportError:\n"
    "        return False\n"
    "names = ['rigidlimit.analysis', 'numpy', 'pandas', 'matplotlib', 'jinja2', 'markupsafe']\n"
    "print(*(name for name in names if not has(name)), sep=', ', end='')\n";

struct ReportArguments {
  std::vector<std::string> results;
  std::optional<std::string> folder, output;
  long jobs = 0;  ///< 0: not given
};

/// For posix_spawn and exec: valid while `words` is.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t size = read(file, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

/// Standard output of a command; nullopt if it does not start or fails.
std::optional<std::string> output_of(std::vector<std::string> command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const std::vector<char*> words = pointers_to(command);
  const int failed = posix_spawnp(&child, words[0], &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  std::string text = failed == 0 ? read_all(ends[0]) : "";
  close(ends[0]);
  int status = 1;
  while (failed == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (failed != 0 || status != 0) return std::nullopt;
  return text;
}

/// The Pythons to try, in this order.
std::vector<std::string> candidates() {
  if (const char* named = std::getenv("RIGIDLIMIT_PYTHON"); named != nullptr && *named != '\0')
    return {named};
  std::vector<std::string> pythons;
  std::error_code failure;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  const std::filesystem::path beside = program.parent_path() / "python3";
  if (!failure && std::filesystem::exists(beside, failure)) pythons.push_back(beside.string());
  pythons.emplace_back("python3");
  return pythons;
}

/// The first Python with all modules. Throws InputError with the reason for each of the others.
std::string python_with_modules() {
  std::string reasons;
  for (const std::string& python : candidates()) {
    const auto missing = output_of({python, "-P", "-c", print_missing_modules});
    if (missing && missing->empty()) return python;
    reasons +=
        fmt::format("{}{} {}", reasons.empty() ? "" : "; ", python,
                    missing ? "lacks " + *missing : "does not start, or is older than Python 3.11");
  }
  throw InputError(
      "the pages are drawn in Python: pip install 'rigidlimit[report]', or pip install "
      "'.[report]' in a checkout (" +
          reasons + ")",
      "report");
}

/// Throws InputError if none of the named folders exists, or not the one that holds the results.
void require_a_folder(const ReportArguments& arguments) {
  const std::vector<std::string> folders = arguments.results.empty()
                                               ? std::vector{arguments.folder.value_or("results")}
                                               : arguments.results;
  std::error_code ignored;
  for (const std::string& folder : folders)
    if (std::filesystem::exists(folder, ignored)) return;
  throw InputError("no such folder: 'rigidlimit run' writes results/NAME",
                   fmt::format("{}", fmt::join(folders, ", ")));
}

/// Replaces this process by Python.
int report(const ReportArguments& arguments) {
  require_a_folder(arguments);
  std::vector<std::string> command{python_with_modules(), "-P", "-m", "rigidlimit.analysis",
                                   "report"};
  const auto add = [&command](const char* option, const std::string& value) {
    command.push_back(fmt::format("{}={}", option, value));  // one word, also before a '-'
  };
  if (arguments.folder) add("--results", *arguments.folder);
  if (arguments.output) add("--output", *arguments.output);
  if (arguments.jobs > 0) add("--jobs", fmt::format("{}", arguments.jobs));
  command.emplace_back("--");
  command.insert(command.end(), arguments.results.begin(), arguments.results.end());
  flush_output();
  const std::vector<char*> words = pointers_to(command);
  execvp(words[0], words.data());
  throw InputError(std::strerror(errno), command[0]);
}

}  // namespace

Subcommand add_report(CLI::App& program, const SystemCatalogue&) {
  Command command(program, "report", "Write HTML pages of results, with all figures as files",
                  report_footer);
  const auto arguments = std::make_shared<ReportArguments>();
  command.option("STUDY", arguments->results,
                 "results/NAME (default: every result under --results)");
  command.option("--results", arguments->folder, "folder of the results (default: results)")
      .value("DIR");
  command
      .option("-o,--output", arguments->output,
              "folder of the pages (default: report/ beside the first result)")
      .value("DIR");
  command.option("--jobs", arguments->jobs, "pages drawn in parallel (default: number of cores)")
      .value("N")
      .within(1L, 100000L);
  return {command, [arguments] { return report(*arguments); }};
}

}  // namespace rigidlimit
