#include "rigidlimit/experiment/judge/difference.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/core/stop_request.hpp"

namespace rigidlimit {

namespace {

/// The difference of two solves between their steps is not smooth: its samples are compared.
double size_of_samples(const Motion& difference, const Measure& measure, const Windows& windows) {
  return difference.times.empty() ? std::nan("") : magnitude(difference, measure, windows);
}

}  // namespace

Rounding rounding_of(const PreciseMotion& a, const PreciseMotion& b) {
  // A 113-bit value is stored as two doubles: 106 bits.
  const bool precise = !a.rest.times.empty() && !b.rest.times.empty();
  const double ulps = precise ? std::ldexp(4.0, -105) : std::ldexp(4.0, -52);
  const auto of = [&](Quantity quantity) {
    double largest = 0.0;
    for (const PreciseMotion* one : {&a, &b})
      if (const MatrixXd& values = values_of(one->rounded, quantity); values.size() > 0)
        largest = std::max(largest, values.cwiseAbs().maxCoeff<Eigen::PropagateNumbers>());
    return ulps * largest;
  };
  return {of(Quantity::q), of(Quantity::v), of(Quantity::lambda), of(Quantity::gap)};
}

ErrorMeasures::ErrorMeasures(Differences differences, Windows windows, double share,
                             const std::function<bool()>& stop_requested)
    : windows_(std::move(windows)),
      model_(std::exchange(differences.model, {}), windows_, stop_requested),
      rest_(std::move(differences)),
      share_(share) {}

ErrorSizes ErrorMeasures::sizes(const Measure& measure) const {
  const CurveSize model = model_.size(measure);
  ErrorSizes sizes{.model = model.value,
                   .solver = size_of_samples(rest_.solver, measure, windows_) / share_,
                   .reference = size_of_samples(rest_.reference, measure, windows_),
                   .sampling = model.sampling_error,
                   .rounding = rest_.rounding.of(measure.quantity)};
  // l1 and l2 sum over components.
  if (measure.norm != Norm::sup && measure.row < 0)
    sizes.rounding *= static_cast<double>(values_of(model_.difference(), measure.quantity).rows());
  return sizes;
}

namespace {

constexpr double no_difference = std::numeric_limits<double>::quiet_NaN();

/// Gauss and Lobatto's points on [−1, 1] and weights, exact to degree 11. Abramowitz and Stegun,
/// table 25.6.
constexpr std::array lobatto{-1.0, -0.830223896278566929872,   -0.468848793470714213803819,
                             0.0,  0.468848793470714213803819, 0.830223896278566929872,
                             1.0};
constexpr std::array weights{0.047619047619047619047619, 0.276826047361565948010700,
                             0.431745381209862623417871, 0.487619047619047619047619,
                             0.431745381209862623417871, 0.276826047361565948010700,
                             0.047619047619047619047619};

/// Samples so close that a polynomial through both would amplify rounding.
bool coincide(double a, double b) {
  return std::abs(a - b) <= 8.0 * std::numeric_limits<double>::epsilon() * std::abs(b);
}

constexpr long intervals_of_a_question = 4096;  ///< whether to stop
constexpr double most_uneven = 16.0;  ///< distance of a node to its span, in lengths of the span

}  // namespace

double DifferenceCurve::Span::at(Index point) const {
  if (point == 0) return from;
  if (point == points - 1) return to;
  return from + 0.5 * (1.0 + lobatto[static_cast<std::size_t>(point)]) * (to - from);
}

/// Newton's form of the polynomials through the nodes of a span, of rising degree.
class DifferenceCurve::Newton {
 public:
  /// Values at the points of the span; the last one stands twice, for even numbers of lanes.
  using Points = Eigen::Array<double, points + 1, 1>;

  Newton(const std::vector<double>& times, const Span& span) : span_(span) {
    for (const Index k : span.nodes) nodes_[count_++] = times[static_cast<std::size_t>(k)];
    for (std::size_t j = 1; j < count_; ++j)
      for (std::size_t i = j; i < count_; ++i) inverse_[j][i] = 1.0 / (nodes_[i] - nodes_[i - j]);
  }

  std::size_t count() const { return count_; }

  /// The divided differences of one row of the samples.
  using Coefficients = std::array<double, most_nodes>;
  Coefficients coefficients(const MatrixXd& samples, Index row) const {
    Coefficients c{};
    for (std::size_t i = 0; i < count_; ++i) c[i] = samples(row, span_.nodes[i]);
    for (std::size_t j = 1; j < count_; ++j)
      for (std::size_t i = count_; i-- > j;) c[i] = (c[i] - c[i - 1]) * inverse_[j][i];
    return c;
  }

  /// The distances of the points of the span from each node.
  using FromNodes = std::array<Points, most_nodes>;
  FromNodes from_nodes() const {
    Points times;
    for (Index k = 0; k < points; ++k) times[k] = span_.at(k);
    times[points] = times[points - 1];
    FromNodes from;
    for (std::size_t i = 0; i < count_; ++i) from[i] = times - nodes_[i];
    return from;
  }

  /// The polynomials that are compared, of falling degree, at the points of the span: through 8, 6,
  /// 4 and 2 nodes, or fewer.
  using Polynomials = std::array<Points, 4>;
  Polynomials polynomials(const Coefficients& c, const FromNodes& from) const {
    Polynomials p;
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] = value<Points>(
          c, count_ > 2 * i + 2 ? count_ - 2 * i : std::min<std::size_t>(2, count_), from);
    return p;
  }

  /// The polynomial through all nodes at t.
  double value(const Coefficients& c, double t) const {
    std::array<double, most_nodes> from{};
    for (std::size_t i = 0; i < count_; ++i) from[i] = t - nodes_[i];
    return value<double>(c, count_, from);
  }

  /// The same and its derivative.
  std::pair<double, double> with_slope(const Coefficients& c, double t) const {
    double sum = c[count_ - 1], slope = 0.0;
    for (std::size_t i = count_ - 1; i-- > 0;) {
      slope = sum + (t - nodes_[i]) * slope;
      sum = c[i] + (t - nodes_[i]) * sum;
    }
    return {sum, slope};
  }

 private:
  /// The polynomial through the first `used` nodes, at the distances `from` the nodes.
  template <class Values>
  static Values value(const Coefficients& c, std::size_t used,
                      const std::array<Values, most_nodes>& from) {
    Values sum = from[0] * 0.0 + c[used - 1];
    for (std::size_t i = used - 1; i-- > 0;) sum = c[i] + from[i] * sum;
    return sum;
  }

  const Span& span_;
  std::size_t count_ = 0;
  std::array<double, most_nodes> nodes_{};
  std::array<std::array<double, most_nodes>, most_nodes> inverse_{};
};

DifferenceCurve::DifferenceCurve(Motion difference, Windows windows,
                                 std::function<bool()> stop_requested)
    : difference_(std::move(difference)),
      windows_(std::move(windows)),
      stop_requested_(std::move(stop_requested)) {
  std::vector<double> breaks = windows_.events;
  breaks.insert(breaks.end(), windows_.breaks.begin(), windows_.breaks.end());
  std::ranges::sort(breaks);
  add_spans(breaks);
  samples_.resize(difference_.q.rows() + difference_.v.rows() + difference_.lambda.rows() +
                      difference_.gap.rows(),
                  std::ssize(difference_.times));
  for (const Quantity quantity : all_quantities)
    if (const Rows rows = rows_of(quantity); rows.count > 0)
      samples_.middleRows(rows.first, rows.count) = values_of(difference_, quantity);
  values_ = evaluated();
}

DifferenceCurve::Rows DifferenceCurve::rows_of(Quantity quantity) const {
  Rows rows{0, values_of(difference_, quantity).rows()};
  for (const Quantity before : all_quantities) {
    if (before == quantity) break;
    rows.first += values_of(difference_, before).rows();
  }
  return rows;
}

/// Adds the spans of each piece between two breaks.
void DifferenceCurve::add_spans(const std::vector<double>& breaks) {
  StopRequest stop(stop_requested_, intervals_of_a_question);
  const std::vector<double>& t = difference_.times;
  const auto at = [&](Index k) { return t[static_cast<std::size_t>(k)]; };
  const auto count = std::ssize(t);
  Index first = 0;                                         // of the piece
  double ended = std::numeric_limits<double>::infinity();  // the end of the piece before
  auto next = breaks.begin();
  while (first < count) {
    // A sample at a break has the values after it.
    while (next != breaks.end() && *next <= at(first)) ++next;
    const double end = next == breaks.end() ? std::numeric_limits<double>::infinity() : *next;
    Index last = first;
    while (last + 1 < count && at(last + 1) < end) ++last;
    if (first > 0) {
      const double begin = *std::prev(next);
      // Two breaks without a sample between them.
      if (begin > ended) add_span(ended, begin, first - 1, first, first - 1);
      if (begin < at(first)) add_span(begin, at(first), first - 1, first, last);
    }
    for (Index k = first; k < last; ++k) {
      stop.check();
      if (!coincide(at(k), at(k + 1))) add_span(at(k), at(k + 1), k, first, last);
    }
    if (last + 1 < count && at(last) < end) add_span(at(last), end, last, first, last);
    ended = end;
    first = last + 1;
  }
}

/// The nodes of a span in the samples [first, last]: alternately to the left and right of it. If
/// there is one or none, also the sample across the break, where the difference has a corner; but
/// not across an event, where it jumps.
void DifferenceCurve::add_span(double from, double to, Index before, Index first, Index last) {
  const auto at = [&](Index k) { return difference_.times[static_cast<std::size_t>(k)]; };
  Span span{.from = from, .to = to, .piece = first};
  // Nearer neighbours would amplify the rounding of the samples.
  const double distance =
      0.5 * (at(std::min(before + 1, std::ssize(difference_.times) - 1)) - at(before));
  constexpr Index ended = -1;
  Index left = before >= first ? before : ended, right = before < last ? before + 1 : ended;
  const auto take = [&](Index& k, Index step) {
    if (k == ended || span.nodes.size() == most_nodes) return;
    const double used = at(k);
    span.nodes.push_back(k);
    do k += step;
    while (k >= first && k <= last && std::abs(at(k) - used) < distance);
    if (k < first || k > last) k = ended;
  };
  while (span.nodes.size() < most_nodes && (left != ended || right != ended)) {
    take(left, -1);
    take(right, 1);
  }
  if (span.nodes.size() < 2 && (before < first || before == last)) {
    span.across = std::ranges::none_of(windows_.events,
                                       [&](double event) { return event == from || event == to; });
    for (const Index k : {before, before + 1})
      if (span.across && std::ranges::find(span.nodes, k) == span.nodes.end())
        span.nodes.push_back(k);
  }
  if (span.nodes.empty()) span.nodes.push_back(before);
  // Nodes at distances of other orders hardly change the polynomials: these agree, and are wrong.
  span.uneven = std::ranges::any_of(span.nodes, [&](Index k) {
    return std::max(from - at(k), at(k) - to) > most_uneven * 2.0 * distance;
  });
  const auto on_left = std::ranges::count_if(span.nodes, [&](Index k) { return k <= before; });
  span.one_sided = std::min(on_left, std::ssize(span.nodes) - on_left) < 3;
  spans_.push_back(std::move(span));
}

DifferenceCurve::AllDistances DifferenceCurve::distances(Values& values) const {
  StopRequest stop(stop_requested_, intervals_of_a_question);
  AllDistances all;
  all.fill(MatrixXd(samples_.rows(), std::ssize(spans_)));
  for (Index s = 0; s < std::ssize(spans_); ++s) {
    stop.check();
    const Newton newton(difference_.times, spans_[static_cast<std::size_t>(s)]);
    const auto from = newton.from_nodes();
    for (Index row = 0; row < samples_.rows(); ++row) {
      const auto p = newton.polynomials(newton.coefficients(samples_, row), from);
      values.fine.row(row).segment<points>(points * s) = p[0].head<points>();
      values.coarse.row(row).segment<points>(points * s) = p[1].head<points>();
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i](row, s) = (p[i] - p[i + 1]).abs().maxCoeff<Eigen::PropagateNaN>();
    }
  }
  return all;
}

/// The distances, or the largest of three neighbours on a side if they are larger on both sides.
DifferenceCurve::AllDistances DifferenceCurve::widest(const AllDistances& all) const {
  constexpr Index neighbours = 3;
  constexpr double most_unlike = 4.0;  // the length of a neighbour
  const auto at = [&](Index s) -> const Span& { return spans_[static_cast<std::size_t>(s)]; };
  const auto length = [&](Index s) { return at(s).to - at(s).from; };
  AllDistances widened = all;
  Eigen::ArrayXd largest(samples_.rows()), beside(samples_.rows());
  for (Index number = 0; number < std::ssize(spans_); ++number) {
    std::array<Index, 2> reach{};  // of the neighbours before and after
    for (const Index side : {0, 1})
      while (reach[static_cast<std::size_t>(side)] < neighbours) {
        Index& count = reach[static_cast<std::size_t>(side)];
        const Index s = number + (side == 0 ? -1 : 1) * (count + 1);
        if (s < 0 || s >= std::ssize(spans_) || at(s).piece != at(number).piece) break;
        if (std::max(length(s), length(number)) > most_unlike * std::min(length(s), length(number)))
          break;
        ++count;
      }
    if (reach[0] == 0 && reach[1] == 0) continue;
    for (std::size_t i = 0; i < all.size(); ++i) {
      beside.setConstant(std::numeric_limits<double>::infinity());
      for (const auto& [first, count] :
           {Rows{number - reach[0], reach[0]}, Rows{number + 1, reach[1]}}) {
        if (count == 0) continue;
        largest.setConstant(-1.0);
        for (Index s = first; s < first + count; ++s)
          largest = (all[i].col(s).array() > largest).select(all[i].col(s).array(), largest);
        beside = (largest >= 0.0).select(beside.min(largest), beside);
      }
      const auto own = all[i].col(number).array();
      widened[i].col(number) = (beside.isFinite() && beside > own).select(beside, own);
    }
  }
  return widened;
}

/// δ of the polynomial of the highest degree; infinite if the samples do not resolve the span.
double DifferenceCurve::resolved_error(const Span& span, const Distances& apart) {
  const std::size_t nodes = span.nodes.size();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (nodes < 5 || span.uneven) return infinite;
  const bool converges = apart[0] <= apart[1] / 3.0 && (nodes < 7 || apart[1] <= 0.6 * apart[2]);
  if (converges) return (span.one_sided ? 15.0 : 5.0) * apart[0];
  const bool is_rounding = nodes > 6 && apart[1] <= 0.02 * apart[2];
  return is_rounding ? std::max(apart[0], apart[1]) : infinite;
}

/// δ of the straight line between two samples; NaN if a node is missing.
double DifferenceCurve::unresolved_error(const Span& span, const Distances& apart) {
  // At a corner, P₃ rises above P₁ by a quarter of its height.
  const double error = std::max(4.0 * apart[2], apart[0] + apart[1] + apart[2]);
  return span.nodes.size() < most_nodes ? 2.0 * error : error;
}

/// The difference on every span and its error: the cases of the doc block.
DifferenceCurve::Values DifferenceCurve::evaluated() const {
  const Index rows = samples_.rows(), spans = std::ssize(spans_);
  Values values{.fine = MatrixXd(rows, points * spans),
                .coarse = MatrixXd(rows, points * spans),
                .error = MatrixXd(rows, spans),
                .resolved = Eigen::ArrayXX<bool>(rows, spans),
                .peak = MatrixXd(rows, spans),
                .peak_point = Eigen::ArrayXX<int>(rows, spans)};
  const AllDistances all = distances(values), wide = widest(all);
  StopRequest stop(stop_requested_, intervals_of_a_question);
  for (Index s = 0; s < spans; ++s) {
    stop.check();
    const Span& span = spans_[static_cast<std::size_t>(s)];
    for (Index row = 0; row < rows; ++row) {
      double error = resolved_error(span, {wide[0](row, s), wide[1](row, s), wide[2](row, s)});
      const bool is_resolved = std::isfinite(error);
      auto fine = values.fine.row(row).segment<points>(points * s);
      if (!is_resolved) {
        const Newton newton(difference_.times, span);
        const auto line =
            newton.polynomials(newton.coefficients(samples_, row), newton.from_nodes())[3];
        const double begin = line[0], end = line[points - 1];
        error = unresolved_error(span, {all[0](row, s), all[1](row, s), all[2](row, s)});
        // Two nodes, or one that is missing.
        if (newton.count() < 3 || !std::isfinite(error)) error = std::abs(begin - end);
        if (span.across) error = 0.0;  // between two samples
        // Of a jump at an unknown instant, the mean is at most that of the larger side.
        fine = line.head<points>();
        values.coarse.row(row)
            .segment<points>(points * s)
            .setConstant(std::abs(begin) > std::abs(end) ? begin : end);
      }
      values.error(row, s) = error;
      values.resolved(row, s) = is_resolved;
      values.peak(row, s) = fine.cwiseAbs().maxCoeff(&values.peak_point(row, s));
    }
  }
  return values;
}

/// The maximum of |d| in a span near a point.
double DifferenceCurve::top(const Span& span, Index row, Index point) const {
  const Newton newton(difference_.times, span);
  const auto c = newton.coefficients(samples_, row);
  // |d| that falls from an end of the span inwards is largest there, as the points are close.
  if (point == 0 || point == points - 1) {
    const auto [value, slope] = newton.with_slope(c, span.at(point));
    if ((point == 0 ? -value : value) * slope > 0.0) return std::abs(value);
  }
  // Over [0, 1], because the bits are those of the argument: t may be large beside the span.
  const double from = span.at(std::max<Index>(point - 1, 0)),
               to = span.at(std::min<Index>(point + 1, points - 1));
  const auto minus = [&](double share) {
    return -std::abs(newton.value(c, from + share * (to - from)));
  };
  constexpr int half_of_the_bits = 26;
  std::uintmax_t most = 40;
  return -boost::math::tools::brent_find_minima(minus, 0.0, 1.0, half_of_the_bits, most).second;
}

CurveSize DifferenceCurve::sup(Rows rows, Window window) const {
  StopRequest stop(stop_requested_, intervals_of_a_question);
  double largest = no_difference;
  for (Index k = 0; k < samples_.cols(); ++k) {
    stop.check();
    if (!windows_.contains(window, difference_.times[static_cast<std::size_t>(k)])) continue;
    const auto sample = samples_.col(k).segment(rows.first, rows.count);
    if (!sample.allFinite()) return {};
    const double here = rows.count == 0 ? 0.0 : sample.cwiseAbs().maxCoeff();
    if (!(largest >= here)) largest = here;
  }
  if (std::isnan(largest)) return {};
  double bound = largest;
  const auto each = [&](const auto& visit) {
    for (Index s = 0; s < std::ssize(spans_); ++s) {
      stop.check();
      const Span& span = spans_[static_cast<std::size_t>(s)];
      if (!windows_.contains(window, 0.5 * (span.from + span.to))) continue;
      for (Index row = rows.first; row < rows.first + rows.count; ++row)
        visit(s, row, values_.peak(row, s));
    }
  };
  each([&](Index, Index, double value) {
    if (value > largest) largest = value;
  });
  const double found = largest;
  each([&](Index s, Index row, double value) {
    // Between the points of a span the polynomial rises by less than this.
    constexpr double near = 0.9;
    const double error = values_.error(row, s);
    const bool is_resolved = values_.resolved(row, s) && error <= 0.1 * value;
    if (value >= near * found && value > 0.0 && is_resolved)
      value = std::max(value,
                       top(spans_[static_cast<std::size_t>(s)], row, values_.peak_point(row, s)));
    largest = std::max(largest, value);
    bound = std::max(bound, value + error);
  });
  return {largest, bound - largest};
}

CurveSize DifferenceCurve::mean(Rows rows, const Measure& measure) const {
  const auto part = [&](const MatrixXd& of, Index column) {
    return of.col(column).segment(rows.first, rows.count);
  };
  const auto size_of_column = [&](const auto& d) {
    return measure.norm == Norm::l1 ? d.cwiseAbs().sum() : d.squaredNorm();
  };
  StopRequest stop(stop_requested_, intervals_of_a_question);
  double length = 0.0, integral = 0.0, error = 0.0, single = no_difference;
  for (Index k = 0; k < samples_.cols(); ++k) {
    if (!windows_.contains(measure.window, difference_.times[static_cast<std::size_t>(k)]))
      continue;
    if (!part(samples_, k).allFinite()) return {};
    single = size_of_column(part(samples_, k));
  }
  for (Index s = 0; s < std::ssize(spans_); ++s) {
    stop.check();
    const Span& span = spans_[static_cast<std::size_t>(s)];
    if (!windows_.contains(measure.window, 0.5 * (span.from + span.to))) continue;
    double fine = 0.0, coarse = 0.0;
    for (Index i = 0; i < points; ++i) {
      const double weight = 0.5 * weights[static_cast<std::size_t>(i)];
      fine += weight * size_of_column(part(values_.fine, points * s + i));
      coarse += weight * size_of_column(part(values_.coarse, points * s + i));
    }
    double apart = std::abs(fine - coarse);
    if (measure.norm == Norm::l1)
      for (Index row = rows.first; row < rows.first + rows.count; ++row) {
        const double left = values_.fine(row, points * s),
                     right = values_.fine(row, points * (s + 1) - 1);
        // |d| has a corner at a change of sign: the rule errs by less than a tenth of the span.
        if (left * right < 0.0) apart += 0.1 * std::min(std::abs(left), std::abs(right));
      }
    length += span.to - span.from;
    integral += (span.to - span.from) * fine;
    error += (span.to - span.from) * apart;
  }
  if (!(length > 0.0)) {
    integral = single;
    length = 1.0;
  }
  if (measure.norm == Norm::l1) return {integral / length, error / length};
  const double value = std::sqrt(integral / length);
  return {value, std::sqrt((integral + error) / length) - value};
}

CurveSize DifferenceCurve::size(const Measure& measure) const {
  Rows rows = rows_of(measure.quantity);
  if (measure.row >= 0 && rows.count > 0) rows = {rows.first + measure.row, 1};
  return measure.norm == Norm::sup ? sup(rows, measure.window) : mean(rows, measure);
}

}  // namespace rigidlimit
