// A tape as a sequence of statements, for a writer of any language.
#pragma once

#include <cstdint>
#include <vector>

#include "rigidlimit/core/tape/tape_form.hpp"

namespace rigidlimit {

/// Writes the statements of a tape in one language. Values are numbered as in TapeForm.
class StatementWriter {
 public:
  StatementWriter() = default;
  StatementWriter(const StatementWriter&) = delete;
  StatementWriter& operator=(const StatementWriter&) = delete;
  virtual ~StatementWriter() = default;

  virtual void input(std::uint32_t i) = 0;  ///< argument i, which a statement reads
  virtual void step(std::uint32_t value, const TapeForm::Step& step) = 0;
  virtual void output(std::uint32_t i, std::uint32_t value) = 0;  ///< result i is this value
};

/// Passes all statements to the writer: the inputs that are read, the constant results, then each
/// step, followed by the results that it gives.
void write_statements(const TapeForm& form, StatementWriter& writer);

/// The constants of the form of a tape, in its order.
std::vector<double> constants_of(const Tape& tape, const TapeForm& form);

}  // namespace rigidlimit
