#include "rigidlimit/solvers/program_method.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

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

Solution solution_of(const Json& answer, Index size, std::size_t count) {
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
  const auto counted = [&](const char* key) {
    const Json found = answer.value(key, Json());
    return found.is_number_integer() ? found.get<long>() : 0L;
  };
  solution.work.steps = counted("steps");
  solution.work.rejected_steps = counted("rejected_steps");
  solution.work.factorisations = counted("factorisations");
  solution.outcome = Outcome::success;
  return solution;
}

Solution solve_by(const std::string& path, const OdeProblem& problem,
                  const std::vector<double>& times, const SolveOptions& options,
                  double time_limit) {
  const auto begin = std::chrono::steady_clock::now();
  const auto look = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (spent.count() > time_limit || (options.stop_requested && options.stop_requested()))
      throw std::runtime_error("has been ended");
  };
  const Index size = problem.y0.size();
  Program program(path);
  program.send({{"protocol", 1},
                {"problem", problem.name},
                {"t0", problem.t0},
                {"y0", list_of(problem.y0)},
                {"times", times},
                {"rtol", options.rtol},
                {"atol", options.atol},
                {"max_steps", options.max_steps}},
               look);
  for (;;) {
    const Json answer = program.receive(look);
    if (answer.contains("rhs"))
      program.send(rhs_at(problem, {answer["rhs"], size}), look);
    else if (answer.contains("jacobian"))
      program.send(jacobian_at(problem, {answer["jacobian"], size}), look);
    else
      return solution_of(answer, size, times.size());
  }
}

}  // namespace

OwnMethod program_method(const std::string& name, const std::string& path, double time_limit) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot be read", path);
  if (access(path.c_str(), X_OK) != 0) throw InputError("is not executable: chmod +x", path);
  return {.name = name,
          .title = "program " + path,
          .source = path,
          .content = std::string(std::istreambuf_iterator<char>(file), {}),
          .time_limit = time_limit,
          .solve = [path, time_limit](const OdeProblem& problem, const std::vector<double>& times,
                                      const SolveOptions& options) {
            return solve_by(path, problem, times, options, time_limit);
          }};
}

}  // namespace rigidlimit
