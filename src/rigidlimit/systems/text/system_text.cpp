#include "rigidlimit/systems/text/system_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/core/units.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"
#include "rigidlimit/systems/text/system_formulas.hpp"
#include "rigidlimit/systems/text/text_info.hpp"
#include "rigidlimit/systems/text/text_warnings.hpp"

namespace rigidlimit {

namespace {

/// The formulas as an AuthoredSystem, with values of the parameters.
class TextAuthor final : public AuthoredSystem {
 public:
  /// `varied`: the parameters that are further coordinates, the last ones, with the rate 0.
  TextAuthor(std::shared_ptr<const SystemFormulas> read, const std::vector<double>& values,
             std::vector<std::size_t> varied = {})
      : read_(std::move(read)),
        varied_(std::move(varied)),
        values_(read_->si_parameters(values)),
        constants_(read_->constants(without(varied_, values))) {
    read_->require_conditions(values);
    const Index clocks = read_->moving ? 1 : 0;
    nq = read_->nq + clocks + std::ssize(varied_);
    n = read_->n + clocks;
    m = read_->m;
    np = std::ranges::count_if(read_->text.constraint, &SystemText::Contact::is_position);
    ne = read_->ne + clocks;
    if (read_->moving) {
      clock = read_->nq;
      exact_rates = VectorXd::Unit(ne, ne - 1);
    }
    ni = std::ssize(read_->invariants);
    nc = std::ssize(read_->gap);
    lagrangian = !read_->kinetic_coenergy.empty();
    const auto on_t = [](const Formula& f) { return (f.depends() & on_time) != 0; };
    explicit_time =
        std::ranges::any_of(read_->force, on_t) || std::ranges::any_of(read_->applied_force, on_t);
    natural_velocities = !read_->quasi_velocities.empty();
    lagrange_coordinates = read_->lagrange_coordinates && varied_.empty();
    has_potential = !read_->potential.empty();
    has_dissipation = !read_->dissipation.empty() && varied_.empty();
    require_linear();
    require_quadratic();
    for (std::size_t i = 0; i < read_->gap.size(); ++i) {
      require_scale(read_->gap_scale[i], read_->text.contacts[i].gap_scale);
      require_scale(read_->sliding_scale[i], read_->text.contacts[i].sliding_scale);
    }
  }

  ExpressionMatrix mass_matrix(const ExpressionVector& q) const override {
    ExpressionMatrix M = ExpressionMatrix::Zero(n, n);
    M.topLeftCorner(read_->n, read_->n) =
        column(read_->mass_matrix, {&q}).reshaped(read_->n, read_->n).transpose();
    return M;
  }
  ExpressionVector force(const ExpressionVector& q, const ExpressionVector& v,
                         const Expression& t) const override {
    return for_velocities(read_->force, {&q, &v, &t});
  }
  Expression kinetic_coenergy(const ExpressionVector& q, const ExpressionVector& v) const override {
    return one(read_->kinetic_coenergy, {&q, &v});
  }
  Expression dissipation(const ExpressionVector& v) const override {
    if (!varied_.empty()) return 0;  // R is not a function of q: applied_force() contains its force
    return one(read_->dissipation, {nullptr, &v});
  }
  ExpressionVector applied_force(const ExpressionVector& q, const ExpressionVector& v,
                                 const Expression& t) const override {
    ExpressionVector Q = for_velocities(read_->applied_force, {&q, &v, &t});
    if (!varied_.empty() && !read_->dissipation.empty())
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
    if (clock >= 0) T(clock, n - 1) = 1;
    return T;
  }
  ExpressionMatrix constraints(const ExpressionVector& q) const override {
    ExpressionMatrix both = ExpressionMatrix::Zero(ne + m, n);
    both.topRows(read_->ne) = rows(read_->exact_constraint, q);
    if (clock >= 0) both(ne - 1, n - 1) = 1;
    both.middleRows(ne, m - np) = rows(velocity_rows(), q);
    if (np > 0)
      both.bottomRows(np) = product_of_matrices(jacobian_of(positions(q), q), velocity_map(q));
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
  ExpressionVector positions(const ExpressionVector& q) const override {
    return column({read_->constraint.end() - np, read_->constraint.end()}, {&q});
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
  /// The rows that are not the rates of positions, which come last.
  Formulas velocity_rows() const {
    return {read_->constraint.begin(), read_->constraint.end() - np};
  }

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
    const ExpressionVector v = given.v ? given.v->head(read_->n) : ExpressionVector();
    put(given.q ? &q : nullptr, read_->first_q(), on_coordinates);
    for (std::size_t i = 0; given.q && i < varied_.size(); ++i) {
      const double factor = read_->factors[varied_[i]];
      const Expression& value = (*given.q)(nq - std::ssize(varied_) + static_cast<Index>(i));
      all[varied_[i]] = factor == 1.0 ? value : factor * value;
    }
    put(given.v ? &v : nullptr, read_->first_v(), on_velocities);
    const bool by_clock = clock >= 0 && given.q && !given.t;
    if (by_clock || given.t) {
      all[read_->time()] = by_clock ? (*given.q)(clock) : *given.t;
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
  /// One formula for each velocity of the text, or none; 0 for the clock.
  ExpressionVector for_velocities(const Formulas& formulas, const Arguments& given) const {
    ExpressionVector all = ExpressionVector::Zero(n);
    if (!formulas.empty()) all.head(read_->n) = column(formulas, given);
    return all;
  }
  /// Coefficients of formulas linear in v: their values at unit velocities, less those at rest,
  /// which are the column of the clock.
  ExpressionMatrix rows(const Formulas& formulas, const ExpressionVector& q) const {
    ExpressionMatrix all(std::ssize(formulas), n);
    if (formulas.empty()) return all;
    // Recorded for moving surfaces alone: the order of a recording changes the rounding of series.
    const ExpressionVector at_rest =
        clock >= 0 ? rest(formulas, q) : ExpressionVector::Zero(all.rows());
    for (Index k = 0; k < read_->n; ++k) {
      const ExpressionVector unit = ExpressionVector::Unit(n, k);
      all.col(k) = column(formulas, {&q, &unit}) - at_rest;
    }
    if (clock >= 0) all.col(n - 1) = at_rest;
    return all;
  }
  ExpressionVector rest(const Formulas& formulas, const ExpressionVector& q) const {
    const ExpressionVector zero = ExpressionVector::Zero(n);
    return column(formulas, {&q, &zero});
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
    VectorXd q = VectorXd::Zero(nq);
    std::ranges::copy(read_->starting_coordinates(constants_), q.begin());
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
    if (j == read_->n) return false;  // the clock
    const auto k = static_cast<std::size_t>(j);
    const SystemText& text = read_->text;
    return read_->lagrange_coordinates
               ? Unit(text.coordinates[k].unit).is_convertible_to(Unit("m"))
               : Unit(text.velocities[k].unit).is_convertible_to(Unit("m/s"));
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
      if (text.constraint[i].is_position) {
        require_position(read_->constraint[i], text.constraint[i].row);
        continue;
      }
      require_linear(read_->constraint[i], text.constraint[i].row);
      require_row(read_->constraint[i], text.constraint[i].row);
    }
    for (std::size_t i = 0; i < read_->exact_constraint.size(); ++i)
      require_linear(read_->exact_constraint[i], text.exact_constraint[i]);
    for (std::size_t i = 0; i < read_->quasi_velocities.size(); ++i) {
      require_linear(read_->quasi_velocities[i], text.quasi_velocities[i]);
      Recording recording;
      if (!is_zero(rest({read_->quasi_velocities[i]}, recording.inputs(nq))))
        refuse(text.quasi_velocities[i],
               "does not vanish with the velocities; a quasi-velocity must be a sum of velocities "
               "with coefficients");
    }
  }
  /// Rejects a row that is zero for every velocity, because it is not a constraint.
  void require_row(const Formula& formula, const PlacedText& text) const {
    Recording recording;
    if (is_zero(ExpressionMatrix(rows({formula}, recording.inputs(nq)).leftCols(read_->n))))
      refuse(text, "is zero for every velocity, so it constrains nothing; remove it");
  }
  /// Rejects a position that no velocity changes.
  void require_position(const Formula& formula, const PlacedText& text) const {
    Recording recording;
    const ExpressionVector q = recording.inputs(nq);
    const ExpressionMatrix row =
        product_of_matrices(jacobian_of(column({formula}, {&q}), q), velocity_map(q));
    if (is_zero(ExpressionMatrix(row.leftCols(read_->n))))
      refuse(text, "does not change with any velocity, so it constrains nothing; remove it");
  }
  /// Requires derivatives independent of v.
  void require_linear(const Formula& formula, const PlacedText& text) const {
    Recording recording;
    const ExpressionVector q = recording.inputs(nq), v = recording.unknowns(n);
    if (recording.depends_on_unknowns(jacobian_of(column({formula}, {&q, &v}), v)))
      refuse(text,
             "is not linear in the velocities; a row or rate must be a sum of velocities whose "
             "coefficients depend only on coordinates, parameters and t");
  }

  /// Requires second derivatives of K* in the velocities to be independent of them.
  void require_quadratic() const {
    if (!lagrangian) return;
    const SystemText& text = read_->text;
    Recording recording;
    const ExpressionVector q = recording.inputs(nq), v = recording.unknowns(n);
    const ExpressionVector momentum = gradient_of(kinetic_coenergy(q, v), v);
    const ExpressionMatrix hessian = jacobian_of(momentum, v);
    for (Index i = 0; i < read_->n; ++i)
      for (Index j = i; j < read_->n; ++j)
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
    if (read_->ne > 0 || nc > 0) return;
    for (Index i = 0; i < read_->n; ++i) {
      if (!is_zero(ExpressionMatrix(hessian.row(i)))) continue;
      const std::string& name = read_->text.coordinates[static_cast<std::size_t>(i)].name.text;
      refuse(read_->text.kinetic_coenergy,
             fmt::format("gives {0}' no inertia, as no term has {0}'; check for a missing prime "
                         "({0}^2 instead of {0}'^2)",
                         name));
    }
  }

  /// Not a number in place of a varied parameter, so that its use as a constant shows.
  static std::vector<double> without(const std::vector<std::size_t>& varied,
                                     std::vector<double> values) {
    for (const std::size_t k : varied) values[k] = std::numeric_limits<double>::quiet_NaN();
    return values;
  }

  std::shared_ptr<const SystemFormulas> read_;
  std::vector<std::size_t> varied_;
  std::vector<double> values_;     ///< of the parameters
  std::vector<double> constants_;  ///< slots in double of values that depend only on parameters
};

/// Adds the clock to a motion in the coordinates of the text.
void add_clock(Motion& motion) {
  const Index nq = motion.q.rows(), n = motion.v.rows();
  motion.q.conservativeResize(nq + 1, Eigen::NoChange);
  motion.v.conservativeResize(n + 1, Eigen::NoChange);
  for (Index k = 0; k < motion.q.cols(); ++k)
    motion.q(nq, k) = motion.times[static_cast<std::size_t>(k)];
  motion.v.row(n).setOnes();
}
void add_clock(KnownHistory& history) {
  add_clock(history.motion);
}

/// `form` for these values of the parameters. With a clock it has the other coordinates alone, and
/// holds for a start at the time 0.
template <class Result>
auto with_values(const SystemFormulas& read, const KnownMotion::Form<Result>& form,
                 const std::vector<double>& values) {
  std::function<std::optional<Result>(const InitialState&, const std::vector<double>&)> known;
  if (!form) return known;
  const Index nq = read.nq, n = read.n;
  known = [form, values, moving = read.moving, nq, n](
              const InitialState& start,
              const std::vector<double>& times) -> std::optional<Result> {
    if (!moving) return form(values, start, times);
    if (start.q(nq) != 0.0) return std::nullopt;
    std::optional<Result> found = form(values, {start.q.head(nq), start.v.head(n)}, times);
    if (found) add_clock(*found);
    return found;
  };
  return known;
}

/// SystemEntry::make of a text.
struct RollingSystemOfText {
  System operator()(const std::vector<double>& values) const {
    System system = made({read, values});
    system.closed_form = with_values(*read, closed_form, values);
    return system;
  }
  System made(const TextAuthor& author) const {
    return read->gap.empty() ? system_of(author) : rolling_system_of(author, author.contacts());
  }

  std::shared_ptr<const SystemFormulas> read;
  KnownMotion::Form<Motion> closed_form;
};

/// SystemEntry::make_frictional of a text.
struct FrictionalSystemOfText {
  FrictionalSystem operator()(const std::vector<double>& values) const {
    FrictionalSystem system = TextAuthor(read, values).frictional();
    system.closed_history = with_values(*read, closed_history, values);
    return system;
  }

  std::shared_ptr<const SystemFormulas> read;
  KnownMotion::Form<KnownHistory> closed_history;
};

bool is_finite(const Tape& tape) {
  return std::ranges::all_of(tape.constants, [](double x) { return std::isfinite(x); });
}

/// The start of a text, followed by the value of the clock if the system has one.
VectorXd with_clock(const SystemFormulas& read, std::vector<double> start, double clock) {
  if (read.moving) start.push_back(clock);
  return Eigen::Map<const VectorXd>(start.data(), std::ssize(start));
}

/// The system rolls, unless a contact may open or no row slides, and slips if contacts are stated.
void add_kinds(SystemEntry& entry, const std::shared_ptr<const SystemFormulas>& read,
               const KnownMotion& known) {
  const bool may_open = std::ranges::any_of(
      read->text.contacts, [](const auto& c) { return c.normal == Normal::unilateral; });
  if (!may_open && !read->text.constraint.empty())
    entry.make = RollingSystemOfText{read, known.rolling};
  if (read->gap.empty()) return;
  entry.make_frictional = FrictionalSystemOfText{read, known.slipping};
  entry.frictional_start = [read](const std::vector<double>& values) {
    read->require_conditions(values);
    const std::vector<double> slots = read->constants(values);
    return InitialState{with_clock(*read, read->sliding_coordinates(slots), 0.0),
                        with_clock(*read, read->sliding_velocities(slots), 1.0)};
  };
}

}  // namespace

const char* name_of(Normal normal) {
  if (normal == Normal::given) return "given";
  return normal == Normal::bilateral ? "bilateral" : "unilateral";
}

const void* text_behind(const SystemEntry& entry) {
  if (const auto* rolling = entry.make.target<RollingSystemOfText>()) return rolling->read.get();
  const auto* frictional = entry.make_frictional.target<FrictionalSystemOfText>();
  return frictional ? frictional->read.get() : nullptr;
}

SystemEntry entry_of(SystemText text, const KnownMotion& known) {
  const auto read = std::make_shared<const SystemFormulas>(std::move(text));
  read->require_conditions_of_defaults();
  require_units_of_joints(*read);
  const SystemInfo info = info_of(*read);
  SystemEntry entry{.info = info,
                    .parameters = {},
                    .has_closed_form = static_cast<bool>(known.rolling),
                    .has_closed_history = static_cast<bool>(known.slipping),
                    .start = [read](const std::vector<double>& values) {
                      read->require_conditions(values);
                      const std::vector<double> slots = read->constants(values);
                      return InitialState{with_clock(*read, read->starting_coordinates(slots), 0.0),
                                          with_clock(*read, read->starting_velocities(slots), 1.0)};
                    }};
  entry.info.closed_form = known.text;
  entry.warnings = [read] { return warnings_of(*read); };
  add_kinds(entry, read, known);
  for (std::size_t i = 0; i < read->text.parameters.size(); ++i)
    (i < read->motion_parameters ? entry.parameters : entry.contact_parameters)
        .push_back(read->text.parameters[i].info);
  const InitialState start = entry.start(entry.default_values());
  entry.info.initial_q.assign(start.q.begin(), start.q.end());
  entry.info.initial_v.assign(start.v.begin(), start.v.end());
  return entry;
}

System family_of(const SystemEntry& entry, const std::vector<double>& values,
                 const std::vector<std::size_t>& parameters) {
  const auto* const text = entry.make.target<RollingSystemOfText>();
  if (!text)
    throw InputError(fmt::format(
        "the equations of {} are compiled, so its parameters are numbers; only a system written as "
        "formulas has parameters that vary",
        entry.info.name));
  System family = text->made({text->read, values, parameters});
  const RecordedSystem& r = *family.recorded;
  std::vector<std::string> names;
  for (const std::size_t k : parameters) names.push_back(entry.parameters[k].name);
  for (const Tape* tape : {&r.coordinate_rate, &r.restoring_rate, &r.invariants, &r.mass_matrix,
                           &r.inertia_force, &r.force, &r.potential, &r.constraints,
                           &r.constraint_drift, &r.quasi_velocities, &r.quasi_velocity_drift})
    if (!is_finite(*tape))
      throw InputError(fmt::format(
          "the parameter {} occurs in an exponent or in a table, whose numbers are constants",
          fmt::join(names, " or ")));
  return family;
}
}  // namespace rigidlimit
