// The worker of the page: solves one pair at a time. The builder puts `models` and the modules before it.

import { compliantMotion, errorsOf, pairOf, rigidMotion } from "./contact.js";
import { systems } from "./systems.js";

const kept = { key: "", motion: null }; // ideal rolling does not depend on the contact

function rigidOf(model, key, start) {
  if (kept.key !== key) Object.assign(kept, { key, motion: rigidMotion(model, start) });
  return kept.motion;
}

/** Samples of the pair for the drawings: `frames` over the whole time, and the force in the layer over t/eps. */
function samples(pair, model, { epsilon, zeta, beta }, frames) {
  const copy = ({ y, lambda, rigid }, n) => ({
    q: Array.from(y.subarray(0, n)), rigid: Array.from(rigid.y.subarray(0, n)),
    lambda: Array.from(lambda), Lambda: Array.from(rigid.lambda),
  });
  const n = model.rigid.N / 2, times = Array.from({ length: frames + 1 }, (_, k) => model.end * k / frames);
  // Weak damping rings for a time of order 1/zeta.
  const last = 10 * Math.max(1, 0.5 / (zeta * epsilon ** (1 - beta)));
  const far = Math.min(last, 60, model.end / epsilon);
  const layer = Array.from({ length: 361 }, (_, k) => far * k / 360);
  return { times, motion: times.map((t) => copy(pair.sample(t), n)),
    layer: layer.map((tau) => ({ tau, ...copy(pair.sample(Math.min(tau * epsilon, model.end)), 0) })) };
}

function answer({ system, values, law, rtol, frames }) {
  const model = models[system], start = systems[system].start(values, model.parameters);
  const rigid = rigidOf(model, JSON.stringify([system, values]), start);
  const began = performance.now();
  const compliant = compliantMotion(model, start, law, rtol);
  const solved = performance.now() - began;
  if (!rigid.ok || !compliant.ok) return { start, failed: true };
  const pair = pairOf(model, rigid, compliant);
  return { start, errors: errorsOf(model, pair), steps: compliant.t.length - 1, milliseconds: solved,
    ...(frames ? samples(pair, model, law, frames) : {}) };
}

self.onmessage = ({ data }) => {
  let result;
  try {
    result = answer(data);
  } catch (error) {
    result = { failed: true, message: String(error) };
  }
  self.postMessage(result);
};
