// The statements of a tape in programming languages that people read and run.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

enum class SourceLanguage { c, python, fortran, javascript, diffsl };

inline constexpr std::array source_languages{SourceLanguage::c, SourceLanguage::python,
                                             SourceLanguage::fortran, SourceLanguage::javascript,
                                             SourceLanguage::diffsl};

const char* name_of(SourceLanguage language);  ///< the enumerator: "c", "python", …
/// The language of this name. Throws InputError for another name.
SourceLanguage source_language(const std::string& name);

/// A number with the digits that give back the same double. Throws std::invalid_argument for a
/// number that is not finite, which has no literal in Fortran.
std::string literal(SourceLanguage language, double x);

/// Element i (row i and column k of a matrix), from 0, of an array. The matrices of C and
/// JavaScript are flat, row by row, with `columns` columns; the name of a constant. DiffSL has no
/// such element of a matrix, and those of a vector have names: y0, y1, …. Throws
/// std::invalid_argument for a matrix in DiffSL.
std::string element(SourceLanguage language, std::string_view array, std::size_t i);
std::string element(SourceLanguage language, std::string_view matrix, std::size_t i, std::size_t k,
                    std::string_view columns);

/// The text of an assignment of a value, with the end of the statement.
std::string assignment(SourceLanguage language, std::string_view to, std::string_view value);

/// Straight-line code, one operation a line, that assigns the results of a tape.
struct SourceStatements {
  std::vector<std::string> lines;
  std::vector<std::string> variables;  ///< in the order of their first use, for a declaration
};

/// `inputs`: the text of each argument of the tape. `outputs`: the text of the place of each
/// result; a result that is always 0 is assigned in DiffSL alone. The operations are those of the
/// tape in its order, so that results differ from those of the library by the rounding of functions
/// such as sine alone, unless a compiler contracts or reorders operations. An integer power is
/// written with an integer exponent in Fortran, and a tangent as sine / cosine in DiffSL, whose
/// compiler stops the process at a tangent. Throws InputError for an operation that DiffSL does not
/// have: asin, acos, atan, atan2, comparisons and the choice between two values.
SourceStatements statements_of(SourceLanguage language, const Tape& tape,
                               const std::vector<std::string>& inputs,
                               const std::vector<std::string>& outputs);

}  // namespace rigidlimit
