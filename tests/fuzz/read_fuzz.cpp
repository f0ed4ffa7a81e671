// Fuzz target: reading any file with its bases and --set options ends quickly in a study or in a
// printable InputError. Other exceptions and findings of a sanitizer end the program.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/reading.hpp"

/// The lexer of UDUNITS-2 leaks the last word of some texts that it refuses: at most 80 bytes each.
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming): of LeakSanitizer
extern "C" const char* __lsan_default_suppressions() {
  return "leak:utlex\n";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rigidlimit::test;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string refusal =
      refusal_of(reading_of(text), RIGIDLIMIT_SOURCE_DIR "/experiments/benchmarks/input.toml");
  if (refusal.empty()) return 0;
  if (const std::string fault = fault_of(refusal); !fault.empty()) {
    std::fprintf(stderr, "a refusal %s: %s\n", fault.c_str(), refusal.c_str());
    std::abort();
  }
  return 0;
}
