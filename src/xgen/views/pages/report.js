"use strict";
// What pages that only show something do: drawings fit and can be zoomed, what is drawn and its lines light each other,
// and runs are told step by step.
const stages = new Map();

// What a drawing and its program stand in together.
const scope = (part) => part.closest("details.answer") ?? document;

// Lights what belongs to a line of the program, or nothing.
function light(part, line = null) {
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (line === null) return;
  for (const found of scope(part).querySelectorAll(`[data-line="${line}"]`)) found.classList.add("lit");
}

const lineOf = (target) => target.closest?.("[data-line]")?.dataset.line ?? null;

// Shows the line of what was pressed.
function show(target) {
  const line = lineOf(target);
  light(target, line);
  const found = line && scope(target).querySelector(`.line[data-line="${line}"]`);
  if (!found) return;
  const folded = found.closest("details");
  if (folded) folded.open = true;
  found.scrollIntoView({ block: "nearest" });
}

// A run up to a row; after the last one, all of it.
function tell(part, by) {
  const rows = [...part.querySelectorAll("[data-row]")].map((one) => Number(one.dataset.row)), last = Math.max(...rows);
  const to = Math.max(0, Math.min(last + 1, Number(part.dataset.told ?? last + 1) + by)), whole = to > last;
  part.dataset.told = to;
  for (const one of part.querySelectorAll("[data-row]")) one.classList.toggle("later", !whole && Number(one.dataset.row) > to);
  const now = whole ? null : part.querySelector(`.step[data-row="${to}"]`);
  for (const one of part.querySelectorAll(".chosen")) one.classList.remove("chosen");
  light(part, now?.dataset.line ?? null);
  if (!now) return;
  now.classList.add("chosen");
  now.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const KEYS = {
  "+": (stage) => stage.larger(1.2), "=": (stage) => stage.larger(1.2), "-": (stage) => stage.larger(1 / 1.2), 0: (stage) => stage.fit(),
  ArrowLeft: (stage) => stage.part.querySelector("[data-row]") && tell(stage.part, -1),
  ArrowRight: (stage) => stage.part.querySelector("[data-row]") && tell(stage.part, 1),
  Enter: (stage, target) => show(target),
  Escape: (stage) => light(stage.part),
};

for (const part of document.querySelectorAll(".stage")) {
  const stage = new Stage(part, { free: false, pressed: show });
  stages.set(part, stage);
  stage.fit();
  for (const box of part.querySelectorAll("[data-line]")) box.setAttribute("tabindex", "0");
  new ResizeObserver(() => { if (stage.fitted) stage.fit(); }).observe(part);
}
document.addEventListener("mouseover", (event) => {
  const line = lineOf(event.target);
  if (line !== null) light(event.target, line);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("summary")) return;
  const part = event.target.closest?.(".stage") ?? (stages.size === 1 ? document.querySelector(".stage") : null);
  if (!part || !KEYS[event.key]) return;
  KEYS[event.key](stages.get(part), event.target);
  event.preventDefault();
});
