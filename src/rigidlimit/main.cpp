#include "rigidlimit/cli/command_line.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace {

/// Keeps freed memory for the next ε, whose arrays have the same sizes: otherwise the system zeroes
/// the same pages for each.
void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kept = 64 << 20;  // bytes
  mallopt(M_TRIM_THRESHOLD, kept);
  mallopt(M_TOP_PAD, kept / 4);
  mallopt(M_MMAP_THRESHOLD, kept / 2);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  return rigidlimit::run_command_line(argc, argv);
}
