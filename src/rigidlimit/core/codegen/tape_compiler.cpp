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

#include "rigidlimit/core/codegen/tape_statements.hpp"
#include "rigidlimit/core/standard_streams.hpp"

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
        print_message(
            "rigidlimit: {} did not end within {} s: equations run without machine code\n",
            program.string(), patience.count());
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

namespace {

/// Scalar numbers: one double.
constexpr const char* plain_numbers = R"(typedef double V;
struct functions {
  double (*one[12])(double);
  double (*two[2])(double, double);
};
#define TARGET
#define STRIDE 1
#define GET(i) x[i]
#define PUT(i, value) y[i] = (value)
#define ALL(number) (number)
#define ONE(to, which, a) const V to = f->one[which](a)
#define TWO(to, which, a, b) const V to = f->two[which](a, b)
#define BOTH(sine, cosine, a) const V sine = f->one[2](a), cosine = f->one[3](a)
#define sqrt(a) __builtin_sqrt(a)
#define WHERE(condition) ((condition) ? 1.0 : 0.0)
#define SELECT(a, b, c) ((a) != 0.0 ? (b) : (c))
)";

/// Numbers of several lanes, as vectors of GCC and Clang. A comparison gives a vector of integers,
/// with all bits set where it holds.
constexpr const char* vector_numbers = R"(typedef double V __attribute__((vector_size(8 * LANES)));
typedef double U __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long M __attribute__((vector_size(8 * LANES)));
struct functions {
  void (*one[12])(const V*, V*);
  void (*two[2])(const V*, const V*, V*);
  void (*both)(const V*, V*, V*);
};
#define STRIDE LANES
#define GET(i) (*(const U*)(x + 8 * (i) + part))
#define PUT(i, value) *(U*)(y + 8 * (i) + part) = (value)
#define ONE(to, which, a) V to; { const V arg = a; f->one[which](&arg, &to); }
#define TWO(to, which, a, b) V to; { const V p = a, q = b; f->two[which](&p, &q, &to); }
#define BOTH(sine, cosine, a) V sine, cosine; { const V arg = a; f->both(&arg, &sine, &cosine); }
#define WHERE(condition) ((V)((condition) & (M)ALL(1.0)))
#define SELECT(a, b, c) \
  ((V)(((M)(b) & ((a) != ALL(0.0))) | ((M)(c) & ~((a) != ALL(0.0)))))
#if LANES == 2
#define TARGET
#define ALL(number) ((V){number, number})
#elif LANES == 4
#define TARGET __attribute__((target("avx2")))
#define ALL(number) ((V){number, number, number, number})
#else
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))
#define ALL(number) ((V){number, number, number, number, number, number, number, number})
#endif
TARGET __attribute__((always_inline)) static inline V root(V a) {
  for (int i = 0; i < LANES; ++i) a[i] = __builtin_sqrt(a[i]);
  return a;
}
#define sqrt(a) root(a)
)";

/// "#define add_(a, b) (a + b)", …
#define RIGIDLIMIT_VALUE(name, operands, value) "#define " #name "_(a, b) (" #value ")\n"
#define RIGIDLIMIT_WHERE(name, condition) "#define " #name "_(a, b) WHERE(" #condition ")\n"
constexpr const char* infix_operations =
    RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_VALUE) RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_WHERE);
#undef RIGIDLIMIT_VALUE
#undef RIGIDLIMIT_WHERE

/// C for a processor: macros of the preamble that work on one number or on several lanes.
class Writer final : public StatementWriter {
 public:
  explicit Writer(const TapeForm& form)
      : form_(form),
        sine_(form.inputs + form.steps.size(), 0),
        cosine_(form.inputs + form.steps.size(), 0) {
    for (std::uint32_t i = 0; i < form.steps.size(); ++i) {
      const TapeForm::Step& step = form.steps[i];
      if (TapeForm::is_constant(step.a)) continue;
      if (step.operation == Operation::sin) sine_[step.a] = form.inputs + i;
      if (step.operation == Operation::cos) cosine_[step.a] = form.inputs + i;
    }
  }

  std::string function(const std::string& name) {
    line("TARGET void {}(const double* restrict k, const double* restrict x, double* restrict y,",
         name);
    line("    const struct functions* f) {{");
    line("  for (int part = 0; part < (STRIDE == 1 ? 1 : 8); part += STRIDE) {{");
    write_statements(form_, *this);
    line("    (void)k, (void)f, (void)x, (void)y;");
    line("  }}");
    line("}}");
    return fmt::to_string(text_);
  }

 private:
  void input(std::uint32_t i) override { line("    const V v{} = GET({});", i, i); }
  void output(std::uint32_t i, std::uint32_t value) override {
    line("    PUT({}, {});", i, number(value));
  }

  template <class... T>
  void line(fmt::format_string<T...> format, T&&... of) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(of)...);
    text_.push_back('\n');
  }

  static std::string number(std::uint32_t value) {
    return TapeForm::is_constant(value)
               ? fmt::format("ALL(k[{}])", value - TapeForm::first_constant)
               : fmt::format("v{}", value);
  }

  void step(std::uint32_t value, const TapeForm::Step& step) override {
    const std::string a = number(step.a), b = number(step.b), c = number(step.c);
    switch (step.operation) {
      case Operation::constant:
      case Operation::input: return;  // are not steps
#define RIGIDLIMIT_CASE(name, ...) \
  case Operation::name: return line("    const V v{} = " #name "_({}, {});", value, a, b);
        RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_CASE)
        RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
      case Operation::select: return line("    const V v{} = SELECT({}, {}, {});", value, a, b, c);
      case Operation::sin:
      case Operation::cos: return write_angle(value, step);
      case Operation::atan2: return line("    TWO(v{}, 0, {}, {});", value, a, b);
      case Operation::power: return line("    TWO(v{}, 1, {}, {});", value, a, b);
      default: return line("    ONE(v{}, {}, {});", value, which(step.operation), a);
    }
  }

  /// Computes sine and cosine of one angle together, at the first of the two steps.
  void write_angle(std::uint32_t value, const TapeForm::Step& step) {
    if (!TapeForm::is_constant(step.a)) {
      const std::uint32_t sine = sine_[step.a], cosine = cosine_[step.a];
      if (sine != 0 && cosine != 0 && value == std::min(sine, cosine))
        return line("    BOTH(v{}, v{}, {});", sine, cosine, number(step.a));
      if (sine != 0 && cosine != 0) return;
    }
    line("    ONE(v{}, {}, {});", value, which(step.operation), number(step.a));
  }

  static int which(Operation operation) {
    return static_cast<int>(operation) - static_cast<int>(Operation::exp);
  }

  const TapeForm& form_;
  std::vector<std::uint32_t> sine_, cosine_;  ///< by value: the step that is its sine, or 0
  fmt::memory_buffer text_;
};

}  // namespace

std::string code_preamble(int lanes) {
  return fmt::format("#define LANES {}\n{}{}", lanes, lanes == 1 ? plain_numbers : vector_numbers,
                     infix_operations);
}

std::string code_function(const TapeForm& form, const std::string& name) {
  return Writer(form).function(name);
}

std::string code_name(ContentKey key, int lanes) {
  return fmt::format("rigidlimit_tape_{}_{}", text_of(key), lanes);
}

}  // namespace rigidlimit
