"use strict";
// The executions of a page: unpacks the rows of numbers that store.py has packed, and makes pictures of them for draw.js
// (what picture.py does; a test compares them).
const CHUNKS_KEPT = 8;
const BETWEEN = ["addr", "data", "ctrl", "rmw", "start", "join"];

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The numbers of packed bytes: each a byte, or 255 and two bytes.
function reader(bytes) {
  let at = 0;
  return () => {
    const byte = bytes[at++];
    if (byte < 255) return byte;
    at += 2;
    return bytes[at - 2] + 256 * bytes[at - 1];
  };
}

class Executions {
  constructor(data, chunkText) {
    this.data = data;
    this.chunkText = chunkText;
    this.chunks = new Map();
    for (const column of data.traces)
      for (const trace of column) {
        trace.reads = [...trace.kinds].filter((kind) => kind === "R").length;
        trace.writes = new Map();
        trace.vars.forEach((v, k) => {
          if (trace.kinds[k] === "W") trace.writes.set(v, (trace.writes.get(v) ?? 0) + 1);
        });
      }
  }

  async row(number) {
    const chunk = Math.floor((number - 1) / this.data.rows);
    if (!this.chunks.has(chunk)) {
      if (this.chunks.size >= CHUNKS_KEPT) this.chunks.delete(this.chunks.keys().next().value);
      this.chunks.set(chunk, unpack(this.chunkText(chunk)).then((bytes) => this.unpackRows(bytes, chunk)));
    }
    return this.whole((await this.chunks.get(chunk))[(number - 1) % this.data.rows]);
  }

  unpackRows(bytes, chunk) {
    const { traces, rows, count } = this.data, next = reader(bytes), fixed = traces.length + 1;
    const found = Array.from({ length: Math.min(rows, count - chunk * rows) }, () => []);
    for (let column = 0; column < fixed; column++) for (const row of found) row.push(next());
    const lengths = found.map((row) => {
      let length = fixed;
      const writes = new Map();
      traces.forEach((column, t) => {
        const trace = column[row[t + 1]];
        length += trace.reads;
        if (t > 0) for (const [v, more] of trace.writes) writes.set(v, (writes.get(v) ?? 0) + more);
      });
      for (const many of writes.values()) length += many > 1 ? many : 0;
      return length;
    });
    for (let column = fixed; column < lengths.reduce((a, b) => Math.max(a, b), 0); column++)
      found.forEach((row, n) => { if (lengths[n] > column) row.push(next()); });
    return found;
  }

  // An execution from its numbers: its events, rf by reads, mo with initial writes first, how it ended.
  whole(row) {
    const { data } = this, events = [], starts = [];
    data.traces.forEach((column, t) => {
      const trace = column[row[t + 1]];
      starts.push(events.length);
      [...trace.kinds].forEach((kind, k) => events.push({ number: events.length, thread: t - 1, place: k, kind,
        id: trace.ids[k], variable: trace.vars[k], merged: trace.merged.includes(k) }));
    });
    let at = data.traces.length + 1;
    const origin = new Map();
    for (const event of events)
      if (event.kind === "R") {
        const from = row[at++];
        if (from) origin.set(event.number, from - 1);
      }
    const mo = data.variables.map((_, v) => {
      const writes = events.filter((event) => event.kind === "W" && event.variable === v).map((event) => event.number);
      const first = writes.filter((n) => events[n].thread < 0);
      let later = writes.filter((n) => events[n].thread >= 0);
      if (later.length > 1) later = later.map(() => row[at++]);
      return [...first, ...later];
    });
    const traces = data.traces.map((column, t) => column[row[t + 1]]);
    return { events, starts, origin, mo, traces, ending: data.endings[row[0]] };
  }

  // All relations that can be shown, but those of the model: lists of pairs of numbers of events.
  relations(execution) {
    const { events, starts, origin, mo, traces, ending } = execution, found = { rf: [], mo: [], fr: [] };
    for (const event of events) if (origin.has(event.number)) found.rf.push([origin.get(event.number), event.number]);
    const following = new Map();
    for (const order of mo)
      for (let k = 1; k < order.length; k++) {
        found.mo.push([order[k - 1], order[k]]);
        following.set(order[k - 1], order[k]);
      }
    for (const [write, read] of found.rf) if (following.has(write)) found.fr.push([read, following.get(write)]);
    for (const name of BETWEEN) {
      found[name] = ending.between.filter(([other]) => other === name).map(([, a, b]) => [a, b]);
      traces.forEach((trace, t) => {
        for (const [other, a, b] of trace.edges) if (other === name) found[name].push([starts[t] + a, starts[t] + b]);
      });
      found[name].sort((one, two) => one[0] - two[0] || one[1] - two[1]);
    }
    found["data-race"] = ending.races;
    return found;
  }

  // The events on which the violations rest; all of them where there is none.
  cause(execution, relations) {
    const { events, ending } = execution, all = events.map((event) => event.number);
    if (!ending.violations.length) return new Set(all);
    const before = new Map();
    const within = events.slice(1).filter((event, k) => event.thread >= 0 && events[k].thread === event.thread)
      .map((event) => [event.number - 1, event.number]);
    for (const [a, b] of [...within, ...relations.start, ...relations.join, ...relations.rf]) before.set(b, [...before.get(b) ?? [], a]);
    const threads = ending.violations.filter(([, named]) => !named.length).map(([thread]) => thread);
    const named = ending.violations.flatMap(([, ids]) => ids);
    const work = all.filter((n) => threads.includes(events[n].thread) || named.includes(events[n].id)), found = new Set(work);
    while (work.length)
      for (const a of before.get(work.pop()) ?? [])
        if (!found.has(a)) {
          found.add(a);
          work.push(a);
        }
    return found;
  }

  // The events in an order in which reads come after what they read, as far as there is one.
  steps(execution) {
    const { events, origin } = execution, step = new Map(), next = new Map();
    const mine = (t) => events.filter((event) => event.thread === t);
    const threads = [...new Set(events.map((event) => event.thread))].filter((t) => t >= 0);
    for (const t of threads) next.set(t, mine(t));
    const ready = (event) => !origin.has(event.number) || events[origin.get(event.number)].thread < 0 || step.has(origin.get(event.number));
    while (true) {
      const open = threads.filter((t) => next.get(t).length);
      if (!open.length) return step;
      const thread = open.find((t) => ready(next.get(t)[0])) ?? open[0];
      do step.set(next.get(thread)[0].number, step.size), next.get(thread).shift();
      while (next.get(thread).length && ready(next.get(thread)[0]));
    }
  }

  // The picture of an execution; `derived`: pairs of the model's relations, by name; `focus`: the id of an event.
  picture(execution, show, { derived = {}, highlight = [], focus = null } = {}) {
    const { events, origin, traces, ending } = execution, relations = this.relations(execution);
    const all = Object.entries({ ...relations, ...derived })
      .flatMap(([name, pairs]) => show.includes(name) ? pairs.map(([a, b]) => [name, a, b]) : []);
    const hot = highlight.flatMap(([name, a, b], k) => immediate(events, name, a, b).map((edge) => [...edge, k + 1]));
    const initial = new Set();
    for (const [, a, b] of show.includes("init") ? [...hot, ...all] : hot)
      for (const n of [a, b]) if (events[n].thread < 0) initial.add(n);
    const edges = all.filter((edge) => this.isDrawn(execution, show, ...edge));
    const step = this.steps(execution), columns = new Map();
    for (const t of ending.shown) {
      const items = this.items(execution, t, show, step, highlight.flatMap(([, a, b]) => [a, b]));
      if (items.length) columns.set(t, items);
    }
    const order = reorder([...columns.keys()], edges.map(([, a, b]) => [events[a].thread, events[b].thread]));
    const place = new Map(), first = [...initial].sort((a, b) => a - b);
    const boxes = first.map((n) => traces[0].items[traces[0].of[events[n].place]]);
    boxes.forEach((item, k) => place.set(item.id, k));
    let count = boxes.length;
    for (const t of order)
      for (const { ids } of columns.get(t)) {
        for (const id of ids) place.set(id, count);
        count++;
      }
    const named = order.map((t) => ({ name: this.data.threads[t], items: columns.get(t).map(({ item }) => item) }));
    const cause = this.cause(execution, relations);
    const keep = (a, b) => focus === null ? cause.has(a) && cause.has(b) : [events[a].id, events[b].id].includes(focus);
    const picture = { name: "", fault: "", aside: "", columns: boxes.length ? [{ name: "initially", items: boxes }, ...named] : named,
      edges: [], steps: [], frames: this.frames(execution, [...columns.keys()], place), notice: "", quiet: "", po: show.includes("po"),
      looks: {}, legend: [] };
    const ends = highlight.flatMap(([, a, b]) => [a, b]).map((n) => place.get(events[n].id)).filter((n) => n !== undefined);
    picture.hot = [...new Set(ends)].sort((a, b) => a - b);
    const steps = new Map([...hot].reverse().map(([name, a, b, k]) => [`${name} ${a} ${b}`, k]));
    const unique = new Map([...edges, ...hot].map(([name, a, b]) => [`${name} ${a} ${b}`, [name, a, b]]));
    const drawn = new Map(), along = new Map();
    for (const [key, [relation, a, b]] of unique) {
      const one = place.get(events[a].id), two = place.get(events[b].id);
      if (one === undefined || two === undefined || one === two) continue;
      const within = relation === "po" && events[a].thread === events[b].thread && events[a].thread >= 0;
      if (within && two < one) continue;  // to the next of several rounds that are one
      const found = within && two === one + 1 ? along : drawn, pair = `${relation} ${one} ${two}`;
      const edge = { relation, a: one, b: two, step: steps.get(key) ?? 0, keep: keep(a, b) };
      if (!found.has(pair) || (edge.step && !found.get(pair).step)) found.set(pair, edge);
    }
    picture.edges = [...drawn.values()];
    picture.steps = [...along.values()];
    const idle = ending.shown.filter((t) => !columns.has(t)).map((t) => this.data.threads[t]);
    if (idle.length) picture.quiet = `no events: ${idle.join(", ")}`;
    for (const { name, look } of this.data.relations) picture.looks[name] = look;
    for (const { relation } of picture.edges) picture.looks[relation] ??= "derived-0";
    return picture;
  }

  isDrawn({ events, origin }, show, name, a, b) {
    if ((events[a].thread < 0 || events[b].thread < 0) && !show.includes("init")) return false;
    if (show.includes("implied")) return true;
    if ((name === "mo" || name === "fr") && events[a].thread === events[b].thread && a < b) return false;
    return !(name === "mo" && events[b].merged && origin.get(b - 1) === a);
  }

  // The boxes of a thread, each with the ids of the events that it stands for.
  items({ events, origin, traces, starts, ending }, t, show, step, apart) {
    const trace = traces[t + 1], of = this.boxes(trace, starts[t + 1], origin, apart);
    const found = trace.items.map((item) => ({ ids: [], item: { ...item } }));
    const rounds = found.map(() => new Set());
    of.forEach((place, k) => {
      const { ids, item } = found[place], number = starts[t + 1] + k;
      rounds[place].add(trace.of[k]);
      if (!ids.length) {
        item.step = step.get(number);
        if (origin.has(number) && events[origin.get(number)].thread < 0 && !show.includes("init")) item.chips = [...item.chips, "init"];
      }
      ids.push(trace.ids[k]);
      const chip = ending.wrong[trace.ids[k]];
      if (chip && !item.wrong) {
        item.wrong = true;
        item.chips = [...item.chips, chip];
      } else if (chip === "wrong") item.chips = item.chips.map((own) => own === "leads here" ? chip : own);
    });
    found.forEach(({ item }, place) => {
      if (rounds[place].size < 2) return;
      item.text += ` ×${rounds[place].size}`;
      item.title += `, ${rounds[place].size} times`;
    });
    return this.ended(found.filter(({ ids }) => ids.length), ending.marks[t]);
  }

  // Of each event of a thread its box; rounds that read what the round before read are one, but those with events apart.
  boxes(trace, start, origin, apart) {
    const of = [...trace.of];
    for (const [first, size, count] of trace.repeated)
      for (let k = first + size; k < first + size * count; k += size) {
        const round = Array.from({ length: size }, (_, n) => k + n);
        if (round.every((n) => origin.get(start + n) === origin.get(start + n - size) && !apart.includes(start + n)))
          for (const n of round) of[n] = of[n - size];
      }
    return of;
  }

  // The boxes with how a thread ended: a chip of the last one, or boxes of their own.
  ended(found, marks) {
    const last = found.at(-1);
    for (const mark of marks) {
      if (mark.kind === "end" && last) last.item.chips = [...last.item.chips, mark.text];
      else found.push({ ids: [mark.id], item: mark });
    }
    return found;
  }

  frames({ events, ending, traces }, threads, place) {
    const found = [];
    for (const t of threads) {
      const mine = events.filter((event) => event.thread === t && place.has(event.id));
      for (const [from, to, text] of traces[t + 1].frames) {
        const a = place.get(mine[from].id), b = place.get(mine[to].id);
        if (b > a) found.push({ a, b, text });
      }
      const rounds = mine.filter((event) => ending.rounds[t].includes(event.id)).map((event) => place.get(event.id));
      if (rounds.length) found.push({ a: rounds[0], b: rounds.at(-1), text: "again and again" });
    }
    return found;
  }
}

function immediate(events, name, a, b) {
  if (name !== "po" || events[a].thread !== events[b].thread || events[a].thread < 0 || a >= b) return [[name, a, b]];
  return Array.from({ length: b - a }, (_, k) => ["po", a + k, a + k + 1]);
}

// Threads from left to right, so that the ends of edges are nearer, if that saves a quarter.
function reorder(threads, edges) {
  if (threads.length <= 4) return threads;
  const weights = new Map();
  for (const [a, b] of edges)
    if (a !== b && threads.includes(a) && threads.includes(b)) {
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      weights.set(key, (weights.get(key) ?? 0) + 1);
    }
  const length = (order) => {
    const place = new Map(order.map((t, k) => [t, k]));
    let sum = 0;
    for (const [key, count] of weights) {
      const [a, b] = key.split(" ").map(Number);
      sum += Math.abs(place.get(a) - place.get(b)) * count;
    }
    return sum;
  };
  let order = threads, best = length(order), improved = true;
  const first = best;
  while (improved) {
    improved = false;
    for (let taken = 0; taken < order.length; taken++)
      for (let put = 0; put < order.length; put++) {
        const tried = order.filter((_, k) => k !== taken);
        tried.splice(put, 0, order[taken]);
        const found = length(tried);
        if (found < best) [order, best, improved] = [tried, found, true];
      }
  }
  return 4 * best <= 3 * first ? order : threads;
}
