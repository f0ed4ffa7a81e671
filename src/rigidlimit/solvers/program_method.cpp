#include "rigidlimit/solvers/program_method.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "rigidlimit/core/codegen/problem_source.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/printable.hpp"

extern char** environ;

namespace rigidlimit {

namespace {

using Json = nlohmann::json;

/// A line of an answer may have this many bytes, and no more.
constexpr std::size_t longest_line = 256U << 20U;
constexpr std::size_t quoted = 80;  // bytes of a wrong answer in a message

/// The running program. Its standard input and output are one socket.
class Program {
 public:
  explicit Program(const std::string& path) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::runtime_error(std::string("no socket: ") + std::strerror(errno));
    socket_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    char* const arguments[] = {const_cast<char*>(path.c_str()), nullptr};  // NOLINT: of POSIX
    const int failure = posix_spawn(&pid_, path.c_str(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (failure != 0) {
      close(socket_);
      throw std::runtime_error(fmt::format("cannot be started: {}", std::strerror(failure)));
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    close(socket_);
    kill(-pid_, SIGKILL);  // with all processes that it started
    waitpid(pid_, nullptr, 0);
  }

  /// `look()` throws to end the solve; it is called while the program is slow.
  template <class Look>
  void send(const Json& message, const Look& look) {
    const std::string text = message.dump() + "\n";
    for (std::size_t sent = 0; sent < text.size();) {
      wait_for(POLLOUT, look);
      const ssize_t size =
          ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (size > 0)
        sent += static_cast<std::size_t>(size);
      else if (errno != EAGAIN && errno != EINTR)
        throw std::runtime_error("ended without an answer");
    }
  }

  /// The next line as JSON.
  template <class Look>
  Json receive(const Look& look) {
    for (std::size_t searched = 0;;) {
      const std::size_t end = text_.find('\n', searched);
      if (end != std::string::npos) {
        const std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        Json answer = Json::parse(line, nullptr, false);
        if (!answer.is_object())
          throw std::runtime_error(
              fmt::format("answered no JSON object: {}", printable(line.substr(0, quoted))));
        return answer;
      }
      searched = text_.size();
      if (text_.size() > longest_line) throw std::runtime_error("answered an endless line");
      wait_for(POLLIN, look);
      char buffer[1 << 16];
      const ssize_t size = recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
      if (size > 0)
        text_.append(buffer, static_cast<std::size_t>(size));
      else if (size == 0 || (errno != EAGAIN && errno != EINTR))
        throw std::runtime_error("ended without an answer");
    }
  }

 private:
  template <class Look>
  void wait_for(short event, const Look& look) {
    constexpr int pause = 20;  // ms
    pollfd one{socket_, event, 0};
    do look();
    while (poll(&one, 1, pause) == 0);
  }

  int socket_ = -1;
  pid_t pid_ = 0;
  std::string text_;  ///< received, not yet read
};

double number(const Json& value) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value.is_number()) throw std::runtime_error("answered another value in place of a number");
  return value.get<double>();
}

VectorXd vector_of(const Json& list, Index size, const char* what) {
  if (!list.is_array() || static_cast<Index>(list.size()) != size)
    throw std::runtime_error(fmt::format("{} must be a list of {} numbers", what, size));
  VectorXd values(size);
  for (Index i = 0; i < size; ++i) values(i) = number(list[static_cast<std::size_t>(i)]);
  return values;
}

Json list_of(const VectorXd& values) {
  return std::vector<double>(values.begin(), values.end());
}

/// The state of a question {"t": …, "y": […]}.
struct Question {
  double t;
  VectorXd y;
  Question(const Json& asked, Index size)
      : t(number(asked.value("t", Json()))), y(vector_of(asked.value("y", Json()), size, "y")) {}
};

Json rhs_at(const OdeProblem& problem, const Question& at) {
  VectorXd rate(at.y.size());
  problem.rhs(at.t, at.y, rate);
  return {{"f", list_of(rate)}};
}

Json jacobian_at(const OdeProblem& problem, const Question& at) {
  if (!problem.jacobian) throw std::runtime_error("this problem has no dense Jacobian");
  MatrixXd rates(at.y.size(), at.y.size());
  problem.jacobian(at.t, at.y, rates);
  Json rows = Json::array();
  for (Index i = 0; i < rates.rows(); ++i) rows.push_back(list_of(rates.row(i)));
  return {{"J", std::move(rows)}};
}

/// `counted`: whether the program counts its evaluations itself.
Solution solution_of(const Json& answer, Index size, std::size_t count, bool counted) {
  Solution solution;
  if (answer.contains("failure")) {
    solution.outcome = Outcome::solver_error;
    solution.message =
        printable(answer["failure"].is_string() ? answer["failure"].get<std::string>()
                                                : answer["failure"].dump());
    return solution;
  }
  const Json& states = answer.value("states", Json());
  if (!states.is_array() || states.size() != count)
    throw std::runtime_error(fmt::format("states must be a list of {} states", count));
  solution.states.resize(size, static_cast<Index>(count));
  for (std::size_t k = 0; k < count; ++k)
    solution.states.col(static_cast<Index>(k)) = vector_of(states[k], size, "a state");
  const auto count_of = [&](const char* key) {
    const Json found = answer.value(key, Json());
    return found.is_number_integer() ? std::max(found.get<long>(), 0L) : 0L;
  };
  solution.work.steps = count_of("steps");
  solution.work.rejected_steps = count_of("rejected_steps");
  solution.work.factorisations = count_of("factorisations");
  if (counted) {
    solution.work.rhs_evaluations = count_of("rhs_evaluations");
    solution.work.jacobian_evaluations = count_of("jacobian_evaluations");
  }
  solution.outcome = Outcome::success;
  return solution;
}

/// A number, or a list if the components have different ones.
Json absolute_tolerance(const SolveOptions& options) {
  return options.atol_of.empty() ? Json(options.atol) : Json(options.atol_of);
}

Json request_of(const OdeProblem& problem, const std::vector<double>& times,
                const SolveOptions& options, std::optional<SourceLanguage> language) {
  Json request{{"protocol", 1},
               {"problem", problem.name},
               {"t0", problem.t0},
               {"y0", list_of(problem.y0)},
               {"times", times},
               {"rtol", options.rtol},
               {"atol", absolute_tolerance(options)},
               {"max_steps", options.max_steps}};
  if (language)
    request["source"] = problem_source(written(problem, times.back()), *language,
                                       {"Written by rigidlimit for the program of a solver."});
  return request;
}

std::string bytes_of(const std::string& path) {
  std::error_code failure;  // a device may have no end
  if (!std::filesystem::is_regular_file(path, failure)) throw InputError("is not a file", path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot be read", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Solution solve_by(const std::string& path, const OdeProblem& problem,
                  const std::vector<double>& times, const SolveOptions& options,
                  const ProgramOptions& how) {
  const auto begin = std::chrono::steady_clock::now();
  const auto look = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (spent.count() > how.time_limit || (options.stop_requested && options.stop_requested()))
      throw std::runtime_error("has been ended");
  };
  const Index size = problem.y0.size();
  const Json request = request_of(problem, times, options, how.language);
  Program program(path);
  program.send(request, look);
  for (;;) {
    const Json answer = program.receive(look);
    if (answer.contains("rhs"))
      program.send(rhs_at(problem, {answer["rhs"], size}), look);
    else if (answer.contains("jacobian"))
      program.send(jacobian_at(problem, {answer["jacobian"], size}), look);
    else
      return solution_of(answer, size, times.size(), how.language.has_value());
  }
}

}  // namespace

OwnMethod program_method(const std::string& name, const std::string& path,
                         const ProgramOptions& program) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment while files are read
  if (const char* allowed = std::getenv("RIGIDLIMIT_PROGRAMS");
      allowed != nullptr && std::string_view(allowed) == "none")
    throw InputError(
        "is a program that the experiment would start, which RIGIDLIMIT_PROGRAMS=none or "
        "'rigidlimit reproduce' without --programs forbids",
        path);
  const auto bytes = std::make_shared<const std::string>(bytes_of(path));
  if (access(path.c_str(), X_OK) != 0) throw InputError("is not executable: chmod +x", path);
  return {
      .name = name,
      .title = "program " + path,
      .source = "program " + path,
      .other_process = true,
      .needs_recorded = program.language.has_value(),
      // A failure is stored too, and may be one of the limit.
      .content = fmt::format("seconds={} source={}\n", program.time_limit,
                             program.language ? name_of(*program.language) : "none") +
                 *bytes,
      .time_limit = program.time_limit,
      .solve = [path, program, bytes](const OdeProblem& problem, const std::vector<double>& times,
                                      const SolveOptions& options) {
        // Otherwise the store would have its solves as those of the first file.
        if (bytes_of(path) != *bytes)
          throw std::runtime_error(path + " has changed during the run");
        return solve_by(path, problem, times, options, program);
      }};
}

}  // namespace rigidlimit
