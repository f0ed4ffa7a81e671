// Functions of time on a short interval as Taylor polynomials with a remainder (Makino and Berz
// 2003).
#pragma once

#include <arb_poly.h>

#include <memory>
#include <type_traits>
#include <utility>

#include "rigidlimit/certify/ball.hpp"

namespace rigidlimit {

/// The functions x(s) = c₀ + c₁ s + … + c_{p−1} s^(p−1) + r(s) s^p on a ≤ s ≤ b, with r(s) in a
/// ball for every s and a ≤ 0 ≤ b. The result of an operation contains that of all functions in its
/// operands. In contrast to a ball around the values, the polynomials of x and y cancel in x − y,
/// and the remainder of a quotient does not grow with its order. A number of tapes.
///
/// A model knows its domain, p and [a, b]. An operation on models of two domains throws
/// std::logic_error. A number has no domain and takes that of the other operand.
class TaylorModel : public AssignmentOperators<TaylorModel>,
                    public ComparisonOperators<TaylorModel> {
 public:
  /// p and [a, b]; copies share them.
  class Domain {
   public:
    /// That of numbers, at all times.
    Domain() = default;
    Domain(Index p, const Ball& length) : Domain(p, Ball(0), length) {}
    Domain(Index p, const Ball& begin, const Ball& end);

    bool is_given() const { return parts_ != nullptr; }
    Index order() const { return parts().order; }        ///< p
    const Ball& times() const { return parts().times; }  ///< [a, b]
    const Ball& power() const { return parts().power; }  ///< all s^p
    /// a = b: only the polynomials are computed.
    bool is_instant() const { return parts().instant; }

    bool operator==(const Domain& other) const;
    /// A model of this domain is one of the other: of the same order on times that contain the
    /// others, or in an instant, where its first coefficients count.
    bool is_part_of(const Domain& other) const;

   private:
    struct Parts {
      Parts(Index p, const Ball& from, const Ball& to);
      Index order;
      Ball begin, end, times, power;
      bool instant;
    };
    const Parts& parts() const { return parts_ ? *parts_ : of_numbers(); }
    static const Parts& of_numbers();

    std::shared_ptr<const Parts> parts_;
  };

  TaylorModel() { arb_poly_init(polynomial_); }
  template <class U>
  requires std::is_arithmetic_v<U> TaylorModel(U number)  // NOLINT(google-explicit-constructor)
      : TaylorModel(Ball(number)) {}
  explicit TaylorModel(const Ball& constant) : TaylorModel() {
    arb_poly_set_arb(polynomial_, constant.get());
  }
  TaylorModel(const TaylorModel& other) : TaylorModel() { *this = other; }
  TaylorModel(TaylorModel&& other) noexcept : TaylorModel() { *this = std::move(other); }
  ~TaylorModel() { arb_poly_clear(polynomial_); }
  TaylorModel& operator=(const TaylorModel& other) {
    arb_poly_set(polynomial_, other.polynomial_);
    remainder_ = other.remainder_;
    domain_ = other.domain_;
    return *this;
  }
  TaylorModel& operator=(TaylorModel&& other) noexcept {
    arb_poly_swap(polynomial_, other.polynomial_);
    remainder_ = std::move(other.remainder_);
    std::swap(domain_, other.domain_);
    return *this;
  }

  /// A polynomial with these coefficients, of any degree.
  static TaylorModel polynomial(const Domain& domain, const BallVector& coefficients);

  const Domain& domain() const { return domain_; }
  /// The same functions on a part of the domain; a number on any domain. Throws std::logic_error
  /// if `domain` is not a part.
  TaylorModel on(const Domain& domain) const;

  Ball coefficient(Index k) const;  ///< c_k; 0 for k ≥ p
  /// Throws std::logic_error if a number would depend on time.
  void set_coefficient(Index k, const Ball& c);
  const Ball& remainder() const { return remainder_; }
  void set_remainder(const Ball& r);  ///< throws std::logic_error for a number

  /// Exactly 0.
  bool is_zero() const { return arb_poly_is_zero(polynomial_) && arb_is_zero(remainder_.get()); }

  Ball at(const Ball& s) const;  ///< all values at the times s
  Ball range() const;            ///< all values on [a, b]
  /// ≥ the radius of all values at a time.
  Ball width() const;
  /// The polynomial, with r = 0.
  TaylorModel polynomial() const;
  /// The derivative of the polynomial.
  TaylorModel slope() const;
  /// ≥ all moduli on [−b, b] for a = −b, by the coefficients of Chebyshev polynomials: where the
  /// values are differences at nodes, the powers of s cancel.
  Ball chebyshev_bound() const;
  /// start + the integral from 0. Throws std::logic_error for a number other than 0.
  TaylorModel integral(const Ball& start) const;

  friend TaylorModel operator+(const TaylorModel& a, const TaylorModel& b);
  friend TaylorModel operator-(const TaylorModel& a, const TaylorModel& b);
  friend TaylorModel operator*(const TaylorModel& a, const TaylorModel& b);
  /// Throws std::domain_error if b may vanish.
  friend TaylorModel operator/(const TaylorModel& a, const TaylorModel& b);
  friend TaylorModel operator-(const TaylorModel& a);

  RIGIDLIMIT_DECLARE_FUNCTIONS(TaylorModel)
  friend TaylorModel pow(const TaylorModel& a, double p);

  /// Of the ranges; throw UndecidedComparison unless all values give the same answer.
  friend bool operator<(const TaylorModel& a, const TaylorModel& b);
  friend bool operator==(const TaylorModel& a, const TaylorModel& b);
  friend bool operator<=(const TaylorModel& a, const TaylorModel& b) { return !(b < a); }

 private:
  explicit TaylorModel(const Domain& domain) : domain_(domain) { arb_poly_init(polynomial_); }
  /// That of an operation on both.
  static const Domain& common(const TaylorModel& a, const TaylorModel& b);

  using Series = void (*)(arb_poly_t, const arb_poly_t, slong, slong);
  Ball value(const Ball& s) const;  ///< of the polynomial
  bool is_constant() const { return arb_poly_length(polynomial_) <= 1; }
  /// Drops the coefficients from s^p on, and adds them to the remainder.
  void take_high_powers();
  static TaylorModel entire(const TaylorModel& a, Series series, const Ball& slope);
  /// f(a) for f' = slope(polynomial of a).
  static TaylorModel primitive(const TaylorModel& a, const Ball& start, const TaylorModel& slope,
                               const Ball& slope_range);

  arb_poly_t polynomial_;
  Ball remainder_ = 0;
  Domain domain_;
};

}  // namespace rigidlimit
