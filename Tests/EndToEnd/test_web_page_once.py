# SPDX-License-Identifier: Apache-2.0
"""A tap counts once, and not late, whatever the network and the programs do: the page in Chromium,
flipclock-web in a network namespace of its own, and packets that are lost between them."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import time

from EndToEnd import test_web_page
from EndToEnd.daemon import environment
from EndToEnd.network import HERE, Network
from EndToEnd.preload import SLOW_DISK, preload
from EndToEnd.test_web_page import LIVE
from EndToEnd.test_web_page_orders import DONE, DOUBT, TOO_LATE, UNKNOWN, OrdersTestCase

LONG = "FLIPCLOCK_LONG" in os.environ
TAP = ".team:first-child .big"
TO_WALL, TO_PHONE = (HERE, "wall"), ("wall", HERE)

# Records the status of the answer to each tap.
RECORD = """
window.answers = [];
const before = conclude;
conclude = (tap, status, ...rest) => { answers.push(status); before(tap, status, ...rest); };
"""


class OnceTestCase(OrdersTestCase):
    """What the tests of this file have in common."""

    def slow_disk(self):
        """Returns what the daemon's environment needs, and the file that delays its disk."""
        slow = self.directory / "slow"
        return {"LD_PRELOAD": preload(self.directory, SLOW_DISK), "SLOW_DISK": str(slow)}, slow


class Cut(OnceTestCase):
    """The network between a phone and the wall is cut in one direction or both."""

    def setUp(self):
        super().setUp()
        self.network = Network(self, ["wall"])

    def address(self, path="/"):
        return f"http://{self.network.addresses['wall']}:{self.port}{path}"

    def start_web(self):
        with open(self.log, "ab") as log:
            self.web = subprocess.Popen(
                [*self.network.inside("wall"), test_web_page.WEB, "--listen", f"{self.network.addresses['wall']}:{self.port}",
                 "--socket", self.socket, "--state-dir", self.directory / "web"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment())
        self.addCleanup(self.stop_web)
        self.wait_for("a page", lambda: self.fetch("/").startswith(b"<!DOCTYPE html>"))

    def test_a_tap_that_the_network_keeps_is_never_counted_late(self):
        self.start_all()
        phone = self.phone()
        for outage in (8, *((15,) if LONG else ())):
            before = self.scores()["home"] + 2
            # The next tap uses the connection of this one, whose data the kernel sends again.
            phone.click(TAP)
            self.wait_for_scores(phone, before, 0)
            self.settle(phone)
            self.network.cut(TO_WALL)
            phone.click(TAP)
            begin = time.monotonic()
            phone.wait_for(f"{DOUBT} === '{UNKNOWN}'", 8)
            time.sleep(max(0, begin + outage - time.monotonic()))
            self.network.restore()
            phone.wait_for(f"{LIVE} && {DOUBT} === '{TOO_LATE}'", 15)
            self.assertEqual(self.scores()["home"], before)
            phone.click(TAP)
            self.wait_for_scores(phone, before + 2, 0)
            # The kernel still delivers what the closed socket has sent.
            time.sleep(2.5 * outage)
            self.assertEqual(self.scores()["home"], before + 2)

    def test_a_tap_whose_answer_is_lost_is_counted_once(self):
        variables, slow = self.slow_disk()
        self.configure()
        self.start(**variables)
        self.start_web()
        phone = self.phone()
        # The answer is sent when the tap is saved: after the cut.
        slow.touch()
        phone.click(TAP)
        self.wait_for("the tap", lambda: self.match()["teams"][0]["score"] == 2)
        self.network.cut(TO_PHONE)
        slow.unlink()
        phone.wait_for(f"{DOUBT} === '{UNKNOWN}'", 8)
        time.sleep(3)
        self.network.restore()
        phone.wait_for(f"{LIVE} && {DOUBT} === '{DONE}'", 15)
        self.wait_for_scores(phone, 2, 0)
        time.sleep(5)
        self.assertEqual(self.scores()["home"], 2)

    def test_random_cuts(self):
        """The answers that the page got agree with what the wall has counted."""
        self.start_all()
        phone = self.phone()
        phone.run(RECORD)
        generator = random.Random(4)
        taps = 0
        for _ in range(40 if LONG else 6):
            directions = generator.choice(((TO_WALL,), (TO_PHONE,), (TO_WALL, TO_PHONE)))
            self.network.cut(*directions)
            for _ in range(generator.randint(1, 3)):
                phone.run(f"document.querySelector('{TAP}').click()")
                taps += 1
                time.sleep(generator.uniform(0, 1))
            time.sleep(generator.uniform(0, 8))
            self.network.restore()
            phone.wait_for(f"{LIVE} && !queue.length", 30)
        time.sleep(10)
        answers = phone.run("return answers")
        self.assertLessEqual(len(answers), taps)
        self.assertLessEqual(set(answers), {200, 410})
        self.assertEqual(self.scores()["home"], 2 * answers.count(200), answers)


class Restarts(OnceTestCase):
    """Programs end while a tap is performed."""

    def start_inherited(self, listener):
        """Starts flipclock-web as systemd does, with a socket that stays open when it ends."""
        def inherit():
            os.dup2(listener.fileno(), 60)
            # The copy stays open in the program.
            os.dup2(60, 3)
        with open(self.log, "ab") as log:
            self.web = subprocess.Popen(
                ["/bin/sh", "-c", 'exec env LISTEN_PID=$$ LISTEN_FDS=1 "$@"', "sh", test_web_page.WEB,
                 "--socket", self.socket, "--state-dir", self.directory / "web"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(),
                preexec_fn=inherit, close_fds=False)
        self.addCleanup(self.stop_web)
        self.wait_for("a page", lambda: self.fetch("/").startswith(b"<!DOCTYPE html>"))

    def test_a_restart_of_the_web_server_during_a_slow_save(self):
        """The browser sends a request again by itself if its connection, which was used before, ends."""
        variables, slow = self.slow_disk()
        self.configure()
        self.start(**variables)
        listener = socket.create_server(("127.0.0.1", self.port))
        self.addCleanup(listener.close)
        self.start_inherited(listener)
        phone = self.phone()
        phone.run(RECORD)
        phone.click(TAP)
        self.wait_for_scores(phone, 2, 0)
        self.settle(phone)
        for number in range(1, 4):
            slow.touch()
            phone.click(TAP)
            self.wait_for("the tap", lambda n=number: self.match()["teams"][0]["score"] == 2 * n + 2)
            self.web.send_signal(signal.SIGTERM)
            self.web.wait(20)
            self.start_inherited(listener)
            time.sleep(1)
            slow.unlink()
            phone.wait_for(f"{LIVE} && !queue.length", 20)
            self.assertEqual(phone.run("return answers"), [200] * (number + 1))
            self.assertEqual(self.scores()["home"], 2 * number + 2)

    def test_the_daemon_is_killed_before_it_answers(self):
        variables, slow = self.slow_disk()
        self.configure()
        self.start(**variables)
        self.start_web()
        phone = self.phone()
        phone.run(RECORD)
        slow.touch()
        phone.click(TAP)
        self.wait_for("the tap", lambda: self.match()["teams"][0]["score"] == 2)
        self.kill()
        slow.unlink()
        phone.wait_for(f"{DOUBT} === '{UNKNOWN}'", 10)
        time.sleep(3)
        self.start()
        phone.wait_for(f"{LIVE} && !queue.length", 40)
        # A tap that was not saved was not performed.
        answers, home = phone.run("return answers"), self.scores()["home"]
        self.assertEqual((answers, home), ([200], 2) if home else ([410], 0))
        self.wait_for_scores(phone, home, 0)

    def test_the_walls_clock_after_a_boot_and_in_a_phone_that_slept(self):
        self.start_all()
        phone = self.phone()

        def ahead(clock, boot, passed):
            """Returns by how much the wall's clock is ahead, according to the page, after a beat. For the
            next beat, `passed` more milliseconds seem to have passed."""
            return phone.run("setClock({ clock: arguments[0] + now(), boot: arguments[1] });"
                             "beatAt -= arguments[2]; return ahead", clock, boot, passed)
        self.assertAlmostEqual(ahead(1_000_000, "a", 0), 1_000_000, delta=5)
        # A delayed beat changes nothing, except for a possible drift of the clocks in the time that has
        # passed.
        self.assertAlmostEqual(ahead(990_000, "a", 2000), 1_000_000, delta=5)
        self.assertAlmostEqual(ahead(990_000, "a", 0), 999_998, delta=5)
        # The phone's clock was stopped for a minute.
        self.assertAlmostEqual(ahead(1_060_000, "a", 0), 1_060_000, delta=5)
        # After another boot, the value is new.
        self.assertAlmostEqual(ahead(5_000, "b", 0), 5_000, delta=5)

    def test_a_tap_before_a_boot_does_not_count_after_it(self):
        self.start_all()
        phone = self.phone()
        phone.run("""
            const original = fetch;
            window.times = [];
            window.fetch = (address, options) => {
              if (address !== "/commands") return original(address, options);
              times.push(options.headers["Flipclock-Time"]);
              if (times.length > 1) return original(address, options);
              setClock = () => {};
              boot = "another";
              return Promise.reject(new Error("lost"));
            };
        """)
        phone.click(TAP)
        phone.wait_for(f"{DOUBT} === '{TOO_LATE}'", 8)
        self.assertEqual(phone.run("return times[1]"), -1e9)
        self.assertEqual(self.scores()["home"], 0)

    def test_a_tap_that_another_wall_may_have_counted(self):
        """The test gives the answer itself, because only a wall that has just begun to lead gives it."""
        self.start_all()
        phone = self.phone()
        phone.run("""
            const original = fetch;
            window.fetch = (address, options) => address !== "/commands" ? original(address, options)
              : Promise.resolve(new Response('{"error": "look at the display"}', { status: 424 }));
        """)
        phone.click(TAP)
        phone.wait_for(f"{DOUBT} === 'Perhaps done, look at the wall: LIONS +2.'", 8)

    def test_a_page_without_ids_is_refused(self):
        """Sends a command like a page of an earlier release that is still open."""
        self.start_all()
        phone = self.phone()
        reply = json.loads(phone.run_async(
            "const done = arguments[0]; fetch('/commands', { method: 'POST', body: 'add-score home 1' })"
            ".then(async reply => done(JSON.stringify([reply.status, (await reply.json()).error])))"))
        self.assertEqual(reply[0], 428)
        self.assertIn("Idempotency-Key", reply[1])
        self.assertIn("Reload", reply[1])


class SharedBoard(OnceTestCase):
    """A wall that shares a match, without the other walls."""

    def test_the_lead_and_a_match_that_was_set_aside(self):
        self.configure()
        self.start()
        self.control("set-score", "home", "40")
        self.stop()
        # The file is like that of a match that was set aside.
        shutil.copy(self.state / "state.json", self.state / "match-4f3a-1.json")
        self.config.write_text(self.config.read_text() + "\n[walls]\nlead = \"hall\"\n")
        (self.state / "state.json").unlink()
        self.start()
        self.start_web()
        phone = self.phone()
        phone.wait_for("document.querySelector('.strip .hold')?.textContent === 'Let this wall lead'")
        phone.click(TAP)
        phone.wait_for("document.querySelector('#alert').textContent.startsWith('Refused')")
        phone.press(".strip .hold", 1.2)
        phone.wait_for("document.querySelector('#ask').open")
        self.assertEqual(phone.text("#askText"), "Points may be missing here. Lead anyway?")
        phone.click("#askYes")
        phone.wait_for("!document.querySelector('.strip')")
        phone.click(TAP)
        self.wait_for_scores(phone, 2, 0)
        # The match is brought back, and that is undone.
        phone.click("#openMenu")
        phone.wait_for("document.querySelector('#aside button')?.textContent.includes('LIONS 40 : 0')")
        phone.press("#aside button", 1.2)
        self.wait_for("the match", lambda: self.scores()["home"] == 40)
        phone.run("document.querySelector('#menu').close()")
        phone.wait_for("document.querySelector('#undo small').textContent.startsWith('Match brought back')")
        phone.click("#undo")
        self.wait_for_scores(phone, 2, 0)
