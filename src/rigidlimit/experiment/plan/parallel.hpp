// Independent tasks on several threads.
#pragma once

#include <functional>

namespace rigidlimit {

/// Calls task(0), …, task(count − 1) on `jobs` threads, each exactly once, started in this order.
/// Rethrows the first exception after all threads have ended; after an exception no further task
/// starts.
void run_tasks(int count, int jobs, const std::function<void(int)>& task);

}  // namespace rigidlimit
