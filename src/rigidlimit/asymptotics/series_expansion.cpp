#include "rigidlimit/asymptotics/series_expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/asymptotics/power_series.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

bool is_sliding(const System& system, const InitialState& start) {
  return sliding_velocity(system, start).norm() > 1e-10 * start.v.norm();
}

template <class T>
InitialState rounded(const InitialStateOf<T>& start) {
  return {start.q.template cast<double>(), start.v.template cast<double>(), start.t};
}

void require_start(const System& system, const InitialState& start, const VectorXd& eta0) {
  if (eta0.size() != system.m || !eta0.allFinite())
    throw InputError(
        fmt::format("the system has {} contact components, but deflection {} with the sum {}",
                    system.m, eta0.size(), eta0.sum()));
  const double exact = exact_velocity(system, start).norm();
  if (!(exact <= 1e-10 * start.v.norm()))
    throw InputError(fmt::format(
        "the expansion needs a consistent initial velocity; here |E v| = {:.6g}", exact));
  VectorXd e(system.ni);
  system.in<double>().invariants(start.q, e);
  if (!(e.norm() <= 1e-10 * (1.0 + start.q.norm())))
    throw InputError(fmt::format(
        "the expansion needs a start with zero invariants; here |e(q)| = {:.6g}", e.norm()));
}

constexpr double every_layer = std::numeric_limits<double>::lowest();

/// τ = (t − t*(μ))/μ; 0 for a sample at the crossing of the rigid motion that is before t*(μ) by
/// rounding.
template <class T>
T fast_time(const std::vector<T>& begin, double mu, double t) {
  return std::max(T(0), T((T(t) - series_at(begin, mu)) / mu));
}

void require_mu(double mu) {
  if (!(mu > 0.0) || std::isinf(mu))
    throw InputError(fmt::format("the small parameter is {}: must be > 0 and finite", mu));
}

template <class T>
double largest(const std::vector<LayerFunction<T>>& x) {
  double size = 0.0;
  for (const LayerFunction<T>& one : x)
    if (one.decaying.size() > 0)
      size = std::max(size, static_cast<double>(one.decaying.cwiseAbs().maxCoeff()));
  return size;
}

double largest(const VectorXd& x) {
  return x.size() > 0 ? x.maxCoeff() : 0.0;
}

void take_larger(TermSizes& size, const TermSizes& other) {
  size = {.q = std::max(size.q, other.q),
          .v = std::max(size.v, other.v),
          .lambda = std::max(size.lambda, other.lambda),
          .gap = std::max(size.gap, other.gap)};
}

}  // namespace

template <class T>
SeriesExpansion<T>::SeriesExpansion(const System& system, const InitialStateOf<T>& start,
                                    const ViscoelasticLaw& law, const VectorXd& eta0, int order,
                                    double end, const std::vector<SwitchCrossing>& crossings,
                                    const std::function<bool()>& stop_requested,
                                    const StartShift& shift)
    : nq_(system.nq),
      n_(system.n),
      m_(system.m),
      np_(system.np),
      order_(order),
      piece_order_(order + (crossings.empty() ? 0 : 1)),
      slides_(is_sliding(system, rounded(start))),
      end_(end),
      contacts_(contact_basis(system, start.q.template cast<double>()), law),
      eta0_(eta0) {
  require_start(system, rounded(start), eta0);
  if (contacts_.rank() == 0)
    throw InputError("the expansion needs an acting contact; here G v is zero for every velocity");
  if (system.switches && crossings.empty())
    throw InputError("the expansion needs equations without switches of the force");
  internal_ = contacts_.internal_force(law, eta0);
  const auto end_of = [&](std::size_t piece) {
    return piece < crossings.size() ? crossings[piece].t : end;
  };
  const auto smooth = [&](const Sides& sides) -> const System& {
    return system.switches->with(system, sides);
  };
  StartSeries<T> from{.t = {T(start.t)},
                      .q = {start.q},
                      .v = {start.v},
                      .eta = {contacts_.acting_deflection(eta0)}};
  if (!shift.empty()) {
    constexpr int known = 3;
    if (power_of_epsilon(law) != 1 || piece_order_ > known)
      throw InputError(fmt::format(
          "a start that moves with epsilon is expanded for the damping exponent 1 up to order {}",
          known));
    from.q.insert(from.q.end(), {VectorX<T>::Zero(nq_), shift.q.template cast<T>()});
    from.v.insert(from.v.end(), {VectorX<T>::Zero(n_), shift.v.template cast<T>()});
  }
  pieces_.push_back(piece_from(crossings.empty() ? system : smooth(crossings.front().before), from,
                               start.t, end_of(0), stop_requested));
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    from = crossing_series(*system.switches, crossings[i], pieces_.back().path, nq_, n_, contacts_);
    pieces_.push_back(piece_from(smooth(crossings[i].after), from, crossings[i].t, end_of(i + 1),
                                 stop_requested));
    require_no_return(*system.switches, crossings[i], from, pieces_.back());
  }
  for (int k = 0; k <= order; ++k) {
    outer_sizes_.push_back(outer_size(k, start.t));
    layer_sizes_.push_back(layer_size(k, start.t));
  }
}

template <class T>
typename SeriesExpansion<T>::Piece SeriesExpansion<T>::piece_from(
    const System& smooth, const StartSeries<T>& start, double rigid_begin, double end,
    const std::function<bool()>& stop_requested) const {
  const EquationForms forms(smooth);
  LayerTerms<T> layer = layer_terms<T>(forms, contacts_, start, piece_order_);
  for (Index i = 0; i < m_; ++i)
    layer.lambda[1][static_cast<std::size_t>(i)] += LayerFunction<T>(internal_(i));
  StartSeries<T> outer{.t = start.t, .q = {}, .v = {}, .eta = {}};
  for (std::size_t k = 0; k <= static_cast<std::size_t>(piece_order_); ++k) {
    outer.q.push_back(LayerTerms<T>::limit(layer.q[k]));
    outer.v.push_back(LayerTerms<T>::limit(layer.v[k]));
    outer.eta.push_back(LayerTerms<T>::limit(layer.eta[k + 1]));
  }
  OuterPath<T> path(forms, contacts_, outer, piece_order_, internal_, end, stop_requested);
  return {.rigid_begin = rigid_begin,
          .begin = start.t,
          .layer = std::move(layer),
          .path = std::move(path)};
}

template <class T>
void SeriesExpansion<T>::require_no_return(const Switches& switches, const SwitchCrossing& crossing,
                                           const StartSeries<T>& start, const Piece& behind) const {
  const LayerGrid<T>& grid = *behind.layer.grid;
  const VectorXd q = start.q[0].template cast<double>(), v = start.v[0].template cast<double>();
  const auto rates = [&](const std::vector<LayerFunction<T>>& x, Index node) {
    VectorXd rate(std::ssize(x));
    for (Index i = 0; i < rate.size(); ++i) {
      const LayerFunction<T> slope = grid.derivative(x[static_cast<std::size_t>(i)]);
      rate(i) = static_cast<double>(slope.coefficient(0));
      if (slope.decaying.size() > 0) rate(i) += static_cast<double>(slope.decaying(node));
    }
    return rate;
  };
  for (const Index k : crossing.which) {
    if (switches.depends_on_time_alone(k)) continue;
    const double side = crossing.after[static_cast<std::size_t>(k)];
    for (Index node = 0; node < grid.nodes().size(); ++node) {
      const double rate = switches.rates(crossing.t, q, v, 1.0, rates(behind.layer.q[1], node),
                                         rates(behind.layer.v[1], node))(k);
      if (!(side * rate > 0.0))
        throw InputError(fmt::format(
            "the expansion ends at t = {:.6g}: the compliant motion crosses a switch of the force "
            "again within O(ε)",
            crossing.t));
    }
  }
}

template <class T>
VectorX<T> SeriesExpansion<T>::layer_at(const Piece& piece, const T& tau, int k) const {
  VectorX<T> all = VectorX<T>::Zero(nq_ + n_ + m_);
  const auto put = [&](const std::vector<LayerFunction<T>>& x, Index first) {
    for (const LayerFunction<T>& one : x)
      all(first++) = piece.layer.grid->decaying_at(one.decaying, tau);
  };
  const std::size_t at = static_cast<std::size_t>(k) + 1;
  put(piece.layer.lambda[at], nq_ + n_);
  if (k < 0) return all;
  put(piece.layer.q[at - 1], 0);
  put(piece.layer.v[at - 1], nq_);
  return all;
}

template <class T>
VectorX<T> SeriesExpansion<T>::outer_gap(const Piece& piece, double t, int k) const {
  const int j = k + order_of_deflection();
  if (j < 0 || np_ == 0) return VectorX<T>::Zero(np_);
  VectorX<T> eta = piece.path.at(t, j).tail(contacts_.rank());
  if (j == 0) eta -= contacts_.acting_deflection(eta0_);
  return rows_of_joints(eta);
}

template <class T>
VectorX<T> SeriesExpansion<T>::layer_gap(const Piece& piece, const T& tau, int k) const {
  const int j = k + order_of_deflection();
  if (j < -1 || np_ == 0) return VectorX<T>::Zero(np_);
  VectorX<T> eta(contacts_.rank());
  const auto& terms = piece.layer.eta[static_cast<std::size_t>(j + 1)];
  for (Index i = 0; i < eta.size(); ++i)
    eta(i) = piece.layer.grid->decaying_at(terms[static_cast<std::size_t>(i)].decaying, tau);
  return rows_of_joints(eta);
}

template <class T>
const typename SeriesExpansion<T>::Piece& SeriesExpansion<T>::rigid_piece(double t) const {
  auto found = std::ranges::upper_bound(pieces_, t, {}, &Piece::rigid_begin);
  return found == pieces_.begin() ? *found : *--found;
}

template <class T>
const typename SeriesExpansion<T>::Piece& SeriesExpansion<T>::piece_at(double mu, double t) const {
  // A sample at the crossing of the rigid motion is behind a crossing at the same time.
  constexpr double same = 1e-11;
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend() - 1; ++piece) {
    const auto begin = static_cast<double>(series_at(piece->begin, mu));
    const bool is_same = std::abs(begin - piece->rigid_begin) <= same * std::abs(end_);
    if (t >= (is_same ? piece->rigid_begin : begin)) return *piece;
  }
  return pieces_.front();
}

template <class T>
TermSizes SeriesExpansion<T>::outer_size(int k, double from) const {
  TermSizes size;
  from = std::max(from, pieces_.front().rigid_begin);
  constexpr int samples = 200;
  for (int i = 0; i <= samples; ++i) {
    const double t = from + (end_ - from) * i / samples;
    const VectorXd x = outer(t, k).cwiseAbs().template cast<double>();
    take_larger(size, {.q = x.head(nq_).maxCoeff(),
                       .v = x.segment(nq_, n_).maxCoeff(),
                       .lambda = largest(x.segment(nq_ + n_, m_)),
                       .gap = largest(outer_gap(t, k).cwiseAbs().template cast<double>())});
  }
  return size;
}

template <class T>
double SeriesExpansion<T>::largest_gap(const Piece& piece, int k) const {
  const int j = k + order_of_deflection();
  if (j < -1 || np_ == 0) return 0.0;
  MatrixX<T> eta = MatrixX<T>::Zero(contacts_.rank(), piece.layer.grid->nodes().size());
  const auto& terms = piece.layer.eta[static_cast<std::size_t>(j + 1)];
  for (Index i = 0; i < eta.rows(); ++i)
    if (const auto& decaying = terms[static_cast<std::size_t>(i)].decaying; decaying.size() > 0)
      eta.row(i) = decaying.transpose();
  const MatrixX<T> gap = contacts_.combination.bottomRows(np_) * eta;
  return static_cast<double>(gap.cwiseAbs().maxCoeff());
}

template <class T>
TermSizes SeriesExpansion<T>::layer_size(int k, double from) const {
  TermSizes size;
  const std::size_t at = static_cast<std::size_t>(k) + 1;
  for (const Piece& piece : pieces_) {
    if (piece.rigid_begin < from) continue;
    take_larger(size, {.q = k < 0 ? 0.0 : largest(piece.layer.q[at - 1]),
                       .v = k < 0 ? 0.0 : largest(piece.layer.v[at - 1]),
                       .lambda = largest(piece.layer.lambda[at]),
                       .gap = largest_gap(piece, k)});
  }
  return size;
}

template <class T>
TermSizes SeriesExpansion<T>::rounding(double mu) const {
  constexpr double relative = std::numeric_limits<T>::digits > 53 ? 1e-28 : 1e-13;
  TermSizes sum;
  for (int k = 0; k <= order(); ++k) {
    const double scale = relative * std::pow(mu, k);
    TermSizes::each([&](double TermSizes::*size) {
      sum.*size += scale * ((k > 0 ? outer_size(k).*size : 0.0) + layer_size(k).*size);
    });
  }
  return sum;
}

template <class T>
double SeriesExpansion<T>::natural_parameter() const {
  const Piece& first = pieces_.front();
  return (end_ - first.rigid_begin) * first.layer.grid->slowest_rate();
}

template <class T>
MotionOf<T> SeriesExpansion<T>::composite(double mu, const std::vector<double>& times,
                                          int order) const {
  return sum(mu, times, 0, -1, order, every_layer);
}
template <class T>
MotionOf<T> SeriesExpansion<T>::deviation(double mu, const std::vector<double>& times,
                                          int order) const {
  MotionOf<T> motion = sum(mu, times, 1, -1, order, every_layer);
  add_rigid_difference(mu, motion);
  return motion;
}
template <class T>
MotionOf<T> SeriesExpansion<T>::term(double mu, const std::vector<double>& times, int k,
                                     double from) const {
  MotionOf<T> motion = sum(mu, times, std::max(k, 1), k, k, from);
  if (k == 0) add_rigid_difference(mu, motion);
  return motion;
}

template <class T>
void SeriesExpansion<T>::add_rigid_difference(double mu, MotionOf<T>& motion) const {
  for (Index i = 0; i < std::ssize(motion.times); ++i) {
    const double t = motion.times[static_cast<std::size_t>(i)];
    const Piece &here = piece_at(mu, t), &rigid = rigid_piece(t);
    if (&here == &rigid) continue;
    const VectorX<T> d = here.path.at(t, 0) - rigid.path.at(t, 0);
    motion.q.col(i) += d.head(nq_);
    motion.v.col(i) += d.segment(nq_, n_);
    motion.lambda.col(i) += d.segment(nq_ + n_, m_);
  }
}

template <class T>
MotionOf<T> SeriesExpansion<T>::sum(double mu, const std::vector<double>& times, int outer,
                                    int layer, int last, double layers_from) const {
  using std::pow;
  require_mu(mu);
  const auto count = static_cast<Index>(times.size());
  MatrixX<T> all = MatrixX<T>::Zero(nq_ + n_ + m_, count), gap = MatrixX<T>::Zero(np_, count);
  for (Index i = 0; i < count; ++i) {
    const double t = times[static_cast<std::size_t>(i)];
    const Piece& piece = piece_at(mu, t);
    const T tau = fast_time(piece.begin, mu, t);
    for (int k = std::min(outer, layer); k <= last; ++k) {
      const T power = pow(T(mu), k);
      if (k >= outer) {
        all.col(i) += power * piece.path.at(t, k).head(nq_ + n_ + m_);
        gap.col(i) += power * outer_gap(piece, t, k);
      }
      if (k >= layer && piece.rigid_begin >= layers_from) {
        all.col(i) += power * layer_at(piece, tau, k);
        gap.col(i) += power * layer_gap(piece, tau, k);
      }
    }
  }
  MotionOf<T> motion;
  motion.times = times;
  motion.q = all.topRows(nq_);
  motion.v = all.middleRows(nq_, n_);
  motion.lambda = all.bottomRows(m_);
  motion.gap = std::move(gap);
  return motion;
}

template <class T>
CompliantStates<T> SeriesExpansion<T>::states(double mu, const std::vector<double>& times,
                                              int first, int last) const {
  using std::pow;
  require_mu(mu);
  const auto count = static_cast<Index>(times.size());
  const Index r = contacts_.rank();
  const T of_rate = contacts_.slow_deflection ? T(mu) : T(mu) * T(mu);  // w = of_rate η'
  MatrixX<T> q = MatrixX<T>::Zero(nq_, count), v = MatrixX<T>::Zero(n_, count),
             eta = MatrixX<T>::Zero(r, count), w = MatrixX<T>::Zero(r, count);
  for (Index i = 0; i < count; ++i) {
    const double t = times[static_cast<std::size_t>(i)];
    const Piece& piece = piece_at(mu, t);
    const T tau = fast_time(piece.begin, mu, t);
    const auto add = [&](const typename LayerTerms<T>::Vector& x, const T& factor,
                         MatrixX<T>& sum) {
      for (Index j = 0; j < sum.rows(); ++j)
        sum(j, i) +=
            factor * piece.layer.grid->decaying_at(x[static_cast<std::size_t>(j)].decaying, tau);
    };
    for (int k = first == 0 ? -1 : first; k <= last; ++k) {
      const std::size_t at = static_cast<std::size_t>(k) + 1;
      const T power = pow(T(mu), k);
      add(piece.layer.eta[at], power, eta);
      add(piece.layer.sliding[at], power * T(mu), w);
      if (k < 0) continue;
      add(piece.layer.q[at - 1], power, q);
      add(piece.layer.v[at - 1], power, v);
      const VectorX<T> outer = piece.path.at(t, k);
      q.col(i) += power * outer.head(nq_);
      v.col(i) += power * outer.segment(nq_, n_);
      eta.col(i) += power * outer.tail(r);
      w.col(i) += power * of_rate * piece.path.rate_at(t, k).tail(r);
    }
  }
  return {.q = std::move(q),
          .v = std::move(v),
          .eta = first == 0 ? contacts_.deflection(eta, eta0_) : contacts_.combination * eta,
          .w = contacts_.combination * w};
}

template <class T>
double SeriesExpansion<T>::matching_defect(int k) const {
  using std::abs;
  const Piece& first = pieces_.front();
  T defect(0), size(0);
  const auto at = static_cast<std::size_t>(k);
  for (int i = 0; i <= k; ++i) {
    const VectorX<T> outer = first.path.expanded(first.begin.front(), k - i, i).col(i);
    Index place = 0;
    for (const typename LayerTerms<T>::Vector* x :
         {&first.layer.q[at], &first.layer.v[at], &first.layer.lambda[at + 1]})
      for (const LayerFunction<T>& one : *x) {
        defect = std::max(defect, T(abs(one.coefficient(i) - outer(place))));
        size = std::max(size, T(abs(outer(place++))));
      }
  }
  return static_cast<double>(size > 0 ? T(defect / size) : defect);
}

template class SeriesExpansion<double>;
template class SeriesExpansion<Quad>;

}  // namespace rigidlimit
