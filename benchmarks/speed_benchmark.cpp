// Speed of our method for compiled systems at equal achieved error (benchmarks/README.md). It is
// compared with CVODE in our formulation and written by hand in C, with the best of SUNDIALS and
// Odeint in any formulation, and with IDA on the rigid side. Ratios of one run.
//
//   benchmark_speed STUDY.toml... [--page FILE.md]
//
// Prints all tables, and writes those of docs/speed.md to the page.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "speed_table.hpp"

namespace rigidlimit {
namespace {

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", path));
}

int run(int argc, char** argv) {
  std::vector<RollingStudy> studies;
  std::string page;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--page" && i + 1 < argc)
      page = argv[++i];
    else
      studies.push_back(read_rolling_study(argv[i]));
  }
  if (studies.empty())
    throw std::runtime_error("usage: benchmark_speed STUDY.toml... [--page FILE]");
  std::vector<SpeedRow> rows;
  for (const RollingStudy& study : studies)
    for (const double epsilon : {1e-2, 1e-4, 1e-6, 0.0}) {
      std::fprintf(stderr, "%s, epsilon = %g\n", study.name.c_str(), epsilon);
      try {
        rows.push_back(epsilon > 0.0 ? compliant_speed(study, epsilon) : rigid_speed(study));
      } catch (const std::exception& error) {  // the table continues without this study
        std::fprintf(stderr, "  left out: %s\n", error.what());
      }
    }
  const std::string tables = speed_page(rows);
  std::fputs((tables + "\n" + speed_measurements(rows)).c_str(), stdout);
  if (!page.empty()) write_text(page, tables);
  return 0;
}

}  // namespace
}  // namespace rigidlimit

int main(int argc, char** argv) {
  try {
    return rigidlimit::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark_speed: %s\n", error.what());
    return 2;
  }
}
