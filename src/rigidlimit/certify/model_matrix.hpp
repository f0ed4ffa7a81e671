// Small matrices of Taylor models.
#pragma once

#include <vector>

#include "rigidlimit/certify/taylor_model.hpp"

namespace rigidlimit {

/// A matrix of functions of time on one domain.
class ModelMatrix {
 public:
  ModelMatrix(Index rows, Index columns)
      : rows_(rows), columns_(columns), entries_(static_cast<std::size_t>(rows * columns)) {}
  /// Σ_k X_k s^k.
  static ModelMatrix polynomial(const TaylorModel::Domain& domain,
                                const std::vector<MatrixXd>& coefficients);

  Index rows() const { return rows_; }
  Index cols() const { return columns_; }
  TaylorModel& operator()(Index i, Index j) { return entries_[at(i, j)]; }
  const TaylorModel& operator()(Index i, Index j) const { return entries_[at(i, j)]; }

  ModelMatrix block(Index row, Index column, Index rows, Index columns) const;
  /// Midpoints of the coefficients of s^k.
  MatrixXd coefficient(Index k) const;
  ModelMatrix slope() const;  ///< the derivative of a polynomial
  BallMatrix range() const;
  BallMatrix at(const Ball& s) const;

  friend ModelMatrix operator+(const ModelMatrix& a, const ModelMatrix& b);
  friend ModelMatrix operator-(const ModelMatrix& a, const ModelMatrix& b);
  friend ModelMatrix operator*(const ModelMatrix& a, const ModelMatrix& b);
  friend ModelMatrix operator*(const TaylorModel& a, const ModelMatrix& b);
  friend ModelMatrix joined_columns(const ModelMatrix& a, const ModelMatrix& b);  ///< [a b]

 private:
  std::size_t at(Index i, Index j) const { return static_cast<std::size_t>(i + rows_ * j); }

  Index rows_, columns_;
  std::vector<TaylorModel> entries_;
};

}  // namespace rigidlimit
