// Every key of every kind of file refuses values outside the valid values that `help keys` prints.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "rigidlimit/classical/read_problem_text.hpp"
#include "rigidlimit/cli/help/keys_help.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/benchmark/read_benchmark.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"

namespace rigidlimit {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Texts = std::vector<std::string>;

/// A file in which a table is read, with the other keys of the tables whose keys depend on each
/// other: "[expect] kind" -> "quantity = \"event_time\"".
struct Base {
  std::string text;
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
study.name = "all"
study.against = "composite"
system.name = "knife_edge"
epsilon.from = 0.1
epsilon.to = 0.01
epsilon.count = 2
time.end = 1.0
)";

constexpr const char* plain_text = R"(
study.name = "all"
system.name = "knife_edge"
epsilon.values = [0.1, 0.05]
time.end = 1.0
)";

constexpr const char* friction_text = R"(
study.name = "all"
system.name = "wheel"
epsilon.from = 0.1
epsilon.to = 0.0125
epsilon.count = 4
time.end = 1.0
)";

constexpr const char* creeping_text = R"(
study.name = "all"
system.name = "wheel"
epsilon.values = [0.1]
time.end = 1.0
contact.friction = "regularised"
)";

constexpr const char* sweep_text = R"(
[sweep]
time.end = [1.0, 2.0]
)";

constexpr const char* benchmark_text = R"(
benchmark.name = "all"
benchmark.kind = "work_precision"
benchmark.methods = ["radau_iia"]
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

constexpr const char* steps_text = R"(
benchmark = {name = "all", kind = "order_reduction", methods = ["radau_iia"]}
step.h = [0.1]
[[problem]]
classical = "van_der_pol"
)";

constexpr const char* chains_text = R"(
benchmark = {name = "all", kind = "cost_count", methods = ["radau_iia"]}
[[problem]]
chain = [1, 2]
epsilon = [0.1]
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

/// A mass in the plane with this row.
std::string body_with(const std::string& row) {
  return R"(
study.name = "all"
epsilon.values = [0.1]
time.end = 1.0
[system]
name = "blade"
coordinates = [{name = "x", start = 0.0, start_rate = 1.0}, {name = "y", start = 0.0, start_rate = 0.0}]
kinetic_coenergy = "(x'^2 + y'^2)/2"
potential = "0"
)" + row +
         "\n";
}

constexpr const char* jointed = R"(bodies = [{name = "blade", position = ["x", "y"]}]
joints = [{kind = "distance", child = "blade", length = 1.0, parent_anchor = [0, -1]}])";

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
         {"[expect] at_least", R"(quantity = "q")"},
         {"[expect] growth_at_least", R"(quantity = "steps", growth_at_most = 9.0)"},
         {"[expect] growth_at_most", R"(quantity = "steps")"},
         {"[expect] epsilon", R"(quantity = "steps", growth_at_most = 1.0)"},
         {"[bound]", R"(quantity = "q", constant = 1.0, power = 2.0)"}}}},
      {"rolling initial project_position",
       {body_with(R"(constraint_position = [{value = "y"}])"), read_rolling, {}}},
      {"rolling ensemble",
       {plain_text,
        read_rolling,
        {{"ensemble", R"(members = 2, vary = [{key = "system.mass", uniform = [1.0, 2.0]}])"}}}},
      {"rolling [ensemble.vary]",
       {plain_text + "ensemble.members = 2\n"
                     "ensemble.vary = [{key = \"system.mass\", uniform = [1.0, 2.0]}]\n"s,
        read_rolling,
        {{"[ensemble.vary]", R"(key = "system.mass")"},
         {"[ensemble.vary] key", "uniform = [1.0, 2.0]"}}}},
      {"friction",
       {friction_text,
        read_friction,
        {{"[expect]", R"(quantity = "q", order = 2.0)"},
         {"[expect] kind", R"(quantity = "event_time", order = 1.0)"},
         {"[expect] ratio", R"(quantity = "q")"},
         {"[expect] ratio_within", R"(quantity = "q", ratio = 1.0)"},
         {"[expect] convergence", R"(quantity = "q")"},
         {"[expect] at_least", R"(quantity = "q")"},
         {"[expect] at_most", R"(quantity = "q")"},
         {"[expect] end", R"(quantity = "modes")"},
         {"[expect] rigid", R"(quantity = "modes", end = "stick")"},
         {"[expect] compliant", R"(quantity = "modes", end = "stick")"},
         {"history force_at_end", R"(force = "sliding down the slope")"},
         {"history force_within", R"(force = "sliding down the slope", force_at_end = 0.0)"}}}},
      {"friction contact creep", {creeping_text, read_friction, {}}},
      {"friction contact normal_stiffness", {slipping_text, read_friction, {}}},
      {"friction contact plastic_exponent", {slipping_text, read_friction, {}}},
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
         {"[problem.published]", R"(source = "paper", values = ["1.0"])"},
         {"problem.parameters.NAME", "default = 1.0"}}}},
      {"benchmark step h", {steps_text, read_a_benchmark, {}}},
      {"benchmark [problem] chain",
       {chains_text, read_a_benchmark, {{"[problem]", "epsilon = [0.1]"}}}},
      {"system-text",
       {body_with(R"(constraint = ["y'"])"),
        read_rolling,
        {{"[system.coordinates]", R"(name = "z", start = 0.0, start_rate = 0.0)"},
         {"[system.coordinates] rate", R"(name = "z", start = 0.0)"},
         {"[system.velocities]", R"(name = "u", start = 0.0)"},
         {"KEY = [{}]", R"(row = "y'")"},
         {"system.parameters.NAME", "default = 1.0"}}}},
      {"system-text [system.constraint_position]",
       {body_with(R"(constraint_position = [{value = "y"}])"),
        read_rolling,
        {{"[system.constraint_position]", R"(value = "y")"}}}},
      {"system-text [system.bodies]",
       {body_with(jointed),
        read_rolling,
        {{"[system.bodies]", R"(name = "blade", position = ["x", "y"])"}}}},
      {"system-text [system.joints]",
       {body_with(jointed),
        read_rolling,
        {{"[system.joints]",
          R"(kind = "distance", child = "blade", length = 1.0, parent_anchor = [0, -1])"}}}},
      {"system-text [system.contacts]",
       {slipping_text,
        read_friction,
        {{"[system.contacts]", R"(normal = "unilateral", gap = "z", sliding = ["x'"])"},
         {"[system.contacts] normal_force", R"(normal = "given", sliding = ["x'"])"}}}}};
  return all;
}

const Base& base_of(const FileKeys& file, const KeyTableInfo& table, const std::string& key = "") {
  const std::string name = file.name + " " + table.name;
  for (const std::string& own : {name + " " + key, name})
    if (const auto found = bases().find(own); found != bases().end()) return found->second;
  return bases().at(file.name);
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
  if (table == "problem.coefficients") return {"problem.coefficients.a=" + value};
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

/// A value, and what the message about it contains beside the key.
struct Invalid {
  std::string value, said = "";
};

/// Values outside the valid ones, which `help keys` describes in words.
std::vector<Invalid> invalid_values(const KeyInfo& key) {
  std::vector<Invalid> values{{"{a = {}}"}};  // a table that no key takes
  const std::string& words = key.values;
  const bool is_interval = words.starts_with("[lo");
  const bool is_list = words.find("list") != std::string::npos || is_interval;
  std::string limit;  // in the messages about values that are no numbers
  std::smatch found;
  const auto beyond = [&](const char* sign, auto&& outside) {
    if (!std::regex_search(words, found, std::regex(sign + std::string(" (-?[0-9][0-9.e+-]*)"))))
      return;
    // 1e+06 may be written 1000000.
    const bool is_upper = *sign == '<';
    const std::string said = fmt::format("{} {}", sign, found[1].str().substr(0, is_upper ? 1 : 9));
    const std::string text = toml_text(outside(std::stod(found[1])));
    if (words.starts_with("number or"))
      values.push_back({text, "positive"});
    else if (is_list)
      values.push_back({is_interval ? "[" + text + ", 1.0]" : "[" + text + "]", said});
    else
      values.push_back({text, limit = said});
  };
  beyond("<=", [](double high) { return 1.001 * high; });
  beyond(">", [](double low) { return low; });
  beyond(">=", [](double low) { return low > 0.0 ? 0.5 * low : low - 1.0; });
  if (std::regex_search(words, found, std::regex("integer, ([0-9]+) to ([0-9]+)"))) {
    limit = "from " + found[1].str();
    for (const std::string& value : {std::to_string(std::stol(found[1]) - 1),
                                     std::to_string(std::stol(found[2]) + 1), "2.5"s, "3.0"s})
      values.push_back({value, limit + " to " + found[2].str()});
  }
  if (words.starts_with("true")) values.push_back({"1", "true or false"});
  const bool is_name = words.find("name") != std::string::npos;
  if (words.starts_with('"') || is_name) values.push_back({"\"no such word\""});
  if (words.starts_with("list of") && words.find("names") != std::string::npos)
    values.insert(values.end(), {{"[\"no such word\"]"}, {"[5]", "list"}});
  if (words.starts_with("letters")) values.push_back({"\"a/b\"", "letters"});
  const bool is_text = words.starts_with("text") || words.starts_with('"') ||
                       words.find("file path") == 0 || words.find("letters") == 0 ||
                       words.find("characters") != std::string::npos;
  if (is_text) values.push_back({"7", words.find("file path") == 0 ? "" : "quotes"});
  if (!is_list && words.find("value") == std::string::npos && words != "table")
    values.push_back({"[[\"a\"], 1]"});
  const bool is_formula = words.find("formula") != std::string::npos;
  // Readers of some tables read their numbers without the rows of the table.
  const bool is_number =
      key.is_number ||
      (!key.unit.empty() && (is_interval || std::regex_search(words, std::regex("^>|any finite"))));
  if (is_number)
    for (const std::string no_number : {"nan", "inf"})
      values.push_back({is_interval ? "[" + no_number + ", 1.0]"
                        : is_list   ? "[" + no_number + "]"
                                    : no_number,
                        limit});
  if (is_number && !is_formula) values.push_back({"\"a text\"", limit});
  if (is_number || is_formula) values.push_back({"true", limit});
  return values;
}

TEST(KeyValues, OutsideTheValidOnesAreRefusedWithTheKey) {
  int tried = 0;
  for (const FileKeys& file : keys_of_files()) {
    for (const KeyTableInfo& table : file.tables)
      for (const KeyInfo& key : table.keys)
        for (const auto& [value, limit] : invalid_values(key)) {
          SCOPED_TRACE(fmt::format("{}: [{}] {} = {}  ({})", file.name, table.name, key.name, value,
                                   key.values));
          const Base& base = base_of(file, table, key.name);
          const Texts overrides = overrides_for(base, table.name, key, value);
          const std::string said = complaint(base, overrides);
          const std::string name = key.name == "KEY" ? "end" : key.name == "NAME" ? "a" : key.name;
          EXPECT_THAT(said, AllOf(AnyOf(StartsWith("--set " + overrides[0]), StartsWith("file:")),
                                  HasSubstr(name), HasSubstr(limit),
                                  Not(HasSubstr(name + ": unknown key")), Not(HasSubstr("\n"))));
          ++tried;
        }
  }
  EXPECT_GT(tried, 600);
}

// Negative control: the files themselves are valid.
TEST(KeyValues, OfTheFilesAreValid) {
  for (const auto& [name, base] : bases()) EXPECT_EQ(complaint(base, {}), "") << name;
}

/// The complaint about the file without this key.
std::string complaint_without(const Base& base, const std::string& table, const KeyInfo& key) {
  std::string text = base.text;
  for (const std::string& line : {"\n" + table + "." + key.name + " = ", "\n" + key.name + " = "})
    if (const std::size_t at = text.find(line); at != std::string::npos && table[0] != '[') {
      text.erase(at, text.find('\n', at + 1) - at);
      return complaint({text.c_str(), base.read, {}}, {});
    }
  return complaint(base, overrides_for(base, table, key, ""));
}

TEST(KeyValues, AreNeededWhereTheyHaveNoDefault) {
  int tried = 0;
  // Keys of other kinds of files, and keys in whose place another one may stand.
  const std::set<std::string> others{"benchmark [problem] epsilon", "benchmark KEY = {} per_decade",
                                     "sweep KEY = {} from", "system-text system coordinates"};
  for (const FileKeys& file : keys_of_files()) {
    for (const KeyTableInfo& table : file.tables)
      for (const KeyInfo& key : table.keys) {
        const std::string name = fmt::format("{} {} {}", file.name, table.name, key.name);
        if (key.otherwise != "needed" || others.contains(name)) continue;
        EXPECT_THAT(complaint_without(base_of(file, table, key.name), table.name, key),
                    AnyOf(HasSubstr(key.name + ": missing"), HasSubstr(key.name + ": must be")))
            << name;
        ++tried;
      }
  }
  EXPECT_GT(tried, 35);
}

/// The word without its middle letter.
std::string misspelt(std::string word) {
  return word.erase(word.size() / 2, 1);
}

// Messages about a misspelt key, table or word name the valid one.
TEST(KeyValues, AreNamedIfTheyAreMisspelt) {
  int tried = 0;
  // Messages list kinds of events without quotes; 'tile' is like 'file'.
  const std::set<std::string> others{"modes", "impact", "stick", "study_text", "title"};
  const std::regex quoted("\"([a-z_]{5,})\"");
  for (const FileKeys& file : keys_of_files())
    for (const KeyTableInfo& table : file.tables) {
      // Other readers read the rest of a sweep.
      if (file.name == "sweep" && table.name != "KEY = {}" && table.name != "[sweep.zip]") continue;
      const Base& base = base_of(file, table);
      SCOPED_TRACE(fmt::format("{}: [{}]", file.name, table.name));
      const auto expect_named = [&](const std::string& said, const std::string& word) {
        EXPECT_THAT(said, AnyOf(HasSubstr("'" + word + "'"), HasSubstr(word + ": missing")));
        ++tried;
      };
      const bool is_list = table.name.starts_with('[');
      const std::string name = is_list ? table.name.substr(1, table.name.size() - 2) : table.name;
      if (name.size() > 4 && name.find_first_of(". =") == std::string::npos)
        expect_named(complaint(base, {misspelt(name) + "=1"}), name);
      for (const KeyInfo& key : table.keys) {
        if (key.name.size() < 5 || others.contains(key.name)) continue;
        KeyInfo other = key;
        other.name = misspelt(key.name);
        std::string text = overrides_for(base, table.name, key, "1").at(0);
        text.replace(text.rfind(key.name), key.name.size(), other.name);
        expect_named(
            complaint(base, {text}) + complaint(base, overrides_for(base, table.name, other, "1")),
            key.name);
      }
      for (const KeyInfo& key : table.keys) {
        const std::string& valid = key.values;
        const bool in_list = valid.find("list of: \"") != std::string::npos;
        if (!valid.starts_with('"') && !in_list) continue;
        for (std::sregex_iterator at(valid.begin(), valid.end(), quoted), end; at != end; ++at) {
          if (others.contains((*at)[1])) continue;
          const std::string word = fmt::format("\"{}\"", misspelt((*at)[1]));
          const std::string value = in_list ? "[" + word + "]" : word;
          expect_named(complaint(base, overrides_for(base, table.name, key, value)), (*at)[1]);
        }
      }
    }
  EXPECT_GT(tried, 200);
}

/// The file with all defaults; empty: it is refused, or of a kind without one.
std::string resolved(const Base& base, const Texts& overrides) try {
  const TomlDocument document =
      TomlDocument::from_text(base.text, "file", overrides, alternative_keys());
  if (base.read == read_rolling) return resolved_toml(read_rolling_study(document));
  if (base.read == read_friction) return resolved_toml(read_friction_study(document));
  if (base.read == read_a_benchmark) return resolved_toml(read_benchmark(document));
  return "";
} catch (const InputError&) {
  return "";
}

/// Values that may be valid: of every kind that the words name.
Texts plausible_values(const KeyInfo& key) {
  Texts values{"0.37",
               "0.9",
               "2",
               "3",
               "7",
               "1e-3",
               "\"some text\"",
               "[0.37]",
               "[0.9, 0.3, 0.2]",
               "[0.3, 0.1]",
               "[[0.37]]",
               "0.02",
               "5e-3",
               "true",
               "false",
               "\"x\"",
               "{x = 0.37}"};
  const std::regex quoted("\"([^\"]+)\"");
  for (std::sregex_iterator at(key.values.begin(), key.values.end(), quoted), end; at != end; ++at)
    for (const std::string& value : {"\"" + (*at)[1].str() + "\"", "[\"" + (*at)[1].str() + "\"]"})
      values.push_back(value);
  for (const char* solver : {"radau_iia", "rosenbrock4", "cvode_bdf"})
    values.push_back(fmt::format("[\"{}\"]", solver));
  return values;
}

/// Further files of the same kind, for keys that the first one does not take.
std::vector<Base> further_bases(const FileKeys& file, const Base& first) {
  static constexpr const char* plain = R"(
study.name = "all"
system.name = "knife_edge"
epsilon.values = [0.1]
time.end = 1.0
solvers.rigid = ["radau_iia"]
solvers.compliant = ["radau_iia"]
)";
  if (file.name != "rolling") return {};
  return {{plain, read_rolling, first.beside}};
}

/// Keys whose other values need other keys beside them, another file, or another command. They have
/// tests of their own.
const std::set<std::string>& keys_out_of_reach() {
  static const std::set<std::string> all{"benchmark [[problem]] chain",
                                         "benchmark [[problem]] classical",
                                         "benchmark [[problem]] file",
                                         "benchmark [[problem]] file_text",
                                         "benchmark [[problem]] parameters",
                                         "benchmark [[problem]] study",
                                         "benchmark [[problem]] study_text",
                                         "benchmark [] base",
                                         "benchmark [] without",
                                         "benchmark [benchmark] without",
                                         "benchmark [judge] samples",
                                         "friction [[expect]] compliant",
                                         "friction [[expect]] end",
                                         "friction [[expect]] next_orders",
                                         "friction [[expect]] quantity",
                                         "friction [[expect]] rigid",
                                         "friction [[expect]] tangential_power",
                                         "friction [] base",
                                         "friction [] without",
                                         "friction [contact] tangential_power",
                                         "friction [history] events",
                                         "friction [history] force",
                                         "friction [history] modes_at_end",
                                         "friction [history] modes_at_start",
                                         "friction [history] outcome",
                                         "friction [system] file",
                                         "friction [system] name",
                                         "rolling [[bound]] law",
                                         "rolling [[ensemble.vary]] key",
                                         "rolling [[ensemble.vary]] log_uniform",
                                         "rolling [[ensemble.vary]] uniform",
                                         "rolling [[expect]] epsilon",
                                         "rolling [[expect]] law",
                                         "rolling [] base",
                                         "rolling [] without",
                                         "rolling [system] file",
                                         "rolling [system] name",
                                         "rolling [tangent] parameter",
                                         "benchmark [benchmark] kind",
                                         "benchmark [benchmark] quick",
                                         "benchmark [judge] at",
                                         "friction [solvers] reference"};
  return all;
}

/// The resolved files for all plausible values of a key, and without it; "" if they are refused.
std::set<std::string> outcomes(const Base& base, const KeyTableInfo& table, const KeyInfo& key) {
  std::set<std::string> found;
  for (const std::string& value : plausible_values(key))
    if (std::string text = resolved(base, overrides_for(base, table.name, key, value));
        !text.empty())
      found.insert(std::move(text));
  if (!found.empty())
    found.insert(resolved(
        base, table.name.starts_with('[') ? overrides_for(base, table.name, key, "") : Texts{}));
  return found;
}

// Each key that is accepted with some value changes the resolved file: none is read in silence.
TEST(KeyValues, ChangeTheResolvedFileOrAreRefused) {
  int effective = 0;
  std::set<std::string> out_of_reach;
  for (const FileKeys& file : keys_of_files()) {
    if (file.name == "system-text") continue;  // the resolved file has its text as it is
    for (const KeyTableInfo& table : file.tables)
      for (const KeyInfo& key : table.keys) {
        const Base& first = base_of(file, table, key.name);
        if (resolved(first, {}).empty()) continue;
        std::size_t most = 0;
        for (const Base& base : further_bases(file, first))
          most = std::max(most, outcomes(base, table, key).size());
        most = std::max(most, outcomes(first, table, key).size());
        const std::string name = fmt::format("{} [{}] {}", file.name, table.name, key.name);
        if (most < 2) out_of_reach.insert(name);
        effective += most > 1 ? 1 : 0;
      }
  }
  EXPECT_GT(effective, 100);
  for (const std::string& key : out_of_reach) EXPECT_TRUE(keys_out_of_reach().contains(key)) << key;
  EXPECT_EQ(out_of_reach.size(), keys_out_of_reach().size());
}

// Keys that no part of the study uses are refused. Negative controls: with the part they are read.
TEST(KeyValues, WithoutEffectAreRefused) {
  const Base friction{slipping_text, read_friction, {}},
      benchmark{benchmark_text, read_a_benchmark, {}};
  EXPECT_THAT(complaint(friction, {"contact.creep=2.0"}), HasSubstr("creep"));
  EXPECT_EQ(complaint(friction, {"contact.creep=2.0", "contact.friction=\"regularised\""}), "");
  const std::string given =
      R"toml(system.contacts=[{normal="given", normal_force="1", sliding=["x'"]}])toml";
  for (const std::string key : {"contact.normal_stiffness=2.0", "contact.plastic_exponent=2.0"}) {
    EXPECT_THAT(complaint(friction, {given, key}), HasSubstr("unilateral"));
    EXPECT_EQ(complaint(friction, {key}), "");
  }
  EXPECT_THAT(complaint(benchmark, {"benchmark.without=[\"rosenbrock4\"]"}), HasSubstr("without"));
  EXPECT_EQ(complaint(benchmark,
                      {"benchmark.methods=[\"stiff\"]", "benchmark.without=[\"rosenbrock4\"]"}),
            "");
}

}  // namespace
}  // namespace rigidlimit
