// Shows the numbers of a point of a figure: of the nearest one under the pointer, or of the one that the arrow keys reach.
// Without this script the figure is a picture. Places are shares of the picture, so that both colour schemes share them.
for (const box of document.querySelectorAll("[data-points]")) {
  const REACH = 24; // CSS pixels from the pointer to a point
  const series = JSON.parse(box.dataset.points);
  const all = series.flatMap((one, s) => one.points.map((point, k) => ({ point, one, s, k })));
  const figure = box.closest("figure");
  const make = (tag, name, parent, text = "") => {
    const element = document.createElement(tag);
    element.className = name;
    element.textContent = text;
    parent.append(element);
    return element;
  };
  const plot = make("div", "plot", box);
  plot.prepend(...box.querySelectorAll("img"));
  const ring = make("span", "ring", plot);
  const note = make("div", "note", figure);
  note.setAttribute("role", "status");
  box.setAttribute("aria-label", `${box.getAttribute("aria-label")}; the arrow keys go from point to point`);
  const caption = figure.querySelector("figcaption");
  if (!caption.textContent.endsWith(".")) caption.append(".");
  make("span", "hint", caption, " Point at a mark to read its numbers, or focus the figure and press the arrow keys.");
  let current = null;

  function hide() {
    current = null;
    ring.hidden = note.hidden = true;
  }

  function show(found) {
    if (current === found) return;
    current = found;
    note.replaceChildren();
    make("strong", "", note, found.one.name);
    for (const [name, text] of [...found.point.says, ...found.one.facts]) {
      const line = make("div", "", note);
      if (name) make("span", "name", line, `${name} `);
      make("span", "value", line, text);
    }
    ring.hidden = note.hidden = false;
    ring.style.left = `${100 * found.point.at[0]}%`;
    ring.style.top = `${100 * found.point.at[1]}%`;
    place();
  }

  function place() {
    const [left, top] = current.point.at;
    const [picture, outer] = [plot.getBoundingClientRect(), figure.getBoundingClientRect()];
    const x = picture.left - outer.left + left * picture.width;
    const y = picture.top - outer.top + top * picture.height;
    const right = x + 14 + note.offsetWidth > outer.width;
    note.style.left = `${Math.max(0, right ? x - 14 - note.offsetWidth : x + 14)}px`;
    note.style.top = `${y + 14}px`;
  }

  function at(event) {
    const picture = plot.getBoundingClientRect();
    const far = ({ point }) => Math.hypot(picture.left + point.at[0] * picture.width - event.clientX,
      picture.top + point.at[1] * picture.height - event.clientY);
    const nearest = all.reduce((a, b) => (far(b) < far(a) ? b : a));
    if (far(nearest) <= REACH) show(nearest);
    else hide();
  }

  function go(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (event.key === "Escape") hide();
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const s = current ? (current.s + step[0] + series.length) % series.length : 0;
    const last = series[s].points.length - 1;
    const k = current ? Math.min(last, Math.max(0, current.k + step[1])) : 0;
    show(all.find((one) => one.s === s && one.k === k));
    ring.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  plot.addEventListener("pointermove", at);
  plot.addEventListener("pointerdown", at);
  plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  box.addEventListener("keydown", go);
  box.addEventListener("blur", hide);
  box.addEventListener("scroll", () => current && place());
  hide();
}
