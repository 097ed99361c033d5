# SPDX-License-Identifier: Apache-2.0
"""The page of flipclock-web in Chromium, with the real program and a headless daemon.

FLIPCLOCK_BROWSER=firefox selects Firefox instead, and needs Debian's Python (`make test-firefox`).
"""

import contextlib
import importlib
import itertools
import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.request

from EndToEnd.browser import BrowserError
from EndToEnd.daemon import DAEMON, PATIENCE, PROJECT, environment, free_port
from EndToEnd.preload import BROKEN_DISK, preload
from EndToEnd.test_match import MatchTestCase
from VM.picture import from_png

BROWSER = os.environ.get("FLIPCLOCK_BROWSER", "chromium")
# The module with the driver, and the group of scripts/setup that installs it.
MODULE, GROUP = {"chromium": ("EndToEnd.browser", "test"), "firefox": ("EndToEnd.firefox", "firefox")}[BROWSER]
WEB = pathlib.Path(DAEMON).with_name("flipclock-web")
# Phones with the browser's bars, whose screens are lower than the devices.
LOW_SCREENS = ((390, 664), (375, 553), (667, 331), (750, 300))
SCREENS = ((320, 568), (360, 740), (740, 360), (768, 1024), (1024, 768), *LOW_SCREENS)
PRESETS = ("free", "basketball", "volleyball", "table-tennis", "football", "darts", "tennis", "handball",
           "ice-hockey", "badminton")
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "pt-PT", "nl", "pl", "tr", "ja")
LIVE = "document.body?.dataset.state === 'live'"

CONFIG = """
[locale]
language = "{language}"

[remote]
name = "Hall 1"
messages = ["TIME-OUT", "HALF-TIME <b>", "BACK AT 15:00"]
address = "127.0.0.1"
port = {port}

[widgets.time]
type = "flip-clock"

[widgets.match]
type = "score"

[pages.clock]
rows = ["time"]

[pages.match]
rows = ["match"]

[game]
preset = "{preset}"

{teams}
"""

TEAMS = """
[teams.home]
name = "LIONS"
color = "#d8434e"

[teams.guest]
name = "TIGERS"
color = "#2f7fe0"
"""

# Lists what does not fit: elements beyond the screen's sides, buttons that are too small or too small for
# their text, and words of a button that continue on another line, except at a soft hyphen. Chromium here has
# no dictionary for hyphenation, so it divides a long word anywhere. Firefox has one, so only short words are
# checked in it. Only short words are also checked in the names of counters, which come from the config.
# Buttons have at least 56 pixels, or 44 on low screens in landscape. On phones, the smaller buttons for
# points are narrower, and on the narrowest ones also the counters' minus.
OVERFLOW = """
const problems = [];
const least = innerWidth > innerHeight && innerHeight <= 540 ? 43.5 : 55.5;
const width = document.documentElement.clientWidth;
const most = /Firefox/.test(navigator.userAgent) ? 12 : 99;
if (document.documentElement.scrollWidth > width) problems.push("the page is wider than the screen");
for (const node of document.querySelectorAll("button, h1, h2, .label, .figure, .won, .cards, .strip, #period")) {
  const box = node.getBoundingClientRect();
  if (!box.width || node.closest("[hidden]")) continue;
  const name = node.ariaLabel || node.textContent;
  if (box.left < -1 || box.right > width + 1) problems.push(`${name}: beyond the screen`);
  const panel = node.closest(".team, #clocks")?.getBoundingClientRect();
  if (panel && (box.left < panel.left - 1 || box.right > panel.right + 1)) problems.push(`${name}: beyond its panel`);
  if (node.localName !== "button" || node.matches(".card")) continue;
  if (node.scrollWidth > node.clientWidth + 1) problems.push(`${name}: wider than its button`);
  if (node.scrollHeight > node.clientHeight + 1) problems.push(`${name}: higher than its button`);
  const narrow = innerWidth < 350 ? ".less, .points > :not(.big)" : ".points > :not(.big)";
  const isNarrow = innerWidth <= 480 && node.matches(narrow);
  const narrowest = isNarrow ? 43.5 : least;
  if (box.height < least || box.width < narrowest) problems.push(`${name}: ${box.width} x ${box.height}`);
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (texts.currentNode.parentNode.matches(".label")) continue;
    for (const word of texts.currentNode.data.matchAll(/(?<![A-Za-zÀ-ž])[A-Za-zÀ-ž]{2,}(?![A-Za-zÀ-ž])/g)) {
      if (word[0].length > (node.matches(".more") ? 12 : most)) continue;
      const range = document.createRange();
      // The hyphen at the end of the line before belongs to the letter that follows it.
      const isAfterHyphen = texts.currentNode.data[word.index - 1] === "\xad";
      range.setStart(texts.currentNode, word.index + isAfterHyphen);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(part => part.top)).size > 1) problems.push(`${name}: "${word}" is divided`);
    }
  }
}
for (const card of document.querySelectorAll(".card")) {
  const outer = card.getBoundingClientRect(), inner = card.querySelector(".figure").getBoundingClientRect();
  if (inner.left < outer.left - 1 || inner.right > outer.right + 1) problems.push("a score is wider than its card");
}
return problems;
"""

# Buttons that something else covers after they were scrolled into view, and scores that are not in line.
COVERED = """
const problems = [];
const top = ({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2);
for (const node of document.querySelectorAll("#app button:enabled")) {
  if (!node.checkVisibility()) continue;
  node.scrollIntoView({ block: "center" });
  const found = top(node.getBoundingClientRect());
  const name = node.ariaLabel || node.textContent;
  if (!node.contains(found)) problems.push(`${name}: under ${found?.outerHTML.slice(0, 80)}`);
}
for (const node of [document.documentElement, ...document.querySelectorAll("#teams, #strips")]) node.scrollTop = 0;
const cards = [...document.querySelectorAll("[data-count='2'] .card")].map(card => card.getBoundingClientRect());
if (new Set(cards.map(card => [card.top, card.height].join())).size > 1) problems.push("the scores are not in line");
return problems;
"""

# Buttons of `arguments[0]` that are not in view, or not entirely.
HIDDEN = """
return [...document.querySelectorAll(arguments[0])].filter(node => node.checkVisibility()).filter(node => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return [[left + 12, top + 12], [right - 12, top + 12], [left + 12, bottom - 12], [right - 12, bottom - 12]]
    .some(([x, y]) => !node.contains(document.elementFromPoint(x, y)))
    || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).map(node => node.ariaLabel || node.textContent);
"""

# The smallest contrasts, by WCAG 2: of the points' texts, of the scores on any part of the card, of the
# panels' edges.
CONTRAST = """
const luminance = text => {
  const [r, g, b] = text.match(/[\\d.]+/g).map(Number)
    .map(value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const texts = [...document.querySelectorAll(".points button")].map(node => {
  const style = getComputedStyle(node);
  return ratio(luminance(style.color), luminance(style.backgroundColor));
});
const scores = [...document.querySelectorAll(".card .figure")].map(node =>
  Math.min(...getComputedStyle(node.parentNode).backgroundImage.match(/rgb\\([^)]*\\)/g)
    .map(color => ratio(luminance(getComputedStyle(node).color), luminance(color)))));
const panel = luminance(getComputedStyle(document.querySelector(".team")).backgroundColor);
const edges = [...document.querySelectorAll(".team")]
  .map(node => ratio(luminance(getComputedStyle(node).borderTopColor), panel));
return [Math.min(...texts), Math.min(...scores), Math.min(...edges)];
"""

AXE = """
const done = arguments[0];
const text = ({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 120) + node.failureSummary).join("; ")}`;
axe.run(document, { resultTypes: ["violations"] })
  .then(({ violations }) => done(violations.map(text)), error => done([String(error)]));
"""


class PageTestCase(MatchTestCase):
    """Starts the daemon, flipclock-web and browsers."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            cls.driver = importlib.import_module(MODULE).Driver()
        except (FileNotFoundError, ModuleNotFoundError) as error:
            raise AssertionError(f"{error}; scripts/setup {GROUP} installs it") from error
        cls.addClassCleanup(cls.driver.close)

    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.web = None

    def configure(self, preset="basketball", language="en", teams=TEAMS):
        self.config.write_text(CONFIG.format(preset=preset, language=language, teams=teams, port=self.port))

    def start_all(self, preset="basketball", language="en", teams=TEAMS):
        self.configure(preset, language, teams)
        self.start()
        self.start_web()

    def reconfigure(self, preset="basketball", language="en", teams=TEAMS):
        self.configure(preset, language, teams)
        self.control("reload")

    def start_web(self):
        with open(self.log, "ab") as log:
            self.web = subprocess.Popen(
                [WEB, "--listen", f"127.0.0.1:{self.port}", "--socket", self.socket,
                 "--state-dir", self.directory / "web"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment(FLIPCLOCK_WEB_SOCKET=str(self.directory / "web.sock"),
                                FLIPCLOCK_MQTT_SOCKET=str(self.directory / "mqtt.sock")))
        self.addCleanup(self.stop_web)
        self.wait_for("a page", lambda: self.fetch("/").startswith(b"<!DOCTYPE html>"))

    def stop_web(self):
        if self.web and self.web.poll() is None:
            self.web.send_signal(signal.SIGCONT)
            self.web.kill()
        if self.web:
            self.web.wait(10)

    def fetch(self, path):
        with contextlib.suppress(OSError), urllib.request.urlopen(self.address(path), timeout=5 * PATIENCE) as reply:
            return reply.read()
        return b""

    def address(self, path="/"):
        return f"http://127.0.0.1:{self.port}{path}"

    def invite(self, role="scorer"):
        """Shows an invitation on the display, and returns its six digits."""
        reply = self.call(self.connect(), "ShowPairing", role=role)
        self.assertIn("code", reply, reply)
        return reply["code"]

    def browser(self, width=360, height=740, **options):
        browser = self.driver.browser(width, height, **options)
        self.addCleanup(browser.close)
        return browser

    def phone(self, width=360, height=740, role="scorer", **options):
        """A browser that is paired."""
        phone = self.browser(width, height, **options)
        phone.open(self.address("/pair#" + self.invite(role)))
        phone.wait_for(f"{LIVE} && ['{role}', 'owner'].includes(document.body?.dataset.role)")
        return phone

    def shown(self, browser):
        """The scores in a page. Those of spectators have a card for each digit."""
        return browser.run("return [...document.querySelectorAll('.card, .score')].map(node => "
                           "[...node.querySelectorAll(':scope > .figure, .flip > .figure')]"
                           ".map(figure => figure.textContent).join(''))")

    def said(self, browser):
        return browser.run("return [...document.querySelectorAll('#notices p')].map(node => node.textContent)")

    def wait_for_scores(self, browser, *scores):
        self.wait_for(f"{scores} in the page, which shows {self.shown(browser)}",
                      lambda: self.shown(browser) == [str(score) for score in scores])

    def assert_tidy(self, browser, what):
        self.assertEqual(browser.run(OVERFLOW), [], what)

    def assert_reachable(self, browser, what, selector=".big"):
        """Asserts that every button of the page can be tapped, and those of a selector without scrolling."""
        self.assertEqual(browser.run(COVERED), [], what)
        self.assertEqual(browser.run(HIDDEN, selector), [], what)

    def assert_no_violation(self, browser, what):
        browser.evaluate(self.axe())
        self.assertEqual(browser.run_async(AXE), [], what)

    def axe(self):
        found = subprocess.run([PROJECT / "scripts/axe"], capture_output=True, text=True, timeout=120, check=False)
        if found.returncode != 0 and "network" in found.stderr and not os.environ.get("CI"):
            self.skipTest(found.stderr)
        self.assertEqual(found.returncode, 0, found.stderr)
        return pathlib.Path(found.stdout.strip()).read_text(encoding="utf-8")


class Scoring(PageTestCase):
    """What a scorer does."""

    def test_pairing_scoring_and_undo_from_another_phone(self):
        self.start_all()
        first, second = self.phone(), self.phone()
        self.assertEqual(first.address, self.address("/"), "the secret is not left in the address")
        self.assertEqual(first.text("#wall"), "Hall 1")
        first.click(".team:first-child .big")
        first.click(".team:last-child .points button:nth-child(3)")
        for phone in first, second:
            self.wait_for_scores(phone, 2, 3)
        self.assertEqual(self.scores(), {"home": 2, "guest": 3})
        second.wait_for("document.querySelector('#undo small').textContent.startsWith('TIGERS 0 → 3')")
        second.click("#undo")
        for phone in first, second:
            self.wait_for_scores(phone, 2, 0)
        first.wait_for("!document.querySelector('#redo').disabled")
        self.assertIn("TIGERS 0 → 3", first.text("#redo small"))
        first.click("#redo")
        self.wait_for_scores(second, 2, 3)
        self.assertEqual(self.scores(), {"home": 2, "guest": 3})
        self.assertEqual(first.problems() + second.problems(), [])

    def test_pairing_by_digits(self):
        self.start_all(language="de")
        phone = self.browser()
        phone.open(self.address())
        phone.wait_for("!document.querySelector('#pairing').hidden")
        self.assertEqual(phone.text("#pairing h1"), "Spielstand auf diesem Gerät führen")
        self.assert_no_violation(phone, "the pairing form")
        code = self.invite()
        phone.type("#code", "000000" if code != "000000" else "000001")
        phone.wait_for("document.querySelector('#alert').textContent.startsWith('Die Ziffern sind falsch')")
        phone.type("#code", code)
        phone.wait_for(f"{LIVE} && document.querySelectorAll('.points .big').length === 2")
        # The cookie is kept, and scripts cannot read it.
        self.assertEqual(phone.run("return document.cookie"), "")
        phone.open(self.address())
        phone.wait_for(f"{LIVE} && ['owner', 'scorer'].includes(document.body?.dataset.role)")

    def test_a_viewer_has_no_controls(self):
        self.start_all()
        viewer = self.phone(role="viewer")
        self.control("add-score", "home", "2")
        self.wait_for_scores(viewer, 2, 0)
        self.assertEqual(viewer.run("return document.querySelectorAll('.team button, #clocks button').length"), 0)
        self.assertFalse(viewer.run("return document.querySelector('#bottom') !== null"))

    def test_direct_entry_names_and_messages(self):
        self.start_all()
        phone = self.phone()
        phone.click(".team:last-child .card")
        for key in "92":
            phone.key(key)
        phone.key("Enter")
        self.wait_for_scores(phone, 0, 92)
        phone.click("#openEntry")
        phone.click("#look summary")
        phone.run("document.querySelector('#name').value = ''")
        phone.type("#name", 'ROTE "LÖWEN" <i>')
        phone.click("#look form button")
        self.wait_for("the name", lambda: self.match()["teams"][1]["name"] == 'ROTE "LÖWEN" <i>')
        phone.wait_for("document.querySelector('.team:last-child .label').textContent === 'ROTE \"LÖWEN\" <i>'")
        self.assertEqual(phone.run("return document.querySelectorAll('i:not(.pips i)').length"), 0)
        # No short name is set, and what is derived from the name is only a hint. Another can be given.
        self.assertEqual(phone.run("return [$.short.value, $.short.placeholder]"), ["", "ROTE"])
        self.assertNotIn("ownShortName", self.match()["teams"][1])
        phone.type("#short", "LÖW")
        phone.click("#look form button")
        self.wait_for("the short name", lambda: self.match()["teams"][1]["shortName"] == "LÖW")
        self.assertEqual(self.match()["teams"][1]["ownShortName"], "LÖW")
        self.assertEqual(self.match()["teams"][1]["name"], 'ROTE "LÖWEN" <i>')
        phone.key("Escape")
        phone.click("#openMenu")
        phone.click("#presets button:nth-child(2)")
        phone.wait_for("document.querySelector('#strips .plain')?.textContent === 'HALF-TIME <b>'")
        phone.run("document.querySelector('#message').value = ''")
        phone.type("#message", "--for ever \\ \"you\"")
        phone.click("#keep")
        phone.click("#message + button")
        phone.wait_for("document.querySelector('#strips .plain')?.textContent === '--for ever \\\\ \"you\"'")
        phone.click("#clearMessage")
        phone.wait_for("!document.querySelector('#strips .plain')")

    def test_names_are_saved_with_one_change(self):
        self.start_all()
        phone = self.phone()
        before = self.match()
        phone.click(".team:first-child .card")
        phone.click("#look summary")
        phone.run("$.name.value = ''; $.colour.value = '#123456'")
        phone.type("#name", "TV Grünwald")
        phone.click("#look form button")
        self.wait_for("the name", lambda: self.match()["teams"][0]["name"] == "TV Grünwald")
        team = self.match()["teams"][0]
        self.assertEqual((team["color"], team["shortName"], team.get("ownShortName")), ("#123456", "Grünwald", None))
        phone.key("Escape")
        phone.wait_for("$.undo.querySelector('small').textContent.startsWith('TV Grünwald: name TV Grünwald, ')")
        phone.click("#undo")
        self.wait_for("the first name", lambda: self.match()["teams"][0]["name"] == before["teams"][0]["name"])
        self.assertEqual(self.match()["teams"][0]["color"], before["teams"][0]["color"])

    def test_what_is_too_long_is_not_cut(self):
        self.start_all()
        phone = self.phone()
        phone.click(".team:first-child .card")
        for key in "1000":
            phone.key(key)
        phone.wait_for("$.alert.textContent === 'At most 3 characters.'")
        self.assertEqual(phone.text("#typed"), "100")
        phone.click("#look summary")
        phone.run("$.name.value = ''")
        phone.type("#name", "N" * 41)
        phone.type("#short", "S" * 9)
        self.assertEqual(phone.run("return [$.name, $.short].map(input => [input.value.length, input.validationMessage])"),
                         [[41, "At most 40 characters."], [9, "At most 8 characters."]])
        before = self.match()["teams"]
        phone.click("#look form button")
        phone.key("Escape")
        phone.click("#openMenu")
        phone.type("#message", "M" * 121)
        phone.click("#message + button")
        self.assertEqual(phone.run("return $.message.validationMessage"), "At most 120 characters.")
        self.assertEqual(self.match()["teams"], before)
        self.assertNotIn("message", self.status())

    def test_a_change_that_is_not_saved_counts(self):
        broken = self.directory / "broken"
        self.configure(language="de")
        self.start(LD_PRELOAD=preload(self.directory, BROKEN_DISK), BROKEN_DISK=str(broken))
        self.start_web()
        phone = self.phone()
        broken.touch()
        phone.click(".team:first-child .big")
        phone.wait_for("$.alert.textContent.startsWith('Ausgeführt, aber noch nicht gespeichert: LIONS +2')")
        self.assertNotIn("Abgelehnt", phone.text("#alert"))
        self.wait_for_scores(phone, 2, 0)
        # The other phones show it too, until it is saved.
        other = self.phone(role="scorer")
        for page in phone, other:
            page.wait_for("document.querySelector('#strips').textContent.includes('sind nicht gespeichert')")
        self.assertEqual(phone.run("return document.querySelectorAll('#strips button').length"), 0)
        self.assert_tidy(phone, "the note that changes are not saved")
        broken.unlink()
        for page in phone, other:
            page.wait_for("!document.querySelector('#strips').textContent.includes('sind nicht gespeichert')", 30)

    def test_space_starts_the_clock_after_a_click(self):
        self.start_all()
        desk = self.phone(1280, 800, touch=False)
        runs = lambda: self.match()["timers"]["game"]["running"]
        for selector in (".team:first-child .big", ".team:last-child .more", "#undo"):
            desk.click(selector)
            self.settle_page(desk)
            revision, before = self.match()["revision"], runs()
            desk.key(" ")
            self.wait_for("the clock", lambda: runs() != before)
            self.assertEqual(self.match()["revision"], revision + 1, selector)
        # A dialog does not give the focus back to the button that opened it.
        desk.click("#openMenu")
        desk.click("#menu .close")
        before = runs()
        desk.key(" ")
        self.wait_for("the clock after the menu", lambda: runs() != before)
        self.assertFalse(desk.run("return $.menu.open"))
        # A hold is a click too.
        desk.click("#openMenu")
        desk.press("#swap", 1)
        desk.click("#menu .close")
        # A button that has the focus without a click gets the keys.
        desk.run("document.querySelector('.team:first-child .big').focus()")
        before, clock = self.scores(), runs()
        desk.key(" ")
        self.wait_for("points by a key", lambda: self.scores() != before)
        self.assertEqual(runs(), clock)

    def settle_page(self, phone):
        phone.wait_for("!queue.length && !document.querySelector('.sending')")

    def test_the_menu_names_periods_as_the_wall_does(self):
        self.start_all(language="de")
        phone = self.phone()
        for period, names in ((1, [None, "2. VIERTEL"]), (4, ["3. VIERTEL", "VERLÄNGERUNG"]), (5, ["4. VIERTEL", "2. VERLÄNGERUNG"]),
                              (6, ["VERLÄNGERUNG", "3. VERLÄNGERUNG"])):
            self.control("set", "period", str(period))
            phone.wait_for(f"match.period === {period}")
            texts = phone.run("return [$.previous, $.next].map(node => node.hidden ? null : node.textContent)")
            expected = [name and f"{word} {name}" for word, name in zip(("Zurück:", "Beginnen:"), names)]
            self.assertEqual(texts, expected, period)

    def test_refusals_are_in_the_language_of_the_page(self):
        self.start_all(language="de")
        phone = self.phone()
        phone.click(".team:first-child .counter:last-child .less")
        phone.wait_for("$.alert.textContent === 'Abgelehnt: AUSZEITEN 0 – 2'")
        self.control("set", "period", "2")
        self.control("set", "home", "period-score", "1", "6")
        phone.wait_for("$.undo.querySelector('small').textContent.startsWith('LIONS, 1. VIERTEL: 6')")
        self.control("set", "home", "short-name", "LIO")
        phone.wait_for("$.undo.querySelector('small').textContent.startsWith('LIONS: Kurzname LIO')")

    def test_pages_and_light(self):
        self.start_all()
        phone = self.phone()
        phone.click("#openMenu")
        # There is no period before the first one.
        self.assertFalse(phone.run("return document.querySelector('#previous').checkVisibility()"))
        phone.run("document.querySelector('#menu').scrollTop = 1e5")
        phone.key("Escape")
        phone.click("#openMenu")
        self.assertEqual(phone.run("return document.querySelector('#menu').scrollTop"), 0)
        phone.click("#pages button:not(.chosen)")
        phone.wait_for("document.querySelector('#pages .chosen').textContent === 'match'")
        self.assertEqual(self.status()["page"], "match")
        before = self.status()["brightness"]
        phone.click("[data-command='brightness -10%']")
        phone.wait_for(f"document.querySelector('#percent').textContent === '{before - 10} %'")
        self.assertEqual(self.status()["brightness"], before - 10)
        phone.press("#blank", 1)
        phone.wait_for("!document.querySelector('#unblank').hidden")
        self.assertTrue(self.status()["blanked"])
        phone.click("#unblank")
        phone.wait_for("document.querySelector('#unblank').hidden")
        self.assertFalse(self.status()["blanked"])

    def test_clocks_run_on_the_phone(self):
        self.start_all()
        phone = self.phone()
        clocks = "[...document.querySelectorAll('.clock > .figure')].map(node => node.textContent)"
        self.assertEqual(phone.run(f"return {clocks}"), ["10:00", "24"])
        # A phone whose own clock jumps still shows the wall's time.
        phone.run("Date.now = () => 0; Date = class { constructor() { throw new Error('the wall clock was read'); } }")
        phone.click(".run")
        phone.wait_for(f"{clocks}.join() === '9:58,22'", 6)
        before, texts, after = self.match(), phone.run(f"return {clocks}"), self.match()
        for timer, shown in zip(("game", "shot"), texts):
            minutes, seconds = ([0, *map(int, shown.split(":"))])[-2:]
            most, least = (match["timers"][timer]["milliseconds"] / 1000 for match in (before, after))
            # The page shows seconds that have begun.
            self.assertTrue(least - 0.2 <= minutes * 60 + seconds <= most + 1.2, (least, shown, most))
        phone.click("[data-key='T']")
        phone.wait_for("document.querySelector('.shot > .figure').textContent <= '14'")
        phone.click(".run")
        phone.wait_for("!document.querySelector('.game').classList.contains('running')")
        # The change is described as a fact, not with the button's verb.
        phone.wait_for("document.querySelector('#undo small').textContent.startsWith('Clock: paused, ')")
        rest = phone.run(f"return {clocks}")
        time.sleep(1.2)
        self.assertEqual(phone.run(f"return {clocks}"), rest)
        self.assertFalse(self.match()["timers"]["game"]["running"])

    def test_penalties_and_counters(self):
        self.start_all("ice-hockey")
        phone = self.phone()
        phone.click(".team:first-child .penalties button")
        phone.click("#entryLengths button:last-child")
        for key in "17":
            phone.key(key)
        phone.click("#done")
        phone.wait_for("document.querySelector('.team:first-child .penalty')?.textContent === '#175:00'")
        phone.click(".team:first-child .penalty")
        phone.click("#askYes")
        phone.wait_for("!document.querySelector('.penalty')")
        phone.click(".team:last-child .more")
        phone.wait_for("document.querySelectorAll('.team:last-child .pips .full').length === 1")
        self.assertEqual(self.match()["teams"][1]["counters"]["timeouts"], 1)
        phone.click(".team:last-child .less")
        phone.wait_for("!document.querySelector('.pips .full')")

    def test_darts_counts_down_and_says_when_a_turn_is_bust(self):
        self.start_all("darts")
        phone = self.phone()
        self.wait_for_scores(phone, 501, 501)
        serving = self.match().get("serving") or "home"
        phone.click(f".team:{'first' if serving == 'home' else 'last'}-child .big")
        for digit in "180":
            phone.click(f"#pad button:nth-child({ {'1': 7, '8': 2, '0': 11}[digit] })")
        phone.click("#done")
        self.wait_for(f"321 in {self.shown(phone)}", lambda: "321" in self.shown(phone))
        self.control("set-score", "guest", "20")
        self.control("set-score", "home", "20")
        self.wait_for_scores(phone, 20, 20)
        self.control("set", "serve", "home")
        phone.wait_for("match.serving === 'home'")
        phone.click(".team:first-child .points button:nth-child(6)")
        phone.wait_for("document.querySelector('#note').textContent === 'LIONS: bust, the turn scores nothing.'")
        self.wait_for_scores(phone, 20, 20)
        self.assertNotIn(".,", phone.text("#undo small"))
        self.assertEqual(phone.run("return document.querySelector('.team h2 button').ariaLabel"), "LIONS, Throw")

    def test_the_end_of_a_set_calls_for_the_next(self):
        self.start_all("volleyball")
        phone = self.phone()
        self.control("set-score", "home", "24")
        self.wait_for_scores(phone, 24, 0)
        phone.click(".team:first-child .big")
        phone.wait_for("document.querySelector('#note').textContent === 'LIONS 24 → 25, LIONS wins SET 1, 25 : 0'")
        phone.wait_for("document.querySelector('.strip .hold')?.textContent === 'Begin: SET 2'")
        phone.click(".team:first-child .big")
        phone.wait_for("document.querySelector('#alert').textContent === 'SET 1 is over.'")
        phone.press(".strip .hold", 1)
        self.wait_for_scores(phone, 0, 0)
        self.assertEqual(phone.text("#period"), "SET 2")
        self.assertEqual(phone.run("return document.querySelectorAll('.won .full').length"), 1)

    def test_a_match_is_ended_by_hand(self):
        self.start_all("football")
        phone = self.phone()
        self.control("set", "period", "2")
        self.control("timer", "set", "90:00")
        # After a draw, the page offers the end beside the overtime.
        phone.wait_for("[...document.querySelectorAll('.strip .hold')].map(node => node.textContent).join() "
                       "=== 'Begin: EXTRA TIME,End the match'")
        self.assertEqual(phone.texts(".strip .plain")[-1], "LIONS 0, TIGERS 0")
        phone.press(".strip:last-child .hold", 1)
        phone.wait_for("document.querySelector('#period').textContent === 'The match is over.'")
        self.assertTrue(phone.text(".strip .plain").startswith("The match is over. New game: Points,"))
        self.assertTrue(self.match()["matchOver"])
        self.assertEqual(phone.text("#undo small").split(",")[0], "End of the match")
        phone.click("#undo")
        phone.wait_for("document.querySelector('#period').textContent === 'HALF 2'")
        self.control("timer", "set", "80:00")
        self.control("add-score", "guest", "1")
        phone.wait_for("!match.matchOver && match.teams[1].score === 1")
        phone.click("#openMenu")
        # The question says how the match ends.
        phone.run("document.querySelector('#endMatch').click()")
        phone.wait_for("document.querySelector('#askText').textContent === 'End the match: LIONS 0, TIGERS 1?'")
        phone.click("#ask button:not(#askYes)")
        phone.press("#endMatch", 1)
        phone.wait_for("match.matchOver && match.winner === 'guest'")
        phone.wait_for("!document.querySelector('#menu').open")
        # What the match would refuse now is not offered, or asks first.
        phone.click("#openMenu")
        self.assertEqual(phone.run("return [$.next, $.endMatch].map(node => node.hidden)"), [True, True])
        self.assertTrue(phone.run("return [...$.breaks.children].every(node => node.matches('.asks'))"))

    def test_a_set_that_is_not_over_is_ended_after_a_question(self):
        self.start_all("volleyball")
        phone = self.phone()
        self.control("set-score", "home", "12")
        phone.click("#openMenu")
        phone.wait_for("$.next.matches('.asks') && $.next.textContent === 'Begin: SET 2'")
        for confirms in False, True:
            phone.press("#next", 1)
            phone.wait_for("document.querySelector('#askText').textContent === 'SET 1 is not over, 12 : 0. Do it anyway?'")
            phone.click("#askYes" if confirms else "#ask button:not(#askYes)")
            phone.wait_for(f"!document.querySelector('#ask').open && match.period === {1 + confirms}")
        self.control("undo")
        # When the set is won, there is no question.
        self.control("set-score", "home", "25")
        phone.wait_for("match.next && !$.next.matches('.asks')")
        phone.press("#next", 1)
        phone.wait_for("match.period === 2")

    def test_scores_that_the_rules_make_impossible_are_confirmed(self):
        self.start_all("badminton")
        phone = self.phone()
        phone.click(".team:first-child .card")
        for key in "3", "1", "Enter":
            phone.key(key)
        phone.wait_for("document.querySelector('#askText').textContent === 'GAME 1: 31 is not possible. Do it anyway?'")
        phone.click("#askYes")
        phone.wait_for("match.teams[0].score === 31")

    def test_no_word_of_a_counter_is_broken(self):
        self.start_all()
        phone = self.phone()
        for preset in "volleyball", "football", "basketball":
            self.reconfigure(preset)
            phone.wait_for(f"match.preset === '{preset}'")
            for width in 360, 390, 430:
                phone.resize(width, 844)
                # The lines of each word of each label.
                broken = phone.run("""
                    return [...document.querySelectorAll('.more > span')].flatMap(({ firstChild: text }) =>
                      [...text.data.matchAll(/[^\\s-]+/g)].filter(({ 0: word, index }) => {
                        const range = document.createRange();
                        range.setStart(text, index);
                        range.setEnd(text, index + word.length);
                        return range.getClientRects().length > 1;
                      }).map(([word]) => word))""")
                self.assertEqual(broken, [], (preset, width))

    def test_a_paired_phone_closes_the_code_for_another(self):
        self.start_all()
        phone = self.phone()
        self.control("remote")
        phone.wait_for("document.querySelector('#strips .plain')?.textContent === 'The code for another phone is shown.'")
        phone.click(".strip button")
        phone.wait_for("!document.querySelector('.strip')")


class Care(PageTestCase):
    """What must not happen by accident, and what the page says when it does not know whether something was
    done."""

    def test_a_refused_change_is_put_into_words(self):
        self.start_all()
        phone = self.phone()
        phone.click(".team:first-child .points button:last-child")
        phone.wait_for("document.querySelector('#alert').textContent.startsWith('Refused: ')")
        self.wait_for_scores(phone, 0, 0)
        phone.wait_for("!document.querySelector('.sending')")
        self.control("timer", "set", "0:00")
        phone.wait_for("document.querySelector('.game').classList.contains('ended')")
        phone.click(".run")
        phone.wait_for("document.querySelector('#alert').textContent.startsWith('The clock has run out')")

    def test_undo_of_something_else_than_it_says_is_refused(self):
        self.start_all()
        phone = self.phone()
        self.control("add-score", "home", "2")
        self.wait_for_scores(phone, 2, 0)
        # The page does not get the next change before it sends its undo.
        phone.run("receiveMatch = () => {}")
        self.control("add-score", "guest", "3")
        phone.click("#undo")
        phone.wait_for("document.querySelector('#alert').textContent.startsWith('The match has changed meanwhile')")
        self.assertEqual(self.scores(), {"home": 2, "guest": 3})

    def test_hold_to_confirm(self):
        self.start_all()
        phone = self.phone()
        self.control("add-score", "home", "2")
        self.wait_for_scores(phone, 2, 0)
        phone.click("#openMenu")
        phone.press("#newGame", 0.4)
        phone.wait_for("document.querySelector('#note').textContent === 'Hold the button to confirm.'")
        self.assertEqual(self.scores()["home"], 2)
        self.assertFalse(phone.run("return document.querySelector('#ask').open"))
        phone.press("#newGame", 2)
        self.wait_for_scores(phone, 0, 0)
        self.assertFalse(phone.run("return document.querySelector('#ask').open"))
        self.control("undo")
        self.wait_for_scores(phone, 2, 0)
        # The same with the keyboard.
        phone.run("document.querySelector('#newGame').focus()")
        phone.key("Enter", 0.3)
        time.sleep(0.3)
        self.assertEqual(self.scores()["home"], 2)
        phone.key("Enter", 1)
        self.wait_for_scores(phone, 0, 0)
        self.control("undo")
        self.wait_for_scores(phone, 2, 0)
        # A screen reader activates a button without a press, so the page asks for a confirmation.
        phone.run("document.querySelector('#newGame').click()")
        phone.wait_for("document.querySelector('#ask').open")
        self.assertEqual(phone.text("#askText"), "New game?")
        phone.click("#ask button:first-child")
        self.assertEqual(self.scores()["home"], 2)
        phone.run("document.querySelector('#newGame').click()")
        phone.click("#askYes")
        self.wait_for_scores(phone, 0, 0)

    def test_it_says_that_it_does_not_know(self):
        self.start_all()
        phone = self.phone()
        self.control("set-score", "home", "87")
        self.control("set-score", "guest", "92")
        self.wait_for_scores(phone, 87, 92)
        self.stop_web()
        phone.wait_for("/^No connection for \\d+ s\\. The wall showed 87 : 92\\.$/"
                       ".test(document.querySelector('#trouble').textContent)")
        self.assertEqual(phone.run("return document.querySelectorAll('#app button:enabled').length"), 0)
        self.assert_no_violation(phone, "without a connection")
        self.control("add-score", "home", "2")
        time.sleep(1)
        self.assertEqual(self.shown(phone), ["87", "92"])
        self.start_web()
        phone.wait_for(LIVE, 15)
        self.wait_for_scores(phone, 89, 92)
        self.assertEqual(phone.text("#trouble"), "")
        phone.click(".team:first-child .big")
        self.wait_for_scores(phone, 91, 92)

    def test_a_connection_that_only_falls_silent(self):
        self.start_all()
        phone = self.phone()
        self.web.send_signal(signal.SIGSTOP)
        phone.wait_for("/^No connection for [5-9] s\\./.test(document.querySelector('#trouble').textContent)", 12)
        self.assertEqual(phone.run("return document.querySelectorAll('#app button:enabled').length"), 0)
        self.web.send_signal(signal.SIGCONT)
        phone.wait_for(LIVE, 15)

    def test_a_daemon_that_is_gone(self):
        self.start_all()
        phone = self.phone()
        self.control("add-score", "home", "3")
        self.wait_for_scores(phone, 3, 0)
        self.kill()
        phone.wait_for("/^The wall has not responded for \\d+ s\\. The wall showed 3 : 0\\.$/"
                       ".test(document.querySelector('#trouble').textContent)")
        self.assertEqual(phone.run("return document.querySelectorAll('#app button:enabled').length"), 0)
        self.start()
        phone.wait_for(LIVE, 15)
        self.wait_for_scores(phone, 3, 0)

    def test_a_tap_is_marked_until_it_is_confirmed(self):
        self.start_all()
        phone = self.phone()
        self.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.process.send_signal, signal.SIGCONT)
        phone.click(".team:first-child .big")
        phone.wait_for("document.querySelector('.big.sending[aria-busy=true]')")
        self.assertEqual(self.shown(phone), ["0", "0"], "nothing is changed in advance")
        self.process.send_signal(signal.SIGCONT)
        self.wait_for_scores(phone, 2, 0)
        phone.wait_for("!document.querySelector('.sending')")

    def test_the_keyboard(self):
        self.start_all()
        board = self.browser(1024, 768, touch=False)
        board.open(self.address("/pair#" + self.invite()))
        board.wait_for(f"{LIVE} && ['owner', 'scorer'].includes(document.body?.dataset.role)")
        for key in "aslu":
            board.key(key)
            board.wait_for("!document.querySelector('.sending') && !isSending")
        self.wait_for_scores(board, 3, 0)
        board.key(" ")
        board.wait_for("document.querySelector('.game').classList.contains('running')")
        board.key("x")
        board.wait_for("document.querySelectorAll('.team:first-child .counter:first-child .full').length === 1")
        board.key(".")
        board.wait_for("document.querySelector('#ask').open")
        board.key("Escape")
        with self.subTest("the keypad, in which a click does not always give the focus to a button"):
            board.click("#openEntry")
            for key in ("7", "Backspace", "1"):
                board.run("document.activeElement.blur()")
                board.key(key)
            board.wait_for("document.querySelector('#typed').textContent === '1'")
            board.click("#entryTeams button:last-child")
            board.key("2")
            board.run("document.activeElement.blur()")
            board.key("Enter")
            board.wait_for("!document.querySelector('#entry').open")
            self.wait_for("the typed score", lambda: 12 in self.scores().values())
            board.wait_for("!document.querySelector('.sending') && !isSending")
        # Every control can be reached with Tab, and shows that it has the focus. The first one gets the focus
        # here, because in Firefox Tab continues with the browser's own controls after the last one.
        reached = set()
        board.run("[...document.querySelectorAll('#app button:enabled')].find(node => node.checkVisibility())"
                  ".focus({ focusVisible: true })")
        for _ in range(40):
            name, outline = board.run(
                "const node = document.activeElement; return [node.ariaLabel || node.textContent,"
                " getComputedStyle(node).outlineStyle]")
            if name and board.run("return document.hasFocus() && document.activeElement !== document.body"):
                reached.add(name)
                self.assertEqual(outline, "solid", name)
            board.key("Tab")
        buttons = board.run("return [...document.querySelectorAll('#app button:enabled')]"
                            ".filter(node => node.checkVisibility()).map(node => node.ariaLabel || node.textContent)")
        self.assertEqual(set(buttons) - reached, set())
        # The keys are listed, and can be switched off.
        board.key("?")
        board.wait_for("document.querySelector('#menu').open")
        board.click("#menu details summary")
        self.assertIn("LIONS +1", board.texts("#keys dd"))
        board.click("#shortcuts")
        board.key("Escape")
        before = self.scores()
        board.run("document.activeElement.blur()")
        board.key("a")
        time.sleep(0.5)
        self.assertEqual(self.scores(), before)

    def test_screen_readers_hear_the_score_and_not_the_clocks(self):
        self.start_all()
        phone = self.phone()
        phone.click(".run")
        phone.click(".team:first-child .big")
        phone.wait_for("document.querySelector('#summary').textContent.startsWith('LIONS 2, TIGERS 0')")
        phone.run("window.spoken = 0; new MutationObserver(() => spoken++).observe(document.querySelector('#summary'),"
                  " { childList: true, characterData: true, subtree: true })")
        time.sleep(2.5)
        self.assertEqual(phone.run("return spoken"), 0)
        self.assertEqual(phone.run("return document.querySelector('.team .card').ariaLabel"),
                         "LIONS 2, Set the score")


class Looks(PageTestCase):
    """Every game on every screen."""

    EXTREMES = """
[teams.home]
name = "SG Blau-Weiß Oberhausen-Süd 04"
color = "{}"

[teams.guest]
name = "WWWWWWWWWWWWWWW MMMMMMMMMMMMMM"
color = "{}"
"""

    def test_games_fit_all_screens(self):
        self.start_all()
        phone = self.phone(reduced_motion=True)
        for preset in PRESETS:
            self.reconfigure(preset)
            phone.wait_for(f"{LIVE} && match.preset === '{preset}'")
            self.fill(preset)
            for size in SCREENS:
                with self.subTest(preset=preset, size=size):
                    phone.resize(*size)
                    self.assert_tidy(phone, (preset, size))
                    self.assert_reachable(phone, (preset, size))
                    if size not in LOW_SCREENS:
                        self.assert_no_violation(phone, (preset, size))
        self.assertEqual(phone.problems(), [])

    def test_a_message_of_one_word_is_not_broken(self):
        self.start_all(language="de")
        phone = self.phone(width=320, height=568)
        self.config.write_text(self.config.read_text().replace('"TIME-OUT"', '"HALBZEITPAUSE"'))
        phone.wait_for("display?.messages[0] === 'HALBZEITPAUSE'")
        phone.click("#openMenu")
        lines = phone.run("""
            const range = document.createRange();
            range.selectNodeContents(document.querySelector("#presets button").firstChild);
            return range.getClientRects().length;
        """)
        self.assertEqual(lines, 1)
        self.assert_tidy(phone, "the menu")

    def test_the_points_are_in_view_below_a_strip(self):
        self.start_all("volleyball")
        phone = self.phone(reduced_motion=True)
        self.control("set-score", "home", "24")
        self.control("add-score", "home", "1")
        phone.wait_for("document.querySelector('.strip .hold')")
        for size in SCREENS:
            with self.subTest(size=size):
                phone.resize(*size)
                self.assert_tidy(phone, size)
                self.assert_reachable(phone, size, ".big, .strip .hold, .run, #period, #bottom button")

    def fill(self, preset):
        """Gives a match the values that it may have in its middle."""
        self.control("set-score", "home", "9" if preset not in ("darts", "tennis") else "30")
        if preset in ("handball", "ice-hockey"):
            self.control("penalty", "home", "2:00", "--number", "17")
            self.control("penalty", "home", "2:00")
        if preset in ("volleyball", "tennis", "football", "basketball"):
            self.control("set", "period", "2", "--anyway")

    def test_languages_fit(self):
        self.start_all("ice-hockey")
        phone = self.phone(reduced_motion=True)
        for language in LANGUAGES:
            for preset in ("ice-hockey", "volleyball", "darts"):
                self.reconfigure(preset, language)
                phone.wait_for(f"{LIVE} && match.preset === '{preset}'"
                               f" && document.documentElement.lang === '{language}'")
                self.control("add-score", "home", "-1" if preset == "darts" else "1")
                self.control("undo")
                for size in SCREENS:
                    with self.subTest(language=language, preset=preset, size=size):
                        phone.resize(*size)
                        self.assert_tidy(phone, (language, preset, size))
                        self.assert_reachable(phone, (language, preset, size))
            for dialog, button in (("menu", "#openMenu"), ("entry", "#openEntry")):
                phone.resize(360, 740)
                phone.click(button)
                with self.subTest(language=language, dialog=dialog):
                    self.assert_tidy(phone, (language, dialog))
                phone.key("Escape")

    def test_text_fields_have_at_least_16_pixels(self):
        """Safari on phones enlarges the page while a smaller field has the focus, and leaves it so."""
        self.start_all()
        phone = self.phone()
        for page in ("/", "/pair"):
            phone.open(self.address(page))
            phone.wait_for("document.readyState === 'complete'")
            sizes = phone.run("return Object.fromEntries([...document.querySelectorAll('input')].map(node =>"
                              " [node.id, parseFloat(getComputedStyle(node).fontSize)]))")
            self.assertIn("name", sizes)
            self.assertEqual({name: size for name, size in sizes.items() if size < 16}, {})

    def test_long_names_high_scores_and_any_colour(self):
        self.start_all(teams=self.EXTREMES.format("#ffffff", "#000000"))
        phone = self.phone(reduced_motion=True)
        self.control("set-score", "home", "888")
        self.control("set-score", "guest", "999")
        self.wait_for_scores(phone, 888, 999)
        for colors in (("#ffffff", "#000000"), ("#ffff00", "#0000ff"), ("#1c1c1e", "#777777"), ("#ff0000", "#00ff00")):
            self.reconfigure(teams=self.EXTREMES.format(*colors))
            phone.wait_for(f"match.teams.map(team => team.color).join() === '{','.join(colors)}'")
            for size in SCREENS:
                with self.subTest(colors=colors, size=size):
                    phone.resize(*size)
                    self.assert_tidy(phone, (colors, size))
                    self.assert_reachable(phone, (colors, size))
                    texts, scores, edges = phone.run(CONTRAST)
                    self.assertGreaterEqual(texts, 4.5)
                    self.assertGreaterEqual(scores, 7)
                    self.assertGreaterEqual(edges, 3)

    def test_one_to_eight_teams(self):
        self.start_all()
        phone = self.phone(reduced_motion=True)
        for count, preset, language in itertools.product((1, 3, 5, 8), ("darts", "free"), ("de", "en")):
            teams = "".join(f'\n[teams.t{index}]\nname = "TEAM {index}"\n' for index in range(count))
            self.reconfigure(preset, language, teams=teams)
            phone.wait_for(f"match.teams.length === {count} && match.preset === '{preset}'"
                           f" && document.documentElement.lang === '{language}'")
            for size in (*SCREENS, (568, 320)):
                with self.subTest(count=count, preset=preset, language=language, size=size):
                    phone.resize(*size)
                    self.assert_tidy(phone, (count, size))
                    self.assert_reachable(phone, (count, size), ".team:first-child .big")
            if preset == "darts":
                continue
            phone.resize(360, 740)
            # The last team can be reached, although the bar at the bottom stays.
            phone.run("scrollTo(0, document.documentElement.scrollHeight)")
            phone.click(".team:last-child .big")
            phone.wait_for("document.querySelector('.team:last-child .figure').textContent === '1'")
            self.control("undo")

    def test_dialogs(self):
        self.start_all("ice-hockey")
        phone = self.phone(reduced_motion=True)
        for size in SCREENS:
            phone.resize(*size)
            for button, script in (("#openMenu", "document.querySelector('#menu details').open = true"),
                                   ("#openEntry", "document.querySelector('#look').open = true"),
                                   (".penalties button", "0")):
                with self.subTest(button=button, size=size):
                    phone.click(button)
                    # The keypad is completely in view, and a menu begins at its top.
                    self.assertEqual(phone.run(HIDDEN, "dialog[open] .close, #pad button"), [], (button, size))
                    phone.run(script)
                    phone.run("document.querySelector('dialog[open]').scrollTop = 1e5")
                    self.assert_tidy(phone, (button, size))
                    self.assert_no_violation(phone, (button, size))
                phone.key("Escape")

    def test_the_pairing_form_fits(self):
        self.start_all(language="de")
        phone = self.browser()
        phone.open(self.address())
        phone.wait_for("document.querySelector('#pairing').checkVisibility()")
        for size in SCREENS:
            with self.subTest(size=size):
                phone.resize(*size)
                self.assert_tidy(phone, size)
                self.assertEqual(phone.run(HIDDEN, "#pairing > *"), [], size)

    def test_a_page_from_right_to_left_is_usable(self):
        for language in ("ar", "en"):
            self.start_all(language=language)
            self.control("show", "match")
            is_right = self.red_is_right()
            self.assertEqual(is_right, language == "ar")
            phone = self.phone()
            phone.run("document.documentElement.dir = 'rtl'")
            for size in SCREENS:
                phone.resize(*size)
                self.assert_tidy(phone, size)
                self.assert_reachable(phone, size)
                left = "document.querySelector('.team:first-child').getBoundingClientRect().left"
                self.assertEqual(phone.run(f"return {left} > innerWidth / 2 - 20"), is_right,
                                 "the teams are where they are on the wall")
            self.stop_web()
            self.kill()

    def red_is_right(self):
        """Whether the color of the first team is in the right half of the wall's picture."""
        def sides():
            picture = from_png(self.picture())
            red = [0, 0]
            for index in range(picture.width * picture.height):
                r, g, b = picture.rgb[3 * index:3 * index + 3]
                red[index % picture.width * 2 // picture.width] += r > 120 and r > g + 50 and r > b + 50
            return red
        self.wait_for("a red team", lambda: max(sides()) > 5 and min(sides()) == 0)
        return sides()[1] > 0

    def test_names_from_right_to_left_keep_the_order_of_a_change(self):
        self.start_all(teams='[teams.home]\nname = "الأسود"\n[teams.guest]\nname = "النمور"\n')
        phone = self.phone()
        self.control("set-score", "home", "12")
        phone.wait_for("document.querySelector('#undo small').textContent.includes(' 0 → 12, ')")
        # From left to right: the name, the scores, and how long ago it was.
        places = phone.run("""
            const text = document.querySelector("#undo small").firstChild;
            return ["الأسود", "0 ", "12", "ago"].map(part => {
              const range = document.createRange(), start = text.data.indexOf(part);
              range.setStart(text, start);
              range.setEnd(text, start + part.length);
              const { left, top } = range.getBoundingClientRect();
              return [top, left];
            });""")
        self.assertEqual(places, sorted(places))


class Board(PageTestCase):
    """What spectators see."""

    def test_it_mirrors_the_match(self):
        self.start_all()
        board = self.browser(1024, 768)
        board.open(self.address("/board"))
        board.wait_for(LIVE)
        self.control("set-score", "home", "87")
        self.control("message", "TIME OUT", "--until-cleared")
        self.wait_for_scores(board, 87, 0)
        board.wait_for("document.querySelector('#strips').textContent === 'TIME OUT'")
        self.assertEqual(board.run("return [...document.querySelectorAll('button')]"
                                   ".filter(node => node.checkVisibility()).length"), 0)
        for size in SCREENS:
            board.resize(*size)
            self.assert_tidy(board, size)
            self.assert_no_violation(board, size)
        self.assertEqual(board.problems(), [])
        for size in ((740, 360), (1920, 1080)):
            board.resize(*size)
            self.assert_tidy(board, size)
            self.assertEqual(board.run(COVERED), [], size)
            self.assertTrue(board.run("return document.documentElement.scrollHeight <= innerHeight"), size)
            boxes = board.run("return [...document.querySelectorAll('.score')].map(node => node.getBoundingClientRect())"
                              ".map(({ left, right, height }) => [left, right, height])")
            # The scores are large, and at the same distance from the middle.
            self.assertGreater(boxes[0][2], size[1] * 0.25)
            self.assertAlmostEqual(boxes[0][2], boxes[1][2], delta=1)
            self.assertAlmostEqual(boxes[0][0] + boxes[1][1], size[0], delta=3)
        self.stop_web()
        board.wait_for("document.querySelector('#trouble').textContent.endsWith('The wall showed 87 : 0.')")

    def test_it_has_no_controls_on_a_scorers_phone_either(self):
        self.start_all()
        phone = self.phone()
        phone.open(self.address("/board"))
        phone.wait_for(LIVE)
        self.assertEqual(phone.run("return document.querySelectorAll('.team button').length"), 0)

    def test_the_overlay_is_transparent(self):
        self.start_all()
        board = self.browser(1280, 720, touch=False)
        board.devtools("Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0})
        board.open(self.address("/board?overlay=1"))
        board.wait_for(f"{LIVE} && document.querySelector('.figure')")
        self.wait_for_scores(board, 0, 0)
        for node in ("html", "body", "main", "#teams"):
            color, image = board.run("const style = getComputedStyle(document.querySelector(arguments[0]));"
                                     "return [style.backgroundColor, style.backgroundImage]", node)
            self.assertEqual((color, image), ("rgba(0, 0, 0, 0)", "none"), node)
        bottom = board.run("return [...document.querySelectorAll('.team')].every(node =>"
                           " node.getBoundingClientRect().top > innerHeight * 0.8)")
        self.assertTrue(bottom)
        self.assert_tidy(board, "overlay")

    def test_the_overlay_says_everything_in_one_line(self):
        self.start_all("tennis")
        board = self.browser(1920, 1080, touch=False)
        board.open(self.address("/board?overlay=1"))
        board.wait_for(f"{LIVE} && document.querySelector('.figure')")
        for team in ("home", "home", "home", "home", "guest"):
            self.control("add-score", team, "1")
        self.wait_for_scores(board, 0, 15)
        # The sets and the games won.
        self.assertEqual(board.texts("[data-team=home] .won"), ["0", "1"])
        boxes = ("return [...document.querySelectorAll('.team, .clock, .stack, #period, .strip')]"
                 ".map(node => node.getBoundingClientRect()).filter(box => box.width)"
                 ".map(({ left, right, top, bottom }) => [left, right, top, bottom].map(Math.round))")
        for size in ((740, 360), (1920, 1080)):
            with self.subTest(size=size):
                board.resize(*size)
                before = board.run(boxes)
                self.control("message", "TIME OUT", "--until-cleared")
                board.wait_for("document.querySelector('#strips .strip')")
                after = board.run(boxes)
                # The message is at the end, and moves nothing.
                self.assertEqual([box for box in after if box not in before], [max(after)])
                self.assertEqual(len(after), len(before) + 1)
                self.control("message", "--clear")
                board.wait_for("!document.querySelector('#strips .strip')")
                self.assertEqual(board.run(boxes), before)
                self.assertEqual({box[2:] == before[0][2:] for box in before}, {True}, before)
                self.assertLess(max(box[1] for box in before), size[0])
                self.assertLess(max(box[3] for box in before), size[1])
                height = board.run("return document.querySelector('.score .flip:last-child .figure').getBoundingClientRect().height")
                self.assertAlmostEqual(height / size[1], 0.045, delta=0.002)
                self.assert_tidy(board, size)
        # Without a connection the score is not shown as if it were live, and no notice covers the video.
        opacity = "Number(getComputedStyle(document.querySelector('#app')).opacity)"
        self.assertEqual(board.run(f"return {opacity}"), 1)
        self.stop_web()
        board.wait_for("document.body?.dataset.state === 'lost'")
        self.assertLess(board.run(f"return {opacity}"), 0.7)
        self.assertFalse(board.run("return document.querySelector('#notices').checkVisibility()"))
        self.assertTrue(board.run("return document.querySelector('#dot').checkVisibility()"))


class Policy(PageTestCase):
    """The page's content security policy, and messages in an unknown form."""

    def test_nothing_is_fetched_from_elsewhere_and_no_policy_is_violated(self):
        self.start_all()
        phone = self.phone()
        phone.click("#openMenu")
        phone.key("Escape")
        phone.click("#openEntry")
        phone.key("Escape")
        addresses = phone.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
        self.assertTrue(all(address.startswith(self.address("")) for address in addresses), addresses)
        self.assertEqual(phone.problems(), [])
        with urllib.request.urlopen(self.address(), timeout=5 * PATIENCE) as reply:
            policy = reply.headers["Content-Security-Policy"]
            self.assertLess(len(reply.read()), 60_000)
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        with self.assertRaises(BrowserError):
            phone.run_async("const done = arguments[0]; const node = document.createElement('script');"
                            "node.textContent = 'window.injected = 1'; document.body.append(node);"
                            "if (window.injected) done(1); else throw new Error('refused')")

    def test_a_state_in_another_shape_is_not_fatal(self):
        """A later daemon may add members and drop optional ones."""
        self.start_all()
        phone = self.phone()
        state = json.loads(phone.run("return JSON.stringify(match)"))
        for optional in ("periodText", "overtimeName", "periodOver", "matchOver", "secondShot", "penalties", "undo",
                         "redo", "serving", "periodsToWin"):
            state.pop(optional, None)
        state["revision"] += 1
        state["future"] = {"member": [1]}
        state["teams"][0]["score"] = 7
        phone.run("receive('match', { match: arguments[0], age: 0 })", state)
        self.wait_for_scores(phone, 7, 0)
        self.assertEqual(phone.problems(), [])
