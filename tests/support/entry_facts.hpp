// A check that the declared facts of a system agree with its equations.
#pragma once

#include "support/catalogued_system.hpp"

namespace rigidlimit::test {

/// Bound of the round-off of G v (and E v): 2 n + 4 roundings of the largest term.
double sliding_bound(const System& system, const InitialState& start);

void expect_consistent_start(const System& system, const InitialState& start);

/// The sizes that the struct declares.
struct DeclaredSizes {
  int nq, n, m;
};

/// Checks sizes, ranges and a consistent default start, for default and other parameters. Every
/// component of Λ(0) must be large enough for a correct order.
void expect_consistent_entry(const SystemEntry& entry, const char* name, DeclaredSizes sizes);

template <class Sys>
void expect_consistent_entry(const char* name) {
  expect_consistent_entry(entry_of<Sys>(), name, {Sys::nq, Sys::n, Sys::m});
}

}  // namespace rigidlimit::test
