"use strict";
// The playground: two editors, and what xgen says about what is in them. Nothing is stored; a link carries both texts.
const PAUSE = 300;               // milliseconds after the last key
const LONG_LINK = 8000;          // characters: too long for some mail programs
// The words of each language; a name that is a word elsewhere is none here.
const WORDS = Object.fromEntries(Object.entries({
  xcfa: "acquire acq_rel and assert assume atomic bool break call cas choice choose const continue do else error exchange false fence fetch_add " +
    "fetch_and fetch_or fetch_sub fetch_xor final for havoc if in init int loc lock mutex not opaque or outcome pick procedure process relaxed release " +
    "require return seq_cst skip start join then true unlock var while",
  c: "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short " +
    "signed sizeof static struct switch typedef union unsigned void volatile while _Atomic _Bool _Noreturn _Thread_local NULL memory_order_acquire " +
    "memory_order_acq_rel memory_order_consume memory_order_relaxed memory_order_release memory_order_seq_cst",
  litmus: "exists final forall forbidden locations not true false",
  mcm: "acyclic as atomically domain empty expects flag for_each_node for_each_thread for_each_thrd for_each_var immediate include intersect " +
    "irreflexive model range rec reflexive same_tag source target union",
}).map(([name, words]) => [name, new Set(words.split(" "))]));
const NONCE = document.querySelector("meta[name=nonce]").content;
let start = null;                // what the server offers
let asking = null;               // the request that is under way
let timer = null, tab = "outcomes", answer = null, held = false;
let chosen = false;              // whether somebody has chosen the tab: else it is what shows the answer best
const extra = new Map();         // answers of the tabs that are asked for on their own
const MOST = 64;                 // outcomes to choose from, for who is asked what they expect
const expected = new Set();      // those that were chosen
const COLUMNS = 4;               // variables that are asked about, if nobody has chosen others
let picked = null;               // the names of these, if somebody has
let asks = "";                   // what an example asks who is taught
let teaching = false, revealed = false;
let spoken = "";                 // the language of the program when its model was chosen
const without = new Set();       // constraints of the model that are left out

// --- editors ---

// The language of a program, from its text, as the server tells it.
function languageOf(text) {
  const words = text.replace(/^(\s|\/\/.*\n|\/\*[^]*?\*\/|\(\*[^]*?\*\))+/, "");
  if (/^[A-Z]\w*[ \t]+\S+[ \t]*\n/.test(words)) return "litmus";
  return words.startsWith("#") || /\bmain ?\(|pthread/.test(words) ? "c" : "xcfa";
}

function tokens(language) {
  return {
    token(stream, state) {
      if (state.comment) {
        if (stream.match(/.*?\*[/)]/)) state.comment = false;
        else stream.skipToEnd();
        return "comment";
      }
      if (stream.match("//") || (stream.sol() && stream.match("#"))) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match("/*") || stream.match("(*")) {
        state.comment = true;
        return "comment";
      }
      if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return "string";
      if (stream.match(/^\d\w*/)) return "number";
      const word = stream.match(/^[A-Za-z_]\w*/);
      if (word) return WORDS[language()].has(word[0]) ? "keyword" : null;
      stream.next();
      return null;
    },
    startState: () => ({ comment: false }),
  };
}

function makeEditor(place, changed, language) {
  if (!window.CodeMirror) {
    const area = element("textarea", "", { spellcheck: "false", "aria-label": place.id });
    area.addEventListener("input", changed);
    place.append(area);
    return { get: () => area.value, set: (text) => { area.value = text; }, mark: () => {} };
  }
  const C = CodeMirror;
  const style = C.HighlightStyle.define([{ tag: C.tags.keyword, class: "tok-keyword" }, { tag: C.tags.number, class: "tok-number" },
    { tag: C.tags.string, class: "tok-string" }, { tag: C.tags.comment, class: "tok-comment" }]);
  let quiet = false, known = "xcfa";  // what the text was when it was read last
  const view = new C.EditorView({ parent: place, extensions: [
    C.EditorView.cspNonce.of(NONCE), C.lineNumbers(), C.history(), C.drawSelection(), C.highlightActiveLine(), C.bracketMatching(), C.search(),
    C.highlightSpecialChars(), C.StreamLanguage.define(tokens(() => language ?? known)), C.syntaxHighlighting(style), C.EditorView.contentAttributes.of({ "aria-label": place.id }),
    C.keymap.of([...C.defaultKeymap, ...C.historyKeymap, ...C.searchKeymap]),
    C.EditorView.updateListener.of((update) => { if (update.docChanged && !quiet) { known = languageOf(update.state.doc.toString()); changed(); } }),
  ] });
  return {
    get: () => view.state.doc.toString(),
    set: (text) => {
      quiet = true;
      known = languageOf(text);
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      quiet = false;
      const comment = language ? /^(\s*\/\/.*\n|\s*\n)+/.exec(text)?.[0].length ?? 0 : 0;  // what a model says of itself is above
      view.dispatch({ effects: C.EditorView.scrollIntoView(comment, { y: "start" }) });
    },
    mark: (error) => {
      const found = [];
      if (error?.line && error.line <= view.state.doc.lines) {
        const line = view.state.doc.line(error.line), from = Math.min(line.to, line.from + (error.column ?? 1) - 1);
        found.push({ from, to: Math.min(line.to, from + 1) || from, severity: "error", message: [error.message, error.hint].filter(Boolean).join("\n") });
      }
      view.dispatch(C.setDiagnostics(view.state, found));
    },
  };
}

const editors = {};

// --- questions ---

function question() {
  const program = editors.program.get(), text = editors.model.get(), name = $("models").value;
  const left = { ...(without.size ? { without: [...without] } : {}), ...options() };
  return name && text === start.models[name] ? { program, model: name, ...left } : { program, model_text: text, ...left };
}

// What the row of options says; what is not said is left out.
function options() {
  const found = {}, kind = languageOf(editors.program.get());
  if (kind === "litmus") return found;
  if (kind === "c" && $("on").value) found.on = $("on").value;
  for (const name of ["unroll", "max_depth"])
    if ($(name).value && $(name).checkValidity()) found[name] = Number($(name).value);
  if ($("liveness").checked) found.liveness = true;
  return found;
}

function showOptions() {
  const kind = languageOf(editors.program.get());
  $("options").hidden = kind === "litmus";
  $("machines").hidden = kind !== "c";
}

async function ask(task, signal) {
  const response = await fetch(`/${task}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question()), signal });
  return response.json();
}

function changed() {
  // A model that was chosen for another language need not know the orders of C.
  if ($("models").value && spoken !== "c" && languageOf(editors.program.get()) === "c") chooseModel("rc11");
  const name = $("models").value;
  $("whose").textContent = name && editors.model.get() === start.models[name] ? "shipped; edit it: then it is yours" : "yours";
  showOptions();
  clearTimeout(timer);
  if (!held) timer = setTimeout(check, PAUSE);
}

async function check() {
  asking?.abort();
  asking = new AbortController();
  extra.clear();
  expected.clear();
  revealed = false;
  $("verdict").classList.add("busy");
  try {
    answer = await ask("check", asking.signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    answer = { error: { message: "the server cannot be reached" } };
  }
  showAnswer();
}

function showAnswer() {
  const { error } = answer, hidden = teaching && !revealed && !error;
  $("verdict").className = hidden ? "" : error ? "wrong" : answer.bad ? "bad" : ["interrupted", "vacuous"].includes(answer.verdict) ? "" : "good";
  $("sentence").textContent = error ? `${error.line ? `${error.where}, line ${error.line}: ` : ""}${error.message}` : hidden ? asks || "Which outcomes do you expect?" : shortened(answer.sentence);
  $("hint").hidden = hidden;  // it tells the answer
  $("notes").replaceChildren(...(error || hidden ? [] : answer.notes ?? []).map((note) => element("li", note.replace(/^note: /, ""))));
  if (error?.hint) $("sentence").textContent += ` (${error.hint})`;
  if (!chosen) tab = answer.calls ? "calls" : answer.bad && !teaching ? "graphs" : "outcomes";
  for (const name of ["program", "model"]) editors[name].mark(error?.where === name ? error : null);
  $("cost").textContent = error ? "" : `${answer.seconds} s of the ${start.seconds} s that a check may take; ${answer.executions} execution${answer.executions === 1 ? "" : "s"}${answer.blocked ? `, and ${answer.blocked} in which a thread waits` : ""}${counts(answer.sentence)}`;
  showTab();
}

// A sentence of a check ends in its counts, which are told below; the model stays.
const FACTS = /^(.*)\((model [^,)]+)(, [^)]*)?\)$/;
const shortened = (sentence) => sentence.replace(FACTS, "$1($2)");
const counts = (sentence) => {
  const facts = FACTS.exec(sentence)?.[3]?.split(", ").filter((fact) => fact && !/^(\d|stopped)/.test(fact)) ?? [];
  return facts.length ? `; ${facts.join(", ")}` : "";
};

// --- tabs ---

function showTab() {
  for (const button of $("tabs").children) {
    button.setAttribute("aria-selected", button.id === `tab-${tab}`);
    button.tabIndex = button.id === `tab-${tab}` ? 0 : -1;
  }
  if (!answer || answer.error) $("tab").replaceChildren();
  else if (teaching && (!revealed || tab === "outcomes")) showExpected();
  else ({ outcomes: showOutcomes, graphs: () => showGraph(0), report: () => $("tab").replaceChildren(element("pre", answer.text)),
    calls: () => showCalls(answer, $("tab")), explain: () => showExtra("explain"), fences: () => showExtra("fences") })[tab]();
}

function showOutcomes() {
  const table = element("table"), head = element("tr"), body = element("tbody");
  const differ = answer.names.map((_, k) => k).filter((k) => new Set(answer.outcomes.map((row) => row.values[k])).size > 1);
  const same = answer.names.map((name, k) => [name, k]).filter(([, k]) => !differ.includes(k));
  head.append(element("th", "runs"), ...differ.map((k) => element("th", answer.names[k])));
  for (const row of answer.outcomes) {
    const line = element("tr", "", { tabindex: "0", class: row.violations ? "bad" : "" });
    line.append(element("td", row.count), ...differ.map((k) => element("td", row.values[k])));
    const place = findState((state) => answer.names.every((name, k) => (state[name] ?? "") === row.values[k]));
    const open = () => { if (place >= 0) showGraphs(place); };
    line.addEventListener("click", open);
    line.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
    body.append(line);
  }
  table.append(element("thead"), body);
  table.tHead.append(head);
  const notes = [];
  if (same.length && answer.outcomes.length) notes.push(element("p", `always ${same.map(([name, k]) => `${name} = ${answer.outcomes[0].values[k]}`).join(", ")}`));
  if (answer.more) notes.push(element("p", `and ${answer.more} more`));
  $("tab").replaceChildren(table, ...notes);
}

// The first complete execution with such a final state: others have none, whatever their variables hold.
const findState = (fits) => answer.states.findIndex((state, n) => answer.complete[n] && fits(state));

// --- teaching: first what is expected, then the answer ---

// The variables that differ, of which some are columns: those of the condition, else a few, or what was chosen.
function columns() {
  const differ = answer.names.map((_, k) => k).filter((k) => new Set(answer.outcomes.map((row) => row.values[k])).size > 1);
  const own = differ.filter((k) => (picked ?? answer.asked ?? []).includes(answer.names[k]));
  return { all: differ, differ: own.length ? own : differ.slice(0, COLUMNS) };
}

// All rows of the values that they have.
function possibleRows() {
  const { all, differ } = columns();
  let rows = [[]];
  for (const k of differ) {
    const values = [...new Set(answer.outcomes.map((row) => row.values[k]))].sort();
    rows = rows.flatMap((row) => values.map((value) => [...row, value])).slice(0, MOST);
  }
  return { all, differ, rows };
}

// Which variables are asked about, where there are more of them.
function columnChoice(all, differ) {
  const list = element("details", "", { id: "columns" });
  list.append(element("summary", `${differ.length} of ${all.length} variables`));
  for (const k of all) {
    const label = element("label"), box = element("input", "", { type: "checkbox", value: answer.names[k] });
    box.checked = differ.includes(k);
    box.disabled = !box.checked && differ.length >= COLUMNS;
    box.addEventListener("change", () => {
      picked = all.filter((other) => (other === k ? box.checked : differ.includes(other))).map((other) => answer.names[other]);
      expected.clear();
      showTab();
      $("columns").open = true;
    });
    label.append(box, ` ${answer.names[k]} `);
    list.append(label);
  }
  return list;
}

function showExpected() {
  const table = element("table"), head = element("tr"), body = element("tbody"), { all, differ, rows } = possibleRows();
  head.append(element("th", revealed ? "you said" : "expected", { class: "expected" }), ...differ.map((k) => element("th", answer.names[k])));
  for (const row of rows) {
    const key = row.join(), line = element("tr"), fits = (values) => differ.every((k, n) => values(k) === row[n]);
    const cell = element("td", "", { class: "expected" });
    line.append(cell, ...row.map((value) => element("td", value)));
    if (revealed) {
      const is = answer.outcomes.some(({ values }) => fits((k) => values[k])), said = expected.has(key);
      line.className = is === said ? "right" : "bad";
      cell.append(`${said ? "yes" : "no"}${is === said ? " ✓" : is ? ": look at the graph" : ": it is not possible"}`);
      const place = findState((state) => fits((k) => state[answer.names[k]] ?? ""));
      if (is && place >= 0) line.addEventListener("click", () => showGraphs(place));
    } else {
      const box = element("input", "", { type: "checkbox", "aria-label": differ.map((k, n) => `${answer.names[k]} = ${row[n]}`).join(", ") });
      box.checked = expected.has(key);
      box.addEventListener("change", () => (box.checked ? expected.add(key) : expected.delete(key)));
      cell.append(box);
    }
    body.append(line);
  }
  table.append(element("thead"), body);
  table.tHead.append(head);
  const button = element("button", "reveal", { id: "reveal" });
  button.addEventListener("click", () => {
    revealed = true;
    showAnswer();
  });
  $("tab").replaceChildren(...(all.length > differ.length && !revealed ? [columnChoice(all, differ)] : []), table, ...(revealed ? [] : [button]));
}

function teach(on) {
  teaching = on;
  $("teach").setAttribute("aria-pressed", on);
  if (answer) showAnswer();
}

function showGraphs(number) {
  tab = "graphs";
  chosen = true;
  showTab();
  showGraph(number);
}

function drawn(picture) {
  const place = element("div", "", { class: "drawing" });
  place.innerHTML = Draw.draw({ ...picture, name: "" }).text;  // every text in it went through Draw.escape
  return place;
}

function showGraph(number) {
  const { pictures } = answer;
  if (!pictures.length) {
    $("tab").replaceChildren(element("p", "there is no execution to draw"));
    return;
  }
  const numbers = element("div", "", { class: "numbers" });
  const kinds = pictures.map((picture, k) => (picture.fault ? "violation" : answer.complete[k] ? "" : "a thread waits"));
  pictures.forEach((picture, k) => {
    if (kinds[k] && kinds[k] !== kinds[k - 1]) numbers.append(element("span", kinds[k]));
    else if (k && kinds[k] !== kinds[k - 1]) numbers.append(element("span", "complete"));
    const button = element("button", k + 1, { "aria-pressed": k === number, class: picture.fault ? "bad" : "" });
    button.addEventListener("click", () => showGraph(k));
    numbers.append(button);
  });
  const state = Object.entries(answer.states[number]).map(([name, value]) => `${name} = ${value}`).join(", ");
  $("tab").replaceChildren(numbers, drawn(pictures[number]), element("p", state));
}

async function showExtra(task) {
  $("tab").replaceChildren(element("p", "..."));
  const mine = answer;
  try {
    if (!extra.has(task)) extra.set(task, ask(task, asking.signal));
    const told = await extra.get(task);
    if (tab !== task || mine !== answer) return;
    const parts = [element("pre", told.error ? told.error.message : told.text), ...(task === "explain" ? [constraints()] : [])];
    if (told.picture) parts.unshift(drawn(told.picture));
    if (told.story?.length) {
      const list = element("ol");
      list.append(...told.story.map((sentence) => element("li", sentence)));
      parts.splice(1, 0, list);
    }
    $("tab").replaceChildren(...parts);
  } catch (error) {
    if (error.name !== "AbortError") $("tab").replaceChildren(element("p", "the server cannot be reached"));
  }
}

// What the model demands, each of which can be left out.
function constraints() {
  const list = element("fieldset");
  list.append(element("legend", "The model demands (without one, what is allowed?)"));
  for (const [name, sentence] of answer.constraints) {
    const label = element("label"), box = element("input", "", { type: "checkbox", value: name });
    box.checked = !without.has(name);
    box.addEventListener("change", () => {
      if (box.checked) without.delete(name);
      else without.add(name);
      check();
    });
    label.append(box, element("b", name), ` ${sentence}`);
    list.append(label);
  }
  return list;
}

// --- links ---

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function makeLink() {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify({ v: 1, ...question(), tab, teach: teaching })));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  location.hash = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const long = location.href.length > LONG_LINK ? " (too long for some mail programs)" : "";
  try {
    await navigator.clipboard.writeText(location.href);
    $("said").textContent = `copied${long}`;
  } catch {
    $("said").textContent = `the address is the link${long}`;
  }
}

async function readLink() {
  const packed = location.hash.slice(1);
  if (!packed) return false;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const given = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
    if (given.v !== 1 || typeof given.program !== "string") return false;
    const own = typeof given.model_text === "string";
    if (["outcomes", "graphs", "explain", "fences", "calls", "report"].includes(given.tab)) {
      tab = given.tab;
      chosen = true;
    }
    teach(given.teach === true);
    $("examples").value = "";
    said("", "");
    editors.program.set(given.program);
    spoken = languageOf(given.program);
    $("models").value = own ? "" : given.model;
    editors.model.set(own ? given.model_text : start.models[given.model] ?? "");
    $("on").value = given.on in start.machines || given.on === "none" ? given.on : "";
    for (const name of ["unroll", "max_depth"]) $(name).value = Number.isInteger(given[name]) ? given[name] : "";
    $("liveness").checked = given.liveness === true;
    without.clear();
    for (const name of Array.isArray(given.without) ? given.without : []) without.add(String(name));
    held = own;
    $("run").hidden = !own;
    if (own) $("sentence").textContent = "a link with a model of its own";
    changed();
    return true;
  } catch {
    $("said").textContent = "the link is broken";
    return false;
  }
}

// --- start ---

function chooseModel(name) {
  spoken = languageOf(editors.program.get());
  $("models").value = name;
  without.clear();
  editors.model.set(start.models[name]);
}

// What is said of an example, and what it asks who is taught.
function said(hint, question) {
  $("hint").textContent = hint;
  asks = question;
  picked = null;
}

function chooseExample(number) {
  const example = start.examples[number];
  editors.program.set(example.text);
  chooseModel(example.model);
  said(example.hint, example.question);
  changed();
}

async function begin() {
  editors.program = makeEditor($("program"), () => {
    $("examples").value = "";  // what is said of an example is about its text
    said("", "");
    changed();
  });
  editors.model = makeEditor($("model"), () => {
    without.clear();
    changed();
  }, "mcm");
  start = await (await fetch("/start")).json();
  $("limits").textContent = `${start.seconds} s and ${start.memory} MiB per check`;
  $("examples").append(element("option", "(yours)", { value: "" }), ...start.examples.map(({ title }, k) => element("option", title, { value: k })));
  $("models").append(element("option", "(yours)", { value: "" }), ...Object.keys(start.models).map((name) => element("option", name, { value: name })));
  $("examples").addEventListener("change", () => { if ($("examples").value !== "") chooseExample($("examples").value); });
  $("models").addEventListener("change", () => {
    if ($("models").value) chooseModel($("models").value);
    changed();
  });
  $("on").append(...Object.keys(start.machines).map((name) => element("option", name, { value: name })));
  $("on").append(element("option", "the text as it stands", { value: "none" }));
  $("on").addEventListener("change", () => {
    if ($("on").value !== "none") chooseModel(start.machines[$("on").value] ?? "rc11");
    changed();
  });
  for (const name of ["unroll", "max_depth", "liveness"]) $(name).addEventListener("input", changed);
  const tabs = [...$("tabs").children];
  tabs.forEach((button, k) => {
    button.addEventListener("click", () => {
      tab = button.id.slice(4);
      chosen = true;
      showTab();
    });
    button.addEventListener("keydown", (event) => {
      const next = { ArrowRight: k + 1, ArrowLeft: k - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
      if (next === undefined) return;
      tabs[next % tabs.length].focus();
      tabs[next % tabs.length].click();
    });
  });
  for (const button of document.querySelectorAll("nav button"))
    button.addEventListener("click", () => showPane(button.dataset.pane));
  $("run").addEventListener("click", () => {
    held = false;
    $("run").hidden = true;
    check();
  });
  $("link").addEventListener("click", makeLink);
  $("teach").addEventListener("click", () => teach(!teaching));
  addEventListener("hashchange", () => { if (document.activeElement !== $("link")) readLink(); });
  showPane("program");
  if (!await readLink()) {
    $("examples").value = 0;
    chooseExample(0);
  }
}

function showPane(name) {
  for (const pane of ["program", "model", "answer"]) $(`${pane}-pane`).classList.toggle("shown", pane === name);
  for (const button of document.querySelectorAll("nav button")) button.setAttribute("aria-pressed", button.dataset.pane === name);
}

begin();
