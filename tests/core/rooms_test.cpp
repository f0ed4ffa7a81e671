// The arrows of docs/architecture.md, section 1: which room may include which.
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

using Arrows = std::map<std::string, Names>;

/// The diagram in a page: the lines "room → rooms" between "```arrows" and "```".
Arrows arrows_in(const std::string& page) {
  static const std::regex drawn(R"re(^([a-z]+) +→((?: +[a-z]+)*) *$)re");
  Arrows arrows;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```arrows";
      continue;
    }
    if (!inside) continue;
    std::smatch match;
    if (!std::regex_match(line, match, drawn))
      throw std::runtime_error("no line of a diagram: " + line);
    std::istringstream rooms(match[2].str());
    if (!arrows.emplace(match[1], Names(std::istream_iterator<std::string>(rooms), {})).second)
      throw std::runtime_error("drawn twice: " + line);
  }
  return arrows;
}

/// The direct arrows; everything reachable along them is allowed too, and the room itself.
const Arrows& direct_arrows() {
  static const Arrows arrows = [] {
    std::ifstream page(rigidlimit::test::in_repository("docs/architecture.md"));
    std::stringstream text;
    text << page.rdbuf();
    return arrows_in(text.str());
  }();
  return arrows;
}

Names allowed(const std::string& room) {
  Names reached = {room};
  std::vector<std::string> open = {room};
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    const Names& direct = direct_arrows().at(next);
    for (const std::string& seen : direct)
      if (reached.insert(seen).second) open.push_back(seen);
  }
  return reached;
}

/// The rooms whose headers `text` includes.
Names rooms_included(const std::string& text) {
  static const std::regex include(R"re(^\s*#\s*include\s*["<]rigidlimit/([a-z]+)/)re");
  Names rooms;
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_search(line, match, include)) rooms.insert(match[1]);
  return rooms;
}

/// The arrows "from → to" that no include follows.
std::vector<std::string> idle(const Arrows& arrows, const Arrows& includes) {
  std::vector<std::string> found;
  for (const auto& [from, direct] : arrows)
    for (const std::string& to : direct)
      if (!includes.contains(from) || !includes.at(from).contains(to))
        found.emplace_back(from).append(" → ").append(to);
  return found;
}

/// The includes in `text` that a file of `room` may not have. A quoted include by any other path
/// than rigidlimit/ROOM/… is forbidden as well: it would slip past this test.
std::vector<std::string> forbidden_includes(const std::string& room, const std::string& text) {
  static const std::regex include(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  const Names may_see = allowed(room);
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string path = match[2];
    if (path.rfind("rigidlimit/", 0) == 0) {
      const std::string rest = path.substr(11);
      if (may_see.count(rest.substr(0, rest.find('/'))) == 0) found.push_back(path);
    } else if (match[1] == "\"" || path.find("..") != std::string::npos) {
      found.push_back(path);
    }
  }
  return found;
}

struct SourceFile {
  fs::path path;  ///< below src/
  std::string text;
};

std::vector<SourceFile> source_files() {
  const fs::path root = rigidlimit::test::in_repository("src");
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path());
    std::stringstream text;
    text << stream.rdbuf();
    files.push_back({fs::relative(entry.path(), root), text.str()});
  }
  return files;
}

/// "core" for rigidlimit/core/tape.hpp, "main" for rigidlimit/main.cpp, "" for what is no C++.
std::string room_of(const fs::path& path) {
  if (path.extension() != ".cpp" && path.extension() != ".hpp") return {};
  const auto below = path.lexically_relative("rigidlimit");
  return below.has_parent_path() ? below.begin()->string() : below.stem().string();
}

TEST(Rooms, EveryIncludeFollowsAnArrow) {
  Names seen;
  for (const SourceFile& file : source_files()) {
    const std::string room = room_of(file.path);
    if (room.empty()) continue;
    ASSERT_TRUE(direct_arrows().count(room)) << file.path << " lies in no known room";
    seen.insert(room);
    EXPECT_THAT(forbidden_includes(room, file.text), testing::IsEmpty()) << file.path;
  }
  // The test read the house, not an empty folder.
  EXPECT_THAT(seen, testing::IsSupersetOf({"core", "mechanics", "systems", "formulations",
                                           "solvers", "study", "bench", "record", "cli", "main"}));
}

TEST(Rooms, EveryArrowOfTheDiagramIsFollowedByAnInclude) {
  Arrows includes;
  for (const SourceFile& file : source_files())
    if (const std::string room = room_of(file.path); !room.empty())
      includes[room].merge(rooms_included(file.text));
  EXPECT_THAT(idle(direct_arrows(), includes), testing::IsEmpty());
  // Negative controls: an arrow too many, and a room that is not there.
  Arrows more = direct_arrows();
  more.at("solvers").insert("mechanics");
  more["attic"] = {"core"};
  EXPECT_THAT(idle(more, includes), testing::ElementsAre("attic → core", "solvers → mechanics"));
}

TEST(Rooms, TheDiagramIsReadAsItIsDrawn) {
  EXPECT_EQ(arrows_in("text → text\n```arrows\nupper   → lower  core\nlower → core\ncore  →\n```\n"
                      "```\nother → lines\n```\n"),
            (Arrows{{"upper", {"lower", "core"}}, {"lower", {"core"}}, {"core", {}}}));
  EXPECT_THROW(arrows_in("```arrows\nupper lower\n```\n"), std::runtime_error);
  EXPECT_THROW(arrows_in("```arrows\ncore →\ncore → core\n```\n"), std::runtime_error);
}

// Negative controls: one forbidden arrow in a text that is otherwise in order.
TEST(Rooms, AForbiddenIncludeIsReported) {
  const std::string text =
      "#include <vector>\n"
      "#include \"rigidlimit/core/linear.hpp\"\n"
      "// #include \"rigidlimit/record/rows.hpp\" in a comment does not count\n"
      "#  include <rigidlimit/mechanics/system.hpp>\n";
  EXPECT_THAT(forbidden_includes("solvers", text),
              testing::ElementsAre("rigidlimit/mechanics/system.hpp"));
  EXPECT_THAT(forbidden_includes("systems", text), testing::IsEmpty());
  EXPECT_THAT(forbidden_includes("main", text), testing::IsEmpty());
  EXPECT_THAT(forbidden_includes("study", "#include \"rigidlimit/record/rows.hpp\""),
              testing::SizeIs(1));
  EXPECT_THAT(forbidden_includes("study", "#include \"rigidlimit/bench/benchmark.hpp\""),
              testing::SizeIs(1));
  EXPECT_THAT(forbidden_includes("bench", "#include \"rigidlimit/record/rows.hpp\""),
              testing::SizeIs(1));
  EXPECT_THAT(forbidden_includes("systems", "#include \"rigidlimit/formulations/rigid.hpp\""),
              testing::SizeIs(1));
  EXPECT_THAT(forbidden_includes("core", "#include \"../mechanics/system.hpp\""),
              testing::SizeIs(1));
  EXPECT_THAT(forbidden_includes("core", "#include \"rigidlimit/attic/x.hpp\""),
              testing::SizeIs(1));
}

TEST(Rooms, MechanicsAndSolversNeverSeeEachOther) {
  EXPECT_EQ(allowed("mechanics"), (Names{"mechanics", "core"}));
  EXPECT_EQ(allowed("solvers"), (Names{"solvers", "core"}));
  EXPECT_EQ(allowed("core"), Names{"core"});
  EXPECT_EQ(allowed("asymptotics").count("systems"), 0u);
  // All but `testing`, which is for strangers' tests and itself needs no more than `convergence`.
  EXPECT_EQ(allowed("main").size(), direct_arrows().size() - 1);
  EXPECT_EQ(allowed("testing"), (Names{"testing", "convergence"}));
}

/// The headers that define a type of each name, by its first word at the margin: all of them share
/// one namespace, and the linker takes two types of one name for the same.
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
  EXPECT_TRUE(all.contains("Study") && all.contains("FrictionStudy") && all.contains("Outcome"));
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

/// Is one of the words of the name a word that says nothing?
bool named_after_nothing(const fs::path& path) {
  static const Names empty_words = {"util",    "utils",    "helper", "helpers", "common",
                                    "manager", "managers", "base",   "misc"};
  std::istringstream words(path.stem().string());
  for (std::string word; std::getline(words, word, '_');)
    if (empty_words.count(word)) return true;
  return false;
}

TEST(Files, EachIsNamedAfterWhatItHolds) {
  for (const SourceFile& file : source_files())
    EXPECT_FALSE(named_after_nothing(file.path)) << file.path;
  EXPECT_TRUE(named_after_nothing("rigidlimit/core/string_utils.hpp"));
  EXPECT_TRUE(named_after_nothing("rigidlimit/study/common.hpp"));
  EXPECT_FALSE(named_after_nothing("rigidlimit/study/database.hpp"));
}

}  // namespace
