// Tests code compiled at run time: it is cached, found again and shared between processes. Any
// failure falls back to the interpreter.
#include "rigidlimit/core/codegen/tape_compiler.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;

/// x -> c sin x + x, with an additional step for each n.
Tape a_tape(int n = 0) {
  return tape_of(
      [n](const ExpressionVector& x) {
        Expression y = 2.3 * sin(x(0)) + x(0);
        for (int i = 0; i < n; ++i) y = y * x(0) + 0.7;
        return ExpressionMatrix(ExpressionVector::Constant(1, y));
      },
      1);
}

const TapeForm form = form_of(a_tape());

class CompiledTape : public testing::Test {
 protected:
  test::TemporaryDirectory directory;
  TapeCompiler compiler{.command = "cc", .cache = directory.path("deep/code")};

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(compiler.cache)) found.push_back(entry.path());
    return found;
  }
};

TEST_F(CompiledTape, IsCached) {
  EXPECT_EQ(compiler.kept(form, 1), nullptr);
  const CodeFunction made = compiler.made(form, 1);
  ASSERT_NE(made, nullptr);
  EXPECT_TRUE(computes(made, form, 1));
  ASSERT_NE(compiler.kept(form, 1), nullptr);
  EXPECT_TRUE(computes(compiler.kept(form, 1), form, 1));
  // The cache contains one file and no intermediate files; it has no code of another tape.
  EXPECT_EQ(files().size(), 1u);
  EXPECT_EQ(compiler.kept(form_of(a_tape(1)), 1), nullptr);
  EXPECT_EQ(compiler.kept(form, 2), nullptr);
}

TEST_F(CompiledTape, BelongsToItsCompiler) {
  ASSERT_NE(compiler.made(form, 1), nullptr);
  // Another program of the same name: its code is not in the cache yet.
  const std::string other = directory.write("cc", "#!/bin/sh\nexec cc \"$@\"\n");
  ASSERT_EQ(chmod(other.c_str(), 0700), 0);
  const TapeCompiler with_other{.command = other, .cache = compiler.cache};
  EXPECT_EQ(with_other.kept(form, 1), nullptr);
  EXPECT_NE(with_other.made(form, 1), nullptr);
  EXPECT_EQ(files().size(), 2u);
}

// A file that is truncated or altered is not loaded, and is compiled again.
TEST_F(CompiledTape, IsNotLoadedFromACorruptFile) {
  ASSERT_NE(compiler.made(form, 1), nullptr);
  const std::string file = files().at(0).string(), whole = test::text_of(file);
  const auto write = [&file](const std::string& text) {
    fs::remove(file);  // loaded code stays in memory
    std::ofstream(file, std::ios::binary) << text;
  };
  std::string changed = whole;
  changed[changed.size() / 2] ^= 1;
  for (const std::string& spoilt :
       {std::string(), whole.substr(0, 40), whole.substr(0, whole.size() / 2),
        whole.substr(0, whole.size() - 1), changed, whole + "\n", std::string("no library")}) {
    write(spoilt);
    EXPECT_EQ(compiler.kept(form, 1), nullptr) << spoilt.size() << " of " << whole.size();
  }
  write(whole);
  EXPECT_NE(compiler.kept(form, 1), nullptr);  // the content was wrong, not the write
  write(changed);
  EXPECT_NE(compiler.made(form, 1), nullptr);
  EXPECT_EQ(test::text_of(file).size(), whole.size());
}

TEST_F(CompiledTape, IsNotLoadedFromFilesWritableByOthersOrLinks) {
  ASSERT_NE(compiler.made(form, 1), nullptr);
  const fs::path file = files().at(0);
  ASSERT_EQ(chmod(file.c_str(), 0666), 0);
  EXPECT_EQ(compiler.kept(form, 1), nullptr);
  ASSERT_EQ(chmod(file.c_str(), 0600), 0);
  EXPECT_NE(compiler.kept(form, 1), nullptr);
  ASSERT_EQ(chmod(compiler.cache.c_str(), 0770), 0);
  EXPECT_EQ(compiler.kept(form, 1), nullptr);
  EXPECT_EQ(compiler.made(form, 1), nullptr);
  ASSERT_EQ(chmod(compiler.cache.c_str(), 0700), 0);
  EXPECT_NE(compiler.kept(form, 1), nullptr);
  ASSERT_EQ(chmod(compiler.cache.parent_path().c_str(), 0777), 0);
  EXPECT_EQ(compiler.kept(form, 1), nullptr);
  ASSERT_EQ(chmod(compiler.cache.parent_path().c_str(), 0700), 0);
  // A symbolic link in place of the file or of the directory.
  fs::rename(file, directory.path("elsewhere.so"));
  fs::create_symlink(directory.path("elsewhere.so"), file);
  EXPECT_EQ(compiler.kept(form, 1), nullptr);
  const TapeCompiler linked{.command = "cc", .cache = directory.path("link")};
  fs::create_directory_symlink(compiler.cache, linked.cache);
  EXPECT_EQ(linked.made(form, 1), nullptr);
}

TEST_F(CompiledTape, RequiresACompilerAndADirectory) {
  for (const char* const command : {"", "no_such_compiler", "/nowhere/cc", "/etc", "/bin/false"})
    EXPECT_EQ((TapeCompiler{.command = command, .cache = compiler.cache}.made(form, 1)), nullptr)
        << command;
  EXPECT_TRUE(!fs::exists(compiler.cache) || files().empty());  // and leaves no files behind
  for (const char* const cache : {"", "/proc/none/code", "/dev/null/code"})
    EXPECT_EQ((TapeCompiler{.command = "cc", .cache = cache}.made(form, 1)), nullptr) << cache;
  const std::string file = directory.write("file", "");
  EXPECT_EQ((TapeCompiler{.command = "cc", .cache = file}.made(form, 1)), nullptr);
}

TEST_F(CompiledTape, DoesNotWaitForAHangingCompiler) {
  const std::string slow =
      directory.write("slow", "#!/bin/sh\nsleep 777 & echo $! > \"$0.child\"\nwait\n");
  ASSERT_EQ(chmod(slow.c_str(), 0700), 0);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(
      (TapeCompiler{.command = slow, .cache = compiler.cache, .patience = std::chrono::seconds(1)}
           .made(form, 1)),
      nullptr);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  pid_t child = 0;
  std::ifstream(slow + ".child") >> child;
  if (child > 0) {  // it was started in time: it has ended with the compiler
    const auto is_running = [child] {
      std::string state, line;
      std::ifstream status("/proc/" + std::to_string(child) + "/stat");
      std::getline(status, line);
      return kill(child, 0) == 0 && line.find(") Z ") == std::string::npos;
    };
    for (int tenths = 0; tenths < 50 && is_running(); ++tenths)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_FALSE(is_running());
  }
  // It is not started again.
  fs::remove(slow + ".child");
  EXPECT_EQ((TapeCompiler{.command = slow, .cache = compiler.cache}.made(form, 1)), nullptr);
  EXPECT_FALSE(fs::exists(slow + ".child"));
}

TEST_F(CompiledTape, MayBeCompiledConcurrently) {
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const CodeFunction made = compiler.made(form, 1);
      _exit(made && computes(made, form, 1) ? 0 : 1);
    }
    children.push_back(child);
  }
  std::array<CodeFunction, 3> made{};
  {
    std::vector<std::jthread> threads;
    for (CodeFunction& each : made)
      threads.emplace_back([this, &each] { each = compiler.made(form, 1); });
  }
  for (const CodeFunction each : made) {
    ASSERT_NE(each, nullptr);
    EXPECT_TRUE(computes(each, form, 1));
  }
  for (const pid_t child : children) {
    int status = 1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(files().size(), 1u);
}

/// Sets an environment variable for the lifetime of the object.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(TapeCompiler, FollowsTheEnvironment) {
  const Variable no_cc("RIGIDLIMIT_CC", nullptr), home("HOME", "/home/someone");
  const Variable no_xdg("XDG_CACHE_HOME", nullptr);
  EXPECT_EQ(TapeCompiler::from_environment().command, "cc");
  EXPECT_EQ(TapeCompiler::from_environment().cache, "/home/someone/.cache/rigidlimit/code");
  {
    const Variable cc("RIGIDLIMIT_CC", "clang"), xdg("XDG_CACHE_HOME", "/var/cache/someone");
    EXPECT_EQ(TapeCompiler::from_environment().command, "clang");
    EXPECT_EQ(TapeCompiler::from_environment().cache, "/var/cache/someone/rigidlimit/code");
  }
  const Variable relative("XDG_CACHE_HOME", "here"), off("RIGIDLIMIT_CC", "");
  EXPECT_EQ(TapeCompiler::from_environment().command, "");
  EXPECT_EQ(TapeCompiler::from_environment().cache, "/home/someone/.cache/rigidlimit/code");
  const Variable homeless("HOME", nullptr);
  EXPECT_EQ(TapeCompiler::from_environment().cache, "");
}

/// Evaluates until code is available, at most `times` times.
bool becomes_compiled(const Evaluator<double>& evaluate, int times) {
  double x = 0.5, y = 0.0;
  for (int i = 0; i < times && !evaluate.is_compiled(); ++i)
    evaluate([&y](std::size_t, double result) { y = result; }, std::span(&x, 1));
  EXPECT_GT(y, 0.0);
  return evaluate.is_compiled();
}

// A frequently evaluated tape starts the compiler, a rarely evaluated tape does not. The next
// process with this tape finds the code soon.
TEST(TapeCompiler, StartsAfterManyEvaluations) {
  const test::TemporaryDirectory directory;
  const Variable xdg("XDG_CACHE_HOME", directory.path().c_str()), cc("RIGIDLIMIT_CC", nullptr);
  const fs::path cache = directory.path("rigidlimit/code");
  const Evaluator<double> often(a_tape(5));
  EXPECT_FALSE(becomes_compiled(often, 100'000));
  EXPECT_FALSE(fs::exists(cache));
  EXPECT_TRUE(becomes_compiled(often, 3'000'000));
  EXPECT_TRUE(fs::exists(cache));
  const Evaluator<double> again(a_tape(5));
  EXPECT_TRUE(again.is_compiled());
  // The code that another process would have cached for this tape.
  const Tape kept = a_tape(6);
  ASSERT_NE(TapeCompiler::from_environment().made(form_of(kept), 1), nullptr);
  EXPECT_TRUE(becomes_compiled(Evaluator<double>(kept), 100'000));
  const Variable off("RIGIDLIMIT_CC", "");
  EXPECT_FALSE(becomes_compiled(Evaluator<double>(a_tape(7)), 3'000'000));
}

// The check of new code evaluates a tape in packs, too: it must not touch the arguments and
// constants of the evaluation that started the compiler.
TEST(TapeCompiler, ChangesNoResultInPacksWhenItStarts) {
  const test::TemporaryDirectory directory;
  const Variable xdg("XDG_CACHE_HOME", directory.path().c_str()), cc("RIGIDLIMIT_CC", nullptr);
  const PackEvaluator evaluate(a_tape(21));
  const std::array<double, 1> x{0.5};
  Pack first, y;
  evaluate(&first, x);
  long others = 0, evaluations = 0;
  for (; evaluations < 2'000'000 && !evaluate.is_compiled(); ++evaluations) {
    evaluate(&y, x);
    for (std::size_t k = 0; k < Pack::lanes; ++k) others += y[k] == first[k] ? 0 : 1;
  }
  EXPECT_TRUE(evaluate.is_compiled());
  EXPECT_GT(evaluations, 1000);  // the interpreter ran
  EXPECT_EQ(others, 0);
  const std::array<double, 1> other{0.6};
  evaluate(&y, other);
  EXPECT_NE(y[0], first[0]);  // negative control
}

// The switch to compiled code during an evaluation does not change any result.
TEST(TapeCompiler, MayFinishWhileThreadsEvaluate) {
  const test::TemporaryDirectory directory;
  const Variable xdg("XDG_CACHE_HOME", directory.path().c_str()), cc("RIGIDLIMIT_CC", nullptr);
  const Evaluator<double> evaluate(a_tape(20));
  const double x = 0.5;
  double first = 0.0;
  evaluate([&first](std::size_t, double y) { first = y; }, std::span(&x, 1));
  std::array<int, 3> others{};
  {
    std::vector<std::jthread> threads;
    for (int& other : others)
      threads.emplace_back([&] {
        for (int i = 0; i < 2'000'000 && !evaluate.is_compiled(); ++i)
          evaluate([&](std::size_t, double y) { other += y == first ? 0 : 1; }, std::span(&x, 1));
        evaluate([&](std::size_t, double y) { other += y == first ? 0 : 1; }, std::span(&x, 1));
      });
  }
  EXPECT_TRUE(evaluate.is_compiled());
  EXPECT_EQ(others, (std::array<int, 3>{}));
}

}  // namespace
}  // namespace rigidlimit
