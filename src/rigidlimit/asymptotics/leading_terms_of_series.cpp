#include <cmath>

#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/asymptotics/series_expansion.hpp"

namespace rigidlimit {
namespace {

constexpr int highest = 2;

class SeriesLeadingTerms final : public LeadingTerms {
 public:
  explicit SeriesLeadingTerms(const CompliantStart& start)
      : law_(start.law),
        series_(start.system, start.state, start.law, start.eta0, highest, start.end,
                start.crossings) {}

  Motion at(double epsilon, const std::vector<double>& times, double from) const override {
    const double mu = small_parameter(law_, epsilon);
    const LeadingOrders orders = first_terms(from).sup();
    const auto term = [&](double order) {
      return series_.term(mu, times, std::isnan(order) ? highest : static_cast<int>(order), from);
    };
    Motion terms = term(orders.q);
    terms.v = term(orders.v).v;
    terms.lambda = term(orders.lambda).lambda;
    return terms;
  }

  Motion known(double epsilon, const std::vector<double>& times) const override {
    return series_.deviation(small_parameter(law_, epsilon), times, highest);
  }

  LeadingOrders sup_orders(double from) const override {
    return in_epsilon(first_terms(from).sup());
  }
  LeadingOrders l2_orders(double from) const override { return in_epsilon(first_terms(from).l2()); }
  double layer_share(double epsilon) const override {
    return small_parameter(law_, epsilon) / series_.natural_parameter();
  }

 private:
  FirstTerms first_terms(double from) const { return {series_, -1, from}; }
  LeadingOrders in_epsilon(const LeadingOrders& orders) const {
    const double power = power_of_epsilon(law_);
    return {.q = power * orders.q, .v = power * orders.v, .lambda = power * orders.lambda};
  }

  ViscoelasticLaw law_;
  SeriesExpansion<double> series_;
};

}  // namespace

std::unique_ptr<LeadingTerms> leading_terms_of_series(const CompliantStart& start) {
  return std::make_unique<SeriesLeadingTerms>(start);
}

}  // namespace rigidlimit
