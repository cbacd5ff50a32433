"use strict";
// Draws pictures of executions (picture.py) as SVG: the rules of labels.py, tracks.py, layout.py and svg.py, step by
// step, in whole pixels. Both write the same text; a test compares them.
const Draw = (() => {
  const CHARACTER = 8, SMALL = 6, PORT = 8, TRACK = 12, LANE = 10, MARGIN = 12, HEADER = 32, CAPTION = 24, LINE = 18, FURTHER = 16;
  const MANY_ROWS = 12, MANY_TRACKS = 16, WIDE = 3000, CURVES = 6, LONGEST = 240, HEAD = 9;
  const AIR = 6, ROUNDS = 12, STEEP = 320;
  const CELL = 48, CLEAR = 3, STEP = 4, CANDIDATES = 30, PARTS = 6, SHARES = [6, 5, 7, 4, 8, 3, 9], HEIGHT = 14;
  const CORNER = 9, KINK = 18, BLANK = "\u00a0", MARKED = new Set(["init", "leads here", "wrong"]);
  const DOUBLE = [[0x1100, 0x115f], [0x2e80, 0xa4cf], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe30, 0xfe6f], [0xff00, 0xff60],
    [0xffe0, 0xffe6], [0x1f300, 0x1faff], [0x20000, 0x3fffd]];
  const half = (number) => Math.floor(number / 2);
  const sign = (number) => (number > 0) - (number < 0);

  function textWidth(text) {
    let width = 0;
    for (const char of text) {
      const code = char.codePointAt(0);
      width += code >= 0x1100 && DOUBLE.some(([a, b]) => a <= code && code <= b) ? 2 : 1;
    }
    return width;
  }

  const labelWidth = (text) => 7 * textWidth(text) + 6;

  // --- labels ---

  function curvePoint([a, b], [c, d], t) {
    const u = 12 - t, middle = half(a + c), inner = 3 * t * u * u + 3 * t * t * u;
    return [Math.floor((u * u * u * a + inner * middle + t * t * t * c) / 1728),
      Math.floor(((u * u * u + 3 * t * u * u) * b + (t * t * t + 3 * t * t * u) * d) / 1728)];
  }

  class Labels {
    cells = new Map();

    add(left, top, right, bottom, owner) {
      for (let i = Math.floor(left / CELL); i <= Math.floor(right / CELL); i++)
        for (let j = Math.floor(top / CELL); j <= Math.floor(bottom / CELL); j++) {
          const key = i * 65536 + j;
          if (!this.cells.has(key)) this.cells.set(key, []);
          this.cells.get(key).push([left, top, right, bottom, owner]);
        }
    }

    addWays(ways, curved, owner) {
      for (const way of ways) {
        const points = curved ? Array.from({ length: 13 }, (_, share) => curvePoint(way[0], way[1], share)) : way;
        for (let k = 1; k < points.length; k++) {
          const [a, b] = points[k - 1], [c, d] = points[k];
          this.add(Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d), owner);
        }
      }
    }

    put(ways, curved, owner, text, needed) {
      const wide = half(labelWidth(text)), places = curved ? onCurve(ways[0]) : onLines(ways, wide);
      let found = places.find((place) => this.isFree(place, wide, owner));
      if (!found && needed) found = places[0];
      if (!found) return null;
      this.add(found[0] - wide, found[1] - HEIGHT / 2, found[0] + wide, found[1] + HEIGHT / 2, -1);
      return found;
    }

    isFree([x, y], wide, owner) {
      const left = x - wide - CLEAR, right = x + wide + CLEAR, top = y - HEIGHT / 2 - CLEAR, bottom = y + HEIGHT / 2 + CLEAR;
      if (left < 0) return false;
      for (let i = Math.floor(left / CELL); i <= Math.floor(right / CELL); i++)
        for (let j = Math.floor(top / CELL); j <= Math.floor(bottom / CELL); j++)
          for (const taken of this.cells.get(i * 65536 + j) ?? [])
            if (taken[4] !== owner && left < taken[2] && taken[0] < right && top < taken[3] && taken[1] < bottom) return false;
      return true;
    }
  }

  function onCurve(way) {
    const points = SHARES.map((share) => curvePoint(way[0], way[1], share));
    return [...points, ...points.flatMap(([x, y]) => [[x, y - 12], [x, y + 12]])];
  }

  function onLines(ways, wide) {
    const parts = new Map();
    for (const way of ways)
      for (let k = 1; k < way.length; k++) parts.set([...way[k - 1], ...way[k]].join(), [...way[k - 1], ...way[k]]);
    const length = ([a, b, c, d]) => Math.abs(a - c) + Math.abs(b - d);
    const longest = [...parts.values()].sort((one, two) => length(two) - length(one)).slice(0, PARTS);
    const places = [];
    for (const beside of [0, 1, -1])
      for (const part of longest) {
        const [a, b, c, d] = part, x = half(a + c), y = half(b + d);
        const steps = Math.min(CANDIDATES, Math.floor(length(part) / STEP));
        for (let k = 0; k < steps; k++) {
          const moved = STEP * half(k + 1) * (k % 2 ? 1 : -1);
          places.push(a === c ? [x + beside * (wide + 5), y + moved] : [x + moved, y + beside * 12]);
        }
      }
    return places;
  }

  // --- tracks ---

  const top = (use) => use.top, bottom = (use) => use.bottom;

  function makeUse(bundle, which, stubs) {
    const heights = stubs.map(([y]) => y);
    return { bundle, which, stubs, place: 0, top: Math.min(...heights), bottom: Math.max(...heights) };
  }

  function orderTracks(uses) {
    const order = [...uses].sort((a, b) => top(a) - top(b) || bottom(a) - bottom(b) || a.bundle - b.bundle || a.which - b.which);
    for (let round = 0; round < ROUNDS; round++) {
      let changed = false;
      for (let k = 0; k + 1 < order.length; k++) {
        const a = order[k], b = order[k + 1];
        if (crossings(b, a) < crossings(a, b)) {
          [order[k], order[k + 1]] = [b, a];
          changed = true;
        }
      }
      if (!changed) break;
    }
    return order;
  }

  function crossings(left, right) {
    let count = 0;
    for (const [y, side] of left.stubs) count += side > 0 && right.top <= y && y <= right.bottom;
    for (const [y, side] of right.stubs) count += side < 0 && left.top <= y && y <= left.bottom;
    return count;
  }

  function assignTracks(order) {
    order.forEach((use, k) => {
      use.place = 0;
      for (const other of order.slice(0, k))
        if (!(other.bottom + AIR < use.top || use.bottom + AIR < other.top)) use.place = Math.max(use.place, other.place + 1);
    });
    return order.reduce((most, use) => Math.max(most, use.place + 1), 0);
  }

  function curvesFit(ends) {
    return ends.every(([a, b], k) => Math.abs(a - b) <= STEEP && ends.slice(0, k).every(([c, d]) => {
      const near = Math.min(Math.abs(a - c), Math.abs(b - d)), far = Math.max(Math.abs(a - c), Math.abs(b - d));
      return near >= (a < c !== b < d ? 20 : 8) && far >= 24;
    }));
  }

  // --- places ---

  const lineOf = (item) => item.line || item.other;

  function firstWidth(item, compact) {
    const chips = item.chips.reduce((sum, chip) => sum + SMALL * textWidth(chip) + 16, 0);
    return CHARACTER * textWidth(item.text) + chips + (compact && lineOf(item) ? 30 : 0);
  }

  function textPixels(item, compact) {
    const number = compact && lineOf(item) ? 30 : 0;
    return Math.max(firstWidth(item, compact), ...item.more.map((line) => CHARACTER * textWidth(line) + number));
  }

  const caption = (picture) => [picture.name, picture.fault, picture.aside].filter(Boolean).join(" ");
  const highlighted = (picture) => picture.steps.length > 0 || picture.edges.some((edge) => edge.step);

  function arrange(picture) {
    const edges = picture.edges.map((_, n) => n).filter((n) => picture.edges[n].a !== picture.edges[n].b);
    let kept = edges, found = null;
    for (let stage = 0; stage < 4 && !found; stage++) {
      if (stage)
        kept = kept.filter((n) => picture.edges[n].step || (stage === 1 && picture.edges[n].keep) ||
          (stage === 2 && picture.edges[n].relation === "rf"));
      found = new Placing(picture, kept).layout();
    }
    found.leftOut = edges.length - kept.length;
    return found;
  }

  class Placing {
    constructor(picture, kept) {
      this.picture = picture;
      this.cells = picture.columns.flatMap((column, c) => column.items.map((_, r) => [c, r]));
      this.items = picture.columns.flatMap((column) => column.items);
      this.lengths = picture.columns.map((column) => column.items.length);
      this.rows = Math.max(0, ...this.lengths);
      this.compact = this.rows > MANY_ROWS;
      this.base = this.compact ? 24 : 40;
      this.bundles = this.collect(kept);
      this.load = new Array(this.lengths.length + 1).fill(0);
      for (const bundle of this.bundles) {
        this.plan(bundle);
        for (const channel of bundle.channels) this.load[channel]++;
      }
    }

    collect(kept) {
      const found = [], known = new Map();
      for (const number of kept) {
        const { relation, a, b, step } = this.picture.edges[number], forward = relation !== "fr";
        const [anchor, other] = forward ? [a, b] : [b, a], key = `${relation} ${anchor} ${this.cells[other][0]}`;
        if ((relation === "rf" || relation === "fr") && !step && known.has(key)) {
          known.get(key).others.push(other);
          continue;
        }
        const bundle = { relation, anchor, others: [other], forward, step, number: found.length, sides: [0, 0], channels: [],
          gap: -1, lane: 0, port: 0, ports: [], tracks: [], curved: false, ways: [], label: null };
        found.push(bundle);
        if (!step) known.set(key, bundle);
      }
      for (const bundle of found) {
        bundle.others.sort((a, b) => a - b);
        const name = bundle.others.length > 1 ? `${bundle.relation} ×${bundle.others.length}` : bundle.relation;
        bundle.text = bundle.step ? `${bundle.step} ${name}` : name;
      }
      return found;
    }

    plan(bundle) {
      const [a, rowA] = this.cells[bundle.anchor], [b, rowB] = this.cells[bundle.others[0]];
      if (a === b) {
        const side = this.outerSide(a);
        bundle.sides = [side, side];
        bundle.channels = [side < 0 ? a : a + 1];
      } else if (a < b) {
        bundle.sides = [1, -1];
        bundle.channels = b === a + 1 ? [a + 1] : [a + 1, b];
      } else {
        bundle.sides = [-1, 1];
        bundle.channels = b === a - 1 ? [a] : [a, b + 1];
      }
      if (bundle.channels.length === 2) bundle.gap = this.chooseGap(a, b, rowA, rowB);
    }

    outerSide(column) {
      const last = this.lengths.length - 1;
      if (last > 0 && (column === 0 || column === last)) return column === 0 ? -1 : 1;
      return this.load[column] < this.load[column + 1] ? -1 : 1;
    }

    chooseGap(a, b, rowA, rowB) {
      let [low, high] = rowA < rowB ? [rowA + 1, rowB] : [rowB + 1, rowA];
      if (rowA === rowB) [low, high] = [rowA, rowA + 1];
      const deepest = Math.max(...this.lengths.slice(Math.min(a, b) + 1, Math.max(a, b)));
      if (deepest <= high) return Math.max(low, deepest);
      return rowA < rowB ? rowA + 1 : rowA;
    }

    layout() {
      const sides = this.orderPorts(), lanes = this.assignLanes();
      this.placeRows(sides, lanes);
      this.placePorts(sides);
      const channels = this.orderChannels(), widths = this.placeColumns(channels);
      if (this.bundles.length && (Math.max(...this.counts) > MANY_TRACKS || this.right > WIDE)) return null;
      this.placeTracks(channels);
      for (const bundle of this.bundles) this.draw(bundle);
      const boxes = this.cells.map(([c, r], n) => [this.lefts[c], this.tops[r], widths[c], this.heights[n]]);
      let last = -1;
      const columns = this.lengths.map((length, c) => {
        last += length;
        const below = this.below.get(`${c} ${length - 1}`) ?? 0;
        const end = length ? boxes[last][1] + boxes[last][3] + below : this.top + HEADER;
        return [this.lefts[c] - 6, this.top, widths[c] + 12, end + 8 - this.top];
      });
      const result = { width: this.right, height: this.bottom, compact: this.compact, boxes, columns,
        frames: this.frameAreas(boxes), bundles: this.bundles, steps: [], leftOut: 0 };
      this.putLabels(result);
      return result;
    }

    orderPorts() {
      const sides = new Map();
      const touch = (item, side, end) => {
        const key = `${item} ${side}`;
        if (!sides.has(key)) sides.set(key, { item, side, ends: [] });
        sides.get(key).ends.push(end);
      };
      for (const bundle of this.bundles) {
        const middle = bundle.others[half(bundle.others.length)];
        const far = bundle.gap >= 0 ? 2 * bundle.gap : 2 * this.cells[middle][1] + 1;
        const near = bundle.gap >= 0 ? 2 * bundle.gap : 2 * this.cells[bundle.anchor][1] + 1;
        touch(bundle.anchor, bundle.sides[0], [far, bundle.number, -1]);
        bundle.others.forEach((other, place) => touch(other, bundle.sides[1], [near, bundle.number, place]));
        bundle.ports = new Array(bundle.others.length).fill(0);
      }
      const found = [...sides.values()];
      for (const { ends } of found) ends.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
      return found;
    }

    assignLanes() {
      const used = new Map();
      for (const bundle of this.bundles) {
        if (bundle.gap < 0) continue;
        const low = Math.min(...bundle.channels), high = Math.max(...bundle.channels);
        if (!used.has(bundle.gap)) used.set(bundle.gap, []);
        const lanes = used.get(bundle.gap);
        let lane = 0;
        while (lane < lanes.length && lanes[lane].some(([a, b]) => low <= b && a <= high)) lane++;
        if (lane === lanes.length) lanes.push([]);
        lanes[lane].push([low, high]);
        bundle.lane = lane;
      }
      return new Map([...used].map(([gap, lanes]) => [gap, lanes.length]));
    }

    placeRows(sides, lanes) {
      const { picture, compact } = this;
      this.heights = this.items.map((item) => this.base + FURTHER * item.more.length);
      for (const { item, ends } of sides) this.heights[item] = Math.max(this.heights[item], 8 + PORT * ends.length);
      const rowHeights = new Array(this.rows).fill(0);
      this.cells.forEach(([, row], n) => { rowHeights[row] = Math.max(rowHeights[row], this.heights[n]); });
      const above = new Array(this.rows + 1).fill(0), under = new Array(this.rows + 1).fill(0);
      this.below = new Map();
      for (const frame of picture.frames) {
        above[this.cells[frame.a][1]] = 16;
        under[this.cells[frame.b][1] + 1] = 8;
        this.below.set(this.cells[frame.b].join(" "), 8);
      }
      for (const edge of picture.steps) {
        const row = this.cells[edge.b][1];
        above[row] = Math.max(above[row], compact ? 24 : 8);
      }
      this.top = MARGIN + (caption(picture) ? CAPTION : 0) + LINE * ((picture.quiet ? 1 : 0) + (picture.notice ? 1 : 0));
      let y = this.top + HEADER;
      this.tops = [];
      this.lanes = new Map();
      for (let row = 0; row <= this.rows; row++) {
        const count = lanes.get(row) ?? 0;
        let gap = row === 0 ? 0 : compact ? 8 : 24;
        if (row === this.rows) gap = count ? 24 : 8;
        if (count) gap = Math.max(gap, 16) + LANE * (count - 1);
        for (let lane = 0; lane < count; lane++) {
          const first = Math.max(8, half(gap - LANE * (count - 1)));
          this.lanes.set(`${row} ${lane}`, y + under[row] + first + LANE * lane);
        }
        y += under[row] + gap + above[row];
        y = Math.floor((y + 7) / 8) * 8;
        if (row < this.rows) {
          this.tops.push(y);
          y += rowHeights[row];
        }
      }
      this.bottom = y + MARGIN;
    }

    placePorts(sides) {
      for (const { item, side, ends } of sides) {
        const slots = Math.floor(this.heights[item] / PORT) - (side < 0 ? 1 : 0), first = half(slots - ends.length);
        const start = this.tops[this.cells[item][1]] + (side < 0 ? PORT : PORT / 2);
        ends.forEach(([, number, end], place) => {
          const y = start + PORT * (first + place);
          if (end < 0) this.bundles[number].port = y;
          else this.bundles[number].ports[end] = y;
        });
      }
    }

    lane(bundle) {
      return this.lanes.get(`${bundle.gap} ${bundle.lane}`);
    }

    orderChannels() {
      const channels = this.load.map(() => []);
      for (const bundle of this.bundles) {
        bundle.tracks = bundle.channels.map(() => 0);
        const [start, end] = bundle.sides, ends = bundle.ports.map((y) => [y, -end]);
        if (bundle.gap < 0) channels[bundle.channels[0]].push(makeUse(bundle.number, 0, [[bundle.port, -start], ...ends]));
        else {
          const lane = this.lane(bundle);
          channels[bundle.channels[0]].push(makeUse(bundle.number, 0, [[bundle.port, -start], [lane, start]]));
          channels[bundle.channels[1]].push(makeUse(bundle.number, 1, [[lane, end], ...ends]));
        }
      }
      return channels.map(orderTracks);
    }

    placeColumns(channels) {
      const widths = this.picture.columns.map((column) => {
        let width = Math.max(56, CHARACTER * textWidth(column.name) + 8);
        for (const item of column.items) {
          width = Math.max(width, textPixels(item, this.compact) + 16);
          if (!this.compact) width = Math.max(width, Math.min(LONGEST, SMALL * textWidth(item.small)) + 16);
        }
        return half(width + 1) * 2;
      });
      this.lefts = [];
      this.channels = [];
      this.counts = [];
      let x = MARGIN;
      const last = widths.length;
      channels.forEach((uses, channel) => {
        const count = assignTracks(uses), inner = 0 < channel && channel < last;
        let width = count ? 44 + TRACK * (count - 1) : inner ? 32 : 6;
        if (inner && this.isCurved(uses)) width = highlighted(this.picture) ? 104 : 92;
        this.channels.push([x, x + width]);
        this.counts.push(count);
        x += width;
        if (channel < last) {
          this.lefts.push(x);
          x += widths[channel];
        }
      });
      const lines = [SMALL * textWidth(this.picture.notice), SMALL * textWidth(this.picture.quiet), CHARACTER * textWidth(caption(this.picture))];
      this.right = Math.max(x + MARGIN, 2 * MARGIN + Math.max(...lines));
      return widths;
    }

    isCurved(uses) {
      const alone = uses.map((use) => this.bundles[use.bundle]);
      const simple = 0 < alone.length && alone.length <= CURVES &&
        alone.every((b) => b.gap < 0 && b.others.length === 1 && b.sides[0] !== b.sides[1]);
      const fits = simple && curvesFit(alone.map((b) => b.sides[0] > 0 ? [b.port, b.ports[0]] : [b.ports[0], b.port]));
      if (fits) for (const bundle of alone) bundle.curved = true;
      return fits;
    }

    placeTracks(channels) {
      channels.forEach((uses, channel) => {
        const [left, right] = this.channels[channel], first = this.counts[channel] ? left + 22 : half(left + right);
        for (const use of uses) this.bundles[use.bundle].tracks[use.which] = first + TRACK * use.place;
      });
    }

    sideX(item, side) {
      const column = this.cells[item][0];
      return side < 0 ? this.channels[column][1] : this.channels[column + 1][0];
    }

    draw(bundle) {
      const start = [this.sideX(bundle.anchor, bundle.sides[0]), bundle.port];
      bundle.others.forEach((other, place) => {
        const y = bundle.ports[place], end = [this.sideX(other, bundle.sides[1]), y];
        if (bundle.curved) bundle.ways.push([start, end]);
        else if (bundle.gap < 0) {
          const track = bundle.tracks[0];
          bundle.ways.push([start, [track, start[1]], [track, y], end]);
        } else {
          const [one, two] = bundle.tracks, lane = this.lane(bundle);
          bundle.ways.push([start, [one, start[1]], [one, lane], [two, lane], [two, y], end]);
        }
      });
    }

    frameAreas(boxes) {
      return this.picture.frames.map((frame) => {
        const one = boxes[frame.a], two = boxes[frame.b];
        const out = this.picture.frames.some((f) => f !== frame && frame.a <= f.a && f.b <= frame.b) ? 5 : 3;
        return [one[0] - out, one[1] - 12, one[2] + 2 * out, two[1] + two[3] + 13 + out - one[1]];
      });
    }

    putLabels(layout) {
      const labels = new Labels();
      for (const [x, y, width, height] of layout.boxes) labels.add(x, y, x + width, y + height, -1);
      for (let n = 1; n < this.cells.length; n++)
        if (this.cells[n][0] === this.cells[n - 1][0]) {
          const [x, y, width, height] = layout.boxes[n - 1], middle = x + half(width);
          labels.add(middle, y + height, middle, layout.boxes[n][1], -1);
        }
      for (const [x, y, width, height] of layout.frames) {
        labels.add(x, y, x, y + height, -1);
        labels.add(x + width, y, x + width, y + height, -1);
      }
      const told = new Set();
      for (const edge of this.picture.steps) {
        if (told.has(edge.step)) continue;
        told.add(edge.step);
        const [x, y, width, height] = layout.boxes[edge.a];
        const point = [x + half(width), half(y + height + layout.boxes[edge.b][1])];
        layout.steps.push([edge.step, point]);
        labels.add(point[0] - 20, point[1] - 8, point[0] + 20, point[1] + 8, -1);
      }
      for (const bundle of layout.bundles) {
        labels.addWays(bundle.ways, bundle.curved, bundle.number);
        for (const way of bundle.ways) {
          const [[x, y], [inner]] = bundle.forward ? [way.at(-1), way.at(-2)] : way, left = inner < x ? x - HEAD : x;
          labels.add(left, y - 3, left + HEAD, y + 3, -1);
        }
      }
      for (const bundle of hotFirst(layout.bundles)) {
        bundle.label = labels.put(bundle.ways, bundle.curved, bundle.number, bundle.text, Boolean(bundle.step));
        if (bundle.label) layout.width = Math.max(layout.width, bundle.label[0] + half(labelWidth(bundle.text)) + MARGIN);
      }
    }
  }

  const hotFirst = (bundles) => [...bundles.filter((b) => b.step), ...bundles.filter((b) => !b.step)];

  // --- text ---

  function escape(text) {
    return text.replace(/[\p{C}\p{Z}]/gu, (char) => char === " " ? char : "?").replace(/&/g, "&amp;").replace(/</g, "&lt;")
      .replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  }

  function drawing(picture, layout) {
    const items = picture.columns.flatMap((column) => column.items), hot = new Set(picture.hot);
    return [...header(picture), ...columns(picture, layout), ...(picture.po ? programOrder(picture, layout, items) : []),
      ...frames(picture, layout), ...items.map((item, n) => box(item, layout.boxes[n], layout.compact, hot.has(n))),
      ...relations(picture, layout, items), ...badges(layout)];
  }

  function header(picture) {
    const lines = [];
    let y = MARGIN + 12;
    if (caption(picture)) {
      let parts = `<tspan class="name">${escape(picture.name)}</tspan>`;
      for (const [look, text] of [["fault", picture.fault], ["aside", picture.aside]])
        if (text) parts += `<tspan class="${look}">${BLANK}${escape(text)}</tspan>`;
      lines.push(`<text class="caption" x="${MARGIN}" y="${y}">${parts}</text>`);
      y += 24;
    }
    for (const text of [picture.quiet, picture.notice])
      if (text) {
        lines.push(`<text class="aside" x="${MARGIN}" y="${y}">${escape(text)}</text>`);
        y += LINE;
      }
    return lines;
  }

  function columns(picture, layout) {
    return picture.columns.flatMap((column, c) => {
      const [x, y, width, height] = layout.columns[c];
      return [`<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`,
        `<text class="thread" x="${x + half(width)}" y="${y + 19}">${escape(column.name)}</text>`];
    });
  }

  function frames(picture, layout) {
    return picture.frames.map((frame, n) => {
      const [x, y, width, height] = layout.frames[n], kind = frame.text === "again and again" ? "round" : frame.text.startsWith("line ") ? "loop" : "block";
      const area = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/>`;
      return `<g class="${kind}">${area}<text x="${x + 6}" y="${y + 10}">${escape(frame.text)}</text></g>`;
    });
  }

  function programOrder(picture, layout, items) {
    const hot = new Map(picture.steps.map((edge) => [edge.b, edge.step])), lines = [];
    let first = 0;
    for (const column of picture.columns) {
      for (let b = first + 1; b < first + column.items.length; b++) {
        if (["initial", "more"].includes(items[b].kind)) continue;
        const [x, y, width, height] = layout.boxes[b - 1], middle = x + half(width), start = y + height, end = layout.boxes[b][1];
        const way = `M${middle} ${start}V${end}`, look = hot.has(b) ? ` class="hot" data-story="${hot.get(b)}"` : "";
        let parts = hot.has(b) ? `<path class="band" d="${way}"/>` : "";
        parts += `<path d="${way}"/>`;
        if (end - start > 12) parts += `<path class="head" d="M${middle - 3} ${end - 6}L${middle} ${end}L${middle + 3} ${end - 6}Z"/>`;
        lines.push(`<g${look} data-from="${escape(items[b - 1].id)}" data-to="${escape(items[b].id)}">${parts}</g>`);
      }
      first += column.items.length;
    }
    return lines.length ? ['<g class="relation po" data-relation="po">', ...lines, "</g>"] : [];
  }

  function box(item, [x, y, width, height], compact, hot) {
    const own = ["violation", "end", "more"].includes(item.kind) ? item.kind : `event ${item.kind}`;
    const look = item.wrong ? `${own} wrong` : own;
    const line = item.line ? ` data-line="${item.line}"` : "", corner = item.kind === "initial" ? 9 : 4;
    const parts = [`<g class="${look}${hot ? " hot" : ""}" data-event="${escape(item.id)}" data-step="${item.step}"${line}>`,
      `<title>${escape(item.title)}</title>`,
      `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="${corner}"/>`];
    const oneLine = compact || !item.small, middle = y + half(height), lower = half(FURTHER) * item.more.length;
    const base = (oneLine ? middle + 5 : middle - 3) - lower;
    let left = x + 8;
    if (compact) {
      if (lineOf(item)) {
        parts.push(`<text class="number${item.line ? "" : " other"}" x="${x + 24}" y="${base - 1}">${lineOf(item)}</text>`);
        left += 24;
      }
    } else left = x + half(width - firstWidth(item, false));
    const first = left;
    parts.push(`<text class="first" x="${first}" y="${base}">${escape(item.text)}</text>`);
    left += CHARACTER * textWidth(item.text) + 6;
    for (const chip of item.chips) {
      const wide = SMALL * textWidth(chip) + 10, kind = MARKED.has(chip) ? `chip ${chip.split(" ")[0]}` : "chip";
      parts.push(`<rect class="${kind}" x="${left}" y="${base - 11}" width="${wide}" height="14" rx="7"/>`,
        `<text class="chip" x="${left + half(wide)}" y="${base}">${escape(chip)}</text>`);
      left += wide + 6;
    }
    item.more.forEach((text, k) => {
      const start = compact ? first : x + half(width - CHARACTER * textWidth(text));
      parts.push(`<text class="first" x="${start}" y="${base + FURTHER * (k + 1)}">${escape(text)}</text>`);
    });
    if (!oneLine) {
      const most = Math.floor(Math.min(LONGEST, width - 12) / SMALL);
      parts.push(`<text class="small" x="${x + half(width)}" y="${middle + 13 + lower}">${escape(cut(item.small, most))}</text>`);
    }
    return parts.join("") + "</g>";
  }

  function cut(text, most) {
    if (textWidth(text) <= most) return text;
    const kept = [...text];
    while (textWidth(kept.join("")) > most - 1) kept.pop();
    return kept.join("") + "…";
  }

  function relations(picture, layout, items) {
    const groups = new Map();
    for (const bundle of [...layout.bundles.filter((b) => !b.step), ...layout.bundles.filter((b) => b.step)]) {
      if (!groups.has(bundle.relation)) groups.set(bundle.relation, []);
      const look = highlighted(picture) && !bundle.step ? "bundle faint" : "bundle";
      groups.get(bundle.relation).push(`<g class="${look}">${bundleText(bundle, picture.looks[bundle.relation], items)}</g>`);
    }
    return [...groups].flatMap(([name, bundles]) =>
      [`<g class="relation ${picture.looks[name]}" data-relation="${escape(name)}">`, ...bundles, "</g>"]);
  }

  function bundleText(bundle, look, items) {
    let parts = "";
    bundle.others.forEach((other, place) => {
      const way = bundle.ways[place], [a, b] = bundle.forward ? [bundle.anchor, other] : [other, bundle.anchor];
      const path = bundle.curved ? curve(way) : corners(way);
      const band = bundle.step ? `<path class="band" d="${path}"/>` : "";
      const [tip, inner] = bundle.forward ? [way.at(-1), way.at(-2)] : [way[0], way[1]];
      const hot = bundle.step ? ` class="hot" data-story="${bundle.step}"` : "";
      parts += `<g${hot} data-from="${escape(items[a].id)}" data-to="${escape(items[b].id)}">${band}<path d="${path}"/>` +
        `${head(look, tip, inner[0] < tip[0] ? 1 : -1)}</g>`;
    });
    if (bundle.label && !bundle.step) {
      const place = `x="${bundle.label[0]}" y="${bundle.label[1] + 4}"`, text = escape(bundle.text);
      parts += `<text class="halo" aria-hidden="true" ${place}>${text}</text><text ${place}>${text}</text>`;
    }
    return parts;
  }

  function badges(layout) {
    const named = layout.bundles.filter((b) => b.step && b.label).map((b) => [b.step, b.relation, b.label]);
    named.push(...layout.steps.map(([step, point]) => [step, "po", point]));
    return named.sort((a, b) => a[0] - b[0]).map(([step, name, [x, y]]) => {
      const wide = half(labelWidth(`${step} ${name}`));
      const area = `<rect x="${x - wide}" y="${y - 8}" width="${2 * wide}" height="16" rx="8"/>`;
      const text = `<text x="${x}" y="${y + 4}"><tspan class="name">${step}</tspan> ${escape(name)}</text>`;
      return `<g class="badge" data-step="${step}">${area}${text}</g>`;
    });
  }

  const curve = ([[a, b], [c, d]]) => `M${a} ${b}C${half(a + c)} ${b} ${half(a + c)} ${d} ${c} ${d}`;

  function corners(way) {
    if (way.length === 4 && Math.abs(way[1][1] - way[2][1]) < KINK && way[0][0] < way[1][0] === way[2][0] < way[3][0])
      return bend(way);
    let path = `M${way[0][0]} ${way[0][1]}`;
    for (let k = 1; k + 1 < way.length; k++) {
      const before = way[k - 1], [x, y] = way[k], after = way[k + 1];
      const radius = Math.min(CORNER, half(Math.abs(x - before[0]) + Math.abs(y - before[1])),
        half(Math.abs(x - after[0]) + Math.abs(y - after[1])));
      path += `L${x + radius * sign(before[0] - x)} ${y + radius * sign(before[1] - y)}` +
        `Q${x} ${y} ${x + radius * sign(after[0] - x)} ${y + radius * sign(after[1] - y)}`;
    }
    return `${path}L${way.at(-1)[0]} ${way.at(-1)[1]}`;
  }

  function bend([[x, y], [track], , [end, low]]) {
    const reach = 10 * sign(track - x);
    return `M${x} ${y}L${track - reach} ${y}C${track} ${y} ${track} ${low} ${track + reach} ${low}L${end} ${low}`;
  }

  function head(look, [x, y], direction) {
    const shape = `M${x - 8 * direction} ${y - 3}L${x} ${y}L${x - 8 * direction} ${y + 3}`;
    return `<path class="head" d="${shape}${look === "mo" ? "" : "Z"}"/>`;
  }

  const sample = (look) => '<svg class="xgen-drawing" width="27" height="12">' +
    `<g class="relation ${look}"><path d="M0 6h24"/>${head(look, [25, 6], 1)}</g></svg>`;

  // The drawing of a picture as an <svg> element's text, with its width and height.
  function draw(picture) {
    let layout = arrange(picture);
    const leftOut = layout.leftOut;
    if (leftOut) {
      const count = picture.edges.length;
      picture = { ...picture, notice: `${count - leftOut} of ${count} edges: select an event to see its own` };
      layout = arrange(picture);
    }
    const { width, height } = layout;
    const text = `<svg class="xgen-drawing" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `${drawing(picture, layout).join("\n")}</svg>`;
    return { text, width, height, leftOut, boxes: layout.boxes };
  }

  return { arrange, drawing, draw, escape, sample, textWidth };
})();
