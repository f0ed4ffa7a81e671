// Functions called by the machine code of tapes (core/codegen/tape_code.hpp): those of the
// interpreters, for one number and for the lanes of a pack in one vector register.
#include <array>
#include <cmath>

#include "rigidlimit/core/codegen/tape_code.hpp"
#include "rigidlimit/core/pack_functions.hpp"

namespace rigidlimit {
namespace {

/// `struct functions` of core/codegen/tape_compiler.cpp for one lane, in the order of Operation
/// from exp on.
struct PlainFunctions {
  std::array<double (*)(double), 12> one;
  std::array<double (*)(double, double), 2> two;
};

#define RIGIDLIMIT_PLAIN(name, ...) [](double x) { return std::name(x); },
constexpr PlainFunctions plain_functions{
    .one = {RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_PLAIN)},
    .two = {[](double y, double x) { return std::atan2(y, x); },
            [](double x, double p) { return std::pow(x, p); }}};
#undef RIGIDLIMIT_PLAIN

/// The same for several lanes.
struct VectorFunctions {
  std::array<void (*)(const double*, double*), 12> one;
  std::array<void (*)(const double*, const double*, double*), 2> two;
  void (*both)(const double*, double*, double*);
};

using Register = Pack::Register;

/// Applies a function to each register of a pack.
template <int lanes, class Function>
void by_registers(const Function& function, const double* x, double* y) {
  for (int i = 0; i < lanes; i += static_cast<int>(Register::size))
    function(Register::load_unaligned(x + i)).store_unaligned(y + i);
}
template <int lanes, class Function>
void one_by_one(const Function& function, const double* x, double* y) {
  for (int i = 0; i < lanes; ++i) y[i] = function(x[i]);
}

template <int lanes>
void sine_and_cosine(const double* x, double* sine, double* cosine) {
  for (int i = 0; i < lanes; i += static_cast<int>(Register::size)) {
    const auto both = sine_and_cosine_of(Register::load_unaligned(x + i));
    both.first.store_unaligned(sine + i);
    both.second.store_unaligned(cosine + i);
  }
}

#define RIGIDLIMIT_exponential(name) \
  [](const double* x, double* y) { by_registers<lanes>(Pack::exponential, x, y); }
#define RIGIDLIMIT_sine(name)                    \
  [](const double* x, double* y) {               \
    std::array<double, lanes> cosine;            \
    sine_and_cosine<lanes>(x, y, cosine.data()); \
  }
#define RIGIDLIMIT_cosine(name)                \
  [](const double* x, double* y) {             \
    std::array<double, lanes> sine;            \
    sine_and_cosine<lanes>(x, sine.data(), y); \
  }
#define RIGIDLIMIT_vector(name)                                                        \
  [](const double* x, double* y) {                                                     \
    by_registers<lanes>([](const Register& part) { return xsimd::name(part); }, x, y); \
  }
#define RIGIDLIMIT_scalar(name)                                               \
  [](const double* x, double* y) {                                            \
    one_by_one<lanes>([](double number) { return std::name(number); }, x, y); \
  }
#define RIGIDLIMIT_ENTRY(name, symmetry, x0, y0, slope, lanes) RIGIDLIMIT_##lanes(name),

/// Same as `call` of core/tape/pack_evaluator.cpp.
template <int lanes>
constexpr VectorFunctions vector_functions{
    .one = {RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_ENTRY)},
    .two = {[](const double* y, const double* x, double* angle) {
              for (int i = 0; i < lanes; i += static_cast<int>(Register::size))
                xsimd::atan2(Register::load_unaligned(y + i), Register::load_unaligned(x + i))
                    .store_unaligned(angle + i);
            },
            [](const double* x, const double* p, double* y) {
              for (int i = 0; i < lanes; ++i) y[i] = std::pow(x[i], p[0]);
            }},
    .both = sine_and_cosine<lanes>};

#undef RIGIDLIMIT_exponential
#undef RIGIDLIMIT_sine
#undef RIGIDLIMIT_cosine
#undef RIGIDLIMIT_vector
#undef RIGIDLIMIT_scalar
#undef RIGIDLIMIT_ENTRY

}  // namespace

const void* functions_of_code(int lanes) {
  if (lanes == 1) return &plain_functions;
  if (lanes < static_cast<int>(Register::size)) return nullptr;
  if (lanes == 2) return &vector_functions<2>;
  return lanes == 4 ? &vector_functions<4> : &vector_functions<8>;
}

}  // namespace rigidlimit
