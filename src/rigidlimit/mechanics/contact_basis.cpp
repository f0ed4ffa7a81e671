#include "rigidlimit/mechanics/contact_basis.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

ContactBasis independent_contacts(Index m) {
  ContactBasis basis{.rows = std::vector<Index>(static_cast<std::size_t>(m)),
                     .combination = MatrixXd::Identity(m, m),
                     .internal_forces = MatrixXd::Zero(m, 0)};
  std::iota(basis.rows.begin(), basis.rows.end(), Index{0});
  return basis;
}

ContactBasis contact_basis(const System& system, const VectorXd& q) {
  const Index ne = system.ne, n = system.n, m = system.m;
  MatrixXd rows(ne + m, n);
  system.in<double>().constraints(q, rows);
  MatrixXd G = rows.bottomRows(m);
  if (ne > 0) {  // in an orthonormal basis of ker E
    const MatrixXd held = G * kernel_basis(rows.topRows(ne));
    G = held;
  }
  std::vector<Index> chosen_rows = independent_columns(G.transpose(), 1e-9);
  const auto r = static_cast<Index>(chosen_rows.size());
  if (r == m) return independent_contacts(m);
  if (r == 0)  // Eigen cannot factorise an empty matrix
    return {.rows = {},
            .combination = MatrixXd::Zero(m, 0),
            .internal_forces = MatrixXd::Identity(m, m)};

  ContactBasis basis;
  std::ranges::sort(chosen_rows);
  basis.rows = std::move(chosen_rows);
  const MatrixXd chosen = G(basis.rows, Eigen::all);
  // G = H G_I: least squares on the transposes, exact up to round-off.
  basis.combination = least_squares(chosen.transpose(), G.transpose()).transpose();
  basis.internal_forces = kernel_basis(basis.combination.transpose());
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
