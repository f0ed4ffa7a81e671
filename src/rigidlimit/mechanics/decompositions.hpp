// Decompositions of small matrices of doubles whose instantiation takes a compiler ten seconds or
// more: kept in one translation unit.
#pragma once

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// An orthonormal basis of ker R, n × (n − r): R r × n of full rank r ≤ n. By Householder's QR of
/// Rᵀ, which never loses orthogonality; rows that depend on each other give some basis of a part.
MatrixXd kernel_basis(const MatrixXd& R);

/// The X of least squares of A X = B, A N × K with K ≤ N and full rank, B N × L. By QR with column
/// pivoting.
MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B);

/// The eigenvalues of X = Xᵀ (its lower triangle is read), increasing.
VectorXd symmetric_eigenvalues(const MatrixXd& X);

}  // namespace rigidlimit
