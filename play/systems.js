// The systems of the page: their start as a function of two sliders, and the directions of the contact forces.
//
// start(values, parameters) gives (q, v) with G v = 0. The default values give the start of the shipped study.

const slider = (label, unit, least, most, step, value) => ({ label, unit, least, most, step, value });

export const systems = {
  rolling_disk: {
    title: "Rolling disc",
    forces: ["along the heading", "to the left of it"],
    about: "A thin disc leans while it rolls, like a hoop or a coin on a table.",
    sliders: [slider("spin", "rad/s", 2, 8, 0.1, 4), slider("tilt", "rad", 0, 0.5, 0.02, 0.3)],
    start: ([spin, tilt], { radius: r }) => {
      const yaw = 1, fall = 0.2;
      return [0, 0, 0, tilt, 0, r * (spin + Math.sin(tilt) * yaw), -r * Math.cos(tilt) * fall, yaw, fall, spin];
    },
  },
  knife_edge: {
    title: "Skate on a slope",
    forces: ["the blade to its left"],
    about: "A blade slides along its edge and not across it, on a plane that slopes down to the right.",
    sliders: [slider("speed", "m/s", -1, 2, 0.05, 0.7), slider("turning rate", "rad/s", 0.3, 3, 0.05, 1.3)],
    start: ([u, w]) => [0, 0, 0, u, 0, w],
  },
  chaplygin_sleigh: {
    title: "Chaplygin sleigh",
    forces: ["the blade to its left"],
    about: "A sled on one blade, its centre of mass ahead of the blade: it turns less and less and glides straight.",
    sliders: [slider("speed", "m/s", -1, 2, 0.05, 0.5), slider("turning rate", "rad/s", 0.3, 4, 0.05, 1.5)],
    start: ([u, w]) => [0, 0, 0, u, 0, w],
  },
  snakeboard: {
    title: "Snakeboard",
    forces: ["at the back wheels", "at the front wheels"],
    about: "A rotor turns to and fro, two sets of wheels steer in opposite directions, and the board moves forward.",
    sliders: [slider("speed", "m/s", 0, 1.5, 0.05, 0.4), slider("wheel angle", "rad", -0.5, 0.5, 0.02, 0.2)],
    start: ([u, phi], { half_length: l }) => [0, 0, 0, 0, phi, u, 0, -Math.tan(phi) * u / l, 0, 0],
  },
  rolling_coin: {
    title: "Upright coin on a slope",
    forces: ["along the heading", "to the left of it"],
    about: "A coin that stays upright rolls without slipping along its heading or across it.",
    sliders: [slider("speed", "m/s", -1, 2, 0.05, 0.7), slider("turning rate", "rad/s", 0.3, 3, 0.05, 1.3)],
    start: ([u, w], { radius: r }) => [0, 0, 0, 0, u, 0, w, u / r],
  },
};
