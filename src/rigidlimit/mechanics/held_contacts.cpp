// Contacts held closed that roll: the author's system with more exact rows.
#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"

namespace rigidlimit {
namespace {

/// Selects the rows of the contacts of this kind, from one row per contact.
ExpressionMatrix rows_of(const ExpressionMatrix& all, const std::vector<ContactPoint>& contacts,
                         Normal kind) {
  ExpressionMatrix some(all.rows(), all.cols());
  Index count = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].normal == kind) some.row(count++) = all.row(static_cast<Index>(i));
  return some.topRows(count);
}

Index count_of(const std::vector<ContactPoint>& contacts, Normal kind) {
  return std::ranges::count(contacts, kind, &ContactPoint::normal);
}

class HeldContacts final : public AuthoredSystem {
  using Q = const ExpressionVector&;

 public:
  HeldContacts(const AuthoredSystem& author, const std::vector<ContactPoint>& contacts)
      : author_(author), contacts_(contacts) {
    const Index held = count_of(contacts, Normal::bilateral);
    nq = author.nq;
    n = author.n;
    m = author.m;
    ne = author.ne + held;
    ni = author.ni + held;
    lagrangian = author.lagrangian;
    lagrange_coordinates = author.lagrange_coordinates;
    natural_velocities = author.natural_velocities;
    has_potential = author.has_potential;
    has_dissipation = author.has_dissipation;
    exact_rates = author.exact_rates;
    clock = author.clock;
    Recording recording;
    const ExpressionVector q = recording.inputs(nq);
    // A normal force without effect on the motion may depend on t and is not evaluated.
    is_pushed_ = !is_zero(rows_of(normal_rows(author_, q), contacts_, Normal::given));
    explicit_time = author.explicit_time || is_pushed_;
    const Index stated = natural_velocities ? author_.quasi_velocities(q).rows() : 0;
    if (natural_velocities && stated != n - ne - m)
      throw InputError(
          fmt::format("quasi_velocities(q) returns {} rows, but {} velocities are free beside the "
                      "exact, bilateral and rolling rows",
                      stated, n - ne - m));
  }

  ExpressionMatrix mass_matrix(Q q) const override { return author_.mass_matrix(q); }
  ExpressionVector force(Q q, Q v, const Expression& t) const override {
    return pushed(author_.force(q, v, t), q, v, t);
  }
  Expression kinetic_coenergy(Q q, Q v) const override { return author_.kinetic_coenergy(q, v); }
  Expression dissipation(Q v) const override { return author_.dissipation(v); }
  ExpressionVector applied_force(Q q, Q v, const Expression& t) const override {
    return pushed(author_.applied_force(q, v, t), q, v, t);
  }
  Expression potential(Q q) const override { return author_.potential(q); }
  ExpressionMatrix velocity_map(Q q) const override { return author_.velocity_map(q); }
  ExpressionMatrix constraints(Q q) const override {
    const ExpressionMatrix stated = author_.constraints(q);
    ExpressionMatrix all(ne + m, n);
    all.topRows(author_.ne) = stated.topRows(author_.ne);
    all.middleRows(author_.ne, ne - author_.ne) =
        rows_of(normal_rows(author_, q), contacts_, Normal::bilateral);
    all.bottomRows(m) = stated.bottomRows(m);
    return all;
  }
  ExpressionVector invariants(Q q) const override {
    ExpressionVector all(ni);
    all.head(author_.ni) = author_.invariants(q);
    all.tail(ni - author_.ni) = rows_of(author_.gap(q), contacts_, Normal::bilateral);
    return all;
  }
  ExpressionMatrix quasi_velocities(Q q) const override { return author_.quasi_velocities(q); }
  ExpressionVector gap(Q) const override { return ExpressionVector(0); }
  std::vector<double> switching_times() const override { return author_.switching_times(); }
  ExpressionVector normal_force(Q, Q, const Expression&) const override {
    return ExpressionVector(0);
  }

 private:
  /// Adds the given normal forces.
  ExpressionVector pushed(const ExpressionVector& F, Q q, Q v, const Expression& t) const {
    if (!is_pushed_) return F;
    const ExpressionMatrix N = rows_of(normal_rows(author_, q), contacts_, Normal::given);
    return F +
           product(N.transpose(), rows_of(author_.normal_force(q, v, t), contacts_, Normal::given));
  }

  const AuthoredSystem& author_;
  const std::vector<ContactPoint>& contacts_;
  bool is_pushed_ = false;  ///< by a given normal force along rows that are not zero
};

}  // namespace

std::string why_not_held(const std::vector<ContactPoint>& contacts) {
  for (const ContactPoint& contact : contacts)
    if (contact.normal == Normal::unilateral)
      return fmt::format(
          "its contact '{}' may open, but rolling needs closed contacts, with a given or bilateral "
          "normal force",
          contact.name);
  const auto slides = [](const ContactPoint& contact) { return contact.components > 0; };
  if (!contacts.empty() && std::ranges::none_of(contacts, slides))
    return "its contacts have no sliding rows, as they have no friction";
  return {};
}

System rolling_system_of(const AuthoredSystem& author, const std::vector<ContactPoint>& contacts) {
  check_contacts(contacts, author.m, author.nc);
  if (const std::string reason = why_not_held(contacts); !reason.empty()) throw InputError(reason);
  return system_of(HeldContacts(author, contacts));
}

}  // namespace rigidlimit
