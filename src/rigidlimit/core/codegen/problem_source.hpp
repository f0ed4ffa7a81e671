// A problem as source code that depends on nothing of this library, in several languages.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/core/codegen/source_language.hpp"
#include "rigidlimit/core/codegen/written_problem.hpp"

namespace rigidlimit {

/// A file with the constants of the problem, rhs, jacobian, the mass matrix if there is one, the
/// check values, the reference, and a main part. The main part compares f and J·1 with the check
/// values and ends with status 1 if one differs by more than 1e-12 of its size: the sum of the
/// absolute values of its terms, |f_i| + sum_k |J_ik y_k| or sum_k |J_ik|, and a thousandth of the
/// largest such sum, because a value that is 0 by cancellation has no size of its own.
///
/// C99; Python with NumPy; Fortran (F2008); JavaScript (ES modules); DiffSL, the language of
/// diffsol. DiffSL has no main part and no Jacobian, since its compilers differentiate: it has the
/// interval, the check values and the reference as comments. Throws InputError for equations with
/// an operation that the language does not have (statements_of).
/// `origin`: lines of the head comment that say what wrote the file.
std::string problem_source(const WrittenProblem& problem, SourceLanguage language,
                           const std::vector<std::string>& origin);

class SourceFile {
 public:
  using Note = std::function<std::string(Index)>;

  SourceFile(const WrittenProblem& problem, SourceLanguage language)
      : problem_(problem), language_(language) {}

  void line(const std::string& text = "");
  void lines(const std::string& indent, const std::vector<std::string>& all);
  /// Lines of a raw string, without the first line break. "@p" stands for `parameters` if the
  /// equations have parameters, else for nothing.
  void raw(std::string_view text, std::string_view parameters = "");

  void comment(const std::string& text);  ///< broken between words
  void head(const std::vector<std::string>& origin);
  void tolerance_note();  ///< what the program part compares
  void index_note();      ///< the index of each component of a DAE

  /// Numbers, one a line, between `open` and `close`; `note(i)` is a comment behind each.
  void numbers(const std::string& open, const VectorXd& x, const std::string& close,
               const Note& note = {});
  /// The same of texts.
  void elements(const std::string& open, const std::vector<std::string>& all,
                const std::string& close, const Note& note = {});
  Note components() const;  ///< name and unit of a component
  Note parameters() const;  ///< name of a parameter
  /// The check values and the reference, as assignments `constant` NAME = `open` … `close`.
  void values(const std::string& constant, const std::string& open, const std::string& close);

  SourceStatements rate() const;
  SourceStatements jacobian() const;
  /// Assignments of the entries of the mass matrix that are not 0.
  std::vector<std::string> mass() const;
  bool has_mass() const { return problem_.mass.size() > 0; }
  bool has_parameters() const { return problem_.parameters.size() > 0; }

  std::size_t size() const { return static_cast<std::size_t>(problem_.size()); }
  std::string number(double x) const { return literal(language_, x); }
  std::string text() && { return std::move(text_); }

 private:
  std::string mark() const;
  std::vector<std::string> inputs() const;

  const WrittenProblem& problem_;
  SourceLanguage language_;
  std::string text_;
};

}  // namespace rigidlimit
