"""Every private name of src/rigidlimit is unique in its module, so that files of a module compile as one unit."""

from pathlib import Path

from private_names import headers, names_hidden, names_twice, private_names, sources

SOURCE = Path(__file__).resolve().parents[2] / "src/rigidlimit"


def test_no_two_files_of_a_module_share_a_private_name() -> None:
    found = {module.name: names_twice(sources(SOURCE, module.name)) for module in SOURCE.iterdir() if module.is_dir()}
    assert sum(len(sources(SOURCE, name)) for name in found) > 300
    assert {module: names for module, names in found.items() if names} == {}


def test_no_private_name_hides_a_public_type() -> None:
    # A system sees no enclosures: its ball is a body.
    allowed = {("systems/friction/bouncing_ball.cpp", "Ball")}
    public = headers(SOURCE)
    found = {entry for module in SOURCE.iterdir() if module.is_dir()
             for entry in names_hidden(sources(SOURCE, module.name), public)}
    assert found <= allowed


FIRST = """
#include "a.hpp"  // struct InAComment {};
namespace rigidlimit {
namespace {
constexpr const char* text = R"(struct InAText { int x; };)";
using Rows = std::vector<std::pair<int, int>>;
using Same = std::vector<int>;
template <class T, int n = (1 < 2)>
  requires(n > 0)
struct Pair { T first; void member(); };
const std::map<int, int> table{{1, 2}};
std::vector<int> rows_of(const Rows& rows) try { return {}; } catch (const Error&) { throw; }
enum class State { open, held };
}  // namespace
void Public::member() { const auto local = [] { return 1; }; }
namespace detail { int visible(int x) { return x; } }
}
"""


def test_the_reader_finds_what_a_file_keeps_to_itself() -> None:
    assert {(kind, name) for kind, name, _ in private_names(FIRST)} == {
        ("variable", "text"), ("type", "Rows"), ("type", "Same"), ("type", "Pair"), ("variable", "table"),
        ("function", "rows_of"), ("type", "State")}


def test_names_twice_are_found_and_equal_aliases_are_allowed() -> None:
    second = """namespace rigidlimit { namespace {
      using Same = std::vector<int>;
      using Rows = std::vector<int>;
      int table(double x) { return 1; }
      int member(int x) { return x; }
    } }"""
    assert names_twice({"a.cpp": FIRST, "b.cpp": second}) == {
        "Rows": ["a.cpp", "b.cpp"], "table": ["a.cpp", "b.cpp"]}
    header = "namespace rigidlimit { struct Rows { int table; }; int member(double x); struct State; }"
    assert names_hidden({"b.cpp": second}, {"a.hpp": header}) == [("b.cpp", "Rows")]
