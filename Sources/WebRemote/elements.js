// SPDX-License-Identifier: Apache-2.0
// What all pages have in common: their elements and texts. Names and messages are set as text, never as HTML.

const $ = new Proxy({}, { get: (_, id) => document.getElementById(id) });
const all = (selector, node = document) => [...node.querySelectorAll(selector)];
const now = () => performance.now();
const root = document.documentElement;

// The page's texts, by key. These are for the time before the first stream is open.
let words = {
  "no-connection": "No connection for {seconds} s.", "wall-silent": "The wall has not responded for {seconds} s.",
};

const word = (key, values) => (words[key] ?? "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** An element with properties, attributes (those with a dash, and `role`) and children. */
function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const key in properties) {
    if (/-|role/.test(key)) node.setAttribute(key, properties[key]); else node[key] = properties[key];
  }
  node.append(...children);
  return node;
}

const put = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const aria = (node, text) => node.setAttribute("aria-label", text.replaceAll("\xad", ""));

/** Writes all texts of the page. */
function showWords({ language, direction = "ltr", words: table }) {
  words = table;
  root.lang = language;
  root.dir = direction;
  for (const node of all("[data-word]")) put(node, word(node.dataset.word));
  for (const node of all("[data-label]")) aria(node, word(node.dataset.label));
}
