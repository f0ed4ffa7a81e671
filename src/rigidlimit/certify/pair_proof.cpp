#include "rigidlimit/certify/pair_proof.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "rigidlimit/certify/decaying_norm.hpp"
#include "rigidlimit/certify/greatest.hpp"
#include "rigidlimit/certify/layer_integrals.hpp"
#include "rigidlimit/certify/layer_sum.hpp"
#include "rigidlimit/certify/rigid_path.hpp"
#include "rigidlimit/certify/tube.hpp"

namespace rigidlimit {
namespace {

/// A piece of time within a step, and what has been proved on it. All bounds hold for 0 < ε ≤ ε₀.
struct ProvedPiece {
  const PathStep* step;
  Ball begin, end;         ///< times within the step
  BallVector whole{};      ///< ≥ |y − ŷ|/ε²
  BallVector remainder{};  ///< ≥ |(y − ŷ)/ε² − α − Z η̂|/ε; not where the layer begins
  BallVector slip_remainder{};  ///< ≥ the same of v − v̂ and of S η̂' more; likewise
  Ball end_time() const { return step->begin + end; }
};

/// The next smaller one of …, 0.05, 0.02, 0.01, 0.005, ….
double next_round(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x * (1.0 - 1e-9))));
  for (const double digit : {5.0, 2.0, 1.0})
    if (digit * power < x * (1.0 - 1e-9)) return digit * power;
  return power;
}

class Proof {
 public:
  explicit Proof(const ProofQuestion& question)
      : question_(question),
        tapes_(question.pair),
        terms_(tapes_.terms),
        C_(of_independent(question.pair.stiffness)),
        D_(of_independent(question.pair.damping)),
        flexibility_(inverse(C_)),
        start_(start()) {
    const BallMatrix J = layer_matrix(start_.at.delassus, C_, D_);
    if (!(norm_at(start_.at.delassus).decay(J).lower() > 0.0))
      throw std::domain_error("the layer does not decay");
    const LayerIntegrals limit(start_.at, C_, D_, Ball(0));
    alpha1_ = -(limit.linear * start_.jump + limit.quadratic(start_.jump, start_.jump));
    path_.emplace(tapes_, start_.y, -(start_.at.shift * start_.eta), alpha1_,
                  Ball(question.pair.end),
                  [this](double reached) { question_.pair.go_on_from(reached); });
  }

  /// Bounds for 0 < ε ≤ ε₀. Throws std::domain_error if ε₀ is too large.
  void prove(double largest_epsilon) {
    epsilon_ = Ball(largest_epsilon);
    begin();
    follow();
  }

  // The theorems of the last ε₀; throw std::domain_error if there is none.

  ErrorTheorem whole() const { return position(outer()); }
  ErrorTheorem position_after() const { return position(first_from(question_.after)); }
  ErrorTheorem velocity_after() const { return velocity(first_from(question_.after)); }
  int steps() const { return static_cast<int>(path_->steps().size()); }

  /// Bounds of q along the rigid motion, from parts of its steps.
  std::pair<VectorXd, VectorXd> range_of_coordinates() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    VectorXd least = VectorXd::Constant(tapes_.nq, infinity), most = -least;
    for (const PathStep& step : path_->steps()) {
      constexpr int parts = 16;
      for (int k = 0; k < parts; ++k) {
        const Ball part = hull(step.length * Ball(k), step.length * Ball(k + 1)) / Ball(parts);
        const BallVector y = step.motion.at(part);
        for (Index i = 0; i < tapes_.nq; ++i) {
          least(i) = std::min(least(i), y(i).lower());
          most(i) = std::max(most(i), y(i).upper());
        }
      }
    }
    return {least, most};
  }

 private:
  struct Start {
    BallVector y, eta;    ///< y(0), η(0)
    BallVector jump;      ///< g₀ of g(0) = g₀ + ε d
    BallVector further;   ///< d
    PairTapes::Terms at;  ///< at y(0)
  };

  PairTapes::Terms terms(const BallVector& y, const BallVector& w, const BallVector& d,
                         const BallVector& eta, const BallVector& f) const {
    return terms_at(tapes_, terms_, y, w, d, eta, f);
  }

  BallMatrix of_independent(const MatrixXd& X) const {
    if (question_.pair.combination.empty()) return balls(X);
    const BallMatrix H = matrix_of<Ball>(question_.pair.combination);
    return H.transpose() * balls(X) * H;
  }

  // ... the start

  Start start() const {
    const Index N = tapes_.size, m = tapes_.m;
    BallVector given(N);
    given.head(tapes_.nq) = balls(question_.pair.q);
    given.segment(tapes_.nq, tapes_.n) = balls(question_.pair.v);
    if (question_.pair.explicit_time) given(N - 1) = Ball(question_.pair.t);
    Start result;
    result.y.resize(N);
    Evaluator<Ball>(tapes_.start)(into(result.y), given);
    const BallVector none = BallVector::Zero(m);
    result.at = terms(result.y, none, BallVector::Zero(N), none, none);
    const BallVector load = flexibility_ * result.at.load,
                     rate = flexibility_ * result.at.load_rate;
    result.eta = question_.prepared ? load : none;
    result.jump.resize(2 * m);
    result.jump << none, question_.prepared ? none : BallVector(-load);
    result.further.resize(2 * m);
    result.further << -rate, flexibility_ * (D_ * rate);
    return result;
  }

  /// α₁(0) = −(M g₀ + g₀ᵀH g₀) holds up to ε.
  void begin() {
    const Ball epsilon = hull(Ball(0), epsilon_);
    const BallMatrix J = layer_matrix(start_.at.delassus, C_, D_);
    layer_.emplace(start_.at, C_, D_, epsilon);
    norm_.emplace(norm_at(start_.at.delassus));
    const BallVector g = start_.jump + start_.further * epsilon;
    fast_ = {norm_->size(g), Ball(0), Ball(0)};
    const BallVector none = BallVector::Zero(tapes_.size);
    sum_ = {magnitudes(layer_->linear * g + layer_->quadratic(g, g) + alpha1_), none, none};
    range_ = range_of_layer(J, start_.jump, *norm_);
    deviation_ = (norm_->size(start_.further) * epsilon_).magnitude();
    pieces_.clear();
  }

  DecayingNorm norm_at(const BallMatrix& A) const {
    const Index m = tapes_.m;
    MatrixXd energy = MatrixXd::Zero(2 * m, 2 * m);
    energy.topLeftCorner(m, m) = middles(A).inverse();
    energy.bottomRightCorner(m, m) = middles(C_);
    return {middles(layer_matrix(A, C_, D_)), 0.5 * (energy + energy.transpose())};
  }

  /// Changes to the norm of this A. It is not above the old one, so that no bound of a norm grows,
  /// and the sum of the layer stays as it is (Lemma 4).
  void change_norm(const BallMatrix& A) { norm_ = norm_at(A).not_above(*norm_); }

  // ... along the motion

  void follow() {
    const Ball after = Ball(question_.after);
    const PathStep* last = nullptr;
    for (const PathStep& step : path_->steps()) {
      if (last != nullptr)
        sum_.change_frame(magnitudes(BallMatrix(inverse(balls(step.frame)) * last->transported)));
      last = &step;
      constexpr double parts = 8.0, of_layer = 0.25, of_time = 0.1;
      Ball begin = 0;
      while (begin < step.length) {
        const double wanted =
            std::max(of_layer * epsilon_.middle(), of_time * (step.begin + begin).middle());
        Ball end = begin + Ball(std::min(step.length.middle() / parts, wanted));
        // The window begins at the begin of a piece.
        const Ball offset = after - step.begin;
        if (begin < offset && offset < end) end = offset;
        if (end >= step.length) end = step.length;
        follow(step, begin, end, 0);
        begin = end;
      }
    }
  }

  void follow(const PathStep& step, const Ball& begin, const Ball& end, int depth) {
    constexpr int deepest = 5;
    question_.pair.go_on_from((step.begin + begin).middle());
    try {
      if (take(step, begin, end)) return;
    } catch (const std::domain_error&) {  // a piece too long for its balls
      if (depth == deepest) throw;
    }
    if (depth == deepest)
      throw std::domain_error(
          "the largest epsilon is too large: the compliant motion may leave every tube");
    const Ball middle = (begin + end) * Ball(0.5);
    follow(step, begin, middle, depth + 1);
    follow(step, middle, end, depth + 1);
  }

  /// A piece of time within a step, and the enclosed rigid motion on all of it.
  struct RigidPiece {
    const PathStep& step;
    Ball begin, end;
    PathStep::Values at;
    Ball time() const { return end - begin; }
  };

  /// The bounds that the equations give in a tube.
  struct TubeBounds {
    Tube tube;
    FastBound fast;
    LayerSum sum;
    Ball deviation;
    ProvedPiece piece;
  };

  /// Finds a tube that the compliant motion does not leave, and continues the bounds.
  bool take(const PathStep& step, const Ball& begin, const Ball& end) {
    const RigidPiece piece{step, begin, end, step.at(hull(begin, end))};
    {
      const BallVector none = BallVector::Zero(tapes_.m);
      change_norm(terms(step.at((begin + end) * Ball(0.5)).y, none, BallVector::Zero(tapes_.size),
                        none, none)
                      .delassus);
    }
    const BallVector c = norm_->components() * fast_.size(epsilon_);
    Tube tube{.rho = magnitudes(piece.at.alpha),
              .F = c.head(tapes_.m),
              .H = c.tail(tapes_.m),
              .deviation = BallVector::Zero(tapes_.m)};
    tube = tube.around(tube);
    // Of |y − ŷ|/ε² at the begin: the bound of the last piece, then a narrower one.
    BallVector known = BallVector::Zero(tapes_.size);
    if (!pieces_.empty()) known = pieces_.back().whole;
    constexpr int tries = 10;
    for (int k = 0; k < tries; ++k) {
      const std::optional<TubeBounds> next = bounds_in(tube, piece);
      if (!next) return false;
      if (tube.contains(next->tube) && !below(known, tube.rho))
        known = at_begin(step, begin, known);
      if (tube.holds(next->tube, known)) {
        pieces_.push_back(next->piece);
        sum_ = next->sum;
        deviation_ = next->deviation;
        fast_ = next->fast;
        constexpr double negligible = 1e-9;
        if (layer_ && fast_.layer_over_power(0, epsilon_).upper() < negligible) leave_layer(piece);
        return true;
      }
      Tube wanted = next->tube;
      if (tube.contains(wanted)) wanted.rho = known;
      tube = tube.around(wanted);
    }
    return false;
  }

  /// None if the layer may not decay in the tube.
  std::optional<TubeBounds> bounds_in(const Tube& tube, const RigidPiece& piece) const {
    const TermsInTube terms = terms_in(tube, piece);
    const std::optional<LayerInTube> layer = layer_in(terms);
    if (!layer) return std::nullopt;
    TubeBounds next{.tube = {},
                    .fast = fast_.after(piece.time(), layer->kappa, layer->settled, epsilon_),
                    .sum = sum_after(rates_of_sum(terms, *layer, piece.at), *layer, piece),
                    .deviation = deviation_after(terms, *layer),
                    .piece = {.step = &piece.step, .begin = piece.begin, .end = piece.end}};
    const BallVector beta = growing_part(piece.at, piece.step, next.sum.bound, layer->fast);
    next.tube = next_tube(terms, *layer, piece.at, beta, next.deviation);
    next.piece.whole = next.tube.rho;
    if (fast_.decay.lower() > 0.0) set_remainders(next.piece, terms, *layer, piece.at, beta);
    return next;
  }

  /// The terms of (3) and (4) for all states in a tube.
  struct TermsInTube {
    BallVector eta;
    PairTapes::Terms bound;
    BallVector rate, lag, curvature;  ///< η̂', C⁻¹D η̂', η̂''
    BallVector size_of_rate;          ///< ≥ |η̂'|
  };

  TermsInTube terms_in(const Tube& tube, const RigidPiece& piece) const {
    const Ball& eps = epsilon_;
    TermsInTube all;
    all.eta = deflection(piece.at.load, tube.H, tube.deviation);
    all.bound = terms(piece.at.y + around(tube.rho) * (eps * eps), around(tube.F) * eps,
                      around(tube.rho), all.eta, around(BallVector::Ones(tapes_.m)));
    all.rate = flexibility_ * all.bound.load_rate;
    all.lag = flexibility_ * (D_ * all.rate);
    all.curvature = flexibility_ * all.bound.load_curvature;
    all.size_of_rate = magnitudes(all.rate);
    return all;
  }

  /// The layer in a tube: ε g' = J g + ε² k.
  struct LayerInTube {
    Ball kappa;  ///< the decay of |g|_V
    BallVector k;
    BallVector c, c1, c2;  ///< |g_i| ≤ c_i |g|_V, c = (c1, c2)
    Ball settled;          ///< |k|_V/κ
    Ball rest, fast;       ///< K on the piece, and ≥ |g|_V
  };

  /// None if it may not decay.
  std::optional<LayerInTube> layer_in(const TermsInTube& terms) const {
    const Index m = tapes_.m;
    const PairTapes::Terms& bound = terms.bound;
    BallMatrix J = layer_matrix(bound.delassus, C_, D_);
    J.topLeftCorner(m, m) += bound.sliding_load * hull(Ball(0), epsilon_);
    LayerInTube layer;
    layer.kappa = norm_->decay(J);
    if (!(layer.kappa.lower() > 0.0)) return std::nullopt;
    layer.k.resize(2 * m);
    layer.k << bound.delassus * bound.load_change + bound.sliding_load * terms.rate -
                   terms.curvature,
        flexibility_ * (D_ * terms.curvature);
    layer.c = norm_->components();
    layer.c1 = layer.c.head(m);
    layer.c2 = layer.c.tail(m);
    layer.settled = (norm_->size(layer.k) / layer.kappa).magnitude();
    layer.rest = std::max(fast_.rest, layer.settled);
    layer.fast = FastBound{fast_.layer, fast_.decay, layer.rest}.size(epsilon_);
    return layer;
  }

  /// β'/ε without (∂X) β/ε − E μ: ≤ S λ/ε + W λ²/ε + …, λ = ℓ e^(−θ/ε) the layer, and a slow part
  /// of order ε.
  struct SumRates {
    BallVector of_layer, of_square, slow;  ///< S, W, the slow part over ε
  };

  SumRates rates_of_sum(const TermsInTube& terms, const LayerInTube& layer,
                        const PathStep::Values& at) const {
    const PairTapes::Terms& bound = terms.bound;
    const Ball &eps = epsilon_, &rest = layer.rest;
    const BallVector &c1 = layer.c1, &r = terms.size_of_rate;
    const BallMatrix Q = magnitudes(bound.sliding_squared);
    // |f₁| ≤ s (ε + λ + ε² K)
    const BallVector s = larger(c1, r),
                     substitution = magnitudes(bound.substitution) * s.maxCoeff();
    BallMatrix E = bound.bracket, dQ = bound.sliding_squared;
    if (layer_) {
      E -= layer_->bracket;
      dQ -= layer_->sliding_squared;
    }
    SumRates rates{.of_layer = magnitudes(E) * layer.c2,
                   .of_square = contracted(magnitudes(dQ), c1, c1) * Ball(0.5),
                   .slow = contracted(Q, r, r) * Ball(0.5) + contracted(Q, r, c1) * (eps * rest) +
                           magnitudes(bound.bracket_change) +
                           magnitudes(bound.curvature) * Ball(0.5) +
                           substitution * (Ball(1) + eps * rest)};
    rates.of_layer += (contracted(Q, r, c1) + substitution) * eps;
    if (layer_) add_layer_integrals(rates, bound, layer, at);
    // (λ + ε² K)² and the slow part of λ + ε² K
    rates.slow += rates.of_layer * rest + rates.of_square * (eps * eps * rest * rest);
    rates.of_layer += rates.of_square * (Ball(2) * eps * eps * rest);
    return rates;
  }

  /// Lemma 3: the rates of M g + gᵀH g less those that its integrals cancel.
  void add_layer_integrals(SumRates& rates, const PairTapes::Terms& bound, const LayerInTube& layer,
                           const PathStep::Values& at) const {
    const Index m = tapes_.m;
    const Ball& eps = epsilon_;
    const BallVector& c = layer.c;
    BallMatrix dJ = layer_matrix(bound.delassus - layer_->delassus, C_, D_);
    dJ.bottomRows(m).setZero();
    dJ.topLeftCorner(m, m) += (bound.sliding_load - layer_->sliding_load) * hull(Ball(0), eps);
    const BallMatrix M = magnitudes(layer_->linear), slope = magnitudes(at.slope);
    const BallVector moved = magnitudes(dJ) * c, force = magnitudes(layer.k);
    const LayerIntegrals size = layer_->magnitudes();
    rates.of_layer +=
        M * moved + slope * (M * c) * eps + size.quadratic(c, force) * (Ball(2) * eps * eps);
    rates.of_square += size.quadratic(c, moved) * Ball(2) + slope * size.quadratic(c, c) * eps;
    rates.slow += M * force;
  }

  LayerSum sum_after(const SumRates& rates, const LayerInTube& layer,
                     const RigidPiece& piece) const {
    const BallMatrix back = backward(piece.at, piece.step);
    return sum_.after(back * rates.of_layer / layer.kappa,
                      back * rates.of_square / (Ball(2) * layer.kappa),
                      back * rates.slow * (epsilon_ * piece.time().magnitude()),
                      fast_.layer_over_power(0, epsilon_));
  }

  /// The deviation δ from the layer at the start: ε δ' = J δ + (J − J₀) (g − δ) + ε² k.
  Ball deviation_after(const TermsInTube& terms, const LayerInTube& layer) const {
    if (!layer_) return deviation_;
    const Index m = tapes_.m;
    const Ball &eps = epsilon_, &kappa = layer.kappa;
    BallMatrix change = layer_matrix(terms.bound.delassus - layer_->delassus, C_, D_);
    change.bottomRows(m).setZero();
    change.topLeftCorner(m, m) += terms.bound.sliding_load * hull(Ball(0), eps);
    const Ball size = norm_->norm_of(change);
    constexpr double unknown = 1e30;
    return size < kappa
               ? std::max(deviation_,
                          ((size * layer.fast + eps * eps * layer.settled * kappa) / (kappa - size))
                              .magnitude())
               : Ball(unknown);
  }

  /// Lemma 5: bounds of e/ε², f₁, η − η̂ and the deviation, for |β/ε − α₁| ≤ beta.
  Tube next_tube(const TermsInTube& terms, const LayerInTube& layer, const PathStep::Values& at,
                 const BallVector& beta, const Ball& deviation) const {
    const Ball& eps = epsilon_;
    const BallVector lag = magnitudes(terms.lag) * eps;
    return {.rho = magnitudes(at.alpha + terms.bound.shift * terms.eta) +
                   (magnitudes(at.alpha1) + beta) * eps,
            .F = terms.size_of_rate * eps + layer.c1 * layer.fast,
            .H = lag + layer.c2 * layer.fast,
            .deviation = lag + layer.c2 * deviation};
  }

  /// Bounds behind the begin of the layer: of the error less its leading terms, over ε³.
  void set_remainders(ProvedPiece& piece, const TermsInTube& terms, const LayerInTube& layer,
                      const PathStep::Values& at, const BallVector& beta) const {
    const PairTapes::Terms& bound = terms.bound;
    const Ball& eps = epsilon_;
    piece.remainder =
        magnitudes(at.alpha1 - bound.shift * terms.lag) + beta +
        magnitudes(bound.shift_change) * eps +
        magnitudes(bound.shift) * layer.c2 * (eps * layer.rest + fast_.layer_over_power(1, eps));
    piece.slip_remainder =
        piece.remainder.segment(tapes_.nq, tapes_.n) +
        magnitudes(bound.slip) * layer.c1 * (layer.rest + fast_.layer_over_power(2, eps)) +
        magnitudes(bound.slip_change) * terms.size_of_rate.maxCoeff() * eps;
  }

  /// All η with |η − η̂| ≤ H and, while the layer lasts, this deviation from the layer at the start.
  BallVector deflection(const BallVector& load, const BallVector& H,
                        const BallVector& deviation) const {
    BallVector eta = around(H);
    if (layer_)
      for (Index i = 0; i < eta.size(); ++i)
        eta(i) = common(eta(i), range_(i) + Ball::around_zero(deviation(i)));
    return eta + flexibility_ * load;
  }

  /// ≥ |β/ε − α₁| = |M g + gᵀH g + Φ Ψ c|, for |c| ≤ sum and |g|_V ≤ fast.
  BallVector growing_part(const PathStep::Values& at, const PathStep& step, const BallVector& sum,
                          const Ball& fast) const {
    BallVector beta = magnitudes(BallMatrix(at.transition * balls(step.frame))) * sum;
    const BallVector c = norm_->components();
    if (layer_)
      beta += magnitudes(layer_->linear) * c * fast +
              layer_->magnitudes().quadratic(c, c) * (fast * fast);
    return beta;
  }

  /// ≥ |y − ŷ|/ε² at the begin of a piece, from the bound `known` there: e/ε² = α + Z(y) η + β/ε².
  BallVector at_begin(const PathStep& step, const Ball& begin, const BallVector& known) const {
    const Index m = tapes_.m;
    const PathStep::Values at = step.at(begin);
    const BallVector none = BallVector::Zero(m);
    const PairTapes::Terms bound = terms(at.y + around(known) * (epsilon_ * epsilon_), none,
                                         BallVector::Zero(tapes_.size), none, none);
    const Ball fast = fast_.size(epsilon_);
    const BallVector c2 = norm_->components().tail(m),
                     lag = magnitudes(flexibility_ * (D_ * (flexibility_ * bound.load_rate))) *
                           epsilon_,
                     eta = deflection(at.load, lag + c2 * fast, lag + c2 * deviation_);
    return magnitudes(at.alpha + bound.shift * eta) +
           (magnitudes(at.alpha1) + growing_part(at, step, sum_.bound, fast)) * epsilon_;
  }

  /// |Ψ⁻¹Φ⁻¹|: two inverses, because only Φ varies on the piece and it is near 1.
  static BallMatrix backward(const PathStep::Values& at, const PathStep& step) {
    return magnitudes(BallMatrix(inverse(balls(step.frame)) * inverse(at.transition)));
  }

  /// From here on the layer is part of the bounds.
  void leave_layer(const RigidPiece& piece) {
    const BallMatrix back = backward(piece.at, piece.step);
    const BallVector c = norm_->components() * fast_.size(epsilon_);
    sum_.bound = magnitudes(sum_.bound + back * (magnitudes(layer_->linear) * c +
                                                 layer_->magnitudes().quadratic(c, c)));
    layer_.reset();
  }

  // ... the theorems

  std::size_t first_from(double time) const {
    const auto at = std::ranges::find_if(
        pieces_, [time](const ProvedPiece& piece) { return piece.end_time() > Ball(time); });
    if (at == pieces_.begin()) throw std::domain_error("the window begins in the layer");
    return static_cast<std::size_t>(at - pieces_.begin());
  }

  /// The first piece that ends in the second half of the interval.
  std::size_t last_half() const {
    const auto at = std::ranges::find_if(pieces_, [this](const ProvedPiece& piece) {
      return piece.end_time().lower() > 0.5 * question_.pair.end;
    });
    return static_cast<std::size_t>(at - pieces_.begin());
  }

  /// The maximum of |term(values)| over the pieces from `first` on, as [lower, upper].
  using Term = std::function<BallVector(const BallVector& errors)>;
  std::pair<Ball, Ball> greatest_of(const Term& term, std::size_t first) const {
    std::vector<StepPart> parts;
    for (std::size_t k = first; k < pieces_.size(); ++k)
      parts.push_back({k, pieces_[k].begin, pieces_[k].end});
    return greatest(parts, [&](std::size_t piece, const Ball& s) {
      return term(pieces_[piece].step->errors(s));
    });
  }

  std::size_t outer() const {
    // Any window behind the layer serves: K there is a lower bound of K.
    const std::size_t after = question_.after > 0.0 ? first_from(question_.after) : last_half();
    const auto [low, high] = greatest_of(position_term(), after);
    std::size_t first = 0;
    for (const ProvedPiece& piece : pieces_) {
      for (const Ball& x : piece.whole.head(tapes_.nq))
        if (x.upper() > 0.0 && !(x.upper() < low.lower())) {
          if (first == 0)
            throw std::domain_error(
                "the error while the layer lasts may exceed that of the outer motion");
          return first;
        }
      ++first;
    }
    return after;
  }

  Term position_term() const {
    return [nq = tapes_.nq](const BallVector& errors) -> BallVector { return errors.head(nq); };
  }

  ErrorTheorem position(std::size_t first) const {
    Ball remainder = 0;
    for (std::size_t k = first; k < pieces_.size(); ++k)
      for (const Ball& x : pieces_[k].remainder.head(tapes_.nq))
        remainder = std::max(remainder, x.magnitude());
    return theorem_of(greatest_of(position_term(), first), remainder);
  }

  ErrorTheorem velocity(std::size_t first) const {
    Ball remainder = 0;
    for (std::size_t k = first; k < pieces_.size(); ++k)
      for (const Ball& x : pieces_[k].slip_remainder)
        remainder = std::max(remainder, x.magnitude());
    const Term term = [n = tapes_.n](const BallVector& errors) -> BallVector {
      return errors.tail(n);
    };
    return theorem_of(greatest_of(term, first), remainder);
  }

  ErrorTheorem theorem_of(const std::pair<Ball, Ball>& constant, const Ball& remainder) const {
    return {constant.first.lower(), constant.second.upper(), remainder.upper(), epsilon_.upper()};
  }

  const ProofQuestion& question_;
  PairTapes tapes_;
  Evaluator<Ball> terms_;
  BallMatrix C_, D_, flexibility_;
  Start start_;
  BallVector alpha1_;  ///< α₁(0)
  std::optional<RigidPath> path_;

  Ball epsilon_;  ///< ε₀
  std::optional<DecayingNorm> norm_;
  std::optional<LayerIntegrals> layer_;  ///< at the start, until the layer is negligible
  FastBound fast_;

  LayerSum sum_;  ///< of c, (y − ŷ)/ε² − α − Z η = ε (M g + gᵀH g + α₁ + Φ Ψ c), at the end of the
                  ///< last piece
  BallVector range_;  ///< of P₂ e^(J t/ε) g₀, J at the start
  Ball deviation_;    ///< of g from e^(J t/ε) g₀, in the norm
  std::vector<ProvedPiece> pieces_;
};

}  // namespace

double ErrorTheorem::at_least(double epsilon) const {
  return lower * std::pow(epsilon, 2) - remainder * std::pow(epsilon, 3);
}

double ErrorTheorem::at_most(double epsilon) const {
  return upper * std::pow(epsilon, 2) + remainder * std::pow(epsilon, 3);
}

std::vector<double> epsilons_to_try(double largest) {
  constexpr double smallest = 1e-5;
  std::vector<double> all;
  for (double epsilon = largest; epsilon >= smallest; epsilon = next_round(epsilon))
    all.push_back(epsilon);
  return all;
}

PairTheorem proved(const ProofQuestion& question) {
  Proof proof(question);
  PairTheorem result;
  result.steps = proof.steps();
  std::tie(result.least, result.most) = proof.range_of_coordinates();
  using Claim = ErrorTheorem (Proof::*)() const;
  const std::array claims{std::pair(&result.q, Claim(&Proof::whole)),
                          std::pair(&result.q_after, Claim(&Proof::position_after)),
                          std::pair(&result.v_after, Claim(&Proof::velocity_after))};
  const auto open = [&claims] {
    return std::ranges::any_of(claims, [](const auto& claim) { return !claim.first->theorem; });
  };
  constexpr double useful = 10.0;
  for (const double epsilon : epsilons_to_try(question.largest_epsilon)) {
    if (!open()) break;
    if (question.on_begin) question.on_begin(epsilon);
    EpsilonTrial trial{.epsilon = epsilon};
    std::string reason;
    try {
      proof.prove(epsilon);
    } catch (const UndecidedComparison&) {
      throw;
    } catch (const std::domain_error& error) {
      reason = error.what();
    }
    for (const auto& [claim, of] : claims) {
      if (claim->theorem) continue;
      claim->reason = reason;
      if (!reason.empty()) continue;
      try {
        const ErrorTheorem found = (proof.*of)();
        if (found.remainder * epsilon <= useful * found.lower) {
          claim->theorem = found;
          claim->reason.clear();
          ++trial.proved;
        } else {
          claim->reason = "K₃ ε₀ exceeds ten times K";
        }
      } catch (const std::domain_error& error) {
        claim->reason = error.what();
      }
    }
    for (const auto& [claim, of] : claims)
      if (!claim->theorem && trial.reason.empty()) trial.reason = claim->reason;
    if (question.on_end) question.on_end(trial);
  }
  return result;
}

}  // namespace rigidlimit
