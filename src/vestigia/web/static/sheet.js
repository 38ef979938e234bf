// A page image one can come nearer to: buttons, wheel, dragging, and + - 0 and arrows when it has the focus.
// Without this there are links to three sizes, and the pane scrolls.
for (const pane of document.querySelectorAll("[data-sheet]")) {
  const svg = pane.querySelector("svg");
  const whole = svg.viewBox.baseVal;
  const [width, height] = [whole.width, whole.height];
  const picture = svg.querySelector("image");
  let view = { x: 0, y: 0, w: width, h: height };

  function show(next) {
    const w = Math.min(width, Math.max(width / 24, next.w));
    const h = (w * height) / width;
    view = { w, h, x: Math.min(width - w, Math.max(0, next.x)), y: Math.min(height - h, Math.max(0, next.y)) };
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
    if (picture && w < width / 1.8) sharpen();
  }

  function sharpen() {
    const address = new URL(picture.getAttribute("href"), location.href);
    if (address.searchParams.get("width") === "3600") return;
    address.searchParams.set("width", "3600");
    const finer = new Image();
    finer.onload = () => picture.setAttribute("href", address.href);
    finer.src = address.href;
  }

  function near(factor, at = { x: view.x + view.w / 2, y: view.y + view.h / 2 }) {
    show({ w: view.w / factor, x: at.x - (at.x - view.x) / factor, y: at.y - (at.y - view.y) / factor });
  }

  function region() {
    const [x, y, w, h] = pane.dataset.box.split(" ").map(Number);
    const wide = Math.max(w * 1.2, (h * 1.2 * width) / height);
    show({ w: wide, x: x + w / 2 - wide / 2, y: y + h / 2 - (wide * height) / width / 2 });
  }

  function place(event) {
    const box = svg.getBoundingClientRect();
    const scale = Math.max(view.w / box.width, view.h / box.height);
    return {
      scale,
      x: view.x + view.w / 2 + (event.clientX - box.x - box.width / 2) * scale,
      y: view.y + view.h / 2 + (event.clientY - box.y - box.height / 2) * scale,
    };
  }

  pane.className = "pane moved";
  const bar = document.createElement("p");
  bar.className = "zooms";
  const deeds = [
    ["+", pane.dataset.nearer, () => near(1.5)],
    ["−", pane.dataset.farther, () => near(1 / 1.5)],
    [pane.dataset.whole, "", () => show({ w: width, x: 0, y: 0 })],
    ...(pane.dataset.box ? [[pane.dataset.region, "", region]] : []),
  ];
  for (const [words, label, deed] of deeds) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = words;
    if (label) button.setAttribute("aria-label", label);
    button.addEventListener("click", deed);
    bar.append(button);
  }
  pane.parentElement.querySelector(".zooms")?.replaceWith(bar);

  pane.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && document.activeElement !== pane) return; // the page scrolls as usual
      event.preventDefault();
      near(event.deltaY < 0 ? 1.15 : 1 / 1.15, place(event));
    },
    { passive: false },
  );

  let held = null;
  pane.addEventListener("pointerdown", (event) => {
    held = { x: event.clientX, y: event.clientY, from: { ...view }, scale: place(event).scale };
    pane.setPointerCapture(event.pointerId);
  });
  pane.addEventListener("pointermove", (event) => {
    if (!held) return;
    show({
      w: held.from.w,
      x: held.from.x - (event.clientX - held.x) * held.scale,
      y: held.from.y - (event.clientY - held.y) * held.scale,
    });
  });
  for (const name of ["pointerup", "pointercancel"]) pane.addEventListener(name, () => (held = null));

  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  pane.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in steps) {
      const [across, down] = steps[event.key];
      show({ w: view.w, x: view.x + (across * view.w) / 8, y: view.y + (down * view.h) / 8 });
    } else if (event.key === "+") near(1.5);
    else if (event.key === "-") near(1 / 1.5);
    else if (event.key === "0") show({ w: width, x: 0, y: 0 });
    else return;
    event.preventDefault();
  });
}
