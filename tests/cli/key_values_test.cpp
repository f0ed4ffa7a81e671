// Every key of every kind of file refuses values outside the valid values that `help keys` prints.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <regex>

#include "rigidlimit/cli/keys_help.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/benchmark/read_problem_text.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

namespace rigidlimit {
namespace {

using Texts = std::vector<std::string>;

/// A file in which a table is read, with the other keys of the tables whose keys depend on each
/// other: "[expect] kind" -> "quantity = \"event_time\"".
struct Base {
  const char* text;
  void (*read)(const TomlDocument&);
  std::map<std::string, std::string> beside;
};

void read_rolling(const TomlDocument& document) {
  read_rolling_study(document);
}
void read_friction(const TomlDocument& document) {
  read_friction_study(document);
}
void read_a_sweep(const TomlDocument& document) {
  read_sweep_grid(document);
}
void read_a_benchmark(const TomlDocument& document) {
  read_benchmark(document);
}
void read_a_problem(const TomlDocument& document) {
  problem_in(document.root());
}

constexpr const char* rolling_text = R"(
study = {name = "all", against = "composite"}
system.name = "knife_edge"
epsilon.values = [0.1, 0.01]
time.end = 1.0
)";

constexpr const char* friction_text = R"(
study.name = "all"
system.name = "wheel"
epsilon.values = [0.1, 0.05, 0.025, 0.0125]
time.end = 1.0
)";

constexpr const char* sweep_text = R"(
[sweep]
time.end = [1.0, 2.0]
)";

constexpr const char* benchmark_text = R"(
benchmark = {name = "all", kind = "work_precision", methods = ["radau_iia"]}
[[problem]]
classical = "van_der_pol"
)";

constexpr const char* contact_problem =
    R"(study = "text", study_text = "study.name = \"a\"\nsystem.name = \"knife_edge\"\n)"
    R"(epsilon.values = [0.1]\ntime.end = 1.0\n")";

constexpr const char* problem_text = R"(
[problem]
name = "own"
unknowns = [{name = "x", start = 1.0}]
rate = ["-x"]
end = 1.0
)";

constexpr const char* slipping_text = R"(
study.name = "all"
time.end = 1.0
[system]
name = "disc"
coordinates = [{name = "x", start = 0.0, start_rate = 0.0}, {name = "z", start = 1.0, start_rate = 0.0}]
mass_matrix = [[1, 0], [0, 1]]
force = [0, -1]
contacts = [{normal = "unilateral", gap = "z", sliding = ["x'"]}]
)";

constexpr const char* system_text = R"(
study.name = "all"
epsilon.values = [0.1]
time.end = 1.0
[system]
name = "blade"
coordinates = [{name = "x", start = 0.0, start_rate = 1.0}, {name = "y", start = 0.0, start_rate = 0.0}]
kinetic_coenergy = "(x'^2 + y'^2)/2"
potential = "0"
constraint = ["y'"]
)";

/// Lists of tables: the keys beside the one that is tested.
const std::map<std::string, Base>& bases() {
  static const std::map<std::string, Base> all{
      {"rolling",
       {rolling_text,
        read_rolling,
        {{"[expect]", R"(quantity = "q", order = 2.0)"},
         {"[expect] ratio", R"(quantity = "q")"},
         {"[expect] ratio_within", R"(quantity = "q", ratio = 1.0)"},
         {"[expect] convergence", R"(quantity = "q")"},
         {"[expect] growth_at_least", R"(quantity = "steps")"},
         {"[expect] growth_at_most", R"(quantity = "steps")"},
         {"[expect] epsilon", R"(quantity = "steps", growth_at_most = 1.0)"},
         {"[bound]", R"(quantity = "q", constant = 1.0, power = 2.0)"}}}},
      {"friction",
       {friction_text,
        read_friction,
        {{"[expect]", R"(quantity = "q", order = 2.0)"},
         {"[expect] kind", R"(quantity = "event_time", order = 1.0)"},
         {"[expect] ratio", R"(quantity = "q")"},
         {"[expect] ratio_within", R"(quantity = "q", ratio = 1.0)"},
         {"[expect] convergence", R"(quantity = "q")"},
         {"[expect] at_most", R"(quantity = "q")"},
         {"[expect] end", R"(quantity = "modes")"},
         {"[expect] rigid", R"(quantity = "modes")"},
         {"[expect] compliant", R"(quantity = "modes")"},
         {"history force_at_end", R"(force = "sliding down the slope")"},
         {"history force_within", R"(force = "sliding down the slope", force_at_end = 0.0)"}}}},
      {"sweep",
       {sweep_text,
        read_a_sweep,
        {{"KEY = {}", "from = 1.0, to = 2.0, count = 2"},
         {"[sweep.zip]", R"(keys = ["initial.q"], values = [[[0.0]], [[1.0]]])"},
         {"[sweep.zip] labels", R"(keys = ["initial.q"], values = [[[0.0]], [[1.0]]], name = "a")"},
         {"[expect]", R"(quantity = "q")"},
         {"[bound]", R"(quantity = "q")"},
         {"[least]", R"(over = "time.end")"}}}},
      {"benchmark",
       {benchmark_text,
        read_a_benchmark,
        {{"[problem]", R"(classical = "van_der_pol")"},
         {"[problem] study", ""},
         {"[problem] study_text", R"(study = "nowhere.toml")"},
         {"[problem] formulations", contact_problem},
         {"[problem] chain", ""},
         {"[problem] epsilon", contact_problem},
         {"[problem] end s", contact_problem},
         {"[problem] classical", ""},
         {"[problem] file", ""},
         {"[problem] file_text", R"(file = "nowhere.toml")"},
         {"judge samples", R"(at = "grid")"},
         {"KEY = {}", "from = 1e-3, to = 1e-4, count = 2"},
         {"KEY = {} per_decade", "from = 1e-3, to = 1e-4"}}}},
      {"problem-text",
       {problem_text,
        read_a_problem,
        {{"[problem.unknowns]", R"(name = "x", start = 0.0)"},
         {"problem.parameters.NAME", "default = 1.0"}}}},
      {"system-text",
       {system_text,
        read_rolling,
        {{"[system.coordinates]", R"(name = "z", start = 0.0, start_rate = 0.0)"},
         {"[system.coordinates] rate", R"(name = "z", start = 0.0)"},
         {"[system.velocities]", R"(name = "u", start = 0.0)"},
         {"KEY = [{}]", R"(row = "y'")"},
         {"system.parameters.NAME", "default = 1.0"}}}},
      {"system-text [system.contacts]",
       {slipping_text,
        read_friction,
        {{"[system.contacts]", R"(normal = "unilateral", gap = "z", sliding = ["x'"])"},
         {"[system.contacts] normal_force", R"(normal = "given", sliding = ["x'"])"}}}}};
  return all;
}

const Base& base_of(const FileKeys& file, const KeyTableInfo& table) {
  const auto own = bases().find(file.name + " " + table.name);
  return own != bases().end() ? own->second : bases().at(file.name);
}

/// A table with its other keys and this value of the key; "" for the value leaves the key out.
std::string table_with(const std::string& beside, const std::string& key,
                       const std::string& value) {
  // Remove the key from the others: 'order = 2.0, ' up to the next key.
  std::string others = std::regex_replace(
      ", " + beside, std::regex(", " + key + R"( = ("[^"]*"|\[.*\]|[^,]*)(?=, [a-z_]+ = |$))"), "");
  if (others.starts_with(", ")) others.erase(0, 2);
  if (value.empty()) return "{" + others + "}";
  return fmt::format("{{{}{}{} = {}}}", others, others.empty() ? "" : ", ", key, value);
}

/// The option --set that gives the key this value, in a file of this base.
Texts overrides_for(const Base& base, const std::string& table, const KeyInfo& info,
                    const std::string& value) {
  const std::string& key = info.name;
  auto own = base.beside.find(table + " " + key + " " + info.unit);
  if (own == base.beside.end()) own = base.beside.find(table + " " + key);
  const auto of_table = own != base.beside.end() ? own : base.beside.find(table);
  const std::string beside = of_table != base.beside.end() ? of_table->second : "";
  const std::string text = table_with(beside, key, value);
  if (table == "KEY = {}")
    return {(base.read == read_a_benchmark ? "tolerance.rtol=" : "sweep.time.after=") + text};
  if (table == "KEY = [{}]") return {"system.constraint=[" + text + "]"};
  if (table == "system.parameters.NAME") return {"system.parameters.mass=" + text};
  if (table == "solvers.NAME") return {"solvers.cvode_bdf=" + text};
  if (table == "sweep") return {"sweep.time.end=" + value};
  if (table == "system.let") return {"system.let.a=" + value};
  if (table == "problem.let") return {"problem.let.a=" + value};
  if (table == "problem.parameters.NAME") return {"problem.parameters.mass=" + text};
  if (table.starts_with('[')) {
    const std::string name = table.substr(1, table.size() - 2);
    return {name + "=[" + text + "]"};
  }
  if (!beside.empty()) return {table + "=" + text};
  return {(table.empty() ? "" : table + ".") + key + "=" + value};
}

/// The message of the reader; empty if it accepts the file.
std::string complaint(const Base& base, const Texts& overrides) try {
  base.read(TomlDocument::from_text(base.text, "file", overrides, alternative_keys()));
  return "";
} catch (const InputError& error) {
  return error.what();
}

/// Values outside the valid ones, which `help keys` describes in words.
Texts invalid_values(const KeyInfo& key) {
  Texts values{"{a = {}}"};  // a table that no key takes
  std::smatch found;
  const std::string& words = key.values;
  const auto number = [&](const char* pattern) {
    return std::regex_search(words, found, std::regex(pattern)) ? std::stod(found[1])
                                                                : std::nan("");
  };
  const bool is_list = words.find("list") != std::string::npos || words.starts_with("[lo");
  const auto given = [&](double x) {
    const std::string text = toml_text(x);
    return is_list && words.find("number or") == std::string::npos ? "[" + text + "]" : text;
  };
  if (const double low = number("> (-?[0-9][0-9.e+-]*)"); !std::isnan(low))
    values.push_back(given(low));
  if (const double low = number(">= (-?[0-9][0-9.e+-]*)"); !std::isnan(low))
    values.push_back(given(low > 0.0 ? 0.5 * low : low - 1.0));
  if (const double high = number("<= ([0-9][0-9.e+-]*)"); !std::isnan(high))
    values.push_back(given(1.001 * high));
  if (std::regex_search(words, found, std::regex("integer, ([0-9]+) to ([0-9]+)"))) {
    values.push_back(std::to_string(std::stol(found[1]) - 1));
    values.push_back(std::to_string(std::stol(found[2]) + 1));
    values.push_back("2.5");
  }
  if (words.starts_with("true")) values.push_back("1");
  if (words.starts_with('"') || words.find("name") != std::string::npos)
    values.push_back("\"no such word\"");
  const bool is_text = words.starts_with("text") || words.starts_with('"') ||
                       words == "file path" || words.find("letters") == 0 ||
                       words.find("characters") != std::string::npos;
  if (is_text) values.push_back("7");
  if (!is_list && words.find("value") == std::string::npos && words != "table")
    values.push_back("[[\"a\"], 1]");
  const bool is_formula = words.find("formula") != std::string::npos;
  if (key.is_number) values.push_back(is_list ? "[nan]" : "nan");
  if (key.is_number && !is_formula) values.push_back("\"a text\"");
  if (is_formula) values.push_back("true");
  return values;
}

TEST(KeyValues, OutsideTheValidOnesAreRefusedWithTheKey) {
  int tried = 0;
  for (const FileKeys& file : keys_of_files()) {
    for (const KeyTableInfo& table : file.tables)
      for (const KeyInfo& key : table.keys)
        for (const std::string& value : invalid_values(key)) {
          SCOPED_TRACE(fmt::format("{}: [{}] {} = {}  ({})", file.name, table.name, key.name, value,
                                   key.values));
          const Base& base = base_of(file, table);
          const std::string said = complaint(base, overrides_for(base, table.name, key, value));
          const std::string name = key.name == "KEY" ? "end" : key.name == "NAME" ? "a" : key.name;
          EXPECT_THAT(said,
                      testing::AllOf(testing::HasSubstr(name),
                                     testing::Not(testing::HasSubstr(name + ": unknown key"))));
          ++tried;
        }
  }
  EXPECT_GT(tried, 600);
}

// Negative control: the files themselves are valid.
TEST(KeyValues, OfTheFilesAreValid) {
  for (const auto& [name, base] : bases()) EXPECT_EQ(complaint(base, {}), "") << name;
}

TEST(KeyValues, AreNeededWhereTheyHaveNoDefault) {
  int tried = 0;
  for (const FileKeys& file : keys_of_files()) {
    for (const KeyTableInfo& table : file.tables)
      for (const KeyInfo& key : table.keys) {
        const bool of_chains = file.name == "benchmark" && key.name == "epsilon";  // another kind
        if (key.otherwise != "needed" || !table.name.starts_with('[') || of_chains) continue;
        SCOPED_TRACE(fmt::format("{}: [{}] {}", file.name, table.name, key.name));
        const Base& base = base_of(file, table);
        EXPECT_THAT(complaint(base, overrides_for(base, table.name, key, "")),
                    testing::HasSubstr(key.name));
        ++tried;
      }
  }
  EXPECT_GT(tried, 10);
}

}  // namespace
}  // namespace rigidlimit
