"use strict";
// The page of executions. What is shown is in the address: #execution=3&step=5&relations=rf,fr&search=x%3D1.
const data = JSON.parse($("data").textContent);
const text = (id) => $(id).textContent;
const executions = new Executions(data, (chunk) => text(`chunk-${chunk}`));
const ROWS = 300;          // of the table of outcomes
const LEAST = 90;          // pixels: narrower panes are folded
const EXTRAS = [["init", "initial writes"], ["implied", "what program order implies"]];
const NARROW = matchMedia("(max-width: 46rem)");
const records = new Map();
let outcomes = [];         // of each execution, the number of its row
let rows = [];             // of the table: number, count, remark, values
let visible = new Set();   // the rows that the search leaves
let shown = null;          // the execution that is drawn
let chosen = null;         // the id of the selected event
let turn = 0;

// --- what is shown ---

function position() {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = Number.parseInt(given.get("execution"), 10), step = Number.parseInt(given.get("step"), 10);
  return {
    execution: number >= 1 && number <= data.count ? number : data.first,
    step: Number.isNaN(step) ? null : step,
    relations: given.has("relations") ? given.get("relations").split(",").filter(Boolean) : data.shown,
    search: given.get("search") ?? "",
  };
}

function go(changes) {
  const to = { ...position(), ...changes }, parts = [`execution=${to.execution}`];
  if (to.step !== null) parts.push(`step=${to.step}`);
  if (to.relations.join() !== data.shown.join()) parts.push(`relations=${to.relations.map(encodeURIComponent).join()}`);
  if (to.search) parts.push(`search=${encodeURIComponent(to.search)}`);
  history.replaceState(null, "", "#" + parts.join("&"));
  return show();
}

async function record(number) {
  if (number > data.records) return null;
  const chunk = Math.floor((number - 1) / data.recordChunk);
  if (!records.has(chunk))
    records.set(chunk, unpack(text(`record-${chunk}`)).then((bytes) => JSON.parse(new TextDecoder().decode(bytes))));
  return (await records.get(chunk))[(number - 1) % data.recordChunk];
}

async function show() {
  const at = position(), mine = ++turn;
  if (!data.count) {
    $("drawing").textContent = "No executions to show.";
    return;
  }
  if (!shown || shown.number !== at.execution) {
    const [execution, known] = await Promise.all([executions.row(at.execution), record(at.execution)]);
    if (mine !== turn) return;
    shown = { number: at.execution, execution, known, relations: null };
    choose(null, false);
  }
  const wanted = `${at.relations.join()} ${chosen}`;
  if (shown.relations !== wanted) drawExecution(at.relations, wanted);
  const story = Boolean(shown.known?.highlight.length), steps = story ? shown.known.highlight.length : shown.steps;
  const step = at.step === null ? steps : Math.max(0, Math.min(at.step, steps));
  $("name").textContent = `${at.execution.toLocaleString("en")} / ${data.count.toLocaleString("en")}`;
  $("steps").textContent = at.step === null || (!story && step === steps) ? (story ? "story" : `all ${steps} events`) : `${step} of ${steps}`;
  $("back").disabled = step === 0;
  $("forth").disabled = !story && at.step === null;
  if (story) showStory(at.step === null ? null : Math.max(1, step));
  else showStep(step, steps);
  for (const box of $("switches").querySelectorAll("input")) box.checked = at.relations.includes(box.value);
}

function drawExecution(relations, wanted) {
  const { execution, known } = shown, fresh = shown.relations === null;
  const picture = executions.picture(execution, relations,
    { derived: known?.relations ?? {}, highlight: known?.highlight ?? [], focus: chosen });
  const drawn = Draw.draw(picture);
  $("drawing").innerHTML = drawn.text;  // every text in it went through Draw.escape
  Object.assign(shown, { relations: wanted, picture });
  shown.steps = execution.events.filter((event) => event.thread >= 0).length;
  for (const box of $("drawing").querySelectorAll("[data-event]")) box.setAttribute("tabindex", "0");
  if (fresh) {
    showAside();
    showSelected();
    $("stage").scrollTo(0, 0);
  }
  const seen = new Set([...$("drawing").querySelectorAll("[data-relation]")].map((group) => group.dataset.relation));
  $("legend").replaceChildren(...data.relations.filter(({ name }) => seen.has(name)).map(({ name, look, meaning }) => {
    const key = element("span");
    key.innerHTML = Draw.sample(look);
    key.append(meaning.startsWith("of the model") ? name : `${name}: ${meaning}`);
    return key;
  }));
  if (stage.fitted) fit();
  else stage.zoomTo(stage.scale);
  light();
}

// Hides the events that come later, and the edges to them.
function showStep(step, steps) {
  const whole = step >= steps, later = new Set();
  $("drawing").classList.remove("told");
  for (const part of $("drawing").querySelectorAll("[data-event]")) {
    const hidden = !whole && (Number(part.dataset.step) >= step || part.classList.contains("violation"));
    part.classList.toggle("later", hidden);
    if (hidden) later.add(part.dataset.event);
  }
  for (const edge of $("drawing").querySelectorAll("[data-from]"))
    edge.classList.toggle("later", later.has(edge.dataset.from) || later.has(edge.dataset.to));
  for (const label of $("drawing").querySelectorAll(".bundle > text"))
    label.classList.toggle("later", Boolean(label.parentNode.querySelector("g.later")));
}

// Shows the explanation up to a step; null: all of it.
function showStory(step) {
  $("drawing").classList.toggle("told", step !== null);
  for (const part of $("drawing").querySelectorAll("[data-story], .badge")) {
    const number = Number(part.dataset.story ?? part.dataset.step);
    part.classList.toggle("past", step !== null && number < step);
    part.classList.toggle("future", step !== null && number > step);
  }
  [...$("story").children].forEach((item, k) => {
    item.toggleAttribute("aria-current", k + 1 === step);
    if (k + 1 === step) item.scrollIntoView({ block: "nearest" });
  });
}

function showAside() {
  const { known, execution } = shown, row = data.groups[outcomes[shown.number - 1]];
  $("state").textContent = known ? known.state : row ? data.names.map((name, k) => row[3][k] && `${name} = ${row[3][k]}`).filter(Boolean).join(", ") : "";
  $("explanation").hidden = !known?.why;
  $("why").textContent = known?.why ?? "";
  $("story").replaceChildren(...(known?.story ?? []).map((sentence, k) => {
    const item = element("li", sentence, { tabindex: "0" });
    item.addEventListener("click", () => go({ step: k + 1 }));
    return item;
  }));
  $("why-title").textContent = known?.story.length ? "Why (left and right tell it step by step)" : "Explanation";
  $("details").open = !known?.story.length;
  $("constraints").replaceChildren(...(known ? data.constraints.map((constraint, k) => {
    const holds = known.holds[k], item = element("li");
    const verdict = constraint.flag ? (holds ? "not raised" : "raised") : holds ? "holds" : "violated";
    item.append(element("b", constraint.name), " ", element("span", verdict, { class: holds ? "good" : "bad" }));
    if (constraint.sentence) item.append(element("br"), constraint.sentence);
    item.append(element("br"), element("code", constraint.text, { class: "dim" }));
    return item;
  }) : [element("li", `known for the first ${data.records} executions`, { class: "dim" })]));
  const used = new Set([...$("drawing").querySelectorAll("[data-line]")].map((part) => part.dataset.line));
  for (const line of $("source").children) line.classList.toggle("used", used.has(line.getAttribute("value")));
  const first = $("source").querySelector(".used");
  if (first) $("source").scrollTop = first.offsetTop - $("source").offsetTop - 40;
  const { picture } = shown, whole = (item) => [item.text, ...item.more].join(" ");
  const called = picture.columns.flatMap((column) => column.items.map((item) => `${column.name}'s ${whole(item)}`));
  const words = [execution.ending.fault, execution.ending.aside,
    ...picture.columns.map((column) => `${column.name}: ${column.items.map((item) => [whole(item), ...item.chips].join(" ")).join(", then ")}`),
    ...picture.edges.map((edge) => `${edge.relation} from ${called[edge.a]} to ${called[edge.b]}`)];
  $("words").replaceChildren(...words.filter(Boolean).map((words) => element("li", words)));
}

// --- events and lines ---

function choose(id, redraw = true) {
  chosen = id;
  $("selected").hidden = id === null;
  if (redraw) show();
  if (id !== null) showSelected(true);
}

function showSelected(line = false) {
  for (const part of document.querySelectorAll("#drawing .chosen")) part.classList.remove("chosen");
  if (chosen === null) return;
  const part = $("drawing").querySelector(`[data-event="${CSS.escape(chosen)}"]`);
  if (!part) return;
  part.classList.add("chosen");
  $("event").textContent = part.querySelector("title").textContent;
  if (line && !NARROW.matches)
    for (const item of $("source").children) if (item.getAttribute("value") === part.dataset.line) item.scrollIntoView({ block: "nearest" });
}

// Lights an event with its line and its edges, or a line with its events; else those of the selected event.
function light(event = chosen, line = null) {
  for (const part of document.querySelectorAll(".lit, .touched")) part.classList.remove("lit", "touched");
  $("drawing").classList.toggle("chosen-some", event !== null);
  showSelected();
  const parts = [...$("drawing").querySelectorAll("[data-event]")];
  const own = event === null ? line : parts.find((part) => part.dataset.event === event)?.dataset.line ?? null;
  for (const item of $("source").children) if (own !== null && item.getAttribute("value") === own) item.classList.add("lit");
  for (const part of parts) part.classList.toggle("lit", event !== null ? part.dataset.event === event : line !== null && part.dataset.line === line);
  if (event !== null)
    for (const edge of $("drawing").querySelectorAll("[data-from]"))
      edge.classList.toggle("touched", [edge.dataset.from, edge.dataset.to].includes(event));
}

// --- outcomes ---

function showOutcomes() {
  let fits;
  $("search-error").textContent = "";
  try {
    fits = parseSearch($("search").value, data.names);
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    $("search-error").textContent = error.message;
    return;
  }
  const left = rows.filter((row) => fits(row));
  visible = new Set(left.map((row) => row.number));
  const ended = rows.filter(({ values }) => values.some(Boolean));
  const differ = data.names.map((_, k) => k).filter((k) => new Set(ended.map((row) => row.values[k])).size > 1);
  const same = data.names.map((name, k) => [name, k]).filter(([, k]) => !differ.includes(k));
  $("always").textContent = same.length && ended.length ? `always ${same.map(([name, k]) => `${name} = ${ended[0].values[k]}`).join(", ")}` : "";
  $("counts").textContent = `${left.length} of ${rows.length} outcomes`;
  const head = element("tr"), remarks = rows.some((row) => row.remark);
  head.append(element("th", "runs"));
  if (remarks) head.append(element("th"));
  for (const k of differ) {
    const name = data.names[k], cell = element("th", "", { title: name }), cutAt = name.lastIndexOf(":");
    if (cutAt > 0) cell.append(element("small", name.slice(0, cutAt)));
    cell.append(name.slice(cutAt + 1));
    head.append(cell);
  }
  $("outcomes").tHead.replaceChildren(head);
  $("outcomes").tBodies[0].replaceChildren(...left.slice(0, ROWS).map((row) => {
    const line = element("tr", "", { "data-row": row.number, tabindex: 0, class: row.bad ? "bad" : "" });
    line.append(element("td", row.count));
    const look = { class: `remark ${row.bad ? "bad" : "dim"}` };
    if (!row.values.some(Boolean)) line.append(element("td", row.remark, { ...look, colspan: differ.length + 1 }));
    else {
      if (remarks) line.append(element("td", row.remark, look));
      line.append(...differ.map((k) => element("td", row.values[k])));
    }
    const pick = () => {
      const first = outcomes.indexOf(row.number) + 1;
      if (first) go({ execution: first, step: null }).then(markRow);
    };
    line.addEventListener("click", pick);
    line.addEventListener("keydown", (event) => { if (event.key === "Enter") pick(); });
    return line;
  }));
  $("more").textContent = left.length > ROWS ? `the first ${ROWS} of ${left.length}: search for others` : "";
  markRow();
}

function markRow() {
  const own = shown ? outcomes[shown.number - 1] : outcomes[position().execution - 1];
  for (const line of $("outcomes").tBodies[0].rows) line.setAttribute("aria-selected", Number(line.dataset.row) === own);
}

function search() {
  showOutcomes();
  const at = position(), changes = { search: $("search").value };
  if (visible.size && !$("search-error").textContent && !visible.has(outcomes[at.execution - 1])) {
    const first = outcomes.findIndex((row) => visible.has(row));
    if (first >= 0) Object.assign(changes, { execution: first + 1, step: null });
  }
  go(changes).then(markRow);
}

// The execution after or before the one that is shown, among those that the search leaves.
function neighbour(by) {
  for (let number = position().execution + by; number >= 1 && number <= data.count; number += by)
    if (visible.has(outcomes[number - 1])) {
      go({ execution: number, step: null }).then(markRow);
      return;
    }
}

function move(by) {
  const story = Boolean(shown?.known?.highlight.length), steps = story ? shown.known.highlight.length : shown.steps;
  const now = position().step;
  if (story && now === null) go({ step: by > 0 ? 1 : steps });
  else {
    const to = Math.max(story ? 1 : 0, (now ?? steps) + by);
    go({ step: to > steps || (!story && to === steps) ? null : to });
  }
}

// --- view ---

const stage = new Stage($("stage"), {
  free: true,
  pressed: (target) => {
    const part = target.closest("[data-event]");
    choose(part && part.dataset.event !== chosen ? part.dataset.event : null);
  },
  zoomed: (scale) => { $("zoom").textContent = `${Math.round(100 * scale)}%`; },
});

function fit() {
  if (!stage.svg) return;
  if (stage.room < 0.6 && !NARROW.matches && !document.body.classList.contains("no-right") && !fit.folded) {
    fit.folded = true;
    document.body.classList.add("no-right");
  }
  stage.fit();
  const fault = stage.room < 0.55 && $("drawing").querySelector(".violation");
  if (fault) fault.scrollIntoView({ block: "center", inline: "center" });
}

function fold(side) {
  document.body.classList.toggle(`no-${side}`);
  if (stage.fitted) fit();
}

function sheet(side) {
  const open = document.body.classList.contains(`sheet-${side}`);
  document.body.classList.remove("sheet-left", "sheet-right");
  if (!open) document.body.classList.add(`sheet-${side}`);
  $("tab-outcomes").setAttribute("aria-pressed", !open && side === "left");
  $("tab-program").setAttribute("aria-pressed", !open && side === "right");
}

function resize(side, width) {
  document.body.classList.toggle(`no-${side}`, width < LEAST);
  if (width >= LEAST) document.documentElement.style.setProperty(`--${side}`, `${Math.min(width, innerWidth * 0.6)}px`);
  if (stage.fitted) fit();
}

function splitters() {
  for (const side of ["left", "right"]) {
    const part = $(`split-${side}`), pane = side === "left" ? $("outcome-pane") : $("program-pane");
    const width = (x) => side === "left" ? x : innerWidth - x;
    part.addEventListener("pointerdown", (event) => part.setPointerCapture(event.pointerId));
    part.addEventListener("pointermove", (event) => { if (part.hasPointerCapture(event.pointerId)) resize(side, width(event.clientX)); });
    part.addEventListener("dblclick", () => fold(side));
    part.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      resize(side, pane.offsetWidth + (side === "left" ? by : -by));
    });
  }
}

function lights() {
  $("stage").addEventListener("mouseover", (event) => {
    if (!stage.pointers.size) light(event.target.closest("[data-event]")?.dataset.event ?? chosen);
  });
  $("stage").addEventListener("mouseleave", () => light());
}

const KEYS = {
  ArrowUp: () => neighbour(-1), ArrowDown: () => neighbour(1), ArrowLeft: () => move(-1), ArrowRight: () => move(1),
  "+": () => stage.larger(1.2), "=": () => stage.larger(1.2), "-": () => stage.larger(1 / 1.2), 0: fit, "[": () => fold("left"), "]": () => fold("right"),
  "/": () => $("search").focus(), "?": () => $("keys").showModal(), Escape: () => choose(null),
};

function keyPressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || $("keys").open || !data.count) return;
  const typing = event.target.matches("#search");
  if (typing && event.key === "Escape") event.target.blur();
  if (typing && !["ArrowUp", "ArrowDown"].includes(event.key)) return;
  const part = event.target.closest?.("#drawing [data-event]");
  if (event.key === "Enter" && part) choose(part.dataset.event);
  else if (event.key === "Enter" && event.target.matches("#story li")) event.target.click();
  else if (KEYS[event.key] && !event.target.matches(".splitter")) KEYS[event.key]();
  else return;
  event.preventDefault();
}

// --- start ---

function showControls() {
  const add = (value, name, title, sample = "") => {
    const label = element("label", "", { title }), box = element("input", "", { type: "checkbox", value });
    label.innerHTML = sample;
    label.prepend(box);
    label.append(name);
    box.addEventListener("change", () => go({ relations: [...$("switches").querySelectorAll("input:checked")].map((other) => other.value) }));
    $("switches").append(label);
  };
  for (const { name, look, meaning } of data.relations) add(name, name, meaning, Draw.sample(look));
  $("switches").append(element("hr"));
  for (const [value, meaning] of EXTRAS) add(value, meaning, meaning);
  data.source.forEach((line, k) => {
    const never = data.never.includes(k + 1) ? { class: "never", title: "no execution comes to this line" } : {};
    const item = element("li", line || " ", { value: k + 1, ...never });
    item.addEventListener("mouseenter", () => light(null, String(k + 1)));
    item.addEventListener("mouseleave", () => light());
    $("source").append(item);
  });
  const does = { previous: () => neighbour(-1), next: () => neighbour(1), back: () => move(-1), forth: () => move(1), fit,
    larger: () => stage.larger(1.2), smaller: () => stage.larger(1 / 1.2), "fold-left": () => fold("left"), "fold-right": () => fold("right"),
    help: () => $("keys").showModal(), "tab-outcomes": () => sheet("left"), "tab-program": () => sheet("right") };
  for (const [id, action] of Object.entries(does)) $(id).addEventListener("click", action);
  $("search").addEventListener("input", search);
  document.addEventListener("keydown", keyPressed);
  document.addEventListener("click", (event) => { if (!event.target.closest("#relations")) $("relations").open = false; });
  addEventListener("hashchange", () => show().then(markRow));
  addEventListener("resize", () => { if (stage.fitted) fit(); });
  if (!data.source.length) document.body.classList.add("no-right");
}

async function start() {
  showControls();
  splitters();
  lights();
  const next = reader(await unpack(data.outcomes));
  outcomes = Array.from({ length: data.count }, next);
  rows = data.groups.map(([count, remark, bad, values], number) => ({ number, count, remark, bad: Boolean(bad), values }));
  if (rows.some((row) => row.bad)) $("verdict").className = "bad";
  $("search").value = position().search;
  showOutcomes();
  await show();
  markRow();
}

start();
