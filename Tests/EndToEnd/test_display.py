# SPDX-License-Identifier: Apache-2.0
"""The display as a whole: a message over the page."""

from EndToEnd.daemon import DaemonTestCase


class Message(DaemonTestCase):
    """A text over the page, for a while."""

    def message(self):
        return self.status().get("message")

    def test_a_message_comes_and_goes_by_itself(self):
        self.start()
        self.assertIsNone(self.message())
        self.assertEqual(self.control("message", "TIME OUT", "--for", "700ms").stdout, "shown for 700 ms\n")
        self.assertEqual(self.message(), "TIME OUT")
        self.wait_for("the message's end", lambda: self.message() is None)

    def test_a_new_message_takes_the_place_of_the_old_with_its_own_time(self):
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

    def test_a_restart_takes_it_away(self):
        self.start()
        self.control("message", "A", "--until-cleared")
        self.kill()
        self.start()
        self.assertIsNone(self.message())

    def test_what_cannot_be_shown_is_refused_with_the_remedy(self):
        self.start()
        for arguments, code, word in [
            (("x" * 10000,), 2, "at most 120"), (("a\nb",), 2, "control character"), (("",), 2, "empty"),
            (("a\u202eb",), 2, "direction"), (("Z" + "\u0301" * 5000,), 2, "marks"),
            (("A", "--for", "25h"), 2, "24 hours"), (("A", "--for", "30"), 64, "'30s'"),
            (("A", "--for", "soon"), 64, "'30s'"), ((), 64, "what is the message"),
            (("A", "--clear"), 64, "nothing more"),
        ]:
            with self.subTest(arguments):
                result = self.control("message", *arguments, check=False)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(word, result.stderr)
        self.assertIsNone(self.message())
