# SPDX-License-Identifier: Apache-2.0
"""The page on which people connect the machine to a network, in a real browser, with the real program, a headless
daemon and a double of flipclock-host."""

import signal
import subprocess
import time

from EndToEnd.daemon import environment, free_port
from EndToEnd.host import HostDouble
from EndToEnd.pace import Pace
from EndToEnd.test_web_page import LANGUAGES, LIVE, WEB, PageTestCase
from EndToEnd.test_web_page_settings import LAYOUT
from EndToEnd.test_web_setup import page_code, report_access_point

STATUS = "document.querySelector('#status').textContent"
FORM = "document.querySelector('#form')?.hidden === false"
# The page's script has run, and has an answer.
KNOWN = "typeof state !== 'undefined' && state"
READY = f"{FORM} && document.querySelectorAll('[name=network]').length > 1"
ONLINE = "!document.querySelector('#result').hidden"
# What is drawn outside of the screen, overlaps, has no text, or is too small to tap.
PROBLEMS = """
    const problems = [];
    if (document.documentElement.scrollWidth > innerWidth) problems.push("wider than the screen");
    for (const node of document.querySelectorAll("button, input, select, label, a, h1, p, legend, span")) {
      const box = node.getBoundingClientRect();
      if (!box.width || node.closest("[hidden]")) continue;
      if (box.left < 0 || box.right > innerWidth + 1) problems.push("outside: " + node.outerHTML.slice(0, 90));
      if (node.matches("button, .network, .check, select, a, input:not([type=radio], [type=checkbox])") && box.height < 44) {
        problems.push(`${box.height} px: ` + node.outerHTML.slice(0, 90));
      }
    }
    for (const node of document.querySelectorAll("[data-word]")) {
      if (!node.textContent && !node.closest("[hidden]")) problems.push("no text: " + node.outerHTML);
    }
    return problems;
"""


class SetupPageTestCase(PageTestCase):
    def setUp(self):
        super().setUp()
        self.host = HostDouble(self.directory / "host.sock")
        self.addCleanup(self.host.close)
        self.portal = free_port()

    def start_web(self):
        with open(self.log, "ab") as log:
            self.web = subprocess.Popen(
                [WEB, "--listen", f"127.0.0.1:{self.port}", "--setup", f"127.0.0.1:{self.portal}",
                 "--socket", self.socket, "--state-dir", self.directory / "web"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(FLIPCLOCK_HOST_SOCKET=self.host.path))
        self.addCleanup(self.stop_web)
        self.wait_for("a page", lambda: self.fetch("/").startswith(b"<!DOCTYPE html>"))

    @property
    def setup_page(self):
        return f"http://127.0.0.1:{self.portal}/setup"

    def start_guest(self, width=360, height=740):
        """A phone that has joined the access point and opened whatever page."""
        self.start_all(teams="")
        phone = self.browser(width, height)
        phone.open(f"http://127.0.0.1:{self.portal}/hotspot-detect.html")
        phone.wait_for(READY)
        self.assertEqual(phone.address, self.setup_page)
        return phone

    def choose(self, phone, network):
        phone.run("[...document.querySelectorAll('[name=network]')]"
                  ".find(node => node.closest('label').textContent.startsWith(arguments[0])).click()", network)

    def enter(self, phone, selector, text):
        phone.run("const node = document.querySelector(arguments[0]); node.value = arguments[1];", selector, text)


class Setup(SetupPageTestCase):
    def test_a_phone_connects_the_machine_after_a_wrong_password(self):
        self.host.state["time_confirmed"] = False
        with Pace() as pace:
            phone = self.start_guest()
            self.wait_for("the time", lambda: len(self.host.times) == 1)
            given, ours = self.host.times[0]
            self.assertAlmostEqual(given, ours, delta=0.5 + pace.allowance(10, 1))
        phone.wait_for("document.querySelector('#time').textContent.includes('time of this phone')")
        self.assertTrue(phone.run("return document.querySelector('#join').disabled"))
        self.choose(phone, "Home")
        phone.type("#password", "short")
        phone.click("#join")
        phone.wait_for(f"{STATUS}.includes('8 to 63')")
        phone.type("#password", " but wrong")
        phone.click("#show")
        self.assertEqual(phone.run("return document.querySelector('#password').type"), "text")
        phone.click("#join")
        phone.wait_for(f"{STATUS} === 'The password of Home is wrong.'")
        # The choice has stayed, and the password has not.
        phone.wait_for(f"{FORM} && document.querySelector('[name=network]:checked').closest('label').textContent === 'Home'")
        self.assertEqual(phone.run("return document.querySelector('#password').value"), "")
        phone.run("document.querySelector('#country').value = 'CH'")
        phone.type("#password", "correct horse")
        self.host.trial = 1
        phone.click("#join")
        phone.wait_for(f"{STATUS}.startsWith('The display tries Home.') && document.querySelector('#form').hidden")
        self.assertEqual(self.host.methods("Join")[-1],
                         {"network": "Home", "password": "correct horse", "country": "CH"})
        self.assertEqual(phone.problems(), [])

    def test_an_owner_sees_how_it_went_and_strangers_see_nothing(self):
        self.start_all(teams="")
        owner = self.phone(role="owner")
        owner.open(self.address("/setup"))
        owner.wait_for(READY)
        self.choose(owner, "Guests")
        self.assertTrue(owner.run("return document.querySelector('#passwordFields').hidden"))
        owner.click("#join")
        self.host.passwords["Guests 5 GHz"] = ""
        owner.wait_for(f"{ONLINE} || {STATUS} !== ''")
        self.wait_for("the end of the trial", lambda: self.host.state["phase"] != "joining")
        self.assertEqual(self.host.methods("Join")[-1]["network"], "Guests 5 GHz")
        self.host.state = {**self.host.state, "phase": "online", "network": "Guests 5 GHz", "problem": None, "failed": None,
                           "address": "192.168.1.23"}
        owner.wait_for(f"{ONLINE} && document.querySelector('#online').textContent.includes('Guests 5 GHz')")
        self.assertIn(f"http://192.168.1.23:{self.port}", owner.text("#next"))
        # On the access point, somebody else's phone may only be paired.
        self.host.state = {**self.host.state, "phase": "access_point"}
        stranger = self.browser()
        stranger.open(self.setup_page)
        stranger.wait_for(f"{STATUS}.startsWith('Only an owner’s phone')")
        self.assertTrue(stranger.run("return document.querySelector('#form').hidden"))
        self.assertNotIn("Home", stranger.run("return document.body.textContent"))
        stranger.click("#pair")
        stranger.wait_for("!document.querySelector('#pairing')?.hidden")
        self.assertTrue(stranger.address.startswith(self.address()))

    def test_phones_of_others_get_words_of_their_language_and_no_network(self):
        self.start_all(teams="")
        self.phone(role="owner")
        self.host.calls.clear()
        expected = {
            "en": "The network can be chosen only on the display’s own access point",
            "de": "Das Netz lässt sich nur im eigenen Funknetz", "ja": "ネットワークを選べるのは、画面自身のアクセスポイント"}
        scorer, viewer, stranger = self.phone(), self.phone(role="viewer"), self.browser()
        for phone in scorer, viewer, stranger:
            agent = phone.run("return navigator.userAgent")
            for (language, text), width in zip(expected.items(), (1280, 320, 768)):
                phone.resize(width, 740)
                phone.devtools("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
                phone.open(self.address("/setup"))
                phone.wait_for(f"{STATUS}.startsWith('{text}')")
                self.assertEqual(phone.run("return document.documentElement.lang"), language)
                self.assertTrue(phone.run("return [...document.querySelectorAll('#form, #result, #pair, #without')]"
                                          ".every(node => node.hidden)"))
                shown = phone.run("return document.title + document.body.innerText")
                for name in ("Home", "Guests", "7Q2K"):
                    self.assertNotIn(name, shown)
                self.assertEqual(phone.run(PROBLEMS), [], (language, width))
        # Without the name of the display, which only paired phones get.
        self.assertEqual([phone.text("#wall") == "flipclock" for phone in (scorer, viewer, stranger)], [False, False, True])
        # Nothing is asked again that is refused to these phones.
        stranger.run("window.count = 0; const real = fetch; fetch = (...values) => { count++; return real(...values); }")
        time.sleep(3)
        self.assertEqual(stranger.run("return count"), 0)
        self.assertEqual(self.host.calls, [])

    def test_another_network_by_its_name_and_one_that_cannot_be_joined(self):
        phone = self.start_guest()
        self.assertTrue(phone.run("return document.querySelectorAll('[name=network]')[2].disabled"))
        self.choose(phone, "Another network")
        phone.type("#name", "Attic")
        phone.type("#password", "under the roof")
        phone.click("#join")
        # What was found during the trial is in the list. An access point cannot look for networks itself.
        self.host.networks.append({"name": "Cellar", "strength": 20, "security": "wpa"})
        phone.wait_for(f"{STATUS} === 'Attic was not found.'")
        phone.wait_for("document.querySelectorAll('[name=network]').length === 5")
        self.assertTrue(phone.run("return document.querySelector('#again').hidden"))
        self.assertIn("choose “Another network” and enter its name", phone.text("#unlisted"))
        self.choose(phone, "Another network")
        self.host.networks.append({"name": "Hall", "strength": 20, "security": "other"})
        for name, field, text in (
                ("Hall", "network", "Hall needs a sign-in that is not possible here."),
                ("ß" * 17, "network", "The name is too long."), ("ß" * 65, None, "The name is too long."),
                ("Cellar", "password", "A password has 8 to 63 characters.")):
            self.host.failures["Join"] = ("BadNetwork", {"field": field, "reason": "no"})
            self.enter(phone, "#name", name)
            phone.click("#join")
            phone.wait_for(f"{STATUS} === {text!r}")

    def test_an_owner_at_home_has_the_machine_look_again(self):
        self.start_all(teams="")
        owner = self.phone(role="owner")
        self.host.state = {**self.host.state, "phase": "online", "access_point": None, "network": "Home"}
        owner.open(self.address("/setup"))
        owner.wait_for(READY)
        self.assertEqual(owner.text("#unlisted"), "")
        self.host.networks.append({"name": "Attic", "strength": 20, "security": "wpa"})
        owner.click("#again")
        owner.wait_for("document.querySelectorAll('[name=network]').length === 5")

    def test_a_lost_answer_does_not_hide_the_result(self):
        phone = self.start_guest()
        self.choose(phone, "Home")
        phone.type("#password", "not the right one")
        self.host.trial, self.host.delays["Join"] = 2, 60
        phone.click("#join")
        self.wait_for("the trial", lambda: self.host.state["phase"] == "joining")
        # The access point is closed before the answer.
        self.lose_the_end_of_the_trial(phone, "connect this phone to Home, too. If not, connect it to flipclock-7Q2K again")

    def lose_the_end_of_the_trial(self, phone, said):
        """The page has no answers until the trial has failed, and says what to do meanwhile."""
        self.web.send_signal(signal.SIGKILL)
        self.web.wait(10)
        phone.wait_for(f"{STATUS}.includes('{said}')", 30)
        self.wait_for("the end of the trial", lambda: self.host.state["problem"] == "wrong_password")
        self.start_web()
        phone.wait_for(f"{STATUS} === 'The password of Home is wrong.' && {FORM}", 30)

    def test_a_choice_is_sent_once_however_slow_the_answer_is(self):
        phone = self.start_guest()
        self.choose(phone, "Home")
        phone.type("#password", "correct horse")
        # The trial is not seen by the polls before the answer.
        self.host.failures["Join"], self.host.delays["Join"] = ("Failed", {"operation": "Join", "reason": "no"}), 15
        phone.click("#join")
        self.wait_for("the call", lambda: self.host.methods("Join"))
        polls = len(self.host.methods("GetState"))
        self.wait_for("some polls", lambda: len(self.host.methods("GetState")) > polls + 1)
        self.assertTrue(phone.run("return document.querySelector('#join').disabled"))
        phone.run("document.querySelector('#form').requestSubmit()")
        phone.wait_for(f"{STATUS} === 'Not possible now. Try again.' && !document.querySelector('#join').disabled", 30)
        self.assertEqual(len(self.host.methods("Join")), 1)

    def test_the_refusal_of_a_second_choice_ends_with_the_trial(self):
        phone = self.start_guest()
        self.choose(phone, "Home")
        phone.type("#password", "correct horse")
        self.host.failures["Join"] = ("Busy", {})
        phone.click("#join")
        phone.wait_for(f"{STATUS} === 'Not possible now. Try again.'")
        self.host.state = {**self.host.state, "phase": "joining", "network": "Home", "access_point": None}
        phone.wait_for(f"{STATUS}.startsWith('The display tries Home.')")
        self.host.state = {**HostDouble.STATE, "problem": "wrong_password", "failed": "Home"}
        phone.wait_for(f"{STATUS} === 'The password of Home is wrong.'")

    def test_a_lost_connection_names_only_known_networks(self):
        self.start_all(teams="")
        for state, text in (
                ({"phase": "joining", "access_point": None, "network": "Home"}, "connect this phone to Home, too."),
                ({"phase": "access_point"}, "connect it to flipclock-7Q2K again.")):
            self.host.state = {**HostDouble.STATE, **state}
            phone = self.browser()
            phone.open(self.setup_page)
            phone.wait_for(KNOWN)
            phone.run("tried = 'Home'; silent = 2; draw()")
            self.assertTrue(phone.text("#status").endswith(text), phone.text("#status"))
            # During a trial, its state has no access point: the name is that of before.
            self.host.state.update(phase="joining", access_point=None)
            phone.wait_for("state.phase === 'joining'")
            phone.run("tried = 'Home'; silent = 2; draw()")
            self.assertTrue(phone.text("#status").endswith(text), phone.text("#status"))

    def test_the_phone_loses_the_access_point_and_returns(self):
        phone = self.start_guest()
        self.choose(phone, "Home")
        phone.type("#password", "not the right one")
        self.host.trial = 2
        phone.click("#join")
        phone.wait_for(f"{STATUS}.startsWith('The display tries Home.')")
        # The access point is closed during the trial.
        self.lose_the_end_of_the_trial(phone, "connect it to flipclock-7Q2K again")

    def test_without_flipclock_host_or_wireless_the_page_says_so(self):
        self.start_all(teams="")
        owner = self.phone(role="owner")
        self.host.failures["Scan"] = ("NoWireless", {})
        owner.open(self.address("/setup"))
        owner.wait_for(f"{STATUS} === 'This machine has no Wi-Fi.'")
        del self.host.failures["Scan"]
        self.host.state["has_wireless"] = False
        owner.open(self.address("/setup"))
        owner.wait_for(f"{STATUS} === 'This machine has no Wi-Fi.'")
        self.host.close()
        owner.open(self.address("/setup"))
        owner.wait_for(f"{STATUS} === 'The network of this machine cannot be set here.'")
        self.assertTrue(owner.run("return document.querySelector('#form').hidden"))


class Moved(SetupPageTestCase):
    """A display that has moved to another place, where its access point is open."""

    def setUp(self):
        super().setUp()
        self.size = "1280x720"

    def test_the_owners_phone_reads_the_second_code_and_chooses_a_network(self):
        self.start_all(teams="")
        # The phone was paired at another address: its cookie is not sent to that of the access point.
        owner = self.browser()
        owner.open(f"http://localhost:{self.port}/pair#{self.invite('owner')}")
        owner.wait_for(f"{LIVE} && document.body.dataset.role === 'owner'")
        client = self.connect()
        report_access_point(self, client, self.portal)
        code = self.wait_for("the code", lambda: page_code(self))
        # The page opens by itself, and says what to do.
        owner.open(f"http://127.0.0.1:{self.portal}/hotspot-detect.html")
        owner.wait_for(f"{STATUS}.includes('Scan the second code on the display')")
        self.assertTrue(owner.run("return document.querySelector('#form').hidden"))
        owner.open(code)
        owner.wait_for(READY)
        self.assertEqual(owner.address, self.setup_page)
        self.choose(owner, "Home")
        owner.type("#password", "correct horse")
        owner.click("#join")
        owner.wait_for("state.phase === 'online'")
        self.assertEqual([join["network"] for join in self.host.methods("Join")], ["Home"])
        self.assertEqual(owner.problems(), [])
        # The code was used up, so it is of no use to another phone.
        stranger = self.browser()
        self.host.state = dict(HostDouble.STATE)
        stranger.open(code)
        stranger.wait_for(f"{STATUS}.startsWith('Only an owner’s phone')")
        self.assertTrue(stranger.run("return document.querySelector('#form').hidden && secret === ''"))
        self.assertEqual(len(self.host.methods("Join")), 1)
        # The owner's phone needs no code any more.
        owner.open(self.setup_page)
        owner.wait_for(READY)

    def test_the_code_waits_for_the_display(self):
        self.start_all(teams="")
        self.phone(role="owner")
        report_access_point(self, self.connect(), self.portal)
        code = self.wait_for("the code", lambda: page_code(self))
        phone = self.browser()
        self.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.process.send_signal, signal.SIGCONT)
        phone.open(code)
        phone.wait_for(f"{KNOWN}?.mayJoin === false")
        time.sleep(2)
        self.assertTrue(phone.run("return secret !== '' && document.querySelector('#form').hidden"))
        self.process.send_signal(signal.SIGCONT)
        phone.wait_for(READY, 60)

    def test_without_an_owner_the_code_stays_for_the_network_at_home(self):
        """A phone that is paired on the access point would not be an owner's at home."""
        self.start_all(teams="")
        report_access_point(self, self.connect(), self.portal)
        code = self.wait_for("the code", lambda: page_code(self))
        phone = self.browser()
        phone.open(code)
        phone.wait_for(READY)
        self.assertEqual(page_code(self), code)


class OnThePageOfSettings(SetupPageTestCase):
    """The network's state, and the owner's permission for an access point when the network is away."""

    STATE = "document.querySelector('#networkState').textContent"
    SHOWN = f"{LIVE} && document.querySelector('#network').offsetHeight > 0"
    CHECKED = "document.querySelector('#fallback').checked"

    def start_owner(self):
        self.start_all(teams="")
        owner = self.phone(role="owner")
        owner.open(self.address("/settings"))
        owner.wait_for(self.SHOWN)
        return owner

    def test_the_owner_sees_the_network_and_allows_the_access_point(self):
        owner = self.start_owner()
        for changes, text in (
                ({"phase": "online", "network": "Home"}, "The display is connected to Home."),
                ({"phase": "online", "network": None}, "The display is connected by cable."),
                ({"phase": "offline"}, "The display is in no network."),
                ({"phase": "access_point"}, "The display’s own Wi-Fi flipclock-7Q2K is on.")):
            self.host.state = {**HostDouble.STATE, **changes}
            owner.run("readHealth()")
            owner.wait_for(f"{self.STATE} === {text!r}")
        for allowed in (True, False):
            self.assertEqual(owner.run(f"return {self.CHECKED}"), not allowed)
            owner.click("#fallback")
            self.wait_for("the permission", lambda allowed=allowed: self.host.state["fallback"] == allowed)
            owner.wait_for("document.querySelector('#note').textContent !== ''")
            self.assertEqual(owner.run(f"return {self.CHECKED}"), allowed)
            # Another page shows it, too.
            owner.open(self.address("/settings"))
            owner.wait_for(self.SHOWN)
            self.assertEqual(owner.run(f"return {self.CHECKED}"), allowed)
        self.assertEqual(owner.problems(), [])
        owner.click("#network a")
        owner.wait_for(READY)

    def test_an_answer_from_before_a_change_is_old(self):
        owner = self.start_owner()
        # The answer leaves the display before the change, and arrives after it.
        owner.run("const before = fetch; fetch = async (path, options) => { const reply = await before(path, options);"
                  " if (path === '/health.json') await new Promise(done => window.arrive = done); return reply; };"
                  " window.reading = readHealth()")
        owner.wait_for("!!window.arrive")
        allowed = not self.host.state["fallback"]
        owner.click("#fallback")
        self.wait_for("the permission", lambda: self.host.state["fallback"] == allowed)
        owner.wait_for("document.querySelector('#note').textContent !== ''")
        owner.run("arrive(); window.isRead = false; reading.then(() => isRead = true)")
        owner.wait_for("window.isRead")
        self.assertEqual(owner.run(f"return {self.CHECKED}"), allowed)

    def test_what_is_refused_is_shown_and_others_see_no_network(self):
        owner = self.start_owner()
        self.host.failures["SetFallback"] = ("Failed", {"operation": "SetFallback", "reason": "it is late"})
        owner.click("#fallback")
        owner.wait_for("document.querySelector('#alert').textContent !== ''")
        self.assertFalse(owner.run(f"return {self.CHECKED}"))
        scorer = self.phone()
        scorer.open(self.address("/settings"))
        scorer.wait_for(f"{LIVE} && !document.querySelector('#refused').hidden")
        self.assertTrue(scorer.run("return document.querySelector('#network').closest('[hidden]') !== null"))
        self.assertNotIn("7Q2K", scorer.run("return document.body.textContent"))
        for close in (lambda: self.host.state.update(has_wireless=False), self.host.close):
            close()
            owner.open(self.address("/settings"))
            owner.wait_for(f"{LIVE} && document.querySelector('#health').offsetHeight > 0")
            self.assertTrue(owner.run("return document.querySelector('#network').hidden"))

    def test_every_language_and_width_without_problems(self):
        self.start_all(teams="")
        owner = self.phone(role="owner")
        for language in LANGUAGES:
            self.reconfigure(language=language, teams="")
            for width in (320, 1280):
                owner.resize(width, 740)
                owner.open(self.address("/settings"))
                owner.wait_for(f"{self.SHOWN} && document.documentElement.lang === '{language}'")
                self.assertEqual(owner.run(LAYOUT), [], f"{language} {width}")
                height = owner.run("return document.querySelector('#fallback').closest('label').offsetHeight")
                self.assertGreaterEqual(height, 44)
            self.assert_no_violation(owner, language)


class Time(SetupPageTestCase):
    def test_the_owners_page_gives_the_time_once(self):
        self.start_all(teams="")
        owner, scorer = self.phone(role="owner"), self.phone()
        # The machine of the tests knows the time: each state of the display is changed as it arrives.
        with Pace() as pace:
            for phone in scorer, owner:
                phone.run("const before = receive; receive = (event, value) => before(event, event !== 'display' ? value"
                          " : { ...value, timeUnconfirmed: true }); receive('display', display)")
                phone.wait_for("document.querySelector('#strips').textContent.includes('Nothing has confirmed the time')")
            self.wait_for("the time", lambda: self.host.times)
        owner.wait_for("document.querySelector('#note').textContent.includes('time of this phone')")
        owner.run("receive('display', display)")
        time.sleep(0.5)
        self.assertEqual(len(self.host.times), 1)
        given, ours = self.host.times[0]
        self.assertAlmostEqual(given, ours, delta=0.5 + pace.allowance(10, 1))
        self.assertTrue(owner.run(f"return {LIVE}"))


    def fail_then_restart(self, restart):
        """Waits for another attempt after a failure, and for the time after a restart of the machine."""
        self.wait_for("the failure", lambda: self.host.methods("SetTime"))
        begin = time.monotonic()
        del self.host.failures["SetTime"]
        self.wait_for("another attempt", lambda: self.host.times, 30)
        self.assertLessEqual(len(self.host.methods("SetTime")), 2 + (time.monotonic() - begin) / 10)
        restart()
        self.wait_for("the time after a restart", lambda: len(self.host.times) == 2, 30)
        # What knows its time is left alone, until the next boot.
        self.host.failures["SetTime"] = ("TimeIsKnown", {})
        self.host.calls.clear()
        restart()
        self.wait_for("the refusal", lambda: self.host.methods("SetTime"), 30)
        time.sleep(13)
        self.assertEqual(len(self.host.methods("SetTime")), 1)
        self.assertEqual(len(self.host.times), 2)

    def test_the_owners_page_gives_it_again_after_a_failure_and_a_restart(self):
        self.start_all(teams="")
        self.host.failures["SetTime"] = ("Failed", {"operation": "SetTime", "reason": "no"})
        owner = self.phone(role="owner")
        owner.run("window.boots = 0; const before = receive; receive = (event, value) => before(event,"
                  " event === 'display' ? { ...value, timeUnconfirmed: true } : event === 'beat' ? { ...value, boot: boots }"
                  " : value); receive('display', display)")
        self.fail_then_restart(lambda: owner.run("boots++"))

    def test_the_page_of_the_network_gives_it_again_after_a_failure_and_a_restart(self):
        self.host.state["time_confirmed"] = False
        self.host.failures["SetTime"] = ("Failed", {"operation": "SetTime", "reason": "no"})
        guest = self.start_guest()
        # A slow answer is not used to give the time, but it says that none is needed.
        guest.run("const before = ask; ask = async (path, body) => { const reply = await before(path, body);"
                  " if (reply[1].timeConfirmed) await new Promise(done => setTimeout(done, 1200)); return reply; }")

        def restart():
            self.host.state["time_confirmed"] = True
            guest.wait_for("state.timeConfirmed")
            self.host.state["time_confirmed"] = False
        self.fail_then_restart(restart)


class Appearance(SetupPageTestCase):
    def test_every_language_and_width_without_problems(self):
        self.start_all(teams="")
        phone = self.browser()
        phone.open(self.setup_page)
        for language in LANGUAGES:
            phone.devtools("Emulation.setUserAgentOverride", userAgent="test", acceptLanguage=language)
            self.host.state.update(phase="access_point", problem="wrong_password", failed="Home")
            for width in (320, 360, 768, 1280):
                phone.resize(width, 740)
                phone.open(self.setup_page)
                phone.wait_for(f"{READY} && document.documentElement.lang === '{language}'")
                self.choose(phone, "Home")
                self.assertEqual(phone.run(PROBLEMS), [], f"{language} {width}")
                phone.run("const nodes = document.querySelectorAll('[name=network]'); nodes[nodes.length - 1].click()")
                self.assertEqual(phone.run(PROBLEMS), [], f"{language} {width}, another network")
            self.assertGreater(phone.run("return document.querySelectorAll('#country option').length"), 200)
            self.assert_no_violation(phone, language)
