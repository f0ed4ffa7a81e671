// The state of the page, its controls, and the requests to the worker.

import { decimals, fittedOrder, scientific, short } from "./numbers.js";
import { drawErrors, drawLayer, series } from "./plot.js";
import { Requests } from "./requests.js";
import { systems } from "./systems.js";
import { Scene, View } from "./view.js";

const byId = (id) => document.getElementById(id);
const FRAMES = 300, RANGE = [1e-4, 1e-1]; // of eps
const LADDER = Array.from({ length: 9 }, (_, i) => 10 ** (-1 - 3 * i / 8));
const state = { system: Object.keys(systems)[0], values: [], law: {}, overlaid: false, playing: false,
  time: 0, pair: null, scene: null, found: [] };

// ------------------------------------------------------------------------------------------------------- solves

const keyOf = (epsilon) => JSON.stringify([state.system, state.values, epsilon, state.law.zeta, state.law.beta]);
let shownKey = "", ladderKey = "";

/** The next missing solve: first the pair, then the errors at the other eps. */
function wanted() {
  const { system, law } = state, request = { system, values: [...state.values], law: { ...law } };
  const key = keyOf(law.epsilon), others = keyOf(0);
  if (key !== shownKey)
    return { request: { ...request, frames: FRAMES }, take: (answer) => showPair(answer, request, key) };
  if (others !== ladderKey) {
    ladderKey = others;
    state.found = [];
  }
  const epsilon = LADDER.find((one) => !state.found.some((known) => known.epsilon === one));
  if (epsilon === undefined) return null;
  request.law.epsilon = epsilon;
  return { request, take: (answer) => {
    if (others !== keyOf(0)) return; // a slider has moved
    state.found.push({ epsilon, errors: answer.failed ? {} : answer.errors });
    showErrors();
  } };
}

const requests = new Requests(byId("worker").textContent, wanted, (idle) => byId("busy").classList.toggle("on", !idle));

function showPair(answer, { system, law }, key) {
  shownKey = key;
  state.pair = answer.failed ? null : { ...answer, system, epsilon: law.epsilon };
  state.scene = state.pair && new Scene(system, models[system].parameters, answer);
  byId("failed").hidden = !answer.failed;
  if (state.pair) state.boxes = [false, true].map((overlaid) => state.scene.box(overlaid));
  else clear();
  showAll();
  document.querySelector("main").dataset.shown = system;
}

function clear() {
  for (const view of Object.values(views)) view.clear();
  byId("layer").replaceChildren();
  for (const id of ["forces", "steps", "cell"]) byId(id).textContent = "";
}

/** docs/theory.md, sections 2, 4 (the mean square of the layer at zeta eps^(1 - beta)) and 5; NaN: not known here. */
function expectedOrders() {
  const { beta } = state.law, { pair } = state;
  const loaded = !pair || Math.max(...pair.layer[0].Lambda.map(Math.abs)) > 1e-9 * state.scene.force;
  if (loaded) return { q: 2, v: Math.max(1, beta), lambda: 0, mean: beta / 2 };
  return beta === 1 ? { q: 2, v: 2, lambda: 1, mean: 1.5 } : { q: 2, v: NaN, lambda: NaN, mean: NaN };
}

function measuredOrders() {
  const points = (key) => state.found.map(({ epsilon, errors }) => [epsilon, errors[key]]).filter((p) => p[1] > 0);
  return Object.fromEntries(series.map(({ key }) => [key, fittedOrder(points(key))]));
}

/** The numbers of the page for tests and consoles. */
window.rigidlimit = {
  /** A promise of { start, errors, steps }. */
  solve: ({ system, values = systems[system].sliders.map((s) => s.value), epsilon, zeta = 1, beta = 1, rtol }) =>
    requests.ask({ system, values, law: { epsilon, zeta, beta }, rtol }),
  /** Errors at all eps of the plot and the measured orders; null until they are complete. */
  shown() {
    const complete = !requests.busy && state.found.length === LADDER.length;
    return complete ? { found: state.found, orders: measuredOrders() } : null;
  },
};

// ------------------------------------------------------------------------------------------------------- drawings

const style = getComputedStyle(document.documentElement);
const colour = (name) => style.getPropertyValue(`--${name}`).trim();
const colours = () => ({ grid: colour("grid"), rigid: colour("rigid"), rigidFill: colour("rigid-fill"),
  compliant: colour("compliant"), compliantFill: colour("compliant-fill"), force: colour("force") });
const views = Object.fromEntries(["left", "right", "both"].map((id) => [id, new View(byId(id), colours)]));
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
    byId(`${key}-order`).textContent = Number.isFinite(orders[key]) ? decimals(orders[key]) : "…";
    byId(`${key}-expected`).textContent = Number.isFinite(expected[key]) ? short(expected[key]) : "–";
  }
}

function showAll() {
  const { pair, scene, overlaid } = state;
  byId("side").hidden = overlaid;
  byId("over").hidden = !overlaid;
  showFrame();
  showErrors();
  if (!pair) return;
  drawLayer(byId("layer"), pair.layer);
  const times = scene.factor.toLocaleString("en").replaceAll(",", "\u202f");
  const scale = scene.factor > 1 ? `× ${times}` : "true to scale";
  byId("factor").textContent = `Ideal rolling is dashed. The distance of the compliant body is drawn ${scale}.`;
  const [first, second] = systems[pair.system].forces;
  byId("forces").textContent = second ? `Solid: ${first}. Dashed: ${second}.` : `Negative: the ground pushes ${first}.`;
  const time = Math.max(1, Math.round(pair.milliseconds));
  byId("steps").textContent = `${pair.steps} steps of Radau IIA in ${time} ms.`;
  const { cell } = overlaid ? views.both : views.left;
  const arrows = `Arrows: force of the ground at the contact, the longest ${short(scene.force)} N.`;
  byId("cell").textContent = `Seen ${scene.picture.view}. Grid: ${short(cell)} m. ${overlaid ? "" : arrows}`;
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
    requests.next();
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
  requests.next();
});
startSliders();
[0, 1].forEach((i) => {
  byId(`start${i}`).addEventListener("input", (event) => {
    state.values[i] = event.target.valueAsNumber;
    showStart(i);
    requests.next();
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
requests.next();
if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) setPlaying(true);
else state.time = 1;
