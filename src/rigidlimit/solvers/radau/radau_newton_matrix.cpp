#include "rigidlimit/solvers/radau/radau_newton_matrix.hpp"

#include <algorithm>
#include <array>
#include <complex>

namespace rigidlimit {
namespace {

constexpr Index lanes = Pack::lanes;
constexpr Index modes_in_group = lanes / 2;

}  // namespace

StageMatrix stage_block(const MatrixXd& X, Index row, Index column) {
  MatrixXd block = MatrixXd::Zero(lanes, lanes);
  const Index rows = std::min(lanes, X.rows() - row), columns = std::min(lanes, X.cols() - column);
  block.topLeftCorner(rows, columns) = X.block(row, column, rows, columns);
  return StageMatrix(block);
}

void load_stages(const MatrixXd& columns, std::vector<Pack>& rows) {
  const Index n = columns.rows(), s = columns.cols();
  rows.resize(static_cast<std::size_t>((s + lanes - 1) / lanes * n));
  std::array<double, lanes> row{};
  std::size_t next = 0;
  for (Index first = 0; first < s; first += lanes) {
    const Index count = std::min(lanes, s - first);
    row.fill(0.0);
    for (Index i = 0; i < n; ++i) {
      const double* const x = columns.data() + first * n + i;
      for (Index k = 0; k < count; ++k) row[static_cast<std::size_t>(k)] = x[k * n];
      rows[next++] = Pack::load(row.data());
    }
  }
}

void store_stages(const std::vector<Pack>& rows, MatrixXd& columns) {
  const Index n = columns.rows(), s = columns.cols();
  std::array<double, lanes> row;
  std::size_t next = 0;
  for (Index first = 0; first < s; first += lanes) {
    const Index count = std::min(lanes, s - first);
    for (Index i = 0; i < n; ++i) {
      rows[next++].store(row.data());
      double* const x = columns.data() + first * n + i;
      for (Index k = 0; k < count; ++k) x[k * n] = row[static_cast<std::size_t>(k)];
    }
  }
}

RadauNewtonMatrix::RadauNewtonMatrix(Index n, const MatrixXd* mass)
    : n_(static_cast<std::size_t>(n)), kernels_(stage_kernels()), room_(n_) {
  if (mass != nullptr)
    mass_ = *mass;
  else
    mass_.setIdentity(n, n);
}

void RadauNewtonMatrix::take_transform(const RadauTransform& transform) {
  transform_ = &transform;
  const Index s = transform.to_modes.rows(), pairs = s / 2;
  const auto groups = static_cast<std::size_t>(pairs / modes_in_group + 1);
  const auto parts = static_cast<std::size_t>((s + lanes - 1) / lanes);
  groups_.resize(groups);
  MatrixXd to = MatrixXd::Zero(lanes * static_cast<Index>(groups), s);
  MatrixXd from = to.transpose();
  std::vector<std::array<double, lanes>> lambda(groups);
  for (Index mode = 0; mode < modes_in_group * static_cast<Index>(groups); ++mode) {
    const bool is_pair = mode > 0 && mode <= pairs;
    const std::complex<double> value =
        is_pair ? transform.lambda[static_cast<std::size_t>(mode - 1)] : transform.gamma;
    const Index re = mode / modes_in_group * lanes + mode % modes_in_group;
    const Index im = re + modes_in_group;
    lambda[static_cast<std::size_t>(re / lanes)][static_cast<std::size_t>(re % lanes)] =
        value.real();
    lambda[static_cast<std::size_t>(im / lanes)][static_cast<std::size_t>(im % lanes)] =
        value.imag();
    if (is_pair) {
      const Index row = 2 * (mode - 1) + (transform.has_real ? 1 : 0);
      const auto a = transform.to_modes.row(row), b = transform.to_modes.row(row + 1);
      to.row(re) = value.imag() * b - value.real() * a;
      to.row(im) = -value.imag() * a - value.real() * b;
      from.col(re) = transform.from_modes.col(row);
      from.col(im) = transform.from_modes.col(row + 1);
    } else if (mode == 0 && transform.has_real) {
      to.row(re) = -value.real() * transform.to_modes.row(0);
      from.col(re) = transform.from_modes.col(0);
    }
  }
  for (std::size_t g = 0; g < groups; ++g) {
    Group& group = groups_[g];
    group.lambda = Pack::load(lambda[g].data());
    group.factors.resize(n_ * n_);
    group.order.resize(n_);
    group.modes.resize(n_);
    group.to_modes.clear();
    group.from_modes.clear();
    for (std::size_t p = 0; p < parts; ++p) {
      const Index row = lanes * static_cast<Index>(g), column = lanes * static_cast<Index>(p);
      group.to_modes.push_back(stage_block(to, row, column));
      group.from_modes.push_back(stage_block(from, column, row));
    }
  }
}

bool RadauNewtonMatrix::factorise(const RadauTransform& transform, double h) {
  if (transform_ != &transform) take_transform(transform);
  h_ = h;
  const std::array<double, lanes> real_lanes{1, 1, 1, 1, 0, 0, 0, 0};
  const Pack real = Pack::load(real_lanes.data());
  for (Group& group : groups_) {
    const Pack shift = group.lambda / Pack(h);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) {
        const auto row = static_cast<Index>(i), column = static_cast<Index>(j);
        Pack& x = group.factors[i * n_ + j];
        x = Pack(-J_(row, column)) * real;
        if (mass_(row, column) != 0.0) x += Pack(mass_(row, column)) * shift;
      }
    if (!kernels_.factorise(group.factors.data(), n_, group.order.data())) return false;
  }
  return true;
}

void RadauNewtonMatrix::correct(MatrixXd& residual) {
  load_stages(residual, stages_);
  correct(stages_);
  store_stages(stages_, residual);
}

void RadauNewtonMatrix::correct(std::vector<Pack>& residual) {
  const Index s = transform_->to_modes.rows();
  solves_ += (s + 1) / 2;  // one real system if s is odd, and the pairs
  const std::size_t parts = residual.size() / n_;
  const Pack inverse_h(1.0 / h_);
  for (Pack& x : residual) x *= inverse_h;
  for (Group& group : groups_) {
    kernels_.multiply(group.to_modes[0], residual.data(), group.modes.data(), n_);
    for (std::size_t p = 1; p < parts; ++p) {
      kernels_.multiply(group.to_modes[p], residual.data() + p * n_, room_.data(), n_);
      for (std::size_t i = 0; i < n_; ++i) group.modes[i] += room_[i];
    }
    kernels_.solve(group.factors.data(), n_, group.order.data(), group.modes.data());
  }
  for (std::size_t p = 0; p < parts; ++p) {
    Pack* const stages = residual.data() + p * n_;
    kernels_.multiply(groups_[0].from_modes[p], groups_[0].modes.data(), stages, n_);
    for (std::size_t g = 1; g < groups_.size(); ++g) {
      kernels_.multiply(groups_[g].from_modes[p], groups_[g].modes.data(), room_.data(), n_);
      for (std::size_t i = 0; i < n_; ++i) stages[i] += room_[i];
    }
  }
}

void RadauNewtonMatrix::filter(VectorXd& x) const {
  ++solves_;
  for (std::size_t i = 0; i < n_; ++i) {
    const double value = x(static_cast<Index>(i));
    const std::array<double, lanes> row{value, value, value, value};
    room_[i] = Pack::load(row.data());
  }
  kernels_.solve(groups_[0].factors.data(), n_, groups_[0].order.data(), room_.data());
  for (std::size_t i = 0; i < n_; ++i) x(static_cast<Index>(i)) = room_[i][0];
}

}  // namespace rigidlimit
