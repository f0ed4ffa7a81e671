// Tests `rigidlimit export`: selected tables of a store in every format.
#include <gmock/gmock.h>

#include "support/process.hpp"
#include "support/sample_study.hpp"
#include "support/typeset.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ExportVerb : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place = new test::TemporaryDirectory;
    const std::string file =
        place->write("good.toml", test::sample_text + test::sample_expectations);
    ASSERT_EQ(test::rigidlimit({"run", file, "--quiet"}, place->path()).status, 0);
  }
  static void TearDownTestSuite() { delete place; }

  static test::Said exported(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"export", "results/sample"});
    return test::rigidlimit(std::move(arguments), place->path());
  }
  static test::TemporaryDirectory* place;
};

test::TemporaryDirectory* ExportVerb::place = nullptr;

TEST_F(ExportVerb, GivesOneTableWithCaptionAndLabel) {
  const test::Said said =
      exported({"--format", "latex", "--table", "errors", "--quantity", "q", "--norm", "sup",
                "--window", "after", "--caption", "Errors for t > 0.1", "--label", "tab:q"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("\\caption{Errors for $t > 0.1$}\\label{tab:q}"),
                              HasSubstr("$q$ error"), Not(HasSubstr("$v$ error")),
                              Not(HasSubstr("ε")), Not(HasSubstr("e-0"))));
}

TEST_F(ExportVerb, PrintsTextForOneTableAndCsvOtherwise) {
  EXPECT_THAT(exported({"--table", "orders", "--quantity", "v"}).out,
              AllOf(testing::StartsWith("Orders\n"), HasSubstr("fitted order")));
  EXPECT_THAT(exported({"--quantity", "v"}).out, testing::StartsWith("study,system,law,"));
}

TEST_F(ExportVerb, RefusesUnknownNamesAndListsTheValidOnes) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"--table", "order"}, "'orders'"},
      {{"--quantity", "x"}, "--quantity: 'x'"},
      {{"--norm", "l1"}, "l2, sup"},
      {{"--window", "before"}, "all, after"},
      {{"--solver", "cvode"}, "--solver: 'cvode'"},
      {{"--law", "elastic"}, "--law: 'elastic'"},
      {{"--solver", "cvode"}, "cvode_bdf"},
      {{"--format", "csv", "--table", "order"}, "--table: "},
      {{"--format", "latex", "--caption", "x"}, "--caption: "},
      {{"--format", "csv", "--siunitx"}, "--siunitx: "},
      {{"--columns", "q eror"}, "'q error'"},
      {{"-o", "missing/table.tex"}, "missing/table.tex: "}};
  for (const auto& [arguments, said_so] : wrong) {
    const test::Said said = exported(arguments);
    EXPECT_EQ(said.status, 2) << said_so;
    EXPECT_THAT(said.err, AllOf(testing::StartsWith("rigidlimit: "), HasSubstr(said_so)));
    EXPECT_EQ(said.out, "");
  }
}

TEST_F(ExportVerb, SetsSColumnsInTheWholeReportAndInOneTable) {
  for (const std::vector<std::string>& choice :
       {std::vector<std::string>{}, {"--table", "errors", "--columns", "q error,order"}}) {
    std::vector<std::string> arguments{"--format", "latex"};
    arguments.insert(arguments.end(), choice.begin(), choice.end());
    EXPECT_THAT(exported(arguments).out, Not(HasSubstr("siunitx")));
    arguments.emplace_back("--siunitx");
    EXPECT_THAT(exported(arguments).out, AllOf(HasSubstr("siunitx"), HasSubstr("S[table-format=")));
  }
}

// Shipped studies with wide tables: of events, of orders, and of an inequality.
TEST_F(ExportVerb, ReportsOfStudiesCompileWithoutOverfullLines) {
  if (const std::string why = test::why_no_package("siunitx"); !why.empty()) GTEST_SKIP() << why;
  const std::string packages = "\\usepackage{array,booktabs,float,siunitx}";
  for (const std::vector<std::string>& study :
       {std::vector<std::string>{"knife_edge", "epsilon.count=5", "epsilon.to=1e-3"},
        {"bouncing_ball", "epsilon.values=[0.01, 0.005, 0.0025]", "time.end=0.7"}}) {
    std::vector<std::string> arguments{"run", study.front(), "--quiet", "--results", "latex"};
    for (auto change = study.begin() + 1; change != study.end(); ++change)
      arguments.insert(arguments.end(), {"--set", *change});
    ASSERT_LE(test::rigidlimit(arguments, place->path()).status, 1);
    const std::string folder = "latex/" + study.front();
    const std::string plain = test::text_of(place->path(folder + "/result.tex"));
    const test::Said with_s_columns =
        test::rigidlimit({"export", folder, "--format", "latex", "--siunitx"}, place->path());
    for (const std::string& body : {plain, with_s_columns.out})
      EXPECT_THAT(test::complaints_of_latex(test::latex_log(body, packages)), testing::IsEmpty())
          << study.front();
  }
  // Negative control: a table 20 % wider than the text.
  const std::string wide =
      "\\begin{table}[H]\n\\begin{tabular}{@{}p{1.2\\textwidth}@{}}x\\end{tabular}\n\\end{table}\n";
  EXPECT_THAT(test::complaints_of_latex(test::latex_log(wide, packages)),
              testing::Contains(testing::StartsWith("Overfull")));
}

}  // namespace
}  // namespace rigidlimit
