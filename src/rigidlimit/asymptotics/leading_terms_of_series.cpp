#include <cmath>
#include <functional>
#include <limits>

#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/asymptotics/series_expansion.hpp"

namespace rigidlimit {
namespace {

constexpr int highest = 2;
constexpr double none = std::numeric_limits<double>::infinity();

using Size = double TermSizes::*;

class SeriesLeadingTerms final : public LeadingTerms {
 public:
  explicit SeriesLeadingTerms(const CompliantStart& start)
      : law_(start.law),
        series_(start.system, start.state, start.law, start.eta0, highest, start.end,
                start.crossings) {}

  Motion at(double epsilon, const std::vector<double>& times, double from) const override {
    const double mu = small_parameter(law_, epsilon);
    Motion terms = series_.term(mu, times, leading_order(&TermSizes::q, from), from);
    terms.v = series_.term(mu, times, leading_order(&TermSizes::v, from), from).v;
    terms.lambda = series_.term(mu, times, leading_order(&TermSizes::lambda, from), from).lambda;
    return terms;
  }

  Motion known(double epsilon, const std::vector<double>& times) const override {
    return series_.deviation(small_parameter(law_, epsilon), times, highest);
  }

  LeadingOrders sup_orders(double from) const override {
    return orders([&](Size of) {
      const First first = first_terms(of, from);
      return std::min(first.outer, first.layer);
    });
  }
  LeadingOrders l2_orders(double from) const override {
    return orders([&](Size of) {
      const First first = first_terms(of, from);
      return std::min(first.outer, first.layer + 0.5);
    });
  }

 private:
  /// Orders in μ of the first terms that are not zero.
  struct First {
    double outer = none, layer = none;
  };
  First first_terms(Size of, double from) const {
    double outer[highest + 1], layer[highest + 2], largest = 0.0;
    for (int k = -1; k <= highest; ++k) {
      if (k >= 0) outer[k] = series_.outer_size(k, from).*of;
      layer[k + 1] = series_.layer_size(k, from).*of;
      largest = std::max({largest, k >= 0 ? outer[k] : 0.0, layer[k + 1]});
    }
    constexpr double rounding = 1e-10;
    First first;
    for (int k = highest; k >= -1; --k) {
      if (k >= 1 && outer[k] > rounding * largest) first.outer = k;
      if (layer[k + 1] > rounding * largest) first.layer = k;
    }
    return first;
  }
  int leading_order(Size of, double from) const {
    const First first = first_terms(of, from);
    const double order = std::min(first.outer, first.layer);
    return order == none ? highest : static_cast<int>(order);
  }
  LeadingOrders orders(const std::function<double(Size)>& in_mu) const {
    const auto in_epsilon = [&](Size of) {
      const double order = in_mu(of);
      return order == none ? std::nan("") : power_of_epsilon(law_) * order;
    };
    return {.q = in_epsilon(&TermSizes::q),
            .v = in_epsilon(&TermSizes::v),
            .lambda = in_epsilon(&TermSizes::lambda)};
  }

  ViscoelasticLaw law_;
  SeriesExpansion<double> series_;
};

}  // namespace

std::unique_ptr<LeadingTerms> leading_terms_of_series(const CompliantStart& start) {
  return std::make_unique<SeriesLeadingTerms>(start);
}

}  // namespace rigidlimit
