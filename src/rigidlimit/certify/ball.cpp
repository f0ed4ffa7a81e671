#include "rigidlimit/certify/ball.hpp"

#include <arb_mat.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

namespace rigidlimit {
namespace {

void* required(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

[[noreturn]] void throw_for_flint() {
  throw std::runtime_error("FLINT, the library of ball arithmetic, cannot go on");
}

/// FLINT prints "Unable to allocate memory" on standard output and aborts, also in Python. These
/// functions throw instead, through its C functions: they have unwind tables wherever C++ has
/// (psABI of x86-64 and AArch64), hold no lock while they allocate, and leak what they hold. Memory
/// of malloc(), as without them: other users of FLINT in the process notice nothing.
bool throw_where_flint_aborts() noexcept {
  __flint_set_memory_functions(
      [](std::size_t size) { return required(std::malloc(size)); },
      [](std::size_t count, std::size_t size) { return required(std::calloc(count, size)); },
      [](void* memory, std::size_t size) { return required(std::realloc(memory, size)); },
      [](void* memory) { std::free(memory); });
  flint_set_abort(throw_for_flint);
  return true;
}

[[maybe_unused]] const bool throws = throw_where_flint_aborts();

/// Exact, so that Arb's own takes no precision.
void arb_abs(arb_t y, const arb_t x, slong /*bits*/) {
  ::arb_abs(y, x);
}

/// A matrix of Arb.
class ArbMatrix {
 public:
  ArbMatrix(Index rows, Index columns) { arb_mat_init(x_, rows, columns); }
  explicit ArbMatrix(const BallMatrix& X) : ArbMatrix(X.rows(), X.cols()) {
    for (Index i = 0; i < X.rows(); ++i)
      for (Index j = 0; j < X.cols(); ++j) arb_set(arb_mat_entry(x_, i, j), X(i, j).get());
  }
  ~ArbMatrix() { arb_mat_clear(x_); }
  ArbMatrix(const ArbMatrix&) = delete;
  ArbMatrix& operator=(const ArbMatrix&) = delete;
  arb_mat_struct* get() { return x_; }

  BallMatrix value() const {
    BallMatrix X(arb_mat_nrows(x_), arb_mat_ncols(x_));
    for (Index i = 0; i < X.rows(); ++i)
      for (Index j = 0; j < X.cols(); ++j) arb_set(X(i, j).get(), arb_mat_entry(x_, i, j));
    return X;
  }

 private:
  arb_mat_t x_;
};

}  // namespace

Ball Ball::around_zero(const Ball& radius) {
  Ball result;
  mag_t size;
  mag_init(size);
  arb_get_mag(size, radius.x_);
  arb_add_error_mag(result.x_, size);
  mag_clear(size);
  return result;
}

Ball hull(const Ball& a, const Ball& b) {
  Ball result;
  arb_union(result.x_, a.x_, b.x_, Ball::bits);
  return result;
}

Ball common(const Ball& a, const Ball& b) {
  Ball result;
  if (arb_intersection(result.get(), a.get(), b.get(), Ball::bits) == 0)
    throw std::logic_error("two bounds of one number contradict each other");
  return result;
}

double Ball::lower() const {
  arf_t x;
  arf_init(x);
  arb_get_lbound_arf(x, x_, bits);
  const double bound = arf_get_d(x, ARF_RND_FLOOR);
  arf_clear(x);
  return bound;
}

double Ball::upper() const {
  arf_t x;
  arf_init(x);
  arb_get_ubound_arf(x, x_, bits);
  const double bound = arf_get_d(x, ARF_RND_CEIL);
  arf_clear(x);
  return bound;
}

Ball Ball::centre() const {
  Ball result;
  arb_get_mid_arb(result.x_, x_);
  return result;
}

Ball Ball::magnitude() const {
  Ball result;
  arf_t x;
  arf_init(x);
  arb_get_abs_ubound_arf(x, x_, bits);
  arb_set_arf(result.x_, x);
  arf_clear(x);
  return result;
}

std::string Ball::text(int digits) const {
  const std::unique_ptr<char, decltype(&flint_free)> words(arb_get_str(x_, digits, 0), &flint_free);
  return words.get();
}

#define RIGIDLIMIT_DEFINE(name, ...)         \
  Ball name(const Ball& a) {                 \
    Ball result;                             \
    arb_##name(result.x_, a.x_, Ball::bits); \
    return result;                           \
  }
RIGIDLIMIT_DEFINE(sqrt)
RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_DEFINE)
#undef RIGIDLIMIT_DEFINE

Ball atan2(const Ball& y, const Ball& x) {
  Ball result;
  arb_atan2(result.x_, y.x_, x.x_, Ball::bits);
  return result;
}

/// arb_pow takes the logarithm of a base that contains 0 also where the exponent is an integer.
Ball pow(const Ball& a, const Ball& b) {
  Ball result;
  if (arb_is_int(b.x_) == 0) {
    arb_pow(result.x_, a.x_, b.x_, Ball::bits);
    return result;
  }
  fmpz_t exponent;
  fmpz_init(exponent);
  arf_get_fmpz(exponent, arb_midref(b.x_), ARF_RND_NEAR);
  arb_pow_fmpz(result.x_, a.x_, exponent, Ball::bits);
  fmpz_clear(exponent);
  return result;
}

bool operator<(const Ball& a, const Ball& b) {
  if (arb_lt(a.x_, b.x_)) return true;
  if (arb_ge(a.x_, b.x_)) return false;
  throw UndecidedComparison();
}

bool operator==(const Ball& a, const Ball& b) {
  if (arb_eq(a.x_, b.x_)) return true;
  if (arb_ne(a.x_, b.x_)) return false;
  throw UndecidedComparison();
}

BallMatrix inverse(const BallMatrix& X) {
  ArbMatrix result(X.rows(), X.cols());
  if (arb_mat_inv(result.get(), ArbMatrix(X).get(), Ball::bits) == 0)
    throw std::domain_error("a matrix of balls may be singular");
  return result.value();
}

bool is_positive_definite(const BallMatrix& X) {
  ArbMatrix factor(X.rows(), X.cols());
  return arb_mat_cho(factor.get(), ArbMatrix(X).get(), Ball::bits) != 0;
}

BallMatrix exponential(const BallMatrix& X) {
  ArbMatrix result(X.rows(), X.cols());
  arb_mat_exp(result.get(), ArbMatrix(X).get(), Ball::bits);
  return result.value();
}

BallMatrix magnitudes(const BallMatrix& X) {
  return X.unaryExpr([](const Ball& x) { return x.magnitude(); });
}

Ball norm_bound(const BallMatrix& X) {
  const BallMatrix sizes = magnitudes(X);
  Ball rows = 0, columns = 0;
  for (Index i = 0; i < X.rows(); ++i) rows = std::max(rows, sizes.row(i).sum().magnitude());
  for (Index j = 0; j < X.cols(); ++j) columns = std::max(columns, sizes.col(j).sum().magnitude());
  return sqrt(rows * columns).magnitude();
}

BallVector larger(const BallVector& a, const BallVector& b) {
  BallVector result(a.size());
  for (Index i = 0; i < a.size(); ++i) result(i) = std::max(a(i).magnitude(), b(i).magnitude());
  return result;
}

BallVector around(const BallVector& sizes) {
  return sizes.unaryExpr([](const Ball& x) { return Ball::around_zero(x); });
}

bool below(const BallVector& x, const BallVector& limit) {
  for (Index i = 0; i < x.size(); ++i)
    if (!(x(i).magnitude().upper() < limit(i).lower())) return false;
  return true;
}

MatrixXd middles(const BallMatrix& X) {
  return X.unaryExpr([](const Ball& x) { return x.middle(); });
}

BallMatrix balls(const MatrixXd& X) {
  return X.cast<Ball>();
}

}  // namespace rigidlimit
