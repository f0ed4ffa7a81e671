#include "rigidlimit/cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : 80;
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

ProgressLine::ProgressLine(bool allowed)
    : active_(allowed && isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()) {}

void ProgressLine::show(const std::string& study, int done, int total, const std::string& what) {
  if (!active_) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const double remaining = elapsed.count() * (total - done) / done;
  constexpr int width = 24;
  const int filled = width * done / total;
  fmt::print(
      stderr, "\r\033[K{}",
      cut_to(fmt::format("{} [{:#<{}}{:.<{}}] {}/{} {}  {:.0f} s, about {:.0f} s to go", study, "",
                         filled, "", width - filled, done, total, what, elapsed.count(), remaining),
             columns_of_terminal() - 1));
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (active_) fmt::print(stderr, "\r\033[K");
}

}  // namespace rigidlimit
