// Plots as SVG elements, styled by classes.

import { powerOfTen } from "./numbers.js";

const names = "http://www.w3.org/2000/svg";

function element(name, attributes, text) {
  const made = document.createElementNS(names, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** A frame with axes: x and y map data to pixels, either may be logarithmic. */
class Axes {
  constructor(svg, { x, y, logX, logY, label }) {
    const width = Math.max(svg.clientWidth, 240), height = svg.clientHeight || 280;
    Object.assign(this, { svg, width, height, inner: { left: 52, right: width - 12, top: 12, bottom: height - 42 } });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren(element("title", {}, label));
    const map = (range, log, from, to) => {
      const value = log ? Math.log10 : (z) => z, [low, high] = range.map(value);
      return (z) => from + (value(z) - low) / (high - low) * (to - from);
    };
    const { left, right, top, bottom } = this.inner;
    this.x = map(x, logX, left, right);
    this.y = map(y, logY, bottom, top);
    this.ticks(x, logX, true);
    this.ticks(y, logY, false);
    this.add("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "frame" });
  }

  add(name, attributes, text) {
    const made = element(name, attributes, text);
    this.svg.append(made);
    return made;
  }

  ticks([low, high], log, horizontal) {
    const { left, right, top, bottom } = this.inner, values = [];
    if (log) {
      const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
      const step = Math.max(1, Math.ceil((last - first) / 7));
      for (let k = first; k <= last; k += step) values.push([10 ** k, powerOfTen(k)]);
    } else {
      const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
      const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
      for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; ++k)
        values.push([k * step, String(+(k * step).toPrecision(4)).replace("-", "−")]);
    }
    for (const [value, text] of values)
      if (horizontal) {
        this.add("line", { x1: this.x(value), x2: this.x(value), y1: top, y2: bottom, class: "grid" });
        this.add("text", { x: this.x(value), y: bottom + 16, "text-anchor": "middle" }, text);
      } else {
        this.add("line", { x1: left, x2: right, y1: this.y(value), y2: this.y(value), class: "grid" });
        this.add("text", { x: left - 6, y: this.y(value) + 4, "text-anchor": "end" }, text);
      }
  }

  names(x) {
    const { left, right } = this.inner;
    this.add("text", { x: (left + right) / 2, y: this.height - 6, "text-anchor": "middle", class: "name" }, x);
  }

  path(points, kind) {
    if (points.length === 0) return;
    const text = points.map(([x, y]) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join("L");
    this.add("path", { d: `M${text}`, class: kind });
  }

  mark(x, y, kind, shape, size = 4) {
    const [u, v] = [this.x(x), this.y(y)];
    const shapes = {
      circle: `M${u - size} ${v}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`,
      square: `M${u - size} ${v - size}h${2 * size}v${2 * size}h${-2 * size}z`,
      triangle: `M${u} ${v - 1.3 * size}L${u + 1.2 * size} ${v + size}L${u - 1.2 * size} ${v + size}z`,
      diamond: `M${u} ${v - 1.3 * size}L${u + 1.3 * size} ${v}L${u} ${v + 1.3 * size}L${u - 1.3 * size} ${v}z`,
    };
    this.add("path", { d: shapes[shape], class: kind });
  }
}

export const series = [{ key: "q", shape: "circle" }, { key: "v", shape: "square" },
  { key: "lambda", shape: "diamond" }, { key: "mean", shape: "triangle" }];

/** Powers of ten around the positive values. */
function decadesAround(values) {
  if (values.length === 0) return [1e-8, 1];
  const least = Math.log10(Math.min(...values)), most = Math.log10(Math.max(...values));
  return [10 ** Math.floor(least - 0.15), 10 ** Math.ceil(most + 0.15)];
}

/** Errors against eps: `found` = [{ epsilon, errors }], the current one, and the orders of the guides. */
export function drawErrors(svg, found, current, range, orders) {
  const all = [...found, ...(current ? [current] : [])];
  const values = all.flatMap(({ errors }) => series.map(({ key }) => errors[key])).filter((x) => x > 0);
  const y = decadesAround(values);
  const axes = new Axes(svg, { x: range, y, logX: true, logY: true,
    label: "Distance of the compliant from the rigid motion against epsilon; the table below has the numbers" });
  axes.names("ε");
  const { top, bottom } = axes.inner;
  if (current) {
    const x = axes.x(current.epsilon);
    axes.add("line", { x1: x, x2: x, y1: top, y2: bottom, class: "now" });
  }
  for (const { key, shape } of series) {
    const points = found.map(({ epsilon, errors }) => [epsilon, errors[key]]).filter((p) => p[1] > 0);
    points.sort((a, b) => a[0] - b[0]);
    if (points.length > 0 && Number.isFinite(orders[key])) {
      // The guide has the expected slope and passes through the point of smallest eps.
      const [first, size] = points[0], along = (x) => size * (x / first) ** orders[key];
      let end = range[1];
      if (along(end) > y[1]) end = first * (y[1] / size) ** (1 / orders[key]);
      axes.path([[first, along(first)], [end, along(end)]], "guide");
    }
    axes.path(points, `curve ${key}`);
    for (const p of points) axes.mark(...p, `dot ${key}`, shape, 3.2);
    const now = current?.errors[key];
    if (now > 0) axes.mark(current.epsilon, now, `dot large ${key}`, shape, 5.5);
  }
}

/** The contact force against t/eps: compliant components and, thin, those of ideal rolling. */
export function drawLayer(svg, layer) {
  const values = layer.flatMap(({ lambda, Lambda }) => [...lambda, ...Lambda, 0]);
  const low = Math.min(...values), high = Math.max(...values), pad = 0.08 * (high - low || 1);
  const axes = new Axes(svg, { x: [0, layer.at(-1).tau], y: [low - pad, high + pad],
    label: "Contact force against t over epsilon, compliant and rigid" });
  axes.names("t/ε");
  layer[0].lambda.forEach((_, i) => {
    axes.path(layer.map(({ tau, Lambda }) => [tau, Lambda[i]]), `rigid part${i}`);
    axes.path(layer.map(({ tau, lambda }) => [tau, lambda[i]]), `curve compliant part${i}`);
  });
}
