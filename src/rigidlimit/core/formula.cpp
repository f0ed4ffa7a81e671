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
constexpr std::array functions_of_vectors = {"cross", "dot", "norm", "rotate", "rotate_back"};

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
  RIGIDLIMIT_USE_STANDARD_FUNCTIONS
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

/// Recursive-descent parser.
class Formula::Parser {
 public:
  Parser(const PlacedText& text, const FormulaSymbols& symbols, unsigned may_depend)
      : source_(text), text_(text.text), symbols_(symbols), may_depend_(may_depend) {}

  /// One formula, or three of a vector.
  std::vector<Formula> components() {
    Formula common;
    to_ = &common;
    advance();
    const Value value = sum();
    if (!token_.empty()) fail("an operator or the end");
    std::vector<Formula> made;
    for (const Part& part : value) {
      made.push_back(common);
      made.back().take(part);
      common.switches_.clear();  // each counts once
    }
    return made;
  }
  Formula number() {
    std::vector<Formula> made = components();
    if (made.size() > 1) {
      at_ = 0;
      refuse("is a vector, but a number was expected; add .x, .y or .z");
    }
    return std::move(made.front());
  }
  /// if(condition, 1, 0).
  Formula whole_condition() {
    Formula made;
    to_ = &made;
    advance();
    Part part = condition();
    if (!token_.empty()) fail("'and', 'or' or the end");
    for (const double value : {1.0, 0.0}) part.steps.push_back({.value = value});
    part.steps.push_back({.code = Code::select});
    made.take(part);
    return made;
  }

 private:
  /// The steps of a number, operands first.
  using Part = Formula::Part;
  /// One part, or the three of a vector.
  using Value = std::vector<Part>;
  static bool is_vector(const Value& value) { return value.size() > 1; }

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

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}: {}", shortened(printable(source_.key), 200), what),
                     printable(source_.where(at_)));
  }
  [[noreturn]] void refuse_at(std::size_t place, const std::string& what) {
    at_ = place;
    refuse(what);
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

  static Part constant_part(double value) { return {.steps = {{.value = value}}}; }
  /// The step, taken on what the part computes.
  Part stepped(Part part, Step step) const {
    part.steps.push_back(step);
    if (part.steps.size() > most_in_formula)
      refuse(fmt::format("has more than {} operations; define parts of it in [system.let]",
                         most_in_formula));
    return part;
  }
  /// The step, taken on both.
  Part joined(Part a, const Part& b, Step step) const {
    a.steps.insert(a.steps.end(), b.steps.begin(), b.steps.end());
    a.depends |= b.depends;
    return stepped(std::move(a), step);
  }
  Part plus(Part a, const Part& b) const { return joined(std::move(a), b, {.code = Code::add}); }
  Part minus(Part a, const Part& b) const {
    return joined(std::move(a), b, {.code = Code::subtract});
  }
  Part times(Part a, const Part& b) const {
    return joined(std::move(a), b, {.code = Code::multiply});
  }

  Value sum() {
    Value all = product();
    while (token_ == "+" || token_ == "-") {
      const Step step{.code = token_ == "+" ? Code::add : Code::subtract};
      const std::size_t place = at_;
      advance();
      const Value next = product();
      if (all.size() != next.size()) refuse_at(place, "adds a vector and a number");
      for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = joined(std::move(all[k]), next[k], step);
    }
    return all;
  }
  Value product() {
    Value all = signed_power();
    while (token_ == "*" || token_ == "/") {
      const Step step{.code = token_ == "*" ? Code::multiply : Code::divide};
      const std::size_t place = at_;
      advance();
      if (step.code == Code::multiply && token_ == "*" && text_[at_ - 1] == '*')
        refuse("'**' is not an operator; write a power with ^, e.g. x^2");
      const Value next = signed_power();
      if (is_vector(next) && step.code == Code::divide) refuse_at(place, "divides by a vector");
      if (is_vector(all) && is_vector(next))
        refuse_at(place, "multiplies two vectors; write dot(a, b) or cross(a, b)");
      if (is_vector(next)) all.resize(next.size(), all.front());
      for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = joined(std::move(all[k]), next[is_vector(next) ? k : 0], step);
    }
    return all;
  }
  Value signed_power() {
    const Level level(*this);
    if (accept("+")) return signed_power();
    if (!accept("-")) return power();
    Value value = signed_power();
    for (Part& part : value) part = stepped(std::move(part), {.code = Code::negate});
    return value;
  }
  Value power() {
    const std::size_t begin = at_;
    Value base = primary();
    if (token_ != "^") return base;
    Part number = number_in(std::move(base), begin);
    advance();
    const auto place = static_cast<std::uint32_t>(to_->constants_.size());
    constant([this] { return signed_power(); },
             "read an exponent that is not constant, but expected a number or parameters; write "
             "exp(y*log(x)) for x^y");
    return {stepped(std::move(number), {.code = Code::power, .index = place})};
  }
  /// Reads a formula of numbers and parameters alone, for the constants.
  template <class Read>
  void constant(const Read& read, const char* otherwise) {
    const std::size_t begin = at_;
    Formula value;
    Formula* const outer = std::exchange(to_, &value);
    value.take(number_in(read(), begin));
    to_ = outer;
    if (value.depends_ != on_nothing) refuse_at(begin, otherwise);
    to_->constants_.push_back(std::move(value));
  }
  /// Refuses a vector; it begins at `begin`.
  Part number_in(Value value, std::size_t begin) {
    if (is_vector(value))
      refuse_at(begin,
                "is a vector where a number was expected; a part of it is .x, .y or .z, "
                "its length norm(…)");
    return std::move(value.front());
  }
  Part number_in_sum() {
    const std::size_t begin = at_;
    return number_in(sum(), begin);
  }
  Value vector_in_sum() {
    const std::size_t begin = at_;
    Value value = sum();
    if (!is_vector(value))
      refuse_at(begin, "is a number where a vector was expected, as [1, 0, 0]");
    return value;
  }

  Value primary() {
    Value value = read_primary();
    while (token_ == ".") value = component(std::move(value));
    return value;
  }
  Value read_primary() {
    if (accept("(")) {
      Value value = sum();
      expect(")");
      return value;
    }
    if (accept("[")) {
      Value value;
      for (const char* const after : {",", ",", "]"}) {
        value.push_back(number_in_sum());
        expect(after);
      }
      return value;
    }
    if (!token_.empty() && (is_digit(token_.front()) || token_.front() == '.'))
      return {read_number()};
    if (!token_.empty() && is_letter(token_.front())) return name();
    fail("a number, a name, a function, '(' or '['");
  }
  /// .x, .y or .z of a vector.
  Value component(Value of) {
    if (!is_vector(of)) refuse("asks for a component of a number");
    advance();
    constexpr std::array names = {"x", "y", "z"};
    const auto found = std::ranges::find(names, token_);
    if (found == names.end()) fail("the component x, y or z of a vector");
    advance();
    return {std::move(of[static_cast<std::size_t>(found - names.begin())])};
  }
  Part read_number() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(token_.data(), token_.data() + token_.size(), value);
    if (error != std::errc() || end != token_.data() + token_.size())
      fail("a number in the range of a double");
    advance();
    return constant_part(value);
  }
  Value name() {
    if (token_ == "if") return choice();
    if (token_ == "table") return {comparing([this] { return table(); })};
    if (accept("pi")) return {constant_part(M_PI)};
    if (const auto f = std::ranges::find(functions, token_); f != functions.end())
      return {call(static_cast<std::size_t>(f - functions.begin()))};
    if (const auto f = std::ranges::find(functions_of_two, token_); f != functions_of_two.end())
      return {call_with_two(static_cast<std::size_t>(f - functions_of_two.begin()))};
    if (std::ranges::find(functions_of_vectors, token_) != functions_of_vectors.end())
      return call_with_vectors();
    return value_of_name();
  }
  Value value_of_name() {
    const auto symbol = symbols_.find(token_);
    if (symbol == symbols_.end()) unknown();
    const std::size_t begin = at_;
    Value value;
    for (const FormulaSymbol& one : symbol->second)
      value.push_back(
          {.steps = {{.code = Code::slot, .index = static_cast<std::uint32_t>(one.slot)}},
           .depends = one.depends});
    advance();
    if (token_ == "." && is_vector(value)) value = component(std::move(value));
    for (const Part& part : value)
      if ((part.depends & ~may_depend_) != 0)
        refuse_at(begin, fmt::format("read '{}' where a function of {} alone was expected",
                                     symbol->first, dependences(may_depend_)));
    return value;
  }
  [[noreturn]] void unknown() const {
    const std::string word(token_);
    if (text_.substr(at_ + token_.size()).starts_with('(')) {
      std::vector<std::string> known(functions.begin(), functions.end());
      known.insert(known.end(), functions_of_two.begin(), functions_of_two.end());
      known.insert(known.end(), functions_of_vectors.begin(), functions_of_vectors.end());
      known.insert(known.end(), {"if", "table"});
      refuse(fmt::format("unknown function '{}'{}", shortened(printable(word), 40),
                         suggestion(word, known)));
    }
    std::vector<std::string> known;
    for (const auto& [name, components] : symbols_)
      if (std::ranges::all_of(components, [this](const FormulaSymbol& one) {
            return (one.depends & ~may_depend_) == 0;
          }))
        known.push_back(name);
    refuse(fmt::format("unknown name '{}'{}", shortened(printable(word), 40),
                       suggestion(word, known)));
  }
  /// Calls `read`, which reads a comparison that begins here, and keeps the comparison.
  template <class Read>
  Part comparing(const Read& read) {
    const std::size_t begin = at_;
    Part part = read();
    if (part.depends == on_nothing) return part;
    std::size_t end = at_;
    while (end > begin && is_blank(text_[end - 1])) --end;
    to_->switches_.push_back({.text = std::string(text_.substr(begin, end - begin)),
                              .key = source_.key,
                              .where = source_.where(begin),
                              .depends = part.depends});
    return part;
  }
  Part call(std::size_t function) {
    const std::string_view name = functions[function];
    const auto read = [&] {
      advance();
      expect("(");
      Part x = number_in_sum();
      expect(")");
      return x;
    };
    Part x = name == "abs" || name == "sign" ? comparing(read) : read();
    return stepped(std::move(x),
                   {.code = Code::call, .index = static_cast<std::uint32_t>(function)});
  }
  Part call_with_two(std::size_t function) {
    constexpr std::array codes = {Code::atan2, Code::minimum, Code::maximum};
    const auto read = [&] {
      advance();
      expect("(");
      Part a = number_in_sum();
      expect(",");
      const Part b = number_in_sum();
      expect(")");
      return joined(std::move(a), b, {.code = codes[function]});
    };
    return codes[function] == Code::atan2 ? read() : comparing(read);
  }
  Value call_with_vectors() {
    const std::string_view function = token_;
    advance();
    expect("(");
    Value parameters;  // Euler parameters of a rotation
    if (function.starts_with("rotate"))
      for (int k = 0; k < 4; ++k) {
        parameters.push_back(number_in_sum());
        expect(",");
      }
    const Value a = vector_in_sum();
    if (function == "norm" || !parameters.empty()) {
      expect(")");
      return function == "norm" ? Value{length_of(a)}
                                : rotated(parameters, a, function == "rotate_back");
    }
    expect(",");
    const Value b = vector_in_sum();
    expect(")");
    return function == "dot" ? Value{dot(a, b)} : cross(a, b);
  }
  Part dot(const Value& a, const Value& b) const {
    return plus(times(a[0], b[0]), plus(times(a[1], b[1]), times(a[2], b[2])));
  }
  Part length_of(const Value& a) const {
    const auto root = std::ranges::find(functions, std::string_view("sqrt")) - functions.begin();
    return stepped(dot(a, a), {.code = Code::call, .index = static_cast<std::uint32_t>(root)});
  }
  Value cross(const Value& a, const Value& b) const {
    Value all;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      all.push_back(minus(times(a[i], b[j]), times(a[j], b[i])));
    }
    return all;
  }
  /// R(p) a, or R(p)ᵀ a.
  Value rotated(const Value& p, const Value& a, bool back) const {
    const Part two = constant_part(2.0);
    const auto product = [&](std::size_t i, std::size_t j) { return times(p[i], p[j]); };
    Value all;
    for (std::size_t i = 0; i < 3; ++i) {
      Value row;
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t from = back ? j : i, to = back ? i : j, third = 3 - from - to;
        if (i == j) {
          Part square = product(0, 0);
          for (std::size_t k = 0; k < 3; ++k)
            square = k == i ? plus(std::move(square), product(1 + k, 1 + k))
                            : minus(std::move(square), product(1 + k, 1 + k));
          row.push_back(std::move(square));
          continue;
        }
        // R12 = 2 (p1 p2 − p0 p3), R21 = 2 (p1 p2 + p0 p3), and so on in cycles.
        const bool falls = (from + 1) % 3 == to;
        const Part symmetric = product(1 + std::min(from, to), 1 + std::max(from, to));
        const Part skew = product(0, 1 + third);
        row.push_back(times(two, falls ? minus(symmetric, skew) : plus(symmetric, skew)));
      }
      all.push_back(dot(row, a));
    }
    return all;
  }
  Part table() {
    advance();
    expect("(");
    Part x = number_in_sum();
    const auto first = static_cast<std::uint32_t>(to_->constants_.size());
    std::size_t points = 0;
    do {
      for (int k = 0; k < 2; ++k) {
        expect(",");
        constant(
            [this] { return sum(); },
            "the points of a table must be numbers or parameters: table(t, t1, y1, t2, y2, …)");
      }
      ++points;
    } while (token_ == ",");
    expect(")");
    return stepped(std::move(x),
                   {.code = Code::table, .index = first, .value = static_cast<double>(points)});
  }
  Value choice() {
    advance();
    expect("(");
    const Part holds = condition();
    expect(",");
    const Value yes = sum();
    expect(",");
    const std::size_t begin = at_;
    const Value no = sum();
    if (yes.size() != no.size()) refuse_at(begin, "chooses between a vector and a number");
    expect(")");
    Value all;
    for (std::size_t k = 0; k < yes.size(); ++k) {
      Part both = holds;
      both.steps.insert(both.steps.end(), yes[k].steps.begin(), yes[k].steps.end());
      both.depends |= yes[k].depends;
      all.push_back(joined(std::move(both), no[k], {.code = Code::select}));
    }
    return all;
  }
  Part condition() {
    Part all = comparing([this] { return comparison(); });
    const std::string_view joint = token_ == "and" || token_ == "or" ? token_ : std::string_view();
    while (!joint.empty() && accept(joint))
      all = joined(std::move(all), comparing([this] { return comparison(); }),
                   {.code = joint == "and" ? Code::both : Code::either});
    return all;
  }
  /// a > b is b < a in the same order of evaluation: not (a ≤ b) would differ for NaN.
  Part comparison() {
    Part a = number_in_sum();
    constexpr std::array operators = {"<", "<=", ">", ">=", "==", "!="};
    const auto found = std::ranges::find(operators, token_);
    if (found == operators.end()) fail("one of < <= > >= == !=");
    const std::string_view op = *found;
    advance();
    const Part b = number_in_sum();
    if (op != "==" && op != "!=")
      return joined(std::move(a), b,
                    {.code = op.size() == 1 ? Code::less : Code::less_equal,
                     .index = op.front() == '>' ? 1U : 0U});
    Part equal = joined(std::move(a), b, {.code = Code::equal});
    return op == "==" ? equal : stepped(std::move(equal), {.code = Code::no});
  }

  const PlacedText& source_;
  std::string_view text_, token_;
  const FormulaSymbols& symbols_;
  unsigned may_depend_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Formula* to_ = nullptr;  ///< keeps the constants and switches of the formula that is read
};

void Formula::take(const Part& part) {
  steps_ = part.steps;
  depends_ = part.depends;
}

Formula::Formula(const PlacedText& text, const FormulaSymbols& symbols, unsigned may_depend)
    : Formula(Parser(text, symbols, may_depend).number()) {
  where_ = text.where();
}

std::vector<Formula> Formula::components(const PlacedText& text, const FormulaSymbols& symbols,
                                         unsigned may_depend) {
  std::vector<Formula> made = Parser(text, symbols, may_depend).components();
  for (Formula& one : made) one.where_ = text.where();
  return made;
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
    const bool is_component = at > 0 && text[at - 1] == '.';  // the x of a.x is no name
    if (is_letter(text[at])) {
      at = end_of_name(text, at);
      if (!is_component) names.insert(text.substr(begin, at - begin));
    } else {
      at = is_digit(text[at]) ? end_of_number(text, at) : at + 1;
    }
  }
  return {names.begin(), names.end()};
}

bool is_formula_word(const std::string& name) {
  for (const char* word : {"atan2", "min", "max", "table", "pi", "t", "if", "and", "or"})
    if (name == word) return true;
  return std::ranges::find(functions, name) != functions.end() ||
         std::ranges::find(functions_of_vectors, name) != functions_of_vectors.end();
}

}  // namespace rigidlimit
