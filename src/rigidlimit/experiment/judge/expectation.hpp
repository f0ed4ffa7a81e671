// Expectations of a study about a series, and claims with their result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/experiment/judge/measure.hpp"

namespace rigidlimit {

/// The law of a compliant motion, as named in tables.
struct LawName {
  std::string name;                        ///< "viscoelastic", "projected"
  std::optional<double> tangential_power;  ///< κ of projected friction: ε_t = ε^κ

  bool operator==(const LawName&) const = default;
};

/// "viscoelastic", "projected, κ = 1".
std::string text_of(const LawName& law);

enum class Convergence {
  of_order,  ///< a power of ε: ExpectationSpec::order or at_least, if given
  none,      ///< no convergence to zero: the negative control
  exact,     ///< no error at any ε
  bounded    ///< error + floor ≤ within at every ε: for exponentially small errors
};

const char* name_of(Convergence convergence);  ///< "of_order", "none", "exact", "bounded"

/// One of: an order; a least order; no convergence; no error; a bound; the limit `ratio` of the
/// ratio of measured and predicted coefficient; an order and a ratio.
struct ExpectationSpec {
  Measure measure;
  std::optional<std::string> law = {};       ///< name of the law; empty: every law of the study
  std::optional<double> tangential_power{};  ///< of the law; empty: any
  Convergence convergence = Convergence::of_order;
  std::optional<double> order = {};
  std::optional<double> at_least = {};  ///< the least order, in place of `order`
  /// Tolerance of the order (around 0 for `none`); for `exact` and `bounded`, of the error.
  double within = 0.05;
  /// Known orders s of the terms after the leading one. The fit removes these terms first
  /// (convergence/further_terms.hpp). Each exceeds `order`; listed twice: also ε^s log ε.
  std::vector<double> next_orders{};
  std::optional<double> ratio = {};
  double ratio_within = 1e-3;
  std::string order_only{};  ///< why an order has no ratio, in the words of the study; may be empty
  std::optional<double> after{};  ///< begin of the window "after"; empty: that of the study

  /// Whether it concerns the errors, not only their ratio to the prediction.
  bool judges_errors() const { return order || at_least || convergence != Convergence::of_order; }

  /// The claim on the order; without `order` and `at_least`, that of no order.
  Expectation expected_order() const {
    return {
        .order = at_least ? at_least : order, .within = within, .at_least = at_least.has_value()};
  }

  bool concerns(const LawName& of, const Measure& measured) const;
};

struct Claim {
  std::string text;  ///< "outcome success", "thresholds within 1e-06 of their formulas"
  bool held = false;
  std::string found;
};

}  // namespace rigidlimit
