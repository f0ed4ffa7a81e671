#include "rigidlimit/store/store_writer.hpp"

#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <chrono>

#include "rigidlimit/store/store_schema.hpp"

namespace rigidlimit {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds shortest_pause{0.2};          // between two transactions
constexpr double longest_share = 1.0 / 30.0;    // largest share of the time spent on writing
constexpr std::size_t most_waiting = 64 << 20;  // bytes in memory before the next transaction

std::size_t bytes_of(const WaitingSolve& item) {
  std::size_t bytes = 0;
  if (item.result)
    for (const NamedSamples& s : item.result->second.samples)
      bytes += sizeof(double) * static_cast<std::size_t>(s.values.size());
  return bytes;
}

}  // namespace

StoreWriter::StoreWriter(SQLite::Database& database, std::mutex& use)
    : database_(database), use_(use), rows_(database) {}

void StoreWriter::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { write_on(stop); });
}

void StoreWriter::stop() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  write();
}

void StoreWriter::put(const std::string& key, WaitingSolve solve) {
  bool too_much = false, first = false;
  {
    const std::scoped_lock guard(guard_);
    bytes_ += bytes_of(solve);
    too_much = bytes_ > most_waiting;
    first = waiting_.empty();
    if (solve.result)
      waiting_.insert_or_assign(key, std::move(solve));
    else
      waiting_.try_emplace(key, std::move(solve));
  }
  if (too_much)
    write();
  else if (first)
    news_.notify_one();
}

void StoreWriter::write_on(const std::stop_token& stop) {
  Seconds pause = shortest_pause;
  std::unique_lock guard(guard_);
  while (news_.wait(guard, stop, [&] { return !waiting_.empty() && failure_.empty(); })) {
    // Wait for more solves of the same transaction.
    if (news_.wait_for(guard, stop, pause, [] { return false; }) || stop.stop_requested()) return;
    guard.unlock();
    const Clock::time_point start = Clock::now();
    write();
    pause = std::max(shortest_pause, Seconds(Clock::now() - start) / longest_share);
    guard.lock();
  }
}

void StoreWriter::write() {
  const std::scoped_lock writing(writing_);
  std::map<std::string, WaitingSolve> batch;
  {
    const std::scoped_lock guard(guard_);
    batch.swap(waiting_);
    bytes_ = 0;
  }
  if (batch.empty()) return;
  std::string why;
  try {
    const std::scoped_lock use(use_);
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    for (const auto& [key, item] : batch) {
      if (item.result)
        rows_.finish(key, item.solve, item.result->first, item.result->second, item.run);
      else
        rows_.begin(key, item.solve, item.run);
    }
    transaction.commit();
  } catch (const SQLite::Exception& e) {
    why = reason_of(e);
  }
  const std::scoped_lock guard(guard_);
  failure_ = why;
  if (!why.empty()) waiting_.merge(batch);  // pending entries added meanwhile are newer and stay
}

std::string StoreWriter::failure() const {
  const std::scoped_lock guard(guard_);
  return failure_;
}

int StoreWriter::unwritten() const {
  const std::scoped_lock guard(guard_);
  return static_cast<int>(std::ranges::count_if(
      waiting_, [](const auto& item) { return item.second.result.has_value(); }));
}

}  // namespace rigidlimit
