#include "rigidlimit/core/codegen/source_language.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "rigidlimit/core/codegen/tape_statements.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"

namespace rigidlimit {
namespace {

using Language = SourceLanguage;

/// "add", "sin", "select": the enumerator.
const char* name_of(Operation operation) {
#define RIGIDLIMIT_NAME(name, ...) #name,
  constexpr std::array names{"constant", "input",
                             RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_NAME)
                                 RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_NAME) "atan2",
                             "power", RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_NAME) "select"};
#undef RIGIDLIMIT_NAME
  return names.at(static_cast<std::size_t>(operation));
}

/// The name of a function that has another name than its operation.
std::string function_name(Language language, Operation operation) {
  using Names = std::map<Operation, std::string>;
  static const std::map<Language, Names> special{{Language::c, {{Operation::abs, "fabs"}}},
                                                 {Language::python,
                                                  {{Operation::asin, "arcsin"},
                                                   {Operation::acos, "arccos"},
                                                   {Operation::atan, "arctan"},
                                                   {Operation::atan2, "arctan2"}}},

                                                 {Language::fortran, {}},
                                                 {Language::javascript, {}},
                                                 {Language::diffsl, {}}};
  const Names& names = special.at(language);
  const auto found = names.find(operation);
  const std::string name = found == names.end() ? name_of(operation) : found->second;
  if (language == Language::python) return "np." + name;
  return language == Language::javascript ? "Math." + name : name;
}

/// Before the first assignment of a constant.
std::string declaration(Language language) {
  switch (language) {
    case Language::c: return "const double ";
    case Language::javascript: return "const ";
    default: return "";
  }
}

/// Throws InputError for an operation without an equivalent in DiffSL.
void require_in_diffsl(Operation operation) {
  switch (operation) {
    case Operation::asin:
    case Operation::acos:
    case Operation::atan:
    case Operation::atan2:
      throw InputError(fmt::format("DiffSL has no function {}", name_of(operation)), "--language");
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::select:
      throw InputError("DiffSL has no comparison, which these equations need", "--language");
    default: return;
  }
}

std::string choice(Language language, const std::string& condition, const std::string& yes,
                   const std::string& no) {
  switch (language) {
    case Language::c:
    case Language::javascript: return fmt::format("{} ? {} : {}", condition, yes, no);
    case Language::python: return fmt::format("np.where({}, {}, {})", condition, yes, no);
    case Language::fortran: return fmt::format("merge({}, {}, {})", yes, no, condition);
    case Language::diffsl: break;  // require_in_diffsl()
  }
  return {};
}

std::string power_text(Language language, const std::string& a, const std::string& b,
                       double exponent) {
  switch (language) {
    case Language::c:
    case Language::diffsl: return fmt::format("pow({}, {})", a, b);
    case Language::python: return fmt::format("{} ** {}", a, b);
    case Language::javascript: return fmt::format("Math.pow({}, {})", a, b);
    case Language::fortran:  // a real exponent is not standard for a negative base
      if (exponent == std::round(exponent) && std::abs(exponent) < 1e9)
        return fmt::format("{}**({:.0f})", a, exponent);
      return fmt::format("{}**{}", a, b);
  }
  return {};
}

/// Writes the statements of one tape.
class SourceWriter final : public StatementWriter {
 public:
  SourceWriter(Language language, const Tape& tape, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs)
      : language_(language),
        form_(form_of(tape)),
        constants_(constants_of(tape, form_)),
        inputs_(inputs),
        outputs_(outputs) {}

  SourceStatements statements() {
    write_statements(form_, *this);
    return std::move(result_);
  }

 private:
  void input(std::uint32_t) override {}
  void step(std::uint32_t value, const TapeForm::Step& step) override {
    const std::string name = text(value);
    result_.variables.push_back(name);
    const std::string line = assignment(language_, name, operation(step));
    result_.lines.push_back(declaration(language_) + line);
  }
  void output(std::uint32_t i, std::uint32_t value) override {
    const bool is_zero = TapeForm::is_constant(value) && constant(value) == 0.0;
    if (is_zero && language_ != Language::diffsl) return;
    result_.lines.push_back(assignment(language_, outputs_.at(i), text(value)));
  }

  double constant(std::uint32_t value) const {
    return constants_.at(value - TapeForm::first_constant);
  }
  std::string text(std::uint32_t value) const {
    if (TapeForm::is_constant(value)) {
      const std::string number = literal(language_, constant(value));
      return number.front() == '-' ? "(" + number + ")" : number;
    }
    return value < form_.inputs ? inputs_.at(value) : fmt::format("v{}", value - form_.inputs);
  }
  std::string operation(const TapeForm::Step& step) const {
    if (language_ == Language::diffsl) require_in_diffsl(step.operation);
    const int count = operands_of(step.operation);
    const std::string a = text(step.a), b = count > 1 ? text(step.b) : "",
                      c = count > 2 ? text(step.c) : "";
    const auto condition = [&](const char* sign) {
      return choice(language_, fmt::format("{} {} {}", a, sign, b), literal(language_, 1.0),
                    literal(language_, 0.0));
    };
    switch (step.operation) {
      case Operation::add: return a + " + " + b;
      case Operation::subtract: return a + " - " + b;
      case Operation::multiply: return a + " * " + b;
      case Operation::divide: return a + " / " + b;
      case Operation::negate: return "-" + a;
      case Operation::less: return condition("<");
      case Operation::less_equal: return condition("<=");
      case Operation::equal: return condition("==");
      case Operation::select: {
        const char* unequal = language_ == Language::fortran ? "/=" : "!=";
        return choice(language_, fmt::format("{} {} {}", a, unequal, literal(language_, 0.0)), b,
                      c);
      }
      case Operation::power: return power_text(language_, a, b, constant(step.b));
      case Operation::atan2:
        return fmt::format("{}({}, {})", function_name(language_, step.operation), a, b);
      case Operation::tan:
        if (language_ == Language::diffsl) return fmt::format("sin({}) / cos({})", a, a);
        [[fallthrough]];
      default: return fmt::format("{}({})", function_name(language_, step.operation), a);
    }
  }

  Language language_;
  TapeForm form_;
  std::vector<double> constants_;
  const std::vector<std::string>&inputs_, &outputs_;
  SourceStatements result_;
};

}  // namespace

const char* name_of(SourceLanguage language) {
  switch (language) {
    case Language::c: return "c";
    case Language::python: return "python";
    case Language::fortran: return "fortran";
    case Language::javascript: return "javascript";
    case Language::diffsl: return "diffsl";
  }
  return "";
}

SourceLanguage source_language(const std::string& name) {
  std::vector<std::string> known;
  for (const SourceLanguage language : source_languages) {
    if (name == name_of(language)) return language;
    known.emplace_back(name_of(language));
  }
  throw InputError("no language '" + name + "'" + suggestion(name, known));
}

std::string literal(SourceLanguage language, double x) {
  if (!std::isfinite(x)) throw std::invalid_argument(fmt::format("{} has no literal", x));
  std::string number = fmt::format("{}", x);  // the shortest digits that give back x
  if (number.find_first_of(".e") == std::string::npos) number += ".0";
  return language == Language::fortran ? number + "_dp" : number;
}

std::string element(SourceLanguage language, std::string_view array, std::size_t i) {
  switch (language) {
    case Language::c:
    case Language::javascript:
    case Language::python: return fmt::format("{}[{}]", array, i);
    case Language::fortran: return fmt::format("{}({})", array, i + 1);
    case Language::diffsl: return fmt::format("{}{}", array, i);
  }
  return {};
}

std::string element(SourceLanguage language, std::string_view matrix, std::size_t i, std::size_t k,
                    std::string_view columns) {
  switch (language) {
    case Language::c:
    case Language::javascript: return fmt::format("{}[{} * {} + {}]", matrix, i, columns, k);
    case Language::python: return fmt::format("{}[{}, {}]", matrix, i, k);
    case Language::fortran: return fmt::format("{}({}, {})", matrix, i + 1, k + 1);
    case Language::diffsl: break;
  }
  throw std::invalid_argument("DiffSL has no element of a matrix");
}

std::string assignment(SourceLanguage language, std::string_view to, std::string_view value) {
  if (language == Language::diffsl) return fmt::format("{} {{ {} }}", to, value);
  const bool ends = language == Language::c || language == Language::javascript;
  return fmt::format("{} = {}{}", to, value, ends ? ";" : "");
}

SourceStatements statements_of(SourceLanguage language, const Tape& tape,
                               const std::vector<std::string>& inputs,
                               const std::vector<std::string>& outputs) {
  return SourceWriter(language, tape, inputs, outputs).statements();
}

}  // namespace rigidlimit
