#include "rigidlimit/asymptotics/series_expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

template <class T>
LayerTerms<T> layer_of(const System& system, const EquationForms& forms,
                       const ActingContacts<T>& contacts, const InitialStateOf<T>& start,
                       const ViscoelasticLaw& law, const VectorXd& eta0, int order) {
  if (system.switches)
    throw InputError("the expansion needs equations without switches of the force");
  LayerTerms<T> terms = layer_terms<T>(
      forms, contacts,
      {.t = start.t, .q = {start.q}, .v = {start.v}, .eta = {contacts.acting_deflection(eta0)}},
      order);
  const VectorX<T> internal = contacts.internal_force(law, eta0);
  for (Index i = 0; i < internal.size(); ++i)
    terms.lambda[1][static_cast<std::size_t>(i)] += LayerFunction<T>(internal(i));
  return terms;
}

template <class T>
OuterPath<T> path_of(const EquationForms& forms, const ActingContacts<T>& contacts,
                     const LayerTerms<T>& layer, const InitialStateOf<T>& start,
                     const VectorX<T>& internal, int order, double end) {
  MatrixX<T> q(forms.nq, order + 1), v(forms.n, order + 1);
  for (int k = 0; k <= order; ++k) {
    q.col(k) = LayerTerms<T>::limit(layer.q[static_cast<std::size_t>(k)]);
    v.col(k) = LayerTerms<T>::limit(layer.v[static_cast<std::size_t>(k)]);
  }
  return {forms, contacts, start.t, q, v, internal, end};
}

template <class T>
double largest(const std::vector<LayerFunction<T>>& x) {
  double size = 0.0;
  for (const LayerFunction<T>& one : x)
    if (one.decaying.size() > 0)
      size = std::max(size, static_cast<double>(one.decaying.cwiseAbs().maxCoeff()));
  return size;
}

template <class T>
TermSizes largest(const OuterPath<T>& path, double start, Index nq, Index n, Index m, int k) {
  TermSizes size;
  constexpr int samples = 200;
  for (int i = 0; i <= samples; ++i) {
    const VectorXd x =
        path.at(start + (path.end() - start) * i / samples, k).cwiseAbs().template cast<double>();
    size.q = std::max(size.q, x.head(nq).maxCoeff());
    size.v = std::max(size.v, x.segment(nq, n).maxCoeff());
    size.lambda = std::max(size.lambda, x.segment(nq + n, m).maxCoeff());
  }
  return size;
}

template <class T>
InitialState rounded(const InitialStateOf<T>& start) {
  return {start.q.template cast<double>(), start.v.template cast<double>(), start.t};
}

bool is_sliding(const System& system, const InitialState& start) {
  return sliding_velocity(system, start).norm() > 1e-10 * (1.0 + start.v.norm());
}

void require_epsilon(double epsilon) {
  if (!(epsilon > 0.0)) throw InputError(fmt::format("epsilon = {}: must be > 0", epsilon));
}

}  // namespace

template <class T>
SeriesExpansion<T>::SeriesExpansion(const System& system, const InitialStateOf<T>& start,
                                    const ViscoelasticLaw& law, const VectorXd& eta0, int order,
                                    double end)
    : SeriesExpansion(
          system, EquationForms(system),
          ActingContacts<T>(contact_basis(system, start.q.template cast<double>()), law), start,
          law, eta0, order, end) {}

template <class T>
SeriesExpansion<T>::SeriesExpansion(const System& system, const EquationForms& forms,
                                    const ActingContacts<T>& contacts,
                                    const InitialStateOf<T>& start, const ViscoelasticLaw& law,
                                    const VectorXd& eta0, int order, double end)
    : nq_(system.nq),
      n_(system.n),
      m_(system.m),
      start_(start.t),
      slides_(is_sliding(system, rounded(start))),
      contacts_(contacts),
      eta0_(eta0),
      layer_(layer_of(system, forms, contacts, start, law, eta0, order)),
      path_(
          path_of(forms, contacts, layer_, start, contacts.internal_force(law, eta0), order, end)) {
  for (int k = 0; k <= order; ++k) {
    const auto at = static_cast<std::size_t>(k);
    outer_sizes_.push_back(largest(path_, start_, nq_, n_, m_, k));
    layer_sizes_.push_back({.q = largest(layer_.q[at]),
                            .v = largest(layer_.v[at]),
                            .lambda = largest(layer_.lambda[at + 1])});
  }
}

template <class T>
TermSizes SeriesExpansion<T>::rounding(double epsilon) const {
  constexpr double relative = std::numeric_limits<T>::digits > 53 ? 1e-28 : 1e-13;
  TermSizes sum;
  for (int k = 0; k <= order(); ++k) {
    const double scale = relative * std::pow(epsilon, k);
    for (const auto size : {&TermSizes::q, &TermSizes::v, &TermSizes::lambda})
      sum.*size += scale * ((k > 0 ? outer_size(k).*size : 0.0) + layer_size(k).*size);
  }
  return sum;
}

template <class T>
MotionOf<T> SeriesExpansion<T>::composite(double epsilon, const std::vector<double>& times,
                                          int order) const {
  return sum(epsilon, times, 0, -1, order);
}
template <class T>
MotionOf<T> SeriesExpansion<T>::deviation(double epsilon, const std::vector<double>& times,
                                          int order) const {
  return sum(epsilon, times, 1, -1, order);
}
template <class T>
MotionOf<T> SeriesExpansion<T>::term(double epsilon, const std::vector<double>& times,
                                     int k) const {
  return sum(epsilon, times, k, k, k);
}

template <class T>
MotionOf<T> SeriesExpansion<T>::sum(double epsilon, const std::vector<double>& times, int outer,
                                    int layer, int last) const {
  using std::pow;
  require_epsilon(epsilon);
  const auto count = static_cast<Index>(times.size());
  MatrixX<T> all = MatrixX<T>::Zero(nq_ + n_ + m_, count);
  for (Index i = 0; i < count; ++i) {
    const double t = times[static_cast<std::size_t>(i)];
    const T tau = (T(t) - start_) / epsilon;
    const auto add = [&](const typename LayerTerms<T>::Vector& x, Index first, const T& power) {
      for (const LayerFunction<T>& one : x)
        all(first++, i) += power * layer_.grid->decaying_at(one.decaying, tau);
    };
    for (int k = std::min(outer, layer); k <= last; ++k) {
      const T power = pow(T(epsilon), k);
      const auto at = static_cast<std::size_t>(k + 1);
      if (k >= outer) all.col(i) += power * path_.at(t, k).head(nq_ + n_ + m_);
      if (k < layer) continue;
      add(layer_.lambda[at], nq_ + n_, power);
      if (k < 0) continue;
      add(layer_.q[at - 1], 0, power);
      add(layer_.v[at - 1], nq_, power);
    }
  }
  MotionOf<T> motion;
  motion.times = times;
  motion.q = all.topRows(nq_);
  motion.v = all.middleRows(nq_, n_);
  motion.lambda = all.bottomRows(m_);
  return motion;
}

template <class T>
CompliantStates<T> SeriesExpansion<T>::states(double epsilon, const std::vector<double>& times,
                                              int first, int last) const {
  using std::pow;
  require_epsilon(epsilon);
  const auto count = static_cast<Index>(times.size());
  const Index r = contacts_.rank();
  MatrixX<T> q = MatrixX<T>::Zero(nq_, count), v = MatrixX<T>::Zero(n_, count),
             eta = MatrixX<T>::Zero(r, count), w = MatrixX<T>::Zero(r, count);
  for (int k = first == 0 ? -1 : first; k <= last; ++k) {
    const auto at = static_cast<std::size_t>(k + 1);
    const T power = pow(T(epsilon), k), square = T(epsilon) * T(epsilon);
    typename LayerTerms<T>::Vector sliding;
    for (const LayerFunction<T>& one : layer_.eta[at])
      sliding.push_back(layer_.grid->derivative(one));
    for (Index i = 0; i < count; ++i) {
      const double t = times[static_cast<std::size_t>(i)];
      const T tau = (T(t) - start_) / epsilon;
      const auto add = [&](const typename LayerTerms<T>::Vector& x, const T& factor,
                           MatrixX<T>& sum) {
        for (Index j = 0; j < sum.rows(); ++j)
          sum(j, i) +=
              factor * layer_.grid->decaying_at(x[static_cast<std::size_t>(j)].decaying, tau);
      };
      add(layer_.eta[at], power, eta);
      add(sliding, power * T(epsilon), w);
      if (k < 0) continue;
      add(layer_.q[at - 1], power, q);
      add(layer_.v[at - 1], power, v);
      const VectorX<T> outer = path_.at(t, k), rate = path_.rate_at(t, k);
      q.col(i) += power * outer.head(nq_);
      v.col(i) += power * outer.segment(nq_, n_);
      eta.col(i) += power * outer.tail(r);
      w.col(i) += power * square * rate.tail(r);
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
  T defect(0), size(0);
  const auto at = static_cast<std::size_t>(k);
  for (int i = 0; i <= k; ++i) {
    const VectorX<T> outer = path_.start_coefficient(k - i, i);
    Index place = 0;
    for (const typename LayerTerms<T>::Vector* x :
         {&layer_.q[at], &layer_.v[at], &layer_.lambda[at + 1]})
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
