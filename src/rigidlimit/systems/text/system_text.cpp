#include "rigidlimit/systems/text/system_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit {

namespace {

// Beyond any text written by hand.
constexpr std::size_t most_components = 32;
constexpr std::size_t most_names = 1000;

std::string plural(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// The formulas of a list, without their places.
using Formulas = std::vector<Formula>;

/// A SystemText with parsed formulas. The values of its names are in slots:
///
///   [ parameters | coordinates | velocities | t | lets ]
class ReadSystem {
 public:
  explicit ReadSystem(SystemText of) : text(std::move(of)) {
    require_sizes();
    part_parameters();
    name_components();
    read_formulas();
    require_counts();
  }

  SystemText text;
  FormulaNames names;
  Index nq = 0, n = 0, m = 0, ne = 0;
  bool lagrange_coordinates = true;

  Formulas q_start, v_start, rates;
  Formulas kinetic_coenergy, potential, dissipation, applied_force;  // at most 1 of the first three
  Formulas mass_matrix, force, constraint, exact_constraint, quasi_velocities, invariants;
  Formulas gap, normal_force, friction, restitution, kinks;  // of the first four one per contact
  std::vector<Formulas> gap_scale, sliding_scale;            // one per contact; at most 1 in each
  std::size_t motion_parameters = 0;  ///< listed first, then those of contacts

  std::size_t first_q() const { return text.parameters.size(); }
  std::size_t first_v() const { return first_q() + static_cast<std::size_t>(nq); }
  std::size_t time() const { return first_v() + static_cast<std::size_t>(n); }

  /// One value per parameter: defaults for omitted contact parameters.
  std::vector<double> all_values(std::vector<double> values) const {
    for (std::size_t i = values.size(); i < text.parameters.size(); ++i)
      values.push_back(text.parameters[i].info.default_value);
    return values;
  }

  /// The parameters and the values that depend only on them, in double.
  std::vector<double> constants(const std::vector<double>& values) const {
    return names.constants(all_values(values));
  }

 private:
  void require_sizes() const {
    if (text.coordinates.empty()) refuse(text.whole, "has no coordinates");
    if (text.constraint.empty())
      refuse(text.whole,
             "has no constraint and no contacts; give at least one row, linear in the velocities. "
             "An ODE "
             "without a contact is a [problem] of a benchmark: rigidlimit help keys problem-text");
    for (const auto& [count, what] : {std::pair(text.coordinates.size(), "coordinates"),
                                      std::pair(text.velocities.size(), "velocities"),
                                      std::pair(text.constraint.size(), "constraint"),
                                      std::pair(text.exact_constraint.size(), "exact_constraint"),
                                      std::pair(text.invariants.size(), "invariants")})
      if (count > most_components)
        refuse(text.whole,
               fmt::format("{} entries of {}; the limit is {}", count, what, most_components));
    if (const std::size_t count = text.parameters.size() + text.lets.size(); count > most_names)
      refuse(text.whole, fmt::format("{} parameters and names of [system.let]; the limit is {}",
                                     count, most_names));
  }

  /// The names in a formula, and in the formulas of `let` that it needs.
  void add_names(const PlacedText& formula, std::set<std::string>& found) const {
    for (const std::string& name : names_in(formula.text)) {
      if (!found.insert(name).second) continue;
      for (const auto& let : text.lets)
        if (let.name.text == name) add_names(let.formula, found);
    }
  }
  /// Moves the parameters used only by friction, restitution and normal forces without work to the
  /// end.
  void part_parameters() {
    std::set<std::string> of_contacts, of_motion;
    for (const auto& contact : text.contacts) {
      for (const PlacedText* formula : {&contact.friction, &contact.restitution})
        add_names(*formula, of_contacts);
      const bool pushes = !names_in(contact.gap.text).empty();
      add_names(contact.normal_force, pushes ? of_motion : of_contacts);
      for (const PlacedText* formula : {&contact.gap, &contact.gap_scale, &contact.sliding_scale})
        add_names(*formula, of_motion);
    }
    for (const PlacedText* formula : {&text.kinetic_coenergy, &text.potential, &text.dissipation})
      add_names(*formula, of_motion);
    for (const auto* list : {&text.applied_force, &text.force, &text.exact_constraint,
                             &text.quasi_velocities, &text.invariants, &text.kinks})
      for (const PlacedText& formula : *list) add_names(formula, of_motion);
    for (const auto& row : text.mass_matrix)
      for (const PlacedText& formula : row) add_names(formula, of_motion);
    for (const auto& row : text.constraint) add_names(row.row, of_motion);
    for (const auto& x : text.coordinates)
      for (const PlacedText* formula : {&x.start, &x.start_rate, &x.rate})
        add_names(*formula, of_motion);
    for (const auto& v : text.velocities) add_names(v.start, of_motion);
    const auto last = std::ranges::stable_partition(text.parameters, [&](const auto& parameter) {
      return !of_contacts.contains(parameter.name.text) || of_motion.contains(parameter.name.text);
    });
    motion_parameters = static_cast<std::size_t>(last.begin() - text.parameters.begin());
  }

  void name_components() {
    nq = std::ssize(text.coordinates);
    lagrange_coordinates = text.velocities.empty();
    n = lagrange_coordinates ? nq : std::ssize(text.velocities);
    m = std::ssize(text.constraint);
    ne = std::ssize(text.exact_constraint);
    for (const auto& parameter : text.parameters) names.define(parameter.name, on_nothing);
    for (const auto& x : text.coordinates) names.define(x.name, on_coordinates);
    for (const auto& v : text.velocities) names.define(v.name, on_velocities);
    if (lagrange_coordinates)
      for (const auto& x : text.coordinates) names.define(x.name, x.name.text + "'", on_velocities);
    names.define_time();
    names.read_lets(text.lets, on_coordinates | on_velocities | on_time);
  }

  Formulas read_all(const std::vector<PlacedText>& formulas, unsigned may_depend) {
    Formulas made;
    for (const PlacedText& formula : formulas) made.push_back(names.read(formula, may_depend));
    return made;
  }
  /// One formula, or none.
  Formulas read_one(const PlacedText& formula, unsigned may_depend) {
    return formula.text.empty() ? Formulas{} : read_all({formula}, may_depend);
  }

  void read_formulas() {
    constexpr unsigned q = on_coordinates, v = on_velocities, t = on_time;
    for (const auto& x : text.coordinates) {
      q_start.push_back(names.read(x.start, on_nothing));
      if (lagrange_coordinates)
        v_start.push_back(names.read(x.start_rate, on_nothing));
      else
        rates.push_back(names.read(x.rate, q | v));
    }
    for (const auto& velocity : text.velocities)
      v_start.push_back(names.read(velocity.start, on_nothing));
    kinetic_coenergy = read_one(text.kinetic_coenergy, q | v);
    potential = read_one(text.potential, q);
    dissipation = read_one(text.dissipation, v);
    applied_force = read_all(text.applied_force, q | v | t);
    for (const auto& row : text.mass_matrix)
      std::ranges::move(read_all(row, q), std::back_inserter(mass_matrix));
    force = read_all(text.force, q | v | t);
    for (const auto& contact : text.constraint)
      constraint.push_back(names.read(contact.row, q | v));
    exact_constraint = read_all(text.exact_constraint, q | v);
    quasi_velocities = read_all(text.quasi_velocities, q | v);
    invariants = read_all(text.invariants, q);
    kinks = read_all(text.kinks, q);
    for (const auto& contact : text.contacts) {
      gap.push_back(names.read(contact.gap, q));
      normal_force.push_back(names.read(contact.normal_force, q | v | t));
      friction.push_back(names.read(contact.friction, on_nothing));
      restitution.push_back(names.read(contact.restitution, on_nothing));
      gap_scale.push_back(read_one(contact.gap_scale, on_nothing));
      sliding_scale.push_back(read_one(contact.sliding_scale, on_nothing));
    }
  }

  void require_count(const std::vector<PlacedText>& formulas, Index wanted, const char* why) const {
    if (formulas.empty() || std::ssize(formulas) == wanted) return;
    refuse(formulas.front(), fmt::format("the list has {}, but {} were expected: {}",
                                         plural(formulas.size(), "formula"), wanted, why));
  }
  void require_counts() const {
    const bool lagrangian = !kinetic_coenergy.empty();
    if (lagrangian == !mass_matrix.empty() || lagrangian == !force.empty())
      refuse(text.whole, "give kinetic_coenergy and potential, or mass_matrix and force");
    if (lagrangian && potential.empty())
      refuse(text.whole, "a kinetic_coenergy needs a potential; for a free body it is \"0\"");
    if (!lagrangian && !(dissipation.empty() && applied_force.empty()))
      refuse(text.whole,
             "dissipation and applied_force need kinetic_coenergy; with mass_matrix include them "
             "in force");
    if (!text.kinks.empty() && text.contacts.empty())
      refuse(text.kinks.front(), "kinks belong to contacts, but the system has no contacts");
    require_count(text.applied_force, n, "one for each velocity");
    require_count(text.force, n, "one for each velocity");
    const auto held =
        std::ranges::count(text.contacts, Normal::bilateral, &SystemText::ContactPoint::normal);
    require_count(text.quasi_velocities, n - ne - held - m,
                  "velocities without exact rows, bilateral contacts and rolling rows");
    for (const auto& row : text.mass_matrix)
      if (std::ssize(row) != n || std::ssize(text.mass_matrix) != n)
        refuse(row.empty() ? text.whole : row.front(),
               fmt::format("mass_matrix must have {0} rows of {0} formulas", n));
  }
};

/// The formulas as an AuthoredSystem, with values of the parameters.
class TextAuthor final : public AuthoredSystem {
 public:
  /// `varied`: the parameter that is a further coordinate, the last one, with the rate 0.
  TextAuthor(std::shared_ptr<const ReadSystem> read, const std::vector<double>& values,
             std::optional<std::size_t> varied = std::nullopt)
      : read_(std::move(read)),
        varied_(varied),
        values_(read_->all_values(values)),
        constants_(read_->constants(without(varied, values_))) {
    nq = read_->nq + (varied_ ? 1 : 0);
    n = read_->n;
    m = read_->m;
    ne = read_->ne;
    ni = std::ssize(read_->invariants);
    nc = std::ssize(read_->gap);
    lagrangian = !read_->kinetic_coenergy.empty();
    const auto on_t = [](const Formula& f) { return (f.depends() & on_time) != 0; };
    explicit_time =
        std::ranges::any_of(read_->force, on_t) || std::ranges::any_of(read_->applied_force, on_t);
    natural_velocities = !read_->quasi_velocities.empty();
    lagrange_coordinates = read_->lagrange_coordinates && !varied_;
    has_potential = !read_->potential.empty();
    has_dissipation = !read_->dissipation.empty() && !varied_;
    require_linear();
    require_quadratic();
    for (std::size_t i = 0; i < read_->gap.size(); ++i) {
      require_scale(read_->gap_scale[i], read_->text.contacts[i].gap_scale);
      require_scale(read_->sliding_scale[i], read_->text.contacts[i].sliding_scale);
    }
  }

  ExpressionMatrix mass_matrix(const ExpressionVector& q) const override {
    return column(read_->mass_matrix, {&q}).reshaped(n, n).transpose();
  }
  ExpressionVector force(const ExpressionVector& q, const ExpressionVector& v,
                         const Expression& t) const override {
    return column(read_->force, {&q, &v, &t});
  }
  Expression kinetic_coenergy(const ExpressionVector& q, const ExpressionVector& v) const override {
    return one(read_->kinetic_coenergy, {&q, &v});
  }
  Expression dissipation(const ExpressionVector& v) const override {
    if (varied_) return 0;  // R is not a function of q: applied_force() contains its force
    return one(read_->dissipation, {nullptr, &v});
  }
  ExpressionVector applied_force(const ExpressionVector& q, const ExpressionVector& v,
                                 const Expression& t) const override {
    ExpressionVector Q = ExpressionVector::Zero(n);
    if (!read_->applied_force.empty()) Q = column(read_->applied_force, {&q, &v, &t});
    if (varied_ && !read_->dissipation.empty())
      Q -= gradient_of(one(read_->dissipation, {&q, &v}), v);
    return Q;
  }
  Expression potential(const ExpressionVector& q) const override {
    return one(read_->potential, {&q});
  }
  ExpressionMatrix velocity_map(const ExpressionVector& q) const override {
    if (read_->lagrange_coordinates) return ExpressionMatrix::Identity(nq, n);
    ExpressionMatrix T = ExpressionMatrix::Zero(nq, n);
    T.topRows(read_->nq) = rows(read_->rates, q);
    return T;
  }
  ExpressionMatrix constraints(const ExpressionVector& q) const override {
    ExpressionMatrix both(ne + m, n);
    both << rows(read_->exact_constraint, q), rows(read_->constraint, q);
    Index row = ne;
    for (std::size_t i = 0; i < read_->gap.size(); ++i) {
      const Index components = read_->text.contacts[i].components;
      if (!read_->sliding_scale[i].empty())
        both.middleRows(row, components) /= one(read_->sliding_scale[i], {&q});
      row += components;
    }
    return both;
  }
  ExpressionVector invariants(const ExpressionVector& q) const override {
    return column(read_->invariants, {&q});
  }
  ExpressionMatrix quasi_velocities(const ExpressionVector& q) const override {
    return rows(read_->quasi_velocities, q);
  }
  ExpressionVector gap(const ExpressionVector& q) const override {
    ExpressionVector g = column(read_->gap, {&q});
    for (std::size_t i = 0; i < read_->gap.size(); ++i)
      if (!read_->gap_scale[i].empty()) g(static_cast<Index>(i)) /= one(read_->gap_scale[i], {&q});
    return g;
  }
  ExpressionVector normal_force(const ExpressionVector& q, const ExpressionVector& v,
                                const Expression& t) const override {
    return column(read_->normal_force, {&q, &v, &t});
  }

  std::vector<ContactPoint> contacts() const {
    std::vector<ContactPoint> all;
    Index first = 0;
    for (std::size_t i = 0; i < read_->gap.size(); ++i) {
      const SystemText::ContactPoint& contact = read_->text.contacts[i];
      all.push_back({.name = contact.name,
                     .first = first,
                     .components = contact.components,
                     .normal = contact.normal,
                     .friction = read_->friction[i].value(constants_),
                     .restitution = read_->restitution[i].value(constants_)});
      first += contact.components;
    }
    return all;
  }

  FrictionalSystem frictional() const {
    FrictionalSystem system = frictional_system_of(*this, contacts());
    require_lengths(system);
    system.kink_count = std::ssize(read_->kinks);
    if (system.kink_count == 0) return system;
    const auto tape = std::make_shared<const Evaluator<double>>(
        tape_of([&](const ExpressionVector& q) { return column(read_->kinks, {&q}); }, nq));
    system.kinks = [tape](VectorIn q, VectorOut k) {
      (*tape)([&](std::size_t i, double x) { k(static_cast<Index>(i)) = x; }, q);
    };
    return system;
  }

 private:
  /// Arguments of a function; nullptr: unused.
  struct Arguments {
    const ExpressionVector* q = nullptr;
    const ExpressionVector* v = nullptr;
    const Expression* t = nullptr;
  };

  std::vector<Expression> slots(const Arguments& given) const {
    std::vector<Expression> all(read_->names.slot_count());
    std::ranges::copy(values_, all.begin());
    unsigned known = on_nothing;
    const auto put = [&](const ExpressionVector* x, std::size_t first, unsigned kind) {
      if (!x) return;
      std::copy(x->begin(), x->end(), all.begin() + static_cast<std::ptrdiff_t>(first));
      known |= kind;
    };
    const ExpressionVector q = given.q ? given.q->head(read_->nq) : ExpressionVector();
    put(given.q ? &q : nullptr, read_->first_q(), on_coordinates);
    if (varied_ && given.q) all[*varied_] = (*given.q)(read_->nq);
    put(given.v, read_->first_v(), on_velocities);
    if (given.t) {
      all[read_->time()] = *given.t;
      known |= on_time;
    }
    read_->names.add_lets(all, known, [&](const Formula& let, const auto& at) {
      return let.expression(at, constants_);
    });
    return all;
  }

  ExpressionVector column(const Formulas& formulas, const Arguments& given) const {
    const std::vector<Expression> at = slots(given);
    ExpressionVector all(std::ssize(formulas));
    for (std::size_t i = 0; i < formulas.size(); ++i)
      all(static_cast<Index>(i)) = formulas[i].expression(at, constants_);
    return all;
  }
  Expression one(const Formulas& formula, const Arguments& given) const {
    return formula.empty() ? Expression(0) : column(formula, given)(0);
  }
  /// Coefficients of formulas linear in v: their values at unit velocities.
  ExpressionMatrix rows(const Formulas& formulas, const ExpressionVector& q) const {
    ExpressionMatrix all(std::ssize(formulas), n);
    if (formulas.empty()) return all;
    for (Index k = 0; k < n; ++k) {
      const ExpressionVector unit = ExpressionVector::Unit(n, k);
      all.col(k) = column(formulas, {&q, &unit});
    }
    return all;
  }

  void require_scale(const Formulas& scale, const PlacedText& text) const {
    if (scale.empty()) return;
    const double s = scale[0].value(constants_);
    if (!(s > 0.0) || !std::isfinite(s)) refuse(text, fmt::format("is {}, but must be > 0", s));
  }

  /// Rejects a gap that differs from a distance, and a sliding velocity that differs from that of a
  /// point, at the start: the friction bound μ p and the stiffness would be those of another
  /// length.
  ///
  /// Let v_j be a velocity in m/s that moves the points of one body by a unit vector e each: a
  /// Cartesian coordinate, an arc length, a slide. It changes the relative velocity of the two
  /// bodies of a contact by ±e, or by 0 if it moves neither or both. Normal n and sliding
  /// directions t_k are orthonormal, so that column j of the contact's rows is (n·e, t_1·e, …) up
  /// to its sign, of length at most |e| = 1 (Bessel). Distances between points of bodies with such
  /// coordinates are therefore never rejected, in whatever frames, nor are differences x2 − x1. A
  /// scale below 1 is not detected: (n·e)² + (t·e)² < 1 also holds for coordinates across n and t.
  /// Without friction the rows do not matter, and a given normal force has no gap.
  void require_lengths(const FrictionalSystem& system) const {
    VectorXd q(nq);
    for (Index k = 0; k < nq; ++k)
      q(k) = read_->q_start[static_cast<std::size_t>(k)].value(constants_);
    MatrixXd normal(nc, n), sliding(ne + m, n);
    system.geometry->normal_rows(q, normal);
    system.smooth.in<double>().constraints(q, sliding);
    for (Index j = 0; j < n; ++j)
      if (!is_length(j)) {
        normal.col(j).setZero();
        sliding.col(j).setZero();
      }
    for (Index i = 0; i < nc; ++i) {
      const SystemText::ContactPoint& text = read_->text.contacts[static_cast<std::size_t>(i)];
      const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
      MatrixXd rows = MatrixXd::Zero(1 + contact.components, n);
      if (contact.normal != Normal::given && text.gap_scale.text.empty())
        rows.row(0) = normal.row(i);
      if (contact.friction > 0.0 && text.sliding_scale.text.empty())
        rows.bottomRows(contact.components) =
            sliding.middleRows(ne + contact.first, contact.components);
      require_lengths(rows, text, contact.first);
    }
  }
  /// The gap's row, or 0, and those of sliding, or 0. `first`: of the contact's rows.
  void require_lengths(const MatrixXd& rows, const SystemText::ContactPoint& contact,
                       Index first) const {
    Index fastest = 0, longest = 0;
    const double speed = rows.colwise().norm().maxCoeff(&fastest);
    const double s = rows.rowwise().norm().maxCoeff(&longest);
    constexpr double rounding = 1e-6;
    if (!(speed > 1.0 + rounding)) return;
    const bool is_gap = longest == 0;
    const char* key = is_gap ? "gap_scale" : "sliding_scale";
    const auto row = static_cast<std::size_t>(first + longest - 1);
    refuse(
        is_gap ? contact.gap : read_->text.constraint[row].row,
        fmt::format(
            "is no {0}: {1} = 1 m/s alone would move contact {2} by {3:.6g} m/s (gap and sliding "
            "velocity together). Its gradient with respect to lengths is s = {4:.9g}, but 1 for "
            "{5} of a point. Divide it by s, or set {6}, a number or a formula of parameters, to "
            "s; {6} = 1 keeps it as it is",
            is_gap ? "distance" : "velocity of a point", name_of_velocity(fastest), contact.name,
            speed, s, is_gap ? "the distance" : "a sliding velocity", key));
  }
  bool is_length(Index j) const {
    const auto k = static_cast<std::size_t>(j);
    return read_->lagrange_coordinates ? read_->text.coordinates[k].unit == "m"
                                       : read_->text.velocities[k].unit == "m/s";
  }
  std::string name_of_velocity(Index j) const {
    const auto k = static_cast<std::size_t>(j);
    return read_->lagrange_coordinates ? read_->text.coordinates[k].name.text + "'"
                                       : read_->text.velocities[k].name.text;
  }

  void require_linear() const {
    const SystemText& text = read_->text;
    for (std::size_t i = 0; i < read_->rates.size(); ++i)
      require_linear(read_->rates[i], text.coordinates[i].rate);
    for (std::size_t i = 0; i < read_->constraint.size(); ++i) {
      require_linear(read_->constraint[i], text.constraint[i].row);
      require_row(read_->constraint[i], text.constraint[i].row);
    }
    for (std::size_t i = 0; i < read_->exact_constraint.size(); ++i)
      require_linear(read_->exact_constraint[i], text.exact_constraint[i]);
    for (std::size_t i = 0; i < read_->quasi_velocities.size(); ++i)
      require_linear(read_->quasi_velocities[i], text.quasi_velocities[i]);
  }
  /// Rejects a row that is zero for every velocity, because it is not a constraint.
  void require_row(const Formula& formula, const PlacedText& text) const {
    Recording recording;
    if (is_zero(rows({formula}, recording.inputs(nq))))
      refuse(text, "is zero for every velocity, so it constrains nothing; remove it");
  }
  /// Requires value 0 at v = 0 and derivatives independent of v.
  void require_linear(const Formula& formula, const PlacedText& text) const {
    Recording recording;
    const ExpressionVector q = recording.inputs(nq), v = recording.unknowns(n);
    const ExpressionVector zero = ExpressionVector::Zero(n);
    const Expression rest = column({formula}, {&q, &zero})(0);
    if (!is_zero(rest))
      refuse(text,
             "does not vanish with the velocities; a row or rate must be a sum of velocities with "
             "coefficients");
    if (recording.depends_on_unknowns(jacobian_of(column({formula}, {&q, &v}), v)))
      refuse(text,
             "is not linear in the velocities; a row or rate must be a sum of velocities whose "
             "coefficients depend only on coordinates and parameters");
  }

  /// Requires second derivatives of K* in the velocities to be independent of them.
  void require_quadratic() const {
    if (!lagrangian) return;
    const SystemText& text = read_->text;
    Recording recording;
    const ExpressionVector q = recording.inputs(nq), v = recording.unknowns(n);
    const ExpressionVector momentum = gradient_of(kinetic_coenergy(q, v), v);
    const ExpressionMatrix hessian = jacobian_of(momentum, v);
    for (Index i = 0; i < n; ++i)
      for (Index j = i; j < n; ++j)
        if (recording.depends_on_unknowns(hessian.block(i, j, 1, 1)))
          refuse(text.kinetic_coenergy,
                 fmt::format("is not quadratic in the velocities: its second derivative in {} and "
                             "{} depends on a velocity",
                             name_of_velocity(i), name_of_velocity(j)));
    require_inertia(hessian);
  }
  /// Rejects a velocity without inertia, unless exact rows or other velocities determine it:
  /// usually a prime is missing, heading^2 for heading'^2.
  void require_inertia(const ExpressionMatrix& hessian) const {
    if (ne > 0 || nc > 0) return;
    for (Index i = 0; i < n; ++i) {
      if (!is_zero(ExpressionMatrix(hessian.row(i)))) continue;
      const std::string& name = read_->text.coordinates[static_cast<std::size_t>(i)].name.text;
      refuse(read_->text.kinetic_coenergy,
             fmt::format("gives {0}' no inertia, as no term has {0}'; check for a missing prime "
                         "({0}^2 instead of {0}'^2)",
                         name));
    }
  }

  /// Not a number in place of the varied parameter, so that its use as a constant shows.
  static std::vector<double> without(std::optional<std::size_t> varied,
                                     std::vector<double> values) {
    if (varied) values[*varied] = std::numeric_limits<double>::quiet_NaN();
    return values;
  }

  std::shared_ptr<const ReadSystem> read_;
  std::optional<std::size_t> varied_;
  std::vector<double> values_;     ///< of the parameters
  std::vector<double> constants_;  ///< slots in double of values that depend only on parameters
};

// --- description of the system

/// Text on one line, with single blanks.
std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

/// Text in lines of at most 80 characters, broken at sums where possible; continuation lines are
/// indented by four blanks.
std::string broken(const std::string& formula) {
  constexpr std::size_t width = 80;
  std::string lines, line;
  int depth = 0;
  std::string term;
  const auto add_term = [&] {
    if (!line.empty() && line.size() + term.size() > width) {
      lines += line + "\n";
      line = "   ";
    }
    line += term;
    term.clear();
  };
  for (std::size_t i = 0; i < formula.size(); ++i) {
    const char c = formula[i];
    if (c == '(') ++depth;
    if (c == ')') --depth;
    const bool sum = depth == 0 && c == ' ' && i + 2 < formula.size() &&
                     (formula[i + 1] == '+' || formula[i + 1] == '-') && formula[i + 2] == ' ';
    if (sum) add_term();
    term += c;
  }
  add_term();
  return lines + line;
}

/// On one line if they fit.
std::string tuple_text(const std::vector<PlacedText>& formulas) {
  constexpr std::size_t width = 80;
  std::vector<std::string> texts;
  std::size_t size = 0;
  for (const PlacedText& formula : formulas) {
    texts.push_back(one_line(formula.text));
    size += texts.back().size() + 2;
  }
  return fmt::format("({})", fmt::join(texts, size < width ? ", " : ",\n"));
}

void add_list(std::string& to, const char* symbol, const std::vector<PlacedText>& formulas) {
  if (!formulas.empty()) to += fmt::format("{} = {}\n", symbol, tuple_text(formulas));
}

std::string contact_text(const SystemText::ContactPoint& contact) {
  const std::string gap = one_line(contact.gap.text), scale = one_line(contact.gap_scale.text);
  std::string text = fmt::format("contact {}: {}, g = {}", contact.name, name_of(contact.normal),
                                 scale.empty() ? gap : fmt::format("({})/({})", gap, scale));
  if (contact.normal != Normal::given) text += ", taken as a distance in m";
  if (contact.normal == Normal::given)
    text += fmt::format(", p = {}", one_line(contact.normal_force.text));
  text += fmt::format(", mu = {}", one_line(contact.friction.text));
  if (contact.normal == Normal::unilateral)
    text += fmt::format(", e = {}", one_line(contact.restitution.text));
  if (!contact.sliding_scale.text.empty())
    text += fmt::format(", G v divided by {}", one_line(contact.sliding_scale.text));
  return text + "\n";
}

/// The equations as written by the author.
std::string equations_in(const SystemText& text) {
  std::vector<std::string> q, v;
  for (const auto& x : text.coordinates) q.push_back(x.name.text);
  for (const auto& velocity : text.velocities) v.push_back(velocity.name.text);
  std::string all = fmt::format("q = ({}), ", fmt::join(q, ", "));
  all += v.empty() ? "v = q'\n" : fmt::format("v = ({})\n", fmt::join(v, ", "));
  for (const auto& x : text.coordinates)
    if (!x.rate.text.empty()) all += fmt::format("{}' = {}\n", x.name.text, one_line(x.rate.text));
  for (const auto& let : text.lets)
    all += fmt::format("{} = {}\n", let.name.text, one_line(let.formula.text));
  for (const auto& [symbol, formula] :
       {std::pair("K*", &text.kinetic_coenergy), std::pair("P", &text.potential),
        std::pair("R", &text.dissipation)})
    if (!formula->text.empty())
      all += fmt::format("{} = {}\n", symbol, broken(one_line(formula->text)));
  add_list(all, "Q", text.applied_force);
  std::vector<std::string> rows_of_M;
  for (const auto& row : text.mass_matrix) rows_of_M.push_back(tuple_text(row));
  if (!rows_of_M.empty()) all += fmt::format("M = ({})\n", fmt::join(rows_of_M, ",\n"));
  add_list(all, "F", text.force);
  add_list(all, "E v", text.exact_constraint);
  std::vector<PlacedText> rows;
  for (const auto& contact : text.constraint) rows.push_back(contact.row);
  add_list(all, "G v", rows);
  add_list(all, "u", text.quasi_velocities);
  add_list(all, "0", text.invariants);
  for (const auto& contact : text.contacts) all += contact_text(contact);
  if (!text.description.empty()) return all + text.description;
  all.pop_back();
  return all;
}

SystemInfo info_of(const SystemText& text) {
  SystemInfo info{.name = text.name,
                  .title = text.title,
                  .equations = equations_in(text),
                  .source = text.source};
  for (const auto& x : text.coordinates) {
    info.coordinates.push_back({x.name.text, x.unit, x.range});
    if (text.velocities.empty())
      info.velocities.push_back(
          {x.name.text + "'", x.unit == "1" ? "1/s" : fmt::format("{}/s", x.unit)});
  }
  for (const auto& v : text.velocities) info.velocities.push_back({v.name.text, v.unit, v.range});
  for (const auto& contact : text.constraint) info.contacts.push_back({contact.name, contact.unit});
  return info;
}

VectorXd values_of(const Formulas& formulas, const std::vector<double>& slots) {
  VectorXd all(std::ssize(formulas));
  for (std::size_t i = 0; i < formulas.size(); ++i)
    all(static_cast<Index>(i)) = formulas[i].value(slots);
  return all;
}

/// SystemEntry::make of a text.
struct RollingSystemOfText {
  System operator()(const std::vector<double>& values) const { return made({read, values}); }
  System made(const TextAuthor& author) const {
    return read->gap.empty() ? system_of(author) : rolling_system_of(author, author.contacts());
  }

  std::shared_ptr<const ReadSystem> read;
};

bool is_finite(const Tape& tape) {
  return std::ranges::all_of(tape.constants, [](double x) { return std::isfinite(x); });
}

/// The system rolls, unless a contact may open, and slips if contacts are stated.
void add_kinds(SystemEntry& entry, const std::shared_ptr<const ReadSystem>& read) {
  const bool may_open = std::ranges::any_of(
      read->text.contacts, [](const auto& c) { return c.normal == Normal::unilateral; });
  if (!may_open) entry.make = RollingSystemOfText{read};
  if (read->gap.empty()) return;
  entry.make_frictional = [read](const std::vector<double>& values) {
    return TextAuthor(read, values).frictional();
  };
  entry.frictional_start = entry.start;
}

}  // namespace

const char* name_of(Normal normal) {
  if (normal == Normal::given) return "given";
  return normal == Normal::bilateral ? "bilateral" : "unilateral";
}

SystemEntry entry_of(SystemText text) {
  const auto read = std::make_shared<const ReadSystem>(std::move(text));
  SystemEntry entry{
      .info = info_of(read->text),
      .parameters = {},
      .start = [read](const std::vector<double>& values) {
        const std::vector<double> slots = read->constants(values);
        return InitialState{values_of(read->q_start, slots), values_of(read->v_start, slots)};
      }};
  add_kinds(entry, read);
  for (std::size_t i = 0; i < read->text.parameters.size(); ++i)
    (i < read->motion_parameters ? entry.parameters : entry.contact_parameters)
        .push_back(read->text.parameters[i].info);
  const InitialState start = entry.start(entry.default_values());
  entry.info.initial_q.assign(start.q.begin(), start.q.end());
  entry.info.initial_v.assign(start.v.begin(), start.v.end());
  return entry;
}

System family_of(const SystemEntry& entry, const std::vector<double>& values,
                 std::size_t parameter) {
  const auto* const text = entry.make.target<RollingSystemOfText>();
  if (!text)
    throw InputError(fmt::format(
        "the equations of {} are compiled, so its parameters are numbers; only a system written as "
        "formulas has derivatives with respect to a parameter",
        entry.info.name));
  System family = text->made({text->read, values, parameter});
  const RecordedSystem& r = *family.recorded;
  for (const Tape* tape : {&r.coordinate_rate, &r.restoring_rate, &r.invariants, &r.mass_matrix,
                           &r.inertia_force, &r.force, &r.potential, &r.constraints,
                           &r.constraint_drift, &r.quasi_velocities, &r.quasi_velocity_drift})
    if (!is_finite(*tape))
      throw InputError(fmt::format(
          "the parameter {} occurs in an exponent or in a table, whose numbers are constants",
          entry.parameters[parameter].name));
  return family;
}

}  // namespace rigidlimit
