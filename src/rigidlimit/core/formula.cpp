#include "rigidlimit/core/formula.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/letters.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/suggest.hpp"

namespace rigidlimit {

namespace {

/// Levels of parentheses, signs, exponents and arguments: each takes a few nested calls.
constexpr int deepest = 100;
constexpr std::size_t most_in_formula = 10'000;
/// Above it, repeated multiplication would be no more accurate than pow().
constexpr double largest_product = 8.0;

#define RIGIDLIMIT_NAME(name, ...) #name,
constexpr std::array functions = {RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_NAME) "sqrt", "sign"};
#undef RIGIDLIMIT_NAME
/// Functions of two arguments, with their codes.
constexpr std::array functions_of_two = {"atan2", "min", "max"};

double chosen(bool condition, double yes, double no) {
  return condition ? yes : no;
}
Expression chosen(const Condition& condition, const Expression& yes, const Expression& no) {
  return select(condition, yes, no);
}

/// 1, 0 or −1.
template <class T>
T sign_of(const T& x) {
  return chosen(T(0) < x, T(1), chosen(x < T(0), T(-1), T(0)));
}

/// Piecewise linear through (x_i, y_i), constant beyond.
template <class T>
T interpolated(const T& x, const std::vector<double>& at, const std::vector<double>& y) {
  T result = y.back();
  for (std::size_t i = at.size() - 1; i-- > 0;) {
    const double slope = (y[i + 1] - y[i]) / (at[i + 1] - at[i]);
    result = chosen(x < T(at[i + 1]), T(y[i]) + T(slope) * (x - T(at[i])), result);
  }
  return chosen(x < T(at.front()), T(y.front()), result);
}

template <class T>
T called(std::size_t function, const T& x) {
  using std::abs, std::acos, std::asin, std::atan, std::cos, std::cosh, std::exp, std::log;
  using std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  const std::string_view called = functions[function];
#define RIGIDLIMIT_CALL(name, ...) \
  if (called == #name) return name(x);
  RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_CALL)
#undef RIGIDLIMIT_CALL
  return called == "sqrt" ? sqrt(x) : sign_of(x);
}

template <class T>
T powered(const T& x, double p) {
  using std::pow;
  if (!(p >= 1.0 && p <= largest_product && p == std::floor(p))) return pow(x, p);
  T product = x;
  for (int k = 1; k < static_cast<int>(p); ++k) product = product * x;
  return product;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The end of the name that begins at `at`: x, r_2, x''.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || text[at] == '_')) ++at;
  while (at < text.size() && text[at] == '\'') ++at;
  return at;
}

/// The end of the number that begins at `at`, for any value.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  const auto digits = [&] {
    while (at < text.size() && is_digit(text[at])) ++at;
  };
  digits();
  if (at < text.size() && text[at] == '.') ++at, digits();
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  const std::size_t mantissa = at++;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  if (at >= text.size() || !is_digit(text[at])) return mantissa;
  digits();
  return at;
}

std::string dependences(unsigned may_depend) {
  std::vector<std::string> names;
  if ((may_depend & on_coordinates) != 0) names.emplace_back("coordinates");
  if ((may_depend & on_velocities) != 0) names.emplace_back("velocities");
  if ((may_depend & on_time) != 0) names.emplace_back("t");
  names.emplace_back("parameters");
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

/// Recursive-descent parser that appends to the steps.
class Formula::Parser {
 public:
  Parser(const PlacedText& text, const FormulaSymbols& symbols, unsigned may_depend)
      : source_(text), text_(text.text), symbols_(symbols), may_depend_(may_depend) {}

  Formula whole() {
    return read_to_end([this] { sum(); }, "an operator or the end");
  }
  /// if(condition, 1, 0).
  Formula whole_condition() {
    return read_to_end(
        [this] {
          condition();
          emit({.code = Code::number, .value = 1.0});
          emit({.code = Code::number, .value = 0.0});
          emit(Code::select);
        },
        "'and', 'or' or the end");
  }

 private:
  /// Counts one nesting level during its lifetime.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest)
        parser_.refuse(fmt::format("nests more than {} deep, the limit", deepest));
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  template <class Read>
  Formula read_to_end(const Read& read, const char* otherwise) {
    Formula formula;
    to_ = &formula;
    advance();
    read();
    if (!token_.empty()) fail(otherwise);
    return formula;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}: {}", shortened(printable(source_.key), 200), what),
                     printable(source_.where(at_)));
  }
  [[noreturn]] void fail(const std::string& expected) const {
    constexpr std::size_t quotable = 40;
    const std::string read =
        token_.empty() ? "the end" : fmt::format("'{}'", shortened(printable(token_), quotable));
    refuse(fmt::format("read {} where {} was expected", read, expected));
  }

  /// The next token: a name, a number, an operator of one or two characters, one other character;
  /// empty: the end.
  void advance() {
    at_ += token_.size();
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    token_ = text_.substr(at_, end_of_token() - at_);
  }
  std::size_t end_of_token() const {
    if (at_ >= text_.size()) return at_;
    const char c = text_[at_];
    if (is_letter(c)) return end_of_name(text_, at_);
    const bool point = c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (is_digit(c) || point) return end_of_number(text_, at_);
    for (const std::string_view two : {"<=", ">=", "==", "!="})
      if (text_.substr(at_).starts_with(two)) return at_ + 2;
    std::size_t end = at_ + 1;  // a whole character of UTF-8
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0U) == 0x80U) ++end;
    return end;
  }
  bool accept(std::string_view token) {
    if (token_ != token) return false;
    advance();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("'{}'", token));
  }

  void emit(Step step) {
    if (to_->steps_.size() >= most_in_formula)
      refuse(fmt::format("has more than {} operations; define parts of it in [system.let]",
                         most_in_formula));
    to_->steps_.push_back(step);
  }
  void emit(Code code, std::size_t index = 0) {
    emit({.code = code, .index = static_cast<std::uint32_t>(index)});
  }

  void sum() {
    product();
    while (token_ == "+" || token_ == "-") {
      const Code code = token_ == "+" ? Code::add : Code::subtract;
      advance();
      product();
      emit(code);
    }
  }
  void product() {
    signed_power();
    while (token_ == "*" || token_ == "/") {
      const Code code = token_ == "*" ? Code::multiply : Code::divide;
      advance();
      if (code == Code::multiply && token_ == "*" && text_[at_ - 1] == '*')
        refuse("'**' is not an operator; write a power with ^, e.g. x^2");
      signed_power();
      emit(code);
    }
  }
  void signed_power() {
    const Level level(*this);
    if (accept("-")) {
      signed_power();
      emit(Code::negate);
    } else if (accept("+")) {
      signed_power();
    } else {
      power();
    }
  }
  void power() {
    primary();
    if (token_ != "^") return;
    advance();
    const std::size_t place = to_->constants_.size();
    constant([this] { signed_power(); },
             "read an exponent that is not constant, but expected a number or parameters; write "
             "exp(y*log(x)) for x^y");
    emit(Code::power, place);
  }
  /// Reads a formula of numbers and parameters alone, for the constants.
  template <class Read>
  void constant(const Read& read, const char* otherwise) {
    const std::size_t begin = at_;
    Formula value;
    Formula* const outer = std::exchange(to_, &value);
    read();
    to_ = outer;
    if (value.depends_ != on_nothing) {
      at_ = begin;
      refuse(otherwise);
    }
    to_->constants_.push_back(std::move(value));
  }

  void primary() {
    if (accept("(")) {
      sum();
      expect(")");
    } else if (!token_.empty() && (is_digit(token_.front()) || token_.front() == '.')) {
      number();
    } else if (!token_.empty() && is_letter(token_.front())) {
      name();
    } else {
      fail("a number, a name, a function or '('");
    }
  }
  void number() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(token_.data(), token_.data() + token_.size(), value);
    if (error != std::errc() || end != token_.data() + token_.size())
      fail("a number in the range of a double");
    emit({.code = Code::number, .value = value});
    advance();
  }
  void name() {
    if (token_ == "if") return choice();
    if (token_ == "table") return comparing(at_, [this] { table(); });
    if (token_ == "pi") {
      emit({.code = Code::number, .value = M_PI});
      return advance();
    }
    const auto function = std::ranges::find(functions, token_);
    if (function != functions.end())
      return call(static_cast<std::size_t>(function - functions.begin()));
    const auto of_two = std::ranges::find(functions_of_two, token_);
    if (of_two != functions_of_two.end())
      return call_with_two(static_cast<std::size_t>(of_two - functions_of_two.begin()));
    const auto symbol = symbols_.find(token_);
    if (symbol == symbols_.end()) unknown();
    if ((symbol->second.depends & ~may_depend_) != 0)
      fail(fmt::format("a function of {} alone", dependences(may_depend_)));
    to_->depends_ |= symbol->second.depends;
    emit(Code::slot, symbol->second.slot);
    advance();
  }
  [[noreturn]] void unknown() const {
    const std::string word(token_);
    if (text_.substr(at_ + token_.size()).starts_with('(')) {
      std::vector<std::string> known(functions.begin(), functions.end());
      known.insert(known.end(), functions_of_two.begin(), functions_of_two.end());
      known.insert(known.end(), {"if", "table"});
      refuse(fmt::format("unknown function '{}'{}", shortened(printable(word), 40),
                         suggestion(word, known)));
    }
    std::vector<std::string> known;
    for (const auto& [name, symbol] : symbols_)
      if ((symbol.depends & ~may_depend_) == 0) known.push_back(name);
    refuse(fmt::format("unknown name '{}'{}", shortened(printable(word), 40),
                       suggestion(word, known)));
  }
  /// Calls `read`, which reads a comparison that begins at `begin`, and keeps the comparison.
  template <class Read>
  void comparing(std::size_t begin, const Read& read) {
    const unsigned outer = std::exchange(to_->depends_, on_nothing);
    read();
    const unsigned depends = std::exchange(to_->depends_, outer | to_->depends_);
    if (depends == on_nothing) return;
    std::size_t end = at_;
    while (end > begin && is_blank(text_[end - 1])) --end;
    to_->switches_.push_back({.text = std::string(text_.substr(begin, end - begin)),
                              .key = source_.key,
                              .where = source_.where(begin),
                              .depends = depends});
  }
  void call(std::size_t function) {
    const std::string_view name = functions[function];
    const auto read = [&] {
      advance();
      expect("(");
      sum();
      expect(")");
    };
    if (name == "abs" || name == "sign")
      comparing(at_, read);
    else
      read();
    emit(Code::call, function);
  }
  void call_with_two(std::size_t function) {
    const auto read = [&] {
      advance();
      expect("(");
      sum();
      expect(",");
      sum();
      expect(")");
    };
    if (std::string_view(functions_of_two[function]) == "atan2")
      read();
    else
      comparing(at_, read);
    constexpr std::array codes = {Code::atan2, Code::minimum, Code::maximum};
    emit(codes[function]);
  }
  void table() {
    advance();
    expect("(");
    sum();
    const std::size_t first = to_->constants_.size();
    std::size_t points = 0;
    do {
      for (int k = 0; k < 2; ++k) {
        expect(",");
        constant(
            [this] { sum(); },
            "the points of a table must be numbers or parameters: table(t, t1, y1, t2, y2, …)");
      }
      ++points;
    } while (token_ == ",");
    expect(")");
    emit({.code = Code::table,
          .index = static_cast<std::uint32_t>(first),
          .value = static_cast<double>(points)});
  }
  void choice() {
    advance();
    expect("(");
    condition();
    expect(",");
    sum();
    expect(",");
    sum();
    expect(")");
    emit(Code::select);
  }
  void condition() {
    comparing(at_, [this] { comparison(); });
    const std::string_view joint = token_ == "and" || token_ == "or" ? token_ : std::string_view();
    while (!joint.empty() && accept(joint)) {
      comparing(at_, [this] { comparison(); });
      emit(joint == "and" ? Code::both : Code::either);
    }
  }
  /// a > b is b < a in the same order of evaluation: not (a ≤ b) would differ for NaN.
  void comparison() {
    sum();
    constexpr std::array operators = {"<", "<=", ">", ">=", "==", "!="};
    const auto found = std::ranges::find(operators, token_);
    if (found == operators.end()) fail("one of < <= > >= == !=");
    const std::string_view op = *found;
    advance();
    sum();
    if (op == "==" || op == "!=")
      emit(Code::equal);
    else
      emit(op.size() == 1 ? Code::less : Code::less_equal, op.front() == '>' ? 1 : 0);
    if (op == "!=") emit(Code::no);
  }

  const PlacedText& source_;
  std::string_view text_, token_;
  const FormulaSymbols& symbols_;
  unsigned may_depend_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Formula* to_ = nullptr;
};

Formula::Formula(const PlacedText& text, const FormulaSymbols& symbols, unsigned may_depend)
    : Formula(Parser(text, symbols, may_depend).whole()) {
  where_ = text.where();
}

Formula Formula::condition(const PlacedText& text, const FormulaSymbols& symbols,
                           unsigned may_depend) {
  Formula made = Parser(text, symbols, may_depend).whole_condition();
  made.where_ = text.where();
  return made;
}

/// Computes step by step, in the numbers T.
template <class T>
class Formula::Machine {
 public:
  Machine(const Formula& formula, std::span<const T> slots, std::span<const double> constants)
      : formula_(formula), slots_(slots), constants_(constants) {}

  T result() {
    for (const Step& step : formula_.steps_) take(step);
    return stack_.back();
  }

 private:
  using Truth = std::conditional_t<std::is_same_v<T, double>, bool, Condition>;

  template <class X>
  static X pop(std::vector<X>& from) {
    const X top = from.back();
    from.pop_back();
    return top;
  }

  void take(const Step& step) {
    switch (step.code) {
      case Code::number: stack_.emplace_back(step.value); break;
      case Code::slot: stack_.push_back(slots_[step.index]); break;
      case Code::negate: stack_.back() = -stack_.back(); break;
      case Code::call: stack_.back() = called(step.index, stack_.back()); break;
      case Code::power:
        stack_.back() = powered(stack_.back(), formula_.constants_[step.index].value(constants_));
        break;
      case Code::table: stack_.back() = tabulated(step, stack_.back()); break;
      case Code::no: truths_.back() = !truths_.back(); break;
      case Code::both:
      case Code::either: join(step.code); break;
      default: take_two(step); break;
    }
  }
  T tabulated(const Step& step, const T& x) const {
    std::vector<double> at, y;
    for (std::size_t k = 0; k < static_cast<std::size_t>(step.value); ++k) {
      at.push_back(formula_.constants_[step.index + 2 * k].value(constants_));
      y.push_back(formula_.constants_[step.index + 2 * k + 1].value(constants_));
      if (k > 0 && !(at[k - 1] < at[k]))
        throw InputError(
            fmt::format("the points of a table must increase: {} follows {}", at[k], at[k - 1]),
            formula_.where_);
    }
    return interpolated(x, at, y);
  }
  void join(Code code) {
    const Truth b = pop(truths_), a = pop(truths_);
    truths_.push_back(code == Code::both ? a && b : a || b);
  }
  void take_two(const Step& step) {
    using std::atan2;
    const T b = pop(stack_), a = pop(stack_);
    switch (step.code) {
      case Code::add: stack_.push_back(a + b); break;
      case Code::subtract: stack_.push_back(a - b); break;
      case Code::multiply: stack_.push_back(a * b); break;
      case Code::divide: stack_.push_back(a / b); break;
      case Code::atan2: stack_.push_back(atan2(a, b)); break;
      case Code::minimum: stack_.push_back(chosen(a < b, a, b)); break;
      case Code::maximum: stack_.push_back(chosen(b < a, a, b)); break;
      case Code::equal: truths_.push_back(a == b); break;
      case Code::less: truths_.push_back(step.index == 0 ? a < b : b < a); break;
      case Code::less_equal: truths_.push_back(step.index == 0 ? a <= b : b <= a); break;
      default: stack_.push_back(chosen(pop(truths_), a, b)); break;
    }
  }

  const Formula& formula_;
  std::span<const T> slots_;
  std::span<const double> constants_;
  std::vector<T> stack_;
  std::vector<Truth> truths_;
};

std::string Formula::name_of_function(std::size_t index) {
  return functions[index];
}

double Formula::value(std::span<const double> slots) const {
  return Machine<double>(*this, slots, slots).result();
}

Expression Formula::expression(std::span<const Expression> slots,
                               std::span<const double> constants) const {
  return Machine<Expression>(*this, slots, constants).result();
}

bool is_name(const std::string& text) {
  constexpr std::size_t longest = 80;
  return !text.empty() && text.size() <= longest && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::vector<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (is_letter(text[at]))
      names.insert(text.substr(begin, (at = end_of_name(text, at)) - begin));
    else
      at = is_digit(text[at]) ? end_of_number(text, at) : at + 1;
  }
  return {names.begin(), names.end()};
}

bool is_formula_word(const std::string& name) {
  for (const char* word : {"atan2", "min", "max", "table", "pi", "t", "if", "and", "or"})
    if (name == word) return true;
  return std::ranges::find(functions, name) != functions.end();
}

}  // namespace rigidlimit
