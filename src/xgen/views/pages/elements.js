"use strict";
// What the page of executions and the playground make their elements with.
const $ = (id) => document.getElementById(id);

function element(name, content = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = content;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
