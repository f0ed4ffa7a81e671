#include <cmath>

#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/asymptotics/series_expansion.hpp"

namespace rigidlimit {
namespace {

constexpr int highest = 2;

/// A power of 2 near √C (near √D if C = 0): the unit of ε in which C is of order 1. The layer's
/// equations are well scaled there.
double unit_of(const ViscoelasticLaw& law) {
  const double C = law.stiffness.cwiseAbs().maxCoeff();
  const double size = C > 0.0 ? C : law.damping.cwiseAbs().maxCoeff();
  return size > 0.0 && std::isfinite(size) ? std::exp2(std::round(0.5 * std::log2(size))) : 1.0;
}

/// The same contact at ε/unit in place of ε.
ViscoelasticLaw in_unit(ViscoelasticLaw law, double unit) {
  law.stiffness /= unit * unit;
  law.damping /= std::pow(unit, law.damping_exponent);
  return law;
}

class SeriesLeadingTerms final : public LeadingTerms {
 public:
  explicit SeriesLeadingTerms(const CompliantStart& start)
      : unit_(start.law.stiffness.size() > 0 ? unit_of(start.law) : 1.0),
        law_(in_unit(start.law, unit_)),
        series_(start.system, start.state, law_, unit_ * unit_ * start.eta0, highest, start.end,
                start.crossings, start.stop_requested, scaled(start.shift)) {}

  Motion at(double epsilon, const std::vector<double>& times, double from) const override {
    const double mu = small_parameter(law_, epsilon / unit_);
    const LeadingOrders orders = first_terms(from).sup();
    const auto term = [&](double order) {
      return series_.term(mu, times, std::isnan(order) ? highest : static_cast<int>(order), from);
    };
    Motion terms = term(orders.q);
    terms.v = term(orders.v).v;
    terms.lambda = term(orders.lambda).lambda;
    terms.gap = term(orders.gap).gap;
    return terms;
  }

  Motion known(double epsilon, const std::vector<double>& times) const override {
    return series_.deviation(small_parameter(law_, epsilon / unit_), times, highest);
  }

  LeadingOrders sup_orders(double from) const override {
    return in_epsilon(first_terms(from).sup());
  }
  LeadingOrders l2_orders(double from) const override { return in_epsilon(first_terms(from).l2()); }
  double layer_share(double epsilon) const override {
    return small_parameter(law_, epsilon / unit_) / series_.natural_parameter();
  }

 private:
  /// The shift is one of ε², here of (ε/unit)².
  StartShift scaled(StartShift shift) const {
    shift.q *= unit_ * unit_;
    shift.v *= unit_ * unit_;
    return shift;
  }
  FirstTerms first_terms(double from) const { return {series_, -1, from}; }
  LeadingOrders in_epsilon(const LeadingOrders& orders) const {
    return orders.times(power_of_epsilon(law_));
  }

  double unit_;
  ViscoelasticLaw law_;
  SeriesExpansion<double> series_;
};

}  // namespace

std::unique_ptr<LeadingTerms> leading_terms_of_series(const CompliantStart& start) {
  return std::make_unique<SeriesLeadingTerms>(start);
}

}  // namespace rigidlimit
