#include <algorithm>
#include <array>
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
    const Sizes sizes = sizes_from(from);
    Motion terms = series_.term(mu, times, leading_order(sizes, &TermSizes::q), from);
    terms.v = series_.term(mu, times, leading_order(sizes, &TermSizes::v), from).v;
    terms.lambda = series_.term(mu, times, leading_order(sizes, &TermSizes::lambda), from).lambda;
    return terms;
  }

  Motion known(double epsilon, const std::vector<double>& times) const override {
    return series_.deviation(small_parameter(law_, epsilon), times, highest);
  }

  LeadingOrders sup_orders(double from) const override {
    return orders(from, [](const First& first) { return std::min(first.outer, first.layer); });
  }
  LeadingOrders l2_orders(double from) const override {
    return orders(from,
                  [](const First& first) { return std::min(first.outer, first.layer + 0.5); });
  }

 private:
  /// Of the outer terms k = 0 … highest, and of the layers k = −1 … highest, at k + 1.
  struct Sizes {
    std::array<TermSizes, highest + 1> outer;
    std::array<TermSizes, highest + 2> layer;
  };
  Sizes sizes_from(double from) const {
    Sizes sizes;
    for (std::size_t k = 0; k < sizes.outer.size(); ++k)
      sizes.outer[k] = series_.outer_size(static_cast<int>(k), from);
    for (std::size_t k = 0; k < sizes.layer.size(); ++k)
      sizes.layer[k] = series_.layer_size(static_cast<int>(k) - 1, from);
    return sizes;
  }

  /// Orders in μ of the first terms that are not zero.
  struct First {
    double outer = none, layer = none;
  };
  static First first_terms(const Sizes& sizes, Size of) {
    double largest = 0.0;
    for (const TermSizes& size : sizes.outer) largest = std::max(largest, size.*of);
    for (const TermSizes& size : sizes.layer) largest = std::max(largest, size.*of);
    constexpr double rounding = 1e-10;
    First first;
    for (std::size_t k = highest; k >= 1; --k)
      if (sizes.outer[k].*of > rounding * largest) first.outer = static_cast<double>(k);
    for (std::size_t k = sizes.layer.size(); k-- > 0;)
      if (sizes.layer[k].*of > rounding * largest) first.layer = static_cast<double>(k) - 1.0;
    return first;
  }
  static int leading_order(const Sizes& sizes, Size of) {
    const First first = first_terms(sizes, of);
    const double order = std::min(first.outer, first.layer);
    return order == none ? highest : static_cast<int>(order);
  }
  LeadingOrders orders(double from, const std::function<double(const First&)>& in_mu) const {
    const Sizes sizes = sizes_from(from);
    const auto in_epsilon = [&](Size of) {
      const double order = in_mu(first_terms(sizes, of));
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
