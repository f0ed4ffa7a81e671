// Terminal: colours, signals, progress line.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>

#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {

/// Whether standard output is a terminal, without NO_COLOR or TERM=dumb.
bool colour_wanted();

/// Standard output: its width is COLUMNS or that of a terminal, from 60 to terminal_width; that of
/// files without either.
Screen output_screen();

/// terminal_list() to standard output, in colours if they are wanted. Files and pipes get one line
/// for each row, as `grep` needs, unless COLUMNS is set.
void print_list(const TextTable& table);

/// The lines of a verdict, folded at COLUMNS or the width of a terminal. If `stream`, STDOUT_FILENO
/// or STDERR_FILENO, is a file or a pipe and COLUMNS is not set, each claim stays one line.
std::string folded(const std::string& lines, int stream);

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

/// ", about 20 s left"; empty below half a second and for NaN, an unknown time.
std::string time_left_text(double seconds);

/// Progress on standard error: a line that is rewritten in place and cut to the width of a
/// terminal; elsewhere a line after ten seconds, and then one a minute.
class ProgressLine {
 public:
  /// `before_the_first`: said until a solve has ended or a proof has begun.
  explicit ProgressLine(std::string name, bool allowed,
                        std::string before_the_first = "no solve has ended yet");
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// "knife_edge [######    ] 12 of 54 solves, 3 s, about 9 s left  eps = 0.01, cvode_bdf", after a
  /// solve of this run. Between two solves the time left shrinks by the time that passes.
  void show(const SolveProgress& progress);
  /// "knife_edge 54 of 54 solves, 40 s; the proof at eps = 0.01 is at 35 % of the time, about 20 s
  /// left", while motions are enclosed. The time left is that of the part since the first call for
  /// this proof, once it is a hundredth. Thread-safe.
  void prove(const std::string& what, double part);
  /// Prints a line that is due although no solve has ended: after ten seconds, and then one a
  /// minute. Thread-safe and cheap: solvers call it at every step.
  void tick();

 private:
  void clear() const;
  bool due();
  std::string counts() const;
  std::string proof() const;
  void print(const std::string& counts, const std::string& what) const;

  using Clock = std::chrono::steady_clock;
  std::string name_, before_the_first_;
  bool allowed_, terminal_;
  Clock::time_point start_ = Clock::now();
  std::atomic<std::int64_t> next_ms_ = 10'000;  ///< after the start: the next line off a terminal
  std::atomic<int> done_ = 0, total_ = 0;
  std::atomic<double> end_ = std::numeric_limits<double>::quiet_NaN();  ///< expected, after start_
  mutable std::mutex proving_;                                          ///< of the members below
  std::string proof_;  ///< empty: none is in progress
  double part_ = 0.0, first_part_ = 0.0;
  Clock::time_point proof_start_{}, proof_shown_{};
};

}  // namespace rigidlimit
