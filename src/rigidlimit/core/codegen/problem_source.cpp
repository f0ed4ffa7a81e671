#include "rigidlimit/core/codegen/problem_source.hpp"

#include <fmt/format.h>

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rigidlimit/core/codegen/written_problem.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

/// problem_source() in JavaScript. Matrices are flat, row by row.
std::string javascript_source(const WrittenProblem& problem,
                              const std::vector<std::string>& origin) {
  SourceFile file(problem, SourceLanguage::javascript);
  file.head(origin);
  file.tolerance_note();
  file.comment("An ES module: import it, or run it with node FILE.mjs.");
  file.line();
  file.line(fmt::format("export const N = {};  // size of y", file.size()));
  file.line(fmt::format("export const t0 = {}, t1 = {};", file.number(problem.t0),
                        file.number(problem.t1)));
  file.numbers("export const y0 = [", problem.y0, "];", file.components());
  if (file.has_parameters())
    file.numbers("export const p0 = [", problem.parameters, "];", file.parameters());
  file.line();
  file.comment("f of y' = f(t, y), or of M y' = f(t, y), written into f.");
  file.raw("export function rhs(t, y, f = new Float64Array(N)@p) {\n  f.fill(0.0);\n", ", p = p0");
  file.lines("  ", file.rate().lines);
  file.line("  return f;\n}\n");
  file.comment("J[i * N + k] = df_i/dy_k, written into J.");
  file.raw("export function jacobian(t, y, J = new Float64Array(N * N)@p) {\n  J.fill(0.0);\n",
           ", p = p0");
  file.lines("  ", file.jacobian().lines);
  file.line("  return J;\n}\n");
  if (file.has_mass()) {
    file.index_note();
    file.line("export function mass(M = new Float64Array(N * N)) {\n  M.fill(0.0);");
    file.lines("  ", file.mass());
    file.line("  return M;\n}\n");
  }
  file.values("export const ", "[", "];");
  file.raw(R"(
// The number of values that differ from those of rigidlimit.
export function check() {
  const f = rhs(check_t, check_y), J = jacobian(check_t, check_y);
  const sums = new Float64Array(N), of_f = check_f.map(Math.abs), of_sums = new Float64Array(N);
  for (let i = 0; i < N; ++i)
    for (let k = 0; k < N; ++k) {
      const x = J[i * N + k];
      sums[i] += x;
      of_sums[i] += Math.abs(x);
      of_f[i] += Math.abs(x * check_y[k]);
    }
  let count = 0;
  for (const [name, value, expected, terms] of [["f", f, check_f, of_f],
                                                ["row sum of J", sums, check_row_sums, of_sums]])
    for (let i = 0; i < N; ++i) {
      if (Math.abs(value[i] - expected[i]) <= 1e-12 * (terms[i] + 1e-3 * Math.max(...terms))) continue;
      console.log(`${name}[${i}] = ${value[i]} differs from ${expected[i]}`);
      ++count;
    }
  console.log(`${count} of ${2 * N} values differ`);
  return count;
}

// The program part.
if (globalThis.process?.argv?.[1]) {
  const { realpathSync } = await import("node:fs"), { pathToFileURL } = await import("node:url");
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) process.exitCode = check() === 0 ? 0 : 1;
}
)");
  return std::move(file).text();
}

using Writes = SourceLanguage;

// ---------------------------------------------------------------------------------------------- C

std::string c_source(const WrittenProblem& problem, const std::vector<std::string>& origin) {
  SourceFile file(problem, Writes::c);
  file.head(origin);
  file.tolerance_note();
  file.comment(
      "cc -std=c99 -O2 FILE.c -lm && ./a.out; with -DRIGIDLIMIT_NO_MAIN for use in a program.");
  file.raw("#include <math.h>\n\n");
  file.line(fmt::format("enum {{ N = {} }};  // size of y", file.size()));
  file.line(fmt::format("const double T0 = {}, T1 = {};", file.number(problem.t0),
                        file.number(problem.t1)));
  file.numbers("const double Y0[] = {", problem.y0, "};", file.components());
  if (file.has_parameters())
    file.numbers("const double P0[] = {", problem.parameters, "};", file.parameters());
  file.line();
  file.comment("f of y' = f(t, y), or of M y' = f(t, y).");
  file.raw("void rhs(double t, const double *y@p, double *f)\n{\n  (void)t;\n",
           ", const double *p");
  file.line("  for (int i = 0; i < N; ++i) f[i] = 0.0;");
  file.lines("  ", file.rate().lines);
  file.line("}\n");
  file.comment("J[i * N + k] = df_i/dy_k.");
  file.raw("void jacobian(double t, const double *y@p, double *J)\n{\n  (void)t, (void)y;\n",
           ", const double *p");
  file.line("  for (int i = 0; i < N * N; ++i) J[i] = 0.0;");
  file.lines("  ", file.jacobian().lines);
  file.line("}\n");
  if (file.has_mass()) {
    file.index_note();
    file.line("void mass(double *M)\n{\n  for (int i = 0; i < N * N; ++i) M[i] = 0.0;");
    file.lines("  ", file.mass());
    file.line("}\n");
  }
  file.line(fmt::format("const double CHECK_T = {};", file.number(problem.check.t)));
  file.numbers("const double CHECK_Y[] = {", problem.check.y, "};");
  file.numbers("const double CHECK_F[] = {", problem.check.f, "};");
  file.numbers("const double CHECK_ROW_SUMS[] = {", problem.check.row_sums, "};");
  if (problem.reference) {
    file.line();
    file.comment("y at T1, and a bound of its error.");
    file.numbers("const double REFERENCE[] = {", problem.reference->y, "};", file.components());
    file.numbers("const double REFERENCE_ERROR[] = {", problem.reference->error, "};");
  }
  file.raw(R"(

#ifndef RIGIDLIMIT_NO_MAIN
#include <stdio.h>

static int differs(const char *name, int i, double value, double expected, double terms)
{
  if (fabs(value - expected) <= 1e-12 * terms) return 0;
  printf("%s[%d] = %.17g differs from %.17g\n", name, i, value, expected);
  return 1;
}

int main(void)
{
  static double f[N], J[N * N];
  double sum[N] = {0.0}, of_f[N], of_sum[N] = {0.0}, largest_f = 0.0, largest_sum = 0.0;
  int count = 0;
  rhs(CHECK_T, CHECK_Y@p, f);
  jacobian(CHECK_T, CHECK_Y@p, J);
  for (int i = 0; i < N; ++i) {
    of_f[i] = fabs(CHECK_F[i]);
    for (int k = 0; k < N; ++k) {
      sum[i] += J[i * N + k];
      of_sum[i] += fabs(J[i * N + k]);
      of_f[i] += fabs(J[i * N + k] * CHECK_Y[k]);
    }
    largest_f = fmax(largest_f, of_f[i]);
    largest_sum = fmax(largest_sum, of_sum[i]);
  }
  for (int i = 0; i < N; ++i) {
    count += differs("f", i, f[i], CHECK_F[i], of_f[i] + 1e-3 * largest_f);
    count += differs("row sum of J", i, sum[i], CHECK_ROW_SUMS[i], of_sum[i] + 1e-3 * largest_sum);
  }
  printf("%d of %d values differ\n", count, 2 * N);
  return count != 0;
}
#endif
)",
           ", P0");
  return std::move(file).text();
}

// ----------------------------------------------------------------------------------------- Python

std::string python_source(const WrittenProblem& problem, const std::vector<std::string>& origin) {
  SourceFile file(problem, Writes::python);
  file.head(origin);
  file.tolerance_note();
  file.raw("import sys\n\nimport numpy as np\n\n");
  file.line(fmt::format("N = {}  # size of y", file.size()));
  file.line(fmt::format("t0 = {}\nt1 = {}", file.number(problem.t0), file.number(problem.t1)));
  file.numbers("y0 = np.array([", problem.y0, "])", file.components());
  if (file.has_parameters())
    file.numbers("p0 = np.array([", problem.parameters, "])", file.parameters());
  file.line("\n");
  file.raw("def rhs(t, y@p):\n", ", p=p0");
  file.line(
      R"(    """f of y' = f(t, y), or of M y' = f(t, y). A matrix y has a state in each column.""")");
  file.line("    y = np.asarray(y, dtype=float)\n    f = np.zeros(y.shape)");
  file.lines("    ", file.rate().lines);
  file.line("    return f\n\n");
  file.raw("def jacobian(t, y@p):\n", ", p=p0");
  file.line(R"(    """J[i, k] = df_i/dy_k.""")");
  file.line("    y = np.asarray(y, dtype=float)\n    J = np.zeros((N, N))");
  file.lines("    ", file.jacobian().lines);
  file.line("    return J\n\n");
  if (file.has_mass()) {
    file.index_note();
    file.line("M = np.zeros((N, N))");
    file.lines("", file.mass());
    file.line();
  }
  file.values("", "np.array([", "])");
  file.raw(R"(


def check():
    """The number of values that differ from those of rigidlimit."""
    f, J = rhs(check_t, check_y), jacobian(check_t, check_y)
    count = 0
    for name, value, expected, terms in (
            ("f", f, check_f, np.abs(check_f) + np.abs(J * check_y).sum(axis=1)),
            ("row sum of J", J.sum(axis=1), check_row_sums, np.abs(J).sum(axis=1))):
        for i in np.flatnonzero(~(np.abs(value - expected) <= 1e-12 * (terms + 1e-3 * terms.max()))):
            print(f"{name}[{i}] = {value[i]!r} differs from {expected[i]!r}")
            count += 1
    print(f"{count} of {2 * N} values differ")
    return count


if __name__ == "__main__":
    sys.exit(check() != 0)
)");
  return std::move(file).text();
}

// ---------------------------------------------------------------------------------------- Fortran

/// Declarations of the variables of straight-line code, ten a line.
void declare(SourceFile& file, const std::vector<std::string>& variables) {
  std::string names;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    names += (names.empty() ? "" : ", ") + variables[i];
    if (i % 10 == 9 || i + 1 == variables.size()) {
      file.line("    real(dp) :: " + names);
      names.clear();
    }
  }
}

void fortran_procedure(SourceFile& file, const std::string& name, const std::string& result,
                       const std::string& shape, const SourceStatements& code) {
  file.raw(fmt::format("  pure subroutine {}(t, y@p, {})\n", name, result), ", p");
  file.raw("    real(dp), intent(in) :: t, y(n)@p\n", ", p(n_p)");
  file.line(fmt::format("    real(dp), intent(out) :: {}({})", result, shape));
  declare(file, code.variables);
  file.line(fmt::format("    {} = 0.0_dp", result));
  file.lines("    ", code.lines);
  file.line(fmt::format("  end subroutine {}\n", name));
}

std::string fortran_source(const WrittenProblem& problem, const std::vector<std::string>& origin) {
  SourceFile file(problem, Writes::fortran);
  file.head(origin);
  file.tolerance_note();
  file.raw(R"(module rigidlimit_problem
  implicit none
  private :: dp
  integer, parameter :: dp = selected_real_kind(15)
)");
  const auto array = [&](const char* name, const VectorXd& x, bool named) {
    file.numbers(fmt::format("  real(dp), parameter :: {}(n) = [real(dp) ::", name), x, "]",
                 named ? file.components() : std::function<std::string(Index)>());
  };
  file.line(fmt::format("  integer, parameter :: n = {}  ! size of y", file.size()));
  file.line(fmt::format("  real(dp), parameter :: t0 = {}, t1 = {}", file.number(problem.t0),
                        file.number(problem.t1)));
  array("y0", problem.y0, true);
  if (file.has_parameters()) {
    file.line(
        fmt::format("  integer, parameter :: n_p = {}  ! size of p", problem.parameters.size()));
    file.numbers("  real(dp), parameter :: p0(n_p) = [real(dp) ::", problem.parameters, "]",
                 file.parameters());
  }
  file.line("  real(dp), parameter :: check_t = " + file.number(problem.check.t));
  array("check_y", problem.check.y, false);
  array("check_f", problem.check.f, false);
  array("check_row_sums", problem.check.row_sums, false);
  if (problem.reference) {
    file.comment("y at t1, and a bound of its error.");
    array("reference", problem.reference->y, true);
    array("reference_error", problem.reference->error, false);
  }
  file.line("contains\n");
  file.comment("f of y' = f(t, y), or of M y' = f(t, y).");
  fortran_procedure(file, "rhs", "f", "n", file.rate());
  file.comment("J(i, k) = df_i/dy_k.");
  fortran_procedure(file, "jacobian", "J", "n, n", file.jacobian());
  if (file.has_mass()) {
    file.index_note();
    file.line("  pure subroutine mass(M)\n    real(dp), intent(out) :: M(n, n)\n    M = 0.0_dp");
    file.lines("    ", file.mass());
    file.line("  end subroutine mass\n");
  }
  file.raw(R"(end module rigidlimit_problem

program check
  use rigidlimit_problem
  implicit none
  integer, parameter :: dp = kind(t0)
  real(dp) :: f(n), J(n, n), of_f(n), of_sums(n)
  integer :: i, differing
  call rhs(check_t, check_y@p, f)
  call jacobian(check_t, check_y@p, J)
  of_f = abs(check_f) + matmul(abs(J), abs(check_y))
  of_sums = sum(abs(J), dim=2)
  differing = 0
  do i = 1, n
    call compare('f', f(i), check_f(i), of_f(i) + 1e-3_dp * maxval(of_f))
    call compare('row sum of J', sum(J(i, :)), check_row_sums(i), of_sums(i) + 1e-3_dp * maxval(of_sums))
  end do
  print '(i0, a, i0, a)', differing, ' of ', 2 * n, ' values differ'
  if (differing > 0) stop 1
contains
  subroutine compare(name, value, expected, terms)
    character(*), intent(in) :: name
    real(dp), intent(in) :: value, expected, terms
    if (abs(value - expected) <= 1e-12_dp * terms) return
    print '(2a, i0, a, es24.16, a, es24.16)', name, '(', i, ') = ', value, ' differs from ', expected
    differing = differing + 1
  end subroutine compare
end program check
)",
           ", p0");
  return std::move(file).text();
}

// ----------------------------------------------------------------------------------------- DiffSL

/// The rows of M dy/dt, in the names of dudt_i.
std::vector<std::string> diffsl_mass_rows(const MatrixXd& mass) {
  std::vector<std::string> rows;
  for (Index i = 0; i < mass.rows(); ++i) {
    std::string row;
    for (Index k = 0; k < mass.cols(); ++k)
      if (mass(i, k) != 0.0)
        row +=
            fmt::format("{}{} * d{}", row.empty() ? "" : " + ",
                        mass(i, k) < 0.0 ? fmt::format("({})", literal(Writes::diffsl, mass(i, k)))
                                         : literal(Writes::diffsl, mass(i, k)),
                        element(Writes::diffsl, "y", static_cast<std::size_t>(k)));
    rows.push_back("    " + (row.empty() ? "0.0" : row) + ",");
  }
  return rows;
}

std::string diffsl_source(const WrittenProblem& problem, const std::vector<std::string>& origin) {
  SourceFile file(problem, Writes::diffsl);
  file.head(origin);
  file.comment(
      "A compiler of DiffSL differentiates F itself. u_i is the start at t0, a time that the "
      "language "
      "cannot state: set it in the solver. The comments at the end have values of rigidlimit: F = "
      "check_f and F' (1, ..., 1) = check_row_sums at (check_t, check_y).");
  file.line();
  const auto tensor = [&file](const std::string& name, const std::vector<std::string>& elements) {
    file.line(name + " {");
    file.lines("", elements);
    file.line("}");
  };
  const auto starts = [](const char* name, const VectorXd& x) {
    std::vector<std::string> all;
    for (Index i = 0; i < x.size(); ++i)
      all.push_back(fmt::format("{} = {}",
                                element(Writes::diffsl, name, static_cast<std::size_t>(i)),
                                literal(Writes::diffsl, x(i))));
    return all;
  };
  if (file.has_parameters())
    file.elements("in_i {", starts("p", problem.parameters), "}", file.parameters());
  file.elements("u_i {", starts("y", problem.y0), "}", file.components());
  if (file.has_mass()) {
    file.elements("dudt_i {", starts("dy", VectorXd::Zero(problem.size())), "}");
    file.index_note();
    tensor("M_i", diffsl_mass_rows(problem.mass));
  }
  file.lines("", file.rate().lines);
  std::vector<std::string> rates, states;
  for (std::size_t i = 0; i < file.size(); ++i) {
    rates.push_back("    " + element(Writes::diffsl, "f", i) + ",");
    states.push_back("    " + element(Writes::diffsl, "y", i) + ",");
  }
  tensor("F_i", rates);
  tensor("out_i", states);
  SourceFile values(problem, Writes::diffsl);
  values.line(fmt::format("t0 = {}\nt1 = {}", file.number(problem.t0), file.number(problem.t1)));
  values.values("", "[", "]");
  std::istringstream lines(std::move(values).text());
  for (std::string line; std::getline(lines, line);) file.line("// " + line);
  return std::move(file).text();
}

}  // namespace

std::string problem_source(const WrittenProblem& problem, SourceLanguage language,
                           const std::vector<std::string>& origin) {
  switch (language) {
    case Writes::c: return c_source(problem, origin);
    case Writes::python: return python_source(problem, origin);
    case Writes::fortran: return fortran_source(problem, origin);
    case Writes::javascript: return javascript_source(problem, origin);
    case Writes::diffsl: return diffsl_source(problem, origin);
  }
  return {};
}

namespace {

using Writes = SourceLanguage;

constexpr std::size_t comment_width = 100;  // columns; Fortran has 132

}  // namespace

void SourceFile::line(const std::string& text) {
  text_ += text;
  text_ += '\n';
}

void SourceFile::lines(const std::string& indent, const std::vector<std::string>& all) {
  for (const std::string& one : all) line(indent + one);
}

void SourceFile::raw(std::string_view text, std::string_view parameters) {
  text.remove_prefix(text.starts_with('\n') ? 1 : 0);
  for (std::size_t at = text.find("@p"); at != std::string_view::npos; at = text.find("@p")) {
    text_ += text.substr(0, at);
    if (has_parameters()) text_ += parameters;
    text.remove_prefix(at + 2);
  }
  text_ += text;
}

namespace {

/// A line that ends in a comment. C would join the next line to one with a backslash at its end, or
/// with the trigraph of it. Python would read the file in an encoding that it names in a comment of
/// the first two lines (PEP 263): in UTF-7, "+AAo-" ends a line.
std::string ended(std::string line) {
  if (line.ends_with('\\') || line.ends_with("?\?/")) line += '.';
  for (std::size_t at = 0; (at = line.find("coding", at)) != std::string::npos;) {
    at += std::string_view("coding").size();
    if (at < line.size() && (line[at] == ':' || line[at] == '=')) line.insert(at, 1, ' ');
  }
  return line;
}

}  // namespace

void SourceFile::comment(const std::string& text) {
  if (text.empty()) return line(mark());
  std::istringstream paragraphs(printable_lines(text));
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::istringstream words(paragraph);
    std::string current = mark();
    for (std::string word; words >> word;) {
      if (current.size() + 1 + word.size() > comment_width && current != mark()) {
        line(ended(std::move(current)));
        current = mark() + "  ";
      }
      current += " " + word;
    }
    line(ended(std::move(current)));
  }
}

void SourceFile::head(const std::vector<std::string>& origin) {
  comment(problem_.name + ": " + problem_.title);
  comment("");
  for (const std::string& one : origin) comment(one);
  for (const std::string& one : problem_.facts) comment(one);
  comment("Reference: " + problem_.reference_text + ".");
  comment("");
}

void SourceFile::tolerance_note() {
  comment(
      "The program part compares f and the row sums of J with values of rigidlimit at (check_t, "
      "check_y). It ends with status 1 if one differs by more than 1e-12 of its size: the sum of "
      "the absolute values of its terms, and a thousandth of the largest such sum.");
}

void SourceFile::index_note() {
  std::string text = "M of M y' = f(t, y); index of the components:";
  for (const int index : problem_.index) text += fmt::format(" {}", index);
  comment(text + " (0: differential)");
}

void SourceFile::numbers(const std::string& open, const VectorXd& x, const std::string& close,
                         const Note& note) {
  std::vector<std::string> all;
  for (Index i = 0; i < x.size(); ++i) all.push_back(literal(language_, x(i)));
  elements(open, all, close, note);
}

void SourceFile::elements(const std::string& open, const std::vector<std::string>& all,
                          const std::string& close, const Note& note) {
  const bool fortran = language_ == Writes::fortran;
  line(open + (fortran ? " &" : ""));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool last = i + 1 == all.size();
    std::string text = "    " + all[i] + (fortran && last ? "" : ",");
    if (fortran) text += " &";
    if (note) text = ended(text + "  " + mark() + " " + printable(note(static_cast<Index>(i))));
    line(text);
  }
  line((fortran ? "    " : "") + close);
}

SourceFile::Note SourceFile::components() const {
  return [this](Index i) {
    const auto at = static_cast<std::size_t>(i);
    return problem_.units[at].empty() ? problem_.names[at]
                                      : problem_.names[at] + ", " + problem_.units[at];
  };
}

SourceFile::Note SourceFile::parameters() const {
  return [this](Index i) { return problem_.parameter_names[static_cast<std::size_t>(i)]; };
}

void SourceFile::values(const std::string& constant, const std::string& open,
                        const std::string& close) {
  const auto begin = [&](const char* name) {
    return fmt::format("{}{} = {}", constant, name, open);
  };
  const bool ends = language_ == Writes::c || language_ == Writes::javascript;
  line(fmt::format("{}check_t = {}{}", constant, number(problem_.check.t), ends ? ";" : ""));
  numbers(begin("check_y"), problem_.check.y, close);
  numbers(begin("check_f"), problem_.check.f, close);
  numbers(begin("check_row_sums"), problem_.check.row_sums, close);
  if (!problem_.reference) return;
  line();
  comment("y at t1, and a bound of its error.");
  numbers(begin("reference"), problem_.reference->y, close, components());
  numbers(begin("reference_error"), problem_.reference->error, close);
}

SourceStatements SourceFile::rate() const {
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < size(); ++i) outputs.push_back(element(language_, "f", i));
  return statements_of(language_, problem_.equations.rate, inputs(), outputs);
}

SourceStatements SourceFile::jacobian() const {
  std::vector<std::string> outputs;
  for (std::size_t k = 0; k < size(); ++k)
    for (std::size_t i = 0; i < size(); ++i) outputs.push_back(element(language_, "J", i, k, "N"));
  return statements_of(language_, problem_.equations.jacobian, inputs(), outputs);
}

std::vector<std::string> SourceFile::mass() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t k = 0; k < size(); ++k) {
      const double x = problem_.mass(static_cast<Index>(i), static_cast<Index>(k));
      if (x != 0.0)
        all.push_back(
            assignment(language_, element(language_, "M", i, k, "N"), literal(language_, x)));
    }
  return all;
}

std::string SourceFile::mark() const {
  switch (language_) {
    case Writes::c:
    case Writes::javascript:
    case Writes::diffsl: return "//";
    case Writes::fortran: return "!";
    default: return "#";
  }
}

std::vector<std::string> SourceFile::inputs() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back(element(language_, "y", i));
  all.emplace_back("t");
  for (Index i = 0; i < problem_.parameters.size(); ++i)
    all.push_back(element(language_, "p", static_cast<std::size_t>(i)));
  return all;
}

}  // namespace rigidlimit
