#include "rigidlimit/cli/file_keys.hpp"

#include <memory>
#include <span>

#include "rigidlimit/cli/sample_files.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/spec/toml_section.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

namespace {

void rolling(const TomlDocument& document) {
  read_rolling_study(document, builtin_systems());
}
void friction(const TomlDocument& document) {
  read_friction_study(document, builtin_systems());
}
void sweep(const TomlDocument& document) {
  read_sweep_grid(document);
}
void benchmark(const TomlDocument& document) {
  read_benchmark(document, builtin_systems());
}

/// The log of these files, read by `read`.
void read_logged(std::span<const char* const> texts, void (*read)(const TomlDocument&),
                 const std::shared_ptr<KeyLog>& log) {
  for (const char* text : texts) read(TomlDocument::from_text(text, "sample").logged_in(log));
}

FileKeys keys_in(const char* name, const char* title, std::span<const char* const> texts,
                 void (*read)(const TomlDocument&)) {
  const auto log = std::make_shared<KeyLog>();
  read_logged(texts, read, log);
  return {name, title, *log};
}

/// Of studies with a system as formulas, the keys of the system.
FileKeys keys_of_systems() {
  const auto log = std::make_shared<KeyLog>();
  read_logged(sample_rolling_systems(), rolling, log);
  read_logged(sample_friction_systems(), friction, log);
  return {"system-text", "System as formulas", log->of_tables([](const std::string& table) {
            return table.starts_with("system") || table.starts_with("[system") ||
                   table.starts_with("KEY");
          })};
}

}  // namespace

std::vector<FileKeys> keys_of_files() {
  return {keys_in("rolling", "Rolling study", sample_rolling_studies(), rolling),
          keys_in("friction", "Friction study", sample_friction_studies(), friction),
          keys_in("sweep", "Sweep of a rolling study or friction study", sample_sweeps(), sweep),
          keys_in("benchmark", "Benchmark", sample_benchmarks(), benchmark), keys_of_systems()};
}

}  // namespace rigidlimit
