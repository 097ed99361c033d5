# SPDX-License-Identifier: Apache-2.0
"""What the page of flipclock-web sends, and what it must not send: late, twice, or for another match than it
shows."""

import signal
import subprocess
import time

from EndToEnd import test_web_page
from EndToEnd.browser import BrowserError
from EndToEnd.daemon import environment
from EndToEnd.test_web_page import LIVE, TEAMS

RENAMED = """
[teams.red]
name = "RED"

[teams.blue]
name = "BLUE"
"""

ALERT = "document.querySelector('#alert').textContent"
TROUBLE = "document.querySelector('#trouble').textContent"
CHANGED = "The match has changed meanwhile"
DOUBT = "document.querySelector('#doubt').textContent"
UNKNOWN = "Not known yet whether this was done: LIONS +2. Please wait."
DONE = "Done: LIONS +2."
TOO_LATE = "Came too late, nothing was changed: LIONS +2."
PAIRING = "document.querySelector('#pairing')?.hidden === false"
ACTIVE = "(document.activeElement.ariaLabel || document.activeElement.id)"
OPEN = "[...document.querySelectorAll('dialog[open]')].map(node => node.id).join()"

# Counts the streams that the page requests from now on.
COUNT_STREAMS = """
window.streams = 0;
const original = fetch;
window.fetch = (address, options) => {
  if (String(address).startsWith("/events")) streams++;
  return original(address, options);
};
"""

# Whether a notice is on top of everything else in its middle.
IS_ON_TOP = """
const notices = document.querySelector("#notices"), note = document.getElementById(arguments[0]);
notices.style.pointerEvents = "auto";
const box = note.getBoundingClientRect();
const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
notices.style.pointerEvents = "";
return box.width > 0 && box.top >= 0 && box.bottom <= innerHeight && top === note;
"""


class OrdersTestCase(test_web_page.PageTestCase):
    """What the tests of this file have in common."""

    def desk(self):
        """A scorer's computer with a keyboard and a mouse."""
        desk = self.browser(1024, 768, touch=False)
        desk.open(self.address("/pair#" + self.invite()))
        desk.wait_for(f"{LIVE} && ['owner', 'scorer'].includes(document.body?.dataset.role)")
        return desk

    def start_web_with(self, *options):
        """Starts flipclock-web again, with options."""
        self.stop_web()
        with open(self.log, "ab") as log:
            self.web = subprocess.Popen(
                [test_web_page.WEB, "--listen", f"127.0.0.1:{self.port}", "--socket", self.socket,
                 "--state-dir", self.directory / "web", *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment())
        self.wait_for("a page", lambda: self.fetch("/").startswith(b"<!DOCTYPE html>"))

    def settle(self, phone):
        """Waits until no command waits for an answer."""
        phone.wait_for("!isSending && !queue.length && !document.querySelector('.sending')")

    def while_held(self, phone, selector, act, seen):
        """Holds a button, calls `act`, and waits until the page has `seen` it. Only then the time ends for which the button
        must be held, so no machine is too slow."""
        phone.run("""
            const usual = setTimeout;
            window.setTimeout = (call, time) => {
              if (time !== 800) return usual(call, time);
              window.setTimeout = usual;
              window.end = call;
            };
        """)
        phone.hold(selector)
        phone.wait_for("!!window.end")
        act()
        phone.wait_for(seen)
        phone.run("end()")
        phone.let_go()


class Notices(OrdersTestCase):
    """Errors are seen where the scorer looks."""

    def test_errors_are_above_every_dialog(self):
        self.start_all()
        phone = self.phone()
        for size in ((360, 740), (740, 360)):
            phone.resize(*size)
            for button, dialog in (("#openMenu", "menu"), ("#openEntry", "entry"), (None, "ask")):
                with self.subTest(size=size, dialog=dialog):
                    if button:
                        phone.click(button)
                    else:
                        phone.click("#openMenu")
                        phone.run("document.querySelector('#newGame').click()")
                    phone.run("say('too-fast')")
                    self.assertTrue(phone.run(IS_ON_TOP, "alert"))
                    self.assertEqual(phone.run("return document.querySelector('#notices').parentNode.id"), dialog)
                    phone.key("Escape")
                    if not button:
                        phone.wait_for("document.querySelector('#notices').parentNode.id === 'menu'")
                        phone.key("Escape")
                    phone.wait_for("document.querySelector('#notices').parentNode === document.body")

    def test_a_lost_connection_is_seen_and_read_out_in_a_dialog(self):
        self.start_all()
        phone = self.phone()
        phone.click("#openMenu")
        phone.run("document.querySelector('#newGame').click()")
        self.assertFalse(phone.run("return document.querySelector('#askYes').disabled"))
        self.stop_web()
        phone.wait_for(f"{TROUBLE}.startsWith('No connection for')")
        self.assertTrue(phone.run(IS_ON_TOP, "trouble"))
        nodes = phone.devtools("Accessibility.getFullAXTree")["nodes"]
        roles = [node["role"]["value"] for node in nodes if not node.get("ignored")]
        self.assertIn("alert", roles)
        self.assertTrue(phone.run("return document.querySelector('#askYes').disabled"))
        self.start_web()
        phone.wait_for(LIVE, 15)
        self.assertFalse(phone.run("return document.querySelector('#askYes').disabled"))

    def test_a_page_that_never_gets_a_stream_says_so(self):
        self.start_all()
        phone = self.browser()
        phone.devtools("Network.enable")
        phone.devtools("Network.setBlockedURLs", urls=["*events*"])
        phone.open(self.address())
        phone.wait_for(f"/^No connection for \\d+ s\\.$/.test({TROUBLE})")
        phone.run("receive('role', { role: 'none' })")
        self.assertEqual(phone.texts("#pairing h1, #pairing .do"), ["Keep the score on this device", "Connect"])
        self.assertNotEqual(phone.text("#pairing p"), "")


class Streams(OrdersTestCase):
    """When the page opens its stream, and when it closes it."""

    def test_other_teams_close_the_keypad(self):
        self.start_all()
        phone = self.phone()
        phone.click(".team:first-child .card")
        phone.key("7")
        phone.run(COUNT_STREAMS)
        self.reconfigure(teams=RENAMED)
        phone.wait_for("document.querySelectorAll('.team .label')[0].textContent === 'RED'")
        self.assertEqual(phone.run(f"return {OPEN}"), "")
        self.assertEqual(phone.run("return streams"), 0)
        phone.wait_for(LIVE)
        phone.click(".team:first-child .big")
        self.wait_for_scores(phone, 2, 0)

    def test_the_clock_can_be_set_although_the_teams_are_others(self):
        self.start_all()
        phone = self.phone()
        phone.click("#openMenu")
        phone.click("#setClock")
        for key in "500":
            phone.key(key)
        self.reconfigure(teams=RENAMED)
        phone.wait_for("match.teams[0].id === 'red'")
        phone.click("#done")
        self.wait_for("the clock", lambda: self.match()["timers"]["game"]["milliseconds"] == 300_000)
        self.assertEqual(phone.run(f"return {OPEN}"), "")

    def test_another_game_closes_a_keypad_that_it_has_no_use_for(self):
        self.start_all("ice-hockey")
        phone = self.phone()
        phone.click(".team:first-child .penalties button")
        self.reconfigure("tennis")
        phone.wait_for(f"match.preset === 'tennis' && {OPEN} === ''")
        self.reconfigure("darts")
        phone.wait_for("match.preset === 'darts'")
        phone.click(".team:first-child .big")
        self.reconfigure("basketball")
        phone.wait_for(f"match.preset === 'basketball' && {OPEN} === ''")

    def test_a_fault_of_the_page_is_not_taken_for_one_of_the_connection(self):
        self.start_all()
        phone = self.phone()
        phone.run(COUNT_STREAMS)
        phone.run("drawMenu = () => { throw new Error('a fault') }")
        self.control("add-score", "home", "2")
        self.wait_for_scores(phone, 2, 0)
        time.sleep(1)
        self.assertEqual(phone.run(f"return [streams, {LIVE}]"), [0, True])
        self.assertIn("a fault", "".join(phone.problems()))

    def test_a_stream_that_ends_at_once_is_asked_for_ever_more_rarely(self):
        self.start_all()
        phone = self.phone()
        phone.run("""
            window.streams = 0;
            const original = fetch, beat = "event: beat\\ndata: {}\\n\\n";
            window.fetch = (address, options) => String(address).startsWith("/events")
              ? (streams++, Promise.resolve(new Response(beat))) : original(address, options);
            listen();
        """)
        time.sleep(4)
        self.assertIn(phone.run("return streams"), (3, 4, 5))

    def test_a_hidden_page_leaves_its_connection_to_others(self):
        self.start_all()
        phone = self.phone()
        phone.run("window.isHidden = true; Object.defineProperty(document, 'hidden', { get: () => isHidden });"
                  "document.dispatchEvent(new Event('visibilitychange'))")
        time.sleep(1)
        self.assertTrue(phone.run("return stream !== null"), "a short glance elsewhere changes nothing")
        phone.wait_for("stream === null", 6)
        phone.run(COUNT_STREAMS)
        self.control("add-score", "home", "2")
        time.sleep(6)
        self.assertEqual(phone.run("return streams"), 0, "it does not open another one while it is hidden")
        phone.run("isHidden = false; document.dispatchEvent(new Event('visibilitychange'))")
        phone.wait_for(LIVE)
        self.wait_for_scores(phone, 2, 0)

    def test_many_tabs_of_one_browser(self):
        self.start_all()
        phone = self.phone()
        for _ in range(7):
            phone.open_tab()
            phone.open(self.address())
            try:
                phone.wait_for(LIVE, 60)
            except BrowserError as error:
                # Six tabs that are not hidden would take all connections.
                tabs = phone.in_each_tab("[document.hidden, document.body.dataset.state, failures, lost, Boolean(stream)]")
                self.fail(f"{error}; hidden, state, failures, lost, stream of the tabs: {tabs}")
        phone.click(".team:first-child .big")
        self.wait_for_scores(phone, 2, 0)


class Orders(OrdersTestCase):
    """A command is performed soon, once, and for the match that the scorer sees."""

    def test_two_scorers_who_begin_the_next_period_begin_one(self):
        self.start_all()
        phone = self.phone()
        phone.click("#openMenu")
        self.while_held(phone, "#next", lambda: self.control("set", "period", "2"), "match.period === 2")
        phone.wait_for(f"{ALERT}.startsWith('{CHANGED}')")
        self.assertEqual(self.match()["period"], 2)
        # The phone is asked for a confirmation, and the question is withdrawn when the other scorer was
        # first.
        phone.run("document.querySelector('#next').click()")
        phone.wait_for("document.querySelector('#askText').textContent === 'Begin: QUARTER 3?'")
        phone.run("say(null)")
        self.control("set", "period", "3")
        phone.wait_for(f"!document.querySelector('#ask').open && {ALERT}.startsWith('{CHANGED}')")
        self.assertEqual(self.match()["period"], 3)
        # While nobody else changes anything, both buttons work.
        phone.press("#next", 1.2)
        phone.wait_for("match.period === 4")
        phone.run("document.querySelector('#previous').click()")
        phone.click("#askYes")
        phone.wait_for("match.period === 3")

    def test_the_light_has_nothing_to_do_with_the_match(self):
        self.start_all()
        phone = self.phone()
        phone.click("#openMenu")
        self.while_held(phone, "#blank", lambda: self.control("add-score", "home", "1"), "match.teams[0].score === 1")
        phone.wait_for("display.blanked")

    def test_a_button_that_is_replaced_while_it_is_held_does_nothing(self):
        self.start_all("volleyball")
        phone = self.phone()
        self.control("set-score", "home", "25")
        phone.wait_for("document.querySelector('.strip .hold')")
        self.while_held(
            phone, ".strip .hold", lambda: self.control("message", "HELLO"), "!document.querySelector('.strip .holding')")
        time.sleep(0.5)
        self.assertEqual(self.match()["period"], 1)
        phone.press(".strip .hold", 1.2)
        phone.wait_for("match.period === 2")

    def test_a_press_that_leaves_its_button_is_forgotten(self):
        self.start_all()
        desk = self.desk()
        desk.click("#openMenu")
        desk.drag("#newGame", 0, -200)
        desk.run("document.querySelector('#newGame').click()")
        self.assertEqual(desk.run(f"return {OPEN}"), "menu,ask")

    def penalties(self):
        return [(penalty.get("number"), penalty["milliseconds"]) for penalty in self.match()["teams"][0]["penalties"]]

    def test_a_penalty_that_is_ended_is_the_one_that_was_tapped(self):
        self.start_all("ice-hockey")
        phone = self.phone()
        for words in (("2:00", "--number", "17"), ("5:00",), ("3:00", "--number", "17"), ("4:00", "--number", "9")):
            self.control("penalty", "home", *words)
        home = ".team:first-child .penalty"
        phone.wait_for(f"document.querySelectorAll('{home}').length === 4")
        buttons = phone.run(f"return [...document.querySelectorAll('{home}')].map(node =>"
                            " node.localName === 'button' ? node.ariaLabel : node.textContent)")
        self.assertEqual(buttons, ["LIONS #17: End the penalty", "Penalty5:00", "#173:00", "LIONS #9: End the penalty"])
        phone.click(f"{home}:nth-child(4)")
        phone.click("#askYes")
        self.wait_for("three", lambda: self.penalties() == [(17, 120_000), (None, 300_000), (17, 180_000)])
        phone.wait_for(f"document.querySelectorAll('{home}').length === 3")
        phone.click(f"{home}:nth-child(1)")
        phone.click("#askYes")
        phone.wait_for(f"document.querySelectorAll('{home}').length === 2")
        # Now the penalty without a number is the oldest.
        phone.click(f"{home}:nth-child(1)")
        phone.click("#askYes")
        self.wait_for("one", lambda: self.penalties() == [(17, 180_000)])

    def test_a_question_about_a_penalty_that_expires_is_withdrawn(self):
        self.start_all("ice-hockey")
        phone = self.phone()
        self.control("penalty", "home", "0:10")
        self.control("penalty", "home", "5:00")
        self.control("timer", "start")
        phone.wait_for("document.querySelectorAll('.team:first-child .penalty').length === 2")
        phone.click(".team:first-child .penalty")
        phone.wait_for(f"!document.querySelector('#ask').open && {ALERT}.startsWith('{CHANGED}')", 15)
        self.assertEqual(len(self.penalties()), 1)

    def test_taps_that_the_network_swallows_are_not_performed_later(self):
        self.start_all()
        phone = self.phone()
        self.web.send_signal(signal.SIGSTOP)
        for _ in range(3):
            phone.run("document.querySelector('.team:first-child .big').click()")
        # The first may have reached the wall.
        phone.wait_for(f"{DOUBT} === '{UNKNOWN}'", 8)
        self.assertEqual(phone.run("return [queue.length, document.querySelectorAll('.sending').length]"), [3, 1])
        time.sleep(5)
        self.web.send_signal(signal.SIGCONT)
        phone.wait_for(f"{LIVE} && !queue.length", 15)
        self.assertEqual(phone.run(f"return {DOUBT}"), " ".join([TOO_LATE] * 3))
        time.sleep(1)
        self.assertEqual(self.scores()["home"], 0)
        phone.click(".team:first-child .big")
        self.wait_for("a tap", lambda: self.scores()["home"] == 2)
        phone.wait_for(f"{DOUBT} === ''", 10)

    def test_taps_that_wait_too_long_are_given_up(self):
        self.start_all()
        phone = self.phone()
        # The reply to the first tap comes when the others have waited for more than 5 s.
        phone.run("""
            const original = fetch;
            window.fetch = async (address, options) => {
              const reply = await original(address, options);
              if (address === "/commands" && !window.release) await new Promise(done => window.release = done);
              return reply;
            };
        """)
        for _ in range(3):
            phone.click(".team:first-child .big")
        phone.wait_for("!!window.release", 20)
        phone.run("setTimeout(release, 6000)")
        phone.wait_for(f"{DOUBT} === '{UNKNOWN}'", 8)
        phone.wait_for(f"{DOUBT} === '{DONE} {TOO_LATE} {TOO_LATE}'", 20)
        self.settle(phone)
        self.assertEqual(self.scores()["home"], 2)

    def test_what_is_under_way_when_a_stream_is_opened_again_is_sent_again(self):
        self.start_all()
        phone = self.phone()
        phone.run("""
            const original = fetch;
            window.headers = [];
            window.fetch = (address, options) => {
              if (address === "/commands") headers.push(JSON.stringify(options.headers));
              return address !== "/commands" || headers.length > 1 ? original(address, options)
                : new Promise((_, fail) => options.signal.addEventListener("abort", () => fail(new Error("aborted"))));
            };
        """)
        for _ in range(3):
            phone.click(".team:first-child .big")
        phone.run("dispatchEvent(new Event('online'))")
        phone.wait_for(f"{DOUBT} === '{UNKNOWN}'")
        phone.wait_for(f"{DOUBT} === '{DONE}'")
        self.settle(phone)
        # The others followed in their order.
        self.assertEqual(self.scores()["home"], 6)
        headers = phone.run("return headers")
        self.assertEqual((headers[0] == headers[1], len(set(headers))), (True, 3))

    def test_undo_follows_this_phones_own_commands(self):
        self.start_all()
        phone = self.phone()
        for points in "321":
            self.control("add-score", "home", points)
        self.wait_for_scores(phone, 6, 0)
        phone.run("const { undo } = $; undo.click(); undo.click();")
        self.wait_for_scores(phone, 3, 0)
        self.settle(phone)
        phone.run("document.querySelector('.team:last-child .big').click(); $.undo.click();")
        self.settle(phone)
        self.wait_for("the points and their end", lambda: self.scores() == {"home": 3, "guest": 0})
        self.assertEqual(phone.run(f"return {ALERT}"), "")

    def test_undo_does_not_follow_the_commands_of_others(self):
        self.start_all()
        phone = self.phone()
        self.control("add-score", "home", "2")
        self.wait_for_scores(phone, 2, 0)
        # The page does not get the change of another phone before its own point.
        phone.run("receiveMatch = () => {}")
        self.control("add-score", "guest", "3")
        phone.run("document.querySelector('.team:first-child .big').click(); $.undo.click();")
        phone.wait_for(f"{ALERT}.startsWith('{CHANGED}')")
        self.assertEqual(self.scores(), {"home": 4, "guest": 3})

    def test_only_what_was_changed_is_saved(self):
        self.start_all()
        phone = self.phone()
        phone.click("#openEntry")
        phone.click("#look summary")
        self.control("set", "home", "name", "BEARS")
        phone.wait_for("match.teams[0].name === 'BEARS'")
        phone.run("document.querySelector('#colour').value = '#00ff00'")
        phone.click("#look form button")
        self.wait_for("the colour", lambda: self.match()["teams"][0]["color"] == "#00ff00")
        self.settle(phone)
        self.assertEqual(self.match()["teams"][0]["name"], "BEARS")
        phone.run("document.querySelector('#name').value = ''")
        phone.type("#name", "WOLVES")
        phone.click("#look form button")
        self.wait_for("the name", lambda: self.match()["teams"][0]["name"] == "WOLVES")


class Pairing(OrdersTestCase):
    """A code that is wrong, or sent twice, or too early."""

    def test_two_submissions_are_one(self):
        self.start_all()
        phone = self.browser()
        phone.open(self.address())
        phone.wait_for(PAIRING)
        phone.run("""
            window.pairs = 0;
            const original = fetch;
            window.fetch = async (address, options) => {
              const reply = await original(address, options);
              if (address === "/pair") { pairs++; await new Promise(done => setTimeout(done, 500)); }
              return reply;
            };
        """)
        phone.type("#code", self.invite())
        phone.run("document.querySelector('#pairing').requestSubmit()")
        phone.wait_for(f"{LIVE} && ['owner', 'scorer'].includes(document.body?.dataset.role)")
        time.sleep(0.7)
        self.assertEqual(phone.run(f"return [pairs, role, {PAIRING}, {ALERT}]"), [1, "owner", False, ""])

    def test_a_code_may_be_pasted_as_it_is_displayed(self):
        self.start_all(language="de")
        phone = self.browser()
        phone.open(self.address())
        phone.wait_for(PAIRING)
        phone.type("#code", "123")
        phone.click("#pairing button.do")
        phone.wait_for(f"{ALERT}.startsWith('Die Ziffern')")
        code = self.invite()
        phone.run(f"""
            const input = document.querySelector("#code");
            input.select();
            document.execCommand("insertText", false, "{code[:3]} {code[3:]}");
        """)
        phone.wait_for(f"{LIVE} && ['owner', 'scorer'].includes(document.body?.dataset.role)")

    def test_a_wrong_code_takes_nothing_away(self):
        self.start_all()
        phone = self.phone()
        phone.open(self.address("/board"))
        phone.open(self.address("/pair#AAAAAAAAAAAAAAAAAAAAAA"))
        phone.wait_for(f"{ALERT}.startsWith('The digits are wrong')")
        phone.wait_for(f"{LIVE} && ['owner', 'scorer'].includes(document.body?.dataset.role)")
        phone.click(".team:first-child .big")
        self.wait_for_scores(phone, 2, 0)

    def test_a_viewer_can_go_back(self):
        self.start_all()
        viewer = self.phone(role="viewer")
        viewer.click("#viewer a")
        viewer.wait_for(PAIRING)
        for size in ((360, 740), (740, 360)):
            viewer.resize(*size)
            self.assert_tidy(viewer, size)
        viewer.type("#code", "000000" if self.invite() != "000000" else "000001")
        viewer.wait_for(f"{ALERT}.startsWith('The digits are wrong')")
        viewer.wait_for(LIVE)
        viewer.click("#cancelPairing")
        self.control("add-score", "home", "2")
        self.wait_for_scores(viewer, 2, 0)
        self.assertEqual(viewer.run("return role"), "viewer")
        # A device without a role has nowhere to go back to.
        stranger = self.browser()
        stranger.open(self.address())
        stranger.wait_for(PAIRING)
        self.assertFalse(stranger.run("return document.querySelector('#cancelPairing').checkVisibility()"))

    def test_a_code_is_kept_until_the_wall_answers(self):
        self.start_all()
        phone = self.browser()
        # The wall does not respond to the first two tries.
        phone.prepare("""
            window.pairs = 0;
            const original = fetch;
            window.fetch = (address, options) => {
              if (address !== "/pair" || ++pairs > 2) return original(address, options);
              if (pairs === 1) return Promise.resolve(new Response("{}", { status: 503 }));
              return Promise.reject(new Error("lost"));
            };
        """)
        phone.open(self.address("/pair#" + self.invite()))
        phone.wait_for("pairs === 1")
        self.assertFalse(phone.run(f"return {PAIRING}"))
        phone.wait_for(f"{LIVE} && ['owner', 'scorer'].includes(document.body?.dataset.role)", 15)
        self.assertEqual(phone.run("return pairs"), 3)

    def test_a_code_waits_for_the_connection_to_the_wall(self):
        self.start_all()
        self.kill()
        phone = self.browser()
        phone.open(self.address("/pair#AAAAAAAAAAAAAAAAAAAAAA"))
        phone.wait_for(f"{TROUBLE}.startsWith('The wall has not responded')")
        self.assertEqual(phone.run(f"return [{PAIRING}, {ALERT}]"), [False, ""])
        self.start()
        phone.wait_for(f"{PAIRING} && {ALERT}.startsWith('The digits are wrong')", 40)

    def test_no_link_to_a_page_that_does_not_exist(self):
        self.start_all()
        stranger = self.browser()
        stranger.open(self.address())
        stranger.wait_for(f"{PAIRING} && document.querySelector('#pairing a').checkVisibility()")
        self.start_web_with("--viewers", "none")
        stranger.open(self.address())
        stranger.wait_for(f"{PAIRING} && document.querySelector('#pairing a').hidden")


class Keys(OrdersTestCase):
    """The focus, and the keyboard."""

    def test_the_focus_stays_where_it_is(self):
        self.start_all()
        desk = self.desk()
        desk.run("document.querySelector('.team:last-child .big').focus()")
        before = desk.run(f"return {ACTIVE}")
        self.assertEqual(before, "TIGERS +2")
        desk.run("listen(); check()")
        desk.wait_for(f"{LIVE} && {ACTIVE} === '{before}'")
        self.control("swap")
        desk.wait_for("match.teams[0].id === 'guest'")
        self.assertEqual(desk.run(f"return [{ACTIVE}, document.activeElement.closest('.team:first-child') !== null]"),
                         [before, True])
        for selector in (".team:first-child .card", ".team:first-child h2 button", ".team:first-child .less", ".run"):
            desk.run("document.querySelector(arguments[0]).focus()", selector)
            before = desk.run(f"return {ACTIVE}")
            for first in ("home", "guest"):
                self.control("swap")
                desk.wait_for(f"match.teams[0].id === '{first}'")
                self.assertEqual(desk.run(f"return {ACTIVE}"), before)
        # Other limits do not rebuild the panels.
        desk.run("window.panel = document.querySelector('.team:first-child')")
        self.control("set", "period", "5")
        desk.wait_for("match.period === 5")
        self.assertTrue(desk.run("return panel === document.querySelector('.team:first-child')"))

    def test_the_focus_returns_after_a_silence(self):
        self.start_all()
        phone = self.phone()
        phone.click("#openMenu")
        phone.type("#message", "BACK AT")
        self.web.send_signal(signal.SIGSTOP)
        phone.wait_for("document.body?.dataset.state === 'lost' && document.activeElement.id !== 'message'", 8)
        self.web.send_signal(signal.SIGCONT)
        phone.wait_for(f"{LIVE} && document.activeElement.id === 'message'", 15)
        self.assertEqual(phone.run("return document.querySelector('#message').value"), "BACK AT")

    def test_the_focus_stays_when_a_penalty_expires(self):
        self.start_all("ice-hockey")
        desk = self.desk()
        self.control("penalty", "home", "0:02", "--number", "9")
        desk.wait_for("document.querySelector('.penalty')")
        desk.run("document.querySelector('.team:first-child .penalties button:last-child').focus()")
        self.control("timer", "start")
        desk.wait_for("!document.querySelector('.penalty')")
        self.assertEqual(desk.run(f"return {ACTIVE}"), "LIONS: + Penalty")

    def test_a_viewers_keys_do_nothing(self):
        self.start_all()
        board = self.browser(1024, 768, touch=False)
        board.open(self.address("/board"))
        board.wait_for(LIVE)
        for key in "?=a":
            board.key(key)
        self.assertEqual(board.run(f"return {OPEN}"), "")

    def test_the_large_button_is_one_of_the_games(self):
        for increments, texts in (
                ("[1]", ["+1", "−1"]), ("[3, 1]", ["+3", "+1", "−1"]), ("[1, 2]", ["+2", "+1", "−1"])):
            config = test_web_page.CONFIG.format(preset="basketball", language="en", teams=TEAMS, port=self.port)
            self.config.write_text(config.replace('"basketball"', f'"basketball"\nincrements = {increments}'))
            if self.process is None:
                self.start()
                self.start_web()
                phone = self.phone()
            else:
                self.control("reload")
            phone.wait_for(f"JSON.stringify(match.increments) === '{increments.replace(' ', '')}'")
            self.assertEqual(phone.texts(".team:first-child .points button"), texts)


class Texts(OrdersTestCase):
    """The clock and the history."""

    def test_a_clock_that_counts_up_waits_at_its_end(self):
        self.start_all("handball")
        phone = self.phone()
        self.assertEqual(phone.run("return match.timers.game.limit"), 1_800_000)
        timer = "{ milliseconds: 1798500, running: true, direction: 'up', limit: 1800000 }"
        texts = [phone.run(f"return clockText({timer}, matchAt + {passed})") for passed in (0, 600, 1500, 9000)]
        self.assertEqual(texts, ["29:58", "29:59", "30:00", "30:00"])

    def test_the_history_of_other_teams_and_other_games(self):
        self.start_all()
        phone = self.phone()

        def undo(*words):
            self.control(*words)
            revision = self.match()["revision"]
            phone.wait_for(f"match.revision === {revision}")
            return phone.text("#undo small").rsplit(", ", 1)[0]

        self.assertEqual(undo("set", "home", "fouls", "+1"), "LIONS FOULS 0 → 1")
        self.reconfigure("volleyball")
        # Another game begins a new match.
        phone.wait_for("match.preset === 'volleyball'")
        self.assertEqual(phone.text("#undo small"), "")
        long = "sg-blau-weiss-oberhausen-sued"
        self.reconfigure(teams=f'\n[teams.{long}]\nname = "SG"\n[teams.b]\nname = "B"\n')
        phone.wait_for("match.teams[1].id === 'b'")
        undo("add-score", long, "2")
        self.reconfigure(teams='\n[teams.a]\nname = "A"\n[teams.b]\nname = "B"\n')
        phone.wait_for("match.teams[0].id === 'a'")
        self.assertEqual(phone.text("#undo small").rsplit(", ", 1)[0], f"{long} 0 → 2")
        name = "X, b wins the match"
        self.assertEqual(undo("set", "a", "name", name).split(": ", 1)[1], f"name {name}")
        # A German wall's history has no English.
        self.reconfigure("basketball", "de")
        phone.wait_for("document.documentElement.lang === 'de' && match.preset === 'basketball'")
        for words, text in [
            (("swap",), "Seiten getauscht"), (("timer", "start"), "Spieluhr: läuft"),
            (("timer", "pause"), "Spieluhr: angehalten"), (("timer", "set", "5:00"), "Spieluhr 5:00"),
            (("timer", "add", "-0:30"), "Spieluhr -0:30"),
            (("timer", "reset", "--shot", "14"), "Wurfuhr: Zurückgesetzt 0:14"),
            (("set", "home", "name", "ADLER"), "ADLER: Name ADLER"),
            (("set", "home", "color", "#f80"), "ADLER: Farbe #ff8800"),
            (("set", "serve", "home"), "Ballbesitz: ADLER"), (("set", "serve", "none"), "Ballbesitz: –"),
            # The match that another game had replaced, with its fouls.
            (("set", "home", "fouls", "2"), "ADLER FOULS 1 → 2"),
            (("set", "period", "3"), "VIERTEL: 1 → 3, ADLER FOULS 2 → 0, Spieluhr: Zurückgesetzt"),
            (("set", "home", "period-score", "1", "7"), "ADLER, 1. VIERTEL: 7"), (("new-game",), "Neues Spiel"),
            (("reset",), "Neues Spiel, ursprüngliche Namen"),
        ]:
            with self.subTest(words):
                self.assertEqual(undo(*words), text)
