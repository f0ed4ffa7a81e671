// Draws bodies, paths, ground and contact forces on a canvas.

import { pictures } from "./bodies.js";

const roundDown = (x) => {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [5, 2, 1].find((m) => m * power <= x * (1 + 1e-12));
};

class Box {
  constructor() { Object.assign(this, { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity }); }
  add([x, y]) {
    this.left = Math.min(this.left, x);
    this.right = Math.max(this.right, x);
    this.low = Math.min(this.low, y);
    this.high = Math.max(this.high, y);
  }
  get width() { return this.right - this.left; }
  get height() { return this.high - this.low; }
}

/**
 * Both motions of a pair, ready to be drawn. `factor` magnifies the compliant body's distance from the rigid one: it
 * shows the largest distance as a third of the body. `force` is the largest contact force.
 */
export class Scene {
  constructor(system, parameters, { motion }) {
    Object.assign(this, { picture: pictures[system], parameters, frames: motion });
    const paths = new Box();
    for (const { rigid } of motion) this.contacts(rigid).forEach((p) => paths.add(p));
    this.size = Math.max(paths.width, paths.height) / 6;
    this.factor = this.magnification();
    this.force = Math.max(...motion.flatMap(({ Lambda, lambda }) => [...Lambda, ...lambda].map(Math.abs)), 1e-12);
  }

  contacts(q) { return this.picture.contacts(q, this.parameters); }
  curves(q) { return this.picture.curves(q, this.parameters, this.size); }
  magnified({ q, rigid }, factor = this.factor) { return rigid.map((x, i) => x + factor * (q[i] - x)); }

  magnification() {
    const body = new Box();
    this.curves(this.frames[0].rigid)[0].points.forEach((p) => body.add(p));
    let most = 0, turn = 0;
    for (const frame of this.frames) {
      const rigid = this.curves(frame.rigid)[0].points, compliant = this.curves(frame.q)[0].points;
      rigid.forEach((p, i) => { most = Math.max(most, Math.hypot(compliant[i][0] - p[0], compliant[i][1] - p[1])); });
      frame.q.slice(2).forEach((x, i) => { turn = Math.max(turn, Math.abs(x - frame.rigid[i + 2])); });
    }
    const wanted = Math.min(0.5 * Math.max(body.width, body.height) / most, 1 / turn);
    return Number.isFinite(wanted) && wanted > 1 ? roundDown(wanted) : 1;
  }

  /** Bounds of all that is drawn, with the magnified motion if `overlaid`. */
  box(overlaid) {
    const box = new Box();
    this.frames.forEach((frame, k) => {
      if (k % 6 !== 0 && k + 1 !== this.frames.length) return;
      for (const q of [frame.rigid, overlaid ? this.magnified(frame) : frame.q])
        for (const { points } of this.curves(q)) points.forEach((p) => box.add(p));
    });
    return box;
  }
}

/** A canvas that shows some motions of a scene with one camera. */
export class View {
  constructor(canvas, colours) { Object.assign(this, { canvas, colours }); }

  clear() {
    const paint = this.canvas.getContext("2d");
    paint.resetTransform();
    paint.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Draws frame k. `bodies`: [{ q(frame), lambda(frame), tone }], tone "rigid" or "compliant". */
  draw(scene, box, k, bodies) {
    const { canvas } = this, ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const margin = 18, scale = Math.min((width - 2 * margin) / box.width, (height - 2 * margin) / box.height);
    const x0 = width / 2 - scale * (box.left + box.right) / 2, y0 = height / 2 + scale * (box.low + box.high) / 2;
    const to = ([x, y]) => [x0 + scale * x, y0 - scale * y];
    const paint = canvas.getContext("2d");
    Object.assign(this, { paint, to, scale });
    this.clear();
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.lineJoin = paint.lineCap = "round";
    this.ground(scene, width, height, x0, y0);
    for (const body of bodies) this.path(scene, k, body);
    for (const body of bodies) this.body(scene, scene.frames[k], body, bodies.length > 1);
  }

  line(points, colour, width, dashes = []) {
    const { paint, to } = this;
    paint.beginPath();
    points.forEach((p, i) => (i === 0 ? paint.moveTo(...to(p)) : paint.lineTo(...to(p))));
    paint.setLineDash(dashes);
    paint.strokeStyle = colour;
    paint.lineWidth = width;
    paint.stroke();
    paint.setLineDash([]);
  }

  /** A grid of the plane over the whole canvas; `cell` is its width in metres. */
  ground(scene, width, height, x0, y0) {
    const [[a, c], [b, d]] = scene.picture.ground(scene.parameters), det = a * d - b * c;
    const back = (px, py) => {
      const x = (px - x0) / this.scale, y = (y0 - py) / this.scale;
      return [(d * x - b * y) / det, (a * y - c * x) / det];
    };
    const corners = new Box();
    for (const px of [0, width]) for (const py of [0, height]) corners.add(back(px, py));
    this.cell = roundDown(Math.max(corners.width, corners.height) / 9);
    const at = (u, v) => [a * u + b * v, c * u + d * v];
    const { cell } = this, colour = this.colours().grid;
    for (let u = Math.floor(corners.left / cell) * cell; u <= corners.right; u += cell)
      this.line([at(u, corners.low), at(u, corners.high)], colour, 1);
    for (let v = Math.floor(corners.low / cell) * cell; v <= corners.high; v += cell)
      this.line([at(corners.left, v), at(corners.right, v)], colour, 1);
  }

  path(scene, k, { q, tone }) {
    const colour = this.colours()[tone], traces = scene.frames.map((frame) => scene.contacts(q(frame)));
    traces[0].forEach((_, i) => {
      const points = traces.map((contacts) => contacts[i]);
      this.paint.globalAlpha = 0.28;
      this.line(points, colour, 1.2);
      this.paint.globalAlpha = 1;
      this.line(points.slice(0, k + 1), colour, 1.8);
    });
  }

  body(scene, frame, { q, lambda, tone }, overlaid) {
    const { paint, to } = this, colours = this.colours(), colour = colours[tone], pose = q(frame);
    const dashed = overlaid && tone === "rigid" ? [5, 4] : [];
    for (const { role, points } of scene.curves(pose)) {
      if (role === "body") {
        paint.beginPath();
        points.forEach((p, i) => (i === 0 ? paint.moveTo(...to(p)) : paint.lineTo(...to(p))));
        paint.closePath();
        paint.fillStyle = colours[`${tone}Fill`];
        paint.globalAlpha = overlaid ? 0.6 : 1; // the dashed body shows through
        if (dashed.length === 0) paint.fill();
        paint.globalAlpha = 1;
        this.line(points, colour, 1.8, dashed);
      } else if (role === "knob") {
        paint.beginPath();
        paint.arc(...to(points[0]), 4, 0, 2 * Math.PI);
        paint.fillStyle = colour;
        paint.fill();
      } else {
        this.line(points, colour, role === "blade" ? 3.5 : 1.2, dashed);
      }
    }
    const pushes = scene.picture.pushes(pose, scene.parameters, lambda(frame));
    if (overlaid) return;
    scene.contacts(pose).forEach((at, i) => this.arrow(to(at), pushes[i], 72 / scene.force, colours.force));
  }

  arrow([x, y], [fx, fy], pixelsPerNewton, colour) {
    const { paint } = this, dx = fx * pixelsPerNewton, dy = -fy * pixelsPerNewton, length = Math.hypot(dx, dy);
    if (length < 2) return;
    const head = Math.min(8, length / 2), [u, v] = [dx / length, dy / length];
    paint.strokeStyle = paint.fillStyle = colour;
    paint.lineWidth = 2.2;
    paint.beginPath();
    paint.moveTo(x, y);
    paint.lineTo(x + dx - u * head, y + dy - v * head);
    paint.stroke();
    paint.beginPath();
    paint.moveTo(x + dx, y + dy);
    paint.lineTo(x + dx - u * head - v * head / 2, y + dy - v * head + u * head / 2);
    paint.lineTo(x + dx - u * head + v * head / 2, y + dy - v * head - u * head / 2);
    paint.fill();
  }
}
