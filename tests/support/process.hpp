// Runs the built program as a user does, and stores its output.
#pragma once

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/temporary_directory.hpp"

namespace rigidlimit::test {

struct Said {
  int status = -1;  ///< exit status, or 128 + signal
  std::string out;  ///< standard output; of a terminal, both streams
  std::string err;  ///< standard error
};

/// A process in a given directory. Its streams are files, so that no pipe can fill up.
class Process {
 public:
  /// argv[0] is found by PATH; `variables` ("NAME=value") extend a small environment.
  Process(const std::vector<std::string>& argv, const std::string& directory,
          const std::vector<std::string>& variables = {}) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    constexpr int fresh = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, 1, streams_.path("out").c_str(), fresh, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, streams_.path("err").c_str(), fresh, 0600);
    start(argv, directory, variables, actions);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (id_ > 0 && !ended_) {
      kill(id_, SIGKILL);
      wait();
    }
  }

  void send(int signal) const { kill(id_, signal); }

  bool running() {
    int status = 0;
    if (!ended_ && waitpid(id_, &status, WNOHANG) == id_) note(status);
    return !ended_;
  }

  /// The output on standard error so far.
  std::string errors() const { return text_of(streams_.path("err")); }

  Said wait() {
    int status = 0;
    if (!ended_ && waitpid(id_, &status, 0) == id_) note(status);
    return {status_, text_of(streams_.path("out")), text_of(streams_.path("err"))};
  }

 protected:
  Process() = default;

  void start(const std::vector<std::string>& argv, const std::string& directory,
             const std::vector<std::string>& variables, posix_spawn_file_actions_t& actions) {
    posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
    // A parent without a terminal may ignore SIGINT, and its children would inherit that.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &interrupt);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> environment = variables;  // first, so that they take precedence
    for (const char* other : {"PATH=/usr/bin:/bin", "TERM=xterm", "LC_ALL=C.UTF-8"})
      environment.emplace_back(other);
    std::vector<std::string> words = argv;
    const int failed = posix_spawnp(&id_, words.at(0).c_str(), &actions, &attributes,
                                    pointers(words).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) throw std::runtime_error("cannot start " + argv[0]);
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }
  void note(int status) {
    ended_ = true;
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  TemporaryDirectory streams_;
  pid_t id_ = -1;
  bool ended_ = false;
  int status_ = -1;
};

/// A process on a pseudo-terminal of 24 lines.
class TerminalProcess : public Process {
 public:
  TerminalProcess(const std::vector<std::string>& argv, const std::string& directory,
                  const std::vector<std::string>& variables = {}, unsigned short columns = 120) {
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    int inner = -1;
    if (openpty(&outer_, &inner, nullptr, nullptr, &size) != 0)
      throw std::runtime_error("no pseudo-terminal");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {0, 1, 2}) posix_spawn_file_actions_adddup2(&actions, inner, stream);
    posix_spawn_file_actions_addclose(&actions, outer_);
    posix_spawn_file_actions_addclose(&actions, inner);
    start(argv, directory, variables, actions);
    close(inner);
  }
  ~TerminalProcess() { close(outer_); }

  /// Types a text; "\n" is the Enter key.
  void type(const std::string& text) const {
    if (write(outer_, text.data(), text.size()) < 0) throw std::runtime_error("cannot type");
  }

  /// Reads until the program closes the terminal.
  Said wait() {
    std::string text(4096, '\0'), all;
    for (ssize_t n; (n = read(outer_, text.data(), text.size())) > 0;)
      all.append(text, 0, static_cast<std::size_t>(n));
    return {Process::wait().status, all, ""};
  }

 private:
  int outer_ = -1;
};

#ifdef RIGIDLIMIT_PROGRAM
/// Runs `rigidlimit ARGUMENTS…` in `directory` to its end.
inline Said rigidlimit(std::vector<std::string> arguments, const std::string& directory = "/",
                       const std::vector<std::string>& variables = {}) {
  arguments.insert(arguments.begin(), RIGIDLIMIT_PROGRAM);
  return Process(arguments, directory, variables).wait();
}
#endif

}  // namespace rigidlimit::test
