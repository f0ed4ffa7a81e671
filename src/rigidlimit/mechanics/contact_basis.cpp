#include "rigidlimit/mechanics/contact_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/system_check.hpp"

namespace rigidlimit {

namespace {

constexpr double resolved_part = 5e-7;

std::string text_of(const std::string& one, const std::string& other, double part) {
  return fmt::format(
      "the contact rows {} and {} are nearly dependent: as a unit vector, one has a part of {:.2g} "
      "that is independent of the other rows. A stiff contact holds this part, and double "
      "precision does not resolve it below {:.0e}; remove one of the rows or make them equal",
      one, other, part, resolved_part);
}

}  // namespace

NearlyDependentRows::NearlyDependentRows(Index first, Index second, double part)
    : InputError(text_of(std::to_string(first + 1), std::to_string(second + 1), part)),
      first(first),
      second(second),
      part(part) {}

std::string NearlyDependentRows::text(const std::string& one, const std::string& other) const {
  return text_of(one, other, part);
}

ContactBasis independent_contacts(Index m) {
  ContactBasis basis{.rows = std::vector<Index>(static_cast<std::size_t>(m)),
                     .combination = MatrixXd::Identity(m, m),
                     .internal_forces = MatrixXd::Zero(m, 0)};
  std::iota(basis.rows.begin(), basis.rows.end(), Index{0});
  return basis;
}

VectorXd least_exact_velocity(const System& system, const VectorXd& q) {
  if (system.exact_rates().isZero(0.0)) return VectorXd::Zero(system.n);
  MatrixXd rows(system.ne + system.m, system.n);
  system.in<double>().constraints(q, rows);
  const MatrixXd E = rows.topRows(system.ne), gram = E.lazyProduct(E.transpose());
  return E.transpose().lazyProduct(symmetric_solve(gram, system.exact_rates()));
}

namespace {

/// Throws InputError unless b = H b_I for the velocity b of the surfaces.
void require_surfaces_agree(const System& system, const VectorXd& q, const MatrixXd& rows,
                            const ContactBasis& basis) {
  if (system.exact_rates().isZero(0.0)) return;
  const MatrixXd G = rows.bottomRows(system.m);
  const VectorXd v = least_exact_velocity(system, q), b = G * v;
  const VectorXd missing = b - basis.combination * b(basis.rows);
  Index worst = 0;
  const double size = missing.cwiseAbs().maxCoeff(&worst);
  if (!(size <= 1e-9 * (G * v.asDiagonal()).cwiseAbs().maxCoeff()))
    throw InputError(fmt::format(
        "the surfaces move against each other: contact row {} depends on the others, but its "
        "surface is faster than they allow by {:.6g}. No rigid motion rolls on all of them",
        worst + 1, missing(worst)));
}

/// The rank of unit rows, which are given as columns. `names`: the rows of G as unit vectors.
Index rank_of(const ColumnPivots& pivots, const MatrixXd& names) {
  constexpr double rounding = 1e-13;
  Index rank = 0;
  for (Index k = 0; k < pivots.lengths.size(); ++k) {
    const double length = pivots.lengths(k);
    if (length > resolved_part) {
      ++rank;
    } else if (length > rounding) {
      const Index row = pivots.order[static_cast<std::size_t>(k)];
      VectorXd alike = (names * names.row(row).transpose()).cwiseAbs();
      alike(row) = -1.0;
      Index other = 0;
      alike.maxCoeff(&other);
      throw NearlyDependentRows(std::min(row, other), std::max(row, other), length);
    }
  }
  return rank;
}

}  // namespace

ContactBasis contact_basis(const System& system, const VectorXd& q) {
  const Index ne = system.ne, n = system.n, m = system.m;
  require_freedom(system);
  MatrixXd rows(ne + m, n);
  system.in<double>().constraints(q, rows);
  MatrixXd G = rows.bottomRows(m);
  VectorXd lengths = G.rowwise().norm();
  lengths = (lengths.array() > 0.0).select(lengths, 1.0);
  const MatrixXd names = lengths.cwiseInverse().asDiagonal() * G;
  if (ne > 0) {  // in an orthonormal basis of ker E
    const MatrixXd held = G * kernel_basis(rows.topRows(ne));
    G = held;
  }
  const MatrixXd units = lengths.cwiseInverse().asDiagonal() * G;
  const ColumnPivots pivots = column_pivots(units.transpose());
  const Index r = rank_of(pivots, names);
  const double independence = r > 0 ? pivots.lengths(r - 1) : 1.0;
  if (r == m) {
    ContactBasis all = independent_contacts(m);
    all.independence = independence;
    return all;
  }
  std::vector<Index> chosen_rows = independent_columns(G.transpose(), 1e-9);
  if (std::ssize(chosen_rows) != r)  // rows of very different lengths
    chosen_rows.assign(pivots.order.begin(), pivots.order.begin() + r);
  ContactBasis basis{.rows = {},
                     .combination = MatrixXd::Zero(m, 0),
                     .internal_forces = MatrixXd::Identity(m, m),
                     .independence = independence};
  if (r == 0) {  // Eigen cannot factorise an empty matrix
    require_surfaces_agree(system, q, rows, basis);
    return basis;
  }
  std::ranges::sort(chosen_rows);
  basis.rows = std::move(chosen_rows);
  const MatrixXd chosen = G(basis.rows, Eigen::all);
  // G = H G_I: least squares on the transposes, exact up to round-off.
  basis.combination = least_squares(chosen.transpose(), G.transpose()).transpose();
  basis.internal_forces = kernel_basis(basis.combination.transpose());
  require_surfaces_agree(system, q, rows, basis);
  return basis;
}

VectorXd selected_multiplier(const ContactBasis& basis, const MatrixXd& stiffness,
                             const VectorXd& eta0, const VectorXd& lambda) {
  if (!basis.redundant()) return lambda;
  const MatrixXd& H = basis.combination;
  const VectorXd load = stiffness * eta0;
  const MatrixXd reduced = H.transpose() * stiffness * H;
  const VectorXd action = H.transpose() * (lambda - load);
  return load + stiffness * (H * symmetric_solve(reduced, action));
}

std::vector<Index> independent_places(const ContactBasis& basis, Index ne) {
  std::vector<Index> places(static_cast<std::size_t>(ne));
  std::iota(places.begin(), places.end(), Index{0});
  for (const Index row : basis.rows) places.push_back(ne + row);
  return places;
}

template <class S>
MatrixX<S> independent_rows(const System& system, const ContactBasis& basis, VectorInOf<S> q) {
  MatrixX<S> all(system.ne + system.m, system.n);
  system.in<S>().constraints(q, all);
  if (!basis.redundant()) return all;
  MatrixX<S> chosen(system.ne + basis.rank(), system.n);
  chosen.topRows(system.ne) = all.topRows(system.ne);
  for (Index i = 0; i < basis.rank(); ++i)
    chosen.row(system.ne + i) = all.row(system.ne + basis.rows[static_cast<std::size_t>(i)]);
  return chosen;
}

template <class S>
VectorX<S> independent_entries(const System& system, const ContactBasis& basis,
                               const VectorX<S>& all) {
  if (!basis.redundant()) return all;
  VectorX<S> chosen(system.ne + basis.rank());
  chosen.head(system.ne) = all.head(system.ne);
  for (Index i = 0; i < basis.rank(); ++i)
    chosen(system.ne + i) = all(system.ne + basis.rows[static_cast<std::size_t>(i)]);
  return chosen;
}

template MatrixX<double> independent_rows(const System&, const ContactBasis&, VectorInOf<double>);
template MatrixX<Quad> independent_rows(const System&, const ContactBasis&, VectorInOf<Quad>);
template VectorX<double> independent_entries(const System&, const ContactBasis&,
                                             const VectorX<double>&);
template VectorX<Quad> independent_entries(const System&, const ContactBasis&,
                                           const VectorX<Quad>&);

}  // namespace rigidlimit
