// Tests that each point of a [sweep] equals the study with the same values by --set.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "support/csv_fields.hpp"
#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SweepTest : public testing::Test {
 protected:
  test::Said rigidlimit(const std::vector<std::string>& arguments) {
    return test::rigidlimit(arguments, place.path());
  }
  /// The lines of a CSV file without the header.
  std::vector<std::vector<std::string>> lines(const std::string& name) {
    auto all = test::csv_fields(test::text_of(place.path(name)));
    all.erase(all.begin());
    return all;
  }
  test::TemporaryDirectory place;
  std::string expectation = "[[expect]]\nquantity = \"q\"\norder = 2.0\n";
  std::string study = place.write("study.toml", test::sample_text + expectation);
  std::string sweep = place.write(
      "sweep.toml", test::sample_text + expectation +
                        "[sweep]\n\"contact.damping_ratio\" = [0.5, 1.0]\n"
                        "contact.damping_exponent = {from = 1.0, to = 2.0, count = 2, spacing = "
                        "\"linear\"}\n");
};

TEST_F(SweepTest, APointEqualsTheSeparateStudyToTheLastDigit) {
  ASSERT_EQ(rigidlimit({"run", sweep, "--quiet", "--jobs", "2"}).status, 0);
  const auto all = lines("results/sample/errors.csv");
  ASSERT_EQ(rigidlimit({"run", study, "--quiet", "--results", "one", "--set",
                        "contact.damping_ratio=0.5", "--set", "contact.damping_exponent=2.0"})
                .status,
            0);
  const auto one = lines("one/sample/errors.csv");
  ASSERT_EQ(all.size(), 4 * one.size());
  // The last key varies fastest: (1, 0.5), (1, 1), (2, 0.5), (2, 1).
  const auto point_is_one = [&](std::size_t point) {
    return std::equal(one.begin(), one.end(),
                      all.begin() + static_cast<std::ptrdiff_t>(point * one.size()),
                      [](const auto& a, std::vector<std::string> b) {
                        b.erase(b.begin() + 2, b.begin() + 4);  // the swept values
                        return a == b;
                      });
  };
  EXPECT_TRUE(point_is_one(2));
  for (const std::size_t other : {0, 1, 3}) EXPECT_FALSE(point_is_one(other)) << other;
}

// The sample has 13 solves: ten compliant ones, the rigid motion, its reference and its work. The
// times depend on the damping.
TEST_F(SweepTest, PointsWithTheSameTimesShareTheRigidMotion) {
  const auto planned = [&](const std::string& values) {
    const std::string file =
        place.write("shared.toml", test::sample_text + expectation + "[sweep]\n" + values + "\n");
    return rigidlimit({"run", file, "--dry-run"}).out;
  };
  EXPECT_THAT(planned("contact.stiffness = [1.0, 2.0]"), HasSubstr("sample: 23 solves\n"));
  EXPECT_THAT(planned("contact.damping_ratio = [0.5, 1.0]"), HasSubstr("sample: 26 solves\n"));
}

TEST_F(SweepTest, ExpectationsAreJudgedAtEachPoint) {
  EXPECT_EQ(rigidlimit({"check", sweep}).status, 0);
  // The order of v is max(1, β), docs/theory.md, section 5: 1 at two of the points, 2 at the
  // others.
  const test::Said said = rigidlimit(
      {"check", sweep, "--junit", "out.xml", "--set", "expect=[{quantity=\"v\", order=1.0}]"});
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out, HasSubstr("2 of 4 points"));
  EXPECT_THAT(said.out, HasSubstr("contact.damping_exponent = 2.0, contact.damping_ratio = 0.5: "));
  EXPECT_THAT(test::text_of(place.path("out.xml")), HasSubstr("tests=\"4\" failures=\"2\""));
}

// The order of v is max(1, β): each expectation holds where it applies, and would fail elsewhere.
TEST_F(SweepTest, AnExpectationWithWhereIsJudgedThereOnly) {
  const auto check = [&](const std::string& first, const std::string& second) {
    return rigidlimit({"check", sweep, "--junit", "out.xml", "--set",
                       "expect=[{quantity=\"v\", order=1.0, where={" + first +
                           "}}, {quantity=\"v\", order=2.0, where={" + second + "}}]"})
        .status;
  };
  EXPECT_EQ(check("contact.damping_exponent=1", "\"contact.damping_exponent\"=[2.0]"), 0);
  EXPECT_THAT(test::text_of(place.path("out.xml")), HasSubstr("tests=\"4\" failures=\"0\""));
  EXPECT_EQ(check("contact.damping_exponent=1, contact.damping_ratio=0.5",
                  "contact.damping_exponent=2, contact.damping_ratio=[0.5, 1.0]"),
            0);
  EXPECT_THAT(test::text_of(place.path("out.xml")), HasSubstr("tests=\"3\" failures=\"0\""));
  // Negative control: exchanged.
  EXPECT_EQ(check("contact.damping_exponent=2", "contact.damping_exponent=1"), 1);
}

// At β = 1 and small ε the error of v in the layer falls with the damping ratio (docs/theory.md,
// section 4): least at the upper end, and at 1 the gain is the ratio of the two errors.
TEST_F(SweepTest, LeastNamesTheValueWithTheLeastError) {
  const std::string file = place.write(
      "least.toml", test::sample_text +
                        "[[least]]\nover = \"contact.damping_ratio\"\nbeside = 1.0\n[sweep]\n"
                        "contact.damping_ratio = [0.5, 1.0, 4.0]\n");
  ASSERT_EQ(rigidlimit({"run", file, "--quiet"}).status, 0);
  const auto all = test::csv_fields(test::text_of(place.path("results/sample/least.csv")));
  const auto errors = test::csv_fields(test::text_of(place.path("results/sample/errors.csv")));
  const auto column = [](const auto& table, const std::string& name) {
    const auto at = std::ranges::find(table.front(), name);
    EXPECT_NE(at, table.front().end()) << name;
    return static_cast<std::size_t>(at - table.front().begin());
  };
  // Every least error is the least of the three errors with the same ε and measure.
  std::size_t of_v = 0;
  for (const auto& row : all) {
    if (row == all.front()) continue;
    double least = HUGE_VAL, at_one = 0.0;
    for (const auto& other : errors) {
      bool same = other != errors.front();
      for (const char* name : {"epsilon", "quantity", "norm", "window"})
        same = same && other[column(errors, name)] == row[column(all, name)];
      if (!same) continue;
      const double error = std::stod(other[column(errors, "model_error")]);
      least = std::min(least, error);
      if (std::stod(other[column(errors, "contact_damping_ratio")]) == 1.0) at_one = error;
    }
    EXPECT_EQ(std::stod(row[column(all, "error")]), least);
    EXPECT_EQ(std::stod(row[column(all, "error_beside")]), at_one);
    if (row[column(all, "quantity")] != "v" || row[column(all, "norm")] != "sup" ||
        row[column(all, "window")] != "all")
      continue;
    ++of_v;
    EXPECT_EQ(row[column(all, "place")], "upper end");
    EXPECT_EQ(std::stod(row[column(all, "least_at")]), 4.0);
  }
  EXPECT_EQ(of_v, test::sample_study().epsilons.size());
}

TEST_F(SweepTest, ZippedKeysChangeTogetherUnderOneName) {
  const std::string expected = "[[expect]]\nquantity = \"v\"\norder = 1.0\n";
  const std::string file = place.write(
      "zip.toml",
      test::sample_text + expected + "where = {case = \"short\"}\n" +
          "[sweep]\nzip = [{keys = [\"contact.damping_ratio\", \"time.end\"], values = "
          "[[0.5, 1.0], [1.0, 2.0]], name = \"case\", labels = [\"short\", \"long\"]}]\n");
  ASSERT_LE(rigidlimit({"run", file}).status, 1);
  const auto points = lines("results/sample/points.csv");
  ASSERT_EQ(points.size(), 2u) << "two points, not four";
  // Each point equals the study with its values.
  const auto all = lines("results/sample/errors.csv");
  for (const auto& [label, judged, ratio, end] :
       {std::tuple{"short", expected, "0.5", "1.0"}, {"long", std::string(), "1.0", "2.0"}}) {
    ASSERT_LE(rigidlimit({"run", place.write("one.toml", test::sample_text + judged), "--results",
                          label, "--set", "contact.damping_ratio=" + std::string(ratio), "--set",
                          "time.end=" + std::string(end)})
                  .status,
              1);
    const auto one = lines(std::string(label) + "/sample/errors.csv");
    std::vector<std::vector<std::string>> of_point;
    for (std::vector<std::string> row : all)
      if (const auto at = std::ranges::find(row, label); at != row.end()) {
        row.erase(at);
        of_point.push_back(std::move(row));
      }
    EXPECT_EQ(of_point.size(), one.size()) << label;
    for (std::size_t k = 0; k < std::min(one.size(), of_point.size()); ++k)
      EXPECT_EQ(of_point[k], one[k]) << label;
  }
  const std::string resolved = test::text_of(place.path("results/sample/resolved.toml"));
  EXPECT_EQ(rigidlimit({"check", place.write("again.toml", resolved)}).status,
            rigidlimit({"check", file}).status);
}

TEST_F(SweepTest, ABadValueHasItsPlaceAndKey) {
  const auto complaint = [&](const std::string& table) {
    const std::string file = place.write("bad.toml", test::sample_text + "[sweep]\n" + table);
    const test::Said said = rigidlimit({"run", file});
    EXPECT_EQ(said.status, 2) << table;
    return said.err;
  };
  const auto line = std::to_string(std::ranges::count(test::sample_text, '\n') + 2);
  EXPECT_THAT(complaint("\"contact.damping_ratio\" = [0.5, -1.0]\n"),
              HasSubstr("bad.toml:" + line + ":33: contact.damping_ratio = -1"));
  EXPECT_THAT(complaint("contact.damping_ratoi = [1]\n"), HasSubstr("'damping_ratio'"));
  const std::string place_of_key = "bad.toml:" + line + ":";
  for (const char* values : {"[1, 1]", "1"})
    EXPECT_THAT(complaint(std::string("contact.damping_ratio = ") + values + "\n"),
                AllOf(HasSubstr(place_of_key), HasSubstr("sweep.contact.damping_ratio")));
  EXPECT_THAT(complaint("study.name = [\"a\"]\n"),
              AllOf(HasSubstr(place_of_key), HasSubstr("study.name")));
  EXPECT_THAT(complaint(""), HasSubstr("bad.toml:"));
  EXPECT_THAT(complaint("time.end = {from = 1.0, to = 2.0, count = 9999}\n"
                        "contact.damping_ratio = [1, 2]\n"),
              HasSubstr("10000"));
  const std::string swept = "contact.damping_ratio = [1, 2]\n";
  EXPECT_THAT(complaint(swept + "[[least]]\nover = \"time.end\"\n"),
              AllOf(HasSubstr("least[0].over"), HasSubstr("contact.damping_ratio")));
  EXPECT_THAT(complaint(swept + "[[least]]\nover = \"contact.damping_ratio\"\nbeside = 3\n"),
              HasSubstr("least[0].beside"));
  for (const char* where : {"time.end = 1", "contact.damping_ratio = 3", ""})
    EXPECT_THAT(
        complaint(swept + "[[expect]]\nquantity = \"q\"\norder = 2\nwhere = {" + where + "}\n"),
        HasSubstr("expect[0].where"))
        << where;
  const auto zipped = [&](const std::string& keys, const std::string& rest) {
    return complaint("zip = [{keys = [" + keys + "], " + rest + "}]\n");
  };
  const std::string two = "\"contact.damping_ratio\", \"time.end\"";
  EXPECT_THAT(zipped(two, "values = [[1, 1], [2]]"), HasSubstr("sweep.zip[0].values"));
  EXPECT_THAT(zipped(two, "values = [[1, 1], [1, 1]]"), HasSubstr("sweep.zip[0].values"));
  EXPECT_THAT(zipped("\"study.name\"", "values = [[\"a\"]]"), HasSubstr("sweep.zip[0].keys"));
  EXPECT_THAT(zipped(two, "values = [[1, 1]], name = \"n\", labels = [\"a\", \"b\"]"),
              HasSubstr("sweep.zip[0].labels"));
  EXPECT_THAT(zipped(two, "values = [[1, 1]], name = \"n.a\""), HasSubstr("sweep.zip[0].name"));
  EXPECT_THAT(rigidlimit({"run", sweep, "--set", "contact.damping_ratio=3"}).err,
              HasSubstr("sweep.contact.damping_ratio="));
}

}  // namespace
}  // namespace rigidlimit
