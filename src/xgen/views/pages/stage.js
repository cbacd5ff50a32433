"use strict";
// A part of a page that scrolls a drawing: it fits, is dragged, and is zoomed by wheel, fingers and keys.
class Stage {
  // free: a page that does not scroll; there the wheel zooms alone, else with Ctrl, and one finger drags.
  // pressed: what to do with a part that is pressed; zoomed: with a new scale.
  constructor(part, { free, pressed, zoomed = () => {} }) {
    Object.assign(this, { part, free, pressed, zoomed, scale: 1, fitted: true, pointers: new Map(), moved: 0, pinched: 0 });
    part.addEventListener("pointerdown", (event) => this.press(event));
    addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => this.release(event));
    part.addEventListener("click", (event) => { if (this.moved <= 4) pressed(event.target); });
    part.addEventListener("dblclick", () => this.fit());
    part.addEventListener("wheel", (event) => this.turn(event), { passive: false });
  }

  get svg() {
    return this.part.querySelector("svg");
  }

  // How large the drawing may be for all of it to be seen.
  get room() {
    return (this.part.clientWidth - 10) / this.svg.viewBox.baseVal.width;
  }

  // Keeps what is at a place of the part, in pixels, where it is; else what is in its middle.
  zoomTo(to, x = this.part.clientWidth / 2, y = this.part.clientHeight / 2) {
    const { part, svg, scale } = this;
    if (!svg) return;
    const at = [(part.scrollLeft + x) / scale, (part.scrollTop + y) / scale], { width, height } = svg.viewBox.baseVal;
    this.scale = Math.max(0.1, Math.min(4, to));
    svg.setAttribute("width", width * this.scale);
    svg.setAttribute("height", height * this.scale);
    part.scrollTo(at[0] * this.scale - x, at[1] * this.scale - y);
    this.zoomed(this.scale);
  }

  fit() {
    this.fitted = true;
    if (this.svg && this.part.clientWidth) this.zoomTo(Math.min(1.25, Math.max(0.55, this.room)));
  }

  larger(by, ...place) {
    this.fitted = false;
    this.zoomTo(this.scale * by, ...place);
  }

  get middle() {
    return [...this.pointers.values()].reduce(([x, y], p) => [x + p.x / this.pointers.size, y + p.y / this.pointers.size], [0, 0]);
  }

  get spread() {
    const [a, b] = [...this.pointers.values()];
    return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  // One pointer drags, two pinch, and a press that hardly moved is a click.
  press(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.moved = this.pointers.size > 1 ? 99 : 0;
    this.pinched = this.spread;
  }

  drag(event) {
    if (!this.pointers.has(event.pointerId)) return;
    const before = this.middle;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = this.middle, wide = this.spread, box = this.part.getBoundingClientRect();
    this.moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    if (this.moved > 4) this.part.classList.add("dragged");
    if (this.free || event.pointerType === "mouse" || wide) this.part.scrollBy(before[0] - now[0], before[1] - now[1]);
    if (wide && this.pinched) this.larger(wide / this.pinched, now[0] - box.x, now[1] - box.y);
    this.pinched = wide;
  }

  release(event) {
    this.pointers.delete(event.pointerId);
    this.pinched = this.spread;
    if (!this.pointers.size) this.part.classList.remove("dragged");
  }

  turn(event) {
    if (!this.free && !event.ctrlKey) return;
    event.preventDefault();
    const box = this.part.getBoundingClientRect();
    this.larger(Math.exp(-Math.max(-100, Math.min(100, event.deltaY)) / 500), event.clientX - box.x, event.clientY - box.y);
  }
}
