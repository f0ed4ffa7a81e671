#include "rigidlimit/core/codegen/tape_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "rigidlimit/core/codegen/tape_statements.hpp"

namespace rigidlimit {
namespace {

/// Scalar numbers: one double.
constexpr const char* plain_numbers = R"(typedef double V;
struct functions {
  double (*one[12])(double);
  double (*two[2])(double, double);
};
#define TARGET
#define STRIDE 1
#define GET(i) x[i]
#define PUT(i, value) y[i] = (value)
#define ALL(number) (number)
#define ONE(to, which, a) const V to = f->one[which](a)
#define TWO(to, which, a, b) const V to = f->two[which](a, b)
#define BOTH(sine, cosine, a) const V sine = f->one[2](a), cosine = f->one[3](a)
#define sqrt(a) __builtin_sqrt(a)
#define WHERE(condition) ((condition) ? 1.0 : 0.0)
#define SELECT(a, b, c) ((a) != 0.0 ? (b) : (c))
)";

/// Numbers of several lanes, as vectors of GCC and Clang. A comparison gives a vector of integers,
/// with all bits set where it holds.
constexpr const char* vector_numbers = R"(typedef double V __attribute__((vector_size(8 * LANES)));
typedef double U __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long M __attribute__((vector_size(8 * LANES)));
struct functions {
  void (*one[12])(const V*, V*);
  void (*two[2])(const V*, const V*, V*);
  void (*both)(const V*, V*, V*);
};
#define STRIDE LANES
#define GET(i) (*(const U*)(x + 8 * (i) + part))
#define PUT(i, value) *(U*)(y + 8 * (i) + part) = (value)
#define ONE(to, which, a) V to; { const V arg = a; f->one[which](&arg, &to); }
#define TWO(to, which, a, b) V to; { const V p = a, q = b; f->two[which](&p, &q, &to); }
#define BOTH(sine, cosine, a) V sine, cosine; { const V arg = a; f->both(&arg, &sine, &cosine); }
#define WHERE(condition) ((V)((condition) & (M)ALL(1.0)))
#define SELECT(a, b, c) \
  ((V)(((M)(b) & ((a) != ALL(0.0))) | ((M)(c) & ~((a) != ALL(0.0)))))
#if LANES == 2
#define TARGET
#define ALL(number) ((V){number, number})
#elif LANES == 4
#define TARGET __attribute__((target("avx2")))
#define ALL(number) ((V){number, number, number, number})
#else
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))
#define ALL(number) ((V){number, number, number, number, number, number, number, number})
#endif
TARGET __attribute__((always_inline)) static inline V root(V a) {
  for (int i = 0; i < LANES; ++i) a[i] = __builtin_sqrt(a[i]);
  return a;
}
#define sqrt(a) root(a)
)";

/// "#define add_(a, b) (a + b)", …
#define RIGIDLIMIT_VALUE(name, operands, value) "#define " #name "_(a, b) (" #value ")\n"
#define RIGIDLIMIT_WHERE(name, condition) "#define " #name "_(a, b) WHERE(" #condition ")\n"
constexpr const char* infix_operations =
    RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_VALUE) RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_WHERE);
#undef RIGIDLIMIT_VALUE
#undef RIGIDLIMIT_WHERE

/// C for a processor: macros of the preamble that work on one number or on several lanes.
class Writer final : public StatementWriter {
 public:
  explicit Writer(const TapeForm& form)
      : form_(form),
        sine_(form.inputs + form.steps.size(), 0),
        cosine_(form.inputs + form.steps.size(), 0) {
    for (std::uint32_t i = 0; i < form.steps.size(); ++i) {
      const TapeForm::Step& step = form.steps[i];
      if (TapeForm::is_constant(step.a)) continue;
      if (step.operation == Operation::sin) sine_[step.a] = form.inputs + i;
      if (step.operation == Operation::cos) cosine_[step.a] = form.inputs + i;
    }
  }

  std::string function(const std::string& name) {
    line("TARGET void {}(const double* restrict k, const double* restrict x, double* restrict y,",
         name);
    line("    const struct functions* f) {{");
    line("  for (int part = 0; part < (STRIDE == 1 ? 1 : 8); part += STRIDE) {{");
    write_statements(form_, *this);
    line("    (void)k, (void)f, (void)x, (void)y;");
    line("  }}");
    line("}}");
    return fmt::to_string(text_);
  }

 private:
  void input(std::uint32_t i) override { line("    const V v{} = GET({});", i, i); }
  void output(std::uint32_t i, std::uint32_t value) override {
    line("    PUT({}, {});", i, number(value));
  }

  template <class... T>
  void line(fmt::format_string<T...> format, T&&... of) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(of)...);
    text_.push_back('\n');
  }

  static std::string number(std::uint32_t value) {
    return TapeForm::is_constant(value)
               ? fmt::format("ALL(k[{}])", value - TapeForm::first_constant)
               : fmt::format("v{}", value);
  }

  void step(std::uint32_t value, const TapeForm::Step& step) override {
    const std::string a = number(step.a), b = number(step.b), c = number(step.c);
    switch (step.operation) {
      case Operation::constant:
      case Operation::input: return;  // are not steps
#define RIGIDLIMIT_CASE(name, ...) \
  case Operation::name: return line("    const V v{} = " #name "_({}, {});", value, a, b);
        RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_CASE)
        RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
      case Operation::select: return line("    const V v{} = SELECT({}, {}, {});", value, a, b, c);
      case Operation::sin:
      case Operation::cos: return write_angle(value, step);
      case Operation::atan2: return line("    TWO(v{}, 0, {}, {});", value, a, b);
      case Operation::power: return line("    TWO(v{}, 1, {}, {});", value, a, b);
      default: return line("    ONE(v{}, {}, {});", value, which(step.operation), a);
    }
  }

  /// Computes sine and cosine of one angle together, at the first of the two steps.
  void write_angle(std::uint32_t value, const TapeForm::Step& step) {
    if (!TapeForm::is_constant(step.a)) {
      const std::uint32_t sine = sine_[step.a], cosine = cosine_[step.a];
      if (sine != 0 && cosine != 0 && value == std::min(sine, cosine))
        return line("    BOTH(v{}, v{}, {});", sine, cosine, number(step.a));
      if (sine != 0 && cosine != 0) return;
    }
    line("    ONE(v{}, {}, {});", value, which(step.operation), number(step.a));
  }

  static int which(Operation operation) {
    return static_cast<int>(operation) - static_cast<int>(Operation::exp);
  }

  const TapeForm& form_;
  std::vector<std::uint32_t> sine_, cosine_;  ///< by value: the step that is its sine, or 0
  fmt::memory_buffer text_;
};

}  // namespace

std::string code_preamble(int lanes) {
  return fmt::format("#define LANES {}\n{}{}", lanes, lanes == 1 ? plain_numbers : vector_numbers,
                     infix_operations);
}

std::string code_function(const TapeForm& form, const std::string& name) {
  return Writer(form).function(name);
}

std::string code_name(ContentKey key, int lanes) {
  return fmt::format("rigidlimit_tape_{}_{}", text_of(key), lanes);
}

}  // namespace rigidlimit
