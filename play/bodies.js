// Pictures of the systems: curves in metres, from the coordinates q, the parameters p and a size for free shapes.
//
// A picture has curves(q, p, size) -> [{ role, points }], contacts(q, p) -> points, pushes(q, p, lambda) -> the forces
// -G' lambda at the contacts, and ground(p) -> the images of the unit vectors of the plane. A point is [x, y].

const place = (points, x, y, angle) => {
  const c = Math.cos(angle), s = Math.sin(angle);
  return points.map(([a, b]) => [x + c * a - s * b, y + s * a + c * b]);
};
const arc = (count, of) => Array.from({ length: count + 1 }, (_, i) => of(2 * Math.PI * i / count));
const hull = (length) => arc(48, (a) => [length * (0.5 * Math.cos(a) + 0.05),
  length * 0.2 * Math.sin(a) * (1 - 0.45 * Math.cos(a))]);
const oval = (along, across) => arc(48, (a) => [along * Math.cos(a), across * Math.sin(a)]);
const rod = (length) => [[-length / 2, 0], [length / 2, 0]];
const leftward = (angle, size) => [-Math.sin(angle) * size, Math.cos(angle) * size];
const flat = () => [[1, 0], [0, 1]];

const blade = {
  view: "from above",
  ground: flat,
  contacts: ([x, y]) => [[x, y]],
  pushes: (q, p, lambda) => [leftward(q[2], -lambda[0])],
};

const skate = {
  ...blade,
  view: "from above, the slope falls to the right",
  curves: ([x, y, phi], p, size) => [{ role: "body", points: place(hull(size), x, y, phi) },
    { role: "blade", points: place(rod(0.9 * size), x, y, phi) }],
};

const sleigh = {
  ...blade,
  curves: ([x, y, phi], { distance: a }, size) => [
    { role: "body", points: place(hull(2.2 * a + 0.3 * size).map(([u, v]) => [u + 0.9 * a, v]), x, y, phi) },
    { role: "mark", points: place(oval(0.05, 0.05).map(([u, v]) => [u + a, v]), x, y, phi) },
    { role: "mark", points: place([[0, 0], [a - 0.05, 0]], x, y, phi) },
    { role: "blade", points: place(rod(0.3), x, y, phi) }],
};

const boardEnds = ([x, y, theta], l) => [-l, l].map((d) => [x + d * Math.cos(theta), y + d * Math.sin(theta)]);
const board = {
  view: "from above",
  ground: flat,
  contacts: (q, p) => boardEnds(q, p.half_length),
  pushes: (q, p, lambda) => [leftward(q[2] + q[4], -lambda[0]), leftward(q[2] - q[4], -lambda[1])],
  curves: (q, { half_length: l }) => {
    const [x, y, theta, psi, phi] = q;
    const curves = [{ role: "body", points: place(oval(1.3 * l, 0.32 * l), x, y, theta) },
      { role: "mark", points: place(rod(1.2 * l), x, y, theta + psi) }];
    for (const end of place(rod(1.2 * l), x, y, theta + psi))
      curves.push({ role: "mark", points: place(oval(0.1 * l, 0.1 * l), ...end, 0) });
    boardEnds(q, l).forEach((end, i) => {
      const angle = theta + (i === 0 ? phi : -phi), track = 0.38 * l;
      curves.push({ role: "mark", points: place([[0, -track], [0, track]], ...end, angle) });
      for (const side of [-track, track]) {
        const [u, v] = leftward(angle, side);
        curves.push({ role: "blade", points: place(rod(0.45 * l), end[0] + u, end[1] + v, angle) });
      }
    });
    return curves;
  },
};

// Bodies in space: a parallel projection from an eye above the plane, x to the right; on a slope x points down.
const azimuth = -62 * Math.PI / 180, elevation = 28 * Math.PI / 180;
const right = [-Math.sin(azimuth), Math.cos(azimuth), 0];
const up = [-Math.sin(elevation) * Math.cos(azimuth), -Math.sin(elevation) * Math.sin(azimuth), Math.cos(elevation)];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const seen = ([x, y, z], { slope = 0 }) => {
  const c = Math.cos(slope), s = Math.sin(slope), point = [c * x + s * z, y, c * z - s * x];
  return [dot(right, point), dot(up, point)];
};

/** Place and axes of a disc of yaw psi, tilt theta and spin phi: heading, axle, and up along the disc. */
const discAxes = (psi, theta) => {
  const heading = [Math.cos(psi), Math.sin(psi), 0], left = [-Math.sin(psi), Math.cos(psi), 0];
  const axle = left.map((x, i) => Math.cos(theta) * x + (i === 2 ? Math.sin(theta) : 0));
  const upright = left.map((x, i) => -Math.sin(theta) * x + (i === 2 ? Math.cos(theta) : 0));
  return { heading, left, axle, upright };
};
const disc = (pose) => ({
  view: "obliquely from above",
  ground: (p) => [seen([1, 0, 0], p), seen([0, 1, 0], p)],
  contacts: (q, p) => {
    const { x, y, psi, theta } = pose(q), { left } = discAxes(psi, theta), side = p.radius * Math.sin(theta);
    return [seen([x + side * left[0], y + side * left[1], 0], p)];
  },
  pushes: (q, p, lambda) => {
    const { psi, theta } = pose(q), { heading, left } = discAxes(psi, theta);
    return [seen([0, 1, 2].map((i) => -lambda[0] * heading[i] - lambda[1] * left[i]), p)];
  },
  curves: (q, p) => {
    const { x, y, psi, theta, phi } = pose(q), { heading, upright } = discAxes(psi, theta), r = p.radius;
    const centre = [x, y, r * Math.cos(theta)];
    // The spin is about the axle: the point above moves forward.
    const at = (size, angle) => {
      const u = size * Math.sin(angle + phi), w = size * Math.cos(angle + phi);
      return seen(centre.map((c, i) => c + u * heading[i] + w * upright[i]), p);
    };
    const curves = [{ role: "body", points: arc(64, (a) => at(r, a)) }];
    for (const angle of [0, Math.PI / 3, 2 * Math.PI / 3])
      curves.push({ role: "mark", points: [at(r, angle), at(-r, angle)] });
    const knob = at(0.88 * r, Math.PI);
    curves.push({ role: "knob", points: [knob] });
    return curves;
  },
});

export const pictures = {
  knife_edge: skate,
  chaplygin_sleigh: sleigh,
  snakeboard: board,
  rolling_coin: {
    ...disc(([x, y, psi, phi]) => ({ x, y, psi, theta: 0, phi })),
    view: "obliquely from above, tilted by the slope",
  },
  rolling_disk: disc(([x, y, psi, theta, phi]) => ({ x, y, psi, theta, phi })),
};
