// The state of the page, its controls, and the requests to the worker.

import { powerOfTen, drawErrors, drawLayer, fittedOrder, series } from "./plot.js";
import { systems } from "./systems.js";
import { Scene, View } from "./view.js";

const byId = (id) => document.getElementById(id);
const FRAMES = 300, RANGE = [1e-4, 1e-1]; // of eps
const LADDER = Array.from({ length: 9 }, (_, i) => 10 ** (-1 - 3 * i / 8));
const state = { system: Object.keys(systems)[0], values: [], law: {}, overlaid: false, playing: false,
  time: 0, pair: null, scene: null, found: [] };

// ------------------------------------------------------------------------------------------------------- the worker

const worker = new Worker(URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" })));
let asked = 0, busy = null;
const waiting = []; // of window.rigidlimit, served before those of the page

/** One request at a time: what a moved slider makes obsolete is never sent. */
function next() {
  if (busy) return;
  const request = waiting.shift() ?? wanted();
  if (!request) return byId("busy").classList.remove("on");
  busy = { id: ++asked, ...request };
  if (request.take !== receivePair) byId("busy").classList.add("on");
  worker.postMessage({ id: busy.id, system: request.system, values: request.values, law: request.law, rtol: request.rtol, frames: request.frames });
}

worker.onmessage = ({ data }) => {
  const { take } = busy, request = busy;
  busy = null;
  take(data, request);
  next();
};

const keyOf = ({ system, values, law }, epsilon) => JSON.stringify([system, values, epsilon, law.zeta, law.beta]);
let shownKey = "", ladderKey = "";

/** What the page lacks: first the pair, then the errors at the other eps. */
function wanted() {
  const { system, law } = state, values = [...state.values];
  if (keyOf(state, law.epsilon) !== shownKey)
    return { system, values, law: { ...law }, frames: FRAMES, take: receivePair, key: keyOf(state, law.epsilon) };
  if (keyOf(state, 0) !== ladderKey) {
    ladderKey = keyOf(state, 0);
    state.found = [];
  }
  const missing = LADDER.find((epsilon) => !state.found.some((one) => one.epsilon === epsilon));
  if (missing === undefined) return null;
  return { system, values, law: { ...law, epsilon: missing }, take: receiveErrors, key: ladderKey };
}

function receivePair(answer, request) {
  shownKey = request.key;
  state.pair = answer.failed ? null : { ...answer, system: request.system, epsilon: request.law.epsilon };
  byId("failed").hidden = !answer.failed;
  document.querySelector("main").dataset.shown = request.system;
  if (state.pair) {
    state.scene = new Scene(request.system, models[request.system].parameters, answer);
    state.boxes = [false, true].map((overlaid) => state.scene.box(overlaid));
  }
  showAll();
}

function receiveErrors(answer, request) {
  if (request.key !== keyOf(state, 0)) return;
  state.found.push({ epsilon: request.law.epsilon, errors: answer.failed ? Object.fromEntries(series.map(({ key }) => [key, NaN])) : answer.errors });
  showErrors();
}

/** The numbers of the page for tests and consoles: a promise of { start, errors, steps }. */
window.rigidlimit = {
  systems: Object.keys(systems),
  solve: ({ system, values = systems[system].sliders.map((s) => s.value), epsilon, zeta = 1, beta = 1, rtol }) =>
    new Promise((resolve) => {
      waiting.push({ system, values, law: { epsilon, zeta, beta }, rtol, take: resolve });
      next();
    }),
  /** Errors at all eps of the plot and the measured orders, once they are complete. */
  shown: () => (state.found.length === LADDER.length && !busy ? { found: state.found, orders: measuredOrders() } : null),
};

// ------------------------------------------------------------------------------------------------------- numbers

/** docs/theory.md, sections 2 and 5; NaN: not known to this page. */
function expectedOrders() {
  const { beta } = state.law, { pair } = state;
  const loaded = !pair || Math.max(...pair.layer[0].Lambda.map(Math.abs)) > 1e-9 * state.scene.force;
  if (loaded) return { q: 2, v: Math.max(1, beta), lambda: 0, mean: Math.min(beta, 2 - beta) / 2 };
  return beta === 1 ? { q: 2, v: 2, lambda: 1, mean: 1.5 } : { q: 2, v: NaN, lambda: NaN, mean: NaN };
}
const measuredOrders = () => Object.fromEntries(series.map(({ key }) =>
  [key, fittedOrder(state.found.filter(({ errors }) => errors[key] > 0).map(({ epsilon, errors }) => [epsilon, errors[key]]))]));

function scientific(x) {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const [mantissa, exponent] = x.toExponential(2).split("e");
  return exponent === "+0" ? mantissa : `${mantissa}·${powerOfTen(Number(exponent))}`;
}
const short = (x) => String(+x.toPrecision(3)).replace("-", "−");

// ------------------------------------------------------------------------------------------------------- drawings

const style = getComputedStyle(document.documentElement);
const colours = () => Object.fromEntries(["grid", "rigid", "rigidFill", "compliant", "compliantFill", "force"].map((name) =>
  [name, style.getPropertyValue(`--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`).trim()]));
const views = { left: new View(byId("left"), colours), right: new View(byId("right"), colours), both: new View(byId("both"), colours) };
const bodies = {
  rigid: { q: (f) => f.rigid, lambda: (f) => f.Lambda, tone: "rigid" },
  compliant: { q: (f) => f.q, lambda: (f) => f.lambda, tone: "compliant" },
  magnified: { q: (f) => state.scene.magnified(f), lambda: (f) => f.lambda, tone: "compliant" },
};

function showFrame() {
  const { scene, pair } = state;
  if (!scene || !pair) return;
  const k = Math.round(state.time * FRAMES);
  if (state.overlaid) views.both.draw(scene, state.boxes[1], k, [bodies.rigid, bodies.magnified]);
  else {
    views.left.draw(scene, state.boxes[0], k, [bodies.rigid]);
    views.right.draw(scene, state.boxes[0], k, [bodies.compliant]);
  }
  byId("time").value = k;
  byId("time").setAttribute("aria-valuetext", `${pair.times[k].toFixed(2)} seconds`);
  byId("clock").textContent = `t = ${pair.times[k].toFixed(2)} s`;
}

function showErrors() {
  const current = state.pair && { epsilon: state.pair.epsilon, errors: state.pair.errors };
  drawErrors(byId("errors"), state.found.filter(({ errors }) => errors.q > 0), current, RANGE, expectedOrders());
  const orders = measuredOrders(), expected = expectedOrders();
  for (const { key } of series) {
    byId(`${key}-error`).textContent = current ? scientific(current.errors[key]) : "–";
    byId(`${key}-order`).textContent = Number.isFinite(orders[key]) ? orders[key].toFixed(2).replace("-0.00", "0.00").replace("-", "−") : "…";
    byId(`${key}-expected`).textContent = Number.isFinite(expected[key]) ? short(expected[key]) : "–";
  }
}

function showAll() {
  const { pair, scene } = state;
  byId("side").hidden = state.overlaid;
  byId("over").hidden = !state.overlaid;
  if (pair) {
    const times = scene.factor > 1 ? ` × ${scene.factor}` : "";
    byId("factor").textContent = `Overlaid: ideal rolling dashed, the distance of the compliant body drawn${times || " true to scale"}`;
    drawLayer(byId("layer"), pair.layer);
    const [first, second] = systems[pair.system].forces;
    byId("forces").textContent = second ? `Solid: ${first}. Dashed: ${second}.` : `Negative: the ground pushes ${first}.`;
    byId("steps").textContent = `${pair.steps} steps of Radau IIA in ${Math.max(1, Math.round(pair.milliseconds))} ms`;
  }
  showFrame();
  if (pair) byId("cell").textContent = `Seen ${scene.picture.view}. Grid: ${short((state.overlaid ? views.both : views.left).cell)} m.${
    state.overlaid ? "" : ` Arrows: force of the ground at the contact, the longest ${short(scene.force)} N.`}`;
  showErrors();
}

// ------------------------------------------------------------------------------------------------------- controls

function setPlaying(playing) {
  state.playing = playing;
  byId("play").textContent = playing ? "Pause" : "Play";
  if (playing && state.time >= 1) state.time = 0;
  let last = null;
  const step = (now) => {
    if (!state.playing) return;
    if (last !== null) state.time = Math.min(1, state.time + (now - last) / 4000); // half of real time
    last = now;
    showFrame();
    if (state.time >= 1) return setPlaying(false);
    requestAnimationFrame(step);
  };
  if (playing) requestAnimationFrame(step);
}

/** Connects a slider with its number; `take` gets the value, `show` makes the text. */
function connect(input, output, show, take) {
  const update = () => {
    const text = show(input.valueAsNumber);
    output.textContent = text;
    input.setAttribute("aria-valuetext", text);
    take(input.valueAsNumber);
  };
  input.addEventListener("input", () => {
    update();
    next();
  });
  update();
}

function startSliders() {
  const { sliders } = systems[state.system];
  state.values = sliders.map((s) => s.value);
  byId("about").textContent = systems[state.system].about;
  sliders.forEach((s, i) => {
    const input = byId(`start${i}`);
    Object.assign(input, { min: s.least, max: s.most, step: s.step });
    input.value = s.value;
    byId(`start${i}-name`).textContent = s.label;
  });
}

function showStart(i) {
  const s = systems[state.system].sliders[i];
  const text = `${short(state.values[i])} ${s.unit}`;
  byId(`start${i}-value`).textContent = text;
  byId(`start${i}`).setAttribute("aria-valuetext", text);
}

const chooser = byId("system");
for (const [name, { title }] of Object.entries(systems)) chooser.append(new Option(title, name));
chooser.addEventListener("change", () => {
  state.system = chooser.value;
  state.time = 0;
  startSliders();
  [0, 1].forEach(showStart);
  next();
});
startSliders();
[0, 1].forEach((i) => {
  byId(`start${i}`).addEventListener("input", (event) => {
    state.values[i] = event.target.valueAsNumber;
    showStart(i);
    next();
  });
  showStart(i);
});
connect(byId("epsilon"), byId("epsilon-value"), (x) => scientific(10 ** x), (x) => { state.law.epsilon = 10 ** x; });
connect(byId("zeta"), byId("zeta-value"), (x) => (10 ** x).toPrecision(2), (x) => { state.law.zeta = 10 ** x; });
connect(byId("beta"), byId("beta-value"), short, (x) => { state.law.beta = x; });
byId("time").max = FRAMES;
byId("time").addEventListener("input", () => {
  setPlaying(false);
  state.time = byId("time").valueAsNumber / FRAMES;
  showFrame();
});
byId("play").addEventListener("click", () => setPlaying(!state.playing));
for (const input of document.querySelectorAll("input[name=view]"))
  input.addEventListener("change", () => {
    state.overlaid = input.value === "overlaid";
    showAll();
  });
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showAll);
new ResizeObserver(showAll).observe(document.querySelector("main"));
next();
if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) setPlaying(true);
else state.time = 1;
