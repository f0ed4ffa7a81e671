// The names under which the whole project uses Eigen.
#pragma once

#include <Eigen/Dense>

namespace rigidlimit {

using Index = Eigen::Index;

/// Column vector of `Rows` entries (compile-time size, or Eigen::Dynamic).
template <class S, int Rows>
using Vector = Eigen::Matrix<S, Rows, 1>;

/// Matrix of `Rows` × `Cols` entries (compile-time sizes, or Eigen::Dynamic).
template <class S, int Rows, int Cols>
using Matrix = Eigen::Matrix<S, Rows, Cols>;

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Arguments of the type-erased callbacks: contiguous memory that somebody else owns.
template <class T>
using VectorInOf = Eigen::Ref<const Vector<T, Eigen::Dynamic>>;
template <class T>
using VectorOutOf = Eigen::Ref<Vector<T, Eigen::Dynamic>>;
using VectorIn = VectorInOf<double>;
using VectorOut = VectorOutOf<double>;
using MatrixOut = Eigen::Ref<MatrixXd>;

}  // namespace rigidlimit
