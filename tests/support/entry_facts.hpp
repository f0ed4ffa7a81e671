// Is what a system says about itself consistent with what it computes?
#pragma once

#include "support/catalogued_system.hpp"

namespace rigidlimit::test {

/// What round-off leaves of G v (and E v): 2 n + 4 roundings of the largest term.
double sliding_bound(const System& system, const InitialState& start);

void expect_consistent_start(const System& system, const InitialState& start);

/// What the struct declares.
struct DeclaredSizes {
  int nq, n, m;
};

/// Sizes, ranges, a consistent default start for these and for other parameters, and Λ(0) with no
/// component so small that an order could be read off wrongly.
void expect_consistent_entry(const SystemEntry& entry, const char* name, DeclaredSizes sizes);

template <class Sys>
void expect_consistent_entry(const char* name) {
  expect_consistent_entry(entry_of<Sys>(), name, {Sys::nq, Sys::n, Sys::m});
}

}  // namespace rigidlimit::test
