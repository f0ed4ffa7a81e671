// Independent tasks on a few threads.
#pragma once

#include <functional>

namespace rigidlimit {

/// Calls task(0), …, task(count − 1) on `jobs` threads, each exactly once, in this order of
/// starting. Rethrows the first exception after all threads have ended; tasks not yet started are
/// then left out.
void run_tasks(int count, int jobs, const std::function<void(int)>& task);

}  // namespace rigidlimit
