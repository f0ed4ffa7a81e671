// Measurement of the time of a solve.
#pragma once

#include <functional>

#include "rigidlimit/experiment/benchmark/benchmark.hpp"

namespace rigidlimit {

/// Processor time of the calling thread, s. It excludes other processes, although these still
/// compete for caches and clock rate.
double thread_seconds();

/// A clock: returns seconds since some instant.
using Clock = std::function<double()>;

/// Whether a difference of two readings can be the time of a solve: > 0 and finite. On a virtual
/// machine the clock of a thread stands still about once in 1e5 readings, and the minimum of many
/// repeats would be that 0. Every reading must be checked before the minimum is taken.
bool is_duration(double seconds);

/// Description of the timing protocol for readers of the times.
std::string timing_protocol(const Benchmark& benchmark);

/// Measures the times of the successful trials in [first, last) of one problem: `repeats` rounds on
/// the calling thread, one solve at a time. Each round runs all trials in turn, so that other load
/// on the machine affects all alike; each trial is first solved once without timing. Within a
/// round, a solve shorter than 1 ms is measured up to ten times. A trial whose times add up to
/// most_seconds takes no part in further rounds. Minimum and median are kept: the minimum is the
/// time on an undisturbed machine, and the median shows the disturbance. Readings that fail
/// is_duration() do not count, in Trial::repeats either. Methods with OwnMethod::other_threads are
/// not run: their times stay NaN.
void take_times(BenchmarkResult& result, std::size_t first, std::size_t last,
                const std::function<bool()>& stop_requested, const Clock& clock = thread_seconds);

}  // namespace rigidlimit
