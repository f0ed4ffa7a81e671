// A long computation for a Python caller, which can interrupt it.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "own_methods.hpp"

namespace rigidlimit::python {

/// Runs `action()` in a thread of its own, without the GIL, and returns its result. The calling
/// thread wakes up every 50 ms and calls `look()` with the GIL, and once more at the end. If look()
/// throws, a signal handler of Python among others (KeyboardInterrupt), stop() is called, the end
/// of the action is awaited, and the exception is passed on. The only Python code in the threads of
/// the solvers is that of methods that are Python functions; late ones are ended.
template <class Action, class Look, class Stop>
auto without_gil(const Action& action, const Look& look, const Stop& stop) {
  std::optional<decltype(action())> result;
  std::exception_ptr failure, interruption;
  std::mutex guard;
  std::condition_variable news;
  bool done = false;
  {
    const nanobind::gil_scoped_release released;
    const std::jthread thread([&] {
      try {
        result.emplace(action());
      } catch (...) {
        failure = std::current_exception();
      }
      const std::scoped_lock lock(guard);
      done = true;
      news.notify_one();
    });
    std::unique_lock lock(guard);
    while (!news.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
      if (interruption) {
        const nanobind::gil_scoped_acquire acquired;
        end_late_methods(true);
        continue;
      }
      lock.unlock();
      {
        const nanobind::gil_scoped_acquire acquired;
        try {
          end_late_methods(false);
          if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
          look();
        } catch (...) {
          interruption = std::current_exception();
        }
      }
      if (interruption) stop();
      lock.lock();
    }
  }
  if (interruption) std::rethrow_exception(interruption);
  if (failure) std::rethrow_exception(failure);
  look();
  return std::move(*result);
}

/// The same for an action without news: action(stop_requested), of which an interruption makes
/// stop_requested() true.
template <class Action>
auto interruptible(const Action& action) {
  std::atomic<bool> stopped = false;
  const std::function<bool()> stop_requested = [&] { return stopped.load(); };
  return without_gil([&] { return action(stop_requested); }, [] {}, [&] { stopped = true; });
}

}  // namespace rigidlimit::python
