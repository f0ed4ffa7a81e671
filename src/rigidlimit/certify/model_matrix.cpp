#include "rigidlimit/certify/model_matrix.hpp"

namespace rigidlimit {
namespace {

/// f(i, j) for all entries.
template <class Matrix, class Function>
Matrix filled(Index rows, Index columns, const Function& f) {
  Matrix result(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) result(i, j) = f(i, j);
  return result;
}

}  // namespace

ModelMatrix ModelMatrix::polynomial(const TaylorModel::Domain& domain,
                                    const std::vector<MatrixXd>& coefficients) {
  const MatrixXd& first = coefficients.front();
  return filled<ModelMatrix>(first.rows(), first.cols(), [&](Index i, Index j) {
    BallVector entries(std::ssize(coefficients));
    for (Index k = 0; k < entries.size(); ++k)
      entries(k) = Ball(coefficients[static_cast<std::size_t>(k)](i, j));
    return TaylorModel::polynomial(domain, entries);
  });
}

ModelMatrix ModelMatrix::block(Index row, Index column, Index rows, Index columns) const {
  return filled<ModelMatrix>(rows, columns,
                             [&](Index i, Index j) { return (*this)(row + i, column + j); });
}

MatrixXd ModelMatrix::coefficient(Index k) const {
  return filled<MatrixXd>(rows_, columns_,
                          [&](Index i, Index j) { return (*this)(i, j).coefficient(k).middle(); });
}

ModelMatrix ModelMatrix::slope() const {
  return filled<ModelMatrix>(rows_, columns_,
                             [&](Index i, Index j) { return (*this)(i, j).slope(); });
}

BallMatrix ModelMatrix::range() const {
  return filled<BallMatrix>(rows_, columns_,
                            [&](Index i, Index j) { return (*this)(i, j).range(); });
}

BallMatrix ModelMatrix::at(const Ball& s) const {
  return filled<BallMatrix>(rows_, columns_, [&](Index i, Index j) { return (*this)(i, j).at(s); });
}

ModelMatrix operator+(const ModelMatrix& a, const ModelMatrix& b) {
  return filled<ModelMatrix>(a.rows(), a.cols(),
                             [&](Index i, Index j) { return a(i, j) + b(i, j); });
}

ModelMatrix operator-(const ModelMatrix& a, const ModelMatrix& b) {
  return filled<ModelMatrix>(a.rows(), a.cols(),
                             [&](Index i, Index j) { return a(i, j) - b(i, j); });
}

ModelMatrix operator*(const ModelMatrix& a, const ModelMatrix& b) {
  return filled<ModelMatrix>(a.rows(), b.cols(), [&](Index i, Index j) {
    TaylorModel sum;
    for (Index k = 0; k < a.cols(); ++k)
      if (!a(i, k).is_zero() && !b(k, j).is_zero()) sum += a(i, k) * b(k, j);
    return sum;
  });
}

ModelMatrix operator*(const TaylorModel& a, const ModelMatrix& b) {
  return filled<ModelMatrix>(b.rows(), b.cols(), [&](Index i, Index j) { return a * b(i, j); });
}

ModelMatrix joined_columns(const ModelMatrix& a, const ModelMatrix& b) {
  return filled<ModelMatrix>(a.rows(), a.cols() + b.cols(), [&](Index i, Index j) {
    return j < a.cols() ? a(i, j) : b(i, j - a.cols());
  });
}

}  // namespace rigidlimit
