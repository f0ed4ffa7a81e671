// The verbs of the command line, as functions of their options.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/record/output.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

struct RunVerb {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> files;
  std::vector<std::string> overrides;  ///< --set texts
  int jobs = 0;                        ///< 0: one a core
  bool quiet = false;
  bool no_progress = false;
  Format format = Format::table;
  std::string output;               ///< -o; empty: standard output
  std::string results = "results";  ///< directory of the result files
};

struct CheckVerb {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> files;
  std::vector<std::string> overrides;
  int jobs = 0;
  bool quiet = false;
  bool no_progress = false;
  std::string junit;  ///< file for the JUnit XML; empty: none
};

struct StepsVerb {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> files;
  std::vector<std::string> overrides;
  bool no_progress = false;
  bool csv = false;
  double at_most = std::nan("");  ///< gate on the growth, steps a decade of ε; NaN: none
};

struct MapVerb {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> files;
  std::vector<std::string> overrides;  ///< --set texts
  int jobs = 0;                        ///< 0: one a core
  bool quiet = false;
  bool no_progress = false;
  std::string results = "results";  ///< directory of the result files
};

struct BenchVerb {
  const SystemCatalogue* systems = nullptr;
  std::vector<std::string> files;
  std::vector<std::string> overrides;  ///< --set texts
  bool quick = false;                  ///< the short form that each file gives
  int jobs = 0;                        ///< 0: one a core; times are taken one at a time
  bool quiet = false;
  bool no_progress = false;
  std::string results = "results";  ///< directory of the result files
};

struct DescribeVerb {
  const SystemCatalogue* systems = nullptr;
  std::string name;
  std::vector<std::string> parameters;  ///< --set texts NAME=VALUE of a system
  std::vector<double> q;                ///< where it is described; empty: its default start
  std::vector<double> v;                ///< likewise; is projected onto rolling
  bool linearise = false;               ///< matrices and eigenvalues of small motions about there
};

int run(const RunVerb& verb);
int check(const CheckVerb& verb);
int steps(const StepsVerb& verb);
int map(const MapVerb& verb);
int bench(const BenchVerb& verb);
/// `what`: systems, solvers, laws, studies, or empty for all. `experiments`: directory of studies.
int list(const SystemCatalogue& systems, const std::string& what, const std::string& experiments);
/// A system, a law or a solver.
int describe(const DescribeVerb& verb);

}  // namespace rigidlimit
