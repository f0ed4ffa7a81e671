// [[expect]]: what the errors of a series are expected to do as ε → 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/measure.hpp"

namespace rigidlimit {

/// The law of a compliant motion, as a table names it.
struct LawName {
  std::string name;                        ///< "viscoelastic", "projected"
  std::optional<double> tangential_power;  ///< κ of projected friction: ε_t = ε^κ

  bool operator==(const LawName&) const = default;
};

/// "viscoelastic", "projected, κ = 1".
std::string text_of(const LawName& law);

enum class Convergence {
  of_order,  ///< a power of ε: ExpectationSpec::order, where one is given
  none,      ///< they do not tend to zero: the negative control
  exact,     ///< there are none at any ε
  bounded    ///< error + floor ≤ within at every ε: of what is exponentially small
};

const char* name_of(Convergence convergence);  ///< "of_order", "none", "exact", "bounded"

/// An order, or no convergence, or no error, or a bound, or that measured over predicted
/// coefficient tends to `ratio`, or an order and a ratio.
struct ExpectationSpec {
  Measure measure;
  std::optional<std::string> law = {};       ///< its name; absent: every law of the study
  std::optional<double> tangential_power{};  ///< likewise
  Convergence convergence = Convergence::of_order;
  std::optional<double> order = {};
  double within = 0.05;  ///< of the order (0 for `none`); for `exact` and `bounded` of the error
  /// Orders s of the terms beside the leading one where theory knows them: taken away before the
  /// order is fitted (convergence/further_terms.hpp). Greater than `order`; twice: ε^s log ε too.
  std::vector<double> next_orders{};
  std::optional<double> ratio = {};
  double ratio_within = 1e-3;

  /// An order is judged, or another behaviour of the errors.
  bool judges_errors() const { return order || convergence != Convergence::of_order; }

  bool concerns(const LawName& of, const Measure& measured) const;
};

}  // namespace rigidlimit
