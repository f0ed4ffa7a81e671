#include "rigidlimit/core/codegen/problem_source.hpp"

#include <fmt/format.h>

#include <functional>
#include <sstream>

namespace rigidlimit {
namespace {

using Language = SourceLanguage;

constexpr std::size_t comment_width = 100;  // columns; Fortran has 132

/// The text of a file in one language, and the parts that all languages share.
class SourceFile {
 public:
  SourceFile(const WrittenProblem& problem, Language language)
      : problem_(problem), language_(language) {}

  void line(const std::string& text = "") {
    text_ += text;
    text_ += '\n';
  }
  void lines(const std::string& indent, const std::vector<std::string>& all) {
    for (const std::string& one : all) line(indent + one);
  }
  /// Lines of a raw string, without the first line break.
  void raw(std::string_view text) { text_ += text.substr(text.starts_with('\n') ? 1 : 0); }

  /// A comment, broken between words.
  void comment(const std::string& text) {
    if (text.empty()) return line(mark());
    std::istringstream paragraphs(text);
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
      std::istringstream words(paragraph);
      std::string current = mark();
      for (std::string word; words >> word;) {
        if (current.size() + 1 + word.size() > comment_width && current != mark()) {
          line(current);
          current = mark() + "  ";
        }
        current += " " + word;
      }
      line(current);
    }
  }

  void head(const std::vector<std::string>& origin) {
    comment(problem_.name + ": " + problem_.title);
    comment("");
    for (const std::string& one : origin) comment(one);
    for (const std::string& one : problem_.facts) comment(one);
    comment("Reference: " + problem_.reference_text + ".");
    comment("");
  }

  /// Numbers, one a line, between `open` and `close`; `note(i)` is a comment behind each.
  void numbers(const std::string& open, const VectorXd& x, const std::string& close,
               const std::function<std::string(Index)>& note = {}) {
    const bool fortran = language_ == Language::fortran;
    line(open + (fortran ? " &" : ""));
    for (Index i = 0; i < x.size(); ++i) {
      const bool last = i + 1 == x.size();
      std::string text = "    " + literal(language_, x(i)) + (fortran && last ? "" : ",");
      if (fortran) text += " &";
      if (note) text += "  " + mark() + " " + note(i);
      line(text);
    }
    line((fortran ? "    " : "") + close);
  }
  /// Name and unit of a component.
  std::string component(Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return problem_.units[at].empty() ? problem_.names[at]
                                      : problem_.names[at] + ", " + problem_.units[at];
  }
  std::function<std::string(Index)> components() const {
    return [this](Index i) { return component(i); };
  }

  SourceStatements rate() const {
    std::vector<std::string> outputs;
    for (std::size_t i = 0; i < size(); ++i) outputs.push_back(element(language_, "f", i));
    return statements_of(language_, problem_.equations.rate, inputs(), outputs);
  }
  SourceStatements jacobian() const {
    std::vector<std::string> outputs;
    for (std::size_t k = 0; k < size(); ++k)
      for (std::size_t i = 0; i < size(); ++i)
        outputs.push_back(element(language_, "J", i, k, "N"));
    return statements_of(language_, problem_.equations.jacobian, inputs(), outputs);
  }
  /// Assignments of the entries of the mass matrix that are not 0.
  std::vector<std::string> mass() const {
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
  bool has_mass() const { return problem_.mass.size() > 0; }

  std::size_t size() const { return static_cast<std::size_t>(problem_.size()); }
  std::string number(double x) const { return literal(language_, x); }
  const WrittenProblem& problem() const { return problem_; }
  std::string text() && { return std::move(text_); }

 private:
  std::string mark() const {
    switch (language_) {
      case Language::c: return "//";
      case Language::fortran: return "!";
      default: return "#";
    }
  }
  std::vector<std::string> inputs() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < size(); ++i) all.push_back(element(language_, "y", i));
    all.emplace_back("t");
    return all;
  }

  const WrittenProblem& problem_;
  Language language_;
  std::string text_;
};

constexpr const char* of_tolerance =
    "The program part compares f and the row sums of J with values of rigidlimit at (check_t, "
    "check_y). It ends with status 1 if one differs by more than 1e-12 of its size: the sum of the "
    "absolute values of its terms, and a thousandth of the largest such sum.";

std::string index_note(const WrittenProblem& problem) {
  std::string text = "M of M y' = f(t, y); index of the components:";
  for (const int index : problem.index) text += fmt::format(" {}", index);
  return text + " (0: differential)";
}

// ---------------------------------------------------------------------------------------------- C

std::string c_source(const WrittenProblem& problem, const std::vector<std::string>& origin) {
  SourceFile file(problem, Language::c);
  file.head(origin);
  file.comment(of_tolerance);
  file.comment(
      "cc -std=c99 -O2 FILE.c -lm && ./a.out; with -DRIGIDLIMIT_NO_MAIN for use in a program.");
  file.raw("#include <math.h>\n\n");
  file.line(fmt::format("enum {{ N = {} }};  // size of y", file.size()));
  file.line(fmt::format("const double T0 = {}, T1 = {};", file.number(problem.t0),
                        file.number(problem.t1)));
  file.numbers("const double Y0[] = {", problem.y0, "};", file.components());
  file.line();
  file.comment("f of y' = f(t, y), or of M y' = f(t, y).");
  file.line("void rhs(double t, const double *y, double *f)\n{\n  (void)t;");
  file.line("  for (int i = 0; i < N; ++i) f[i] = 0.0;");
  file.lines("  ", file.rate().lines);
  file.line("}\n");
  file.comment("J[i * N + k] = df_i/dy_k.");
  file.line("void jacobian(double t, const double *y, double *J)\n{\n  (void)t, (void)y;");
  file.line("  for (int i = 0; i < N * N; ++i) J[i] = 0.0;");
  file.lines("  ", file.jacobian().lines);
  file.line("}\n");
  if (file.has_mass()) {
    file.comment(index_note(problem));
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
  rhs(CHECK_T, CHECK_Y, f);
  jacobian(CHECK_T, CHECK_Y, J);
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
)");
  return std::move(file).text();
}

/// The check values and the reference, as assignments NAME = OPEN … CLOSE of Python and Julia.
void write_values(const WrittenProblem& problem, SourceFile& file, const std::string& constant,
                  const std::string& open, const std::string& close) {
  const auto begin = [&](const char* name) {
    return fmt::format("{}{} = {}", constant, name, open);
  };
  file.line(fmt::format("{}check_t = {}", constant, file.number(problem.check.t)));
  file.numbers(begin("check_y"), problem.check.y, close);
  file.numbers(begin("check_f"), problem.check.f, close);
  file.numbers(begin("check_row_sums"), problem.check.row_sums, close);
  if (!problem.reference) return;
  file.line();
  file.comment("y at t1, and a bound of its error.");
  file.numbers(begin("reference"), problem.reference->y, close, file.components());
  file.numbers(begin("reference_error"), problem.reference->error, close);
}

// ----------------------------------------------------------------------------------------- Python

std::string python_source(const WrittenProblem& problem, const std::vector<std::string>& origin) {
  SourceFile file(problem, Language::python);
  file.head(origin);
  file.comment(of_tolerance);
  file.raw("import sys\n\nimport numpy as np\n\n");
  file.line(fmt::format("N = {}  # size of y", file.size()));
  file.line(fmt::format("t0 = {}\nt1 = {}", file.number(problem.t0), file.number(problem.t1)));
  file.numbers("y0 = np.array([", problem.y0, "])", file.components());
  file.line("\n");
  file.line("def rhs(t, y):");
  file.line(
      R"(    """f of y' = f(t, y), or of M y' = f(t, y). A matrix y has a state in each column.""")");
  file.line("    y = np.asarray(y, dtype=float)\n    f = np.zeros(y.shape)");
  file.lines("    ", file.rate().lines);
  file.line("    return f\n\n");
  file.line("def jacobian(t, y):");
  file.line(R"(    """J[i, k] = df_i/dy_k.""")");
  file.line("    y = np.asarray(y, dtype=float)\n    J = np.zeros((N, N))");
  file.lines("    ", file.jacobian().lines);
  file.line("    return J\n\n");
  if (file.has_mass()) {
    file.comment(index_note(problem));
    file.line("M = np.zeros((N, N))");
    file.lines("", file.mass());
    file.line();
  }
  write_values(problem, file, "", "np.array([", "])");
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

// ------------------------------------------------------------------------------------------ Julia

std::string julia_source(const WrittenProblem& problem, const std::vector<std::string>& origin) {
  SourceFile file(problem, Language::julia);
  file.head(origin);
  file.comment(of_tolerance);
  file.line(fmt::format("const N = {}  # size of y", file.size()));
  file.line(fmt::format("const t0 = {}\nconst t1 = {}", file.number(problem.t0),
                        file.number(problem.t1)));
  file.numbers("const y0 = [", problem.y0, "]", file.components());
  file.line();
  file.comment("f of y' = f(t, y), or of M y' = f(t, y); p is unused, as ODEFunction passes it.");
  file.line("function rhs!(f, y, p, t)\n    fill!(f, 0.0)");
  file.lines("    ", file.rate().lines);
  file.line("    return nothing\nend\nrhs(t, y) = (f = zeros(N); rhs!(f, y, nothing, t); f)\n");
  file.comment("J[i, k] = df_i/dy_k.");
  file.line("function jacobian!(J, y, p, t)\n    fill!(J, 0.0)");
  file.lines("    ", file.jacobian().lines);
  file.line("    return nothing\nend");
  file.line("jacobian(t, y) = (J = zeros(N, N); jacobian!(J, y, nothing, t); J)\n");
  if (file.has_mass()) {
    file.comment(index_note(problem));
    file.line("const M = zeros(N, N)");
    file.lines("", file.mass());
    file.line();
  }
  write_values(problem, file, "const ", "[", "]");
  file.raw(R"(

# The number of values that differ from those of rigidlimit.
function check()
    f, J = rhs(check_t, check_y), jacobian(check_t, check_y)
    of_f = abs.(check_f) .+ vec(sum(abs.(J .* check_y'), dims=2))
    of_sums = vec(sum(abs.(J), dims=2))
    count = 0
    for (name, value, expected, terms) in (("f", f, check_f, of_f),
                                           ("row sum of J", vec(sum(J, dims=2)), check_row_sums, of_sums))
        for i in 1:N
            abs(value[i] - expected[i]) <= 1e-12 * (terms[i] + 1e-3 * maximum(terms)) && continue
            println(name, "[", i, "] = ", value[i], " differs from ", expected[i])
            count += 1
        end
    end
    println(count, " of ", 2 * N, " values differ")
    return count
end

if abspath(PROGRAM_FILE) == @__FILE__
    exit(check() == 0 ? 0 : 1)
end
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
  file.line(fmt::format("  pure subroutine {}(t, y, {})", name, result));
  file.line("    real(dp), intent(in) :: t, y(n)");
  file.line(fmt::format("    real(dp), intent(out) :: {}({})", result, shape));
  declare(file, code.variables);
  file.line(fmt::format("    {} = 0.0_dp", result));
  file.lines("    ", code.lines);
  file.line(fmt::format("  end subroutine {}\n", name));
}

std::string fortran_source(const WrittenProblem& problem, const std::vector<std::string>& origin) {
  SourceFile file(problem, Language::fortran);
  file.head(origin);
  file.comment(of_tolerance);
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
    file.comment(index_note(problem));
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
  call rhs(check_t, check_y, f)
  call jacobian(check_t, check_y, J)
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
)");
  return std::move(file).text();
}

}  // namespace

std::string problem_source(const WrittenProblem& problem, SourceLanguage language,
                           const std::vector<std::string>& origin) {
  switch (language) {
    case Language::c: return c_source(problem, origin);
    case Language::python: return python_source(problem, origin);
    case Language::julia: return julia_source(problem, origin);
    case Language::fortran: return fortran_source(problem, origin);
  }
  return {};
}

}  // namespace rigidlimit
