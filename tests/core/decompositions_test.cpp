// Tests that core/dense.cpp alone instantiates Eigen's decompositions: each takes a compiler five
// to twenty seconds, in every file that names it.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "support/source_directory.hpp"

namespace {

namespace fs = std::filesystem;

/// Headers, classes and member functions in `text` that instantiate a decomposition of a matrix
/// with a run-time size. Comments do not count.
std::vector<std::string> decompositions_in(const std::string& text) {
  static const std::regex comment(R"(//[^\n]*)");
  static const std::regex named(
      R"(#\s*include\s*<(?:unsupported/)?Eigen/(?!Core>)[^>]*>)"
      R"(|\b(?:Partial|Full)PivLU\b|\b\w*HouseholderQR\b|\b\w*EigenSolver\b|\bLD?LT\b|\b\w+SVD\b)"
      R"(|\bCompleteOrthogonalDecomposition\b|\b(?:Complex|Real)Schur\b|\bRealQZ\b)"
      R"(|\bHessenbergDecomposition\b|\bTridiagonalization\b)"
      R"(|[.>](?:lu|partialPivLu|fullPivLu|\w*[hH]ouseholderQr|completeOrthogonalDecomposition)\()"
      R"(|[.>](?:llt|ldlt|jacobiSvd|bdcSvd|selfadjointView)\b)");
  const std::string code = std::regex_replace(text, comment, "");
  std::vector<std::string> found;
  for (std::sregex_iterator match(code.begin(), code.end(), named), end; match != end; ++match)
    found.push_back(match->str());
  return found;
}

/// The permitted places: the decompositions, and the aliases of the project's Eigen types.
bool may_decompose(const fs::path& path) {
  return path == "core/dense.hpp" || path == "core/dense.cpp" || path == "core/linear.hpp";
}

TEST(Decompositions, AreInstantiatedInOneFile) {
  const fs::path root = rigidlimit::test::in_repository("src/rigidlimit");
  std::size_t read = 0, allowed = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp") continue;
    std::ifstream stream(entry.path());
    std::stringstream text;
    text << stream.rdbuf();
    const auto found = decompositions_in(text.str());
    ++read;
    if (may_decompose(fs::relative(entry.path(), root)))
      allowed += found.empty() ? 0 : 1;
    else
      EXPECT_THAT(found, testing::IsEmpty()) << entry.path();
  }
  EXPECT_GT(read, 300u);   // the whole code base, not an empty folder
  EXPECT_EQ(allowed, 3u);  // each exception exists
}

// Negative controls, and code without a decomposition.
TEST(Decompositions, AreFoundByHeaderClassAndMember) {
  using testing::ElementsAre;
  EXPECT_THAT(decompositions_in("#include <Eigen/LU>\n#include <Eigen/Core>\n"),
              ElementsAre("#include <Eigen/LU>"));
  EXPECT_THAT(decompositions_in("#include <unsupported/Eigen/MatrixFunctions>"),
              testing::SizeIs(1));
  EXPECT_THAT(decompositions_in("Eigen::PartialPivLU<MatrixXd> lu; Eigen::LLT<MatrixXd> x(A);"),
              ElementsAre("PartialPivLU", "LLT"));
  EXPECT_THAT(decompositions_in("Eigen::ColPivHouseholderQR<M> a; Eigen::EigenSolver<M> b;"),
              ElementsAre("ColPivHouseholderQR", "EigenSolver"));
  EXPECT_THAT(decompositions_in("x = A.ldlt().solve(b); y = A.colPivHouseholderQr().solve(b);"),
              ElementsAre(".ldlt", ".colPivHouseholderQr("));
  EXPECT_THAT(decompositions_in("// A.ldlt()\nlu_.solve(b, x); symmetric_solve(A, b); SLT x;"),
              testing::IsEmpty());
}

}  // namespace
