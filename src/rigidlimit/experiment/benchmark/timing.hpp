// How long a solve takes, and how that is measured.
#pragma once

#include <functional>

#include "rigidlimit/experiment/benchmark/benchmark_result.hpp"

namespace rigidlimit {

/// Processor time of the calling thread, s: what else the machine runs is not in it, though it
/// still competes for caches and clock rate.
double thread_seconds();

/// Tells seconds from some beginning on.
using Clock = std::function<double()>;

/// Whether a difference of two readings can be the time of a solve: > 0 and finite. On a virtual
/// machine the clock of a thread stands still once in 1e5 readings or so, and the least of many
/// repeats would be that 0. To be asked of every reading before one is called the least.
bool is_duration(double seconds);

/// The protocol, in words, for whoever reads the times.
std::string timing_protocol(const Benchmark& benchmark);

/// Takes the times of the trials [first, last) of one problem, those that arrived: `repeats` rounds
/// on the calling thread, one solve at a time, every trial in turn, so that what else the machine
/// does falls on all alike. Before them each is solved once untimed. In a round a solve shorter
/// than 1 ms is taken up to ten times, each by itself; a trial whose times sum up to most_seconds
/// is left out of the rounds that follow. The least and the median of all its times are kept: the
/// least is that of an undisturbed machine, the median tells how far from one this was. What is no
/// duration (is_duration()) counts in neither, nor among Trial::repeats.
void take_times(BenchmarkResult& result, std::size_t first, std::size_t last,
                const std::function<bool()>& stop_requested, const Clock& clock = thread_seconds);

}  // namespace rigidlimit
