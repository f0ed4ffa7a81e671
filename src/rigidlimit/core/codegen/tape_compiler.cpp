#include "rigidlimit/core/codegen/tape_compiler.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "rigidlimit/core/codegen/tape_source.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;

/// As in src/CMakeLists.txt. Without errno, sqrt is an instruction; it is correctly rounded either
/// way. Other functions are called through pointers and need no library.
constexpr std::array flags{"-O1",        "-fexpensive-optimizations",
                           "-fPIC",      "-ffp-contract=off",
                           "-w",         "-fno-math-errno",
                           "-x",         "c",
                           "-std=gnu11", "-shared",
                           "-nostdlib"};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// Absolute, or empty: the XDG specification requires relative paths to be ignored.
fs::path directory_in(const char* name) {
  const fs::path path = variable(name);
  return path.is_absolute() ? path : fs::path();
}

/// Whether only this user can write here.
bool is_ours(const struct stat& of) {
  return of.st_uid == geteuid() && (of.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Whether only this user can change the directory and its parent; symbolic links are rejected.
bool is_our_directory(const fs::path& path) {
  return std::ranges::all_of(std::array{path, path.parent_path()}, [](const fs::path& each) {
    struct stat found {};
    return lstat(each.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && is_ours(found);
  });
}

/// Creates the directory and its parent if missing, for the owner only; higher parents with default
/// permissions.
bool make_our_directory(const fs::path& path) {
  const fs::path outer = path.parent_path();
  std::error_code failed;
  fs::create_directories(outer.parent_path(), failed);
  for (const fs::path& each : {outer, path})
    mkdir(each.c_str(), S_IRWXU);  // it may exist, or another process may create it first
  return is_our_directory(path);
}

/// The program of `command`, found as by execvp; empty if not found.
fs::path program_of(const std::string& command) {
  const auto is_program = [](const fs::path& path) {
    std::error_code failed;
    return fs::is_regular_file(path, failed) && access(path.c_str(), X_OK) == 0;
  };
  if (command.empty()) return {};
  if (command.find('/') != std::string::npos)
    return is_program(command) ? fs::path(command) : fs::path();
  std::istringstream directories(variable("PATH"));
  for (std::string directory; std::getline(directories, directory, ':');)
    if (fs::path path = fs::path(directory.empty() ? "." : directory) / command; is_program(path))
      return path;
  return {};
}

std::string source_of(const TapeForm& form, int lanes) {
  return code_preamble(lanes) + code_function(form, code_name(key_of(form), lanes));
}

/// Key of all inputs of the compiled code. The compiler is identified by its file: asking for its
/// version takes as long as compiling a short tape.
ContentKey key_of(const std::string& source, const fs::path& program) {
  struct stat of {};
  stat(program.c_str(), &of);
  std::string text = fmt::format("{}\n{} {} {}\n", program.string(), of.st_size, of.st_mtim.tv_sec,
                                 of.st_mtim.tv_nsec);
  for (const char* const flag : flags) text += fmt::format("{} ", flag);
  return rigidlimit::key_of(text + source);
}

/// Checksum of `content`, stored at the end of a cached file.
std::string seal_of(std::string_view content) {
  return fmt::format("rigidlimit {}", text_of(rigidlimit::key_of(content)));
}

std::optional<std::string> content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file) return std::nullopt;
  return content;
}

/// Whether the file is ours and complete: the loader crashes on a truncated file.
bool is_sound(const fs::path& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || !is_ours(found)) return false;
  const std::optional<std::string> content = content_of(path);
  const std::size_t seal = seal_of("").size();
  if (!content || content->size() < seal) return false;
  const std::string_view text(*content);
  return text.substr(text.size() - seal) == seal_of(text.substr(0, text.size() - seal));
}

/// Never closed, because evaluators may hold its functions.
CodeFunction loaded(const fs::path& path, const std::string& name) {
  if (!is_sound(path)) return nullptr;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return library ? reinterpret_cast<CodeFunction>(dlsym(library, name.c_str())) : nullptr;
}

bool write_new(const fs::path& path, std::string_view content) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return false;
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t count = write(file, content.data() + written, content.size() - written);
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  return close(file) == 0 && written == content.size();
}

/// The compilers that did not end in time, which are not started again.
class HangingCompilers {
 public:
  bool contain(const fs::path& program) {
    const std::scoped_lock lock(guard_);
    return programs_.contains(program);
  }
  /// False: it is known already.
  bool add(const fs::path& program) {
    const std::scoped_lock lock(guard_);
    return programs_.insert(program).second;
  }

 private:
  std::mutex guard_;
  std::set<fs::path> programs_;
} hanging_compilers;

/// Whether the child exited with status 0 within the time limit. Kills its process group otherwise:
/// a compiler driver has children of its own.
bool ended_well(pid_t child, const fs::path& program, std::chrono::seconds patience) {
  const auto limit = std::chrono::steady_clock::now() + patience;
  for (int status = 0;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended < 0 && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() > limit) {
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      if (hanging_compilers.add(program))
        std::fputs(fmt::format("rigidlimit: {} did not end within {} s: equations run without "
                               "machine code\n",
                               printable(program.string()), patience.count())
                       .c_str(),
                   stderr);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// Runs a program without a shell and discards its output.
bool run(const fs::path& program, const std::vector<std::string>& arguments,
         std::chrono::seconds patience) {
  std::vector<char*> words;
  std::string name = program.string();
  words.push_back(name.data());
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.data()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t group;
  posix_spawnattr_init(&group);
  posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&group, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, name.c_str(), &files, &group, words.data(), environ);
  posix_spawnattr_destroy(&group);
  posix_spawn_file_actions_destroy(&files);
  return failed == 0 && ended_well(child, program, patience);
}

/// Private temporary files, deleted on destruction.
struct Temporaries {
  explicit Temporaries(const fs::path& of) {
    static std::atomic<unsigned> count{0};
    const std::string name = fmt::format("{}.{}.{}", of.string(), getpid(), ++count);
    source = name + ".c";
    library = name + ".so";
    sealed = name + ".tmp";
  }
  ~Temporaries() {
    for (const fs::path& path : {source, library, sealed}) unlink(path.c_str());
  }
  Temporaries(const Temporaries&) = delete;
  Temporaries& operator=(const Temporaries&) = delete;

  fs::path source, library, sealed;
};

/// A library of the longest tapes has some 10 MB.
constexpr std::uintmax_t largest_library = std::uintmax_t{1} << 28U;

/// Writes to a file that appears atomically.
bool compile(const fs::path& program, const std::string& source, const fs::path& to,
             std::chrono::seconds patience) {
  const Temporaries files(to);
  if (!write_new(files.source, source)) return false;
  std::vector<std::string> arguments(flags.begin(), flags.end());
  arguments.insert(arguments.end(), {files.source.string(), "-o", files.library.string()});
  if (hanging_compilers.contain(program) || !run(program, arguments, patience)) return false;
  std::error_code failure;
  if (fs::file_size(files.library, failure) > largest_library || failure) return false;
  const std::optional<std::string> library = content_of(files.library);
  return library && write_new(files.sealed, *library + seal_of(*library)) &&
         rename(files.sealed.c_str(), to.c_str()) == 0;
}

}  // namespace

TapeCompiler TapeCompiler::from_environment() {
  fs::path cache = directory_in("XDG_CACHE_HOME");
  if (cache.empty())
    if (const fs::path home = directory_in("HOME"); !home.empty()) cache = home / ".cache";
  return {.command = std::getenv("RIGIDLIMIT_CC") ? variable("RIGIDLIMIT_CC") : "cc",
          .cache = cache.empty() ? cache : cache / "rigidlimit" / "code"};
}

CodeFunction TapeCompiler::kept(const TapeForm& form, int lanes) const {
  const fs::path program = program_of(command);
  if (program.empty() || cache.empty() || !is_our_directory(cache)) return nullptr;
  const std::string source = source_of(form, lanes);
  return loaded(cache / (text_of(key_of(source, program)) + ".so"),
                code_name(rigidlimit::key_of(form), lanes));
}

CodeFunction TapeCompiler::made(const TapeForm& form, int lanes) const {
  const fs::path program = program_of(command);
  if (program.empty() || cache.empty() || !make_our_directory(cache)) return nullptr;
  const std::string source = source_of(form, lanes);
  const fs::path to = cache / (text_of(key_of(source, program)) + ".so");
  if (!compile(program, source, to, patience)) return nullptr;
  return loaded(to, code_name(rigidlimit::key_of(form), lanes));
}

}  // namespace rigidlimit
