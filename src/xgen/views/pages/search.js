"use strict";
// Searches in outcomes: `x = 1 and (r1 = 0 or not p0:a < 2)`. `,` and `/\` are "and", `\/` is "or", `~` is "not"; a name
// goes without its thread if that is enough; `violation`, `blocked` and so on are words of the rows' remarks.
const WORDS = ["violation", "blocked", "cut", "waits"];
const TOKEN = /\s*(?:(\/\\|,|&&|\band\b)|(\\\/|\|\||\bor\b)|(~|!(?!=)|\bnot\b)|(\()|(\))|(<=|>=|\/=|!=|==|=|<|>)|(-?\d+(?![\w:]))|([^\s()=<>!~,\/\\|&]+))/uy;

class SearchError extends Error {}

// A function of a row of values and a remark that says whether it fits.
function parseSearch(text, names) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex, match = TOKEN.exec(text);
    if (!match) throw new SearchError(`what is "${text.slice(at).trim()}"?`);
    const kind = match.slice(1).findIndex((part) => part !== undefined);
    tokens.push({ kind: ["and", "or", "not", "(", ")", "compare", "number", "name"][kind], text: match[kind + 1] });
  }
  let at = 0;
  const peek = (kind) => at < tokens.length && tokens[at].kind === kind;
  const any = () => {
    let left = all();
    while (peek("or")) {
      at++;
      const one = left, two = all();
      left = (row) => one(row) || two(row);
    }
    return left;
  };
  const all = () => {
    let left = single();
    while (peek("and")) {
      at++;
      const one = left, two = single();
      left = (row) => one(row) && two(row);
    }
    return left;
  };
  const single = () => {
    if (peek("not")) {
      at++;
      const inner = single();
      return (row) => !inner(row);
    }
    if (peek("(")) {
      at++;
      const inner = any();
      if (!peek(")")) throw new SearchError('expected ")"');
      at++;
      return inner;
    }
    return comparison();
  };
  const comparison = () => {
    if (!peek("name")) throw new SearchError(at < tokens.length ? `expected a name before "${tokens[at].text}"` : "expected a name");
    const name = tokens[at++].text;
    if (!peek("compare")) {
      if (WORDS.includes(name)) return (row) => row.remark.includes(name);
      const column = findColumn(name, names);
      return (row) => row.values[column] === "true" || Number(row.values[column]) > 0;
    }
    const column = findColumn(name, names), sign = tokens[at++].text;
    if (!peek("number") && !peek("name")) throw new SearchError(`expected a value after "${sign}"`);
    const wanted = tokens[at++].text;
    return (row) => row.values[column] !== "" && compare(sign, row.values[column], wanted);
  };
  if (!tokens.length) return () => true;
  const found = any();
  if (at < tokens.length) throw new SearchError(`expected "and" or "or" before "${tokens[at].text}"`);
  return found;
}

function findColumn(name, names) {
  const exact = names.indexOf(name);
  if (exact >= 0) return exact;
  const like = names.map((full, k) => [full, k]).filter(([full]) => full.slice(full.lastIndexOf(":") + 1) === name);
  if (like.length === 1) return like[0][1];
  if (like.length > 1) throw new SearchError(`which ${name}: ${like.map(([full]) => full).join(", ")}?`);
  throw new SearchError(`no ${name} here: there are ${names.slice(0, 12).join(", ")}${names.length > 12 ? ", ..." : ""}`);
}

function compare(sign, value, wanted) {
  const number = (text) => text === "true" ? 1 : text === "false" ? 0 : Number(text);
  const a = number(value), b = number(wanted);
  if (Number.isNaN(a) || Number.isNaN(b)) return sign === "=" || sign === "==" ? value === wanted : sign === "!=" || sign === "/=" ? value !== wanted : false;
  return { "=": a === b, "==": a === b, "/=": a !== b, "!=": a !== b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b }[sign];
}
