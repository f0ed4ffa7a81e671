#include "rigidlimit/cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "rigidlimit/core/standard_streams.hpp"

namespace rigidlimit {

namespace {

std::atomic<bool> stop = false;  // written by the signal handler
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not lock");

void on_interrupt(int signal) {
  stop = true;
  std::signal(signal, SIG_DFL);  // a second signal ends the program
}

}  // namespace

bool colour_wanted() {
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && !std::getenv("NO_COLOR") &&
         (!term || std::strcmp(term, "dumb") != 0);
}

namespace {

/// The width of a terminal; 0 if unknown, or if the stream is none.
std::size_t columns_of(int stream) {
  winsize size{};
  return isatty(stream) != 0 && ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// COLUMNS; 0 if it is no number.
std::size_t stated_columns() {
  const char* text = std::getenv("COLUMNS");
  return text ? std::strtoul(text, nullptr, 10) : 0;
}

/// COLUMNS, or the width of a terminal, 80 if unknown; 0 for a file or pipe without COLUMNS.
std::size_t known_width(int stream) {
  constexpr std::size_t least = 60, usual = 80;
  std::size_t columns = stated_columns();
  if (columns == 0) columns = columns_of(stream);
  if (columns == 0 && isatty(stream) != 0) columns = usual;
  return columns == 0 ? 0 : std::clamp(columns, least, terminal_width);
}

}  // namespace

Screen output_screen() {
  const std::size_t width = known_width(STDOUT_FILENO);
  return {colour_wanted(), width == 0 ? terminal_width : width};
}

void print_list(const TextTable& table) {
  const std::size_t width = known_width(STDOUT_FILENO);
  constexpr std::size_t unlimited = 1'000'000;
  print_toned(terminal_list(table, {colour_wanted(), width == 0 ? unlimited : width}),
              colour_wanted());
}

std::string folded(const std::string& lines, int stream) {
  const std::size_t width = known_width(stream);
  if (width == 0) return lines;
  std::istringstream in(lines);
  std::string text;
  for (std::string line; std::getline(in, line);)
    text += paragraph(line, std::min(line.find_first_not_of(' '), line.size()), width);
  if (!text.empty()) text.pop_back();
  return text;
}

InterruptGuard::InterruptGuard()
    : former_(std::signal(SIGINT, SIG_IGN)), former_end_(std::signal(SIGTERM, on_interrupt)) {
  stop = false;
  // A shell starts background jobs with SIGINT ignored, which must stay so.
  if (former_ != SIG_IGN) std::signal(SIGINT, on_interrupt);
}
InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, former_);
  std::signal(SIGTERM, former_end_);
}
bool InterruptGuard::requested() {
  return stop;
}

namespace {

/// Width of standard error; 80 if unknown.
std::size_t columns_of_terminal() {
  const std::size_t columns = columns_of(STDERR_FILENO);
  return columns > 1 ? columns : 80;
}

/// The first `width` characters of `text`: a wrapped line could not be cleared.
std::string cut_to(std::string text, std::size_t characters) {
  std::size_t shown = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xc0U) != 0x80U && shown++ == characters)
      text.resize(at);
  return text;
}

}  // namespace

ProgressLine::ProgressLine(std::string name, bool allowed, std::string before_the_first)
    : name_(std::move(name)),
      before_the_first_(std::move(before_the_first)),
      allowed_(allowed),
      terminal_(isatty(STDERR_FILENO) != 0) {}

std::string time_left_text(double seconds) {
  return seconds >= 0.5 ? fmt::format(", about {:.0f} s left", seconds) : "";
}

void ProgressLine::show(const SolveProgress& progress) {
  {
    const std::lock_guard lock(proving_);
    proof_.clear();
  }
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  done_ = progress.done, total_ = progress.total;
  end_ = progress.seconds_left ? elapsed.count() + *progress.seconds_left
                               : std::numeric_limits<double>::quiet_NaN();
  if (!allowed_) return;
  if (terminal_ || due()) print(counts(), progress.what);
}

void ProgressLine::prove(const std::string& what, double part) {
  bool shown = false;
  {
    const std::lock_guard lock(proving_);
    const Clock::time_point now = Clock::now();
    if (what != proof_) {
      proof_ = what;
      proof_start_ = now;
      first_part_ = part;
    }
    part_ = part;
    shown = terminal_ && now - proof_shown_ > std::chrono::milliseconds(200);
    if (shown) proof_shown_ = now;
  }
  if (allowed_ && (shown || (!terminal_ && due()))) print(counts(), "");
}

std::string ProgressLine::proof() const {
  const std::lock_guard lock(proving_);
  if (proof_.empty()) return {};
  // A proof may be seen first in its middle: only the part since then took the time since then.
  const std::chrono::duration<double> elapsed = Clock::now() - proof_start_;
  const double advanced = part_ - first_part_;
  const double left = advanced >= 0.01 ? elapsed.count() * (1.0 - part_) / advanced
                                       : std::numeric_limits<double>::quiet_NaN();
  return fmt::format("; {} is at {:.0f} % of the time{}", proof_, 100.0 * part_,
                     time_left_text(left));
}

void ProgressLine::tick() {
  if (allowed_ && due()) print(counts(), "");
}

bool ProgressLine::due() {
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
  std::int64_t next = next_ms_;
  return elapsed.count() >= next &&
         next_ms_.compare_exchange_strong(next, elapsed.count() + 60'000);
}

std::string ProgressLine::counts() const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  const int done = done_, total = total_;
  const std::string proving = proof();
  if (total == 0 && proving.empty())
    return fmt::format("{:.0f} s, {}", elapsed.count(), before_the_first_);
  if (total == 0) return fmt::format("{:.0f} s{}", elapsed.count(), proving);
  if (!proving.empty())
    return fmt::format("{} of {} solves, {:.0f} s{}", done, total, elapsed.count(), proving);
  return fmt::format("{} of {} solves, {:.0f} s{}", done, total, elapsed.count(),
                     time_left_text(done < total ? end_ - elapsed.count() : 0.0));
}

void ProgressLine::print(const std::string& counts, const std::string& what) const {
  if (!terminal_) {
    print_message("{}: {}\n", name_, counts);
    return;
  }
  // A long name shortens the bar, not the time left.
  constexpr std::size_t widest = 24;
  const std::size_t columns = columns_of_terminal() - 1;
  const std::size_t others = display_width(name_) + display_width(counts) + 6;
  const std::size_t width = columns > others ? std::min(columns - others, widest) : 0;
  const std::size_t filled =
      total_ > 0 ? width * static_cast<std::size_t>(done_) / static_cast<std::size_t>(total_) : 0;
  const std::string bar =
      width == 0 ? "" : fmt::format("[{:#<{}}{:.<{}}] ", "", filled, "", width - filled);
  rewrite_line(cut_to(fmt::format("{} {}{}  {}", name_, bar, counts, what), columns));
}

void ProgressLine::clear() const {
  if (allowed_ && terminal_) rewrite_line("");
}

}  // namespace rigidlimit
