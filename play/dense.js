// Small dense linear algebra: LU factors of s I - J, real and complex, and the square root of a 2 x 2 matrix.

/** Factors of s I - J with row exchanges; J is n x n, row by row. */
export function factored(J, n, s) {
  const A = new Float64Array(n * n), pivots = new Int32Array(n);
  for (let i = 0; i < n * n; ++i) A[i] = -J[i];
  for (let i = 0; i < n; ++i) A[i * n + i] += s;
  for (let k = 0; k < n; ++k) {
    let p = k;
    for (let i = k + 1; i < n; ++i) if (Math.abs(A[i * n + k]) > Math.abs(A[p * n + k])) p = i;
    pivots[k] = p;
    if (p !== k) for (let j = 0; j < n; ++j) [A[k * n + j], A[p * n + j]] = [A[p * n + j], A[k * n + j]];
    const inverse = 1 / A[k * n + k];
    for (let i = k + 1; i < n; ++i) {
      const x = A[i * n + k] * inverse;
      A[i * n + k] = x;
      if (x !== 0) for (let j = k + 1; j < n; ++j) A[i * n + j] -= x * A[k * n + j];
    }
  }
  return { A, pivots, n };
}

/** x <- (s I - J)^-1 x. */
export function solve({ A, pivots, n }, x) {
  for (let k = 0; k < n; ++k) if (pivots[k] !== k) [x[k], x[pivots[k]]] = [x[pivots[k]], x[k]];
  for (let i = 1; i < n; ++i) for (let j = 0; j < i; ++j) x[i] -= A[i * n + j] * x[j];
  for (let i = n - 1; i >= 0; --i) {
    for (let j = i + 1; j < n; ++j) x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
}

/** Factors of (s + i w) I - J. */
export function factoredComplex(J, n, s, w) {
  const A = new Float64Array(n * n), B = new Float64Array(n * n), pivots = new Int32Array(n);
  for (let i = 0; i < n * n; ++i) A[i] = -J[i];
  for (let i = 0; i < n; ++i) {
    A[i * n + i] += s;
    B[i * n + i] = w;
  }
  for (let k = 0; k < n; ++k) {
    let p = k, most = -1;
    for (let i = k; i < n; ++i) {
      const size = Math.abs(A[i * n + k]) + Math.abs(B[i * n + k]);
      if (size > most) [p, most] = [i, size];
    }
    pivots[k] = p;
    if (p !== k)
      for (let j = 0; j < n; ++j) {
        [A[k * n + j], A[p * n + j]] = [A[p * n + j], A[k * n + j]];
        [B[k * n + j], B[p * n + j]] = [B[p * n + j], B[k * n + j]];
      }
    const c = A[k * n + k], d = B[k * n + k], size = c * c + d * d;
    for (let i = k + 1; i < n; ++i) {
      const e = A[i * n + k], g = B[i * n + k];
      if (e === 0 && g === 0) continue;
      const x = (e * c + g * d) / size, y = (g * c - e * d) / size;
      A[i * n + k] = x;
      B[i * n + k] = y;
      for (let j = k + 1; j < n; ++j) {
        A[i * n + j] -= x * A[k * n + j] - y * B[k * n + j];
        B[i * n + j] -= x * B[k * n + j] + y * A[k * n + j];
      }
    }
  }
  return { A, B, pivots, n };
}

/** x + i y <- ((s + i w) I - J)^-1 (x + i y). */
export function solveComplex({ A, B, pivots, n }, x, y) {
  for (let k = 0; k < n; ++k)
    if (pivots[k] !== k) {
      [x[k], x[pivots[k]]] = [x[pivots[k]], x[k]];
      [y[k], y[pivots[k]]] = [y[pivots[k]], y[k]];
    }
  for (let i = 1; i < n; ++i) for (let j = 0; j < i; ++j) {
    x[i] -= A[i * n + j] * x[j] - B[i * n + j] * y[j];
    y[i] -= A[i * n + j] * y[j] + B[i * n + j] * x[j];
  }
  for (let i = n - 1; i >= 0; --i) {
    for (let j = i + 1; j < n; ++j) {
      x[i] -= A[i * n + j] * x[j] - B[i * n + j] * y[j];
      y[i] -= A[i * n + j] * y[j] + B[i * n + j] * x[j];
    }
    const c = A[i * n + i], d = B[i * n + i], size = c * c + d * d;
    [x[i], y[i]] = [(x[i] * c + y[i] * d) / size, (y[i] * c - x[i] * d) / size];
  }
}

/** A^(-1/2) of a symmetric positive definite m x m matrix, m = 1 or 2, row by row. */
export function inverseRoot(A, m) {
  if (m === 1) return [1 / Math.sqrt(A[0])];
  const det = Math.sqrt(A[0] * A[3] - A[1] * A[2]), trace = Math.sqrt(A[0] + A[3] + 2 * det);
  // A^(1/2) = (A + sqrt(det A) I)/trace has the determinant `det`.
  const [p, q, r, s] = [(A[0] + det) / trace, A[1] / trace, A[2] / trace, (A[3] + det) / trace];
  return [s / det, -q / det, -r / det, p / det];
}
