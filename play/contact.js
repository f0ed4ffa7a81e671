// The pair of problems: ideal rolling, and rolling on springs and dampers (docs/theory.md, section 1).
//
// A model is { rigid, compliant, end }: two files of `rigidlimit export-problem`, the compliant one with --free-law.
// All sizes follow from them: y = (q, v) of the rigid and (q, v, eta) of the compliant motion, q and v of equal length.
// The stiffness C is the unit matrix, as in the shipped studies.

import { factored, inverseRoot, solve } from "./dense.js";
import { radau } from "./radau.js";

export const sizes = (model) => ({ n: model.rigid.N / 2, m: model.compliant.N - model.rigid.N });

const zeros = (count) => new Array(count).fill(0);
const identity = (m) => Array.from({ length: m * m }, (_, i) => (i % (m + 1) === 0 ? 1 : 0));

/** p = (epsilon, beta, C, D) of the compliant equations with C = I. */
const law = (epsilon, beta, D, m) => [epsilon, beta, ...identity(m), ...D];

/** D = 2 zeta A^(-1/2), A = G M^-1 G' at the start: zeta times the critical damping. */
export function damping(model, start, zeta) {
  const { n, m } = sizes(model), N = model.compliant.N;
  const J = new Float64Array(N * N);
  // With eps = 1 and C = I: d(eta')/dv = G, dv'/d(eta) = -M^-1 G'.
  model.compliant.jacobian(model.compliant.t0, [...start, ...zeros(m)], J, law(1, 0, zeros(m * m), m));
  const A = identity(m);
  for (let i = 0; i < m; ++i) for (let k = 0; k < m; ++k) {
    A[i * m + k] = 0;
    for (let j = 0; j < n; ++j) A[i * m + k] -= J[(2 * n + i) * N + n + j] * J[(n + j) * N + 2 * n + k];
  }
  return inverseRoot(A, m).map((x) => 2 * zeta * x);
}

/** Lambda of ideal rolling at (t, y) with the rate f: v' is that of the undamped compliant body at eta = Lambda. */
function multiplier(model, t, y, f, J, g) {
  const { n, m } = sizes(model), N = model.compliant.N;
  const p = law(1, 0, zeros(m * m), m), state = [...y, ...zeros(m)];
  model.compliant.rhs(t, state, g, p);
  model.compliant.jacobian(t, state, J, p);
  // Least squares for the n equations (dv'/d eta) Lambda = v' - v'(eta = 0), which are consistent.
  const normal = new Float64Array(m * m), right = new Float64Array(m);
  for (let i = 0; i < m; ++i) for (let j = 0; j < n; ++j) {
    const row = (n + j) * N + 2 * n;
    right[i] -= J[row + i] * (f[n + j] - g[n + j]);
    for (let k = 0; k < m; ++k) normal[i * m + k] += J[row + i] * J[row + k];
  }
  solve(factored(normal, m, 0), right); // factors of -normal
  return right;
}

/** Ideal rolling from `start` = (q, v), with Lambda, at steps so short that cubics between them are exact to 1e-11. */
export function rigidMotion(model, start) {
  const { rigid, end } = model;
  const motion = radau(rigid, start, rigid.t0, end, { rtol: 1e-13, maxStep: end / 800 });
  const N = model.compliant.N, J = new Float64Array(N * N), g = new Float64Array(N);
  motion.lambda = motion.t.map((t, i) => multiplier(model, t, motion.y[i], motion.f[i], J, g));
  return motion;
}

/** The tolerance of a solve: errors of G v are magnified by eps^-beta in the force. */
const toleranceFor = (beta) => 10 ** (-10 - 2 * Math.max(0, beta - 1));

/** The compliant motion from the same start with unloaded springs. */
export function compliantMotion(model, start, { epsilon, zeta, beta }, rtol = toleranceFor(beta)) {
  const { m } = sizes(model), { N, rhs, jacobian, t0 } = model.compliant;
  const D = damping(model, start, zeta), p = law(epsilon, beta, D, m);
  const problem = { N, rhs: (t, y, f) => rhs(t, y, f, p), jacobian: (t, y, J) => jacobian(t, y, J, p) };
  const motion = radau(problem, [...start, ...zeros(m)], t0, model.end, { rtol });
  const rate = new Float64Array(N), scale = epsilon ** (2 - beta);
  /** lambda = C eta + D eps^-beta G v, with G v = eps^2 eta'. */
  motion.force = (t, y, f = problem.rhs(t, y, rate)) => {
    const eta = N - m, all = new Float64Array(m);
    for (let i = 0; i < m; ++i) {
      all[i] = y[eta + i];
      for (let k = 0; k < m; ++k) all[i] += D[i * m + k] * scale * f[eta + k];
    }
    return all;
  };
  return motion;
}

/** Index of the interval of increasing `times` that holds t, searched from `from`. */
function interval(times, t, from = 0) {
  let low = from < times.length && times[from] <= t ? from : 0, high = times.length - 1;
  if (low + 1 < high && t <= times[low + 1]) return low;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  return low;
}

/** The cubic with the values y and the slopes f at both ends of a step h, at the share s. */
function cubic(out, s, h, y0, f0, y1, f1) {
  const r = 1 - s, a = r * r * (1 + 2 * s), b = r * r * s * h, c = s * s * (3 - 2 * s), d = -s * s * r * h;
  for (let i = 0; i < out.length; ++i) out[i] = a * y0[i] + b * f0[i] + c * y1[i] + d * f1[i];
  return out;
}

/** (q, v), its rate and Lambda of the rigid motion at any time. */
class RigidAt {
  constructor(model, motion) {
    Object.assign(this, { model, motion, last: 0 });
    const { n, m } = sizes(model);
    this.y = new Float64Array(2 * n);
    this.f = new Float64Array(2 * n);
    this.lambda = new Float64Array(m);
  }
  at(t) {
    const { t: times, y, f, lambda } = this.motion;
    const k = this.last = interval(times, t, this.last), h = times[k + 1] - times[k], s = (t - times[k]) / h;
    cubic(this.y, s, h, y[k], f[k], y[k + 1], f[k + 1]);
    this.model.rigid.rhs(t, this.y, this.f);
    // A cubic through four neighbours.
    const first = Math.min(Math.max(k - 1, 0), times.length - 4);
    this.lambda.fill(0);
    for (let i = first; i < first + 4; ++i) {
      let weight = 1;
      for (let j = first; j < first + 4; ++j) if (j !== i) weight *= (t - times[j]) / (times[i] - times[j]);
      for (let j = 0; j < this.lambda.length; ++j) this.lambda[j] += weight * lambda[i][j];
    }
    return this;
  }
}

/**
 * The pair at the end of each step of the compliant motion: the difference e = (q, v) - (q, v) of ideal rolling and its
 * rate. A cubic of e is accurate relative to e, one of the motion itself only relative to the motion.
 */
export function pairOf(model, rigid, compliant) {
  const at = new RigidAt(model, rigid), size = model.rigid.N;
  const e = [], de = [];
  compliant.t.forEach((t, k) => {
    const { y, f } = at.at(t);
    e.push(Float64Array.from(y, (x, i) => compliant.y[k][i] - x));
    de.push(Float64Array.from(f, (x, i) => compliant.f[k][i] - x));
  });
  const { m } = sizes(model), eta = new Float64Array(m), state = new Float64Array(size + m);
  const difference = new Float64Array(size);
  let last = 0;
  /** { e, y, lambda, rigid } at any time; arrays are reused by the next call. */
  const sample = (t) => {
    const times = compliant.t, k = last = interval(times, t, last), h = times[k + 1] - times[k], s = (t - times[k]) / h;
    cubic(difference, s, h, e[k], de[k], e[k + 1], de[k + 1]);
    const tail = (x) => x.subarray(size);
    cubic(eta, s, h, tail(compliant.y[k]), tail(compliant.f[k]), tail(compliant.y[k + 1]), tail(compliant.f[k + 1]));
    const there = at.at(t);
    for (let i = 0; i < size; ++i) state[i] = there.y[i] + difference[i];
    state.set(eta, size);
    return { e: difference, y: state, lambda: compliant.force(t, state), rigid: there };
  };
  return { t: compliant.t, sample };
}

/** The largest absolute value of x[from] ... x[to - 1]. */
const largest = (x, from, to) => {
  let most = 0;
  for (let i = from; i < to; ++i) most = Math.max(most, Math.abs(x[i]));
  return most;
};

/**
 * The largest component of q - q^, v - v^ and lambda - Lambda, and the root mean square of |lambda - Lambda|, over the
 * steps and `parts` - 1 times inside each.
 */
export function errorsOf(model, pair, parts = 8) {
  const { n, m } = sizes(model), most = { q: 0, v: 0, lambda: 0 }, gap = new Float64Array(m);
  let integral = 0, last = null;
  const note = (t) => {
    const { e, lambda, rigid } = pair.sample(t);
    let square = 0;
    for (let i = 0; i < m; ++i) {
      gap[i] = lambda[i] - rigid.lambda[i];
      square += gap[i] ** 2;
    }
    most.q = Math.max(most.q, largest(e, 0, n));
    most.v = Math.max(most.v, largest(e, n, 2 * n));
    most.lambda = Math.max(most.lambda, largest(gap, 0, m));
    if (last) integral += (t - last.t) * (square + last.square) / 2;
    last = { t, square };
  };
  for (let k = 0; k + 1 < pair.t.length; ++k)
    for (let i = 0; i < parts; ++i) note(pair.t[k] + (pair.t[k + 1] - pair.t[k]) * i / parts);
  note(pair.t.at(-1));
  return { ...most, mean: Math.sqrt(integral / (pair.t.at(-1) - pair.t[0])) };
}
