// Terminal: colours, signals, progress line.
#pragma once

#include <chrono>
#include <string>

namespace rigidlimit {

/// Whether standard output is a terminal, without NO_COLOR or TERM=dumb.
bool colour_wanted();

/// Turns Ctrl-C, or SIGTERM as batch systems send it, into a stop request for the solvers; a second
/// one ends the program. Restores the former handlers when destroyed.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  static bool requested();

 private:
  void (*former_)(int);
  void (*former_end_)(int);
};

/// A line on standard error that is rewritten in place and cut to the width of the terminal;
/// nothing if standard error is not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool allowed);
  /// "knife_edge [######    ] 12/54 eps = 0.01, cvode_bdf   3 s, about 9 s to go"
  void show(const std::string& study, int done, int total, const std::string& what);
  void clear();

 private:
  bool active_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace rigidlimit
