# SPDX-License-Identifier: Apache-2.0
"""The display as a whole: a message over the page, rotation, blanking, and brightness."""

import os
import pty
import subprocess
import sys
import time

from EndToEnd.daemon import DAEMON, PROJECT, DaemonTestCase, environment

sys.path.insert(0, str(PROJECT / "Tests"))
from VM import picture  # noqa: E402


class Message(DaemonTestCase):
    """A message over the page, for a while."""

    def message(self):
        return self.status().get("message")

    def test_a_message_appears_and_disappears_on_its_own(self):
        self.start()
        self.assertIsNone(self.message())
        self.assertEqual(self.control("message", "TIME OUT", "--for", "700ms").stdout, "shown for 700 ms\n")
        self.assertEqual(self.message(), "TIME OUT")
        self.wait_for("the message's end", lambda: self.message() is None)

    def test_a_new_message_replaces_the_old_one_with_its_own_duration(self):
        self.start()
        self.control("message", "A", "--for", "300ms")
        self.control("message", "TIME", "OUT", "--until-cleared")
        self.control("set-score", "home", "1")
        self.assertEqual(self.message(), "TIME OUT")
        self.control("reload")
        self.assertEqual(self.message(), "TIME OUT", "it survives a reload")
        self.assertEqual(self.control("message", "--clear").stdout, "taken away: TIME OUT\n")
        self.assertEqual(self.control("message", "--clear").stdout, "there was no message\n")
        self.assertIsNone(self.message())

    def test_a_restart_removes_it(self):
        self.start()
        self.control("message", "A", "--until-cleared")
        self.kill()
        self.start()
        self.assertIsNone(self.message())

    def test_texts_that_cannot_be_shown_are_refused_with_the_remedy(self):
        self.start()
        for arguments, code, word in [
            (("x" * 10000,), 2, "at most 120"), (("a\nb",), 2, "control character"), (("",), 2, "empty"),
            (("a\u202eb",), 2, "direction"), (("Z" + "\u0301" * 5000,), 2, "marks"),
            (("A", "--for", "25h"), 2, "24 hours"), (("A", "--for", "30"), 64, "'30s'"),
            (("A", "--for", "soon"), 64, "'30s'"), ((), 64, "missing <text>"),
            (("A", "--clear"), 64, "nothing more"),
        ]:
            with self.subTest(arguments):
                result = self.control("message", *arguments, check=False)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(word, result.stderr)
        self.assertIsNone(self.message())


class Turned(DaemonTestCase):
    """A rotated display."""

    size = "400x300"

    def turn(self, rotation):
        """Rotates the display, and returns what is drawn then."""
        self.replace_config(self.config.read_text().partition("[display]")[0] + f"[display]\nrotation = {rotation}\n")
        self.control("reload")
        self.rest()
        return picture.from_png(self.picture())

    def test_the_clock_is_laid_out_for_the_visible_orientation(self):
        self.start()
        self.rest()
        flat = picture.from_png(self.picture())
        self.assertEqual((flat.width, flat.height), (400, 300))
        for rotation, size in [(90, (300, 400)), (270, (300, 400)), (180, (400, 300)), (0, (400, 300))]:
            with self.subTest(rotation):
                frames = self.status()["outputs"][0]["framesPresented"]
                shown = self.turn(rotation)
                self.assertEqual((shown.width, shown.height), size)
                self.assertFalse(shown.is_blank())
                output = self.status()["outputs"][0]
                self.assertTrue(output["mode"].startswith("400x300@"), output["mode"])
                self.assertEqual(
                    (output["format"], output["dithered"], output["rotation"]), ("XRGB8888", False, rotation))
                self.assertEqual("turned by" in self.control("status").stdout, rotation != 0)
                self.assertGreater(output["framesPresented"], frames)

    def test_a_blank_display_can_be_rotated(self):
        self.start()
        self.rest()
        self.control("blank")
        shown = self.turn(90)
        self.assertEqual((shown.width, shown.height), (300, 400))
        self.assertTrue(shown.is_blank())
        self.control("unblank")
        self.rest()
        self.assertFalse(picture.from_png(self.picture()).is_blank())


class Margins(DaemonTestCase):
    """The margins of a TV that cuts the edges off."""

    size = "400x300"
    PAGE = '[theme]\nground-top = "#000000"\nground-bottom = "#000000"\n[layout]\nrows = [["time"]]\n'

    def box(self, shown):
        """Returns the first and last column and row that are not black."""
        rows = [shown.rgb[y * shown.width * 3:][:shown.width * 3] for y in range(shown.height)]
        used = [y for y, row in enumerate(rows) if any(row)]
        columns = [x for x in range(shown.width) if any(any(row[3 * x:3 * x + 3]) for row in rows)]
        return columns[0], used[0], columns[-1], used[-1]

    def configure(self, margins):
        self.config.write_text(self.PAGE + margins)

    def test_the_page_keeps_off_the_edges_on_the_display_and_in_renders(self):
        self.configure("")
        self.start()
        self.rest()
        whole = self.box(picture.from_png(self.picture()))
        self.assertLess(whole[0], 40, "the page is wider than it may be with margins")
        for margins in ('[display]\nmargins = "10%"\n',
                        '[display]\nmargins = "1%"\n[outputs.Headless-1]\nmargins = "10%"\n'):
            with self.subTest(margins):
                self.configure(margins)
                self.control("reload")
                self.rest()
                left, top, right, bottom = self.box(picture.from_png(self.picture()))
                self.assertTrue(40 <= left < right < 360 and 30 <= top < bottom < 270, (left, top, right, bottom))
                self.assertAlmostEqual(left + right, 399, delta=4, msg="the page is in the middle")
        self.configure("")
        self.control("reload")
        self.rest()
        self.assertEqual(self.box(picture.from_png(self.picture())), whole)
        self.configure('[display]\nmargins = "10%"\n')
        subprocess.run(
            [DAEMON, "render", "--config", self.config, "--size", self.size, "--at", "2026-11-20T09:59:00Z", "--fps", "1",
             "--frames", "1", "--out", self.directory / "frames"], check=True, env=environment())
        left, top, right, bottom = self.box(picture.from_png(
            (self.directory / "frames" / "frame-00000.png").read_bytes()))
        self.assertTrue(40 <= left < right < 360 and 30 <= top < bottom < 270, (left, top, right, bottom))


class Blank(DaemonTestCase):
    """A blank display while the match continues."""

    SECONDS = """
[widgets.time]
type = "flip-clock"
seconds = true
[widgets.match]
type = "score"
"""

    def shown(self):
        return picture.from_png(self.picture())

    def test_it_goes_blank_and_comes_back_with_the_current_state(self):
        self.start()
        self.rest()
        lit = self.shown()
        self.assertFalse(self.status()["blanked"])
        self.assertEqual(self.control("blank").stdout, "the display is dark\n")
        self.assertTrue(self.status()["blanked"])
        self.assertIn("unblank", self.control("status").stdout)
        dark = self.shown()
        self.assertEqual((dark.width, dark.height), (lit.width, lit.height))
        self.assertEqual(set(dark.rgb), {0})
        frames = self.status()["outputs"][0]["framesPresented"]
        self.control("set-score", "home", "7")
        self.assertEqual(self.status()["widgets"]["match"]["text"], "7 : 0")
        self.assertEqual(self.control("blank").stdout, "the display is dark already\n")
        self.assertEqual(self.control("unblank").stdout, "the display is lit\n")
        self.wait_for("a frame", lambda: self.status()["outputs"][0]["framesPresented"] > frames)
        self.assertNotIn(self.shown(), (lit, dark))
        # The score is shown at once and at rest: it must not flip now, because it changed earlier.
        time.sleep(0.3)
        self.assertLessEqual(self.status()["outputs"][0]["framesPresented"], frames + 2)

    def test_a_blank_display_causes_no_wakeups(self):
        self.config.write_text(self.SECONDS)
        self.start()
        self.control("timer", "set", "10:00", check=False)
        self.control("blank")
        before = self.status()
        # Uses the kernel's count, because a `status` call would cause wakeups itself.
        self.wait_for_sleep(self.process, 2.5)
        after = self.status()
        self.assertEqual(after["outputs"][0]["framesPresented"], before["outputs"][0]["framesPresented"])
        self.control("unblank")
        self.wait_for("seconds", lambda: self.status()["outputs"][0]["framesPresented"]
                      > after["outputs"][0]["framesPresented"] + 5)

    def test_reload_pages_and_messages_leave_it_blank(self):
        self.start()
        self.rest()
        self.control("blank")
        self.control("message", "A", "--for", "200ms")
        self.replace_config(self.SECONDS)
        self.control("reload")
        self.control("show", "main")
        self.assertTrue(self.status()["blanked"])
        self.assertEqual(set(self.shown().rgb), {0})
        self.control("unblank")
        self.wait_for("seconds", lambda: self.status()["widgets"]["time"]["text"].count(":") == 2)
        self.wait_for("a picture", lambda: set(self.shown().rgb) != {0})

    def test_one_key_blanks_and_restores(self):
        self.start()
        self.assertEqual(self.control("blank", "--toggle").stdout, "the display is dark\n")
        self.assertTrue(self.status()["blanked"])
        self.assertEqual(self.control("blank", "--toggle").stdout, "the display is lit\n")
        self.assertFalse(self.status()["blanked"])

    def test_one_display_can_be_named(self):
        self.start()
        self.assertEqual(self.control("blank", "--output", "Headless-1").stdout, "the display Headless-1 is dark\n")
        self.assertTrue(self.status()["outputs"][0]["blanked"])
        self.assertEqual(self.control("unblank", "--output=Headless-1").stdout, "the display Headless-1 is lit\n")
        self.assertFalse(self.status()["outputs"][0]["blanked"])
        self.assertEqual(self.control("brightness", "40%", "--output", "Headless-1").stdout, "40%\n")
        self.assertEqual(self.control("brightness", "--output", "Headless-1").stdout, "40%\n")
        self.assertEqual(self.status()["outputs"][0]["brightness"], 40)
        self.assertIn("wrote ", self.control("screenshot", self.directory / "a.png", "--output", "Headless-1").stdout)

    def test_a_closed_terminal_ends_a_blank_daemon_too(self):
        theirs, ours = pty.openpty()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [DAEMON, "--config", self.config, "--display", "terminal", "--socket", self.socket,
                 "--state-dir", self.state],
                stdin=ours, stdout=ours, stderr=log, start_new_session=True, env=environment(TERM="xterm-256color"))
        self.addCleanup(self.kill)
        os.close(ours)
        self.wait_for("a picture", lambda: (self.try_status() or {}).get("outputs"))
        self.control("blank")
        os.close(theirs)
        self.assertEqual(self.process.wait(10), 0)

    def test_a_restart_turns_it_on(self):
        self.start()
        self.control("blank")
        self.kill()
        self.start()
        self.assertFalse(self.status()["blanked"])


class Brightness(DaemonTestCase):
    """Dimming the picture."""

    def light(self):
        """Returns the brightest value in the picture at rest."""
        self.rest()
        return max(picture.from_png(self.picture()).rgb)

    def test_it_is_set_and_stepped_and_reported_and_visible(self):
        self.start()
        full = self.light()
        self.assertEqual(self.control("brightness").stdout, "100%\n")
        self.assertEqual(self.control("brightness", "50%").stdout, "50%\n")
        self.assertEqual(self.status()["brightness"], 50)
        self.assertIn("dimmed to 50%", self.control("status").stdout)
        self.assertAlmostEqual(self.light(), full / 2, delta=2)
        self.assertEqual(self.control("brightness", "-10%").stdout, "40%\n")
        self.assertEqual(self.control("brightness", "+5").stdout, "45%\n")
        self.assertEqual(self.control("--json", "brightness", "-1000%").stdout, '{"percent":1}\n')
        self.assertLess(self.light(), 8)
        self.assertEqual(self.control("brightness", "default").stdout, "100%\n")
        self.assertEqual(self.light(), full)

    def test_it_survives_kill_reload_and_blanking(self):
        self.start()
        full = self.light()
        self.control("brightness", "30%")
        self.kill()
        self.start()
        self.assertEqual(self.status()["brightness"], 30)
        self.assertLess(self.light(), full / 3 + 3)
        self.control("reload")
        self.control("blank")
        self.control("brightness", "20%")
        self.control("unblank")
        self.assertEqual(self.status()["brightness"], 20)
        self.assertLess(self.light(), full / 5 + 3)

    def test_the_config_has_the_default_and_a_change_of_it_applies(self):
        config = self.config.read_text()
        self.config.write_text(config + '[display]\nbrightness = "60%"\n')
        self.start()
        self.assertEqual(self.control("brightness").stdout, "60%\n")
        self.control("brightness", "90%")
        self.replace_config(config + '[display]\nbrightness = "70%"\n')
        self.control("reload")
        self.assertEqual(self.control("brightness").stdout, "70%\n")
        self.kill()
        self.start()
        self.assertEqual(self.control("brightness").stdout, "70%\n")
        self.control("brightness", "90%")
        self.kill()
        self.config.write_text(config + '[display]\nbrightness = "50%"\n')
        self.start()
        self.assertEqual(self.control("brightness").stdout, "50%\n", "changed while nobody ran")

    def test_invalid_brightness_is_refused_with_the_remedy(self):
        self.start()
        for word, code, remedy in [("0%", 2, "flipclockctl blank"), ("101%", 2, "100%"), ("half", 64, "60%"),
                                   ("60%%", 64, "60%"), ("99999999999999999999%", 64, "60%")]:
            with self.subTest(word):
                result = self.control("brightness", word, check=False)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(remedy, result.stderr)
        self.assertEqual(self.status()["brightness"], 100)
