// The dependencies between modules in docs/architecture.md, section 1, against the includes.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/source_directory.hpp"

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// The direct dependencies of each module.
using Dependencies = std::map<std::string, Names>;

/// The dependencies in a page: the lines "module → modules" between "```dependencies" and "```".
Dependencies dependencies_in(const std::string& page) {
  static const std::regex form(R"re(^([a-z_/]+) +→((?: +[a-z_/]+)*) *$)re");
  Dependencies dependencies;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```dependencies";
      continue;
    }
    if (!inside) continue;
    std::smatch match;
    if (!std::regex_match(line, match, form)) throw std::runtime_error("not a dependency: " + line);
    std::istringstream modules(match[2].str());
    if (!dependencies.emplace(match[1], Names(std::istream_iterator<std::string>(modules), {}))
             .second)
      throw std::runtime_error("listed twice: " + line);
  }
  return dependencies;
}

const Dependencies& listed() {
  static const Dependencies dependencies = [] {
    std::ifstream page(rigidlimit::test::in_repository("docs/architecture.md"));
    std::stringstream text;
    text << page.rdbuf();
    return dependencies_in(text.str());
  }();
  return dependencies;
}

/// The module itself and all its direct and indirect dependencies.
Names allowed(const std::string& module) {
  Names reached = {module};
  std::vector<std::string> open = {module};
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    const Names& direct = listed().at(next);
    for (const std::string& other : direct)
      if (reached.insert(other).second) open.push_back(other);
  }
  return reached;
}

/// The module of a file below src/rigidlimit/: the longest listed folder that contains it. "main"
/// for main.cpp, "" for a file in no listed folder.
std::string module_of(const std::string& path) {
  if (path == "main.cpp") return "main";
  std::string found;
  for (const auto& [module, direct] : listed())
    if (path.starts_with(module + "/") && module.size() > found.size()) found = module;
  return found;
}

/// The modules whose headers `text` includes.
Names included_modules(const std::string& text) {
  static const std::regex include(R"re(^\s*#\s*include\s*["<]rigidlimit/([^">]+))re");
  Names modules;
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_search(line, match, include)) modules.insert(module_of(match[1]));
  return modules;
}

/// The dependencies "from → to" without an include.
std::vector<std::string> unused(const Dependencies& dependencies, const Dependencies& includes) {
  std::vector<std::string> found;
  for (const auto& [from, direct] : dependencies)
    for (const std::string& to : direct)
      if (!includes.contains(from) || !includes.at(from).contains(to))
        found.emplace_back(from).append(" → ").append(to);
  return found;
}

/// The includes in `text` that are forbidden in a file of `module`. A quoted include of another
/// form than rigidlimit/MODULE/… is forbidden too: this test would not see its module.
std::vector<std::string> forbidden_includes(const std::string& module, const std::string& text) {
  static const std::regex include(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  const Names may_see = allowed(module);
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string path = match[2];
    if (path.starts_with("rigidlimit/")) {
      if (!may_see.contains(module_of(path.substr(11)))) found.push_back(path);
    } else if (match[1] == "\"" || path.find("..") != std::string::npos) {
      found.push_back(path);
    }
  }
  return found;
}

struct SourceFile {
  fs::path path;  ///< below src/rigidlimit/
  std::string text;
};

/// All C++ files.
std::vector<SourceFile> source_files() {
  const fs::path root = rigidlimit::test::in_repository("src/rigidlimit");
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto suffix = entry.path().extension();
    if (!entry.is_regular_file() || (suffix != ".cpp" && suffix != ".hpp")) continue;
    std::ifstream stream(entry.path());
    std::stringstream text;
    text << stream.rdbuf();
    files.push_back({fs::relative(entry.path(), root), text.str()});
  }
  return files;
}

TEST(Dependencies, EveryIncludeIsAllowed) {
  Names seen;
  for (const SourceFile& file : source_files()) {
    const std::string module = module_of(file.path.string());
    ASSERT_NE(module, "") << file.path << " is in no listed module";
    seen.insert(module);
    EXPECT_THAT(forbidden_includes(module, file.text), testing::IsEmpty()) << file.path;
  }
  for (const auto& [module, direct] : listed()) EXPECT_TRUE(seen.contains(module)) << module;
}

TEST(Dependencies, EveryListedDependencyIsUsed) {
  Dependencies includes;
  for (const SourceFile& file : source_files())
    includes[module_of(file.path.string())].merge(included_modules(file.text));
  EXPECT_THAT(unused(listed(), includes), testing::IsEmpty());
  // Negative controls: one dependency and one module too many.
  Dependencies more = listed();
  more.at("solvers").insert("mechanics");
  more["unknown"] = {"core"};
  EXPECT_THAT(unused(more, includes),
              testing::ElementsAre("solvers → mechanics", "unknown → core"));
}

TEST(Dependencies, AreAcyclic) {
  for (const auto& [module, direct] : listed())
    for (const std::string& other : direct)
      EXPECT_FALSE(allowed(other).contains(module)) << module << " and " << other;
}

TEST(Dependencies, OfAPageAreTheLinesOfItsBlock) {
  EXPECT_EQ(
      dependencies_in("text → text\n```dependencies\nupper/one   → lower  core\nlower → core\n"
                      "core  →\n```\n```\nother → lines\n```\n"),
      (Dependencies{{"upper/one", {"lower", "core"}}, {"lower", {"core"}}, {"core", {}}}));
  EXPECT_THROW(dependencies_in("```dependencies\nupper lower\n```\n"), std::runtime_error);
  EXPECT_THROW(dependencies_in("```dependencies\ncore →\ncore → core\n```\n"), std::runtime_error);
}

// Negative controls: one forbidden include in a text that is otherwise allowed.
TEST(Dependencies, AForbiddenIncludeIsReported) {
  const std::string text =
      "#include <vector>\n"
      "#include \"rigidlimit/core/linear.hpp\"\n"
      "// #include \"rigidlimit/store/store.hpp\" in a comment does not count\n"
      "#  include <rigidlimit/mechanics/system.hpp>\n";
  EXPECT_THAT(forbidden_includes("solvers", text),
              testing::ElementsAre("rigidlimit/mechanics/system.hpp"));
  EXPECT_THAT(forbidden_includes("systems", text), testing::IsEmpty());
  EXPECT_THAT(forbidden_includes("main", text), testing::IsEmpty());
  for (const auto& [module, header] :
       {std::pair{"experiment/rolling", "rigidlimit/store/store.hpp"},
        {"experiment/plan", "rigidlimit/experiment/pair/rolling_study.hpp"},
        {"report", "rigidlimit/store/store.hpp"},
        {"contact", "rigidlimit/contact/event_driven/impact.hpp"},
        {"systems", "rigidlimit/formulations/rigid/rigid.hpp"},
        {"core", "../mechanics/system.hpp"},
        {"core", "rigidlimit/unknown/x.hpp"}})
    EXPECT_THAT(forbidden_includes(module, std::string("#include \"") + header + "\""),
                testing::ElementsAre(header))
        << module;
}

TEST(Dependencies, MechanicsAndSolversNeverIncludeEachOther) {
  EXPECT_EQ(allowed("mechanics"), (Names{"mechanics", "core"}));
  EXPECT_EQ(allowed("solvers"), (Names{"solvers", "core"}));
  EXPECT_EQ(allowed("core"), Names{"core"});
  EXPECT_FALSE(allowed("asymptotics").contains("systems"));
  // All but `testing`, which is for the tests of users, and contact/time_stepping, whose functions
  // are declared in contact/nonsmooth_motion.hpp.
  EXPECT_EQ(allowed("main").size(), listed().size() - 2);
  EXPECT_EQ(allowed("testing"), (Names{"testing", "convergence"}));
}

/// The headers that define a type of each name at the margin. All modules share one namespace: two
/// types of one name would violate the one-definition rule, and no compiler reports that.
std::map<std::string, Names> types_of(const std::vector<SourceFile>& files) {
  static const std::regex definition(
      R"re(^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{)re");
  std::map<std::string, Names> headers;
  for (const SourceFile& file : files) {
    if (file.path.extension() != ".hpp") continue;
    std::istringstream lines(file.text);
    std::smatch match;
    for (std::string line; std::getline(lines, line);)
      if (std::regex_search(line, match, definition)) headers[match[1]].insert(file.path.string());
  }
  return headers;
}

TEST(Types, NoNameIsDefinedInTwoHeaders) {
  const auto all = types_of(source_files());
  EXPECT_TRUE(all.contains("RollingStudy") && all.contains("FrictionStudy") &&
              all.contains("Outcome"));
  for (const auto& [name, headers] : all)
    EXPECT_EQ(headers.size(), 1u) << name << " in " << testing::PrintToString(headers);
  // Negative control; a declaration defines nothing.
  const auto twice = types_of({{"a/one.hpp", "struct Motion {\n"},
                               {"b/two.hpp", "class Motion final : public Base {\n"},
                               {"c/three.hpp", "struct Other;\nenum class Word { a };\n"}});
  EXPECT_EQ(twice.at("Motion").size(), 2u);
  EXPECT_FALSE(twice.contains("Other"));
  EXPECT_EQ(twice.at("Word").size(), 1u);
}

}  // namespace
