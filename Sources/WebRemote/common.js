// SPDX-License-Identifier: Apache-2.0
// What the page of scorers and that of spectators have in common: the match as the server sends it (GET
// /events), and its clocks. The including page has elements.js, and defines `audience`, `replace`, `received`,
// `lock`, `draw` and `writeClocks`.

// Owner (a scorer who may change settings), scorer, viewer or none.
let role = null;
// MatchState of org.flipclock.Control.
let match = null;
// When the timers of `match` had their values.
let matchAt = 0;
// DisplayState of org.flipclock.Control.
let display = null;
let link = { connected: true };

/** Makes a node's children again if `items` have changed. */
function list(node, items, make) {
  const key = JSON.stringify([items, role, root.lang]);
  if (node.made === key) return;
  node.made = key;
  replace(node, items.map(make));
}

// ---- The connection

const staleAfter = 5000;
// The AbortController of the open stream.
let stream = null;
// When the last event arrived.
let heard = now();
// When the stream was requested.
let openedAt = 0;
// Whether the stream has ended.
let lost = false;
// Whether this stream has sent the match.
let isFresh = false;
// The AbortController of the command under way; only scorers send commands.
let posting = null;
let failures = 0;
let retry = 0;

async function listen() {
  clearTimeout(retry);
  posting?.abort();
  stream?.abort();
  const mine = stream = new AbortController();
  isFresh = false;
  openedAt = now();
  try {
    const { status, body } = await fetch("/events?as=" + audience, { signal: mine.signal, cache: "no-store" });
    if (status === 401 || status === 403) receive("role", { role: "none" });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = "", end; status === 200;) {
      const { done, value } = await reader.read();
      if (done || mine !== stream) break;
      for (text += value; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) parse(text.slice(0, end));
    }
  } catch { /* lost, like a stream that ends */ }
  if (mine !== stream) return;
  mine.abort();
  isFresh = false;
  lost = true;
  if (now() - openedAt > 10000) failures = 0;
  retry = setTimeout(listen, [300, 1000, 2000, 4000][failures++] ?? 5000);
  check();
}

function parse(block) {
  const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
  if (!event) return;
  heard = now();
  lost = false;
  try { receive(event, JSON.parse(data)); } catch (error) { console.error(error); }
}

function receive(event, value) {
  if (event === "words") translate(value);
  if (event === "role") document.body.dataset.role = role = value.role;
  if (event === "display") display = value;
  if (event === "link") link = { connected: value.connected, since: now() - value.seconds * 1000 };
  if (event === "match") receiveMatch(value);
  received(event, value);
  check();
  if (event !== "beat") draw();
}

// When the last change was made, if this page saw it.
let changedAt = null;
function receiveMatch({ match: next, age }) {
  const old = match;
  match = next;
  matchAt = now() - age;
  if (old && old.revision !== match.revision) changedAt = isFresh ? matchAt : null;
  isFresh = true;
  if (old) announce(old);
}

/** Whether the page shows what the wall shows. Only then does it accept taps. */
const isLive = () => isFresh && display && link.connected && now() - heard < staleAfter;

/** Locks the page while it may be out of date, and shows for how long it has been. */
function check() {
  const isSilent = lost || now() - heard >= staleAfter;
  const isOut = isSilent || !link.connected;
  let text = "";
  if (isOut) {
    const seconds = Math.max(1, Math.round((now() - (isSilent ? heard : link.since)) / 1000));
    text = word(isSilent ? "no-connection" : "wall-silent", { seconds });
    if (match) text += " " + word("wall-showed", { score: match.teams.map(points).join(" : ") });
  }
  put($.trouble, text);
  if (isSilent) posting?.abort();
  lock(!isLive());
  document.body.dataset.state = isLive() ? "live" : isOut ? "lost" : "start";
  // A silent stream is opened again, because the phone may be in another network.
  if (isSilent && !document.hidden && now() - openedAt > staleAfter) listen();
}

let hiddenAt = 0, hiding = 0;
document.onvisibilitychange = () => {
  clearTimeout(hiding);
  if (document.hidden) {
    hiddenAt = Date.now();
    // Browsers allow six connections to a server, so hidden pages close theirs.
    hiding = setTimeout(() => { clearTimeout(retry); stream?.abort(); stream = null; isFresh = false; }, 4000);
  // The clocks and streams of a phone that slept are out of date.
  } else if (Date.now() - hiddenAt > 2000) { heard = now(); listen(); check(); }
};
addEventListener("online", () => { if (!document.hidden) listen(); });
addEventListener("pageshow", event => { if (event.persisted) listen(); });

// ---- Texts

function translate(table) {
  showWords(table);
  $.teams.dir = table.wallDirection;
}

const points = team => team.pointsText ?? String(team.score);
const teamOf = id => match.teams.find(team => team.id === id);
/** Isolates Hebrew and Arabic, so that the rest of the line keeps its order (UAX #9). */
const isolated = text => /[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text;
function teamName(id) {
  const { name, shortName } = teamOf(id) ?? { name: id };
  return isolated(name.length > 14 ? shortName ?? name : name);
}
const clockWord = id => word({ shot: "shot-clock", break: "break" }[id] ?? "clock");

/** Announces the score to screen readers, 0.7 s after its last change. */
let announcing = 0;
function announce(old) {
  const spoken = ({ teams, periodText, matchOver }) => [
    teams.map(team => `${team.name} ${points(team)} ${team.games ?? ""}`.trim()).join(", "),
    periodText, matchOver && word("match-over")].filter(Boolean).join(". ");
  const text = spoken(match);
  if (spoken(old) === text) return;
  clearTimeout(announcing);
  announcing = setTimeout(() => put($.summary, text), 700);
}

function pips(count, limit) {
  const row = element("span", { className: "pips", role: "img", "aria-label": `${count} / ${limit}` });
  for (let index = 0; index < limit; index++) row.append(element("i", { className: index < count ? "full" : "" }));
  return row;
}

// ---- Clocks

let clockTimer = 0;

/** A clock's value in milliseconds at an instant. Counting down stops at 0 until the next state arrives. */
function reading({ milliseconds, running, direction, ended, limit }, at) {
  if (!running) return milliseconds;
  const passed = Math.max(at - matchAt, 0);
  if (direction !== "down") return Math.max(milliseconds, Math.min(milliseconds + passed, limit ?? Infinity));
  return ended ? milliseconds - passed : Math.max(milliseconds - passed, Math.min(milliseconds, 0));
}

/** A clock's value as text. A remaining time is rounded up, an elapsed time is rounded down. */
function clockText(timer, at, isShort) {
  const value = reading(timer, at) / 1000;
  const seconds = timer.direction === "down" && value > 0 ? Math.ceil(value - 1e-6) : Math.trunc(value);
  const total = Math.abs(seconds), sign = seconds < 0 ? "−" : "";
  if (isShort && total < 60) return sign + total;
  return `${sign}${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
}

// Has the page write all clocks with `text(timer, isShort)`, and again when the next one changes. They stop
// while the connection is lost.
let restedAt = 0;
function drawClocks() {
  clearTimeout(clockTimer);
  if (!match) return;
  if (isLive()) restedAt = now();
  let wait = Infinity;
  writeClocks((timer, isShort) => {
    const part = ((reading(timer, restedAt) % 1000) + 1000) % 1000;
    if (timer.running) wait = Math.min(wait, timer.direction === "down" ? part || 1000 : 1000 - part);
    return clockText(timer, restedAt, isShort);
  });
  if (wait < Infinity && isLive()) clockTimer = setTimeout(drawClocks, Math.max(wait + 4, 20));
}

// ---- Colours and sizes

/** Relative luminance and contrast as in WCAG 2. */
function luminance(rgb) {
  const [r, g, b] = rgb.map(value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

/** A team's colour, that of text on it, and a variant that is visible on the panel. */
function contrast(text) {
  const rgb = [1, 3, 5].map(index => parseInt(text.slice(index, index + 2), 16) || 0);
  let edge = rgb;
  for (let part = 0; ratio(luminance(edge), luminance([28, 28, 30])) < 3.2; part += 0.05) {
    edge = rgb.map(value => Math.round(value + (255 - value) * part));
  }
  // White text, if the colour has to be darkened only a little for it.
  let color = rgb, isDark = ratio(luminance(rgb), 1) > 3;
  for (let part = 1; isDark && ratio(luminance(color), 1) < 4.6; part -= 0.03) {
    color = rgb.map(value => Math.round(value * part));
  }
  return { color: `rgb(${color})`, edge: `rgb(${edge})`, on: isDark ? "#fff" : "#000" };
}

const pencil = document.createElement("canvas").getContext("2d");
/** Lets the upper half of the old score fall over the new one. */
function flip(card, figure, old) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
  const leaf = (text, half, from, to, delay, duration) => {
    const copy = element("span", { className: "figure", textContent: text });
    const node = element("span", { className: `leaf ${half}`, "aria-hidden": true }, copy);
    card.append(node);
    const transform = [from, to].map(angle => `rotateX(${angle}deg)`);
    node.animate({ transform }, { fill: "both", delay, duration }).onfinish = () => node.remove();
  };
  leaf(old, "lower", 0, 0, 0, 260);
  leaf(old, "upper", 0, -90, 0, 130);
  leaf(figure.textContent, "lower", 90, 0, 130, 130);
}

/** Opens the stream. To be called when the page is complete. */
function start() {
  listen();
  if (document.hidden) document.onvisibilitychange();
  setInterval(check, 500);
}
