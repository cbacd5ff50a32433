// The tab of data structures: what the calls of a client returned that cannot be, in the order that is known of them.
"use strict";

const NO_CALLS = "This is about data structures: C with functions such as push and pop, and no main. All clients of up to "
  + "three calls are made of them, and what the calls return is explained by an order, or not.";

function showCalls(answer, tab) {
  if (!answer.calls) {
    tab.replaceChildren(element("p", NO_CALLS));
    return;
  }
  const parts = [element("pre", answer.text)];
  if (answer.calls.picture) {  // as an image: its own styles hold for it, and nothing in it runs
    const source = `data:image/svg+xml,${encodeURIComponent(answer.calls.picture)}`;
    parts.unshift(element("img", "", { src: source, alt: "the calls of the client, a row for each thread" }));
  }
  if (answer.calls.client) {
    const box = element("details");
    box.append(element("summary", "the client as C, with an assertion that fails"), element("pre", answer.calls.client));
    parts.push(box);
  }
  tab.replaceChildren(...parts);
}
