// What the program may do to the terminal it runs in.
#pragma once

#include <chrono>
#include <string>

namespace rigidlimit {

/// Standard output is a terminal, and neither NO_COLOR nor TERM=dumb asks for plain text.
bool colour_wanted();

/// Ctrl-C, or SIGTERM, as batch systems send it before they kill, asks the solvers to stop instead
/// of ending the program; a second one ends it. Restores the former handlers when destroyed.
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

/// A line on standard error that is rewritten in place, and only if that is a terminal; cut to its
/// width.
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
