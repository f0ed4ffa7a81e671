// Radau IIA with three stages (order 5), adaptive steps, simplified Newton iterations with the exact Jacobian.
// Method and step control: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.

import { factored, factoredComplex, solve, solveComplex } from "./dense.js";

// The stage increments z_i = Y_i - y0 satisfy A^-1 Z = h F. With A^-1 T = T L, L = diag(real, [[a, b], [-b, a]]),
// the Newton matrix splits into a real and a complex one. All constants follow from the nodes.
const root6 = Math.sqrt(6);
const nodes = [(4 - root6) / 10, (4 + root6) / 10, 1];
const inverse = inverseOfCoefficients();
const real = 3 + Math.cbrt(9) - Math.cbrt(3); // of x^3 - 9 x^2 + 36 x - 60, the polynomial of A^-1
const a = (9 - real) / 2, b = Math.sqrt(60 / real - a * a);
const [T, Tinverse] = eigenvectors();
const errorWeights = weightsOfError();

/** Values at x of the Lagrange polynomials of `points`. */
function lagrange(points, x) {
  return points.map((p, i) => points.reduce((product, r, k) => (k === i ? product : product * (x - r) / (p - r)), 1));
}

function inverse3(M) {
  const [[p, q, r], [s, t, u], [v, w, x]] = M;
  const det = p * (t * x - u * w) - q * (s * x - u * v) + r * (s * w - t * v);
  return [[t * x - u * w, r * w - q * x, q * u - r * t], [u * v - s * x, p * x - r * v, r * s - p * u],
    [s * w - t * v, q * v - p * w, p * t - q * s]].map((row) => row.map((value) => value / det));
}

/** A^-1: derivatives at the nodes of the polynomials through 0 and the nodes that vanish at 0. */
function inverseOfCoefficients() {
  const powers = nodes.map((c) => [c, c * c, c * c * c]);
  const slopes = nodes.map((c) => [1, 2 * c, 3 * c * c]);
  const back = inverse3(powers);
  return slopes.map((row) => [0, 1, 2].map((k) => row.reduce((sum, x, i) => sum + x * back[i][k], 0)));
}

/** T and its inverse: a kernel vector of A^-1 - real, and real and imaginary part of one of A^-1 - (a + i b). */
function eigenvectors() {
  const kernel = (re, im) => { // (1, y): two rows of the complex system for y
    const rows = [0, 1].map((i) => [inverse[i][1] - (i === 1 ? re : 0), i === 1 ? -im : 0, inverse[i][2],
      -(inverse[i][0] - (i === 0 ? re : 0)), i === 0 ? im : 0]);
    const [[p, pi, q, r, ri], [s, si, t, u, ui]] = rows;
    // Cramer's rule for [p q; s t] y = (r, u), p, s, r and u complex.
    const det = [p * t - q * s, pi * t - q * si], size = det[0] ** 2 + det[1] ** 2;
    const over = (x, xi) => [(x * det[0] + xi * det[1]) / size, (xi * det[0] - x * det[1]) / size];
    const first = over(r * t - q * u, ri * t - q * ui);
    const second = over(p * u - pi * ui - s * r + si * ri, p * ui + pi * u - s * ri - si * r);
    return [[1, 0], first, second];
  };
  const x = kernel(real, 0), u = kernel(a, b);
  const matrix = [0, 1, 2].map((i) => [x[i][0], u[i][0], u[i][1]]);
  return [matrix, inverse3(matrix)];
}

/** y1 minus an embedded formula of order 3 with weight 1/real at t0 is h f(t0, y0)/real + sum_i e_i z_i. */
function weightsOfError() {
  const d = lagrange(nodes, 0).map((x) => -x / real);
  return [0, 1, 2].map((k) => d.reduce((sum, x, i) => sum + x * inverse[i][k], 0));
}

/**
 * Solves y' = f(t, y) from (t0, y0) to t1.
 *
 * `problem`: { N, rhs(t, y, f), jacobian(t, y, J) }, J row by row. Options: rtol, atol, maxStep, maxSteps.
 * Returns { t, y, f, ok, steps }: arrays of the accepted points, of the states and of the rates there. A cubic through
 * two points and their rates is a dense output.
 */
export function radau(problem, y0, t0, t1, { rtol = 1e-8, atol = rtol, maxStep = Infinity, maxSteps = 20000 } = {}) {
  const n = problem.N;
  const vector = () => new Float64Array(n), three = () => [vector(), vector(), vector()];
  const J = new Float64Array(n * n), right = vector(), again = vector(), error = vector();
  const Y = vector(), scale = vector();
  let Z = three(), old = three();
  const W = three(), F = three();
  let t = t0, y = Float64Array.from(y0), f = problem.rhs(t, y, new Float64Array(n));
  const times = [t], states = [y], rates = [f];
  const setScale = () => { for (let i = 0; i < n; ++i) scale[i] = atol + rtol * Math.abs(y[i]); };
  const norm = (x) => {
    let sum = 0;
    for (let i = 0; i < n; ++i) sum += (x[i] / scale[i]) ** 2;
    return Math.sqrt(sum / n);
  };
  setScale();
  let h = Math.min(maxStep, t1 - t0, 1e-3 * rtol ** 0.2 * Math.max(1e-6, 1 / Math.max(norm(f) * rtol, 1)));
  let oldStep = 0, oldError = 0, rejected = false, fresh = false, count = 0;

  /** Newton's iterations for Z; the last rate of convergence, or NaN if they fail. */
  function stages(realFactors, complexFactors) {
    for (let i = 0; i < 3; ++i) for (let k = 0; k < n; ++k)
      W[i][k] = Tinverse[i][0] * Z[0][k] + Tinverse[i][1] * Z[1][k] + Tinverse[i][2] * Z[2][k];
    let last = 0, theta = 0;
    for (let iteration = 0; iteration < 10; ++iteration) {
      for (let i = 0; i < 3; ++i) {
        for (let k = 0; k < n; ++k) Y[k] = y[k] + Z[i][k];
        problem.rhs(t + nodes[i] * h, Y, F[i]);
      }
      let size = 0;
      const g = real / h, ga = a / h, gb = b / h;
      for (let k = 0; k < n; ++k) {
        const [f0, f1, f2] = [F[0][k], F[1][k], F[2][k]];
        right[k] = Tinverse[0][0] * f0 + Tinverse[0][1] * f1 + Tinverse[0][2] * f2 - g * W[0][k];
        F[0][k] = Tinverse[1][0] * f0 + Tinverse[1][1] * f1 + Tinverse[1][2] * f2 - ga * W[1][k] - gb * W[2][k];
        // The complex unknown is W[1] - i W[2].
        F[1][k] = -(Tinverse[2][0] * f0 + Tinverse[2][1] * f1 + Tinverse[2][2] * f2 + gb * W[1][k] - ga * W[2][k]);
      }
      solve(realFactors, right);
      solveComplex(complexFactors, F[0], F[1]);
      for (let k = 0; k < n; ++k) {
        W[0][k] += right[k];
        W[1][k] += F[0][k];
        W[2][k] -= F[1][k];
        for (let i = 0; i < 3; ++i) {
          const z = T[i][0] * W[0][k] + T[i][1] * W[1][k] + T[i][2] * W[2][k];
          size += ((z - Z[i][k]) / scale[k]) ** 2;
          Z[i][k] = z;
        }
      }
      size = Math.sqrt(size / (3 * n));
      if (!Number.isFinite(size)) return NaN;
      if (iteration > 0) {
        theta = size / last;
        if (theta >= 1) return size < 1e-3 ? 0.1 : NaN; // the rounding is reached
        if (size * theta / (1 - theta) < 1e-3) return theta;
      }
      if (size < 1e-5) return theta;
      last = size;
    }
    return NaN;
  }

  while (t < t1 && count < maxSteps) {
    ++count;
    if (t + 1.0001 * h >= t1) h = t1 - t;
    if (!(h > 1e-14 * Math.max(1, Math.abs(t)))) break;
    if (!fresh) problem.jacobian(t, y, J);
    fresh = true;
    const realFactors = factored(J, n, real / h), complexFactors = factoredComplex(J, n, a / h, b / h);
    for (let i = 0; i < 3; ++i) {
      if (oldStep === 0) { Z[i].fill(0); continue; }
      // The polynomial of the last step, continued.
      const x = lagrange([0, ...nodes], 1 + nodes[i] * h / oldStep);
      for (let k = 0; k < n; ++k) Z[i][k] = x[1] * old[0][k] + x[2] * old[1][k] + (x[3] - 1) * old[2][k];
    }
    const theta = stages(realFactors, complexFactors);
    if (Number.isNaN(theta)) {
      h /= 4;
      rejected = true;
      oldStep = 0;
      continue;
    }
    const estimate = (rate) => {
      const [e0, e1, e2] = errorWeights;
      for (let k = 0; k < n; ++k) error[k] = rate[k] + real / h * (e0 * Z[0][k] + e1 * Z[1][k] + e2 * Z[2][k]);
      solve(realFactors, error);
      return Math.max(norm(error), 1e-10);
    };
    let size = estimate(f);
    if (size >= 1 && (rejected || oldStep === 0)) { // damps the stiff parts of the estimate once more
      for (let k = 0; k < n; ++k) Y[k] = y[k] + error[k];
      size = estimate(problem.rhs(t, Y, again));
    }
    let factor = Math.min(8, Math.max(0.2, 0.9 * size ** -0.25));
    if (size < 1) {
      if (oldError > 0 && !rejected)
        factor = Math.min(factor, Math.max(0.2, 0.9 * (oldError / size) ** 0.25 * size ** -0.25 * h / oldStep));
      if (rejected) factor = Math.min(factor, 1);
      t = t + h >= t1 ? t1 : t + h;
      const next = new Float64Array(n);
      for (let k = 0; k < n; ++k) next[k] = y[k] + Z[2][k];
      y = next;
      f = problem.rhs(t, y, new Float64Array(n));
      times.push(t);
      states.push(y);
      rates.push(f);
      [Z, old] = [old, Z];
      oldStep = h;
      oldError = Math.max(size, 1e-2);
      rejected = fresh = false;
      setScale();
    } else {
      rejected = true;
    }
    h = Math.min(maxStep, h * factor);
  }
  return { t: times, y: states, f: rates, ok: t >= t1, steps: count };
}
