#include "rigidlimit/formulations/compliant/adapted_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/adapted_tapes.hpp"

namespace rigidlimit {
namespace {

constexpr std::size_t lanes = Pack::lanes;
// Of a pivot's value at the choice of the order: below the first another order is chosen before the
// next step, as in AdaptedFrame; below the second a step is not valid.
constexpr double share_to_choose = 0.25, share_to_reject = 0.02;
// Of the least pivot of another lane's own order, for a common order.
constexpr double share_of_own_order = 0.05;

std::span<const Pack> packs(const Pack* first, std::size_t count) {
  return {first, count};
}

/// Lane k of `packs` becomes the entries of a matrix, column by column.
void set_lane(std::size_t k, const MatrixXd& values, std::vector<Pack>& packs) {
  packs.resize(static_cast<std::size_t>(values.size()));
  for (Index i = 0; i < values.size(); ++i)
    packs[static_cast<std::size_t>(i)].set(k, values.data()[i]);
}

VectorXd lane_of(const Pack* packs, Index count, std::size_t k) {
  VectorXd values(count);
  for (Index i = 0; i < count; ++i) values(i) = packs[i][k];
  return values;
}

/// x <- A⁻¹ x in each lane, A (m × m by columns) symmetric and positive definite. A is overwritten.
void solve_in_lanes(std::vector<Pack>& A, Pack* x, std::size_t m) {
  for (std::size_t k = 0; k < m; ++k) {
    const Pack reciprocal = Pack(1.0) / A[k + k * m];
    for (std::size_t i = k + 1; i < m; ++i) {
      const Pack factor = A[i + k * m] * reciprocal;
      for (std::size_t j = k; j < m; ++j) A[i + j * m] -= factor * A[k + j * m];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = m; k-- > 0;) {
    for (std::size_t j = k + 1; j < m; ++j) x[k] -= A[k + j * m] * x[j];
    x[k] /= A[k + k * m];
  }
}

}  // namespace

LaneFrames::LaneFrames(const System& system, const LaneMembers& members) : system_(system) {
  for (std::size_t k = 0; k < lanes; ++k) {
    starts_[k] = members[k].start;
    frames_.push_back(std::make_shared<AdaptedFrame>(system, starts_[k].q, AdaptedOptions{}));
    if (frames_.back()->contacts().redundant())
      throw InputError("motions side by side need independent contacts");
  }
  reset();
}

void LaneFrames::reset() {
  for (const auto& frame : frames_) frame->reset();
  take_tapes();
  state_.assign(static_cast<std::size_t>(system_.nq) + free() + rank(), Pack(0.0));
  for (std::size_t k = 0; k < lanes; ++k)
    for (Index i = 0; i < system_.nq; ++i)
      state_[static_cast<std::size_t>(i)].set(k, starts_[k].q(i));
  if (natural())
    choose_order(state_.data());
  else
    take_pivots(state_.data());
}

/// R and S of the frames, and the tapes of the first.
void LaneFrames::take_tapes() {
  tapes_ = &frames_.front()->usual_tapes();
  if (natural()) return;
  for (std::size_t k = 0; k < lanes; ++k) {
    set_lane(k, MatrixXd::Map(frames_[k]->parameters().data(), system_.n, system_.n), R_);
    set_lane(k, frames_[k]->at(starts_[k].q).topRows(frames_[k]->free()), S_);
  }
}

std::vector<Pack> LaneFrames::adapted_starts() const {
  std::vector<Pack> all;
  for (std::size_t k = 0; k < lanes; ++k)
    set_lane(k, frames_[k]->adapted<double>(starts_[k].q, starts_[k].v), all);
  return all;
}

double LaneFrames::share_of_pivots(const Pack* state, Pack* v) const {
  const PackEvaluator& tape = tapes_->velocity_packs();
  results_.resize(tape.tape().outputs.size());
  tape(results_.data(), packs(state, static_cast<std::size_t>(system_.nq) + free() + rank()), R_);
  const auto n = static_cast<std::size_t>(system_.n);
  std::copy_n(results_.begin(), n, v);
  double share = 1.0;
  std::array<double, lanes> pivot, chosen;
  for (std::size_t i = 0; i < pivots_.size(); ++i) {
    results_[n + i].store(pivot.data());
    pivots_[i].store(chosen.data());
    for (std::size_t k = 0; k < lanes; ++k)
      share = std::abs(pivot[k]) >= share * chosen[k] ? share : std::abs(pivot[k]) / chosen[k];
  }
  return share;
}

void LaneFrames::take_pivots(const Pack* state) {
  const auto n = static_cast<std::size_t>(system_.n);
  std::vector<Pack> v(n);
  pivots_.clear();
  share_of_pivots(state, v.data());
  for (std::size_t i = n; i < results_.size(); ++i)
    pivots_.push_back(results_[i].lane_by_lane([](double pivot) { return std::abs(pivot); }));
}

bool LaneFrames::write_velocities(const Pack* state, Pack* v) const {
  return share_of_pivots(state, v) >= share_to_reject;
}

void LaneFrames::order_at(const Pack* state) {
  std::vector<Pack> v(static_cast<std::size_t>(system_.n));
  if (!(share_of_pivots(state, v.data()) >= share_to_choose)) choose_order(state);
}

void LaneFrames::choose_order(const Pack* state) {
  const auto least_pivot = [&](const AdaptedTapes& tapes, const VectorXd& q, std::size_t k) {
    double least = std::numeric_limits<double>::infinity();
    tapes.pivots()([&](std::size_t, double x) { least = std::min(least, std::abs(x)); }, q,
                   frames_[k]->parameters());
    return least;
  };
  tapes_ = &frames_.front()->ordered_tapes(lane_of(state, system_.nq, 0).data());
  for (std::size_t k = 1; k < lanes; ++k) {
    const VectorXd q = lane_of(state, system_.nq, k);
    const AdaptedTapes& own = frames_[k]->ordered_tapes(q.data());
    if (&own != tapes_ && least_pivot(*tapes_, q, k) < share_of_own_order * least_pivot(own, q, k))
      throw InputError("the motions need different row orders of the elimination");
  }
  take_pivots(state);
}

void LaneFrames::choose(Pack* states, std::size_t count, std::size_t stride, bool compliant) {
  if (natural()) return;
  const auto nq = static_cast<std::size_t>(system_.nq), n = static_cast<std::size_t>(system_.n);
  std::vector<Pack> velocities(count * n);
  for (std::size_t k = 0; k < count; ++k) {
    state_.assign(nq + free() + rank(), Pack(0.0));
    std::copy_n(states + k * stride, nq + free() + (compliant ? rank() : 0), state_.begin());
    write_velocities(state_.data(), velocities.data() + k * n);
  }
  for (std::size_t k = 0; k < lanes; ++k) {
    const VectorXd q = lane_of(states, system_.nq, k);
    frames_[k]->choose(q);
    set_lane(k, MatrixXd::Map(frames_[k]->parameters().data(), system_.n, system_.n), R_);
    set_lane(k, frames_[k]->at(q).topRows(frames_[k]->free()), S_);
  }
  tapes_ = &frames_.front()->usual_tapes();
  take_pivots(states);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < free(); ++i) {
      Pack sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) sum += S_[i + j * free()] * velocities[k * n + j];
      states[k * stride + nq + i] = sum;
    }
}

namespace {

/// The part that both motions share.
class AdaptedLaneRate : public LaneRate {
 public:
  AdaptedLaneRate(std::shared_ptr<LaneFrames> frames, std::size_t fast_size, Index coordinates)
      : LaneRate(static_cast<std::size_t>(frames->system().nq) + frames->free(), fast_size),
        frames_(std::move(frames)),
        nq_(static_cast<std::size_t>(frames_->system().nq)),
        n_(static_cast<std::size_t>(frames_->system().n)),
        m_(frames_->rank()),
        joints_(static_cast<std::size_t>(frames_->system().np)),
        coordinates_(static_cast<std::size_t>(coordinates)) {}

  std::size_t outputs() const final { return coordinates_ + n_ + m_ + joints_; }
  bool moves() const final { return !frames_->natural(); }
  void move_variables(Pack* states, std::size_t count) final {
    frames_->choose(states, count, size(), fast > 0);
  }

 protected:
  /// P = −∂(u, w)'/∂μ at q, (free + r) × r by columns.
  void write_small_response(const Pack* state, Pack* P) const {
    frames_->tapes().response_packs()(P, packs(state, nq_), frames_->parameters());
  }

  std::shared_ptr<LaneFrames> frames_;
  std::size_t nq_, n_, m_, joints_, coordinates_;
};

class CompliantLanes final : public AdaptedLaneRate {
 public:
  CompliantLanes(const std::shared_ptr<LaneFrames>& frames, const LaneMembers& members,
                 double epsilon, Index coordinates)
      : AdaptedLaneRate(frames, frames->rank(), coordinates), response_((slow - nq_ + m_) * m_) {
    for (std::size_t k = 0; k < lanes; ++k) {
      const LawAt<double> law(members[k].law, epsilon);
      set_lane(k, law.stiffness, stiffness);
      set_lane(k, law.damping, damping);
      deflection_rate.set(k, law.deflection_rate());
      set_lane(k, members[k].eta0, eta0_);
    }
  }

  void rates(double t, const Pack* state, const Pack* lambda, Pack* rate) const override {
    const double time[] = {t};
    frames_->tapes().packs(AdaptedMotion::compliant)(
        rate, packs(state, slow + m_), packs(lambda, m_), time, frames_->parameters());
  }
  void response(const Pack* state, Pack* P) override {
    frames_->order_at(state);
    write_small_response(state, response_.data());
    const std::size_t small = slow - nq_ + m_, all = slow + m_;
    for (std::size_t j = 0; j < m_; ++j) {
      std::fill_n(P + j * all, nq_, Pack(0.0));
      std::copy_n(response_.data() + j * small, small, P + j * all + nq_);
    }
  }
  bool write_outputs(double, const Pack* y, Pack* outputs) override {
    std::copy_n(y, coordinates_, outputs);
    const bool valid = frames_->write_velocities(y, outputs + coordinates_);
    const Pack *const w = y + slow, *const eta = w + m_;
    for (std::size_t i = 0; i < m_; ++i) {
      Pack& force = outputs[coordinates_ + n_ + i];
      force = 0.0;
      for (std::size_t j = 0; j < m_; ++j)
        force += stiffness[i + j * m_] * eta[j] + damping[i + j * m_] * w[j];
    }
    for (std::size_t i = 0; i < joints_; ++i) {
      const std::size_t row = m_ - joints_ + i;
      outputs[coordinates_ + n_ + m_ + i] = (eta[row] - eta0_[row]) / deflection_rate;
    }
    return valid;
  }

 private:
  std::vector<Pack> response_, eta0_;
};

class RigidLanes final : public AdaptedLaneRate {
 public:
  RigidLanes(const std::shared_ptr<LaneFrames>& frames, Index coordinates)
      : AdaptedLaneRate(frames, 0, coordinates),
        state_(slow + m_),
        rate_(slow + m_),
        response_((slow - nq_ + m_) * m_),
        small_(m_ * m_),
        none_(m_) {}

  void rates(double t, const Pack* state, const Pack*, Pack* rate) const override {
    const double time[] = {t};
    frames_->tapes().packs(AdaptedMotion::rolling)(rate, packs(state, slow), time,
                                                   frames_->parameters());
  }
  void response(const Pack* state, Pack*) override {
    std::copy_n(state, slow, state_.begin());
    frames_->order_at(state_.data());
  }
  bool write_outputs(double t, const Pack* y, Pack* outputs) override {
    std::copy_n(y, coordinates_, outputs);
    std::copy_n(y, slow, state_.begin());
    const bool valid = frames_->write_velocities(state_.data(), outputs + coordinates_);
    // Λ holds w' = 0.
    const double time[] = {t};
    frames_->tapes().packs(AdaptedMotion::compliant)(rate_.data(), state_, none_, time,
                                                     frames_->parameters());
    write_small_response(y, response_.data());
    const std::size_t rows = slow - nq_ + m_;
    for (std::size_t j = 0; j < m_; ++j)
      for (std::size_t i = 0; i < m_; ++i)
        small_[i + j * m_] = response_[slow - nq_ + i + j * rows];
    Pack* const multiplier = outputs + coordinates_ + n_;
    std::copy_n(rate_.data() + slow, m_, multiplier);
    solve_in_lanes(small_, multiplier, m_);
    std::fill_n(multiplier + m_, joints_, Pack(0.0));
    return valid;
  }

 private:
  std::vector<Pack> state_, rate_, response_, small_, none_;
};

/// The starts (q, u, w) of the members in the frames.
std::vector<Pack> lane_starts(const LaneFrames& frames, const LaneMembers& members) {
  std::vector<Pack> y0(static_cast<std::size_t>(frames.system().nq));
  for (std::size_t k = 0; k < lanes; ++k) set_lane(k, members[k].start.q, y0);
  const std::vector<Pack> velocities = frames.adapted_starts();
  y0.insert(y0.end(), velocities.begin(), velocities.end());
  return y0;
}

}  // namespace

LaneProblem compliant_lanes(const std::shared_ptr<LaneFrames>& frames, const LaneMembers& members,
                            double epsilon, Index coordinates) {
  frames->reset();
  LaneProblem problem{
      .rate = std::make_unique<CompliantLanes>(frames, members, epsilon, coordinates),
      .y0 = lane_starts(*frames, members)};
  std::vector<Pack> eta0;
  for (std::size_t k = 0; k < lanes; ++k) set_lane(k, members[k].eta0, eta0);
  problem.y0.insert(problem.y0.end(), eta0.begin(), eta0.end());
  return problem;
}

LaneProblem rigid_lanes(const std::shared_ptr<LaneFrames>& frames, const LaneMembers& members,
                        Index coordinates) {
  frames->reset();
  LaneProblem problem{.rate = std::make_unique<RigidLanes>(frames, coordinates),
                      .y0 = lane_starts(*frames, members)};
  problem.y0.resize(problem.rate->size());
  return problem;
}

}  // namespace rigidlimit
