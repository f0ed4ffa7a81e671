// The project's names for Eigen types.
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

/// The same with sizes known at run time.
template <class S>
using VectorX = Vector<S, Eigen::Dynamic>;
template <class S>
using MatrixX = Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Arguments of the type-erased callbacks: contiguous memory owned by the caller.
template <class T>
using VectorInOf = Eigen::Ref<const VectorX<T>>;
template <class T>
using VectorOutOf = Eigen::Ref<VectorX<T>>;
template <class T>
using MatrixOutOf = Eigen::Ref<MatrixX<T>>;
using VectorIn = VectorInOf<double>;
using VectorOut = VectorOutOf<double>;
using MatrixOut = MatrixOutOf<double>;

}  // namespace rigidlimit
